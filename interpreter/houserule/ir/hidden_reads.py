"""Hidden reads: whether an expression shows a seat what that seat may not see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.ir.access import Access
from houserule.ir.facts import OwnReads
from houserule.ir.walk import beneath, children

NO_SLOTS: frozenset[int] = frozenset()
Given: TypeAlias = Mapping[int, tuple[ir.Expr, ...]]
IsSeat: TypeAlias = Callable[[ir.Expr], bool]
NO_SLOT, _MEMBER = -1, -2  # no variable; the one with a member of a set
_Cell: TypeAlias = tuple[str, tuple[int, ...]]
"""A cell of a state, or a zone, by the slots with its keys."""
_Known: TypeAlias = tuple[frozenset[int], frozenset[int], frozenset[_Cell], bool]


@frozen
class StaticViewer:
    """The seat from whose side an expression is looked at, in one frame.

    `is_seat` returns whether an expression is that seat, and `acts` whether it is the
    acting one. `own` are the slots with dice, or sets of dice, whose faces it sees.
    `sure` are the cells that it sees, as conditions around say. `given` has the sources
    of other slots.
    """

    is_seat: Callable[[ir.Expr], bool]
    acts: bool = False
    own: frozenset[int] = NO_SLOTS
    sure: frozenset[_Cell] = frozenset()
    given: Given = field(default_factory=dict)


@frozen
class SureMembers:
    """Judges whether a set of seats has a certain seat, whatever the state is.

    `is_seat` tells which expressions are that seat, in the current frame.
    True is certain; False means unknown.
    """

    program: ir.Program
    is_seat: IsSeat

    def has(self, seats: ir.Expr, yes: bool = True) -> bool:
        """Return whether a set surely has the seat; with `yes` False, surely not.

        A seat counts as the set of itself.
        """
        if self.is_seat(seats):
            return yes
        match seats:
            case ir.Const(tuple() as value):
                return len(value) == (self.program.seats if yes else 0)
            case ir.MakeSet(items):
                return any(map(self.is_seat, items)) if yes else not items
            case ir.CombineSets(op="plus", left=left, right=right):
                return (any if yes else all)(self.has(e, yes) for e in (left, right))
            case ir.CombineSets(op="within", left=left, right=right):
                return (all if yes else any)(self.has(e, yes) for e in (left, right))
            case ir.CombineSets(op="but", left=left, right=right):
                both = (self.has(left, yes), self.has(right, not yes))
                return all(both) if yes else any(both)
            case ir.Pick(True, bind, where, keys=()) if bind.how == "member":
                # For the condition, the variable is the seat too.

                def is_seat(expr: ir.Expr) -> bool:
                    bound = isinstance(expr, ir.Local) and expr.slot in bind.slots
                    return bound or self.is_seat(expr)

                inner = SureMembers(self.program, is_seat)
                both = (
                    self.has(bind.source, yes),
                    yes if where is None else inner.holds(where, yes),
                )
                return all(both) if yes else any(both)
            case ir.Cases(rows, otherwise):
                values = (*(value for _, value in rows), otherwise)
                return all(self.has(each, yes) for each in values)
            case ir.CallValue(value=name, args=args):
                return self._plain(name) and self._calling(args).has(
                    self.program.values[name].definition, yes
                )
            case _:
                return False

    def holds(self, condition: ir.Expr, yes: bool = True) -> bool:
        """Return whether a condition surely holds; with `yes` False, surely not."""
        match condition:
            case ir.Const(bool() as value):
                return value == yes
            case ir.Unary(op="not", operand=operand):
                return self.holds(operand, not yes)
            case ir.Connective(op=op, left=left, right=right):
                either = (self.holds(left, yes), self.holds(right, yes))
                return any(either) if (op == "or") == yes else all(either)
            case ir.CompareValues(op="==" | "!=" as op, left=left, right=right):
                same = self.is_seat(left) and self.is_seat(right)
                return same and (op == "==") == yes
            case ir.In(left=left, right=right):
                return self.is_seat(left) and self.has(right, yes)
            case ir.Cases(rows, otherwise):
                values = (*(value for _, value in rows), otherwise)
                return all(self.holds(each, yes) for each in values)
            case ir.CallValue(value=name, args=args):
                return self._plain(name) and self._calling(args).holds(
                    self.program.values[name].definition, yes
                )
            case _:
                return False

    def _plain(self, name: str) -> bool:
        value = self.program.values[name]
        return not value.adjusted and not value.widened

    def _calling(self, args: Sequence[ir.Expr]) -> SureMembers:
        """Return the same in the frame of a value that is called."""
        known = {slot for slot, arg in enumerate(args, 1) if self.is_seat(arg)}
        return SureMembers(self.program, _is_one_of(known))


class HiddenReads:
    """A walk through expressions and the values they call."""

    def __init__(self, program: ir.Program, access: Access) -> None:
        self._program, self._access = program, access
        zones = {("zone", each.name) for each in program.zones.values() if each.seen}
        states = {
            ("state", each.name)
            for each in program.states.values()
            if each.seen and not ir.is_kept(each.name)
        }
        dice = {
            ("face", name) for name, each in program.components.items() if each.seen
        }
        self._places = frozenset(zones | states | dice)
        self._noticed = noticed(program, access)
        self._values: dict[tuple[str, _Known], str] = {}
        self._imagined: dict[tuple[str, bool], str] = {}

    @property
    def any(self) -> bool:
        """Whether anything is hidden from anybody."""
        return bool(self._places)

    def reached_by(self, own: OwnReads) -> bool:
        """Return whether these reads include a place that some may not see."""
        return not self._places.isdisjoint(self._access.reached_from(own))

    def found(self, node: ir.CoreNode, seer: StaticViewer) -> str:
        """Return the name of a place that is read and that the seat may not see, or ''.

        How many things lie in a zone is always seen, and of each what shows.
        """
        match node:
            case ir.Contents(zone=name, keys=keys) | ir.PileTop(zone=name, keys=keys):
                sure = (name, _slots(keys)) in self._sure(seer)
                seen = self._program.zones[name].seen
                if not sure and self._not_seen(seen, keys, seer):
                    return name
            case ir.ReadCell(state=name) if ir.is_kept(name):
                pass  # it is compared with the part itself, and as hidden as that is
            case ir.ReadCell(state=name, keys=keys):
                sure = (name, _slots(keys)) in self._sure(seer)
                seen = self._program.states[name].seen
                if not sure and self._not_seen(seen, keys, seer):
                    return name
            case ir.Connective(op="and", left=left, right=right) if self._noticed:
                seer = replace(seer, sure=seer.sure | self._shown(node, seer))
                return self._first((left, right), seer)
            case ir.CallValue(args=args) if self._notices(node, seer):
                return self._first(args, seer)
            case ir.ReadFace(die=die, kind=kind):
                seen = self._program.components[kind.name].seen
                everybody = SureMembers(self._program, lambda _: False)
                secret = seen is not None and not everybody.has(seen)
                if secret and not self._own(die, seer):
                    return kind.name
            case ir.CallValue(value=name, args=args):
                if self._places.isdisjoint(self._access.value_reads(name)):
                    inside = ""
                else:
                    inner, known = self._inside(args, seer)
                    if (name, known) not in self._values:
                        self._values[name, known] = ""
                        value = self._program.values[name]
                        asked: list[ir.Expr] = [value.whole]
                        for layer in value.layers:
                            asked += (expr for _, expr in layer.adjusts)
                        self._values[name, known] = self._first(asked, inner)
                    inside = self._values[name, known]
                if inside:
                    return inside
            case ir.MoveTop(zone=name, keys=keys):
                if self._not_seen(self._program.zones[name].seen, keys, seer):
                    return name
            case ir.PositionAfter(action=name):
                # All that the action reads or moves; `own`: the seat itself takes it.
                own = seer.is_seat(node.by)
                if (name, own) not in self._imagined:
                    self._imagined[name, own] = ""
                    inner = StaticViewer(_is_one_of({0} if own else ()), own)
                    reads = self._access.imagined(name)
                    self._imagined[name, own] = self._first(reads, inner)
                inside = self._imagined[name, own]
                return inside or self._first(children(node), seer)
            case ir.IsNone(operand=ir.PileTop() as top):
                return self._first(children(top), seer)
            case ir.Alike(kind=kind, place=True):
                zones = self._program.zones.values()
                return next(
                    (z.name for z in zones if z.member == kind and z.seen), ""
                ) or self._first(children(node), seer)
            case ir.Can() if not seer.acts:
                hidden = self._places & self._access.reads(node)
                return min((name for _, name in hidden), default="")
            case ir.Aggregate() | ir.Quantifier():
                parts = present(node.where, node.body)
                return self._asked(node.binds, node.where, parts, seer)
            case ir.CountOf():
                return self._asked(node.binds, node.where, present(node.where), seer)
            case ir.Pick(bind=bind, where=where, keys=keys):
                parts = present(where, *keys)
                return self._asked((bind,), where, parts, seer, names_things=True)
            case (
                ir.Size(operand=ir.Pick(bind=bind, where=where, keys=keys))
                | ir.IsNone(operand=ir.Pick(bind=bind, where=where, keys=keys))
            ):
                return self._asked((bind,), where, present(where, *keys), seer)
            case _:
                pass
        return self._first(children(node), seer)

    def _asked(
        self,
        binds: tuple[ir.Bind, ...],
        where: ir.Expr | None,
        parts: tuple[ir.Expr, ...],
        seer: StaticViewer,
        *,
        names_things: bool = False,
    ) -> str:
        """Return a hidden place that a query reads, or ''.

        With `names_things`, its result is a bound thing. If the parts of the query read
        only what shows of each thing in some zones, its contents need not be seen.
        """
        for bind in binds:
            if self._binds_own(bind, where, seer):
                seer = replace(seer, own=seer.own.union(bind.slots))
            if self._noticed and bind.how == "member":
                seer = replace(seer, sure=seer.sure | self._of_bind(bind, where, seer))
        for place, bind in enumerate(binds):
            rest = (*(each.source for each in binds[place + 1 :]), *parts)
            source: ir.CoreNode = bind.source
            zones: list[ir.Contents] | list[ir.PileTop] = []
            match source:
                case ir.Contents():
                    zones = [source]
                case ir.MakeSet(items=items):
                    tops = [each for each in items if isinstance(each, ir.PileTop)]
                    zones = tops if len(tops) == len(items) else []
                case _:
                    pass
            nodes = [source]
            if zones and bind.how == "member" and not names_things:
                showing = [self._program.zones[each.zone].showing for each in zones]
                shown = tuple(set(showing[0]).intersection(*showing))
                if all(self._reads_only(slot, shown, rest) for slot in bind.slots):
                    nodes = [key for zone in zones for key in children(zone)]
            read = self._first(nodes, seer)
            if read:
                return read
        return self._first(parts, seer)

    def _first(self, nodes: Sequence[ir.CoreNode], seer: StaticViewer) -> str:
        return next((name for each in nodes if (name := self.found(each, seer))), "")

    # ---- values

    def _inside(
        self, args: tuple[ir.Expr, ...], seer: StaticViewer
    ) -> tuple[StaticViewer, _Known]:
        """Return the seer in the frame of a value, with its facts about the slots."""
        slots = list(enumerate(args, 1))
        known = frozenset(slot for slot, arg in slots if seer.is_seat(arg))
        own = frozenset(slot for slot, arg in slots if self._own(arg, seer))
        sure = self._renamed(self._sure(seer), dict(_as_slots(args)))
        viewer = StaticViewer(_is_one_of(known), seer.acts, own, sure)
        return viewer, (known, own, sure, seer.acts)

    # ---- zones and states

    def _not_seen(
        self, seen: ir.Expr | None, keys: tuple[ir.Expr, ...], seer: StaticViewer
    ) -> bool:
        if seen is None:
            return False
        own = {slot for slot, key in enumerate(keys, 1) if seer.is_seat(key)}
        return not SureMembers(self._program, _is_one_of(own)).has(seen)

    # ---- cells that a seat sees as a condition says

    def _notices(self, node: ir.CallValue, seer: StaticViewer) -> bool:
        """Return whether a call of a value says if the seat sees a cell."""
        orders = (order for _, order in self._noticed.get(node.value, ()))
        return any(seer.is_seat(node.args[order.index(0)]) for order in orders)

    def _noticed_cells(self, node: ir.CallValue, seer: StaticViewer) -> Iterator[_Cell]:
        """Yield the cells that the seat sees if this call of a value is yes."""
        for name, order in self._noticed.get(node.value, ()):
            keys = dict(zip(order, node.args, strict=True))
            if seer.is_seat(keys.pop(0)):
                slots = _slots([keys[number] for number in sorted(keys)])
                if NO_SLOT not in slots:
                    yield name, slots

    def _sure(self, seer: StaticViewer) -> frozenset[_Cell]:
        """Return all cells that the seat certainly sees."""
        if not self._noticed:
            return seer.sure
        bare = replace(seer, given={})
        return seer.sure.union(
            *(
                self._of_members(source, slot, bare)
                for slot, sources in seer.given.items()
                for source in sources
            )
        )

    def _shown(self, condition: ir.Expr, seer: StaticViewer) -> frozenset[_Cell]:
        """Return the cells that the seat sees if a condition holds."""
        match condition:
            case ir.Connective(op=op, left=left, right=right):
                one, other = self._shown(left, seer), self._shown(right, seer)
                return one | other if op == "and" else one & other
            case ir.CallValue():
                return frozenset(self._noticed_cells(condition, seer))
            case ir.In(left=ir.Local(slot=slot), right=source):
                return self._of_members(source, slot, seer)
            case _:
                return frozenset()

    def _of_bind(
        self, bind: ir.Bind, where: ir.Expr | None, seer: StaticViewer
    ) -> frozenset[_Cell]:
        shown = frozenset[_Cell]() if where is None else self._shown(where, seer)
        sources = (self._of_members(bind.source, slot, seer) for slot in bind.slots)
        return shown.union(*sources)

    def _of_members(
        self, source: ir.CoreNode, slot: int, seer: StaticViewer
    ) -> frozenset[_Cell]:
        """Return the cells that the seat sees if a slot has a member of a set."""
        match source:
            case ir.Pick(True, bind, where) if bind.how == "member":
                found = self._of_bind(bind, where, seer)
                return self._renamed(found, {bind.slots[0]: slot})
            case ir.CombineSets(op=op, left=left, right=right):
                one = self._of_members(left, slot, seer)
                if op == "but":
                    return one
                other = self._of_members(right, slot, seer)
                return one & other if op == "plus" else one | other
            case ir.CallValue(value=name, args=args):
                value = self._program.values[name]
                if value.adjusted or value.widened or value.deep:
                    return frozenset()
                inner, _ = self._inside(args, seer)
                found = self._of_members(value.definition, _MEMBER, inner)
                there = {at: arg for arg, at in _as_slots(args)}
                return self._renamed(found, {**there, _MEMBER: slot})
            case _:
                return frozenset()

    def _renamed(
        self, cells: frozenset[_Cell], slots: Mapping[int, int]
    ) -> frozenset[_Cell]:
        """Return the cells whose keys are in these slots, in others instead."""
        return frozenset(
            (name, tuple(slots[key] for key in keys))
            for name, keys in cells
            if slots.keys() >= {*keys}
        )

    # ---- dice

    def _own(self, dice: ir.Expr, seer: StaticViewer) -> bool:
        """Return whether a die, or each of some dice, is sure to be the seat's own."""
        match dice:
            case ir.Local(slot=slot):
                # A sort key may read the variable itself.
                others = {k: v for k, v in seer.given.items() if k != slot}
                before = replace(seer, given=others)
                return slot in seer.own or any(
                    self._own(each, before) or self._is_owner(slot, each, seer)
                    for each in seer.given.get(slot, ())
                )
            case ir.Pick(bind=bind, where=where):
                return self._binds_own(bind, where, seer)
            case ir.CombineSets(op="plus", left=left, right=right):
                return self._own(left, seer) and self._own(right, seer)
            case ir.CombineSets(left=inner) | ir.FirstOf(operand=inner):
                return self._own(inner, seer)
            case ir.MakeSet(items=items):
                return bool(items) and all(self._own(each, seer) for each in items)
            case ir.CallValue(value=name, args=args):
                inner_seer, _ = self._inside(args, seer)
                return self._own(self._program.values[name].definition, inner_seer)
            case _:
                return False

    def _binds_own(
        self, bind: ir.Bind, where: ir.Expr | None, seer: StaticViewer
    ) -> bool:
        if self._own(bind.source, seer):
            return True
        return all(self._is_owner(slot, where, seer) for slot in bind.slots)

    def _is_owner(self, slot: int, where: ir.Expr | None, seer: StaticViewer) -> bool:
        """Return whether a condition leaves the seat's own dice: `d.owner is me`."""
        match where:
            case ir.Connective(op="and", left=left, right=right):
                return any(self._is_owner(slot, each, seer) for each in (left, right))
            case ir.CompareValues(op="==", left=left, right=right):
                pairs = ((left, right), (right, left))
                return any(
                    self._owner_field(each, slot) and seer.is_seat(seat)
                    for each, seat in pairs
                )
            case _:
                return False

    def _owner_field(self, expr: ir.Expr, slot: int) -> bool:
        if not isinstance(expr, ir.ReadField) or not _is_slot(expr.subject, slot):
            return False
        seen = self._program.components[expr.kind.name].seen

        def is_owner(other: ir.Expr) -> bool:
            match other:
                case ir.ReadField(subject=subject, field=field):
                    return field == expr.field and _is_slot(subject, 1)
                case _:
                    return False

        return seen is not None and SureMembers(self._program, is_owner).has(seen)

    def _reads_only(
        self, slot: int, showing: tuple[str, ...], parts: Sequence[ir.CoreNode]
    ) -> bool:
        uses = reads = 0
        for node in beneath(*parts):
            match node:
                case ir.Local(slot=each):
                    uses += each == slot
                case ir.ReadField(subject=ir.Local(slot=each), field=field):
                    reads += each == slot and field in showing
                case ir.CallValue(value=name, args=args):
                    places = [n for n, arg in enumerate(args) if _is_slot(arg, slot)]
                    definition = self._program.values[name].definition
                    plain = not self._program.values[name].adjusted
                    reads += sum(
                        plain and self._reads_only(place + 1, showing, [definition])
                        for place in places
                    )
                case _:
                    pass
        return uses == reads


