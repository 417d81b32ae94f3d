"""Imagined games: copies in which all that a seat does not see is drawn at random.

The order of the draws is specified in `docs/internals/decisions/0009-fair-bots.md`;
the compiled engine does the same (`engine/compiled/bots/`).
"""

from __future__ import annotations

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.bots.random_choice import random_option, sensible
from houserule.engine.reference.choices import Choice, Done
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.determinize import redeal
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.hidden_slots import (
    hidden_slots,
    hidden_values,
    slots_of_kind,
    thing_kind,
)


@frozen
class ImaginedGame:
    """A game that a seat may take for the real one, at the same decision.

    Attributes:
        stream: the next draws: hidden choices of others while it is played on. It
            is not to be moved; every `copy` draws the same.
        others: whether other seats choose at once with the seat.
    """

    game: ReferenceGame
    stream: Stream
    others: bool

    def copy(self) -> ImaginedGame:
        machine = self.game.machine.clone()
        game = ReferenceGame(machine, self.game.decision, checked=False)
        stream = Stream(self.stream.state, self.stream.inc)
        return ImaginedGame(game, stream, self.others)


def hides(program: ir.Program) -> bool:
    """Return whether rules hide something on the table from a seat."""
    declared = (program.zones, program.states, program.components)
    return any(each.seen is not None for part in declared for each in part.values())


def imagine(game: ReferenceGame, seat: int, stream: Stream) -> ImaginedGame:
    """Return a copy of a game that looks the same to a seat, which is to decide.

    Hidden things, hidden cells, all chance to come, then what other seats have chosen
    unseen are drawn from `stream`. The copy is not checked against invariants: they may
    mention hidden things. Its options are those of the real game. If games look
    the same to the seat, the same draws give the same copy, whatever their seeds are.

    Raises:
        RuleFault: the rules fail where a watched value is worked out for the copy.
    """
    machine = game.machine.clone()
    evaluator, store = game.engine.evaluator, machine.store
    # By kind, which variables of effects hold each thing, bit by bit.
    frames = {frame.proc: frame for frame in machine.frames}
    held: dict[str, dict[int, int]] = {}
    for kind in game.program.components if frames else ():
        things = held[kind] = {}
        for number, (proc, slot, _) in enumerate(slots_of_kind(game.program, kind)):
            value = frames[proc].env[slot] if proc in frames else None
            for thing in value if isinstance(value, tuple) else (value,):
                if thing is not None:
                    things[thing] = things.get(thing, 0) | 1 << number
    redealt = redeal(game.program, evaluator, store, seat, stream, held=held)
    machine.store = redealt.store
    machine.seed = machine.game_number = 0
    machine.events = machine.ran = None
    every = hidden_slots(machine.engine.program)
    for frame in machine.frames:
        for slot, type_ in every.get(frame.proc, {}).items():
            instead, value = redealt.dealt.get(thing_kind(type_), {}), frame.env[slot]
            if isinstance(value, tuple):
                frame.env[slot] = tuple(sorted(instead.get(x, x) for x in value))
            elif value is not None:
                frame.env[slot] = instead.get(value, value)
    others = _draw_pending(machine, seat, stream)
    machine.remember_watched(hidden_values(game.program) if machine.frames else None)
    copy = ReferenceGame(machine, game.decision, checked=False)
    return ImaginedGame(copy, stream, others)


def _draw_pending(machine: Machine, seat: int, stream: Stream) -> bool:
    """Draw again the choices of other seats in a simultaneous phase.

    Choices that took effect are part of the state already.

    Returns:
        Whether another seat chooses at once with this one.
    """
    act = machine.stack[-1]
    phase = machine.engine.flow.phases[act.phase]
    if not phase.together:
        return False
    index, item, others = act.index, act.item, False
    for number in range(max(act.resolved, 0), len(act.chosen)):
        other = act.chosen[number][0]
        if other != seat:
            act.index = number
            drawn: Choice | None = None  # stays None without options, or if they fail
            try:
                decision = turns.ask_seat(machine, phase, other)
                if decision is not None:
                    drawn = random_option(sensible(decision.options), stream)
            except RuleFault:
                pass
            act.chosen[number] = (other, drawn or Done())
            others = others or drawn is not None
    act.index = index
    machine.phase_items[phase.name] = item
    return others and act.resolved < 0
