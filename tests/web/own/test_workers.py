"""The processes for rules of one's own: how many there are, and how they end."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import ClassVar

import pytest

from houserule.base.isolation import EndedError
from houserule.ui.web.own import workers as module
from houserule.ui.web.own.workers import (
    DEATHS,
    DEATHS_IN,
    IDLE,
    MOST,
    QUEUE,
    OwnGame,
    OwnProcesses,
    OwnRulesError,
)


class Standing:
    """Stands in for a process: says how it was asked, dies or waits if it is told."""

    every: ClassVar[list[Standing]] = []

    def __init__(self, *_: object) -> None:
        self.ended, self.go_on = False, threading.Event()
        self.every.append(self)

    def ask(self, question: bytes) -> bytes:
        said = json.loads(question)
        if said.get("wait"):
            assert self.go_on.wait(10)
        if self.ended or said.get("die"):
            raise EndedError("memory")
        return question

    def end(self) -> None:
        self.ended = True
        self.go_on.set()


@pytest.fixture
def every(monkeypatch: pytest.MonkeyPatch) -> list[Standing]:
    monkeypatch.setattr(module, "Answering", Standing)
    monkeypatch.setattr(Standing, "every", [])
    return Standing.every


def game(number: int) -> OwnGame:
    return OwnGame("pig", (f"{number:032x}",))


async def why(workers: OwnProcesses, which: int, **question: bool) -> str:
    """Ask; return why there is no answer, or '' if there is one."""
    try:
        await workers.ask(game(which), question)
    except OwnRulesError as error:
        return error.why
    return ""


def test_a_process_that_died_begins_anew_but_not_for_ever(
    every: list[Standing],
) -> None:
    now = 0.0

    async def play() -> None:
        nonlocal now
        workers = OwnProcesses({}, lambda: now)
        for number in range(DEATHS):
            assert await why(workers, 1) == ""
            assert await why(workers, 1, die=True) == "memory"
            assert len(every) == number + 1
        assert await why(workers, 1) == "often"
        assert await why(workers, 2) == ""  # others are played on
        now = DEATHS_IN + 1
        assert await why(workers, 1) == ""
        workers.close()

    asyncio.run(play())


def test_the_one_that_was_asked_longest_ago_makes_room(every: list[Standing]) -> None:
    async def play() -> None:
        workers = OwnProcesses({})
        for number in range(MOST):
            assert await why(workers, number) == ""
        assert await why(workers, 0) == ""
        assert await why(workers, MOST) == ""
        assert [each.ended for each in every] == [False, True] + [False] * (MOST - 1)
        assert await why(workers, 1) == ""  # it was no death
        workers.close()
        assert all(each.ended for each in every)

    asyncio.run(play())


def test_what_nobody_asks_for_long_is_ended(every: list[Standing]) -> None:
    now = 0.0

    async def play() -> None:
        nonlocal now
        workers = OwnProcesses({}, lambda: now)
        assert await why(workers, 1) == ""
        now = IDLE + 1
        assert await why(workers, 2) == ""
        assert [each.ended for each in every] == [True, False]
        workers.close()

    asyncio.run(play())


def test_too_many_are_told_to_come_again(every: list[Standing]) -> None:
    async def play() -> None:
        workers = OwnProcesses({})
        waiting = [
            asyncio.create_task(why(workers, number, wait=True))
            for number in [*range(MOST), *[0] * (QUEUE - 1)]
        ]
        await asyncio.sleep(0.1)
        assert await why(workers, 0) == "busy"
        assert await why(workers, MOST) == "busy"
        for each in every:
            each.go_on.set()
        assert not any(await asyncio.gather(*waiting))
        workers.close()

    asyncio.run(play())


def test_one_may_be_ended_while_it_answers(every: list[Standing]) -> None:
    async def play() -> None:
        workers = OwnProcesses({})
        for _ in range(DEATHS + 1):  # which is no death either
            asked = asyncio.create_task(why(workers, 1, wait=True))
            await asyncio.sleep(0.05)
            workers.end(game(1))
            assert await asked == "memory"
        assert await why(workers, 1) == ""
        workers.close()

    asyncio.run(play())
