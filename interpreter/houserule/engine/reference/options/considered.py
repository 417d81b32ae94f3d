"""A possible choice, complete or partial, with the verdict of each clause."""

from __future__ import annotations

from collections.abc import Mapping

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.reference.evaluate.context import Frame, GameContext
from houserule.engine.reference.options.legality import ActionPlan, JudgedKind
from houserule.ir.types import Data
from houserule.ir.walk import slots_read


@frozen
class Judgement:
    """The verdict of one clause of an action on a choice.

    `holds` None means that it is not decided: it reads a value that is not said yet, or
    one that is not possible here. `clause` is its node, of a parameter its binder.
    """

    address: str
    kind: JudgedKind
    holds: bool | None
    clause: ir.CoreNode


@frozen
class Considered:
    """A partial taking: values by slot, with the judgement of each clause.

    `frame` holds the acting seat and the given values; `settled` are the slots whose
    value is possible. Judgements are in the order of `refusals`: parameters, costs,
    limits, conditions.
    """

    plan: ActionPlan
    context: GameContext
    frame: Frame
    settled: frozenset[int]
    judgements: tuple[Judgement, ...]

    @property
    def complete(self) -> bool:
        return all(
            self.frame[slot] is not None
            for bind in self.plan.binds
            for slot in bind.slots
        )


def consider(
    plan: ActionPlan, context: GameContext, seat: int | None, said: Mapping[str, Data]
) -> Considered:
    """Judge a taking of an action; `said` are values by the names of its variables.

    The action must be the one that the context is `doing`. A taking that no clause
    refuses here is one that `refusals` allows: both ask the same tests.
    """
    frame = plan.frame(seat)
    settled: set[int] = set()
    found: list[Judgement] = []
    own = {slot for bind in plan.binds for slot in bind.slots}
    for bind, has in plan.domains:
        known = slots_read(bind.source) & own <= settled
        for slot, name in zip(bind.slots, bind.names, strict=True):
            if name not in said:
                continue
            frame[slot] = said[name]
            holds = has(context, frame, said[name]) if known else None
            address = f"{plan.action.name}.{name}"
            found.append(Judgement(address, "parameter", holds, bind))
            if holds:
                settled.add(slot)
    for kind, address, test, reads, clause in plan.tests():
        known = reads & own <= settled
        if plan.is_late(address):
            unpaid = known and plan.unpaid_together(context, frame)
            known = known and not unpaid and all(each.holds for each in found)
        found.append(
            Judgement(address, kind, test(context, frame) if known else None, clause)
        )
    joint = plan.unpaid_together(context, frame) if own <= settled else ""
    if joint and not any(each.kind == "cost" and not each.holds for each in found):
        found = [
            Judgement(each.address, each.kind, False, each.clause)
            if each.kind == "cost" and each.address == joint
            else each
            for each in found
        ]
    return Considered(plan, context, frame, frozenset(settled), tuple(found))
