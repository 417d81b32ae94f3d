"""Every shipped ruleset, and the tables that stand for all of its tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path

from houserule.authoring.scenarios.files import (
    Trial,
    read_examples,
    scenario_files,
    trials,
)
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.prepare import Prepared, Programs, TableChoice, prepare
from houserule.compiler.tables.presets import preset_of
from houserule.compiler.tables.sample import Choice, sample_tables
from houserule.ir import Program
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset

from .sampling import Later, spread

ROOT = Path(__file__).parents[2] / "rulesets"
NAMES = tuple(sorted(path.parent.name for path in ROOT.glob("*/ruleset.yaml")))
STRIDE = 16
"""So many tables of a game share one that is tried in the usual run."""
KEPT = 12
"""So many tables stay prepared: tests of one table follow each other (`conftest`)."""


@cache
def ruleset_of(name: str) -> LoadedRuleset:
    ruleset, faults = load_ruleset(ROOT / name)
    assert ruleset is not None, faults
    return ruleset


# ---- which tables


@cache
def sampled(name: str, *, triples: bool = False, random: int = 0) -> list[Choice]:
    choices = sample_tables(ruleset_of(name), triples=triples, random=random)
    assert choices
    return choices


def telling(name: str) -> list[Choice]:
    """Return the tables that say most: the pairs, presets, nothing, everything on."""
    words = ("pairs", "preset", "nothing", "everything")
    return [each for each in sampled(name) if each.why.startswith(words)]


@cache
def presets(name: str) -> list[ShippedTable]:
    """Return the base game, each preset, and as much on as may be: the largest tables.

    Each has as many players as it allows; the one with most on stands last.
    """
    ruleset, features = ruleset_of(name), features_of(ruleset_of(name))
    units = [preset_of(ruleset, unit.id)[0] for unit in ruleset.units_of("preset")]
    most = max(sampled(name), key=lambda each: len(each.variants))
    found = [
        (sampled(name)[0].variants, sampled(name)[0].settings),
        *((features.switched_on(each.variants), each.settings) for each in units),
        (most.variants, most.settings),
    ]
    tables = (
        Choice(variants, features.players_of(variants)[-1], settings, "preset")
        for variants, settings in found
    )
    return list(dict.fromkeys(ShippedTable.of(name, each) for each in tables))


def at_every_count(name: str) -> list[Choice]:
    """Return presets, nothing and everything on with every number of players, and all
    other sampled tables once."""
    features, found = features_of(ruleset_of(name)), dict.fromkeys(sampled(name))
    for choice in telling(name):
        if not choice.why.startswith("pairs"):
            for players in features.players_of(choice.variants):
                found.setdefault(replace(choice, players=players))
    return list(found)


def everything(name: str) -> list[Choice]:
    """Return every table that is sampled anywhere, with every number of players."""
    features = features_of(ruleset_of(name))
    counts = [
        replace(choice, players=players)
        for choice in telling(name)
        for players in features.players_of(choice.variants)
    ]
    return [*sampled(name), *counts, *sampled(name, triples=True, random=40)]


def named(choice: Choice) -> str:
    """Return a name for a table that tells it apart."""
    settings = [f"{key}={value}" for key, value in sorted(choice.settings.items())]
    parts = [*sorted(choice.variants), *settings, f"{choice.players} players"]
    return ", ".join(parts)


@dataclass(frozen=True)
class ShippedTable:
    """A table of a shipped ruleset; two of one name are the same."""

    game: str
    name: str
    choice: Choice = field(compare=False)

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"

    @classmethod
    def of(cls, game: str, choice: Choice) -> ShippedTable:
        return cls(game, named(choice), choice)


def tables(
    *choose: Callable[[str], list[Choice]],
    but: Callable[[str], list[Choice]] = lambda _: [],
    stride: int = STRIDE,
    first: bool = True,
) -> Later:
    """Return tables of every shipped ruleset, each once, as parameters of a test.

    `but` names those that another test of the same thing has. Of each ruleset the
    first and the last, and one of so many between them, are tried in the usual run;
    the others are slow. The first is not where another test of the same thing tries
    that of every game (`first_of`).
    """

    def find() -> list[object]:
        found: list[object] = []
        for game in NAMES:
            tables = (each for some in choose for each in some(game))
            every = dict.fromkeys(ShippedTable.of(game, each) for each in tables)
            left_out = {ShippedTable.of(game, each) for each in but(game)}
            own = [each for each in every if each not in left_out]
            found += spread(own, stride, first=first)
        return found

    return Later(find)


# ---- their examples and programs


@cache
def examples_of(name: str) -> tuple[Trial, ...]:
    """Return the worked examples of a ruleset; to read many takes long."""
    ruleset = ruleset_of(name)
    return tuple(
        trial
        for path in scenario_files(ruleset.folder)
        for trial in trials(read_examples(path, ruleset))
    )


def programs_of(name: str) -> Programs:
    """Return the programs of a ruleset that its worked examples are about.

    There are many, and several tests want the same: all of them stay.
    """
    return ruleset_of(name).derived(Programs)


def prepared_at(name: str, choice: TableChoice) -> Prepared:
    """Prepare a table of a ruleset;"""
    return prepare(ruleset_of(name), choice, for_play=True)


def program_of(name: str, choice: Choice) -> Program:
    """Return the program of a table; there are no faults in it."""
    return program_at(ShippedTable.of(name, choice))


@lru_cache(maxsize=KEPT)
def program_at(table: ShippedTable) -> Program:
    """Return the program of a table; there are no faults in it."""
    choice = TableChoice(
        with_=tuple(sorted(table.choice.variants)),
        settings=table.choice.settings,
        players=table.choice.players,
    )
    prepared = prepared_at(table.game, choice)
    assert prepared.program is not None, prepared.diagnostics
    return prepared.program
