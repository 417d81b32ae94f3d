"""The page on what compiles: each example is compiled, or refused for its reason."""

from __future__ import annotations

import re

import pytest
from tests.docs.fences import DOCS, Fence, fences_of
from tests.support.rules_cases import program_of

from houserule.engine.compiled.functions import Unsupported
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.module import emit

PAGE = DOCS / "internals" / "what-compiles.md"
FENCES = [fence for fence in fences_of(PAGE) if "compiles" in fence.settings]
GAME, *EXAMPLES = FENCES


def reason_above(fence: Fence) -> str:
    """Return the heading that an example stands under."""
    lines = PAGE.read_text(encoding="utf-8").split("\n")[: fence.line]
    return [line for line in lines if line.startswith("## ")][-1].removeprefix("## ")


def refused(fence: Fence) -> str:
    """Return why an example does not compile, or not for every bot; '' if it does."""
    program = program_of(GAME.text + fence.text)
    try:
        module = emit(program)
        CompiledMachine(module)
    except Unsupported as error:
        return str(error)
    return module.no_greedy


@pytest.mark.parametrize("fence", EXAMPLES, ids=lambda each: each.place)
def test_an_example(fence: Fence) -> None:
    reason = refused(fence)
    if fence.settings["compiles"] == "yes":
        assert not reason
    else:
        heading = re.escape(reason_above(fence)).replace("…", ".*")
        assert re.fullmatch(heading, reason, re.IGNORECASE), reason


def test_every_reason_has_both() -> None:
    found = {(reason_above(each), each.settings["compiles"]) for each in EXAMPLES}
    assert len(found) == 2 * len({reason for reason, _ in found}) > 10
