"""A block of work ends when its time is over, and Ctrl-C keeps its meaning in it."""

from __future__ import annotations

import signal
import time
from itertools import count

import pytest

from houserule.engine.cancellation import OutOfTime, deadline


def test_a_block_ends_at_its_deadline() -> None:
    with pytest.raises(OutOfTime), deadline(0.05):
        for _ in count():
            pass


def test_ctrl_c_within_a_block_is_no_deadline() -> None:
    with pytest.raises(KeyboardInterrupt), deadline(60):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("seconds", [None, 0.5])
def test_a_block_that_is_done_in_time_leaves_nothing_behind(
    seconds: float | None,
) -> None:
    before = signal.getsignal(signal.SIGINT)
    with deadline(seconds):
        pass
    assert signal.getsignal(signal.SIGINT) is before
    time.sleep(0.6)  # longer than it would have been
