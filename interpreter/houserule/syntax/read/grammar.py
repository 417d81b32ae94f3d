"""The grammar as shipped: its text, a key that changes with it, and its keywords."""

from __future__ import annotations

import hashlib
import re
from functools import cache

from houserule.resources import data_root

_KEYWORD = re.compile(r'"([a-z]+)"')
_COMMENT = re.compile(r"//.*")


@cache
def grammar_text() -> str:
    """Return the text of the grammar."""
    return (data_root() / "grammar" / "rules.lark").read_text(encoding="utf-8")


@cache
def grammar_key() -> str:
    """Return a text that changes with the grammar."""
    return hashlib.sha256(grammar_text().encode()).hexdigest()[:24]


@cache
def keywords() -> frozenset[str]:
    """Return every word that the grammar gives a meaning.

    None of them may name a thing, a phase, a step, an action or a variable; the name
    of a clause, which stands only after its kind or a dot, is free.
    """
    return frozenset(_KEYWORD.findall(_COMMENT.sub("", grammar_text())))
