"""Each kind of expression means what the core says it means."""

from __future__ import annotations

from typing import Literal

import pytest
from tests.support.programs import (
    ALL_DICE,
    CARD,
    CARDS,
    DICE,
    DIE,
    FLAG,
    MARKERS,
    NO,
    NONE,
    NUMBER,
    PLAYER,
    SEATS,
    YES,
    Table,
    binary,
    both,
    cell,
    compare,
    const,
    contents,
    either,
    face,
    field,
    inside,
    local,
    negative,
    no,
    program,
    state,
    zone,
)

from houserule import ir
from houserule.base.source import Span
from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.state.faults import RuleFault
from houserule.ir.types import (
    Data,
    Maybe,
    Position,
    Set,
    Type,
    Whole,
)

HERE = Span.at("small.rules", 7, 3, 5)
MAYBE_CARD = Maybe(CARD)


@pytest.fixture
def table() -> Table:
    found = Table(
        program(
            states=[
                state("score", Whole(0, 99), ("p", PLAYER)),
                state("worth", Whole(0, 9), ("n", Whole(2, 5)), ("c", CARD)),
                state("best", MAYBE_CARD, first=None),
                state("used", FLAG, ("of", Set(DIE)), first=False),
                state("open", FLAG, ("f", FLAG), first=False),
            ],
            zones=[
                zone("deck", "pile"),
                zone("hand", "set", ("p", PLAYER)),
                zone("slot", "slot", ("n", Whole(1, 3))),
            ],
            tokens=[MARKERS],
        )
    )
    found.put("deck", (), 4, 1, 6)
    found.put("hand", (1,), 7, 2)
    return found


def fault(table: Table, node: ir.Expr, *slots: Data) -> RuleFault:
    with pytest.raises(RuleFault) as caught:
        table.ask(node, *slots)
    return caught.value


@pytest.mark.parametrize(
    ("op", "a", "b", "result"),
    [
        ("+", 3, 4, 7),
        ("-", 3, 4, -1),
        ("*", -3, 4, -12),
        ("/down", 7, 2, 3),
        ("/down", -7, 2, -4),
        ("/up", 7, 2, 4),
        ("/up", -7, 2, -3),
        ("/up", 6, 2, 3),
        ("mod", 7, 3, 1),
        ("mod", -7, 3, 2),
        ("min", 2, 1, 1),
        ("max", 2, 1, 2),
    ],
)
def test_arithmetic(
    table: Table,
    op: Literal["+", "-", "*", "/up", "/down", "mod", "min", "max"],
    a: int,
    b: int,
    result: int,
) -> None:
    assert table.ask(binary(const(a), op, const(b))) == result
    assert table.ask(binary(local(1, NUMBER), op, local(2, NUMBER)), a, b) == result


def test_unary(table: Table) -> None:
    assert table.ask(negative(const(3))) == -3
    assert table.ask(ir.Unary("abs", const(-3), NUMBER)) == 3
    assert table.ask(no(YES)) is False
    assert table.ask(no(local(1, Maybe(FLAG))), None) is True


@pytest.mark.parametrize("op", ["/up", "/down", "mod"])
def test_division_by_zero(table: Table, op: Literal["/up", "/down", "mod"]) -> None:
    node = ir.Binary(op, const(3), const(0), NUMBER, span=HERE)
    found = fault(table, node)
    assert (found.code, found.span) == ("F08", HERE)


def test_none_where_a_number_is_wanted(table: Table) -> None:
    nothing = ir.Local(1, "x", Maybe(NUMBER), span=HERE)
    for node in (
        binary(nothing, "+", const(1)),
        binary(const(1), "max", nothing),
        negative(nothing),
        ir.Size(ir.Local(1, "s", Maybe(CARDS), span=HERE), NUMBER),
        ir.MakeRange(const(1), nothing, Set(Whole(0, 9))),
    ):
        found = fault(table, node, None)
        assert (found.code, found.span) == ("F03", HERE), node


OPS: list[Literal["==", "!=", ">=", "<=", ">", "<"]] = [
    "==",
    "!=",
    ">=",
    "<=",
    ">",
    "<",
]


@pytest.mark.parametrize("op", OPS)
def test_comparison(
    table: Table, op: Literal["==", "!=", ">=", "<=", ">", "<"]
) -> None:
    number, optional = local(1, NUMBER), local(1, Maybe(NUMBER))
    for a in range(3):
        expected = eval(f"{a} {op} 1")
        assert table.ask(compare(number, op, const(1)), a) is expected
        assert table.ask(compare(optional, op, const(1)), a) is expected
        other = local(2, Maybe(NUMBER))
        assert table.ask(compare(optional, op, other), a, 1) is expected


