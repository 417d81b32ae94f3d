"""Lower histories to states, a step and a value of the core.

Each history has a counter, and for each part of the position a state with a place for
each remembered item; places are used in turn. The first step of the phase stores the
position. Events that end the history reset the counter and the next place to 0. A value
counts the places that equal the current position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from houserule import ir
from houserule.base.diagnostics.wording import figures
from houserule.base.frozen import slotted
from houserule.base.limits import limit
from houserule.compiler.lower.declarations.state import seen_by
from houserule.compiler.lower.expressions.histories import (
    History,
    KeptPart,
    part_of,
    running,
)
from houserule.compiler.lower.messages import E028
from houserule.compiler.lower.symbols.symbol_table import (
    StateSymbol,
    SymbolTable,
    ValueSymbol,
    ZoneSymbol,
)
from houserule.compiler.lower.types import FLAG, capacity, places
from houserule.ir.access import Access
from houserule.ir.hidden_reads import HiddenReads, StaticViewer
from houserule.ir.types import Kind, Maybe, Set, Type, Whole, least, members
from houserule.ir.walk import beneath, bodies

PLACE = "place"  # a key: the place of a remembered position
FEW = 100  # suggested length: enough in most games
NUMBERS = "many", "next"  # number of remembered positions, and next place


def with_histories(symbols: SymbolTable, program: ir.Program) -> ir.Program:
    """Return a program that stores the histories that its counts need."""
    found: dict[History, None] = {}
    for uses in symbols.uses:
        found |= {each: None for each in uses.histories if isinstance(each, History)}
    hidden = _hidden_values(program) if found else _sees_all
    for history in sorted(found, key=lambda each: each.name):
        program = _Keeper(symbols, history, hidden).kept(program)
    return program


def _sees_all(name: str, keys: Sequence[ir.Param]) -> bool:
    return False


def _hidden_values(program: ir.Program) -> Callable[[str, Sequence[ir.Param]], bool]:
    """Return a function that checks whether a value reads hidden state."""
    reads = HiddenReads(program, Access(program))

    everybody = StaticViewer(lambda _: False)

    def hidden(name: str, keys: Sequence[ir.Param]) -> bool:
        args = tuple(_local(n, key) for n, key in enumerate(keys, 1))
        call = ir.CallValue(name, args, program.values[name].type)
        return reads.any and bool(reads.found(call, everybody))

    return hidden


@slotted
class _Keeper:
    """Adds one history to a program."""

    symbols: SymbolTable
    history: History
    hidden: Callable[[str, Sequence[ir.Param]], bool]

    # ---- names and stored parts

    def _name(self, part: str) -> str:
        return f"{self.history.name}{ir.KEPT}{part}"

    @property
    def _place(self) -> Whole:
        return Whole(0, self.history.last - 1)

    def _number(self, which: str) -> ir.ReadCell:
        high = self.history.last - (which == "next")
        return ir.ReadCell(self._name(which), (), Whole(0, high))

    def _whose(self) -> KeptPart | None:
        """Return the variable of the phase as a remembered part."""
        whose = self.history.whose
        if whose is None:
            return None
        symbol = StateSymbol("", (), whose, "", self.history.span)
        return KeptPart("", (), whose, symbol)

    def _parts(self) -> list[KeptPart]:
        """Return the remembered parts, smallest first."""
        parts = [part_of(self.symbols, name) for name in self.history.same]
        parts.sort(key=lambda part: prod(places(k.type) for k in part.keys))
        whose = self._whose()
        return parts if whose is None else [whose, *parts]

    def kept(self, program: ir.Program) -> ir.Program:
        """Return the program with this history."""
        history, parts = self.history, self._parts()
        if not history.given and self._repeats(program):
            return program
        if not self._fits(parts):
            return program
        made = [self._state(part) for part in parts]
        for which in NUMBERS if parts else NUMBERS[:1]:
            type_ = self._number(which).type
            first = ir.Const(0, type_)
            name = self._name(which)
            made.append(ir.StateDef(name, (), type_, "", first, False))
        states = {**program.states, **{each.name: each for each in made}}
        value = self._value(parts)
        span = history.span
        name = self._name("begins")
        block: list[ir.Statement] = []
        frame = 1
        for part in parts:
            at, keys = self._number("next"), _locals(part.keys)
            now = part.now(keys) if part.name else self._item(program)
            note = ir.SetCell(self._name(part.name), (at, *keys), now, span=span)
            binds = tuple(_bind(slot, key) for slot, key in enumerate(part.keys, 1))
            block.append(
                ir.ForEach(binds, None, "most", (), (note,)) if binds else note
            )
            frame = max(frame, 1 + len(part.keys))
        last, next_ = self.history.last, self._number("next")
        if parts:
            after = _plus(next_, 1, Whole(1, last))
            turned = ir.Binary("mod", after, _number(last), self._place)
            block.append(ir.SetCell(next_.state, (), turned, span=span))
        many = self._number("many")
        more = ir.Binary(
            "min", _plus(many, 1, Whole(1, last + 1)), _number(last), Whole(1, last)
        )
        block.append(ir.SetCell(many.state, (), more, span=span))
        body = ir.Body(name, tuple(block), frame, span=span)
        step = ir.StepDef(name, history.phase, None, None, body, (), span=span)
        phase = program.phases[history.phase]
        before = {name: (*found, step.name) for name, found in phase.before.items()}
        noting = replace(
            phase,
            items=tuple(sorted((*phase.items, step.name))),
            before={**before, step.name: ()},
        )
        # Reset the history in everything that ends it.
        program = replace(
            program,
            states=states,
            values={**program.values, value.name: value},
            steps={**program.steps, step.name: step},
            phases={**program.phases, phase.name: noting},
        )
        runs = dict(running(self.symbols))
        ends = {body for name in self.history.since for body in runs[name]}
        # The count reads places 0 to many - 1, so the next position goes to place 0.
        numbers = [self._number(which) for which in NUMBERS]
        reset = [
            ir.SetCell(each.state, (), _number(0, each.type), span=self.history.span)
            for each in numbers
            if each.state in program.states
        ]

        def changed(body: ir.Body) -> ir.Body:
            if body.address not in ends:
                return body
            return replace(body, block=(*reset, *body.block))

        def does(bodies: tuple[ir.Body, ...]) -> tuple[ir.Body, ...]:
            return tuple(map(changed, bodies))

        if not ends:
            return program
        actions = {
            name: replace(
                each,
                costs=tuple(replace(c, body=changed(c.body)) for c in each.costs),
                does=does(each.does),
            )
            for name, each in program.actions.items()
        }
        return replace(
            program,
            actions=actions,
            effects={
                name: replace(each, does=does(each.does))
                for name, each in program.effects.items()
            },
            reactions={
                name: replace(each, does=does(each.does))
                for name, each in program.reactions.items()
            },
            steps={
                name: each
                if each.body is None
                else replace(each, body=changed(each.body))
                for name, each in program.steps.items()
            },
        )

    def _repeats(self, program: ir.Program) -> bool:
        """Report E028 if `again` may begin more items than can be known."""
        history, symbols = self.history, self.symbols
        around = symbols.around(history.phase)
        again = (
            node.target
            for node in beneath(*bodies(program))
            if isinstance(node, ir.RequestAgain) and node.target in around
        )
        for target in again:
            message = (
                f"`again {target}` may begin `{history.phase}` any number of times, so "
                "say how many are remembered."
            )
            fix = f"{history.said} among the last {FEW}"
            symbols.report(E028, message, history.span, fixes=(fix,))
            return True
        return False

    def _fits(self, parts: Sequence[KeptPart]) -> bool:
        """Report E050 if the history exceeds the limit of cells."""
        each = 0
        for part in parts:
            inner = part.type.inner if isinstance(part.type, Maybe) else part.type
            wide = capacity(inner.member) // 64 if isinstance(inner, Set) else 0
            each += prod(places(key.type) for key in part.keys) * (1 + wide)
        history, symbols = self.history, self.symbols
        asks = symbols.clause_at(history.span)
        whose = f"`{asks}` remembers" if asks else "This remembers"
        many = figures(history.last)
        what = f"{whose} {many} beginnings of `{history.phase}`, and that is "
        what += "{many} values."
        fewer = min(FEW, limit("cells") // max(1, each))
        fix = f"{history.said} among the last {fewer}"
        return symbols.is_within(
            "cells",
            history.last * each,
            what,
            history.span,
            fixes=(fix,) if fewer else (),
        )

    def _state(self, part: KeptPart) -> ir.StateDef:
        """Return the state that remembers a part, hidden like that part."""
        keys = (ir.Param(PLACE + ir.KEPT, self._place), *part.keys)
        first = ir.Const(least(part.type), part.type)
        seen = self._seen(part, keys) if part.name else None
        name = self._name(part.name)
        return ir.StateDef(name, keys, part.type, "", first, False, seen)

    def _seen(self, part: KeptPart, keys: tuple[ir.Param, ...]) -> ir.Expr | None:
        symbols, rules = self.symbols, self.symbols.rules
        nobody = ir.Const((), Set(symbols.seats))
        match part.symbol:
            case StateSymbol(name=name):
                return seen_by(symbols, rules.states[name].seen, keys)
            case ZoneSymbol(name=name):
                zone = rules.zones[name]
                secret = zone.kind == "pile" and zone.seen is None
                return nobody if secret else seen_by(symbols, zone.seen, keys)
            case ValueSymbol(name=name):
                return nobody if self.hidden(name, part.keys) else None
            case _:
                return None

    # ---- the step that stores a position

    def _item(self, program: ir.Program) -> ir.Expr:
        phase = program.phases[self.history.phase]
        if phase.acts:
            return ir.Local(0, "me", self.symbols.seats)
        return self.symbols.variables[phase.name]

    # ---- ending a history

    # ---- the value that counts

    def _value(self, parts: Sequence[KeptPart]) -> ir.ValueDef:
        history, span = self.history, self.history.span
        params = () if history.whose is None else (ir.Param("of", history.whose),)
        many = self._number("many")
        definition: ir.Expr = many
        frame = 2 + len(params)
        if parts:
            slot = 1 + len(params)
            top = _plus(many, -1, Whole(-1, history.last - 1))
            every = ir.MakeRange(_number(0), top, Set(self._place))
            bind = ir.Bind(
                (slot,), (PLACE,), "member", self._place, every, 1, None, span=span
            )
            place = ir.Local(slot, PLACE, self._place)
            alike = [self._alike(part, place, frame) for part in parts]
            where = alike[0]
            for other in alike[1:]:
                where = ir.Connective("and", where, other, FLAG)
            frame += max(len(part.keys) for part in parts)
            definition = ir.CountOf((bind,), where, Whole(0, history.last), span=span)
        type_ = Whole(0, history.last)
        return ir.ValueDef(
            history.name, params, type_, definition, (), (), frame, span=span
        )

    def _alike(self, part: KeptPart, place: ir.Expr, slot: int) -> ir.Expr:
        """Return a test that a part equals a remembered one, for all its keys."""
        keys = _locals(part.keys, slot)
        of = ir.Local(1, "of", part.type)
        now = part.now(keys) if part.name else of
        then = ir.ReadCell(self._name(part.name), (place, *keys), part.type)
        same: ir.Expr = ir.CompareValues("==", then, now, FLAG)
        if isinstance(part.type, Maybe):
            none = ir.Connective(
                "and", ir.IsNone(then, FLAG), ir.IsNone(now, FLAG), FLAG
            )
            same = ir.Connective("or", same, none, FLAG)
        binds = tuple(_bind(at, key) for at, key in enumerate(part.keys, slot))
        return ir.Quantifier("every", binds, None, same, FLAG) if binds else same


# ---- building the core


def _number(value: int, type_: Type | None = None) -> ir.Const:
    return ir.Const(value, type_ or Whole(value, value))


def _plus(node: ir.Expr, number: int, type_: Whole) -> ir.Expr:
    return ir.Binary("+", node, _number(number), type_)


def _local(slot: int, key: ir.Param) -> ir.Local:
    return ir.Local(slot, key.name, key.type)


def _locals(keys: Sequence[ir.Param], first: int = 1) -> tuple[ir.Expr, ...]:
    return tuple(_local(slot, key) for slot, key in enumerate(keys, first))


def _bind(slot: int, key: ir.Param) -> ir.Bind:
    assert isinstance(key.type, Whole | Kind)
    every = ir.Const(tuple(members(key.type)), Set(key.type))
    return ir.Bind((slot,), (key.name,), "member", key.type, every, 1, None)
