"""Whole choices side by side: numbers as a grid, common sets, ways to pay.

Each is one click instead of several. Only what the seat sees is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from houserule.engine.reference.options.steps import Exactly
from houserule.ir.types import Data
from houserule.play.seat.choosing.parts import ChoicePart, DisplayValue, next_place

MOST_IN_GRID = 200  # choices of two numbers that are listed as a grid
MOST_SETS = 31  # different sets that are offered
MOST_GROUPS = 6  # groups of alike members that are offered if sets are more


def whole_choices(
    part: ChoicePart, said: DisplayValue, most: int
) -> list[tuple[Data, ...]] | None:
    """Return the values of all choices with the chosen values, in order.

    None if there are more than `most`, or a set is chosen member by member.
    """
    if part.steps.count(said, most + 1) > most:
        return None
    place = next_place(part, said)
    if place.asked is None:
        only = part.steps.first(said)
        return [] if only is None else [only]
    found: list[tuple[Data, ...]] = []
    for way in () if place.adding else place.ways:
        known = {**said, place.asked: Exactly(way.value)}
        found += whole_choices(part, known, most) or []
    return found or None


def open_variables(part: ChoicePart, said: DisplayValue) -> list[int]:
    """Return the variables that are not settled."""
    every = range(len(part.variables))
    return [n for n in every if not isinstance(said.get(n), Exactly)]


def rows_of(
    part: ChoicePart, said: DisplayValue
) -> Mapping[Data, list[tuple[Data, ...]]]:
    """Return all choices of two open variables by the value of the first.

    Empty if others are open, if one is a set, or if they are too many.
    """
    asked = open_variables(part, said)
    if len(asked) != 2 or any(part.steps.is_set(n) for n in asked) or part.members:
        return {}
    rows: dict[Data, list[tuple[Data, ...]]] = {}
    for values in whole_choices(part, said, MOST_IN_GRID) or ():
        rows.setdefault(values[asked[0]], []).append(values)
    return rows if len(rows) > 1 else {}


def common_sets(
    members: Sequence[int], word: Callable[[int], str]
) -> Iterator[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """Yield sets that people name easily: how, with which words, and the members.

    Members with the same word are alike. If there are few different sets, all are
    yielded; else those of whole groups: "all", "all but suns", "only moons".
    """
    groups: dict[str, list[int]] = {}
    for each in members:
        groups.setdefault(word(each), []).append(each)
    amounts = [range(len(some) + 1) for some in groups.values()]
    if prod(map(len, amounts)) <= MOST_SETS + 1:
        for taken in sorted(product(*amounts), key=sum, reverse=True):
            rows = list(zip(groups.items(), taken, strict=True))
            chosen = tuple(sorted(e for (_, some), n in rows for e in some[:n]))
            within = tuple(name for (name, _), n in rows for _ in range(n))
            without = tuple(name for (name, some), n in rows for _ in some[n:])
            if not without:
                yield "all", (), chosen
            elif within:
                most = len(without) < len(within)
                yield ("all_but", without, chosen) if most else ("only", within, chosen)
        return
    yield "all", (), tuple(sorted(members))
    if 1 < len(groups) <= MOST_GROUPS:
        for name, some in groups.items():
            rest = tuple(sorted({*members} - {*some}))
            yield "all_but", (name,), rest
            yield "only", (name,), tuple(some)
