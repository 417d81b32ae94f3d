"""Choices inside bodies, and the variables that distinguish things there.

A variable of the body distinguishes its thing from others. The remaining items of a
loop, and variables of callers, cannot be queried; so things of those kinds are not
interchangeable there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from houserule import ir
from houserule.base.frozen import frozen, slotted
from houserule.ir.types import Kind, kind_of
from houserule.ir.walk import option_binds

Loose = frozenset[str]
"""Names of kinds that are not interchangeable at a place."""
NOTHING: Loose = frozenset()


@frozen
class ChoicePlace:
    """A choice inside a body: the body's owner, and the variables known there."""

    owner: str
    held: tuple[ir.Local, ...]
    loose: Loose


@frozen
class _Leading:
    """A place that leads to another owner, with the kinds that it does not see."""

    owner: str
    loose: Loose


@slotted
class _Scope:
    """The variables that a place in a body sees."""

    owner: str
    held: tuple[ir.Local, ...] = ()
    loose: Loose = NOTHING

    def holding(self, more: Iterable[ir.Local]) -> _Scope:
        """Return the scope with more variables."""
        return _Scope(self.owner, (*self.held, *more), self.loose)

    def looping(self, binds: Sequence[ir.Bind]) -> _Scope:
        """Return the scope inside a loop, whose items are fixed."""
        kinds = {kind.name for bind in binds if (kind := kind_of(bind.type))}
        inner = self.holding(local for bind in binds for local in bound(bind))
        return _Scope(self.owner, inner.held, self.loose | kinds)


def bound(bind: ir.Bind) -> Iterator[ir.Local]:
    """Yield the variables of a binder."""
    for slot, name in zip(bind.slots, bind.names, strict=True):
        yield ir.Local(slot, name, bind.type)


@dataclass
class ChoicePlaces:
    """All places inside bodies where something is chosen, by site."""

    program: ir.Program
    _places: dict[str, ChoicePlace] = field(default_factory=dict)
    _calls: defaultdict[str, list[_Leading]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def found(self) -> dict[str, ChoicePlace]:
        """Return every place, with all the kinds that are loose there."""
        program = self.program
        for action in program.actions.values():
            held = [each for bind in option_binds(action) for each in bound(bind)]
            paid = [cost.body for cost in action.costs]
            self._bodies(_Scope(action.name, tuple(held)), [*paid, *action.does])
        for effect in program.effects.values():
            scope = _Scope(effect.name, _locals(effect.params))
            self._bodies(scope, effect.does)
            for name in effect.instead:
                self._hook(name, scope)
        for step in program.steps.values():
            if step.body is not None:
                self._bodies(_Scope(step.name), [step.body])
        for reaction in program.reactions.values():
            held = [*_locals((*reaction.params, *reaction.change))]
            self._bodies(_Scope(reaction.name, tuple(held)), reaction.does)
        # Return, by owner, the kinds of callers' variables that it does not see.
        loose: defaultdict[str, Loose] = defaultdict(lambda: NOTHING)
        for each in self.program.reactions.values():
            if each.moment == "when":
                # It triggers between two clauses of any action.
                loose[each.name] = frozenset(self.program.components)
        changed = True
        while changed:
            changed = False
            for name, calls in self._calls.items():
                more = loose[name].union(*(c.loose | loose[c.owner] for c in calls))
                changed = changed or more != loose[name]
                loose[name] = more
        found: set[str] = set()
        for each in self.program.reactions.values():
            if each.moment == "when":
                value = self.program.values[each.event]
                types = (value.type, *(param.type for param in value.params))
                found |= {kind.name for t in types if (kind := kind_of(t))}
        watched = frozenset(found)
        return {
            site: ChoicePlace(
                each.owner, each.held, each.loose | loose[each.owner] | watched
            )
            for site, each in self._places.items()
        }

    # ---- bodies

    def _bodies(self, scope: _Scope, bodies: Sequence[ir.Body]) -> None:
        for body in bodies:
            self._block(body.block, scope)
            for name in (*body.before, *body.after):
                self._hook(name, scope)

    def _hook(self, name: str, scope: _Scope) -> None:
        """Record a reaction here: its parameters are the first variables."""
        seen = len(self.program.reactions[name].params)
        self._call(name, scope, scope.held[:seen])

    def _call(self, name: str, scope: _Scope, seen: Sequence[ir.Expr]) -> None:
        slots = {each.slot for each in seen if isinstance(each, ir.Local)}
        unseen = {
            kind.name
            for each in scope.held
            if each.slot not in slots and (kind := kind_of(each.type))
        }
        self._calls[name].append(_Leading(scope.owner, scope.loose | unseen))

    def _block(self, block: ir.Block, scope: _Scope) -> None:
        for statement in block:
            match statement:
                case ir.LetSlot(slot, name, value):
                    scope = scope.holding([ir.Local(slot, name, value.type)])
                case ir.CallEffect(effect=name, args=args):
                    self._call(name, scope, args)
                case ir.When(rows, otherwise):
                    for _, body in rows:
                        self._block(body, scope)
                    self._block(otherwise, scope)
                case ir.ForEach(binds=binds, body=body):
                    self._block(body, scope.looping(binds))
                case ir.DrawOne(bind=bind, body=body):
                    self._block(body, scope.holding(bound(bind)))
                case ir.ChooseOption():
                    self._note(statement, scope)
                    inner = scope.holding(bound(statement.bind))
                    self._block(statement.body, inner)
                    self._block(statement.otherwise, scope)
                case ir.ShareOut(bind=bind, body=body):
                    self._note(statement, scope)
                    self._block(body, scope.looping([bind]))
                case _:
                    pass

    def _note(self, node: ir.ChooseOption | ir.ShareOut, scope: _Scope) -> None:
        self._places[node.site] = ChoicePlace(scope.owner, scope.held, scope.loose)


def _locals(params: Sequence[ir.Param]) -> tuple[ir.Local, ...]:
    return tuple(
        ir.Local(slot, param.name, param.type) for slot, param in enumerate(params, 1)
    )


def holding(held: Iterable[ir.Local], kind: Kind) -> list[ir.Expr]:
    """Return the variables that hold things of a kind, or sets of them."""
    return [each for each in held if kind_of(each.type) == kind]
