"""Whole choices side by side: each is what its label says, and nothing is left out."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.clicking import chooser, clicked_game, rules_at
from tests.support.shipped import presets

from houserule.engine.reference.choices import Act
from houserule.play.seat.choosing import Chooser
from houserule.play.seat.seat_model import ChoiceStep


def steps(game: str) -> Iterator[tuple[Chooser, ChoiceStep]]:
    rules = rules_at(presets(game)[0])
    for position in clicked_game(rules, "en", 11, 25):
        if position.decision is not None:
            clicker = chooser(rules, position, rules.wording("en"))
            yield clicker, clicker.onward()


def test_two_numbers_are_a_grid_of_all_choices() -> None:
    for clicker, step in steps("liars_dice"):
        bids = [each for each in clicker.decision.options if clicker.path(each)[1:]]
        if len(bids) > 3:  # fewer are a list
            ways = [way for each in step.shortcuts for way in each.ways]
            beside = [each for group in step.groups for each in group.options]
            keys = [(*step.path, option.key) for option in (*beside, *ways)]
            assert {clicker.choice(key) for key in keys} == {*bids}


def test_sets_are_offered_by_their_faces() -> None:
    shorts = set[str]()
    for _, step in steps("yacht"):
        for group in step.groups:
            labels = [each.short for each in group.options]
            shorts.update(labels)
            assert len(labels) == len({*labels})
            assert len(group.options[0].label.split("die")) == 6, "all five dice"
    assert {"All", "Only 2"} <= shorts or {"All", "All but 2"} <= shorts


def test_usual_amounts_are_buttons_and_the_rest_is_a_range() -> None:
    shorts = set[str]()
    for clicker, first in steps("holdem"):
        if not any(each.key == "raise" for each in first.options):
            continue
        step = clicker.onward(("raise",))
        acts = (e for e in clicker.decision.options if isinstance(e, Act))
        raises = [each for each in acts if each.action == "raise"]
        amounts = [each.args[0] for each in raises]
        if step.amount is not None and len(amounts) > 12:
            assert (step.amount.key, step.amount.low) == ("n", amounts[0])
            assert step.amount.high == amounts[-1]
            (group,) = step.groups
            usual = {clicker.choice((*step.path, each.key)) for each in group.options}
            assert usual == {*clicker.decision.options.advised()} & {*raises}
            (named,) = (each for each in first.groups if each.title == "Bet or raise")
            assert [e.short for e in named.options] == [e.short for e in group.options]
            shorts.update(each.short for each in group.options)
            labels = [each.label for each in step.options if each.label.endswith(")")]
            assert 0 < len(labels) <= len(group.options)
            found = clicker.narrow("the pot").options[0]
            assert clicker.choice((found.key,)) in usual
    assert any(each.startswith("Half the pot (") for each in shorts)


def test_usual_amounts_wait_until_one_thing_is_meant() -> None:
    """Its price and twice its price: of one lot, not of each lot in the city."""
    waited = 0
    for clicker, first in steps("landlords"):
        assert all(len(g.options) <= 2 for g in first.groups if "Offer" in g.title)
        if any(g.title == "Offer money for a lot" for g in first.groups):
            continue
        if "offer" in {option.key for option in first.options}:
            lots = clicker.onward(("offer",))
            for lot in (each for each in lots.options if not each.complete):
                waited += len(clicker.onward((*lots.path, lot.key)).groups)
    assert waited
