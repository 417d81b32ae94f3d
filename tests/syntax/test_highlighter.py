"""The highlighter for editors knows every word of the grammar."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

from houserule.language.syntax.vocabulary import keywords

EDITOR = Path(__file__).parents[2] / "tools" / "editor"
KEPT = EDITOR / "houserule.tmLanguage.json"


def test_the_highlighter_and_the_snippets_are_up_to_date() -> None:
    tool = runpy.run_path(str(EDITOR / "write_highlighter.py"))
    kept = KEPT.read_text("utf-8"), (EDITOR / "snippets.json").read_text("utf-8")
    assert kept == (tool["highlighter"](), tool["snippets"]()), "run the tool"


def test_every_keyword_is_highlighted() -> None:
    rules = json.loads(KEPT.read_text(encoding="utf-8"))["repository"]
    text = json.dumps(rules)
    known = set(re.findall(r"[a-z]+", text))
    assert keywords() <= known


def test_every_pattern_can_be_read() -> None:
    def patterns(value: object) -> list[str]:
        if isinstance(value, list):
            return [each for part in value for each in patterns(part)]
        if not isinstance(value, dict):
            return []
        own = [value[key] for key in ("match", "begin", "end") if key in value]
        return own + [each for part in value.values() for each in patterns(part)]

    found = patterns(json.loads(KEPT.read_text(encoding="utf-8"))["repository"])
    assert len(found) > 10
    for pattern in found:
        re.compile(pattern)
