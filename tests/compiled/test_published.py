"""The published layout is whole, and enough to read and write a state."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from tests.support.compare import machine_of, numbers, play_both
from tests.support.engines import last_of, machine_at
from tests.support.rules_cases import program_of
from tests.support.shipped import NAMES, program_at
from tests.support.small_games import PLAY

from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import (
    Codec,
    StateBlock,
    codec_of,
    read_state,
    write_state,
)
from houserule.engine.compiled.memory.layout import START
from houserule.engine.compiled.memory.published import Holds, StateLayout
from houserule.engine.state.state_model import state_model
from houserule.engine.state.store import Store
from houserule.ir import Program
from houserule.ui.cli.main import run

GAME = str(PLAY / "market")


def at_play(name: str, seed: int) -> tuple[Program, CompiledMachine]:
    """Return a machine in the midst of a game."""
    program, machine = program_at(last_of(name)), machine_at(last_of(name))
    play_both(program, machine, seed, numbers(seed, 12 + 9 * seed))
    return program, machine


@pytest.mark.parametrize("name", NAMES)
def test_every_byte_is_in_one_run(name: str) -> None:
    layout = at_play(name, 0)[1].module.layout()
    runs = sorted(layout.runs, key=lambda run: run.at)
    assert runs[0].at == layout.start == START
    for one, other in pairwise(runs):
        gap = other.at - (one.at + one.count * one.width)
        assert 0 <= gap < 8, (one.name, other.name)
    last = runs[-1]
    assert 0 <= START + layout.size - (last.at + last.count * last.width) < 8


@pytest.mark.parametrize("name", NAMES)
def test_keys_tell_all_entries_apart(name: str) -> None:
    for run_ in at_play(name, 0)[1].module.layout().runs:
        entries = 1
        for key in run_.keys:
            entries *= key.size
            assert not key.members or key.of_sets or len(key.members) == key.size
        assert not run_.keys or entries == run_.count


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_the_published_text_is_enough_for_a_state(name: str, seed: int) -> None:
    """A codec of the JSON text reads what the reference engine has; back as well."""
    program, machine = at_play(name, seed)
    memory, block = machine.module.memory, machine.block()
    text = machine.module.layout().model_dump_json()
    layout = StateLayout.model_validate_json(text)
    codec = Codec(layout.runs, layout.zones)
    parts = codec.read(block)
    assert parts == codec_of(memory).read(block)
    data = Store.from_data(memory.layout, parts).to_data()
    state_model(program).model_validate_json(json.dumps(data))
    other = CompiledMachine(machine.module)
    other.call("reset", seed, 0)
    empty = other.block()
    assert codec.read(empty) != parts
    codec.write(empty, parts)
    assert codec.read(empty) == parts
    for run_ in layout.runs:
        if run_.group in {"cells", "lying", "orders", "where", "known", "faces"}:
            ends = run_.at - START, run_.at - START + run_.count * run_.width
            told = slice(*ends)
            assert empty.content[told] == block.content[told], run_.name


@pytest.mark.parametrize("name", NAMES)
def test_states_of_the_model_go_both_ways(name: str) -> None:
    _, machine = at_play(name, 1)
    memory, block = machine.module.memory, machine.block()
    state = read_state(block, memory)
    other = StateBlock(bytearray(len(block.content)))
    write_state(other, memory, state)
    assert read_state(other, memory) == state
    ours = state.model_dump(mode="json", by_alias=True)
    kept = Store.from_data(memory.layout, codec_of(memory).read(block)).to_data()
    assert ours == kept


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
    _, machine = at_play("pig", 0)
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
