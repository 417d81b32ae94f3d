"""What the merge laws make of the clauses they meet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import ANY

import pytest
from tests.support.rulesets import ruleset_from_folder, ruleset_from_texts

from houserule.compiler.compose.compose import compose
from houserule.compiler.family.check import check_family
from houserule.compiler.merge.order import closed
from houserule.compiler.rules import ChosenTable, Rules
from houserule.compiler.tables.choose import choose_table
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.language.manifest.ruleset import LoadedRuleset, Plain

RACE = Path(__file__).parents[1] / "cases" / "compose" / "race"
TABLES: dict[str, list[dict[str, Plain]]] = {
    "cards.yaml": [{"id": "a", "kind": "plain", "worth": 3}, {"id": "b"}],
    "doubles.yaml": [{"id": "aa", "partner": "a"}],
}


@pytest.fixture(scope="module")
def race() -> LoadedRuleset:
    return ruleset_from_folder(RACE, TABLES)


def composed(ruleset: LoadedRuleset, *variants: str, **settings: Plain) -> Rules:
    table, found = choose_table(ruleset, with_=variants, settings=settings)
    assert table is not None, found
    rules, found = compose(ruleset, table)
    assert rules is not None, found
    return rules


def with_units(text: str, *variants: str) -> Rules:
    """Compose the race with some units more."""
    files = {p.name: p.read_text("utf-8") for p in RACE.rglob("*.rules")}
    return composed(ruleset_from_texts(files | {"more.rules": text}), *variants)


def clause(rules: Rules, action: str, name: str) -> tree.Clause:
    clauses = rules.actions[action].clauses
    return clauses[names_of(rules, action).index(name)]


def names_of(rules: Rules, action: str) -> list[str]:
    """Return the names of the clauses of an action, in order."""
    clauses = rules.actions[action].clauses
    return ["" if isinstance(c, tree.UsesUp) else c.name.text for c in clauses]


def test_a_change_replaces_condition_caption_and_margin(race: LoadedRuleset) -> None:
    rules = composed(race, "strict")
    small = clause(rules, "bet", "small")
    assert isinstance(small, tree.Needs)
    assert isinstance(small.condition, tree.Compare)
    assert small.condition.op == "less than"
    record = rules.clauses["bet.small"]
    assert record.caption == "Only on a card that is worth really less"
    assert record.notes == (tree.Ruling("strict_bets"),)
    assert record.origin.unit == ""
    assert [by.title for by in record.changed_by] == ["Strict betting"]


def test_raises_are_summed(race: LoadedRuleset) -> None:
    rules = composed(race, "long_race", "big_hands")
    assert rules.table.options["hand_limit"] == 8
    assert rules.options["hand_limit"].normally == tree.Int(8)


def test_a_raise_moves_the_default_but_not_a_choice(race: LoadedRuleset) -> None:
    assert composed(race, "long_race", hand_limit=4).table.options["hand_limit"] == 4


def test_equal_defaults_merge_and_the_table_overrides_them(race: LoadedRuleset) -> None:
    rules = composed(race, "long_race", "big_hands")
    assert rules.table.options["goal"] == 150
    assert composed(race, "long_race", goal=60).table.options["goal"] == 60


def test_a_change_fixes_an_option(race: LoadedRuleset) -> None:
    assert composed(race, "open_hands_rule").table.options["open_hands"] is True


def test_removing_a_cost_removes_factor_and_payment(race: LoadedRuleset) -> None:
    rules = composed(race, "free_swap")
    assert names_of(rules, "swap") == ["card", "take"]
    assert rules.actions["swap"].at.text == "use"
    assert rules.steps["swapping"].node.mode == "any number"


def test_removing_an_action_removes_its_clauses(race: LoadedRuleset) -> None:
    rules = composed(race, "no_swap")
    assert "swap" not in rules.actions
    assert "swapping" not in rules.steps
    assert not [address for address in rules.clauses if address.startswith("swap")]


def test_a_guard_can_be_removed(race: LoadedRuleset) -> None:
    assert composed(race, "open_hands_rule").phases["turn"].node.guard is None


def test_extensions_stand_behind_what_was_declared(race: LoadedRuleset) -> None:
    rules = composed(race, "doubles", "spares")
    assert [w.text for w in rules.types["Kind"].members] == [
        "plain",
        "wild",
        "double",
        "spare",
    ]
    assert [w.text for w in rules.dice["Die"].members] == ["red", "green", "black"]
    assert [s.name.text for s in rules.tokens["coin"].slots] == [
        "purse",
        "bets",
        "vault",
    ]
    fields = [f.name.text for f in rules.components["Card"].fields]
    assert fields == ["kind", "worth", "partner"]
    assert [row.id for row in rules.rows["Card"]] == ["a", "b", "aa"]


def test_one_zone_declared_alike_by_two_is_one(race: LoadedRuleset) -> None:
    rules = composed(race, "spares", "doubles", "insurance")
    assert "discard" in rules.zones
    assert rules.clauses["discard"].origin.unit == "insurance"


def test_layers_keep_their_order_and_new_ones_find_their_place(
    race: LoadedRuleset,
) -> None:
    rules = composed(race, "doubles")
    layers = [(each.op, each.name.text) for each in rules.values["price"].layers]
    assert layers == [("times", "doubled"), ("plus", "charged"), ("plus", "rebated")]
    assert list(rules.adjusts) == ["double_price", "rebate"]


def test_a_lift_has_its_own_address(race: LoadedRuleset) -> None:
    rules = composed(race, "insurance")
    assert [each.address for each in rules.lifts["bet.small"]] == ["bet.small.insured"]
    assert rules.clauses["bet.small.insured"].kind == "or"
    assert [by.unit for by in rules.clauses["bet.small"].changed_by] == ["insurance"]


def test_needs_on_a_step_stand_with_the_step(race: LoadedRuleset) -> None:
    rules = composed(race, "doubles")
    assert [need.name.text for need in rules.outer_needs["betting"]] == ["calm"]
    assert rules.clauses["betting.calm"].caption == "Not with a double in the lane"


def test_a_bridge_acts_only_when_all_its_members_are_on(race: LoadedRuleset) -> None:
    with_both = composed(race, "doubles", "spares", "insurance")
    assert names_of(with_both, "insure") == ["coin", "note", "spare"]
    address = next(iter(with_both.asserts))
    assert address.startswith("insurance+spares.")
    assert composed(race, "insurance").asserts == {}


def test_a_muted_edit_is_not_there() -> None:
    rules = with_units(
        "variant up for race\n"
        "change grave from bottom of deck to top of deck\n"
        "bridge up, spares for race [ruling r]\n"
        "mute spares at grave\n",
        "up",
        "spares",
        "doubles",
    )
    definition = rules.values["grave"].definition
    assert definition == tree.PileEnd("top", tree.Name("deck"))
    assert [by.unit for by in rules.clauses["grave"].changed_by] == ["up"]


def test_a_released_pair_stands_with_the_released(race: LoadedRuleset) -> None:
    rules = composed(race, "any_order")
    released = {(pair.before, pair.after) for pair in rules.released}
    assert released == {
        ("laying", "betting"),
        ("laying", "drawing"),
        ("betting", "drawing"),
    }
    pairs = closed((pair.before, pair.after) for pair in rules.pairs)
    assert ("laying", "swapping") in pairs - released


def test_a_removed_step_still_holds_apart_what_stood_around_it() -> None:
    rules = with_units(
        "variant gone for race\n"
        "remove waiting\n"
        "variant wait for race\n"
        "step use.waiting: any number\n"
        "step use.late: any number\n"
        "order swapping then waiting\n"
        "order waiting then late\n",
        "gone",
        "wait",
    )
    assert ("laying", "late") in closed((p.before, p.after) for p in rules.pairs)
    assert "waiting" not in {name for p in rules.pairs for name in (p.before, p.after)}


def test_added_clauses_follow_by_address_and_statements_as_written() -> None:
    rules = with_units(
        "variant zebra for race\n"
        "needs bet.apple: yes\n"
        "does bet.tail: pot gains 1\n"
        "does bet.last: pot gains 1\n"
        "variant ant for race\n"
        "needs bet.zoo: yes\n",
        "zebra",
        "ant",
    )
    own = ["coin", "apart", "small", "poor", "once", "note"]
    assert names_of(rules, "bet") == [*own, "apple", "zoo", "tail", "last"]


def test_a_domain_of_two_names_is_changed_for_one() -> None:
    rules = with_units("variant v for race\nchange bet.d from lane to hand(me)\n", "v")
    params = rules.actions["bet"].params
    assert [[n.text for n in p.names] for p in params] == [["c"], ["d"]]
    assert [getattr(p, "source", None) for p in params] == [
        tree.Name("lane"),
        tree.Apply("hand", (tree.Name("me"),)),
    ]


def test_phases_are_placed_and_empty(race: LoadedRuleset) -> None:
    rules = composed(race)
    assert {n: p.phase for n, p in rules.phases.items()} == {
        "setup": "",
        "round": "",
        "turn": "round",
        "use": "turn",
    }
    assert all(p.node.items == () for p in rules.phases.values())
    assert rules.steps["laying"].phase == "use"
    assert rules.winners is not None


def test_notes_are_records_of_their_unit(race: LoadedRuleset) -> None:
    rules = composed(race, "strict", "insurance")
    notes = [a for a, record in rules.clauses.items() if record.kind == "note"]
    assert notes == ["insurance+strict.note_1"]


def test_off_variants_leave_no_trace(race: LoadedRuleset) -> None:
    base = composed(race)
    files = {p.name: p.read_text("utf-8") for p in RACE.glob("game.rules")}
    alone = ruleset_from_texts(files, TABLES)
    assert composed(alone).fingerprint == base.fingerprint


def test_the_fingerprint_tells_rules_apart(race: LoadedRuleset) -> None:
    variants = [unit.id for unit in race.units_of("variant")]
    prints = {
        composed(race, *{name, "doubles"} - {"big_hands"}).fingerprint
        for name in variants
    }
    assert len(prints) == len(variants) - 1
    table = ChosenTable("race", 3, frozenset(), {"goal": 100})
    other = ChosenTable("race", 3, frozenset(), {"goal": 110})
    rules = [compose(race, each)[0] for each in (table, other)]
    assert rules[0] is not None
    assert rules[1] is not None
    assert rules[0].fingerprint != rules[1].fingerprint


def test_a_note_more_leaves_the_fingerprint_alone() -> None:
    rule = 'assert "Small enough": goal at most 200\n'
    files = {p.name: p.read_text("utf-8") for p in RACE.rglob("*.rules")}
    prints = set()
    for notes in ("", 'note "Not for long evenings"\n'):
        own = {"own.rules": f"variant own for race\n{notes}{rule}"}
        ruleset = ruleset_from_texts(files | own, TABLES)
        prints.add(composed(ruleset, "own").fingerprint)
    assert len(prints) == 1


@pytest.mark.parametrize("worth", [3, 4])
def test_one_row_in_two_files_says_the_same_or_clashes(worth: int) -> None:
    files = {p.name: p.read_text("utf-8") for p in RACE.rglob("*.rules")}
    files["one.rules"] = 'variant one for race\nextend Card with rows "one.yaml"\n'
    files["two.rules"] = 'variant two for race\nextend Card with rows "two.yaml"\n'
    rows: dict[str, list[dict[str, Plain]]] = {
        "one.yaml": [{"id": "z", "kind": "plain", "worth": 3}],
        "two.yaml": [{"id": "z", "kind": "plain", "worth": worth}],
    }
    ruleset = ruleset_from_texts(files, TABLES | rows)
    table = ChosenTable("race", 2, frozenset({"one", "two"}), {})
    _, found = compose(ruleset, table)
    codes = [] if worth == 3 else ["E205"]
    assert [each.code for each in found if each.code == "E205"] == codes
    proved = check_family(ruleset).diagnostics
    assert [each.code for each in proved if each.code == "E205"] == codes


def test_two_actions_of_one_name_clash_once_and_not_clause_by_clause() -> None:
    files = {p.name: p.read_text("utf-8") for p in RACE.rglob("*.rules")}
    for name, number in (("one", 1), ("two", 2)):
        files[f"{name}.rules"] = (
            f"variant {name} for race\naction pass_on during drawing\n"
            f"  does nothing: pot gains {number}\n"
        )
    ruleset = ruleset_from_texts(files, TABLES)
    _, found = compose(ruleset, ChosenTable("race", 2, frozenset({"one", "two"}), {}))
    assert [each.message for each in found if each.code == "E205"] == [
        '"one" and "two" declare pass_on, with different meanings.'
    ]


@pytest.mark.parametrize(
    ("line", "code", "fix"),
    [
        (
            "limit bet.once: at most 3 times each turn",
            "E205",
            "change bet.once from 2 to 3",
        ),
        (
            "state score(p: Player): 0..99 starts as 5",
            "E205",
            "change score.range from 0..999 to 0..99\nchange score.starts from 0 to 5",
        ),
        ("option hand_limit: 1..9 normally 7", "E205", "default hand_limit: 7"),
        ("change goal from OLD to 150", "E102", "default goal: 150"),
        (
            "change hand_limit from 1..9 to 1..20",
            "E102",
            "change hand_limit.range from 1..9 to 1..20",
        ),
    ],
)
def test_a_line_for_what_the_game_has_gets_the_right_edit(
    line: str, code: str, fix: str
) -> None:
    files = {p.name: p.read_text("utf-8") for p in RACE.rglob("*.rules")}
    for text in (line, fix):
        files["more.rules"] = f"variant more for race\n{text}\n"
        found = check_family(ruleset_from_texts(files, TABLES)).diagnostics
        fixes = [each.fixes[0] for each in found if each.code == code]
        assert fixes == ([fix] if text == line else [])


def test_a_change_of_an_option_holds_against_a_default() -> None:
    units = "variant a for race\nchange goal from 100 to 150\n"
    units += "variant b for race\ndefault goal: 60\n"
    assert with_units(units, "a", "b").options["goal"].normally == tree.Int(
        150, span=ANY
    )


def test_different_defaults_leave_the_first_value_to_the_table() -> None:
    files = {p.name: p.read_text("utf-8") for p in RACE.rglob("*.rules")}
    files["a.rules"] = "variant a for race\ndefault goal: 60\n"
    files["b.rules"] = "variant b for race\ndefault goal: 80\n"
    rules = composed(ruleset_from_texts(files), "a", "b", goal=120)
    assert rules.options["goal"].normally == tree.Int(100, span=ANY)
    assert rules.table.options["goal"] == 120


def test_a_removed_phase_takes_its_steps_along() -> None:
    rules = with_units("variant brief for race\nremove use\n", "brief")
    assert "use" not in rules.phases
    assert not {"laying", "betting", "drawing", "swapping"} & rules.steps.keys()
    assert "throwing" in rules.steps
