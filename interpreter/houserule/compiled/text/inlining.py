"""Calls of very small functions, written out where they stand.

wasmtime does not do it. Only functions of one folded expression are written out which
use each of their parameters once and in order: then operands are evaluated as before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FUNCTION = re.compile(
    r"^\(func (?P<name>\$\w+)(?P<params>(?: \(param \$\w+ i\d\d\))*)"
    r" \(result i\d\d\)\s+(?P<body>\(.*\))\)$",
    re.MULTILINE,
)
_PARAM = re.compile(r"\(param (\$\w+) i\d\d\)")
_GET = re.compile(r"\(local\.get (\$\w+)\)")


@dataclass(frozen=True, slots=True)
class Small:
    """A function that can be written out: its parameters and its one expression."""

    params: tuple[str, ...]
    body: str

    def with_operands(self, operands: list[str]) -> str:
        """Return the expression for some operands."""
        given = dict(zip(self.params, operands, strict=True))
        return _GET.sub(lambda found: given[found[1]], self.body)


def inlined(text: str) -> str:
    """Return a text of functions with the calls of its very small ones written out."""
    for name, small in _small(text).items():
        text = _expanded(text, name, small)
    return text


def _small(text: str) -> dict[str, Small]:
    found = {}
    for match in _FUNCTION.finditer(text):
        params = tuple(_PARAM.findall(match["params"]))
        body = match["body"]
        whole = body.count("(") == body.count(")")
        if whole and tuple(_GET.findall(body)) == params and "(return" not in body:
            found[match["name"]] = Small(params, body)
    return found


def _expanded(text: str, name: str, small: Small) -> str:
    opening, parts, at = re.compile(rf"\(call {re.escape(name)}(?![\w.~])"), [], 0
    while (match := opening.search(text, at)) is not None:
        operands, end = _operands(text, match.end())
        parts += [text[at : match.start()]]
        again = [_expanded(each, name, small) for each in operands]
        parts.append(small.with_operands(again))
        at = end
    return "".join([*parts, text[at:]])


def _operands(text: str, at: int) -> tuple[list[str], int]:
    """Return the folded operands of a call, and where it ends."""
    found, depth, start = list[str](), 0, at
    while True:
        match text[at]:
            case "(":
                start = start if depth else at
                depth += 1
            case ")" if depth == 0:
                return found, at + 1
            case ")":
                depth -= 1
                if depth == 0:
                    found.append(text[start : at + 1])
            case _:
                pass
        at += 1
