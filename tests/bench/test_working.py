"""The measurement of an author's waiting does what it says, on copies."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.bench import working


@pytest.fixture
def side(tmp_path: Path) -> working.Side:
    checkout = tmp_path / "checkout"
    command = checkout / ".venv" / "bin" / "houserule"
    command.parent.mkdir(parents=True)
    command.write_text('#!/bin/sh\necho "$@" >> "$HOUSERULE_CACHE.log"\n')
    command.chmod(0o700)
    rules = 'variant a for g "A" ["b"]\naction x ["c"]\nvalue y "One" ["d"]: 0..9 = 1\n'
    examples = "scenarios:\n  - name: one\n    do: []\n"
    small = (f"{game}/game.rules" for game in working.SMALL)
    for path in ("g/variants/a.rules", "g/scenarios/a.yaml", *small):
        file = checkout / "rulesets" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(examples if path.endswith("yaml") else rules)
    return working.side_of("here", checkout, tmp_path)


def test_every_command_is_measured_in_turns(side: working.Side) -> None:
    found = working.measure([side, side], "g", ["a"], 2)
    assert all(
        len(times) == 2 and min(map(min, times)) >= 0 for times in found.values()
    )
    said = side.cache.with_suffix(".log").read_text().split("\n")
    assert said[:2] == ["check ./g"] * 2
    assert said.count("check ./g") == 2 * 2 * 5
    assert said.count("check ./many/pig") == 1 + 2 * 2
    assert said.count("check ./pig") == 2 * 2 * 3
    assert "fmt --check g/game.rules" in said


def test_each_edit_is_another_one(side: working.Side) -> None:
    variant = side.rules / "g" / "variants" / "a.rules"
    example = side.rules / "g" / "scenarios" / "a.yaml"
    texts = [(variant.read_text(), example.read_text())]
    for number in range(2):
        working.after_a_caption(side, "g", "variants/a.rules", number)
        working.after_an_example(side, "g", number)
        texts.append((variant.read_text(), example.read_text()))
    assert len({text for text, _ in texts}) == len({text for _, text in texts}) == 3
    assert texts[2][0] == texts[0][0].replace("One", "round 1")
    assert texts[2][1] == texts[0][1].replace("one", "example of round 1")


def test_an_edit_that_changes_nothing_is_no_edit(side: working.Side) -> None:
    (side.rules / "g" / "variants" / "a.rules").write_text('variant a for g "A"\n')
    with pytest.raises(SystemExit, match="no clause has a caption"):
        working.after_a_caption(side, "g", "variants/a.rules", 0)


def test_a_checkout_without_a_command_is_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="there is no"):
        working.side_of("before", tmp_path, tmp_path)
