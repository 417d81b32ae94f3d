"""Why a move is possible or not: held to what the engine says, and to known cases."""

from __future__ import annotations

import pytest

from houserule.base.files import read_source
from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.choices import Act, Done, Shared
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.domains import Json
from houserule.ir import GamePosition
from houserule.ir.types import Data
from houserule.play.records.choice_words import choice_of
from houserule.play.records.reading import read_record
from houserule.play.records.records import replay
from houserule.play.seat.choosing import Chooser
from houserule.play.seat.reasons import SaidTaking, why, why_value
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import WhyMove

from ..support.clicking import clicked_game
from ..support.rulesets import ruleset_from_texts
from ..support.shipped import prepared_at, ruleset_of


def rules_of(game: str, *variants: str, players: int | None = None) -> TableRules:
    choice = TableChoice(with_=variants, players=players)
    prepared = prepared_at(game, choice)
    assert prepared.table is not None
    assert prepared.program is not None
    return TableRules(ruleset_of(game), prepared.table, prepared.program)


# ---- a slide, with the house rule that changed it


def company(rules: TableRules, name: str) -> int:
    return rules.program.labels["Company"].index(name)


def sliding(rules: TableRules) -> ReferenceGame:
    """The first seat has markers on 8 (4 Euros), 6 (2 Euros) and another 8."""
    eight, six = company(rules, "eight_plain"), company(rules, "six_plain")
    other = company(rules, "eight_red_blue")
    position = GamePosition(
        zones={"table": {(): [eight, six, other]}},
        tokens={"markers": {(0, eight): 2, (0, six): 1, (0, other): 1}},
        faces={"Die": {0: 1, 1: 2, 2: 5}},
        at="sliding",
        seat=0,
    )
    return ReferenceGame.start(rules.program, position=position)


def asked(
    rules: TableRules, said: dict[str, Data], language: str = "en", seat: int = 0
) -> WhyMove:
    words = rules.wording(language)
    return why(rules, sliding(rules), words, seat, SaidTaking("slide", said))


def test_a_refusal_has_values_citation_house_rule_and_what_holds_without_it() -> None:
    rules = rules_of("x_pasch", "harder_sliding")
    eight, other = company(rules, "eight_plain"), company(rules, "eight_red_blue")
    found = asked(rules, {"origin": eight, "target": other, "d": 0})
    (reason,) = found.reasons
    assert not found.legal
    assert reason.address == "slide.downhill"
    assert [each.value for each in reason.readings] == ["4", "4"]
    assert "Homebrewed optional rules" in reason.printed[0]
    assert reason.changed_by == ("Harder sliding",)
    assert reason.without is True
    uphill: dict[str, Data] = {
        "origin": company(rules, "six_plain"),
        "target": eight,
        "d": 0,
    }
    assert asked(rules, uphill).reasons[0].without is False


def test_a_half_built_move_is_judged_as_far_as_it_is_said() -> None:
    rules = rules_of("x_pasch")
    six, eight = company(rules, "six_plain"), company(rules, "eight_plain")
    open_ = asked(rules, {"origin": eight})
    assert not open_.legal
    assert all(each.holds for each in open_.reasons)
    assert [each.address for each in open_.reasons] == ["slide.rested"]
    refused = asked(rules, {"origin": six, "target": eight})
    assert [each.address for each in refused.reasons] == ["slide.downhill"]
    assert refused.record == {"slide": {"origin": "six_plain", "target": "eight_plain"}}
    assert refused.nearest


def test_a_legal_move_tells_every_clause_that_allows_it() -> None:
    rules = rules_of("x_pasch")
    eight, six = company(rules, "eight_plain"), company(rules, "six_plain")
    found = asked(rules, {"origin": eight, "target": six, "d": 1})
    assert found.legal
    assert {each.address for each in found.reasons} == {
        "slide.die",
        "slide.apart",
        "slide.rested",
        "slide.invited",
        "slide.downhill",
    }
    assert all(each.holds for each in found.reasons)


def test_who_does_not_decide_is_told_who_does() -> None:
    found = asked(rules_of("x_pasch"), {}, seat=1)
    assert not found.legal
    assert not found.reasons
    assert "p1" in found.sentence


# ---- what is hidden


