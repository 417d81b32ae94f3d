"""Resource limits: the name and default of every limit.

A rules file of one line can ask for a thousand million spaces, and a step can repeat
forever. Anything larger than a limit is rejected with a message that names the limit.
The defaults leave much room above every game we know. To change them, use `houserule
--limit NAME=NUMBER …` or the environment variable `HOUSERULE_LIMITS`
(`members=50000,work=1000000000`).

Changed limits are only in the environment, so that subprocesses inherit them. They must
not change while a game is prepared or played.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

from houserule.base.frozen import frozen

ENVIRONMENT = "HOUSERULE_LIMITS"
WITHIN = "HOUSERULE_WITHIN_ISOLATION"  # set in processes that `isolation` starts
MOST = 1 << 40  # the maximum of every limit; Python's own maximum may be lower
COUNTED = (1 << 31) - 1  # the maximum of limits that the compiled engine counts to
AS_QUICK = 2
"""The compiled engine multiplies the limit `work` by this. It counts stored and printed
values differently, and the reference engine must give up first."""


@frozen
class Ceiling:
    """A limit: its default, its unit and its maximum."""

    number: int
    of: str
    most: int = MOST


# `docs/trust.md` explains the units, in a table made from this one.
LIMITS: Mapping[str, Ceiling] = {
    # reading
    "file": Ceiling(4_000_000, "bytes of one file, other than a record"),
    "files": Ceiling(2_000, "files of one ruleset"),
    "folder": Ceiling(4_000_000, "bytes of all files of one ruleset, without records"),
    "paths": Ceiling(50_000, "files and folders visited below a folder"),
    "languages": Ceiling(50, "languages of one game"),
    "nesting": Ceiling(40, "nested lists and keys of a YAML file", most=100),
    "entries": Ceiling(50_000, "keys and values of a YAML file"),
    "name": Ceiling(100, "characters of a name, in rules and in YAML files"),
    # a letter has up to four bytes, so every text of a record fits in a file
    "rules": Ceiling(2_000_000, "characters of all rules that a record contains"),
    "record": Ceiling(100_000, "lines of a record"),
    "record_bytes": Ceiling(12_000_000, "bytes of a record"),
    # declarations
    "composed": Ceiling(250_000, "characters of all rules of one game"),
    "tables": Ceiling(
        7_000_000, "characters of rules, over all tables that a check visits"
    ),
    "variants": Ceiling(400, "variants of one game"),
    "presets": Ceiling(200, "presets of one game"),
    "players": Ceiling(30, "seats of a table"),
    "members": Ceiling(10_000, "members of a type that is iterated or laid out"),
    "cells": Ceiling(200_000, "values of states, places of tokens and zones, in all"),
    "faces": Ceiling(1_000, "faces of one die"),
    "lines": Ceiling(200, "rows, or columns, of a board that is drawn"),
    "calls": Ceiling(100, "values, effects or presets in a chain of uses", most=200),
    "inlined": Ceiling(2_000, "payments, conditions and calls in one action's effects"),
    "levels": Ceiling(150, "levels of a value, including everything it uses", most=150),
    # computation
    "work": Ceiling(
        5_000_000,
        "members visited between two decisions; a statement counts as 8",
        most=COUNTED // AS_QUICK,
    ),
    "steps": Ceiling(
        10_000, "steps and turns without a decision between them", most=COUNTED
    ),
    "decisions": Ceiling(20_000, "decisions of one game that bots play", most=COUNTED),
    "options": Ceiling(
        1_000_000, "options of a choice, or iterations of a loop, listed"
    ),
    # messages
    "messages": Ceiling(100, "messages printed for one file or game"),
    # subprocesses (`--isolated`)
    "memory": Ceiling(1_000_000_000, "bytes of memory of an isolated process"),
    "seconds": Ceiling(20, "seconds of its CPU time; elapsed time, three times that"),
    "open_files": Ceiling(200, "files that it has open at once"),
    "output": Ceiling(10_000_000, "bytes kept of its output"),
}


def limit(name: str) -> int:
    """Return the current limit with this name.

    Args:
        name: of a limit, as in `docs/trust.md`.

    Returns:
        A number from 1; its unit is in `docs/trust.md`.

    Raises:
        KeyError: an unknown limit.

    Example:
        >>> houserule.limit("players")
        30
    """
    return _current(os.environ.get(ENVIRONMENT, ""))[name]


def is_isolated() -> bool:
    """Return whether this process is an isolated one, with limits of the system."""
    return WITHIN in os.environ


def ceilings() -> Mapping[str, int]:
    """Return all current limits by name; faster than several calls of `limit`."""
    return _current(os.environ.get(ENVIRONMENT, ""))


def changed() -> str:
    """Return the changed limits, in the format of `HOUSERULE_LIMITS`.

    Cache keys of results that depend on limits contain this.
    """
    now = ceilings()
    return ",".join(f"{n}={now[n]}" for n in LIMITS if now[n] != LIMITS[n].number)


def read_limits(text: str) -> dict[str, int]:
    """Return the limits in a text such as `members=50000,work=1000000000`.

    Raises:
        ValueError: the text is malformed; the message explains why.
    """
    found: dict[str, int] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        name, equals, number = (each.strip() for each in part.partition("="))
        if name not in LIMITS:
            raise ValueError(
                f"There is no limit `{name}`; there are {', '.join(LIMITS)}."
            )
        plain = number.replace("_", "")
        if not (equals and plain.isascii() and plain.isdigit()):
            raise ValueError(f"`{part}` is not of the form `{name}=NUMBER`.")
        most = LIMITS[name].most
        if len(plain) > 15 or not 1 <= int(plain) <= most:
            raise ValueError(f"The limit `{name}` can be 1 to {most:,}, not {number}.")
        found[name] = int(plain)
    return found


def change_limits(numbers: Mapping[str, int]) -> None:
    """Set limits for this process, and for those that it starts.

    Raises:
        ValueError: an unknown limit, or a number out of range.
    """
    os.environ[ENVIRONMENT] = with_numbers(numbers)


def with_numbers(numbers: Mapping[str, int]) -> str:
    """Return the current limits updated with these, as `HOUSERULE_LIMITS` has them.

    Raises:
        ValueError: an unknown limit, or a number out of range.
    """
    text = ",".join(f"{name}={number}" for name, number in numbers.items())
    read_limits(text)
    before = os.environ.get(ENVIRONMENT, "")
    return f"{before},{text}" if before else text


@contextmanager
def limited(**numbers: int) -> Iterator[None]:
    """Set limits for the block, and for processes that it starts.

    Args:
        numbers: limits by name, each from 1.

    Returns:
        A context manager that restores the limits.

    Raises:
        ValueError: an unknown limit, or a number out of range.

    Example:
        >>> with houserule.limited(players=4):
        ...     print(houserule.limit("players"))
        4
    """
    before = os.environ.get(ENVIRONMENT)
    change_limits(numbers)
    try:
        yield
    finally:
        if before is None:
            del os.environ[ENVIRONMENT]
        else:
            os.environ[ENVIRONMENT] = before


@lru_cache(maxsize=8)
def _current(text: str) -> Mapping[str, int]:
    """Return all limits; a malformed text changes none."""
    try:
        found = read_limits(text)
    except ValueError:
        found = {}
    return {name: found.get(name, each.number) for name, each in LIMITS.items()}
