"""Conditions of effects that are not payments: `needs` of effects in a `does`.

An action is illegal if the conditions of an effect that it certainly calls fail. At
every call, an effect whose conditions fail at that moment is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import reduce
from typing import Literal, TypeVar, cast

from houserule import ir
from houserule.base.frozen import slotted
from houserule.compiler.lower.statements.payments import TOO_MANY, inlined
from houserule.compiler.lower.symbols.scope import Frame
from houserule.compiler.lower.symbols.symbol_table import SymbolTable
from houserule.compiler.lower.types import FLAG
from houserule.ir.walk import beneath, bound_slots, rebuilt, slots_read

ACTING = TypeVar("ACTING", ir.ActionDef, ir.ReactionDef)


@slotted
class NeedsOfCalls:
    """The conditions of the effects that statements call; `effects` are lowered."""

    symbols: SymbolTable
    effects: Mapping[str, ir.EffectDef]
    known: dict[str, tuple[ir.Condition, ...]] = field(default_factory=dict)
    """The conditions of each effect and of all that it calls, in its own frame."""

    def met(
        self, block: ir.Block, frame: Frame, known: Set[int]
    ) -> Iterator[ir.Condition]:
        """Yield the conditions of the calls in a block, in the frame around it.

        `known` are the slots that have a value before the block begins. A call counts
        if it does not depend on a loop, a choice or a `let`. Inside an `if`, its
        condition applies only if the `if` holds.
        """
        for statement in block:
            match statement:
                case ir.CallEffect(name, args) if slots_read(*args) <= known:
                    effect = self.effects.get(name)
                    if effect is None:
                        continue
                    if name not in self.known:
                        self.known[name] = ()  # during evaluation: it may call itself
                        every = list(effect.needs)
                        for body in effect.does:
                            own = frozenset(range(len(effect.params) + 1))
                            every += self.met(body.block, Frame(body.frame), own)
                        if self.symbols.is_within(
                            "inlined", len(every), TOO_MANY, statement.span
                        ):
                            self.known[name] = tuple(every)
                    for each in self.known[name]:
                        yield inlined(each, args, frame)
                case ir.When():
                    yield from self._under(statement, frame, known)
                case _:
                    pass

    def _under(
        self, when: ir.When, frame: Frame, known: Set[int]
    ) -> Iterator[ir.Condition]:
        passed: list[ir.Expr] = []  # one of these holds, or the block is reached
        for test, block in when.rows:
            if not slots_read(test) <= known:
                return
            not_here = ir.Unary("not", test, FLAG, span=test.span)
            for each in self.met(block, frame, known):
                yield _unless(each, [*passed, not_here], frame)
            passed.append(test)
        for each in self.met(when.otherwise, frame, known):
            yield _unless(each, passed, frame)


def _unless(
    condition: ir.Condition, tests: Sequence[ir.Expr], frame: Frame
) -> ir.Condition:
    """Return a condition that also holds if one of some tests does."""
    copies = [inlined(each, (), frame) for each in tests]
    return replace(condition, test=_joined("or", [*copies, condition.test]))


def guarded(program: ir.Program) -> ir.Program:
    """Return a program in which effects run only if their conditions hold.

    A choice omits the options whose effect would be skipped. Calls in costs do not
    change, because their conditions make the action illegal.
    """
    asked = {name: each.needs for name, each in program.effects.items() if each.needs}

    def several(bodies: tuple[ir.Body, ...], size: int) -> tuple[ir.Body, ...]:
        """Change bodies that share a frame, if they call such an effect."""
        if not any(
            isinstance(each, ir.CallEffect) and each.effect in asked
            for each in beneath(*bodies)
        ):
            return bodies
        frame = Frame(size)
        guarding = _Guarding(asked, frame)
        blocks = [guarding.block(each.block) for each in bodies]
        return tuple(
            replace(each, block=block, frame=frame.size)
            for each, block in zip(bodies, blocks, strict=True)
        )

    def single(body: ir.Body) -> ir.Body:
        return several((body,), body.frame)[0]

    def acting(node: ACTING) -> ACTING:
        does: tuple[ir.Body, ...] = several(node.does, node.frame)
        size = max([node.frame, *(each.frame for each in does)])
        return replace(node, does=does, frame=size)

    if not asked:
        return program
    return replace(
        program,
        actions={name: acting(each) for name, each in program.actions.items()},
        reactions={name: acting(each) for name, each in program.reactions.items()},
        effects={
            name: replace(each, does=tuple(map(single, each.does)))
            for name, each in program.effects.items()
        },
        steps={
            name: replace(each, body=each.body and single(each.body))
            for name, each in program.steps.items()
        },
    )


@slotted
class _Guarding:
    """The conditions of effects, by name, put around calls in one frame."""

    asked: Mapping[str, tuple[ir.Condition, ...]]
    frame: Frame

    def block(self, block: ir.Block) -> ir.Block:
        return cast("ir.Block", tuple(map(self.statement, block)))

    def statement(self, node: ir.CoreNode) -> ir.CoreNode:
        """Return a statement, or a part of one, with its calls guarded."""
        match node:
            case ir.CallEffect(effect=effect) if effect in self.asked:
                return ir.When(((self._held(node), (node,)),), (), span=node.span)
            case ir.ChooseOption(where=where, body=block):
                inner = frozenset(
                    s for each in beneath(*block) for s in bound_slots(each)
                )
                tests = [] if where is None else [where]
                tests += (
                    self._held(each)
                    for each in block
                    if isinstance(each, ir.CallEffect)
                    and each.effect in self.asked
                    and not slots_read(*each.args) & inner
                )
                changed = rebuilt(node, self.statement)
                return replace(changed, where=_joined("and", tests) if tests else None)
            case _:
                return rebuilt(node, self.statement)

    def _held(self, call: ir.CallEffect) -> ir.Expr:
        every = [
            _joined("or", [each.test, *(lift for _, lift in each.lifts)])
            for each in self.asked[call.effect]
        ]
        return inlined(_joined("and", every), call.args, self.frame)


def _joined(word: Literal["and", "or"], tests: Sequence[ir.Expr]) -> ir.Expr:
    return reduce(
        lambda left, right: ir.Connective(word, left, right, FLAG, span=right.span),
        tests,
    )