def test_a_hidden_card_is_not_found_by_asking_for_it() -> None:
    """The same answer, wherever among hidden places the card lies."""
    rules = rules_of("x_pasch")
    card, own = company(rules, "nine_plain"), company(rules, "six_plain")
    answers = set()
    both: list[dict[str, dict[tuple[Data, ...], list[int]]]] = [
        {"hand": {(0,): [own], (1,): [card]}, "deck": {(): []}},
        {"hand": {(0,): [own], (1,): []}, "deck": {(): [card]}},
    ]
    for zones in both:
        position = GamePosition(
            zones=zones, faces={"Die": {0: 4, 1: 5, 2: 1}}, at="founding", seat=0
        )
        game = ReferenceGame.start(rules.program, position=position)
        said = SaidTaking("found", {"c": card, "use": (0, 1)})
        found = why(rules, game, rules.wording("en"), 0, said)
        answers.add(found.model_dump_json())
    assert len(answers) == 1
    seen = GamePosition(
        zones={"hand": {(0,): [own]}, "table": {(): [card]}},
        faces={"Die": {0: 4, 1: 5, 2: 1}},
        at="founding",
        seat=0,
    )
    said = SaidTaking("found", {"c": card})
    told = why(
        rules,
        ReferenceGame.start(rules.program, position=seen),
        rules.wording("en"),
        0,
        said,
    )
    assert "companies in play" in told.sentence


def test_a_value_that_reads_a_hidden_hand_is_not_told() -> None:
    rules = rules_of("takeover")
    game = ReferenceGame.start(rules.program, 3)
    secret = [
        name
        for name, value in rules.program.values.items()
        if len(value.params) == 1 and str(value.params[0].type) == "Player"
    ]
    assert secret
    told = {
        name: why_value(rules, game, rules.wording("en"), 0, name, (1,))
        for name in secret
    }
    assert any(each.value == "hidden" for each in told.values())
    assert all(not each.layers for each in told.values() if each.value == "hidden")


# ---- answers


def test_done_where_it_may_not_be_said() -> None:
    rules = rules_of("hex_board")
    game = ReferenceGame.start(rules.program, 1)
    found = why(rules, game, rules.wording("de"), 0, Done())
    assert not found.legal
    assert len(found.nearest) == 3


def test_an_answer_of_which_something_is_open_is_possible_so_far() -> None:
    rules = rules_of("takeover")
    words = rules.wording("en")
    for game in clicked_game(rules, "en", 2, 200):
        assert game.decision is not None
        seat = game.decision.seat
        chooser = Chooser(rules, game, words, seat)
        option = chooser.step().options[0]
        if option.key.startswith("choose+"):
            break
    found = why(rules, game, words, seat, [option.key])
    said = chooser.step([option.key]).said
    first = f"Possible so far: {', '.join(said).removesuffix(' …')}."
    assert found.sentence == f"{first} Still to choose: {found.asks}"
    assert found.asks == "What do you give?"
    assert not found.legal


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ([], "nothing. Still to choose: Which cards do you pass? (3 more)"),
        ([0], "king of clubs. Still to choose: Which cards do you pass? (2 more)"),
        (
            [0, 1],
            "king of clubs and ace of clubs. "
            "Still to choose: Which cards do you pass? (1 more)",
        ),
    ],
)
def test_a_set_with_too_few_members_is_possible_so_far(
    cards: list[int], told: str
) -> None:
    rules = rules_of("hearts", players=4)
    game = ReferenceGame.start(rules.program, 4)
    hand = game.machine.store.zones["hand"][0]
    lot = tuple(sorted(hand)[each] for each in cards)
    found = why(rules, game, rules.wording("en"), 0, Act("pass", (lot,)))
    assert found.sentence == f"Possible so far: Pass cards: {told}"
    other = game.machine.store.zones["hand"][1][0]
    refused = why(rules, game, rules.wording("en"), 0, Act("pass", ((other,),)))
    assert refused.sentence.startswith("Not possible: ")


SWAPPING = """
game swapping "Swapping"
players 2..2
winners: players
phase turn for me in players
  step s: must act once, if possible
action swap(mine in 1..3, theirs in 1..3) during s
  does it: end game
"""


def test_parameters_that_ask_the_same_are_named() -> None:
    ruleset = ruleset_from_texts({"game.rules": SWAPPING})
    prepared = prepare(ruleset, TableChoice())
    assert prepared.table is not None
    assert prepared.program is not None
    rules = TableRules(ruleset, prepared.table, prepared.program)
    game = ReferenceGame.start(rules.program, 1)
    words, paths = rules.wording("en"), (["swap"], ["swap", "mine=1"])
    asked = [why(rules, game, words, 0, path).asks for path in paths]
    assert asked == ["Which number? (mine)", "Which number? (theirs)"]


