"""The greedy bot of the compiled engine at decisions of the reference engine's games.

The game is written into the memory of a compiled one, the bot there decides, and its
choice is read back: the same choice from the same stream, many times as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar
from weakref import ref

from houserule.engine.bots.bot import Bot, kind_of
from houserule.engine.bots.effort import QUICK_PIECE, Effort
from houserule.engine.bots.greedy import GreedyBot
from houserule.engine.bots.objective import Objective, Passes
from houserule.engine.bots.random_choice import sensible
from houserule.engine.bots.search import Rated, Search, SearchBot, rated
from houserule.engine.compiled.available import (
    is_compiled,
    is_compiling,
    machine_for_greedy,
    wanted_before,
)
from houserule.engine.compiled.bots.route import Route, Track, asks_within
from houserule.engine.compiled.functions import NONE_VALUE, Unsupported
from houserule.engine.compiled.machines import every_machine
from houserule.engine.compiled.memory.codec import read_store, read_value
from houserule.engine.compiled.memory.entering import can_enter, write_game
from houserule.engine.reference.choices import Act, Choice, Done
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream, stream_seed
from houserule.ir import Program
from houserule.ir.walk import option_binds

if TYPE_CHECKING:
    from houserule.engine.compiled.machine import CompiledMachine

Answer = TypeVar("Answer")
PATIENCE = 6
"""Number of decisions, in all games of a program, that the reference engine handles
before a module is compiled: a small game is over by then, and a large one has waited
about as long as that takes."""
AT_ONCE = Effort(decisions=1)
KINDS_OF_DECISION = ("", "act", "choose", "share", "ask")  # as the header numbers them


class CompiledThinker:
    """Thinks for the greedy bots of one program, at decisions of any of its games."""

    def __init__(self, program: Program, patience: int = PATIENCE) -> None:
        self._program, self._patience = program, patience
        self._machine: CompiledMachine | None = None
        self._known = False  # whether there is a machine at all
        self._ended = False  # whether somebody waits for searches
        self._decided: ref[ReferenceGame] | None = None  # where the machine has chosen

    def choose(
        self,
        game: ReferenceGame,
        decision: Decision,
        stream: Stream,
        effort: Effort | None = None,
        track: Track | None = None,
    ) -> Choice | None:
        """Return what the greedy bot chooses, its stream moved on; or the search bot.

        The decision may be within an effect to which a `track` has the way. None where
        the compiled engine cannot tell; the stream is then where it was.
        """
        machine = self._ready(wait=effort is None)
        if machine is None:
            return None
        from houserule.engine.compiled.machine import Faulted

        try:
            if not self._followed(machine, game, decision):
                way = None if track is None else track.way(game)
                if not self._reached(machine, game, decision, way):
                    return None
            machine.seed_bot(decision.seat, stream)
            memory = machine.module.memory
            picked = 0
            if machine.header("decision") == 1:  # else the site is not a phase
                phase = machine.module.phases[machine.header("site")]
                plan = memory.phases[phase]
                if plan.chosen_width:
                    made = machine.number(memory.field(phase, "picked"))
                    picked = plan.chosen + plan.chosen_width * made
            if effort is None:
                machine.decide(1 << decision.seat)
            else:
                machine.call("begin_search")
                effort = AT_ONCE if self._ended else effort
                effort.spend(machine.look_at, QUICK_PIECE)
                machine.call("take_best")
            choice = _choice(machine, decision, picked)
        except (Faulted, Unsupported):
            return None
        stream.state = machine.drawn(decision.seat)
        self._decided = ref(game)
        return choice

    def end_searches(self, *, end: bool = True) -> None:
        """Let the running search and later ones stop and use their results so far.

        Any thread may ask. With `end` false those to come take their time again.
        """
        self._ended = end
        if end and self._machine is not None:
            self._machine.end_search()

    def rate(
        self,
        game: ReferenceGame,
        stream: Stream,
        effort: Effort,
        way: Route | None = None,
    ) -> list[Rated]:
        """Return the options of a game's decision that a search tries, in their order.

        The stream is moved on. By a `way` the decision may be within an effect. If the
        compiled engine cannot, the reference engine searches, more slowly.

        Raises:
            RuleFault: the rules failed in the game itself.
        """
        decision = game.decision
        assert decision is not None, "options are rated if there is a decision"

        def rating(machine: CompiledMachine) -> list[Rated]:
            machine.search(effort)
            found = rated(sensible(decision.options), machine.tried)
            stream.state = machine.drawn(decision.seat)
            return found

        found = self._asked(game, decision, stream, way, rating)
        if found is not None:
            return found
        search = Search(game, decision.seat, stream)
        effort.spend(search.look_at)
        return search.rated()

    def tell(
        self,
        game: ReferenceGame,
        stream: Stream,
        aim: Objective,
        ask: Callable[[Aimed], Answer],
        way: Route | None = None,
    ) -> Answer:
        """Start a search with an aim at a game's decision.

        `ask` lets it make passes. By a `way` the decision may be within an effect.
        If the compiled engine cannot, the reference engine answers the same.

        Raises:
            RuleFault: the rules failed in the game itself.
        """
        decision = game.decision
        assert decision is not None, "a search begins if there is a decision"

        def asking(machine: CompiledMachine) -> tuple[Answer]:
            return (ask(CompiledAim(machine, aim)),)  # none is an answer too

        found = self._asked(game, decision, stream, way, asking)
        if found is not None:
            return found[0]
        return ask(Search(game, decision.seat, stream, aim))

    def _asked(
        self,
        game: ReferenceGame,
        decision: Decision,
        stream: Stream,
        way: Route | None,
        work: Callable[[CompiledMachine], Answer],
    ) -> Answer | None:
        """Return what comes of some work at a decision; None if it cannot be done.

        Then the stream is where it was.
        """
        machine, before = self._ready(wait=False), stream.state
        if machine is None:
            return None
        from houserule.engine.compiled.machine import Faulted

        try:
            if self._reached(machine, game, decision, way):
                machine.seed_bot(decision.seat, stream)
                return work(machine)
        except (Faulted, Unsupported):
            stream.state = before
        return None

    @property
    def is_compiled(self) -> bool:
        return self._ready(wait=False) is not None

    def is_quick(self, game: ReferenceGame, way: Route | None = None) -> bool:
        """Return whether the compiled engine thinks at a game's decision."""
        machine = self._ready(wait=False)
        if machine is None or game.decision is None:
            return False
        if way is None or can_enter(game.machine):
            return can_enter(game.machine)
        from houserule.engine.compiled.machine import Faulted

        try:
            return self._reached(machine, game, game.decision, way)
        except (Faulted, Unsupported):
            return False

    def _reached(
        self,
        machine: CompiledMachine,
        game: ReferenceGame,
        decision: Decision,
        way: Route | None,
    ) -> bool:
        """Bring the compiled game to a decision, if need be from one that is known.

        Chance to come is that of `game`, which may differ from that of the route.
        """
        if way is None or can_enter(game.machine):
            return self._entered(machine, game, decision)
        begun = way.start.decision
        if begun is None or not self._entered(machine, way.start, begun):
            return False
        for number in way.numbers:
            machine.call("choose", number)
            machine.call("advance")
        seed, played = game.machine.seed, game.machine.game_number
        for tag, state in game.machine.store.streams.items():
            _, inc = stream_seed(seed, played, tag)
            machine.seed_chance(tag, Stream(state, inc))
        return _is_at(machine, game, decision)

    def _ready(self, *, wait: bool) -> CompiledMachine | None:
        if self._known:
            return self._machine
        program = self._program
        if (
            wait
            and not is_compiled(program)
            and (wanted_before(program) < self._patience or is_compiling())
        ):
            return None
        self._machine, self._known = machine_for_greedy(program), True
        return self._machine

    def _followed(
        self, machine: CompiledMachine, game: ReferenceGame, decision: Decision
    ) -> bool:
        """Play on after the choices here; return whether that led to a decision.

        That spares the way to a decision within an effect, if nobody else has chosen.
        """
        from houserule.engine.compiled.machine import Faulted

        chosen, self._decided = self._decided, None
        if chosen is None or chosen() is not game or can_enter(game.machine):
            return False
        try:
            machine.call("advance")
        except Faulted:  # simultaneous choices of others were drawn again
            return False
        return _is_at(machine, game, decision)

    def _entered(
        self, machine: CompiledMachine, game: ReferenceGame, decision: Decision
    ) -> bool:
        """Bring the compiled game to a decision of the flow; return if it got there."""
        self._decided = None
        if not can_enter(game.machine):
            return False
        block = machine.reset(game.machine.seed, game.machine.game_number)
        write_game(block, machine.module, game.machine)
        machine.enter(block)
        machine.call("advance")
        return _stands_at(machine, decision)


