"""Statements of the core as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from houserule import ir
from houserule.base.inflection import Inflected
from houserule.ir.types import Flag, Set, Whole
from houserule.rulebook.exact.expressions import (
    ExpressionWords,
    label_of,
)
from houserule.rulebook.exact.scope import (
    parameters,
    share_of,
    variables_of,
)
from houserule.rulebook.exact.shapes import settled
from houserule.rulebook.nouns import Noun

DEEPEST = 3


class StatementWords:
    """Sentences for the statements of one clause, without capital and full stop."""

    def __init__(self, words: ExpressionWords, calls: tuple[str, ...] = ()) -> None:
        self._words, self._names, self._calls = words, words.names, calls

    def sentences(self, block: Sequence[ir.Statement]) -> list[str]:
        said: list[str] = []
        waiting = [
            each
            for each in block
            if not (isinstance(each, ir.SetCell) and ir.is_kept(each.state))
        ]
        while waiting:
            statement = waiting.pop(0)
            match statement, waiting[:1]:
                case (
                    ir.LetSlot(slot=slot, value=let),
                    [
                        ir.When(
                            rows=(
                                (
                                    ir.Unary("not", ir.IsNone(ir.Local(slot=there))),
                                    body,
                                ),
                            ),
                            otherwise=otherwise,
                        )
                    ],
                ) if slot == there:  # the consequences if it exists
                    waiting.pop(0)
                    name = self._words.scope.variable(self._local(statement))
                    value, what = self._words.whole(let), self.block(body)
                    named = name.lower() != value.lower()
                    how = "if_any" if named else "if_there"
                    one = self._say(how, value=value, name=name, what=what)
                    if otherwise:
                        rest = self.block(otherwise)
                        one = self._say("with_else", said=one, what=rest)
                    said.append(one)
                case _:
                    said.append(self.sentence(statement))
        return said or [self._names.say("nothing_happens")]

    def block(self, block: Sequence[ir.Statement]) -> str:
        """Return a block as part of a sentence: several statements in brackets."""
        said = self.sentences(block)
        if len(said) == 1:
            return said[0]
        return self._names.say("block", what=self._names.rows(said))

    def sentence(self, node: ir.Statement) -> str:
        names, words = self._names, self._words
        match node:
            case ir.MoveThings(what=ir.AnyOf() as some, to=to):
                what, where = self._some(some), words.destination(to)
                return self._say("goes", what=what, to=where)
            case ir.MoveThings(what=things, to=to):
                where = words.destination(to)
                return self._say("goes", what=words.whole(things), to=where)
            case ir.MoveTop() | ir.MoveTokens():
                owner = ""
                match node:
                    case ir.MoveTop(zone=zone, keys=keys, to=to):
                        source, where = (
                            words.place(zone, keys),
                            words.destination(to),
                        )
                        word = names.kind(names.program.zones[zone].member)
                    case ir.MoveTokens():
                        source = words.place(node.source, node.source_keys)
                        where = words.place(node.to, node.to_keys).into
                        word = names.word(self._family(node.source), "thing")
                        family = names.program.tokens[self._family(node.source)]
                        owner = "".join(
                            f" {names.of(words.phrase(node.source_keys[place]))}"
                            for place in family.family_keys[node.source]
                        )
                amount = self._amount(node.count, node.up_to, word, owner)
                return self._say(
                    "goes_from", what=amount, source=source.out_of, to=where
                )
            case ir.SetCell() | ir.AddCell():
                state = names.program.states[node.state]
                cell = ir.ReadCell(node.state, node.keys, state.type)
                quantity = words.quantity(cell)
                assert quantity is not None
                if isinstance(node, ir.AddCell):
                    said = "gains" if node.sign > 0 else "loses"
                    what = words.quantity_phrase(quantity)
                    if quantity.word.is_plural:
                        what = names.amount_of(what)
                    return self._say(said, what=what, amount=words.number(node.amount))
                value = node.value
                if isinstance(state.type, Flag):
                    if isinstance(value, ir.Const):
                        return self._say(
                            "now", what=words.sentence(cell, bool(value.value))
                        )
                    return self._say(
                        "now_exactly_if",
                        what=words.sentence(cell),
                        condition=words.sentence(value),
                    )
                if isinstance(value, ir.Const) and value.value in (None, ()):
                    test: ir.Expr = ir.IsNone(cell, Flag())
                    if value.value == ():
                        test = ir.CompareValues("==", cell, value, Flag())
                    return self._say("now", what=words.sentence(test))
                many = isinstance(state.type, Set)
                shown = words.whole(value) if many else words.number(value)
                constant = isinstance(value, ir.Const)
                if constant or not isinstance(state.type, Whole):  # else it may count
                    key = "other"
                    if isinstance(value, ir.Const):
                        key = label_of(names.program, value.value, value.type)
                    own = words.reading(quantity, key, shown)
                    if own is not None:
                        return self._say("now", what=own)
                what = words.quantity_phrase(quantity)
                if quantity.word.is_plural and not many:
                    what = names.amount_of(what)
                return self._say("becomes", what=what, value=shown)
            case ir.SetFace(die=die, value=value):
                return self._say(
                    "face_becomes",
                    what=words.phrase(die),
                    value=words.number(value),
                )
            case ir.AddFace(die=die, amount=amount, sign=sign):
                said = "face_gains" if sign > 0 else "face_loses"
                return self._say(
                    said,
                    what=words.phrase(die),
                    amount=words.number(amount),
                )
            case ir.RollDice(dice=dice):
                return self._say("rolled", what=words.whole(dice))
            case ir.ShufflePile(zone=zone, keys=keys):
                return self._say("shuffled", what=words.place(zone, keys).phrase)
            case ir.LetSlot():
                value = node.value
                local = self._local(node)
                if isinstance(value.type, Flag):
                    return self._say("let_flag", what=words.sentence(value))
                return self._say(
                    "let",
                    name=words.scope.variable(local),
                    value=words.whole(value),
                )
            case ir.RequestAgain(target=target):
                return self._say("again", what=names.flow(target))
            case ir.RequestEnd(target=target):
                if not target:
                    return self._say("game_ends")
                return self._say("ends", what=names.flow(target))
            case ir.ShowThings(what=things, to=to):
                return self._say("shown", who=words.whole(to), what=words.whole(things))
            case ir.CallEffect():
                names.mention(node.effect)
                caption = names.caption(node.effect)
                if caption is not None:
                    how = words.how(node.args)
                    return self._say(
                        "called_effect", what=names.quoted(caption), how=how
                    )
                if node.effect in self._calls or len(self._calls) > DEEPEST:
                    names.missing.add(("captions", node.effect))
                    return self._say(
                        "called_effect",
                        what=names.quoted(node.effect.replace("_", " ")),
                        how=words.how(node.args),
                    )
                effect = names.program.effects[node.effect]
                given = {
                    place: words.whole(arg)
                    for place, arg in enumerate(node.args, start=1)
                }
                return self._inlined(effect, given)
            case ir.When():
                said = ""
                for condition, body in node.rows:
                    known = settled(condition)
                    if known is False:
                        continue
                    if known:
                        last = self.block(body)
                        return (
                            self._say("with_else", said=said, what=last)
                            if said
                            else last
                        )
                    if_ = words.sentence(condition)
                    row = self._say("if", condition=if_, what=self.block(body))
                    said = self._say("with_else", said=said, what=row) if said else row
                if not said:
                    return self.block(node.otherwise)
                if node.otherwise:
                    said = self._say(
                        "with_else", said=said, what=self.block(node.otherwise)
                    )
                return said
            case ir.ForEach(until=ir.CoreNode() as until):
                over = words.sentence(until)
                most = _numbered(node.binds[0].source)
                inside = self.block(node.body)
                if most is None or not node.stops:
                    return self._say("repeat_until", condition=over, body=inside)
                often = words.number(most)
                return self._say(
                    "repeat_stops", condition=over, number=often, body=inside
                )
            case ir.ForEach() if (times := self._times(node)) is not None:
                said = "times" if isinstance(times, ir.Const) else "as_often"
                number = words.number(times)
                return self._say(said, number=number, body=self.block(node.body))
            case ir.ForEach():
                shown = words.all_bound(node.binds, "every")
                what, order = words.with_tail(shown, words.where(node.where)), ""
                if node.keys:
                    key = names.together([words.number(key) for key in node.keys])
                    order = self._say(f"order_{node.direction}", key=key)
                inside = self.block(node.body)
                return self._say("for_each", what=what, order=order, body=inside)
            case ir.ChooseOption(by=by, must=must):
                who = self._chooser(by)
                what = words.with_tail(
                    words.bound(node.bind, "a"), words.where(node.where)
                )
                how = "must_choose" if must else "may_choose"
                said = self._say(how, who=who, what=what, body=self.block(node.body))
                if not node.otherwise:
                    return said
                return self._say(
                    "with_else", said=said, what=self.block(node.otherwise)
                )
            case ir.DrawOne():
                what = words.with_tail(
                    words.bound(node.bind, "a"), words.where(node.where)
                )
                return self._say("drawn", what=what, body=self.block(node.body))
            case ir.ShareOut():
                group = words.group(node.bind.source)
                what = words.with_tail(words.the(group), words.where(node.where))
                (member,) = variables_of(node.bind)
                return self._say(
                    "shared",
                    who=self._chooser(None),
                    amount=words.number(node.amount),
                    what=what,
                    member=names.grammar.phrase(words.scope.noun(member), "every"),
                    count=words.scope.variable(share_of(node)),
                    body=self.block(node.body),
                )

    def _say(self, phrase: str, /, **parts: str | int) -> str:
        return self._names.say(phrase, **parts)

    # ---- movements

    def _family(self, slot: str) -> str:
        tokens = self._names.program.tokens.values()
        return next(each.name for each in tokens if slot in each.slots)

    def _amount(
        self, count: ir.Expr | None, up_to: bool, word: Noun, owner: str
    ) -> Inflected:
        """Return "up to 3 cards", "all cards", "as many cards as …"."""
        names, grammar = self._names, self._names.grammar
        plural = names.plural(word)
        if count is None:
            return grammar.phrase(plural, "every", owner)
        if isinstance(count, ir.Const) and isinstance(count.value, int):
            number = str(count.value)
            one = word if count.value == 1 else plural
            if up_to:
                number = names.say("up_to", number=number)
            return grammar.phrase(grammar.counted(one, number), "", owner)
        how = "up_to_as_many" if up_to else "as_many"
        things = grammar.phrase(plural, "", owner)
        said = names.say(how, number=self._words.number(count), things=things)
        return Inflected(said, {}, 2)

    def _some(self, node: ir.AnyOf) -> Inflected:
        """Return "2 cards in the hand", "up to 2 cards in the hand"."""
        group = self._words.group(node.operand)
        return self._amount(node.count, node.up_to, group.word, group.tail)

    def _local(self, node: ir.LetSlot) -> ir.Local:
        return ir.Local(node.slot, node.name, node.value.type)

    # ---- calls and conditions

    def _inlined(self, effect: ir.EffectDef, given: dict[int, Inflected]) -> str:
        """Return the sentences of an effect without a caption."""
        said: list[str] = []
        for body in effect.does:
            self._names.mention(body.address)
            params = parameters(effect.params)
            words = ExpressionWords(
                self._names, body.address, params, *body.block, given=given
            )
            inner = StatementWords(words, (*self._calls, effect.name))
            said += inner.sentences(body.block)
        if len(said) == 1:
            return said[0]
        if not said:
            return self._say("nothing_happens")
        return self._say("block", what=self._names.rows(said))

    # ---- with a variable

    def _times(self, node: ir.ForEach) -> ir.Expr | None:
        """Return how often a loop repeats if it does not use its counter."""
        match node:
            case ir.ForEach(
                binds=(ir.Bind(slots=(slot,), source=source),), where=None, keys=()
            ) if not self._words.scope.is_spoken_of(slot):
                return _numbered(source)
            case _:
                return None

    def _chooser(self, by: ir.Expr | None) -> Inflected:
        if by is not None:
            return self._words.phrase(by)
        return self._names.grammar.phrase(self._names.general("player"))


def _numbered(source: ir.Expr) -> ir.Expr | None:
    """Return the last number of a range that begins with 1."""
    match source:
        case ir.MakeRange(low=ir.Const(value=1), high=high):
            return high
        case ir.Const(value=(1, *_) as numbers, type=Set(Whole() as number)):
            if numbers == tuple(range(1, len(numbers) + 1)):
                return ir.Const(len(numbers), number)
            return None
        case _:
            return None
