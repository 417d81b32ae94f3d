"""Comparisons of numbers and counts as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.inflected import Inflected
from houserule.ir.types import Whole
from houserule.rulebook.exact.quantities import NamedQuantity

if TYPE_CHECKING:
    from houserule.rulebook.exact.terms import Terms


class ComparisonWords:
    """Sentences that say how a number compares, or how many of something there are."""

    def __init__(self, terms: Terms) -> None:
        self._terms, self._names = terms, terms.names

    def _amount(self, op: str, right: ir.Expr) -> Inflected:
        """Return "at least 3" for a number and how one compares with it."""
        value = self._terms.number(right)
        if op == "==":
            return value
        said = self._names.say(f"cmp_{op}", right=value)
        number = value.number if isinstance(right, ir.Const) else 2
        return Inflected(said, {}, 2 if op in (">", "!=") else number)

    def numbers(self, left: ir.Expr, op: str, right: ir.Expr) -> str:
        """Return a comparison of numbers, in the author's words where they fit."""
        quantity = self._terms.quantities.of(left)
        if quantity is not None and isinstance(right, ir.Const):
            if right.value is None:
                return self._terms.conditions.none(left, op == "==")
            own = self._reading(quantity, left, op, right)
            if own is not None:
                return own
        words = self._names
        return words.say(
            f"is_{op}", left=self._terms.number(left), right=self._terms.number(right)
        )

    def _reading(
        self, quantity: NamedQuantity, left: ir.Expr, op: str, right: ir.Const
    ) -> str | None:
        """Return a reading for a number that is compared with a known one."""
        exact = self._exactly(left, op, right)
        quantities = self._terms.quantities
        if exact is not None:
            own = quantities.exact_reading(quantity, str(exact))
            if own is not None:
                return own
            op, right = "==", ir.Const(exact, right.type)
        return self._with_amount(quantity, self._amount(op, right))

    def _with_amount(self, quantity: NamedQuantity, amount: Inflected) -> str | None:
        """Return a reading with an amount, None if it does not speak of it.

        What it says of one thing may be without the number: "it is a line".
        """
        for number in (amount.number, 2):
            shown = Inflected(amount, {}, number)
            said = self._terms.quantities.sentence(quantity, "other", shown)
            if said is not None and (amount in said or amount == "1"):
                return said
        return None

    def _exactly(self, left: ir.Expr, op: str, right: ir.Const) -> int | None:
        """Return the one number that a comparison leaves, None if there are more."""
        value, type_ = right.value, left.type
        assert isinstance(value, int)
        low = type_.low if isinstance(type_, Whole) else None
        if op == "==":
            return value
        if op == "<=" and value == low:
            return value
        if op == "<" and low is not None and value == low + 1:
            return low
        return None

    def count(self, left: ir.Size | ir.CountOf, op: str, right: ir.Expr) -> str:
        """Return a sentence that there are so many of something."""
        own = self._count_reading(left, op, right)
        if own is not None:
            return own
        names, terms = self._names, self._terms
        if isinstance(left, ir.Size):
            group, where = terms.groups.of(left.operand), ""
        elif len(left.binds) == 1 and len(left.binds[0].slots) == 1:
            group = terms.groups.of(left.binds[0].source)
            where = terms.where(left.where)
        else:
            return names.say(
                f"is_{op}", left=terms.number(left), right=terms.number(right)
            )
        least = self._exactly_of_count(op, right)
        if least == "none":
            what = names.grammar.phrase(group.word, "no", group.tail + where)
            return names.say("there_is_none", what=what)
        if least == "some":
            what = names.grammar.phrase(group.word, "a", group.tail + where)
            return names.say("there_is_some", what=what)
        if group.whole is not None:
            return names.say(
                f"is_{op}", left=terms.number(left), right=terms.number(right)
            )
        amount = self._amount(op, right)
        word = group.word if amount.number == 1 else names.plural(group.word)
        what = names.grammar.phrase(word, "", group.tail + where)
        said = names.say("so_many_things", number=amount, what=what)
        return names.say("there_are" if amount.number != 1 else "there_is", what=said)

    def _exactly_of_count(self, op: str, right: ir.Expr) -> str:
        value = right.value if isinstance(right, ir.Const) else None
        if (op, value) in (("==", 0), ("<", 1), ("<=", 0)):
            return "none"
        if (op, value) in (("!=", 0), (">=", 1), (">", 0)):
            return "some"
        return ""

    def _count_reading(
        self, left: ir.Size | ir.CountOf, op: str, right: ir.Expr
    ) -> str | None:
        if isinstance(left, ir.CountOf):
            return None
        quantities = self._terms.quantities
        quantity = quantities.of(left.operand)
        if quantity is None:
            return None
        least = self._exactly_of_count(op, right)
        if least:
            own = quantities.exact_reading(quantity, least)
            if own is not None:
                return own
        if isinstance(left.operand, ir.Contents) and isinstance(right, ir.Const):
            if least == "none":
                own = quantities.exact_reading(quantity, "0")
                if own is not None:
                    return own
            return self._with_amount(quantity, self._amount(op, right))
        return None