@pytest.mark.parametrize("op", OPS)
def test_comparison_with_none_is_false_and_its_negation_true(
    table: Table, op: Literal["==", "!=", ">=", "<=", ">", "<"]
) -> None:
    one, two = local(1, Maybe(NUMBER)), local(2, Maybe(NUMBER))
    for a, b in ((None, 1), (1, None), (None, None)):
        assert table.ask(compare(one, op, two), a, b) is (op == "!=")
    assert table.ask(compare(one, op, const(1)), None) is (op == "!=")
    assert table.ask(compare(one, op, NONE), None) is (op == "!=")


def test_is_none(table: Table) -> None:
    node = ir.IsNone(local(1, MAYBE_CARD), FLAG)
    assert table.ask(node, None) is True
    assert table.ask(node, 0) is False


def test_sets_are_compared_as_a_whole(table: Table) -> None:
    a, b = local(1, CARDS), local(2, CARDS)
    assert table.ask(compare(a, "==", b), (1, 2), (1, 2)) is True
    assert table.ask(compare(a, "!=", b), (1, 2), (1,)) is True
    assert table.ask(compare(a, "==", const((), CARDS)), ()) is True


def test_membership(table: Table) -> None:
    x, many = local(1, MAYBE_CARD), local(2, CARDS)
    assert table.ask(inside(x, many), 2, (1, 2)) is True
    assert table.ask(inside(x, many), None, (1, 2)) is False
    assert table.ask(inside(x, const((1, 2), CARDS)), None) is False
    assert table.ask(inside(x, const((1, 2), CARDS)), 1) is True
    assert table.ask(inside(x, local(2, Maybe(CARDS))), 1, None) is False
    assert table.ask(inside(x, contents("deck")), 4) is True
    assert table.ask(inside(x, contents("hand", const(1, PLAYER))), 4) is False
    between = ir.MakeRange(const(2), local(2, NUMBER), Set(Whole(2, 9)))
    assert [
        table.ask(inside(local(1, Maybe(NUMBER)), between), n, 4)
        for n in (
            1,
            2,
            4,
            5,
            None,
        )
    ] == [False, True, True, False, False]


def test_logic_leaves_out_what_does_not_matter(table: Table) -> None:
    wrong = compare(binary(const(1), "mod", const(0)), "==", const(1))
    truth, lie = local(1, FLAG), local(2, FLAG)
    assert table.ask(both(lie, wrong), True, False) is False
    assert table.ask(either(truth, wrong), True, False) is True
    assert table.ask(both(NO, wrong)) is False
    assert table.ask(either(YES, wrong)) is True
    assert fault(table, both(truth, wrong), True).code == "F08"
    assert fault(table, both(YES, wrong)).code == "F08"
    assert table.ask(both(YES, truth), False) is False
    maybe = local(1, Maybe(FLAG))
    assert table.ask(either(maybe, NO), None) is False


def test_rows_take_the_first_that_holds(table: Table) -> None:
    wrong = binary(const(1), "mod", const(0))
    number = local(1, NUMBER)
    rows = (
        (compare(number, "<", const(3)), const(10)),
        (compare(number, "<", const(6)), const(20)),
    )
    node = ir.Cases(rows, wrong, NUMBER)
    assert table.ask(node, 2) == 10
    assert table.ask(node, 5) == 20
    assert fault(table, node, 7).code == "F08"
    fixed = ir.Cases(((NO, wrong), (YES, const(3)), rows[0]), wrong, NUMBER)
    assert table.ask(fixed) == 3
    assert table.ask(ir.Cases(rows[:1], const(0), NUMBER), 9) == 0


def test_default(table: Table) -> None:
    node = ir.OrElse(local(1, Maybe(NUMBER)), const(7), NUMBER)
    assert table.ask(node, None) == 7
    assert table.ask(node, 0) == 0


# ---- reading


def test_cells_by_their_keys(table: Table) -> None:
    table.store.set_cell("score", 2, 5)
    assert table.ask(cell("score", local(1, PLAYER)), 2) == 5
    assert table.ask(cell("score", const(2, PLAYER))) == 5
    assert table.ask(cell("score", local(0, PLAYER)), me=2) == 5
    table.store.set_cell("worth", table.layout.index("worth", (3, 6)), 4)
    node = cell("worth", local(1, NUMBER), local(2, CARD))
    assert table.ask(node, 3, 6) == 4
    assert table.ask(node, 3, 5) == 0
    table.store.set_cell("best", 0, 3)
    assert table.ask(cell("best", type=MAYBE_CARD)) == 3
    table.store.set_cell("used", 0b101, True)
    assert table.ask(cell("used", local(1, DICE), type=FLAG), (0, 2)) is True
    table.store.set_cell("open", 1, True)
    assert table.ask(cell("open", local(1, FLAG), type=FLAG), True) is True


