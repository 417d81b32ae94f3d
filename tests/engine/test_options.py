"""Options are found one by one, and kept once they were listed."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

import pytest
from tests.support.shipped import ShippedTable, program_at, sampled

from houserule.engine.reference.options.options import Options, ShareOptions
from houserule.engine.reference.play.game import ReferenceGame


@pytest.mark.parametrize("first", [list, lambda options: options[1]])
def test_options_are_not_looked_for_again(first: Callable[[Options], object]) -> None:
    """After a listing, or at a third index, no condition is asked again."""
    answers: dict[str, set[bool]] = {}
    program = program_at(ShippedTable.of("minichess", sampled("minichess")[0]))
    game = ReferenceGame.start(program, 1, answers=answers)
    assert game.decision is not None
    options = game.decision.options
    every = [copy(options)[number] for number in range(options.count())]
    assert every == [*copy(options)]
    assert first(options) in (every, every[1])
    assert options[0] == every[0]
    answers.clear()
    assert [options[number] for number in range(len(options))] == every == [*options]
    assert options[-1] == every[-1]
    assert not answers
    with pytest.raises(IndexError):
        options[len(every)]


def test_many_options_are_not_listed() -> None:
    """Of ten thousand options, the wanted ones alone are found."""
    options = ShareOptions(20, tuple(range(5)), "deal.amounts")
    every = [*options]
    assert len(every) == options.count() == 10_626
    for number in (0, 1, 5_000, -1, -5_000):
        assert options[number] == every[number]
    for number in (10_626, -10_627):
        with pytest.raises(IndexError):
            options[number]
