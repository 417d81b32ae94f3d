"""The machine: one running game, with the primitives that instructions call.

It knows neither the flow of the game (`turns`) nor its users (`game`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import field
from typing import Literal, Protocol, cast

from houserule import ir
from houserule.base.frozen import frozen, slotted
from houserule.base.source import Span
from houserule.engine.reference.choices import Choice, Event, Outcome
from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.reference.evaluate.work import STATEMENT, spend
from houserule.engine.reference.options.options import ActOptions, Decision
from houserule.engine.reference.play.engine import Engine
from houserule.engine.reference.play.flow import Activation
from houserule.engine.reference.procedures.instructions import CallFrame
from houserule.engine.reference.random_numbers import draw, shuffled, stream_seed
from houserule.engine.state.faults import F03, F06, F07, RuleFault
from houserule.engine.state.store import Store
from houserule.ir.types import Data

FIRINGS_AT_MOST = 10_000

Target = tuple[str, int, int]
Task = tuple[Literal["action", "step", "before", "after", "together"], str]
Request = tuple[Literal["again", "end"], str]


@frozen
class Firing:
    """A reaction that waits for its turn: what changed, and who was acting."""

    reaction: str
    keys: tuple[Data, ...]
    old: Data
    new: Data
    me: int | None


@slotted
class Forced:
    """Chance laid down from outside, for scenarios and tests; used up in order.

    Attributes:
        faces: the next faces of dice.
        draws: the next numbers drawn, each modulo the number of choices.
        shuffles: the next orders of shuffled piles, from the bottom up, by name or id.
        by_chance: faces of dice (`rolls`) and numbers drawn (`draws`)
            after the forced ones ran out; None if not kept. `beyond` is the number of
            choices if a forced draw is out of range.
    """

    faces: list[int] = field(default_factory=list)
    draws: list[int] = field(default_factory=list)
    shuffles: list[list[int | str]] = field(default_factory=list)
    by_chance: (
        list[tuple[Literal["rolls", "draws", "beyond", "no face"], int]] | None
    ) = None

    def copy(self) -> Forced:
        """Return a copy that is used up for itself."""
        fell = None if self.by_chance is None else list(self.by_chance)
        return Forced(list(self.faces), list(self.draws), list(self.shuffles), fell)


class ChanceSource(Protocol):
    """Replaces the random streams; an exception from it ends the play."""

    def below(self, tag: str, n: int) -> int:
        """Return a number from 0 to n - 1, of at least two, for a clause's stream."""

    def order(self, tag: str, n: int) -> Sequence[int]:
        """Return the numbers from 0 to n - 1 in some order, for a shuffle."""


