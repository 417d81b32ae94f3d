"""Hidden slots: where procedures hold things out of zones that not everybody sees.

While an effect waits for a decision, its frame holds what was chosen for it: cards that
are offered face down, say. A seat that does not see them knows how many there are and
where they lie, but not which they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    hidden = [each for each in program.zones.values() if each.seen is not None]
    zones = {each.name for each in hidden}
    kinds = {each.member.name for each in hidden}
    values = hidden_values(program)
    parts = dict(procedures(program))
    slots: dict[str, set[int]] = {name: set() for name in parts}

    def reads_hidden(name: str, source: ir.CoreNode) -> bool:
        for node in beneath(source):
            match node:
                case ir.Contents(zone=zone) | ir.PileTop(zone=zone):
                    found = zone in zones
                case ir.CallValue(value=value):
                    found = value in values
                case ir.Local(slot=slot):
                    found = slot in slots[name]
                case _:
                    found = False
            if found:
                return True
        return False

    def add_hooks(name: str, hooks: tuple[str, ...]) -> None:
        """Hooks get copies of the parameters of the clause they belong to."""
        for hook in hooks:
            copied = range(1, len(program.reactions[hook].params) + 1)
            slots[f"reaction {hook}"] |= slots[name].intersection(copied)

    before = -1
    while kinds and before != (now := sum(map(len, slots.values()))):
        before = now
        for name, part in parts.items():
            nodes = list(beneath(part))
            for node in (*_options(part), *nodes):
                match node:
                    case ir.Bind(slots=bound, source=ir.CoreNode() as source):
                        if reads_hidden(name, source):
                            slots[name].update(bound)
                    case ir.LetSlot(slot=slot, value=value):
                        if reads_hidden(name, value):
                            slots[name].add(slot)
                    case _:
                        pass
            for node in nodes:
                match node:
                    case ir.CallEffect(effect=effect, args=args):
                        slots[f"effect {effect}"].update(
                            slot
                            for slot, arg in enumerate(args, 1)
                            if reads_hidden(name, arg)
                        )
                    case ir.Body(before=first, after=after):
                        add_hooks(name, (*first, *after))
                    case ir.EffectDef(instead=instead):
                        add_hooks(name, instead)
                    case _:
                        pass
    found: dict[str, dict[int, Type]] = {}
    for name, part in parts.items():
        # Slots that are kept over a decision: variables of queries are gone by then.
        types: dict[int, set[Type]] = {}
        if isinstance(part, ir.EffectDef | ir.ReactionDef):
            for slot, param in enumerate(part.params, 1):
                types.setdefault(slot, set()).add(param.type)
        for bind in _options(part):
            for slot in bind.slots:
                types.setdefault(slot, set()).add(bind.type)
        for slot, type_ in bound_within(part):
            types.setdefault(slot, set()).add(type_)
        kept = {
            slot: type_
            for slot, (type_, *others) in sorted(types.items())
            if slot in slots[name] and not others and thing_kind(type_) in kinds
        }
        if kept:
            found[name] = kept
    return found


def _options(part: ir.CoreNode) -> Sequence[ir.Bind]:
    return option_binds(part) if isinstance(part, ir.ActionDef) else ()


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
