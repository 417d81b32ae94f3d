"""What becomes of a text: details of programs that people and engines rely on."""

from __future__ import annotations

from math import comb

import pytest
from tests.support.ir.verify import verify
from tests.support.lower_cases import BASE, checked

from houserule import ir
from houserule.base.limits import AS_QUICK, limit
from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table
from houserule.ir.types import Maybe, Whole


def program(*lines: str) -> ir.Program:
    found, faults = checked("\n".join(["# extra", *lines, ""]))
    assert found is not None, "\n".join(
        f"{each.span} {each.message}" for each in faults
    )
    assert verify(found) == []
    return found


def test_products_are_labelled_by_their_parts() -> None:
    found = program(
        "dice Stick for each owner: Player, nr: 1..2 showing 1, 2, 5 "
        "seen only by owner",
        "component Tile for each colour: Colour, fast_one: yes or no",
    )
    assert found.labels["Stick"] == ("p1-1", "p1-2", "p2-1", "p2-2")
    assert found.labels["Tile"][:3] == ("amber-no", "amber-yes", "jade-no")
    assert found.components["Stick"].faces == (1, 2, 5)
    assert found.components["Tile"].fields["fast_one"][1][:2] == (False, True)
    assert isinstance(found.components["Stick"].seen, ir.MakeSet)


def test_piles_are_hidden_and_all_else_is_seen() -> None:
    found = program("zone open_pile: pile of Card seen by everyone")
    assert found.zones["deck"].seen is not None
    assert found.zones["open_pile"].seen is None
    assert found.zones["table"].seen is None
    assert isinstance(found.zones["hand"].seen, ir.MakeSet)


def test_a_whole_zone_is_moved_in_its_order() -> None:
    found = program(
        "effect sweep(p: Player)",
        "  does a: move table to deck",
        "  does b: move hand(p) but top_card to deck",
        "value top_card: Card or none = top of deck",
    )
    whole, some = (body.block[0] for body in found.effects["sweep"].does)
    assert isinstance(whole, ir.MoveTop)
    assert whole.count is None
    assert isinstance(some, ir.MoveThings)


def test_highest_of_nothing_is_the_least_of_the_declared_type() -> None:
    found = program(
        "value a: 0..6 = highest of d.face for d in Die where d is in cup",
        "value b: 1..6 = (highest of d.face for d in cup) + 0",
    )
    fold = found.values["a"].definition
    assert isinstance(fold, ir.Aggregate)
    assert (fold.empty, fold.type) == (0, Whole(0, 6))
    inner = found.values["b"].definition
    assert isinstance(inner, ir.Binary)
    assert isinstance(inner.left, ir.Aggregate)
    assert inner.left.empty == 1


@pytest.mark.parametrize(
    ("counted", "most"),
    [
        ("lot 2 of Tile", comb(52, 2)),
        ("lot 3..4 of Tile", comb(52, 3) + comb(52, 4)),
        ("lot 2 of pit", comb(6, 2)),
        ("lot part of pit", 2**6 - 1),
        ("lot part of Tile", limit("work") * AS_QUICK),
    ],
)
def test_parts_are_as_many_as_there_can_be(counted: str, most: int) -> None:
    """No bound is below what can be counted, and none above what can be looked at."""
    found = program(
        "component Tile for each nr: 1..13, copy: 1..4",
        "zone pit: set of Tile at most 6",
        f"value a: 0..99 = count of {counted}",
    )
    definition = found.values["a"].definition
    assert isinstance(definition, ir.CountOf)
    assert definition.type == Whole(0, most)


def test_options_are_constants() -> None:
    found = program("value a: 0..99 = hand_size + 1")
    definition = found.values["a"].definition
    assert isinstance(definition, ir.Const)
    assert definition.value == 6
    assert found.zones["hand"].at_most == 5
    assert found.options == {"hand_size": 5, "fast": False}


def test_operations_on_constants_are_constants() -> None:
    found = program(
        "value a: 0..99 = min(hand_size, 3) + abs(-2) + 7 mod 4 - 9 / 2 rounded up",
        "state b: 0..9 starts as max(2, hand_size) seen only by leader",
        "zone pit: set of Card at most max(2, 3)",
    )
    for constant, value in (
        (found.values["a"].definition, 3),
        (found.states["b"].first, 5),
    ):
        assert isinstance(constant, ir.Const)
        assert constant.value == value
    assert found.zones["pit"].at_most == 3


def test_calls_on_none_give_none() -> None:
    found = program(
        "value rich(p: Player): yes or no = score(p) at least 9",
        "value a: yes or no = (rich(leader) else no)",
    )
    default = found.values["a"].definition
    assert isinstance(default, ir.OrElse)
    assert isinstance(default.value.type, Maybe)