def self_revealing(program: ir.Program, access: Access) -> frozenset[str]:
    """Return the states and zones whose contents decide who sees them, by name."""
    seen = {("state", each.name): each.seen for each in program.states.values()}
    seen |= {("zone", each.name): each.seen for each in program.zones.values()}
    return frozenset(
        place[1]
        for place, seers in seen.items()
        if seers is not None and place in access.reads(seers)
    )


def noticed(
    program: ir.Program, access: Access
) -> Mapping[str, Sequence[tuple[str, tuple[int, ...]]]]:
    """Return the conditions that decide which cells and zones a seat sees, by name.

    Only those of a place that they read: each seat notices whether it sees that. With
    each condition come all places that it decides: their names and, for each argument,
    the number of a key, or 0 for the seat.
    """
    found: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    declared: list[ir.StateDef | ir.ZoneDef] = [*program.states.values()]
    for place in (*declared, *program.zones.values()):
        match place.seen:
            case ir.Pick(True, bind, ir.CallValue() as call, keys=()):
                seats, keys = bind.slots, range(1, len(place.keys) + 1)
                slots = _slots(call.args)
                order = tuple(0 if slot in seats else slot for slot in slots)
                if sorted(order) == [0, *keys]:
                    found.setdefault(call.value, []).append((place.name, order))
            case _:
                pass
    itself = self_revealing(program, access)
    for value, places in found.items():
        at = {order.index(0) for name, order in places if name in itself}
        found[value] = [each for each in places if each[1].index(0) in at]
    return {value: places for value, places in found.items() if places}


def present(*exprs: ir.Expr | None) -> tuple[ir.Expr, ...]:
    """Return the expressions that are not None."""
    return tuple(expr for expr in exprs if expr is not None)


def _is_one_of(slots: Collection[int]) -> IsSeat:
    return lambda expr: isinstance(expr, ir.Local) and expr.slot in slots


def _slots(exprs: Sequence[ir.Expr]) -> tuple[int, ...]:
    """Return the slots that these are; `NO_SLOT` for other expressions."""
    return tuple(e.slot if isinstance(e, ir.Local) else NO_SLOT for e in exprs)


def _as_slots(args: Sequence[ir.Expr]) -> list[tuple[int, int]]:
    """Return the slots of arguments, with those that they have in the value."""
    return [(slot, at) for at, slot in enumerate(_slots(args), 1) if slot != NO_SLOT]


def _is_slot(expr: ir.Expr, slot: int) -> bool:
    return isinstance(expr, ir.Local) and expr.slot == slot
