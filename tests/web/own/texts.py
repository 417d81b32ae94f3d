"""Rules of people's own that tests bring, and how a browser without scripts does it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

EIGHT_LINES = (Path(__file__).parent / "patient.rules").read_text("utf-8")


def bring(
    guest: httpx.Client,
    text: str,
    query: str = "",
    *,
    file: bytes | None = None,
    named: str = "mine.rules",
) -> httpx.Response:
    """Send what the form of the page sends, as a browser does; follow to the menu."""
    files: dict[str, tuple[str | None, str | bytes]] = {"text": (None, text)}
    if file is not None:
        files["file"] = (named, file)
    return guest.post(f"/new/pig/own?{query}", files=files, timeout=120)


def choice_in(page: str) -> str:
    """Return the choice that the menu would open a table with."""
    found = re.search(r'name="choice" value="([^"]*)"', page)
    assert found is not None, page
    return found[1].replace("&amp;", "&")
