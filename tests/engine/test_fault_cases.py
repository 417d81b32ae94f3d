"""Faults of rules that only play finds: the right code, at the right line."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.rules_cases import FAULTS, cases_in, program_of

from houserule.base.limits import limited
from houserule.engine.reference.choices import Act
from houserule.engine.reference.play import machine
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault


@pytest.mark.parametrize("case", cases_in(FAULTS))
def test_fault(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    if "bound" in case:
        monkeypatch.setattr(machine, "FIRINGS_AT_MOST", case["bound"])
    program = program_of(case["rules"], tables=case.get("tables"))
    wanted = case["fault"]
    ceilings = limited(**case.get("limits", {}))
    with ceilings, pytest.raises(RuleFault) as caught:
        play(ReferenceGame.start(program, 1), case.get("play", []))
    assert caught.value.code == wanted["code"]
    if "line" in wanted:
        assert caught.value.span.line == wanted["line"]


def play(game: ReferenceGame, actions: list[str]) -> None:
    for action in actions:
        game.choose(Act(action))


def test_two_cases_a_code() -> None:
    codes = [param.values[0]["fault"]["code"] for param in cases_in(FAULTS)]
    assert not {code for code in codes if codes.count(code) < 2}
