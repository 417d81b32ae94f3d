"""Scales of options: their possible values, in people's notation and as constants.

Defaults and ranges of options and the settings of presets are constant expressions of
the tree. They decide the rules of a table, so there are no types yet: a name is that of
an option, or of a member of the expected type. The reference engine evaluates
expressions with types (`lower.constants`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias, assert_never

from houserule.base.algebra.arithmetic import DIVISIONS, OPERATIONS, ROUNDED, Operation
from houserule.base.diagnostics.wording import nearest_few
from houserule.base.frozen import frozen
from houserule.base.source import NOWHERE, Span
from houserule.language.syntax import tree
from houserule.language.syntax.vocabulary import BUILT_IN_TYPES

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft
    from houserule.language.manifest.ruleset import Plain

BRACKETS = {("{", "}"), ("[", "]")}
MEMBERS_AT_MOST = 10_000  # of a constant set that is written as a range


class OffScaleError(Exception):
    """A value is not on its scale; the text completes a sentence about it.

    `member` is the number of the wrong member, from 0; None for the value as a whole.
    """

    def __init__(self, message: str, member: int | None = None) -> None:
        super().__init__(message)
        self.member = member


def fitted(value: Plain, scale: Scale) -> Plain:
    """Return a value as a plain value of this scale.

    Texts are parsed in people's notation: `150`, `yes`, `red`, `{1, 4, 6}`, `none`.

    Raises:
        OffScaleError: not a value of this scale. The text continues after "x = 3 ".
    """
    match scale:
        case OptionalScale(inner):
            return None if value is None or value == "none" else fitted(value, inner)
        case YesNoScale():
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.strip().lower() in {"yes", "no"}:
                return value.strip().lower() == "yes"
            raise OffScaleError("is neither yes nor no.")
        case NumberScale(low, high, step):
            number: int | None = None
            if isinstance(value, int) and not isinstance(value, bool):
                number = value
            elif isinstance(value, str):
                with suppress(ValueError):
                    number = int(value)
            values = range(low, high + 1, step)
            if number is not None and number in values:
                return number
            if not values:
                raise OffScaleError(f"has an empty scale, {low}..{high}.")
            words = ", ".join(map(str, values))
            if len(values) > 4:
                words = f"{values[0]}, {values[1]}, ... {values[-1]}"
            if number is None:
                raise OffScaleError(f"is not a number on the scale {words}.")
            if number <= values[0]:
                nearest = [values[0]]
            elif number >= values[-1]:
                nearest = [values[-1]]
            else:
                below = values[(number - values[0]) // step]
                nearest = [below, below + step]
            near = ", ".join(map(str, nearest))
            raise OffScaleError(f"is not on the scale {words}. Nearest: {near}.")
        case NameScale(names):
            if isinstance(value, str) and value.strip() in names:
                return value.strip()
            close = nearest_few(str(value), names)
            tail = f" Nearest: {', '.join(close)}." if close else ""
            every = ", ".join(names) if len(names) <= 8 else f"{len(names)} names"
            raise OffScaleError(f"is none of {every}.{tail}")
        case SetScale(of, some):
            if isinstance(value, str):
                value = [*several(value)]
            members: dict[int, Plain] = {}  # by their place on the scale
            for index, each in enumerate(value if isinstance(value, list) else [value]):
                try:
                    member = fitted(each, of)
                except OffScaleError as error:
                    message = f"cannot be: {shown(each)} {error}"
                    raise OffScaleError(message, index) from None
                if isinstance(of, NameScale):
                    members[of.names.index(str(member))] = member
                elif isinstance(member, int):
                    members[member] = member
            if some and not members:
                raise OffScaleError("must have a member.")
            return [members[place] for place in sorted(members)]
        case _:
            assert_never(scale)


def shown(value: Plain) -> str:
    """Return a plain value in people's notation."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return "{" + ", ".join(shown(each) for each in value) + "}"
        case _:
            return str(value)


def setting_words(settings: Mapping[str, Plain]) -> list[str]:
    """Return settings in people's notation: `goal=50`, `colours={red, blue}`."""
    return [f"{key}={shown(value)}" for key, value in settings.items()]


