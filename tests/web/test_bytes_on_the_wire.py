"""What a seat may not see changes no byte that it is sent.

The property of the core, over HTTP, at twins: two games that look the same to a seat.
Whole pages, their parts, answers to why, hints and refusals are equal, with their sizes
and headers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
from tests.seat.shown import Watched
from tests.seat.test_nothing_leaks import (
    SECRETIVE,
    iter_twins,
    one_die,
    rules_of,
    some_twins,
)
from tests.seat.twins import Twins, seeds_in
from tests.support.shipped import ruleset_of
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.compiler.prepare import TableChoice, prepare
from houserule.play.seat.rules import TableRules
from houserule.ui.configurator.links import TableLink, link_of
from houserule.ui.web.server import BROWSER, STREAMS

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Fay"]
FEW, MANY = 2, 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables"), pause=3600) as found:
        yield found


def table_of(server: Served, rules: TableRules) -> OpenTable:
    """Open a table at which people play by some rules."""
    chosen = rules.chosen
    choice = TableChoice(
        with_=tuple(sorted(chosen.variants - chosen.implied)),
        settings=chosen.options,
        players=chosen.players,
    )
    link = link_of(TableLink(rules.program.game, choice))
    return open_table(server, link, NAMES[: rules.program.seats])


def sent(table: OpenTable, watched: Watched) -> list[object]:
    """Return all that the server sends to a seat, and to a watcher, of a game."""
    live = table.served.server.tables._live[table.id]
    live.sitting = watched.sitting
    live._look_anew()
    seat = table.seats[watched.viewer]
    browser = table.guests[watched.viewer]
    path = [("path", step)] if (step := first_step(watched)) else []
    queries: list[list[tuple[str, str]]] = [[], path, [*path, ("why", "1")]]
    queries.append([("hint", "1")])
    answers = [browser.get(f"{seat}/part?{urlencode(each)}") for each in queries]
    answers.append(browser.get(seat))
    answers.append(browser.get(f"{table.watcher}/part"))
    answers.append(table.post(watched.viewer, "choose", ["no_such"]))
    answers.append(table.post(watched.viewer, "undo"))
    return [written(answer) for answer in answers]


def first_step(watched: Watched) -> str:
    moment = watched.sitting.moment(watched.viewer)
    options = moment.choice.options if moment.choice else ()
    return options[0].key if options else ""


def written(answer: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    headers = [pair for pair in answer.headers.multi_items() if pair[0] != "date"]
    return answer.status_code, headers, answer.content


def unlike(server: Served, rules: TableRules, every: list[Twins]) -> list[str]:
    table = table_of(server, rules)
    assert len(every) > 1
    found = []
    for twins in every:
        games = twins.true.clone(), twins.other.clone()
        one, other = (
            sent(table, Watched.at(rules, game, twins.viewer)) for game in games
        )
        found += [
            f"seat {twins.viewer}, answer {number}: {a} / {b}"
            for number, (a, b) in enumerate(zip(one, other, strict=True))
            if a != b
        ]
    return found


@pytest.mark.parametrize(
    ("game", "pairs"),
    [("one_die", 24), ("cribbage", 4), ("hearts", 4), ("x_pasch", FEW)],
)
def test_what_is_hidden_changes_no_byte(server: Served, game: str, pairs: int) -> None:
    rules = one_die() if game == "one_die" else rules_of(game)
    assert unlike(server, rules, some_twins(rules, pairs)) == []


def claims() -> TableRules:
    """Return the rules of Mau-Mau in which all are asked whether they throw in."""
    choice = TableChoice(with_=("jump_in",), players=4)
    found = prepare(ruleset_of("mau_mau"), choice)
    assert found.program is not None
    assert found.table is not None
    return TableRules(ruleset_of("mau_mau"), found.table, found.program)


def test_all_are_asked_for_claims_at_once_and_nobody_is_named(server: Served) -> None:
    table = table_of(server, claims())
    live = table.served.server.tables._live[table.id]
    assert live.sitting is not None
    while not live.sitting.game.claimed:
        assert table.post(table.asked, "choose", table.a_move()).status_code == 200
    made, turn = len(live.sitting.made), live.sitting.made[-1].seat
    asked = {*range(4)} - {turn}
    assert {seat for seat in range(4) if "data-turn" in table.part(seat)} == asked
    for seat in sorted(asked - {table.asked}):
        assert table.post(seat, "choose", ["done"]).status_code == 200
        assert len(live.sitting.made) == made
        assert table.post(seat, "choose", ["done"]).status_code == 409
    for seat in {*range(4)} - {table.asked}:
        page = table.part(seat)
        assert "Waiting for answers" in page
        assert f"Waiting for {NAMES[table.asked]}" not in page
    assert table.post(table.asked, "choose", ["done"]).status_code == 200
    assert len(live.sitting.made) == made + 3


def test_who_could_claim_changes_no_byte(server: Served) -> None:
    """Those without the card are asked too."""
    rules = claims()
    every = iter_twins(rules, None)
    some = list(islice((each for each in every if each.true.claimed), 6))
    assert unlike(server, rules, some) == []


@pytest.mark.parametrize("game", ["kalah", "nim", "pig"])
def test_the_seed_changes_no_byte(server: Served, game: str) -> None:
    """These games draw nothing before their first decision, so logs are the same."""
    rules = rules_of(game)
    every = list(seeds_in(rules.program, 3, 3))
    assert unlike(server, rules, every) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", SECRETIVE)
def test_what_is_hidden_changes_no_byte_in_many_games(
    server: Served, game: str
) -> None:
    rules = rules_of(game)
    assert unlike(server, rules, some_twins(rules, MANY)) == []


def test_a_byte_that_tells_is_noticed(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were a page made for another seat, the property would see it."""
    from houserule.ui.web.live import LiveTable

    right = LiveTable.moment
    monkeypatch.setattr(
        LiveTable, "moment", lambda table, viewer: right(table, 1 - (viewer or 0))
    )
    rules = rules_of("liars_dice")
    twins = [each for each in some_twins(rules, 8) if each.viewer in {0, 1}]
    assert unlike(server, rules, twins)


