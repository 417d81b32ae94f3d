"""The game while it is being composed: declared clauses, and edits that found them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from houserule.compose.items.fields import MAIN, Parts, parts_of
from houserule.compose.items.items import Placed, edits, placed_items
from houserule.compose.rules import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.compose.items.items import EditOf
    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.source import Span
    from houserule.syntax import tree

Rank: TypeAlias = tuple[int, int, int, str]  # of additions only the last counts


@dataclass(frozen=True, slots=True)
class Entry:
    """One clause as it stands so far.

    Attributes:
        node: the declaration, with the edits that were applied.
        owner: the address it stands under, '' if it stands by itself.
        phase: the phase it stands in, '' for the game itself.
        rank: its place: the base as written, then the others by address.
        origins: every unit that declares it, alike.
        changed_by: every unit that changed, lifted or tuned it.
        notes: the margin of the last change, if it has one.
    """

    address: str
    kind: str
    node: tree.Node
    owner: str
    phase: str
    rank: Rank
    origins: tuple[Origin, ...]
    span: Span
    changed_by: tuple[Origin, ...] = ()
    notes: tree.Notes = ()

    @property
    def parts(self) -> Parts:
        """What `change` may replace here, by its word."""
        return parts_of(self.node)


@dataclass(frozen=True, slots=True)
class Hit:
    """An edit that found its target: a clause, and the word of a part of it."""

    placed: Placed
    edit: EditOf
    address: str
    word: str = MAIN

    @property
    def origin(self) -> Origin:
        """The unit that edits."""
        return self.placed.origin

    @property
    def notes(self) -> tree.Notes:
        """The margin of the edit; without one, that of the unit it stands in."""
        own: tree.Notes = getattr(self.placed.item, "notes", ())
        return own or self.placed.notes

    @property
    def target(self) -> str:
        """The address as the author wrote it."""
        return self.edit.target


@dataclass(slots=True)
class Draft:
    """The declared clauses of one table, and what was found wrong with them.

    Attributes:
        placed: the items that are present and not muted, in canonical order.
        entries: every declared clause that is not removed, by address.
        inside: the addresses that stand under an address, removed ones too.
        gone: what was removed, and by whom.
        hits: the edits that found their target.
        found: the diagnostics so far.
        lost: what was declared by items whose target is missing; nothing more needs
            to be said of it.
        disputes: clauses on which units disagree, and which units.
    """

    ruleset: LoadedRuleset
    variants: frozenset[str]
    placed: tuple[Placed, ...]
    entries: dict[str, Entry] = field(default_factory=dict)
    inside: dict[str, list[str]] = field(default_factory=dict)
    gone: dict[str, Entry] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    found: list[Diagnostic] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    disputes: dict[str, frozenset[Origin]] = field(default_factory=dict)

    def of(self, *kinds: str) -> list[Entry]:
        """Return the clauses of these kinds in canonical order."""
        wanted = [each for each in self.entries.values() if each.kind in kinds]
        return sorted(wanted, key=lambda each: each.rank)

    def under(self, owner: str, *kinds: str) -> list[Entry]:
        """Return the clauses of these kinds that stand under an address, in order."""
        every = self.inside.get(owner, ())
        found = [self.entries[each] for each in every if each in self.entries]
        wanted = (each for each in found if each.kind in kinds)
        return sorted(wanted, key=lambda each: each.rank)

    def edited(
        self,
        address: str,
        by: Origin,
        node: tree.Node | None = None,
        notes: tree.Notes | None = None,
    ) -> None:
        """Note who edited one clause, and put in its new node and margin, if any."""
        entry = self.entries[address]
        known = entry.changed_by
        self.entries[address] = replace(
            entry,
            node=entry.node if node is None else node,
            notes=entry.notes if notes is None else notes,
            changed_by=known if by in known else (*known, by),
        )

    def disputed(self, target: str, by: Iterable[Origin]) -> None:
        """Note that units disagree about a clause."""
        known = self.disputes.get(target, frozenset())
        self.disputes[target] = known | frozenset(by)

    def hits_of(self, *verbs: str) -> dict[tuple[str, str], list[Hit]]:
        """Return the edits of these verbs, grouped by what they edit."""
        groups: dict[tuple[str, str], list[Hit]] = defaultdict(list)
        for hit in self.hits:
            if hit.edit.verb in verbs:
                groups[hit.address, hit.word].append(hit)
        return dict(sorted(groups.items()))

    def find(self, target: str) -> tuple[str, str] | None:
        """Return the clause that an address means, and the word of its part."""
        return self._find(self.entries, target)

    def find_gone(self, target: str) -> tuple[str, str] | None:
        """Return the removed clause that an address means."""
        return self._find(self.gone, target)

    def _find(self, entries: dict[str, Entry], target: str) -> tuple[str, str] | None:
        if target in entries:
            return target, MAIN
        owner, _, word = target.rpartition(".")
        for address in (owner, *self._costs(entries, owner)):
            if address in entries and word in entries[address].parts:
                return address, word
        return None

    @staticmethod
    def _costs(entries: dict[str, Entry], owner: str) -> Iterator[str]:
        for each in entries.values():
            if each.owner == owner and each.kind == "cost":
                yield each.address


def present_items(
    ruleset: LoadedRuleset, variants: Iterable[str]
) -> tuple[Placed, ...]:
    """Return the items that are there when exactly these variants are on."""
    on = frozenset(variants)
    return tuple(each for each in placed_items(ruleset) if each.members <= on)


def edits_of(placed: Iterable[Placed]) -> list[tuple[Placed, EditOf]]:
    """Return every edit of some items, in canonical order."""
    return [(each, one) for each in placed for one in edits(each)]
