"""Of many tests of one kind the usual run does a spread; the others are slow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar, overload

import pytest

Of = TypeVar("Of")


def spread(
    every: Sequence[Of],
    stride: int,
    *,
    first: bool = True,
    name: Callable[[Of], str] = str,
    needed: Callable[[Of], bool] = lambda _: False,
) -> list[object]:
    """Return all as parameters of a test, most of them marked as slow.

    In the usual run are the first, every so many after it, the last, and those that
    are needed. Who calls it for each game by itself has some of every game; the largest
    table stands last.

    Args:
        every: what is tried, in an order in which neighbours are alike; a tuple is
            the values of several parameters.
        stride: so many of them share one that is usual.
        first: whether the first of all is one; not where another test has it.
        name: what a test is called.
        needed: whether one is usual wherever it stands, as a mutant hangs on it.
    """
    found = []
    for number, each in enumerate(every):
        share = number % stride == 0 and (first or number > 0)
        usual = share or number == len(every) - 1 or needed(each)
        values = each if isinstance(each, tuple) else (each,)
        marks = () if usual else (pytest.mark.slow,)
        found.append(pytest.param(*values, id=name(each), marks=marks))
    return list(found)


class Later(Sequence[object]):
    """Parameters of a test that are looked for when a test is made of them.

    In the usual run, none is made of a slow test (`conftest`).
    """

    def __init__(self, find: Callable[[], list[object]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> list[object]:
        return self._find()

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[object]:
        return iter(self._found)

    @overload
    def __getitem__(self, place: int) -> object: ...

    @overload
    def __getitem__(self, place: slice) -> list[object]: ...

    def __getitem__(self, place: int | slice) -> object:
        return self._found[place]
