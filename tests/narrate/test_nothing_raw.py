"""Nothing raw is told: tales and drawings of every game are in the words of players."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from tests.support.sampling import spread
from tests.support.shipped import NAMES, prepared_at, ruleset_of

from houserule.compiler.choices.offers import offers_of
from houserule.compiler.compose.compose import compose
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.play.seat.rules import TableRules
from houserule.rulebook.diagram.build import draw
from houserule.rulebook.diagram.text import as_text

STRIDE = 20  # so many tables share one that is usual
RAW = re.compile(r"[a-z]+_[a-z_]+|[{}]|is not none|\bsome \w+ in\b|\w\((me|p|first)\)")
ENGLISH = re.compile(
    r"\b(the|and|of|with|from|until|each|rolls|throws|wins|takes|chooses|nobody|nothing"
    r"|begins|round|turn|players|scores|shuffled|everybody|done|needs|normally|anyone"
    r"|itself|exactly|at most|at least|yes)\b",
    re.IGNORECASE,
)


def choices(ruleset: LoadedRuleset) -> Iterator[TableChoice]:
    """Yield the table of the base game, and that of every preset."""
    yield TableChoice()
    for unit in ruleset.units_of("preset"):
        yield TableChoice(preset=unit.id)


def with_one(ruleset: LoadedRuleset) -> Iterator[TableChoice]:
    """Yield these, and the table with each variant by itself."""
    yield from choices(ruleset)
    for unit in ruleset.units_of("variant"):
        yield TableChoice(with_=(unit.id,))


def at_tables(tables: Callable[[LoadedRuleset], Iterable[TableChoice]]) -> list[object]:
    """Return a game and a table of it, for all of these, as parameters of a test."""
    every = [(game, choice) for game in NAMES for choice in tables(ruleset_of(game))]
    return spread(every, STRIDE, name=titled)


def titled(table: tuple[str, TableChoice]) -> str:
    game, choice = table
    return f"{game}: {choice.preset or ', '.join(choice.with_) or 'nothing on'}"


def is_raw(line: str, language: str) -> bool:
    """Say whether a line has what a player would not say."""
    return bool(RAW.search(line) or (language != "en" and ENGLISH.search(line)))


def raw_lines(lines: Iterable[str], language: str) -> list[str]:
    """Return the lines with what a player would not say."""
    return [line for line in lines if is_raw(line, language)]


GAMES = [
    (game, language)
    for game in NAMES
    for language in ruleset_of(game).manifest.languages
]
every_language = pytest.mark.parametrize(("game", "language"), GAMES)


def rules_of(game: str, table: TableChoice) -> TableRules | None:
    """Return the rules of a table; None where a variant needs another one."""
    prepared = prepared_at(game, table)
    if prepared.program is None or prepared.table is None:
        return None
    return TableRules(ruleset_of(game), prepared.table, prepared.program)


@pytest.mark.parametrize(("game", "table"), at_tables(with_one))
def test_a_drawing_has_nothing_raw(game: str, table: TableChoice) -> None:
    ruleset = ruleset_of(game)
    prepared = prepare(ruleset, table)
    if prepared.table is None or prepared.program is None:
        return  # a variant that needs another one
    rules, _ = compose(ruleset, prepared.table)
    assert rules is not None
    for language in ruleset.manifest.languages:
        drawn = as_text(draw(ruleset, rules, prepared.program, language))
        assert not raw_lines(drawn.splitlines(), language)[:5]


@every_language
def test_what_is_offered_is_said_in_the_language(game: str, language: str) -> None:
    """Names in backquotes are not there; ids are, for the command line takes them."""
    offers = offers_of(ruleset_of(game), language)
    every = (*offers.variants, *offers.options, *offers.presets)
    named = [each.id for each in every] + [group.id for group in offers.groups]
    ids = {name for each in named for name in each.split("+")}
    for each in every:
        said = [each.title, *each.about()]
        words = " ".join(said)
        for name in sorted(ids, key=len, reverse=True):
            words = words.replace(name, "")
        if language != "en":
            assert not ENGLISH.search(words), (each.id, words)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("p1 takes {c}", "en"),
        ("card two: minus_first", "de"),
        ("until first is not none", "en"),
        ("4 players, bis zum Ende", "de"),
        ("falls nicht finished(me)", "de"),
    ],
)
def test_raw_lines_are_seen(line: str, language: str) -> None:
    assert raw_lines([line], language) == [line]
