"""Short names for long things: the hash of a state, of an outcome, of many games.

Both engines must agree on these to the byte. A state is written as JSON with sorted
keys and no spaces, from `Store.to_data`; the hash is the beginning of its SHA-256.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houserule.engine.choices import Outcome
    from houserule.engine.game import Game

LENGTH = 16


def state_hash(game: Game) -> str:
    """Return the hash of all that lies on the table, streams of chance included."""
    return data_hash(game.machine.store.to_data())


def data_hash(data: object) -> str:
    """Return the hash of plain data."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:LENGTH]


def outcome_words(outcome: Outcome | None) -> str:
    """Return an outcome in one word: `won:0,2`, `stalled:round`, `open`."""
    if outcome is None:
        return "open"
    if outcome.kind == "stalled":
        return f"stalled:{outcome.stalled_in}"
    return f"won:{','.join(str(seat) for seat in outcome.winners)}"


def digest(lines: Iterable[str]) -> str:
    """Return the hash of many games, from one line for each in order."""
    whole = sha256()
    for line in lines:
        whole.update(line.encode() + b"\n")
    return whole.hexdigest()
