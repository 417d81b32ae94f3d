"""Small programs built by hand, and short words to build their expressions with.

`program(states=[…], zones=[…], …)` makes a `Program` with no flow; `play()` evaluates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from houserule import ir
from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.state.layout import Layout
from houserule.engine.state.store import Store
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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLAYER = Kind("Player", 3, "seat")
CARD = Kind("Card", 8, "component")
DIE = Kind("Die", 3, "die")
SUIT = Kind("Suit", 2, "enum")
FLAG = Flag()
NUMBER = Whole(-999, 999)
CARDS, DICE, SEATS = Set(CARD), Set(DIE), Set(PLAYER)
LABELS = {
    "Player": ("ann", "bea", "cem"),
    "Card": ("c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"),
    "Die": ("red", "green", "blue"),
    "Suit": ("suns", "moons"),
}
CARD_FIELDS: dict[str, tuple[Type, tuple[Data, ...]]] = {
    "rank": (Whole(1, 4), (1, 2, 3, 4, 1, 2, 3, 4)),
    "suit": (SUIT, (0, 0, 0, 0, 1, 1, 1, 1)),
    "bonus": (Maybe(Whole(0, 9)), (None, 5, None, 2, 0, None, None, 9)),
}


def const(value: Data, type_: Type | None = None) -> ir.Const:
    """A constant: of a given type, or a flag, a number, nothing."""
    if type_ is None and isinstance(value, bool):
        type_ = FLAG
    if type_ is None:
        type_ = Whole(value, value) if isinstance(value, int) else Maybe(NUMBER)
    return ir.Const(value, type_)


NONE = const(None, Maybe(NUMBER))
YES, NO = const(True), const(False)
ALL_CARDS = const(tuple(range(CARD.size)), CARDS)
ALL_DICE = const(tuple(range(DIE.size)), DICE)
ALL_SEATS = const(tuple(range(PLAYER.size)), SEATS)


def local(slot: int, type_: Type = CARD) -> ir.Local:
    return ir.Local(slot, f"x{slot}", type_)


def cell(state: str, *keys: ir.Expr, type: Type = NUMBER) -> ir.ReadCell:
    return ir.ReadCell(state, keys, type)


def field(subject: ir.Expr, name: str) -> ir.ReadField:
    type_ = CARD_FIELDS[name][0]
    if isinstance(subject.type, Maybe) and not isinstance(type_, Maybe):
        assert not isinstance(type_, Position)
        type_ = Maybe(type_)
    return ir.ReadField(subject, CARD, name, type_)


def face(die: ir.Expr) -> ir.ReadFace:
    return ir.ReadFace(die, DIE, Whole(1, 6))


def contents(zone: str, *keys: ir.Expr) -> ir.Contents:
    return ir.Contents(zone, keys, CARDS)


def call(value: str, *args: ir.Expr, type: Type = NUMBER) -> ir.CallValue:
    return ir.CallValue(value, args, type)


def negative(operand: ir.Expr) -> ir.Unary:
    return ir.Unary("-", operand, NUMBER)


def no(operand: ir.Expr) -> ir.Unary:
    return ir.Unary("not", operand, FLAG)


def binary(
    left: ir.Expr,
    op: Literal["+", "-", "*", "/up", "/down", "mod", "min", "max"],
    right: ir.Expr,
) -> ir.Binary:
    return ir.Binary(op, left, right, NUMBER)


def compare(
    left: ir.Expr, op: Literal["==", "!=", ">=", "<=", ">", "<"], right: ir.Expr
) -> ir.CompareValues:
    return ir.CompareValues(op, left, right, FLAG)


def both(left: ir.Expr, right: ir.Expr) -> ir.Connective:
    return ir.Connective("and", left, right, FLAG)


def either(left: ir.Expr, right: ir.Expr) -> ir.Connective:
    return ir.Connective("or", left, right, FLAG)


def inside(left: ir.Expr, right: ir.Expr) -> ir.In:
    return ir.In(left, right, FLAG)


def bind(
    source: ir.Expr,
    *slots: int,
    how: Literal["member", "subset"] = "member",
    low: int = 0,
    high: int | None = None,
) -> ir.Bind:
    """A binder over a set; its slots are 1 without any given."""
    slots = slots or (1,)
    assert isinstance(source.type, Set)
    type_ = source.type if how == "subset" else source.type.member
    names = tuple(f"x{slot}" for slot in slots)
    return ir.Bind(slots, names, how, type_, source, low, high)


def state(
    name: str,
    type_: Type,
    *keys: tuple[str, Type],
    first: Data = 0,
    seen: ir.Expr | None = None,
) -> ir.StateDef:
    params = tuple(ir.Param(*key) for key in keys)
    return ir.StateDef(name, params, type_, "", const(first, type_), False, seen)


def zone(
    name: str,
    kind: Literal["set", "pile", "slot"],
    *keys: tuple[str, Type],
    member: Kind = CARD,
    at_most: int | None = None,
    showing: tuple[str, ...] = (),
    seen: ir.Expr | None = None,
) -> ir.ZoneDef:
    params = tuple(ir.Param(*key) for key in keys)
    return ir.ZoneDef(name, params, kind, member, at_most, showing, None, seen)


def value(
    name: str,
    type_: Type,
    definition: ir.Expr,
    *params: tuple[str, Type],
    layers: Sequence[ir.LayerDef] = (),
    lifts: Sequence[tuple[str, ir.Expr]] = (),
    frame: int = 8,
) -> ir.ValueDef:
    return ir.ValueDef(
        name,
        tuple(ir.Param(*param) for param in params),
        type_,
        definition,
        tuple(layers),
        tuple(lifts),
        frame,
    )


def layer(
    op: Literal["times", "plus", "at least", "at most"], *adjusts: ir.Expr
) -> ir.LayerDef:
    named = tuple((f"adjust{number}", each) for number, each in enumerate(adjusts))
    return ir.LayerDef(op, op, named)


MARKERS = ir.TokensDef(
    "marker",
    (ir.Param("p", PLAYER),),
    10,
    {
        "supply": (ir.Param("p", PLAYER),),
        "markers": (ir.Param("c", CARD), ir.Param("p", PLAYER)),
    },
    {"supply": (0,), "markers": (1,)},
)
CARD_DEF = ir.ComponentDef(CARD, LABELS["Card"], CARD_FIELDS)
ROOT = ir.PhaseDef("", "", None, "", False, False, None, None, None, (), {}, (), ())


def die_def(seen: ir.Expr | None = None) -> ir.ComponentDef:
    return ir.ComponentDef(DIE, LABELS["Die"], {}, (1, 2, 3, 4, 5, 6), seen)


def program(
    *,
    states: Sequence[ir.StateDef] = (),
    zones: Sequence[ir.ZoneDef] = (),
    tokens: Sequence[ir.TokensDef] = (),
    values: Sequence[ir.ValueDef] = (),
    effects: Sequence[ir.EffectDef] = (),
    always: Sequence[ir.Condition] = (),
    dice: ir.ComponentDef | None = None,
    components: Mapping[str, ir.ComponentDef] | None = None,
) -> ir.Program:
    """A program of three seats, eight cards and three dice, without flow."""
    return ir.Program(
        game="small",
        title="Small",
        seats=3,
        variants=(),
        options={},
        kinds={kind.name: kind for kind in (PLAYER, CARD, DIE, SUIT)},
        labels=LABELS,
        components=components or {"Card": CARD_DEF, "Die": dice or die_def()},
        states={each.name: each for each in states},
        zones={each.name: each for each in zones},
        tokens={each.name: each for each in tokens},
        values={each.name: each for each in values},
        effects={each.name: each for each in effects},
        actions={},
        steps={},
        phases={},
        root=ROOT,
        reactions={},
        always=tuple(always),
        asserts=(),
        winners=const((), SEATS),
        winning_keys=(),
        winning_direction="most",
        winners_slot=1,
        clauses={},
    )


class Table:
    """A program with its layout, store and evaluator, ready to ask."""

    def __init__(self, rules: ir.Program) -> None:
        self.program = rules
        self.layout = Layout(rules)
        self.evaluator = Evaluator(rules, self.layout)
        self.store = Store.fresh(self.layout)
        self.context = GameContext(self.store)

    def ask(self, node: ir.Expr, *slots: Data, me: int | None = None) -> Data:
        """Evaluate an expression with `slots` in slots 1…."""
        frame: list[Data] = [me, *slots, *[None] * 10]
        return self.evaluator.expr(node)(self.context, frame)

    def put(self, zone: str, keys: Sequence[Data], *things: int) -> None:
        """Put things on top of a zone, one after the other."""
        index = self.layout.index(zone, keys)
        for thing in things:
            self.store.place(self.layout.members[zone], thing, zone, index, 0)
