"""What cannot be compiled is refused, soon, and nothing grows."""

from __future__ import annotations

import sys
from subprocess import run

import pytest
from tests.support import shipped
from tests.support.compare import check, machine_of, numbers
from tests.support.rules_cases import program_of

from houserule.engine.compiled.functions import Unsupported
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.module import PAGES_AT_MOST, TEXT_AT_MOST, emit
from houserule.ir import Program

HEAD = "game t\nplayers 2..2\n"
TAIL = """
winners: players
phase turn for me in players
  step go: at most once
"""


def rules(before: str, after: str) -> Program:
    program = program_of(HEAD + before + TAIL + after)
    return program


DEEPEST = 29  # so many values in a row, each of five levels: the ceiling is 150

REFUSED = {
    "a product that leaves 32 bits": (
        "state n: 0..99999 starts as 9",
        "action a(m in 1..9) during go\n  needs big: n * n * m at least 3\n"
        "  does it: n gains 1",
    ),
    "a layer that leaves 32 bits on its way": (
        "state n: 0..99999 starts as 9\nvalue v: 0..9 = n\n"
        "  then times much, if any\n  then at most few, if any\n"
        "multiply v.much called one: n\nkeep v.few called two: at most 9",
        "action a during go\n  does it: n becomes v",
    ),
    "more ways to draw than bits": (
        "state n: 0..99999 starts as 9\n"
        + "".join(f"drawn by d{k}: n is {k}\n" for k in range(65)),
        "action a during go\n  does it: n gains 1",
    ),
    "a set with too many places": (
        "type Big = 0..8999\nstate n: Big starts as 9\nvalue s: set of Big = 0..n",
        "action a during go\n  does it: n becomes size(s)",
    ),
    "a state too large": (
        "type Hour = 0..59\nstate n(a: 0..399, b: 0..399): set of Hour starts as {}",
        "action a during go\n  does it: n(1, 2) becomes {9}",
    ),
    "a loop over the parts of many": (
        "component Card for each nr: 1..30\nstate n: 0..9 starts as 0",
        "action a during go\n  does it:\n"
        "    for s any part of Card where size(s) is 30: n gains 1",
    ),
    "shares that cannot be counted": (
        "component Card for each nr: 1..60\ntokens coin: 900 in bank, at_card(c: Card)",
        "action a during go\n  does it:\n"
        "    share bank over c in Card as k: move k from bank to at_card(c)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    program = rules(*REFUSED[name])
    with pytest.raises(Unsupported):
        CompiledMachine(emit(program))


def test_the_expression_that_cannot_be_compiled_is_named() -> None:
    program = rules(
        "state n: 0..99999 starts as 0", "action a during go\n  needs v: n * n is 4"
    )
    with pytest.raises(Unsupported) as refused:
        emit(program)
    line = program.actions["a"].span.line + 1
    assert refused.value.placed == f"numbers from 0 to 9999800001, game.rules:{line}"


def test_values_as_deep_as_they_may_be_are_compiled() -> None:
    """What is deeper is refused, with its place, before anything is compiled."""
    program = rules(*values_in_a_row(DEEPEST))
    check(program, machine_of(program), 1, [0])
    with pytest.raises(AssertionError, match="E050"):
        rules(*values_in_a_row(DEEPEST + 1))


def values_in_a_row(count: int) -> tuple[str, str]:
    """Return rules with a value that calls one that calls one, and so on."""
    chain = "".join(
        f"value v{i}(k: 0..3): 0..3 = (v{i - 1}(k) + v{i - 1}(n mod 4)) mod 4\n"
        for i in range(1, count + 1)
    )
    return (
        "state n: 0..9 starts as 0\nvalue v0(k: 0..3): 0..3 = (n + k) mod 4\n" + chain,
        f"action a during go\n  needs v: v{count}(0) at least 1\n  does it: n gains 1",
    )


def test_options_are_never_listed() -> None:
    """A product of many factors that nothing ties is counted factor by factor."""
    program = rules(
        "state n: 0..9 starts as 0",
        "action a(a, b, c, d, e, f, g, h in 1..40) during go\n  does it: n gains 1",
    )
    machine = machine_of(program)
    check(program, machine, 1, numbers(1, 2))
    machine.call("reset", 1, 0)
    machine.call("advance")
    assert machine.call("options") == 40**8 + 1


def test_no_table_is_worked_out_that_costs_too_much() -> None:
    program = rules(
        "state n: 0..9 starts as 0\nvalue v(k: 0..99): yes or no ="
        " some a, b, c, d in 1..99 has a * b * c * d is k",
        "action a(k in 1..2) during go\n  needs never: n at least 9 and v(k)\n"
        "  does it: n gains 1",
    )
    machine = machine_of(program)
    check(program, machine, 1, [0])


TREE = 128  # pages of the tree of a search, the same for all


def test_everything_shipped_is_far_from_the_limits() -> None:
    for name in shipped.NAMES:
        module = emit(shipped.program_of(name, shipped.sampled(name)[-1]))
        assert (module.pages - TREE) * 4 < PAGES_AT_MOST - TREE
        assert len(module.text) * 8 < TEXT_AT_MOST


def test_nothing_needs_wasmtime_but_the_machine() -> None:
    """Where there is no wheel of it, everything but the machine can be imported."""
    code = (
        "import sys; sys.modules['wasmtime'] = None\n"
        "import houserule.ui.cli.main, houserule.engine.compiled.module\n"
        "import houserule.study.simulate.play\n"
        "try:\n    import houserule.engine.compiled.machine\n"
        "except ImportError:\n    print('no machine')"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "no machine\n"
