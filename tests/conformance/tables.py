"""Every shipped ruleset, and the tables that stand for all of its tables."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from houserule.compose.tables.feature_model import features_of
from houserule.compose.tables.sample import Choice, sample_tables
from houserule.ir import Program
from houserule.manifest.load import load_ruleset
from houserule.manifest.ruleset import LoadedRuleset
from houserule.prepare import TableChoice, prepare

ROOT = Path(__file__).parents[2] / "rulesets"
NAMES = tuple(sorted(path.parent.name for path in ROOT.glob("*/ruleset.yaml")))


@cache
def ruleset_of(name: str) -> LoadedRuleset:
    ruleset, faults = load_ruleset(ROOT / name)
    assert ruleset is not None, faults
    return ruleset


@cache
def sampled(name: str, *, triples: bool = False, random: int = 0) -> list[Choice]:
    choices = sample_tables(ruleset_of(name), triples=triples, random=random)
    assert choices
    return choices


def telling(name: str) -> list[Choice]:
    """Return the tables that say most: the pairs, presets, nothing, everything on."""
    words = ("pairs", "preset", "nothing", "everything")
    return [each for each in sampled(name) if each.why.startswith(words)]


def at_every_count(name: str) -> list[Choice]:
    """Return the telling tables with every number of players, and all others once."""
    features = features_of(ruleset_of(name))
    found = dict.fromkeys(sampled(name))
    for choice in telling(name):
        for players in features.players_of(choice.variants):
            found.setdefault(replace(choice, players=players))
    return list(found)


def program_of(name: str, choice: Choice) -> Program:
    """Return the program of a sampled table; there are no faults in it."""
    prepared = prepare(
        ruleset_of(name),
        TableChoice(
            with_=tuple(sorted(choice.variants)),
            settings=choice.settings,
            players=choice.players,
        ),
    )
    assert prepared.program is not None, prepared.diagnostics
    return prepared.program


def named(choice: Choice) -> str:
    """Return a name for a table that tells it apart."""
    settings = [f"{key}={value}" for key, value in sorted(choice.settings.items())]
    parts = [*sorted(choice.variants), *settings, f"{choice.players} players"]
    return ", ".join(parts)
