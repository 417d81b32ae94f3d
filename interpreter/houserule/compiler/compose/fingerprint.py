"""A name for composed rules: the same for every way to write the same content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from houserule.base.algebra.equality import ContentNumbers
from houserule.language.syntax.tree import (
    Adjust,
    Component,
    DiceDecl,
    For,
    SetArith,
    TypeDecl,
)

if TYPE_CHECKING:
    from houserule.compiler.rules import Rules

# Where and by whom a rule was written, how its margin cites it, and what is remarked
# of a table before play, is no rule.
SILENT = frozenset(
    {
        *("span", "notes", "origin", "variants", "implied", "wished", "warns"),
        "fingerprint",
        "rechosen",
    }
)

# What rules written before could not say counts where it is said alone.
WHERE_SAID = frozenset({"draws", "striving"})

# Records name rules by this hash: a renamed class is hashed under its first name, and a
# node that can say more now is hashed in its first form where it says no more.
HASHED_AS = {"ChosenTable": "Table", "LoadedRow": "Row"}


MOST_TEXTS = 20_000  # of single rules, in one process
LATEST = 8  # of one name: to hash a rule is quicker than to look through many


def fingerprint_of(rules: Rules) -> str:
    """Return sixteen hexadecimal digits over what the rules say.

    Files, places, margins, warnings and the order of units do not count; captions do,
    since players are shown them.
    """
    said = [type(rules).__name__]
    kind = type(rules)
    for field in _names(kind) or ():  # type: ignore[arg-type]  # as below
        value = {} if field == "clauses" else getattr(rules, field)
        if field in WHERE_SAID and not value:
            continue
        if isinstance(value, Mapping):
            said.append(f"{{{len(value)}}}")
            for key in sorted(value):
                said += [repr(key), _TEXTS.text(field, key, value[key])]
        else:
            _said(value, said)
    return blake2b("\n".join(said).encode(), digest_size=8).hexdigest()


class _Texts:
    """The text of each rule that was hashed, by content: tables have most in common."""

    def __init__(self) -> None:
        self._contents, self._texts = ContentNumbers(LATEST), dict[int, str]()

    def text(self, field: str, key: object, value: object) -> str:
        """Return what one rule says; `field` and `key` are its place in the rules."""
        number, _ = self._contents.intern((field, key), value)
        if number not in self._texts:
            if len(self._texts) >= MOST_TEXTS:
                self._contents, self._texts = ContentNumbers(LATEST), {}
                return self.text(field, key, value)
            self._texts[number] = "\n".join(_said(value, []))
        return self._texts[number]


_TEXTS = _Texts()


def _said(value: object, said: list[str]) -> list[str]:
    """Append the content of a value to what was said before."""
    names = _names(type(value))  # type: ignore[arg-type]  # classes can be hashed
    if names is not None:
        name, parts = _first_form(value, names)
        said.append(HASHED_AS.get(name, name))
        for part in parts:
            _said(part, said)
    elif isinstance(value, tuple | list):
        said.append(f"[{len(value)}]")
        for one in value:
            _said(one, said)
    elif isinstance(value, frozenset | set):
        said.append(repr(sorted(value)))
    elif isinstance(value, Mapping):
        said.append(f"{{{len(value)}}}")
        for key in sorted(value):
            said.append(repr(key))
            _said(value[key], said)
    else:
        said.append(repr(value))
    return said


def _first_form(value: object, names: Sequence[str]) -> tuple[str, list[object]]:
    """Return the name and the parts under which a node is hashed."""
    match value:
        case SetArith("but", left, right):
            return "But", [left, right]
        case TypeDecl(name, members, type_, caption=None, fields=()):
            return "TypeDecl", [name, members, type_]
        case For((only,), where, order, body):
            return "For", [only, where, order, body]
        case Component() | DiceDecl():
            # Without a condition, or alike things, it says what it did before.
            new = {each for each in ("where", "alike") if getattr(value, each) is None}
            said = [each for each in names if each not in new]
            return type(value).__name__, [getattr(value, each) for each in said]
        case Adjust():  # what its verb says says the layer, too
            return "Adjust", [getattr(value, each) for each in names if each != "op"]
        case _:
            return type(value).__name__, [getattr(value, each) for each in names]


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """Return the fields of a class that count, or None if it has no fields."""
    if not is_dataclass(kind):
        return None
    return tuple(each.name for each in fields(kind) if each.name not in SILENT)
