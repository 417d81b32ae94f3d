"""Turns: playing on from one decision to the next, by the rules of the flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast

from houserule import ir
from houserule.engine.reference.choices import Act, Choice, Done, Outcome
from houserule.engine.reference.evaluate.work import begin_step, spend
from houserule.engine.reference.options.options import ActOptions, Decision
from houserule.engine.reference.play.flow import Activation, depth_of
from houserule.engine.reference.play.machine import Machine, Task
from houserule.engine.state.faults import F06, F10, RuleFault
from houserule.engine.state.layout import all_keys
from houserule.ir.types import Data


def advance(m: Machine) -> Decision | None:
    """Play on to the next decision; None when the game is over."""
    while m.outcome is None:
        if m.frames:
            decision = m.execute()
        elif m.task is not None:
            _complete(m, m.task)
            decision = None
        else:
            decision = _run_flow(m)
        if decision is not None:
            return decision
    return None


def _complete(m: Machine, task: Task) -> None:
    """Close what a finished action or step closes; see whether the game is drawn.

    If it is not, the requests are honoured.
    """
    kind, name = task
    m.task = m.doing = None
    program = m.engine.program
    if kind == "action":
        at = program.actions[name].at
        if at in program.steps:
            depth = cast("int", depth_of(m.stack, program.steps[at].phase))
            m.engine.flow.after_taking(m.stack[depth], at)
    elif kind == "step":
        depth = cast("int", depth_of(m.stack, program.steps[name].phase))
        m.stack[depth].over.add(name)
    requests, m.requests = m.requests, []
    ends = [target for kind, target in requests if kind == "end"]
    agains = [target for kind, target in requests if kind == "again"]
    drawn = draws(m)
    if drawn:
        finish(m, Outcome("drawn", drawn_by=drawn))
    elif "" in ends:
        finish(m, Outcome("won"))
    elif ends:
        act = _unwind(m, ends)
        _next_item(m, act, m.engine.flow.phases[act.phase])
    else:
        phases = [name for name in agains if name in program.phases]
        if phases:
            _unwind(m, phases).begin_item()
        for name in agains:
            if name in program.steps:
                under_way = depth_of(m.stack, program.steps[name].phase)
                if under_way is not None:
                    m.engine.flow.reopen(m.stack[under_way], name)


def _unwind(m: Machine, phases: Sequence[str]) -> Activation:
    """Return to the outermost of some phases, which must be under way."""
    depths: list[int] = []
    for phase in phases:
        depth = depth_of(m.stack, phase)
        if depth is None:
            raise RuleFault(F10, f"{phase} is not in progress here.")
        depths.append(depth)
    least = min(depths)
    for act in m.stack[least + 1 :]:
        m.phase_items.pop(act.phase, None)
    del m.stack[least + 1 :]
    return m.stack[least]


def take(m: Machine, action: str, args: tuple[object, ...], seat: int | None) -> None:
    """Begin an action that is known to be legal."""
    m.emit("action", action, seat, args)
    m.begin(action, args, seat)


def apply(m: Machine, decision: Decision, choice: Choice) -> None:
    """Carry out a legal choice; `advance` goes on from there."""
    if decision.kind != "act":
        m.emit(decision.kind, decision.site, decision.seat, choice)
        m.answer(choice)
        return
    act = m.stack[-1]
    if m.engine.flow.phases[act.phase].together:
        act.chosen.append((decision.seat, choice))
    elif isinstance(choice, Act):
        advice = () if m.events is None else decision.options.advice(choice)
        take(m, choice.action, choice.args, decision.seat)
        for each in advice:
            if not each.usual:
                m.emit("unwise", each.address, decision.seat)
        m.task = ("action", choice.action)
    else:
        m.emit("done", act.phase, decision.seat, decision.open_steps)
        _close_by_done(m)


# ---- the flow, stage by stage


def _run_flow(m: Machine) -> Decision | None:
    act, engine, program = m.stack[-1], m.engine, m.engine.program
    phase = engine.flow.phases[act.phase]
    match act.stage:
        case "enter":
            if phase.source is not None:
                items = engine.pure(phase.source)(m, m.acting(), ())
                act.items = cast("tuple[int, ...]", items)
            act.stage = "leave" if act.items == () else "begin"
            m.emit("phase", phase.name)
            _run_hooks(m, "before", phase)
        case "begin":
            begin_step(m, phase.name, phase.span)
            act.begin_item()
            if phase.source is not None:
                m.phase_items[phase.name] = act.item
            if not phase.together and (not _admits(m, phase.guard, m.acting())):
                if phase.until is None:
                    _next_item(m, act, phase)
                else:  # it would be skipped again and again
                    act.stage = "leave"
            else:
                restart(m, phase.name)
                act.stage = "open"
                m.rounds += phase.name in engine.flow.main_loop
                m.emit("item", phase.name, act.item)
        case "open" if phase.together:
            if act.resolved < 0:
                seats = cast("tuple[int, ...]", act.items or ())
                for number in range(len(act.chosen), len(seats)):
                    act.index = number
                    decision = ask_seat(m, phase, seats[number])
                    if decision is not None:
                        return decision
                    act.chosen.append((seats[number], Done()))
                act.resolved = 0
            if act.resolved == len(act.chosen):
                act.stage = "leave"
                return None
            act.index = act.resolved
            who, choice = act.chosen[act.resolved]
            act.resolved += 1
            m.phase_items[phase.name] = who
            if isinstance(choice, Act):
                take(m, choice.action, choice.args, who)
                m.task = ("together", choice.action)
                if phase.name in engine.flow.claimed:
                    for seat, claim in act.chosen[act.resolved :]:
                        if isinstance(claim, Act):
                            m.emit("lapsed", claim.action, seat, who, phase.name)
                    act.resolved = len(act.chosen)
        case "open":
            name = engine.flow.ready(act)
            if name is not None and name in program.phases:
                m.stack.append(Activation(name))
            elif name is not None:
                step = program.steps[name]
                if not _admits(m, step.guard, m.acting()):
                    act.over.add(name)
                    return None
                begin_step(m, name, step.span)
                m.emit("step", name, m.acting())
                m.call(f"step {name}", m.acting(), ())
                m.task = ("step", name)
            elif next(engine.flow.waiting(act), None) is None:
                _next_item(m, act, phase)
            else:
                return _offer(m)
        case "leave":
            _run_hooks(m, "after", phase)
        case "left":
            m.stack.pop()
            m.phase_items.pop(act.phase, None)
            if m.stack:
                m.stack[-1].over.add(act.phase)
            else:
                m.stack.append(act)
                finish(m, Outcome("won"))
    return None


def _run_hooks(
    m: Machine, moment: Literal["before", "after"], phase: ir.PhaseDef
) -> None:
    hooks = phase.before_hooks if moment == "before" else phase.after_hooks
    if moment == "after":
        m.stack[-1].stage = "left"
    if hooks:
        m.call(f"{moment} {phase.name}", m.acting(), ())
        m.task = (moment, phase.name)


def _admits(m: Machine, guard: ir.Expr | None, seat: int | None) -> bool:
    return guard is None or bool(m.engine.pure(guard)(m, seat, ()))


def restart(m: Machine, phase: str) -> None:
    """Restart the lives of a phase: constants first, then the computed ones."""
    lives = m.engine.flow.lives.get(phase, ())
    for address in m.engine.flow.limited.get(phase, ()):
        m.taken.pop(address, None)
    for state in lives:
        if not state.computed:
            m.store.reset(state.name)
    first_values(m, [state for state in lives if state.computed])
    if lives:
        m.remember_watched()


def first_values(m: Machine, states: list[ir.StateDef]) -> None:
    """Give cells their first values, stage by stage.

    All of a stage are worked out before any is written.
    """
    me = m.acting()
    for state in states:
        spend(m, m.engine.layout.families[state.name].count, state.span)
    for stage in sorted({state.stage for state in states}):
        found = [
            (state, index, m.engine.pure(state.first)(m, me, keys))
            for state in states
            if state.stage == stage
            for index, keys in enumerate(all_keys(state.keys))
        ]
        for state, index, value in found:
            m.write(state.name, index, value, state.span)


def _next_item(m: Machine, act: Activation, phase: ir.PhaseDef) -> None:
    act.stage = "leave"
    if phase.until is not None:
        act.passes += 1
        times = m.engine.pure(cast("ir.Expr", phase.times))(m, m.acting(), ())
        if not m.engine.pure(phase.until)(m, m.acting(), ()):
            over = act.passes >= cast("int", times)
            act.stage = "leave" if over and phase.stops else "begin"
            if over and not phase.stops:
                finish(m, Outcome("stalled", (), phase.name))
    elif act.items is not None and act.index + 1 < len(act.items):
        act.index += 1
        act.stage = "begin"


def finish(m: Machine, outcome: Outcome) -> None:
    """End the game; its winners are worked out from the state as it is."""
    if outcome.kind != "drawn":
        winners = m.engine.pure(m.engine.program.winners)(m, None, ())
        if outcome.kind == "won":
            outcome = replace(outcome, winners=cast("tuple[int, ...]", winners))
    m.outcome = outcome
    m.frames.clear()
    m.task = None
    m.emit("end", outcome.stalled_in, outcome.kind, m.outcome.winners)


# ---- offering


def _offer(m: Machine) -> Decision | None:
    """Return the decision of the seat in turn; None if all that is open is closed."""
    steps, done = open_steps(m)
    engine, program, seat = m.engine, m.engine.program, m.acting()
    names = {name for step in steps for name in program.steps[step].actions}
    for each in m.stack:
        names.update(engine.flow.phases[each.phase].actions)
    plans = [engine.plans[name] for name in sorted(names)]
    options = ActOptions(m, seat, plans, done)
    if done and not options.any_action():
        _close_by_done(m)
        return None
    site = m.stack[-1].phase
    if seat is None:
        span = engine.flow.phases[site].span
        raise RuleFault(F06, "There is something to do, but nobody acts.", span)
    return Decision(seat, "act", site, options, tuple(steps))


def open_steps(m: Machine) -> tuple[list[str], bool]:
    """Return the steps with offered actions, and whether `done` may be chosen."""
    flow, found, done = m.engine.flow, [], True
    legal: dict[str, bool] = {}

    def must_be_used(step: str) -> bool:
        if flow.steps[step].mode != "exactly once":
            return False
        if step not in legal:
            legal[step] = m.can(step)
        return legal[step]

    for act in m.stack:
        for step in flow.unblocked(act):
            if not any(must_be_used(each) for each in flow.behind(act, step)):
                found.append(step)
                done = done and not must_be_used(step)
    return found, done


def _close_by_done(m: Machine) -> None:
    act = m.stack[-1]
    closed = m.engine.flow.closed_by_done(act)
    act.over.update(closed or m.engine.flow.waiting(act))


# ---- all seats at once


def ask_seat(m: Machine, phase: ir.PhaseDef, seat: int) -> Decision | None:
    """Return what a seat decides where all play at once; None if it cannot act.

    Where the first who claims acts, all are asked, so nobody sees who could claim.
    """
    m.phase_items[phase.name] = seat
    if not _admits(m, phase.guard, seat):
        return None
    (name,) = phase.items
    step = m.engine.program.steps[name]
    plans = [m.engine.plans[each] for each in step.actions]
    options = ActOptions(m, seat, plans, step.mode in {"at most once", ir.CLAIM})
    if step.mode != ir.CLAIM and not options.any_action():
        return None
    return Decision(seat, "act", phase.name, options, (name,))


def draws(m: Machine) -> tuple[str, ...]:
    """Return every reason for which the game is drawn now."""
    frame: list[Data] = [None] * m.engine.draw_frame
    return tuple(name for name, holds in m.engine.draws if holds(m, list(frame)))
