"""Constants: expressions that the rules need before play.

The condition of a product decides which members it has, and a value can be the bound of
a range. Both are ordinary expressions, but everything else depends on them. So the
symbol table collects them as questions during declaration. This module lowers the
questions whose names are resolved, and the reference engine evaluates them in a program
of values and components only. Then the rules are declared again with the answers, until
no question is left. Until then a type that waits for an answer is `BROKEN`, so that
everything that needs it waits too.
"""

from __future__ import annotations

from dataclasses import replace

from houserule import ir
from houserule.base.algebra.graph import reachable
from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.limits import limit
from houserule.base.source import Span
from houserule.compiler.lower.analysis.dependencies import check_levels
from houserule.compiler.lower.declarations.flow import define_root
from houserule.compiler.lower.declarations.state import define_components
from houserule.compiler.lower.declarations.values import adjusts_by_layer, define_value
from houserule.compiler.lower.expressions import expect
from houserule.compiler.lower.expressions.scopes import in_declaration
from houserule.compiler.lower.symbols.symbol_table import Answer, Listed, SymbolTable
from houserule.compiler.lower.types import FLAG, is_broken
from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.reference.evaluate.values import IN_PLAY, parts
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import Layout
from houserule.engine.state.store import Store
from houserule.ir.types import Set
from houserule.ir.walk import beneath, children, values_called

UNKNOWN = "This is not known when the table is set."
TOO_LONG = "This takes too long to work out."


def answers(symbols: SymbolTable) -> dict[str, Answer]:
    """Return answers to questions of a symbol table, at least one if it has any.

    Questions that wait for others have no answer yet. If all wait, none of them
    is constant. Type errors are not reported here: the same expressions are lowered
    again with the rest of the rules.
    """
    quiet = replace(symbols, diagnostics=[], uses=[], listed=Listed())
    constants = _Constants(quiet)
    asked: dict[str, ir.ValueDef] = {}
    found: dict[str, Answer] = {}
    waiting: dict[str, Answer] = {}
    for key, question in tuple(symbols.asked.items()):
        scope = in_declaration(quiet)
        quiet.diagnostics.clear()
        scope.bind_all(question.params)
        node = expect.value(scope, question.expr, question.type)
        faulty = has_errors(quiet.diagnostics)
        place = constants.changing(node)
        if place is None and not faulty:
            size, span = scope.frame.size, question.expr.span
            asked[key] = ir.ValueDef(
                key, question.params, question.type, node, (), (), size, span=span
            )
        else:
            answer = Answer(why=UNKNOWN, span=place or question.expr.span)
            (found if faulty else waiting)[key] = answer
    if not check_levels(quiet, constants.values):
        deep = {key: Answer(why=UNKNOWN, span=asked[key].span) for key in asked}
        return found | deep or waiting
    # A program with values and components, and nothing to play.
    program = ir.Program(
        game=quiet.rules.game,
        title="",
        seats=quiet.rules.table.players,
        variants=(),
        options={},
        kinds=quiet.kinds,
        labels=quiet.labels,
        components=define_components(quiet),
        states={},
        zones={},
        tokens={},
        values=constants.values | asked,
        effects={},
        actions={},
        steps={},
        phases={},
        root=define_root(quiet),
        reactions={},
        always=(),
        asserts=(),
        winners=ir.Const((), Set(quiet.seats)),
        winning_keys=(),
        winning_direction="most",
        winners_slot=0,
        clauses={},
    )
    evaluator = Evaluator(program, Layout(program))
    for key, value in asked.items():
        call, ctx = evaluator.call(value.name), GameContext(Store(evaluator.layout))
        try:
            rows = symbols.asked[key].rows
            found[key] = Answer(tuple([call(ctx, row) for row in rows]))
        except RuleFault as fault:
            # An error inside a value is reported at the call that leads to it.
            values = program.values.items()
            calls = {name: values_called(*parts(each)) for name, each in values}
            leading = [
                each.span
                for each in beneath(value.definition)
                if isinstance(each, ir.CallValue)
                and fault.address in reachable([each.value], calls)
            ]
            why = TOO_LONG if fault.code == "F11" else fault.message
            found[key] = Answer(why=why, span=(*leading, value.span)[0])
    return found or waiting


class _Constants:
    """The lowered values that do not read changing state.

    Attributes:
        values: those requested so far, by name.
    """

    def __init__(self, symbols: SymbolTable) -> None:
        self._symbols, self._adjusts = symbols, adjusts_by_layer(symbols)
        self.values: dict[str, ir.ValueDef] = {}
        self._seen: set[str] = set()
        self._deep = 0

    def changing(self, *nodes: ir.CoreNode) -> Span | None:
        """Return the place of the first innermost part that is not constant."""
        for node in beneath(*nodes):
            if isinstance(node, ir.CallValue):
                # A value that depends on itself is not constant.
                if node.value not in self._seen and self._deep < limit("calls"):
                    self._seen.add(node.value)
                    self._deep += 1
                    self._symbols.diagnostics.clear()
                    value = define_value(self._symbols, node.value, self._adjusts)
                    faulty = has_errors(self._symbols.diagnostics)
                    if value and not faulty and self.changing(*parts(value)) is None:
                        self.values[node.value] = value
                    self._deep -= 1
                constant = node.value in self.values
            else:
                constant = not isinstance(node, (*IN_PLAY, ir.PositionOf))
            if not constant or is_broken(getattr(node, "type", FLAG)):
                return self.changing(*children(node)) or node.span
        return None
