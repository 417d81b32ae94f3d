"""Each kind of clause: its place in the core, and its formal wording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from houserule import ir
from houserule.base.inflection import Inflected
from houserule.ir.types import Flag, Kind, Maybe, Position, Set, Type, Whole
from houserule.rulebook.exact.expressions import ExpressionWords
from houserule.rulebook.exact.program_nouns import Lexicon
from houserule.rulebook.exact.scope import FrameVariable, parameters, variables_of
from houserule.rulebook.exact.shapes import open_rows, settled
from houserule.rulebook.exact.statements import StatementWords

Sayer: TypeAlias = Callable[[], Iterable[str]]
Variables: TypeAlias = Sequence[FrameVariable]
Given: TypeAlias = Mapping[int, Inflected]


class Clauses:
    """The sentences of every clause of a program, without capital and full stop.

    `sayers` has, by address, the functions that yield them. This class yields formal
    wording; a subclass may word some kinds of clauses differently.
    """

    def __init__(self, names: Lexicon) -> None:
        self._names, self._program = names, names.program
        self.sayers: dict[str, list[Sayer]] = {}
        for address, sayer in self._every():
            self.sayers.setdefault(address, []).append(sayer)

    def _every(self) -> Iterator[tuple[str, Sayer]]:
        program, conditions, bodies = self._program, self._conditions, self._bodies
        for value in program.values.values():
            if ir.is_kept(value.name):
                continue
            params = parameters(value.params)
            yield value.name, partial(self._definition, value, params)
            for lift, test in value.lifts:
                yield lift, partial(self._lift, lift, test, params, value.name)
            yield from conditions("needs", value.needs, params)
            for layer in value.layers:
                for address, test in layer.adjusts:
                    yield address, partial(self._adjusts, value, layer, address, test)
                address = f"{value.name}.{layer.name}"
                yield address, partial(self._layer, value, layer)
        for effect in program.effects.values():
            params = parameters(effect.params)
            yield effect.name, partial(self._effect, effect, params)
            yield from conditions("needs", effect.needs, params)
            yield from bodies(effect.does, params)
        for action in program.actions.values():
            binds = [*([action.by] if action.by else ()), *action.params]
            binds += [bind for cost in action.costs for bind in cost.binds]
            params = [each for bind in binds for each in variables_of(bind)]
            yield action.name, partial(self._action, action, params)
            own = [
                each
                for each in action.conditions
                if (owner := each.address.partition(".")[0]) == action.name
                or owner not in program.effects
            ]
            yield from conditions("needs", own, params)
            yield from conditions("unwise", action.unwise, params)
            for cost in action.costs:
                yield cost.address, partial(self._cost, cost, params)
            for limit in action.limits:
                yield limit.address, partial(self._limit, limit, params)
            for ask in action.asks:
                yield ask.address, partial(self._ask, ask, params)
            yield from bodies(action.does, params, acting=True)
        for reaction in program.reactions.values():
            params = parameters((*reaction.params, *reaction.change))
            given = self._changing(reaction, params)
            yield reaction.name, partial(self._reaction, reaction, params)
            yield from conditions("needs", reaction.needs, params, given)
            for ask in reaction.asks:
                yield ask.address, partial(self._ask, ask, params)
            yield from bodies(reaction.does, params, given)
            if reaction.uses_up is not None:
                left = partial(self._shrinks, reaction, reaction.uses_up, params)
                yield f"{reaction.name}.shrinks", left
        for phase in program.phases.values():
            yield phase.name, partial(self._phase, phase)
        for step in program.steps.values():
            yield step.name, partial(self._step, step)
        yield from conditions("always_clause", program.always)
        yield from conditions("assert", program.asserts)
        yield from conditions("drawn_game", program.draws)
        yield from conditions("warn", program.warns)
        yield "winners", self._winners
        if program.striving is not None:
            yield "bots", partial(self._striving, program.striving)
        for component in program.components.values():
            yield component.kind.name, partial(self._component, component)
            for name in component.fields:
                address = f"{component.kind.name}.{name}"
                yield address, partial(self._field, component, name)
        for state in program.states.values():
            if not ir.is_kept(state.name):
                yield state.name, partial(self._state, state)
        for zone in program.zones.values():
            yield zone.name, partial(self._zone, zone)
        for tokens in program.tokens.values():
            yield tokens.name, partial(self._tokens, tokens)

    def _conditions(
        self,
        phrase: str,
        conditions: Iterable[ir.Condition],
        params: Variables = (),
        given: Given | None = None,
    ) -> Iterator[tuple[str, Sayer]]:
        """Yield conditions, and the exceptions in which they do not count."""
        for each in conditions:
            yield each.address, partial(self._condition, phrase, each, params, given)
            for lift, test in each.lifts:
                yield lift, partial(self._lift, lift, test, params, each.address)

    def _bodies(
        self,
        bodies: Iterable[ir.Body],
        params: Variables,
        given: Given | None = None,
        *,
        acting: bool = False,
    ) -> Iterator[tuple[str, Sayer]]:
        """Yield blocks; `acting` if the active player does what they say."""
        for body in bodies:
            yield body.address, partial(self._body, body, params, given, acting=acting)

    # ---- parts of several kinds of clauses

    def _words(
        self,
        address: str,
        params: Variables = (),
        *roots: ir.CoreNode,
        given: Given | None = None,
    ) -> ExpressionWords:
        return ExpressionWords(self._names, address, params, *roots, given=given)

    def _body(
        self,
        body: ir.Body,
        params: Variables,
        given: Given | None = None,
        *,
        acting: bool,
    ) -> Iterable[str]:
        del given, acting  # for subclasses
        words = self._words(body.address, params, *body.block)
        return StatementWords(words).sentences(body.block)

    def _condition(
        self,
        phrase: str,
        condition: ir.Condition,
        params: Variables,
        given: Given | None,
    ) -> Iterable[str]:
        del given
        test, known = condition.test, settled(condition.test)
        if known is not None and phrase == "needs":
            return [self._names.say("needs_met" if known else "needs_unmet")]
        words = self._words(condition.address, params, test)
        one_of = isinstance(test.type, Set)
        what = words.whole(test) if one_of else words.sentence(test)
        return [self._names.say(phrase, what=what)]

    def _lift(
        self, lift: str, test: ir.Expr, params: Variables, address: str
    ) -> Iterable[str]:
        names = self._names
        what = self._words(lift, params, test).sentence(test)
        names.mention(address)
        caption = names.caption(address)
        if caption is None:
            return [names.say("lift", what=what)]
        return [names.say("lift_of", what=what, clause=names.quoted(caption))]

    def _seen(
        self, words: ExpressionWords, seen: ir.Expr, what: str, phrase: str
    ) -> str:
        """Return who sees something."""
        if isinstance(seen, ir.Const) and seen.value == ():
            return self._names.say(f"{phrase}_nobody", what=what)
        return self._names.say(phrase, what=what, who=words.whole(seen))

    # ---- values

    def _definition(self, value: ir.ValueDef, params: Variables) -> Iterable[str]:
        names, definition = self._names, value.definition
        words = self._words(value.name, params, definition)
        itself = ir.CallValue(value.name, locals_of(params), value.type)
        quantity = words.quantity(itself)
        assert quantity is not None
        rows: tuple[tuple[ir.Expr, ir.Expr], ...] = ()
        if isinstance(definition, ir.Cases):
            rows, definition = open_rows(definition)
        if isinstance(value.type, Flag):
            what = words.sentence(itself)
            means, cases = "holds_if", "holds_if_cases"
            if words.exact_reading(quantity, "yes"):
                what, means, cases = names.quoted(what), "means", "means_cases"
            row, otherwise = "holds_if_case", "holds_if_otherwise"
            shown: Callable[[ir.Expr], str] = words.sentence
            if not rows:
                yield names.say(means, what=what, condition=shown(definition))
                return
        else:
            what = words.quantity_phrase(quantity)
            row, otherwise, cases = "case", "otherwise", "cases"
            shown = words.number
            if isinstance(value.type, Set):
                shown = words.whole
            elif isinstance(value.type, Position):
                shown = words.destination
            if not rows:
                at_place = isinstance(value.type, Position)
                said = "is_destination" if at_place else "is_defined"
                yield names.say(said, what=what, value=shown(definition))
        if rows:
            parts = [
                names.say(row, condition=words.sentence(test), value=shown(part))
                for test, part in rows
            ]
            parts.append(names.say(otherwise, value=shown(definition)))
            yield names.say(cases, what=what, rows=names.rows(parts))
        for layer in value.layers:
            for address, _ in layer.adjusts:
                names.mention(address)
                caption = names.caption(address)
                if caption is not None:
                    how = layer.op.replace(" ", "_")
                    yield names.say(f"then_{how}", what=names.quoted(caption))

    def _adjusts(
        self, value: ir.ValueDef, layer: ir.LayerDef, address: str, test: ir.Expr
    ) -> Iterable[str]:
        params = parameters(value.params)
        words = self._words(address, params, test)
        itself = ir.CallValue(value.name, locals_of(params), value.type)
        what, number = words.phrase(itself), words.number(test)
        phrase = f"layer_{layer.op.replace(' ', '_')}"
        return [self._names.say(phrase, what=what, value=number)]

    def _layer(self, value: ir.ValueDef, layer: ir.LayerDef) -> Iterable[str]:
        noun = self._words("").quantity_noun(value.name, "value")
        place = [each.name for each in value.layers].index(layer.name) + 1
        phrase = f"layer_is_{layer.op.replace(' ', '_')}"
        what = self._names.grammar.phrase(noun)
        return [self._names.say(phrase, what=what, place=place)]

    # ---- effects, actions, reactions

    def _effect(self, effect: ir.EffectDef, params: Variables) -> Iterable[str]:
        names = self._names
        scope = self._words(effect.name, params).scope
        shown = [scope.variable(each) for each in params]
        about = names.together(shown) if shown else ""
        caption = names.caption(effect.name)
        if caption:
            said = "effect_about" if shown else "effect"
            return [names.say(said, what=names.quoted(caption), about=about)]
        return [
            names.say("effect_only_about" if shown else "effect_unnamed", about=about)
        ]

    def _action(self, action: ir.ActionDef, params: Variables) -> Iterable[str]:
        names = self._names
        words = self._words(action.name, params, *action.params)
        what, during = names.action(action.name), names.flow(action.at)
        if action.by is not None:
            who = words.bound(action.by, "a")
            yield names.say("action_by", what=what, during=during, who=who)
        else:
            yield names.say("action", what=what, during=during)
        if action.params:
            yield names.say("chooses", what=words.all_bound(action.params))

    def _cost(self, cost: ir.CostDef, params: Variables) -> Iterable[str]:
        names, block = self._names, cost.body.block
        words = self._words(cost.address, params, *cost.binds, *block)
        if cost.binds:
            yield names.say("pays_with", what=words.all_bound(cost.binds))
        said = StatementWords(words).sentences(block)
        yield names.say("cost", what=names.rows(said))

    def _limit(self, limit: ir.LimitDef, params: Variables) -> Iterable[str]:
        names, count = self._names, limit.count
        number = self._words(limit.address, params, count).number(count)
        said = "limit" if isinstance(count, ir.Const) else "limit_as"
        return [names.say(said, count=number, phase=names.flow(limit.phase))]

    def _ask(self, ask: ir.AskDef, params: Variables) -> Iterable[str]:
        words = self._words(ask.address, params, ask.who)
        return [self._names.say("asks", who=words.phrase(ask.who))]

    def _changing(self, reaction: ir.ReactionDef, params: Variables) -> Given | None:
        """Return phrases for the old and the new value that a reaction watches."""
        del reaction, params
        return None

    def _reaction(self, reaction: ir.ReactionDef, params: Variables) -> Iterable[str]:
        names, event = self._names, reaction.event
        if reaction.moment != "when":
            return [names.say(f"hook_{reaction.moment}", what=names.event(event))]
        words = self._words(reaction.name, params)
        keys = [words.scope.variable(each) for each in params[: len(reaction.params)]]
        noun = words.quantity_noun(event, "value")
        what = names.grammar.phrase(noun, "the", names.tail_of(keys))
        names.mention(event)
        if not reaction.change:
            return [names.say("when", what=what)]
        old, new = (words.scope.variable(each) for each in params[-2:])
        return [names.say("when_from_to", what=what, old=old, new=new)]

    def _shrinks(
        self, reaction: ir.ReactionDef, uses_up: ir.Expr, params: Variables
    ) -> Iterable[str]:
        words = self._words(reaction.name, params, uses_up)
        return [self._names.say("shrinks", what=words.number(uses_up))]

    # ---- phases and steps

    def _guarded(
        self, words: ExpressionWords, what: str, guard: ir.Expr | None
    ) -> Iterator[str]:
        """Yield when a phase or step takes place; nothing if always."""
        known = guard is None or settled(guard)
        if guard is not None and known is None:
            condition = words.sentence(guard)
            yield self._names.say("phase_if", what=what, condition=condition)
        elif not known:
            yield self._names.say("phase_never", what=what)

    def _phase(self, phase: ir.PhaseDef) -> Iterable[str]:
        names, what = self._names, self._names.flow(phase.name)
        parts = (phase.source, phase.guard, phase.until, phase.times)
        words = self._words(phase.name, (), *filter(None, parts))
        found: list[str] = []
        if phase.source is not None:
            group = words.group(phase.source)
            who = names.grammar.phrase(group.word, "every", group.tail)
            how = "phase_together" if phase.together else "phase_for"
            found.append(names.say(how, what=what, who=who))
        found += self._guarded(words, what, phase.guard)
        if phase.until is not None:
            condition = words.sentence(phase.until)
            found.append(names.say("phase_until", what=what, condition=condition))
        if phase.times is not None:
            number = isinstance(phase.times, ir.Const)
            how = "phase_times" if number else "phase_times_as"
            how = "phase_stops" if phase.stops else how
            found.append(names.say(how, what=what, times=words.number(phase.times)))
        steps = self._program.steps
        items = [
            each
            for each in phase.items
            if not ir.is_kept(each) and not (each in steps and steps[each].silent)
        ]
        items.sort(key=lambda each: len(phase.before.get(each, ())))
        if items:
            series = names.joined([names.flow(each) for each in items])
            found.append(names.say("phase_items", what=what, items=series))
        return found or [names.say("phase", what=what)]

    def _step(self, step: ir.StepDef) -> Iterable[str]:
        names, what = self._names, self._names.flow(step.name)
        block = step.body.block if step.body is not None else ()
        guard = () if step.guard is None else (step.guard,)
        words = self._words(step.name, (), *guard, *block)
        if step.mode is not None and step.actions:
            actions = names.joined([names.action(e) for e in step.actions], "or")
            said = f"step_{step.mode.replace(' ', '_')}"
            yield names.say(said, what=what, actions=actions)
        elif step.mode is not None:
            yield names.say("step_empty", what=what)
        yield from self._guarded(words, what, step.guard)
        if block and not (guard and settled(*guard) is False):
            yield from StatementWords(words).sentences(block)

    # ---- the whole game

    def _winners(self) -> Iterable[str]:
        winners = self._program.winners
        words = self._words("winners", (), winners)
        return [self._names.say("winners", who=words.whole(winners))]

    def _striving(self, ranking: ir.Ranking) -> Iterable[str]:
        names = self._names
        seat = next(k for k in self._program.kinds.values() if k.sort == "seat")
        variable = FrameVariable(ranking.slot, "p", seat)
        words = self._words("bots", (variable,), *ranking.keys)
        said, *rest = (
            words.extreme(key, ranking.direction, variable) for key in ranking.keys
        )
        if rest:
            said = names.say("then_by", first=said, rest=names.joined(rest))
        return [names.say("striving", what=said)]

    # ---- declarations

    def _component(self, component: ir.ComponentDef) -> Iterable[str]:
        names, kind, faces = self._names, component.kind, component.faces
        phrase, noun = names.grammar.phrase, names.kind(component.kind)
        every = phrase(noun, "every")
        if kind.sort == "enum":
            yield self._members(kind)
        elif faces and not component.fields:
            dice = names.together([names.constant(e, kind) for e in range(kind.size)])
            yield names.say("dice_are", what=phrase(names.plural(noun)), items=dice)
        else:
            some = noun if kind.size == 1 else names.plural(noun)
            amount = phrase(names.grammar.counted(some, str(kind.size)), "")
            yield names.say("amount", number=kind.size, what=amount)
        if component.fields:
            fields = [
                phrase(names.word(f"{kind.name}.{name}", "value"), "a")
                for name in component.fields
            ]
            yield names.say("has_fields", what=every, fields=names.together(fields))
        if not faces or kind.sort == "enum":
            return
        if len(faces) > 2 and faces == tuple(range(faces[0], faces[-1] + 1)):
            shown = names.say("from_to", low=faces[0], high=faces[-1])
        else:
            shown = names.say("of_these", items=names.joined([*map(str, faces)]))
        yield names.say("dice_show", what=every, faces=shown)
        if component.seen is not None:
            variable = FrameVariable(1, "it", kind)
            words = self._words(kind.name, [variable], component.seen)
            yield self._seen(words, component.seen, every, "dice_seen")

    def _members(self, kind: Kind) -> str:
        """Return the members of an enumeration."""
        names = self._names
        items = [names.constant(item, kind) for item in range(kind.size)]
        what = names.grammar.phrase(names.kind(kind), "every")
        return names.say("one_of", what=what, items=names.joined(items, "or"))

    def _field(self, component: ir.ComponentDef, name: str) -> Iterable[str]:
        names, (type_, _) = self._names, component.fields[name]
        field = names.word(f"{component.kind.name}.{name}", "value")
        of = names.tail_of([names.grammar.phrase(names.kind(component.kind), "a")])
        what = names.grammar.phrase(field, "the", of)
        inner = type_.inner if isinstance(type_, Maybe) else type_
        if field.is_plural and isinstance(inner, Whole):
            what = names.amount_of(what)
        return [names.say("field", what=what, type=self._typed(type_))]

    def _typed(self, type_: Type) -> Inflected:
        """Return the values of a type as a phrase: "a number from 0 to 9"."""
        names, phrase = self._names, self._names.grammar.phrase
        match type_:
            case Maybe(inner):
                return names.plain(names.say("or_none", what=self._typed(inner)))
            case Whole(low, high):
                tail = names.say("from_to", low=low, high=high)
                return phrase(names.general("number"), "a", f" {tail}")
            case Flag():
                return names.plain(names.say("yes_or_no"))
            case Set(member, _):
                word = names.plural(names.type_word(member))
                return phrase(names.grammar.counted(word, names.say("any_number")), "")
            case Kind():
                return phrase(names.kind(type_), "a")
            case Position():
                return phrase(names.general("place"), "a")

    def _zone(self, zone: ir.ZoneDef) -> Iterable[str]:
        names, params = self._names, parameters(zone.keys)
        roots = filter(None, (zone.starts, zone.seen))
        words = self._words(zone.name, params, *roots)
        place, word = words.place(zone.name, locals_of(params)), names.kind(zone.member)
        many = "_many" if place.is_plural else ""
        things = names.grammar.phrase(names.plural(word), "")
        parts = {"what": place.phrase, "where": place.inside, "things": things}
        one = names.grammar.phrase(word, "a")
        yield names.say(f"zone_{zone.kind}{many}", thing=one, **parts)
        if zone.at_most is not None and zone.kind != "slot":
            yield names.say("zone_at_most", number=zone.at_most, **parts)
        if zone.starts is not None:
            start = words.whole(zone.starts)
            yield names.say(f"zone_starts{many}", where=place.inside, what=start)
        if zone.seen is not None:
            shown = place.phrase if many else place.inside
            yield self._seen(words, zone.seen, shown, f"zone_seen{many}")
            if zone.showing:
                fields = (f"{zone.member.name}.{each}" for each in zone.showing)
                nouns = [names.grammar.phrase(names.word(e, "value")) for e in fields]
                yield names.say("zone_showing", what=names.together(nouns))

    def _state(self, state: ir.StateDef) -> Iterable[str]:
        names, params, first = self._names, parameters(state.keys), state.begins
        roots = [each for each in (first, state.seen, state.among) if each is not None]
        words = self._words(state.name, params, *roots)
        cell = ir.ReadCell(state.name, locals_of(params), state.type)
        quantity = words.quantity(cell)
        assert quantity is not None
        when = names.say("at_first")
        if state.life:
            when = names.say("at_first_each", phase=names.flow(state.life))
        if state.among is not None:
            among = words.the(words.group(state.among))
            what = words.quantity_phrase(quantity)
            yield names.say("starts_among", when=when, what=what, among=among)
        else:
            test: ir.Expr = ir.CompareValues("==", cell, first, Flag())
            if isinstance(state.type, Flag) and not isinstance(first, ir.Const):
                said = names.say(
                    "now_exactly_if_first",
                    what=words.sentence(cell),
                    condition=words.sentence(first),
                )
            elif isinstance(state.type, Flag):
                assert isinstance(first, ir.Const)
                said = words.sentence(cell, bool(first.value))
            else:
                said = words.sentence(test)
            yield names.say("starts_so", when=when, what=said)
        if state.seen is not None:
            if isinstance(state.type, Flag):
                yield self._seen(words, state.seen, words.sentence(cell), "flag_seen")
            else:
                phrase = str(words.quantity_phrase(quantity))
                yield self._seen(words, state.seen, phrase, "state_seen")

    def _tokens(self, tokens: ir.TokensDef) -> Iterable[str]:
        names, word = self._names, self._names.word(tokens.name, "thing")
        counted = names.grammar.counted(names.plural(word), str(tokens.amount))
        amount = names.grammar.phrase(counted, "")
        first, *others = (
            self._words(tokens.name, params).place(slot, locals_of(params))
            for slot, keys in tokens.slots.items()
            for params in [parameters(keys)]
        )
        if tokens.keys:
            every = [
                names.grammar.phrase(names.type_word(key.type), "every")
                for key in tokens.keys
            ]
            who = names.together(every)
            yield names.say("tokens_each", who=who, what=amount, where=first.inside)
        else:
            yield names.say("tokens", what=amount, where=first.inside)
        if others:
            places = names.together([each.phrase for each in others])
            yield names.say("tokens_to", places=places)

    def of_table(self, clause: ir.ClauseInfo) -> str:
        """Return the sentence of a clause that has no counterpart in the core."""
        names, program, address = self._names, self._program, clause.address
        match clause.kind:
            case "players":
                return names.say("players", number=program.seats)
            case "note":
                said = names.texts.get(f"notes/{clause.caption}")
                if said is None and not names.is_first:
                    names.missing.add(("notes", clause.caption))
                return said or clause.caption
            case "option":
                title = names.texts.get(f"titles/{address}") or names.caption(address)
                if title is None:
                    names.missing.add(("titles", address))
                    title = address.replace("_", " ")
                match program.options.get(address):
                    case bool(value):
                        shown = names.constant(value, Flag())
                    case tuple(value):
                        low, high = min(value, default=0), max(value, default=0)
                        shown = names.constant(value, Set(Whole(low, high)))
                    case value:
                        shown = Inflected(str(value))
                return names.say("option", what=names.quoted(title), value=shown)
            case "type":
                if address in program.kinds:
                    return self._members(program.kinds[address])
                caption, own = names.caption(address), names.own_name(address)
                if own is None:
                    names.missing.add(("things", address))
                return names.say("range", what=names.quoted(own or caption or address))
            case "cell":
                table, label, field = address.split(".")
                component = program.components[table]
                type_, values = component.fields[field]
                row = component.labels.index(label)
                thing = ir.Const(row, component.kind)
                read = ir.ReadField(thing, component.kind, field, type_)
                number = ir.Const(values[row], type_)
                test: ir.Expr = ir.CompareValues("==", read, number, Flag())
                if values[row] is None:
                    test = ir.IsNone(read, Flag())
                return self._words(address).sentence(test)
            case _:
                name = address.rpartition(".")[2].replace("_", " ")
                unused = names.say("unused", what=names.quoted(name))
                return names.caption(address) or unused


def locals_of(params: Variables) -> tuple[ir.Expr, ...]:
    """Return expressions that read some variables."""
    return tuple(ir.Local(each.slot, each.name, each.type) for each in params)
