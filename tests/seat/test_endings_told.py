"""How a game ended is told alike by tale, lines, screen, page and `why`, in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.terminal.playing import FaceScreen
from tests.web.drawing.parsed import StrictPage
from tests.web.drawing.tables import view

import houserule
from houserule.engine.reference.choices import Done
from houserule.play.records.choice_words import choice_of
from houserule.play.seat import scores
from houserule.play.seat.reasons import why
from houserule.play.seat.session import Sitting
from houserule.ui.cli.main import run
from houserule.ui.terminal.keyboard import SharedKeyboard
from houserule.ui.terminal.line_mode import LineMode
from houserule.ui.web.drawing import table_page

CASES = Path(__file__).parents[1] / "cases" / "endings"
GAME = CASES / "lanterns"
TOLD = YAML(typ="safe").load(CASES / "told.yaml")
LANGUAGES = ("en", "de", "fr", "it")
SIZE = (100, 40)


def ended(case: dict[str, Any], file: Path) -> Sitting:
    """Return a game at its end, as a case has it; kept in a file."""
    table = houserule.load(GAME).table(with_=case.get("with", []))
    sitting = table.sit("ann,bob", file)
    for said in case["do"]:
        assert sitting.decision is not None
        choice = choice_of(said, sitting.decision.site, sitting.rules.program)
        sitting.choose(sitting.decision.seat, choice)
    assert sitting.outcome is not None
    return sitting


def by_lines(sitting: Sitting, language: str) -> list[str]:
    said: list[str] = []
    keyboard = SharedKeyboard(sitting, language)
    LineMode(keyboard, language, said.append, lambda _: None, lambda: None).play()
    return said


def words(text: str) -> str:
    """Return a text without what lays it out."""
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", TOLD, ids=lambda case: case["name"])
def test_an_end_is_told(case: dict[str, Any], language: str, tmp_path: Path) -> None:
    reason, result, *more = case["told"][language]
    sitting = ended(case, tmp_path / "game.jsonl")
    moment = sitting.moment(None, language)
    assert moment.ended is not None
    assert (moment.ended.why, moment.ended.result) == (reason, result)
    assert sitting.log(None, language)[-1].startswith(reason)
    lines = by_lines(sitting, language)
    end = lines[lines.index(moment.heading) + 1 :]
    assert end[: len(more) + 2] == [reason, result, *more]
    screen = words(FaceScreen(sitting, SIZE, language).shown())
    page = StrictPage(table_page(view(sitting, language=language))).text
    for line in (reason, result, *more):
        assert line in screen
        assert line in page


def test_a_count_is_told_with_whose_since_when_and_the_same_what(
    tmp_path: Path,
) -> None:
    rules = tmp_path / "back.rules"
    rules.write_text(
        'variant back for lanterns "Back"\nremove dark, level\n'
        "state dim: 0..3 starts as 0\n"
        'drawn by again "Seen before": (count of each turn for first_of(players) '
        "since light or hide with the same lit and dim among the last 9) at least 2"
    )
    table = houserule.load(GAME, rules=[rules]).table(with_=["back"])
    sitting = table.sit("ann,bob", tmp_path / "game.jsonl")
    for seat in (0, 1):
        sitting.choose(seat, choice_of("wait", "turn", sitting.rules.program))
    ended = sitting.moment(None, "en").ended
    assert ended is not None
    assert ended.clauses[0].says == (
        "Seen before. Count of “turn” for ann (of the last 9 at most) since hide or "
        "light in the same situation as now (dim and lanterns): 2 (wanted: at least 2)."
    )


@pytest.mark.parametrize("case", TOLD, ids=lambda case: case["name"])
def test_why_says_by_which_clauses(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a move, of the game itself, from Python and on the command line."""
    file = tmp_path / "game.jsonl"
    sitting = ended(case, file)
    rules, game = sitting.rules, sitting.game
    for language in LANGUAGES:
        end = sitting.moment(None, language).ended
        assert end is not None
        assert [each.address for each in end.clauses] == case["by"]
        for seat in (0, 1):
            named = rules.wording(language, ("ann", "bob"))
            answer = why(rules, game, named, seat, Done())
            assert not answer.legal
            assert answer.sentence.endswith(end.why)
            assert answer.reasons == end.clauses
        command = ["why", str(file), "--game", str(GAME), "--lang", language]
        assert run(command) == 0
        told = capsys.readouterr().out.splitlines()
        assert told[:2] == [end.why, end.result]
        assert [each[4:] for each in told[2:] if each[2:3] == "-"] == [
            each.says for each in end.clauses
        ]
        assert run([*command, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == end.model_dump(mode="json")
    sitting.close()
    record = houserule.read_record(file)
    again = record.replay(GAME).game
    assert again is not None
    assert again.ended("it") == scores.ended(rules, game, rules.wording("it"))


def test_a_game_that_goes_on_has_no_end_to_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    ended(TOLD[0], file)
    assert run(["why", str(file), "--game", str(GAME), "--at", "1"]) == 2
    assert "Give a MOVE" in capsys.readouterr().err
    assert houserule.load(GAME).table().start().ended() is None
