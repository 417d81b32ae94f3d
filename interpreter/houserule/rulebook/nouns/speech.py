"""How a language addresses the reader, and orders the parts of a main clause."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache

from houserule.base.inflection import GENDER, Inflected


class NoVerbError(Exception):
    """The verb of a sentence was not found, so that its parts cannot be ordered."""


ENDED = re.compile(r"[.!?…:][”“»]?$")


def as_sentence(words: str) -> str:
    """Return words with a capital and, if they have no end, a full stop."""
    said = " ".join(words.split()).replace(" ,", ",").replace(",,", ",")
    said = said.replace(",;", ";").rstrip(", ")
    first = re.search(r"\w", said)
    if first is None:
        return said
    place = first.start()
    said = said[:place] + said[place].upper() + said[place + 1 :]
    return said if ENDED.search(said) else f"{said}."


class ReaderSpeech(ABC):
    """Addressing the reader as *you*."""

    you: Inflected

    @abstractmethod
    def agreeing(self, said: str) -> str:
        """Return a sentence whose verb agrees with *you*, if that is its subject."""

    def polished(self, said: str) -> str:
        """Return a sentence with shorter words for what its parts say together."""
        return said

    @abstractmethod
    def condition(self, said: str) -> str:
        """Return a main clause as a condition in front of another one."""

    @abstractmethod
    def following(self, said: str) -> str:
        """Return a main clause that follows another part of its sentence."""

    @abstractmethod
    def relative(self, said: str, subject: str) -> str | None:
        """Return a main clause after its subject, "who has", None if it has another."""

    @abstractmethod
    def subordinate(self, said: str) -> str:
        """Return a main clause as it is after "until" or "unless"."""

    @abstractmethod
    def afterwards(self, said: str) -> str:
        """Return a main clause about what is so after something else."""

    @abstractmethod
    def mine(self, form: str, name: str) -> str:
        """Return the form of a place, with a slot for its owner, as the reader's."""


# ---- English

_SECOND = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
_THEIRS = re.compile(
    r"\b((?:the|that|every) (?:\w+ )?player) ((?:(?!player|\byou)[^.:;])*?)"
    r"\bthe ((?:\w+ )?[\w“”]+) of (?:\1|the player)\b(?! (?:with|who|for|after)\b)"
)
_WHERE = re.compile(
    r"\b(\w+?)(s?) for which ((?:(?! and )[^.:;])*?) (on|in) the \1\b"
    r"(?=(?:(?! and )[^.,;])*(?:[.,;]|$))"
)
_BUT_ONE = r"except (?:you|(?:the|that) player)\b"


