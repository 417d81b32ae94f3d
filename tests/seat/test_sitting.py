"""A sitting: its file, what may be taken back, bots, hints, going on from the file."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest
from tests.seat.sittings import CHEST, chest, rules_of, shipped, small
from tests.support.mutants import fails, mutated
from tests.support.rules_cases import cases_in

import houserule
from houserule.base.files import read_source
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.search import Search
from houserule.engine.compiled.bots.compiled_bots import CompiledThinker
from houserule.engine.compiled.bots.route import Track
from houserule.engine.reference.choices import Act, Answered, Choice, Refused
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.determinize import redeal
from houserule.engine.state.domains import Json
from houserule.ir import Program
from houserule.language.manifest.load import open_ruleset
from houserule.play.records.appending import Appender
from houserule.play.records.choice_words import choice_of
from houserule.play.records.hashes import state_hash
from houserule.play.records.reading import read_record
from houserule.play.seat import log as tales
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.rules import TableRules
from houserule.play.seat.session import Sitting
from houserule.play.seat.undoing import NotNow
from houserule.ui.cli.main import run as command

ROOT = Path(__file__).parents[2]


def begun(rules: TableRules | None = None, file: Path | None = None) -> Sitting:
    return Sitting.begin(rules or chest(), ["ann", "bob"], 7, file)


# ---- taking back


def act_words(sitting: Sitting, *choices: Choice | str) -> None:
    for choice in choices:
        decision = sitting.decision
        assert decision is not None
        said = Act(choice) if isinstance(choice, str) else choice
        sitting.choose(decision.seat, said)


QUESTION = Act("question", (1,))
DONE = houserule.Done()
UNFINISHED = 1  # the status of a record that does not reach the end of its game


@pytest.mark.parametrize(
    ("choices", "seat", "stand"),
    [
        pytest.param(["walk"], 0, 0, id="nothing came out"),
        pytest.param(["walk", "think"], 0, 1, id="one's own secret"),
        pytest.param(["walk", "throw"], 0, None, id="a throw"),
        pytest.param(["lot"], 0, None, id="a lot"),
        pytest.param(["mix"], 0, None, id="a shuffle"),
        pytest.param(["draw"], 0, None, id="a draw that the seat alone sees"),
        pytest.param(["draw", "walk"], 0, 1, id="what came after a draw"),
        pytest.param(["lay"], 0, None, id="a reveal"),
        pytest.param(["confess"], 0, None, id="cells that others see now"),
        pytest.param(["walk"], 1, None, id="another seat's choice"),
        pytest.param(["walk", DONE], 0, 1, id="the end of the turn"),
        pytest.param(["walk", DONE, "walk"], 0, None, id="another seat decided"),
        pytest.param(["walk", DONE, "walk"], 1, 2, id="the other seat may"),
        pytest.param([QUESTION], 0, 0, id="before the other seat answers"),
        pytest.param([QUESTION, Answered(True)], 0, None, id="it answered"),
        pytest.param([], 0, None, id="nothing yet"),
    ],
)
def test_a_choice_is_taken_back_if_nothing_came_out(
    choices: list[Choice | str], seat: int, stand: int | None
) -> None:
    sitting = begun()
    act_words(sitting, *choices)
    if stand is None:
        assert not sitting.can_undo(seat)
        with pytest.raises(NotNow):
            sitting.undo(seat)
        assert len(sitting.made) == len(choices)
        return
    wanted = begun()
    act_words(wanted, *choices[:stand])
    assert sitting.can_undo(seat)
    sitting.undo(seat)
    assert len(sitting.made) == stand
    assert state_hash(sitting.game) == state_hash(wanted.game)


@pytest.mark.parametrize(
    ("choices", "stand"),
    [
        (["walk", "think", "walk"], 0),
        (["throw", "walk", "walk"], 1),
        (["draw", "lay", "walk"], 2),
        (["walk", DONE, "walk", "walk"], 2),
        (["walk", "throw"], None),
    ],
)
def test_a_turn_begins_again_behind_the_last_barrier(
    choices: list[Choice | str], stand: int | None
) -> None:
    sitting = begun()
    act_words(sitting, *choices)
    decision = sitting.decision
    assert decision is not None
    if stand is None:
        with pytest.raises(NotNow):
            sitting.restart_turn(decision.seat)
    else:
        sitting.restart_turn(decision.seat)
        assert len(sitting.made) == stand


def test_a_turn_begins_again_and_no_turn_before_it() -> None:
    sitting = Sitting.begin(chest(1), ["ann"], 7)
    act_words(sitting, "walk", DONE, "walk", "walk")
    for _ in range(2):
        sitting.restart_turn(0)
        assert len(sitting.made) == 2
        act_words(sitting, "walk")


def test_beyond_a_barrier_everybody_has_to_agree_and_the_same_falls_again() -> None:
    sitting = Sitting.begin(chest(3), ["ann", "bob", "random"], 7)
    act_words(sitting, "throw", "walk", DONE)
    thrown = sitting.game.face("Die", 0)
    act_words(sitting, "walk")
    assert not sitting.ask_undo(0)  # back to where ann ended her turn
    assert sitting.asked is not None
    assert sitting.asked.stand == 2
    sitting.refuse_undo(1)
    assert sitting.log(0)[-1] == "bob does not agree that something is taken back."
    with pytest.raises(NotNow):
        sitting.agree_undo(1)
    assert not sitting.ask_undo(0)
    assert not sitting.agree_undo(0)  # whoever asked has agreed already
    assert sitting.agree_undo(1)  # the bot is not asked
    assert len(sitting.made) == 2
    for stand in (1, 0):
        assert not sitting.ask_undo(0)
        assert sitting.agree_undo(1)
        assert len(sitting.made) == stand
    act_words(sitting, "throw")
    assert sitting.game.face("Die", 0) == thrown


def test_what_is_taken_back_from_far_is_told_as_if_it_were_near(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A tale that does not reach back so far is told once more, and goes on."""
    told = []
    for back in (100, 1):
        monkeypatch.setattr(tales, "BACK", back)
        sitting = begun()
        act_words(sitting, "throw", DONE, "walk", "throw", "walk", DONE)
        sitting.ask_undo(0)
        sitting.agree_undo(1)
        assert len(sitting.made) == 1
        act_words(sitting, "walk", DONE, "walk")
        told.append([sitting.log(seat) for seat in (0, 1, None)])
    assert told[0] == told[1]