SHARING = """
game sharing "Sharing"
players 3..3
tokens coin: 9 in bank, purse(p: Player)
winners: players
phase turn for me in players
  step s: must act once, if possible
action give during s
  does it: share 3 over p in players as n: move n from bank to purse(p)
"""


def test_a_share_that_leaves_something_is_possible_so_far() -> None:
    ruleset = ruleset_from_texts({"game.rules": SHARING})
    prepared = prepare(ruleset, TableChoice())
    assert prepared.program is not None, prepared.diagnostics
    assert prepared.table is not None
    rules = TableRules(ruleset, prepared.table, prepared.program)
    game = ReferenceGame.start(rules.program, 1)
    assert game.decision is not None
    if game.decision.kind == "act":
        game.choose(Act("give", ()))
    words = rules.wording("en")
    found = why(rules, game, words, 0, Shared(((0, 1),)))
    assert found.asks == "P2: how many?", found
    assert why(rules, game, words, 0, Shared(((0, 1), (1, 2)))).legal
    refused = why(rules, game, words, 0, Shared(((0, 3), (1, 2))))
    assert refused.sentence.startswith("Not possible: ")


FIRE = """
game fire "Fire"
players 2..2
state lit(n: 1..4) "Wood burns": yes or no starts as no
state wet(n: 1..4) "Wood is wet": yes or no starts as no
winners: players
phase turn for me in players
  step soaking: wet(2) becomes yes
  step s: must act once, if possible
  order soaking then s
action light(n: 1..4) during s "Light a fire"
  does it: fire(n)
effect fire(n: 1..4) "Wood catches fire"
  needs dry "Wet wood does not burn": not wet(n)
  does burn: lit(n) becomes yes
"""


def test_the_condition_of_an_effect_is_why_an_action_is_refused() -> None:
    ruleset = ruleset_from_texts({"game.rules": FIRE})
    prepared = prepare(ruleset, TableChoice())
    assert prepared.program is not None, prepared.diagnostics
    assert prepared.table is not None
    rules = TableRules(ruleset, prepared.table, prepared.program)
    game = ReferenceGame.start(rules.program, 1)
    words = rules.wording("en")
    refused = why(rules, game, words, 0, Act("light", (2,)))
    assert not refused.legal
    reasons = [each for each in refused.reasons if not each.holds]
    assert [each.address for each in reasons] == ["fire.dry"]
    assert reasons[0].says.startswith("Wet wood does not burn")
    assert why(rules, game, words, 0, Act("light", (3,))).legal


FITS = """
game fits "Fits"
players 2..2
state pot: 0..9 starts as 0
winners: players
value fits(n: 1..4) "It fits": yes or no = n at most 2
needs fits.odd "Only odd numbers fit": n mod 2 is 1
phase turn for me in players
  step s: must act once, if possible
action lay(n: 1..4) during s "Lay a number"
  needs fitting "It must fit": fits(n)
  does it: pot becomes n
"""


def test_the_condition_of_a_value_is_named_where_it_forbids_an_action() -> None:
    ruleset = ruleset_from_texts({"game.rules": FITS})
    prepared = prepare(ruleset, TableChoice())
    assert prepared.program is not None, prepared.diagnostics
    assert prepared.table is not None
    rules = TableRules(ruleset, prepared.table, prepared.program)
    game = ReferenceGame.start(rules.program, 1)
    words = rules.wording("en")
    refused = why(rules, game, words, 0, Act("lay", (2,)))
    (reason,) = [each for each in refused.reasons if not each.holds]
    assert reason.says.startswith("It must fit. Only odd numbers fit.")
    assert why(rules, game, words, 0, Act("lay", (1,))).legal
    found = why_value(rules, game, words, 0, "fits", (2,))
    assert [each.value for each in found.layers] == ["yes", "no"]


# ---- quantities


WAYS = """
game ways "Ways"
players 2..2
type Way = west(-1) | middle(0) | east(1)
  right: -1..1
state west_of: -3..3 starts as -2
winners: players
phase turn for me in players
  step s: must act once, if possible
action go(w: Way) during s "Go"
  needs straight: w.right is 0
  needs near: west_of at least -1 or w is middle
  does go: west_of gains 1
"""


