"""Games that are over: looked at again, counted, their records given and brought."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING

import pytest
from tests.web.serving import OpenTable, Served, open_table, served

import houserule
from houserule.base.source import Source
from houserule.play.narration.visibility import ALL_KNOWING, EVERYBODY
from houserule.play.records.hashes import state_hash
from houserule.play.records.records import HASH_EVERY, replay
from houserule.play.seat.resuming import read_game
from houserule.ui.web.live import LiveTable
from houserule.ui.web.records import films
from houserule.ui.web.records.films import Film, Films
from houserule.ui.web.records.history import finished, tallies

if TYPE_CHECKING:
    from houserule.play.narration.visibility import Viewer


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


def play_to_the_end(table: OpenTable) -> None:
    """Let the live table play on by itself, as if its people took every hint."""
    live = LiveTable(table.served.store, table.served.store.table(table.id))
    assert live.sitting is not None
    while (decision := live.sitting.decision) is not None:
        live.sitting.choose(decision.seat, live.sitting.hint(decision.seat))
    table.served.server.tables._live.clear()


@pytest.fixture(scope="module")
def over(tables: Served) -> OpenTable:
    """A table at which two games were played to the end."""
    table = open_table(tables, "nim", ["Ann", "Bob"])
    play_to_the_end(table)
    table.post(0, "rematch")
    play_to_the_end(table)
    return table


# ---- looked at again


def game_of(name: str) -> Source:
    record = houserule.load(name).table().start(seed=3).play().record()
    return Source("game", record.text)


@pytest.mark.parametrize("viewer", [0, EVERYBODY, ALL_KNOWING])
def test_a_film_shows_each_time_as_it_was(viewer: Viewer) -> None:
    """Held against the game as it is played from its beginning, with few copies."""
    read = read_game(game_of("liars_dice"))
    film = Film(read)
    games = []
    replay(
        read.record, read.rules.program, each=lambda game: games.append(game.clone())
    )
    assert film.length == len(read.record.taken) == len(games) - 1
    for at in (film.length, 0, 1, film.length // 2, film.length // 2 - 1):
        assert state_hash(film.game(at)) == state_hash(games[at])
    told = 0
    for at in range(film.length + 1):
        frame = film.frame(at, viewer, "en")
        assert frame.log[:told] == film.frame(at - 1, viewer, "en").log[:told]
        assert frame.log[told:] == frame.moment.log
        told = len(frame.log)
    assert film.frame(film.length + 9, viewer, "en") == film.frame(
        film.length, viewer, "en"
    )
    assert film.frame(film.length, viewer, "en").moment.ended is not None


def test_a_film_plays_little_of_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the slider is moved: a copy is near, and there are not many."""
    monkeypatch.setattr(films, "COPIES", 8)
    read = read_game(game_of("pig"))
    film = Film(read)
    assert film.length > HASH_EVERY
    assert len(film._copies) <= 9
    gaps = sorted(film._copies)
    widest = max(b - a for a, b in zip(gaps, [*gaps[1:], film.length], strict=True))
    assert widest <= -(-film.length // 8)


def test_few_films_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "FILMS", 2)
    kept = Films()
    sources = [
        Source("game", houserule.load("nim").table().start(seed).play().record().text)
        for seed in range(4)
    ]
    for source in sources:
        kept.frame(source, 0, EVERYBODY, "en")
    assert list(kept._films) == [each.text for each in sources[-2:]]


def test_what_was_hidden_is_shown_where_everything_is_open(tables: Served) -> None:
    table = open_table(tables, "liars_dice", ["Ann", "Bob"])
    play_to_the_end(table)
    at = f"{table.seats[0]}/replay"
    shown = {
        sight: table.guests[0].get(at, params={"as": sight, "at": 1}).text
        for sight in ("own", "everybody", "open")
    }
    dice = {sight: page.count('class="die"') for sight, page in shown.items()}
    assert dice["everybody"] < dice["own"] < dice["open"], dice
    watched = tables.guest().get(f"{table.watcher}/replay", params={"as": "own"})
    assert "As I saw it" not in watched.text
    assert watched.text.count('class="die"') <= dice["everybody"]


def test_a_slider_links_and_a_form_lead_through_the_game(over: OpenTable) -> None:
    guest, at = over.guests[0], f"{over.seats[0]}/replay"
    first = guest.get(at, params={"game": 1}).text
    assert '<input id="at" type="range" name="at" min="0"' in first
    assert 'id="film-first"' not in first
    assert 'id="film-following"' in first
    last = guest.get(at, params={"game": 1, "at": "999999999"}).text
    assert 'id="film-final"' not in last
    assert 'class="result"' in last
    assert 'class="result"' not in first
    part = guest.get(f"{at}/part", params={"at": 2}).text
    assert part.lstrip().startswith("<main")
    assert "Choice 2 of" in part
    assert "Game 2 again" in part  # the last game, if none is named
    for odd in ("x", "-1", "²"):
        assert "Choice 0 of" in guest.get(at, params={"at": odd}).text


