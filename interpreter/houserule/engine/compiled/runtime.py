"""Modules run by wasmtime; no other module imports it.

`page_runtime` has the same names for a page, where the browser runs them.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from ctypes import addressof, c_int32, c_uint32
from weakref import WeakSet

import wasmtime

from houserule.base.cache import DiskStore, understood
from houserule.engine.compiled.functions import Unsupported
from houserule.engine.compiled.inlining import written_out
from houserule.engine.compiled.module import Module


class Trap(Exception):
    """A module stopped in the middle of a call."""


class Instance:
    """One instance of a module: its functions and its memory.

    Attributes:
        start: the address of its memory, for numbers that are used in place.
    """

    def __init__(self, module: Module, names: Iterable[str]) -> None:
        try:
            self._begin(module, roomy=True)
        except wasmtime.WasmtimeError as error:
            if "reserve" not in str(error):
                raise
            self._begin(module, roomy=False)
        exports = self._instance.exports(self._store)
        self._functions = {name: exports[name] for name in names}
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        # The memory never grows, so it never moves: its numbers can be used in place,
        # without a call into the store, which another thread may be running.
        self.start = addressof(memory.data_ptr(self._store).contents)
        _instances.add(self)

    def _begin(self, module: Module, *, roomy: bool) -> None:
        self._store = wasmtime.Store(_engine(roomy))
        pages = module.pages << 16
        self._store.set_limits(memory_size=pages, instances=1, memories=1)
        self._instance = wasmtime.Instance(self._store, code_of(module, roomy), [])

    def call(self, name: str, *args: int) -> int:
        """Call a function; it returns 0 if it has no result.

        Raises:
            Trap: it stopped.
        """
        function = self._functions[name]
        assert isinstance(function, wasmtime.Func)
        try:
            return int(function(self._store, *args) or 0)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise Trap(str(error)) from None

    def read(self, at: int, end: int) -> bytearray:
        """Return a copy of a part of the memory."""
        return self._memory.read(self._store, at, end)

    def write(self, at: int, content: bytes | bytearray) -> None:
        self._memory.write(self._store, bytearray(content), at)

    def signed(self, at: int) -> c_int32:
        """Return a number of 32 bits; its `value` is the memory itself."""
        return c_int32.from_address(self.start + at)

    def unsigned(self, at: int) -> c_uint32:
        """Return a number of 32 bits; its `value` is the memory itself."""
        return c_uint32.from_address(self.start + at)

    @property
    def size(self) -> int:
        """How many bytes of memory it has."""
        return self._memory.data_len(self._store)

    def close(self) -> None:
        """Give the memory back."""
        self._store.close()


_instances: WeakSet[Instance] = WeakSet()

PERF_MAP = "HOUSERULE_PERF_MAP"
"""A variable of the environment: set, Linux `perf` learns the names of functions."""


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
    made_by=("engine/compiled/runtime.py", "engine/compiled/inlining.py"),
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
            import json  # seldom needed, like the next
            import subprocess

            paths = json.dumps([path for path in sys.path if os.path.isabs(path)])
            command = [sys.executable, "-I", "-c", APART, paths]
            command.append("roomy" if roomy else "")
            with suppress(OSError):  # where no process can be started it is done here
                # The process is ended if the waiting for it is interrupted.
                done = subprocess.run(command, input=text.encode(), capture_output=True)
                if done.returncode == REFUSED:
                    message = done.stderr.decode("utf-8", "replace")
                    raise wasmtime.WasmtimeError(message)
                if done.returncode:
                    raise Unsupported("too much for the compiler")
                return wasmtime.Module.deserialize(engine, bytearray(done.stdout))
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
from houserule.engine.compiled.runtime import compile_apart
compile_apart(roomy=bool(sys.argv[2]))
"""
REFUSED = 2  # how the process ends where wasmtime refuses the text


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
    for instance in list(_instances):
        instance.close()
    for code in _codes.values():
        code.close()
    for engine in _engines.values():
        engine.close()
