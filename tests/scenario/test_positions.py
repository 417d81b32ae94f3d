"""What a position gives, and a move leaves out, by cases: small games with examples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ruamel.yaml import YAML
from tests.support.rulesets import ruleset_from_texts

from houserule.authoring.scenarios.failures import failure
from houserule.authoring.scenarios.files import read_examples, trials
from houserule.authoring.scenarios.run import run_trial
from houserule.compiler.prepare import Programs

if TYPE_CHECKING:
    from houserule.base.source import Span

FILE = Path(__file__).parents[1] / "cases" / "scenarios" / "given.yaml"
GAMES = YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))
CASES = [(each["game"], said) for each in GAMES for said in each["scenarios"]]


@pytest.mark.parametrize(
    ("game", "said"), CASES, ids=[said["name"] for _, said in CASES]
)
def test_a_position_is_as_given(
    game: str, said: dict[str, Any], tmp_path: Path
) -> None:
    says, at = said.get("says", ""), said.get("at")
    file = tmp_path / "one.yaml"
    example = {key: said[key] for key in said.keys() - {"says", "at"}}
    seats = ["ann", "bob", "cid"][: 3 if "3..3" in game else 2]
    whole = {"game": "t", "table": {"players": seats}, "scenarios": [example]}
    with file.open("w", encoding="utf-8") as stream:
        YAML().dump(whole, stream)
    examples = read_examples(file)
    *_, trial = trials(examples)  # the last case, if it has some
    ruleset = ruleset_from_texts({"game.rules": game})
    result = run_trial(trial, Programs(ruleset))
    assert result.passed == (not says), failure(result, ruleset.sources)
    found: list[tuple[str, Span]] = [(p.message, p.span) for p in result.problems]
    found += [(each.message, each.span) for each in result.faults if each.span]
    places = [span for message, span in found if says in message]
    for span in places if says else ():
        line = examples.source.line(span.line)[span.column - 1 : span.end_column - 1]
        assert (line or "").startswith(str(at))
    assert bool(says) <= bool(places), found