class EnglishSpeech(ReaderSpeech):
    """Only the verb after *you* changes."""

    you = Inflected("you", {"of": "of you", GENDER: "m"}, 2)

    def agreeing(self, said: str) -> str:
        """Return a sentence whose verb agrees with *you*, if that is its subject."""
        said = re.sub(r"\byou[’']s\b", "yours", said)
        first, verb, rest = (*said.split(" ", 2), "", "")[:3]
        if first.lower() != "you" or not verb:
            return said
        if verb in _SECOND:
            verb = _SECOND[verb]
        elif re.search(r"(sh|ch|x|ss)es$", verb):
            verb = verb[:-2]
        elif verb.endswith("ies") and len(verb) > len("lies"):
            verb = f"{verb[:-3]}y"
        elif verb.endswith("s") and not verb.endswith("ss"):
            verb = verb[:-1]
        return " ".join(filter(None, (first, verb, rest)))

    def polished(self, said: str) -> str:
        """Return a sentence with shorter words for what its parts say together."""
        said = re.sub(r"\bthe ((?:\w+ ){0,2}\w+) of you\b", r"your \1", said)
        said = _THEIRS.sub(r"\1 \2their \3", _THEIRS.sub(r"\1 \2their \3", said))
        said = re.sub(r"\b(an? \w+) of you\b", r"\1 of yours", said)
        said = _WHERE.sub(r"\1\2 \4 which \3", said)
        said = re.sub(rf"\ba player {_BUT_ONE}", "another player", said)
        said = re.sub(rf"\bno player {_BUT_ONE}", "no other player", said)
        said = re.sub(rf"\bevery player {_BUT_ONE}", "every other player", said)
        said = re.sub(r"\b(\w+?)(s?) among your \1s\b", r"\1\2", said)
        said = re.sub(r"\b(\d+) (\w+?)s? from your \2s\b", r"\1 of your \2s", said)
        return said.replace("then then ", "then ")

    def mine(self, form: str, name: str) -> str:
        """Return the form of a place, with a slot for its owner, as the reader's."""
        owned = re.sub(rf" of \{{{name}(:[^}}]*)?\}}", "", form)
        return form if owned == form else re.sub(r"\bthe\b", "your", owned, count=1)

    def condition(self, said: str) -> str:
        """Return a main clause as a condition in front of another one."""
        return said

    def following(self, said: str) -> str:
        """Return a main clause that follows another part of its sentence."""
        return said

    def afterwards(self, said: str) -> str:
        """Return a main clause about what is so after something else."""
        return f"then {said}"

    def relative(self, said: str, subject: str) -> str | None:
        """Return a main clause after its subject, "who has", None if it has another."""
        own = said.startswith(f"{subject} ")
        return f" who{said.removeprefix(subject)}" if own else None

    def subordinate(self, said: str) -> str:
        """Return a main clause as it is after "until" or "unless"."""
        return said


# ---- German

_GERMAN = [
    "bleibt",
    "bleiben",
    "bleibst",
    "geschieht",
    "geschehen",
    "wählt",
    "wählen",
    "wählst",
    "wartet",
    "warten",
    "käme",
    "ist",
    "sind",
    "bist",
    "war",
    "waren",
    "warst",
    "hat",
    "haben",
    "hast",
    "hatte",
    "hatten",
    "hattest",
    "wird",
    "werden",
    "wirst",
    "liegt",
    "liegen",
    "liegst",
    "gehört",
    "gehören",
    "zeigt",
    "zeigen",
    "kann",
    "können",
    "kannst",
    "darf",
    "dürfen",
    "darfst",
    "muss",
    "müssen",
    "musst",
    "steht",
    "stehen",
    "stehst",
    "gibt",
    "geben",
    "gibst",
    "hält",
    "halten",
    "hältst",
    "bekommt",
    "bekommen",
    "bekommst",
    "verliert",
    "verlieren",
    "verlierst",
    "legt",
    "legen",
    "legst",
    "nimmt",
    "nehmen",
    "nimmst",
    "setzt",
    "setzen",
    "kommt",
    "kommen",
    "kommst",
    "geht",
    "gehen",
    "gehst",
    "gilt",
    "gelten",
    "beginnt",
    "beginnen",
    "beginnst",
    "steigt",
    "sinkt",
    "endet",
    "enden",
    "leg",
    "nimm",
    "setz",
    "wirf",
    "misch",
    "dreh",
    "besitzt",
    "kontrolliert",
    "führt",
    "spielt",
    "spielen",
    "spielst",
    "trifft",
    "zählt",
    "zählen",
    "trägt",
    "macht",
    "gewinnt",
    "gewinnst",
    "endest",
    "wurde",
    "wurden",
    "wurdest",
    "würfelt",
    "würfeln",
    "würfelst",
    "sieht",
    "sehen",
    "siehst",
    "verteilst",
    "bringt",
    "bringen",
    "kostet",
    "kosten",
    "heißt",
    "passt",
    "passen",
    "folgt",
    "folgen",
    "grenzt",
    "grenzen",
    "erreicht",
    "erreichen",
    "reicht",
    "reichen",
    "brennt",
    "fehlt",
    "fehlen",
]
_GERMAN_VERBS = frozenset(_GERMAN)
_LIKE_A_VERB = re.compile(r"(?!nicht|jetzt|zuletzt|sonst|fast|selbst)[a-zäöüß]{3,}t")
_DU = {
    "ist": "bist",
    "hat": "hast",
    "war": "warst",
    "hatte": "hattest",
    "wird": "wirst",
    "kann": "kannst",
    "darf": "darfst",
    "muss": "musst",
    "will": "willst",
    "weiß": "weißt",
    "hält": "hältst",
    "gilt": "giltst",
    "wurde": "wurdest",
}


