"""The end of a game: who won, the places, how often each player won, what next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from tests.web.drawing.parsed import StrictPage
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.play.seat.session import Sitting
from houserule.ui.web.games import rules_of


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


def play(table: OpenTable) -> None:
    """Play to the end, by chance."""
    random = Random(4)
    table.part(0)
    while not table.over:
        seat = table.asked
        answer = table.post(seat, "choose", table.a_move(random))
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("game", ["hearts", "yacht?players=4", "nim"])
def test_the_places_follow_what_the_rules_count(game: str) -> None:
    rules = rules_of(game)
    sitting = Sitting.begin(rules, ["random"] * rules.program.seats, seed=5)
    sitting.advance()
    moment, outcome = sitting.moment(None, "en"), sitting.outcome
    points = [int(each.points) for each in moment.scores]
    ended = moment.ended
    assert ended is not None
    assert outcome is not None
    assert ended.winners == outcome.winners
    expected = {
        "hearts": tuple(1 + sum(o < p for o in points) for p in points),
        "yacht?players=4": tuple(1 + sum(o > p for o in points) for p in points),
        "nim": (),
    }
    assert ended.places == expected[game]


def test_the_page_at_the_end_says_who_won_and_what_comes_next(tables: Served) -> None:
    table = open_table(tables, "kalah", ["Ann", "Bob"])
    play(table)
    pages = [StrictPage(table.guests[s].get(table.seats[s]).text) for s in (0, 1)]
    live = tables.server.tables._live[table.id]
    assert live.sitting is not None
    outcome = live.sitting.outcome
    assert outcome is not None
    won = outcome.winners[0]
    titles = [next(e.text for e in page.elements if e.tag == "h1") for page in pages]
    assert titles[won] == "You won"
    assert titles[1 - won] == f"{('Ann', 'Bob')[won]} won"
    for page in pages:
        (table_,) = (e for e in page.elements if e.classes == ["results"])
        names = ("Ann", "Bob")
        lines = rf"PlaceWhoStore 1 {names[won]} won\d+ 2 {names[1 - won]}\d+"
        assert re.fullmatch(lines, table_.text), table_.text
        links = {e.attributes.get("href", "") for e in page.elements}
        assert "/new/kalah" in links
        assert any("/record?game=1" in each for each in links)
        assert "Play again" in page.text
        assert "Who won how often" not in page.text
    record = table.guests[0].get(f"{table.seats[0]}/record?game=1")
    assert record.status_code == 200
    assert table.post(0, "rematch").status_code == 200
    play(table)
    page = StrictPage(table.guests[0].get(table.seats[0]).text)
    assert "Who won how often" in page.text
    evening = next(e for e in page.of_class("evening"))
    assert "Ann" in evening.text
    watcher = StrictPage(tables.guest().get(table.watcher).text)
    assert "Play again" not in watcher.text
    assert "With other house rules" not in watcher.text


def test_a_stalled_or_drawn_game_says_so_in_the_heading(tables: Served) -> None:
    table = open_table(tables, "minichess", ["Ann", "Bob"])
    play(table)
    live = tables.server.tables._live[table.id]
    assert live.sitting is not None
    outcome = live.sitting.outcome
    assert outcome is not None
    page = StrictPage(tables.guest().get(table.watcher).text)
    title = next(e.text for e in page.elements if e.tag == "h1")
    drawn, names = outcome.kind == "drawn", [("Ann", "Bob")[w] for w in outcome.winners]
    assert title == ("A draw" if drawn else f"{names[0]} won")
