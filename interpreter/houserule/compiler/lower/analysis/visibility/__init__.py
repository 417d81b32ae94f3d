"""Visibility: do options leak hidden information to the deciding seat (E601)?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import assert_never

from houserule import ir
from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.compiler.lower.analysis.visibility.decisions import (
    ME,
    Decisions,
    Influence,
)
from houserule.ir.access import Access
from houserule.ir.facts import NodeFacts, OwnReads
from houserule.ir.hidden_reads import HiddenReads, present
from houserule.ir.walk import beneath, option_binds


def visibility(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E601 for each option or question that depends on hidden information.

    Options may depend on information that the deciding seat sees. Only public
    information may decide who is asked, whether a question comes, and who sees
    something. In effects, this includes everything on the way to a decision:
    conditions, loops, and `let` variables.
    """
    reported: set[tuple[str, object]] = set()
    for each, hidden in leaks(program, access):
        key = (each.where, each.expr.span)
        if key not in reported:
            reported.add(key)
            whom, seat = "the player who decides", "that player may not see"
            fixes = [
                "choose from what can be seen, and look at the rest in `does`",
                "let the other player decide:  … by p",
            ]
            if each.decider is None:
                whom, seat = "everybody", "not all may see"
                fixes = [
                    "ask in any case, and look at it in `does`",
                    "let it decide what can be chosen:  may choose c in … where … by p",
                ]
                if each.where in {
                    **program.zones,
                    **program.states,
                    **program.components,
                }:
                    fixes = ["let everybody see what decides who sees it"]
            if any(
                isinstance(node, ir.PileTop)
                and (node.zone, node.end) == (hidden, "top")
                for node in beneath(each.expr)
            ):
                fixes.insert(
                    0, f"turn it over, then read it:  move 1 from {hidden} to …"
                )
            component = program.components.get(hidden)
            if each.decider is not None and component is not None and component.faces:
                fixes.append(
                    "name the dice by their owner:  those d in … where d.owner is me"
                )
            yield fault(
                E601,
                f"{each.where} would tell {whom} something about {hidden}, which "
                f"{seat}.",
                each.expr.span,
                details=(
                    "The options of a player may depend only on what that player "
                    "sees. Who is asked, whether a question comes, and who sees a "
                    "thing may depend only on what everybody sees.",
                ),
                fixes=tuple(fixes),
            )


def leaks(program: ir.Program, access: Access) -> Iterator[tuple[Influence, str]]:
    """Yield the influences on options or questions, with the hidden state they read."""
    reads = HiddenReads(program, access)
    if not reads.any:
        return
    facts = access.facts
    actions = (facts.of(_of_action, each) for each in program.actions.values())
    # Finding the reads is fast, and most of them are not hidden.
    reaching = (found for found, read in actions if reads.reached_by(read))
    inside = Decisions(program).influences()
    # The `for` and the times of phases: who is asked, in which order, how often. Their
    # `if` and `until` may read hidden state: a game may end because of it, and the end
    # reveals that much.
    phases = (
        Influence(expr, None, phase.name)
        for phase in program.phases.values()
        if _asks(phase, program)
        for expr in present(phase.source, phase.times)
    )
    # Seats learn from who sees a thing. If a condition selects the seats, each seat may
    # know its own condition.
    seers: list[Influence] = []
    for kind in (program.states, program.zones, program.components):
        for name, declared in kind.items():
            match declared.seen:
                case None:
                    pass
                case ir.Pick(True, bind, ir.CoreNode() as where, keys=()):
                    seat = ir.Local(bind.slots[0], bind.names[0], bind.type)
                    seers.append(Influence(bind.source, None, name))
                    seers.append(Influence(where, seat, name))
                case seen:
                    seers.append(Influence(seen, None, name))
    for each in (*chain.from_iterable(reaching), *phases, *inside, *seers):
        if reads.reached_by(facts.reads(each.expr)):
            hidden = reads.found(each.expr, each.seer)
            if hidden:
                yield each, hidden


