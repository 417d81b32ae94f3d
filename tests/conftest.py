"""What holds for all tests."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from tests.support.shipped import NAMES, ShippedTable

# Many cases are parts of rules files, with a line `---` between them: no examples.
collect_ignore_glob = ["cases/*.rules"]

# Where the tests run in the background, Ctrl-C is ignored, also by what they start; and
# some of them interrupt what they started.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Compiled modules are kept, whatever the environment wishes: some hundred processes
# start here, and each would compile the program again, and each worker all tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Small matrices are quicker on one thread: those of several processes wait for each
# other, and count as work meanwhile. It must be said before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The collector of garbage looks seldom: as often as usual it takes a fifth of the time,
# and little of what is made here hangs together in rings.
gc.set_threshold(50_000, 50, 100)


def pytest_configure(config: pytest.Config) -> None:
    """Let examples take their time: it says more of the machine than of the program.

    A test that asks for no number of examples gets half as many as usual, and each run
    tries the same ones: new luck is for `tests/fuzz`.
    """
    from hypothesis import settings

    settings.register_profile(
        "untimed", deadline=None, max_examples=50, derandomize=True
    )
    settings.load_profile("untimed")
    if hasattr(config, "workerinput"):
        # To give back a gigabyte piece by piece takes seconds, at which nothing else is
        # done any more. What is registered later is called before.
        atexit.register(os._exit, 0)
    if getattr(config.option, "dist", "no") == "load":  # with xdist alone
        config.option.dist = "worksteal"
    if config.args_source is config.ArgsSource.TESTPATHS:
        config.args[:] = _in_turn(getattr(config, "workerinput", {}))


def _in_turn(worker: dict[str, Any]) -> list[str]:
    """Return all places of tests; each worker begins with others than its neighbour.

    What is read for the first time is compiled and kept, which takes as long as all
    else: so a worker finds what another one has read meanwhile.
    """
    here = Path(__file__).parent
    folders = [each for each in here.iterdir() if each.is_dir()]
    every = sorted(
        str(each) for each in (*folders, *here.glob("test_*.py")) if each.name[0] != "_"
    )
    number = int(worker.get("workerid", "gw0").removeprefix("gw"))
    first = len(every) * number // worker.get("workercount", 1) % len(every)
    return [*every[first:], *every[:first]]


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Let one worker more than there are cores run: a tenth of the time each waits.

    Tests wait for servers, browsers and processes. `-n logical` is what it says.
    """
    if config.option.numprocesses != "auto":
        return None
    cores = getattr(os, "sched_getaffinity", None)
    return (len(cores(0)) if cores else os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make no tests of slow parameters where slow tests are not wanted.

    They are nearly half of all, and each worker makes all of them. What is slow
    whatever its parameters has none of them made, which may take long by itself.
    """
    if metafunc.config.option.markexpr != "not slow":
        return
    every = metafunc.parametrize
    all_slow = metafunc.definition.get_closest_marker("slow") is not None

    def usual(names: str, values: Iterable[object], **more: Any) -> None:  # noqa: ANN401
        if all_slow:
            every(names, [])
            return
        kept = list(values)
        if not isinstance(more.get("ids"), list | tuple):
            kept = [each for each in kept if not _is_slow(each)] or kept[:1]
        every(names, kept, **more)

    metafunc.parametrize = usual  # type: ignore[method-assign, assignment]


def _is_slow(value: object) -> bool:
    """Say whether a value of a parameter makes a test slow."""
    if not isinstance(value, ParameterSet):
        return False  # a value of a test's own, whatever its parts are called
    return any(each.name == "slow" for each in value.marks)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Let tests about one ruleset, and one table or case, follow each other.

    What was prepared for the one serves the next. That is worth it where a process
    runs tests of several files, out of their order anyway. Tests that share what their
    module has set up, as a browser or a server, stay together instead.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: (*_subject(item), str(item.path)))


def _subject(item: pytest.Item) -> tuple[str, str]:
    """Return the ruleset and the table that a test is about; those about none first.

    A case is a small game of its own, which tests of several files play.
    """
    if _shares_with_its_module(item):
        return "", ""
    callspec = getattr(item, "callspec", None)
    given = callspec.params if callspec is not None else {}
    table, name, folder = (given.get(key) for key in ("table", "name", "folder"))
    name = given.get("game") if name is None else name
    if isinstance(table, ShippedTable):
        return table.game, table.name
    case = given.get("case")
    if isinstance(case, dict) and "rules" in case:
        return "", str(case["rules"])
    name = folder.name if isinstance(folder, Path) else name
    return (name, "") if name in NAMES else ("", "")


def _shares_with_its_module(item: pytest.Item) -> bool:
    found = getattr(item, "_fixtureinfo", None)
    fixtures = found.name2fixturedefs.values() if found is not None else ()
    return any(each[-1].scope == "module" for each in fixtures if each)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Look for what was left open once, at the end; pytest would look five times."""
    if hasattr(config, "workerinput"):
        gc.collect()
        gc.freeze()


def pytest_collection_finish() -> None:
    """Let the collector of garbage look no more at what was made until now.

    There are a million objects of the tests themselves, which stay. What is left over
    among them stays as well: it is little, and would take half a second to find.
    """
    gc.freeze()