_RELATIVE = re.compile(r", bei (?:dem|der|denen) [^,]*,")
_OF_PLAYER = (
    r"\b((?:de[rmns]|die|das) \w+) (?:vom|von d(?:em|iesem)) (\w+en )?Spieler\b"
)


def _around_relatives(said: str, changed: Callable[[str], str]) -> str:
    """Return a sentence in another order, with its relative clauses as they are."""
    inner = _RELATIVE.findall(said)
    parts = changed(_RELATIVE.sub("\0", said)).split("\0")
    return parts[0] + "".join(map(str.__add__, inner, parts[1:]))


_BEI = re.compile(
    r"\b([A-ZÄÖÜ]\w+?)(er|en|e|n)?, bei (dem|der|denen) ((?:(?! und )[^.:;])*?)"
    r"(auf|in|an) (?:dem|der) \1\b ?(?=(?:(?! und )[^.,;])*(?:[.,;]|$))"
)
_AUSSER = r"außer (?:dir|d(?:em|iesem) Spieler)\b"


def _other(found: re.Match[str]) -> str:
    return f"{found[1]} andere{'' if found[1] == 'jeder' else 'r'} Spieler"


def _your(found: re.Match[str]) -> str:
    return f"dein{found[1][1:].replace('ie', 'e').removeprefix('as')} {found[2]}"


_HIS = re.compile(
    r"\b(d(?:er|ieser) (?:\w+e )?Spieler) ((?:(?!Spieler|\bdu)[^.:;])*?)"
    r"\b(auf|in|aus|von|zu|mit|unter) (die|das|dem|den|der) (\w+) "
    r"(?:de|diese)s (?:\w+en )?Spielers\b"
)


def _his(found: re.Match[str]) -> str:
    who, between, where, article, what = found.groups()
    his = f"sein{article[1:].replace('ie', 'e').removeprefix('as')}"
    return f"{who} {between}{where} {his} {what}"


def _of_player(found: re.Match[str]) -> str:
    that = "dieses" if "diesem" in found[0] else "des"
    return f"{found[1]} {that} {found[2] or ''}Spielers"


def _second_german(verb: str) -> str:
    if verb in _DU:
        return _DU[verb]
    if verb.endswith("st") or re.search(r"[szßx]t$", verb) or not verb.endswith("t"):
        return verb
    return f"{verb[:-1]}st"


