"""Actions by number: the options of a decision in their order, or the same everywhere.

*Listed*: number n is option n of the decision, in the order of the options. What it
does is another thing at every decision. *Stable*: every taking of an action, and every
answer, has one number that means the same in every state; which of them are legal is
the mask. It is for games with few enough of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Literal, TypeAlias

from houserule import ir
from houserule.base.algebra.subsets import count_shares, count_subsets, shares, subsets
from houserule.engine.reference.choices import (
    Act,
    Answered,
    Choice,
    Done,
    Picked,
    Shared,
)
from houserule.engine.reference.options.options import Decision
from houserule.engine.state.domains import printed
from houserule.environments.effect_variables import Question, questions
from houserule.ir.types import Data, Maybe, Set, Whole, members
from houserule.ir.walk import option_binds

ACTIONS_IN_SPACE = 4096
"""So many actions a numbering has at most, if no cut is said."""
Numbering: TypeAlias = Literal["stable", "listed"]
Values: TypeAlias = tuple[Data, ...]
Meaning: TypeAlias = tuple[str, Values | None]
"""An action or the site of a question, with its values; '' says `done`, None declines.

Of what is shared out the values are how much each member of the type gets.
"""


class ActionSpace(ABC):
    """Numbers for the options of all decisions of a program.

    Attributes:
        size: how many numbers there are, from 0.
    """

    size: int

    @abstractmethod
    def legal(self, decision: Decision) -> Sequence[int]:
        """Return the numbers that may be taken at a decision, in order of options."""

    def choice(self, decision: Decision, number: int) -> Choice:
        """Return the option of a number.

        Raises:
            ValueError: it is not among the legal ones.
        """
        legal = self.legal(decision)
        if number not in legal:
            raise ValueError(f"{number} is no legal action here: {len(legal)} are.")
        return decision.options[legal.index(number)]


class ListedActions(ActionSpace):
    """Option n of a decision has the number n.

    With a `cut` only so many options can be taken, the first ones; the others cannot be
    chosen at all.

    Raises:
        ValueError: a decision may have more options than a list has, and no cut is
            said; or the cut is less than 1.
    """

    def __init__(self, program: ir.Program, cut: int | None = None) -> None:
        if cut is not None and cut < 1:
            raise ValueError(f"A cut is at least 1, not {cut}.")
        most = most_options(program)
        if cut is None and most > ACTIONS_IN_SPACE:
            raise ValueError(
                f"A decision of this game may have {_amount(most)} options, and a list"
                f" has {ACTIONS_IN_SPACE:,} at most. Say a cut: with `cut=256` the"
                " first 256 options of each decision can be taken, and no others."
            )
        self.size = most if cut is None else min(cut, most)

    def legal(self, decision: Decision) -> range:
        """Return the numbers that may be taken at a decision."""
        return range(min(decision.options.count(), self.size))


class StableActions(ActionSpace):
    """Every taking and every answer has one number in all states.

    First come the actions by name, then `done`, then the questions of clauses in the
    order of the rules. Of each the numbers go over the values of its variables in the
    order of options, the last variable fastest.

    Attributes:
        meanings: what each number is.

    Raises:
        ValueError: there are more than `ACTIONS_IN_SPACE`.
    """

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        size = _all_takings(program) + 1
        size += sum(_how_many(asked) for asked in questions(program).values())
        if size > ACTIONS_IN_SPACE:
            raise ValueError(
                f"There are {_amount(size)} actions in this game, and a stable"
                f" numbering has {ACTIONS_IN_SPACE:,} at most. Number options as they"
                ' are listed: `actions="listed"`.'
            )
        self.meanings: tuple[Meaning, ...] = tuple(_meanings(program))
        self.size = size
        assert len(self.meanings) == size, "what is counted is what there is"
        self._numbers = {each: number for number, each in enumerate(self.meanings)}

    def legal(self, decision: Decision) -> list[int]:
        """Return the numbers that may be taken at a decision, in order of options."""
        return [self.number(decision, each) for each in decision.options]

    def number(self, decision: Decision, choice: Choice) -> int:
        """Return the number of an option of a decision."""
        return self._numbers[self._meaning(decision.site, choice)]

    def _meaning(self, site: str, choice: Choice) -> Meaning:
        match choice:
            case Act(action, args):
                return action, args
            case Done():
                return "", ()
            case Picked(values):
                return site, values
            case Answered(yes):
                return site, (yes,)
            case Shared(amounts):
                asked = questions(self._program)[site]
                assert isinstance(asked, ir.ShareOut)
                given = dict(amounts)
                return site, tuple(
                    given.get(who, 0) for who in members(asked.bind.type)
                )

    def names(self) -> list[str]:
        """Return what each number means, in words of the rules."""
        return [_named(self._program, *meaning) for meaning in self.meanings]


def action_space(
    program: ir.Program, actions: Numbering = "listed", cut: int | None = None
) -> ActionSpace:
    """Return the action space of a program.

    Raises:
        ValueError: there are too many actions, or a cut is said of stable ones, of
            which none is cut off.
    """
    if actions == "listed":
        return ListedActions(program, cut)
    if actions != "stable":
        raise ValueError(f'Actions are "stable" or "listed", not {actions!r}.')
    if cut is not None:
        raise ValueError('Only listed actions are cut: leave `cut` out with "stable".')
    return StableActions(program)


def most_options(program: ir.Program) -> int:
    """Return how many options a decision can have at most, by the rules alone."""
    asked = [_how_many(each) for each in questions(program).values()]
    return max([_all_takings(program) + 1, *asked])


def _all_takings(program: ir.Program) -> int:
    return sum(_ways(option_binds(action)) for action in program.actions.values())


def _ways(binds: Sequence[ir.Bind]) -> int:
    """Return how many combinations of values some variables can have."""
    return prod(_count(bind) for bind in binds for _ in bind.slots)


def _how_many(asked: Question) -> int:
    """Return how many answers a question can have."""
    match asked:
        case ir.ChooseOption(bind=bind, must=must):
            return _ways((bind,)) + (not must)
        case ir.ShareOut(bind=bind):
            return count_shares(_most_shared(asked), len(members(bind.type)) + 1)
        case ir.AskDef():
            return 2


def _most_shared(asked: ir.ShareOut) -> int:
    type_ = asked.amount.type
    inner = type_.inner if isinstance(type_, Maybe) else type_
    return max(inner.high, 0) if isinstance(inner, Whole) else 0


def _count(bind: ir.Bind) -> int:
    """Return how many values a variable can have."""
    if not isinstance(bind.type, Set):
        return len(members(bind.type))
    return count_subsets(len(members(bind.type.member)), bind.low, bind.high)


def _meanings(program: ir.Program) -> Iterator[Meaning]:
    for name in sorted(program.actions):
        for values in _combined(option_binds(program.actions[name])):
            yield name, values
    yield "", ()
    for site, asked in questions(program).items():
        match asked:
            case ir.ChooseOption(bind=bind, must=must):
                for values in _combined((bind,)):
                    yield site, values
                if not must:
                    yield site, None
            case ir.ShareOut(bind=bind):
                many = len(members(bind.type)) + 1  # what is left over goes to nobody
                for amounts in shares(_most_shared(asked), many):
                    yield site, amounts[:-1]
            case ir.AskDef():
                yield from ((site, (True,)), (site, (False,)))


def _combined(binds: Sequence[ir.Bind]) -> Iterator[Values]:
    """Yield every combination of values of some variables, the last one fastest."""
    yield from product(*(values_of_bind(bind) for bind in binds for _ in bind.slots))


def _named(program: ir.Program, name: str, values: Values | None) -> str:
    """Return a number's meaning in words: `slide(2-5)`, `done`, `paying: none`."""
    asked, labels = questions(program).get(name), program.labels
    if not name or values is None:
        return f"{name}: none" if name else "done"
    match asked:
        case ir.AskDef():
            said = ["yes" if values[0] else "no"]
        case ir.ShareOut(bind=bind):
            each = zip(members(bind.type), values, strict=True)
            said = [f"{printed(who, bind.type, labels)} {n}" for who, n in each if n]
        case ir.ChooseOption(bind=bind):
            said = [printed(value, bind.type, labels) for value in values]
        case None:
            binds = option_binds(program.actions[name])
            types = [bind.type for bind in binds for _ in bind.slots]
            pairs = zip(values, types, strict=True)
            said = [printed(value, type_, labels) for value, type_ in pairs]
    if asked is not None:
        return f"{name}: {', '.join(said) or 'nobody'}"
    return f"{name}({', '.join(said)})" if said else name


def values_of_bind(bind: ir.Bind) -> Sequence[Data]:
    """Return the values that a variable can have, in the order of options."""
    if not isinstance(bind.type, Set):
        return members(bind.type)
    return list(subsets(members(bind.type.member), bind.low, bind.high))


def _amount(number: int) -> str:
    return f"{number:,}" if number < 10**12 else f"more than {10**12:,}"
