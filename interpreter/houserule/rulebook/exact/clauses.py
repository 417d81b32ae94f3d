"""Each kind of clause: its place in the core, and its formal wording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.base.inflection import Inflected
from houserule.ir.types import Flag, Kind, Maybe, Position, Set, Type, Whole, core
from houserule.ir.walk import option_binds
from houserule.rulebook.exact.expressions import ExpressionWords
from houserule.rulebook.exact.program_nouns import Lexicon
from houserule.rulebook.exact.scope import FrameVariable, parameters, variables_of
from houserule.rulebook.exact.shapes import open_rows, settled
from houserule.rulebook.exact.statements import StatementWords

Variables: TypeAlias = Sequence[FrameVariable]
Given: TypeAlias = Mapping[int, Inflected]
Rule: TypeAlias = (
    ir.ValueDef
    | ir.LayerDef
    | ir.EffectDef
    | ir.ActionDef
    | ir.ReactionDef
    | ir.Condition
    | ir.CostDef
    | ir.LimitDef
    | ir.AskDef
    | ir.Body
)
Flow: TypeAlias = ir.PhaseDef | ir.StepDef | ir.Ranking
Thing: TypeAlias = ir.ComponentDef | ir.StateDef | ir.ZoneDef | ir.TokensDef


@frozen
class ClausePart:
    """A part of the core that expresses a clause, or some of it.

    `owner` is the declaration that contains it; for an exception, the clause that it
    lifts. `phrase` says what a condition or another expression is for.
    """

    address: str
    node: Rule | Flow | Thing | ir.Expr
    params: Variables = ()
    owner: str = ""
    phrase: str = ""


class Clauses:
    """The sentences of every clause of a program, without capital and full stop.

    This class yields formal wording; a subclass may word some kinds of clauses
    differently.
    """

    def __init__(self, names: Lexicon) -> None:
        self._names, self._program = names, names.program
        self.parts: dict[str, list[ClausePart]] = {}
        for part in self._every():
            self.parts.setdefault(part.address, []).append(part)

    def _every(self) -> Iterator[ClausePart]:
        program = self._program
        for value in program.values.values():
            if ir.is_kept(value.name):
                continue
            name, params = value.name, parameters(value.params)
            yield ClausePart(name, value, params)
            for lift, test in value.lifts:
                yield ClausePart(lift, test, params, name, "lift")
            yield from self._conditions("needs", value.needs, params)
            for layer in value.layers:
                for address, test in layer.adjusts:
                    phrase = f"layer_{layer.op.replace(' ', '_')}"
                    yield ClausePart(address, test, params, name, phrase)
                yield ClausePart(f"{name}.{layer.name}", layer, owner=name)
        for effect in program.effects.values():
            params = parameters(effect.params)
            yield ClausePart(effect.name, effect, params)
            yield from self._conditions("needs", effect.needs, params)
            for body in effect.does:
                yield ClausePart(body.address, body, params)
        for action in program.actions.values():
            name = action.name
            binds = option_binds(action)
            params = [each for bind in binds for each in variables_of(bind)]
            yield ClausePart(name, action, params)
            own = [
                each
                for each in action.conditions
                if (owner := each.address.partition(".")[0]) == name
                or owner not in program.effects
            ]
            yield from self._conditions("needs", own, params)
            for advice in action.advice:
                phrase = "usual" if advice.usual else "unwise"
                yield from self._conditions(phrase, (advice,), params)
            paid: list[ir.CostDef | ir.LimitDef | ir.AskDef] = [*action.costs]
            for part in (*paid, *action.limits, *action.asks):
                yield ClausePart(part.address, part, params)
            for body in action.does:
                yield ClausePart(body.address, body, params, name)
        for reaction in program.reactions.values():
            name = reaction.name
            params = parameters((*reaction.params, *reaction.change))
            yield ClausePart(name, reaction, params, name)
            yield from self._conditions("needs", reaction.needs, params, name)
            for ask in reaction.asks:
                yield ClausePart(ask.address, ask, params, name)
            for body in reaction.does:
                yield ClausePart(body.address, body, params, name)
            if reaction.uses_up is not None:
                address = f"{name}.shrinks"
                yield ClausePart(address, reaction.uses_up, params, name, "shrinks")
        for phase in program.phases.values():
            yield ClausePart(phase.name, phase)
        for step in program.steps.values():
            yield ClausePart(step.name, step)
        yield from self._conditions("always_clause", program.always)
        yield from self._conditions("assert", program.asserts)
        yield from self._conditions("drawn_game", program.draws)
        yield from self._conditions("warn", program.warns)
        yield ClausePart("winners", program.winners, phrase="winners")
        if program.striving is not None:
            yield ClausePart("bots", program.striving)
        for component in program.components.values():
            yield ClausePart(component.kind.name, component)
            for field in component.fields:
                address = f"{component.kind.name}.{field}"
                yield ClausePart(address, component, phrase=field)
        for state in program.states.values():
            if not ir.is_kept(state.name):
                yield ClausePart(state.name, state, parameters(state.keys))
        for zone in program.zones.values():
            yield ClausePart(zone.name, zone, parameters(zone.keys))
        for tokens in program.tokens.values():
            yield ClausePart(tokens.name, tokens)

    def _conditions(
        self,
        phrase: str,
        conditions: Iterable[ir.Condition],
        params: Variables = (),
        owner: str = "",
    ) -> Iterator[ClausePart]:
        """Yield conditions, and the exceptions in which they do not count."""
        for each in conditions:
            yield ClausePart(each.address, each, params, owner, phrase)
            for lift, test in each.lifts:
                yield ClausePart(lift, test, params, each.address, "lift")

    def of(self, part: ClausePart) -> Iterator[str]:
        names, address, params = self._names, part.address, part.params
        match part.node:
            case ir.PhaseDef() | ir.StepDef() | ir.Ranking() as node:
                yield from self._flow(node)
            case (
                ir.ComponentDef() | ir.StateDef() | ir.ZoneDef() | ir.TokensDef()
            ) as node:
                yield from self._thing(node, part)
            case (
                ir.ValueDef()
                | ir.LayerDef()
                | ir.EffectDef()
                | ir.ActionDef()
                | ir.ReactionDef()
                | ir.Condition()
                | ir.CostDef()
                | ir.LimitDef()
                | ir.AskDef()
                | ir.Body()
            ) as node:
                yield from self._rule(node, part)
            case test if part.phrase == "lift":
                yield self._lift(part, test)
            case number if part.phrase == "shrinks":
                words = self._words(part.owner, params, number)
                yield names.say("shrinks", what=words.number(number))
            case winners if part.phrase == "winners":
                words = self._words(address, (), winners)
                yield names.say("winners", who=words.whole(winners))
            case number:
                words, value = self._words(address, params, number), part.owner
                type_ = self._program.values[value].type
                what = words.phrase(ir.CallValue(value, locals_of(params), type_))
                yield names.say(part.phrase, what=what, value=words.number(number))

    def _words(
        self, address: str, params: Variables = (), *roots: ir.CoreNode
    ) -> ExpressionWords:
        return ExpressionWords(self._names, address, params, *roots)

    def _lift(self, part: ClausePart, test: ir.Expr) -> str:
        names = self._names
        what = self._words(part.address, part.params, test).sentence(test)
        names.mention(part.owner)
        caption = names.caption(part.owner)
        if caption is None:
            return names.say("lift", what=what)
        return names.say("lift_of", what=what, clause=names.quoted(caption))

    # ---- values, effects, actions, reactions

    def _rule(self, node: Rule, part: ClausePart) -> Iterator[str]:
        names, address, params = self._names, part.address, part.params
        match node:
            case ir.Body(block=block):
                words = self._words(address, params, *block)
                yield from StatementWords(words).sentences(block)
            case ir.Condition(test=test):
                known = settled(test)
                if known is not None and part.phrase == "needs":
                    yield names.say("needs_met" if known else "needs_unmet")
                    return
                words = self._words(address, params, test)
                one_of = isinstance(test.type, Set)
                what = words.whole(test) if one_of else words.sentence(test)
                yield names.say(part.phrase, what=what)
            case ir.ValueDef(definition=definition):
                words = self._words(address, params, definition)
                itself = ir.CallValue(node.name, locals_of(params), node.type)
                quantity = words.quantity(itself)
                assert quantity is not None
                rows: tuple[tuple[ir.Expr, ir.Expr], ...] = ()
                if isinstance(definition, ir.Cases):
                    rows, definition = open_rows(definition)
                if isinstance(node.type, Flag):
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
                    shown, said = words.number, "is_defined"
                    if isinstance(node.type, Set):
                        shown = words.whole
                    elif isinstance(node.type, Position):
                        shown, said = words.destination, "is_destination"
                    if not rows:
                        yield names.say(said, what=what, value=shown(definition))
                if rows:
                    parts = [
                        names.say(
                            row, condition=words.sentence(test), value=shown(each)
                        )
                        for test, each in rows
                    ]
                    parts.append(names.say(otherwise, value=shown(definition)))
                    yield names.say(cases, what=what, rows=names.rows(parts))
                for layer in node.layers:
                    for adjusts, _ in layer.adjusts:
                        names.mention(adjusts)
                        caption = names.caption(adjusts)
                        if caption is not None:
                            how = layer.op.replace(" ", "_")
                            yield names.say(f"then_{how}", what=names.quoted(caption))
            case ir.LayerDef():
                noun = self._words("").quantity_noun(part.owner, "value")
                layers = self._program.values[part.owner].layers
                place = [each.name for each in layers].index(node.name) + 1
                phrase = f"layer_is_{node.op.replace(' ', '_')}"
                yield names.say(phrase, what=names.grammar.phrase(noun), place=place)
            case ir.EffectDef():
                scope = self._words(address, params).scope
                about = ""
                if params:
                    about = names.together([scope.variable(each) for each in params])
                caption, how = names.caption(address), "_about" if params else ""
                if caption:
                    what = names.quoted(caption)
                    yield names.say(f"effect{how}", what=what, about=about)
                else:
                    how = "only_about" if params else "unnamed"
                    yield names.say(f"effect_{how}", about=about)
            case ir.ActionDef():
                words = self._words(address, params, *node.params)
                what, during = names.action(address), names.flow(node.at)
                yield names.say("action", what=what, during=during)
                if node.params:
                    yield names.say("chooses", what=words.all_bound(node.params))
            case ir.CostDef(body=ir.Body(block=block), binds=binds):
                words = self._words(address, params, *binds, *block)
                if binds:
                    yield names.say("pays_with", what=words.all_bound(binds))
                paid = StatementWords(words).sentences(block)
                yield names.say("cost", what=names.rows(paid))
            case ir.LimitDef(count=count):
                number = self._words(address, params, count).number(count)
                said = "limit" if isinstance(count, ir.Const) else "limit_as"
                yield names.say(said, count=number, phase=names.flow(node.phase))
            case ir.AskDef(who=asked):
                words = self._words(address, params, asked)
                yield names.say("asks", who=words.phrase(asked))
            case ir.ReactionDef(moment="when", event=event):
                words = self._words(address, params)
                keys = params[: len(node.params)]
                shown_keys = [words.scope.variable(each) for each in keys]
                noun = words.quantity_noun(event, "value")
                what = names.grammar.phrase(noun, "the", names.tail_of(shown_keys))
                names.mention(event)
                if node.change:
                    old, new = (words.scope.variable(each) for each in params[-2:])
                    yield names.say("when_from_to", what=what, old=old, new=new)
                else:
                    yield names.say("when", what=what)
            case ir.ReactionDef(moment=moment, event=event):
                yield names.say(f"hook_{moment}", what=names.event(event))

    # ---- phases, steps, aims

    def _flow(self, node: Flow) -> Iterator[str]:
        names = self._names
        match node:
            case ir.PhaseDef(guard=guard):
                what = names.flow(node.name)
                parts = (node.source, guard, node.until, node.times)
                words = self._words(node.name, (), *filter(None, parts))
                found: list[str] = []
                if node.source is not None:
                    group = words.group(node.source)
                    who = names.grammar.phrase(group.word, "every", group.tail)
                    how = "phase_together" if node.together else "phase_for"
                    found.append(names.say(how, what=what, who=who))
                found += self._guarded(words, what, guard)
                if node.until is not None:
                    condition = words.sentence(node.until)
                    found.append(
                        names.say("phase_until", what=what, condition=condition)
                    )
                if node.times is not None:
                    number = isinstance(node.times, ir.Const)
                    how = "phase_times" if number else "phase_times_as"
                    how = "phase_stops" if node.stops else how
                    times = words.number(node.times)
                    found.append(names.say(how, what=what, times=times))
                steps = self._program.steps
                items = [
                    each
                    for each in node.items
                    if not ir.is_kept(each)
                    and not (each in steps and steps[each].silent)
                ]
                items.sort(key=lambda each: len(node.before.get(each, ())))
                if items:
                    series = names.joined([names.flow(each) for each in items])
                    found.append(names.say("phase_items", what=what, items=series))
                yield from found or [names.say("phase", what=what)]
            case ir.StepDef(guard=guard):
                what = names.flow(node.name)
                block = node.body.block if node.body is not None else ()
                roots = block if guard is None else (guard, *block)
                words = self._words(node.name, (), *roots)
                if node.mode is not None and node.actions:
                    actions = names.joined(
                        [names.action(e) for e in node.actions], "or"
                    )
                    said = f"step_{node.mode.replace(' ', '_')}"
                    yield names.say(said, what=what, actions=actions)
                elif node.mode is not None:
                    yield names.say("step_empty", what=what)
                yield from self._guarded(words, what, guard)
                if block and not (guard is not None and settled(guard) is False):
                    yield from StatementWords(words).sentences(block)
            case ir.Ranking(keys=keys, direction=direction):
                kinds = self._program.kinds.values()
                seat = next(each for each in kinds if each.sort == "seat")
                variable = FrameVariable(node.slot, "p", seat)
                words = self._words("bots", (variable,), *keys)
                said, *rest = (words.extreme(key, direction, variable) for key in keys)
                if rest:
                    said = names.say("then_by", first=said, rest=names.joined(rest))
                yield names.say("striving", what=said)

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

    # ---- declarations

    def _thing(self, node: Thing, part: ClausePart) -> Iterator[str]:
        names, phrase, params = self._names, self._names.grammar.phrase, part.params
        match node:
            case ir.ComponentDef(kind=kind) if part.phrase:
                type_, _ = node.fields[part.phrase]
                field = names.word(part.address, "value")
                of = names.tail_of([phrase(names.kind(kind), "a")])
                what = phrase(field, "the", of)
                inner = core(type_)
                if field.is_plural and isinstance(inner, Whole):
                    what = names.amount_of(what)
                yield names.say("field", what=what, type=self._typed(type_))
            case ir.ComponentDef(kind=kind, faces=faces):
                noun = names.kind(kind)
                every = phrase(noun, "every")
                if kind.sort == "enum":
                    yield self._members(kind)
                elif faces and not node.fields:
                    dice = [names.constant(each, kind) for each in range(kind.size)]
                    what, items = phrase(names.plural(noun)), names.together(dice)
                    yield names.say("dice_are", what=what, items=items)
                else:
                    some = noun if kind.size == 1 else names.plural(noun)
                    amount = phrase(names.grammar.counted(some, str(kind.size)), "")
                    yield names.say("amount", number=kind.size, what=amount)
                if node.fields:
                    fields = [
                        phrase(names.word(f"{kind.name}.{name}", "value"), "a")
                        for name in node.fields
                    ]
                    shown = names.together(fields)
                    yield names.say("has_fields", what=every, fields=shown)
                if not faces or kind.sort == "enum":
                    return
                if len(faces) > 2 and faces == tuple(range(faces[0], faces[-1] + 1)):
                    said = names.say("from_to", low=faces[0], high=faces[-1])
                else:
                    said = names.say("of_these", items=names.joined([*map(str, faces)]))
                yield names.say("dice_show", what=every, faces=said)
                if node.seen is not None:
                    variable = FrameVariable(1, "it", kind)
                    words = self._words(kind.name, [variable], node.seen)
                    yield self._seen(words, node.seen, every, "dice_seen")
            case ir.ZoneDef(starts=starts, seen=seen):
                words = self._words(node.name, params, *filter(None, (starts, seen)))
                place = words.place(node.name, locals_of(params))
                word, many = names.kind(node.member), "_many" if place.is_plural else ""
                things, one = phrase(names.plural(word), ""), phrase(word, "a")
                parts = {"what": place.phrase, "where": place.inside, "things": things}
                yield names.say(f"zone_{node.kind}{many}", thing=one, **parts)
                if node.at_most is not None and node.kind != "slot":
                    yield names.say("zone_at_most", number=node.at_most, **parts)
                if starts is not None:
                    start = words.whole(starts)
                    yield names.say(
                        f"zone_starts{many}", where=place.inside, what=start
                    )
                if seen is not None:
                    where = place.phrase if many else place.inside
                    yield self._seen(words, seen, where, f"zone_seen{many}")
                    if node.showing:
                        shown_fields = (f"{node.member.name}.{e}" for e in node.showing)
                        nouns = [phrase(names.word(e, "value")) for e in shown_fields]
                        yield names.say("zone_showing", what=names.together(nouns))
            case ir.StateDef(begins=first, seen=seen, among=among):
                roots = [each for each in (first, seen, among) if each is not None]
                words = self._words(node.name, params, *roots)
                cell = ir.ReadCell(node.name, locals_of(params), node.type)
                quantity = words.quantity(cell)
                assert quantity is not None
                when, flag = names.say("at_first"), isinstance(node.type, Flag)
                if node.life:
                    when = names.say("at_first_each", phase=names.flow(node.life))
                if among is not None:
                    group = words.the(words.group(among))
                    what = words.quantity_phrase(quantity)
                    yield names.say("starts_among", when=when, what=what, among=group)
                else:
                    if flag and isinstance(first, ir.Const):
                        said = words.sentence(cell, bool(first.value))
                    elif flag:
                        said = names.say(
                            "now_exactly_if_first",
                            what=words.sentence(cell),
                            condition=words.sentence(first),
                        )
                    else:
                        test = ir.CompareValues("==", cell, first, Flag())
                        said = words.sentence(test)
                    yield names.say("starts_so", when=when, what=said)
                if seen is not None and flag:
                    yield self._seen(words, seen, words.sentence(cell), "flag_seen")
                elif seen is not None:
                    yield self._seen(
                        words, seen, str(words.quantity_phrase(quantity)), "state_seen"
                    )
            case ir.TokensDef():
                plural = names.plural(names.word(node.name, "thing"))
                amount = phrase(names.grammar.counted(plural, str(node.amount)), "")
                first_place, *others = (
                    self._words(node.name, keys).place(slot, locals_of(keys))
                    for slot, params in node.slots.items()
                    for keys in [parameters(params)]
                )
                where = first_place.inside
                if node.keys:
                    owners = [names.type_word(key.type) for key in node.keys]
                    who = names.together([phrase(each, "every") for each in owners])
                    yield names.say("tokens_each", who=who, what=amount, where=where)
                else:
                    yield names.say("tokens", what=amount, where=where)
                if others:
                    places = names.together([each.phrase for each in others])
                    yield names.say("tokens_to", places=places)

    def _seen(
        self, words: ExpressionWords, seen: ir.Expr, what: str, phrase: str
    ) -> str:
        """Return who sees something."""
        if isinstance(seen, ir.Const) and seen.value == ():
            return self._names.say(f"{phrase}_nobody", what=what)
        return self._names.say(phrase, what=what, who=words.whole(seen))

    def _members(self, kind: Kind) -> str:
        names = self._names
        items = [names.constant(item, kind) for item in range(kind.size)]
        what = names.grammar.phrase(names.kind(kind), "every")
        return names.say("one_of", what=what, items=names.joined(items, "or"))

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
