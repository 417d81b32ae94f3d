"""Reactions: to changes of a value, around clauses, instead of effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from houserule import ir
from houserule.base.diagnostics.wording import did_you_mean
from houserule.base.frozen import frozen, slotted
from houserule.compiler.lower.declarations.actions import (
    asked,
    body,
    learn_from_needs,
    refuse,
    sized,
)
from houserule.compiler.lower.declarations.values import condition
from houserule.compiler.lower.expressions import expect
from houserule.compiler.lower.expressions.scopes import anywhere, in_phase, let_act
from houserule.compiler.lower.messages import E010, E012, E013
from houserule.compiler.lower.symbols.symbol_table import SymbolTable, ValueSymbol
from houserule.compiler.lower.types import BROKEN
from houserule.ir.walk import option_binds
from houserule.language.syntax import tree


def declare_hooks(symbols: SymbolTable) -> None:
    """Record the reactions of each event, by name."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in sorted(symbols.rules.reactions):
        reaction = symbols.rules.reactions[name]
        found.setdefault((reaction.event.text, reaction.moment), []).append(name)
    symbols.hooks = {key: tuple(names) for key, names in found.items()}


@frozen
class Hookable:
    """An event that reactions can hook: its parameters, and its phase if known."""

    params: tuple[ir.Param, ...]
    phase: str | None = None


@slotted
class Hookables:
    """Everything that can be hooked, by address; hooks of hooks on demand."""

    symbols: SymbolTable
    actions: dict[str, ir.ActionDef]
    known: dict[str, Hookable] = field(default_factory=dict)
    asking: list[str] = field(default_factory=list)

    def collect(self) -> None:
        """Record the events of actions, effects, steps and phases."""
        rules = self.symbols.rules
        for name, phase in rules.phases.items():
            self.known[name] = Hookable((), phase.phase)
        for name, step in rules.steps.items():
            if step.node.body is not None:
                self.known[name] = Hookable((), step.phase)
        for name, action in rules.actions.items():
            step_at = rules.steps.get(action.at.text)
            phase_name = action.at.text if step_at is None else step_at.phase
            binds = option_binds(self.actions[name])
            params = (ir.Param(n, bind.type) for bind in binds for n in bind.names)
            event = Hookable(tuple(params), phase_name)
            for address in _bodies(name, action.clauses):
                self.known[address] = event
        for name, effect in rules.effects.items():
            for address in _bodies(name, effect.clauses):
                self.known[address] = Hookable(self.symbols.effects[name])

    def find(self, address: str) -> Hookable | None:
        """Return the event of an address; clauses of other reactions count."""
        if address in self.known:
            return self.known[address]
        owner = address.partition(".")[0]
        reaction = self.symbols.rules.reactions.get(owner)
        if reaction is None or owner in self.asking:
            return None
        if address not in _bodies(owner, reaction.clauses):
            return None
        self.asking.append(owner)
        params = _reaction_params(self, reaction)
        self.asking.pop()
        base = self.find(reaction.event.text) if reaction.moment != "when" else None
        phase = None if base is None else base.phase
        self.known[address] = Hookable(params or (), phase)
        return self.known[address]


def _bodies(name: str, clauses: Sequence[tree.Clause]) -> list[str]:
    return [
        f"{name}.{clause.name.text}"
        for clause in clauses
        if isinstance(clause, tree.Does | tree.Cost)
    ]


# ---- reactions


def define_reactions(
    symbols: SymbolTable, actions: dict[str, ir.ActionDef]
) -> dict[str, ir.ReactionDef]:
    events = Hookables(symbols, actions)
    events.collect()
    return {
        name: _reaction(events, reaction)
        for name, reaction in symbols.rules.reactions.items()
    }


