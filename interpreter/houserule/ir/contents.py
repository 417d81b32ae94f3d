"""What a program contains: its bodies, where it asks, what it draws from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from houserule import ir
from houserule.ir.walk import beneath

AskingStatement: TypeAlias = ir.ChooseOption | ir.ShareOut


def option_binds(action: ir.ActionDef) -> tuple[ir.Bind, ...]:
    """Return the binders of an action's options, in the order of options.

    First who takes it, where that is open, then its parameters, then what its costs
    leave open.
    """
    by = (action.by,) if action.by else ()
    costs = tuple(bind for cost in action.costs for bind in cost.binds)
    return (*by, *action.params, *costs)


def bodies(program: ir.Program) -> Iterator[ir.Body]:
    """Yield every body of statements: of actions, costs, effects, steps, reactions."""
    for action in program.actions.values():
        yield from (cost.body for cost in action.costs)
        yield from action.does
    for effect in program.effects.values():
        yield from effect.does
    yield from (step.body for step in program.steps.values() if step.body is not None)
    for reaction in program.reactions.values():
        yield from reaction.does


@lru_cache(maxsize=32)
def asking_statements(program: ir.Program) -> Mapping[str, AskingStatement]:
    """Return the statements that ask for a choice or a share, by site."""
    return {
        node.site: node
        for node in beneath(*bodies(program))
        if isinstance(node, AskingStatement)
    }


def stream_tags(program: ir.Program) -> tuple[str, ...]:
    """Return the tag of every stream of random numbers that the rules may draw from.

    They stand in the order of the program; each die has a stream of its own.
    """
    tags: dict[str, None] = {}
    for node in beneath(*bodies(program)):
        if isinstance(node, ir.RollDice):
            for label in program.components[node.kind.name].labels:
                tags[f"{node.stream}/{label}"] = None
        elif isinstance(node, ir.ChanceStatement):
            tags[node.stream] = None
    return tuple(tags)
