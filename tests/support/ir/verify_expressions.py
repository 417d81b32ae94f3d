"""The laws of the core's expressions: what each node takes and gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from houserule import ir
from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Maybe,
    Position,
    Set,
    Type,
    Whole,
)

_FLAG = Flag()


def flows(found: Type, wanted: Type) -> bool:
    """Say whether a value of one type may be handed on where the other is wanted."""
    match found, wanted:
        case Maybe(inner), Maybe(other):
            return flows(inner, other)
        case Maybe(), _:
            return False
        case _, Maybe(other):
            return flows(found, other)
        case Whole(), Whole():
            return found.low <= wanted.high and wanted.low <= found.high
        case Set(member), Set(other):
            both = isinstance(member, Whole) and isinstance(other, Whole)
            return (both or flows(member, other)) and (found.part or not wanted.part)
        case _:
            return found == wanted


def _inner(type_: Type) -> Type:
    return type_.inner if isinstance(type_, Maybe) else type_


@dataclass(slots=True)
class Verifier:
    """Verifies expressions over one frame; problems gather in a shared list."""

    program: ir.Program
    where: str
    slots: dict[int, Type]
    frame: int | None
    problems: list[str]

    # ---- what a place wants

    def problem(self, text: str) -> None:
        """Note a broken law."""
        self.problems.append(f"{self.where}: {text}")

    def wanted(self, node: ir.Expr, type_: Type) -> None:
        """Verify an expression that must flow into a type."""
        found = self.expr(node)
        if not flows(found, type_):
            self.problem(f"{type(node).__name__} is {found}, not {type_}")

    def number(self, node: ir.Expr) -> None:
        """Verify a present number."""
        found = self.expr(node)
        if not isinstance(found, Whole):
            self.problem(f"{type(node).__name__} is {found}, not a number")

    def seat_or_none(self, node: ir.Expr) -> None:
        """Verify a seat that may be none."""
        self.wanted(node, Maybe(self.program.kinds["Player"]))

    def elements(self, node: ir.Expr, *, seats: bool = False) -> Whole | Kind:
        """Verify a set and return its members' type; `seats` allows an order."""
        found = self.expr(node)
        if isinstance(node, ir.Seats) and not seats:
            self.problem("an order of seats stands where a set is wanted")
        if isinstance(found, Set):
            return found.member
        self.problem(f"{type(node).__name__} is {found}, not a set")
        return Whole(0, 0)

    def keys(
        self,
        name: str,
        keys: Sequence[ir.Expr],
        families: Mapping[str, ir.StateDef] | Mapping[str, ir.ZoneDef],
    ) -> None:
        """Verify the keys of a state or a zone."""
        family = families.get(name)
        if family is None:
            self.problem(f"there is no `{name}`")
            return
        self.args(name, family.keys, keys)

    def slot_keys(self, slot: str, keys: Sequence[ir.Expr]) -> None:
        """Verify the keys of a place of tokens."""
        for tokens in self.program.tokens.values():
            if slot in tokens.slots:
                self.args(slot, tokens.slots[slot], keys)
                return
        self.problem(f"there is no place of tokens `{slot}`")

    def args(
        self, name: str, params: Sequence[ir.Param], args: Sequence[ir.Expr]
    ) -> None:
        """Verify arguments against parameters."""
        if len(params) != len(args):
            self.problem(f"`{name}` has {len(args)} arguments for {len(params)}")
            return
        for param, arg in zip(params, args, strict=True):
            self.wanted(arg, param.type)

    def data(self, value: Data, type_: Type) -> None:
        """Verify a value against its type."""
        if not _holds(value, type_):
            self.problem(f"{value!r} is no {type_}")
        self.kind_of(type_)

    def kind_of(self, type_: Type) -> None:
        """Verify that the kinds in a type are the program's."""
        inner = _inner(type_)
        kind = inner.member if isinstance(inner, Set | Position) else inner
        if isinstance(kind, Kind) and self.program.kinds.get(kind.name) != kind:
            self.problem(f"{kind.name} of size {kind.size} is no kind of the program")

    def take(self, slot: int, type_: Type) -> None:
        """Note a slot that is bound from here on."""
        if slot < 0 or (self.frame is not None and slot >= self.frame):
            self.problem(f"slot {slot} is outside a frame of {self.frame}")
        self.slots[slot] = type_

    def bind(self, bind: ir.Bind) -> None:
        """Verify a binder and note its slots."""
        member = self.elements(bind.source, seats=bind.how == "member")
        if bind.how == "subset":
            if len(bind.slots) != 1 or not isinstance(bind.type, Set):
                self.problem("parts want one variable that is a set")
            if bind.high is not None and bind.low > bind.high:
                self.problem(f"no part has {bind.low}..{bind.high} members")
        elif not flows(member, bind.type):
            self.problem(f"{bind.names} are {bind.type}, but members {member}")
        for slot in bind.slots:
            self.take(slot, bind.type)

    # ---- expressions

    def expr(self, node: ir.Expr) -> Type:
        """Verify an expression and everything beneath; return its type."""
        self.kind_of(node.type)
        match node:
            case (
                ir.Const()
                | ir.Local()
                | ir.PhaseVar()
                | ir.ReadCell()
                | ir.ReadFace()
                | ir.ReadField()
                | ir.ReadEntry()
                | ir.Contents()
                | ir.ZoneSize()
                | ir.TokenCount()
                | ir.PileTop()
                | ir.PositionOf()
                | ir.CallValue()
                | ir.Can()
                | ir.Doing()
            ):
                self._read(node)
            case (
                ir.Aggregate()
                | ir.CountOf()
                | ir.Quantifier()
                | ir.Pick()
                | ir.ReachedCells()
                | ir.DiceTest()
                | ir.Distinct()
                | ir.AnyOf()
            ):
                kept = dict(self.slots)
                self._query(node)
                self.slots = kept
            case _:
                self._computed(node)
        return node.type

    def _read(self, node: ir.Expr) -> None:
        program = self.program
        match node:
            case ir.Const(value, type_):
                self.data(value, type_)
            case ir.Local(slot, name, type_):
                bound = self.slots.get(slot)
                if bound is None or not flows(_inner(type_), _inner(bound)):
                    self.problem(f"slot {slot} (`{name}`) is {bound}, not {type_}")
            case ir.PhaseVar(phase):
                if phase not in program.phases:
                    self.problem(f"there is no phase `{phase}`")
            case ir.ReadCell(state, keys, type_):
                self.keys(state, keys, program.states)
                self._declared(state, program.states[state].type, type_)
            case ir.ReadFace(subject, kind) | ir.ReadField(subject, kind):
                if _inner(self.expr(subject)) != kind:
                    self.problem(f"this is {subject.type}, not {kind}")
                fields = program.components[kind.name].fields
                if isinstance(node, ir.ReadField) and node.field not in fields:
                    self.problem(f"{kind} has no field `{node.field}`")
            case ir.Contents(zone, keys) | ir.ZoneSize(zone, keys):
                self.keys(zone, keys, program.zones)
            case ir.PositionOf(zone, keys) | ir.PileTop(zone, keys):
                self.keys(zone, keys, program.zones)
                if isinstance(node, ir.PileTop) and node.index is not None:
                    self.number(node.index)
            case ir.TokenCount(slot_name, keys):
                self.slot_keys(slot_name, keys)
            case ir.CallValue(value, args):
                self._call(value, args, node.type)
            case ir.Can(step):
                if step not in program.steps:
                    self.problem(f"there is no step `{step}`")
            case _:
                pass

    def _declared(self, name: str, declared: Type, found: Type) -> None:
        """A read has the declared type, or that without `or none` where it is shown."""
        if found not in (declared, _inner(declared)):
            self.problem(f"`{name}` is read as {found}, declared {declared}")

    def _call(self, value: str, args: Sequence[ir.Expr], type_: Type) -> None:
        declared = self.program.values.get(value)
        if declared is None or len(args) != len(declared.params):
            self.problem(f"`{value}` is called wrongly")
            return
        for arg, param in zip(args, declared.params, strict=True):
            found = self.expr(arg)
            if not flows(_inner(found), _inner(param.type)):
                self.problem(f"`{value}` gets {found} for {param.type}")
        if _inner(type_) != _inner(declared.type):
            self.problem(f"`{value}` is called as {type_}, declared {declared.type}")

    def _computed(self, node: ir.Expr) -> None:
        match node:
            case ir.Unary("not", operand):
                self.wanted(operand, _FLAG)
            case ir.Unary("seat", operand):
                self.wanted(operand, self.program.kinds["Player"])
            case ir.Unary(_, operand):
                self.number(operand)
            case ir.Binary(_, left, right) | ir.MakeRange(left, right):
                self.number(left)
                self.number(right)
            case ir.CompareValues(op, left, right):
                self._compare(op, _inner(self.expr(left)), _inner(self.expr(right)))
            case ir.IsNone(operand):
                self.expr(operand)
            case ir.Alike(left, right, kind):
                self._alike(_inner(self.expr(left)), kind)
                self._alike(_inner(self.expr(right)), kind)
                if not self.program.components[kind.name].alike:
                    self.problem(f"nothing of {kind} is alike")
            case ir.In(left, right):
                self._alike(_inner(self.expr(left)), self.elements(right))
            case ir.Connective(_, left, right):
                self.wanted(left, _FLAG)
                self.wanted(right, _FLAG)
            case ir.Cases(rows, otherwise):
                for test, value in rows:
                    self.wanted(test, _FLAG)
                    self.wanted(value, node.type)
                self.wanted(otherwise, node.type)
            case ir.OrElse(value, otherwise):
                self._alike(_inner(self.expr(value)), _inner(node.type))
                self.wanted(otherwise, node.type)
            case ir.PositionAfter(action, by, args, body):
                if action not in self.program.actions:
                    self.problem(f"there is no action `{action}`")
                self.wanted(by, self.program.kinds["Player"])
                for arg in args:
                    self.expr(arg)
                self.wanted(body, node.type)
            case (
                ir.MakeSet() | ir.CombineSets() | ir.Size() | ir.FirstOf() | ir.Seats()
            ):
                self._set(node)
            case ir.TooDeep():
                pass
            case ir.ReadEntry(subject, kind, field, key):
                if _inner(self.expr(subject)) != kind:
                    self.problem(f"this is {subject.type}, not {kind}")
                keyed = self.program.components[kind.name].keyed[field]
                self.expr(key)
                if _inner(node.type) != _inner(keyed.type):
                    self.problem(f"{kind}.{field} is read as {node.type}")
            case ir.MemberAt(kind, parts):
                each = self.program.components[kind.name].each
                if len(parts) != len(each):
                    self.problem(f"{kind} has {len(each)} parts, not {len(parts)}")
                for part in parts:
                    self.expr(part)
                if _inner(node.type) != kind:
                    self.problem(f"a member of {kind} is read as {node.type}")
            case _:
                self.problem(f"{type(node).__name__} is no expression")

    def _set(
        self, node: ir.MakeSet | ir.CombineSets | ir.Size | ir.FirstOf | ir.Seats
    ) -> None:
        match node:
            case ir.MakeSet(items, Set(member)):
                for item in items:
                    self._alike(_inner(self.expr(item)), member)
            case ir.MakeSet():
                self.problem(f"a set is {node.type}")
            case ir.CombineSets(_, left, right):
                taken = _inner(self.expr(right))
                found = taken.member if isinstance(taken, Set) else taken
                self._alike(found, self.elements(left))
            case ir.Size(operand) | ir.FirstOf(operand):
                self.elements(operand)
            case ir.Seats(_, start, lap):
                self.seat_or_none(start)
                if lap is not None:
                    self.number(lap)
            case _:
                assert_never(node)

    def _compare(self, op: str, left: Type, right: Type) -> None:
        if op in {"==", "!="}:
            self._alike(left, right)
        elif not isinstance(left, Whole) or not isinstance(right, Whole):
            self.problem(f"{left} {op} {right} compares no numbers")

    def _alike(self, left: Type, right: Type) -> None:
        numbers = isinstance(left, Whole) and isinstance(right, Whole)
        if isinstance(left, Set) and isinstance(right, Set):
            self._alike(left.member, right.member)
        elif not numbers and left != right:
            self.problem(f"{left} and {right} do not go together")

    def _query(
        self,
        node: ir.Aggregate
        | ir.CountOf
        | ir.Quantifier
        | ir.Pick
        | ir.ReachedCells
        | ir.DiceTest
        | ir.Distinct
        | ir.AnyOf,
    ) -> None:
        match node:
            case ir.Distinct(operand, slots, alike):
                member = self.elements(operand)
                self._alike(Set(member), node.type)
                for slot in slots:
                    self.take(slot, member)
                self.wanted(alike, _FLAG)
            case ir.AnyOf(operand, count, _, same):
                self._alike(Set(self.elements(operand)), node.type)
                self.number(count)
                self.wanted(same, _FLAG)
            case ir.Aggregate(_, binds, where, body):
                self.binds(binds, where)
                self.number(body)
            case ir.CountOf(binds, where):
                self.binds(binds, where)
            case ir.Quantifier(_, binds, where, body):
                self.binds(binds, where)
                self.wanted(body, _FLAG)
            case ir.Pick(_, bind, where, _, keys):
                self.binds((bind,), where)
                for key in keys:
                    if not isinstance(self.expr(key), Whole | Flag):
                        self.problem("a key is neither a number nor yes or no")
            case ir.ReachedCells(start, slot, by, where):
                member = self.elements(start)
                self.take(slot, member)
                self._alike(self.elements(by), member)
                if where is not None:
                    self.wanted(where, _FLAG)
            case ir.DiceTest(_, dice, slot, read):
                self.take(slot, self.elements(dice))
                self.number(read)

    def binds(self, binds: Sequence[ir.Bind], where: ir.Expr | None) -> None:
        """Verify binders from left to right, then the condition on them."""
        for bind in binds:
            self.bind(bind)
        if where is not None:
            self.wanted(where, _FLAG)


def _holds(value: Data, type_: Type) -> bool:
    """Say whether a value is one of a type."""
    match type_:
        case Maybe(inner):
            return value is None or _holds(value, inner)
        case Flag():
            return isinstance(value, bool)
        case Whole(low, high):
            return _is_number(value, low, high + 1)
        case Kind(_, size):
            return _is_number(value, 0, size)
        case Set(member, part):
            if not isinstance(value, tuple) or (part and not value):
                return False
            ordered = list(value) == sorted(set(value))
            return ordered and all(_holds(each, member) for each in value)
        case Position():
            return False


def _is_number(value: Data, low: int, end: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value < end
