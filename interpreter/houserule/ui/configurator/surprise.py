"""Random tables, and tables as the text of a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.prepare import TableChoice
from houserule.compiler.table_files.editing import KeptTable
from houserule.compiler.table_files.planned import SEATS, TableStep, WishedTable
from houserule.compiler.tables.sample import Choice, sample_tables
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.language.manifest.yaml.edit import written

TRIES = 5


def surprise(ruleset: LoadedRuleset, seed: int) -> TableChoice:
    """Return a valid random table; it depends only on the seed.

    All valid sets of house rules are equally likely, if there are few enough to count.
    If no table was found, return the base game.
    """
    random = Random(seed)
    found = sample_tables(ruleset, pairs=False, random=TRIES, seed=seed)
    some = [each for each in found if each.why == "random"]
    random.shuffle(found)
    for each in (*some, *found):
        table = WishedTable(ruleset, _choice(ruleset, each, random))
        if not table.faults:
            return table.choice
    return TableChoice()


def _choice(ruleset: LoadedRuleset, found: Choice, random: Random) -> TableChoice:
    """Return a sampled table as a user would choose it, with random seats."""
    features, wanted = features_of(ruleset), found.variants
    without = tuple(sorted(features.switched_on(wanted) - wanted))
    with_ = sorted(wanted)
    for name in sorted(wanted):
        fewer = [each for each in with_ if each != name]
        if features.switched_on(fewer, frozenset(without)) == wanted:
            with_ = fewer
    players = random.choice(features.players_of(wanted) or (found.players,))
    return TableChoice(
        with_=tuple(with_),
        without=without,
        settings=dict(found.settings),
        players=players,
    )


def table_file_text(ruleset: LoadedRuleset, choice: TableChoice) -> str:
    """Return a choice as the text of a table file, as `houserule table new` writes it.

    Raises:
        TableError: the choice has an unknown name or an invalid value.
    """
    said = f"game: {written(ruleset.id)}\n"
    plain = replace(choice, game=None, rules=())
    table = KeptTable(ruleset, TableChoice(), Path("table.yaml"), said)
    settings: dict[str, Plain] = dict(plain.settings)
    if plain.players is not None:
        settings[SEATS] = plain.players
    preset = () if plain.preset is None else (plain.preset,)
    table = table.done(TableStep("add", (*preset, *plain.with_)))
    table = table.done(TableStep("set", settings=settings))
    return table.done(TableStep("remove", plain.without)).raw