@pytest.mark.parametrize("key", [1, 6])
def test_a_key_out_of_range(table: Table, key: int) -> None:
    node = ir.ReadCell("worth", (local(1, NUMBER), const(0, CARD)), NUMBER, span=HERE)
    assert fault(table, node, key).code == "F01"
    assert fault(table, node, key).span == HERE
    fixed = ir.ReadCell("worth", (const(key), const(0, CARD)), NUMBER, span=HERE)
    assert fault(table, fixed).span == HERE
    single = ir.Contents("slot", (local(1, NUMBER),), CARDS, span=HERE)
    assert fault(table, single, 0).code == "F01"


def test_nobody_acts(table: Table) -> None:
    me = ir.Local(0, "me", PLAYER, span=HERE)
    assert (fault(table, me).code, fault(table, me).span) == ("F06", HERE)
    assert table.ask(ir.Local(0, "me", Maybe(PLAYER))) is None
    assert fault(table, cell("score", me)).code == "F06"


def test_fields_and_faces_of_none_are_none(table: Table) -> None:
    assert table.ask(field(local(1), "rank"), 2) == 3
    assert table.ask(field(local(1, MAYBE_CARD), "rank"), None) is None
    assert table.ask(field(local(1, MAYBE_CARD), "bonus"), 1) == 5
    table.store.set_face("Die", 1, 6)
    assert table.ask(face(local(1, DIE)), 1) == 6
    assert table.ask(face(local(1, Maybe(DIE))), None) is None
    assert table.ask(face(local(1, Maybe(DIE))), 1) == 6


def test_zones(table: Table) -> None:
    assert table.ask(contents("deck")) == (1, 4, 6)
    assert table.ask(contents("hand", const(1, PLAYER))) == (2, 7)
    assert table.ask(ir.ZoneSize("deck", (), NUMBER)) == 3
    assert table.ask(ir.Size(contents("deck"), NUMBER)) == 3
    assert table.ask(ir.Size(contents("hand", local(1, PLAYER)), NUMBER), 1) == 2


def test_the_ends_of_a_pile(table: Table) -> None:
    def top(end: Literal["top", "bottom"], deep: int | None = None) -> Data:
        index = None if deep is None else const(deep)
        return table.ask(ir.PileTop("deck", (), end, index, MAYBE_CARD))

    assert [top("top"), top("bottom")] == [6, 4]
    assert [top("top", n) for n in range(-1, 4)] == [None, 6, 1, 4, None]
    assert [top("bottom", n) for n in range(4)] == [4, 1, 6, None]
    for thing in (4, 1, 6):
        table.put("hand", (0,), thing)
    assert top("top") is None


def test_positions(table: Table) -> None:
    node = ir.PositionOf("hand", (local(1, PLAYER),), "bottom", Position(CARD))
    place, end = table.ask(node, 2) or (0, 0)  # type: ignore[misc]  # a position
    assert table.layout.zone_at(place) == ("hand", 2)
    assert end == 1


def test_tokens(table: Table) -> None:
    table.store.move_tokens("supply", 1, "markers", 5 * 3 + 1, 4)
    node = ir.TokenCount("markers", (local(1, CARD), local(2, PLAYER)), NUMBER)
    assert table.ask(node, 5, 1) == 4
    assert table.ask(node, 1, 1) == 0
    assert table.ask(ir.TokenCount("supply", (const(1, PLAYER),), NUMBER)) == 6


def test_what_is_under_way(table: Table) -> None:
    class Moving(GameContext):
        def can(self, step: str) -> bool:
            return step == "moving"

    table.context = Moving(table.store)
    table.context.doing = 3
    table.context.phase_items["round"] = 2
    assert table.ask(ir.Doing(Maybe(CARD))) == 3
    assert table.ask(ir.PhaseVar("round", "lap", NUMBER)) == 2
    assert table.ask(ir.Can("moving", FLAG)) is True
    assert table.ask(ir.Can("placing", FLAG)) is False
    assert fault(table, ir.PhaseVar("turn", "x", NUMBER)).code == "F03"
    assert GameContext(table.store).can("moving") is False


# ---- sets


