"""The table in a page, without a browser: its links, its cookies, its own rules."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from tools.try_it import Example

from houserule.base.limits import WITHIN
from houserule.ui.web.own import checked

PAGE = "https://example.org/below/"
BASE = "/below/table"
LINK = re.compile(r'\s(?:href|src|action|formaction|data-[a-z]+)="([^"#][^"]*)"')
FORM = {"content-type": "application/x-www-form-urlencoded"}
RULE = 'variant ten for pig "Ten"\n\nneeds hold.ten "Ten in the pot": {} at least 10\n'

Ask = Callable[..., tuple[int, dict[str, str], str]]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Ask]:
    """Return a function that opens the page's tables, and returns how to ask them."""
    ffi = ModuleType("pyodide.ffi")
    ffi.to_js = lambda found: found  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    monkeypatch.setenv(WITHIN, "1")
    monkeypatch.setattr(checked, "HAS_THREADS", False)
    from houserule.ui.site.table import PageTables

    def tables(bad: str) -> Ask:
        made = PageTables(str(tmp_path), PAGE, bad)

        def ask(address: str, form: dict[str, str] | None = None) -> Any:  # noqa: ANN401
            url, told = urlsplit(address), SimpleNamespace(head=None, content=b"")
            body = urlencode(form).encode() if form else b""

            def begin(status: int, headers: list[tuple[str, str]]) -> None:
                told.head = status, dict(headers)

            def go_on(part: bytes) -> None:
                told.content += part

            async def asked() -> None:
                await made.answer(
                    SimpleNamespace(
                        method="POST" if form else "GET",
                        path=url.path,
                        query=url.query,
                        headers=SimpleNamespace(
                            to_py=lambda: [*FORM.items()] if form else []
                        ),
                        body=SimpleNamespace(to_bytes=lambda: body),
                        gone=asyncio.get_running_loop().create_future(),
                        begin=begin,
                        go_on=go_on,
                    )
                )

            asyncio.run(asked())
            return *told.head, told.content.decode()

        return ask

    return tables


def test_a_game_is_opened_and_every_link_stays_in_the_page(
    opened: Callable[[str], Ask],
) -> None:
    ask = opened("")
    menu = ask(f"{BASE}/new/pig?lang=en")[2]
    status, headers, _ = ask(f"{BASE}/tables", {"choice": "pig?players=2"})
    assert status == 303
    host = ask(headers["location"])[2]
    seat = ask(f"{headers['location']}/sit", {"seat": "0", "name": "Ann"})[1][
        "location"
    ]
    assert seat.startswith(f"{BASE}/s/")
    waiting = ask(seat)[2]
    assert "Begin" in host
    assert "Begin" in waiting
    for line in ("serve --lan", "Keep this address", "The server", "your friends"):
        assert line not in host + waiting  # there is no server, and no other device
    ask(f"{headers['location']}/begin", {"fill": "1"})
    _, told, table = ask(seat)
    assert "/hand" not in table
    for page in (menu, host, table):
        links = [each for each in LINK.findall(page) if "/" in each]
        assert len(links) > 3
        links.remove(f"{PAGE}#table/new/pig") if page == menu else None
        assert all(each.startswith(f"{BASE}/") for each in links), links
    assert "frame-ancestors 'self'" in told["content-security-policy"]
    assert "default-src 'none'" in told["content-security-policy"]
    assert "set-cookie" not in told

    home = opened("")(f"{BASE}/")[2]
    assert seat in home  # also when the page is loaded again
    for bad, forgotten in ((f"{BASE}/new/pig", False), (f"{seat}/rules", True)):
        home = opened(bad)(f"{BASE}/")[2]
        assert (seat not in home) == forgotten  # its rules took too long


def test_rules_of_ones_own_are_checked_and_played(opened: Callable[[str], Ask]) -> None:
    ask, address = opened(""), f"{BASE}/new/pig/own?lang=en"
    status, _, page = ask(address, {"text": RULE.format("pott")})
    assert status == 422
    assert "pott" in page
    status, headers, _ = ask(address, {"text": RULE.format("pot")})
    assert status == 303
    assert headers["location"].startswith(f"{BASE}/new/pig?own=")
    menu = ask(headers["location"])[2]
    assert "Ten" in menu
    assert PAGE + Example("pig", RULE.format("pot"), 0).link in menu  # to send
