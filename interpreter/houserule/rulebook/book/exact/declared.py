"""Declarations: components, dice, tokens, zones, states, types, options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from houserule import ir
from houserule.base.inflection import Inflected
from houserule.ir import is_kept
from houserule.ir.types import Data, Flag, Kind, Maybe, Position, Set, Type, Whole
from houserule.rulebook.book.exact.expressions import ExpressionWords
from houserule.rulebook.book.exact.program_nouns import Lexicon
from houserule.rulebook.book.exact.scope import FrameVariable, parameters
from houserule.rulebook.book.nouns import Noun

Sayer = Callable[[], list[str]]


class DeclaredWords:
    """Sentences for declarations."""

    def __init__(self, names: Lexicon) -> None:
        self._names, self._program = names, names.program

    def every(self) -> Iterator[tuple[str, Sayer]]:
        """Yield the address of each declaration, with its sentence function."""
        program = self._program
        for component in program.components.values():
            yield component.kind.name, partial(self._component, component)
            for name in component.fields:
                address = f"{component.kind.name}.{name}"
                yield address, partial(self._field, component, name)
        for state in program.states.values():
            if not is_kept(state.name):
                yield state.name, partial(self._state, state)
        for zone in program.zones.values():
            yield zone.name, partial(self._zone, zone)
        for tokens in program.tokens.values():
            yield tokens.name, partial(self._tokens, tokens)

    def other(self, clause: ir.ClauseInfo) -> list[str]:
        """Return the sentences of a clause that has no counterpart in the core."""
        names, program = self._names, self._program
        address = clause.address
        match clause.kind:
            case "players":
                return [names.say("players", number=program.seats)]
            case "note":
                said = names.texts.get(f"notes/{clause.caption}")
                if said is None and not names.is_first:
                    names.missing.add(("notes", clause.caption))
                return [said or clause.caption]
            case "option":
                title = names.texts.get(f"titles/{address}") or names.caption(address)
                if title is None:
                    names.missing.add(("titles", address))
                    title = address.replace("_", " ")
                value = program.options.get(address)
                type_ = self._program_type(address)
                shown = names.constant(value, type_) if type_ else Inflected(str(value))
                return [names.say("option", what=names.quoted(title), value=shown)]
            case "type":
                kind = program.kinds.get(address)
                if kind is None:
                    caption = names.caption(address)
                    own = names.own_name(address)
                    if own is None:
                        names.missing.add(("things", address))
                    return [
                        names.say("range", what=names.quoted(own or caption or address))
                    ]
                return [self._members(kind)]
            case "cell":
                table, label, field = address.split(".")
                component = program.components[table]
                type_, values = component.fields[field]
                row = component.labels.index(label)
                words = ExpressionWords(self._names, address, [])
                thing = ir.Const(row, component.kind)
                read = ir.ReadField(thing, component.kind, field, type_)
                test: ir.Expr = ir.CompareValues(
                    "==", read, ir.Const(values[row], type_), Flag()
                )
                if values[row] is None:
                    test = ir.IsNone(read, Flag())
                return [words.sentence(test)]
            case _:
                caption = names.caption(address)
                return [
                    caption
                    or names.say(
                        "unused",
                        what=names.quoted(address.rpartition(".")[2].replace("_", " ")),
                    )
                ]

    def _program_type(self, option: str) -> Type | None:
        value: Data = self._program.options.get(option)
        if isinstance(value, bool):
            return Flag()
        if isinstance(value, int):
            return Whole(value, value)
        if isinstance(value, tuple):
            return Set(Whole(min(value, default=0), max(value, default=0)))
        return None

    def _members(self, kind: Kind) -> str:
        names = self._names
        word = names.kind(kind)
        items = names.joined(
            [names.constant(item, kind) for item in range(kind.size)], "or"
        )
        return names.say(
            "one_of", what=names.grammar.phrase(word, "every"), items=items
        )

    # ---- things

    def _component(self, component: ir.ComponentDef) -> list[str]:
        kind = component.kind
        if kind.sort == "enum":
            return [self._members(kind), *self._fields(component)]
        if component.faces:
            return self._dice(component)
        return [self._amount(kind), *self._fields(component)]

    def _amount(self, kind: Kind) -> str:
        names = self._names
        one = names.kind(kind) if kind.size == 1 else names.plural(names.kind(kind))
        amount = names.grammar.phrase(names.grammar.counted(one, str(kind.size)), "")
        return names.say("amount", number=kind.size, what=amount)

    def _fields(self, component: ir.ComponentDef) -> list[str]:
        names = self._names
        if not component.fields:
            return []
        fields = [
            names.grammar.phrase(
                names.word(f"{component.kind.name}.{name}", "value"), "a"
            )
            for name in component.fields
        ]
        what = names.grammar.phrase(names.kind(component.kind), "every")
        return [names.say("has_fields", what=what, fields=names.together(fields))]

    def _dice(self, component: ir.ComponentDef) -> list[str]:
        names, kind = self._names, component.kind
        faces = component.faces
        plain = faces == tuple(range(faces[0], faces[-1] + 1))
        shown = (
            names.say("from_to", low=faces[0], high=faces[-1])
            if plain and len(faces) > 2
            else names.say(
                "of_these", items=names.joined([str(face) for face in faces])
            )
        )
        if component.fields:
            said = [self._amount(kind), *self._fields(component)]
        else:
            every = [names.constant(item, kind) for item in range(kind.size)]
            what = names.grammar.phrase(names.plural(names.kind(kind)))
            said = [names.say("dice_are", what=what, items=names.together(every))]
        said.append(
            names.say(
                "dice_show",
                what=names.grammar.phrase(names.kind(kind), "every"),
                faces=shown,
            )
        )
        if component.seen is not None:
            variable = FrameVariable(1, "it", kind)
            said.append(
                self._seen(
                    kind.name,
                    (variable,),
                    component.seen,
                    names.grammar.phrase(names.kind(kind), "every"),
                    "dice_seen",
                )
            )
        return said

    def _field(self, component: ir.ComponentDef, name: str) -> list[str]:
        names, (type_, _) = self._names, component.fields[name]
        field = names.word(f"{component.kind.name}.{name}", "value")
        of = names.of(names.grammar.phrase(names.kind(component.kind), "a"))
        what = names.grammar.phrase(field, "the", f" {of}")
        inner = type_.inner if isinstance(type_, Maybe) else type_
        if field.is_plural and isinstance(inner, Whole):
            word, amount = names.general("count"), names.grammar.amount_of(what)
            what = names.grammar.phrase(word, "the", f" {amount}")
        return [names.say("field", what=what, type=self._typed(type_))]

    def _typed(self, type_: Type) -> Inflected:
        """Return the values of a type as a phrase: "a number from 0 to 9"."""
        names = self._names
        match type_:
            case Maybe(inner):
                return names.plain(names.say("or_none", what=self._typed(inner)))
            case Whole(low, high):
                tail = names.say("from_to", low=low, high=high)
                return names.grammar.phrase(names.general("number"), "a", f" {tail}")
            case Flag():
                return names.plain(names.say("yes_or_no"))
            case Set(member, _):
                word = names.plural(names.type_word(member))
                number = names.say("any_number")
                return names.grammar.phrase(names.grammar.counted(word, number), "")
            case Kind():
                return names.grammar.phrase(names.kind(type_), "a")
            case Position():
                return names.grammar.phrase(names.general("place"), "a")

    # ---- places and states

    def _keys(self, params: list[FrameVariable]) -> tuple[ir.Expr, ...]:
        return tuple(ir.Local(each.slot, each.name, each.type) for each in params)

    def _seen(
        self,
        address: str,
        params: tuple[FrameVariable, ...],
        seen: ir.Expr,
        what: str,
        phrase: str,
    ) -> str:
        names = self._names
        if isinstance(seen, ir.Const) and seen.value == ():
            return names.say(f"{phrase}_nobody", what=what)
        words = ExpressionWords(self._names, address, list(params), seen)
        return names.say(phrase, what=what, who=words.whole(seen))

    def _zone(self, zone: ir.ZoneDef) -> list[str]:
        names, params = self._names, parameters(zone.keys)
        roots = [each for each in (zone.starts, zone.seen) if each is not None]
        words = ExpressionWords(self._names, zone.name, params, *roots)
        place, plural = (
            words.place(zone.name, self._keys(params)),
            names.kind(zone.member),
        )
        things = names.grammar.phrase(names.plural(plural), "")
        one = names.grammar.phrase(plural, "a")
        kind = f"{zone.kind}_many" if place.is_plural else zone.kind
        parts = {"what": place.phrase, "where": place.inside}
        said = [names.say(f"zone_{kind}", things=things, thing=one, **parts)]
        if zone.at_most is not None and zone.kind != "slot":
            said.append(
                names.say("zone_at_most", number=zone.at_most, things=things, **parts)
            )
        if zone.starts is not None:
            start = words.whole(zone.starts)
            how = "zone_starts_many" if place.is_plural else "zone_starts"
            said.append(names.say(how, where=place.inside, what=start))
        if zone.seen is not None:
            seen = "zone_seen_many" if place.is_plural else "zone_seen"
            shown = place.phrase if place.is_plural else place.inside
            said.append(self._seen(zone.name, tuple(params), zone.seen, shown, seen))
            if zone.showing:
                fields = [
                    names.grammar.phrase(
                        names.word(f"{zone.member.name}.{each}", "value")
                    )
                    for each in zone.showing
                ]
                said.append(names.say("zone_showing", what=names.together(fields)))
        return said

    def _state(self, state: ir.StateDef) -> list[str]:
        names, params = self._names, parameters(state.keys)
        roots = [
            each for each in (state.begins, state.seen, state.among) if each is not None
        ]
        words = ExpressionWords(self._names, state.name, params, *roots)
        cell = ir.ReadCell(state.name, self._keys(params), state.type)
        when = (
            names.say("at_first_each", phase=names.flow(state.life))
            if state.life
            else names.say("at_first")
        )
        if state.among is not None:
            quantity = words.quantity(cell)
            assert quantity is not None
            among = words.group(state.among)
            said = names.say(
                "starts_among",
                when=when,
                what=words.quantity_phrase(quantity),
                among=words.the(among),
            )
            found = [said]
        else:
            found = [self._first(state, words, cell, when)]
        if state.seen is not None:
            quantity = words.quantity(cell)
            assert quantity is not None
            phrase = str(words.quantity_phrase(quantity))
            said = "state_seen"
            if isinstance(state.type, Flag):
                phrase, said = words.sentence(cell), "flag_seen"
            found.append(
                self._seen(state.name, tuple(params), state.seen, phrase, said)
            )
        return found

    def _first(
        self, state: ir.StateDef, words: ExpressionWords, cell: ir.ReadCell, when: str
    ) -> str:
        names, first = self._names, state.begins
        if isinstance(state.type, Flag):
            if isinstance(first, ir.Const):
                said = words.sentence(cell, bool(first.value))
                return names.say("starts_so", when=when, what=said)
            said = names.say(
                "now_exactly_if_first",
                what=words.sentence(cell),
                condition=words.sentence(first),
            )
            return names.say("starts_so", when=when, what=said)
        test: ir.Expr = ir.CompareValues("==", cell, first, Flag())
        return names.say("starts_so", when=when, what=words.sentence(test))

    def _slot(self, address: str, slot: str, keys: tuple[ir.Param, ...]) -> Inflected:
        params = parameters(keys)
        return (
            ExpressionWords(self._names, address, params)
            .place(slot, self._keys(params))
            .phrase
        )

    def _tokens(self, tokens: ir.TokensDef) -> list[str]:
        names = self._names
        word: Noun = names.word(tokens.name, "thing")
        amount = names.grammar.phrase(
            names.grammar.counted(names.plural(word), str(tokens.amount)), ""
        )
        first = next(iter(tokens.slots))
        params = parameters(tokens.slots[first])
        words = ExpressionWords(self._names, tokens.name, params)
        place = words.place(first, self._keys(params))
        said = [names.say("tokens", what=amount, where=place.inside)]
        if tokens.keys:
            shown = [
                names.grammar.phrase(names.type_word(key.type), "every")
                for key in tokens.keys
            ]
            who = names.together(shown)
            parts = {"who": who, "where": place.inside}
            said = [names.say("tokens_each", what=amount, **parts)]
        others = [
            self._slot(tokens.name, slot, keys)
            for slot, keys in tokens.slots.items()
            if slot != first
        ]
        if others:
            said.append(names.say("tokens_to", places=names.together(others)))
        return said
