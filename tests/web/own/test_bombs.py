"""Rules that ask for more than a machine has are brought to the browser's table.

The cases are those of `tests/hostile/explosions.yaml` that a house rule can hold. The
server lives, answers others meanwhile, and holds no more than before.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.hostile.test_cases import written_out
from tests.hostile.test_explosions import CASES, GROWN, held
from tests.web.own.texts import bring, choice_in
from tests.web.serving import Served, served

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the system heeds no such limits"
)
QUICK = {
    "a product of 1,000 times 1,000 times 1,000",
    "a set of sets",
    "a die of 1,000,000,000 faces",
}
PASTED = [case for case in CASES if case.keys() == {"case", "rules", "run", "ends"}]
HEAD = 'variant bomb for pig "Bomb"  [ruling bomb]\n'
APPENDIX = "---\nrulings: {bomb: {says: {en: It is too much.}}}\n"
REFUSED = "to fix", "Make it smaller", "larger than 64 kB", "too large"
PATIENCE = 20.0  # seconds in which others are answered, on a machine that is busy


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("bombs")) as found:
        found.guest().get("/new/nim")
        found.guest().get("/new/pig/own")
        yield found


@contextmanager
def others_are_answered(server: Served) -> Iterator[None]:
    """Let somebody look at another menu all the while."""
    waited: list[float] = []
    over = threading.Event()

    def look() -> None:
        with server.guest() as guest:
            while True:
                start = time.monotonic()
                assert guest.get("/new/nim").status_code == 200
                waited.append(time.monotonic() - start)
                if over.wait(0.2):
                    return

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()
    assert waited, "somebody was refused"
    assert max(waited) < PATIENCE


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            each,
            id=each["case"],
            marks=[] if each["case"] in QUICK else pytest.mark.slow,
        )
        for each in PASTED
    ],
)
def test_a_bomb_hurts_nobody_else(case: dict[str, str], server: Served) -> None:
    text = HEAD + written_out(case["rules"]) + APPENDIX
    gc.freeze()  # what other tests left is not looked through afterwards
    before = held()["memory"]
    with server.guest() as guest, others_are_answered(server):
        answer = bring(guest, text)
        if answer.url.path == "/new/pig":  # it was found sound: then it is played
            assert answer.status_code in (200, 422, 503)
            if answer.status_code == 200:
                opened = guest.post("/tables", data={"choice": choice_in(answer.text)})
                assert opened.status_code in (200, 422, 503)
        else:
            assert answer.status_code in (413, 422), answer.text
            assert any(each in answer.text for each in REFUSED), answer.text
    gc.collect()
    assert held()["memory"] - before < GROWN
