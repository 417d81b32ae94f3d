"""The general words of a drawing, by language."""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH = {
    "automatic": "by itself",
    "any number": "any number",
    "at most once": "at most once",
    "exactly once": "exactly once",
    "each player": "for each player",
    "each player in": "for each player in {set}",
    "each": "for each {variable} in {set}",
    "together": "all at once, unseen by one another",
    "until": "until {condition}, at most {times} times",
    "if": "if {condition}",
    "not": "not {condition}",
    "quoted": "“{words}”",
    "any order": "in any order",
    "some order": "in order as noted",
    "after": "after {names}",
    "anywhere": "at any time in {phase}",
    "taken by": "by {who}",
    "released": "no longer in order",
    "players": "{number} players",
    "with": "with {titles}",
    "bridges": "settled between them: {titles}",
    "removed": "left out: {names}",
    "legend added": "added by a house rule",
    "legend changed": "changed by one",
    "legend released": "had to come first, and need not any more",
    "legend": "House rules",
    "base": "base game",
}
GERMAN = {
    "automatic": "von selbst",
    "any number": "beliebig oft",
    "at most once": "höchstens einmal",
    "exactly once": "genau einmal",
    "each player": "für jeden Spieler",
    "each player in": "für jeden Spieler in {set}",
    "each": "für jedes {variable} in {set}",
    "together": "alle zugleich und verdeckt",
    "until": "bis {condition}, höchstens {times} Mal",
    "if": "falls {condition}",
    "not": "nicht {condition}",
    "quoted": "„{words}“",
    "any order": "in beliebiger Reihenfolge",
    "some order": "in der angegebenen Ordnung",
    "after": "nach {names}",
    "anywhere": "jederzeit in {phase}",
    "taken by": "durch {who}",
    "released": "nicht mehr geordnet",
    "players": "{number} Spieler",
    "with": "mit {titles}",
    "bridges": "dazwischen geregelt: {titles}",
    "removed": "entfällt: {names}",
    "legend added": "von einer Hausregel hinzugefügt",
    "legend changed": "von einer geändert",
    "legend released": "musste zuerst kommen, und muss es nicht mehr",
    "legend": "Hausregeln",
    "base": "Grundspiel",
}
PHRASES: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "de": GERMAN}


class Words:
    """The general words of a language; one that is not known speaks English."""

    def __init__(self, language: str) -> None:
        self._phrases = PHRASES.get(language, ENGLISH)

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a phrase with its parts put in."""
        return self._phrases[phrase].format(**parts)
