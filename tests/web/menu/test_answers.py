"""The server has the menu of house rules at its addresses, and opens what it shows."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from tests.web.drawing.parsed import StrictPage
from tests.web.serving import served


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
