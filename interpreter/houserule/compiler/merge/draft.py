"""Drafts: the clauses of one table during composition, with edits applied."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, cast

from houserule.base.source import Span
from houserule.compiler.items.index import family_of
from houserule.compiler.items.items import Placed, Rank
from houserule.compiler.rules import ClauseRecord, Origin, PlacedPhase, PlacedStep
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import Parts, parts_of

if TYPE_CHECKING:
    from houserule.compiler.merge.resolve import Hit, Resolution

Hits: TypeAlias = "dict[tuple[str, str], list[Hit]]"


@dataclass(frozen=True, eq=False)
class Entry:
    """The current state of one clause.

    Attributes:
        node: the declaration with all applied edits.
        owner: the address of its owner, or ''.
        phase: its phase, '' for the game itself.
        rank: its position: see `Declared`.
        origins: every unit with this declaration.
        changed_by: every unit that changed, lifted or tuned it.
        notes: the citations of the last change, if any.
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
        """The parts that `change` can replace, by their word."""
        return parts_of(self.node)

    @cached_property
    def relative(self) -> tree.Clause:
        """The clause under its bare name: `downhill`, not `slide.downhill`."""
        clause = cast("tree.Clause", self.node)
        if isinstance(clause, tree.UsesUp):
            return clause
        name = replace(clause.name, text=clause.name.parts[-1])
        return replace(clause, name=name)

    @cached_property
    def placed(self) -> PlacedPhase | PlacedStep:
        if isinstance(self.node, tree.Phase):
            return PlacedPhase(self.node, self.phase)
        assert isinstance(self.node, tree.Step)
        return PlacedStep(self.node, self.phase)

    @cached_property
    def record(self) -> ClauseRecord:
        """The display data of the composed rules."""
        caption: object = getattr(self.node, "caption", None)
        own: tree.Notes = getattr(self.node, "notes", ())
        return ClauseRecord(
            address=self.address,
            kind=self.kind,
            caption=caption.text if isinstance(caption, tree.Text) else "",
            notes=self.notes or own,
            origin=self.origins[0],
            changed_by=self.changed_by,
            span=self.span,
        )


def _as_declared(ruleset: LoadedRuleset) -> dict[Placed, tuple[Entry, ...]]:
    """Return every clause that an item declares, before any edit, by the item."""
    return {
        placed: tuple(
            Entry(
                address=one.address,
                kind=one.kind,
                node=one.node,
                owner=one.owner,
                phase=placed.phase,
                rank=one.rank,
                origins=(placed.origin,),
                span=one.span,
            )
            for one in placed.clauses
        )
        for placed in family_of(ruleset).placed
    }


class Draft:
    """The declared clauses of one table, and the applicable edits.

    Attributes:
        placed: the active items, in canonical order.
        entries: every declared clause that is not removed, by address.
        inside: the addresses below an address, including removed ones.
        gone: the removed addresses, and who removed them.
        lost: declarations of items whose target is missing; no further errors are
            reported for them.
    """

    def __init__(self, resolution: Resolution, present: Iterable[int]) -> None:
        """Enter the declarations of some items, and resolve their edits.

        Args:
            resolution: the product line, and the targets of its edits.
        """
        family = resolution.family
        self.ruleset = resolution.ruleset
        numbers = sorted(present)
        self.placed: tuple[Placed, ...] = tuple(family.placed[each] for each in numbers)
        self.entries: dict[str, Entry] = {}
        self.inside: dict[str, list[str]] = {}
        self.gone: dict[str, Entry] = {}
        self.lost: set[str] = set()
        declared: dict[str, Placed] = {}  # the first item that declares an address
        as_declared = self.ruleset.derived(_as_declared)
        for placed in self.placed:
            for entry in as_declared[placed]:
                address = entry.address
                known = self.entries.get(address)
                if known is None:
                    declared[address] = placed
                    self.inside.setdefault(entry.owner, []).append(address)
                    self.entries[address] = entry
                elif placed.origin not in known.origins:
                    origins = (*known.origins, placed.origin)
                    self.entries[address] = replace(known, origins=origins)

        # The edits with a target at this table. An address means a clause of that name,
        # else a part: of the clause before the dot, or of one of its costs.
        def nearness(hit: Hit) -> tuple[bool, Rank]:
            owner, rank = hit.target.rpartition(".")[0], self.entries[hit.address].rank
            return hit.address not in {owner, hit.target}, rank

        self.hits: list[Hit] = []
        for number, placed in zip(numbers, self.placed, strict=True):
            for edit, hits in resolution.of_item[number]:
                if edit.verb == "mute":
                    continue
                here = [
                    hit
                    for hit in hits
                    if any(declared.get(a.one.clause) is a.placed for a in hit.aims)
                ]
                if not here:
                    self.lost |= {one.address for one in placed.declares}
                    continue
                best = min(here, key=nearness) if len(here) > 1 else here[0]
                if not best.kind_error and best.seal is None:
                    self.hits.append(best)
        self._by_verb: dict[tuple[str, ...], Hits] = {}
        # The addresses of each kind in order; no edit changes either.
        self._by_kind: dict[str, list[str]] = defaultdict(list)
        for entry in sorted(self.entries.values(), key=lambda each: each.rank):
            self._by_kind[entry.kind].append(entry.address)

    # ---- queries

    def of_kind(self, *kinds: str) -> list[Entry]:
        """Return the clauses of a kind in canonical order."""
        every = (each for kind in kinds for each in self._by_kind.get(kind, ()))
        return [self.entries[each] for each in every if each in self.entries]

    def under(self, owner: str, *kinds: str) -> list[Entry]:
        """Return the clauses of these kinds under an address, in order."""
        every = self.inside.get(owner, ())
        if not every:
            return []
        found = [self.entries[each] for each in every if each in self.entries]
        wanted = (each for each in found if each.kind in kinds)
        return sorted(wanted, key=lambda each: each.rank)

    def keep_hits(self, hits: Iterable[Hit]) -> None:
        """Keep only these edits; the others are of removed clauses."""
        self.hits = [*hits]
        self._by_verb.clear()

    def hits_of(self, *verbs: str) -> Hits:
        """Return the edits of these verbs, grouped by target."""
        found = self._by_verb.get(verbs)
        if found is None:
            groups: dict[tuple[str, str], list[Hit]] = defaultdict(list)
            for hit in self.hits:
                if hit.edit.verb in verbs:
                    groups[hit.address, hit.word].append(hit)
            found = self._by_verb[verbs] = dict(sorted(groups.items()))
        return found

    def edited(
        self,
        address: str,
        by: Origin,
        node: tree.Node | None = None,
        notes: tree.Notes | None = None,
    ) -> None:
        """Record a clause's editors, and replace its node and citations, if given."""
        entry = self.entries[address]
        known = entry.changed_by
        self.entries[address] = replace(
            entry,
            node=entry.node if node is None else node,
            notes=entry.notes if notes is None else notes,
            changed_by=known if by in known else (*known, by),
        )
