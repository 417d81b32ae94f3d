"""A folder of files judged: every verb on it, in one process with limits.

A finding is a traceback, status 3, a signal, more time or memory than a file may cost,
or a file that is not deleted. It is also a layout that changes the meaning of rules,
engines that differ, or a game that `check` accepts and that cannot be played.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from tests.fuzz.mutate import Folder, games
from tests.support.compare import Differs, machine_of, numbers, play_both

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.source import Source, normalised, parts_of
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.compiled.functions import Unsupported
from houserule.engine.compiled.options.products import MANY_OPTIONS
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax.read.parser import parse_afresh
from houserule.ui.cli.main import run as command

SECONDS = 20  # of one command, CPU time
WAITING = 90  # of one command, by the clock: the machine may be busy
MEMORY = 1 << 30
CHOICES = 40  # of a game on both engines
VERBS = (
    *("check", "list_games", "replay", "run", "show", "simulate", "test", "explain"),
    "writing.fmt",
)
WRONG = re.compile(r"Traceback \(most|This is a bug in Houserule: ")


class Wrong(Exception):
    """What a command did that no command may do."""


@dataclass
class Ran:
    """One command: its status (None: it did not come back), CPU seconds, bytes."""

    command: str
    status: int | None = None
    seconds: float = 0.0
    memory: int = 0


@dataclass
class Judged:
    """What came of one folder: the commands, and what was wrong, if something was."""

    ran: list[Ran] = field(default_factory=list)
    command: str = ""
    wrong: str = ""
    detail: str = ""

    @property
    def signature(self) -> tuple[str, str]:
        """What stays the same while a finding is cut down."""
        return self.command.split()[0] if self.command else "", self.wrong


# ---- in the process that judges many


def warm_up(most: int | None = None) -> None:
    """Load the program and judge games once, so that a process costs little.

    The grammar comes first: each process that is forked before would load it again.
    Of the games all are judged, or so many.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for verb in VERBS:
        importlib.import_module(f"houserule.ui.cli.verbs.{verb}")
    for game in games()[:most]:
        for path, content in game.files.items():
            if path.endswith(".rules"):
                parse_afresh(Source(path, content.decode()))
    for game in games()[:most]:
        judge(game)
    gc.collect()
    gc.freeze()


def judge_made(make: Callable[[int, int], Folder], seed: int, number: int) -> Judged:
    """Make a folder and judge it."""
    return judge(make(seed, number))


def judge(
    folder: Folder, seconds: int = SECONDS, memory: int = MEMORY, only: str = ""
) -> Judged:
    """Judge a folder in a process of its own, perhaps by one command `only`."""
    place = Path(tempfile.mkdtemp(prefix="fuzz-", dir=_fast()))
    try:
        for path, content in folder.files.items():
            file = place / "work" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        (place / "work").mkdir(exist_ok=True)
        (place / "tmp").mkdir()
        pid = os.fork()
        if pid == 0:
            _judge(folder, place, seconds, memory, only)
        _, status, usage = os.wait4(pid, 0)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # what it has started
        return _told(folder, place, status, usage)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _fast() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _told(
    folder: Folder, place: Path, status: int, usage: resource.struct_rusage
) -> Judged:
    """Return what the process has told, and what can be seen from outside."""
    judged = Judged()
    report = place / "report"
    for line in report.read_text("utf-8").splitlines() if report.exists() else ():
        data = json.loads(line)
        if "begins" in data:
            judged.ran.append(Ran(data["begins"]))
        elif "wrong" in data:
            judged.command = judged.ran[-1].command
            judged.wrong, judged.detail = data["wrong"], data["detail"]
        else:
            last = judged.ran[-1]
            last.status, last.seconds = data["status"], data["seconds"]
            last.memory = data["memory"]
    ended = os.waitstatus_to_exitcode(status)
    last = judged.ran[-1] if judged.ran else Ran("nothing")
    if ended and not judged.wrong:
        judged.command = last.command
        judged.wrong = f"ended by {signal.Signals(-ended).name}" if ended < 0 else "?"
        judged.detail = (place / "out").read_text("utf-8", "replace")[-2000:]
    if last.status is None:
        last.seconds = usage.ru_utime + usage.ru_stime
    last.memory = max(last.memory, usage.ru_maxrss * 1024)
    left = _left_behind(folder, place)
    if left and not judged.wrong:
        judged.command, judged.wrong = last.command, "left behind"
        judged.detail = ", ".join(left)
    return judged


def _left_behind(folder: Folder, place: Path) -> list[str]:
    work = place / "work"
    now = {f.relative_to(work).as_posix() for f in work.rglob("*") if f.is_file()}
    temporary = [each.name for each in (place / "tmp").iterdir()]
    return [*sorted(now - folder.files.keys() - {"record.jsonl"}), *temporary]


# ---- in the process of one folder


def _judge(
    folder: Folder, place: Path, seconds: int, memory: int, only: str
) -> NoReturn:
    status = 0
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.environ["TMPDIR"] = tempfile.tempdir = str(place / "tmp")
        os.environ["HOUSERULE_DEBUG"] = "1"  # a fault of ours is thrown
        os.chdir(place / "work")
        out = os.open(place / "out", os.O_RDWR | os.O_CREAT | os.O_APPEND)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", buffering=1)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", buffering=1)
        with (place / "report").open("w", encoding="utf-8", buffering=1) as report:
            judge = _Judge(folder, report.write, out, seconds, only)
            try:
                judge.everything()
            except BaseException as error:  # MemoryError and SystemExit as well
                report.write(json.dumps(_fault(error)) + "\n")
    except BaseException:
        status = 70
        traceback.print_exc()
    os._exit(status)


