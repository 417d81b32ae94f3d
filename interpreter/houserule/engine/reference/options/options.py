"""Decisions and their options: counted, indexed, iterated over and judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal, TypeAlias

from houserule import ir
from houserule.base.algebra.subsets import (
    AlikeShares,
    count_shares,
    shares,
    unrank_share,
)
from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.engine.reference.choices import (
    Act,
    Answered,
    Choice,
    Done,
    Picked,
    Refusal,
    Shared,
)
from houserule.engine.reference.evaluate.context import Frame, GameContext
from houserule.engine.reference.evaluate.work import too_many
from houserule.engine.reference.options.considered import Considered, consider
from houserule.engine.reference.options.domains import first_not
from houserule.engine.reference.options.legality import ActionPlan
from houserule.engine.reference.options.product import Product
from houserule.engine.reference.options.steps import ProductSteps, ShareSteps
from houserule.engine.state.faults import RuleFault
from houserule.ir.types import Data
from houserule.ir.walk import slots_read

Which: TypeAlias = Literal["product", "sensible", "usual"]
LISTED = 1_000  # options of a decision that are kept once they were found


class Options(ABC):
    """The options of one decision, in the order that the language lays down.

    Example:
        >>> options = houserule.load("hex_board").table().start().options
        >>> len(options), options[0] in options, options.first(1)
        (25, True, [Act(action='put', args=(0,))])
    """

    _listed: tuple[Choice, ...] | None = None
    _indexed = False

    @abstractmethod
    def _count(self) -> int:
        """Return how many options there are."""

    @abstractmethod
    def _walk(self) -> Iterator[Choice]:
        """Yield the options in order."""

    @abstractmethod
    def _seek(self, index: int) -> Choice:
        """Return the option number `index`, from 0; IndexError past the last."""

    def count(self) -> int:
        """Return how many options there are."""
        return self._count() if self._listed is None else len(self._listed)

    def __iter__(self) -> Iterator[Choice]:
        """Yield the options in order; up to `LISTED` of them are kept for later."""
        if self._listed is not None:
            yield from self._listed
            return
        listed = list[Choice]()
        for option in self._walk():
            if len(listed) <= LISTED:
                listed.append(option)
            yield option
        if len(listed) <= LISTED:
            self._listed = tuple(listed)

    def __getitem__(self, index: int) -> Choice:
        """Return the option number `index`, from 0, or from the end if negative.

        One option is found without the others. The second index lists them all, unless
        there are more than `LISTED`: to find a single one costs almost as much.

        Raises:
            IndexError: no such option.
        """
        if self._listed is None and self._indexed and self._count() <= LISTED:
            self._listed = tuple(self._walk())
        if self._listed is not None:
            return self._listed[index]
        self._indexed = True
        at = index if index >= 0 else index + self._count()
        if at < 0:
            raise IndexError(index)
        return self._seek(at)

    @abstractmethod
    def number(self, option: Choice) -> int:
        """Return the number of an option, which is one of them; all are not walked."""

    @abstractmethod
    def refusals(self, choice: Choice) -> tuple[Refusal, ...]:
        """Return the reasons against a choice; none if it is legal."""

    def offered(self, choice: Choice) -> Choice:
        """Return the option that a legal choice is, or is alike to.

        Of options that differ only by interchangeable things one is offered; choosing
        another means that one.
        """
        return choice

    def advice(self, choice: Choice) -> tuple[ir.AdviceDef, ...]:
        """Return the advice that holds for a legal choice.

        Advice does not change the options: an unwise choice is legal.
        """
        return ()

    def advised(self) -> Options:
        """Return the options that advice leaves; the same ones if there is no advice.

        These are of each action those that are not unwise; of these only the usual
        ones, if there are any. The result may be empty.
        """
        return self

    def __len__(self) -> int:
        return self.count()

    def __contains__(self, choice: Choice) -> bool:
        return not self.refusals(choice)

    def first(self, most: int) -> list[Choice]:
        """Return up to `most` options, the first ones; no other is looked for."""
        return list(islice(self, most))


@frozen
class Decision:
    """A decision that is due: the seat, the kind of decision, the place in the rules.

    `site` is the address of the clause that asks; of an "act" it is the phase.
    `open_steps` are the steps whose actions are offered in an "act".

    Example:
        >>> decision = houserule.load("pig").table().start().decision
        >>> decision.seat, decision.kind, decision.site, decision.open_steps
        (0, 'act', 'turn', ('deciding',))
    """

    seat: int
    kind: Literal["act", "choose", "share", "ask"]
    site: str
    options: Options
    open_steps: tuple[str, ...] = ()


class ActOptions(Options):
    """Actions that are open now, and `done` if it may be chosen."""

    def __init__(
        self,
        context: GameContext,
        seat: int | None,
        plans: Sequence[ActionPlan],
        done: bool,
        *,
        advised: bool = False,
    ) -> None:
        self._context, self._seat = context, seat
        self._plans = tuple(plans)
        self.done = done
        self._advised = advised

    def _products(self) -> Iterator[tuple[ActionPlan, Product, Frame]]:
        before = self._context.doing
        try:
            for plan in self._plans:
                self._context.doing = plan.number
                product = (
                    plan.advised(self._context, self._seat)
                    if self._advised
                    else plan.product
                )
                yield plan, product, plan.frame(self._seat)
        finally:
            self._context.doing = before

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions that are open here, possible or not, by name."""
        return tuple(plan.action.name for plan in self._plans)

    def steps(self, action: str, which: Which = "product") -> ProductSteps:
        """Return the variables of an open action, to be settled one by one.

        Only the choices count that are `sensible`, not unwise, or that are also `usual`
        if any choice may be.

        Raises:
            KeyError: the action is not open here.
        """
        for plan in self._plans:
            if plan.action.name == action:
                product: Product = getattr(plan, which)
                frame = plan.frame(self._seat)
                return ProductSteps(product, self._context, frame, plan.number)
        raise KeyError(action)

    def any_action(self) -> bool:
        """Return whether some action is legal."""
        return any(
            product.any(self._context, frame) for _, product, frame in self._products()
        )

    def _count(self) -> int:
        self._context.begin_work()
        return self.done + sum(
            product.count(self._context, frame)
            for _, product, frame in self._products()
        )

    def _walk(self) -> Iterator[Choice]:
        self._context.begin_work()
        most = limit("options")
        for plan, product, frame in self._products():
            for number, _ in enumerate(product.walk(self._context, frame), 1):
                if number > most:
                    raise too_many(plan.action.span, plan.action.name)
                yield self._act(plan, product, frame)
        if self.done:
            yield Done()

    def _seek(self, index: int) -> Choice:
        self._context.begin_work()
        for plan, product, frame in self._products():
            here = product.count(self._context, frame)
            if index < here:
                product.seek(self._context, frame, index)
                return self._act(plan, product, frame)
            index -= here
        if self.done and index == 0:
            return Done()
        raise IndexError(index)

    def number(self, option: Choice) -> int:
        self._context.begin_work()
        before = 0
        for plan, product, frame in self._products():
            if isinstance(option, Act) and option.action == plan.action.name:
                return before + product.number(self._context, frame, option.args)
            before += product.count(self._context, frame)
        return before

    @staticmethod
    def _act(plan: ActionPlan, product: Product, frame: Frame) -> Act:
        return Act(plan.action.name, product.values(frame))

    def refusals(self, choice: Choice) -> tuple[Refusal, ...]:
        """Return the clauses that refuse the choice here."""
        self._context.begin_work()
        match choice:
            case Done():
                return () if self.done else (Refusal("done"),)
            case Act(action, args):
                for plan, _, frame in self._products():
                    if plan.action.name == action:
                        return plan.refusals(self._context, frame, args)
                return (Refusal(f"{action}.during"),)
            case _:
                return (Refusal("action"),)

    def offered(self, choice: Choice) -> Choice:
        """Return the option that a legal choice is, or is alike to."""
        if isinstance(choice, Act):
            for plan, product, frame in self._products():
                if plan.action.name == choice.action and product.has_alike:
                    args = product.offered(self._context, frame, choice.args)
                    return replace(choice, args=args)
        return choice

    def consider(self, action: str, said: Mapping[str, Data]) -> Considered | None:
        """Judge a partial taking; None if the action is not open here.

        `said` are values by the names of the action's variables.
        """
        self._context.begin_work()
        for plan, _, _ in self._products():
            if plan.action.name == action:
                return consider(plan, self._context, self._seat, said)
        return None

    def filled_in(self, action: str, said: Mapping[str, Data]) -> dict[str, Data]:
        """Return the given values, with each variable that has one possible value.

        The domain of a variable decides what is possible, whatever refuses the taking.
        """
        self._context.begin_work()
        found = dict(said)
        for plan, product, frame in self._products():
            if plan.action.name != action:
                continue
            sources = [bind.source for bind in plan.binds for _ in bind.slots]
            for level, source in zip(product.levels, sources, strict=True):
                needed = slots_read(source)
                if level.name not in found and all(
                    each.name in found for each in product.levels if each.slot in needed
                ):
                    try:
                        few = [*islice(level.domain(self._context, frame), 2)]
                    except RuleFault:  # another value is outside its domain
                        few = []
                    if len(few) == 1:
                        found[level.name] = few[0]
                if level.name in found:
                    frame[level.slot] = found[level.name]
        return found

    def advice(self, choice: Choice) -> tuple[ir.AdviceDef, ...]:
        """Return the advice of the action that is taken."""
        if isinstance(choice, Act):
            for plan, _, frame in self._products():
                if plan.action.name == choice.action:
                    return plan.advice(self._context, frame, choice.args)
        return ()

    def advised(self) -> Options:
        """Return the same actions with the takings that their advice leaves."""
        if not any(plan.action.advice for plan in self._plans):
            return self
        return ActOptions(
            self._context, self._seat, self._plans, self.done, advised=True
        )


