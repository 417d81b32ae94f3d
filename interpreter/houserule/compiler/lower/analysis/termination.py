"""Termination: cycles of reactions, free actions, loops without an exit."""

from __future__ import annotations

from collections.abc import Iterator

from houserule import ir
from houserule.base.algebra.graph import closure
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import listed
from houserule.compiler.lower.expressions.numbers import range_of
from houserule.ir.access import Access
from houserule.ir.facts import Place
from houserule.ir.walk import beneath


def termination(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E501, E502 and W501 for rules that may never stop."""
    # Cycles with a reaction without a decreasing measure.
    watchers = {
        name: reaction
        for name, reaction in program.reactions.items()
        if reaction.moment == "when"
    }
    sets_off = {
        name: frozenset(
            key
            for key, other in watchers.items()
            if access.places_written(*reaction.does) & access.value_reads(other.event)
        )
        for name, reaction in watchers.items()
    }
    reached = closure(sets_off)
    reported: set[str] = set()
    for name, reaction in watchers.items():
        names = sorted(other for other in reached[name] if name in reached[other])
        if not names or name in reported:
            continue
        reported.update(names)
        cycle = [watchers[each] for each in names]
        watched = frozenset().union(*(access.value_reads(each.event) for each in cycle))
        if not all(_runs_out(each, watched, access) for each in cycle):
            chain = " -> ".join(
                f"{each.name} may change {cycle[(n + 1) % len(cycle)].event}"
                for n, each in enumerate(cycle)
            )
            yield fault(
                E501,
                f"{chain} -> {cycle[0].name} ...",
                reaction.span,
                others=tuple(
                    Label(each.span) for each in cycle if each is not reaction
                ),
                details=("`check` found nothing that gets smaller in each round.",),
                fixes=(
                    f"name what runs out, in {reaction.name}:  ends as this shrinks: …",
                    "or let a condition end it and write it as a step",
                ),
            )
    # Steps that only restart themselves or the phase they begin.
    for name, step in program.steps.items():
        if step.body is None or step.guard is not None:
            continue
        asked = [
            each.target if isinstance(each, ir.RequestAgain) else None
            for each in step.body.block
        ]
        phase = program.phases.get(step.phase, program.root)
        automatic = [
            each
            for each in phase.items
            if each != name
            and (each not in program.steps or program.steps[each].mode is None)
        ]
        same = {name}
        first = all(name in phase.before.get(each, ()) for each in automatic)
        if first and not phase.before.get(name) and phase.guard is None:
            same.add(step.phase)  # each item of the phase begins with this step
        if asked and same.issuperset(asked):
            yield fault(
                E501,
                f"{name} only begins {asked[0]} again, and so does the next time.",
                step.span,
                details=("Nobody decides in between, and nothing changes.",),
                fixes=(
                    "let a condition end it:  if …: again …",
                    "put it after a step where a player decides",
                ),
            )
    for action in program.actions.values():
        place = program.steps.get(action.at)
        counted = place is not None and place.mode != "any number"
        payments = [each for cost in action.costs for each in cost.payments]
        paid = False
        for each in payments:
            match each:
                case (
                    ir.PayTop(ir.Local() as chosen)
                    | ir.PayTokens(ir.Local() as chosen)
                    | ir.PayCell(ir.Local() as chosen)
                ):
                    paid |= range_of(chosen).low > 0  # if not, a player may choose 0
                case _:
                    paid = True
        if not (counted or paid or action.limits):
            # A limit is best for each turn: the nearest phase in which a seat acts.
            name = place.phase if place is not None else action.at
            around: list[str] = []
            while name in program.phases:
                around.append(name)
                name = program.phases[name].parent
            turns = [each for each in around if program.phases[each].acts]
            nearest = next(iter((*turns, *around)), "")
            own = (f"{action.name}.{each}" for each in ("few", "seldom", "often"))
            free = (each for each in own if each not in program.clauses)
            limit = next(free, f"{action.name}.NAME")
            costs, fixes = "costs", ["let it pay something that runs out:  cost …"]
            if payments:
                costs, fixes = "may cost", ["let the number that it pays begin at 1"]
            if nearest:
                fixes.insert(
                    0, f"limit it:  limit {limit}: at most once each {nearest}"
                )
            if place is not None:
                fixes.append(
                    f"make {place.name} `at most once`, or `must act once, if possible`"
                )
            yield fault(
                E502,
                f"{action.name} {costs} nothing and may be taken again and again: "
                f"{f'`{nearest}`' if nearest else 'the game'} need not end.",
                action.span,
                fixes=fixes,
            )
    reacting = [body for each in watchers.values() for body in each.does]
    for phase in program.phases.values():
        if phase.until is None or isinstance(phase.until, ir.Const):
            continue
        wanted = access.reads(phase.until)
        bodies = access.all_bodies(*access.child_bodies(phase.name), *reacting)
        written = access.places_written(*bodies)
        lives = {
            ("state", state.name)
            for state in program.states.values()
            if state.life and _inside(program, state.life, phase.name)
        }
        draws = any(
            isinstance(node, ir.CallEffect | ir.Doing | ir.PhaseVar)
            for node in beneath(phase.until)
        )
        if not draws and not wanted & (written | lives):
            ends = [f"`drawn by {each.address}`" for each in program.draws]
            outer = program.phases[phase.name].parent
            targets = {
                e.target for e in beneath(*bodies) if isinstance(e, ir.RequestEnd)
            }
            ends += [
                f"`end {each or 'game'}`"
                for each in sorted(targets)
                if not each or _inside(program, outer, each)
            ]
            only = listed([*ends, "its bound"], "or")
            stalled = "" if ends else ", and then the game is stalled"
            yield fault(
                W501,
                f"Nothing in {phase.name} changes what its `until` asks about: only "
                f"{only} can end it{stalled}.",
                phase.span,
            )


# ---- reactions


def _runs_out(
    reaction: ir.ReactionDef, watched: frozenset[Place], access: Access
) -> bool:
    """Return whether every write that keeps a cycle going lowers its measure.

    `watched` are the places that set off the reactions of the cycle.
    """
    if reaction.uses_up is None:
        return False
    measure = _counted(reaction.uses_up)
    for write in access.writes(*reaction.does):
        if write.place not in watched:
            continue
        match write.statement:
            case ir.MoveTokens(to=to):
                lowers = ("tokens", to) not in watched
            case ir.AddCell(amount=amount):
                low = getattr(amount.type, "low", -1)
                lowers = isinstance(low, int) and low >= 0
            case _:
                lowers = False
        if not (write.place in measure and write.lowers and lowers):
            return False
    return True


def _counted(measure: ir.Expr) -> frozenset[Place]:
    match measure:
        case ir.Aggregate(kind="sum", body=body):
            return _counted(body)
        case ir.Binary("+", left, right):
            return _counted(left) | _counted(right)
        case ir.TokenCount(slot=name):
            return frozenset({("tokens", name)})
        case ir.ReadCell(state=name):
            return frozenset({("state", name)})
        case _:
            return frozenset()


E501 = MessageCode("E501", "possible endless loop")
"""A reaction may trigger itself again indefinitely; or a step only repeats itself, or
its phase.

**Why.** Nothing in the circle gets smaller. The message shows the path. If a step does
nothing but `again`, and no one decides on the way to it, it returns to the same place
indefinitely. If only play can show that, it is [F11](F11.md).

**For example**

```rules
reaction gift when controller(c) changes from old to new
  does give: let p = new, if any: move 1 from supply(p) to markers(p, c)
```

```rules
phase refilling
  step refill: again refilling
```

**Fix.** Name what runs out with `ends as this shrinks: …`, or add a condition that
breaks the circle.
"""


# ---- actions


E502 = MessageCode("E502", "action without a cost or limit")
"""An action costs nothing, and players may repeat it without end.

**Why.** A turn might never end. Every action must pay something that runs out, be at a
counted step, or have a limit.

**For example**

```rules
action peek during turn      # any number of times
  does look: earned becomes 1
```

**Fix.** Add a `limit NAME: at most 3 times each turn` (or another phase around the
action), a `cost`, or make its step `at most once`.
"""


# ---- phases


W501 = MessageCode("W501", "until condition never changes")
"""Nothing in a phase changes what its `until` reads.

**Why.** Only something else can end the phase: a `drawn by`, an `end`, or its bound. At
its bound the game is stalled. If a turn in it need not end either, the game does not
get that far: bots give up after 20,000 decisions ([the limit](../trust.md#limits)
`decisions`).

**For example**

```text
phase round until finished, at most 400 times      # and `finished` never changes
```

**Fix.** Change the state that the condition reads, or correct the condition.
"""


def _inside(program: ir.Program, phase: str, outer: str) -> bool:
    while phase:
        if phase == outer:
            return True
        phase = program.phases[phase].parent if phase in program.phases else ""
    return False
