"""Batched games, stepped by one call without Python code per game."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import Array, c_char

from houserule import ir
from houserule.base.diagnostics.render import place
from houserule.base.limits import limit
from houserule.engine.bots.bot import GREEDY, bot_names, effort_of
from houserule.engine.compiled.functions import signed
from houserule.engine.compiled.machine import CompiledMachine, Faulted
from houserule.environments.actions import ActionSpace
from houserule.environments.payoff import RewardName
from houserule.environments.stepping.module import PASSED_AT_MOST, SteppingExtension
from houserule.study.simulate.engines import Seating

FAILED_AT_MOST = 64  # consecutive failed games of one index


class ManyGames:
    """Batched games: a step takes each to the next outside decision.

    Bots play the seats that are not decided outside. A game that ends restarts within
    the step: for n games, index i plays the games number i, i + n, i + 2n … of a seed.
    The arrays are memory of the module; they change with each step.

    Args:
        program: the rules.
        games: the number of games.
        outside: the seats with outside decisions, in game 0.
        bots: the names of the bots by seat, including outside seats.
        space: the action space.
        rotate: whether the seats rotate by one from game to game.
        most: the number of decisions of all seats after which a game is truncated.
        reward: the reward at the end, as in `Payoff`.

    Raises:
        Unsupported: the program cannot be compiled, or visibility depends on running
            procedures.
        ValueError: too many games, or invalid bots or seats.
    """

    def __init__(
        self,
        program: ir.Program,
        games: int,
        *,
        outside: Sequence[int],
        bots: Sequence[str],
        space: ActionSpace,
        rotate: bool = False,
        most: int | None = None,
        reward: RewardName = "win",
    ) -> None:
        self.program, self.games = program, games
        self._most = most or limit("decisions")
        self._outside = sum(1 << seat for seat in outside)
        names = bot_names(bots)
        seated = [names[seat % len(names)] for seat in range(program.seats)]
        for seat in outside:
            seated[seat] = "random"  # never asked
        for name in seated:
            effort = effort_of(name)
            if effort is not None and effort.seconds:
                raise ValueError(
                    f"`{name}` thinks by the clock, and the same seed would lead to"
                    " other games each time. Say how many decisions it looks at, such"
                    " as `search:200`."
                )
        self._seating = Seating.of(seated, rotate=rotate)
        self.made = SteppingExtension(program, games, space, reward)
        unfit = self.made.module.no_greedy
        if unfit and any(name == GREEDY or effort_of(name) for name in seated):
            raise ValueError(f"Only random bots can play this game here: {unfit}.")
        self._machine = SteppingMachine(self.made.module)
        self.faults: dict[int, str] = {}
        """Rule faults by index, for games that this step has cut off."""

    def begin(self, seed: int) -> None:
        """Restart all games with a seed.

        Raises:
            Faulted: the rules fail in every game of some index, or it was stopped.
            ValueError: no outside decision ever occurs.
        """
        self._machine.seat_searches(self._seating.searches)
        seating = self._seating
        order = (seating.greedy, self._outside, int(seating.rotate), self._most)
        self._play("begin_all", signed(seed), *order)

    def step(self) -> None:
        """Take the options in `chosen_numbers`, one for each game.

        They must be legal; a number below 0 skips the game.

        Raises:
            Faulted: the rules fail in every game of some index, or it was stopped.
            ValueError: no outside decision ever occurs.
        """
        self._play("step_all")

    def _play(self, name: str, *args: int) -> None:
        machine, failed = self._machine, 0
        self.faults = {}
        while True:
            try:
                # It ignores faults in the determinizations of bots.
                machine.think(name, "step_on", *args)
                break
            except Faulted as error:
                if machine.stopped:
                    raise
                at = machine.number(self.made.found["under"])
                failed = failed + 1 if at in self.faults else 1
                if failed > FAILED_AT_MOST:
                    raise
                self.faults.setdefault(at, machine.told(error))
            name, args = "skip", ()
        if machine.stopped:
            raise Faulted(None, "stopped")
        if machine.number(self.made.found["never_asked"]):
            raise ValueError(
                f"{PASSED_AT_MOST} games in a row ended before anything was decided"
                " outside: let other seats be decided there."
            )

    def row_bytes(self, name: str) -> Array[c_char]:
        """Return the bytes of all rows of an array in the module's memory.

        They are not a copy: they change with each step, and keep the module alive.
        """
        each = self.made.widths[name]
        return self._machine.memory_at(self.made.found[name], each * self.games)


class SteppingMachine(CompiledMachine):
    """A machine of a module of batched games."""

    def told(self, error: Faulted) -> str:
        """Return the fault of the current game and its place, for people."""
        fault = self.as_decided(error).fault
        if fault is None:
            return f"the compiled engine gave up: {error.reason}"
        return f"{place(fault.span)}: {fault.code}: {fault.message}"

    def memory_at(self, at: int, size: int) -> Array[c_char]:
        """Return some of the memory, valid as long as the result lives."""
        found = (c_char * size).from_address(self._instance.start + at)
        found.machine = self  # type: ignore[attr-defined]  # keeps it alive
        return found
