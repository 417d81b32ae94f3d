"""Build HTML from elements; all other text is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

VOID = frozenset({"br", "link", "meta"})


class Markup(str):
    """HTML; other text is escaped when converted to it."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


Content: TypeAlias = str | Iterable[str]
Attribute: TypeAlias = str | int | None


def element(name: str, /, *content: Content, **attributes: Attribute) -> Markup:
    """Return an element.

    Args:
        attributes: with `_` for `-`, and a final `_` for names reserved in Python; None
            and '' are omitted.
    """
    given = "".join(
        f' {key.strip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    if name in VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(*content)}</{name}>")


def joined(*content: Content, between: str = "") -> Markup:
    """Return texts and elements one after the other, without empty ones."""
    parts: list[str] = []
    for each in content:
        some = (each,) if isinstance(each, str) else each
        parts += (
            one if isinstance(one, Markup) else escape(one) for one in some if one
        )
    return Markup(escape(between).join(parts))