class PickOptions(Options):
    """Members to choose from, and to decline where the rules say `may`.

    Attributes:
        decline: whether nothing may be chosen.
    """

    def __init__(
        self,
        context: GameContext,
        product: Product,
        frame: Frame,
        decline: bool,
        site: str,
    ) -> None:
        self._context, self._product, self._frame = context, product, list(frame)
        self.decline, self._site = decline, site

    @property
    def bound(self) -> dict[int, Data]:
        """The local values at the place of the choice, by slot."""
        return dict(enumerate(self._frame))

    def steps(self) -> ProductSteps:
        """Return the variables of the choice, to be settled one by one."""
        return ProductSteps(self._product, self._context, list(self._frame))

    def _count(self) -> int:
        self._context.begin_work()
        return self._product.count(self._context, list(self._frame)) + self.decline

    def _walk(self) -> Iterator[Choice]:
        self._context.begin_work()
        frame = list(self._frame)
        for _ in self._product.walk(self._context, frame):
            yield Picked(self._product.values(frame))
        if self.decline:
            yield Picked(None)

    def _seek(self, index: int) -> Choice:
        self._context.begin_work()
        frame = list(self._frame)
        here = self._product.count(self._context, frame)
        if index == here and self.decline:
            return Picked(None)
        self._product.seek(self._context, frame, index)
        return Picked(self._product.values(frame))

    def number(self, option: Choice) -> int:
        self._context.begin_work()
        frame = list(self._frame)
        if isinstance(option, Picked) and option.values is not None:
            return self._product.number(self._context, frame, option.values)
        return self._product.count(self._context, frame)

    def refusals(self, choice: Choice) -> tuple[Refusal, ...]:
        """Return the site of the choice where it is not among the options."""
        self._context.begin_work()
        match choice:
            case Picked(None):
                fits = self.decline
            case Picked(values) if values is not None:
                fits = self._product.holds(self._context, list(self._frame), values)
            case _:
                fits = False
        return () if fits else (Refusal(self._site),)

    def offered(self, choice: Choice) -> Choice:
        """Return the option that a legal choice is, or is alike to."""
        match choice:
            case Picked(tuple() as values) if self._product.has_alike:
                frame = list(self._frame)
                return Picked(self._product.offered(self._context, frame, values))
            case _:
                return choice


