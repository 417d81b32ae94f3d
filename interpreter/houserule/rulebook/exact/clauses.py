"""Each kind of clause: where it stands in the core, and how it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from houserule import ir
from houserule.ir.types import Flag, Position, Set
from houserule.rulebook.exact.declared import DeclaredWords
from houserule.rulebook.exact.flow import ClauseParts, FlowWords, Sayer
from houserule.rulebook.exact.scope import (
    FrameVariable,
    parameters,
    variables_of,
)
from houserule.rulebook.exact.shapes import open_rows
from houserule.rulebook.exact.statements import StatementWords
from houserule.rulebook.exact.terms import Terms

if TYPE_CHECKING:
    from houserule.rulebook.exact.names import Lexicon


class Clauses:
    """The sentences of every clause of a program, found by its address."""

    def __init__(self, names: Lexicon) -> None:
        self._names, self._program = names, names.program
        self._declared = DeclaredWords(names)
        self._flow = FlowWords(names)
        self._parts = ClauseParts(names)
        self._found: dict[str, list[Sayer]] = {}
        for address, sayer in self._every():
            self._found.setdefault(address, []).append(sayer)

    def sentences(self, address: str) -> list[str]:
        """Return the sentences of a clause.

        Raises:
            KeyError: there is no such clause.
        """
        clause = self._program.clauses[address]
        sayers = self._found.get(address, ())
        with self._names.listening():
            for sayer in sayers:
                sayer()
        said = [each for sayer in sayers for each in sayer()]
        if not said:
            said = self._declared.other(clause)
        return [as_sentence(each) for each in dict.fromkeys(said)]

    # ---- where clauses stand

    def _every(self) -> Iterator[tuple[str, Sayer]]:
        program = self._program
        for value in program.values.values():
            yield from self._of_value(value)
        for effect in program.effects.values():
            yield from self._of_effect(effect)
        for action in program.actions.values():
            yield from self._of_action(action)
        for reaction in program.reactions.values():
            yield from self._of_reaction(reaction)
        yield from self._flow.every()
        yield from self._declared.every()

    def _body(
        self, body: ir.Body, params: Sequence[FrameVariable]
    ) -> tuple[str, Sayer]:
        def said() -> list[str]:
            terms = self._parts.terms(body.address, params, *body.block)
            return StatementWords(terms).sentences(body.block)

        return body.address, said

    # ---- values

    def _of_value(self, value: ir.ValueDef) -> Iterator[tuple[str, Sayer]]:
        params = parameters(value.params)
        yield value.name, lambda: self._definition(value, params)
        for lift, test in value.lifts:
            yield lift, self._parts.lift(lift, test, params, value.name)
        for layer in value.layers:
            for address, test in layer.adjusts:
                yield address, self._contribution(value, layer, address, test)
            address = f"{value.name}.{layer.name}"
            yield address, self._layer(value, layer)

    def _definition(
        self, value: ir.ValueDef, params: Sequence[FrameVariable]
    ) -> list[str]:
        names = self._names
        terms = self._parts.terms(value.name, params, value.definition)
        itself = ir.CallValue(
            value.name,
            tuple(ir.Local(each.slot, each.name, each.type) for each in params),
            value.type,
        )
        if isinstance(value.type, Flag):
            return [self._truth(terms, itself, value.definition)]
        quantity = terms.quantities.of(itself)
        assert quantity is not None
        what = terms.quantities.phrase(quantity)
        definition = value.definition
        rows: tuple[tuple[ir.Expr, ir.Expr], ...] = ()
        if isinstance(definition, ir.Cases):
            rows, definition = open_rows(definition)
        if not rows and isinstance(value.type, Position):
            place = terms.destination(definition)
            return [names.say("is_destination", what=what, value=place)]
        if not rows:
            said = names.say(
                "is_defined", what=what, value=self._shown(terms, definition)
            )
            return [said, *self._changes(value)]
        shown = [
            names.say(
                "case",
                value=self._shown(terms, part),
                condition=terms.conditions.sentence(test),
            )
            for test, part in rows
        ]
        shown.append(names.say("otherwise", value=self._shown(terms, definition)))
        said = names.say("cases", what=what, rows=names.rows(shown))
        return [said, *self._changes(value)]

    def _shown(self, terms: Terms, expr: ir.Expr) -> str:
        if isinstance(expr.type, Set):
            return terms.groups.whole(expr)
        if isinstance(expr.type, Position):
            return terms.destination(expr)
        return terms.number(expr)

    def _truth(self, terms: Terms, itself: ir.Expr, definition: ir.Expr) -> str:
        means, what = self._truth_named(terms, itself)
        cases: tuple[tuple[ir.Expr, ir.Expr], ...] = ()
        if isinstance(definition, ir.Cases):
            cases, definition = open_rows(definition)
        if cases:
            rows = [
                self._names.say(
                    "holds_if_case",
                    condition=terms.conditions.sentence(test),
                    value=terms.conditions.sentence(part),
                )
                for test, part in cases
            ]
            last = terms.conditions.sentence(definition)
            rows.append(self._names.say("holds_if_otherwise", value=last))
            return self._names.say(
                f"{means}_cases", what=what, rows=self._names.rows(rows)
            )
        condition = terms.conditions.sentence(definition)
        return self._names.say(means, what=what, condition=condition)

    def _truth_named(self, terms: Terms, itself: ir.Expr) -> tuple[str, str]:
        """Return the phrase of a definition, and what it defines."""
        quantity = terms.quantities.of(itself)
        said = terms.conditions.sentence(itself)
        if quantity is not None and terms.quantities.exact_reading(quantity, "yes"):
            return "means", self._names.quoted(said)
        return "holds_if", said

    def _changes(self, value: ir.ValueDef) -> list[str]:
        """Return that something is added to a value, or multiplies it."""
        found: list[str] = []
        for layer in value.layers:
            for address, _ in layer.adjusts:
                self._names.mention(address)
                caption = self._names.caption(address)
                if caption is not None:
                    how = layer.op.replace(" ", "_")
                    what = self._names.quoted(caption)
                    found.append(self._names.say(f"then_{how}", what=what))
        return found

    def _contribution(
        self, value: ir.ValueDef, layer: ir.LayerDef, address: str, test: ir.Expr
    ) -> Sayer:
        params = parameters(value.params)

        def said() -> list[str]:
            terms = self._parts.terms(address, params, test)
            itself = ir.CallValue(
                value.name,
                tuple(ir.Local(each.slot, each.name, each.type) for each in params),
                value.type,
            )
            quantity = terms.quantities.of(itself)
            assert quantity is not None
            what = terms.quantities.phrase(quantity)
            how = layer.op.replace(" ", "_")
            return [
                self._names.say(f"layer_{how}", what=what, value=terms.number(test))
            ]

        return said

    def _layer(self, value: ir.ValueDef, layer: ir.LayerDef) -> Sayer:
        def said() -> list[str]:
            noun = self._parts.terms("", ()).quantities.noun(value.name, "value")
            what = self._names.grammar.phrase(noun)
            how = layer.op.replace(" ", "_")
            place = [each.name for each in value.layers].index(layer.name) + 1
            return [self._names.say(f"layer_is_{how}", what=what, place=place)]

        return said

    # ---- effects, actions, reactions

    def _of_effect(self, effect: ir.EffectDef) -> Iterator[tuple[str, Sayer]]:
        params = parameters(effect.params)
        yield effect.name, lambda: self._effect(effect, params)
        for condition in effect.needs:
            yield from self._parts.condition(condition, params, "needs")
        for body in effect.does:
            yield self._body(body, params)

    def _effect(
        self, effect: ir.EffectDef, params: Sequence[FrameVariable]
    ) -> list[str]:
        scope = self._parts.terms(effect.name, params).scope
        shown = [scope.variable(each) for each in params]
        caption = self._names.caption(effect.name)
        named = self._names.quoted(caption) if caption else ""
        if shown and named:
            about = self._names.together(shown)
            return [self._names.say("effect_about", what=named, about=about)]
        if named:
            return [self._names.say("effect", what=named)]
        if shown:
            about = self._names.together(shown)
            return [self._names.say("effect_only_about", about=about)]
        return [self._names.say("effect_unnamed")]

    def _of_action(self, action: ir.ActionDef) -> Iterator[tuple[str, Sayer]]:
        binds = ((action.by,) if action.by else ()) + action.params
        params = [each for bind in binds for each in variables_of(bind)]
        for cost in action.costs:
            params += [each for bind in cost.binds for each in variables_of(bind)]
        yield action.name, lambda: self._action(action, params)
        for condition in action.conditions:
            owner = condition.address.partition(".")[0]
            if owner in self._program.effects and owner != action.name:
                continue
            yield from self._parts.condition(condition, params, "needs")
        for condition in action.unwise:
            yield from self._parts.condition(condition, params, "unwise")
        for cost in action.costs:
            yield cost.address, self._cost(cost, params)
        for limit in action.limits:
            yield limit.address, self._limit(limit, params)
        for ask in action.asks:
            yield ask.address, self._ask(ask, params)
        for body in action.does:
            yield self._body(body, params)

    def _action(
        self, action: ir.ActionDef, params: Sequence[FrameVariable]
    ) -> list[str]:
        names = self._names
        terms = self._parts.terms(action.name, params, *action.params)
        what = names.action(action.name)
        during = names.flow(action.at)
        if action.by is not None:
            who = terms.groups.bound(action.by, "a")
            said = [names.say("action_by", what=what, during=during, who=who)]
        else:
            said = [names.say("action", what=what, during=during)]
        if action.params:
            what = terms.groups.all_bound(action.params)
            said.append(names.say("chooses", what=what))
        return said

    def _cost(self, cost: ir.CostDef, params: Sequence[FrameVariable]) -> Sayer:
        def said() -> list[str]:
            names = self._names
            terms = self._parts.terms(
                cost.address, params, *cost.binds, *cost.body.block
            )
            found: list[str] = []
            if cost.binds:
                what = terms.groups.all_bound(cost.binds)
                found.append(names.say("pays_with", what=what))
            body = StatementWords(terms).sentences(cost.body.block)
            found.append(names.say("cost", what=names.rows(body)))
            return found

        return said

    def _limit(self, limit: ir.LimitDef, params: Sequence[FrameVariable]) -> Sayer:
        def said() -> list[str]:
            terms = self._parts.terms(limit.address, params, limit.count)
            phase = self._names.flow(limit.phase)
            count = terms.number(limit.count)
            said = "limit" if isinstance(limit.count, ir.Const) else "limit_as"
            return [self._names.say(said, count=count, phase=phase)]

        return said

    def _ask(self, ask: ir.AskDef, params: Sequence[FrameVariable]) -> Sayer:
        def said() -> list[str]:
            terms = self._parts.terms(ask.address, params, ask.who)
            return [self._names.say("asks", who=terms.phrase(ask.who))]

        return said

    def _of_reaction(self, reaction: ir.ReactionDef) -> Iterator[tuple[str, Sayer]]:
        params = parameters((*reaction.params, *reaction.change))
        yield reaction.name, lambda: self._reaction(reaction, params)
        for condition in reaction.needs:
            yield from self._parts.condition(condition, params, "needs")
        for ask in reaction.asks:
            yield ask.address, self._ask(ask, params)
        for body in reaction.does:
            yield self._body(body, params)
        if reaction.uses_up is not None:
            uses_up = reaction.uses_up

            def said() -> list[str]:
                terms = self._parts.terms(reaction.name, params, uses_up)
                return [self._names.say("shrinks", what=terms.number(uses_up))]

            yield f"{reaction.name}.shrinks", said

    def _reaction(
        self, reaction: ir.ReactionDef, params: Sequence[FrameVariable]
    ) -> list[str]:
        names, event = self._names, reaction.event
        terms = self._parts.terms(reaction.name, params)
        if reaction.moment == "when":
            keys = [
                terms.scope.variable(each) for each in params[: len(reaction.params)]
            ]
            noun = terms.quantities.noun(event, "value")
            tail = f" {names.of(names.together(keys))}" if keys else ""
            what = names.grammar.phrase(noun, "the", tail)
            names.mention(event)
            if reaction.change:
                old, new = (terms.scope.variable(each) for each in params[-2:])
                return [names.say("when_from_to", what=what, old=old, new=new)]
            return [names.say("when", what=what)]
        return [names.say(f"hook_{reaction.moment}", what=self._names.event(event))]


def as_sentence(said: str) -> str:
    """Return words with a capital first and a full stop last."""
    said = re.sub(r"\s+", " ", said).strip()
    first = re.search(r"\w", said)
    if first is not None:
        place = first.start()
        said = said[:place] + said[place].upper() + said[place + 1 :]
    return said if said.endswith((".", "!", "?")) else f"{said}."
