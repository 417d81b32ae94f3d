"""Conditions of phases and steps in words: for whom, until when, whether at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from houserule.syntax import tree
from houserule.syntax.write.expressions import print_expr

if TYPE_CHECKING:
    from houserule.manifest.ruleset import Plain


class Conditions:
    """Says conditions in the words of a language.

    What a condition is made of has words if the texts name it. A condition that has
    none is left to the caption of its phase or step; without a caption it stands as it
    is written.

    Args:
        say: general phrases.
        named: what texts call a name of the rules, '' if nothing.
        options: the values of the table's options.
    """

    def __init__(
        self,
        say: Callable[..., str],
        named: Callable[[str], str],
        options: Mapping[str, Plain],
    ) -> None:
        self._say, self._named, self._options = say, named, options

    def runs_over(self, whom: tree.ForWhom, captioned: bool) -> str:
        """Return for whom or for what a phase is played; '' if its caption says it."""
        match whom.source:
            case tree.Name("players"):
                return self._say("each player")
            case tree.Apply("clockwise" | "reversed" | "snaking" as how):
                return self._say(how)
            case tree.RangeSet(low, high) if not captioned:
                first, last = self._number(low), self._number(high)
                if first is not None and last is not None:
                    return self._say("times", number=last - first + 1)
        found = self.spoken(whom.source, captioned)
        return self._say("each in", set=found) if found else ""

    def until(self, until: tree.Until, captioned: bool) -> str:
        """Return until when a phase is played again and again; '' as above."""
        condition = self.spoken(until.condition, captioned)
        if not condition:
            return ""
        times = self._number(until.times)
        if times is None:
            return self._say("until", condition=condition)
        return self._say("until at most", condition=condition, times=times)

    def spoken(self, condition: tree.Expr, captioned: bool) -> str:
        """Return a condition in the words of what it names; '' as above.

        Beneath a caption only conditions that are named, or their opposites, are said.
        """
        found = self._words(condition)
        if captioned and isinstance(condition, tree.Compare | tree.SetOf):
            return ""
        if found is not None:
            return found
        return "" if captioned else " ".join(print_expr(condition).split())

    def _words(self, expr: tree.Expr) -> str | None:
        number = self._number(expr)
        if number is not None:
            return str(number)
        match expr:
            case tree.Name(name):
                return self._named(name) or None
            case tree.Not(operand):
                return self._joined("not", condition=operand)
            case tree.Logic(op, left, right):
                return self._joined(op, left=left, right=right)
            case tree.Compare(op, left, right):
                return self._joined(f"compare {op}", left=left, right=right)
            case tree.SetOf((only,)):
                return self._words(only)
            case _:
                return None

    def _joined(self, phrase: str, **parts: tree.Expr) -> str | None:
        """Return a phrase with parts in words, None if one of them has no words."""
        found = {name: self._words(part) for name, part in parts.items()}
        words = {name: said for name, said in found.items() if said is not None}
        return self._say(phrase, **words) if len(words) == len(found) else None

    def _number(self, expr: tree.Expr) -> int | None:
        """Return a number that stands there, or what the table sets an option to."""
        match expr:
            case tree.Int(value):
                return value
            case tree.Name(name):
                chosen = self._options.get(name)
                return chosen if type(chosen) is int else None
            case _:
                return None
