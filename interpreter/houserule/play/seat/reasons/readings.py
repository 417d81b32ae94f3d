"""Readings of a condition: the quantities it compares, with current values.

Only what decides is read: for a false `a and b`, the false side; for a false `every`,
the counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.state.faults import RuleFault
from houserule.ir.types import Data, Flag, Type, Whole, core
from houserule.play.seat.reasons.viewer_frame import ViewerFrame

QuantitySort: TypeAlias = Literal[
    "value", "state", "zone", "size", "tokens", "field", "face", "sum"
]
FEW = 200
"""At most this many cases of a query are searched for the deciding one."""


@frozen
class SeenQuantity:
    """A quantity at its keys, with its current value.

    `name` is the name of a value, state, zone or token slot; for a field, its kind
    comes before a dot; for a face, it is the kind of dice. A field's only key is its
    component, a face's its die; a sum's keys are its summands, of type `types[0]`.
    `value` is None if it is `hidden`, or if there is none.
    """

    sort: QuantitySort
    name: str
    keys: tuple[Data, ...]
    types: tuple[Type, ...]
    names: tuple[str, ...]
    value: Data
    type: Type
    hidden: bool = False


@frozen
class WantedNumber:
    """The number that a quantity is compared with, if it is a constant."""

    op: Literal["==", "!=", ">=", "<=", ">", "<"]
    number: int
    together: bool = False
    """Several quantities together must make this number."""


FoundReading: TypeAlias = SeenQuantity | WantedNumber
TURNED: dict[str, Literal["==", "!=", ">=", "<=", ">", "<"]] = {
    "==": "==",
    "!=": "!=",
    ">=": "<=",
    "<=": ">=",
    ">": "<",
    "<": ">",
}


class ConditionReader:
    """Finds what conditions read.

    `named` returns whether a yes/no value has words of its own; otherwise its
    definition is read.
    """

    def __init__(self, program: ir.Program, named: Callable[[str], bool]) -> None:
        self._program, self._named = program, named

    def read(self, condition: ir.Expr, scope: ViewerFrame) -> list[FoundReading]:
        """Return what decides a condition, each once, in textual order."""
        return list(dict.fromkeys(self._condition(condition, scope)))

    def quantities(self, node: ir.Expr, scope: ViewerFrame) -> list[SeenQuantity]:
        """Return the quantities of an expression that is not a condition, each once."""
        return list(dict.fromkeys(self._quantities(node, scope)))

    # ---- conditions

    def _condition(self, node: ir.Expr, scope: ViewerFrame) -> Iterator[FoundReading]:
        match node:
            case ir.Connective(op=op, left=left, right=right):
                # one true side decides an `or`, one false side an `and`
                deciding = op == "or"
                if bool(_now(left, scope)) is deciding:
                    yield from self._condition(left, scope)
                elif bool(_now(right, scope)) is deciding:
                    yield from self._condition(right, scope)
                else:
                    yield from self._condition(left, scope)
                    yield from self._condition(right, scope)
            case ir.Unary(op="not", operand=inner):
                yield from self._condition(inner, scope)
            case ir.CompareValues(op=op, left=left, right=right):
                yield from self._quantities(left, scope)
                yield from self._quantities(right, scope)
                together = isinstance(left, ir.Binary) or isinstance(right, ir.Binary)
                number, turned = None, TURNED[op]
                if isinstance(right, ir.Const) and _is_number(right):
                    number, turned = right.value, TURNED[turned]
                elif isinstance(left, ir.Const) and _is_number(left):
                    number = left.value
                # Other comparisons are clear without a number: unequal, one, none.
                if isinstance(number, int) and turned != "!=" and number > 1:
                    yield WantedNumber(turned, number, together)
            case ir.In(left=left, right=right):
                yield from self._quantities(left, scope)
                if not isinstance(right, ir.CombineSets | ir.MakeSet | ir.MakeRange):
                    yield from self._quantities(right, scope)
            case ir.IsNone(operand=inner):
                yield from self._quantities(inner, scope)
            case ir.Quantifier(body=body):
                # The deciding case: for `every` and `no`, the counterexample.
                for case in _cases(node.binds, scope):
                    if node.where is not None and not _now(node.where, case):
                        continue
                    if bool(_now(body, case)) is (node.kind != "every"):
                        yield from self._condition(body, case)
                        break
            case ir.CallValue(value=name) if not self._named(ir.declared_as(name)):
                # What a yes/no value without words of its own reads.
                declared, args = self._program.values[name], _all_now(node.args, scope)
                within = list[FoundReading]()
                if args is not None and isinstance(core(declared.type), Flag):
                    inside, parts = scope.inside(args), [declared.definition]
                    parts += [lift for _, lift in declared.lifts]
                    unmet = [each.test for each in self.unmet(node, scope)]
                    holding = unmet or [part for part in parts if _now(part, inside)]
                    for part in holding[:1] or parts:
                        within += self._condition(part, inside)
                yield from within or self._quantities(node, scope)
            case ir.Cases():
                yield from self._condition(_row(node, scope), scope)
            case ir.OrElse(value=value, otherwise=otherwise):
                absent = _now(value, scope) is None
                yield from self._condition(otherwise if absent else value, scope)
            case ir.DiceTest(dice=dice):
                yield from self._shown(dice, node.read, node.slot, scope)
            case _:
                yield from self._quantities(node, scope)

    def unmet(self, test: ir.Expr, scope: ViewerFrame) -> list[ir.Condition]:
        """Return the conditions that do not hold of a value that a test asks."""
        if not isinstance(test, ir.CallValue):
            return []
        args = _all_now(test.args, scope)
        needs = self._program.values[test.value].needs if args is not None else ()
        inner = scope.inside(args or ())
        return [each for each in needs if not _now(each.whole, inner)]

    # ---- quantities

    def _quantities(self, node: ir.Expr, scope: ViewerFrame) -> Iterator[SeenQuantity]:
        match node:
            case ir.Binary(left=left, right=right):
                yield from self._quantities(left, scope)
                yield from self._quantities(right, scope)
            case ir.Unary(operand=inner) | ir.Size(operand=inner):
                yield from self._quantities(inner, scope)
            case ir.FirstOf(operand=inner) | ir.CombineSets(left=inner):
                yield from self._quantities(inner, scope)
            case ir.OrElse(value=value, otherwise=otherwise):
                absent = _now(value, scope) is None
                yield from self._quantities(otherwise if absent else value, scope)
            case ir.Cases():
                yield from self._quantities(_row(node, scope), scope)
            case ir.MakeSet(items=some):
                for each in some:
                    yield from self._quantities(each, scope)
            case ir.Aggregate(kind="sum", binds=(bind,), where=None, body=body):
                # A sum over named components: these, and their total.
                things, type_ = _now(bind.source, scope), bind.source.type
                named = isinstance(bind.source, ir.Local | ir.CallValue)
                if named and isinstance(things, tuple):
                    yield from self._shown(bind.source, body, bind.slots[0], scope)
                    hidden = scope.hides(node)
                    total = None if hidden else _now(node, scope)
                    keys, types = (things,), (type_,)
                    yield SeenQuantity(
                        "sum", "", keys, types, ("it",), total, node.type, hidden
                    )
            case _:
                found = self._leaf(node, scope)
                if found is not None:
                    yield found

    def _shown(
        self, things: ir.Expr, body: ir.Expr, slot: int, scope: ViewerFrame
    ) -> Iterator[SeenQuantity]:
        members = _now(things, scope)
        for each in members if isinstance(members, tuple) else ():
            yield from self._quantities(body, scope.with_slots({slot: each}))

    def _leaf(self, node: ir.Expr, scope: ViewerFrame) -> SeenQuantity | None:
        """Return a quantity with its value; None if one of its keys is `none`."""
        program = self._program
        params: Sequence[ir.Param]
        sort: QuantitySort
        match node:
            case ir.CallValue(value=name, args=keys):
                sort, params = "value", program.values[name].params
                name = ir.declared_as(name)
            case ir.ReadCell(state=name, keys=keys):
                sort, params = "state", program.states[name].keys
            case ir.ZoneSize(zone=name, keys=keys):
                sort, params = "size", program.zones[name].keys
            case ir.Contents(zone=name, keys=keys):
                sort, params = "zone", program.zones[name].keys
            case ir.TokenCount(slot=name, keys=keys):
                families = (each.slots.get(name) for each in program.tokens.values())
                sort, params = "tokens", next(filter(None, families), ())
            case ir.ReadField(subject=subject, kind=kind, field=field):
                name, keys = f"{kind.name}.{field}", (subject,)
                sort, params = "field", (ir.Param("it", kind),)
            case ir.ReadEntry(subject=subject, kind=kind, field=field, key=key):
                name, keys = f"{kind.name}.{field}", (subject, key)
                of = program.components[kind.name].keyed[field].key
                sort, params = "field", (ir.Param("it", kind), of)
            case ir.ReadFace(die=die, kind=kind):
                name, keys = kind.name, (die,)
                sort, params = "face", (ir.Param("it", kind),)
            case _:
                return None
        found = _all_now(keys, scope)
        if found is None or any(scope.hides(key) for key in keys):
            return None
        hidden = scope.hides(node)
        return SeenQuantity(
            sort,
            name,
            found,
            tuple(each.type for each in params),
            tuple(each.name for each in params),
            None if hidden else _now(node, scope),
            node.type,
            hidden,
        )


# ---- current values


def _now(node: ir.Expr, scope: ViewerFrame) -> Data:
    """Return the current value of an expression; None if it has none."""
    try:
        return scope.value(node)
    except RuleFault:
        return None


def _all_now(nodes: Sequence[ir.Expr], scope: ViewerFrame) -> tuple[Data, ...] | None:
    """Return the values of expressions; None if one of them has none."""
    found = tuple(_now(each, scope) for each in nodes)
    return None if None in found else found


def _row(node: ir.Cases, scope: ViewerFrame) -> ir.Expr:
    """Return the value in the first row that applies."""
    for condition, value in node.rows:
        if _now(condition, scope):
            return value
    return node.otherwise


def _cases(binds: Sequence[ir.Bind], scope: ViewerFrame) -> Iterator[ViewerFrame]:
    """Yield the first few cases of some binders."""
    waiting = [scope]
    slots = [(slot, bind) for bind in binds for slot in bind.slots]
    for slot, bind in slots:
        waiting = [
            case.with_slots({slot: member}, bind.source)
            for case in waiting[:FEW]
            for member in case.members(bind)[:FEW]
        ]
    yield from waiting[:FEW]


def _is_number(node: ir.Const) -> bool:
    return isinstance(core(node.type), Whole)
