"""Choices by touching components: every one can be begun, in any order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from tests.support.clicking import chooser, clicked_game, rules_at
from tests.support.shipped import NAMES, ShippedTable, presets
from tools.bench.clicks import fits

from houserule.play.seat.choosing import Chooser, Touched
from houserule.play.seat.seat_model import StepOption

LARGEST = [presets(game)[-1] for game in NAMES]
DECISIONS, CHOICES, PAIRS = 25, 40, 5


def choosers(table: ShippedTable) -> Iterator[Chooser]:
    rules = rules_at(table)
    for game in clicked_game(rules, "en", 11, DECISIONS):
        if game.decision is not None:
            yield chooser(rules, game, rules.wording("en"))


def begin(clicker: Chooser, path: tuple[str, ...]) -> Iterator[StepOption]:
    """Yield the ways to begin a choice with a component."""
    step = clicker.onward()
    return (e for e in step.shortcuts if fits([*step.path, e.key], path))


def on(option: StepOption) -> Touched:
    return option.marks[0].area, (option.marks[0].piece,)


@pytest.mark.parametrize("table", LARGEST, ids=str)
def test_a_value_with_a_component_can_be_touched_at_the_first_step(
    table: ShippedTable,
) -> None:
    """What the steps one after another offer on components, the first one does."""
    for clicker in choosers(table):
        for choice in islice(clicker.decision.options, CHOICES):
            goal = clicker.path(choice)
            marked = _marked_on_the_way(clicker, goal)
            assert not marked or any(begin(clicker, goal)), goal


def _marked_on_the_way(clicker: Chooser, goal: tuple[str, ...]) -> bool:
    path: tuple[str, ...] = ()
    while True:
        step = clicker.step(path)
        found = [e for e in step.options if fits([*step.path, e.key], goal)]
        if not found:
            return False
        if found[0].marks:
            return True
        if found[0].complete:
            return False
        path = (*step.path, found[0].key)


@pytest.mark.parametrize("table", LARGEST, ids=str)
def test_the_order_of_touching_does_not_matter(table: ShippedTable) -> None:
    orders = 0
    for clicker in choosers(table):
        for choice in islice(clicker.decision.options, PAIRS):
            goal = clicker.path(choice)
            own = [each for each in begin(clicker, goal) if not each.complete]
            if len({each.key.split()[-1] for each in own}) < 2:
                continue
            for touched in ([own[0], own[-1]], [own[-1], own[0]]):
                found = clicker.onward(touched=[on(each) for each in touched])
                ways = [[*found.path, each.key] for each in found.options]
                assert any(fits(each, goal) for each in ways), (goal, ways)
                orders += 1
    if table.game in {"guild_street", "minichess"}:
        assert orders


@pytest.mark.parametrize("table", LARGEST, ids=str)
def test_a_touch_leads_to_what_it_says(table: ShippedTable) -> None:
    """A complete way is a legal choice, and has its label."""
    for clicker in choosers(table):
        step = clicker.onward()
        for each in step.shortcuts:
            path = (*step.path, each.key)
            made = clicker.choice(path)
            assert (made is not None) == each.complete
            if made is not None:
                assert clicker.label(made) == each.label
            else:
                assert clicker.onward(path).options
