"""Histories: how many items of a phase began since something ran, and with what.

Such a count becomes a call of a generated value. Its history is added to the program at
the end (`lower.declarations.histories`); equal counts share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from houserule import ir
from houserule.base.diagnostics.wording import did_you_mean
from houserule.base.frozen import frozen
from houserule.base.source import NOWHERE, Span
from houserule.compiler.lower.expressions import expect, numbers
from houserule.compiler.lower.messages import E010, E012, E014, E018, E027, E028
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.symbols.symbol_table import (
    SlotSymbol,
    StateSymbol,
    SymbolTable,
    Uses,
    ValueSymbol,
    ZoneSymbol,
)
from houserule.compiler.lower.types import capacity, member_of
from houserule.ir.types import Kind, Maybe, Position, Set, Type, Whole
from houserule.language.manifest.messages import E020
from houserule.language.syntax import tree

MOST = 1 << 30  # items are counted up to here


@frozen
class History:
    """A count of a phase's items: of one member or all, since, with, among.

    Attributes:
        phase: its items are counted.
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
        other, span = (
            symbols.flow.get(phase) or symbols.declared.get(phase),
            expr.phase.span,
        )
        if other is not None:
            message = f"`{phase}` is {other.noun}; what is counted is a phase."
            symbols.report(E012, message, span, others=symbols.declared_at(other))
        else:
            message = f"There is no phase called `{phase}`."
            symbols.report(
                E010, message, span, did_you_mean(phase, symbols.rules.phases)
            )
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
        message = f"`{phase}` is no phase `for` each of something."
        symbols.report(E018, message, expr.of.span, "all its items are counted")
    elif expr.of is not None and whom is not None and whom.name.text == "me":
        args, whose = (expect.seat(scope, expr.of),), symbols.seats
    elif expr.of is not None and whom is not None:
        type_ = symbols.variables[phase].type
        assert isinstance(type_, Whole | Kind)
        args, whose = (expect.value(scope, expr.of, type_, whom.name.text),), type_
    # The addresses that something can run at; others are reported.
    places = dict(running(symbols))
    for word in expr.since:
        if places.get(word.text):
            continue
        other = symbols.flow.get(word.text) or symbols.declared.get(word.text)
        if word.text in places:
            message = f"Nothing runs at `{word.text}`, so nothing begins anew there."
            symbols.report(E012, message, word.span)
        elif other is not None:
            message = f"`{word.text}` is {other.noun}; wanted here is what runs: "
            message += "an action, an effect, a clause of one, a step or a reaction."
            symbols.report(E012, message, word.span)
        else:
            message = f"There is nothing called `{word.text}` that runs."
            symbols.report(E010, message, word.span, did_you_mean(word.text, places))
    since = expr.since
    same = [word for word in expr.same if _can_be_kept(scope, word)]
    last = _last(scope, expr)
    if len(symbols.diagnostics) > told:
        return broken(expr)
    history = History(
        phase,
        whose,
        tuple(sorted({word.text for word in since})),
        tuple(sorted({word.text for word in same})),
        last,
        expr.last is not None,
        span=expr.span,
    )
    scope.uses.changing = True
    scope.uses.histories.setdefault(history, expr.span)
    begins = Uses("", symbols.around(phase))
    symbols.uses.append(begins)
    for uses in (scope.uses, begins):
        for word in same:
            of = symbols.declared[word.text]
            known = uses.values if isinstance(of, ValueSymbol) else uses.states
            if isinstance(of, ValueSymbol | StateSymbol):
                known.setdefault(word.text, word.span)
    return ir.CallValue(history.name, args, Whole(0, last), span=expr.span)


# ---- start of the count


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


# ---- the parts of the position


def _can_be_kept(scope: Scope, word: tree.Word) -> bool:
    """Return whether a name is a part of the position that can be remembered."""
    symbols, told = scope.symbols, len(scope.symbols.diagnostics)
    other = symbols.declared.get(word.text) or symbols.flow.get(word.text)
    if other is None:
        known = [n for n, each in symbols.declared.items() if _is_part(each)]
        message = f"There is nothing called `{word.text}`."
        symbols.report(E010, message, word.span, did_you_mean(word.text, known))
    elif not _is_part(other):
        message = f"`{word.text}` is {other.noun}; what is the same is a state, a value"
        message += ", a zone or a place of tokens."
        symbols.report(E012, message, word.span, others=symbols.declared_at(other))
    else:
        kept = part_of(symbols, word.text)
        if not all(isinstance(key.type, Whole | Kind) for key in kept.keys):
            message = f"`{word.text}` has a key that is no number and no named thing."
            symbols.report(E027, message, word.span, "name a value that says the same")
        if isinstance(kept.type, Position):
            message = (
                f"`{word.text}` is a place to put things to, no part of a position."
            )
            symbols.report(E014, message, word.span)
    return len(symbols.diagnostics) == told


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
        """Return the current value."""
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


# ---- how many


def _last(scope: Scope, expr: tree.CountEach) -> int:
    """Return how many items are remembered, at most the possible number."""
    symbols = scope.symbols
    if expr.last is not None:
        node = expect.number(scope, expr.last)
        last = numbers.constant(node)
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
        most *= _times(scope, phase)
    del symbols.diagnostics[told:], symbols.uses[used:]
    return max(1, min(most, MOST))


def _times(scope: Scope, phase: str) -> int:
    """Return how often a phase is played at most each time play reaches it."""
    symbols = scope.symbols
    node = symbols.rules.phases[phase].node
    inner = Scope(symbols, scope.elaborate, Uses("", ()), phases=symbols.around(phase))
    inner.know_variables(symbols.around(phase))
    inner.names["me"] = ir.Local(0, "me", symbols.seats)
    if node.until is not None:
        return max(0, numbers.range_of(inner.read(node.until.times)).high)
    if node.for_whom is not None:
        source = inner.read(node.for_whom.source)
        if isinstance(source, ir.Seats):
            return symbols.seats.size
        return capacity(member_of(source.type))
    return 1
