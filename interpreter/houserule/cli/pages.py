"""The pages that explain codes."""

from __future__ import annotations

from houserule.diagnostics.codes import TITLES
from houserule.resources import data_root


def page_of(code: str) -> str | None:
    """Return the page of a code, in Markdown; None if there is no such code.

    Raises:
        FileNotFoundError: the package was installed without its pages.
    """
    if code not in TITLES:
        return None
    return (data_root() / "docs" / "diagnostics" / f"{code}.md").read_text("utf-8")
