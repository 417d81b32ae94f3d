"""Compiled modules at work: games, bots and batches of games."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from threading import Event, Thread
from time import monotonic

from houserule.base.limits import limit
from houserule.engine.bots.effort import QUICK_PIECE, Effort
from houserule.engine.compiled.context import ModuleFault
from houserule.engine.compiled.functions import signed
from houserule.engine.compiled.machines import add_machine
from houserule.engine.compiled.memory.codec import StateBlock
from houserule.engine.compiled.memory.layout import (
    BOTS_AT,
    FAULT_AT,
    GAME_AT,
    RECORDS,
    START,
    STOP_AT,
    STREAM,
)
from houserule.engine.compiled.module import RESULTS_AT_MOST, Module
from houserule.engine.compiled.results import PlayedGame, read_results
from houserule.engine.reference.random_numbers import Stream

if sys.platform == "emscripten":
    from houserule.engine.compiled.page_runtime import PageInstance as Instance
    from houserule.engine.compiled.page_runtime import PageTrap as Trap
    from houserule.engine.compiled.page_runtime import code_of
else:
    from houserule.engine.compiled.runtime import Instance, Trap, code_of

__all__ = ["CompiledMachine", "Faulted", "code_of"]

TICK = 0.002  # seconds between two looks


class SearchClock:
    """Ends the searches of a machine, from outside of it.

    The machine's memory has three numbers of 32 bits: the number of the current search,
    the number of a search to end, and the budget: decisions, or milliseconds below 0.
    """

    def __init__(self, instance: Instance, at: int) -> None:
        self._number, self._enough, self._effort = (
            instance.signed(at + 4 * place) for place in range(3)
        )

    def end(self) -> None:
        """Let the running search stop and use its result so far."""
        self._enough.value = self._number.value

    @contextmanager
    def running(self, wanted: bool) -> Iterator[None]:
        """End each search in time, if that is wanted: a thread looks at the clock."""
        if not wanted:
            yield
            return
        done = Event()
        thread = Thread(target=self._run, args=(done,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _run(self, done: Event) -> None:
        seen, begun = 0, 0.0
        while not done.wait(TICK):
            number, effort = self._number.value, self._effort.value
            if number != seen:
                seen, begun = number, monotonic()
            elif effort < 0 and monotonic() - begun >= -effort / 1000:
                self._enough.value = seen


# ---- the module that plays

EXPORTS = (
    *("reset", "advance", "options", "choose", "decide", "recover"),
    *("begin_search", "search_on", "take_best", "edge_of"),
    *("begin_aim", "pass_through", "passes", "counted", "gained_by"),
    *("batch", "resume", "late"),
)
EDGE = RECORDS["edge"]


class Faulted(Exception):
    """The rules did what no rules may do.

    Attributes:
        fault: what went wrong, and where; None if the module itself ran out of
            something.
    """

    def __init__(self, fault: ModuleFault | None, reason: str) -> None:
        super().__init__(fault.message if fault else reason)
        self.fault, self.reason = fault, reason


class CompiledMachine:
    """One instance of a module: a game under way, and room for how others ended.

    A machine belongs to one thread at a time. While it plays, the interpreter lock of
    Python is free, so several threads with a machine each play at once.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self._instance = instance = Instance(module, (*EXPORTS, *module.exports))
        self._clock = SearchClock(instance, module.search_number)
        self._stop = instance.unsigned(STOP_AT)
        self._ran = {
            address: instance.unsigned(at) for address, at in module.counters.items()
        }
        add_machine(self)

    def close(self) -> None:
        """Give its memory back; it cannot play any more."""
        self._instance.close()

    def stop(self) -> None:
        """Let what is under way end soon; any thread may ask for it."""
        self._stop.value = 1

    def go_on(self) -> None:
        """Let games be played again, after `stop`."""
        self._stop.value = 0

    @property
    def stopped(self) -> bool:
        """Whether what is under way is to end."""
        return bool(self._stop.value)

    def call(self, name: str, *args: int) -> int:
        """Call a function of the module.

        Raises:
            Faulted: the rules failed.
        """
        # A fault is a trap: the module writes its number down and stops. The number is
        # taken away here, so that the next trap, which may have none, is not this one.
        try:
            return self._instance.call(name, *args)
        except Trap as error:
            number = self.number(FAULT_AT)
            fault = self.module.faults[number - 1] if number else None
            self._put(FAULT_AT, 0)
            raise Faulted(fault, str(error)) from None

    def decide(self, greedy: int) -> None:
        """Let the bot of the deciding seat choose; `advance` goes on from there.

        `greedy` has a bit for each seat whose bot is the greedy one.

        Raises:
            Faulted: the rules failed.
        """
        self._put(BOTS_AT, greedy)
        for seat in range(self.module.program.seats):
            effort = self.number(self.module.efforts + 4 * seat)
            self._put(self.module.efforts_now + 4 * seat, effort)
        self.think("decide", "recover")

    def seat_searches(self, efforts: Sequence[Effort | None]) -> None:
        """Say by seat how long its search bot thinks in game 0; none: another bot.

        Time is a negative number of milliseconds.
        """
        seats = range(self.module.program.seats)
        for seat, effort in zip_longest(seats, efforts):
            time = int(effort.seconds * -1000) if effort else 0
            decisions = effort.decisions if effort else 0
            self._put(self.module.efforts + 4 * seat, time or decisions)

    def search(self, effort: Effort) -> None:
        """Think about the decision that is due; `tried` says what of, `decide` is not.

        Then `take_best` is to be called. `end_search` ends it early.

        Raises:
            Faulted: the rules failed in the game itself.
        """
        self.call("begin_search")
        effort.spend(self.look_at, QUICK_PIECE)

    def end_search(self) -> None:
        """Let the running search stop and use its result; any thread may call this."""
        self._clock.end()

    def look_at(self, decisions: int) -> int:
        """Search until a total number of decisions is reached; return the total."""
        self.think("search_on", "recover", decisions)
        return self.number(self.module.looked_at)

    def tried(self, low: int, high: int) -> tuple[int, int, int]:
        """Return what the search found of some options, as `bots.search.rated` asks.

        The options are those numbered from `low` to before `high`, a part of the
        others as `bots.search.parts_of` divides them; what came of it is out of `WHOLE`
        for each time.
        """
        at = self.call("edge_of", low, high)
        if not at:
            return 0, 0, 0
        tried = self.number(at + EDGE["tried"])
        return self.number(at + EDGE["proof"]), tried, self.wide(at + EDGE["total"])

    def think(self, name: str, go_on: str, *args: int) -> None:
        """Call a bot function; a fault in an imagined game is ignored.

        A trap ends the whole call, also that of a batch. But the progress of the greedy
        bot is in memory, `stage` among it, so that `go_on` continues from there.

        Raises:
            Faulted: the rules failed in the game itself.
        """
        while True:
            try:
                self.call(name, *args)
                return
            except Faulted as error:
                if error.fault is None or not self.number(self.module.stage):
                    raise
            name, args = go_on, ()

    def number(self, at: int) -> int:
        """Return a number of 32 bits of the memory."""
        raw = self._instance.read(at, at + 4)
        return int.from_bytes(raw, "little", signed=True)

    def wide(self, at: int) -> int:
        """Return a number of 64 bits of the memory."""
        raw = self._instance.read(at, at + 8)
        return int.from_bytes(raw, "little", signed=True)

    def drawn(self, seat: int) -> int:
        """Return how far the stream of a seat's bot is: its state."""
        at = self.module.bots + STREAM * seat
        return int.from_bytes(self._instance.read(at, at + 8), "little")

    def header(self, name: str) -> int:
        """Return a number of the state block's header."""
        return self.number(self.module.memory.header[name])

    def _put(self, at: int, value: int) -> None:
        self._instance.write(at, (value & 0xFFFF_FFFF).to_bytes(4, "little"))

    @property
    def size(self) -> int:
        """How many bytes of memory it has."""
        return self._instance.size

    def block(self) -> StateBlock:
        return self._block(START)

    def reset(self, seed: int, number: int) -> StateBlock:
        """Begin the game of a number; return its block, as it is before play."""
        self.call("reset", signed(seed), signed(number))
        return self.block()

    def enter(self, block: StateBlock) -> None:
        """Put another game in the place of the one under way, right after `reset`.

        Memos of a state are outside the block; after `reset` they are empty.
        """
        self._instance.write(START, block.content)

    def seed_bot(self, seat: int, stream: Stream) -> None:
        """Let the bot of a seat draw from a stream, from where that is."""
        self._put_words(self.module.bots + STREAM * seat, stream.state, stream.inc)

    def seed_chance(self, tag: str, stream: Stream) -> None:
        """Let the game under way draw from a stream where it draws by a tag."""
        self._put_words(self.module.memory.stream(tag), stream.state, stream.inc, 1)

    def _put_words(self, at: int, *words: int) -> None:
        content = b"".join(word.to_bytes(8, "little") for word in words)
        self._instance.write(at, content)

    def imagined(self, number: int) -> StateBlock:
        """Return a game that a greedy bot imagined at the last decision it rated."""
        return self._block(self.module.worlds + number * self.module.block)

    def _block(self, at: int) -> StateBlock:
        end = at + self.module.block
        return StateBlock(bytearray(self._instance.read(at, end)))

    def batch(
        self,
        seed: int,
        first: int,
        games: int,
        greedy: int = 0,
        *,
        rotate: bool = False,
        searches: Sequence[Effort | None] = (),
    ) -> list[PlayedGame]:
        """Play some games by bots, at most `RESULTS_AT_MOST`.

        Bots are random, but greedy in the seats whose bit is set in `greedy`, and
        search in those that have an effort. With `rotate`, this is the seating of game
        0, and each later game seats every bot one seat further. If the machine was
        stopped, only the games that ended before are returned.

        Raises:
            Faulted: the rules failed in a game; `finished` has those before it.
            ValueError: there are too many, or bots that imagine games cannot play this
                program.
        """
        if games > RESULTS_AT_MOST:
            raise ValueError(f"{games} games at once")
        if (greedy or any(searches)) and self.module.no_greedy:
            raise ValueError(f"no bots that imagine games: {self.module.no_greedy}")
        self.seat_searches(searches)
        most = limit("decisions")  # longer games are unfinished
        order = (signed(seed), first, games, most, greedy, int(rotate))
        try:
            with self._clock.running(any(each and each.seconds for each in searches)):
                self.think("batch", "resume", *order)
        except Faulted as error:
            if error.fault is not None:
                raise self.as_decided(error) from None
            if not self.stopped:
                raise
        return self.finished(self.played)

    def as_decided(self, error: Faulted) -> Faulted:
        """Return a fault as if the bot that decides had counted the options.

        The module counts options at the end of the move before, the reference engine
        when the bot asks. By then the decision before is counted, and a new round was
        looked at. It also asks for advice while it counts options, which may fail
        earlier. `late` does all that; if it fails, that is the fault of the game.
        """
        if self.header("offering"):
            try:
                self.call("late")
            except Faulted as earlier:
                return earlier if earlier.fault else error
        return error

    @property
    def played(self) -> int:
        """How many games of the last batch ended."""
        return self.number(GAME_AT)

    def finished(self, games: int) -> list[PlayedGame]:
        """Return the first games of the last batch."""
        at, width = self.module.results, self.module.width
        raw = self._instance.read(at, at + width * games)
        return list(read_results(raw, self.module.program))

    def counts(self) -> dict[str, int]:
        """Return how often each clause ran since the machine was made."""
        return {address: times.value for address, times in self._ran.items()}
