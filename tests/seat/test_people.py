"""Who decides for whom is told to all, kept in the record, and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.seat.sittings import shipped

from houserule.base.diagnostics.render import RecordError
from houserule.base.source import Source
from houserule.play.narration.visibility import EVERYBODY
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import read_record
from houserule.play.records.records import replay, seat_names
from houserule.play.seat.resuming import read_game
from houserule.play.seat.session import Sitting
from houserule.play.seat.undoing import NotNow
from houserule.ui.cli.main import run as command
from houserule.ui.web.records.films import Film

ACTING = "Cy, as the host, may decide for bob from here on, and sees what bob sees."
DECIDES = "Cy decides for bob."
AGAIN = "bob decides alone again."
FOLLOWS = "Dora plays on for bob."


def step(sitting: Sitting) -> None:
    assert sitting.decision is not None
    seat = sitting.decision.seat
    sitting.choose(seat, sitting.hint(seat))


def begun(file: Path | None = None) -> Sitting:
    """Begin a game in which every seat decides once a turn."""
    return Sitting.begin(shipped("nim", 2), ["ann", "bob"], 1, file)


def asides(log: tuple[str, ...]) -> list[str]:
    return [line for line in log if line in (ACTING, DECIDES, AGAIN, FOLLOWS)]


def test_who_acts_for_another_is_told_to_all_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with begun(file) as sitting:
        sitting.people.act_for(1, "Cy")
        assert sitting.people.deputy(1) == "Cy"
        step(sitting)  # ann, for whom nobody acts
        step(sitting)
        assert asides(sitting.log(0)) == [ACTING, DECIDES]
        sitting.people.act_for(1, "")
        assert sitting.people.deputy(1) == ""
        step(sitting)
        logs = [sitting.log(viewer) for viewer in (None, 0, 1)]
        assert all(asides(log) == [ACTING, DECIDES, AGAIN] for log in logs)
    with Sitting.resume(file) as again:
        assert [again.log(viewer) for viewer in (None, 0, 1)] == logs
        assert again.people.deputy(1) == ""


def test_a_decision_for_another_goes_with_what_was_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with begun(file) as sitting:
        sitting.people.act_for(0, "Cy")
        step(sitting)
        sitting.undo(0)
        log = sitting.log(1)
        assert "Cy decides for ann." not in log
        assert log[-1] == "ann takes back a decision."
        step(sitting)
        log = sitting.log(1)
        assert log.count("Cy decides for ann.") == 1
    with Sitting.resume(file) as again:
        assert again.people.deputy(0) == "Cy"
        assert again.log(1) == log


def test_who_sits_down_plays_on(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with begun(file) as sitting:
        sitting.people.act_for(1, "Cy")
        sitting.people.sit_down(1, "Dora")
        assert sitting.people.deputy(1) == ""
        step(sitting)
        step(sitting)
        assert asides(sitting.log(None)) == [ACTING, FOLLOWS]
        sitting.people.sit_down(0, "greedy", bot=True)
    with Sitting.resume(file) as again:
        assert again.seated.names == ("greedy", "Dora")
        assert again.seated.bots == {0}


def test_a_seat_that_is_left_keeps_the_name() -> None:
    sitting = begun()
    sitting.people.sit_down(1, "")
    sitting.people.sit_down(1, "Dora")
    assert sitting.log(0)[-2:] == ("bob leaves the seat.", FOLLOWS)


def test_the_record_is_replayed_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    with begun(file) as sitting:
        sitting.people.act_for(1, "Cy")
        while sitting.decision is not None:
            step(sitting)
    assert command(["replay", str(file)]) == 0
    assert "the record is the same" in capsys.readouterr().out
    assert command(["replay", str(file), "--tell"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert ACTING in told
    assert DECIDES in told


LINES = (
    '{"acting": "p9", "by": "Cy"}',
    '{"sits": "p9", "name": "Cy"}',
    '{"answered": "p9", "agreed": true}',
)


@pytest.mark.parametrize("line", LINES)
def test_a_seat_that_is_not_there_is_said(line: str) -> None:
    sitting = begun()
    record, _ = read_record(Source("game.jsonl", f"{sitting.text}{line}\n"))
    assert record is not None
    _, difference = replay(record, sitting.rules.program)
    assert difference is not None
    assert (difference.line, difference.message) == (2, "No seat is called `p9`.")


def test_going_on_with_a_seat_that_is_not_there_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(begun().text + LINES[1] + "\n")
    with pytest.raises(RecordError, match="No seat is called `p9`"):
        Sitting.resume(file)


def test_what_is_about_people_stays_when_rules_change() -> None:
    sitting = begun()
    sitting.people.act_for(1, "Cy")
    step(sitting)
    sitting.undo(0)
    text = f'{sitting.text}{{"rules": "0123456789abcdef", "stand": 0}}\n'
    record, _ = read_record(Source("game.jsonl", text))
    assert record is not None
    people = RecordedPeople.at_end(record, seat_names(sitting.rules.program))
    assert people.deputies == {"p2": "Cy"}
    assert [type(entry.part).__name__ for entry in record.entries] == [
        "ActedFor",
        "RulesChanged",
    ]


# ---- what is taken back, and who answered for whom


def test_who_may_decide_is_told_even_if_what_came_before_is_taken_back(
    tmp_path: Path,
) -> None:
    file = tmp_path / "game.jsonl"
    with begun(file) as sitting:
        step(sitting)
        sitting.people.act_for(1, "Cy")
        sitting.undo(0)
        log = sitting.log(0)
        assert log[-2:] == (ACTING, "ann takes back a decision.")
        step(sitting)
        step(sitting)
        sitting.ask_undo(0)
        sitting.agree_undo(1)
        log = sitting.log(0)
        assert asides(log) == [ACTING]
    with Sitting.resume(file) as again:
        assert again.log(0) == log


def test_an_answer_for_another_is_told_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    refused = "Cy, as the host, refuses for bob that something is taken back."
    agreed = "Cy, as the host, agrees for bob that something is taken back."
    with begun(file) as sitting:
        step(sitting)
        step(sitting)
        sitting.ask_undo(0)
        sitting.refuse_undo(1, "Cy")
        with pytest.raises(NotNow):
            sitting.agree_undo(1, "Cy")
        assert sitting.made
        sitting.ask_undo(0)
        assert sitting.agree_undo(1, "Cy")
        assert len(sitting.made) == 0
        logs = [sitting.log(viewer) for viewer in (None, 0, 1)]
        told = (refused, agreed, "ann takes back 2 decisions.")
        assert all(log[-3:] == told for log in logs)
        step(sitting)
        assert sitting.text.splitlines()[3:6] == [
            '{"answered": "p2", "agreed": false, "by": "Cy"}',
            '{"answered": "p2", "agreed": true, "by": "Cy"}',
            '{"undo": 0, "by": "p1", "agreed": ["p2"]}',
        ]
        logs = [sitting.log(viewer) for viewer in (None, 0, 1)]
    with Sitting.resume(file) as again:
        assert [again.log(viewer) for viewer in (None, 0, 1)] == logs


# ---- who it was then is named, not who sits there now


def handed_on(file: Path) -> tuple[str, ...]:
    """Let Dora play on for ann after a round; return what all were told before that."""
    with begun(file) as sitting:
        step(sitting)
        step(sitting)
        before = sitting.log(None)
        sitting.people.sit_down(0, "Dora")
        step(sitting)
        step(sitting)
        after = sitting.log(None)
        assert any("ann" in line for line in before)
        assert after[: len(before)] == before
        assert not any("ann" in line for line in after[len(before) + 1 :])
        assert any("Dora" in line for line in after[len(before) + 1 :])
    return after


def test_lines_from_before_a_seat_was_handed_on_stay(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    told = handed_on(file)
    with Sitting.resume(file) as again:
        assert again.seated.names == ("Dora", "bob")
        assert again.log(None) == told
        late = again.log(1, "de")  # begun in the midst of the game
        assert sum("ann" in line for line in late) == sum(
            "ann" in line for line in told
        )
    record, _ = read_record(Source("game.jsonl", file.read_text("utf-8")))
    assert record is not None
    film = Film(read_game(record.source))
    assert film.frame(film.length, EVERYBODY, "en").log == told
    shown = [film.frame(at, EVERYBODY, "en").moment for at in (0, 2, 3, 4)]
    sat = [each.position.seats[0].name for each in shown]
    assert sat == ["ann", "ann", "Dora", "Dora"]


def test_a_replay_names_who_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    told = [line for line in handed_on(file) if line.strip()]
    command(["replay", str(file), "--tell", "--as", "everybody"])
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line in told] == told


def test_who_sits_there_now_is_named_where_choices_are_taken_back(
    tmp_path: Path,
) -> None:
    with begun(tmp_path / "game.jsonl") as sitting:
        step(sitting)
        sitting.people.sit_down(1, "Dora")
        step(sitting)
        sitting.undo(1)
        step(sitting)
        assert not any("bob" in line for line in sitting.log(None)[-2:])
        log = sitting.log(0)
    with Sitting.resume(tmp_path / "game.jsonl") as again:
        assert again.log(0) == log
