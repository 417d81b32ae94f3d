"""Dependencies: cycles, first values, and expressions known before play.

Values and effects must not depend on themselves (E019). First values that read the
state are computed in the order in which they need each other; none may need itself
(E019) or be read too early (E211). Warnings are evaluated during set-up of the table
(E028).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from houserule import ir
from houserule.base.algebra.graph import reachable, shortest_path
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.frozen import frozen, slotted
from houserule.base.limits import limit
from houserule.base.source import Span
from houserule.compiler.lower.messages import E019, E028, E211
from houserule.compiler.lower.symbols.symbol_table import StateSymbol, SymbolTable, Uses
from houserule.ir.access import Access
from houserule.ir.facts import NodeFacts
from houserule.ir.facts import levels as levels_of
from houserule.ir.types import least
from houserule.ir.walk import beneath

Calls = Mapping[str, Mapping[str, Span]]


# ---- cycles


@frozen
class Reliance:
    """The dependencies of each value, effect and state, by its name."""

    values: Mapping[str, Uses]
    effects: Mapping[str, Uses]
    states: Mapping[str, Uses]


def reliance_of(symbols: SymbolTable) -> Reliance:
    """Return the dependencies of all named parts of the rules."""
    found: dict[str, dict[str, Uses]] = {"value": {}, "effect": {}, "state": {}}
    for uses in symbols.uses:
        owner, _, name = uses.owner.partition(" ")
        if owner in found:
            found[owner][name] = uses
    return Reliance(found["value"], found["effect"], found["state"])


def without_circles(known: Reliance, values: Mapping[str, ir.ValueDef]) -> Reliance:
    """Return the dependencies without the calls by which a value `asks itself`.

    Such a call is in the value, or in another one that it uses.
    """
    calls = {name: [*uses.values] for name, uses in known.values.items()}
    found = dict(known.values)
    for name, value in values.items():
        for caller in reachable([name], calls) if value.deep else ():
            uses = found.get(caller)
            if uses is not None and name in uses.values:
                left = {n: at for n, at in uses.values.items() if n != name}
                found[caller] = replace(uses, values=left)
    return Reliance(found, known.effects, known.states)


def check_cycles(symbols: SymbolTable, known: Reliance) -> bool:
    """Report values and effects that depend on themselves; return whether none does."""
    calls = {
        (sort, name): {
            **{("value", each): span for each, span in uses.values.items()},
            **{("effect", each): span for each, span in uses.effects.items()},
        }
        for sort, every in (("value", known.values), ("effect", known.effects))
        for name, uses in every.items()
    }
    try:
        order = tuple(TopologicalSorter(calls).static_order())
    except CycleError:
        values = {name: uses.values for name, uses in known.values.items()}
        effects = {name: uses.effects for name, uses in known.effects.items()}
        _report(symbols, "value", values, "follows from itself")
        _report(symbols, "effect", effects, "calls itself")
        return False
    # Chains of values and effects must not be too long.
    rows: dict[tuple[str, str], int] = {}
    fine, most = True, limit("calls")
    for caller in order:
        rows[caller] = 1
        for called, span in calls.get(caller, {}).items():
            rows[caller] = max(rows[caller], rows[called] + 1)
            if fine and rows[caller] > most:
                what = f"`{caller[1]}` begins a chain of {{many}} that use one another."
                fine = symbols.is_within("calls", rows[caller], what, span)
    return fine


def _report(symbols: SymbolTable, sort: str, calls: Calls, does: str) -> None:
    """Report a shortest cycle of every strongly connected component."""
    known = {name: [each for each in calls[name] if each in calls] for name in calls}
    done: set[str] = set()
    for start in sorted(calls):
        cycle = [] if start in done else shortest_path(known, start, start)
        if cycle:
            done.update(cycle)
            first, *rest = [
                Label(calls[caller][called], f"`{caller}` uses `{called}`")
                for caller, called in pairwise(cycle)
            ]
            message = f"The {sort} `{cycle[0]}` {does}: {' -> '.join(cycle)}."
            line = f"value {cycle[0]} asks itself, at most 10 deep: …"
            fixes = (line,) if sort == "value" else ()
            symbols.report(
                E019, message, first.span, first.text, others=rest, fixes=fixes
            )


def check_levels(symbols: SymbolTable, values: Mapping[str, ir.ValueDef]) -> bool:
    """Report E050 for a value that is nested too deeply, including its dependencies.

    This does not recurse, because recursion depth is what the limit protects.
    """
    facts = NodeFacts()
    uses = {
        name: {each for called in facts.of(levels_of, value) for each in called}
        for name, value in values.items()
    }
    levels: dict[str, int] = {}
    most = limit("levels")
    for name in TopologicalSorter(uses).static_order():
        levels[name] = 0
        if name not in values:
            continue
        levels[name] = max(
            deep + sum(levels.get(each, 0) for each in called)
            for called, deep in facts.of(levels_of, values[name]).items()
        )
        if levels[name] > most:
            what = f"`{name}` is nested {{many}} levels deep, with the values that it "
            what += "uses."
            span = symbols.declared[ir.kept_of(name)].span
            return symbols.is_within("levels", levels[name], what, span)
    return True


# ---- first values


@slotted
class StateReads:
    """States that values and effects read, directly or through calls."""

    values: Mapping[str, Uses]
    effects: Mapping[str, Uses]
    states: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    changing: dict[str, bool] = field(default_factory=dict)

    def places(self, uses: Uses) -> Iterator[tuple[str, Span]]:
        """Yield each state that is read, with the place that leads to it."""
        yield from uses.states.items()
        for sort, called, known in (
            ("value", uses.values, self.values),
            ("effect", uses.effects, self.effects),
        ):
            for name, span in called.items():
                key = sort, name
                if key not in self.states:
                    self.states[key] = frozenset()  # a cycle was reported before
                    if name in known:
                        read = frozenset(state for state, _ in self.places(known[name]))
                        self.states[key] = read
                for state in sorted(self.states[key]):
                    yield state, span

    def changes(self, uses: Uses) -> bool:
        """Return whether something that changes during the game is read."""
        if uses.changing or uses.states:
            return True
        for name in uses.values:
            if name not in self.changing:
                self.changing[name] = False
                own = self.values.get(name)
                self.changing[name] = own is not None and self.changes(own)
            if self.changing[name]:
                return True
        return False


def settle_first_values(
    symbols: SymbolTable, known: Reliance, states: Mapping[str, ir.StateDef]
) -> dict[str, ir.StateDef]:
    """Order the computed first values, reporting E019 and E211; return the states."""
    reading, firsts = StateReads(known.values, known.effects), known.states
    computed = {
        name
        for name, state in states.items()
        if reading.changes(firsts[name])
        or (state.life and not isinstance(state.first, ir.Const))
        or state.among is not None
    }
    reads = {
        name: {
            state: span
            for state, span in reading.places(firsts[name])
            if state in computed and _life(symbols, state) == _life(symbols, name)
        }
        for name in sorted(computed)
    }
    for name in reads:
        for other, span in reads[name].items():
            if other == name or shortest_path(reads, other, name):
                message = f"The first value of `{name}` needs itself."
                symbols.report(E019, message, span, f"`{name}` reads `{other}`")
    for uses in symbols.uses:
        if uses.phases is not None:  # a read before the life of the state begins
            for read, span in reading.places(uses):
                life = _life(symbols, read)
                if read not in computed or not life or life in uses.phases:
                    continue
                symbols.report(
                    E211,
                    f"`{read}` has no value here: it begins with each `{life}`.",
                    span,
                    f"this is read outside `{life}`",
                    details=(
                        "Only a state whose first value is constant can be read there.",
                    ),
                )
    found = dict(states)
    stages: dict[str, int] = {}
    after: set[str] = set()  # what follows from draws
    try:
        order = tuple(TopologicalSorter(reads).static_order())
    except CycleError:
        return found
    for name in order:
        state = states[name]
        stage = 1 + max((stages[other] for other in reads[name]), default=0)
        stages[name] = stage
        drawn = any(states[e].among is not None or e in after for e in reads[name])
        if state.among is not None:
            found[name] = replace(state, stage=stage) if stage > 1 else state
        elif drawn:
            after.add(name)
            least_value = ir.Const(least(state.type), state.type, span=state.first.span)
            found[name] = replace(
                state, first=least_value, follows=state.first, stage=stage
            )
        elif stage > 1:
            found[name] = replace(state, computed=True, stage=stage)
        else:
            found[name] = replace(state, computed=True)
    return found


def _life(symbols: SymbolTable, state: str) -> str:
    symbol = symbols.declared.get(state)
    return symbol.life if isinstance(symbol, StateSymbol) else ""


# ---- expressions that are evaluated before play


NOUNS = {
    "state": "the state",
    "face": "the faces of",
    "zone": "what lies in",
    "order": "what lies in",
    "tokens": "the tokens in",
}


def static_warnings(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E028 for every warning that reads changing state."""
    for warning in program.warns:
        read = _changing(warning.test, access)
        if read:
            yield fault(
                E028,
                f"The warning `{warning.address}` is worked out before play, and reads "
                f"{read}.",
                warning.test.span,
                fixes=("read options, players, components, and values made of these",),
            )


