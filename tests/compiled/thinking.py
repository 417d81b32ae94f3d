"""Games by bots on both engines, decision by decision: choices, draws and worlds."""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.compare import Pair, difference

from houserule.engine.bots.bot import effort_of, kind_of
from houserule.engine.bots.greedy import GreedyBot
from houserule.engine.bots.imagined import ImaginedGame
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import read_store
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.store import Store
from houserule.ir import Program
from houserule.study.simulate.play import seated

SEATINGS = (("greedy",), ("greedy", "random"), ("random", "random", "greedy"))


def mask_of(names: Sequence[str], seats: int) -> int:
    """Return the seats of greedy bots, bit by bit; fewer names than seats go round."""
    bots = seated(names, seats)
    return sum(1 << seat for seat, name in enumerate(bots) if name == "greedy")


class Watched(GreedyBot):
    """The greedy bot, which shows what it imagined and how far its stream is."""

    def __init__(self, seat: int, stream: Stream) -> None:
        super().__init__(seat, stream)
        self.worlds: list[Store | None] = []

    def choose(self, game: ReferenceGame) -> Choice:
        self.worlds.clear()
        return super().choose(game)

    def _imagined(self, game: ReferenceGame) -> ImaginedGame | None:
        world = super()._imagined(game)
        self.worlds.append(world.game.machine.store if world else None)
        return world


class Seat:
    """A bot at a seat, with its stream."""

    def __init__(self, name: str, seat: int, seed: int, number: int) -> None:
        self.seat, self.stream = seat, Stream.seeded(seed, number, f"bot/{seat}")
        kind = kind_of(name)
        self.bot = (Watched if kind is GreedyBot else kind)(seat, self.stream)

    @property
    def worlds(self) -> list[Store | None]:
        """What the bot imagined at its last decision; None where the rules failed."""
        return self.bot.worlds if isinstance(self.bot, Watched) else []


class Thinking(Pair):
    """One game by bots on both engines."""

    def __init__(
        self,
        program: Program,
        machine: CompiledMachine,
        names: Sequence[str],
        seed: int,
        number: int = 0,
    ) -> None:
        super().__init__(program, machine, seed, number)
        self._greedy = mask_of(names, program.seats)
        bots = seated(names, program.seats)
        machine.seat_searches([effort_of(name) for name in bots])
        self._seats = [Seat(name, seat, seed, number) for seat, name in enumerate(bots)]

    def decide(self) -> int:
        """Let the bots make one choice; compare it, and what comes of it.

        Returns:
            How many games were imagined for it.

        Raises:
            Differs: the engines do not agree.
        """
        game, decision = self.game, self.decision
        assert game is not None
        assert decision is not None
        seat = self._seats[decision.seat]

        def choose() -> None:
            self.made.append(seat.bot.choose(game))
            game.choose(self.made[-1])

        self._on(choose, lambda: self.machine.decide(self._greedy))
        if seat.stream.state != self.machine.drawn(seat.seat):
            self._differs(f"the draws of the bot of seat {seat.seat}")
        self._same_worlds(seat.worlds)
        return len(seat.worlds)

    def _same_worlds(self, worlds: Sequence[Store | None]) -> None:
        memory = self.machine.module.memory
        for number, world in enumerate(worlds):
            if world is None:
                continue
            ours = world.to_data()
            theirs = read_store(self.machine.imagined(number), memory).to_data()
            if ours != theirs:
                self._differs(f"world {number}: {difference(ours, theirs)}")


def think_through(
    program: Program,
    machine: CompiledMachine,
    names: Sequence[str],
    seed: int,
    most: int,
) -> tuple[str, int]:
    """Play one game by bots on both engines, for some decisions.

    Returns:
        How it ended, and how many games were imagined.

    Raises:
        Differs: the engines do not agree.
    """
    game, imagined = Thinking(program, machine, names, seed), 0
    for _ in range(most):
        if game.ended:
            break
        imagined += game.decide()
    return game.ended or "open", imagined
