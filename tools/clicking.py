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
        buttons: the buttons, with the fields they send.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[tuple[str, ...]] = []
        self.buttons: list[list[tuple[str, str]]] = []
        self._fields: list[tuple[str, str]] = []
        self._within = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a link, a button, or a hidden field."""
        given = {name: text or "" for name, text in attrs}
        if tag == "a" and "path=" in given.get("href", ""):
            query = parse_qsl(urlsplit(given["href"]).query)
            if "why" not in dict(query):
                self.links.append(tuple(text for name, text in query if name == "path"))
        elif tag == "form" and given.get("action", "").endswith("/choose"):
            self._within = True
        elif (self._within or given.get("form") == "choose") and "name" in given:
            field = given["name"], given.get("value", "")
            if tag == "input":
                self._fields.append(field)
            elif tag == "button":
                self.buttons.append([*self._fields, field])

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a form."""
        if tag == "form":
            self._within = False
