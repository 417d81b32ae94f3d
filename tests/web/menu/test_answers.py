"""The server has the menu of house rules at its addresses, and opens what it shows."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from urllib.parse import unquote

import pytest
from tests.web.drawing.parsed import StrictPage
from tests.web.serving import served

from houserule.ui.web.menu import answers, pages
from houserule.ui.web.own.rules_store import OwnTexts


def test_from_the_first_page_to_a_table(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.guest("de") as guest:
        home = StrictPage(guest.get("/").text)
        assert any(
            each.attributes.get("href") == "/new/nim?lang=de" for each in home.elements
        )
        menu = StrictPage(guest.get("/new/nim?with=misere").text)
        (choice,) = (
            each.attributes["value"]
            for each in menu.elements
            if each.attributes.get("name") == "choice"
        )
        assert choice == "nim?with=misere&lang=de"
        part = guest.get("/new/nim/part?with=misere")
        assert part.text.startswith("<main")
        file = guest.get("/new/nim/file?with=misere")
        assert file.text == "game: nim\nwith: [misere]\n"
        effect = guest.get("/new/nim/effect?entry=misere")
        assert "200 Partien" in effect.text
        assert guest.get("/new/no_such_game").status_code == 404
        wrong = guest.get("/new/nim?players=many")
        assert wrong.status_code == 422
        assert "keine Zahl von Mitspielenden" in unquote(StrictPage(wrong.text).text)
        opened = guest.post("/tables", data={"choice": choice})
        assert opened.status_code == 200
        assert "Misère" in opened.text


def test_an_effect_is_measured_while_somebody_looks_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, stopped = Event(), Event()
    measure = pages.effect_answer

    def endless(
        game: str,
        query: str,
        language: str,
        stop: Callable[[], bool],
        texts: OwnTexts | None = None,
    ) -> str | None:
        if game != "x_pasch":
            return measure(game, query, language, stop, texts)
        begun.set()
        while not stop():
            time.sleep(0.01)
        stopped.set()
        return None

    monkeypatch.setattr(answers, "effect_answer", endless)
    with served(tmp_path) as server, server.guest() as guest:
        host, port = server.netloc.split(":")
        with socket.create_connection((host, int(port))) as asking:
            path = "/new/x_pasch/effect?entry=x2_cards"
            head = f"GET {path} HTTP/1.1\r\nHost: {server.netloc}\r\n\r\n"
            asking.sendall(head.encode())
            assert begun.wait(20)
            assert not stopped.is_set()
        assert stopped.wait(20)
        assert "200 games" in guest.get("/new/nim/effect?entry=misere").text
