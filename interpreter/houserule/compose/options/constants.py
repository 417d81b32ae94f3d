"""Options of one table: their ranges and defaults as plain values.

Defaults and ranges are constant expressions; a range may speak of other options.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houserule.compose.draft import Draft
    from houserule.manifest.ruleset import Plain


class NotConstantError(Exception):
    """An expression is no constant of this table; the text says why."""


@dataclass(frozen=True, slots=True)
class NumberScale:
    """The numbers from low to high, every `step`."""

    low: int
    high: int
    step: int = 1


@dataclass(frozen=True, slots=True)
class NameScale:
    """One of some names."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class YesNoScale:
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class SetScale:
    """A set of numbers or names; not empty where `some` says so."""

    of: NumberScale | NameScale
    some: bool = False


@dataclass(frozen=True, slots=True)
class OptionalScale:
    """A value, or none."""

    inner: NumberScale | NameScale | YesNoScale | SetScale


Scale: TypeAlias = NumberScale | NameScale | YesNoScale | SetScale | OptionalScale


class Constants:
    """Evaluates constants against the options of a draft and what was chosen."""

    def __init__(self, draft: Draft, chosen: Mapping[str, Plain]) -> None:
        """Take the options as declared; `chosen` stands above their defaults."""
        self._draft = draft
        self._chosen = chosen
        self._open: list[str] = []

    def option(self, name: str) -> Plain:
        """Return the value of an option: what was chosen, or its default.

        Raises:
            NotConstantError: there is no such option, or it depends on itself.
        """
        if name in self._chosen:
            return self._chosen[name]
        entry = self._draft.entries.get(name)
        if entry is None or not isinstance(entry.node, tree.Option):
            message = f"{name} is no option"
            raise NotConstantError(message)
        if name in self._open:
            message = f"{name} depends on itself"
            raise NotConstantError(message)
        self._open.append(name)
        try:
            return self.value(entry.node.normally)
        finally:
            self._open.pop()

    def value(self, expr: tree.Expr) -> Plain:
        """Return the value of a constant expression.

        Raises:
            NotConstantError: it is none.
        """
        match expr:
            case tree.Int(value) | tree.Bool(value):
                return value
            case tree.NoneValue():
                return None
            case tree.Name(name):
                entry = self._draft.entries.get(name)
                if name in self._chosen or (entry and entry.kind == "option"):
                    return self.option(name)
                return name
            case tree.SetOf(items):
                return [self.value(item) for item in items]
            case tree.RangeSet(low, high):
                return list(range(self.number(low), self.number(high) + 1))
            case _:
                return self._arithmetic(expr)

    def _arithmetic(self, expr: tree.Expr) -> int:
        match expr:
            case tree.Negative(operand):
                return -self.number(operand)
            case tree.Arith("+", left, right):
                return self.number(left) + self.number(right)
            case tree.Arith("-", left, right):
                return self.number(left) - self.number(right)
            case tree.Arith("*", left, right):
                return self.number(left) * self.number(right)
            case _:
                message = "it is not a constant"
                raise NotConstantError(message)

    def number(self, expr: tree.Expr) -> int:
        """Return the value of a constant that is a number.

        Raises:
            NotConstantError: it is none.
        """
        value = self.value(expr)
        if isinstance(value, bool) or not isinstance(value, int):
            message = "it is not a number"
            raise NotConstantError(message)
        return value

    # ---- what an option may be

    def scale(self, option: tree.Option) -> Scale:
        """Return the values that an option may have.

        Raises:
            NotConstantError: its type has no values that a table can name.
        """
        return self._scale(option.type, option.step or 1)

    def _scale(self, kind: tree.Type, step: int) -> Scale:
        match kind:
            case tree.RangeType(low, high):
                return NumberScale(self._bound(low), self._bound(high), step)
            case tree.FlagType():
                return YesNoScale()
            case tree.NamedType(name):
                return self._members(name, step)
            case tree.SetType(member):
                return SetScale(self._members(member, 1))
            case tree.PartType(member):
                return SetScale(self._members(member, 1), some=True)
            case tree.MaybeType(inner):
                found = self._scale(inner, step)
                return (
                    found if isinstance(found, OptionalScale) else OptionalScale(found)
                )

    def _bound(self, bound: int | tree.Word) -> int:
        return bound if isinstance(bound, int) else self.number(tree.Name(bound.text))

    def _members(self, name: str, step: int) -> NumberScale | NameScale:
        entry = self._draft.entries.get(name)
        match entry.node if entry else None:
            case tree.TypeDecl(type=tree.RangeType(low, high)):
                return NumberScale(self._bound(low), self._bound(high), step)
            case tree.TypeDecl() | tree.DiceDecl():
                members = self._draft.under(name, "member")
                return NameScale(tuple(m.address.rpartition(".")[2] for m in members))
            case tree.Component(rows=tree.Text(path)):
                rows = self._draft.ruleset.tables.get(path, ())
                return NameScale(tuple(row.id for row in rows))
            case _:
                message = f"{name} has no members that a table can choose from"
                raise NotConstantError(message)
