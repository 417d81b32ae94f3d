"""Compiles a page's modules and fills its cache; runs in Pyodide, under Node."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Mapping, Sequence
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from tempfile import mkdtemp
from types import CodeType
from zipfile import ZIP_STORED, ZipFile

from pyodide.code import run_js

import houserule
from houserule.base.cache import cache_dir
from houserule.ui.site.playground import book, check, starting_text
from houserule.ui.site.table import PageTables

MADE = Path("/made")
HAS_DOCSTRING = 0x4000000  # a flag of code
FIRST_PAGE = """({
  method: "GET", path: "/table/", query: "lang=en", headers: [], body: new Uint8Array(),
  gone: new Promise(() => {}), begin(status) { this.status = status; }, go_on() {},
})"""


async def prepare(games: Sequence[str]) -> None:
    """Write the library, the packages and the filled cache to `MADE`.

    The cache has what these games need, and what the list of all games needs.

    Raises:
        RuntimeError: the table cannot be opened.
    """
    for game in games:
        text = starting_text(game)
        check(game, text)
        book(game, text, "en")
    found = next(each for each in sys.path if each.endswith(".zip"))
    with ZipFile(found) as archive:
        names = [each for each in archive.namelist() if not each.endswith("/")]
        _write("python_stdlib.zip", {name: archive.read(name) for name in names})
    _write("packages.zip", _below(Path(houserule.__file__).parents[1]))
    first = _cached()
    _write("cache.zip", first)
    asked = run_js(FIRST_PAGE)
    await PageTables(mkdtemp(), "/", "").answer(asked)
    if asked.status != 200:
        raise RuntimeError(f"the table answers {asked.status}")
    _write("table.zip", {n: t for n, t in _cached().items() if n not in first})


def _cached() -> dict[str, bytes]:
    folder = cache_dir() or Path("/nowhere")
    at = folder.relative_to(Path.home()).as_posix()
    return {f"{at}/{name}": content for name, content in _below(folder).items()}


def _below(folder: Path) -> dict[str, bytes]:
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file() and "__pycache__" not in each.parts
    }


def _write(name: str, files: Mapping[str, bytes]) -> None:
    with ZipFile(MADE / name, "w", ZIP_STORED) as archive:
        for each, content in files.items():
            if each.endswith(".py"):
                archive.writestr(f"{each}c", _bytecode(content, each))
            else:
                archive.writestr(each, content)


def _bytecode(source: bytes, name: str) -> bytes:
    """Return the content of a `.pyc` file, which is never compared with its source.

    The format: https://peps.python.org/pep-0552/.
    """
    code = _smaller(compile(source, name, "exec", dont_inherit=True))
    unchecked = (1).to_bytes(4, "little")
    return MAGIC_NUMBER + unchecked + bytes(8) + marshal.dumps(code)


def _smaller(code: CodeType) -> CodeType:
    """Return code without the docstrings of functions, and without numbers of lines."""
    parts = [_smaller(e) if isinstance(e, CodeType) else e for e in code.co_consts]
    if code.co_flags & HAS_DOCSTRING:
        parts[0] = ""
    return code.replace(co_consts=tuple(parts), co_linetable=b"")
