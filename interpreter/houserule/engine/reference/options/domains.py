"""Domains of an option's variables: members or subsets, counted and found by number.

Of interchangeable things one is in a domain: the member with the least id, or the first
of the subsets that differ only by interchangeable members. Players may *name* any of
them, which then means the one that is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from houserule import ir
from houserule.base.algebra.subsets import (
    alike_parts,
    count_alike_parts,
    count_subsets,
    supersets,
    unrank_alike_part,
    unrank_subset,
)
from houserule.base.frozen import frozen
from houserule.engine.reference.evaluate.context import (
    Classes,
    Frame,
    GameContext,
    Members,
)
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.ir.types import Data, Kind, Set

Membership: TypeAlias = Callable[[GameContext, Frame, Data], bool]


@frozen
class MemberDomain:
    """The members of a set, in its order."""

    members: Members

    def count(self, ctx: GameContext, frame: Frame) -> int:
        """Return how many there are."""
        return len(self.members(ctx, frame))

    def at(self, ctx: GameContext, frame: Frame, index: int) -> int:
        """Return the one with a number, from 0; IndexError if out of range."""
        return self.members(ctx, frame)[index]

    def number(self, ctx: GameContext, frame: Frame, member: Data) -> int:
        return self.members(ctx, frame).index(member)


@frozen
class SubsetDomain:
    """The subsets of some members, of a least and a greatest size."""

    members: Members
    low: int
    high: int | None

    def count(self, ctx: GameContext, frame: Frame) -> int:
        """Return how many there are."""
        return count_subsets(len(self.members(ctx, frame)), self.low, self.high)

    def at(self, ctx: GameContext, frame: Frame, index: int) -> tuple[int, ...]:
        """Return the one with a number, from 0; IndexError if out of range."""
        return unrank_subset(self.members(ctx, frame), self.low, self.high, index)

    def number(self, ctx: GameContext, frame: Frame, part: Data) -> int:
        return _number(self, ctx, frame, part)

    def holding(
        self, ctx: GameContext, frame: Frame, held: Sequence[int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield those that have some members, the smaller ones first."""
        return supersets(self.members(ctx, frame), held, self.low, self.high)

    def count_holding(self, ctx: GameContext, frame: Frame, held: Sequence[int]) -> int:
        """Return how many of them have some members."""
        members = self.members(ctx, frame)
        if not set(held) <= set(members):
            return 0
        high = None if self.high is None else self.high - len(held)
        return count_subsets(len(members) - len(held), self.low - len(held), high)

    def further(self, ctx: GameContext, frame: Frame, held: Sequence[int]) -> list[int]:
        """Return the members that may be added to some, by id."""
        return [each for each in self.members(ctx, frame) if each not in held]


@frozen
class AlikeSubsetDomain:
    """The subsets of some members; of those that differ by alike ones, the first."""

    classes: Classes
    low: int
    high: int | None

    def count(self, ctx: GameContext, frame: Frame) -> int:
        """Return how many there are."""
        return count_alike_parts(self.classes(ctx, frame), self.low, self.high)

    def at(self, ctx: GameContext, frame: Frame, index: int) -> tuple[int, ...]:
        """Return the one with a number, from 0; IndexError if out of range."""
        classes = self.classes(ctx, frame)
        return unrank_alike_part(classes, self.low, self.high, index)

    def number(self, ctx: GameContext, frame: Frame, part: Data) -> int:
        return _number(self, ctx, frame, part)

    def holding(
        self, ctx: GameContext, frame: Frame, held: Sequence[int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the values with the same number of each class as some members."""
        return alike_parts(self.classes(ctx, frame), self.low, self.high, held)

    def count_holding(self, ctx: GameContext, frame: Frame, held: Sequence[int]) -> int:
        """Count the values with the same number of each class as some members."""
        return count_alike_parts(self.classes(ctx, frame), self.low, self.high, held)

    def further(self, ctx: GameContext, frame: Frame, held: Sequence[int]) -> list[int]:
        """Return the members that may be added to some: of each class one, by id."""
        left = (
            [member for member in each if member not in held]
            for each in self.classes(ctx, frame)
        )
        return sorted(each[0] for each in left if each)


def _number(
    domain: SubsetDomain | AlikeSubsetDomain, ctx: GameContext, frame: Frame, part: Data
) -> int:
    """Return the number of a part: smaller ones come first, then those by least ids."""
    assert isinstance(part, tuple)

    def comes_before(number: int) -> bool:
        found = domain.at(ctx, frame, number)
        return (len(found), found) < (len(part), part)

    return first_not(comes_before, domain.count(ctx, frame))


def first_not(holds: Callable[[int], bool], count: int) -> int:
    """Return the first number below a count for which something does not hold.

    It holds for all before that one, and for none behind; if for all, it is the count.
    """
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            low = middle + 1
        else:
            high = middle
    return low


@frozen
class Once:
    """Things of which alike ones are offered once.

    `after` is the slot of the first of a pair, whose second this is, or None.
    """

    kind: Kind
    classes: Classes
    after: int | None


def subsets_of(
    bind: ir.Bind, evaluator: Evaluator
) -> SubsetDomain | AlikeSubsetDomain | None:
    """Return the domain of a subset variable, or None for a member variable."""
    if bind.how != "subset":
        return None
    if isinstance(bind.source, ir.Distinct):
        classes = evaluator.classes(bind.source)
        return AlikeSubsetDomain(classes, bind.low, bind.high)
    return SubsetDomain(evaluator.members(bind.source), bind.low, bind.high)


def once_of(bind: ir.Bind, evaluator: Evaluator) -> Once | None:
    """Return of which things a binder offers alike ones once, if of any."""
    after = None
    match bind.source:
        case ir.Distinct() as source:
            pass
        case ir.CombineSets("beyond", ir.Distinct() as source, ir.Local(slot=slot)):
            after = slot
        case _:
            return None
    assert isinstance(source.type, Set)
    assert isinstance(source.type.member, Kind)
    return Once(source.type.member, evaluator.classes(source), after)


def membership(bind: ir.Bind, evaluator: Evaluator) -> Membership:
    """Return the test whether a value may be named for a binder's variable.

    That is what it runs over, and what differs from that only by alike things.
    """
    source = bind.source
    match source:
        case ir.Distinct(operand=every):
            source = every
        case ir.CombineSets("beyond", ir.Distinct(operand=every)):
            source = replace(source, left=every)
        case _:
            pass
    members = evaluator.members(source)
    if bind.how == "member":
        return lambda ctx, frame, value: value in members(ctx, frame)

    def has(ctx: GameContext, frame: Frame, value: Data) -> bool:
        if not isinstance(value, tuple) or tuple(sorted(set(value))) != value:
            return False
        fits = bind.low <= len(value) and (bind.high is None or len(value) <= bind.high)
        return fits and set(value) <= set(members(ctx, frame))

    return has