def several(text: str) -> list[str]:
    """Return the members of a set in a text: `{1, 3}`, `[1, 3]`, `1, 3`."""
    inner = text.strip()
    if (inner[:1], inner[-1:]) in BRACKETS:
        inner = inner[1:-1]
    return [each for each in re.split(r"[,\s]+", inner) if each]


# ---- ranges and defaults of one table


@frozen
class NumberScale:
    """The numbers from low to high, every `step`."""

    low: int
    high: int
    step: int = 1


@frozen
class NameScale:
    """One of some names."""

    names: tuple[str, ...]


@frozen
class YesNoScale:
    """Yes or no."""


@frozen
class SetScale:
    """A set of numbers or names; not empty if `some` is set."""

    of: NumberScale | NameScale
    some: bool = False


@frozen
class OptionalScale:
    """A value, or none."""

    inner: NumberScale | NameScale | YesNoScale | SetScale


Scale: TypeAlias = NumberScale | NameScale | YesNoScale | SetScale | OptionalScale


# ---- constants of the tree


class NotConstantError(Exception):
    """An expression is not constant; the text explains why, `span` shows where."""

    def __init__(self, message: str, span: Span = NOWHERE) -> None:
        super().__init__(message)
        self.span = span


def constant_value(
    expr: tree.Expr, named: Callable[[str], Plain] = lambda name: name
) -> Plain:
    """Return the value of a constant expression; `named` resolves a name.

    Raises:
        NotConstantError: not constant.
    """
    op: Operation
    match expr:
        case tree.Int(value) | tree.Bool(value):
            return value
        case tree.NoneValue():
            return None
        case tree.Name(name):
            return named(name)
        case tree.SetOf(items):
            return [constant_value(item, named) for item in items]
        case tree.RangeSet(low, high):
            first, last = _constant_number(low, named), _constant_number(high, named)
            if last - first >= MEMBERS_AT_MOST:
                message = f"a set here has {MEMBERS_AT_MOST} members at most"
                raise NotConstantError(message)
            return list(range(first, last + 1))
        case tree.Negative(operand):
            return -_constant_number(operand, named)
        case tree.Arith(op, left, right):
            pass
        case tree.Divide(left, right, rounding):
            op = ROUNDED[rounding]
        case _:
            message = "it is not a constant"
            raise NotConstantError(message, expr.span)
    a, b = _constant_number(left, named), _constant_number(right, named)
    if op in DIVISIONS and b == 0:
        message = "it is divided by 0"
        raise NotConstantError(message)
    return OPERATIONS[op](a, b)


def _constant_number(expr: tree.Expr, named: Callable[[str], Plain]) -> int:
    value = constant_value(expr, named)
    if isinstance(value, bool) or not isinstance(value, int):
        message = "it is not a number"
        raise NotConstantError(message, expr.span)
    return value


class NoTypeError(NotConstantError):
    """The type of an option is not declared; `lower` reports its name."""


class Constants:
    """Constants that may refer to options of a draft, and to the table's choices."""

    def __init__(self, draft: Draft, chosen: Mapping[str, Plain]) -> None:
        """Take the options as declared; `chosen` overrides their defaults."""
        self._draft = draft
        self._chosen = chosen
        self._open: list[str] = []

    def option(self, name: str) -> Plain:
        """Return the value of an option: the table's choice, or its default.

        Raises:
            NotConstantError: unknown option, or it depends on itself.
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
        """Return the value of a constant expression that may refer to options.

        Raises:
            NotConstantError: not constant.
        """
        return constant_value(expr, self._named)

    def _named(self, name: str) -> Plain:
        entry = self._draft.entries.get(name)
        if name in self._chosen or (entry and entry.kind == "option"):
            return self.option(name)
        return name

    def scale(self, option: tree.Option) -> Scale:
        """Return the values that an option may have.

        Raises:
            NotConstantError: a table cannot name values of its type.
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
        if isinstance(bound, int):
            return bound
        return _constant_number(tree.Name(bound.text), self._named)

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
            case None if name not in (*BUILT_IN_TYPES, "position"):
                raise NoTypeError(name)
            case _:
                message = f"{name} has no members that a table can choose from"
                raise NotConstantError(message)
