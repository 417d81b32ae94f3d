"""How words and signs of one line stand beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houserule.syntax.read.scan import Token
from houserule.syntax.vocabulary import CLAUSES, DECLARATIONS, EDITS

_NAMING = frozenset((*DECLARATIONS, *CLAUSES, *EDITS))
_TIGHT_AFTER = frozenset(("(", "[", "{", ".", ".."))
_TIGHT_BEFORE = frozenset((")", "]", "}", ",", ";", ":", ".", ".."))
_VALUES = frozenset(("yes", "no", "none", "up", "down"))


def spaced(tokens: Sequence[Token], keywords: Iterable[str]) -> list[bool]:
    """Say of each token of a line whether a space stands before it."""
    known = frozenset(keywords)
    names = [_is_name(tokens, index, known) for index in range(len(tokens))]
    found = []
    unary = False
    for index, token in enumerate(tokens):
        before = tokens[index - 1] if index else None
        ends = before is not None and _ends_value(before, names[index - 1])
        space = before is not None and not (
            before.text in _TIGHT_AFTER
            or token.text in _TIGHT_BEFORE
            or (token.text == "(" and names[index - 1])
            or unary
        )
        unary = token.text == "-" and not ends
        found.append(space)
    return found


def _is_name(tokens: Sequence[Token], index: int, keywords: frozenset[str]) -> bool:
    """Say whether a token is a name, also where it looks like a keyword."""
    token = tokens[index]
    if token.kind != "word":
        return False
    if token.text not in keywords:
        return True
    after_dot = index > 0 and tokens[index - 1].text == "."
    return after_dot or (index == 1 and tokens[0].text in _NAMING)


def _ends_value(token: Token, name: bool) -> bool:
    return name or token.kind == "number" or token.text in (*_VALUES, ")", "}")
