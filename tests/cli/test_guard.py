"""What the command does around its verbs: its start, its end, faults of ours."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import click
import pytest

from houserule.ui.cli import INTERRUPTED, WRONG_USAGE, main, verbs

ROOT = Path(__file__).parents[2]


def raising(error: BaseException) -> click.Command:
    @click.command()
    def command() -> None:
        raise error

    return command


def ends_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(main.Verbs, "get_command", lambda *_: raising(error))
    return main.run(["list"])


def test_a_fault_of_ours_is_said_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HOUSERULE_DEBUG", raising=False)
    assert ends_with(RuntimeError("lost a card"), monkeypatch) == 3
    said = capsys.readouterr().err
    assert "RuntimeError: lost a card" in said
    assert "Please report it" in said
    assert "Traceback" not in said


def test_what_the_system_refuses_is_said_and_is_no_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HOUSERULE_DEBUG", raising=False)
    refused = OSError(errno.EROFS, "Read-only file system", "/x")
    assert ends_with(refused, monkeypatch) == WRONG_USAGE
    assert capsys.readouterr().err == "Error: `/x`: Read-only file system\n"


def test_debugging_shows_where_it_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULE_DEBUG", "1")
    with pytest.raises(RuntimeError):
        ends_with(RuntimeError("lost a card"), monkeypatch)


def test_interrupting_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ends_with(KeyboardInterrupt(), monkeypatch) == INTERRUPTED


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys; from houserule.ui.cli.main import run; run(['--help']);"
        "heavy = {'pydantic', 'lark', 'ruamel', 'rich', 'houserule.engine.reference'};"
        "print('loaded:', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT / "interpreter"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "loaded: []" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("words", ["--help", "--version", "check --help", "list"])
def test_output_that_is_lost_is_said(words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "houserule", *words.split()],
            env={"PYTHONPATH": str(ROOT / "interpreter"), "PATH": ""},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr == "The output cannot be written: No space left on device.\n"


@pytest.mark.parametrize(
    "arguments",
    [("explain", "--all"), ("play", "nim", "--seats", "greedy,ann", "--plain")],
    ids=lambda arguments: arguments[0],
)
def test_output_that_nobody_reads_is_no_fault(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    code = (
        "import sys; from houserule.ui.cli.main import run;"
        f"sys.exit(run({list(arguments)}))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "interpreter"), "PATH": ""},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == 0
    assert said == ""


def test_the_shell_is_told_what_fits() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "houserule"],
        env={
            "PYTHONPATH": str(ROOT / "interpreter"),
            "PATH": "",
            "_HOUSERULE_COMPLETE": "bash_complete",
            "COMP_WORDS": "houserule run pig --with ",
            "COMP_CWORD": "4",
        },
        capture_output=True,
        text=True,
    )
    assert done.stdout == "plain,no_early_hold\n"


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("houserule ")


def test_verbs_have_one_line_each() -> None:
    assert all(len(verb.says) < 70 for verb in verbs.VERBS.values())


def test_what_nobody_is_to_hear_is_not_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr("houserule.play.narration.narrator.Narrator.news")
    for quietly, names in (("--quiet", "Random 1"), ("--json", "p1")):
        assert main.run(["run", "pig", "--seed", "3", quietly]) == 0
        assert names in capsys.readouterr().out
