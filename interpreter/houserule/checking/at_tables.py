"""Faults of many tables, told together: each once, for the first table that has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from houserule.compose.options.scales import shown
from houserule.compose.tables.sample import AT_ENDS, Choice
from houserule.diagnostics.diagnostic import Diagnostic
from houserule.diagnostics.wording import counted

if TYPE_CHECKING:
    from houserule.checking.results import TableResult

W301 = "W301"
ANOTHER_TABLE = "Ask for another one with --preset, --with, --set or --players."


def warned(
    result: TableResult, at: str, known: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield what is reported before play, each warning for the first table alone."""
    before = {each.span for each in known if each.code == W301}
    for each in result.warnings:
        if each.code != W301 or each.span not in before:
            yield each.with_details(f"At this table: {at}.", ANOTHER_TABLE)


def in_words(choice: Choice) -> str:
    """Return a table in words: its variants, its seats, an option that was set."""
    seats = counted(choice.players, "player")
    return ", ".join([*sorted(choice.variants), seats, *_settings(choice)])


def _settings(choice: Choice) -> list[str]:
    if choice.why == AT_ENDS:
        return [f"{name} = {shown(each)}" for name, each in choice.settings.items()]
    return [choice.why] if " = " in choice.why else []


def at_tables(
    found: Sequence[tuple[Choice, Sequence[Diagnostic]]],
) -> Iterator[Diagnostic]:
    """Yield what is wrong at tables, for one place each code once.

    What ranges and numbers of players a message names may differ from table to table;
    the fault is the same. Where some tables do not have it, the first that does is
    named.
    """
    told: dict[tuple[str, str, int], tuple[Diagnostic, Choice]] = {}
    tables: Counter[tuple[str, str, int]] = Counter()
    for choice, diagnostics in found:
        here: Counter[tuple[str, str]] = Counter()
        for each in diagnostics:
            place = each.code, str(each.span)
            here[place] += 1
            tables[*place, here[place]] += 1
            told.setdefault((*place, here[place]), (each, choice))
    for key, (each, choice) in told.items():
        on = " + ".join([*sorted(choice.variants), *_settings(choice)])
        at = (f"At this table: {on}.",) if on and tables[key] < len(found) else ()
        yield each.with_details(*at)
