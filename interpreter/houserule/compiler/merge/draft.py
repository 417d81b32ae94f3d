"""The game at one table while it is composed: its clauses, with edits applied."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, cast

from houserule.base.source import Span
from houserule.compiler.items.index import Declaration, family_of
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
    """One clause as it stands so far.

    At all tables that do not edit it, it is the same object, and so is what is made of
    it.

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
        """A phase or a step with the phase that it stands in."""
        if isinstance(self.node, tree.Phase):
            return PlacedPhase(self.node, self.phase)
        assert isinstance(self.node, tree.Step)
        return PlacedStep(self.node, self.phase)

    @cached_property
    def record(self) -> ClauseRecord:
        """What the composed rules tell of the clause."""
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


MOST_EDITED = 5000  # edited clauses of one ruleset


def _edited(
    ruleset: LoadedRuleset,
) -> dict[tuple[object, ...], tuple[Entry, Sequence[Hit], Entry]]:
    return {}


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
    """The declared clauses of one table, and the edits that hit one.

    Attributes:
        placed: the items that are there, in canonical order.
        entries: every declared clause that is not removed, by address.
        inside: the addresses that stand under an address, removed ones too.
        gone: what was removed, and by whom.
        hits: the edits that can be made.
        lost: what was declared by items whose target is missing; nothing more needs
            to be said of it.
    """

    def __init__(self, resolution: Resolution, present: Iterable[int]) -> None:
        """Enter what some items declare, and aim what they edit.

        Args:
            resolution: the family, and what its edits hit.
            present: the numbers of the items that are there.
        """
        family = resolution.family
        self.ruleset = resolution.ruleset
        self._numbers = sorted(present)
        self.placed: tuple[Placed, ...] = tuple(
            family.placed[number] for number in self._numbers
        )
        self.entries: dict[str, Entry] = {}
        self.inside: dict[str, list[str]] = {}
        self.gone: dict[str, Entry] = {}
        self.lost: set[str] = set()
        declared = self._enter()
        self.hits = self._aim(resolution, declared)
        self._by_kind = self._sorted_by_kind()
        self._by_verb: dict[tuple[str, ...], Hits] = {}

    def _enter(self) -> dict[str, Placed]:
        """Enter every clause; return, for each, the item that declares it first."""
        first: dict[str, Placed] = {}
        as_declared = self.ruleset.derived(_as_declared)
        for placed in self.placed:
            for entry in as_declared[placed]:
                address = entry.address
                known = self.entries.get(address)
                if known is None:
                    first[address] = placed
                    self.inside.setdefault(entry.owner, []).append(address)
                    self.entries[address] = entry
                elif placed.origin not in known.origins:
                    origins = (*known.origins, placed.origin)
                    self.entries[address] = replace(known, origins=origins)
        return first

    def _aim(self, resolution: Resolution, declared: dict[str, Placed]) -> list[Hit]:
        """Return the edits that hit a clause of this table.

        An address means a clause of that name, else a part of one: of the clause
        before the dot, or of one of its costs.
        """
        found: list[Hit] = []
        for number, placed in zip(self._numbers, self.placed, strict=True):
            for edit, hits in resolution.of_item(number):
                if edit.verb == "mute":
                    continue
                here = [
                    hit
                    for hit in hits
                    if any(self._in_force(each, declared) for each in hit.aims)
                ]
                if not here:
                    self.lost |= {one.address for one in placed.declares}
                    continue
                best = min(here, key=self._nearness) if len(here) > 1 else here[0]
                if not best.kind_error and best.seal is None:
                    found.append(best)
        return found

    @staticmethod
    def _in_force(aim: Declaration, declared: dict[str, Placed]) -> bool:
        return declared.get(aim.one.clause) is aim.placed

    def _nearness(self, hit: Hit) -> tuple[bool, Rank]:
        owner = hit.target.rpartition(".")[0]
        return hit.address not in {owner, hit.target}, self.entries[hit.address].rank

    def _sorted_by_kind(self) -> dict[str, list[str]]:
        """Return the addresses of each kind in order; no edit changes either."""
        found: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries.values():
            found[entry.kind].append(entry)
        return {
            kind: [each.address for each in sorted(some, key=lambda each: each.rank)]
            for kind, some in found.items()
        }

    # ---- what stands there

    def of_kind(self, *kinds: str) -> list[Entry]:
        """Return the clauses of a kind in canonical order; of several, one by one."""
        every = (each for kind in kinds for each in self._by_kind.get(kind, ()))
        return [self.entries[each] for each in every if each in self.entries]

    def under(self, owner: str, *kinds: str) -> list[Entry]:
        """Return the clauses of these kinds that stand under an address, in order."""
        every = self.inside.get(owner, ())
        if not every:
            return []
        found = [self.entries[each] for each in every if each in self.entries]
        wanted = (each for each in found if each.kind in kinds)
        return sorted(wanted, key=lambda each: each.rank)

    def keep_hits(self, hits: Iterable[Hit]) -> None:
        """Keep these edits alone: the others are of what was removed."""
        self.hits = [*hits]
        self._by_verb.clear()

    def hits_of(self, *verbs: str) -> Hits:
        """Return the edits of these verbs, grouped by what they edit."""
        found = self._by_verb.get(verbs)
        if found is None:
            groups: dict[tuple[str, str], list[Hit]] = defaultdict(list)
            for hit in self.hits:
                if hit.edit.verb in verbs:
                    groups[hit.address, hit.word].append(hit)
            found = self._by_verb[verbs] = dict(sorted(groups.items()))
        return found

    def edit_once(
        self, address: str, how: object, hits: Sequence[Hit], edit: Callable[[], None]
    ) -> None:
        """Let `edit` edit one clause: at all tables the result is the same object.

        It must depend on nothing but the clause so far, the edits, and `how`.
        """
        before, known = self.entries[address], self.ruleset.derived(_edited)
        key = (id(before), how, *map(id, hits))
        found = known.get(key)
        if found is not None:
            self.entries[address] = found[-1]
            return
        edit()
        if len(known) >= MOST_EDITED:
            known.clear()
        # What the key names is kept, so nothing else can come by its identity.
        known[key] = (before, hits, self.entries[address])

    def note_editors(self, address: str, how: object, hits: Sequence[Hit]) -> None:
        """Note at a clause who makes edits that leave its node as it is."""

        def note() -> None:
            for hit in hits:
                self.edited(address, hit.origin)

        self.edit_once(address, how, hits, note)

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