def test_who_sits_apart_is_told_the_same_and_a_watcher_comes_late() -> None:
    told = []
    for apart in (False, True):
        sitting = Sitting.begin(chest(), ["ann", "bob"], 7, apart=apart)
        act_words(sitting, "throw", "draw", DONE, "walk")
        assert sitting._tales.begun(None, "en") is not apart
        told.append([sitting.log(seat) for seat in (None, 0, 1)])
    assert told[0] == told[1]


@pytest.mark.parametrize("said", ["throw", {"throw": {}}, Act("throw")])
def test_a_choice_may_be_in_words(said: Choice | str | dict[str, Json]) -> None:
    sitting = begun()
    sitting.choose(0, said)
    assert [each.choice for each in sitting.made] == [Act("throw")]
    sitting.choose(0, 0)
    assert len(sitting.made) == 2
    for unknown, error in (("nothing_like_it", ValueError), (99, IndexError)):
        with pytest.raises(error):
            sitting.choose(0, unknown)


def test_a_choice_that_was_taken_back_is_not_taken_back_again() -> None:
    sitting = begun()
    act_words(sitting, "throw", "walk")
    sitting.undo(0)
    assert not sitting.can_undo(0)
    act_words(sitting, "walk", "walk")
    sitting.ask_undo(0)
    sitting.agree_undo(1)
    assert len(sitting.made) == 2
    assert not sitting.can_undo(0)


def test_what_another_seat_went_on_from_is_not_taken_back() -> None:
    sitting = begun()
    act_words(sitting, "walk", DONE, "walk")
    sitting.undo(1)  # but it was seen
    assert not sitting.can_undo(0)


def test_who_sits_with_bots_alone_is_asked_by_nobody() -> None:
    sitting = Sitting.begin(chest(), ["ann", "random"], 7)
    act_words(sitting, "throw")
    assert sitting.ask_undo(0)
    assert sitting.made == ()


def test_who_decided_nothing_asks_nobody() -> None:
    sitting = begun()
    act_words(sitting, "throw")
    assert sitting.can_ask_undo(0)
    assert not sitting.can_ask_undo(1)
    with pytest.raises(NotNow, match="You have not decided anything"):
        sitting.ask_undo(1)
    assert sitting.asked is None


def test_a_choice_ends_what_was_asked() -> None:
    sitting = begun()
    act_words(sitting, "throw")
    sitting.ask_undo(0)
    act_words(sitting, "walk")
    with pytest.raises(NotNow):
        sitting.agree_undo(1)


# ---- the tale


