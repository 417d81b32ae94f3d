"""The part of the flow that depends on the program: phases by number, and arrays."""

from __future__ import annotations

from houserule import ir
from houserule.engine.compiled.clauses.procedures import CompiledProcedures
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.flow.first_values import Initialisation
from houserule.engine.compiled.flow.open_steps import OpenSteps, PhaseTree
from houserule.engine.compiled.flow.phases import PhaseFunctions
from houserule.engine.compiled.functions import Function, array_function, each_case
from houserule.engine.compiled.memory.layout import NUMBER
from houserule.engine.compiled.options.offers import OfferWriter

TAKEN_ONCE = ("exactly once", "at most once")


def write_flow(
    context: CompilationContext,
    translator: Translator,
    procedures: CompiledProcedures,
    offers: OfferWriter,
) -> dict[str, int]:
    """Write a program's own part of the flow; return addresses for the common part."""
    program, memory, data = context.program, context.memory, context.data
    tree = PhaseTree(context)
    open_steps = OpenSteps(context, tree, offers)
    initialisation = Initialisation(context, translator)
    functions = PhaseFunctions(
        context, tree, translator, procedures, open_steps, initialisation
    )
    phases, names = list(tree.phases.values()), list(tree.phases)
    numbers, which = range(len(names)), (("$which", "i32"),)
    for phase in phases:
        functions.write(phase)
    for title, kind in (("$flow_in", "phase"), ("$next_item", "next")):
        f = Function(title, which)
        for number in each_case(f, numbers):
            f.add(f"(call {tree.title(kind, phases[number])})")
        context.add(f)
    f = Function("$say_done_in", which)
    for number in each_case(f, numbers):
        open_steps.say_done(f, phases[number])
    context.add(f)
    f = Function("$acting_in", which, ("i32",))
    for number in each_case(f, numbers):
        open_steps.say_acting(f, phases[number])
    f.add("(unreachable)")
    context.add(f)

    # The guards that are asked seat by seat, where all play at once.
    f = Function("$guard", (*which, ("$me", "i32")), ("i32",))
    guards = {n: each.guard for n, each in enumerate(phases) if each.together}
    asked = {number: guard for number, guard in guards.items() if guard is not None}
    for number in each_case(f, asked):
        f.add(f"(return {translator.acting(f).truth(asked[number])})")
    f.add("(i32.const 1)")
    context.add(f)

    steps = program.steps
    step_phases = [tree.numbers[step.phase] for step in steps.values()]
    bits = [tree.phases[s.phase].items.index(n) for n, s in steps.items()]
    for title, values in (("$step_phase", step_phases), ("$step_bit", bits)):
        context.add(array_function(title, data.numbers(values or [0])))

    # Run a procedure, then close the steps that it closes.
    f = Function("$run", which, ("i32",))
    titles = list(procedures.numbers)
    for number in each_case(f, procedures.numbers.values()):
        call = f"(call {procedures.title(titles[number])})"
        after = _closing_after(program, tree, titles[number])
        if after is None:
            f.add(f"(return {call})")
        else:
            f.add(f"(if {call} (then (return (i32.const 1))))")
            f.add(after)
    f.add("(i32.const 0)")
    context.add(f)

    # Arrays that the runtime looks into.
    acts = [memory.phases[name].at for name in names]
    claimed = program.claimed
    together = [int(phase.together) + (phase.name in claimed) for phase in phases]
    phase_rows: list[int] = []
    for name in names:
        plan = memory.phases[name]
        phase_rows += [plan.items, plan.chosen, plan.chosen_width, 0]
    zone_rows: list[int] = []
    for zone in memory.zones.values():
        for index in range(zone.masks.count):
            order = zone.order
            zone_rows += [
                zone.masks.at + index * zone.masks.width,
                order.at + index * order.width if order else 0,
                -1 if zone.most is None else zone.most,
                zone.members.words,
            ]
    return {
        "phase_table": data.numbers(phase_rows),
        "zone_table": data.numbers(zone_rows or [0]),
        "act_table": data.numbers(acts),
        "together_table": data.numbers(together),
        "below_stack": memory.stack - NUMBER,
    }


def _closing_after(program: ir.Program, tree: PhaseTree, name: str) -> str | None:
    """Return what closes the steps that an action or a step closes."""
    kind, _, called = name.partition(" ")
    steps = program.steps
    if kind == "step":
        phase = tree.phases[steps[called].phase]
        return tree.closing(phase, 1 << phase.items.index(called))
    if kind != "action" or program.actions[called].at not in steps:
        return None
    at = program.actions[called].at
    phase = tree.phases[steps[at].phase]
    if phase.together:
        return None
    closed = sum(1 << phase.items.index(each) for each in phase.before.get(at, ()))
    if steps[at].mode in TAKEN_ONCE:
        closed |= 1 << phase.items.index(at)
    return tree.closing(phase, closed) if closed else None