class Aimed(Protocol):
    """A search with an aim: it makes passes and reports statistics."""

    @property
    def passes(self) -> Passes:
        """What came of the passes so far."""

    def look_at(self, decisions: int) -> int:
        """Search until a total number of decisions is reached; return the total."""

    def pass_through(self, passes: int) -> int:
        """Search until a total number of passes is reached; return the total."""


class CompiledAim:
    """A search with an aim at the decision that a compiled game is at."""

    def __init__(self, machine: CompiledMachine, aim: Objective) -> None:
        self._machine = machine
        option = -1 if aim.option is None else aim.option
        machine.call("begin_aim", option, int(aim.whole))

    @property
    def passes(self) -> Passes:
        """What came of the passes so far."""
        machine = self._machine
        seats = range(machine.module.program.seats)
        gained = [machine.call("gained_by", seat) for seat in seats]
        return Passes(machine.call("passes"), machine.call("counted"), gained)

    def look_at(self, decisions: int) -> int:
        """Search until a total number of decisions is reached; return the total."""
        return self._machine.look_at(decisions)

    def pass_through(self, passes: int) -> int:
        """Search until a total number of passes is reached; return the total."""
        self._machine.think("pass_through", "recover", passes)
        return self._machine.call("passes")


def _is_at(machine: CompiledMachine, game: ReferenceGame, decision: Decision) -> bool:
    """Return whether the compiled game is at a decision, in the same state."""
    if not _stands_at(machine, decision):
        return False
    found = read_store(machine.block(), machine.module.memory)
    return found.to_data() == game.machine.store.to_data()