@pytest.mark.parametrize("last", ["walk", "think", DONE], ids=str)
def test_what_was_taken_back_is_told_and_the_rest_is_gone(last: Choice | str) -> None:
    sitting = begun()
    act_words(sitting, "walk")
    first = sitting.log(0)
    act_words(sitting, last)
    rest = sitting.log(0)[len(first) :]
    assert rest
    sitting.undo(0)
    note = "ann takes back a decision."
    assert sitting.log(0) == (*first, note)
    act_words(sitting, last)
    assert sitting.log(0) == (*first, note, *rest)
    german = sitting.log(0, "de")
    assert german[len(first)] == "ann nimmt eine Entscheidung zurück."
    assert len(german) == len(sitting.log(0))
    assert sitting.log(1) == sitting.log(None)


# ---- the file


def lines_of(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_the_file_holds_everything_and_reading_gives_what_stood(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    sitting = begun(file=file)
    act_words(sitting, "walk", "throw", "walk")
    sitting.undo(0)
    sitting.ask_undo(0)
    sitting.agree_undo(1)
    act_words(sitting, "think")
    assert file.read_text("utf-8") == sitting.text
    head, *rest = lines_of(file)
    assert head["players"] == ["ann", "bob"]
    assert head["languages"] == ["en", "en"]
    assert [line.get("n", line.get("undo")) for line in rest] == [1, 2, 3, 2, 1, 2]
    assert rest[4] == {"undo": 1, "by": "p1", "agreed": ["p2"]}
    record, _ = read_record(read_source(file))
    assert record is not None
    assert [each.do for each in record.taken] == ["walk", "think"]
    sitting.close()


def test_a_decision_is_on_disk_before_anything_of_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, sync = tmp_path / "evening.jsonl", os.fsync
    synced: list[tuple[Path, int]] = []
    shown: list[tuple[int, int]] = []

    def note(handle: int) -> None:
        sync(handle)
        folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        lines = file.read_text("utf-8").count("\n")
        synced.append((tmp_path if folder else file, lines))
        if not folder and lines > 1:
            shown.append((len(sitting.made), len(sitting.log(0))))

    monkeypatch.setattr(os, "fsync", note)
    sitting = begun(file=file)
    lengths = [len(sitting.log(0))]
    act_words(sitting, "walk")
    lengths.append(len(sitting.log(0)))
    sitting.undo(0)
    sitting.close()
    folder = [] if sys.platform == "win32" else [(tmp_path, 0)]
    assert synced == [*folder, *((file, lines) for lines in (1, 2, 3))]
    assert shown == [(0, lengths[0]), (1, lengths[1])]


def resumed(file: Path, *, anyway: bool = False) -> Sitting:
    return Sitting.resume(file, anyway=anyway)


def test_a_sitting_goes_on_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    sitting = begun(file=file)
    act_words(sitting, "throw", "walk", "walk")
    sitting.undo(0)
    sitting.close()
    again = resumed(file)
    assert again.made == sitting.made
    assert state_hash(again.game) == state_hash(sitting.game)
    assert again.log(0) == sitting.log(0)
    assert again.seated == sitting.seated
    again.undo(0)
    assert len(again.made) == 1
    assert not again.can_undo(0)
    act_words(again, "think")
    assert again.text == file.read_text("utf-8")
    again.close()


def test_a_line_that_was_cut_short_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.jsonl"
    sitting = begun(shipped("pig"), file)
    act_words(sitting, "throw", "throw")
    sitting.close()
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in range(1, len(lines[-1]) - 1, 7):
        file.write_bytes(whole[: -1 - cut])
        again = resumed(file)
        assert len(again.made) == 1
        assert [each.code for each in again.notes] == ["W080"]
        act_words(again, "throw")
        again.close()
        assert file.read_bytes() == whole
    file.write_bytes(whole[:-1])  # only the end of the line is missing
    again = resumed(file)
    assert len(again.made) == 2
    assert again.notes == ()
    act_words(again, "hold")
    again.close()
    assert file.read_bytes().startswith(whole)
    file.write_bytes(whole[:-5])
    assert command(["replay", str(file)]) == UNFINISHED
    assert "W080" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["middle", "undo", "order"])
def test_other_damage_is_no_record(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "evening.jsonl"
    sitting = begun(file=file)
    act_words(sitting, "walk", "walk")
    sitting.close()
    lines = file.read_text("utf-8").splitlines(keepends=True)
    if damage == "middle":
        lines[1] = lines[1][:-9] + "\n"
    elif damage == "undo":
        lines.append('{"undo": 2, "by": "p1"}\n')
    else:
        lines.insert(1, '{"end": "won", "choices": 0, "state": "0123456789abcdef"}\n')
    file.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(houserule.RecordError) as caught:
        resumed(file)
    assert caught.value.diagnostics[0].code == "E080"
    assert file.read_text("utf-8") == "".join(lines)


def test_two_programs_do_not_play_one_game(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    sitting = begun(file=file)
    act_words(sitting, "walk")
    for begin in (resumed, Appender):
        with pytest.raises(houserule.RecordError) as caught:
            begin(file)
        assert caught.value.diagnostics[0].code == "E083"
    sitting.close()
    resumed(file).close()


def test_a_game_does_not_overwrite_a_file(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_text("dear diary\n", encoding="utf-8")
    with pytest.raises(FileExistsError):
        begun(file=file)
    assert file.read_text("utf-8") == "dear diary\n"


def test_what_cannot_be_written_was_not_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "evening.jsonl"
    sitting = begun(file=file)
    act_words(sitting, "walk")
    state, log, text = state_hash(sitting.game), sitting.log(0), sitting.text

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            act_words(sitting, "throw")
        with pytest.raises(OSError, match="No space"):
            sitting.undo(0)
    assert (state_hash(sitting.game), sitting.log(0)) == (state, log)
    assert file.read_text("utf-8") == text == sitting.text
    act_words(sitting, "throw", "walk")
    sitting.undo(0)
    sitting.close()
    with resumed(file) as again:
        assert again.log(0) == sitting.log(0)


def test_what_is_decided_at_once_is_written_at_once(tmp_path: Path) -> None:
    files = tmp_path / "one.jsonl", tmp_path / "together.jsonl"
    seats = ["random", "random", "ann"]
    one, together = (Sitting.begin(shipped("pig", 3), seats, 7, each) for each in files)
    one.advance()
    with together.at_once():
        together.advance()
        assert len(files[1].read_text("utf-8").splitlines()) == 1
    assert len(one.made) > 2
    assert files[1].read_text("utf-8") == files[0].read_text("utf-8")
    assert together.moment(2) == one.moment(2)
    one.close()
    together.close()


def test_what_cannot_be_written_at_once_was_not_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "evening.jsonl"
    sitting = begun(file=file)
    act_words(sitting, "walk")
    state, log, text = state_hash(sitting.game), sitting.log(0), sitting.text

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"), sitting.at_once():
            act_words(sitting, "throw", "walk")
    assert (state_hash(sitting.game), sitting.log(0)) == (state, log)
    assert file.read_text("utf-8") == text == sitting.text
    assert sitting.can_undo(0)
    act_words(sitting, "throw", "walk")
    sitting.close()
    with resumed(file) as again:
        assert again.log(0) == sitting.log(0)


PLAYS = """
import pathlib, sys
from houserule.play.seat.session import Sitting
sys.path.insert(0, sys.argv[2])
from tests.seat.sittings import shipped
file = pathlib.Path(sys.argv[1])
if file.exists() and file.stat().st_size:
    sitting = Sitting.resume(file)
else:
    file.unlink(missing_ok=True)
    sitting = Sitting.begin(shipped("pig"), ["ann", "greedy"], 5, file)
for _ in range(int(sys.argv[3])):
    sitting.advance()
    sitting.choose(0, sitting.decision.options[0], bots_at_most=0)
    print(len(sitting.made), flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no signal to kill with")
def test_what_was_shown_survives_a_kill_at_any_moment(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    shown = 0
    for lines in (1, 4, 2):
        process = subprocess.Popen(
            [sys.executable, "-c", PLAYS, str(file), str(ROOT), str(lines + 4)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        )
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        numbers = [int(word) for word in f"{' '.join(said)}{rest}".split()]
        assert numbers[0] > shown
        shown = numbers[-1]
        with resumed(file) as again:
            assert len(again.made) >= shown
    with resumed(file) as ended:
        ended.advance()
        while ended.decision is not None:
            ended.choose(0, ended.decision.options[0])
    assert command(["replay", str(file)]) == 0


# ---- rules of one's own


def own_chest(folder: Path) -> Path:
    own = folder / "mine" / "chest"
    shutil.copytree(CHEST, own)
    return own


def test_rules_of_ones_own_are_in_the_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, file = own_chest(tmp_path), tmp_path / "evening.jsonl"
    sitting = begun(rules_of(own, 2), file)
    act_words(sitting, "throw", "walk")
    sitting.close()
    assert lines_of(file)[0]["own"]["folder"] == "mine/chest"  # type: ignore[index]  # JSON
    shutil.rmtree(own)
    assert command(["replay", str(file)]) == UNFINISHED
    assert "after 2 choices; the game is not over" in capsys.readouterr().out
    replay = houserule.read_record(file).replay()
    assert replay.difference is None
    assert not replay.finished
    again = resumed(file)
    act_words(again, "walk")
    again.close()
    assert command(["replay", str(file), "--tell"]) == UNFINISHED


def test_a_record_does_not_tell_where_rules_lie_outside_of_its_folder(
    tmp_path: Path,
) -> None:
    own, file = own_chest(tmp_path / "writer"), tmp_path / "evenings" / "1.jsonl"
    file.parent.mkdir()
    begun(rules_of(own, 2), file).close()
    assert lines_of(file)[0]["own"]["folder"] == "chest"  # type: ignore[index]  # JSON
    assert "writer" not in file.read_text("utf-8")
    shutil.rmtree(own)
    with resumed(file) as again, again.rematch(file.with_name("2.jsonl")) as second:
        act_words(again, "walk")
        act_words(second, "walk")
    for each in file.parent.iterdir():
        assert command(["replay", str(each)]) == UNFINISHED


def test_shipped_rules_are_not_in_the_record(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    begun(shipped("pig"), file).close()
    assert "own" not in lines_of(file)[0]


@pytest.mark.parametrize(
    "name",
    [
        "../outside.rules",
        "/tmp/outside.rules",
        "a/../../outside.rules",
        "a\\b.rules",
        "C:x.rules",
        "",
    ],
)
def test_a_file_of_a_stranger_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    file = tmp_path / "evening.jsonl"
    begun(file=file).close()
    head = lines_of(file)[0]
    head["own"]["files"][name] = "game outside"  # type: ignore[index]  # JSON
    file.write_text(json.dumps(head) + "\n", encoding="utf-8")
    with pytest.raises(houserule.RecordError) as caught:
        resumed(file)
    assert caught.value.diagnostics[0].code == "E080"


def test_rules_of_a_stranger_read_nothing_outside_their_folder(tmp_path: Path) -> None:
    (tmp_path / "diary.yaml").write_text("secret: yes\n", encoding="utf-8")
    own = own_chest(tmp_path)
    game = own / "game.rules"
    text = game.read_text("utf-8")
    line = 'component Page from "../../diary.yaml"\n  secret: yes or no\n'
    game.write_text(text.replace("dice Die", f"{line}dice Die"), encoding="utf-8")
    with pytest.raises(houserule.RulesetError) as caught:
        open_ruleset(own)
    assert "There is no file" in caught.value.diagnostics[0].message


def test_rules_that_a_record_brings_are_small(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    begun(file=file).close()
    head = lines_of(file)[0]
    head["own"]["files"]["big.rules"] = "x" * 8_000_001  # type: ignore[index]  # JSON
    file.write_text(json.dumps(head) + "\n", encoding="utf-8")
    assert command(["replay", str(file)]) == 1


# ---- rules that changed meanwhile


def changed_chest(folder: Path, old: str, new: str) -> Path:
    game = folder / "game.rules"
    text = game.read_text("utf-8")
    assert old in text
    game.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def test_the_first_difference_is_named_and_the_game_goes_on_if_told_to(
    tmp_path: Path,
) -> None:
    own, file = own_chest(tmp_path), tmp_path / "evening.jsonl"
    sitting = begun(rules_of(own, 2), file)
    act_words(sitting, "walk", "throw", "walk", DONE)
    sitting.close()
    before = file.read_text("utf-8")
    few = "limit few: at most {} times each turn\n  does go"
    changed_chest(own, few.format(9), few.format(1))
    with pytest.raises(houserule.RecordError) as caught:
        Sitting.resume(file, folder=own)
    assert caught.value.diagnostics[0].code == "E081"
    assert "choice 3" in caught.value.diagnostics[0].message
    assert file.read_text("utf-8") == before
    on = Sitting.resume(file, folder=own, anyway=True)
    assert len(on.made) == 2
    act_words(on, "think")
    on.close()
    after = Sitting.resume(file)  # the record brings the new rules now
    assert len(after.made) == 3
    assert "limit few: at most 1 times" in after.rules.ruleset.files["game.rules"].text
    after.close()
    assert command(["replay", str(file)]) == UNFINISHED


def test_rules_that_change_nothing_yet_are_noted(tmp_path: Path) -> None:
    own, file = own_chest(tmp_path), tmp_path / "evening.jsonl"
    sitting = begun(rules_of(own, 2), file)
    act_words(sitting, "walk")
    sitting.close()
    changed_chest(own, "steps(p) at least 30", "steps(p) at least 31")
    on = Sitting.resume(file, folder=own)
    assert len(on.made) == 1
    on.close()
    assert lines_of(file)[-1]["stand"] == 1
    replayed = houserule.read_record(file).replay()
    assert replayed.difference is None
    assert replayed.same_rules


# ---- bots, hints, another game


def test_bots_act_until_a_person_is_asked_one_by_one_if_wanted() -> None:
    sitting = Sitting.begin(shipped("pig", 3), ["random", "ann", "random"], 3)
    assert sitting.asks_bot()
    assert sitting.advance(1) == 1
    while sitting.asks_bot():
        assert sitting.advance(1) == 1
    while sitting.decision is not None:
        assert sitting.decision.seat == 1
        sitting.choose(1, sitting.decision.options[0])
    assert sitting.game.outcome is not None


def test_a_bot_goes_on_alike_after_a_pause(tmp_path: Path) -> None:
    played = []
    for pause in (False, True):
        file = tmp_path / f"{pause}.jsonl"
        sitting = Sitting.begin(shipped("liars_dice"), ["greedy", "random"], 3, file)
        while sitting.decision is not None:
            sitting.advance(3)
            if pause:
                sitting.close()
                sitting = resumed(file)
        sitting.close()
        played.append(sitting.text)
    assert played[0] == played[1]


class Noted(CompiledThinker):
    """Thinks compiled from the first decision on, and notes what it could not."""

    slow: ClassVar[list[str]] = []
    quick: ClassVar[list[str]] = []

    def __init__(self, program: Program) -> None:
        super().__init__(program, patience=0)

    def choose(
        self,
        game: ReferenceGame,
        decision: Decision,
        stream: Stream,
        effort: Effort | None = None,
        track: Track | None = None,
    ) -> Choice | None:
        found = super().choose(game, decision, stream, effort, track)
        (self.slow if found is None else self.quick).append(decision.kind)
        return found


def evening_of_deals(file: Path) -> tuple[str, int]:
    """Play with a person who offers and asks, and takes back, pauses and agrees.

    Returns the record, and how often a bot decided within what the person began.
    """
    sitting = Sitting.begin(shipped("takeover"), ["ann", "search:30"], 3, file)
    luck, within = Random(5), 0
    for number in range(70):
        while sitting.asks_bot():
            within += sitting.decision is not None and sitting.decision.kind != "act"
            sitting.advance(1)
        decision = sitting.decision
        if decision is None:
            break
        if number % 7 == 3 and sitting.can_undo(0):
            sitting.undo(0)
        elif number % 11 == 6 and sitting.made:
            sitting.ask_undo(0)
        elif number % 13 == 9:
            sitting.close()
            sitting = resumed(file)
        else:
            options = decision.options
            choice = options[luck.randrange(options.count())]
            sitting.choose(0, choice, bots_at_most=0)
    sitting.close()
    return sitting.text, within


def test_bots_think_compiled_within_what_a_person_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after something was taken back, alone or together, and after a pause."""
    monkeypatch.setattr("houserule.play.seat.seated.CompiledThinker", Noted)
    text, within = evening_of_deals(tmp_path / "quick.jsonl")
    assert within > 5
    assert Noted.quick.count("choose") == within
    assert not Noted.slow
    monkeypatch.setattr(CompiledThinker, "_ready", lambda *_, **__: None)
    assert evening_of_deals(tmp_path / "slow.jsonl") == (text, within)


def test_a_thought_has_nothing_that_others_play_on_in() -> None:
    """What it finds is what the sitting would have found itself; it is awaited once."""
    sitting = Sitting.begin(shipped("takeover"), ["ann", "greedy"], 3)
    luck = Random(5)
    while sitting.decision is not None:
        if sitting.decision.seat == 0:
            options = sitting.decision.options
            choice = options[luck.randrange(options.count())]
            sitting.choose(0, choice, bots_at_most=0)
            continue
        if sitting.decision.kind != "act":
            break
        sitting.advance(1)
    thought = sitting.think()
    assert thought is not None
    own = [game for game, _ in thought._decided.track._taken]
    noted = [game for game, _ in sitting._decided.track._taken]
    assert own
    assert not {*map(id, own)} & {*map(id, noted)}
    thought.think()
    assert sitting.awaits(thought)
    sitting.advance(1)
    assert not sitting.awaits(thought)
    assert [each.choice for each in sitting.made[-1:]] == thought.choices


def test_a_hint_knows_nothing_that_is_hidden_and_changes_nothing() -> None:
    sitting = Sitting.begin(shipped("liars_dice"), ["ann", "bob"], 3)
    for _ in range(4):
        decision = sitting.decision
        assert decision is not None
        seat, state = decision.seat, state_hash(sitting.game)
        hint = sitting.hint(seat)
        assert state_hash(sitting.game) == state
        assert hint in decision.options
        with pytest.raises(NotNow):
            sitting.hint(1 - seat)
        real = sitting.game.machine.store
        program, evaluator = sitting.rules.program, sitting.game.engine.evaluator
        for number in range(5):
            stream = Stream.seeded(number, 0, "others")
            other = redeal(program, evaluator, real, seat, stream).store
            sitting.game.machine.store = other
            assert sitting.hint(seat) == hint
        sitting.game.machine.store = real
        sitting.choose(seat, hint)


def test_a_hint_says_how_sure_it_is() -> None:
    """In Nim all but one take loses from here, and from there all are alike."""
    sitting = Sitting.begin(shipped("nim"), ["ann", "bob"], 3)
    sitting.choose(0, nim_take(sitting, 3, 5))
    sitting.choose(1, nim_take(sitting, 1, 3))
    told = [told_hint(sitting, language) for language in ("en", "de")]
    assert told == [
        "Take 4 sticks from heap 2 (this forces a win)",
        "4 Stäbchen von Haufen 2 nehmen (das erzwingt den Sieg)",
    ]
    assert sitting.advise(0) == sitting.advise(0)
    lost = Sitting.begin(shipped("nim"), ["ann", "bob"], 3)
    lost.choose(0, nim_take(lost, 1, 2))
    assert not lost.advise(1).sure
    assert lost.advise(1).other is not None
    assert " (or as well: " in told_hint(lost, "en")


def test_a_hint_has_the_value_of_every_option() -> None:
    sitting = Sitting.begin(shipped("nim"), ["ann", "bob"], 3)
    sitting.choose(0, nim_take(sitting, 3, 5))
    sitting.choose(1, nim_take(sitting, 1, 3))
    values = values_of(sitting)
    assert values[0] == "Take 4 sticks from heap 2: 100 %"
    shares = [int(each.rpartition(": ")[2].removesuffix(" %")) for each in values]
    assert shares == sorted(shares, reverse=True)


def test_the_values_of_options_say_which_amounts_are_usual() -> None:
    sitting = Sitting.begin(shipped("holdem"), ["ann", "bob"], 3)
    values = values_of(sitting)
    assert len(values) == sitting.game.decision.options.advised().count()  # type: ignore[union-attr]
    assert any(each.startswith("Bet 6 (The pot): ") for each in values)


def values_of(sitting: Sitting) -> list[str]:
    assert sitting.decision is not None
    seat, rules = sitting.decision.seat, sitting.rules
    chooser = Chooser(rules, sitting.game, rules.wording("en"), seat)
    return sitting.advise(seat).values(chooser)


def nim_take(sitting: Sitting, heap: int, sticks: int) -> Choice:
    said: Json = {"take": {"h": heap, "n": sticks}}
    return choice_of(said, "turn", sitting.rules.program)


def told_hint(sitting: Sitting, language: str) -> str:
    assert sitting.decision is not None
    seat, rules = sitting.decision.seat, sitting.rules
    words = rules.wording(language, sitting.seated.names)
    return sitting.advise(seat).told(Chooser(rules, sitting.game, words, seat))


def test_a_hint_within_an_effect_is_searched_where_all_see_everything() -> None:
    sitting = Sitting.begin(shipped("morris"), ["ann", "bob"], 3)
    for seat, point in ((0, 0), (1, 10), (0, 1), (1, 12), (0, 2)):
        sitting.choose(seat, Act("place", (point,)))
    assert sitting.decision is not None
    assert sitting.decision.kind == "choose", "a mill takes a man"
    found = sitting.advise(0)
    assert found.other is not None, "the greedy bot knows of no second one"
    assert {found.choice, found.other} <= {*sitting.decision.options}
    again = sitting.advise(0)
    assert again == found


def test_without_a_compiled_engine_a_hint_takes_no_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CompiledThinker, "_ready", lambda *_, **__: None)
    monkeypatch.delattr(Search, "look_at")
    sitting = Sitting.begin(shipped("kalah"), ["ann", "bob"], 3)
    found = sitting.advise(0)
    assert found.choice in sitting.decision.options  # type: ignore[union-attr]
    assert not found.sure


def test_a_rematch_is_the_next_game_of_the_same_people(tmp_path: Path) -> None:
    first = Sitting.begin(shipped("pig"), ["ann", "greedy"], 3, tmp_path / "1.jsonl")
    while first.decision is not None:
        first.choose(0, first.decision.options[0])
    first.close()
    with first.rematch(tmp_path / "2.jsonl") as second:
        assert second.seated == first.seated
        assert (second.seed, second.number) == (3, 1)
        assert second.made == ()


def test_who_sits_down_is_checked() -> None:
    for seats in (["ann"], ["ann", "ann"], ["ann", " "]):
        with pytest.raises(ValueError, match=r"."):
            Sitting.begin(chest(), seats)


def test_only_who_is_asked_may_choose_and_only_what_is_legal() -> None:
    sitting = begun()
    with pytest.raises(NotNow):
        sitting.choose(1, Act("walk"))
    with pytest.raises(Refused):
        sitting.choose(0, Act("question", (0,)))
    assert sitting.made == ()
    assert "frag" in NotNow("not_asked").text("de")


def test_a_whole_game_with_chance_and_secrets_is_told_and_replayed(
    tmp_path: Path,
) -> None:
    file = tmp_path / "market.jsonl"
    sitting = Sitting.begin(small("market"), ["ann", "random"], 2, file)
    steps = 0
    while sitting.decision is not None:
        steps += 1
        seat = sitting.decision.seat
        sitting.choose(seat, sitting.hint(seat))
        if steps % 7 == 0 and sitting.can_undo(seat):
            sitting.undo(seat)
        if steps % 11 == 0 and sitting.made:
            sitting.ask_undo(0)
        if steps > 60 and sitting.decision is not None:
            sitting.choose(0, sitting.hint(0))
    sitting.close()
    assert lines_of(file)[-1]["end"] == "won"
    again = resumed(file)
    assert again.log(0) == sitting.log(0)
    assert again.outcome == sitting.outcome
    again.close()
    assert command(["replay", str(file)]) == 0


def test_a_game_is_told_as_one_player_saw_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.jsonl"
    sitting = begun(file=file)
    act_words(sitting, "draw", "walk")
    sitting.undo(0)
    sitting.close()
    told = {}
    for who in ("ann", "p1", "bob"):
        assert command(["replay", str(file), "--as", who, "--no-boards"]) == UNFINISHED
        *lines, _ = capsys.readouterr().out.splitlines()
        told[who] = lines
    assert told["ann"] == told["p1"]
    assert told["ann"] != told["bob"]
    for seat, who in enumerate(("ann", "bob")):
        assert told[who][-1] == "ann takes back a decision."
        assert set(sitting.log(seat)) <= set(told[who])
    assert command(["replay", str(file), "--as", "carl"]) == 2
    assert "Nobody called `carl` sits there." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("verb", "flag", "named", "means"),
    [
        ("replay", "--as", "p1", "p1, p2"),
        ("replay", "--as", "P1", "p1, p2"),
        ("analyse", "--seat", "p1", "p1, p2"),
        ("why", "--seat", "p1", "p1, p2"),
        ("replay", "--as", "everybody", "all, p1"),
        ("replay", "--as", "p2", ""),
    ],
)
def test_a_name_of_several_seats_is_ambiguous(
    verb: str,
    flag: str,
    named: str,
    means: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A record from elsewhere may have such names; none that begins here has."""
    file = tmp_path / "evening.jsonl"
    begun(file=file).close()
    text = file.read_text("utf-8").replace('"ann", "bob"', '"everybody", "p1"')
    file.write_text(text, "utf-8")
    moves = ["done"] if verb == "why" else []
    assert command([verb, str(file), *moves, flag, named]) == (2 if means else 1)
    assert (f"It may mean: {means}." in capsys.readouterr().err) == bool(means)
    for names in (["ann", "p1"], ["P2", "bob"], ["Everybody", "bob"]):
        with pytest.raises(ValueError, match="different name"):
            Sitting.begin(chest(), names)


# ---- mutants: each breaks one promise, and a test above fails


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("mutant", cases_in(CHEST.parent))
def test_a_mutant_is_caught(
    mutant: Mapping[str, str], request: pytest.FixtureRequest
) -> None:
    gc.freeze()  # what was there before is not looked through each time
    with mutated(mutant["module"], mutant["right"], mutant["instead"]):
        failed = fails(globals()[mutant["caught_by"]], request)
    gc.collect()  # files that the test left open
    assert failed
