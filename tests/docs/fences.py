"""Reads the fenced blocks of the pages; `CONTRIBUTING.md` says what each may be.

A fence begins with a language and may go on with words: `title=PATH`, `from=GAME`,
`status=1`, or plain words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>.*)$")


@dataclass(frozen=True)
class Fence:
    """One fenced block.

    Attributes:
        page: the page, from the root of the project.
        line: the line of the opening fence, from 1.
        language: the first word after the fence, or ''.
        words: the other words without `=`.
        settings: the other words with `=`, split there.
        text: what stands inside, with a line break at its end.
    """

    page: str
    line: int
    language: str
    words: tuple[str, ...]
    settings: dict[str, str]
    text: str

    @property
    def place(self) -> str:
        """Page and line, for messages."""
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """Return the pages at the root and every page of the documentation."""
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


def page_name(path: Path) -> str:
    """Return a page's path from the root of the project."""
    return path.relative_to(ROOT).as_posix()


def continued(path: Path) -> list[Path]:
    """Return the pages whose files a page needs, the first one first."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    found = re.fullmatch(r"<!-- continues: (\S+) -->", first)
    if not found:
        return []
    before = path.parent / found[1]
    return [*continued(before), before]


def fences_of(path: Path) -> list[Fence]:
    """Return the fenced blocks of a page in order; every fence must be closed."""
    found: list[Fence] = []
    opened: tuple[int, str, str] | None = None
    inside: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        match = _FENCE.match(line)
        if opened is None and match:
            opened, inside = (number, match["info"].strip(), match["indent"]), []
        elif opened is not None and match and not match["info"]:
            found.append(_fence(page_name(path), *opened, inside))
            opened = None
        elif opened is not None:
            inside.append(line.removeprefix(opened[2]))
    assert opened is None, f"{page_name(path)}: a fence stays open"
    return found


def _fence(page: str, line: int, info: str, indent: str, inside: list[str]) -> Fence:
    language, *rest = info.split() or [""]
    settings = dict(word.split("=", 1) for word in rest if "=" in word)
    words = tuple(word for word in rest if "=" not in word)
    text = "".join(f"{each}\n" for each in inside)
    return Fence(page, line, language, words, settings, text)


def prose_of(path: Path) -> str:
    """Return a page without its fenced blocks."""
    kept: list[str] = []
    inside = False
    for line in path.read_text(encoding="utf-8").split("\n"):
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            kept.append(line)
    return "\n".join(kept)
