"""Compiled modules at work; no other module imports wasmtime."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from ctypes import addressof, c_int32, c_uint32
from itertools import zip_longest
from threading import Event, Thread
from time import monotonic
from weakref import WeakSet

import wasmtime

from houserule.base.cache import DiskStore, understood
from houserule.base.limits import limit
from houserule.engine.bots.effort import QUICK_PIECE, Effort
from houserule.engine.compiled.context import ModuleFault
from houserule.engine.compiled.functions import Unsupported, signed
from houserule.engine.compiled.inlining import written_out
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

TICK = 0.002  # seconds between two looks


class SearchClock:
    """Ends the searches of a machine, from outside of it.

    In the machine's memory stand three numbers of 32 bits: that of the search under
    way, that of one that is to end, and how long the search is to think: below 0 it is
    milliseconds.
    """

    def __init__(self, at: int) -> None:
        self._number, self._enough, self._effort = (
            c_int32.from_address(at + 4 * place) for place in range(3)
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
        fault: what went wrong, and where; None where the module itself ran out of
            something.
        reason: what wasmtime says.
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
        try:
            self._store, instance = _begun(module, roomy=True)
        except wasmtime.WasmtimeError as error:
            if "reserve" not in str(error):
                raise
            self._store, instance = _begun(module, roomy=False)
        exports = instance.exports(self._store)
        names = (*EXPORTS, *module.exports)
        self._functions = {name: _function(exports[name]) for name in names}
        self._memory = _memory(exports["memory"])
        _machines.add(self)
        # The memory never grows, so it never moves: `stop` and `counts` can use it in
        # place, without a call into the store, which another thread may be running.
        start = addressof(self._memory.data_ptr(self._store).contents)
        self._start = start
        self._clock = SearchClock(start + module.search_number)
        self._stop = c_uint32.from_address(start + STOP_AT)
        self._ran = {
            address: c_uint32.from_address(start + at)
            for address, at in module.counters.items()
        }

    def close(self) -> None:
        """Give its memory back; it cannot play any more."""
        self._store.close()

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
            found = self._functions[name](self._store, *args)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            number = self.number(FAULT_AT)
            fault = self.module.faults[number - 1] if number else None
            self._put(FAULT_AT, 0)
            raise Faulted(fault, str(error)) from None
        return int(found) if found is not None else 0

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
        raw = self._memory.read(self._store, at, at + 4)
        return int.from_bytes(raw, "little", signed=True)

    def wide(self, at: int) -> int:
        """Return a number of 64 bits of the memory."""
        raw = self._memory.read(self._store, at, at + 8)
        return int.from_bytes(raw, "little", signed=True)

    def drawn(self, seat: int) -> int:
        """Return how far the stream of a seat's bot is: its state."""
        at = self.module.bots + STREAM * seat
        return int.from_bytes(self._memory.read(self._store, at, at + 8), "little")

    def header(self, name: str) -> int:
        """Return a number of the state block's header."""
        return self.number(self.module.memory.header[name])

    def _put(self, at: int, value: int) -> None:
        self._memory.write(
            self._store, bytearray((value & 0xFFFF_FFFF).to_bytes(4, "little")), at
        )

    @property
    def size(self) -> int:
        """How many bytes of memory it has."""
        return self._memory.data_len(self._store)

    def block(self) -> StateBlock:
        """Return a copy of the state block."""
        return self._block(START)

    def reset(self, seed: int, number: int) -> StateBlock:
        """Begin the game of a number; return its block, as it is before play."""
        self.call("reset", signed(seed), signed(number))
        return self.block()

    def enter(self, block: StateBlock) -> None:
        """Put another game in the place of the one under way, right after `reset`.

        Memos of a state are outside the block; after `reset` they are empty.
        """
        self._memory.write(self._store, block.content, START)

    def seed_bot(self, seat: int, stream: Stream) -> None:
        """Let the bot of a seat draw from a stream, from where that is."""
        self._put_words(self.module.bots + STREAM * seat, stream.state, stream.inc)

    def seed_chance(self, tag: str, stream: Stream) -> None:
        """Let the game under way draw from a stream where it draws by a tag."""
        self._put_words(self.module.memory.stream(tag), stream.state, stream.inc, 1)

    def _put_words(self, at: int, *words: int) -> None:
        content = b"".join(word.to_bytes(8, "little") for word in words)
        self._memory.write(self._store, bytearray(content), at)

    def imagined(self, number: int) -> StateBlock:
        """Return a game that a greedy bot imagined at the last decision it rated."""
        return self._block(self.module.worlds + number * self.module.block)

    def _block(self, at: int) -> StateBlock:
        end = at + self.module.block
        return StateBlock(bytearray(self._memory.read(self._store, at, end)))

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
        search in those that have an effort. With
        `rotate` that is so in game 0, and each game seats them one further. There are
        fewer games where the machine was stopped: those that ended before.

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
        most = limit("decisions")  # games with more are left open
        order = (signed(seed), first, games, most, greedy, int(rotate))
        try:
            with self._clock.running(any(each and each.seconds for each in searches)):
                self.think("batch", "resume", *order)
        except Faulted as error:
            if error.fault is not None:
                raise self._as_decided(error) from None
            if not self.stopped:
                raise
        return self.finished(self.played)

    def _as_decided(self, error: Faulted) -> Faulted:
        """Return a fault as if options were counted by who decides, not beforehand.

        The module counts them at the end of the move before; the reference engine when
        the bot asks. By then the decision before is counted, a new round was looked at,
        and advice is asked about while options are counted, which may fail earlier.
        `late` does all that, and where it fails, that is the fault of the game.
        """
        if not self.header("offering"):
            return error
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
        raw = self._memory.read(self._store, at, at + width * games)
        return list(read_results(raw, self.module.program))

    def counts(self) -> dict[str, int]:
        """Return how often each clause ran since the machine was made."""
        return {address: times.value for address, times in self._ran.items()}