def _stands_at(machine: CompiledMachine, decision: Decision) -> bool:
    """Return whether the compiled game is at such a decision, of the same seat."""
    kind = KINDS_OF_DECISION[machine.header("decision")]
    if kind != decision.kind or machine.header("seat") != decision.seat:
        return False
    sites = machine.module.phases if kind == "act" else machine.module.sites
    return sites[machine.header("site")] == decision.site


def _choice(machine: CompiledMachine, decision: Decision, picked: int) -> Choice:
    """Return what the bot chose, before anything comes of it."""
    block, module = machine.block(), machine.module
    if decision.kind != "act":
        return decision.options[block.word(module.memory.header["answer"])]
    program = module.program
    actions = tuple(sorted(program.actions))
    if picked:
        which, names = block.number(picked), actions
    else:
        which = block.number(module.memory.header["doing"])
        names = program.labels.get("Action", actions)
    if which in (-1, NONE_VALUE):
        return Done()
    action = names[which]
    slots = machine.module.frames[f"action {action}"].slots
    return Act(
        names[which],
        tuple(
            read_value(block, slots[slot], bind.type)
            for bind in option_binds(machine.module.program.actions[action])
            for slot in bind.slots
        ),
    )


class CompiledBot:
    """A bot that imagines games on the compiled engine, where that can tell.

    Decisions within effects are thought out there if a `track` has the way.
    """

    def __init__(
        self,
        slow: Bot,
        stream: Stream,
        thinker: CompiledThinker,
        effort: Effort | None = None,
        track: Track | None = None,
    ) -> None:
        self._slow, self._stream, self._thinker = slow, stream, thinker
        self._effort, self._track = effort, track

    def choose(self, game: ReferenceGame) -> Choice:
        """Return what the bot of the reference engine would choose."""
        decision = game.decision
        assert decision is not None, "a bot is asked only if there is a decision"
        asked = game, decision, self._stream, self._effort, self._track
        found = self._thinker.choose(*asked)
        return self._slow.choose(game) if found is None else found


class TrackedBot:
    """A bot whose choices are noted on a track: they are made, and in that game."""

    def __init__(self, bot: Bot, track: Track) -> None:
        self._bot, self._track = bot, track

    def choose(self, game: ReferenceGame) -> Choice:
        choice = self._bot.choose(game)
        self._track.keep(game, choice)
        return choice


def end_searches() -> None:
    """Let all running searches stop and use their results: a player waits."""
    for machine in every_machine():
        machine.end_search()


def quick_bot(
    name: str,
    seat: int,
    stream: Stream,
    thinker: CompiledThinker,
    track: Track | None = None,
) -> Bot:
    """Return a bot by its name; one that imagines games does it compiled if it can.

    Raises:
        KeyError: unknown bot.
    """
    bot = kind_of(name)(seat, stream)
    if isinstance(bot, GreedyBot):
        return CompiledBot(bot, stream, thinker, track=track)
    if isinstance(bot, SearchBot):
        return CompiledBot(bot, stream, thinker, bot.effort, track)
    return bot


def quick_bots(
    names: Sequence[str],
    program: Program,
    seed: int,
    number: int,
    track: Track | None = None,
) -> list[Bot]:
    """Return a bot for each seat, equivalent to those of `bots.bot.seat_bots`.

    Their choices are carried out in the game that asked, and noted on a `track`;
    other choices must be noted there too.

    Raises:
        KeyError: unknown bot.
    """
    thinker, track = CompiledThinker(program), track or Track()
    bots = [
        quick_bot(
            names[seat % len(names)],
            seat,
            Stream.seeded(seed, number, f"bot/{seat}"),
            thinker,
            track,
        )
        for seat in range(program.seats)
    ]
    if asks_within(program) and any(isinstance(bot, CompiledBot) for bot in bots):
        return [TrackedBot(bot, track) for bot in bots]
    return bots
