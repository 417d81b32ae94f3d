"""Things are called after those they belong to, in the order of each language."""

from __future__ import annotations

import pytest
from tests.seat.test_position import rules_of
from tests.support.rulesets import ruleset_from_texts
from tests.support.small_games import program, ruleset

from houserule.compiler.prepare import TableChoice, prepare
from houserule.play.narration.wording import Wording


def words(players: list[str], language: str = "en") -> Wording:
    return Wording(
        program("ferry"), ruleset("ferry").texts[language], language, players
    )


def test_a_thing_is_called_after_its_owner() -> None:
    assert words(["Ann", "Ben"]).thing("Boat", 3) == "Ben's boat 2"
    assert words(["Ann", "Ben"], "fr").thing("Boat", 3) == "barque 2 de Ben"
    assert words([]).thing("Boat", 0) == "p1's boat 1"


def test_to_its_owner_it_is_just_the_thing() -> None:
    assert words(["Ann", "Ben"]).thing("Boat", 3, mine=1) == "boat 2"
    assert words(["Ann", "Ben"]).thing("Boat", 3, mine=0) == "Ben's boat 2"


def test_what_nobody_owns_is_called_by_its_parts() -> None:
    assert words([]).thing("Spot", 0) == "1-1"


@pytest.mark.parametrize(
    ("players", "called"),
    [
        (["Ann", "Ben"], ["Ann", "Ben"]),
        (["Ann", "random"], ["Ann", "Random 2"]),
        (["greedy", "random"], ["Greedy 1", "Random 2"]),
        (["Ann", "Ann"], ["p1", "p2"]),
        (["Greedy 2", "greedy"], ["p1", "p2"]),  # a person may have a bot's name
        (["Ann"], ["p1", "p2"]),
    ],
)
def test_people_have_names_and_bots_their_kind_and_seat(
    players: list[str], called: list[str]
) -> None:
    assert [words(players).seat(seat) for seat in range(2)] == called


@pytest.mark.parametrize(
    ("language", "called"),
    [
        ("en", ["ann", "Black", "Yellow", "Green"]),
        ("de", ["ann", "Schwarz", "Gelb", "Grün"]),
        ("fr", ["ann", "Noir", "Jaune", "Vert"]),
    ],
)
def test_bots_are_called_after_the_colours_of_their_seats(
    language: str, called: list[str]
) -> None:
    rules = rules_of("pachisi", TableChoice(players=4))
    named = rules.wording(language, ["ann", "greedy", "random", "greedy"])
    assert sorted(named.seat(seat) for seat in range(4)) == sorted(called)


def test_a_colour_that_the_game_draws_names_no_seat() -> None:
    for with_, called in (
        ((), ["White", "Black"]),
        (("drawn_colours",), ["Greedy 1", "Greedy 2"]),
    ):
        rules = rules_of("minichess", TableChoice(with_=with_))
        words = rules.wording("en", ["greedy", "greedy"])
        assert [words.seat(seat) for seat in range(2)] == called


def test_an_unknown_language_speaks_english() -> None:
    assert Wording(program("ferry"), {}, "xx").say("and") == "and"


def test_what_a_house_rule_changed_is_called_as_it_says() -> None:
    choice = TableChoice(with_=("surprise_ending",))
    rules = rules_of("x_pasch", choice)
    assert rules.wording("de").caption("finished") == "Das letzte Karo liegt da"
    base = rules_of("x_pasch", TableChoice())
    assert base.wording("de").caption("finished") == "Das Ende ist erreicht"


@pytest.mark.parametrize(
    ("caption", "named"),
    [
        (' "Bid tricks"', "Bid tricks"),
        (' "Say how many tricks you will take"', "say it"),  # a description
        ("", "say it"),
    ],
)
def test_a_short_caption_is_a_name(caption: str, named: str) -> None:
    rules = ruleset_from_texts(
        {
            "game.rules": f"""\
game t
players 2..2
state say_it_all(p: Player){caption}: 0..9 starts as 0
winners: players
phase turn for me in players
  step saying: must act once, if possible
action say_it during saying{caption}
  does note: say_it_all(me) becomes 1
"""
        }
    )
    found = prepare(rules, TableChoice()).program
    assert found is not None
    assert Wording(found, {}).action("say_it") == named
    assert Wording(found, {"actions/say_it": "bid"}).action("say_it") == "bid"
    state = named.replace("say it", "say it all")
    assert Wording(found, {}).place("say_it_all", 0) == f"{state} (p1)"
