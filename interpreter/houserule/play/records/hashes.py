"""Hashes of states, outcomes and sets of games.

Both engines must agree on these to the byte. In records, a state is written as JSON
with sorted keys and no spaces, from `Store.to_data`; the hash is the beginning of its
SHA-256. When many games are counted, a state is a number: `engine.reference.numbers`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from houserule.engine.reference.choices import Outcome
from houserule.engine.reference.play.game import ReferenceGame

LENGTH = 16


def state_hash(game: ReferenceGame) -> str:
    """Return the hash of the whole state, including the random streams."""
    return data_hash(game.machine.store.to_data())


def data_hash(data: object) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:LENGTH]


def outcome_words(outcome: Outcome | None) -> str:
    """Return an outcome in one word.

    Examples are `won:0,2`, `drawn:repetition,stalemate`, `stalled:round` and `open`.
    """
    if outcome is None:
        return "open"
    if outcome.kind == "stalled":
        return f"stalled:{outcome.stalled_in}"
    if outcome.kind == "drawn":
        return drawn_words(outcome.drawn_by)
    return f"won:{','.join(str(seat) for seat in outcome.winners)}"


def drawn_words(reasons: Sequence[str]) -> str:
    """Return the outcome of a drawn game in one word."""
    return f"drawn:{','.join(reasons)}"


class Digest:
    """The hash of many games, from one line for each game in order."""

    def __init__(self) -> None:
        self._whole = sha256()

    def add(self, line: str) -> None:
        """Add the next game's line."""
        self._whole.update(line.encode() + b"\n")

    def __str__(self) -> str:
        """Return the hash of the games so far."""
        return self._whole.hexdigest()
