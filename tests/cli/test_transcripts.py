"""The command line, as transcripts: what is typed, and what comes back.

A transcript file has commands (`$ houserule …`), each followed by its standard output.
Then come its standard error after `--- stderr`, and its exit status after `--- status`
if it is not 0. Commands run in `tests/cases/play`. With `HOUSERULE_BLESS=1` in the
environment the files are written anew; look at the diff.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from houserule.ui.cli.main import run
from houserule.ui.cli.verbs import VERBS

PLAY = Path(__file__).parents[1] / "cases" / "play"
TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
CHANGING = (
    (re.compile(r"in \d+\.\d s \(\d+ a second\)"), "in … s (… a second)"),
    (re.compile(r'"seconds": [\d.]+'), '"seconds": 0.0'),
    (re.compile(r"Shipped: [^.]*\."), "Shipped: …."),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<digest>"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "<hash>"),
)


@dataclass(frozen=True)
class Exchange:
    """One command and everything that comes back."""

    command: str
    back: str


def read(text: str) -> list[Exchange]:
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [Exchange(*part.split("\n", 1)) for part in parts]


def lasting(text: str) -> str:
    for pattern, instead in CHANGING:
        text = pattern.sub(instead, text)
    return text


def answer(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    words = shlex.split(command)
    assert words[0] == "houserule"
    status = run(words[1:])
    out, err = capsys.readouterr()
    back = out
    if err:
        back += f"--- stderr\n{err}"
    if status:
        back += f"--- status {status}\n"
    return lasting(back)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: str(path.stem))
def test_transcript(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PLAY)
    monkeypatch.setenv("COLUMNS", "80")
    exchanges = read(path.read_text("utf-8"))
    assert exchanges
    found = [Exchange(each.command, answer(each.command, capsys)) for each in exchanges]
    if os.environ.get("HOUSERULE_BLESS"):
        text = "".join(f"$ {each.command}\n{each.back}" for each in found)
        path.write_text(text, encoding="utf-8")
    assert found == exchanges


def test_every_verb_has_a_transcript() -> None:
    typed = "".join(path.read_text("utf-8") for path in TRANSCRIPTS)
    silent = [verb for verb in VERBS if f"$ houserule {verb}" not in typed]
    assert not silent


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([verb, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Examples:" in text
    assert f"houserule {verb}" in text
