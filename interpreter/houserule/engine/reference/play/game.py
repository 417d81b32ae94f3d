"""A game to play: start it, see what is to be decided, decide, copy it, save it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import cast

from houserule import ir
from houserule.base.limits import limit
from houserule.engine.reference.choices import Choice, Event, Outcome, Refusal, Refused
from houserule.engine.reference.evaluate.expressions import Answers
from houserule.engine.reference.evaluate.work import beyond
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.engine import Engine, engine_of
from houserule.engine.reference.play.machine import Forced, Machine
from houserule.engine.reference.play.setup import opening
from houserule.engine.state.faults import F05, RuleFault
from houserule.engine.state.state_model import validate_store
from houserule.ir.types import Data


class ReferenceGame:
    """One game on the reference engine, always at a decision or over.

    The state is validated at every decision, unless the game is only imagined
    (`checked` is False): a determinization need not be possible. A
    fault of the rules (`RuleFault`) may come out of `start` and `choose`; the game is
    then not to be used any more.
    """

    def __init__(
        self,
        machine: Machine,
        decision: Decision | None = None,
        *,
        checked: bool = True,
    ) -> None:
        self._machine = machine
        self._decision = decision
        self._checked = checked

    @classmethod
    def start(
        cls,
        program: ir.Program,
        seed: int = 0,
        game_number: int = 0,
        *,
        listen: bool = False,
        count: bool = False,
        forced: Forced | None = None,
        attend: Callable[[ReferenceGame], None] | None = None,
        answers: Answers | None = None,
        position: ir.GamePosition | None = None,
    ) -> ReferenceGame:
        """Start a game and play to its first decision.

        It begins at `position`, or at that of the program, if there is one. With
        `listen`, events are kept; with `count`, how often each clause ran; into
        `answers` goes what each condition was whenever it was asked. `attend` is given
        the game before anything happens in it.

        Raises:
            BadPosition: the position cannot be laid out.
            RuleFault: the rules did what no rules may do.
        """
        machine = opening(
            program, seed, game_number, answers, forced=forced, position=position
        )
        machine.events = [] if listen else None
        if count:
            machine.ran = Counter()
        game = cls(machine)
        if attend is not None:
            attend(game)
        for act in machine.stack[1:]:  # which a position has entered
            machine.emit("item", act.phase, act.item)
        game.advance()
        return game

    @property
    def program(self) -> ir.Program:
        """The rules that are played."""
        return self._machine.engine.program

    @property
    def engine(self) -> Engine:
        """The program made ready to run."""
        return self._machine.engine

    @property
    def machine(self) -> Machine:
        """The running machine; for bots and scenarios."""
        return self._machine

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None when the game is over."""
        return self._decision

    @property
    def claimed(self) -> bool:
        """Whether all are asked at once for claims, so nobody sees who is asked."""
        decision = self._decision
        if decision is None or decision.kind != "act":
            return False
        return decision.site in self.engine.flow.claimed

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._machine.outcome

    @property
    def events(self) -> list[Event]:
        """What happened so far, if the game was started to listen."""
        return self._machine.events or []

    def forget_events(self) -> None:
        """Let go the events so far, when all who wanted them have heard them."""
        if self._machine.events is not None:
            self._machine.events.clear()

    @property
    def ran(self) -> dict[str, int]:
        """How often each clause ran, if the game was started to count."""
        return dict(self._machine.ran or {})

    def advance(self) -> None:
        """Play on to the next decision and check the state there."""
        self._machine.begin_work()
        self._decision = turns.advance(self._machine)
        if self._checked:
            machine = self._machine
            validate_store(machine.store)
            program = machine.engine.program
            for condition in program.always:
                if not machine.engine.pure(condition.test)(machine, None, ()):
                    raise RuleFault(
                        F05,
                        f"The invariant {condition.address} does not hold.",
                        condition.span,
                        condition.address,
                    )

    def refusals(self, choice: Choice) -> tuple[Refusal, ...]:
        """Return the reasons against a choice; none if it is legal.

        Raises:
            ValueError: the game is over.
        """
        if self._decision is None:
            raise ValueError("the game is over: there is nothing to choose")
        return self._decision.options.refusals(choice)

    def choose(self, choice: Choice) -> None:
        """Make a choice and play on to the next decision.

        Raises:
            Refused: the choice is not legal; nothing has changed.
            RuleFault: the rules did what no rules may do.
            ValueError: the game is over.
        """
        refusals = self.refusals(choice)
        if refusals:
            raise Refused(choice, refusals)
        self.carry_out(choice)

    def carry_out(self, choice: Choice) -> None:
        """Make a choice that is known to be legal, and play on to the next decision.

        A choice that differs from an option only by alike things is taken for it.

        Raises:
            RuleFault: the rules did what no rules may do.
        """
        decision = cast("Decision", self._decision)
        if self.engine.has_alike:
            choice = decision.options.offered(choice)
        turns.apply(self._machine, decision, choice)
        self.advance()

    def clone(self) -> ReferenceGame:
        """Return an independent copy at the same decision."""
        machine = self._machine.clone()
        return ReferenceGame(machine, turns.advance(machine), checked=self._checked)

    def save(self) -> dict[str, object]:
        """Return everything needed to go on, as plain data for JSON."""
        from houserule.engine.reference.play import (
            saving,  # long to import, and seldom needed
        )

        return saving.save(self._machine)

    @classmethod
    def restore(cls, program: ir.Program, data: dict[str, object]) -> ReferenceGame:
        """Return a game as it was saved.

        Raises:
            ValueError: the data is not a saved game of this program.
            RuleFault: the saved state is not one that the rules allow.
        """
        from houserule.engine.reference.play import saving

        game = cls(saving.restore(engine_of(program), data))
        game.advance()
        return game

    # ---- reading the state

    def cell(self, state: str, *keys: Data) -> Data:
        return self._machine.store.cells[state][self.engine.layout.index(state, keys)]

    def contents(self, zone: str, *keys: Data) -> tuple[int, ...]:
        """Return what lies in a zone: by id, a pile from the bottom up."""
        return self._machine.store.zones[zone][self.engine.layout.index(zone, keys)]

    def tokens(self, slot: str, *keys: Data) -> int:
        """Return how many tokens lie in a slot."""
        return self._machine.store.tokens[slot][self.engine.layout.index(slot, keys)]

    def face(self, kind: str, die: int) -> int:
        return self._machine.store.faces[kind][die]

    def value(self, name: str, *args: Data) -> Data:
        """Return a declared value at its arguments."""
        self._machine.begin_work()
        return self.engine.evaluator.value(name, self._machine, args)

    def evaluate(
        self, node: ir.Expr, seat: int | None = None, values: Sequence[Data] = ()
    ) -> Data:
        """Return what an expression of the program is now."""
        self._machine.begin_work()
        return self.engine.pure(node)(self._machine, seat, values)


def endless(game: ReferenceGame) -> RuleFault:
    """Return the fault of a game that bots play for more decisions than may be."""
    (phase, *_) = [each.phase for each in game.machine.stack[1:]] or [""]
    span = game.engine.flow.phases[phase].span
    what = f"After {limit('decisions'):,} decisions the game is not over."
    return beyond("decisions", what, span).located(span, phase)
