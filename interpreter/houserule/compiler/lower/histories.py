"""Histories: how many items of a phase began since something ran, and with what.

A count becomes a call of a generated value; equal counts share it. When all else is
lowered, its history is added to the program: a counter, and for each part of the
position a state with a place for each remembered item; places are used in turn. The
first step of the phase stores the position. Events that end the history reset the
counter and the next place to 0. The value counts the places that equal the current
position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import partial, reduce
from math import prod
from typing import Any, Literal

from houserule import ir
from houserule.base.diagnostics.wording import did_you_mean, figures
from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.base.source import NOWHERE, Span
from houserule.compiler.lower.expressions import expect, numbers
from houserule.compiler.lower.messages import E010, E012, E014, E018, E027, E028
from houserule.compiler.lower.statements.payments import inlined
from houserule.compiler.lower.symbols.scope import (
    Frame,
    Scope,
    broken,
    key_binds,
    key_locals,
)
from houserule.compiler.lower.symbols.symbol_table import (
    SlotSymbol,
    StateSymbol,
    SymbolTable,
    Uses,
    ValueSymbol,
    ZoneSymbol,
)
from houserule.compiler.lower.types import FLAG, capacity, member_of, places
from houserule.ir.access import Access
from houserule.ir.hidden_reads import HiddenReads, StaticViewer
from houserule.ir.types import Kind, Maybe, Position, Set, Type, Whole, core, least
from houserule.ir.walk import beneath, bodies, rebuilt
from houserule.language.manifest.messages import E020
from houserule.language.syntax import tree

MOST = 1 << 30  # items are counted up to here
FEW = 100  # suggested length: enough in most games


@frozen
class History:
    """A count of a phase's items: of one member or all, since, with, among.

    Attributes:
        whose: the type of its variable, if the items of one member are counted.
        since: addresses that reset the history, by name.
        same: the names of the remembered parts, by name.
        last: the number of remembered items.
        given: the rules say that number; else it is the most items that there can be.
    """

    phase: str
    whose: Whole | Kind | None
    since: tuple[str, ...]
    same: tuple[str, ...]
    last: int
    given: bool
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name of its value, which no rule can have."""
        last = f"{self.last}{'' if self.given else '.most'}"
        parts = self.phase, "+".join(self.since), "+".join(self.same), last
        return ir.KEPT.join(parts) + ("" if self.whose is None else ".each")

    @property
    def said(self) -> str:
        """The count as rules write it, without the number of remembered items."""
        said = f"count of each {self.phase}{'' if self.whose is None else ' for …'}"
        if self.since:
            said += f" since {' or '.join(self.since)}"
        return f"{said} with the same {' and '.join(self.same)}" if self.same else said


def count_each(scope: Scope, expr: tree.CountEach) -> ir.Expr:
    """Return the count of a phase's items."""
    symbols, phase = scope.symbols, expr.phase.text
    placed = symbols.rules.phases.get(phase)
    if placed is None:
        wanted, known = "what is counted is a phase", symbols.rules.phases
        symbols.not_a(expr.phase, wanted, "no phase", known)
        return broken(expr)
    if placed.node.together:
        message = f"In `{phase}` all act together: its items do not begin one by one."
        symbols.report(E018, message, expr.phase.span, "count a phase around it")
        return broken(expr)
    told = len(symbols.diagnostics)
    args: tuple[ir.Expr, ...] = ()
    whose: Whole | Kind | None = None  # the type of the member whose items are counted
    whom = placed.node.for_whom
    if expr.of is not None and whom is None:
        message = f"`{phase}` is not a phase `for` each of something."
        symbols.report(E018, message, expr.of.span, "all its items are counted")
    elif expr.of is not None and whom is not None and whom.name.text == "me":
        args, whose = (expect.seat(scope, expr.of),), symbols.seats
    elif expr.of is not None and whom is not None:
        type_ = symbols.variables[phase].type
        assert isinstance(type_, Whole | Kind)
        args, whose = (expect.value(scope, expr.of, type_, whom.name.text),), type_
    runs = dict(running(symbols))
    for word in expr.since:
        name = word.text
        if runs.get(name):
            continue
        other = symbols.flow.get(name) or symbols.declared.get(name)
        if name in runs:
            message = f"Nothing runs at `{name}`, so nothing begins again there."
            symbols.report(E012, message, word.span)
        elif other is not None:
            message = (
                f"`{name}` is {other.noun}; expected here is something that runs: "
            )
            message += "an action, an effect, a clause of one, a step or a reaction."
            symbols.report(E012, message, word.span)
        else:
            message = f"There is nothing called `{name}` that runs."
            symbols.report(E010, message, word.span, did_you_mean(name, runs))
    for word in expr.same:
        name = word.text
        if not _is_part(symbols.declared.get(name)):
            wanted = "what is the same is a state, a value, a zone or a place of tokens"
            kept_names = [n for n, each in symbols.declared.items() if _is_part(each)]
            symbols.not_a(word, wanted, "nothing", kept_names)
        else:
            kept = part_of(symbols, name)
            if not all(isinstance(key.type, Whole | Kind) for key in kept.keys):
                message = (
                    f"`{name}` has a key that is neither a number nor a named thing."
                )
                hint = "name a value that says the same"
                symbols.report(E027, message, word.span, hint)
            if isinstance(kept.type, Position):
                message = (
                    f"`{name}` is a place to put things, not a part of a position."
                )
                symbols.report(E014, message, word.span)
    last = _last(scope, expr)
    if len(symbols.diagnostics) > told:
        return broken(expr)
    history = History(
        phase,
        whose,
        tuple(sorted({word.text for word in expr.since})),
        tuple(sorted({word.text for word in expr.same})),
        last,
        expr.last is not None,
        span=expr.span,
    )
    scope.uses.changing = True
    scope.uses.histories.setdefault(history, expr.span)
    begins = Uses("", symbols.around(phase))
    symbols.uses.append(begins)
    for uses in (scope.uses, begins):
        for word in expr.same:
            of = symbols.declared[word.text]
            if isinstance(of, ValueSymbol):
                uses.values.setdefault(word.text, word.span)
            elif isinstance(of, StateSymbol):
                uses.states.setdefault(word.text, word.span)
    return ir.CallValue(history.name, args, Whole(0, last), span=expr.span)