def test_a_game_under_way_is_not_looked_at_again(tables: Served) -> None:
    """Not by anybody, whatever the address says; nor when its end was taken back."""
    table = open_table(tables, "nim", ["Ann", "Bob"])
    for base in (table.seats[0], table.watcher, table.host):
        for what in (
            "replay",
            "replay?as=open",
            "replay?game=1",
            "record",
            "record?game=1",
        ):
            answer = table.host_browser.get(f"{base}/{what}")
            assert answer.status_code == 403, what
    play_to_the_end(table)
    assert table.guests[0].get(f"{table.seats[0]}/record").status_code == 200
    table.post(0, "ask-undo")
    table.post(1, "ask-undo")
    table.post(1, "agree")
    table.post(0, "agree")
    assert '"undo"' in table.kept[1]
    assert table.guests[0].get(f"{table.seats[0]}/replay").status_code == 403
    assert finished(tables.store, table.id) == ()


# ---- counted


def test_the_games_of_a_table_are_listed_with_who_won(
    over: OpenTable, tables: Served
) -> None:
    page = unescape(over.guests[0].get(f"{over.seats[0]}/games").text)
    assert page.index("Game 2") < page.index("Game 1")
    assert page.count("Won by ") == 2
    assert "records.zip" not in page
    assert "records.zip" in over.host_browser.get(f"{over.host}/games").text
    tally = tallies(tables.store)["nim"]
    assert f"Games played to the end: {tally.games}." in page
    assert tally.games >= 2
    assert tally.shortest <= tally.choices / tally.games <= tally.longest


def test_bots_are_called_as_at_the_table(tables: Served) -> None:
    table = open_table(tables, "nim?lang=de", ["Ann"])
    host = table.host_browser.get(table.host).text
    assert ">Zufall</option>" in host
    assert "Ein Bot (Gierig)" in host
    play_to_the_end(table)
    page = table.host_browser.get(f"{table.host}/games").text
    assert "Ann, Gierig 2" in page
    assert "greedy" not in page


def test_nobody_sees_who_plays_at_other_tables(tables: Served, over: OpenTable) -> None:
    other = open_table(tables, "nim", ["Zoe", "Yan"])
    play_to_the_end(other)
    page = over.guests[0].get(f"{over.seats[0]}/games").text
    assert "Zoe" not in page
    assert "Yan" not in page
    wrong = tables.guest().get(f"/s/{'x' * 32}/games")
    assert wrong.status_code == 404


def test_who_sat_there_when_it_ended_is_named(tables: Served) -> None:
    table = open_table(tables, "nim", ["Ann", "Bob"])
    heir = table.guests[0].post(f"{table.seats[0]}/hand").text
    link = heir[heir.index("/t/") :].split('"')[0].split("<")[0]
    table.guests[1].post(link, data={"name": "Dora"})
    play_to_the_end(table)
    page = table.guests[1].get(f"{table.seats[1]}/games").text
    assert "Dora, Bob" in page
    assert "Ann" not in page


# ---- records go out, and come in


def test_the_host_takes_all_records_along(over: OpenTable) -> None:
    answer = over.host_browser.get(f"{over.host}/records.zip")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = sorted(archive.namelist())
        assert names == ["nim-1.jsonl", "nim-2.jsonl"]
        one = archive.read("nim-1.jsonl").decode()
    given = over.guests[0].get(f"{over.seats[0]}/record", params={"game": 1}).text
    assert given == one
    assert over.guests[0].get(f"{over.seats[0]}/records.zip").status_code == 405


def bring(served: Served, text: str | bytes, language: str = "en") -> tuple[int, str]:
    """Bring a record as a file; return the status, and the address or the page."""
    guest = served.guest(language)
    answer = guest.post("/records", files={"file": ("game.jsonl", text)})
    return answer.status_code, f"{answer.url.path}\n{unescape(answer.text)}"


def test_a_game_that_is_over_comes_in_and_is_looked_at(
    tables: Served, over: OpenTable
) -> None:
    record = over.guests[0].get(f"{over.seats[0]}/record").text
    status, page = bring(tables, record)
    assert status == 200
    host = page.split("\n")[0]
    assert host.startswith("/h/")
    again = tables.guest().get(f"{host}/replay").text
    assert "Choice 0 of" in again
    assert tables.guest().get(f"{host}/record").text == record


def test_a_game_under_way_goes_on_at_its_new_table(tables: Served) -> None:
    sitting = houserule.load("nim").table().sit("Ann,greedy")
    sitting.choose(0, sitting.hint(0))
    text = sitting.text
    status, page = bring(tables, text)
    assert status == 200
    host = page.split("\n")[0]
    browser = tables.guest()
    seat = browser.post(f"{host}/sit", data={"seat": "0", "name": "Cleo"})
    assert "Cleo plays on for Ann." in seat.text
    table = OpenTable(tables, host, browser, [browser], [seat.url.path])
    assert table.kept[1].startswith(text)
    play_to_the_end(table)
    assert browser.get(f"{host}/record").status_code == 200


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: "", "Choose a file"),
        (lambda text: b"\xff\xfe", "not a text"),
        (lambda text: "<b>hello</b>", "game.jsonl:1"),
        (lambda text: text.replace('"n": 2,', '"n": 7,'), "game.jsonl:3"),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(
    tables: Served, change: object, said: str
) -> None:
    assert callable(change)
    before = tables.store.count()
    status, page = bring(tables, change(game_of("nim").text))
    assert (status, tables.store.count()) == (422, before)
    assert said in page
    assert "Traceback" not in page
    assert "<b>hello" not in tables.guest().post("/records", data={"text": ""}).text


def test_a_record_that_is_too_large_is_not_read(tables: Served) -> None:
    status, _ = bring(tables, b"x" * 1_100_000)
    assert status == 413
