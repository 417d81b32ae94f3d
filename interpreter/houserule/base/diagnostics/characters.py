"""Typographic characters that chats, mails and word processors substitute.

Rules, YAML and records use plain spaces, quotation marks and signs in their grammar.
All their readers use this module to find the intended character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from houserule.base.diagnostics.diagnostic import E004, Diagnostic, fault
from houserule.base.source import Source, Span, written_out

_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_DOUBLE, _SINGLE, _DASHES = (
    "“”„‟«»\uff02",
    "\u2018\u2019\u201a\u201b\u2039\u203a\xb4\uff07",
    "\u2010-\u2015\u2212\uff0d",
)
SPACES = re.compile(f"[{_SPACES}]")
# For plain YAML: errors in a key and in a value.
IN_KEY = re.compile(f"{SPACES.pattern}|^[{_DASHES}•](?= )")
IN_VALUE = re.compile(
    f"^-?{SPACES.pattern}|:{SPACES.pattern}|{SPACES.pattern}(?=\\s*$)"
)
QUOTES = frozenset(f"'{_DOUBLE}{_SINGLE}")
FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[\w-]*[ \t]*")
QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
# Positions at which YAML and JSON expect punctuation, not text.
_SIGNS = re.compile(
    rf"(?:^|(?<=[:,\[{{}}\]-]))[ \t]*[{_SPACES}{_DOUBLE}{_SINGLE}{_DASHES}•]"
    r"|[\uff1a\uff0c\uff1b\uff3b\uff3d\uff5b\uff5d]"
)
_PLAIN = {
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys("\u2010\u2011\u2012–—\u2015\u2212\uff0d", "-"),
    "•": "-",
    "×": "*",
    "÷": "/",
}


def plain(text: str) -> str:
    """Return a text with typographic characters replaced by plain ones."""
    folded = ((each, unicodedata.normalize("NFKC", each)) for each in text)
    return "".join(
        _PLAIN.get(each) or (form if form.isascii() else each) for each, form in folded
    )


def advice(character: str) -> str:
    """Return the advice on how to replace a character, or ''."""
    if SPACES.match(character):
        name = unicodedata.name(character).lower()
        return f"use a plain space in place of this {name}"
    if character in _DOUBLE:
        return 'use the plain quotation mark "'
    if character == "\xad":
        return "this is a soft hyphen; delete it"
    if character == "\ufffd":
        return "save the file as UTF-8"
    meant = plain(character)
    return f"use the plain `{meant}`" if meant != character else ""


def advice_on(word: str) -> str:
    """Return the advice on the first character of a word that has one."""
    return next(filter(None, map(advice, word)), "")


def odd(character: str, span: Span) -> Diagnostic:
    """Return E004 for a typographic character."""
    shown = f"`{character}`" if character.isprintable() else written_out(character)
    message = f"{shown} is not a character of these files."
    if SPACES.match(character):
        message = f"`{written_out(character)}` is not a plain space."
    return fault(E004, message, span, advice(character))


def fenced(source: Source, number: int) -> Diagnostic:
    """Return E004 for a code fence of a chat or wiki."""
    message = "This line is a code fence, as chats and wikis write it."
    return _packing(source, number, FENCE, message, "delete this line")


def mailed(source: Source, number: int) -> Diagnostic:
    """Return E004 for a line that begins with a mail quotation mark."""
    message = "`>` at the beginning of a line is the mark of a quoted mail."
    return _packing(source, number, QUOTED, message, "delete it")


def _packing(
    source: Source, number: int, pattern: re.Pattern[str], message: str, label: str
) -> Diagnostic:
    packed = pattern.fullmatch if pattern is FENCE else pattern.match
    many = sum(1 for line in source.lines if packed(line))
    found = pattern.match(source.line(number))
    length = max(1, len(found[0].rstrip())) if found else 1
    more = [f"There are {many} such lines in this file."] if many > 1 else []
    place = Span.at(source.name, number, 1, length)
    return fault(E004, message, place, label, details=more)


def misleading(source: Source, lines: range) -> Iterator[Diagnostic]:
    """Yield the typographic characters that break YAML or JSON in some lines."""
    for number in lines:
        line = source.line(number)
        if FENCE.fullmatch(line):
            yield fenced(source, number)
        elif line.startswith(">"):
            yield mailed(source, number)
        elif found := _SIGNS.search(line):
            yield odd(found[0][-1], Span.at(source.name, number, found.end()))
