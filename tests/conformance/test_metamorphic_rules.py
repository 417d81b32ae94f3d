"""What changes nothing of the composed rules: order, and what is not switched on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from tests.support.rulesets import with_units
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ROOT, program_of, ruleset_of, sampled, telling

from houserule import ir
from houserule.base.diagnostics.diagnostic import has_errors
from houserule.compiler.compose.compose import compose
from houserule.compiler.rules import ChosenTable
from houserule.compiler.tables.choose import choose_table
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax.tree import Unit

EVERY = 9  # so many tables share one that is tried
WITH_VARIANTS = [name for name in NAMES if ruleset_of(name).units_of("variant")]
BYSTANDER = """variant bystander for {game} "Stays off"  {margin}

option bystander_size "How large it is": 1..3 normally 2  {margin}
state bystander_count: 0..9 starts as 0
"""
BRIDGE = """bridge bystander, {variant} for {game}  {margin}

state bystander_friends: 0..9 starts as 0
"""


SOME = 10  # so many tables of a game share one that is looked at in the usual run
SOME_GAMES = spread(WITH_VARIANTS, 8, needed=lambda name: name == "x_pasch")


@cache
def tables_of(name: str) -> tuple[ChosenTable, ...]:
    """Return every sampled table of a ruleset."""
    found = []
    for choice in sampled(name, random=10):
        table, faults = choose_table(
            ruleset_of(name),
            preset=None,
            with_=sorted(choice.variants),
            without=(),
            settings=choice.settings,
            players=choice.players,
        )
        assert table is not None, faults
        found.append(table)
    return tuple(found)


def fingerprint(ruleset: LoadedRuleset, table: ChosenTable) -> str:
    rules, faults = compose(ruleset, table)
    assert rules is not None, faults
    return rules.fingerprint


@cache
def shipped(name: str, place: int) -> str:
    """Return the name of the rules at one sampled table, as they are shipped."""
    return fingerprint(ruleset_of(name), tables_of(name)[place])


def changed(name: str, other: LoadedRuleset, stride: int = 1) -> list[str]:
    """Return the sampled tables whose rules another version of the ruleset changes.

    With a stride it is the first of so many that is looked at, and the last of all.
    """
    tables = tables_of(name)
    places = sorted({*range(0, len(tables), stride), len(tables) - 1})
    return [
        said(tables[place])
        for place in places
        if fingerprint(other, tables[place]) != shipped(name, place)
    ]


def said(table: ChosenTable) -> str:
    on = ", ".join(sorted(table.variants)) or "nothing on"
    return f"{on}, {dict(table.options)}, {table.players} players"


def copied(name: str, to: Path) -> Path:
    """Return a copy of a ruleset's folder."""
    ignored = shutil.ignore_patterns("playthroughs", "scenarios")
    return Path(shutil.copytree(ROOT / name, to / name, ignore=ignored))


def read(folder: Path) -> LoadedRuleset:
    ruleset, faults = load_ruleset(folder)
    assert ruleset is not None
    assert not has_errors(faults), faults
    return ruleset


# ---- order


some_or_all = pytest.mark.parametrize(
    "stride", [SOME, pytest.param(1, marks=pytest.mark.slow)]
)


@some_or_all
@pytest.mark.parametrize("name", SOME_GAMES)
def test_the_names_of_files_change_nothing(
    name: str, stride: int, tmp_path: Path
) -> None:
    folder = copied(name, tmp_path)
    files = sorted((*folder.glob("variants/*"), *folder.glob("bridges/*")))
    for number, file in enumerate(files):  # the last becomes the first
        file.rename(file.with_name(f"{len(files) - number:03}_{file.name}"))
    other = read(folder)
    before, after = ruleset_of(name).units_of("variant"), other.units_of("variant")
    assert len(before) < 2 or [u.id for u in before] != [u.id for u in after]
    assert not changed(name, other, stride)


# ---- what stays off


def a_condition(name: str) -> str:
    """Return a condition of the base game that every sampled table has."""
    programs = [program_of(name, choice) for choice in telling(name)]
    kept = [
        set(address for address, info in program.clauses.items() if is_need(info))
        for program in programs
    ]
    return min(set.intersection(*kept), default="")


def is_need(info: ir.ClauseInfo) -> bool:
    return info.kind == "needs" and not info.origin and not info.changed_by


@some_or_all
@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_variant_that_stays_off_changes_nothing(
    name: str, stride: int, tmp_path: Path
) -> None:
    folder = copied(name, tmp_path)
    for kind, text in bystanders(name):
        (folder / kind).mkdir(exist_ok=True)
        (folder / kind / "bystander.rules").write_text(text)
    other = read(folder)
    assert "bystander" in {unit.id for unit in other.units_of("variant")}
    assert not changed(name, other, stride)
    table = tables_of(name)[0]
    on = replace(
        table,
        variants=table.variants | {"bystander"},
        options={**table.options, "bystander_size": 2},
    )
    assert fingerprint(other, on) != shipped(name, 0), "it does something when on"


def on_board(name: str) -> list[str]:
    return [unit.id for unit in ruleset_of(name).units_of("variant")]


def bystanders(name: str) -> Iterator[tuple[str, str]]:
    """Yield a variant, and a bridge of it to a shipped one, with their folders."""
    words = {"game": name, "margin": a_margin(name)}
    text, condition = BYSTANDER.format(**words), a_condition(name)
    if condition:
        text += f"remove {condition}  {words['margin']}\n"
    yield "variants", text
    for variant in on_board(name)[:1]:
        yield "bridges", BRIDGE.format(variant=variant, **words)


def a_margin(name: str) -> str:
    """Return a margin for rules that must have one."""
    return next((f"[ruling {each}]" for each in ruleset_of(name).rulings), "")


@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_variant_that_is_off_need_not_be_there(name: str) -> None:
    """Without its file, and the bridges that name it, the rules are the same."""
    ruleset = ruleset_of(name)
    for variant in on_board(name):
        units = (unit for unit in ruleset.units if variant not in names_of(unit))
        less = with_units(ruleset, tuple(units))
        tables = enumerate(tables_of(name))
        without = [(at, each) for at, each in tables if variant not in each.variants]
        for at, table in without[::EVERY]:
            was = shipped(name, at)
            assert fingerprint(less, table) == was, f"{variant}: {said(table)}"


def names_of(unit: Unit) -> set[str]:
    """Return the names of a variant, or of the members of a bridge."""
    if unit.kind == "bridge":
        return {word.text for word in unit.names}
    return {unit.id} if unit.kind == "variant" else set()
