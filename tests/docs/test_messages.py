"""An example of a message's page that is right to read gives that message."""

from __future__ import annotations

import re

import pytest
from tests.docs.fences import DOCS, Fence, fences_of
from tests.docs.test_examples import whole
from tests.docs.test_reference import TABLES, in_a_game
from tests.support.rulesets import ruleset_from_texts

from houserule.base.source import Source
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.syntax.read.parser import parse_afresh

EXAMPLES = [
    fence
    for page in sorted((DOCS / "diagnostics").glob("*.md"))
    for fence in fences_of(page)
    if fence.language == "rules"
]


def test_many_pages_have_an_example_that_is_tried() -> None:
    assert len(EXAMPLES) > 45


@pytest.mark.parametrize("fence", EXAMPLES, ids=lambda each: each.place)
def test_an_example_gives_its_message(fence: Fence) -> None:
    if "wrong" in fence.words:
        _, found = parse_afresh(Source(fence.place, whole(fence)))
    else:
        texts = in_a_game(fence)
        named = re.findall(r"^variant (\w+)", texts["example.rules"], re.MULTILINE)
        ruleset = ruleset_from_texts(texts, TABLES)
        found = prepare(ruleset, TableChoice(with_=tuple(named))).diagnostics
    assert fence.page.endswith(tuple(f"/{each.code}.md" for each in found))
