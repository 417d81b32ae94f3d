"""The published layout is whole, and enough to read and write a state."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.compare import machine_of
from tests.support.engines import first_of, machine_at
from tests.support.rules_cases import program_of
from tests.support.small_games import PLAY

from houserule.engine.compiled.memory.codec import (
    Codec,
    StateBlock,
    read_state,
    write_state,
)
from houserule.engine.compiled.memory.layout import START
from houserule.engine.compiled.memory.published import Holds, StateLayout
from houserule.ui.cli.main import run

GAME = str(PLAY / "market")


def test_a_set_that_may_be_none_goes_both_ways() -> None:
    """None and the empty set are told apart; equal values are equal bytes."""
    program = program_of(MAYBE)
    machine = machine_of(program)
    layout = machine.module.layout()
    codec = Codec(layout.runs, layout.zones)
    machine.call("reset", 1, 0)
    block, other = machine.block(), StateBlock(bytearray(layout.size))
    parts = codec.read(block)
    assert parts["cells"]["mine"] == [None, None]
    assert parts["cells"]["many"] == [()]
    mine, many = (next(r for r in layout.runs if r.name == n) for n in ("mine", "many"))
    assert (mine.width, many.width) == (16, 24)
    assert mine.holds == Holds(form="set", low=-3, high=2, none=True)
    values = {"mine": [(-3, 2), None], "many": [(0, 63, 64, 69)]}
    for cells in (values, {"mine": [(), (1,)], "many": [None]}, parts["cells"]):
        codec.write(other, parts | {"cells": cells})
        assert codec.read(other)["cells"] == cells
        again = StateBlock(bytearray(layout.size))
        memory = machine.module.memory
        write_state(again, memory, read_state(other, memory))
        assert codec.read(again) == codec.read(other)
    told = slice(mine.at - START, many.at - START + many.width)
    assert other.content[told] == block.content[told]


MAYBE = """\
game t
players 2..2
type Small = -3..2
type Wide = 0..69
state mine(p: Player): set of Small or none starts as none
state many: set of Wide or none starts as {}
winners: players
phase turn for me in players
  step go: at most once
action fill during go
  does it: mine(me) becomes {0}; many becomes none
"""


def test_what_is_no_state_is_refused() -> None:
    machine = machine_at(first_of("pig"))
    machine.reset(1, 0)
    machine.call("advance")
    memory, block = machine.module.memory, machine.block()
    cells = next(iter(memory.cells.values()))
    block.put(cells.at, -5)
    with pytest.raises(ValueError, match="greater than or equal"):
        read_state(block, memory)


def test_it_is_shown_and_written_beside_the_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", GAME, "--layout"]) == 0
    said = capsys.readouterr().out
    layout = StateLayout.model_validate_json(said)
    assert layout.game == "market"
    hand = next(r for r in layout.runs if r.group == "lying" and r.name == "hand")
    assert (hand.count, hand.holds.form, hand.keys[0].name) == (2, "set", "p")
    assert run(["show", GAME, "-o", str(tmp_path / "m.wat")]) == 0
    assert (tmp_path / "m.layout.json").read_text(encoding="utf-8") == said


@pytest.mark.parametrize("more", [["-o", "x.wat"], ["--json"]], ids=" ".join)
def test_it_is_one_object_on_standard_output(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", GAME, "--layout", *more]) == 2
    assert "`--layout`" in capsys.readouterr().err
