"""The server has the menu of house rules at its addresses, and opens what it shows."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from urllib.parse import unquote

from tests.web.drawing.parsed import StrictPage
from tests.web.serving import Served, served


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


LARGE = "/new/x_pasch/effect?preset=official_deluxe&players=6&entry=x2_cards&games=4000"
STOPS = 0.2  # seconds


def test_what_is_measured_stops_when_nobody_looks_any_more(tmp_path: Path) -> None:
    """Also while a large table is still prepared; then the next is measured."""
    with served(tmp_path) as server, server.guest() as guest:
        seconds = [left_after(server, pause) for pause in (0.0, 0.3, 0.6, 1.2)]
        assert sorted(seconds)[1] < STOPS, seconds  # at a machine that is busy
        effect = guest.get("/new/nim/effect?entry=misere")
        assert "200 games" in effect.text


def left_after(server: Served, pause: float) -> float:
    """Ask for an effect and go away; return how long it is worked at after that."""
    measuring = server.server._measuring
    with socket.create_connection(server.netloc.split(":")) as asking:  # type: ignore[arg-type]
        head = f"GET {LARGE} HTTP/1.1\r\nHost: {server.netloc}\r\n\r\n"
        asking.sendall(head.encode())
        process = None
        while process is None or process.poll() is not None:
            time.sleep(0.01)
            if measuring._process is not None and measuring._turn.locked():
                process = measuring._process._process
        time.sleep(pause)
        assert process.poll() is None
    start = time.monotonic()
    while process.poll() is None:
        time.sleep(0.005)
    return time.monotonic() - start
