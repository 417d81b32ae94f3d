"""The links and buttons on a seat's page, for simulated browsers."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlsplit

VERSION = re.compile(r'data-version="?(\d+)')


class Clickable(HTMLParser):
    """Parses the links and buttons of a page.

    Attributes:
        links: the links, with the choice so far.
        steps: the queries of all links to a step of the choice, and whether each is
            in a closed list; links to things on the table among them.
        buttons: the buttons, with the fields they send.
        amounts: the fields for a number: the path before, and the key of the number.
        hidden: by button, whether it is in a closed list.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[tuple[str, ...]] = []
        self.steps: dict[str, bool] = {}
        self.buttons: list[list[tuple[str, str]]] = []
        self.hidden: list[bool] = []
        self.amounts: list[tuple[list[str], str]] = []
        self._closed: list[bool] = []
        self._fields: list[tuple[str, str]] = []
        self._within = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a link, a button, or a hidden field."""
        given = {name: text or "" for name, text in attrs}
        if tag == "details":
            folds = "area" not in given.get("class", "").split()
            self._closed.append(folds and "open" not in given)
        if tag == "a" and "?" in given.get("href", ""):
            query = urlsplit(given["href"]).query
            if {name for name, _ in parse_qsl(query)} <= {"path", "about"}:
                folded = self.steps.get(query, True)
                self.steps[query] = folded and any(self._closed)
        if tag == "a" and "path=" in given.get("href", ""):
            pairs = parse_qsl(urlsplit(given["href"]).query)
            if "why" not in dict(pairs):
                self.links.append(tuple(text for name, text in pairs if name == "path"))
        elif tag == "form" and given.get("action", "").endswith("/choose"):
            self._within = True
        elif (self._within or given.get("form") == "choose") and "name" in given:
            field = given["name"], given.get("value", "")
            if tag == "input":
                self._fields.append(field)
            elif field[0] == "amount-of":
                before = [text for name, text in self._fields if name == "path"]
                self.amounts.append((before, field[1]))
            elif tag == "button":
                self.buttons.append([*self._fields, field])
                self.hidden.append(any(self._closed))

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a form."""
        if tag == "form":
            self._within = False
        elif tag == "details" and self._closed:
            self._closed.pop()