_machines: WeakSet[CompiledMachine] = WeakSet()


def every_machine() -> list[CompiledMachine]:
    """Return all machines; any thread may stop them."""
    return list(_machines)


def _function(export: object) -> wasmtime.Func:
    assert isinstance(export, wasmtime.Func)
    return export


def _memory(export: object) -> wasmtime.Memory:
    assert isinstance(export, wasmtime.Memory)
    return export


PERF_MAP = "HOUSERULE_PERF_MAP"
"""A variable of the environment: set, Linux `perf` learns the names of functions."""


def _begun(module: Module, *, roomy: bool) -> tuple[wasmtime.Store, wasmtime.Instance]:
    store = wasmtime.Store(_engine(roomy))
    store.set_limits(memory_size=module.pages << 16, instances=1, memories=1)
    return store, wasmtime.Instance(store, code_of(module, roomy), [])


_engines: dict[bool, wasmtime.Engine] = {}


def _engine(roomy: bool) -> wasmtime.Engine:
    """Return the engine for modules with this much room.

    A roomy one reserves four thousand million addresses for each memory, so that what
    lies outside is found without looking. If a process may not reserve that much, every
    access is checked, which takes up to a fifth more time.
    """
    if roomy in _engines:
        return _engines[roomy]
    config = wasmtime.Config()
    config.wasm_threads = True  # for the atomic read of the flag that stops
    config.memory_init_cow = False  # code is kept without an image of the memory
    if not roomy:
        config.memory_reservation = config.memory_reservation_for_growth = 0
        config.memory_guard_size = 1 << 16
        config.memory_may_move = False
    if os.environ.get(PERF_MAP):
        config.profiler = "perfmap"
    return _engines.setdefault(roomy, wasmtime.Engine(config))


MACHINE_CODE = DiskStore(
    "wasm",
    made_by=("engine/compiled/machine.py", "engine/compiled/inlining.py"),
    most=500,
)
_codes: dict[tuple[str, bool], wasmtime.Module] = {}


