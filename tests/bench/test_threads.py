"""The measurement of threads plays what it says, on machines of their own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from tools.bench import threads

from houserule.engine.compiled.module import RESULTS_AT_MOST


def test_two_workers_play_as_much_each_as_one_alone() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(threads.play, ["pig"] * 2, [2, 2])) == [2, 2]
    assert threads.play("pig", 1) == 1
    machine = threads._mine.__dict__["machines"]["pig"]
    assert machine.played == RESULTS_AT_MOST // 8


def test_a_gain_is_told_with_its_spread() -> None:
    gain = threads.measure("pig", 3, 0.02)
    assert len(gain.threads) == len(gain.processes) == 3
    assert all(each > 0 for each in (*gain.threads, *gain.processes))
    assert threads.shown([1.5, 2.0, 1.0]) == "1.50 (1.00 to 2.00)"


def test_an_unknown_game_is_said() -> None:
    with pytest.raises(SystemExit, match="no game `nowhere`"):
        threads.module_of("nowhere")
