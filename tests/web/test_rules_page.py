"""The book of a table is one click away, also from the clause that refuses a move."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.rulebook.test_faces import Parsed
from tests.web.serving import Served, open_table, served

from houserule.ui.web import rules_page
from houserule.ui.web.drawing.redrawing import KeptDrawings


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


def test_a_refusal_leads_to_the_clause_it_names(tables: Served) -> None:
    table = open_table(tables, "pig", ["Ann", "Bob"])
    seat = table.asked
    at = {"path": "hold", "why": "1"}  # the pot is empty as yet
    why = table.guests[seat].get(table.seats[seat], params=at).text
    links = re.findall(rf'href="({table.seats[seat]}/rules)#(c-[\w.]+)"', why)
    assert ("c-hold.something") in [name for _, name in links]
    page = Parsed(table.guests[seat].get(links[0][0]).text)
    assert {name for _, name in links} <= page.ids.keys()


def test_tables_have_their_own_rules_in_the_language_of_the_seat(
    tables: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings = KeptDrawings()
    monkeypatch.setattr(rules_page, "DRAWINGS", drawings)
    plain = open_table(tables, "pig", ["Ann"])
    other = open_table(tables, "pig?with=no_early_hold", ["Ann"])
    pages = [
        Parsed(table.guests[0].get(f"{table.seats[0]}/rules").text)
        for table in (plain, other, plain, other)
    ]
    assert ["c-hold.enough" in page.ids for page in pages] == [False, True] * 2
    assert drawings.drawn == 2
    watched = plain.served.guest("de").get(f"{plain.watcher}/rules")
    assert watched.status_code == 200
    for page in pages:
        assert set(page.ids.values()) == {1}
        assert "style" not in page.attributes
        assert "style" not in page.tags


def test_a_file_of_the_rules_needs_no_server(tables: Served) -> None:
    table = open_table(tables, "pig?with=no_early_hold", ["Ann"])
    answer = table.guests[0].get(f"{table.seats[0]}/rules.html")
    assert "pig-en.html" in answer.headers["content-disposition"]
    page = Parsed(answer.text)
    assert all(link.startswith("#") for link in page.links)
    assert table.seats[0].rpartition("/")[2] not in answer.text  # no key goes along
    assert table.guests[0].get("/s/nobody/rules.html").status_code == 404
