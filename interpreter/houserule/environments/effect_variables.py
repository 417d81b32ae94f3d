"""Variables of running effects that every seat may know.

A decision within an effect depends on earlier choices, which are in variables of the
running procedures. Known are the parameters of all of them and, of the procedure that
asks, the variables bound around its question. Choices are known to all, except things
in zones that a seat does not see. Variables computed, drawn or iterated from anything
hidden are omitted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.state.hidden_slots import hidden_slots
from houserule.ir.access import Access
from houserule.ir.types import Maybe, Type, Whole, kind_of
from houserule.ir.walk import asking_statements, beneath, option_binds, procedures

Slot: TypeAlias = tuple[str, int]  # of a procedure, by its name
Question: TypeAlias = ir.ChooseOption | ir.ShareOut | ir.AskDef


@frozen
class KnownVariable:
    """A variable of a procedure.

    Attributes:
        proc: the procedure's name in both engines: `effect swap`.
        sites: the decisions at which it is known; None: all, while the procedure runs.
        kind: its kind of thing if a seat may not see which one it is, else ''.
    """

    proc: str
    slot: int
    name: str
    type: Type
    sites: frozenset[str] | None
    kind: str


def variables(program: ir.Program) -> tuple[KnownVariable, ...]:
    """Return every variable that may be known at a decision within an effect."""
    return tuple(_VariableFinder(program).found())


@lru_cache(maxsize=32)
def questions(program: ir.Program) -> Mapping[str, Question]:
    """Return the decisions within effects by site, in the order of the rules.

    Choices and shares come first, then yes-or-no questions.
    """
    found: dict[str, Question] = dict(asking_statements(program))
    for action in program.actions.values():
        found |= {ask.address: ask for ask in action.asks}
    for reaction in program.reactions.values():
        found |= {ask.address: ask for ask in reaction.asks}
    return found


class _VariableFinder:
    """Finds the variables, and those that reveal hidden information."""

    def __init__(self, program: ir.Program) -> None:
        self._program, self._access = program, Access(program)
        self._parts = dict(procedures(program))
        self._hidden = {
            *(("zone", each.name) for each in program.zones.values() if each.seen),
            *(("state", each.name) for each in program.states.values() if each.seen),
            *(("face", name) for name, c in program.components.items() if c.seen),
        }
        self._told: set[Slot] = set()  # may reveal hidden information

    def found(self) -> Iterator[KnownVariable]:
        """Yield the variables, by procedure, then by slot."""
        before = -1
        while before != len(self._told):
            before = len(self._told)
            for name, part in self._parts.items():
                self._look(name, part)
        things = hidden_slots(self._program)
        for name, part in self._parts.items():
            if not self._may_stop(name, set()):
                continue
            scopes = _scopes(part)
            known, names, types = _slots(part, self._program)
            for slot, title in sorted(names.items()):
                if len(types[slot]) != 1:
                    continue  # its type changes
                (type_,) = types[slot]
                sites, kind = None, None
                if slot not in known:
                    sites = frozenset(
                        s for s, inside in scopes.items() if slot in inside
                    )
                    if not sites:
                        continue
                if slot in things.get(name, {}):
                    kind = kind_of(things[name][slot])
                    assert kind is not None, "hidden slots hold things"
                elif (name, slot) in self._told:
                    continue
                of = "" if kind is None else kind.name
                yield KnownVariable(name, slot, title, type_, sites, of)

    # ---- what reveals hidden information

    def _look(self, name: str, part: ir.CoreNode) -> None:
        for node in beneath(part):
            match node:
                case ir.LetSlot(slot=slot, value=value) if self._tells(name, value):
                    self._told.add((name, slot))
                case ir.ForEach(binds=binds, where=where):
                    self._drawn(name, binds, where)
                case ir.DrawOne(bind=bind, where=where):
                    self._drawn(name, (bind,), where)
                case ir.CallEffect(effect=effect, args=args):
                    for slot, arg in enumerate(args, 1):
                        if self._tells(name, arg):
                            self._told.add((f"effect {effect}", slot))
                case ir.Body(before=before, after=after):
                    self._hooks(name, (*before, *after))
                case ir.EffectDef(instead=instead):
                    self._hooks(name, instead)
                case _:
                    pass
        if isinstance(part, ir.ReactionDef) and part.moment == "when":
            keys = len(self._program.values[part.event].params)
            call = self._access.value_reads(part.event)
            if call & self._hidden:
                slots = range(1, keys + len(part.change) + 1)
                self._told |= {(name, slot) for slot in slots}

    def _drawn(
        self, name: str, binds: Sequence[ir.Bind], where: ir.Expr | None
    ) -> None:
        sources = (*(bind.source for bind in binds), *((where,) if where else ()))
        if any(self._tells(name, source) for source in sources):
            self._told |= {(name, slot) for bind in binds for slot in bind.slots}

    def _hooks(self, name: str, hooks: tuple[str, ...]) -> None:
        for hook in hooks:
            for slot in range(1, len(self._program.reactions[hook].params) + 1):
                if (name, slot) in self._told:
                    self._told.add((f"reaction {hook}", slot))

    def _tells(self, name: str, source: ir.CoreNode) -> bool:
        if self._access.reads(source) & self._hidden:
            return True
        return any(
            isinstance(node, ir.Local) and (name, node.slot) in self._told
            for node in beneath(source)
        )

    # ---- procedures that run during a decision

    def _may_stop(self, name: str, met: set[str]) -> bool:
        """Return whether a procedure may be running during a decision."""
        if name in met or name not in self._parts:
            return False
        met.add(name)
        part = self._parts[name]
        if isinstance(part, ir.ActionDef | ir.ReactionDef) and part.asks:
            return True
        reactions = self._program.reactions.values()
        asked = [f"reaction {each.name}" for each in reactions if each.moment == "when"]
        for node in beneath(part):
            match node:
                case ir.ChooseOption() | ir.ShareOut():
                    return True
                case ir.CallEffect(effect=effect):
                    asked.append(f"effect {effect}")
                case ir.Body(before=before, after=after):
                    asked += [f"reaction {hook}" for hook in (*before, *after)]
                case ir.EffectDef(instead=instead):
                    asked += [f"reaction {hook}" for hook in instead]
                case _:
                    pass
        return any(self._may_stop(each, met) for each in asked)


def _slots(
    part: ir.CoreNode, program: ir.Program
) -> tuple[frozenset[int], dict[int, str], dict[int, set[Type]]]:
    """Return the slots that are bound as long as a procedure runs, and those of all.

    Of all there are the names and the types: queries may use a slot for another type.
    """
    names, types = {0: "me"}, defaultdict[int, set[Type]](set)
    options = option_binds(part) if isinstance(part, ir.ActionDef) else ()
    for bind in options:
        names |= zip(bind.slots, bind.names, strict=True)
    params: Sequence[ir.Param] = ()
    match part:
        case ir.ReactionDef(moment="when", event=event, change=change):
            params = (*program.values[event].params, *change)
        case ir.EffectDef() | ir.ReactionDef():
            params = part.params
        case _:
            pass
    for slot, param in enumerate(params, 1):
        names[slot] = param.name
        types[slot].add(param.type)
    known = frozenset(names)
    for node in (*options, *beneath(part)):
        match node:
            case ir.Bind(slots=slots, type=type_):
                for slot in slots:
                    types[slot].add(type_)
            case ir.LetSlot(slot=slot, name=name, value=value):
                names[slot] = name
                types[slot].add(value.type)
            case ir.ChooseOption(bind=bind) | ir.DrawOne(bind=bind):
                names |= zip(bind.slots, bind.names, strict=True)
            case ir.ShareOut(bind=bind, count_slot=slot, amount=amount):
                names |= zip(bind.slots, bind.names, strict=True)
                names[slot] = "amount"
                types[slot].add(amount.type)
            case ir.ForEach(binds=binds, until=None):
                for bind in binds:
                    names |= zip(bind.slots, bind.names, strict=True)
            case _:
                pass
    types[0] = {Maybe(Whole(0, program.seats - 1))}
    return known, names, types


def _scopes(part: ir.CoreNode) -> dict[str, frozenset[int]]:
    """Return the slots bound around every occurrence of each question."""
    found: dict[str, frozenset[int]] = {}

    def note(site: str, known: frozenset[int]) -> None:
        found[site] = found[site] & known if site in found else known

    def walk(block: ir.Block, known: frozenset[int]) -> None:
        for s in block:
            match s:
                case ir.LetSlot(slot=slot):
                    known = known | {slot}
                case ir.ChooseOption():
                    note(s.site, known)
                    walk(s.body, known | {*s.bind.slots})
                    walk(s.otherwise, known)
                case ir.ShareOut():
                    note(s.site, known)
                    walk(s.body, known | {*s.bind.slots, s.count_slot})
                case ir.DrawOne():
                    walk(s.body, known | {*s.bind.slots})
                case ir.ForEach():
                    slots = {slot for bind in s.binds for slot in bind.slots}
                    walk(s.body, known | slots)
                case ir.When():
                    for _, body in s.rows:
                        walk(body, known)
                    walk(s.otherwise, known)
                case _:
                    pass

    for node in (part, *beneath(part)):
        if isinstance(node, ir.Body):
            walk(node.block, frozenset())
    return found
