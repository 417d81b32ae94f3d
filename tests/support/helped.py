"""Checks with helpers, in a process that has no threads: run as a module.

Usage: `python -m tests.support.helped HOW FOLDER`

The game of the folder is checked alone and with two helpers, each with a cache of its
own, and what came of it is printed as JSON. HOW says what happens to helpers:

- `waited`: the check waits for them, so all that they find is used;
- `raced`: nothing is waited for;
- `dying`: each ends as soon as it has begun;
- `refused`: the system lets none begin;
- `broken`: the row of work cannot be made;
- `interrupted`: the check is, as soon as they have begun;
- `threaded`: there is a thread, so there may be no helper.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from multiprocessing import active_children
from multiprocessing.context import ForkProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import pytest

from houserule.checking import ahead, check
from houserule.checking.checked import Checked
from houserule.checking.results import Results
from houserule.compose.family.check import FamilyReport, check_family
from houserule.manifest.ruleset import LoadedRuleset
from houserule.same import same

HELPERS = 2


def checked(folder: Path, jobs: int) -> Checked:
    """Check a game with an empty cache."""
    with TemporaryDirectory() as cache:
        os.environ["HOUSERULE_CACHE"] = cache
        return check.check_game(folder, jobs=jobs)


def counting(patch: pytest.MonkeyPatch) -> Counter[str]:
    """Count what this process does itself and learns, and its helpers, from now on."""
    found: Counter[str] = Counter()

    def count(word: str, holder: type, name: str) -> None:
        before: Callable[..., object] = getattr(holder, name)

        def counted(*args: object) -> object:
            found[word] += 1
            return before(*args)

        patch.setattr(holder, name, counted)

    count("done", check._Check, "_worked_out")
    count("done", check._Check, "_read")
    count("learnt", Results, "learn")
    count("helpers", ahead._Helper, "__init__")
    return found


def arrange(how: str, patch: pytest.MonkeyPatch) -> None:
    """Let happen to helpers what is wanted."""
    family = check_family

    def waiting(ruleset: LoadedRuleset) -> FamilyReport:
        for each in active_children():
            each.join(60)
        return family(ruleset)

    def interrupted(ruleset: LoadedRuleset) -> FamilyReport:
        assert len(active_children()) == HELPERS
        raise KeyboardInterrupt

    def broken(*_: object) -> None:
        raise ValueError

    def refused(*_: object) -> None:
        raise BlockingIOError

    match how:
        case "waited":
            patch.setattr(check, "check_family", waiting)
        case "interrupted":
            patch.setattr(check, "check_family", interrupted)
        case "dying":
            patch.setattr(ahead, "_work", lambda *_: os._exit(1))
        case "broken":
            patch.setattr(check._Check, "_row", broken)
        case "refused":
            patch.setattr(ForkProcess, "start", refused)
        case "threaded":
            Thread(target=Event().wait, daemon=True).start()
        case _:
            assert how == "raced"


def main(how: str, folder: Path) -> None:
    """Check twice, and say what came of it."""
    alone = checked(folder, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "WORTH_A_HELPER", 1)
        counts = counting(patch)
        arrange(how, patch)
        try:
            helped = checked(folder, 1 + HELPERS)
        except KeyboardInterrupt:
            helped = None
    said = {
        "same": same(alone, helped),
        "left": len(active_children()),
        "codes": [each.code for each in alone.diagnostics],
        **{word: counts[word] for word in ("done", "learnt", "helpers")},
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