def code_of(module: Module, roomy: bool = True) -> wasmtime.Module:
    """Return a module's machine code, compiled once, cached in memory and on disk.

    Raises:
        Unsupported: wasmtime refuses it; a function of it is too large.
    """
    if (module.text, roomy) not in _codes:
        # Functions that are looked at while they run are to have their own names.
        looked_at = bool(os.environ.get(PERF_MAP))
        import platform  # these two take long to import, and are seldom needed
        from importlib.metadata import version

        built_for = f"{sys.platform} {platform.machine()} {roomy} {looked_at}"
        key = MACHINE_CODE.key(version("wasmtime"), built_for, module.text)
        engine = _engine(roomy)
        kept = understood(
            MACHINE_CODE.read(key),
            lambda raw: wasmtime.Module.deserialize(engine, bytearray(raw)),
        )
        if kept is None:
            text = module.text if looked_at else written_out(module.text)
            kept = _compiled(text, engine, roomy)
            MACHINE_CODE.write(key, bytes(kept.serialize()))
        _codes[module.text, roomy] = kept
    return _codes[module.text, roomy]


def _compiled(text: str, engine: wasmtime.Engine, roomy: bool) -> wasmtime.Module:
    """Compile; what takes long is done in a process of its own, which can be ended.

    Raises:
        Unsupported: it takes too long, or wasmtime refuses it.
    """
    squares = sum(len(each) ** 2 for each in text.split("(func "))
    if squares > MOST_SQUARES:
        raise Unsupported("too much for one function")
    try:
        if len(text) > LONG_TEXT or squares > LONG_SQUARES:
            with suppress(OSError):  # where no process can be started it is done here
                apart = _compiled_apart(text, roomy)
                return wasmtime.Module.deserialize(engine, bytearray(apart))
        return wasmtime.Module(engine, bytes(wasmtime.wat2wasm(text)))
    except wasmtime.WasmtimeError as error:
        if "too large" not in str(error) and "exceeds" not in str(error):
            raise
        raise Unsupported(f"too much for one function or module: {error}") from None


# wasmtime does not hear Ctrl-C while it compiles, and the time that it takes grows with
# the squares of the letters of functions. A text, or squares, of this size are half a
# second; of the largest shipped game they are 1,700,000 and 3 * 10 ** 11.
LONG_TEXT = 3_000_000
LONG_SQUARES = 5 * 10**11
MOST_SQUARES = 5 * 10**12  # some 15 seconds: for longer nobody waits
APART = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from houserule.engine.compiled.machine import compile_apart
compile_apart(roomy=bool(sys.argv[2]))
"""
REFUSED = 2  # how the process ends where wasmtime refuses the text


def _compiled_apart(text: str, roomy: bool) -> bytes:
    """Let a process compile; it is ended where the waiting for it is interrupted.

    Raises:
        Unsupported: it came to its end in another way, such as for want of memory.
        WasmtimeError: wasmtime refuses the text.
        OSError: no process can be started.
    """
    import json  # seldom needed, like the next
    import subprocess

    paths = json.dumps([path for path in sys.path if os.path.isabs(path)])
    command = [sys.executable, "-I", "-c", APART, paths, "roomy" if roomy else ""]
    done = subprocess.run(command, input=text.encode(), capture_output=True)
    if done.returncode == REFUSED:
        raise wasmtime.WasmtimeError(done.stderr.decode("utf-8", "replace"))
    if done.returncode:
        raise Unsupported("too much for the compiler")
    return done.stdout


def compile_apart(*, roomy: bool) -> None:
    """Read a text from standard input, and write its machine code."""
    text = sys.stdin.buffer.read().decode()
    try:
        code = wasmtime.Module(_engine(roomy), bytes(wasmtime.wat2wasm(text)))
    except wasmtime.WasmtimeError as error:
        sys.stderr.buffer.write(str(error).encode())
        sys.exit(REFUSED)
    sys.stdout.buffer.write(bytes(code.serialize()))


@atexit.register
def _close_all() -> None:
    """Close what is left: wasmtime cannot be called any more when Python is gone."""
    for machine in every_machine():
        machine.close()
    for code in _codes.values():
        code.close()
    for engine in _engines.values():
        engine.close()