E601 = MessageCode("E601", "leaks hidden information")
"""The options of a player, whether anyone is asked, or who sees a thing depend on
something that a player does not see.

**Why.** A player could deduce the hidden thing from the list of options, or from a
question. The program must not tell a player more than the table would. These may depend
on:

- **The options of a player**: what that player sees. The same applies to advice
  (`unwise`) and to a cost that may be payable or not.
- **In an effect**, this covers everything that leads to a choice: the `if` and `for`
  around it, earlier `let` values, and what the caller of the effect did.
- **Who is asked** (`asks`, `by`, the `for` of a phase): only what everyone sees.
- **Whether a question comes at all**: only what everyone sees. This covers the `if` and
  `for` around a choice, the `let` values that they read, and the `needs` of a reaction
  that asks something, because the question itself shows everyone that they are true.
  The origin of a parameter does not count, because a card that you play is seen.
- **Who sees a thing** (`seen only by`): only what everyone sees; but for
  `those q in players where …` each seat may know its own condition. A player certainly
  sees a hand that is `seen only by (those q in players where q is p or lies_open(p))`,
  if the hand is that player's own.

The `if` and `until` of a phase may depend on hidden things, because games end by them;
so may the `if` around `end turn`, `end game`, `end NAME` and `again` in an effect. Such
rules show everyone that the condition is true.

A choice with nothing to choose from is skipped, and the others may draw their
conclusions: see [a card in hand that wards something
off](../i-want.md#a-card-in-hand-that-wards-something-off).

If dice are seen only by their owner, select a player's own dice with
`those d in Cup where d.owner is me`. The number of things in a zone is always seen, and
so are the fields of each thing that are `showing`.

**For example**

```rules
action call(q in players but me) during deciding
  needs weaker: some c in hand(q) has c.income is 1
  does win: score(me) gains 1
```

```text
reaction moating instead of attack(q)
  needs moat: some c in hand(q) has c.kind is moat
  asks reveals "Show the moat?": q
```

**Fix.** Let options depend on what the player sees, and settle the rest in an effect.
Or let the player who sees it choose: `must choose c in hand(q) by q`. If a card is read
from the top of a face-down pile, turn it over first: move it to an open zone, then read
it ([an event card](../i-want.md#an-event-card-from-a-face-down-deck)). If a question
depends on hidden things, ask in any case, or make the condition part of the choice:
`may choose c in hand(q) where c.kind is moat by q`.
"""


def _of_action(
    action: ir.ActionDef, facts: NodeFacts
) -> tuple[list[Influence], OwnReads]:
    """Return the influences on whether an action is offered, with their reads."""
    given = {slot: (b.source,) for b in option_binds(action) for slot in b.slots}
    judging = [bind.source for bind in action.params]
    for cost in action.costs:
        judging += (bind.source for bind in cost.binds)
        for payment in cost.payments:  # what decides whether it can be paid
            match payment:
                case ir.PayThings(what=what):
                    judging.append(what)
                case ir.PayTop(count=much) | ir.PayTokens(count=much):
                    judging += (much, *payment.keys)
                case ir.PayCell(state=state, amount=much, keys=keys):
                    left = ir.ReadCell(state, keys, much.type, span=payment.span)
                    judging += (much, *keys, left)
                case _:
                    assert_never(payment)
    judging += (limit.count for limit in action.limits)
    for condition in (*action.conditions, *action.unwise):
        judging.append(condition.test)
        judging += (expr for _, expr in condition.lifts)
    found = [Influence(each, ME, action.name, given) for each in judging]
    if action.by is not None:
        found.append(Influence(action.by.source, None, action.name))
    return found, facts.reads_of([each.expr for each in found])


def _asks(phase: ir.PhaseDef, program: ir.Program) -> bool:
    """Return whether anything is decided in a phase."""
    return bool(phase.actions) or any(
        program.steps[item].mode is not None
        if item in program.steps
        else _asks(program.phases[item], program)
        for item in phase.items
    )
