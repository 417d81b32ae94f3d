"""The examples of the page on scenarios are themselves run."""

from __future__ import annotations

import re
from pathlib import Path

from houserule.authoring.scenarios.expect import EXPECT_WORDS
from houserule.authoring.scenarios.files import read_examples, trials
from houserule.authoring.scenarios.run import run_trial
from houserule.base.resources import find_ruleset
from houserule.compiler.prepare import Programs
from houserule.language.manifest.load import load_ruleset

PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"


def test_the_example_of_the_page_is_met(tmp_path: Path) -> None:
    example, *_ = re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    file = tmp_path / "page.yaml"
    file.write_text(example, "utf-8")
    examples = read_examples(file)
    assert not examples.faults
    assert examples.form is not None
    folder = find_ruleset(examples.form.game)
    assert folder is not None
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    results = [run_trial(trial, Programs(ruleset)) for trial in trials(examples)]
    assert len(results) == 6
    assert all(result.passed for result in results)


def test_every_word_of_expect_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    assert [word for word in EXPECT_WORDS if f"`{word}: " not in page] == []
