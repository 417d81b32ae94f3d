"""Hidden reads: whether an expression shows a seat what that seat may not see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from houserule import ir
from houserule.frozen import frozen
from houserule.ir.access import Access
from houserule.ir.facts import OwnReads, Place
from houserule.ir.sure_members import SureMembers
from houserule.ir.types import Kind
from houserule.ir.walk import beneath, children

NO_SLOTS: frozenset[int] = frozenset()
Given: TypeAlias = Mapping[int, tuple[ir.Expr, ...]]
_Known: TypeAlias = tuple[frozenset[int], frozenset[int], bool]


@frozen
class Seer:
    """The seat from whose side an expression is looked at, in one frame.

    `is_seat` says which expressions are that seat, `acts` whether it is the acting one;
    `own` are the slots with dice, or sets of dice, whose faces it sees; `given` says of
    other slots what they were taken from.
    """

    is_seat: Callable[[ir.Expr], bool]
    acts: bool = False
    own: frozenset[int] = NO_SLOTS
    given: Given = field(default_factory=dict)

    def owning(self, slots: Sequence[int]) -> Seer:
        """Return the same seer with further dice of its own."""
        return replace(self, own=self.own.union(slots))


class HiddenReads:
    """A walk through expressions and the values they call."""

    def __init__(self, program: ir.Program, access: Access) -> None:
        self._program, self._access = program, access
        self._places = _hidden_places(program)
        self._values: dict[tuple[str, _Known], str] = {}
        self._imagined: dict[tuple[str, bool], str] = {}

    @property
    def any(self) -> bool:
        """Whether anything is hidden from anybody."""
        return bool(self._places)

    def reached_by(self, own: OwnReads) -> bool:
        """Say whether what reads these reads a place at all that some may not see."""
        return not self._places.isdisjoint(self._access.reached_from(own))

    def found(self, node: ir.CoreNode, seer: Seer) -> str:
        """Return the name of a place that is read and that the seat may not see, or ''.

        How many things lie in a zone is always seen, and of each what shows.
        """
        match node:
            case ir.Contents(zone=name, keys=keys) | ir.PileTop(zone=name, keys=keys):
                if self._not_seen(self._program.zones[name].seen, keys, seer):
                    return name
            case ir.ReadCell(state=name) if ir.is_kept(name):
                pass  # it is compared with the part itself, and as hidden as that is
            case ir.ReadCell(state=name, keys=keys):
                if self._not_seen(self._program.states[name].seen, keys, seer):
                    return name
            case ir.ReadFace(die=die, kind=kind):
                if self._face_hidden(die, kind.name, seer):
                    return kind.name
            case ir.CallValue(value=name, args=args):
                inside = self._in_value(name, args, seer)
                if inside:
                    return inside
            case ir.MoveTop(zone=name, keys=keys):
                if self._not_seen(self._program.zones[name].seen, keys, seer):
                    return name
            case ir.PositionAfter(action=name):
                inside = self._in_imagined(name, seer.is_seat(node.by))
                return inside or self._first(children(node), seer)
            case ir.IsNone(operand=ir.PileTop() as top):
                return self._first(children(top), seer)
            case ir.Alike(kind=kind, place=True):
                return self._hiding(kind) or self._first(children(node), seer)
            case ir.Can() if not seer.acts:
                hidden = self._places & self._access.reads(node)
                return min((name for _, name in hidden), default="")
            case _:
                pass
        query = _query(node)
        if query is not None:
            return self._in_query(query, seer)
        return self._first(children(node), seer)

    def _hiding(self, kind: Kind) -> str:
        """Return a zone for a kind into which not all may see, or ''."""
        zones = self._program.zones.values()
        return next((z.name for z in zones if z.member == kind and z.seen), "")

    def _first(self, nodes: Sequence[ir.CoreNode], seer: Seer) -> str:
        return next((name for each in nodes if (name := self.found(each, seer))), "")

    # ---- values

    def _in_value(self, name: str, args: tuple[ir.Expr, ...], seer: Seer) -> str:
        if self._places.isdisjoint(self._access.value_reads(name)):
            return ""
        inner, known = self._inside(args, seer)
        if (name, known) not in self._values:
            self._values[name, known] = ""
            value = self._program.values[name]
            parts: list[ir.Expr] = [value.definition]
            parts += [expr for layer in value.layers for _, expr in layer.adjusts]
            parts += [expr for _, expr in value.lifts]
            self._values[name, known] = self._first(parts, inner)
        return self._values[name, known]

    def _inside(self, args: tuple[ir.Expr, ...], seer: Seer) -> tuple[Seer, _Known]:
        """Return the seer in the frame of a value, and what it knows of its slots."""
        slots = list(enumerate(args, 1))
        known = frozenset(slot for slot, arg in slots if seer.is_seat(arg))
        own = frozenset(slot for slot, arg in slots if self._own(arg, seer))

        def is_seat(expr: ir.Expr) -> bool:
            return isinstance(expr, ir.Local) and expr.slot in known

        return Seer(is_seat, seer.acts, own), (known, own, seer.acts)

    def _in_imagined(self, action: str, own: bool) -> str:
        """Return what is hidden of all that is read, and moved, by an action.

        `own` says that the seat itself takes it.
        """
        if (action, own) not in self._imagined:
            self._imagined[action, own] = ""

            def is_seat(expr: ir.Expr) -> bool:
                return own and isinstance(expr, ir.Local) and expr.slot == 0

            inner = Seer(is_seat, own)
            found = self._first(self._access.imagined(action), inner)
            self._imagined[action, own] = found
        return self._imagined[action, own]

    # ---- zones and states

    def _not_seen(
        self, seen: ir.Expr | None, keys: tuple[ir.Expr, ...], seer: Seer
    ) -> bool:
        if seen is None:
            return False
        own = {slot for slot, key in enumerate(keys, 1) if seer.is_seat(key)}

        def is_seat(expr: ir.Expr) -> bool:
            return isinstance(expr, ir.Local) and expr.slot in own

        return not SureMembers(self._program, is_seat).has(seen)

    # ---- dice

    def _face_hidden(self, die: ir.Expr, kind: str, seer: Seer) -> bool:
        seen = self._program.components[kind].seen
        if seen is None or SureMembers(self._program, lambda _: False).has(seen):
            return False
        return not self._own(die, seer)

    def _own(self, dice: ir.Expr, seer: Seer) -> bool:
        """Say whether a die, or each of some dice, is sure to be the seat's own."""
        match dice:
            case ir.Local(slot=slot):
                # What a variable was sorted by may read the variable itself.
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

    def _binds_own(self, bind: ir.Bind, where: ir.Expr | None, seer: Seer) -> bool:
        if self._own(bind.source, seer):
            return True
        return all(self._is_owner(slot, where, seer) for slot in bind.slots)

    def _is_owner(self, slot: int, where: ir.Expr | None, seer: Seer) -> bool:
        """Say whether a condition leaves the seat's own dice: `d.owner is me`."""
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

    # ---- queries

    def _in_query(self, query: _Query, seer: Seer) -> str:
        for bind in query.binds:
            if self._binds_own(bind, query.where, seer):
                seer = seer.owning(bind.slots)
        for place, bind in enumerate(query.binds):
            rest = (*(each.source for each in query.binds[place + 1 :]), *query.parts)
            source: ir.CoreNode = bind.source
            looked_at = _looked_into(source)
            shows = not query.names_things and self._shows(bind, looked_at, rest)
            nodes = [key for zone in looked_at for key in children(zone)]
            nodes = nodes if shows else [source]
            hidden = self._first(nodes, seer)
            if hidden:
                return hidden
        return self._first(query.parts, seer)

    def _shows(
        self,
        bind: ir.Bind,
        zones: Sequence[ir.Contents | ir.PileTop],
        parts: Sequence[ir.CoreNode],
    ) -> bool:
        """Say whether of each thing in some zones only what shows is read."""
        if not zones or bind.how != "member":
            return False
        showing = [self._program.zones[each.zone].showing for each in zones]
        shown = tuple(set(showing[0]).intersection(*showing))
        return all(self._reads_only(slot, shown, parts) for slot in bind.slots)

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


