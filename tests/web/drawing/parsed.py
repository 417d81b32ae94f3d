"""HTML read strictly: every tag is closed where it was opened, texts by element."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "hr"}


@dataclass
class Element:
    """An element with all text in it."""

    tag: str
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)

    @cached_property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


class StrictPage(HTMLParser):
    """A page; tags that are not balanced are an error.

    Attributes:
        elements: in the order in which they open.
        texts: all that stands outside of tags.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.texts: list[str] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self._open, [each.tag for each in self._open]

    def handle_starttag(
        self, tag: str, attrs: list[tuple[str, str | None]], *, closed: bool = False
    ) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID and not closed:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs, closed=True)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, tag
        assert self._open.pop().tag == tag, tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        for element in self._open:
            element.parts.append(data)

    @cached_property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    @cached_property
    def _by_class(self) -> dict[str, list[Element]]:
        found: dict[str, list[Element]] = {}
        for element in self.elements:
            for name in dict.fromkeys(element.classes):
                found.setdefault(name, []).append(element)
        return found

    def of_class(self, name: str) -> list[Element]:
        return self._by_class.get(name, [])
