"""The interesting values of options: first, least, greatest, and what others name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from houserule.compose.tables.formulas import NEVER, Formula, On, both, either, off
from houserule.compose.tables.presets import plain_value
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houserule.compose.items.items import Placed
    from houserule.manifest.ruleset import Plain


@dataclass(slots=True)
class OptionValues:
    """One option, whoever declares it, and what variants say of it.

    Attributes:
        node: the declaration.
        present: where it is declared.
        fixed: where a variant fixes it, so that a table may not set it.
        suggestions: first values that variants suggest, with the variants.
        members: the names of its type's members, if it is an enumeration.
    """

    node: tree.Option
    present: Formula
    fixed: Formula = NEVER
    suggestions: list[tuple[frozenset[str], Plain]] = field(default_factory=list)
    members: tuple[str, ...] = ()

    @property
    def free(self) -> Formula:
        """Where a table may set it."""
        return both([self.present, off(self.fixed)])

    def suggested(self, table: frozenset[str]) -> list[Plain]:
        """Return the different first values that variants of a table suggest."""
        found: list[Plain] = []
        for members, value in self.suggestions:
            if members <= table and value not in found:
                found.append(value)
        return found

    def interesting(self, named: Iterable[Plain] = ()) -> list[Plain]:
        """Return its least and greatest value or its members, and those named.

        Its own first value is left out: every other table shows that one.
        """
        first = _plain(self.node.normally)
        found: list[Plain] = []
        for value in (*self._ends(), *named):
            if not _has(found, value) and not _has([first], value):
                found.append(value)
        return found

    def _ends(self) -> tuple[Plain, ...]:
        match self.node.type:
            case tree.FlagType():
                return (False, True)
            case tree.RangeType(low=int(low), high=int(high)):
                step = self.node.step or 1
                return (low, high - (high - low) % step)
            case tree.NamedType():
                return self.members
            case _:
                return ()


def option_values(items: Iterable[Placed]) -> dict[str, OptionValues]:
    """Collect every option of the family by name."""
    placed = tuple(items)
    members = _members(placed)
    found: dict[str, OptionValues] = {}
    for each in placed:
        if isinstance(each.item, tree.Option):
            _declare(found, each.item, each.members, members)
    for each in placed:
        _edit(found, each)
    return found


def _declare(
    found: dict[str, OptionValues],
    node: tree.Option,
    when: frozenset[str],
    members: dict[str, tuple[str, ...]],
) -> None:
    option = found.setdefault(node.name.text, OptionValues(node, NEVER))
    option.present = either([option.present, On(when)])
    if isinstance(node.type, tree.NamedType):
        option.members = members.get(node.type.name, ())


def _members(placed: Iterable[Placed]) -> dict[str, tuple[str, ...]]:
    """Return the members that the base gives to each enumeration."""
    return {
        each.item.name.text: tuple(word.text for word in each.item.members)
        for each in placed
        if isinstance(each.item, tree.TypeDecl) and not each.members
    }


def _edit(found: dict[str, OptionValues], placed: Placed) -> None:
    match placed.item:
        case tree.SetDefault(target=target, value=value):
            option, suggested = found.get(target.text), _plain(value)
            if option is not None and suggested is not None:
                option.suggestions.append((placed.members, suggested))
        case tree.Change(target=target) | tree.Remove(target=target):
            option = found.get(target.text.partition(".")[0])
            if option is not None:
                option.fixed = either([option.fixed, On(placed.members)])
        case _:
            pass


def _plain(expr: tree.Expr) -> Plain | None:
    try:
        return plain_value(expr)
    except ValueError:
        return None


def _has(found: list[Plain], value: Plain) -> bool:
    return any(type(each) is type(value) and each == value for each in found)
