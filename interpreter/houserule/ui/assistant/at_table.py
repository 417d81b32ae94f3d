"""One table in a process of its own: a line comes, and the lines in answer go."""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import Queue
from tempfile import mkdtemp

import houserule
from houserule.base.files import write_whole
from houserule.ui.terminal.keyboard import SharedKeyboard
from houserule.ui.terminal.line_mode import LineMode


def answering(first: bytes) -> Callable[[bytes], bytes]:
    """Return the function that passes a line to the table, and returns its answer."""
    asked = json.loads(first)
    told: list[str] = []
    lines: Queue[str] = Queue()
    waits = threading.Semaphore(0)

    def ask(prompt: str) -> str:
        waits.release()
        return lines.get()

    def play() -> None:
        try:
            os.chdir(mkdtemp())  # messages name the file without a folder
            file = Path("yours.rules")
            write_whole(file, asked["rule"])
            ruleset = houserule.load(asked["game"], rules=[file] * bool(asked["rule"]))
            own = [
                each.id
                for each in ruleset.loaded.units_of("variant")
                if Path(each.span.file).name == file.name
            ]
            table = ruleset.table(with_=own, players=len(asked["seats"]))
            sitting = table.sit(asked["seats"], seed=secrets.randbelow(1 << 53))
            another = partial(file.with_suffix, ".jsonl")
            keyboard = SharedKeyboard(sitting, "en", another)
            LineMode(keyboard, "en", told.append, ask, told.clear).play()
        except (houserule.DiagnosticsError, houserule.RuleFault, ValueError) as error:
            told.append(str(error))
        told.append("The table is closed.")
        while True:  # every further line has this answer
            ask("")
            told.append("The table is closed.")

    threading.Thread(target=play, daemon=True).start()
    waits.acquire()

    def answer(line: bytes) -> bytes:
        if line:
            lines.put(line.decode())
            waits.acquire()
        said = "\n".join(told)
        told.clear()
        return said.encode()

    return answer
