"""Diagnostics of many tables: each is reported once, for a small table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from houserule.authoring.check.results import TableResult
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.diagnostics.wording import counted
from houserule.compiler.options.scales import shown
from houserule.compiler.tables.sample import AT_ENDS, Choice

W301 = "W301"
FEW = 3
"""Only the tables of the first errors are minimised: each takes a check per variant."""
ANOTHER_TABLE = "Ask for another one with --preset, --with, --set or --players."


def warned(
    result: TableResult, at: str, known: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield the reports before play; each warning for the first table alone."""
    before = {each.span for each in known if each.code == W301}
    for each in result.warnings:
        if each.code != W301 or each.span not in before:
            yield each.with_details(f"At this table: {at}.", ANOTHER_TABLE)


def in_words(choice: Choice) -> str:
    """Return a table in words: its variants, its seats, one changed option."""
    seats = counted(choice.players, "player")
    return ", ".join([*sorted(choice.variants), seats, *_settings(choice)])


def _settings(choice: Choice) -> list[str]:
    if choice.why == AT_ENDS:
        return [f"{name} = {shown(each)}" for name, each in choice.settings.items()]
    return [choice.why] if choice.why.partition(" = ")[0] in choice.settings else []


def at_tables(
    found: Sequence[tuple[Choice, Sequence[Diagnostic]]],
    faults_at: Callable[[Choice], Sequence[Diagnostic]],
    measures: Mapping[Diagnostic, int] = MappingProxyType({}),
) -> Iterator[Diagnostic]:
    """Yield the diagnostics of tables, each code once for each place.

    The ranges and numbers of players in a message may differ from table to table; they
    count as one. The one with the greatest measure is reported, or the first. If only
    some tables have it, the message names one of them, without the variants and
    settings that are not needed to reproduce it.

    Args:
        measures: the severity of a diagnostic; 0 if missing.
    """
    shown_at: dict[tuple[str, str, int], tuple[Diagnostic, Choice]] = {}
    tables: Counter[tuple[str, str, int]] = Counter()
    for choice, diagnostics in found:
        here: Counter[tuple[str, str]] = Counter()
        for each in diagnostics:
            place = each.code, str(each.span)
            here[place] += 1
            tables[*place, here[place]] += 1
            graver, _ = shown_at.get((*place, here[place]), (None, choice))
            if graver is None or measures.get(each, 0) > measures.get(graver, 0):
                shown_at[*place, here[place]] = each, choice

    def still(fault: Diagnostic, at: Choice) -> bool:
        return any(
            (fault.code, fault.span) == (each.code, each.span)
            and (fault.message == each.message or not measures)
            for each in faults_at(at)
        )

    minimised = 0
    for key, (each, choice) in shown_at.items():
        if tables[key] == len(found) and not measures:
            yield each
            continue
        minimised += bool(choice.variants or choice.settings)
        if minimised <= FEW:
            for name in choice.settings:  # first: a variant may declare the option
                left = {n: v for n, v in choice.settings.items() if n != name}
                fewer = replace(choice, settings=left)
                if still(each, fewer):
                    choice = fewer
            for name in sorted(choice.variants):
                fewer = replace(choice, variants=choice.variants - {name})
                if still(each, fewer):
                    choice = fewer
        on = [" + ".join([*sorted(choice.variants), *_settings(choice)])]
        seats = {at.players for at, _ in found}
        others = (
            {min(seats), max(seats)} - {choice.players} if minimised <= FEW else set()
        )
        if not all(still(each, replace(choice, players=n)) for n in others):
            on.append(counted(choice.players, "player"))
        at = ", ".join(filter(None, on))
        yield each.with_details(*([f"At this table: {at}."] if at else []))
