"""The playground in a browser, below a path, as any host of files serves it."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer

from playwright.sync_api import Page, expect
from tools.try_it import Example

from ..web.browsing import PHONE, axe_finds, chromium

PATIENCE = 120_000  # milliseconds: Python starts in the page
RULE = """\
variant short for pig "Short"

default target: 40
needs hold.pair "Two in the pot": {}at least 2 or score(me) + pot at least target
"""
TYPO, RIGHT = RULE.format("pott "), RULE.format("pot ")
ENDLESS = """\
variant slow for pig "Slow"

does throw.slow: for n in 1..9000: for m in 1..9000: for k in 1..9000: pot gains 0
"""
GREEDY = """\
variant wide for pig "Wide"

type N = 1..1000
state wide(a: N, b: N): 0..9 starts as 0
"""


def test_a_rule_is_mended_measured_shared_and_stopped(
    host: tuple[ThreadingHTTPServer, str],
) -> None:
    server, address = host
    with _opened(address) as page:
        _completed(page)
        link = _mended_and_measured(page)
        server.shutdown()
        server.server_close()  # the service worker has kept every file
        _shared(page, link)
        _played(page)
        _stopped(page)


def test_links_bring_any_text_and_bad_ones_a_notice(
    host: tuple[ThreadingHTTPServer, str],
) -> None:
    odd = '# <img src=x onerror="throw 1"> </script> "ß 𝄞 \u202e'
    bad = [
        *("pig", "pig.", "pig.!", "pig.AAAA", "pigg.AAAA", "pig." + "A" * 100_000),
        Example("pig", "\0" * 10_000_000, 0).link[1:],  # a bomb: a few kB
        Example("pig", RIGHT, 0).link[1:-9],  # cut off
    ]
    with _opened(f"{host[1]}#{bad[0]}") as page:
        expect(page.locator("#no-link")).to_be_visible()
        begun = _text(page)
        assert begun
        for each in bad:
            page.goto(f"{host[1]}#")
            expect(page.locator("#no-link")).to_be_hidden()
            page.goto(f"{host[1]}#{each}")
            expect(page.locator("#no-link")).to_be_visible()
            assert _text(page) == begun
        for text in ("", odd, f"{odd}\n" * 900):
            page.goto(host[1] + Example("pig", text, 0).link)
            expect(page.locator("#no-link")).to_be_hidden()
            page.locator("#share").click()
            shared = page.locator("#shared:visible, #by-hand:visible")
            expect(shared).to_be_visible()
            letters = page.url.partition("#pig.")[2]
            raw = urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
            assert zlib.decompress(raw, -15).decode() == text
        for each in ("//example.org/", "http://[", "../..", "%00"):
            page.goto(f"{host[1]}#table/{each}")
            frame = page.locator("#frame").element_handle().content_frame()
            assert frame is not None
            page.wait_for_timeout(300)
            assert frame.url.startswith((f"{host[1]}table/", "about:blank"))


def test_a_first_visitor_opens_a_table_where_rules_have_limits(
    host: tuple[ThreadingHTTPServer, str],
) -> None:
    link = f"{host[1]}#table/new/pig?players=3"
    address = link.replace("#", "")  # the host of the files has no such page
    with _opened(address) as page:
        expect(page).to_have_url(link)
        table = page.frame_locator("#frame")
        expect(table.locator(".sentence")).to_contain_text("3 players")
        expect(table.locator("#share")).to_have_attribute("href", link)
        page.goto(f"{host[1]}#")
        expect(page.locator("#sound")).to_be_visible()
        _accessible(page)
        _write(page, GREEDY)
        expect(page.locator("#messages")).to_contain_text("1,000,000 cells")
        expect(page.locator("#play")).to_be_disabled()
        _write(page, ENDLESS)
        page.locator("#play").click()
        expect(table.locator(".sentence")).to_contain_text("Slow")
        sent = table.locator("#share").get_attribute("href") or ""
        assert sent.startswith(f"{host[1]}#pig.")  # others get the rule itself
        _seated(page)
        table.locator("#table[data-turn] #choose .do").first.click()
        expect(table.locator("#table")).to_contain_text("it was not done")


@contextmanager
def _opened(address: str) -> Iterator[Page]:
    """Open a page as somebody who was never there; it may complain about nothing."""
    with chromium() as browser:
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        try:
            page = context.new_page()
            complaints: list[str] = []
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(address)
            yield page
            assert complaints == []
        finally:
            expect.set_options(timeout=5000)


def _accessible(page: Page) -> None:
    """Axe finds nothing: a long text, its messages, and the dialogs of the editor."""
    editor = page.locator(".cm-content")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        _write(page, TYPO + "# A long text.\n" * 60)
        expect(page.locator("#messages .where")).to_be_visible()
        assert axe_finds(page) == []
        page.locator("#begin").click()
        expect(page.locator("#sound")).to_be_visible()
        for keys in ("Control+f", "Control+Alt+g"):
            editor.press(keys)
            expect(page.locator(".cm-panel")).to_be_visible()
            assert axe_finds(page) == []
            page.keyboard.press("Escape")


def _write(page: Page, text: str) -> None:
    page.locator(".cm-content").fill(text)


def _text(page: Page) -> str:
    lines = page.locator(".cm-line").all_text_contents()
    return "\n".join(lines)


def _completed(page: Page) -> None:
    """While you type, the names that fit are offered, and Enter takes the first."""
    expect(page.locator("#sound")).to_be_visible()
    _write(page, 'variant short for pig "Short"\n\n')
    page.locator(".cm-content").press("Control+End")
    page.keyboard.type("remove hold.b")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("hold.bank")
    page.wait_for_timeout(200)  # a list that has just come takes no key
    page.keyboard.press("Enter")
    expect(page.locator(".cm-line").last).to_have_text("remove hold.bank")
    changed = _text(page)
    page.locator("#begin").click()
    assert _text(page) != changed
    page.locator("#back").click()
    assert _text(page) == changed
    expect(page.locator("#back")).to_be_hidden()
    page.locator("#begin").click()


def _mended_and_measured(page: Page) -> str:
    expect(page.locator("#sound")).to_be_visible()
    _write(page, TYPO)
    expect(page.locator("#messages .where")).to_have_text("Line 4")
    expect(page.locator("#measure")).to_be_disabled()
    page.locator("#messages .fix").click()
    expect(page.locator("#sound")).to_be_visible()
    assert _text(page) == RIGHT
    expect(page.locator("#book")).to_contain_text("Two in the pot.")
    page.locator("#measure").click()
    expect(page.locator("#effect p").first).to_contain_text("Shorter by ")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#share").click()
    expect(page.locator("#shared")).to_be_visible()
    expect(page.locator("#by-hand")).to_be_hidden()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.evaluate("() => { Clipboard.prototype.writeText = () => Promise.reject(0) }")
    page.locator("#share").click()
    expect(page.locator("#shared")).to_be_hidden()
    assert page.evaluate("getSelection().toString()") == page.url
    return page.url


def _shared(page: Page, link: str) -> None:
    """A link opens without the server, also on a phone and in another language."""
    page.goto("about:blank")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(link)
    expect(page.locator("#sound")).to_be_visible()
    assert _text(page) == RIGHT
    page.locator(".cm-content").press("x")
    page.set_viewport_size({"width": PHONE[0], "height": 510})  # above the keyboard
    expect(page.locator("#messages .where").first).to_be_in_viewport()
    page.locator(".cm-content").press("Backspace")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(page.locator("#sound")).to_be_visible()
    assert _text(page) == RIGHT
    page.get_by_role("link", name="de", exact=True).click()
    expect(page.locator("#rule")).to_have_text("Hausregel")
    expect(page.locator("#sound")).to_be_visible()
    assert _text(page) == RIGHT
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def _played(page: Page) -> None:
    """A whole game of Pig with the rule, against a bot at the table, on a phone."""
    page.locator("#play").click()
    table = page.frame_locator("#frame")
    _seated(page)
    place = "(hidden) => { opening.hidden = hidden; return frame.offsetTop }"
    assert page.evaluate(place, False) == page.evaluate(place, True)
    page.reload()  # the game is kept
    table.locator(".mine").click()
    over = table.locator("#table.ended")
    choices = table.locator("#table[data-turn] #choose ul.options .do")
    for _ in range(200):
        expect(choices.last.or_(over).first).to_be_visible()
        if over.count():
            break
        version = table.locator("#table").get_attribute("data-version") or ""
        choices.last.click()  # to hold, if that is allowed
        expect(table.locator("#table")).not_to_have_attribute("data-version", version)
    expect(over).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.get_by_role("link", name="Hausregel").click()
    expect(page.locator("#sound")).to_be_visible()


def _seated(page: Page) -> None:
    """Open the table of the menu that is shown, and begin against bots."""
    table = page.frame_locator("#frame")
    table.locator("form[action$='/tables'] button").first.click()
    table.locator("input[name=name]").first.fill("Ann")
    table.locator("form[action$='/sit'] button").first.click()
    table.locator("#table[data-base*='/s/'] [name=fill]").click()
    expect(table.locator("#table[data-turn]")).to_have_count(1)


def _stopped(page: Page) -> None:
    _write(page, ENDLESS)
    expect(page.locator("#sound")).to_be_visible()
    page.locator("#measure").click()
    expect(page.locator("#stopped")).to_be_visible()
    expect(page.locator("#progress")).to_be_visible()
    _write(page, RIGHT)
    expect(page.locator("#stopped")).to_be_hidden()
    expect(page.locator("#sound")).to_be_visible()
