"""Hidden slots: where procedures hold things out of zones that not everybody sees.

While an effect waits for a decision, its frame holds what was chosen for it: cards that
are offered face down, say. A seat that does not see them knows how many there are and
where they lie, but not which they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from houserule import ir
from houserule.ir.access import Access
from houserule.ir.types import Kind, Maybe, Set, Type
from houserule.ir.walk import beneath, option_binds, procedures

HiddenSlots: TypeAlias = Mapping[str, Mapping[int, Type]]


@lru_cache(maxsize=32)
def hidden_slots(program: ir.Program) -> HiddenSlots:
    """Return by procedure (`action x`, `effect x` …) its hidden slots with their types.

    A slot is hidden if what it is bound to was worked out from what lies in a zone that
    some seat may not see. Things named out of all of a kind do not count. Slots that
    are bound to things and to something else are left out.
    """
    return _Finder(program).found()


@lru_cache(maxsize=32)
def hidden_values(program: ir.Program) -> frozenset[str]:
    """Return the declared values that read what some seat may not see."""
    zones = {each.name for each in program.zones.values() if each.seen is not None}
    states = {each.name for each in program.states.values() if each.seen is not None}
    dice = {name for name, each in program.components.items() if each.seen is not None}
    found: set[str] = set()
    access = Access(program)

    def reads(node: ir.CoreNode) -> bool:
        match node:
            case ir.Contents(zone=name) | ir.PileTop(zone=name):
                return name in zones
            case ir.ReadCell(state=name):
                return name in states
            case ir.ReadFace(kind=kind):
                return kind.name in dice
            case ir.MoveTop(zone=name):
                return name in zones
            case ir.CallValue(value=name):
                return name in found
            case ir.PositionAfter(action=name):
                return any(map(reads, beneath(*access.imagined(name))))
            case _:
                return False

    while new := {
        name
        for name, value in program.values.items()
        if name not in found and any(map(reads, beneath(value)))
    }:
        found |= new
    return frozenset(found)


class _Finder:
    """Goes over all procedures until no further slot is found."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        hidden = [each for each in program.zones.values() if each.seen is not None]
        self._zones = {each.name for each in hidden}
        self._kinds = {each.member.name for each in hidden}
        self._values = hidden_values(program)
        self._parts = dict(procedures(program))
        self._slots: dict[str, set[int]] = {name: set() for name in self._parts}

    def found(self) -> HiddenSlots:
        """Return the hidden slots of each procedure that has any."""
        if self._kinds:
            before = -1
            while before != (now := sum(map(len, self._slots.values()))):
                before = now
                for name, part in self._parts.items():
                    self._look(name, part)
        kept = {name: self._kept(name) for name in self._parts}
        return {name: slots for name, slots in kept.items() if slots}

    def _look(self, name: str, part: ir.CoreNode) -> None:
        for slot, source in _bindings(part):
            if source is not None and self._speaks(name, source):
                self._slots[name].add(slot)
        for node in beneath(part):
            match node:
                case ir.CallEffect(effect=effect, args=args):
                    called = self._slots[f"effect {effect}"]
                    for slot, arg in enumerate(args, 1):
                        if self._speaks(name, arg):
                            called.add(slot)
                case ir.Body(before=before, after=after):
                    self._hooks(name, (*before, *after))
                case ir.EffectDef(instead=instead):
                    self._hooks(name, instead)
                case _:
                    pass

    def _hooks(self, name: str, hooks: tuple[str, ...]) -> None:
        """Hooks get copies of the parameters of the clause they belong to."""
        for hook in hooks:
            known = range(1, len(self._program.reactions[hook].params) + 1)
            self._slots[f"reaction {hook}"] |= self._slots[name].intersection(known)

    def _speaks(self, name: str, source: ir.CoreNode) -> bool:
        """Return whether an expression names things in hidden zones."""
        for node in beneath(source):
            match node:
                case ir.Contents(zone=zone) | ir.PileTop(zone=zone):
                    if zone in self._zones:
                        return True
                case ir.CallValue(value=value):
                    if value in self._values:
                        return True
                case ir.Local(slot=slot):
                    if slot in self._slots[name]:
                        return True
                case _:
                    pass
        return False

    def _kept(self, name: str) -> dict[int, Type]:
        types: dict[int, set[Type]] = {}
        for slot, type_ in _typed(self._parts[name]):
            types.setdefault(slot, set()).add(type_)
        return {
            slot: next(iter(found))
            for slot, found in sorted(types.items())
            if slot in self._slots[name]
            and len(found) == 1
            and thing_kind(next(iter(found))) in self._kinds
        }


def slots_of_kind(program: ir.Program, kind: str) -> list[tuple[str, int, Type]]:
    """Return the hidden slots for things of a kind: procedure, number and type."""
    return [
        (proc, slot, type_)
        for proc, slots in hidden_slots(program).items()
        for slot, type_ in slots.items()
        if thing_kind(type_) == kind
    ]


def thing_kind(type_: Type) -> str:
    """Return of which kind a thing, a set of things or none is; '' for others."""
    match type_:
        case Kind(name=name):
            return name
        case Set(member=inner) | Maybe(inner=inner):
            return thing_kind(inner)
        case _:
            return ""


def _bindings(part: ir.CoreNode) -> Iterator[tuple[int, ir.Expr | None]]:
    """Yield the slots that statements and options bind, with their sources."""
    binds = option_binds(part) if isinstance(part, ir.ActionDef) else ()
    for node in (*binds, *beneath(part)):
        match node:
            case ir.Bind(slots=slots, source=source):
                yield from ((slot, source) for slot in slots)
            case ir.LetSlot(slot=slot, value=value):
                yield slot, value
            case _:
                pass


def _typed(part: ir.CoreNode) -> Iterator[tuple[int, Type]]:
    """Yield every slot that a procedure keeps over a decision, with its type.

    Variables of queries are gone by then.
    """
    if isinstance(part, ir.EffectDef | ir.ReactionDef):
        yield from ((slot, param.type) for slot, param in enumerate(part.params, 1))
    for bind in option_binds(part) if isinstance(part, ir.ActionDef) else ():
        yield from ((slot, bind.type) for slot in bind.slots)
    yield from bound_within(part)


def bound_within(part: ir.CoreNode) -> Iterator[tuple[int, Type]]:
    """Yield every slot that a statement of a procedure binds, with its type."""
    for node in beneath(part):
        binds: tuple[ir.Bind, ...] = ()
        match node:
            case ir.ForEach():
                binds = node.binds
            case ir.ChooseOption() | ir.DrawOne() | ir.ShareOut():
                binds = (node.bind,)
            case ir.LetSlot(slot=slot, value=value):
                yield slot, value.type
            case _:
                pass
        for bind in binds:
            yield from ((slot, bind.type) for slot in bind.slots)
