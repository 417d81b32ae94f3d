"""Every link of the pages leads somewhere, and every page is led to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.docs.fences import DOCS, ROOT, page_name, pages, prose_of

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"(`+)(?:(?!\1).)*\1")
_HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)
_MARKS = re.compile(r"[^\w\- ]")
# Pages beside the documentation whose links are held to the same.
BESIDE = sorted(
    path
    for path in (*ROOT.glob("rulesets/*/*.md"), ROOT / "grammar" / "README.md")
    if path.is_file()
)


def links_of(page: Path) -> Iterator[str]:
    """Yield where the links of a page lead, as written."""
    yield from _LINK.findall(_CODE.sub("", prose_of(page)))


@cache
def anchors_of(page: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as they are shown on the web."""
    seen: Counter[str] = Counter()
    found: set[str] = set()
    for heading in _HEADING.findall(prose_of(page)):
        bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = _MARKS.sub("", bare.lower()).replace(" ", "-")
        found.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return frozenset(found)


@pytest.mark.parametrize("page", [*pages(), *BESIDE], ids=page_name)
def test_the_links_of(page: Path) -> None:
    lost = [link for link in links_of(page) if not _leads_somewhere(page, link)]
    assert not lost


def _leads_somewhere(page: Path, link: str) -> bool:
    if re.match(r"[a-z]+:", link):
        return link.startswith("https://")
    file, _, anchor = link.partition("#")
    target = (page.parent / file).resolve() if file else page
    if not target.is_relative_to(ROOT) or not target.exists():
        return False
    return not anchor or anchor in anchors_of(target)


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        for link in links_of(page):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.is_dir():
                waiting += sorted(target.glob("*.md"))
            elif target.suffix == ".md" and target.is_file():
                waiting.append(target)
    lost = sorted(page_name(page) for page in set(DOCS.rglob("*.md")) - reached)
    assert not lost


def test_pages_install_from_a_checkout() -> None:
    at_an_index = re.compile(r"(?<!/)houserule\[\w|pip3? install (-\S+ )*houserule\b")
    texts = {page: page.read_text("utf-8") for page in DOCS.rglob("*.md")}
    assert not [page for page, text in texts.items() if at_an_index.search(text)]


def test_no_page_names_a_place_on_a_machine() -> None:
    places = re.compile(r"/(?:work|home|root|tmp|Users)/|[A-Z]:\\|file://")
    found = [
        f"{page_name(page)}: {line}"
        for page in pages()
        for line in page.read_text(encoding="utf-8").split("\n")
        if places.search(line)
    ]
    assert not found