E503 = MessageCode("E503", "draw condition never changes")
"""A `drawn by` reads nothing that changes in play.

**Why.** It is evaluated whenever an action or an automatic step is complete. A
condition that is always the same ends every game with the first action, or none.

**For example**

```rules
option most_turns: 20..100 step 10 normally 50
drawn by standstill: most_turns at least 50      # and how long has nothing happened?
```

**Fix.** Read something that changes: a state, a value of states, the contents of a
zone. To turn a way to draw off, remove it in a variant, or let it depend on an option
and on something else.
"""


def settled_draws(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E503 for every draw condition that reads no changing state."""
    for drawn in program.draws:
        tests = (drawn.test, *(lift for _, lift in drawn.lifts))
        if not any(_changing(test, access) for test in tests):
            yield fault(
                E503,
                f"`{drawn.address}` reads nothing that changes in play, so the game is "
                "drawn by it at once or never.",
                drawn.test.span,
                "this is the same from the first move to the last",
                fixes=("read a state, a value of states, or what lies in a zone",),
            )


def _changing(test: ir.Expr, access: Access) -> str:
    """Return something that the test reads and that changes during play, or ''."""
    places = sorted(access.reads(test))
    if places:
        sort, name = places[0]
        if ir.is_kept(name):
            return f"what was counted of `{ir.kept_of(name)}`"
        return f"{NOUNS[sort]} `{name}`"
    under_way = any(isinstance(node, ir.Can | ir.Doing) for node in beneath(test))
    return "what is under way" if under_way else ""
