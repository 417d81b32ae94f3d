"""From the first page to a game: the invitation is there at once, the host sits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser
from tests.web.browsing import PHONE, axe_finds, visit
from tests.web.serving import Served, served
from tests.web.test_ending import serving

LAN = "http://192.0.2.77:8000"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


def opened(tables: Served, choice: str = "nim") -> tuple[httpx.Client, httpx.Response]:
    host = tables.guest()
    return host, host.post("/tables", data={"choice": choice})


def link_in(page: str) -> str:
    found = re.search(r'id="link" readonly value="([^"]+)"', page)
    assert found is not None, page
    return unescape(found[1])


def test_a_new_table_has_its_invitation_at_once(tables: Served) -> None:
    host, page = opened(tables)
    link = link_in(page.text)
    assert link == link_in(host.get(page.url.path).text), "it stays the same"
    assert "<svg" in page.text
    guest = tables.guest().get(link)
    assert "You are invited" in guest.text
    watching = re.search(r'id="watch-link" readonly value="([^"]+)"', page.text)
    assert watching is not None
    assert tables.guest().get(watching[1]).status_code == 200
    other = link_in(opened(tables)[1].text)
    assert other != link


def test_the_page_says_if_only_this_computer_can_open_the_link(
    tables: Served, tmp_path: Path
) -> None:
    _, page = opened(tables)
    assert "works on this computer only" in page.text
    assert "houserule serve --lan" in page.text
    with served(tmp_path, public=LAN) as reachable:
        _, page = opened(reachable)
        assert "works on this computer only" not in page.text
        assert link_in(page.text).startswith(f"{LAN}/j/")


def test_a_host_who_sits_begins_there_and_stays_there(tables: Served) -> None:
    host, page = opened(tables)
    base, link = page.url.path, link_in(page.text)
    seat = host.post(f"{base}/sit", data={"seat": "0", "name": "Ann"})
    assert seat.url.path.startswith("/s/")
    assert link_in(seat.text) == link
    guest = tables.guest()
    waiting = guest.post(link, data={"seat": "1", "name": "Bob"})
    assert "/h/" not in waiting.text
    assert "/j/" not in waiting.text
    assert "Begin" not in waiting.text
    assert f'action="{base}/begin"' in host.get(seat.url.path).text
    assert f'href="{seat.url.path}"' in host.get(base).text
    begun = host.post(f"{base}/begin")
    assert begun.url.path == seat.url.path
    assert 'class="asked"' in begun.text or 'class="waits"' in begun.text
    assert f'href="{seat.url.path}"' in host.get(base).text


def test_a_host_begins_with_bots_in_the_free_seats(tables: Served) -> None:
    host, page = opened(tables, "hearts?players=4")
    base = page.url.path
    seat = host.post(f"{base}/sit", data={"seat": "2", "name": "Ann"}).url.path
    assert host.post(f"{base}/begin").url.path == base, "seats are free"
    begun = host.post(f"{base}/begin", data={"fill": "1"})
    assert begun.url.path == seat
    opens = tables.store.opened_by(base.rpartition("/")[2])
    assert opens is not None
    chairs = tables.store.table(opens.table).chairs
    assert [each.bot for each in chairs] == [True, True, False, True]


def test_a_forged_key_of_a_host_shows_and_makes_no_invitation(tables: Served) -> None:
    _, page = opened(tables)
    link = link_in(page.text)
    guest = tables.guest()
    seat = guest.post(link, data={"seat": "0", "name": "Bob"}).url.path
    opens = tables.store.opened_by(seat[3:])
    assert opens is not None
    other = opened(tables)[1].url.path[3:]
    for forged in ("x" * 32, seat[3:], link.rpartition("/")[2], other):
        cookie = f"host{opens.table}={forged}"
        shown = guest.get(seat, headers={"cookie": cookie})
        assert shown.status_code == 200
        assert "/j/" not in shown.text
        assert "/begin" not in shown.text


def test_the_invitation_is_copied_and_accessible(
    browser: Browser, tables: Served
) -> None:
    _, page = opened(tables)
    with visit(browser, f"{tables.address}{page.url.path}", PHONE, "dark") as shown:
        shown.context.grant_permissions(["clipboard-read", "clipboard-write"])
        shown.get_by_role("button", name="Copy").first.click()
        shown.get_by_role("button", name="Copied").wait_for()
        copied = shown.evaluate("navigator.clipboard.readText()")
        assert copied == link_in(page.text)
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert axe_finds(shown) == []


def test_lan_binds_to_the_network_and_names_its_address(tmp_path: Path) -> None:
    with serving(tmp_path, "--lan") as (_, address):
        assert not address.startswith(("http://127.", "http://localhost", "http://0."))
        port = address.rpartition(":")[2]
        here = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=here, headers={"origin": here}) as browser:
            page = browser.post(
                "/tables", data={"choice": "nim"}, follow_redirects=True
            )
        assert link_in(page.text).startswith(f"{address}/j/")


def test_behind_a_proxy_the_link_is_that_of_the_proxy(tmp_path: Path) -> None:
    with serving(tmp_path, "--proxy", "--name", "tables.example.org") as (_, address):
        assert address == "https://tables.example.org"
