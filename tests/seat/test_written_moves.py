"""A move in words is read with its values, also where it is not possible."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.seat.test_matching import PHRASES
from tests.seat.test_position import PEOPLE, played, rules_of

from houserule.compiler.prepare import TableChoice
from houserule.engine.state.domains import Json
from houserule.play.seat.reasons.move_labels import recorded
from houserule.play.seat.reasons.written import MeantMoves

WRITTEN = YAML(typ="safe").load(Path(__file__).with_name("written.yaml"))
CASES = [
    pytest.param(moment, language, text, move, id=f"{moment}: {text}")
    for moment, by_language in WRITTEN.items()
    for language, texts in by_language.items()
    for text, move in texts.items()
]


@pytest.mark.parametrize(("moment", "language", "text", "move"), CASES)
def test_words_are_a_move(moment: str, language: str, text: str, move: Json) -> None:
    at = PHRASES[moment]["at"]
    rules = rules_of(at["game"], TableChoice(at.get("preset"), players=at["players"]))
    *_, game = played(rules, at["seed"], at["at"])
    assert game.decision is not None
    words = rules.wording(language, PEOPLE[: rules.program.seats])
    found = MeantMoves(rules, game, words, game.decision.seat).read(text)
    takings = [recorded(each.taking, "", rules.program) for each in found]
    assert takings == [move] or (move == [] and len(takings) != 1)
