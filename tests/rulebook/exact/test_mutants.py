"""A rule that says something else is said in another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import get_args

import pytest
from tests.support.shipped import NAMES, presets, program_at, ruleset_of

from houserule import ir
from houserule.ir.types import Flag, Whole
from houserule.ir.walk import beneath, rebuilt
from houserule.rulebook.exact.exact_words import ExactWords
from houserule.rulebook.exact.shapes import settled

EACH = 12  # so many mutants of each game at least, or all
OTHER = {
    "==": "!=",
    "!=": "==",
    ">=": "<=",
    "<=": ">=",
    ">": "<",
    "<": ">",
    "and": "or",
    "or": "and",
    "some": "every",
    "every": "no",
    "no": "some",
    "+": "-",
    "-": "+",
    "min": "max",
    "max": "min",
    "most": "least",
    "least": "most",
    "top": "bottom",
    "bottom": "top",
    "sum": "highest",
    "highest": "lowest",
    "lowest": "sum",
}


def mutated(node: ir.CoreNode) -> ir.CoreNode | None:
    """Return a node that means something else, None if it has no such twin here."""
    match node:
        case ir.Const(value=bool(value), type=Flag()):
            return replace(node, value=not value)
        case ir.Const(value=int(value), type=Whole()):
            return replace(node, value=value + 1)
        case ir.CompareValues(op=op) | ir.Connective(op=op):
            return replace(node, op=OTHER[op])  # type: ignore[arg-type]
        case ir.Binary(op=op) if op in OTHER:
            return replace(node, op=OTHER[op])  # type: ignore[arg-type]
        case ir.Quantifier(kind=kind) | ir.Aggregate(kind=kind):
            return replace(node, kind=OTHER[kind])  # type: ignore[arg-type]
        case ir.Pick(keys=[_, *_], direction=direction):
            return replace(node, direction=OTHER[direction])  # type: ignore[arg-type]
        case ir.Unary(op="not", operand=operand):
            return operand
        case ir.PileTop(end=end):
            return replace(node, end=OTHER[end])  # type: ignore[arg-type]
        case ir.AddCell(sign=sign):
            return replace(node, sign=-sign)
        case ir.MoveTop(up_to=up_to, count=ir.CoreNode()):
            return replace(node, up_to=not up_to)
        case ir.ChooseOption(must=must):
            return replace(node, must=not must)
        case _:
            return None


def known(node: ir.CoreNode) -> bool | None:
    return settled(node) if isinstance(node, get_args(ir.Expr)) else None


def mutants(root: ir.CoreNode) -> Iterator[ir.CoreNode]:
    """Yield a root with one node beneath it changed, for each that can be."""
    if any(not isinstance(node, ir.Const) and known(node) for node in beneath(root)):
        return  # something in it never matters at this table
    if any(known(node) is False for node in beneath(root)):
        return
    if any(
        isinstance(node, ir.SetCell) and ir.is_kept(node.state)
        for node in beneath(root)
    ):
        return  # what no rule declares is not told
    for place, node in enumerate(beneath(root)):
        twin = mutated(node)
        if twin is not None:
            yield at_place(root, place, twin)


def at_place(root: ir.CoreNode, place: int, twin: ir.CoreNode) -> ir.CoreNode:
    seen = -1

    def change(node: ir.CoreNode) -> ir.CoreNode:
        nonlocal seen
        seen += 1
        if seen == place:
            seen += sum(1 for _ in beneath(node)) - 1
            return twin
        return rebuilt(node, change)

    return change(root)


def clauses(program: ir.Program) -> Iterator[Clause]:
    """Yield what stands in the core of some clauses, and how it is put back."""
    for value in program.values.values():
        if value.name in program.clauses:
            yield Clause(value.name, value.definition, partial(with_value, value))
    for effect in program.effects.values():
        for body in effect.does:
            yield Clause(body.address, body, partial(with_effect, effect, body))
    for action in program.actions.values():
        for test in action.conditions:
            if test.address.startswith(f"{action.name}."):
                back = partial(with_condition, action, test)
                yield Clause(test.address, test.test, back)
        for body in action.does:
            yield Clause(body.address, body, partial(with_action, action, body))


@dataclass(frozen=True)
class Clause:
    address: str
    root: ir.CoreNode
    put_back: Callable[[ir.Program, ir.CoreNode], ir.Program]


def with_value(value: ir.ValueDef, program: ir.Program, changed: ir.Expr) -> ir.Program:
    twin = replace(value, definition=changed)
    return replace(program, values={**program.values, value.name: twin})


def with_effect(
    effect: ir.EffectDef, body: ir.Body, program: ir.Program, changed: ir.Body
) -> ir.Program:
    does = tuple(changed if each is body else each for each in effect.does)
    twin = replace(effect, does=does)
    return replace(program, effects={**program.effects, effect.name: twin})


def with_action(
    action: ir.ActionDef, body: ir.Body, program: ir.Program, changed: ir.Body
) -> ir.Program:
    does = tuple(changed if each is body else each for each in action.does)
    twin = replace(action, does=does)
    return replace(program, actions={**program.actions, action.name: twin})


def with_condition(
    action: ir.ActionDef, test: ir.Condition, program: ir.Program, changed: ir.Expr
) -> ir.Program:
    twin = replace(test, test=changed)
    tests = tuple(twin if each is test else each for each in action.conditions)
    own = replace(action, conditions=tests)
    return replace(program, actions={**program.actions, action.name: own})


def said(
    program: ir.Program, game: str, language: str, address: str
) -> tuple[str, ...]:
    texts = ruleset_of(game).texts.get(language, {})
    return ExactWords(program, texts, language).clause(address)


@pytest.mark.parametrize("game", NAMES)
def test_what_a_rule_says_otherwise_is_said_otherwise(game: str) -> None:
    program = program_at(presets(game)[-1])
    languages = ruleset_of(game).manifest.languages
    found = [
        (clause, changed)
        for clause in clauses(program)
        for changed in mutants(clause.root)
    ]
    unheard: list[str] = []
    for number, (clause, changed) in enumerate(found[:: len(found) // EACH + 1]):
        language = languages[number % len(languages)]
        before = said(program, game, language, clause.address)
        mutant = clause.put_back(program, changed)
        if said(mutant, game, language, clause.address) == before:
            unheard.append(f"{clause.address} ({language}): {' '.join(before)}")
    assert not unheard
