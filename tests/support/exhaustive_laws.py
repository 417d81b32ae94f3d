"""Clause by clause: what one setting of the switches makes of one address."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from houserule.compiler.items.content import agrees
from houserule.compiler.items.index import Declaration, may_mute, mutes
from houserule.compiler.items.items import placed_items
from houserule.compiler.items.seals import seals_of
from houserule.compiler.merge.draft import Draft
from houserule.compiler.merge.layers import layers_of
from houserule.compiler.merge.order import order_steps
from houserule.compiler.merge.removals import HARMLESS, take_out
from houserule.compiler.merge.resolve import kind_error, resolution_of
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import CONSTRUCTS, with_part
from houserule.language.syntax.tree.parts import MAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from houserule.base.diagnostics.diagnostic import Diagnostic
    from houserule.compiler.items.items import Declared, Edit, Placed
    from houserule.language.manifest.ruleset import LoadedRuleset

Law: TypeAlias = "Callable[[int], Iterable[str]]"
Run: TypeAlias = "Callable[[Draft], Iterable[Diagnostic | str]]"
DisplayValue: TypeAlias = "list[tuple[int, Declared]]"
Made: TypeAlias = "list[tuple[int, Edit]]"

FLOW = (tree.Order, tree.Release, tree.Step, tree.Phase, tree.Remove)
LAYERS = (tree.Value, tree.Layer, tree.Remove)


class Laws:
    """Every address of a family, with all that is said of it."""

    def __init__(self, ruleset: LoadedRuleset, names: tuple[str, ...]) -> None:
        """Read every item; an item is on where its switches are."""
        self.ruleset = ruleset
        self.seals = seals_of(ruleset)
        known = [p for p in placed_items(ruleset) if p.members <= set(names)]
        switch = {name: 1 << i for i, name in enumerate(names)}
        self.placed = known
        self.when = [sum(switch[name] for name in p.members) for p in known]
        self.silencers = [self._silencers(placed) for placed in known]
        self.said: dict[str, DisplayValue] = defaultdict(list)
        self.made: dict[str, Made] = defaultdict(list)
        for number, placed in enumerate(known):
            for one in placed.declares:
                self.said[one.address].append((number, one))
            for edit in placed.edits:
                self.made[edit.target].append((number, edit))

    def _silencers(self, placed: Placed) -> list[int]:
        return [
            number
            for number, each in enumerate(self.placed)
            if may_mute(each) and mutes(each, placed)
        ]

    def _on(self, number: int, key: int) -> bool:
        when = self.when
        muted = any(key & when[b] == when[b] for b in self.silencers[number])
        return key & when[number] == when[number] and not muted

    def by_switches(self) -> dict[int, Law]:
        """Return, for each set of switches, what those that bear on no more decide."""
        found: dict[int, list[Law]] = defaultdict(list)
        for switches, law in self._laws():
            found[switches].append(law)
        return {switches: _all_of(laws) for switches, laws in found.items()}

    def _laws(self) -> Iterator[tuple[int, Law]]:
        for address in sorted(self.said.keys() | self.made.keys()):
            above = self._above(address)
            involved = [n for n, _ in self.said[address]]
            for each in (address, *above):
                involved += [n for n, _ in self.made[each]]
                involved += [n for n, _ in self._of_the_game(each)]
            if any(edit.verb == "lift" for _, edit in self.made[address]):
                involved += [b for n in involved for b in self._bridges(n)]
            yield self._switches(involved), self._clause(address, above)
        for name, addresses in self._names().items():
            involved = [n for a in addresses for n, _ in self.said[a]]
            yield self._switches(involved), self._one_name(name, addresses)
        for number, placed in enumerate(self.placed):
            if isinstance(placed.item, tree.Mute):
                others = [
                    n for n in range(len(self.placed)) if number in self.silencers[n]
                ]
                yield self._switches([number, *others]), self._mute(number, others)
        for number, code in self._faulty_seals():
            yield self._switches([number]), self._seal(number, code)
        flow = self._of_kind(FLOW)
        yield self._switches(flow), self._together(flow, _order)
        yield self._switches(flow), self._together(flow, _nested)
        for value in self.said:
            if any(edit.verb == "layer" for _, edit in self.made[value]):
                layers = self._of_kind(LAYERS)
                law = self._together(layers, partial(_layers, value))
                yield self._switches(layers), law

    def _faulty_seals(self) -> Iterator[tuple[int, str]]:
        """Yield seals outside of the game (E103), and of what it lacks (E101)."""
        for number, placed in enumerate(self.placed):
            if isinstance(placed.item, tree.Sealed):
                if placed.origin.unit or placed.members:
                    yield number, "E103"
                elif not self._of_the_game(placed.item.target.text):
                    yield number, "E101"

    def _of_kind(self, kinds: tuple[type[tree.Node], ...]) -> list[int]:
        return [n for n, p in enumerate(self.placed) if isinstance(p.item, kinds)]

    def _switches(self, numbers: Iterable[int]) -> int:
        switches = 0
        for number in numbers:
            for each in (number, *self.silencers[number]):
                switches |= self.when[each]
        return switches

    def _bridges(self, number: int) -> Iterator[int]:
        """Yield items of bridges that join the unit of an item with others."""
        members = set(self.placed[number].origin.unit.split("+")) - {""}
        for other, placed in enumerate(self.placed):
            joined = set(placed.origin.unit.split("+"))
            if placed.origin.kind == "bridge" and members & joined:
                yield other

    def _above(self, address: str) -> list[str]:
        """Return the clause of a part, its owner, and the phases around it."""
        found: list[str] = []
        at = address
        while self.said.get(at):
            number, one = self.said[at][0]
            above = one.clause if one.word else one.owner
            at = above or self.placed[number].phase
            if not at or at in found:
                break
            found.append(at)
        return found

    def _names(self) -> dict[tuple[str, str], list[str]]:
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for address, every in self.said.items():
            for key in {(one.space, one.name) for _, one in every if one.name}:
                found[key].append(address)
        return {
            key: addresses for key, addresses in found.items() if len(addresses) > 1
        }

    # ---- one clause

    def _clause(self, address: str, above: list[str]) -> Law:
        def law(key: int) -> set[str]:
            said = [each for each in self.said[address] if self._on(each[0], key)]
            made = [
                each
                for each in self.made[address]
                if self._on(each[0], key) and each[1].verb != "mute"
            ]
            found = {"E205"} if self._differ(said) else set()
            if made and not said:
                return found | {"E101"}
            if said:
                gone = [e for a in above for e in self.made[a] if self._on(e[0], key)]
                gone = [e for e in gone if not self._refused(e, key)]
                found |= set(self._edited(said, made, gone, key))
                muting = [e for e in self.made[address] if e[1].verb == "mute"]
                muting = [e for e in muting if self._on(e[0], key)]
                if any(self._refused(each, key) for each in muting):
                    found.add("E214")
            return found

        return law

    def _differ(self, said: DisplayValue) -> bool:
        clauses = [each for each in said if each[1].kind != "part"]
        units = {
            (self.placed[n].origin.unit, self.placed[n].members) for n, _ in clauses
        }
        return len(units) < len(clauses) or any(
            one.content != clauses[0][1].content for _, one in clauses
        )

    def _edited(
        self, said: DisplayValue, made: Made, above: Made, key: int
    ) -> Iterator[str]:
        fit = [each for each in made if not self._misfit(said, each)]
        yield from ["E103"] * (len(fit) < len(made))
        free = [each for each in fit if not self._refused(each, key)]
        yield from ["E214"] * (len(free) < len(fit))
        fit = free
        if any(edit.verb == "remove" for _, edit in (*fit, *above)):
            declaring = {self.placed[number].origin for number, _ in said}
            for number, edit in fit:
                own = self.placed[number].origin in declaring
                if edit.verb not in HARMLESS and not (
                    own and edit.verb in {"add", "layer"}
                ):
                    yield "E202"
            return
        one = said[0][1]
        changes = [each for each in fit if each[1].verb == "change"]
        fresh = [each for each in changes if agrees(one.payload, each[1].expects)]
        yield from ["E102"] * (len(fresh) < len(changes))
        yield from ["E103"] * any(self._cannot_stand(one, n) for n, _ in fresh)
        values = {edit.key for _, edit in fresh}
        tuned = any(edit.verb == "raise" for _, edit in fit)
        yield from ["E201"] * (len(values) > 1 or bool(changes and tuned))
        words = fresh + [each for each in fit if each[1].verb == "caption"]
        said_so = [_new_caption(self.placed[number]) for number, _ in words]
        captions = {each.text for each in said_so if each and one.word == MAIN}
        yield from ["E201"] * (len(captions) > 1)
        other = [n for n, edit in fresh if edit.key != edit.expects]
        yield from ["W211"] * any(self._captionless(one, n) for n in other)
        lifts = [number for number, edit in fit if edit.verb == "lift"]
        for number, _ in changes:
            yield from ["W210"] * any(self._meet(number, n, key) for n in lifts)

    def _of_the_game(self, address: str) -> DisplayValue:
        return [s for s in self.said[address] if not self.placed[s[0]].origin.unit]

    def _refused(self, made: tuple[int, Edit], key: int) -> bool:
        """Say whether an edit is one of a clause that the game seals."""
        number, edit = made
        said = [s for s in self._of_the_game(edit.target) if self._on(s[0], key)]
        if not said or not self.placed[number].origin.unit:
            return False
        one = said[0][1]
        return self.seals.refusal(edit, one.clause, one.word) is not None

    def _misfit(self, said: DisplayValue, made: tuple[int, Edit]) -> bool:
        number, one = said[0]
        aim = Declaration(number, self.placed[number], one)
        return kind_error(self.placed[made[0]].item, made[1], aim) != ""

    def _cannot_stand(self, one: Declared, number: int) -> bool:
        item = self.placed[number].item
        assert isinstance(item, tree.Change)
        return with_part(one.node, one.word, item.after) is None

    def _captionless(self, one: Declared, number: int) -> bool:
        item, node = self.placed[number].item, one.node
        row = CONSTRUCTS[type(node)]
        captioned = row.captioned and getattr(node, "caption", None) is not None
        return (
            one.kind != "part"
            and captioned
            and isinstance(item, tree.Change)
            and item.caption is None
        )

    def _meet(self, one: int, other: int, key: int) -> bool:
        first, second = self.placed[one].origin, self.placed[other].origin
        units = {*first.unit.split("+"), *second.unit.split("+")} - {""}
        joined = (
            units <= set(placed.origin.unit.split("+")) and self._on(number, key)
            for number, placed in enumerate(self.placed)
            if placed.origin.kind == "bridge"
        )
        return first != second and not any(joined)

    # ---- several clauses

    def _one_name(self, name: tuple[str, str], addresses: list[str]) -> Law:
        def law(key: int) -> Iterator[str]:
            there = 0
            for address in addresses:
                said = [one for n, one in self.said[address] if self._on(n, key)]
                there += any((one.space, one.name) == name for one in said)
            yield from ["E205"] * (there > 1)

        return law

    def _mute(self, number: int, others: list[int]) -> Law:
        stranger = not may_mute(self.placed[number])

        def law(key: int) -> Iterator[str]:
            when = self.when
            if key & when[number] == when[number]:
                hit = any(key & when[other] == when[other] for other in others)
                yield from ["E210"] if stranger else ["E101"] * (not hit)

        return law

    def _seal(self, number: int, code: str) -> Law:
        return lambda key: [code] if self._on(number, key) else []

    def _together(self, numbers: list[int], run: Run) -> Law:
        resolution = resolution_of(self.ruleset)
        number_of = {placed: n for n, placed in enumerate(placed_items(self.ruleset))}

        def law(key: int) -> set[str]:
            here = tuple(self.placed[n] for n in numbers if self._on(n, key))
            draft = Draft(resolution, [number_of[placed] for placed in here])
            draft.lost.clear()
            take_out(draft)
            return {str(getattr(each, "code", each)) for each in run(draft)}

        return law


def _layers(value: str, draft: Draft) -> Iterable[Diagnostic]:
    return layers_of(draft, value)[1] if value in draft.entries else ()


def _order(draft: Draft) -> Iterable[Diagnostic]:
    return order_steps(draft).faults


def _nested(draft: Draft) -> Iterable[str]:
    """Follow every phase outwards: E215 where that never leads out."""
    for name, entry in draft.entries.items():
        if entry.kind == "phase":
            way = [name]
            while way[-1] in draft.entries and len(way) <= len(draft.entries):
                way.append(draft.entries[way[-1]].phase)
            yield from ["E215"] * (way[-1] in draft.entries)


def _new_caption(placed: Placed) -> tree.Text | None:
    match placed.item:
        case tree.Change(caption=said) | tree.Recaption(caption=said):
            return said
        case _:
            return None


def _all_of(laws: list[Law]) -> Law:
    return lambda key: {code for law in laws for code in law(key)}
