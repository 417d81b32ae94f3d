"""Names that the program makes up, for counts and draws, are never printed."""

from __future__ import annotations

import json

import pytest
from tests.support.shipped import ShippedTable, program_at, telling

from houserule import ir
from houserule.ir.walk import bodies
from houserule.ui.cli.main import run

GAMES = ("minichess", "morris", "nim")
"""Games of which some table has such names."""
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


@pytest.mark.parametrize("game", GAMES)
def test_no_generated_name_is_printed(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    every = (ShippedTable.of(game, each) for each in telling(game))
    table = next(each for each in every if generated(program_at(each)))
    names, choice = generated(program_at(table)), table.choice
    at = [table.game, "--players", str(choice.players)]
    at += [part for each in sorted(choice.variants) for part in ("--with", each)]
    for name, value in choice.settings.items():
        at += ["--set", f"{name}={json.dumps(value)}"]
    for verb, *options in VERBS:
        assert run([verb, *at, *options]) == 0
        said = capsys.readouterr()
        assert not [name for name in names if name in said.out + said.err], verb
