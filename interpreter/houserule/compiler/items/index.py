"""Index of all items of a ruleset: conditions, declarations and edits.

A product line is the game with all its variants and bridges. Its items are numbered in
canonical order. Each has a condition over switches: all its members are on, and no
bridge mutes it. A table is a setting of the switches, so the same conditions answer for
one table and for all tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from houserule.base.source import Span
from houserule.compiler.conditions.formulas import (
    Formula,
    On,
    both,
    either,
    holds_in,
    off,
)
from houserule.compiler.items.items import Declared, Edit, Placed, placed_items
from houserule.compiler.rules import Origin
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import MAIN

# Naming a step in an order, or adding below a clause, does not edit it.
NEVER_MUTED = frozenset({"order", "release", "mute", "add"})


@dataclass(frozen=True, eq=False, slots=True)
class Declaration:
    """One item's declaration of one address."""

    item: int
    placed: Placed
    one: Declared

    @property
    def origin(self) -> Origin:
        """The unit that declares it."""
        return self.placed.origin

    @property
    def span(self) -> Span:
        return self.one.span


class Family:
    """The items of a ruleset, by number and by address."""

    def __init__(self, ruleset: LoadedRuleset) -> None:
        self.ruleset = ruleset
        self.placed = placed_items(ruleset)
        self.muted_by: dict[int, list[int]] = defaultdict(list)  # by `mute` lines
        for mute, bridge in enumerate(self.placed):
            if isinstance(bridge.item, tree.Mute) and may_mute(bridge):
                for other, each in enumerate(self.placed):
                    if mutes(bridge, each):
                        self.muted_by[other].append(mute)
        there: list[Formula] = []
        for number, each in enumerate(self.placed):
            silent = (On(self.placed[b].members) for b in self.muted_by.get(number, ()))
            there.append(both([On(each.members), *map(off, silent)]))
        self.there = tuple(there)
        declared: dict[str, list[Declaration]] = defaultdict(list)
        for number, placed in enumerate(self.placed):
            for one in placed.declares:
                declared[one.address].append(Declaration(number, placed, one))
        self.declared = {address: tuple(every) for address, every in declared.items()}

    @cached_property
    def clauses(self) -> dict[str, tuple[Declaration, ...]]:
        """The declarations of clauses by address, without parts."""
        found = {
            address: tuple(each for each in every if each.one.word == MAIN)
            for address, every in self.declared.items()
        }
        return {address: every for address, every in found.items() if every}

    @cached_property
    def edits(self) -> tuple[tuple[int, Edit], ...]:
        """Every edit with the number of its item."""
        return tuple(
            (number, edit)
            for number, placed in enumerate(self.placed)
            for edit in placed.edits
        )

    def present_at(self, variants: frozenset[str]) -> frozenset[int]:
        """Return the items that are active if exactly these variants are on."""
        found: set[int] = set()
        for members, numbers in self._by_members.items():
            if members <= variants:
                found.update(numbers)
        muted = (number for number in self.muted_by if number in found)
        return frozenset(
            found - {n for n in muted if not holds_in(self.there[n], variants)}
        )

    @cached_property
    def _by_members(self) -> dict[frozenset[str], list[int]]:
        """The items by the variants that must be on."""
        found: dict[frozenset[str], list[int]] = {}
        for number, placed in enumerate(self.placed):
            found.setdefault(placed.members, []).append(number)
        return found

    def declares(self, address: str) -> Formula:
        """Return when some item declares an address, removed or not."""
        return either(self.there[d.item] for d in self.declared.get(address, ()))

    def meant_by(self, target: str) -> tuple[Declaration, ...]:
        """Return the meanings of an address: clauses of that name, else parts."""
        return self.clauses.get(target) or self.declared.get(target, ())

    def above(self, address: str) -> Iterator[str]:
        """Yield the ancestors of a clause, nearest first.

        The parent of a clause is its owner; that of a declaration of the flow is its
        phase.
        """
        seen = {address}
        main = self.clauses.get(address)
        while main:
            owner = main[0].one.owner or main[0].placed.phase
            if not owner or owner in seen:
                return
            seen.add(owner)
            yield owner
            main = self.clauses.get(owner)


def family_of(ruleset: LoadedRuleset) -> Family:
    """Return the product line of a ruleset; cached."""
    return ruleset.derived(Family)


# ---- mutes


def may_mute(bridge: Placed) -> bool:
    """Return whether a `mute` names a member of its own bridge."""
    if not isinstance(bridge.item, tree.Mute) or bridge.origin.kind != "bridge":
        return False
    return bridge.item.variant.text in bridge.origin.unit.split("+")


def mutes(bridge: Placed, other: Placed) -> bool:
    """Return whether the `mute` of one item mutes another, if both are active."""
    item = bridge.item
    if not isinstance(item, tree.Mute) or other.origin.unit != item.variant.text:
        return False
    return item.target.text in muted_at(other)


def muted_at(placed: Placed) -> list[str]:
    """Return the addresses at which a `mute` mutes an item.

    They are the targets of its edits, and the address that it declares, but not the
    parts of such a declaration.
    """
    edits = (each.target for each in placed.edits if each.verb not in NEVER_MUTED)
    return [*edits, *(each.address for each in placed.clauses[:1])]
