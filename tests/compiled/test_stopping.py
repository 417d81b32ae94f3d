"""Work that takes minutes within one decision ends when it is told to."""

from __future__ import annotations

import threading
import time

import pytest
from tests.support import shipped
from tests.support.endless import ENDLESS, program

from houserule.compiled.machine import CompiledMachine, Faulted
from houserule.compiled.module import emit
from houserule.compiled.optimize.costs import LOOK
from houserule.limits import MOST, limited
from houserule.simulate.play import play_game


@pytest.mark.parametrize("name", ENDLESS)
def test_a_machine_that_is_stopped_ends_amid_a_decision(name: str) -> None:
    with limited(work=MOST):
        machine = CompiledMachine(emit(program(name)))
    stop = threading.Timer(0.1, machine.stop)
    stop.start()
    began = time.monotonic()
    assert machine.batch(1, 0, 5) == []
    taken = time.monotonic() - began
    stop.join()
    assert 0.09 < taken < 1.5


@pytest.mark.parametrize("name", ENDLESS)
def test_it_ends_with_a_fault_unless_it_is_stopped(name: str) -> None:
    with limited(work=20_000):
        machine = CompiledMachine(emit(program(name)))
        with pytest.raises(Faulted, match="Too much is looked at"):
            machine.batch(1, 0, 5)
        game = play_game(program(name), 1, 0, ("random",))
    remembered = name == "values that call one another"  # by the reference engine
    assert game.outcome == ("won:0,1" if remembered else "fault:F11")


def test_it_plays_on_afterwards() -> None:
    machine = CompiledMachine(
        emit(shipped.program_of("pig", shipped.sampled("pig")[0]))
    )
    wanted = machine.batch(1, 0, 5)
    machine.stop()
    assert machine.batch(1, 0, 5) == []
    machine.go_on()
    assert machine.batch(1, 0, 5) == wanted


@pytest.mark.parametrize("name", ["pig", "nim", "hex_5x5"])
def test_what_is_quick_does_not_look(name: str) -> None:
    """No value and no walk over options looks, where no loop can be long."""
    text = emit(shipped.program_of(name, shipped.sampled(name)[0])).text
    looking = {each.split()[0] for each in text.split("(func ")[1:] if LOOK in each}
    kinds = {each.partition(".")[0] for each in looking}
    assert "$phase" in kinds
    assert not kinds & {"$value", "$query", "$walk", "$wise", "$filter", "$pick"}
