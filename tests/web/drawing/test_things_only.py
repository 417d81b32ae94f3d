"""Whole games of two people who touch things on the table only, as far as they can."""

from __future__ import annotations

from random import Random
from urllib.parse import urlsplit

import pytest
from tests.support.sampling import spread
from tests.support.shipped import NAMES
from tests.web.drawing.parsed import Element, StrictPage
from tools.bench.clicks import Clicker

import houserule

CLICKS = 25  # pages of each game in the fast tests
SEED = 5


GAMES = sorted({*NAMES} - {"hearts", "x_pasch"})  # which three play at least
SOME = {"hex_board", "kalah", "cribbage"}  # of those with things to touch


def play(game: str, most: int) -> tuple[int, int, bool]:
    """Click at random; return the clicks on things, those on buttons, and the end."""
    table = houserule.load(game).table(players=2)
    sitting, draw = table.sit(["Ann", "Bob"], seed=SEED), Random(SEED)
    touched = pressed = 0
    while sitting.decision is not None and touched + pressed < most:
        clicker, query, path = Clicker(sitting), "", None
        for _ in range(60):
            page = StrictPage(clicker.page(query))
            things = page.of_class("open") + page.of_class("takes")
            found = [each for each in things if is_way(each)]
            touched += bool(found)
            if not found:
                found = buttons(page)
                pressed += 1
            element = draw.choice(found)
            href = element.attributes.get("href")
            if href is None:
                sent = [
                    each.attributes["value"]
                    for each in page.elements
                    if each.tag == "input" and each.attributes.get("name") == "path"
                ]
                path = [*sent, element.attributes["value"]]
                break
            query = urlsplit(href).query
        assert path is not None, "clicks that lead nowhere"
        choice = clicker.chooser.choice(path)
        assert choice is not None, path
        sitting.choose(clicker.seat, choice)
    return touched, pressed, sitting.decision is None


def is_way(element: Element) -> bool:
    return not {"refused", "held"} & {*element.classes}


def buttons(page: StrictPage) -> list[Element]:
    """Return the buttons of a page without things: it says that they are about none."""
    options = [each for each in page.of_class("option") if "closed" not in each.classes]
    done = [each for each in page.of_class("primary") if each.tag == "button"]
    found = [each for each in page.of_class("do") if each.attributes["id"][0] != "c"]
    plain = [each for each in options if "plain" in each.classes]
    assert len(found) <= len(plain) or done
    return found + page.of_class("side")


@pytest.mark.parametrize("game", spread(GAMES, 6, needed=SOME.__contains__))
def test_a_game_is_played_by_touching_things(game: str) -> None:
    touched, pressed, _ = play(game, CLICKS)
    if game in THINGS:
        assert touched > pressed


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_touching_things(game: str) -> None:
    _, _, over = play(game, 20_000)
    assert over


THINGS = {"backgammon", "hex_board", "kalah", "minichess", "morris", "cribbage"}
