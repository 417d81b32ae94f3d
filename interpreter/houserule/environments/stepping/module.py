"""The module of batched games: its additional code, and its arrays."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from struct import pack

from houserule import ir
from houserule.base.resources import own_text
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.flow.endings import write_key
from houserule.engine.compiled.memory.layout import NUMBER, STREAM, WORD_BYTES
from houserule.engine.compiled.module import (
    PAGE,
    PAGES_AT_MOST,
    Extension,
    Module,
    Parts,
    emit,
)
from houserule.engine.reference.choices import Outcome
from houserule.environments.actions import ActionSpace, StableActions
from houserule.environments.encoding import encoding_of
from houserule.environments.payoff import Payoff, RewardName, shares
from houserule.environments.stepping.numbering import NumberWriter
from houserule.environments.stepping.observing import ObservationWriter

PASSED_AT_MOST = 64
"""The number of consecutive games that may end without an outside decision."""


class SteppingExtension(Extension):
    """The additional code of a module of batched games.

    Attributes:
        module: the module.
        found: the address of each array, and of all else a host reads, by name.
        widths: the bytes of each array's row; each game has one.

    Raises:
        Unsupported: the program cannot be compiled or batched.
        ValueError: too many games for a module.
    """

    exports = ("begin_all", "step_all", "step_on", "skip")

    def __init__(
        self, program: ir.Program, games: int, space: ActionSpace, reward: RewardName
    ) -> None:
        self._program, self._games, self._space = program, games, space
        self._reward = reward
        Payoff(program, reward)  # raises if the reward is invalid
        self._size = encoding_of(program).size
        self._written: dict[str, int] = {}
        self.found: dict[str, int] = {}
        self.widths: dict[str, int] = {}
        self._stable = isinstance(space, StableActions)
        numbers = "stable.wat" if self._stable else "listed.wat"
        self.text = _by_hand("stepping.wat") + _by_hand(numbers)
        self.module: Module = emit(program, self)

    def write(self, parts: Parts) -> None:
        """Write the functions for observations and for numbers of options."""
        self._context: CompilationContext = parts.context
        encoding = encoding_of(self._program)
        self._written = ObservationWriter(parts, encoding).write()
        ranking = self._program.bot_ranking
        key = ranking.keys[0] if ranking.keys else None
        write_key(parts.context, parts.translator, "$goal_now", key, ranking.slot)
        if isinstance(self._space, StableActions):
            self._written |= NumberWriter(parts, self._space).write()

    def addresses(self, block: int) -> dict[str, int]:
        """Lay out the games and their arrays."""
        data, seats = self._context.data, self._program.seats
        sign = 1 if self._program.bot_ranking.direction == "most" else -1
        names = ("outside", "outside_now", "under", "beginning", "never_asked")
        plain = {name: data.room(8) for name in names}
        plain["goals_now"] = data.room(8 * seats)
        plain["by_goal"] = data.numbers([int(self._reward == "goal")])
        gains = b""
        for winners in range(seats + 1):
            # The gain of each winner, and of each other seat.
            found = shares(Outcome("won", tuple(range(winners))), seats)
            gains += pack("<2d", found[0], found[-1])
        plain["gains"] = data.raw(gains)
        number = block + STREAM * seats
        game = number + WORD_BYTES
        row = NUMBER * self._size
        numbers = ("terminated", "truncated", "passed_over", "seats_asked")
        widths = {
            "games": game,
            "observations": row,
            "last_rows": row,
            "rewards": WORD_BYTES * seats,
            "option_counts": WORD_BYTES,
            "game_numbers": WORD_BYTES,
            "chosen_numbers": NUMBER,
            **dict.fromkeys(numbers, NUMBER),
            **({"legal": self._space.size} if self._stable else {}),
        }
        each = sum(widths.values())
        room = (PAGES_AT_MOST - 2) * PAGE - self._context.data.end
        most = max(room // each, 0)
        if self._games > most:
            megabytes = PAGES_AT_MOST * PAGE >> 20
            raise ValueError(
                f"{self._games:,} games do not fit into one environment: at this table"
                f" and with {megabytes} MiB, {most:,} do. Make several environments."
            )
        rooms = {name: data.room(width * self._games) for name, width in widths.items()}
        self.found, self.widths = plain | rooms, widths
        return {
            **self._written,
            **plain,
            **rooms,
            "game_width": widths["games"],
            "number_in_game": number,
            "row_width": widths["observations"],
            "rewards_width": widths["rewards"],
            "legal_width": widths.get("legal", 0),
            "bots_width": STREAM * seats,
            "many": self._games,
            "passed_at_most": PASSED_AT_MOST,
            "goal_sign": sign,
        }


@cache
def _by_hand(name: str) -> str:
    return own_text(Path(__file__).with_name(name))
