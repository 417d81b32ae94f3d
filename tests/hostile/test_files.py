"""Every call that changes a file is made to fail, for every verb that writes.

Afterwards each file is whole: as it was before, or as the verb leaves it. Nothing is
left over, unless the program was killed; and what failed is told.
"""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL

import pytest
from tests.hostile.test_cases import put, write_game
from tests.support.attacks import Fault, Outcome, attack
from tests.support.faults import KILLED

OLD = b"what was there\n"
TABLE = "game: ./pig\nplayers: 3\n"
UNTIDY = 'variant mild for pig "Mild"\nremove   hold.something\n'
EXAMPLES = """game: pig
scenarios:
- name: holds
  given: {pot: 4}
  do: [hold]
  expect: {score: {p1: 4}}
"""
VERBS = {
    "fmt": "fmt pig/variants",
    "new a variant": "new variant late --for ./pig",
    "new a game": "new game dash --in mine",
    "copy": "copy pig mine/copy",
    "rename": "rename ./pig pot heap",
    "table new": "table new new.yaml ./pig --players 2",
    "table set": "table set table.yaml target=50",
    "show": "show pig --output old.svg",
    "show the rules": "show pig --output old.wat",
    "run": "run pig -q --record old.jsonl",
    "simulate": "simulate pig --games 2 --jobs 1 --csv old.csv --engine reference",
    "play": "play pig --seats random,random --seed 1 --plain --record new.jsonl",
}
GROWS = {"new.jsonl"}  # line by line: whole up to any of them
LEFT = ".houserule-"  # how the name of a new file begins that is not whole yet


def setting(folder: Path) -> dict[str, bytes]:
    """Make the files that the verbs begin with, and return them."""
    names = ("variants/mild.rules", "variants/other.rules")
    files = {**dict.fromkeys(names, UNTIDY), "scenarios/s.yaml": EXAMPLES}
    write_game({"files": files}, folder / "pig")
    put(folder / "table.yaml", TABLE.encode())
    for name in ("old.svg", "old.wat", "old.csv"):
        put(folder / name, OLD)
    put(folder / "old.jsonl", b'{"houserule record": 1}\n{"end": "old"}\n')
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    files = {str(each.relative_to(folder)): each for each in folder.rglob("*")}
    return {
        name: each.read_bytes()
        for name, each in files.items()
        if each.is_file() and name not in {".output", ".calls"}
    }


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@dataclass
class Trial:
    """A verb in a folder, and what it leaves there if no call fails."""

    folder: Path
    verb: str
    cache: Path

    def run(self, number: int, reason: str) -> Outcome:
        for each in self.folder.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        self.before = setting(self.folder)
        words = shlex.split(VERBS[self.verb])
        environment = {"HOUSERULE_CACHE": str(self.cache)}
        return attack(self.folder, words, environment, fault=Fault(number, reason))

    def calls(self) -> list[int]:
        """Return the numbers of the calls that change files."""
        assert self.run(0, "").status == 0
        self.after = contents(self.folder)
        assert self.after != self.before
        return [*range(1, int((self.folder / ".calls").read_text("utf-8")) + 1)]

    def hold(self, number: int, reason: str) -> None:
        """See that nothing is lost if this call fails."""
        outcome, killed = self.run(number, reason), reason == KILLED
        about = f"{self.verb}, call {number}, {reason}: {outcome}"
        assert outcome.status == -SIGKILL if killed else not outcome.is_ours, about
        found = contents(self.folder)
        kept = {name: text for name, text in found.items() if LEFT not in name}
        assert self.before.keys() <= kept.keys(), about
        assert killed or kept.keys() == found.keys(), about
        for name, text in kept.items():
            new = self.after[name]
            grown = name in GROWS and new.startswith(text)
            assert text in (self.before.get(name), new) or grown, f"{name}: {about}"
        assert outcome.status or kept == self.after, about


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_lost_if_a_call_fails(
    verb: str, tmp_path: Path, cache: Path
) -> None:
    trial = Trial(tmp_path, verb, cache)
    calls = trial.calls()
    for number in {calls[1], calls[-1]}:
        trial.hold(number, "ENOSPC")


def test_nothing_is_lost_if_the_program_is_killed(tmp_path: Path, cache: Path) -> None:
    trial = Trial(tmp_path, "fmt", cache)
    for number in trial.calls()[1::4]:
        trial.hold(number, KILLED)


@pytest.mark.parametrize("reason", ["ENOSPC", KILLED])
def test_a_name_is_renamed_in_all_files_or_in_none(
    reason: str, tmp_path: Path, cache: Path
) -> None:
    trial = Trial(tmp_path, "rename", cache)
    calls, after = trial.calls(), trial.after
    changed = [name for name, text in after.items() if text != trial.before[name]]
    assert len(changed) > 1
    for number in calls:
        outcome = trial.run(number, reason)
        assert outcome.status in ((-SIGKILL,) if reason == KILLED else (0, 2)), outcome
        if reason == KILLED:
            again = attack(tmp_path, shlex.split(VERBS["rename"]))
            renamed = "Nothing in this game is called `pot`" in again.output
            assert again.status == renamed, again
            found = contents(tmp_path)
            kept = {name: text for name, text in found.items() if LEFT not in name}
            assert kept == after
        else:
            assert contents(tmp_path) == (trial.before if outcome.status else after)


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_lost_whichever_call_fails(
    verb: str, tmp_path: Path, cache: Path
) -> None:
    trial = Trial(tmp_path, verb, cache)
    calls = trial.calls()
    for number in [*calls[:30], *calls[-3:]]:
        for reason in ("ENOSPC", "EROFS", KILLED):
            trial.hold(number, reason)
