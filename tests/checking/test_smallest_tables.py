"""A fault of some tables names a small one: no variant of it could be left out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from houserule.authoring.check.check import check_game
from houserule.base.resources import shipped_rulesets

AFTER = """\
variant {name} for pig "A rule"
reaction {name}_keeps after throw.keep
  does it: pot becomes {to}
"""


@pytest.mark.parametrize("idle", ["", "aa_first", "zz_last"])
def test_the_table_has_only_variants_that_the_fault_needs(
    tmp_path: Path, idle: str
) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    texts = {
        "doubling": AFTER.format(name="doubling", to="1"),
        "tripling": AFTER.format(name="tripling", to="3"),
    }
    if idle:
        texts[idle] = f'variant {idle} for pig "Idle"\nnote "Nothing else"\n'
    for name, text in texts.items():
        (folder / "variants" / f"{name}.rules").write_text(text, encoding="utf-8")

    (found,) = check_game(folder).diagnostics

    assert found.code == "E203"
    assert "At this table: doubling + tripling." in found.details
    assert found.fixes[0] == "forbid the pair:  excludes tripling"


@pytest.mark.parametrize(
    ("name", "few", "at"),
    [
        ("a_few", "at least 3", "few, 2 players"),
        ("few", "at most 5", "few, 6 players"),
        ("z_few", "is not 2", "few, 2 players"),
        ("a_few", "is not 6", "few, 6 players"),
        ("z_few", "is 0", "few"),
    ],
)
def test_the_players_are_named_if_the_fault_depends_on_them(
    tmp_path: Path, name: str, few: str, at: str
) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    text = f'variant {name} for pig "Few"\nneeds deciding.few: size(players) {few}\n'
    (folder / "variants" / f"{name}.rules").write_text(text, encoding="utf-8")
    at = at.replace("few", name)

    faults = [each for each in check_game(folder).diagnostics if each.code == "W503"]

    assert [f"At this table: {at}." in each.details for each in faults] == [True]


def test_a_game_that_ends_by_itself_has_the_place_of_its_first_phase(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    text = 'variant short for pig "Short"\nstep turn.over: end game\n'
    text += "order over then deciding\n"
    (folder / "variants" / "short.rules").write_text(text, encoding="utf-8")

    faults = check_game(folder).diagnostics

    (found,) = (each for each in faults if each.code == "W503")
    assert found.span is not None
    assert found.span.file.endswith("game.rules")


def test_an_option_is_looked_at_where_variants_change_its_ends(tmp_path: Path) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    rules = folder / "game.rules"
    state = "\noption bonus: 0..low normally 0\noption low: 1..2 normally 1\n"
    state += "state gift: 0..2 starts as bonus\n"
    rules.write_text(rules.read_text(encoding="utf-8") + state, encoding="utf-8")
    text = 'variant richer for pig "More"\nchange bonus.range from 0..low to 0..3\n'
    (folder / "variants" / "richer.rules").write_text(text, encoding="utf-8")

    faults = [each for each in check_game(folder).diagnostics if each.code == "E021"]

    assert ["At this table: richer + bonus = 3." in f.details for f in faults] == [True]


@pytest.mark.parametrize(
    ("gift", "at"),
    [
        ("bonus + size(players) - 2", "bonus = 6, 6 players"),
        ("bonus + 6 - size(players)", "bonus = 6, 2 players"),
        ("6 - bonus + size(players) - 2", "bonus = 0, 6 players"),
        ("6 - bonus + 6 - size(players)", "bonus = 0, 2 players"),
    ],
)
def test_each_corner_of_a_game_without_variants_is_looked_at(
    tmp_path: Path, gift: str, at: str
) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    rules = folder / "game.rules"
    state = f"\noption bonus: 0..6 normally 3\nstate gift: 0..9 starts as {gift}\n"
    rules.write_text(rules.read_text(encoding="utf-8") + state, encoding="utf-8")

    faults = [each for each in check_game(folder).diagnostics if each.code == "E021"]

    assert [any(at in line for line in f.details) for f in faults] == [True]


def test_pairs_are_looked_at_with_options_at_the_ends_that_they_give_them(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    rules = folder / "game.rules"
    state = "\noption low: 1..2 normally 1\nstate gift: 0..3 starts as low\n"
    rules.write_text(rules.read_text(encoding="utf-8") + state, encoding="utf-8")
    texts = {
        "plenty": "change gift.starts from low to low + 1\n",
        "wider": "change low.range from 1..2 to 1..3\n",
        "idle": 'note "Nothing else"\n',
    }
    for name, text in texts.items():
        text = f'variant {name} for pig "More"\n{text}'
        (folder / "variants" / f"{name}.rules").write_text(text, encoding="utf-8")

    assert "E021" not in {each.code for each in check_game(folder).diagnostics}
    faults = check_game(folder, pairs=True).diagnostics

    (found,) = (each for each in faults if each.code == "E021")
    assert "At this table: plenty + wider + low = 3." in found.details


@pytest.mark.parametrize("name", ["a", "z"])
def test_the_widest_range_of_all_tables_is_noted(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    rules = folder / "game.rules"
    state = "\nvalue gain: 0..300 = pot + pot\n"
    rules.write_text(rules.read_text(encoding="utf-8") + state, encoding="utf-8")
    text = f'variant {name} for pig "More"\nchange gain from pot + pot to pot * 5\n'
    (folder / "variants" / f"{name}.rules").write_text(text, encoding="utf-8")

    faults = check_game(folder, ranges=True).diagnostics
    (found,) = (each for each in faults if "`gain`" in each.message)

    assert found.message == "`gain` is 0..300. From its parts it could be 0..1025."
    assert f"At this table: {name}." in found.details


LAYERED = """
value one: 0..9 = pot
value two: 0..9 = pot
value three: 0..9 = pot
value gift: 0..100 = deciders + 40
  then times multiplied, if any
value deciders: 1..10 = 4
"""


@pytest.mark.parametrize(
    ("more", "most", "at"),
    [
        ("excludes doubling\n", "123..150", "tripling"),
        ("", "246..300", "doubling + tripling"),
    ],
)
def test_variants_whose_layers_fit_are_not_named(
    tmp_path: Path, more: str, most: str, at: str
) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    rules = folder / "game.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + LAYERED, encoding="utf-8")
    texts = {
        "doubling": "multiply gift.multiplied called doubled: 2\n",
        "tripling": f"multiply gift.multiplied called tripled: 3\n{more}",
        "idle": 'note "Nothing else"\n',
    }
    for name, text in texts.items():
        text = f'variant {name} for pig "More"\n{text}'
        (folder / "variants" / f"{name}.rules").write_text(text, encoding="utf-8")

    faults = check_game(folder, ranges=True).diagnostics
    (found,) = (each for each in faults if "`gift`" in each.message)

    assert found.message == f"`gift` is 0..100. From its parts it could be {most}."
    assert f"At this table: {at}." in found.details