def _fault(error: BaseException) -> dict[str, str]:
    if isinstance(error, Wrong):
        return {"wrong": error.args[0].split("\n")[0][:200], "detail": error.args[0]}
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if "houserule" in each.filename] or frames
    at = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else ""
    text = "".join(traceback.format_exception(error, limit=-12))
    return {"wrong": f"{type(error).__name__} in {at}", "detail": text[-4000:]}


class _Judge:
    """The commands on one folder, one after the other."""

    def __init__(
        self,
        folder: Folder,
        report: Callable[[str], object],
        out: int,
        seconds: int,
        only: str,
    ) -> None:
        self._folder, self._report, self._out = folder, report, out
        self._seconds, self._only = seconds, only
        self._status, self._said = 0, ""
        # What is done only now and then hangs on the folder alone.
        self._now = sum(map(len, folder.files.values()))

    def everything(self) -> None:
        """Do everything with the folder.

        Raises:
            Wrong: one of the commands did what none may do.
        """
        own = ["--rules", "own.rules"] if "own.rules" in self._folder.files else []
        sound = self._verb("check", "game", *own) == 0
        self._format()
        for path in self._folder.touched:
            if path.endswith(".jsonl"):
                self._verb("replay", path, "--game", "game")
            elif path.endswith(".rules") and self._now % 4 == 1:
                self._verb("check", path)
        if not sound and self._now % 4:
            return  # most verbs end where `check` found something: seldom tried
        if self._now % 8 == 2:
            self._verb("list", "game")
            self._verb("show", "game", "--json")
            self._verb("check", "game", *own, "--json", "--pairs")
        self._verb("test", "game", *own)
        for table in self._tables(own):
            if self._verb("run", *table, "--record", "record.jsonl", "-q") == 0:
                self._verb("replay", "record.jsonl", *own, "--game", "game")
            elif sound and re.search(r"error E\d", self._said):
                raise Wrong(f"check found nothing, run did\n{self._said[-2000:]}")
        if sound:
            self._one("engines", self._engines)

    def _tables(self, own: list[str]) -> Iterator[list[str]]:
        yield ["game", *own]
        if "table.yaml" in self._folder.files and self._now % 2:
            yield ["--table", "table.yaml"]

    def _verb(self, *arguments: str) -> int:
        self._one(" ".join(arguments), lambda: command(arguments))
        if self._status not in {0, 1, 2}:
            raise Wrong(f"status {self._status}")
        if found := WRONG.search(self._said):
            raise Wrong(f"says {found.group()}\n{self._said[-2000:]}")
        return self._status

    def _one(self, name: str, do: Callable[[], int]) -> None:
        """Do one thing, and report what it took; all else passes as fine."""
        if self._only not in name:
            return
        self._report(json.dumps({"begins": name}) + "\n")
        used, start = time.process_time(), os.fstat(self._out).st_size
        soft = int(used) + self._seconds + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))
        signal.alarm(WAITING)
        self._status = do()
        signal.alarm(0)
        sys.stdout.flush()
        sys.stderr.flush()
        self._said = os.pread(self._out, 1 << 20, start).decode("utf-8", "replace")
        usage = resource.getrusage(resource.RUSAGE_SELF)
        ran = {
            "status": self._status,
            "seconds": round(time.process_time() - used, 3),
            "memory": usage.ru_maxrss * 1024,
        }
        self._report(json.dumps(ran) + "\n")

    # ---- what no verb shows

    def _format(self) -> None:
        """Let `fmt` write all files: they mean the same, and a second time rest."""
        files = [Path(path) for path in self._folder.files if path.endswith(".rules")]
        before = list(map(_source, files))
        self._verb("fmt", ".")
        after = list(map(_source, files))
        for old, new in zip(before, after, strict=True):
            if old.text != new.text and _meaning(old) != _meaning(new):
                raise Wrong(f"fmt changes the meaning of {old.name}")
        if before != after:
            self._verb("fmt", ".")
            for new, again in zip(after, map(_source, files), strict=True):
                if new != again:
                    raise Wrong(f"fmt of {new.name} does not rest")

    def _engines(self) -> int:
        """Play a game on both engines, with the rules that were changed on."""
        ruleset, _ = load_ruleset(Path("game"))
        assert ruleset is not None, "check found nothing"
        for choice in (TableChoice(with_=self._changed(ruleset)), TableChoice()):
            with suppress(DiagnosticsError):
                program = prepare(ruleset, choice, for_play=True).program
                if program is not None:
                    break
        else:
            return 1
        try:
            machine = machine_of(program)
            play_both(program, machine, self._now, numbers(self._now, CHOICES))
        except Unsupported:
            return 1
        except Differs as found:
            if MANY_OPTIONS in str(found):
                return 1  # the compiled engine says itself that it cannot go on
            raise Wrong(f"engines differ\n{found}") from None
        return 0

    def _changed(self, ruleset: LoadedRuleset) -> tuple[str, ...]:
        """Return the variants that stand in files that were changed."""
        return tuple(
            name.text
            for unit in ruleset.units_of("variant")
            if any(path.endswith(unit.span.file) for path in self._folder.touched)
            for name in unit.names
        )


def _source(path: Path) -> Source:
    """Return a text, whatever its bytes are."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return Source(str(path), normalised(text))


def _meaning(source: Source) -> object:
    """Return the units of a rules file, and its appendix as it stands."""
    rules, _ = parts_of(source)
    return parse_afresh(source)[0], source.text[len(rules.text) :]
