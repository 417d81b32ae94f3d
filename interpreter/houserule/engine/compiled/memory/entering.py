"""Entering: a game of the reference engine, at a decision, as a state block.

Only one engine knows where a running effect continues; so only a decision of the flow
can be entered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from houserule.engine.compiled.memory.codec import (
    StateBlock,
    write_shadows,
    write_store,
)
from houserule.engine.compiled.memory.layout import NUMBER
from houserule.engine.compiled.memory.shapes import scalar
from houserule.engine.reference.play.flow import Stage
from houserule.engine.reference.play.machine import Forced, Machine

if TYPE_CHECKING:
    from houserule.engine.compiled.module import Module

STAGES: tuple[Stage, ...] = get_args(Stage)


def can_enter(machine: Machine) -> bool:
    """Return whether a block can hold the state: no effects, no forced outcomes.

    Simultaneous choices of others are omitted: a bot draws them again.
    """
    under_way = machine.frames or machine.task or machine.firings
    return not under_way and machine.forced == Forced()


def write_game(block: StateBlock, module: Module, machine: Machine) -> None:
    """Write a game into a block that was reset to its seed and number.

    Raises:
        Unsupported: a value has no room there.
    """
    memory = module.memory
    write_store(block, memory, machine.store)
    for address, at in memory.taken.items():
        block.put(at, machine.taken.get(address, 0))
    block.put(memory.header["depth"], len(machine.stack))
    for depth, act in enumerate(machine.stack):
        plan = memory.phases[act.phase]
        block.put(memory.stack + NUMBER * depth, plan.number)
        phase = module.program.phases.get(act.phase, module.program.root)
        fields = {
            "stage": STAGES.index(act.stage),
            "index": act.index,
            "passes": act.passes,
            "listed": int(act.items is not None),
            "count": len(act.items or ()),
            "item": scalar(machine.phase_items.get(act.phase)),
            "resolved": act.resolved,
            "picked": len(act.chosen),
        }
        for name, value in fields.items():
            block.put(memory.field(act.phase, name), value)
        over = sum(1 << n for n, each in enumerate(phase.items) if each in act.over)
        block.put_word(plan.over, over)
        for number, item in enumerate(act.items or ()):
            block.put(plan.items + NUMBER * number, scalar(item))
    write_shadows(block, module.program, module.shadows, machine)
    settled = machine.settled_at == machine.store.version
    block.put(memory.header["dirty"], int(not settled))
