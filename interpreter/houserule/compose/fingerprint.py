"""A name for composed rules: the same for every way to write the same content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houserule.compose.rules import Rules

# Where and by whom a rule was written, how its margin cites it, and what is remarked
# of a table before play, is no rule.
SILENT = frozenset(
    {"span", "notes", "origin", "variants", "implied", "warns", "fingerprint"}
)

# Records name rules by this hash: a renamed class is hashed under its first name.
HASHED_AS = {"ChosenTable": "Table", "LoadedRow": "Row"}


def fingerprint_of(rules: Rules) -> str:
    """Return sixteen hexadecimal digits over what the rules say.

    Files, places, margins, warnings and the order of units do not count; captions do,
    since players are shown them.
    """
    text = "\n".join(_said(replace(rules, clauses={}), []))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _said(value: object, said: list[str]) -> list[str]:
    """Append the content of a value to what was said before."""
    names = _names(type(value))  # type: ignore[arg-type]  # classes can be hashed
    if names is not None:
        name = type(value).__name__
        said.append(HASHED_AS.get(name, name))
        for field in names:
            _said(getattr(value, field), said)
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


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """Return the fields of a class that count, or None if it has no fields."""
    if not is_dataclass(kind):
        return None
    return tuple(each.name for each in fields(kind) if each.name not in SILENT)
