"""Captions, titles and conditions as words of a language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.lower.declarations.clauses import cited
from houserule.phrases import Phrases
from houserule.syntax import tree
from houserule.syntax.write.expressions import binder, print_expr

if TYPE_CHECKING:
    from houserule.compose.rules import ClauseRecord, Rules
    from houserule.manifest.ruleset import LoadedRuleset


class Captions:
    """The words of composed rules in one language.

    Where a language lacks something, the captions of the rules files stand.
    """

    def __init__(self, ruleset: LoadedRuleset, rules: Rules, language: str) -> None:
        self._texts = ruleset.texts.get(language, {})
        self._first = language == ruleset.manifest.languages[0]
        self._rules = rules
        self._phrases = Phrases("diagram", language)

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a general phrase with its parts put in."""
        return self._phrases.say(phrase, **parts)

    def title(self, name: str) -> str:
        """Return the title of the game, a variant or a bridge, '' if it has none."""
        return self._texts.get(f"titles/{name}", "")

    def caption_of(self, address: str) -> str:
        """Return the caption of a step or phase, else its title if that says more."""
        record = self._rules.clauses[address]
        title = self._texts.get(f"flow/{address}", "")
        bare = "".join(filter(str.isalnum, address))
        says_more = "".join(filter(str.isalnum, title)).casefold() != bare
        return self._caption(record) or (title if says_more else "")

    def caption_of_action(self, name: str) -> str:
        """Return the caption of an action, else what taking it is called."""
        record = self._rules.clauses[name]
        return self._caption(record) or self._texts.get(f"actions/{name}", "")

    def _caption(self, record: ClauseRecord) -> str:
        if self._first:
            return record.caption
        for origin in reversed(record.changed_by):
            own = self._texts.get(f"changed/{origin.unit}/{record.address}")
            if own is not None:
                return own
        return self._texts.get(record.address) or record.caption

    def cites(self, record: ClauseRecord) -> tuple[str, ...]:
        """Return where a clause is printed."""
        cites = (note for note in record.notes if isinstance(note, tree.Cite))
        return tuple(cited(note) for note in cites)

    # ---- conditions

    def runs_over(self, whom: tree.ForWhom) -> str:
        """Return for whom or for what a phase is played."""
        source = print_expr(whom.source)
        if whom.name.text != "me":
            return self.say("each", variable=whom.name.text, set=source)
        if source == "players":
            return self.say("each player")
        return self.say("each player in", set=source)

    def until(self, until: tree.Until) -> str:
        """Return until when a phase is played again and again."""
        condition, times = self.spoken(until.condition), print_expr(until.times)
        return self.say("until", condition=condition, times=times)

    def taken_by(self, action: tree.Action) -> str:
        """Return who takes an action, '' if it is the seat in turn."""
        return "" if action.by is None else self.say("taken by", who=binder(action.by))

    def spoken(self, condition: tree.Expr) -> str:
        """Return a condition in the words of what it names, else as it is written."""
        match condition:
            case tree.Not(operand=inner) if self._named(inner):
                return self.say("not", condition=self.spoken(inner))
            case _:
                named = self._named(condition)
                if named:
                    return self.say("quoted", words=named)
                return " ".join(print_expr(condition).split())

    def _named(self, expr: tree.Expr) -> str:
        match expr:
            case tree.Name(name):
                record = self._rules.clauses.get(name)
                return self._caption(record) if record is not None else ""
            case _:
                return ""
