"""The engine: a program made ready to run, shared by all its games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.reference.evaluate.expressions import Answers, Evaluator
from houserule.engine.reference.options.legality import ActionPlan, holds
from houserule.engine.reference.play.flow import FlowPlan
from houserule.engine.reference.procedures.procedures import Procedures
from houserule.engine.state.layout import Layout, all_keys
from houserule.ir.access import Access
from houserule.ir.memo import NodeMemo
from houserule.ir.types import Data
from houserule.ir.walk import slots_needed, slots_read

Pure: TypeAlias = Callable[[GameContext, int | None, Sequence[Data]], Data]


@frozen
class Watch:
    """A value that reactions watch: its keys in order, and the reactions by id."""

    value: str
    keys: tuple[tuple[Data, ...], ...]
    reactions: tuple[ir.ReactionDef, ...]


class Engine:
    """The reference engine of one program: all that is compiled before a game starts.

    Attributes:
        plans, plans_at: how options of an action are found, by action and by step.
        procedures: the instructions of every body, by name.
        watches: the values whose changes reactions wait for.
        needs: the conditions of each reaction to a change.
        needs_me: the reactions that speak of `me`.
        access: what parts of the program read and write.
        has_alike: whether there are things of which alike ones are offered once.
        pure: an expression as a function of context, acting seat and slots 1….
    """

    def __init__(self, program: ir.Program, answers: Answers | None = None) -> None:
        """Make a program ready; what its conditions are in play goes into `answers`."""
        self.program = program
        self.layout, self.access = Layout(program), Access(program)
        self.has_alike = any(each.alike for each in program.components.values())
        self.evaluator = Evaluator(program, self.layout, answers)
        self.flow = FlowPlan(program)
        self.plans = {
            name: ActionPlan(action, self.access, self.evaluator)
            for name, action in program.actions.items()
        }
        self.plans_at = {
            name: tuple(self.plans[each] for each in step.actions)
            for name, step in program.steps.items()
        }
        self.procedures = Procedures(program, self.evaluator).by_name
        by_value: dict[str, list[ir.ReactionDef]] = {}
        for name in sorted(program.reactions):
            reaction = program.reactions[name]
            if reaction.moment == "when":
                by_value.setdefault(reaction.event, []).append(reaction)
        self.watches = tuple(
            Watch(value, all_keys(program.values[value].params), tuple(reactions))
            for value, reactions in sorted(by_value.items())
        )
        self.needs = {
            name: tuple(holds(each, self.evaluator) for each in reaction.needs)
            for name, reaction in program.reactions.items()
            if reaction.moment == "when"
        }
        self.draws = tuple(
            (each.address, holds(each, self.evaluator)) for each in program.draws
        )
        self.draw_frame = slots_needed(*program.draws)
        self.needs_me = frozenset(
            name
            for name, reaction in program.reactions.items()
            if 0 in slots_read(reaction)
        )

        def make_pure(node: ir.Expr) -> Pure:
            run, size = self.evaluator.expr(node), slots_needed(node)

            def pure(
                context: GameContext, me: int | None, values: Sequence[Data] = ()
            ) -> Data:
                env: list[Data] = [me, *values]
                env += [None] * (size - len(env))
                return run(context, env)

            return pure

        self.pure = NodeMemo(make_pure)


@lru_cache(maxsize=32)
def engine_of(program: ir.Program) -> Engine:
    """Return the engine of a program; its games share one."""
    return Engine(program)
