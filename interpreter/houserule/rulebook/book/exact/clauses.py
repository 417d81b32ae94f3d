"""Each kind of clause: its place in the core, and its wording."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from houserule import ir
from houserule.ir import Program
from houserule.ir.types import Flag, Position, Set
from houserule.rulebook.book.exact.declared import DeclaredWords
from houserule.rulebook.book.exact.expressions import ExpressionWords
from houserule.rulebook.book.exact.flow import ClauseParts, FlowWords, Sayer
from houserule.rulebook.book.exact.plain import PlainClauses
from houserule.rulebook.book.exact.program_nouns import Lexicon
from houserule.rulebook.book.exact.scope import (
    FrameVariable,
    parameters,
    variables_of,
)
from houserule.rulebook.book.exact.shapes import open_rows
from houserule.rulebook.book.exact.statements import StatementWords


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

    # ---- addresses and wordings

    def _every(self) -> Iterator[tuple[str, Sayer]]:
        program = self._program
        for value in program.values.values():
            if ir.is_kept(value.name):
                continue
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
            words = ExpressionWords(self._names, body.address, params, *body.block)
            return StatementWords(words).sentences(body.block)

        return body.address, said

    # ---- values

    def _of_value(self, value: ir.ValueDef) -> Iterator[tuple[str, Sayer]]:
        params = parameters(value.params)
        yield value.name, lambda: self._definition(value, params)
        for lift, test in value.lifts:
            yield lift, self._parts.lift(lift, test, params, value.name)
        for condition in value.needs:
            yield from self._parts.condition(condition, params, "needs")
        for layer in value.layers:
            for address, test in layer.adjusts:
                yield address, self._contribution(value, layer, address, test)
            address = f"{value.name}.{layer.name}"
            yield address, self._layer(value, layer)

    def _definition(
        self, value: ir.ValueDef, params: Sequence[FrameVariable]
    ) -> list[str]:
        names = self._names
        words = ExpressionWords(self._names, value.name, params, value.definition)
        itself = ir.CallValue(
            value.name,
            tuple(ir.Local(each.slot, each.name, each.type) for each in params),
            value.type,
        )
        if isinstance(value.type, Flag):
            return [self._truth(words, itself, value.definition)]
        quantity = words.quantity(itself)
        assert quantity is not None
        what = words.quantity_phrase(quantity)
        definition = value.definition
        rows: tuple[tuple[ir.Expr, ir.Expr], ...] = ()
        if isinstance(definition, ir.Cases):
            rows, definition = open_rows(definition)
        if not rows and isinstance(value.type, Position):
            place = words.destination(definition)
            return [names.say("is_destination", what=what, value=place)]
        if not rows:
            said = names.say(
                "is_defined", what=what, value=self._shown(words, definition)
            )
            return [said, *self._changes(value)]
        shown = [
            names.say(
                "case",
                value=self._shown(words, part),
                condition=words.sentence(test),
            )
            for test, part in rows
        ]
        shown.append(names.say("otherwise", value=self._shown(words, definition)))
        said = names.say("cases", what=what, rows=names.rows(shown))
        return [said, *self._changes(value)]

    def _shown(self, words: ExpressionWords, expr: ir.Expr) -> str:
        if isinstance(expr.type, Set):
            return words.whole(expr)
        if isinstance(expr.type, Position):
            return words.destination(expr)
        return words.number(expr)

    def _truth(
        self, words: ExpressionWords, itself: ir.Expr, definition: ir.Expr
    ) -> str:
        quantity = words.quantity(itself)
        said = words.sentence(itself)
        if quantity is not None and words.exact_reading(quantity, "yes"):
            means, what = ("means", self._names.quoted(said))
        else:
            means, what = "holds_if", said
        cases: tuple[tuple[ir.Expr, ir.Expr], ...] = ()
        if isinstance(definition, ir.Cases):
            cases, definition = open_rows(definition)
        if cases:
            rows = [
                self._names.say(
                    "holds_if_case",
                    condition=words.sentence(test),
                    value=words.sentence(part),
                )
                for test, part in cases
            ]
            last = words.sentence(definition)
            rows.append(self._names.say("holds_if_otherwise", value=last))
            return self._names.say(
                f"{means}_cases", what=what, rows=self._names.rows(rows)
            )
        condition = words.sentence(definition)
        return self._names.say(means, what=what, condition=condition)

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
            words = ExpressionWords(self._names, address, params, test)
            itself = ir.CallValue(
                value.name,
                tuple(ir.Local(each.slot, each.name, each.type) for each in params),
                value.type,
            )
            quantity = words.quantity(itself)
            assert quantity is not None
            what = words.quantity_phrase(quantity)
            how = layer.op.replace(" ", "_")
            return [
                self._names.say(f"layer_{how}", what=what, value=words.number(test))
            ]

        return said

    def _layer(self, value: ir.ValueDef, layer: ir.LayerDef) -> Sayer:
        def said() -> list[str]:
            noun = ExpressionWords(self._names, "", ()).quantity_noun(
                value.name, "value"
            )
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
        scope = ExpressionWords(self._names, effect.name, params).scope
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
        words = ExpressionWords(self._names, action.name, params, *action.params)
        what = names.action(action.name)
        during = names.flow(action.at)
        if action.by is not None:
            who = words.bound(action.by, "a")
            said = [names.say("action_by", what=what, during=during, who=who)]
        else:
            said = [names.say("action", what=what, during=during)]
        if action.params:
            what = words.all_bound(action.params)
            said.append(names.say("chooses", what=what))
        return said

    def _cost(self, cost: ir.CostDef, params: Sequence[FrameVariable]) -> Sayer:
        def said() -> list[str]:
            names = self._names
            words = ExpressionWords(
                self._names, cost.address, params, *cost.binds, *cost.body.block
            )
            found: list[str] = []
            if cost.binds:
                what = words.all_bound(cost.binds)
                found.append(names.say("pays_with", what=what))
            body = StatementWords(words).sentences(cost.body.block)
            found.append(names.say("cost", what=names.rows(body)))
            return found

        return said

    def _limit(self, limit: ir.LimitDef, params: Sequence[FrameVariable]) -> Sayer:
        def said() -> list[str]:
            words = ExpressionWords(self._names, limit.address, params, limit.count)
            phase = self._names.flow(limit.phase)
            count = words.number(limit.count)
            said = "limit" if isinstance(limit.count, ir.Const) else "limit_as"
            return [self._names.say(said, count=count, phase=phase)]

        return said

    def _ask(self, ask: ir.AskDef, params: Sequence[FrameVariable]) -> Sayer:
        def said() -> list[str]:
            words = ExpressionWords(self._names, ask.address, params, ask.who)
            return [self._names.say("asks", who=words.phrase(ask.who))]

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
                words = ExpressionWords(self._names, reaction.name, params, uses_up)
                return [self._names.say("shrinks", what=words.number(uses_up))]

            yield f"{reaction.name}.shrinks", said

    def _reaction(
        self, reaction: ir.ReactionDef, params: Sequence[FrameVariable]
    ) -> list[str]:
        names, event = self._names, reaction.event
        words = ExpressionWords(self._names, reaction.name, params)
        if reaction.moment == "when":
            keys = [
                words.scope.variable(each) for each in params[: len(reaction.params)]
            ]
            noun = words.quantity_noun(event, "value")
            tail = f" {names.of(names.together(keys))}" if keys else ""
            what = names.grammar.phrase(noun, "the", tail)
            names.mention(event)
            if reaction.change:
                old, new = (words.scope.variable(each) for each in params[-2:])
                return [names.say("when_from_to", what=what, old=old, new=new)]
            return [names.say("when", what=what)]
        return [names.say(f"hook_{reaction.moment}", what=self._names.event(event))]


def as_sentence(said: str) -> str:
    """Return words with a capital and a full stop."""
    said = re.sub(r"\s+", " ", said).strip()
    first = re.search(r"\w", said)
    if first is not None:
        place = first.start()
        said = said[:place] + said[place].upper() + said[place + 1 :]
    return said if said.endswith((".", "!", "?")) else f"{said}."


# ---- the public interface: sentences by address


class ExactWords:
    """Sentences for the clauses of one program, in one language.

    Args:
        program: the composed rules of a table.
        texts: the ruleset's texts of the language, by `section/name`.
        language: of the sentences; English grammar if it is not supported.
        first: the language of the captions in the rules files.
        cited: the sentence of an effect about itself, for plain sentences.
    """

    def __init__(
        self,
        program: Program,
        texts: Mapping[str, str],
        language: str,
        first: str = "en",
        cited: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        self._names = Lexicon(program, texts, language, first)
        self._clauses = Clauses(self._names)
        self._plain = PlainClauses(self._names, cited)
        self._said: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def clause(self, address: str) -> tuple[str, ...]:
        """Return the sentences that express a clause completely.

        Each begins with a capital and ends with a full stop.

        Raises:
            KeyError: the program has no such clause.
        """
        return self._of(address)[0]

    def plain(self, address: str) -> tuple[str, ...] | None:
        """Return a clause in plain sentences, none if there is nothing to say.

        None if it can only be worded formally.
        """
        return self._plain.sentences(address)

    def is_met(self, address: str) -> bool:
        """Return whether a clause is a condition that is always met at the table."""
        return address in self._plain.met

    def mentions(self, address: str) -> tuple[str, ...]:
        """Return the addresses of the clauses that these sentences mention."""
        return self._of(address)[1]

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The names used so far that have no words in this language, by section.

        If a noun only lacks a gender that the language needs, the entry is `things` and
        `NAME:gender`.
        """
        return tuple(sorted(self._names.missing))

    def _of(self, address: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if address not in self._said:
            with self._names.mentions() as mentioned:
                said = tuple(self._clauses.sentences(address))
            others = tuple(each for each in mentioned if each != address)
            self._said[address] = said, others
        return self._said[address]
