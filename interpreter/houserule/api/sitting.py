"""Sessions: games with people and bots that are stored in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from houserule.base.diagnostics.render import RulesetError
from houserule.base.resources import find_ruleset, nothing_called
from houserule.play.seat.rules import TableRules
from houserule.play.seat.session import Sitting


def begin(
    rules: TableRules,
    seats: Sequence[str],
    file: str | Path | None,
    seed: int,
    number: int,
    languages: Sequence[str],
) -> Sitting:
    """Begin a game and let leading bots act: `Table.sit`."""
    where = Path(file) if file is not None else None
    sitting = Sitting.begin(rules, seats, seed, where, languages, number=number)
    sitting.advance()
    return sitting


def resume(
    path: str | Path, game: str | Path | None = None, *, anyway: bool = False
) -> Sitting:
    """Go on with a game from its file.

    Args:
        path: the record of the game.
        game: a ruleset by name or folder to go on by, instead of the one that the
            record names or brings.
        anyway: if changed rules alter the game, go on from the last choice that still
            fits.

    Raises:
        RecordError: not a record, the game now differs from it, another program has the
            file, or its table is invalid.
        RulesetError: the ruleset is missing or unreadable.
        OSError: the file cannot be read or written.

    Example:
        >>> table = houserule.load("pig").table()
        >>> with table.sit("ann,random", "evening.jsonl", seed=3) as sitting:
        ...     sitting.choose(0, sitting.hint(0))
        >>> with houserule.resume("evening.jsonl") as sitting:
        ...     sitting.seated.names, len(sitting.made)
        (('ann', 'random'), 1)
    """
    folder = None if game is None else find_ruleset(game)
    if game is not None and folder is None:
        raise RulesetError((), message=nothing_called(str(game)))
    return Sitting.resume(Path(path), folder=folder, anyway=anyway)
