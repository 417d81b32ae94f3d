"""Every item of a family, when it is there, what it declares, and what it hits.

One table is composed by walking its items; here the same questions are answered for
all tables at once: an answer is a condition over switches.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from houserule.compose.items.addresses import kind_of
from houserule.compose.items.fields import MAIN
from houserule.compose.items.items import declares, edits, placed_items
from houserule.compose.merge.draft import Entry, Hit
from houserule.compose.merge.mutes import may_mute, mutes
from houserule.compose.merge.seals import seals_of
from houserule.compose.merge.targets import misfit
from houserule.compose.tables.formulas import Formula, On, both, either, off
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.compose.items.items import Declared, EditOf, Placed
    from houserule.compose.merge.seals import Refusal
    from houserule.manifest.ruleset import LoadedRuleset


@dataclass(frozen=True, slots=True)
class Said:
    """One declaration.

    Attributes:
        number: the item that says it.
        one: what it declares.
        clause: the address of the clause; a part belongs to the clause it is part of.
        word: the word of the part, '' for the clause itself.
    """

    number: int
    one: Declared
    clause: str
    word: str

    def entry(self, placed: Placed) -> Entry:
        """Return the clause as a table would hold it, before any edit."""
        one, rank = self.one, (0, placed.number, 0, "")
        kind, origins = kind_of(one.node), (placed.origin,)
        return Entry(
            self.clause,
            kind,
            one.node,
            one.owner,
            placed.phase,
            rank,
            origins,
            one.span,
        )


@dataclass(frozen=True, slots=True)
class Aimed:
    """An edit, and one declaration that it hits where both are there."""

    number: int
    edit: EditOf
    said: Said
    reason: str  # why it cannot be made there, or ''


class Index:
    """The items of a family, numbered in canonical order."""

    def __init__(self, ruleset: LoadedRuleset) -> None:
        """Read every unit."""
        self.ruleset = ruleset
        self.placed = placed_items(ruleset)
        self._seals = seals_of(ruleset)
        self.muted_by = self._mutes()
        self.there = tuple(self._there(number) for number in range(len(self.placed)))

    def _mutes(self) -> dict[int, list[int]]:
        """Return, for each item, the `mute` lines that silence it."""
        found: dict[int, list[int]] = defaultdict(list)
        for number, bridge in enumerate(self.placed):
            if isinstance(bridge.item, tree.Mute) and may_mute(bridge):
                for other, each in enumerate(self.placed):
                    if mutes(bridge, each):
                        found[other].append(number)
        return found

    def _there(self, number: int) -> Formula:
        silent = [On(self.placed[b].members) for b in self.muted_by.get(number, ())]
        present = On(self.placed[number].members)
        return both([present, *(off(each) for each in silent)])

    @cached_property
    def said(self) -> dict[str, list[Said]]:
        """Every declaration by address, parts of clauses included."""
        found: dict[str, list[Said]] = defaultdict(list)
        for number, placed in enumerate(self.placed):
            for one in declares(placed):
                part = one.kind == "part"
                clause = one.owner if part else one.address
                word = one.address.rpartition(".")[2] if part else MAIN
                found[one.address].append(Said(number, one, clause, word))
        return dict(found)

    @cached_property
    def edits(self) -> tuple[tuple[int, EditOf], ...]:
        """Every edit with the number of its item."""
        return tuple(
            (number, edit)
            for number, placed in enumerate(self.placed)
            for edit in edits(placed)
        )

    def present(self, address: str) -> Formula:
        """Return when somebody declares the address, removed or not."""
        return either(self.there[each.number] for each in self.said.get(address, ()))

    # ---- aiming

    @cached_property
    def aimed(self) -> tuple[Aimed, ...]:
        """Every edit with every declaration that it may hit, except mutes."""
        return tuple(
            Aimed(number, edit, said, self._misfit(number, edit, said))
            for number, edit in self.edits
            if edit.verb != "mute"
            for said in self.clauses_first(edit.target)
        )

    def clauses_first(self, target: str) -> list[Said]:
        """Return what an address means: a clause of that name, else a part."""
        every = self.said.get(target, [])
        clauses = [each for each in every if each.word == MAIN]
        return clauses or every

    def _misfit(self, number: int, edit: EditOf, said: Said) -> str:
        entry = said.entry(self.placed[said.number])
        hit = Hit(self.placed[number], edit, said.clause, said.word)
        return misfit(entry, hit)

    @cached_property
    def hits(self) -> tuple[Aimed, ...]:
        """The edits that can be made where they aim."""
        return tuple(
            each
            for each in self.aimed
            if not each.reason
            and self.refusal(each.number, each.edit, each.said) is None
        )

    def refusal(self, number: int, edit: EditOf, said: Said) -> Refusal | None:
        """Say why an edit cannot be made of a declaration that the game seals."""
        mine, theirs = self.placed[number].origin, self.placed[said.number].origin
        if not mine.unit or theirs.unit:
            return None
        return self._seals.refusal(edit, said.clause, said.word)

    def meets(self, aimed: Aimed) -> Formula:
        """Return when the edit and what it hits are both there."""
        return both([self.there[aimed.number], self.there[aimed.said.number]])

    # ---- removing

    @cached_property
    def removers(self) -> dict[tuple[str, str], list[Aimed]]:
        """Every `remove` by the clause, and the word of the part, that it takes out."""
        found: dict[tuple[str, str], list[Aimed]] = defaultdict(list)
        for each in self.hits:
            if each.edit.verb == "remove":
                found[each.said.clause, each.said.word].append(each)
        return found

    def removals(self, said: Said) -> Iterator[tuple[Aimed, Formula]]:
        """Yield every `remove` that takes a clause out, itself or from above."""
        for each in self.removers.get((said.clause, said.word), ()):
            yield each, self.there[each.number]
        if said.word != MAIN:
            for each in self.removers.get((said.clause, MAIN), ()):
                yield each, self.there[each.number]
        above: list[Formula] = []
        for address in self._above(said):
            above.append(self.present(address))
            for each in self.removers.get((address, MAIN), ()):
                yield each, both([self.there[each.number], *above])

    def removed(self, said: Said) -> Formula:
        """Return when a clause, if declared, is taken out again."""
        return either(condition for _, condition in self.removals(said))

    def _above(self, said: Said) -> Iterator[str]:
        """Yield what a clause stands under, from the nearest upwards."""
        seen = {said.clause}
        at: Said | None = said
        while at is not None:
            main = next((s for s in self.said[at.clause] if s.word == MAIN), at)
            owner = main.one.owner or self.placed[main.number].phase
            if not owner or owner in seen:
                return
            seen.add(owner)
            yield owner
            at = next((s for s in self.said.get(owner, ()) if s.word == MAIN), None)

    def stands(self, said: Said) -> Formula:
        """Return when a declaration is there and not removed."""
        return both([self.there[said.number], off(self.removed(said))])

    def bearing_on(
        self, addresses: Iterable[str], verbs: tuple[str, ...] = ()
    ) -> set[int]:
        """Return the items that declare these addresses, what is above, or edit them.

        `verbs` restricts the edits; removals from above always count.
        """
        named = set(addresses)
        found: set[int] = set()
        for address in named:
            for said in self.said.get(address, ()):
                found.add(said.number)
                found |= {each.number for each, _ in self.removals(said)}
                for above in self._above(said):
                    found |= {each.number for each in self.said.get(above, ())}
        hits = (e for e in self.hits if e.said.clause in named)
        return found | {e.number for e in hits if not verbs or e.edit.verb in verbs}
