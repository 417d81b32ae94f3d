"""The end of a game: who won, the places, how often each player won, what next."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from tests.web.drawing.parsed import StrictPage
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.play.seat.session import Sitting
from houserule.study.analysis.analyse import NotFinishedError
from houserule.ui.web.drawing.page import SIGN, curves_of
from houserule.ui.web.games import rules_of
from houserule.ui.web.records.courses import Course, course_of


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
        assert "Games won" not in page.text
    record = table.guests[0].get(f"{table.seats[0]}/record?game=1")
    assert record.status_code == 200
    assert table.post(0, "rematch").status_code == 200
    play(table)
    page = StrictPage(table.guests[0].get(table.seats[0]).text)
    assert "Games won" in page.text
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


# ---- where a game turned


def seen_later(table: OpenTable, says: str) -> StrictPage:
    """Return a page of the first seat as soon as it says something."""
    for _ in range(600):
        page = StrictPage(table.guests[0].get(table.seats[0]).text)
        if says in page.text:
            return page
        time.sleep(0.1)
    raise AssertionError(page.text)


def test_the_turning_points_come_when_they_are_ready(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    before = StrictPage(table.part(0))
    assert "turning points" not in before.text
    for path in (["take", "h=3", "n=3"], ["take", "h=2", "n=4"], ["take", "h=3"]):
        table.post(table.asked, "choose", path)
    while not table.over:
        table.post(table.asked, "choose", table.a_move())
    begun = time.monotonic()
    page = StrictPage(table.part(0))
    assert time.monotonic() - begun < 1, "the page does not wait"
    assert "Looking for turning points." in page.text
    version = table.version(0)
    later = seen_later(table, "Where the game turned")
    assert "Looking for turning points" not in later.text
    assert table.version(0) > version, "open pages are notified"
    (turns,) = later.of_class("turns")
    assert re.match(r"(Ann|Bob): Take \d sticks? .+ Better: Take \d", turns.text)
    links = {e.attributes.get("href", "") for e in later.elements}
    looks = [each for each in links if re.search(r"/replay\?game=1&at=\d+$", each)]
    assert looks
    assert table.guests[0].get(looks[0]).status_code == 200
    german = tables.guest("de").get(table.watcher)
    assert "Where the game turned" in german.text, "watchers have the table's language"


def test_a_game_that_goes_on_has_no_course(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    table.part(0)
    with pytest.raises(NotFinishedError):
        course_of(tables.store.record(table.id, 1))
    while not table.over:
        table.post(table.asked, "choose", table.a_move())
    seen_later(table, "Where the game turned")
    last = next(s for s in (0, 1) if table.post(s, "undo").status_code == 200)
    courses = tables.server.courses
    assert table.id not in courses._found, "what was taken back is forgotten"
    page = table.part(last)
    assert "Where the game turned" not in page


def test_a_course_has_points_and_all_languages() -> None:
    rules = rules_of("kalah")
    sitting = Sitting.begin(rules, ["random", "greedy"], seed=5)
    sitting.advance()
    found = course_of(sitting.text)
    outcome = sitting.outcome
    assert outcome is not None
    points: list[list[int]] = found["points"]  # type: ignore[assignment]
    at: list[int] = found["at"]  # type: ignore[assignment]
    assert found["done"] == found["total"] == at[-1]
    final = [each.points for each in sitting.moment(None, "en").scores]
    assert [str(line[-1]) for line in points] == final
    assert all(len(line) == len(at) for line in points)
    curves = curves_of(Course(1, at=tuple(at), points=tuple(map(tuple, points))))
    assert curves is not None
    assert (curves.low, curves.high) == (0, max(map(max, points)))
    signs = sorted(curve.y for curve in curves.curves)
    assert all(b - a >= SIGN for a, b in pairwise(signs)), "signs do not overlap"
    turns: list[dict[str, dict[str, str]]] = found["turns"]  # type: ignore[assignment]
    for turn in turns:
        assert not turn["what"] or set(turn["what"]) == set(rules.ruleset.spoken)
    assert course_of(sitting.text, seconds=-1.0)["done"] == 1


# ---- the same people on several evenings


def test_a_group_has_its_results_of_all_its_tables(tables: Served) -> None:
    first = open_table(tables, "nim", ["Anna", "Bert"])
    play(first)
    page = StrictPage(first.guests[0].get(first.seats[0]).text)
    assert "These players together" not in page.text
    with_a_third = open_table(tables, "pig?players=3", ["Anna", "Bert", "Cleo"])
    play(with_a_third)
    second = open_table(tables, "kalah", ["bert", "Anna"])
    play(second)
    anna = first.guests[0]
    for address in (with_a_third.seats[0], first.seats[0]):
        anna.get(address)
    page = StrictPage(anna.get(second.seats[1]).text)
    caption = next(e.text for e in page.elements if e.tag == "caption")
    assert caption == "These players together: 2 games on 1 day"
    (wins,) = page.of_class("evening")
    assert sum(map(int, re.findall(r"\d+", wins.text.removeprefix(caption)))) == 2
    stranger = tables.guest()
    for address in (second.seats[1], second.watcher):
        page = StrictPage(stranger.get(address).text)
        assert "These players together" not in page.text, "other tables are not theirs"
