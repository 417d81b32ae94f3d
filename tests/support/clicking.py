"""A clicker: plays a game through stepped choices alone, as one clicks through them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random

from tests.support.shipped import ShippedTable, ruleset_of

from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.narration.wording import Wording
from houserule.play.seat.choosing import Chooser
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import ChoiceStep, StepOption

Look = Callable[[Chooser, ChoiceStep], None]


@lru_cache(maxsize=12)
def rules_at(table: ShippedTable) -> TableRules:
    choice = TableChoice(
        with_=tuple(sorted(table.choice.variants)),
        settings=table.choice.settings,
        players=table.choice.players,
    )
    ruleset = ruleset_of(table.game)
    prepared = prepare(ruleset, choice)
    assert prepared.program is not None, prepared.diagnostics
    assert prepared.table is not None
    return TableRules(ruleset, prepared.table, prepared.program)


def chooser(rules: TableRules, game: ReferenceGame, words: Wording) -> Chooser:
    assert game.decision is not None
    return Chooser(rules, game, words, game.decision.seat)


def clicked(clicker: Chooser, draw: Random, look: Look | None = None) -> Choice:
    """Return a choice made by clicking on any option of each step.

    On one that leads to several choices it clicks more often: to pass ends some games.
    """
    path: tuple[str, ...] = ()
    for _ in range(200):
        step = clicker.step(path)
        if look is not None:
            look(clicker, step)
        weights = [min(each.count, 6) for each in step.options]
        option: StepOption = draw.choices(step.options, weights)[0]
        path = (*step.path, option.key)
        if option.complete:
            choice = clicker.choice(path)
            assert choice is not None, path
            return choice
    raise AssertionError(f"no end of {path}")


def clicked_game(
    rules: TableRules, language: str, seed: int, most: int
) -> Iterator[ReferenceGame]:
    """Yield a game before each of its decisions and at its end; all are clicked."""
    draw, words = Random(seed), rules.wording(language)
    game = ReferenceGame.start(rules.program, seed)
    for _ in range(most):
        yield game
        if game.decision is None:
            return
        game.choose(clicked(chooser(rules, game, words), draw))
