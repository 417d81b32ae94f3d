"""Contexts of evaluation: the running game, as expressions see it; and codes.

An expression becomes a function of a context and a frame. The frame is the list of
local values, the acting seat in slot 0; the context is the rest of the running game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from houserule.base.limits import ceilings
from houserule.base.source import Span
from houserule.engine.state.faults import F03, F06, RuleFault
from houserule.engine.state.store import Store
from houserule.ir.types import Data


class GameContext:
    """The running game, as far as expressions may ask; by itself none is under way.

    Attributes:
        doing: the id of the action that is considered or running, or None.
        phase_items: the current item of each phase under way that has a variable.
        taken: how often an action was taken, by the address of each limit it has.
        left: how many members may be looked at before the next decision.
        steps: how many steps and turns may begin before it.
    """

    __slots__ = (
        *("doing", "phase_items", "store", "taken"),
        *("_most", "left", "steps"),
    )

    def __init__(
        self,
        store: Store,
        doing: int | None = None,
        phase_items: Mapping[str, Data] | None = None,
    ) -> None:
        self.store, self.doing = store, doing
        self.phase_items: dict[str, Data] = dict(phase_items or {})
        self.taken: dict[str, int] = {}
        most = ceilings()
        self._most = most["work"], most["steps"]
        self.begin_work()

    def begin_work(self) -> None:
        """Count from 0: a decision was made, or somebody asks from outside of play."""
        self.left, self.steps = self._most

    def can(self, step: str) -> bool:
        """Return whether some action at a step would be legal if the step were open."""
        return False

    def imagine(self, action: str, seat: int | None, args: Args) -> GameContext:
        """Return the game as it would be after an action, with what follows from it.

        Args:
            seat: who takes it, None if nobody does.

        Raises:
            RuleFault: the action does what no rule may do; F06, no game is under way.
        """
        raise RuleFault(
            F06, f"No game is in progress in which {action} could be taken."
        )


Args: TypeAlias = tuple[Data, ...]
Frame: TypeAlias = list[Data]
Code: TypeAlias = Callable[[GameContext, Frame], Data]
Number: TypeAlias = Callable[[GameContext, Frame], int]
Truth: TypeAlias = Callable[[GameContext, Frame], bool]
Members: TypeAlias = Callable[[GameContext, Frame], tuple[int, ...]]
Items: TypeAlias = Callable[[GameContext, Frame], Iterable[Data]]
Classes: TypeAlias = Callable[[GameContext, Frame], list[list[int]]]
"""Gives the members of a set, each with those that are alike, by their least ids."""
Call: TypeAlias = Callable[[GameContext, Args], Data]


def absent(span: Span) -> RuleFault:
    """Return the fault F03 of an expression whose value must not be `none`."""
    return RuleFault(F03, "There is none here, but a value is needed.", span)


def as_set(value: Data) -> tuple[int, ...]:
    """Return a set's members; a member as a set of one, none as the empty set."""
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)
