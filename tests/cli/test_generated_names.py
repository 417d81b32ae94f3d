"""Names that the program makes up, for counts and draws, are never printed."""

from __future__ import annotations

import json

import pytest
from tests.support.shipped import NAMES, ShippedTable, program_at, telling

from houserule import ir
from houserule.ir.walk import bodies
from houserule.ui.cli.main import run

VERBS = (
    ["show"],
    ["rulebook", "--json"],
    ["run", "--seed", "1"],
    ["simulate", "--games", "3", "--jobs", "1"],
    ["simulate", "--games", "3", "--jobs", "1", "--json"],
    ["simulate", "--games", "3", "--jobs", "1", "--engine", "reference", "--json"],
)


def generated(program: ir.Program) -> set[str]:
    """Return the names in a program that no rule declares."""
    declared = (program.states, program.values, program.steps, program.phases)
    names = {name for each in declared for name in each}
    names |= {body.address for body in bodies(program)}
    return set(filter(ir.is_kept, names))


def tables() -> list[object]:
    """Return of each game a table with such names, if there is one."""
    found: list[object] = []
    for game in NAMES:
        every = (ShippedTable.of(game, each) for each in telling(game))
        table = next((each for each in every if generated(program_at(each))), None)
        if table is not None:
            found.append(pytest.param(table, id=game))
    assert len(found) > 2
    return found


@pytest.mark.parametrize("table", tables())
def test_no_generated_name_is_printed(
    table: ShippedTable, capsys: pytest.CaptureFixture[str]
) -> None:
    names, choice = generated(program_at(table)), table.choice
    at = [table.game, "--players", str(choice.players)]
    at += [part for each in sorted(choice.variants) for part in ("--with", each)]
    for name, value in choice.settings.items():
        at += ["--set", f"{name}={json.dumps(value)}"]
    for verb, *options in VERBS:
        assert run([verb, *at, *options]) == 0
        said = capsys.readouterr()
        assert not [name for name in names if name in said.out + said.err], verb