def test_making_sets(table: Table) -> None:
    node = ir.MakeSet((local(1), local(2, MAYBE_CARD), local(3)), CARDS)
    assert table.ask(node, 5, None, 5) == (5,)
    assert table.ask(node, 5, 1, 3) == (1, 3, 5)
    assert table.ask(ir.MakeSet((), CARDS)) == ()
    assert table.ask(ir.MakeSet((local(1, MAYBE_CARD),), CARDS), None) == ()
    numbers = ir.MakeRange(local(1, NUMBER), local(2, NUMBER), Set(Whole(0, 9)))
    assert table.ask(numbers, 2, 4) == (2, 3, 4)
    assert table.ask(numbers, 4, 2) == ()


def test_taking_away(table: Table) -> None:
    def but(right: Type) -> ir.CombineSets:
        return ir.CombineSets("but", local(1, CARDS), local(2, right), CARDS)

    assert table.ask(but(CARD), (1, 2, 3), 2) == (1, 3)
    assert table.ask(but(CARD), (1, 3), 2) == (1, 3)
    assert table.ask(but(CARDS), (1, 2, 3), (1, 3)) == (2,)
    assert table.ask(but(MAYBE_CARD), (1, 2), None) == (1, 2)


def test_putting_together(table: Table) -> None:
    def ask(op: str, right: Type, *values: Data) -> Data:
        node = ir.CombineSets(op, local(1, CARDS), local(2, right), CARDS)  # type: ignore[arg-type]  # one of four
        return table.ask(node, *values)

    assert ask("plus", CARD, (1, 3), 2) == (1, 2, 3)
    assert ask("plus", CARDS, (1, 3), (0, 3)) == (0, 1, 3)
    assert ask("plus", MAYBE_CARD, (1, 2), None) == (1, 2)
    assert ask("within", CARDS, (1, 2, 3), (0, 1, 3)) == (1, 3)
    assert ask("within", CARD, (1, 2), 2) == (2,)
    assert ask("within", MAYBE_CARD, (1, 2), None) == ()
    assert ask("beyond", CARD, (1, 2, 4), 2) == (4,)
    assert ask("beyond", CARD, (1, 2, 4), 4) == ()


def test_measuring(table: Table) -> None:
    many = local(1, CARDS)
    assert table.ask(ir.Size(many, NUMBER), (3, 4)) == 2
    assert table.ask(ir.FirstOf(many, MAYBE_CARD), (3, 4)) == 3
    assert table.ask(ir.FirstOf(many, MAYBE_CARD), ()) is None


@pytest.mark.parametrize(
    ("faces", "equal", "different"),
    [((2, 2, 2), True, False), ((2, 3, 2), False, False), ((1, 2, 3), False, True)],
)
def test_dice(
    table: Table, faces: tuple[int, ...], equal: bool, different: bool
) -> None:
    for die, shown in enumerate(faces):
        table.store.set_face("Die", die, shown)
    read = face(local(2, DIE))
    assert table.ask(ir.DiceTest("equal", ALL_DICE, 2, read, FLAG)) is equal
    assert table.ask(ir.DiceTest("different", ALL_DICE, 2, read, FLAG)) is different
    few = local(1, DICE)
    for dice in ((), (1,)):
        for what in ("equal", "different"):
            node = ir.DiceTest(what, few, 2, read, FLAG)
            assert table.ask(node, dice) is True


def test_seats_go_round(table: Table) -> None:
    start, lap = local(1, PLAYER), local(2, NUMBER)
    assert table.ask(ir.Seats("clockwise", start, None, SEATS), 1) == (1, 2, 0)
    assert table.ask(ir.Seats("reversed", start, None, SEATS), 1) == (1, 0, 2)
    snake = ir.Seats("snaking", start, lap, SEATS)
    assert table.ask(snake, 1, 1) == (1, 2, 0)
    assert table.ask(snake, 1, 2) == (0, 2, 1)
    nobody = ir.Seats("clockwise", local(1, Maybe(PLAYER)), None, SEATS)
    assert fault(table, nobody, None).code == "F03"


def test_reaching_goes_only_through_what_satisfies(table: Table) -> None:
    # neighbours: the next two cards
    after = ir.MakeRange(
        binary(local(2, NUMBER), "+", const(1)),
        binary(binary(local(2, NUMBER), "+", const(2)), "min", const(7)),
        CARDS,
    )
    rank = compare(field(local(2), "rank"), "!=", const(3))
    node = ir.ReachedCells(local(1, CARDS), 2, after, rank, CARDS)
    assert table.ask(node, (3,)) == (3, 4, 5, 7)
    assert table.ask(node, (2,)) == ()
    assert table.ask(ir.ReachedCells(local(1, CARDS), 2, after, None, CARDS), (5,)) == (
        5,
        6,
        7,
    )
    assert table.ask(ir.ReachedCells(local(1, CARDS), 2, after, None, CARDS), ()) == ()