def _reaction(events: Hookables, reaction: tree.Reaction) -> ir.ReactionDef:
    name = reaction.name.text
    params = _reaction_params(events, reaction, report=True)
    if params is None:
        params = tuple(
            ir.Param(word.text, BROKEN, span=word.span)
            for word in reaction.params or ()
        )
    # The scope is inside a phase if the event is in one.
    hooked = reaction.moment in {"before", "after"}
    event = events.find(reaction.event.text) if hooked else None
    if event is None or event.phase is None:
        scope = anywhere(events.symbols)
    else:
        scope = in_phase(events.symbols, event.phase)
        let_act(scope)
    scope.bind_all(params)
    change: tuple[ir.Param, ...] = ()  # the names of the old and the new value
    if reaction.old is not None and reaction.new is not None:
        symbol = scope.symbols.declared.get(reaction.event.text)
        type_ = symbol.type if isinstance(symbol, ValueSymbol) else BROKEN
        words = (reaction.old, reaction.new)
        for word in words:
            scope.bind(word, type_)
        change = tuple(ir.Param(word.text, type_, span=word.span) for word in words)
    # Needs are read first: their facts hold in the rest, wherever they are.
    wanted = [each for each in reaction.clauses if isinstance(each, tree.Needs)]
    needs = tuple(condition(scope, clause, name) for clause in wanted)
    learn_from_needs(scope, name, wanted)
    asks: list[ir.AskDef] = []
    does: list[ir.Body] = []
    uses_up: ir.Expr | None = None  # the measure that decreases
    for clause in reaction.clauses:
        match clause:
            case tree.Asks():
                asks.append(asked(scope, name, clause))
            case tree.Does():
                address = f"{name}.{clause.name.text}"
                does.append(body(scope, clause.body, address, clause))
                scope.forget_state()
            case tree.UsesUp(_, measure):
                scope.root = measure
                uses_up = expect.number(scope, measure)
            case tree.Needs():
                pass
            case _:
                has = "`needs`, `asks`, `does` and `ends as this shrinks`"
                refuse(scope.symbols, clause, "a reaction", has)
    return ir.ReactionDef(
        name,
        reaction.moment,
        reaction.event.text,
        params,
        change,
        needs,
        tuple(asks),
        tuple(sized(each, scope) for each in does),
        uses_up,
        scope.frame.size,
        span=reaction.span,
    )


def _reaction_params(
    events: Hookables, reaction: tree.Reaction, *, report: bool = False
) -> tuple[ir.Param, ...] | None:
    """Return the parameters as the reaction names them; None if they are unknown."""
    params = _event_params(events, reaction, report=report)
    names = reaction.params
    if params is None or names is None:
        return params
    if len(names) != len(params):
        if report:
            wanted = ", ".join(param.name for param in params)
            message = (
                f"`{reaction.event.text}` has parameters: {len(params)}, "
                f"and here there are {len(names)}."
            )
            details = (f"They are: {wanted}.",) if wanted else ()
            events.symbols.report(E013, message, reaction.event.span, details=details)
        return None
    pairs = zip(names, params, strict=True)
    return tuple(ir.Param(word.text, old.type, span=word.span) for word, old in pairs)


def _event_params(
    events: Hookables, reaction: tree.Reaction, *, report: bool
) -> tuple[ir.Param, ...] | None:
    symbols, event = events.symbols, reaction.event.text
    match reaction.moment:
        case "when":
            symbol = symbols.declared.get(event)
            if isinstance(symbol, ValueSymbol):
                return symbol.keys
        case "instead":
            if event in symbols.effects:
                return symbols.effects[event]
        case _:
            found = events.find(event)
            if found is not None:
                return found.params
    if report:
        span = reaction.event.span
        known: list[str]
        match reaction.moment:
            case "when":
                known, wanted = list(symbols.rules.values), "a value"
            case "instead":
                known, wanted = list(symbols.effects), "an effect"
            case _:
                known = list(events.known)
                wanted = (
                    "a clause that does or pays something, an automatic step or a phase"
                )
        other = symbols.flow.get(event) or symbols.declared.get(event)
        if other is not None:
            clauses = [each for each in known if each.startswith(f"{event}.")]
            details = (
                (f"Name one of its clauses: {', '.join(clauses)}.",) if clauses else ()
            )
            message = f"`{event}` is {other.noun}; {wanted} is expected here."
            symbols.report(E012, message, span, details=details)
        else:
            missing, code = f"There is nothing called `{event}`", E010
            if event in symbols.rules.clauses:
                missing, code = f"`{event}` is a clause", E012
            message = f"{missing}; {wanted} is expected here."
            symbols.report(code, message, span, did_you_mean(event, known))
    return None
