"""The valid tables of a family: how many, the smallest, one at random, all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from houserule.compose.tables.formulas import (
    ALWAYS,
    Formula,
    both,
    holds_in,
    off,
    on,
    switches_in,
)
from houserule.compose.tables.truth_table import MOST_SWITCHES, Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from houserule.compose.tables.feature_model import Features

Names: TypeAlias = frozenset[str]

MOST_SPOKEN = 16  # switches of one condition, where their groups are too many to join


class TooManySwitchesError(Exception):
    """Switches that have to be looked at together are too many for a truth table."""

    def __init__(self, names: tuple[str, ...]) -> None:
        """Say which switches they are."""
        super().__init__(f"{len(names)} switches are tied together")
        self.names = names


@dataclass(frozen=True, slots=True)
class Occurrence:
    """In which valid tables something happens.

    Attributes:
        smallest: the variants of the smallest such table.
        seats: its numbers of players, '' where every number will do.
        tables: how many such tables there are.
        of: how many valid tables there are.
    """

    smallest: Names
    seats: str
    tables: int
    of: int

    def __str__(self) -> str:
        """Name the smallest table as a player would choose it."""
        names = " + ".join(sorted(self.smallest)) or "nothing on"
        return f"{names}, {self.seats}" if self.seats else names


@dataclass(frozen=True)
class Group:
    """Some switches that no relation ties to others, and their valid settings."""

    space: Space
    valid: int

    @cached_property
    def count(self) -> int:
        """The number of valid settings, whatever the number of seats."""
        return self.space.count(self.valid)


# Disjoint sets of tables: each a product of settings of groups; other groups are free.
Box: TypeAlias = tuple[tuple[Group, int], ...]


class Configurations:
    """The valid tables, asked by conditions over switches."""

    def __init__(self, features: Features) -> None:
        """Cut the family into groups.

        Raises:
            TooManySwitchesError: a group is too large.
        """
        self.features = features
        self._joined: dict[tuple[int, ...], Group] = {}
        self.groups = tuple(self._group(set(names)) for names in features.groups)
        self._group_of = {
            name: index
            for index, group in enumerate(self.groups)
            for name in group.space.names
        }

    def _group(self, names: set[str]) -> Group:
        ordered = tuple(name for name in self.features.switches if name in names)
        if len(ordered) > MOST_SWITCHES:
            raise TooManySwitchesError(ordered)
        variants = sum(name in names for name in self.features.variants)
        space = Space(ordered, variants)
        valid = space.every
        for relation in self.features.relations:
            if switches_in(relation.holds) <= names:
                valid &= space.holds(relation.holds)
        return Group(space, valid)

    def _join(self, indices: tuple[int, ...]) -> Group:
        if len(indices) == 1:
            return self.groups[indices[0]]
        if indices not in self._joined:
            names = {n for i in indices for n in self.groups[i].space.names}
            self._joined[indices] = self._group(names)
        return self._joined[indices]

    @cached_property
    def count(self) -> int:
        """The number of valid tables: sets of variants that some seats allow."""
        return prod(group.count for group in self.groups)

    # ---- the tables in which a condition holds

    def boxes(self, condition: Formula) -> list[Box]:
        """Return the valid tables in which the condition holds.

        Raises:
            TooManySwitchesError: it speaks of too many switches in large groups.
        """
        spoken = sorted(switches_in(condition) & self._group_of.keys())
        indices = tuple(sorted({self._group_of[name] for name in spoken}))
        if not self.count or (not indices and not holds_in(condition, frozenset())):
            return []
        size = sum(len(self.groups[i].space.names) for i in indices)
        if size <= MOST_SWITCHES:
            group = self._join(indices) if indices else None
            bits = group.valid & group.space.holds(condition) if group else 0
            return [((group, bits),)] if group and bits else [()] * (not indices)
        return list(self._apart(condition, spoken, indices))

    def _apart(
        self, condition: Formula, spoken: list[str], indices: tuple[int, ...]
    ) -> Iterator[Box]:
        """Yield a box for every setting of the spoken switches that fulfils it."""
        if len(spoken) > MOST_SPOKEN:
            raise TooManySwitchesError(tuple(spoken))
        groups = [self.groups[i] for i in indices]
        for setting in product((False, True), repeat=len(spoken)):
            chosen = dict(zip(spoken, setting, strict=True))
            if holds_in(condition, frozenset(n for n in spoken if chosen[n])):
                box = tuple((g, g.valid & _fixed(g.space, chosen)) for g in groups)
                if all(bits for _, bits in box):
                    yield box

    def possible(self, condition: Formula) -> bool:
        """Say whether the condition holds in some valid table."""
        return bool(self.boxes(condition))

    def cells(self, conditions: Sequence[Formula]) -> Iterator[tuple[bool, ...]]:
        """Yield every way in which the conditions hold together in valid tables.

        Raises:
            TooManySwitchesError: they speak of too many switches.
        """
        names = frozenset[str]().union(*map(switches_in, conditions))
        spoken = names & self._group_of.keys()
        indices = tuple(sorted({self._group_of[name] for name in spoken}))
        if not self.count or not indices:
            held = tuple(holds_in(each, frozenset()) for each in conditions)
            yield from [held] * bool(self.count)
            return
        group = self._join(indices)
        cells: list[tuple[tuple[bool, ...], int]] = [((), group.valid)]
        for each in conditions:
            bits = group.space.holds(each)
            halves = [
                ((*held, yes), here & (bits if yes else ~bits))
                for held, here in cells
                for yes in (False, True)
            ]
            cells = [half for half in halves if half[1]]
        yield from (held for held, _ in cells)

    def case(self, condition: Formula) -> Occurrence | None:
        """Say in which valid tables the condition holds; None if in none."""
        boxes = self.boxes(condition)
        if not boxes:
            return None
        smallest = min(map(self.smallest, boxes), key=lambda t: (len(t), sorted(t)))
        tables = sum(map(self._count, boxes))
        return Occurrence(smallest, self._seats(smallest), tables, self.count)

    def _count(self, box: Box) -> int:
        within = prod(group.space.count(bits) for group, bits in box)
        return within * prod(group.count for group, _ in self._others(box))

    def _others(self, box: Box) -> Box:
        """Return the groups that the box leaves free, with all their settings."""
        bound = {name for group, _ in box for name in group.space.names}
        free = (g for g in self.groups if g.space.names[0] not in bound)
        return tuple((group, group.valid) for group in free)

    def smallest(self, box: Box) -> Names:
        """Return the smallest set of variants in a box."""
        parts = (g.space.smallest(bits) for g, bits in box + self._others(box))
        return self._variants(parts)

    def largest(self, box: Box) -> Names:
        """Return the largest set of variants in a box."""
        parts = (g.space.largest(bits) for g, bits in box + self._others(box))
        return self._variants(parts)

    def at_random(self, box: Box, random: Random) -> Names:
        """Return a set of variants in a box, each table as likely as any other."""
        every = box + self._others(box)
        return self._variants(g.space.at_random(bits, random) for g, bits in every)

    def each(self, condition: Formula = ALWAYS) -> Iterator[Names]:
        """Yield every set of variants in which the condition holds."""
        for box in self.boxes(condition):
            every = box + self._others(box)
            lists = [dict.fromkeys(map(self._only, g.space.each(b))) for g, b in every]
            for parts in product(*lists):
                yield frozenset().union(*parts)

    def _variants(self, parts: Iterator[Names]) -> Names:
        return self._only(frozenset().union(*parts))

    def _only(self, switches: Names) -> Names:
        return switches.intersection(self.features.variants)

    def _seats(self, table: Names) -> str:
        """Name the numbers of players of a table, if it does not allow all."""
        allowed = self.features.players_of(table) if self.features.seats else ()
        low, high = self.features.players
        if not allowed or len(allowed) == high - low + 1:
            return ""
        first, last = allowed[0], allowed[-1]
        if last - first + 1 == len(allowed):
            numbers = str(first) if first == last else f"{first}..{last}"
        else:
            numbers = ", ".join(map(str, allowed))
        return f"{numbers} players"


def _fixed(space: Space, chosen: dict[str, bool]) -> int:
    """Return the settings that agree with the chosen switches of this space."""
    mine = [name for name in space.names if name in chosen]
    return space.holds(both(on(n) if chosen[n] else off(on(n)) for n in mine))