def test_news_say_nothing_but_that_there_is_some(server: Served) -> None:
    table = open_table(server, "liars_dice?players=3", NAMES[:3])
    address = f"{table.seats[0]}/events"
    with table.guests[0].stream("GET", address) as stream:
        lines = stream.iter_lines()
        found = [next(lines) for _ in range(4)]
    version = table.version(0)
    assert found == ["retry: 1000", "", f"id: {version}", f"data: {version}"]


def test_a_seat_has_so_many_streams_whatever_browsers_it_says_to_be(
    server: Served,
) -> None:
    table, reading = open_table(server, "nim", NAMES[:2]), list[Iterator[bytes]]()

    def opened(number: int, stack: ExitStack) -> int:
        cookies = {"cookie": f"{BROWSER}={number:032x}"}
        address = f"{server.address}{table.seats[0]}/events"
        news = stack.enter_context(httpx.stream("GET", address, headers=cookies))
        if news.status_code == 200:
            reading.append(news.iter_raw())  # one that is let go ends its stream
            next(reading[-1])  # it is counted once it has begun
        return news.status_code

    with ExitStack() as stack:
        found = [opened(number, stack) for number in range(STREAMS + 2)]
    assert found == [200] * STREAMS + [204] * 2


def test_a_key_is_in_no_log_and_in_no_page_of_others(
    server: Served, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    with caplog.at_level("INFO"):
        table = open_table(server, "nim", NAMES[:2])
        pages = [table.part(0), table.guests[1].get(table.seats[1]).text]
    keys = [seat.rpartition("/")[2] for seat in (*table.seats, table.host)]
    assert len(caplog.records) > 5
    logged = " ".join(
        str(each.__dict__) for each in caplog.records if each.name == "houserule.web"
    )
    assert not any(key in logged for key in keys)
    assert not any(key in pages[0] for key in keys[1:])
    assert not any(key in pages[1] for key in (keys[0], keys[2]))
