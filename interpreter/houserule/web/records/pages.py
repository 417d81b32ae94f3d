"""Pages of games that are over: one again, all of a table, one that comes in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from houserule.narrate.knowledge import ALL_KNOWING, EVERYBODY, Viewer
from houserule.web.drawing import ShownFilm, TableView, replay_page, replay_part
from houserule.web.pages import Page
from houserule.web.records.kept import GameTally
from houserule.web.records.played import PastGame, played_games, wins
from houserule.web.templating import render

if TYPE_CHECKING:
    from houserule.web.live import LiveTable
    from houserule.web.records.films import FilmFrame


def sights_of(seat: int | None) -> Mapping[str, Viewer]:
    """Return as whom a game that is over may be looked at from a seat, or none."""
    all_sights: dict[str, Viewer] = {"everybody": EVERYBODY, "open": ALL_KNOWING}
    return all_sights if seat is None else {"own": seat, **all_sights}


def film_page(
    table: LiveTable, film: ShownFilm, frame: FilmFrame, language: str, base: str
) -> Page:
    """Return a game that is over at one of its choices.

    Args:
        table: where it was played.
        film: which time of which game it is.
        frame: the game at that time.
        language: of the page.
        base: the address of whoever looks.
    """
    view = TableView(
        base=base,
        language=language,
        version=table.version,
        moment=frame.moment,
        step=None,
        log=frame.log,
        rules=f"{base}/rules",
    )
    return Page(partial(replay_page, view, film), partial(replay_part, view, film))


def games_page(
    table: LiveTable,
    language: str,
    base: str,
    tally: GameTally | None,
    *,
    host: bool,
) -> str:
    """Return the page with the games of a table that are over, and what they came to.

    Args:
        table: whose games.
        language: of the page.
        base: the address of whoever looks.
        tally: of all games of this name on the server.
        host: whether all records may be had at once.
    """
    games: tuple[PastGame, ...] = played_games(table, language)
    return render(
        "games.html",
        language,
        base=base,
        title=table.sentence(language),
        games=games,
        wins=wins(games),
        drawn=any(game.drawn for game in games),
        tally=tally,
        average=round(tally.choices / tally.games) if tally else 0,
        host=host,
    )


def bring_page(language: str, wrong: str = "", why: str = "") -> str:
    """Return the page on which a record comes in.

    Args:
        language: of the page.
        wrong: what kept one from being taken, by its phrase.
        why: what was found in it.
    """
    return render("bring.html", language, wrong=wrong, why=why)
