"""Action spaces: numbers for the options of decisions.

*Listed*: number n is option n of the decision, in the order of the options. Its meaning
changes from decision to decision. *Stable*: every move and every answer has one number
with the same meaning in every state; a mask marks the legal ones. This is for games
with a small action space.
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
from houserule.ir.types import Data, Set, Whole, core, members
from houserule.ir.walk import option_binds

ACTIONS_IN_SPACE = 4096
"""The largest size of an action space, unless a cut is given."""
Numbering: TypeAlias = Literal["stable", "listed"]
Values: TypeAlias = tuple[Data, ...]
Meaning: TypeAlias = tuple[str, Values | None]
"""An action or the site of a question, with its values; '' means `done`, None declines.

For a share, the values are the amounts of each member of the type.
"""


class ActionSpace(ABC):
    """Numbers for the options of all decisions of a program.

    Attributes:
        size: the number of actions; they are numbered from 0.
    """

    size: int

    @abstractmethod
    def legal(self, decision: Decision) -> Sequence[int]:
        """Return the legal numbers of a decision, in the order of options."""

    def choice(self, decision: Decision, number: int) -> Choice:
        """Return the option with a number.

        Raises:
            ValueError: an illegal number.
        """
        legal = self.legal(decision)
        if number not in legal:
            count = len(legal)
            raise ValueError(f"{number} is not a legal action here. There are {count}.")
        return decision.options[legal.index(number)]


class ListedActions(ActionSpace):
    """Numbers each decision's options in their order.

    With a `cut`, only the first options are available; the others cannot be chosen.

    Raises:
        ValueError: a decision may have too many options and no cut is given, or the cut
            is less than 1.
    """

    def __init__(self, program: ir.Program, cut: int | None = None) -> None:
        if cut is not None and cut < 1:
            raise ValueError(f"A cut is at least 1, not {cut}.")
        most = most_options(program)
        if cut is None and most > ACTIONS_IN_SPACE:
            raise ValueError(
                f"A decision of this game may have {_amount(most)} options, and a list"
                f" has {ACTIONS_IN_SPACE:,} at most. Set `cut`: with `cut=256` the"
                " first 256 options of each decision can be taken, and no others."
            )
        self.size = most if cut is None else min(cut, most)

    def legal(self, decision: Decision) -> range:
        """Return the legal numbers of a decision."""
        return range(min(decision.options.count(), self.size))


class StableActions(ActionSpace):
    """Gives every move and every answer one number in all states.

    The order is: actions by name, `done`, then the questions of clauses in the order of
    the rules. The numbers of each enumerate the values of its variables in the order of
    options; the last variable varies fastest.

    Attributes:
        meanings: the meaning of each number.

    Raises:
        ValueError: more than `ACTIONS_IN_SPACE` actions.
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
        found: list[Meaning] = []
        for name, action in sorted(program.actions.items()):
            found += [(name, values) for values in _combined(option_binds(action))]
        found.append(("", ()))
        for site, asked in questions(program).items():
            match asked:
                case ir.ChooseOption(bind=bind, must=must):
                    found += [(site, values) for values in _combined((bind,))]
                    found += [] if must else [(site, None)]
                case ir.ShareOut(bind=bind):
                    many = len(members(bind.type)) + 1  # the last takes what is left
                    every = shares(_most_shared(asked), many)
                    found += [(site, amounts[:-1]) for amounts in every]
                case ir.AskDef():
                    found += [(site, (True,)), (site, (False,))]
        self.meanings: tuple[Meaning, ...] = tuple(found)
        self.size = size
        assert len(self.meanings) == size, "what is counted is what there is"
        self._numbers = {each: number for number, each in enumerate(self.meanings)}

    def legal(self, decision: Decision) -> list[int]:
        """Return the legal numbers of a decision, in the order of options."""
        return [self.number(decision, each) for each in decision.options]

    def number(self, decision: Decision, choice: Choice) -> int:
        """Return the number of an option of a decision."""
        site = decision.site
        meaning: Meaning = ("", ())
        match choice:
            case Act(action, args):
                meaning = action, args
            case Done():
                pass
            case Picked(values):
                meaning = site, values
            case Answered(yes):
                meaning = site, (yes,)
            case Shared(amounts):
                asked = questions(self._program)[site]
                assert isinstance(asked, ir.ShareOut)
                given, every = dict(amounts), members(asked.bind.type)
                meaning = site, tuple(given.get(who, 0) for who in every)
        return self._numbers[meaning]

    def names(self) -> list[str]:
        """Return the meanings in words: `slide(2-5)`, `done`, `paying: none`."""
        program, labels, found = self._program, self._program.labels, list[str]()
        for name, values in self.meanings:
            if not name or values is None:
                found.append(f"{name}: none" if name else "done")
                continue
            asked = questions(program).get(name)
            match asked:
                case ir.AskDef():
                    said = ["yes" if values[0] else "no"]
                case ir.ShareOut(bind=bind):
                    each = zip(members(bind.type), values, strict=True)
                    said = [
                        f"{printed(who, bind.type, labels)} {n}" for who, n in each if n
                    ]
                case ir.ChooseOption(bind=bind):
                    said = [printed(value, bind.type, labels) for value in values]
                case None:
                    binds = option_binds(program.actions[name])
                    types = [bind.type for bind in binds for _ in bind.slots]
                    pairs = zip(values, types, strict=True)
                    said = [printed(value, type_, labels) for value, type_ in pairs]
            if asked is not None:
                found.append(f"{name}: {', '.join(said) or 'nobody'}")
            else:
                found.append(f"{name}({', '.join(said)})" if said else name)
        return found


