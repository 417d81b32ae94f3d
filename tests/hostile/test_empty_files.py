"""Each kind of file, empty: every verb that reads it ends as a verb should."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from tests.support.attacks import attack

from houserule.base.resources import shipped_rulesets

VERBS = (
    "check pig",
    "check pig --pairs",
    "check pig/FILE",
    "show pig",
    "list pig",
    "run pig -q",
    "simulate pig --games 2 --jobs 1 --engine reference",
    "rulebook pig",
    "test pig",
    "test pig/FILE",
    "why pig throw",
    "play pig --seats random,random --plain --record new.jsonl",
    "coverage pig",
    "rename pig pot heap",
    "fmt pig",
    "fmt pig/FILE",
    "copy pig mine",
    "new variant late --for ./pig",
    "table new new.yaml ./pig",
    "table show pig/FILE",
    "run --table pig/FILE -q",
    "replay pig/FILE",
    "play pig/FILE --plain",
    "analyse pig/FILE",
    "compare pig pig/FILE --games 2",
    "run pig -q --rules pig/FILE",
)
FILES = (
    "game.rules",
    "ruleset.yaml",
    "rulings.yaml",
    "variants/no_early_hold.rules",
    "text/de.yaml",
    "scenarios/pig.yaml",
    "components/rows.yaml",
    "table.yaml",
    "record.jsonl",
)


@pytest.mark.parametrize("content", ["", pytest.param("---\n", marks=pytest.mark.slow)])
@pytest.mark.parametrize("file", FILES)
def test_an_empty_file_is_an_error_with_a_place(
    file: str, content: str, tmp_path: Path
) -> None:
    for verb in VERBS:
        if "FILE" not in verb and file in {"table.yaml", "record.jsonl"}:
            continue
        shutil.rmtree(tmp_path / "pig", ignore_errors=True)
        shutil.copytree(shipped_rulesets()["pig"], tmp_path / "pig")
        (tmp_path / "pig" / file).parent.mkdir(exist_ok=True)
        (tmp_path / "pig" / file).write_text(content, "utf-8")
        environment = {"HOUSERULE_CACHE": str(tmp_path / "cache")}
        words = shlex.split(verb.replace("FILE", file))
        outcome = attack(tmp_path, words, environment)
        assert not outcome.is_ours, (verb, outcome)
        if outcome.status == 1 and "pig: 0 errors" not in outcome.output:
            assert Path(file).name in outcome.output, (verb, outcome)