def _looked_into(source: ir.CoreNode) -> Sequence[ir.Contents | ir.PileTop]:
    """Return the zones of which a query goes through the contents, or the ends."""
    match source:
        case ir.Contents():
            return [source]
        case ir.MakeSet(items=items):
            tops = [each for each in items if isinstance(each, ir.PileTop)]
            return tops if len(tops) == len(items) else []
        case _:
            return []


@frozen
class _Query:
    """What a query binds and reads; and whether its result is what it binds."""

    binds: tuple[ir.Bind, ...]
    where: ir.Expr | None
    parts: tuple[ir.Expr, ...]
    names_things: bool


def _query(node: ir.CoreNode) -> _Query | None:
    match node:
        case ir.Aggregate(binds=binds, where=where, body=body):
            return _Query(binds, where, present(where, body), names_things=False)
        case ir.Quantifier(binds=binds, where=where, body=body):
            return _Query(binds, where, present(where, body), names_things=False)
        case ir.CountOf(binds=binds, where=where):
            return _Query(binds, where, present(where), names_things=False)
        case ir.Pick():
            return _picked(node, names_things=True)
        case ir.Size(operand=ir.Pick() as pick) | ir.IsNone(operand=ir.Pick() as pick):
            return _picked(pick, names_things=False)
        case _:
            return None


def _picked(pick: ir.Pick, *, names_things: bool) -> _Query:
    parts = present(pick.where, *pick.keys)
    return _Query((pick.bind,), pick.where, parts, names_things)


def _hidden_places(program: ir.Program) -> frozenset[Place]:
    """Return every place that not all may see."""
    zones = {("zone", each.name) for each in program.zones.values() if each.seen}
    states = {
        ("state", each.name)
        for each in program.states.values()
        if each.seen and not ir.is_kept(each.name)
    }
    dice = {("face", name) for name, each in program.components.items() if each.seen}
    return frozenset(zones | states | dice)


def present(*exprs: ir.Expr | None) -> tuple[ir.Expr, ...]:
    """Return the expressions that are there."""
    return tuple(expr for expr in exprs if expr is not None)


def _is_slot(expr: ir.Expr, slot: int) -> bool:
    return isinstance(expr, ir.Local) and expr.slot == slot