def action_space(
    program: ir.Program, actions: Numbering = "listed", cut: int | None = None
) -> ActionSpace:
    """Return the action space of a program.

    Raises:
        ValueError: too many actions, or a cut for stable actions, which cannot be cut.
    """
    if actions == "listed":
        return ListedActions(program, cut)
    if actions != "stable":
        raise ValueError(f'Actions are "stable" or "listed", not {actions!r}.')
    if cut is not None:
        raise ValueError('Only listed actions are cut: omit `cut` with "stable".')
    return StableActions(program)


def most_options(program: ir.Program) -> int:
    """Return an upper bound of the options of a decision, from the rules alone."""
    asked = [_how_many(each) for each in questions(program).values()]
    return max([_all_takings(program) + 1, *asked])


def _all_takings(program: ir.Program) -> int:
    return sum(_ways(option_binds(action)) for action in program.actions.values())


def _ways(binds: Sequence[ir.Bind]) -> int:
    """Return the number of combinations of values of some variables."""
    return prod(
        count_subsets(len(members(bind.type.member)), bind.low, bind.high)
        if isinstance(bind.type, Set)
        else len(members(bind.type))
        for bind in binds
        for _ in bind.slots
    )


def _how_many(asked: Question) -> int:
    """Return the number of answers to a question."""
    match asked:
        case ir.ChooseOption(bind=bind, must=must):
            return _ways((bind,)) + (not must)
        case ir.ShareOut(bind=bind):
            return count_shares(_most_shared(asked), len(members(bind.type)) + 1)
        case ir.AskDef():
            return 2


def _most_shared(asked: ir.ShareOut) -> int:
    type_ = asked.amount.type
    inner = core(type_)
    return max(inner.high, 0) if isinstance(inner, Whole) else 0


def _combined(binds: Sequence[ir.Bind]) -> Iterator[Values]:
    """Yield every combination of values of some variables, the last one fastest."""
    yield from product(*(values_of_bind(bind) for bind in binds for _ in bind.slots))


def values_of_bind(bind: ir.Bind) -> Sequence[Data]:
    """Return the possible values of a variable, in the order of options."""
    if not isinstance(bind.type, Set):
        return members(bind.type)
    return list(subsets(members(bind.type.member), bind.low, bind.high))


def _amount(number: int) -> str:
    return f"{number:,}" if number < 10**12 else f"more than {10**12:,}"
