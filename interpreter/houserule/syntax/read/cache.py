"""What was computed once, kept on disk: trees of rules files, and parser tables.

Everything here fails silently: without a folder to write to, or with a damaged file,
things are only slower. Trees are kept as plain numbers, texts and tuples (marshal),
so that reading one runs no code. The key is the text alone: the name of the file is
put in when a tree is read.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from houserule.diagnostics.diagnostic import Diagnostic, Label
from houserule.resources import cache_dir, data_root
from houserule.source import NOWHERE, Source, Span
from houserule.syntax import tree

Found: TypeAlias = tuple[tuple[tree.Unit, ...], tuple[Diagnostic, ...]]

MOST_TREES = 3000
_SUM = 32  # bytes of a checksum


@cache
def grammar_text() -> str:
    """Return the grammar as shipped."""
    return (data_root() / "grammar" / "rules.lark").read_text(encoding="utf-8")


@cache
def grammar_key() -> str:
    """Return a text that changes with the grammar."""
    return hashlib.sha256(grammar_text().encode()).hexdigest()[:24]


@cache
def fingerprint() -> str:
    """Return a text that changes with the grammar, this package or Python itself."""
    here = Path(__file__).parents[1]
    outside = [here.parent / "source.py", here.parent / "diagnostics" / "diagnostic.py"]
    digest = hashlib.sha256(f"{sys.implementation.cache_tag} {grammar_key()}".encode())
    for path in sorted(here.rglob("*.py")) + outside:
        with suppress(OSError):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def key_of(source: Source) -> str:
    """Return the key under which the tree of this text is kept."""
    text = source.text.encode("utf-8", errors="surrogatepass")
    return hashlib.sha256(fingerprint().encode() + text).hexdigest()[:32]


def load(key: str, file: str) -> Found | None:
    """Return the tree kept under a key, its places in `file`, or None."""
    raw = read_bytes(_tree_path(key))
    if raw is None:
        return None
    units, faults = _Decoder(file).value(marshal.loads(raw))
    return units, faults


def save(key: str, found: Found) -> None:
    """Keep a tree under a key."""
    _make_room(_tree_path(key).parent)
    write_bytes(_tree_path(key), marshal.dumps(_encode(found)))


def _tree_path(key: str) -> Path:
    return cache_dir() / "trees" / f"{key}.tree"


def _make_room(folder: Path) -> None:
    """Drop the older half of the trees if there are too many."""
    with suppress(OSError):
        paths = list(folder.iterdir())
        if len(paths) > MOST_TREES:
            paths.sort(key=lambda path: path.stat().st_mtime)
            for path in paths[: len(paths) // 2]:
                path.unlink()


# ---- files with a checksum


def read_bytes(path: Path) -> bytes | None:
    """Return what was kept in a file, or None if it is not there or not whole."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    content = raw[_SUM:]
    return content if hashlib.sha256(content).digest() == raw[:_SUM] else None


def write_bytes(path: Path, content: bytes) -> None:
    """Keep something in a file: whole or not at all."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(hashlib.sha256(content).digest() + content)
            os.replace(name, path)
        except OSError:
            os.unlink(name)


# ---- trees as plain values: a node is a list, its class first, its place last


_NODES: list[Any] = sorted(
    {
        found
        for found in (*vars(tree).values(), Diagnostic, Label)
        if isinstance(found, type) and is_dataclass(found) and found is not Span
    },
    key=lambda found: found.__name__,
)
_NUMBER = {found: number for number, found in enumerate(_NODES)}
_FIELDS = [
    tuple(each.name for each in fields(found) if not each.kw_only) for found in _NODES
]
_PLACED = [issubclass(found, tree.Node) for found in _NODES]
_SPAN = -1


def _encode(value: Any) -> Any:  # noqa: ANN401  # a node, or anything plain
    kind = type(value)
    if kind is tuple:
        return tuple(map(_encode, value))
    if kind is Span:
        return [_SPAN, *_encode_span(value)]
    number = _NUMBER.get(kind)
    if number is None:
        return value
    parts = [_encode(getattr(value, name)) for name in _FIELDS[number]]
    if _PLACED[number]:
        return [number, *parts, _encode_span(value.span)]
    return [number, *parts]


def _encode_span(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column


class _Decoder:
    """Makes nodes of plain values, with their places in one file."""

    def __init__(self, file: str) -> None:
        self._file = file

    def value(self, plain: Any) -> Any:  # noqa: ANN401  # a node, or anything plain
        """Return the node, the tuple of nodes, or the plain value itself."""
        kind = type(plain)
        if kind is tuple:
            return tuple([self.value(each) for each in plain])
        if kind is not list:
            return plain
        number = plain[0]
        if number == _SPAN:
            return self._span(plain[1:])
        decode = self.value
        if _PLACED[number]:
            parts = [decode(each) for each in plain[1:-1]]
            return _NODES[number](*parts, span=self._span(plain[-1]))
        return _NODES[number](*[decode(each) for each in plain[1:]])

    def _span(self, place: tuple[int, int, int, int]) -> Span:
        return Span(self._file, *place) if place[0] else NOWHERE
