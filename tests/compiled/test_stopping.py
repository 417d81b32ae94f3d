"""Work that takes minutes within one decision ends when it is told to."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.support import shipped
from tests.support.endless import ENDLESS, program

from houserule.base.limits import LIMITS, limited
from houserule.engine.compiled.functions import Unsupported
from houserule.engine.compiled.machine import CompiledMachine, Faulted, code_of
from houserule.engine.compiled.module import Module, emit
from houserule.engine.compiled.optimize.costs import LOOK
from houserule.study.simulate.play import play_game


@pytest.mark.parametrize("name", ENDLESS)
def test_a_machine_that_is_stopped_ends_amid_a_decision(name: str) -> None:
    with limited(work=LIMITS["work"].most):
        machine = CompiledMachine(emit(program(name)))
    stop = threading.Timer(0.1, machine.stop)
    began = time.monotonic()
    stop.start()
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


class Process(subprocess.Popen):  # type: ignore[type-arg]
    """A process that is remembered."""

    started: ClassVar[list[Process]] = []

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments, **named)
        self.started.append(self)


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Module:
    """Return a module that was not compiled before, and takes long by what is known."""
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path))
    monkeypatch.setattr("houserule.engine.compiled.runtime.LONG_TEXT", 1)
    monkeypatch.setattr("subprocess.Popen", Process)
    monkeypatch.setattr(Process, "started", [])
    module = emit(shipped.program_of("pig", shipped.sampled("pig")[0]))
    return replace(module, text=f"{module.text}\n;; {tmp_path}")


def test_what_takes_long_to_compile_is_compiled_apart_and_plays_alike(
    slowly: Module,
) -> None:
    here = CompiledMachine(emit(slowly.program)).batch(1, 0, 5)
    assert CompiledMachine(slowly).batch(1, 0, 5) == here
    assert [each.returncode for each in Process.started] == [0]


def test_a_compiler_that_is_not_waited_for_is_ended(
    slowly: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_and_wait = f"import os, time; os.kill({os.getpid()}, 2); time.sleep(99)"
    monkeypatch.setattr("houserule.engine.compiled.runtime.APART", ask_and_wait)
    with pytest.raises(KeyboardInterrupt):
        code_of(slowly)
    [process] = Process.started
    assert process.wait(9) < 0


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("import sys; sys.exit('function is too large')", "the compiler"),
        ("import os; os.abort()", "the compiler"),
        (
            "import sys; sys.stderr.write('exceeds'); sys.exit(2)",
            "one function or module",
        ),
    ],
)
def test_a_compiler_that_fails_leaves_the_game_to_the_reference_engine(
    slowly: Module, monkeypatch: pytest.MonkeyPatch, script: str, says: str
) -> None:
    monkeypatch.setattr("houserule.engine.compiled.runtime.APART", script)
    with pytest.raises(Unsupported, match=f"too much for {says}"):
        code_of(slowly)


def test_a_function_that_would_take_minutes_is_not_compiled(
    slowly: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houserule.engine.compiled.runtime.MOST_SQUARES", 1)
    with pytest.raises(Unsupported, match="too much for one function"):
        code_of(slowly)
    assert not Process.started


@pytest.mark.parametrize("name", ["pig", "nim", "hex_board"])
def test_what_is_quick_does_not_look(name: str) -> None:
    """No value and no walk over options looks, where no loop can be long."""
    text = emit(shipped.program_of(name, shipped.sampled(name)[0])).text
    looking = {each.split()[0] for each in text.split("(func ")[1:] if LOOK in each}
    kinds = {each.partition(".")[0] for each in looking}
    assert "$phase" in kinds
    assert not kinds & {"$value", "$query", "$walk", "$wise", "$filter", "$pick"}
