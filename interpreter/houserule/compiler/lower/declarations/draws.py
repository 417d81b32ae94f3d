"""Random starts: a state that starts at random is drawn by a step before all others.

The step is in the phase of the state's life, or in the game itself. Reading the state
earlier is an error, E211.
"""

from __future__ import annotations

from dataclasses import replace

from houserule import ir
from houserule.base.source import Span
from houserule.compiler.lower.expressions import expect, numbers
from houserule.compiler.lower.messages import E014, E015, E018, E211
from houserule.compiler.lower.symbols.scope import Scope, key_binds, key_locals
from houserule.compiler.lower.symbols.symbol_table import StateSymbol, SymbolTable
from houserule.compiler.lower.types import (
    fit,
    in_words,
    is_broken,
    may_be_none,
    member_of,
)
from houserule.ir.access import Access
from houserule.ir.types import Set, core, least
from houserule.ir.walk import beneath
from houserule.language.syntax import tree


def first_and_among(
    scope: Scope, state: StateSymbol, written: tree.Expr
) -> tuple[ir.Expr, ir.Expr | None]:
    """Return the first value of a state, and the set that it is drawn from, if any.

    Before the draw it has the least value of its type, which no seat sees.
    """
    if not isinstance(written, tree.AtRandom):
        return expect.value(scope, written, state.type, state.name), None
    among = expect.some_set(scope, written.among)
    first = ir.Const(least(state.type), state.type, span=written.span)
    if is_broken(among.type) or is_broken(state.type):
        return first, None
    member = member_of(among.type)
    symbols = scope.symbols
    if fit(member, state.type) != "yes":
        message = f"What is drawn is {in_words(member)}, and `{state.name}` is "
        message += f"{in_words(state.type)}."
        symbols.report(E014, message, written.among.span)
    elif not may_be_none(state.type) and not _fewest(among):
        message = f"If this set is empty, nothing is drawn, and `{state.name}` cannot "
        message += "be none."
        fix = f"state {state.name}: … or none starts at random among …"
        symbols.report(E015, message, written.among.span, fixes=(fix,))
    return first, among


def _fewest(among: ir.Expr) -> int:
    """Return how many members a set has at least."""
    match among:
        case ir.Const(value=tuple() as found):
            return len(found)
        case ir.MakeSet(items=items):
            return int(any(not may_be_none(each.type) for each in items))
        case ir.MakeRange(low=low, high=high):
            first, last = numbers.range_of(low).high, numbers.range_of(high).low
            return max(0, last - first + 1)
        case ir.CombineSets(op="plus", left=left, right=right):
            return max(_fewest(left), _fewest(right))
        case ir.CombineSets(op="but", left=left, right=right):
            match right:
                case ir.Const(value=tuple() as found):
                    most = len(found)
                case ir.MakeSet(items=items):
                    most = len(items)
                case _:
                    most = _fewest(left) if isinstance(core(right.type), Set) else 1
            return max(0, _fewest(left) - most)
        case _:
            return int(isinstance(among.type, Set) and among.type.part)


def with_draws(symbols: SymbolTable, program: ir.Program) -> ir.Program:
    """Return a program with a step for each state that starts at random.

    It also sets the states that follow from the draws so far.
    """
    states = sorted(program.states.values(), key=lambda state: state.stage)
    drawn = [each for each in states if each.among is not None]
    follows = [each for each in states if each.follows is not None]
    access = Access(program)
    by_place = {("state", each.name): each for each in (*drawn, *follows)}
    early: list[tuple[str, ir.CoreNode, str, Span]] = [
        ("what a zone begins with", zone.starts, "", zone.starts.span)
        for zone in program.zones.values()
        if zone.starts is not None
    ]
    early += (
        ("what is asserted", each, "", each.test.span) for each in program.asserts
    )
    early += (
        ("the condition of the phase", phase.guard, phase.name, phase.guard.span)
        for phase in program.phases.values()
        if phase.guard is not None
    )
    for what, node, life, span in early if drawn else ():
        for read in sorted(access.reads(node) & by_place.keys()):
            state = by_place[read]
            if state.life == life:
                when = f"each `{life}`" if life else "the game"
                how = "drawn" if state.among is not None else "set after a draw"
                symbols.report(
                    E211,
                    f"`{state.name}` has no value here: it is {how} as {when} begins.",
                    span,
                    f"this is {what}, and that is read before",
                )
    # The last draw that each state follows from, in the order of draws.
    names = {state.name for state in (*drawn, *follows)}
    last: dict[str, int] = {state.name: n for n, state in enumerate(drawn)}
    set_in: dict[str, ir.StateDef] = {}
    for state in follows:
        reads = {name for _, name in access.reads(state.begins)} & names
        last[state.name] = max(last[name] for name in reads)
        set_in[state.name] = drawn[last[state.name]]
    for state in drawn:
        phase = program.phases.get(state.life, program.root)
        if phase.together:
            message = f"In `{phase.name}` all act together, so nothing is drawn before."
            symbols.report(E018, message, state.span)
            continue
        # The step that draws every cell of a state, by key, and sets others.
        after = [each for each in follows if set_in[each.name] is state]
        assert state.among is not None
        among = state.among
        slot = 1 + len(state.keys) + _slots(among)
        member = member_of(among.type)
        keys = key_locals(state.keys)
        bind = ir.Bind(
            (slot,), ("it",), "member", member, among, 1, None, span=among.span
        )
        value = ir.Local(slot, "it", member)
        noted = ir.SetCell(state.name, keys, value, anew=True, span=state.span)
        block: ir.Block = (
            ir.DrawOne(bind, None, (noted,), state.stream, span=state.span),
        )
        block = _for_all_keys(state, block)
        for each in after:
            there = key_locals(each.keys)
            noted = ir.SetCell(each.name, there, each.begins, span=each.span)
            block = (*block, *_for_all_keys(each, (noted,)))
            slot = max(slot, len(each.keys) + _slots(each.begins))
        name = f"{state.life}{ir.KEPT}{state.stream}"
        body = ir.Body(name, block, slot + 1, span=state.span)
        step = ir.StepDef(
            name, state.life, None, None, body, (), silent=True, span=state.span
        )
        earlier = {n for n in phase.items if n in program.steps}
        earlier = {name for name in earlier if program.steps[name].silent}
        before = {
            name: found if name in earlier else (*found, step.name)
            for name, found in phase.before.items()
        }
        changed = replace(
            phase,
            items=tuple(sorted((*phase.items, step.name))),
            before={**before, step.name: tuple(sorted(earlier))},
        )
        phases = dict(program.phases)
        if state.life:
            phases[state.life] = changed
        root = program.root if state.life else changed
        steps = {**program.steps, step.name: step}
        program = replace(program, steps=steps, phases=phases, root=root)
    return program


def _for_all_keys(state: ir.StateDef, block: ir.Block) -> ir.Block:
    if not state.keys:
        return block
    binds = key_binds(state.keys)
    return (ir.ForEach(binds, None, "most", (), block, span=state.span),)


def _slots(among: ir.Expr) -> int:
    """Return how many slots the variables in a set need."""
    return sum(len(n.slots) for n in beneath(among) if isinstance(n, ir.Bind)) + sum(
        isinstance(n, ir.ReachedCells | ir.DiceTest) for n in beneath(among)
    )
