"""Inlining: calls written out where they stand, which wasmtime does not do itself.

A function is written out where it is called at one place only, where it is very small,
and where all its places together grow little by it. Callees come first, so an inlined
body has its own calls inlined already. Only what is compiled is made so; the text that
people read is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter

from houserule.base.frozen import frozen

ONCE = 100_000  # characters of a function that is called at one place only
SMALL = 300  # characters of a function that is written out wherever it is called
GROWTH = 30_000  # characters that all inlined copies of a function may add
WHOLE = 400_000  # characters of a function beyond which nothing is written into it
TOTAL = 4_000_000  # characters by which a module may grow
RARE = "$fault"

_HEADER = re.compile(
    r'\(func (?P<name>\$[^\s()]+)(?P<export> \(export "[^"]*"\))?'
    r"(?P<signature>(?:\s*\((?:param|result) [^()]*\))*)"
    r"(?P<locals>(?:\s*\(local [^()]*\))*)"
)
_NAMED = re.compile(r"\((?:param|local) \$(\S+) (\w+)\)")  # without `$`
_RESULT = re.compile(r"\(result [^()]*\)")
_CALL = re.compile(r"\(call (\$[^\s()]+)")
_RETURN = re.compile(r"\(return(?=[\s)])")
_COMMENT = re.compile(r";;[^\n]*")
_FUNCTION = re.compile(r"^(?=\(func )", re.MULTILINE)
_PARENTHESIS = re.compile(r"[()]")
_MARK = "\0"


@frozen
class Callee:
    """A function in parts, to be written out; of its locals names and types.

    The body has a sign in the place of each mark.
    """

    params: tuple[tuple[str, str], ...]
    results: str
    locals: tuple[tuple[str, str], ...]
    body: str

    def written(self, operands: list[str], mark: str) -> str:
        """Return a call's place: names are marked, so that they meet no others."""
        # A local is 0 when a function begins. Written out in a loop it is set to 0 here
        # each time round; a return becomes the way out of the block.
        given = zip(self.params, operands, strict=True)
        begin = [f"(local.set ${mark}{name} {code})" for (name, _), code in given]
        begin += [f"(local.set ${mark}{n} ({t}.const 0))" for n, t in self.locals]
        code = self.body.replace(_MARK, mark)
        return f"(block $out{mark} {self.results} {' '.join(begin)} {code})"


def written_out(text: str) -> str:
    """Return a module's text with the calls of many functions written out."""
    before, *pieces = _FUNCTION.split(_COMMENT.sub("", text))
    functions, behind = dict[str, str](), dict[str, str]()
    for number, piece in enumerate(pieces, 1):
        # Text at the beginning of a line does not belong to the function before it.
        alone = number < len(pieces) and "\n(" not in piece
        end = len(piece.rstrip()) if alone else _end(piece, 0)
        name = _header(piece)["name"]
        functions[name], behind[name] = piece[:end], piece[end:]
    done = _Writing(functions).all()
    called = set(_CALL.findall("".join(done.values())))
    kept = {
        name: function
        for name, function in done.items()
        if name in called or _header(function)["export"]
    }
    return before + "".join(kept.get(name, "") + behind[name] for name in functions)


class _Writing:
    """Functions of a module, in which calls are written out."""

    def __init__(self, functions: dict[str, str]) -> None:
        self._functions = functions
        self._calls = {name: _CALL.findall(each) for name, each in functions.items()}
        self._places = Counter(
            called for each in self._calls.values() for called in each
        )
        self._done: dict[str, str] = {}
        self._callees: dict[str, Callee] = {}
        self._marks = self._grown = 0

    def all(self) -> dict[str, str]:
        """Return all functions, in the order in which they were given."""
        # A walk in depth with a list of its own: chains of calls are longer than the
        # stack of Python. A name comes up twice, before and after those it calls.
        waiting, begun = list(reversed(self._functions)), set[str]()
        while waiting:
            name = waiting[-1]
            if name not in begun:
                begun.add(name)
                called = dict.fromkeys(self._calls[name])
                waiting += [
                    x for x in called if x in self._functions and x not in begun
                ]
                continue
            waiting.pop()
            if name in self._done:
                continue
            function = self._functions[name]
            header, added = _header(function), list[tuple[str, str]]()
            body = self._expanded(function[header.end() :], added, len(function))
            more = "".join(f" (local {name} {type_})" for name, type_ in added)
            self._done[name] = f"{header[0]}{more}{body}"
            if name == RARE or header["export"]:
                continue
            # Is it to be written out where it is called?
            body, places = body[:-1], self._places[name]
            once = places == 1 and len(body) <= ONCE
            few = once or len(body) <= SMALL or len(body) * places <= GROWTH
            if few and not (f"(call {name}" in body and name in _CALL.findall(body)):
                # Mark the name of each local, and each way out.
                for what in ("(local.get $", "(local.set $", "(local.tee $"):
                    body = body.replace(what, what + _MARK)
                body = _RETURN.sub(f"(br $out{_MARK}", body)
                self._callees[name] = Callee(
                    tuple(_NAMED.findall(header["signature"])),
                    " ".join(_RESULT.findall(header["signature"])),
                    (*_NAMED.findall(header["locals"]), *_NAMED.findall(more)),
                    body,
                )
        return {name: self._done[name] for name in self._functions}

    def _expanded(self, text: str, added: list[tuple[str, str]], size: int) -> str:
        parts, at = list[str](), 0
        for match in _CALL.finditer(text):
            callee = self._callees.get(match[1])
            if (
                match.start() < at
                or callee is None
                or (size > WHOLE or self._grown > TOTAL)
            ):
                continue
            end = _end(text, match.start())
            operands, start = list[str](), text.find("(", match.end(), end - 1)
            while start >= 0:
                behind = _end(text, start)
                operands.append(self._expanded(text[start:behind], added, size))
                start = text.find("(", behind, end - 1)
            self._marks += 1
            mark = f"{self._marks}@"
            added += [(f"${mark}{n}", t) for n, t in (*callee.params, *callee.locals)]
            parts += [text[at : match.start()], callee.written(operands, mark)]
            size, at = size + len(parts[-1]), end
            self._grown += len(parts[-1])
        return "".join([*parts, text[at:]])


def _header(function: str) -> re.Match[str]:
    match = _HEADER.match(function)
    assert match is not None, function[:80]
    return match


def _end(text: str, at: int) -> int:
    """Return where what begins at a parenthesis ends."""
    depth = 0
    for each in _PARENTHESIS.finditer(text, at):
        depth += 1 if each[0] == "(" else -1
        if depth == 0:
            return each.end()
    raise ValueError("a parenthesis is not closed")
