"""The house rules of `docs/examples` are right: alone, together, played and compared.

When the game changes beneath one of them, the fault names both places and lines.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from tests.docs.fences import DOCS
from tests.support.sampling import spread
from tests.support.shipped import ROOT

from houserule.authoring.check.check import check_path
from houserule.base.diagnostics.render import Renderer
from houserule.base.files import read_source
from houserule.language.syntax.read.parser import parse_unit_file
from houserule.language.syntax.write.format import format_text
from houserule.ui.cli.main import run

EXAMPLES = DOCS / "examples"
FILES = {path.stem: path for path in sorted((EXAMPLES / "rules").glob("*.rules"))}
FRIDAY = str(EXAMPLES / "friday.yaml")


@cache
def units(name: str) -> tuple[str, list[str]]:
    """Return the game of a file, and its variants."""
    found, _ = parse_unit_file(read_source(FILES[name]))
    variants = [unit.id for unit in found if unit.kind == "variant"]
    return found[0].game.text, variants


GAMES = sorted({units(name)[0] for name in FILES})


def check(what: Path, rules: list[Path]) -> str:
    """Return the messages about a file or a game, but for what its rules warn of."""
    one = check_path(what, rules)
    assert one.summary
    faults = [each for each in one.diagnostics if each.code != "W301"]
    return Renderer(one.sources).all(faults)


@pytest.mark.parametrize("name", FILES)
def test_the_examples_of_a_rule_hold(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = FILES[name]
    assert format_text(read_source(file)) == (file.read_text("utf-8"), [])
    assert run(["test", str(file)]) == 0, capsys.readouterr()


@pytest.mark.parametrize("name", spread([*FILES], 6))
def test_a_rule_is_right_without_the_others(name: str) -> None:
    """All rules of a game together are checked below, each alone at a table too."""
    assert check(FILES[name], []) == ""


@pytest.mark.parametrize("game", GAMES)
def test_all_rules_of_a_game_go_together(game: str) -> None:
    assert check(ROOT / game, [EXAMPLES / "rules"]) == ""


@pytest.mark.parametrize("name", FILES)
def test_a_rule_is_played_and_compared(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game, variants = units(name)
    table = [game, "--rules", str(FILES[name]), "--with", ",".join(variants)]
    few = ["--games", "20", "--jobs", "1"]
    assert run(["compare", *table, *few, "--engine", "compiled"]) == 0
    assert f"with {', '.join(variants)}" in capsys.readouterr().out


def test_a_table_file_switches_one_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", "--table", FRIDAY]) == 0
    assert "6 passed, 0 failed" in capsys.readouterr().out
    assert run(["run", "--table", FRIDAY, "--lang", "de"]) == 0
    assert "hat den Besitzer gewechselt und zahlt" in capsys.readouterr().out
    assert run(["list", "--table", FRIDAY, "--lang", "de"]) == 0
    told = capsys.readouterr().out
    assert "Neue Besitzer warten" in told
    assert "Freitagabend" in told
    assert run(["explain", "new_owner", "--table", FRIDAY, "--lang", "de"]) == 0
    assert "Wer eine Firma übernimmt" in capsys.readouterr().out


# By file: where in the game stands what the rule changes; what stands there, and what
# a newer game says there.
CHANGED = {
    "debts": ("score(p: Player): ", "0..205", "0..210"),
    "cube_market": ('each cube left": ', "-15..150", "-15..151"),
    "dead_stock": (
        'share": ',
        "those p in players with most",
        "those p in players with least",
    ),
    "insiders": (
        "  ",
        "money(cash(me)) at least fee(",
        "1 + money(cash(me)) at least fee(",
    ),
    "openings": ('Bonus on it": ', "put(me, c.bonus, c)", "put(me, c.bonus + 1, c)"),
    "two_rerolls": ('second roll counts": ', "roll {d}", "roll {d} plus {}"),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_newer_game_is_told_with_both_lines(name: str, tmp_path: Path) -> None:
    place, old, new = CHANGED[name]
    folder = tmp_path / units(name)[0]
    shutil.copytree(ROOT / folder.name, folder)
    rules = folder / "game.rules"
    before, found, after = rules.read_text("utf-8").partition(place + old)
    assert found
    rules.write_text(before + place + new + after, "utf-8")
    told = check(folder, [FILES[name]])
    assert "E102" in told
    assert old in told
    assert re.search(rf"{name}\.rules:\d+\n", told)
    line = before.count("\n") + 1
    assert f"{folder.name}/game.rules:{line}\n" in told
    assert rules.read_text("utf-8").splitlines()[line - 1] in told