def running(symbols: SymbolTable) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every address that may run, with the bodies that run first there."""
    rules = symbols.rules
    first: dict[str, tuple[str, ...]] = {}
    owners: list[tree.Action | tree.Effect | tree.Reaction] = [
        *rules.actions.values(),
        *rules.effects.values(),
        *rules.reactions.values(),
    ]
    for owner in owners:
        name = owner.name.text
        bodies: list[tree.Does | tree.Cost] = []
        bodies += (c for c in owner.clauses if isinstance(c, tree.Does))
        bodies += (c for c in owner.clauses if isinstance(c, tree.Cost))
        addresses = [f"{name}.{each.name.text}" for each in bodies]
        yield from ((each, (each,)) for each in addresses)
        first[name] = tuple(addresses[:1])
        yield name, first[name]
    for name, placed in rules.steps.items():
        if placed.node.body is not None:
            yield name, (name,)
            continue
        acts = [n for n, action in rules.actions.items() if action.at.text == name]
        yield name, tuple(body for each in acts for body in first[each])


def _is_part(symbol: object) -> bool:
    return isinstance(symbol, StateSymbol | ValueSymbol | ZoneSymbol | SlotSymbol)


@frozen
class KeptPart:
    """A part of the position: its keys, its type, and its value."""

    name: str
    keys: tuple[ir.Param, ...]
    type: Type
    symbol: StateSymbol | ValueSymbol | ZoneSymbol | SlotSymbol

    def now(self, keys: tuple[ir.Expr, ...]) -> ir.Expr:
        match self.symbol:
            case StateSymbol():
                return ir.ReadCell(self.name, keys, self.type)
            case ValueSymbol():
                return ir.CallValue(self.name, keys, self.type)
            case SlotSymbol():
                return ir.TokenCount(self.name, keys, self.type)
            case ZoneSymbol(form="pile"):
                *inside, depth = keys
                return ir.PileTop(self.name, tuple(inside), "top", depth, self.type)
            case ZoneSymbol():
                return ir.Contents(self.name, keys, self.type)


def part_of(symbols: SymbolTable, name: str) -> KeptPart:
    """Return a part of the position; a pile has the depth as its last key."""
    symbol = symbols.declared[name]
    match symbol:
        case StateSymbol(keys=keys, type=type_) | ValueSymbol(keys=keys, type=type_):
            return KeptPart(name, keys, type_, symbol)
        case SlotSymbol(keys=keys, amount=amount):
            return KeptPart(name, keys, Whole(0, amount), symbol)
        case ZoneSymbol(keys=keys, form="pile", member=member):
            depth = ir.Param(ir.KEPT, Whole(0, max(0, symbol.room - 1)))
            return KeptPart(name, (*keys, depth), Maybe(member), symbol)
        case ZoneSymbol(keys=keys, member=member):
            return KeptPart(name, keys, Set(member), symbol)
        case _:
            raise TypeError(f"{name} is no part of a position")


def _last(scope: Scope, expr: tree.CountEach) -> int:
    """Return how many items are remembered, at most the possible number."""
    symbols = scope.symbols
    if expr.last is not None:
        last = numbers.constant(expect.number(scope, expr.last))
        if last is None:
            message = "How many are remembered must be known when the table is set."
            symbols.report(E028, message, expr.last.span, "use numbers and options")
        elif last < 1:
            message = "At least one beginning is remembered."
            symbols.report(E020, message, expr.last.span)
        return max(1, min(last or 1, MOST))
    told, used = len(symbols.diagnostics), len(symbols.uses)
    most = 1
    for phase in symbols.around(expr.phase.text):
        # How often the phase is played at most each time play reaches it.
        node, around = symbols.rules.phases[phase].node, symbols.around(phase)
        inner = Scope(symbols, scope.elaborate, Uses("", ()), phases=around)
        inner.know_variables(around)
        inner.names["me"] = ir.Local(0, "me", symbols.seats)
        if node.until is not None:
            most *= max(0, numbers.range_of(inner.read(node.until.times)).high)
        elif node.for_whom is not None:
            source = inner.read(node.for_whom.source)
            seats = isinstance(source, ir.Seats)
            most *= symbols.seats.size if seats else capacity(member_of(source.type))
    del symbols.diagnostics[told:], symbols.uses[used:]
    return max(1, min(most, MOST))


# ---- the states, the step and the value of a history


def with_histories(symbols: SymbolTable, program: ir.Program) -> ir.Program:
    """Return a program that stores the histories that its counts need."""
    found = {each for uses in symbols.uses for each in uses.histories}
    histories = [each for each in found if isinstance(each, History)]
    if not histories:
        return program
    reads = HiddenReads(program, Access(program))
    everybody = StaticViewer(lambda _: False)
    secret = frozenset(  # values that read hidden state
        name
        for name in {name for history in histories for name in history.same}
        if isinstance(value := symbols.declared[name], ValueSymbol)
        and reads.any
        and reads.found(
            ir.CallValue(name, key_locals(value.keys), value.type), everybody
        )
    )
    for history in sorted(histories, key=lambda each: each.name):
        program = _with_history(symbols, program, history, secret)
    return program


def _with_history(
    symbols: SymbolTable, program: ir.Program, history: History, secret: frozenset[str]
) -> ir.Program:
    """Return a program with one history, if that is within the limits."""
    span, last, whose = history.span, history.last, history.whose
    phase = program.phases[history.phase]
    parts = [part_of(symbols, name) for name in history.same]
    parts.sort(key=lambda part: prod(places(k.type) for k in part.keys))
    if whose is not None:  # the variable of the phase
        parts.insert(0, KeptPart("", (), whose, StateSymbol("", (), whose, "", span)))
    # `again` may begin more items than can be known.
    around = symbols.around(phase.name)
    repeats = next(
        (
            node.target
            for node in beneath(*bodies(program))
            if isinstance(node, ir.RequestAgain) and node.target in around
        ),
        "",
    )
    if repeats and not history.given:
        message = (
            f"`again {repeats}` may begin `{phase.name}` any number of times, so limit "
            "how many are remembered."
        )
        fix = f"{history.said} among the last {FEW}"
        symbols.report(E028, message, span, fixes=(fix,))
        return program
    each = 0  # the number of cells for each remembered item
    for part in parts:
        inner = core(part.type)
        wide = capacity(inner.member) // 64 if isinstance(inner, Set) else 0
        each += prod(places(key.type) for key in part.keys) * (1 + wide)
    asks = symbols.clause_at(span)
    what = f"`{asks}` remembers" if asks else "This remembers"
    what += f" {figures(last)} beginnings of `{phase.name}`, and that is "
    what += "{many} values."
    fewer = min(FEW, limit("cells") // max(1, each))
    fixes = (f"{history.said} among the last {fewer}",) if fewer else ()
    if not symbols.is_within("cells", last * each, what, span, fixes=fixes):
        return program

    def named(part: str) -> str:
        return f"{history.name}{ir.KEPT}{part}"

    number, place = Whole(0, last), Whole(0, last - 1)  # of remembered items, of one
    many = ir.ReadCell(named("many"), (), number)
    next_ = ir.ReadCell(named("next"), (), place)
    counters = [many, next_] if parts else [many]
    states = dict(program.states)
    for part in parts:  # each state is hidden like its part
        keys = (ir.Param(f"place{ir.KEPT}", place), *part.keys)
        seen: ir.Expr | None = None
        match part.symbol:
            case StateSymbol() if part.name:
                seen = program.states[part.name].seen
            case ZoneSymbol():
                seen = program.zones[part.name].seen
            case ValueSymbol() if part.name in secret:
                seen = ir.Const((), Set(symbols.seats))
            case _:
                pass
        if seen is not None and Access(program).reads(seen):
            seen = ir.Const((), Set(symbols.seats))  # nobody sees it
        elif seen is not None:
            seen = inlined(seen, key_locals(part.symbol.keys, 2), Frame(1 + len(keys)))
        name, first = named(part.name), ir.Const(least(part.type), part.type)
        states[name] = ir.StateDef(name, keys, part.type, "", first, False, seen)
    for cell in counters:
        first = ir.Const(0, cell.type)
        states[cell.state] = ir.StateDef(cell.state, (), cell.type, "", first, False)

    # The step that stores the current position.
    block: list[ir.Statement] = []
    frame = 1
    for part in parts:
        now = part.now(key_locals(part.keys))
        if not part.name:
            me = ir.Local(0, "me", symbols.seats)
            now = me if phase.acts else symbols.variables[phase.name]
        at: tuple[ir.Expr, ...] = (next_, *key_locals(part.keys))
        note: ir.Statement = ir.SetCell(named(part.name), at, now, span=span)
        if part.keys:
            note = ir.ForEach(key_binds(part.keys), None, "most", (), (note,))
        block.append(note)
        frame = max(frame, 1 + len(part.keys))
    if parts:
        after = ir.Binary("+", next_, numbers.number(1), Whole(1, last))
        turned = ir.Binary("mod", after, numbers.number(last), place)
        block.append(ir.SetCell(next_.state, (), turned, span=span))
    more = ir.Binary("+", many, numbers.number(1), Whole(1, last + 1))
    most = ir.Binary("min", more, numbers.number(last), Whole(1, last))
    block.append(ir.SetCell(many.state, (), most, span=span))
    # All histories of a phase are one step: a draw never sees a turn half counted.
    name = f"{phase.name}{ir.KEPT}begins"
    if name in program.steps:
        earlier = program.steps[name].body
        assert earlier is not None
        block[:0] = earlier.block
        frame = max(frame, earlier.frame)
    body = ir.Body(name, tuple(block), frame, span=span)
    step = ir.StepDef(name, phase.name, None, None, body, (), span=span)
    noting = phase
    if name not in program.steps:
        before = {item: (*found, name) for item, found in phase.before.items()}
        items = tuple(sorted((*phase.items, name)))
        noting = replace(phase, items=items, before={**before, name: ()})

    # The value that counts the places that equal the current position.
    params = () if whose is None else (ir.Param("of", whose),)
    definition: ir.Expr = many
    frame = 2 + len(params)
    if parts:
        slot = 1 + len(params)
        there = ir.Local(slot, "place", place)
        tests: list[ir.Expr] = []
        for part in parts:
            own = key_locals(part.keys, frame)
            now = part.now(own) if part.name else ir.Local(1, "of", part.type)
            then = ir.ReadCell(named(part.name), (there, *own), part.type)
            same: ir.Expr = ir.CompareValues("==", then, now, FLAG)
            if isinstance(part.type, Maybe):
                nones = ir.IsNone(then, FLAG), ir.IsNone(now, FLAG)
                same = _both("or", same, _both("and", *nones))
            if part.keys:
                binds = key_binds(part.keys, frame)
                same = ir.Quantifier("every", binds, None, same, FLAG)
            tests.append(same)
        top = ir.Binary("+", many, numbers.number(-1), Whole(-1, last - 1))
        every = ir.MakeRange(numbers.number(0), top, Set(place))
        bind = ir.Bind((slot,), ("place",), "member", place, every, 1, None, span=span)
        where = reduce(partial(_both, "and"), tests)
        definition = ir.CountOf((bind,), where, number, span=span)
        frame += max(len(part.keys) for part in parts)
    name = history.name
    value = ir.ValueDef(name, params, number, definition, (), (), frame, span=span)

    # What ends the history resets the counters. The count reads places 0 to many - 1,
    # so the next position goes to place 0.
    runs = dict(running(symbols))
    ends = {body for name in history.since for body in runs[name]}
    reset = [ir.SetCell(c.state, (), ir.Const(0, c.type), span=span) for c in counters]

    def ending(node: ir.CoreNode) -> ir.CoreNode:
        if isinstance(node, ir.Body) and node.address in ends:
            return replace(node, block=(*reset, *node.block))
        owns_bodies = (
            ir.ActionDef | ir.CostDef | ir.EffectDef | ir.ReactionDef | ir.StepDef
        )
        return rebuilt(node, ending) if isinstance(node, owns_bodies) else node

    changed: dict[str, Any] = {
        kind: {name: ending(each) for name, each in getattr(program, kind).items()}
        for kind in ("actions", "effects", "reactions", "steps")
    }
    program = replace(program, **changed)
    return replace(
        program,
        states=states,
        values={**program.values, value.name: value},
        steps={**program.steps, step.name: step},
        phases={**program.phases, phase.name: noting},
    )


def _both(word: Literal["and", "or"], left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Connective(word, left, right, FLAG)
