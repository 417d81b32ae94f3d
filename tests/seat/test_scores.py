"""Scores by part, hidden ones without points, and why a game ended, in words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.seat.test_position import PEOPLE, rules_of
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ruleset_of

from houserule.compiler.prepare import TableChoice
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.seat.rules import TableRules
from houserule.play.seat.scores import ended, scores
from houserule.play.seat.seat_model import SeatScore

GOLDEN = Path(__file__).parent / "golden"
HIDDEN = {"guild_street", "takeover", "x_pasch"}  # some may not see these scores


def whole_game(rules: TableRules, seed: int) -> Iterator[ReferenceGame]:
    game = ReferenceGame.start(rules.program, seed)
    bots = seat_bots(["random"], rules.program.seats, seed, 0)
    while game.decision is not None:
        yield game
        game.choose(bots[game.decision.seat].choose(game))
    yield game


def line(score: SeatScore) -> str:
    parts = ", ".join(f"{part.name}: {part.value.text}" for part in score.parts)
    return f"  {PEOPLE[score.seat]} {score.points or '?'} ({parts})"


@pytest.mark.parametrize("name", spread(NAMES, 3, needed=HIDDEN.__contains__))
def test_scores_and_the_end_are_said_in_words(name: str) -> None:
    """As the first seat sees them after thirty decisions, then at the end."""
    rules = rules_of(name, TableChoice())
    languages = ruleset_of(name).manifest.languages
    found = {language: [language] for language in languages}
    wordings = {
        language: rules.wording(language, PEOPLE[: rules.program.seats])
        for language in languages
    }
    for number, game in enumerate(whole_game(rules, 1)):
        if number != 30 and game.outcome is None:
            continue
        for language, words in wordings.items():
            found[language] += map(line, scores(rules, game, words, 0))
            end = ended(rules, game, words)
            assert (end is None) == (game.outcome is None)
            if end is not None:
                found[language] += [f"  {end.why}", f"  {end.result}"]
    text = "\n".join(each for lines in found.values() for each in lines) + "\n"
    file = GOLDEN / f"scores_{name}.txt"
    if os.environ.get("HOUSERULE_BLESS"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_everybody_is_told_no_score_that_some_may_not_see() -> None:
    rules = rules_of("takeover", TableChoice(players=3))
    words = rules.wording("en")
    for game in whole_game(rules, 2):
        shown = [each.points for each in scores(rules, game, words, None)]
        assert all(shown) == (game.outcome is not None)
        assert not any(shown) or all(shown)
