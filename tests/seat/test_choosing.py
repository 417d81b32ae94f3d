"""A choice in steps: what is built is legal, and what is legal can be built."""

from __future__ import annotations

import pytest
from tests.support.clicking import chooser, clicked_game, rules_at
from tests.support.shipped import NAMES, presets, ruleset_of

from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.declared_names import declared_names
from houserule.play.seat.choosing import NoSuchChoice
from houserule.play.seat.choosing.parts import actions_of
from houserule.play.seat.seat_model import COUNTED


def test_actions_stand_in_the_order_of_the_rules() -> None:
    """Those of house rules stand in their step, behind the game's own."""
    rules = rules_at(presets("x_pasch")[-1])
    found = actions_of(rules.program, "use")
    steps = ("found", "place", "spread", "assign", "slide", "draw", "draw_green")
    assert [each for each in found if each in steps] == list(steps)


def test_what_was_passed_over_stays_closed_at_its_number() -> None:
    rules = rules_at(presets("x_pasch")[0])
    for game in clicked_game(rules, "en", 3, 60):
        assert game.decision is not None
        if set(game.decision.open_steps) == {"drawing", "exchanging"}:
            step = chooser(rules, game, rules.wording("en")).step()
            closed = {each.key: each.number for each in step.closed}
            assert closed.items() >= {"found": 1, "place": 2, "slide": 4}.items()
            assert step.options[-1].number == 0
            return
    raise AssertionError("nobody went on to drawing")


def test_a_long_list_is_given_part_by_part() -> None:
    rules = rules_at(presets("hex_board")[0])
    game = ReferenceGame.start(rules.program, 1)
    clicker = chooser(rules, game, rules.wording("en"))
    whole, rest = clicker.step(("put",)), clicker.step(("put",), first=20)
    assert (len(whole.options), len(rest.options)) == (25, 5)
    assert rest.options == whole.options[20:]
    assert rest.total == whole.total


def test_counts_are_those_of_the_engine() -> None:
    rules = rules_at(presets("takeover")[-1])
    words, many = rules.wording("en"), 0
    for game in clicked_game(rules, "en", 2, 60):
        if game.decision is None:
            break
        step = chooser(rules, game, words).step()
        if step.options[0].key.startswith("choose"):
            continue  # members of a set: one choice counts for each of its members
        count = game.decision.options.count()
        many += count > COUNTED
        if any(option.more for option in step.options):
            assert count > COUNTED
        else:
            assert sum(option.count for option in step.options) == count
    assert many


def test_paths_that_lead_nowhere_are_refused_with_a_reason() -> None:
    rules = rules_at(presets("nim")[0])
    game = ReferenceGame.start(rules.program, 1)
    clicker = chooser(rules, game, rules.wording("en"))
    for path in (
        ["sing"],
        ["take", "h=99"],
        ["take", "h=1", "n=34"],
        ["take", "x=1"],
        ["take", "h=1", "h=2"],
        ["take", "h+1"],
        ["take", "h"],
        ["done"],
        ["="],
        ["yes"],
    ):
        with pytest.raises(NoSuchChoice, match=r"\w"):
            clicker.step(path)
        with pytest.raises(NoSuchChoice):
            clicker.choice(path)


@pytest.mark.parametrize(
    ("game", "language"),
    [(g, lang) for g in NAMES for lang in ruleset_of(g).manifest.languages],
)
def test_shipped_games_ask_for_every_variable_in_their_own_words(
    game: str, language: str
) -> None:
    ruleset = ruleset_of(game)
    texts, names = ruleset.texts[language], declared_names(ruleset.units)
    for variable in names.questions:
        assert f"questions/{variable}" in texts
    for action in names.actions:
        if names.built[action]:
            assert f"choices/{action}" in texts
