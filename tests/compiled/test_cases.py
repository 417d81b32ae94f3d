"""Small games that once told the engines apart: one module of each, and all who use it.

Both engines play alike, and count the same at the end; bots choose, draw and imagine
the same inside the module, and where they think for a game outside.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from zlib import crc32

import pytest
from tests.support.compare import check, numbers, places
from tests.support.rules_cases import COMPILED, FLOW, cases_in, program_of

from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.module import emit
from houserule.engine.state.faults import RuleFault
from houserule.study.simulate.engines import play_compiled
from houserule.study.simulate.play import play_games

from .test_batches import same_games
from .test_greedy import thinks_alike
from .test_quick import choose_alike
from .test_search import searches_alike
from .thinking import SEATINGS

OFTEN = 12  # games, in the slow run
CASES = [each.values[0] for each in (*cases_in(FLOW), *cases_in(COMPILED))]
SEARCHED = {case["name"] for case in CASES[::10]}
CHOSEN = {case["name"] for case in CASES[::4]}
"""A search takes long, and so do bots beside a game: these have them in each run."""


@pytest.mark.parametrize("often", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_all_is_alike(case: dict[str, Any], *, often: bool) -> None:
    program = program_of(case["rules"], case.get("variants"), case.get("tables"))
    module = emit(program)
    machine = CompiledMachine(module)
    played_alike(case, machine, often=often)
    first = crc32(case["name"].encode()) % len(SEATINGS)  # of seatings
    some, most = (OFTEN, 40) if often else (1, 14)
    thinks_alike(program, machine, range(first, first + some), most)
    for seed in range(4 if often else case["name"] in CHOSEN):
        with suppress(RuleFault):
            choose_alike(program, ("greedy",), seed, 30 if often else 10, machine)
    if "ends" in case:
        games = range(24 if often else 1)
        if any(end.startswith("fault") for end in case["ends"]):
            found = play_compiled(program, 2, games)
            assert places(found) == places(play_games(program, 2, games, ("random",)))
        else:
            same_games(program, machine, 2, games)
    if often or case["name"] in SEARCHED:
        searches_alike(program, machine, range(1), 12)


def played_alike(
    case: dict[str, Any], machine: CompiledMachine, *, often: bool
) -> None:
    """Hold random games of both engines to each other.

    If the case names ends, the usual run plays until each has come.
    """
    program = machine.module.program
    if "ends" not in case:
        for seed in range(OFTEN if often else 4):
            check(program, machine, seed, numbers(seed, 60 if often else 14))
        return
    ends, wanted = set[str](), set(case["ends"])
    for seed in range(case.get("games", 30)):
        if not often and seed >= 6 and ends == wanted:
            break
        choices = case.get("choices") or numbers(seed, 80)
        ends.add(check(program, machine, seed, choices))
    assert ends == wanted
