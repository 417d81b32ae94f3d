"""Modules run by the browser, or by Node: what `runtime` is for wasmtime.

Python runs in WebAssembly itself there (Pyodide). The page provides one function,
`houseruleAssemble`, which turns the text of a module into its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import js

from houserule.engine.compiled.functions import Unsupported
from houserule.engine.compiled.module import Module

PARAMETERS = re.compile(r'\(func \$\S+ \(export "(\w+)"\)((?: \(param \$\S+ i\d+\))*)')


class PageTrap(Exception):
    """A module stopped in the middle of a call."""


class Number:
    """A number of 32 bits; its `value` is the memory itself."""

    def __init__(self, view: Any, at: int, *, signed: bool) -> None:  # noqa: ANN401
        self._view, self._at, self._signed = view, at, signed

    @property
    def value(self) -> int:
        read = self._view.getInt32 if self._signed else self._view.getUint32
        return int(read(self._at, True))

    @value.setter
    def value(self, number: int) -> None:
        self._view.setInt32(self._at, number, True)


class PageInstance:
    """One instance of a module: its functions and its memory."""

    def __init__(self, module: Module, names: Iterable[str]) -> None:
        exports = js.WebAssembly.Instance.new(code_of(module), js.Object.new()).exports
        self._functions = {name: getattr(exports, name) for name in names}
        # An argument of 64 bits has to be a `BigInt`, one of 32 bits may not.
        self._wide = {
            name: [each.endswith("i64)") for each in params.split(" (param ")[1:]]
            for name, params in PARAMETERS.findall(module.text)
        }
        self._bytes = js.Uint8Array.new(exports.memory.buffer)
        self._view = js.DataView.new(exports.memory.buffer)

    def call(self, name: str, *args: int) -> int:
        """Call a function; it returns 0 if it has no result.

        Raises:
            PageTrap: it stopped.
        """
        wide = self._wide.get(name, ())
        given = [js.BigInt(str(a)) if w else a for a, w in zip(args, wide, strict=True)]
        try:
            return int(self._functions[name](*given) or 0)
        except js.Error as error:
            raise PageTrap(str(error)) from None

    def read(self, at: int, end: int) -> bytearray:
        """Return a copy of a part of the memory."""
        return bytearray(self._bytes.subarray(at, end).to_bytes())

    def write(self, at: int, content: bytes | bytearray) -> None:
        self._bytes.subarray(at, at + len(content)).assign(content)

    def signed(self, at: int) -> Number:
        return Number(self._view, at, signed=True)

    def unsigned(self, at: int) -> Number:
        return Number(self._view, at, signed=False)

    @property
    def size(self) -> int:
        """How many bytes of memory it has."""
        return int(self._bytes.length)

    def close(self) -> None:
        """Forget the memory."""
        self._functions, self._bytes, self._view = {}, None, None


_codes: dict[str, Any] = {}


def code_of(module: Module) -> Any:  # noqa: ANN401
    """Return a module's machine code, compiled once.

    Raises:
        Unsupported: the browser refuses it.
    """
    if module.text not in _codes:
        try:
            content = js.houseruleAssemble(module.text)
            _codes[module.text] = js.WebAssembly.Module.new(content)
        except js.Error as error:
            raise Unsupported(f"too much for this browser: {error}") from None
    return _codes[module.text]