class Machine(GameContext):
    """One game under way; expressions see the part of it that is a `GameContext`.

    It is one object, so that an imagined game ends with its last use: a machine and a
    context that know each other would wait for the collector of garbage.

    Attributes:
        stack: the activations of phases, the game itself at the bottom.
        frames: the call frames of procedures, the running one on top.
        task: the action, step or hook that the frames belong to; the flow continues
            after them.
        requests: what `again` and `end` asked for, until the task is complete.
        firings: reactions that wait for their turn, first in, first out.
        shadows: each watched value when reactions were last settled.
        settled_at: the version of the store at that time.
        fired: how many reactions ran since the state was last settled.
        replaced: whether the last hook of `instead` took place.
        quiet: whether reactions are off, in an imagined position.
        forced: chance fixed by the caller.
        luck: replaces the streams of random numbers, if given.
        rounds: how many items of the main loop began since this machine was made.
        events, ran: what happened, and how often each clause ran; None if not kept.
    """

    def __init__(self, engine: Engine, seed: int, game_number: int) -> None:
        self.engine = engine
        self.seed, self.game_number = seed, game_number
        super().__init__(Store.fresh(engine.layout))
        self.stack: list[Activation] = [Activation("")]
        self.frames: list[CallFrame] = []
        self.task: Task | None = None
        self.requests: list[Request] = []
        self.firings: list[Firing] = []
        self.shadows: dict[str, list[Data]] = {}
        self.settled_at = -1
        self.fired = 0
        self.replaced = self.quiet = False
        self.rounds = 0
        self.outcome: Outcome | None = None
        self.forced = Forced()
        self.luck: ChanceSource | None = None
        self.events: list[Event] | None = None
        self.ran: Counter[str] | None = None

    def clone(self) -> Machine:
        """Return an independent copy; facts about the rules are shared."""
        other = Machine.__new__(Machine)
        other.engine, other.seed = self.engine, self.seed
        other.game_number = self.game_number
        GameContext.__init__(other, self.store.clone(), self.doing, self.phase_items)
        other.taken = dict(self.taken)
        other.stack = [act.copy() for act in self.stack]
        other.frames = [CallFrame(f.proc, f.pc, list(f.env)) for f in self.frames]
        other.task, other.requests = self.task, list(self.requests)
        other.firings = list(self.firings)
        other.shadows = {name: list(each) for name, each in self.shadows.items()}
        other.settled_at, other.fired = self.settled_at, self.fired
        other.replaced, other.outcome = self.replaced, self.outcome
        other.quiet, other.rounds = self.quiet, self.rounds
        other.forced, other.luck = self.forced.copy(), self.luck
        other.events = None if self.events is None else list(self.events)
        other.ran = None if self.ran is None else Counter(self.ran)
        return other

    # ---- who acts, and what could be done

    def acting(self) -> int | None:
        """Return the seat in turn: the item of the nearest phase that acts."""
        for act in reversed(self.stack):
            if self.engine.flow.phases[act.phase].acts and act.items is not None:
                return cast("int | None", act.item)
        return None

    def can(self, step: str) -> bool:
        """Return whether some action at a step would be legal if the step were open."""
        plans = self.engine.plans_at[step]
        return ActOptions(self, self.acting(), plans, done=False).any_action()

    def imagine(
        self, action: str, seat: int | None, args: tuple[Data, ...]
    ) -> GameContext:
        """Return the game as it would be after an action, with what follows from it.

        It draws, asks and logs nothing: the static checks ensure that.

        Raises:
            RuleFault: the action does what no rule may do.
        """
        kept, self.events, self.ran = (self.events, self.ran), None, None
        other = self.clone()
        self.events, self.ran = kept
        other.frames, other.firings, other.fired = [], [], 0
        other.left = self.left
        other.quiet = not self.engine.access.is_stirring(action)
        if not other.quiet:
            other.remember_watched()
        other.begin(action, args, seat)
        other.execute()
        other.doing = self.doing
        return other

    def begin(self, action: str, args: Sequence[object], seat: int | None) -> None:
        """Push the procedure of an action, and name it as what is being done."""
        plan = self.engine.plans[action]
        frame = plan.frame(seat)
        plan.bind(frame, args)  # type: ignore[arg-type]  # values of an option
        running = self.engine.procedures[f"action {action}"].enter(seat)
        running.env[: len(frame)] = frame
        self.doing = plan.number
        self.frames.append(running)

    # ---- events

    def emit(self, kind: str, address: str, *data: object) -> None:
        """Note an event, if the game keeps events; generated clauses emit none."""
        if self.events is not None and not ir.is_kept(address):
            self.events.append(Event(kind, address, data))

    def mark(self, address: str) -> None:
        """Count that a clause ran, if the game counts clauses."""
        if self.ran is not None and not ir.is_kept(address):
            self.ran[address] += 1
        if self.events is not None:
            self.emit("clause", address, tuple(self.frames[-1].env))

    # ---- chance

    def draw(self, tag: str, below: int) -> int:
        """Draw a number from 0 to `below` - 1 from a clause's own stream."""
        if below == 1:
            return 0
        if self.forced.draws:
            number = self.forced.draws.pop(0)
            if self.forced.by_chance is not None and number not in range(below):
                self.forced.by_chance.append(("beyond", below))
            return number % below
        number = self._drawn(tag, below)
        if self.forced.by_chance is not None:
            self.forced.by_chance.append(("draws", number))
        return number

    def throw(self, tag: str, faces: Sequence[int]) -> int:
        """Return the face a die shows: forced, or drawn from its stream."""
        if self.forced.faces:
            face = self.forced.faces.pop(0)
            if self.forced.by_chance is not None and face not in faces:
                self.forced.by_chance.append(("no face", face))
                return faces[0]
            return face
        face = faces[self._drawn(tag, len(faces))]
        if self.forced.by_chance is not None and len(faces) > 1:
            self.forced.by_chance.append(("rolls", face))
        return face

    def _drawn(self, tag: str, below: int) -> int:
        if self.luck is not None:
            return 0 if below == 1 else self.luck.below(tag, below)
        return draw(self.store.streams, self.seed, self.game_number, tag, below)

    def shuffle(self, family: str, index: int, tag: str) -> None:
        """Put a pile into a random order, or into the one that is forced.

        Raises:
            ValueError: the forced order is not one of the pile's things.
        """
        streams, pile = self.store.streams, self.store.zones[family][index]
        order: Sequence[int]
        if self.forced.shuffles:
            forced = self.forced.shuffles.pop(0)
            kind = self.engine.program.zones[family].member.name
            ids = {name: at for at, name in enumerate(self.engine.program.labels[kind])}
            things = [
                ids.get(each, -1) if isinstance(each, str) else each for each in forced
            ]
            if sorted(things) != sorted(pile):
                listed = ", ".join(map(str, forced))
                raise ValueError(f"{listed}: this is no order of what lies in {family}")
            order = things
        elif self.luck is not None:
            order = [pile[each] for each in self.luck.order(tag, len(pile))]
        else:
            first, inc = stream_seed(self.seed, self.game_number, tag)
            order, streams[tag] = shuffled(streams.get(tag, first), inc, pile)
        self.store.set_order(family, index, order)
        self.emit("shuffle", tag, family, index)

    # ---- changes

    def position(self, value: Data, span: Span) -> Target:
        """Return where a position points: zone family, place in it, end.

        Raises:
            RuleFault: F03, the position is `none`.
        """
        if not isinstance(value, tuple):
            raise RuleFault(F03, "A place is expected here, and there is none.", span)
        family, index = self.engine.layout.zone_at(value[0])
        return family, index, value[1]

    def move(self, kind: str, thing: int, target: Target) -> None:
        """Put a thing to a zone."""
        before = self.store.where[kind][thing]
        self.store.place(kind, thing, *target)
        self.emit("move", "", kind, thing, before, (target[0], target[1]))

    def move_tokens(
        self, source: str, here: int, to: str, there: int, count: int
    ) -> None:
        """Move tokens between slots."""
        self.store.move_tokens(source, here, to, there, count)
        self.emit("tokens", "", count, (source, here), (to, there))

    def write(
        self, state: str, index: int, value: Data, span: Span, *, anew: bool = False
    ) -> None:
        """Write a cell; `anew`: emit an event even if the value is unchanged.

        Raises:
            RuleFault: F01, the value is outside the declared range.
        """
        old = self.store.cells[state][index]
        if old == value and type(old) is type(value) and not anew:
            return
        try:
            self.store.set_cell(state, index, value)
        except RuleFault as fault:
            raise fault.located(span) from None
        if not ir.is_kept(state):
            drawn = (True,) if anew else ()
            self.emit("cell", "", state, index, old, value, *drawn)

    def show(self, kind: str, things: Sequence[int], seats: Sequence[int]) -> None:
        """Let seats know things until they move or are rolled."""
        self.store.show(kind, things, sum(1 << seat for seat in seats))
        self.emit("show", "", kind, tuple(things), tuple(seats))

    # ---- procedures

    def call(self, proc: str, me: Data, values: Sequence[Data]) -> None:
        """Push a procedure; it counts with its statements.

        Raises:
            RuleFault: F11, too much was done since the last decision.
        """
        seat = me if isinstance(me, int) else None
        entered = self.engine.procedures[proc]
        if entered.code:
            many = STATEMENT * len(entered.code)
            spend(self, many, entered.code[0].span)
        self.frames.append(entered.enter(seat, values))

    def execute(self) -> Decision | None:
        """Run what is under way to its end, or to the next decision."""
        frames, procedures = self.frames, self.engine.procedures
        while frames:
            frame = frames[-1]
            code = procedures[frame.proc].code
            if frame.pc >= len(code):
                frames.pop()
                continue
            instruction = code[frame.pc]
            try:
                if instruction.asking is not None:
                    decision = instruction.asking.decision(self, frame)
                    if decision is not None:
                        return decision
                frame.pc += 1
                instruction.run(self, frame)
            except RuleFault as fault:
                # The clause whose statement runs, or the name of the procedure.
                marks = [each.mark for each in code[: frame.pc] if each.mark]
                clause = marks[-1] if marks else frame.proc
                raise fault.located(instruction.span, clause) from None
        return None

    def answer(self, choice: Choice) -> None:
        """Let the procedure that asked go on with a choice."""
        frame = self.frames[-1]
        instruction = self.engine.procedures[frame.proc].code[frame.pc]
        assert instruction.asking is not None
        frame.pc += 1
        instruction.asking.answer(self, frame, choice)

    # ---- reactions

    def remember_watched(self, some: Collection[str] | None = None) -> None:
        """Remember what watched values are now: later changes are seen against that.

        With `some`, of these values alone, and others are still to be looked at.
        """
        for watch in self.engine.watches:
            if some is None or watch.value in some:
                self.shadows[watch.value] = self._values_of(watch.value, watch.keys)
        self.settled_at = self.store.version if some is None else -1

    def _values_of(self, value: str, keys: Sequence[tuple[Data, ...]]) -> list[Data]:
        call = self.engine.evaluator.value
        return [call(value, self, each) for each in keys]

    def settle(self) -> bool:
        """Queue reactions to what changed and push the next; False when all is done."""
        fresh = self.settled_at == self.store.version
        if self.engine.watches and not fresh and not self.quiet:
            me = self.frames[-1].env[0]
            seat = me if isinstance(me, int) else None
            found: list[tuple[str, int, Firing]] = []
            for watch in self.engine.watches:
                before = self.shadows[watch.value]
                spend(self, len(watch.keys), watch.reactions[0].span)
                after = self._values_of(watch.value, watch.keys)
                self.shadows[watch.value] = after
                for number, (old, new) in enumerate(zip(before, after, strict=True)):
                    if old != new:
                        keys = watch.keys[number]
                        self.emit("change", "", watch.value, keys, old, new)
                        found += [
                            (each.name, number, Firing(each.name, keys, old, new, seat))
                            for each in watch.reactions
                        ]
            found.sort(key=lambda each: each[:2])
            self.firings += [firing for _, _, firing in found]
            self.settled_at = self.store.version
        while self.firings:
            firing = self.firings.pop(0)
            reaction = self.engine.program.reactions[firing.reaction]
            if firing.me is None and firing.reaction in self.engine.needs_me:
                said = f"{firing.reaction} uses `me`, but nobody acts here."
                raise RuleFault(F06, said, reaction.span)
            self.fired += 1
            if self.fired > FIRINGS_AT_MOST:
                raise RuleFault(F07, f"{firing.reaction} never ends.", reaction.span)
            change = (firing.old, firing.new) if reaction.change else ()
            values: list[Data] = [*firing.keys, *change]
            env: list[Data] = [firing.me, *values]
            env += [None] * (reaction.frame - len(env))
            if all(need(self, env) for need in self.engine.needs[firing.reaction]):
                self.call(f"reaction {firing.reaction}", firing.me, values)
                return True
        self.fired = 0
        return False
