"""The tables of the benchmark: base games, and few and many players for yardsticks."""

from __future__ import annotations

from collections.abc import Sequence

import houserule

SEATS = {"pachisi": (2, 4), "x_pasch": (3, 6)}
"""The numbers of players by game; others have their smallest table."""


def table_of(
    game: str, players: int | None = None, preset: str | None = None
) -> houserule.Table:
    """Return the table of a base game, or of a preset.

    Raises:
        SystemExit: an unknown ruleset or preset, or one with errors.
    """
    try:
        return houserule.load(game).table(preset=preset, players=players)
    except houserule.DiagnosticsError as error:
        raise SystemExit(f"{game}: {error}") from None


def tables(games: Sequence[str]) -> list[tuple[str, houserule.Table]]:
    """Return the tables of some games, or of all built-in ones."""
    return [
        (game, table_of(game, players))
        for game in games or [each.id for each in houserule.shipped()]
        for players in SEATS.get(game, (None,))
    ]
