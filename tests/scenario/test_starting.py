"""Games that begin at a position: from files, from Python, and in their records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import houserule
from houserule.base.diagnostics.render import TableError
from houserule.compiler.prepare import TableChoice
from houserule.ui.cli.main import run
from houserule.ui.configurator.links import TableLink, link_of
from houserule.ui.web.games import rules_of

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = ROOT / "rulesets/minichess/positions/mate_in_two.yaml"
QUIET = """
    . . . . k
    . . . . .
    . . K . .
    . . . . P
    . R . . .
"""
SIGNS = {
    "k": "black_king",
    "K": "white_king",
    "P": "white_pawn",
    "R": "white_rook",
}
GIVEN = {"turn": "p1", "at": "moving", "signs": SIGNS, "piece": QUIET}


def test_a_bot_that_looks_ahead_solves_the_puzzle(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["run", "--from", str(PUZZLE), "--bots", "fair", "--json"])
    end = json.loads(capsys.readouterr().out)
    assert (end["winners"], end["choices"]) == (["p1"], 3)


def test_a_picture_and_names_give_the_same_position() -> None:
    table = houserule.load("minichess").table()
    drawn = table.start(given=GIVEN)
    filed = table.starting(PUZZLE).start()
    assert list(drawn.options) == list(filed.options)
    assert drawn.state("piece", "b1") == "white_rook"


def test_a_picture_has_players_as_a_terminal_draws_them() -> None:
    rows = [". . . . . . ."] * 4 + [". . . B . . .", ". . A A B . ."]
    table = houserule.load("four_in_a_row").table()
    given = {"turn": "p1", "at": "dropping", "disc": "\n".join(rows)}
    game = table.start(given=given)
    discs = [game.state("disc", each) for each in ("4-1", "4-2", "5-1", "5-2")]
    assert discs == ["p1", "p2", "p2", None]


@pytest.mark.parametrize(
    ("sign", "place"), [("?", (10, 23, 24)), (". .", (10, 11, 26))]
)
def test_an_error_in_a_picture_is_at_its_sign_or_row(
    sign: str, place: tuple[int, int, int], tmp_path: Path
) -> None:
    rows = [". . . . . . ."] * 3 + [f". . . . . . {sign}", *[". . . . . . ."] * 2]
    head = "game: four_in_a_row\ngiven:\n  turn: p1\n  at: dropping\n  disc: |\n\n"
    file = tmp_path / "wrong.yaml"
    file.write_text(head + "".join(f"          {row}\n" for row in rows))
    with pytest.raises(TableError) as caught:
        houserule.load("four_in_a_row").table().starting(file).start()
    span = caught.value.diagnostics[0].labels[0].span
    assert (span.line, span.column, span.end_column) == place


def test_the_record_has_the_position(tmp_path: Path) -> None:
    file = tmp_path / "mate.jsonl"
    run(["run", "--from", str(PUZZLE), "--quiet", "--record", str(file)])
    record = houserule.read_record(str(file))
    assert record.replay().same
    without = file.read_text().replace('"given"', '"given_not"')
    file.write_text(without)
    with pytest.raises(houserule.RecordError):
        houserule.read_record(str(file))


def test_a_session_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    table = houserule.load("minichess").table().starting(GIVEN)
    with table.sit("ann,bob", file) as sitting:
        sitting.choose(0, {"go": {"x": "c3", "y": "d3", "k": "king"}})
        told = sitting.log(0)
    with houserule.resume(file) as again:
        assert again.stand == 1
        assert again.log(0) == told
        assert again.decision is not None
        assert again.decision.seat == 1


def test_a_table_in_the_browser_begins_there() -> None:
    link = link_of(TableLink("minichess", TableChoice(), given=json.dumps(GIVEN)))
    start = rules_of(link).program.start
    assert start is not None
    assert start.at == "moving"


def test_games_of_bots_begin_there(capsys: pytest.CaptureFixture[str]) -> None:
    games = ["--games", "6", "--bots", "fair", "--json"]
    assert run(["simulate", "--from", str(PUZZLE), *games]) == 0
    assert json.loads(capsys.readouterr().out)["wins"] == [6, 0]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"piece": QUIET.replace("P", "Q")}, "There is no Piece `Q`"),
        ({"piece": QUIET.replace(". P", "P")}, "has 5 places, but row 4 here has 4"),
        ({"piece": ". . . . .\n. . . . .\n"}, "has 5 rows, not 2"),
        ({"turn": "p1"}, "Say where play stands"),
        ({"quiet": "a\nb"}, "No board of this game shows `quiet`"),
        ({"at": "nowhere"}, "There is no step or phase `nowhere`"),
    ],
)
def test_what_is_wrong_is_said_at_its_place(
    given: dict[str, object], says: str
) -> None:
    table = houserule.load("minichess").table()
    with pytest.raises(TableError) as caught:
        table.start(given={"signs": SIGNS, **given})
    assert says in str(caught.value)
    assert all(each.labels for each in caught.value.diagnostics)


def test_a_position_where_the_rules_fail_is_an_error() -> None:
    table = houserule.load("hearts").table(players=4)
    with pytest.raises(TableError, match="Games cannot begin there"):
        table.start(given={"hand": {"p1": ["two_of_clubs"], "p2": []}})


def test_a_file_of_another_game_is_a_usage_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["run", "pig", "--from", str(PUZZLE)]) == 2
    assert "another game" in capsys.readouterr().err