class ShareOptions(Options):
    """Distributions of some pieces over members, in lexicographic order.

    Of options that differ only by interchangeable members, the first is listed.

    Attributes:
        amount: how many pieces there are.
    """

    def __init__(
        self,
        amount: int,
        over: tuple[int, ...],
        site: str,
        classes: tuple[int, ...] | None = None,
    ) -> None:
        self.amount, self.over, self._site = amount, over, site
        some = classes is not None and len({*classes}) < len(over)
        self._alike = AlikeShares(amount, classes) if some and classes else None

    def steps(self) -> ShareSteps:
        """Return how much each member gets, to be settled one by one."""
        return ShareSteps(self.amount, len(self.over), self._alike)

    def _count(self) -> int:
        if self._alike is not None:
            return self._alike.count()
        return count_shares(self.amount, len(self.over))

    def _shared(self, amounts: Sequence[int]) -> Shared:
        return Shared(
            tuple((who, n) for who, n in zip(self.over, amounts, strict=True) if n)
        )

    def _walk(self) -> Iterator[Choice]:
        every = shares(self.amount, len(self.over))
        for amounts in every if self._alike is None else self._alike.walk():
            yield self._shared(amounts)

    def _seek(self, index: int) -> Choice:
        if self._alike is not None:
            return self._shared(self._alike.at(index))
        return self._shared(unrank_share(self.amount, len(self.over), index))

    def number(self, option: Choice) -> int:
        wanted = self._amounts(option)

        def gives_more(number: int) -> bool:
            return self._amounts(self[number]) > wanted

        return first_not(gives_more, self.count())

    def _amounts(self, choice: Choice) -> list[int]:
        assert isinstance(choice, Shared), "pieces are shared here"
        given = dict(choice.amounts)
        return [given.get(who, 0) for who in self.over]

    def offered(self, choice: Choice) -> Choice:
        """Return the option that a legal choice is, or is alike to."""
        if self._alike is None or not isinstance(choice, Shared):
            return choice
        return self._shared(self._alike.alike(self._amounts(choice)))

    def refusals(self, choice: Choice) -> tuple[Refusal, ...]:
        """Return the site where the pieces do not add up or go elsewhere."""
        match choice:
            case Shared(amounts):
                names = [who for who, _ in amounts]
                fits = (
                    names == sorted(set(names))
                    and set(names) <= set(self.over)
                    and all(n > 0 for _, n in amounts)
                    and sum(n for _, n in amounts) == self.amount
                )
                return () if fits else (Refusal(self._site),)
            case _:
                return (Refusal(self._site),)


class AskOptions(Options):
    """Yes or no."""

    def __init__(self, site: str) -> None:
        self._site = site

    def _count(self) -> int:
        return 2

    def _walk(self) -> Iterator[Choice]:
        yield Answered(True)
        yield Answered(False)

    def _seek(self, index: int) -> Choice:
        return (Answered(True), Answered(False))[index]

    def number(self, option: Choice) -> int:
        return list(self).index(option)

    def refusals(self, choice: Choice) -> tuple[Refusal, ...]:
        """Return the question's address if the choice does not answer it."""
        return () if isinstance(choice, Answered) else (Refusal(self._site),)
