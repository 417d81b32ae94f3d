"""Check that a seat acts wherever rules refer to the acting seat.

A reaction with `me` must not trigger when no seat acts (E017). In a simultaneous phase
each seat acts once, in one open step, and changes only its own state (E212), so the
order of seats does not matter. Where only the first who claims acts, it may change
anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from houserule import ir
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.source import Span
from houserule.compiler.lower.messages import E017
from houserule.compiler.lower.symbols.symbol_table import SymbolTable
from houserule.ir.access import Access
from houserule.ir.walk import beneath, slots_read


def acting_seats(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E017 for each reaction with `me` that may trigger when no seat acts.

    The hooks around a phase are outside it: its own player does not act there.
    """
    speaking = [
        each
        for each in program.reactions.values()
        if 0 in slots_read(each)
        or any(
            isinstance(node, ir.ShareOut)
            or (isinstance(node, ir.ChooseOption) and node.by is None)
            for node in beneath(each)
        )
    ]
    reactions = [each for each in speaking if each.moment == "when"]

    def has_actor(phase: ir.PhaseDef | None) -> bool:
        while phase is not None and not phase.acts:
            phase = program.phases.get(phase.parent)
        return phase is not None

    bodies: dict[str, tuple[ir.Body, ...]] = {
        name: (step.body,)
        for name, step in program.steps.items()
        if step.body is not None and not has_actor(program.phases.get(step.phase))
    }
    for phase in program.phases.values():
        if has_actor(phase) and not phase.acts:
            continue
        hooks = {*phase.before_hooks, *phase.after_hooks}
        for each in speaking:
            if each.name in hooks:
                yield fault(
                    E017,
                    f"{each.name} uses `me`, but {each.moment} {phase.name} "
                    "nobody acts.",
                    each.span,
                    fixes=(f"write a step in the phase:  step {phase.name}.NAME: …",),
                )
        for hook in hooks:
            bodies[hook] = program.reactions[hook].does
    for name, does in bodies.items():
        written = access.places_written(*does)
        for reaction in reactions:
            if written & access.value_reads(reaction.event):
                yield fault(
                    E017,
                    f"{reaction.name} uses `me`, but {name}, which may set it "
                    "off, has nobody who acts.",
                    reaction.span,
                    fixes=("name the player: one of the keys, or `old` and `new`",),
                )


# ---- simultaneous phases


def check_simultaneous(
    symbols: SymbolTable,
    actions: Mapping[str, ir.ActionDef],
    effects: Mapping[str, ir.EffectDef],
) -> None:
    """Report E212 for phases that cannot be simultaneous."""
    for name, placed in symbols.rules.phases.items():
        if not placed.node.together:
            for each in symbols.children(name):
                step = symbols.rules.steps.get(each)
                if step is not None and step.node.mode == ir.CLAIM:
                    symbols.report(
                        E212,
                        f"All are asked at once at `{each}`, but `{name}` is not "
                        "played together.",
                        step.node.name.span,
                        "everybody has to be asked at once",
                        fixes=(f"phase {name} for me in clockwise(…) together",),
                    )
            continue
        children = sorted(symbols.children(name))
        step = symbols.rules.steps.get(children[0]) if len(children) == 1 else None
        if step is None:
            message = f"`{name}` is played together, so it has exactly one step."
            span = placed.node.name.span
            details = (
                "Joint results belong in the next automatic step, outside this phase.",
            )
            symbols.report(E212, message, span, details=details)
        elif step.node.mode in {None, "any number"}:
            message = f"`{children[0]}` is played together, so each acts there once."
            hint = "write `must act once, if possible` or `at most once`"
            symbols.report(E212, message, step.node.name.span, hint)
        elif step.node.mode != ir.CLAIM:  # only one acts there, as if alone
            for action in actions.values():
                if action.at == children[0]:
                    _Writes(symbols, effects).check(action)


E212 = MessageCode("E212", "not in a simultaneous phase")
"""A phase played `together` contains something that is not possible there: more than
one step, or a change of what all share. Or a step has the mode `the first who claims`,
but its phase is not played `together`.

**Why.** All choose from the same state, unseen. Then the effects run in the order of
the seats, and must not see each other. At `the first who claims`, only one effect runs,
so it may change anything; but all must be asked at once.

**For example**

```rules
state highest: 0..9 starts as 0
phase bidding for me in players together
  step naming: must act once, if possible
action bid(n in 1..9) during naming
  does raise: highest becomes n      # shared by all
```

**Fix.** Change only what is `me`'s; put joint results into the next automatic step. If
only one of the players shall act, use
[`the first who claims`](../language/flow.md#claims).
"""


class _Writes:
    """Finds changes by an action to state that is not the acting player's."""

    def __init__(
        self, symbols: SymbolTable, effects: Mapping[str, ir.EffectDef]
    ) -> None:
        self._world, self._effects = symbols, effects
        self._running: list[str] = []

    def check(self, action: ir.ActionDef) -> None:
        """Report every place where the action changes shared state."""
        for body in (*(cost.body for cost in action.costs), *action.does):
            self._block(body.block, frozenset({0}), None)

    def _block(
        self, block: ir.Block, mine: frozenset[int], called_at: Span | None
    ) -> None:
        """Check a block; `mine` are the slots that hold the acting seat."""
        for node in beneath(*block):
            if isinstance(node, ir.CallEffect):
                effect = self._effects.get(node.effect)
                if effect is None or node.effect in self._running:
                    continue
                own = {slot for slot, a in enumerate(node.args, 1) if _is_me(a, mine)}
                self._running.append(node.effect)
                for body in effect.does:
                    self._block(body.block, frozenset(own), called_at or node.span)
                self._running.pop()
            elif isinstance(node, ir.Statement) and not all(
                any(_is_me(key, mine) for key in keys) for keys in _changed(node)
            ):
                self._world.report(
                    E212,
                    "All act at once here, so one may change only what is `me`'s.",
                    called_at or node.span,
                    "this is shared",
                    others=(Label(node.span, "here"),) if called_at else (),
                    details=(
                        "Joint results belong in the next automatic step, outside the "
                        "phase.",
                    ),
                )


def _is_me(key: ir.Expr, mine: frozenset[int]) -> bool:
    return isinstance(key, ir.Local) and key.slot in mine


def _changed(statement: ir.Statement) -> Iterable[Sequence[ir.Expr]]:
    match statement:
        case ir.SetCell(keys=keys) | ir.AddCell(keys=keys):
            yield keys
        case ir.MoveThings(to=ir.PositionOf(keys=keys)):
            yield keys
        case ir.MoveTop(keys=keys, to=to):
            yield keys
            yield to.keys if isinstance(to, ir.PositionOf) else ()
        case ir.MoveTokens(source_keys=source, to_keys=target):
            yield source
            yield target
        case ir.LetSlot() | ir.ShowThings():
            return
        case ir.When() | ir.ForEach() | ir.DrawOne() | ir.ShareOut():
            return  # their contents are visited separately
        case ir.ChooseOption() | ir.CallEffect():
            return
        case _:  # state of no seat: faces, the order of a pile, the flow
            yield ()
