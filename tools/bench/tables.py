"""The tables of the benchmark: base games, those with a yardstick with few and many."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.ir import Program
from houserule.manifest.load import load_ruleset
from houserule.prepare import TableChoice, prepare
from houserule.resources import find_ruleset, shipped_rulesets

SEATS = {"pachisi": (2, 4), "x_pasch": (3, 6)}
"""With how many players a game is measured; others have their smallest table."""


def program_of(
    game: str, players: int | None = None, preset: str | None = None
) -> Program:
    """Return the program of a base game, or of a preset.

    Raises:
        SystemExit: there is no such ruleset or preset, or it has faults.
    """
    folder = find_ruleset(game)
    ruleset, faults = load_ruleset(folder) if folder else (None, [])
    if ruleset is None:
        raise SystemExit(f"{game}: no ruleset, or one with {len(faults)} faults")
    prepared = prepare(ruleset, TableChoice(preset=preset, players=players))
    if prepared.program is None:
        raise SystemExit(f"{game}: {len(prepared.diagnostics)} faults")
    return prepared.program


def tables(games: Sequence[str]) -> list[tuple[str, Program]]:
    """Return the tables of some games, or of all that are shipped."""
    return [
        (game, program_of(game, players))
        for game in games or sorted(shipped_rulesets())
        for players in SEATS.get(game, (None,))
    ]
