"""The compiled evaluator agrees with a plain walk over the tree, on random trees."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.programs import (
    CARD,
    CARD_FIELDS,
    CARDS,
    FLAG,
    NUMBER,
    PLAYER,
    Table,
    const,
    field,
    program,
    state,
    value,
    zone,
)

from houserule import ir
from houserule.base.algebra.subsets import subsets
from houserule.engine.state.faults import F03, F08, RuleFault
from houserule.ir.types import Maybe, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RULES = program(
    states=[
        state("score", Whole(0, 9), ("p", PLAYER)),
        state("owner", Maybe(PLAYER), ("c", CARD), first=None),
        state("grid", Whole(0, 9), ("n", Whole(1, 3)), ("c", CARD)),
    ],
    zones=[zone("hand", "set", ("p", PLAYER)), zone("deck", "pile")],
    values=[
        value("rank", Whole(1, 4), field(ir.Local(1, "c", CARD), "rank"), ("c", CARD)),
        value(
            "mine",
            Maybe(PLAYER),
            ir.ReadCell("owner", (ir.Local(1, "c", CARD),), Maybe(PLAYER)),
            ("c", CARD),
        ),
    ],
)
Found: TypeAlias = Any  # what a walk finds: of whatever type
MAYBE_CARD, MAYBE_NUMBER, MAYBE_PLAYER = Maybe(CARD), Maybe(NUMBER), Maybe(PLAYER)
SET_WORDS = ("but", "plus", "within")
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "min": min,
    "max": max,
    "==": lambda a, b: a == b,
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


# ---- a plain walk: no compilation, no shortcuts


def _combined(op: str, left: Found, right: Found) -> Found:
    """Return two sets put together, as sets."""
    one, other = set(left), {each for each in right if each is not None}
    match op:
        case "but":
            found = one - other
        case "plus":
            found = one | other
        case "within":
            found = one & other
        case _:
            found = {each for each in one if all(each > x for x in other)}
    return tuple(sorted(found))


class Plain:
    """Walks over an expression with a dictionary of slots."""

    def __init__(self, table: Table) -> None:
        self.store, self.program = table.store, table.program

    def index(
        self, family: str, keys: tuple[ir.Expr, ...], slots: dict[int, Any]
    ) -> int:
        values = [self(key, slots) for key in keys]
        return self.store.layout.index(family, values)

    def present(self, node: ir.Expr, slots: dict[int, Any]) -> Found:
        found = self(node, slots)
        if found is None:
            raise RuleFault(F03, "none")
        return found

    def bound(
        self, binds: tuple[ir.Bind, ...], where: ir.Expr | None, slots: dict[int, Any]
    ) -> Iterator[dict[int, Any]]:
        if not binds:
            if where is None or self(where, slots) is True:
                yield slots
            return
        first, *rest = binds
        members = self.present(first.source, slots)
        if first.how == "subset":
            choices: Any = [(s,) for s in subsets(members, first.low, first.high)]
        else:
            choices = itertools.product(members, repeat=len(first.slots))
        for choice in choices:
            inner = slots | dict(zip(first.slots, choice, strict=True))
            yield from self.bound(tuple(rest), where, inner)

    def __call__(self, node: ir.Expr, slots: dict[int, Any]) -> Found:
        match node:
            case ir.Const(known):
                return known
            case ir.Local(slot):
                return slots[slot]
            case ir.ReadCell(name, keys):
                return self.store.cells[name][self.index(name, keys, slots)]
            case ir.Contents(name, keys):
                return tuple(
                    sorted(self.store.zones[name][self.index(name, keys, slots)])
                )
            case ir.ReadField(subject, _, name):
                item = self(subject, slots)
                return None if item is None else CARD_FIELDS[name][1][item]
            case ir.CallValue(name, args):
                values = [self(arg, slots) for arg in args]
                if None in values:
                    return None
                called = self.program.values[name].definition
                return self(called, dict(enumerate(values, 1)))
            case _:
                return self.further(node, slots)

    def further(self, node: ir.Expr, slots: dict[int, Any]) -> Found:
        match node:
            case ir.Unary("not", operand):
                return self(operand, slots) is not True
            case ir.Unary(op, operand):
                number = self.present(operand, slots)
                return -number if op == "-" else abs(number)
            case ir.Binary(op, left, right):
                a, b = self.present(left, slots), self.present(right, slots)
                if op in OPERATIONS:
                    return OPERATIONS[op](a, b)
                if b == 0:
                    raise RuleFault(F08, "by zero")
                if op == "mod":
                    return a - b * math.floor(a / b)
                return math.ceil(a / b) if op == "/up" else math.floor(a / b)
            case ir.CompareValues("!=", left, right):
                return not self.further(
                    ir.CompareValues("==", left, right, FLAG), slots
                )
            case ir.CompareValues(op, left, right):
                a, b = self(left, slots), self(right, slots)
                return a is not None and b is not None and OPERATIONS[op](a, b)
            case ir.Connective(op, left, right):
                first = self(left, slots) is True
                if first == (op == "or"):
                    return first
                return self(right, slots) is True
            case _:
                return self.sets(node, slots)

    def sets(self, node: ir.Expr, slots: dict[int, Any]) -> Found:
        match node:
            case ir.IsNone(operand):
                return self(operand, slots) is None
            case ir.In(left, right):
                a, b = self(left, slots), self(right, slots)
                return a in b
            case ir.Cases(rows, otherwise):
                for test, row in rows:
                    if self(test, slots) is True:
                        return self(row, slots)
                return self(otherwise, slots)
            case ir.OrElse(wanted, otherwise):
                found = self(wanted, slots)
                return self(otherwise, slots) if found is None else found
            case ir.MakeSet(items):
                values = [self(item, slots) for item in items]
                return tuple(sorted({each for each in values if each is not None}))
            case ir.CombineSets(op, left, right):
                found = self(right, slots)
                other = found if isinstance(found, tuple) else (found,)
                return _combined(op, self(left, slots), other)
            case ir.Size(operand):
                return len(self(operand, slots))
            case ir.FirstOf(operand):
                return next(iter(self(operand, slots)), None)
            case _:
                return self.queries(node, slots)

    def queries(self, node: ir.Expr, slots: dict[int, Any]) -> Found:
        match node:
            case ir.CountOf(binds, where):
                return sum(1 for _ in self.bound(binds, where, slots))
            case ir.Quantifier(kind, binds, where, body):
                found = (self(body, s) is True for s in self.bound(binds, where, slots))
                if kind == "every":
                    return all(found)
                return any(found) is (kind == "some")
            case ir.Aggregate(kind, binds, where, body, empty):
                numbers = [
                    self.present(body, s) for s in self.bound(binds, where, slots)
                ]
                if kind == "sum":
                    return sum(numbers)
                best: Any = max if kind == "highest" else min
                return best(numbers, default=empty)
            case ir.Pick(many, bind, where, direction, keys):
                ranked = [
                    ([self.present(key, s) for key in keys], s[bind.slots[0]])
                    for s in self.bound((bind,), where, slots)
                ]
                ranks = [rank for rank, _ in ranked]
                if ranks:
                    top = max(ranks) if direction == "most" else min(ranks)
                    ranked = [each for each in ranked if each[0] == top]
                if many:
                    return tuple(thing for _, thing in ranked)
                return ranked[0][1] if len(ranked) == 1 else None
            case _:
                raise AssertionError(node)


# ---- random trees: cards in scope are slots; `total` trees cannot fault


class Trees:
    """Draws expressions; `scope` are the slots that hold a card."""

    def __init__(self, draw: st.DrawFn, total: bool) -> None:
        self.draw, self.total, self.next = draw, total, 3

    def yes(self) -> bool:
        return self.draw(st.booleans())

    def choose(self, *options: Found) -> Found:
        return self.draw(st.sampled_from(options))

    def number(self, deep: int, scope: tuple[int, ...]) -> ir.Expr:
        kinds = ["const", "field", "call"]
        if deep:
            kinds += ["binary", "unary", "cases", "size", "count", "fold", "default"]
            kinds += ["cell", "grid"]
        match self.choose(*kinds):
            case "const":
                return const(self.draw(st.integers(-3, 3)))
            case "field":
                return field(self.card(deep and deep - 1, scope), "rank")
            case "call":
                return ir.CallValue("rank", (self.card(0, scope),), Whole(1, 4))
            case "binary":
                operations = ["+", "-", "*", "min", "max"]
                operations += [] if self.total else ["/up", "/down", "mod"]
                left, right = self.number(deep - 1, scope), self.number(deep - 1, scope)
                return ir.Binary(self.choose(*operations), left, right, NUMBER)
            case "unary":
                op = self.choose("-", "abs")
                return ir.Unary(op, self.number(deep - 1, scope), NUMBER)
            case "cases":
                rows = tuple(
                    (self.flag(deep - 1, scope), self.number(deep - 1, scope))
                    for _ in range(self.choose(1, 2))
                )
                return ir.Cases(rows, self.number(deep - 1, scope), NUMBER)
            case "size":
                return ir.Size(self.cards(deep - 1, scope), NUMBER)
            case "count":
                binds, inner = self.binds(deep, scope)
                return ir.CountOf(binds, self.where(deep, inner), NUMBER)
            case "fold":
                binds, inner = self.binds(deep, scope)
                where, body = self.where(deep, inner), self.number(deep - 1, inner)
                kind = self.choose("sum", "highest", "lowest")
                return ir.Aggregate(kind, binds, where, body, -5, NUMBER)
            case "grid":
                keys = (const(self.choose(1, 2, 3)), self.card(0, scope))
                return ir.ReadCell("grid", keys, Whole(0, 9))
            case "cell":
                return ir.ReadCell(
                    "score", (const(self.choose(0, 1, 2), PLAYER),), NUMBER
                )
            case _:
                bonus = field(self.maybe_card(deep - 1, scope), "bonus")
                if not self.total and self.yes():
                    return ir.Unary("-", bonus, NUMBER)
                return ir.OrElse(bonus, self.number(deep - 1, scope), NUMBER)

    def card(self, deep: int, scope: tuple[int, ...]) -> ir.Expr:
        if scope and self.yes():
            return ir.Local(self.choose(*scope), "c", CARD)
        if deep:
            rest = const(self.draw(st.integers(0, 7)), CARD)
            return ir.OrElse(self.maybe_card(deep - 1, scope), rest, CARD)
        return const(self.draw(st.integers(0, 7)), CARD)

    def maybe_card(self, deep: int, scope: tuple[int, ...]) -> ir.Expr:
        match self.choose("const", "first", "pick") if deep > 0 else "const":
            case "const":
                return const(self.draw(st.none() | st.integers(0, 7)), MAYBE_CARD)
            case "first":
                return ir.FirstOf(self.cards(deep - 1, scope), MAYBE_CARD)
            case _:
                return self.pick(deep, scope, many=False)

    def pick(self, deep: int, scope: tuple[int, ...], *, many: bool) -> ir.Expr:
        slot = self.slot()
        bind = self.bind(deep, scope, slot)
        inner = (*scope, slot)
        keys = tuple(self.number(deep - 1, inner) for _ in range(self.choose(0, 1, 2)))
        type_ = CARDS if many else MAYBE_CARD
        where, direction = self.where(deep, inner), self.choose("most", "least")
        return ir.Pick(many, bind, where, direction, keys, type_)

    def cards(self, deep: int, scope: tuple[int, ...]) -> ir.Expr:
        kinds = ["const", "hand", "deck"]
        kinds += ["pick", "make", "combined", "beyond", "with_card"] if deep > 0 else []
        match self.choose(*kinds):
            case "const":
                some = self.draw(st.sets(st.integers(0, 7), max_size=4))
                return const(tuple(sorted(some)), CARDS)
            case "hand":
                seat = const(self.choose(0, 1, 2), PLAYER)
                return ir.Contents("hand", (seat,), CARDS)
            case "deck":
                return ir.Contents("deck", (), CARDS)
            case "pick":
                return self.pick(deep, scope, many=True)
            case "make":
                items = (self.card(0, scope), self.maybe_card(deep - 1, scope))
                return ir.MakeSet(items[: self.choose(1, 2)], CARDS)
            case "combined":
                left, right = self.cards(deep - 1, scope), self.cards(deep - 1, scope)
                return ir.CombineSets(self.choose(*SET_WORDS), left, right, CARDS)
            case "beyond":
                left, right = self.cards(deep - 1, scope), self.card(0, scope)
                return ir.CombineSets("beyond", left, right, CARDS)
            case _:
                left, card = (
                    self.cards(deep - 1, scope),
                    self.maybe_card(deep - 1, scope),
                )
                return ir.CombineSets(self.choose(*SET_WORDS), left, card, CARDS)

    def flag(self, deep: int, scope: tuple[int, ...]) -> ir.Expr:
        kinds = ["const", "compare", "none", "owners", "in"]
        kinds += ["logic", "not", "quantified", "sets"] if deep > 0 else []
        match self.choose(*kinds):
            case "const":
                return const(self.draw(st.booleans()))
            case "compare":
                op = self.choose("==", "!=", ">=", "<=", ">", "<")
                left = field(self.maybe_card(deep - 1, scope), "bonus")
                low = max(deep - 1, 0)
                return ir.CompareValues(op, left, self.number(low, scope), FLAG)
            case "none":
                return ir.IsNone(self.maybe_card(deep - 1, scope), FLAG)
            case "owners":
                op = self.choose("==", "!=")
                card = (self.card(0, scope),)
                mine = ir.CallValue("mine", card, MAYBE_PLAYER)
                owner = ir.ReadCell("owner", (self.card(0, scope),), MAYBE_PLAYER)
                return ir.CompareValues(op, mine, owner, FLAG)
            case "in":
                card_ = self.maybe_card(deep - 1, scope)
                return ir.In(card_, self.cards(deep - 1, scope), FLAG)
            case "logic":
                left_, right_ = self.flag(deep - 1, scope), self.flag(deep - 1, scope)
                return ir.Connective(self.choose("and", "or"), left_, right_, FLAG)
            case "not":
                return ir.Unary("not", self.flag(deep - 1, scope), FLAG)
            case "sets":
                a, b = self.cards(deep - 1, scope), self.cards(deep - 1, scope)
                return ir.CompareValues(self.choose("==", "!="), a, b, FLAG)
            case _:
                binds, inner = self.binds(deep, scope)
                where, body = self.where(deep, inner), self.flag(deep - 1, inner)
                kind = self.choose("some", "every", "no")
                return ir.Quantifier(kind, binds, where, body, FLAG)

    def where(self, deep: int, scope: tuple[int, ...]) -> ir.Expr | None:
        if self.yes():
            return None
        total, self.total = self.total, True  # when it is tested is free
        condition = self.flag(max(deep - 1, 0), scope)
        if self.yes():
            condition = ir.Connective("and", condition, self.flag(0, scope), FLAG)
        self.total = total
        return condition

    def slot(self) -> int:
        self.next += 1
        return self.next

    def bind(self, deep: int, scope: tuple[int, ...], *slots: int) -> ir.Bind:
        total, self.total = self.total, True
        source = self.cards(max(deep - 1, 0), scope)
        self.total = total
        names = tuple(f"c{slot}" for slot in slots)
        return ir.Bind(slots, names, "member", CARD, source, 0, None)

    def binds(
        self, deep: int, scope: tuple[int, ...]
    ) -> tuple[tuple[ir.Bind, ...], tuple[int, ...]]:
        found: list[ir.Bind] = []
        for count in self.choose((1,), (1,), (2,), (1, 1)):
            slots = tuple(self.slot() for _ in range(count))
            found.append(self.bind(deep, scope, *slots))
            scope = (*scope, *slots)
        return tuple(found), scope


@st.composite
def trees(draw: st.DrawFn) -> ir.Expr:
    made = Trees(draw, total=False)
    kind = draw(st.sampled_from(["number", "flag", "cards", "maybe_card"]))
    found: ir.Expr = getattr(made, kind)(3, (1, 2))
    return found


def result(run: Callable[[], Any]) -> Found:
    try:
        return run()
    except RuleFault as fault:
        return fault.code


@settings(max_examples=150)
@given(
    trees(),
    st.integers(0, 7),
    st.integers(0, 7),
    st.lists(st.none() | st.integers(0, 2), min_size=8, max_size=8),
)
def test_compiled_and_plain_agree(
    tree: ir.Expr, x: int, y: int, owners: list[int | None]
) -> None:
    table = Table(RULES)
    for card, owner in enumerate(owners):
        table.store.set_cell("owner", card, owner)
        if owner is None:
            table.put("deck", (), card)
        elif card % 2:
            table.put("hand", (owner,), card)
    table.store.set_cell("score", 1, x)
    table.store.set_cell("grid", 2 * 8 + y, x)
    frame: list[Any] = [None, x, y, *[None] * 60]
    fast = result(lambda: table.evaluator.expr(tree)(table.context, frame))
    again = result(lambda: table.evaluator.expr(tree)(table.context, frame))
    plain = result(lambda: Plain(table)(tree, {1: x, 2: y}))
    assert fast == again == plain
    assert type(fast) is type(plain)
