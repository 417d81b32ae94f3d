"""Orders for the small games of the tests, and what comes of them in this process."""

from __future__ import annotations

from dataclasses import replace

from tests.play import prepared

from houserule.prepare import TableChoice
from houserule.simulate.batch import Order, Played, play_all
from houserule.simulate.workers import Here


def order(
    name: str,
    games: int,
    *,
    seed: int = 3,
    tables: int = 1,
    bots: tuple[str, ...] = ("random",),
) -> Order:
    """Return an order of games; a second and third table set the option `goal`."""
    choices = [TableChoice(), *(TableChoice(settings={"goal": n}) for n in (6, 18))]
    programs = tuple(prepared(name, choice)[1] for choice in choices[:tables])
    return Order(programs, seed, games, bots)


def play_here(wanted: Order) -> Played:
    """Play an order, one game after the other."""
    return play_all(wanted, Here(wanted))[0]


def rotated(wanted: Order) -> Order:
    """Return an order whose bots move on after each game."""
    return replace(wanted, rotate=True)