@pytest.mark.parametrize(
    ("way", "told"),
    [(0, "Right (west): -1."), (2, "Right (east): 1.")],
)
def test_numbers_below_zero_are_said_as_numbers(way: int, told: str) -> None:
    ruleset = ruleset_from_texts({"game.rules": WAYS})
    prepared = prepare(ruleset, TableChoice())
    assert prepared.program is not None, prepared.diagnostics
    assert prepared.table is not None
    rules = TableRules(ruleset, prepared.table, prepared.program)
    game = ReferenceGame.start(rules.program, 1)
    answer = why(rules, game, rules.wording("en"), 0, Act("go", (way,)))
    straight, near = [each.says for each in answer.reasons if not each.holds]
    assert (straight, near) == (told, "West of: -2.")


def test_a_yes_or_no_tells_the_number_that_it_rests_on() -> None:
    text = (
        "game g\nplayers 2..2\nstate lost: 0..4 starts as 1\nwinners: players\n"
        "value beaten: yes or no = lost at least 1\n"
        "phase turn for me in players\n  step s: must act once, if possible\n"
        "action go during s\n  does it: lost gains 1\n"
    )
    ruleset = ruleset_from_texts({"game.rules": text})
    prepared = prepare(ruleset, TableChoice())
    assert prepared.program is not None, prepared.diagnostics
    assert prepared.table is not None
    rules = TableRules(ruleset, prepared.table, prepared.program)
    game = ReferenceGame.start(rules.program, 1)
    found = why_value(rules, game, rules.wording("en"), 0, "beaten")
    assert found.value == "yes"
    assert [(each.says, each.value) for each in found.layers] == [("lost", "1")]


def test_a_value_tells_its_layers_with_their_house_rules() -> None:
    rules = rules_of("x_pasch", "deluxe", "x2_cards", "triumvirat", "manager_cards")
    game = ReferenceGame.start(rules.program, 1)
    eight = company(rules, "eight_plain")
    found = why_value(rules, game, rules.wording("en"), 0, "income", (eight,))
    assert [each.value for each in found.layers] == ["4"]
    with pytest.raises(LookupError):
        why_value(rules, game, rules.wording("en"), 0, "income")
    with pytest.raises(LookupError):
        why_value(rules, game, rules.wording("en"), 0, "outcome", (eight,))


PICK = {"choose": [["suns-2", "crowns-3"]]}


@pytest.mark.parametrize(
    ("after", "said", "told"),
    [
        (30, PICK, "Crowns 3 is not among the possibilities."),
        (30, "done", "Something else is asked now: What do you give?"),
        (35, {"choose": [["suns-0"]]}, "The cash is worth nothing."),
        (35, {"choose": None}, "Something has to be chosen here."),
        (41, "done", "This is still to be done: Merge or pass."),
    ],
)
def test_an_answer_that_is_refused_says_why(after: int, said: Json, told: str) -> None:
    rules = rules_of("takeover", players=2)
    file = shipped_rulesets()["takeover"] / "playthroughs" / "two_random.jsonl"
    record, faults = read_record(read_source(file))
    assert record is not None, faults
    game, _ = replay(record.until(after), rules.program)
    assert game is not None
    assert game.decision is not None
    choice = choice_of(said, game.decision.site, rules.program)
    answer = why(rules, game, rules.wording("en"), game.decision.seat, choice)
    assert [each.says for each in answer.reasons] == [told]
    assert not answer.legal


def test_what_may_be_left_out_is_told_with_its_rule() -> None:
    rules = rules_of("takeover")
    for game in clicked_game(rules, "en", 2, 60):
        if game.decision and "offering" in game.decision.open_steps:
            break
    assert game.decision is not None
    answer = why(rules, game, rules.wording("en"), game.decision.seat, Done())
    (reason,) = answer.reasons
    assert (reason.address, reason.holds) == ("offering", True)
    assert reason.says == "This may be left out: Offer a deal."
    assert reason.printed == ('Printed: "PLAY" "negotiate, deal"',)


def test_a_step_in_which_nothing_can_be_done_is_not_named() -> None:
    """With the free exchange no card is exchanged in the step for it."""
    rules = rules_of("x_pasch", "free_exchange", players=3)
    words, left_out = rules.wording("en"), set()
    for number, game in enumerate(clicked_game(rules, "en", 3, 60)):
        decision = game.decision
        if decision is None or number % 4 or "exchanging" not in decision.open_steps:
            continue
        answer = why(rules, game, words, decision.seat, Done())
        left_out |= {each.address for each in answer.reasons}
    assert "drawing" in left_out
    assert "exchanging" not in left_out
