"""Legality: which takings of an action are legal, and which clauses refuse others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Literal, TypeAlias, cast

from houserule import ir
from houserule.engine.reference.choices import Refusal
from houserule.engine.reference.evaluate.context import (
    Code,
    Frame,
    GameContext,
    Truth,
    as_set,
)
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.reference.options.domains import membership
from houserule.engine.reference.options.product import Guard, Product, build
from houserule.engine.state.store import Store
from houserule.ir.access import Access
from houserule.ir.types import Data
from houserule.ir.walk import option_binds, slots_read

JudgedKind: TypeAlias = Literal["parameter", "cost", "limit", "needs"]
ClauseTest: TypeAlias = tuple[JudgedKind, str, Truth, frozenset[int], ir.CoreNode]


def holds(condition: ir.Condition, evaluator: Evaluator) -> Truth:
    """Return the test of a named condition, its lifts included.

    If the evaluator notes answers, it notes each by the condition's address.
    """
    test = evaluator.expr(condition.test)
    lifts = tuple(evaluator.expr(lift) for _, lift in condition.lifts)
    whole: Truth = (
        test
        if not lifts
        else lambda ctx, frame: (  # type: ignore[assignment]  # a flag, by the check
            bool(test(ctx, frame)) or any(lift(ctx, frame) for lift in lifts)
        )
    )
    if evaluator.answers is None:
        return whole
    noted = evaluator.answers.setdefault(condition.address, set())

    def noting(ctx: GameContext, frame: Frame) -> bool:
        answer = bool(whole(ctx, frame))
        noted.add(answer)
        return answer

    return noting


def reads_of(condition: ir.Condition) -> frozenset[int]:
    """Return the slots that a condition and its lifts read."""
    return slots_read(condition.test, *(lift for _, lift in condition.lifts))


def asked_in_turn(
    action: ir.ActionDef, access: Access
) -> tuple[list[ir.Condition], list[ir.Condition]]:
    """Return an action's conditions: plain ones, and those that imagine an action.

    The latter are asked of takings that nothing else refuses, since what cannot be done
    cannot be imagined either.
    """
    late = [each for each in action.conditions if access.imagines(each)]
    return [each for each in action.conditions if each not in late], late


class Payability:
    """Whether some payments can be made together.

    Things of different payments must be disjoint; one pile, one slot of tokens or one
    counter must cover the sum of its payments.
    """

    def __init__(
        self, payments: Sequence[ir.Payment], evaluator: Evaluator, program: ir.Program
    ) -> None:
        self._things = [
            (each.kind.name, evaluator.expr(each.what))
            for each in payments
            if isinstance(each, ir.PayThings)
        ]
        self._stocks = [
            _stock(each, evaluator, program)
            for each in payments
            if not isinstance(each, ir.PayThings)
        ]

    def __call__(self, ctx: GameContext, frame: Frame) -> bool:
        """Return whether all can be paid, for the values in the frame."""
        taken = [(kind, as_set(what(ctx, frame))) for kind, what in self._things]
        for (kind, some), (other, more) in combinations(taken, 2):
            if kind == other and not set(some).isdisjoint(more):
                return False
        need: Counter[tuple[str, int]] = Counter()
        have: dict[tuple[str, int], int] = {}
        for stock in self._stocks:
            place, there, amount = stock(ctx, frame)
            need[place] += amount
            have[place] = there
        return all(amount <= have[place] for place, amount in need.items())


def _stock(
    payment: ir.PayTop | ir.PayTokens | ir.PayCell,
    evaluator: Evaluator,
    program: ir.Program,
) -> Callable[[GameContext, Frame], tuple[tuple[str, int], int, int]]:
    """Return the function to the place, the amount there, and the amount taken."""
    least = 0
    match payment:
        case ir.PayTop(count=amount, zone=family):

            def lying(store: Store, index: int) -> int:
                return len(store.zones[family][index])

        case ir.PayTokens(count=amount, slot=family):

            def lying(store: Store, index: int) -> int:
                return store.tokens[family][index]

        case ir.PayCell(amount=amount, state=family):
            least = getattr(program.states[family].type, "low", 0)

            def lying(store: Store, index: int) -> int:
                return cast("int", store.cells[family][index])

    index = evaluator.index(family, payment.keys, payment.span)
    number = evaluator.number(amount)

    def stock(ctx: GameContext, frame: Frame) -> tuple[tuple[str, int], int, int]:
        at = index(ctx, frame)
        return (family, at), lying(ctx.store, at) - least, number(ctx, frame)

    return stock


class ActionPlan:
    """One action: its options over a frame, and the clauses that refuse a taking."""

    def __init__(
        self, action: ir.ActionDef, access: Access, evaluator: Evaluator
    ) -> None:
        self.action = action
        program = access.program
        labels = program.labels.get("Action", tuple(sorted(program.actions)))
        self.number = labels.index(action.name)
        self.binds = option_binds(action)
        slots = frozenset(slot for bind in self.binds for slot in bind.slots)
        plain, late = asked_in_turn(action, access)
        self._conditions = tuple(
            (each.address, holds(each, evaluator), reads_of(each)) for each in plain
        )
        self._late = tuple(
            (each.address, holds(each, evaluator), slots) for each in late
        )
        self._clauses = (*plain, *late)
        self._limits = tuple(
            (each.address, evaluator.expr(each.count), slots_read(each.count))
            for each in action.limits
        )
        self._costs = tuple(
            (
                cost.address,
                Payability(cost.payments, evaluator, program),
                slots_read(*cost.payments),
            )
            for cost in action.costs
            if cost.payments
        )
        every = tuple(pay for cost in action.costs for pay in cost.payments)
        self._joint = Payability(every, evaluator, program)
        self._several = len(self._costs) > 1
        self.domains = tuple((bind, membership(bind, evaluator)) for bind in self.binds)
        guards = [Guard(self._below(*limit[:2]), limit[2]) for limit in self._limits]
        guards += [Guard(test, reads) for _, test, reads in self._conditions]
        guards += [Guard(payable, reads) for _, payable, reads in self._costs]
        if self._several:
            guards.append(Guard(self._joint, slots_read(*every)))
        guards += [Guard(test, reads) for _, test, reads in self._late]
        self.product: Product = build(self.binds, guards, evaluator)
        self._advice = tuple((each, holds(each, evaluator)) for each in action.advice)
        self.sensible = self.usual = self.product
        for usual in (False, True):
            tests = [test for each, test in self._advice if each.usual is usual]
            if tests:
                guards.append(Guard(_any_of(tests, is_=usual), slots))
                self.usual = build(self.binds, guards, evaluator)
                if not usual:
                    self.sensible = self.usual

    @staticmethod
    def _below(address: str, count: Code) -> Truth:
        return lambda ctx, frame: ctx.taken.get(address, 0) < int(count(ctx, frame))  # type: ignore[arg-type]  # a number

    def frame(self, seat: int | None) -> Frame:
        """Return a fresh frame with the acting seat in its first slot."""
        frame: Frame = [None] * self.action.frame
        frame[0] = seat
        return frame

    def bind(self, frame: Frame, args: Sequence[Data]) -> bool:
        """Put the values of a taking into the frame; False if the number is off."""
        slots = [slot for bind in self.binds for slot in bind.slots]
        if len(slots) != len(args):
            return False
        for slot, value in zip(slots, args, strict=True):
            frame[slot] = value
        return True

    def refusals(
        self, ctx: GameContext, frame: Frame, args: Sequence[Data]
    ) -> tuple[Refusal, ...]:
        """Return every clause that refuses this taking; none if it is legal.

        Conditions are asked only where every value is in its domain.
        """
        name = self.action.name
        if not self.bind(frame, args):
            return (Refusal(f"{name}.parameters"),)
        outside = [
            f"{self.action.name}.{name}"
            for bind, has in self.domains
            for slot, name in zip(bind.slots, bind.names, strict=True)
            if not has(ctx, frame, frame[slot])
        ]
        if outside:
            return tuple(Refusal(address) for address in outside)
        failing = [
            address
            for address, count, _ in self._limits
            if not self._below(address, count)(ctx, frame)
        ]
        failing += [
            address for address, test, _ in self._conditions if not test(ctx, frame)
        ]
        unpaid = [
            address for address, payable, _ in self._costs if not payable(ctx, frame)
        ]
        if not unpaid and (joint := self.unpaid_together(ctx, frame)):
            unpaid = [joint]
        if not unpaid and not failing:
            failing = [each for each, test, _ in self._late if not test(ctx, frame)]
        return tuple(map(Refusal, dict.fromkeys((*unpaid, *failing))))

    def tests(self) -> Iterator[ClauseTest]:
        """Yield the tests of a taking: costs, limits, conditions, as refusals do.

        Each comes with its kind, its address, the slots it reads, and its clause.
        """
        nodes = {cost.address: cost for cost in self.action.costs}
        for address, payable, reads in self._costs:
            yield "cost", address, payable, reads, nodes[address]
        for limit, (address, count, reads) in zip(
            self.action.limits, self._limits, strict=True
        ):
            yield "limit", address, self._below(address, count), reads, limit
        conditions = (*self._conditions, *self._late)
        for condition, (address, test, reads) in zip(
            self._clauses, conditions, strict=True
        ):
            yield "needs", address, test, reads, condition

    def is_late(self, address: str) -> bool:
        """Return whether a condition is evaluated only if no other fails."""
        return any(address == each for each, _, _ in self._late)

    def unpaid_together(self, ctx: GameContext, frame: Frame) -> str:
        """Return the cost that refuses where costs cannot be paid together, else ''."""
        if self._several and not self._joint(ctx, frame):
            return self._costs[-1][0]
        return ""

    def advice(
        self, ctx: GameContext, frame: Frame, args: Sequence[Data]
    ) -> tuple[ir.AdviceDef, ...]:
        """Return the advice that holds for a legal taking."""
        if not self._advice:
            return ()
        self.bind(frame, args)
        return tuple(each for each, test in self._advice if test(ctx, frame))

    def advised(self, ctx: GameContext, seat: int | None) -> Product:
        """Return the takings that are advised now: the usual ones, if there are any."""
        if self.usual is self.sensible or self.usual.any(ctx, self.frame(seat)):
            return self.usual
        return self.sensible


def _any_of(tests: Sequence[Truth], *, is_: bool) -> Truth:
    """Return the test that some of the tests hold, or that none does."""
    return lambda ctx, frame: any(test(ctx, frame) for test in tests) is is_
