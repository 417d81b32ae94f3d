"""The effect of a house rule on a game, measured while a visitor looks at it.

Bots play the chosen table with and without it, with the same seeds: first few games,
then more. The page never waits: results grow, and can be stopped at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from houserule.base.plain import Plain
from houserule.compiler.prepare import TableChoice, prepare
from houserule.compiler.table_files.planned import WishedTable
from houserule.ir import Program
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.study.simulate.comparison import MeasureDifference, Plan
from houserule.study.simulate.experiments import growing
from houserule.study.simulate.statistics.intervals import Estimate
from houserule.study.simulate.statistics.measures import with_margin
from houserule.ui.configurator.book import HouseBook, house_book
from houserule.ui.configurator.builder import entry_of
from houserule.ui.configurator.links import choice_of, query_of
from houserule.ui.configurator.toggling import seats_of

SIZES = (200, 1000, 4000)
TOLD = (
    *("rounds", "choices", "wins apart", "score", "winning margin", "draws", "stalled"),
)
ALWAYS = ("rounds", "wins apart")  # shown even without a difference


class EffectBar(Plain):
    """One measure with its interval, for a chart."""

    title: str
    text: str
    """The difference with its margin of error, in words."""
    low: float
    high: float
    """The interval, as a fraction of the measure at the base, or of all games."""
    value: float
    seen: bool
    """Whether the interval excludes zero."""


class MeasuredEffect(Plain):
    """The measured effect of a house rule at one table, so far."""

    key: str
    title: str
    sentence: str
    """The findings."""
    basis: str
    """The number of games, the bots, and the number of players."""
    games: int
    bars: tuple[EffectBar, ...]
    last: bool
    """No more games follow."""
    failed: bool = False
    """It cannot be measured; the sentence explains why."""


def effect_of(
    ruleset: LoadedRuleset,
    choice: TableChoice,
    key: str,
    language: str,
    *,
    games: Sequence[int] = SIZES,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[MeasuredEffect]:
    """Yield the measured effect of a house rule or option, more exact each time.

    A house rule is compared with the table without it, or, if it is off, the table
    without it with the one that has it; an option with its default value. Necessary
    changes are part of the comparison, and the basis names them.

    Args:
        games: the numbers of games at each table, in ascending order.
        stop: polled; once it returns true, measuring stops.
    """
    book = house_book(ruleset, language)
    both = both_tables(ruleset, choice, key, language)
    if both is None:
        yield _not_measured(book, key)
        return
    plan, programs, along = both
    if stop():
        return
    for found in growing(plan, programs, games, stop):
        last = found.games >= max(games)
        (change,) = found.changes
        by_name = {each.measure: each for each in change.differences}
        told = [by_name[name] for name in TOLD if name in by_name]
        told = [e for e in told if e.base or e.changed or e.measure in ALWAYS]
        say = book.words.say
        parts: list[str] = []
        bars: list[EffectBar] = []
        for each in told:
            share, size = each.kind == "share", max(abs(each.base), abs(each.changed))
            if not each.seen and each.measure in ALWAYS:
                parts.append(say(f"effect same {each.measure}"))
            elif each.seen:  # "shorter by 0.3 ± 0.2 rounds"
                way: Literal["more", "less"] = "more" if each.difference > 0 else "less"
                amount = _amount(book, each, abs(each.difference))
                parts.append(say(f"effect {way} {each.measure}", amount=amount))
            if size:
                of = 1.0 if share else max(size, 1e-9)
                text = _amount(book, each, each.difference, "+")
                bars.append(
                    EffectBar(
                        title=say(f"effect {each.measure}"),
                        text=f"{text} {say('of hundred')}".rstrip() if share else text,
                        low=max(-1.0, each.low / of),
                        high=min(1.0, each.high / of),
                        value=max(-1.0, min(1.0, each.difference / of)),
                        seen=each.seen,
                    )
                )
        sentence = book.listed(parts) if parts else say("not measured")
        basis = say(
            "basis",
            games=f"{found.games:,}".replace(",", "\u2009"),
            number=found.players,
        )
        if along:
            basis = f"{say('along', step=along)} {basis}"
        yield MeasuredEffect(
            key=key,
            title=book.titles.get(key, key),
            sentence=f"{sentence[:1].upper()}{sentence[1:]}.",
            basis=basis,
            games=found.games,
            bars=tuple(bars),
            last=last,
        )


def both_tables(
    ruleset: LoadedRuleset, choice: TableChoice, key: str, language: str
) -> tuple[Plan, tuple[Program, ...], str] | None:
    """Return a plan of the tables without and with something, and their programs.

    The text lists the other necessary changes, if any. None if one table cannot be
    played.
    """
    sides = _sides(ruleset, choice, key, language)
    if sides is None:
        return None
    number = seats_of(sides[0])
    both = [replace(each.choice, players=number) for each in sides[:2]]
    prepared = [prepare(ruleset, each, for_play=True) for each in both]
    tables = tuple(each.table for each in prepared if each.table is not None)
    programs = tuple(each.program for each in prepared if each.program is not None)
    if len(programs) < 2 or len(tables) < 2:
        return None
    return Plan(("without", "with"), tables, {}), programs, sides[2]


def _sides(
    ruleset: LoadedRuleset, choice: TableChoice, key: str, language: str
) -> tuple[WishedTable, WishedTable, str] | None:
    """Return the tables without and with something; None if one cannot be played.

    The text lists the other necessary changes, if any.
    """
    here = WishedTable(ruleset, replace(choice, game=None))
    entry = entry_of(ruleset, choice, key, language)
    if entry is None or here.faults:
        return None
    if entry.kind == "variant":
        along, query = "", entry.query
        if not entry.possible:
            if not entry.repairs:
                return None
            along, query = entry.repairs[0].label, entry.repairs[0].query
        there = WishedTable(ruleset, choice_of(query)[0])
        return (there, here, along) if entry.on else (here, there, along)
    usual = {k: v for k, v in choice.settings.items() if k != key}
    there = WishedTable(ruleset, replace(here.choice, settings=usual))
    if there.faults or query_of(there.choice) == query_of(here.choice):
        return None
    return there, here, ""


# ---- effects in words


def _not_measured(book: HouseBook, key: str) -> MeasuredEffect:
    return MeasuredEffect(
        key=key,
        title=book.titles.get(key, key),
        sentence=book.words.say("not measured"),
        basis="",
        games=0,
        bars=(),
        last=True,
        failed=True,
    )


def _amount(
    book: HouseBook, found: MeasureDifference, value: float, sign: str = ""
) -> str:
    scale = 100 if found.kind == "share" else 1
    margin = Estimate(found.difference, found.low, found.high).margin
    english = with_margin(value * scale, margin * scale, sign)
    return english.replace(".", book.words.say("decimal mark"))