class GermanSpeech(ReaderSpeech):
    """The verb is second in a main clause, first in a condition, last after "bis"."""

    you = Inflected(
        "du",
        {
            "nominative": "du",
            "accusative": "dich",
            "dative": "dir",
            "genitive": "deiner",
            "the": "du",
            "of": "von dir",
            GENDER: "m",
        },
        1,
    )

    def polished(self, said: str) -> str:
        """Return a sentence with shorter words for what its parts say together."""
        said = re.sub(r"\b(die|das|den|dem|des) (\w+) von dir\b", _your, said)
        said = _BEI.sub(r"\1\2, \5 \3 \4", said)
        said = re.sub(rf"\b(ein|kein|jeder) Spieler {_AUSSER}", _other, said)
        said = re.sub(rf"\b(\w+en) Spieler {_AUSSER}", r"\1 anderen Spieler", said)
        said = re.sub(_OF_PLAYER, _of_player, said)
        said = _HIS.sub(_his, _HIS.sub(_his, said))
        said = re.sub(r"\b(\w+) unter deinen \1n?\b", r"\1", said)
        return re.sub(r"(; dann [^;.]*?) dann ", r"\1 ", said)

    def agreeing(self, said: str) -> str:
        """Return a sentence whose verb agrees with *du*, if that is its subject."""
        first, verb, rest = (*said.split(" ", 2), "", "")[:3]
        if first.lower() != "du" or not verb:
            return re.sub(
                r"\b(\w+) du\b",
                lambda m: (
                    f"{_second_german(m[1])} du" if m[1] in _GERMAN_VERBS else m[0]
                ),
                said,
            )
        return " ".join(filter(None, (first, _second_german(verb), rest)))

    def mine(self, form: str, name: str) -> str:
        """Return the form of a place, with a slot for its owner, as the reader's."""
        return re.sub(rf" (?:von \{{{name}[^}}]*\}}|\{{{name}:genitive\}})", "", form)

    def condition(self, said: str) -> str:
        """Return a main clause as a condition in front of another one."""
        return self._each_part(said, self._verb_first)

    def following(self, said: str) -> str:
        """Return a main clause that follows another part of its sentence."""
        return _around_relatives(said, self._first_part_verb_first)

    def _first_part_verb_first(self, said: str) -> str:
        if said.startswith("für ") and ": " in said:
            return f"gilt {said}"
        first, joint, rest = said.partition(" und ")
        return self._verb_first(first) + joint + rest

    def relative(self, said: str, subject: str) -> str | None:
        """Return a main clause after its subject, "der … hat"."""
        rest = self.subordinate(said).removeprefix(f"{subject} ")
        return f", der {rest}," if said.startswith(f"{subject} ") else None

    def subordinate(self, said: str) -> str:
        """Return a main clause as it is after "bis" or "wenn"."""
        return self._each_part(said, self._verb_last)

    def _each_part(self, said: str, changed: Callable[[str], str]) -> str:
        """Return the clauses of a sentence, each with its parts in another order."""

        def each(said: str) -> str:
            parts = re.split(r"(, | und | oder )(?![^„]*“)", said)  # outside of quotes
            try:
                return "".join(
                    part if n % 2 else changed(part) for n, part in enumerate(parts)
                )
            except NoVerbError:
                return changed(said)

        return _around_relatives(said, each)

    def afterwards(self, said: str) -> str:
        """Return a main clause about what is so after something else."""
        return _around_relatives(said, self._afterwards)

    def _afterwards(self, said: str) -> str:
        before, verb, after = self._parts(said)
        return " ".join(filter(None, (before, verb, "dann", after)))

    def _verb_last(self, said: str) -> str:
        before, verb, after = self._parts(said)
        if after.startswith("du "):
            before, after = f"du {before}", after.removeprefix("du ")
        inner, comma, rest = after.partition(",")
        moved = " ".join(filter(None, (before, inner.strip(), verb)))
        return f"{moved},{rest}" if comma else moved

    def _verb_first(self, said: str) -> str:
        before, verb, after = self._parts(said)
        if before[:1].isupper() and before.split(" ")[0].lower() in _LOWER:
            before = before[:1].lower() + before[1:]
        return " ".join(filter(None, (verb, before, after)))

    def _parts(self, said: str) -> tuple[str, str, str]:
        words, quoted, verbs, others = said.split(" "), False, [], []
        for place, word in enumerate(words):
            quoted = (quoted or "„" in word) and "“" not in word
            if quoted:
                continue
            if word in _GERMAN_VERBS or (word.lower() in _GERMAN_VERBS and not place):
                verbs.append(place)
            elif _LIKE_A_VERB.fullmatch(word):
                others.append(place)
        for place in (verbs or others)[:1]:
            before, after = words[:place], words[place + 1 :]
            return " ".join(before), words[place].lower(), " ".join(after)
        raise NoVerbError(said)


_LOWER = frozenset(
    [
        "der",
        "die",
        "das",
        "du",
        "dein",
        "deine",
        "ein",
        "eine",
        "jeder",
        "jede",
        "alle",
        "es",
    ]
)


@cache
def speech_of(language: str) -> ReaderSpeech | None:
    """Return how a language addresses the reader, None if the book does not."""
    return {"en": EnglishSpeech(), "de": GermanSpeech()}.get(language)