def test_conditions_come_from_the_action_its_step_and_its_payments() -> None:
    found = program(
        "needs playing.awake: score(me) less than 90",
        "effect spend(lot: set of Card)",
        "  needs small: (sum of c.worth for c in lot) at most 9",
        "  does away: give(lot)",
        "effect give(lot: set of Card)",
        "  needs few: size(lot) at most 3",
        "  does away: move lot to table",
        "action swap(first_one in hand(me)) during playing",
        "  cost cards(lot part of hand(me)): spend(lot)",
        "  cost other: spend({first_one})",
        "  needs own: first_one is not in lot",
        "or spend.small.many: size(lot) at least 2",
    )
    swap = found.actions["swap"]
    assert [each.address for each in swap.conditions] == [
        "swap.own",
        "playing.awake",
        "spend.small",
        "give.few",
        "spend.small",
        "give.few",
    ]
    assert swap.conditions[2].lifts[0][0] == "spend.small.many"
    slots = [
        each.test.left.binds[0].slots
        for each in swap.conditions
        if isinstance(each.test, ir.CompareValues)
        and isinstance(each.test.left, ir.Aggregate)
    ]
    assert len(set(slots)) == 2
    first, second = (cost.payments for cost in swap.costs)
    assert isinstance(first[0], ir.PayThings)
    assert isinstance(first[0].what, ir.Local)
    assert isinstance(second[0], ir.PayThings)
    assert isinstance(second[0].what, ir.MakeSet)


def test_hooks_stand_by_name_and_see_all_factors() -> None:
    found = program(
        "action swap(c in hand(me)) during playing",
        "  cost other(d, e in table): move c to table",
        "  does nothing: score(me) gains 1",
        "reaction zeta after swap.nothing(x, y, z)",
        "  does a: marked(x) becomes yes",
        "reaction alpha after swap.nothing",
        "  does a: marked(e) becomes no",
        "  needs b: fast",
    )
    assert found.actions["swap"].does[0].after == ("alpha", "zeta")
    assert [each.name for each in found.reactions["zeta"].params] == ["x", "y", "z"]
    assert [each.name for each in found.reactions["alpha"].params] == ["c", "d", "e"]
    slots = [
        slot
        for bind in (
            *found.actions["swap"].params,
            *found.actions["swap"].costs[0].binds,
        )
        for slot in bind.slots
    ]
    assert slots == [1, 2, 3]


def test_computed_first_values() -> None:
    found = program(
        "state twice(n: Face): 0..12 starts as 2 * n",
        "state early(c: Card): 0..9 each turn starts as c.worth",
        "state rich: 0..999 each turn starts as wealth(me)",
    )
    computed = {name for name, state in found.states.items() if state.computed}
    assert computed == {"early", "rich", "held"}


def test_the_order_without_released_pairs() -> None:
    found = program(
        "step turn.paying: any number",
        "step turn.ending: any number",
        "action nod during paying",
        "  cost try: tries loses 1",
        "action shake during ending",
        "  cost try: tries loses 1",
        "order playing then paying then ending",
    )
    turn = found.phases["turn"]
    assert turn.items == ("dealing", "ending", "paying", "playing")
    assert turn.before["ending"] == ("dealing", "paying", "playing")
    assert turn.actions == ()
    assert found.steps["playing"].actions == ("play", "stop")


def test_winning_keys() -> None:
    found = program()
    assert found.winners_slot == 1
    (key,) = found.winning_keys
    assert isinstance(key, ir.ReadCell)
    assert key.keys == (ir.Local(1, "p", found.kinds["Player"]),)


def test_decisions_of_a_clause_are_numbered() -> None:
    found = program(
        "effect swap(p: Player)",
        "  does both:",
        "    may choose c in hand(p) by p: move c to table",
        "    may choose c in table by p: move c to hand(p)",
    )
    block = found.effects["swap"].does[0].block
    sites = [each.site for each in block if isinstance(each, ir.ChooseOption)]
    assert sites == ["swap.both", "swap.both.2"]


def test_clauses_tell_what_was_written() -> None:
    found = program(
        'needs play.small "Only small cards": c.worth at most 5  ["Play" 3..4]',
        "add to wealth.gifts(p) called present: 1",
    )
    small = found.clauses["play.small"]
    assert (small.text, small.caption) == ("c.worth at most 5", "Only small cards")
    assert (small.origin, small.cites) == ("extra", ('"Play" 3..4',))
    assert found.clauses["present"].text == "1"
    assert found.clauses["wealth"].text == "score(p) + bank(p)"
    assert found.clauses["play.card"].text == "move c to table"


def test_each_table_has_its_own_seats() -> None:
    for players in (2, 3, 4):
        found = with_players(players)
        assert found.seats == players
        assert len(found.labels["Player"]) == players
        assert verify(found) == []


def with_players(players: int) -> ir.Program:
    from tests.support.lower_cases import ROWS
    from tests.support.rulesets import ruleset_from_texts

    ruleset = ruleset_from_texts({"base.rules": BASE}, ROWS)
    table, _ = choose_table(ruleset, players=players)
    assert table is not None
    rules, _ = compose(ruleset, table)
    assert rules is not None
    found, faults = check_rules(rules)
    assert found is not None, faults
    return found
