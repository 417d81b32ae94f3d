"""StatementWords of the core as sentences: what happens."""

from __future__ import annotations

from collections.abc import Sequence

from houserule import ir
from houserule.inflected import Inflected
from houserule.ir.types import Flag, Set, Whole
from houserule.rulebook.exact.conditions import ConditionWords
from houserule.rulebook.exact.quantities import NamedQuantity, label_of
from houserule.rulebook.exact.scope import (
    VariableWords,
    parameters,
    share_of,
    variables_of,
)
from houserule.rulebook.exact.shapes import settled
from houserule.rulebook.exact.terms import Terms
from houserule.rulebook.nouns import Noun

DEEPEST = 3


class StatementWords:
    """Sentences for the statements of one clause, without capital and full stop."""

    def __init__(self, terms: Terms, calls: tuple[str, ...] = ()) -> None:
        self._terms, self._names, self._calls = terms, terms.names, calls
        self._conditions: ConditionWords = terms.conditions

    def sentences(self, block: Sequence[ir.Statement]) -> list[str]:
        """Return a sentence for each statement."""
        said: list[str] = []
        waiting = [each for each in block if not _is_bookkeeping(each)]
        while waiting:
            statement = waiting.pop(0)
            following = waiting[0] if waiting else None
            if isinstance(statement, ir.LetSlot) and _is_there(statement, following):
                waiting.pop(0)
                assert isinstance(following, ir.When)
                said.append(self._if_any(statement, following))
                continue
            said.append(self.sentence(statement))
        return said or [self._names.say("nothing_happens")]

    def block(self, block: Sequence[ir.Statement]) -> str:
        """Return a block as part of a sentence: several statements in brackets."""
        said = self.sentences(block)
        if len(said) == 1:
            return said[0]
        return self._names.say("block", what=self._names.rows(said))

    def sentence(self, node: ir.Statement) -> str:
        """Return what one statement does."""
        match node:
            case ir.MoveThings() | ir.MoveTop() | ir.MoveTokens():
                return self._moved(node)
            case ir.SetCell() | ir.AddCell():
                return self._changed(node)
            case ir.SetFace(die=die, value=value):
                return self._say(
                    "face_becomes",
                    what=self._terms.phrase(die),
                    value=self._terms.number(value),
                )
            case ir.AddFace(die=die, amount=amount, sign=sign):
                said = "face_gains" if sign > 0 else "face_loses"
                return self._say(
                    said,
                    what=self._terms.phrase(die),
                    amount=self._terms.number(amount),
                )
            case ir.RollDice(dice=dice):
                return self._say("rolled", what=self._terms.groups.whole(dice))
            case ir.ShufflePile(zone=zone, keys=keys):
                return self._say("shuffled", what=self._terms.place(zone, keys).phrase)
            case ir.LetSlot():
                return self._let(node)
            case ir.RequestAgain(target=target):
                return self._say("again", what=self._names.flow(target))
            case ir.RequestEnd(target=target):
                if not target:
                    return self._say("game_ends")
                return self._say("ends", what=self._names.flow(target))
            case ir.ShowThings(what=what, to=to):
                groups = self._terms.groups
                return self._say("shown", who=groups.whole(to), what=groups.whole(what))
            case ir.CallEffect():
                return self._called(node)
            case ir.When():
                return self._when(node)
            case _:
                return self._with_binder(node)

    def _say(self, phrase: str, /, **parts: str | int) -> str:
        return self._names.say(phrase, **parts)

    # ---- things that move

    def _moved(self, node: ir.MoveThings | ir.MoveTop | ir.MoveTokens) -> str:
        terms, owner = self._terms, ""
        match node:
            case ir.MoveThings(what=what, to=to):
                where = terms.destination(to)
                return self._say("goes", what=terms.groups.whole(what), to=where)
            case ir.MoveTop(zone=zone, keys=keys, to=to):
                source, where = terms.place(zone, keys), terms.destination(to)
                word = self._names.kind(self._names.program.zones[zone].member)
            case ir.MoveTokens():
                source = terms.place(node.source, node.source_keys)
                where = terms.place(node.to, node.to_keys).into
                word = self._names.word(self._family(node.source), "thing")
                owner = self._owner(node)
        amount = self._amount(node.count, node.up_to, word, owner)
        return self._say("goes_from", what=amount, source=source.out_of, to=where)

    def _owner(self, node: ir.MoveTokens) -> str:
        """Return whose tokens these are, to stand behind them."""
        family = self._names.program.tokens[self._family(node.source)]
        keys = [node.source_keys[each] for each in family.family_keys[node.source]]
        return "".join(f" {self._names.of(self._terms.phrase(key))}" for key in keys)

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
        said = names.say(how, number=self._terms.number(count), things=things)
        return Inflected(said, {}, 2)

    # ---- what changes

    def _changed(self, node: ir.SetCell | ir.AddCell) -> str:
        quantities, names, terms = self._terms.quantities, self._names, self._terms
        state = names.program.states[node.state]
        cell = ir.ReadCell(node.state, node.keys, state.type)
        quantity = quantities.of(cell)
        assert quantity is not None
        if isinstance(node, ir.AddCell):
            said = "gains" if node.sign > 0 else "loses"
            what = quantities.phrase(quantity)
            if quantity.word.is_plural:
                what = terms.amount_of(what)
            return self._say(said, what=what, amount=terms.number(node.amount))
        value = node.value
        if isinstance(state.type, Flag):
            return self._turned(quantity, cell, value)
        if isinstance(value, ir.Const) and value.value in (None, ()):
            return self._say("now", what=self._emptied(quantity, cell, value))
        own = self._now(quantity, value)
        if own is not None:
            return own
        what = quantities.phrase(quantity)
        if quantity.word.is_plural and not isinstance(state.type, Set):
            what = terms.amount_of(what)
        shown = (
            terms.groups.whole(value)
            if isinstance(state.type, Set)
            else terms.number(value)
        )
        return self._say("becomes", what=what, value=shown)

    def _emptied(
        self, quantity: NamedQuantity, cell: ir.ReadCell, value: ir.Const
    ) -> str:
        test: ir.Expr = ir.IsNone(cell, Flag())
        if value.value == ():
            test = ir.CompareValues("==", cell, value, Flag())
        return self._conditions.sentence(test)

    def _turned(
        self, quantity: NamedQuantity, cell: ir.ReadCell, value: ir.Expr
    ) -> str:
        """Return that something holds from now on, or does if something else does."""
        if isinstance(value, ir.Const):
            return self._say(
                "now", what=self._conditions.sentence(cell, bool(value.value))
            )
        return self._say(
            "now_exactly_if",
            what=self._conditions.sentence(cell),
            condition=self._conditions.sentence(value),
        )

    def _now(self, quantity: NamedQuantity, value: ir.Expr) -> str | None:
        """Return the author's sentence for the new value of a quantity."""
        state = self._names.program.states[quantity.name]
        if isinstance(state.type, Whole) and not isinstance(value, ir.Const):
            return None  # such sentences count
        key = "other"
        if isinstance(value, ir.Const):
            key = label_of(self._names.program, value.value, value.type)
        shown = (
            self._terms.groups.whole(value)
            if isinstance(value.type, Set)
            else self._terms.number(value)
        )
        own = self._terms.quantities.sentence(quantity, key, shown)
        return None if own is None else self._say("now", what=own)

    def _let(self, node: ir.LetSlot) -> str:
        value = node.value
        local = self._local(node)
        if isinstance(value.type, Flag):
            return self._say("let_flag", what=self._conditions.sentence(value))
        return self._say(
            "let",
            name=self._terms.scope.variable(local),
            value=self._terms.groups.whole(value),
        )

    def _local(self, node: ir.LetSlot) -> ir.Local:
        return ir.Local(node.slot, node.name, node.value.type)

    def _if_any(self, let: ir.LetSlot, when: ir.When) -> str:
        """Return what follows where something is there."""
        name = self._terms.scope.variable(self._local(let))
        (_, body), *_ = when.rows
        value = self._terms.groups.whole(let.value)
        what = self.block(body)
        said = self._say("if_any", value=value, name=name, what=what)
        if name.lower() == value.lower():
            said = self._say("if_there", value=value, what=what)
        if not when.otherwise:
            return said
        return self._say("with_else", said=said, what=self.block(when.otherwise))

    # ---- what is called, and conditions

    def _called(self, node: ir.CallEffect) -> str:
        names, groups = self._names, self._terms.groups
        names.mention(node.effect)
        caption = names.caption(node.effect)
        if caption is not None:
            how = self._terms.how(node.args)
            return self._say("called_effect", what=names.quoted(caption), how=how)
        if node.effect in self._calls or len(self._calls) > DEEPEST:
            names.missing.add(("captions", node.effect))
            what = names.quoted(node.effect.replace("_", " "))
            return self._say("called_effect", what=what, how=self._terms.how(node.args))
        effect = names.program.effects[node.effect]
        given = {
            place: groups.whole(arg) for place, arg in enumerate(node.args, start=1)
        }
        return self._inlined(effect, given)

    def _inlined(self, effect: ir.EffectDef, given: dict[int, Inflected]) -> str:
        """Return what an effect without a caption does."""
        said: list[str] = []
        for body in effect.does:
            self._names.mention(body.address)
            scope = VariableWords(
                self._names, body.address, parameters(effect.params), body.block, given
            )
            terms = Terms(self._names, scope)
            ConditionWords(terms)
            inner = StatementWords(terms, (*self._calls, effect.name))
            said += inner.sentences(body.block)
        if len(said) == 1:
            return said[0]
        if not said:
            return self._say("nothing_happens")
        return self._say("block", what=self._names.rows(said))

    def _when(self, node: ir.When) -> str:
        said = ""
        for condition, body in node.rows:
            known = settled(condition)
            if known is False:
                continue
            if known:
                what = self.block(body)
                return (
                    what if not said else self._say("with_else", said=said, what=what)
                )
            test = self._conditions.sentence(condition)
            row = self._say("if", condition=test, what=self.block(body))
            said = row if not said else self._say("with_else", said=said, what=row)
        if not said:
            return self.block(node.otherwise)
        if node.otherwise:
            said = self._say("with_else", said=said, what=self.block(node.otherwise))
        return said

    # ---- with a variable

    def _with_binder(
        self, node: ir.ChooseOption | ir.DrawOne | ir.ShareOut | ir.ForEach
    ) -> str:
        names, terms = self._names, self._terms
        match node:
            case ir.ForEach() if self._times(node) is not None:
                return self._repeated(node)
            case ir.ForEach():
                shown = terms.groups.all_bound(node.binds, "every")
                what = terms.with_tail(shown, terms.where(node.where))
                return self._say(
                    "for_each",
                    what=what,
                    order=self._order(node),
                    body=self.block(node.body),
                )
            case ir.ChooseOption(by=by, must=must):
                who = self._chooser(by)
                what = terms.with_tail(
                    terms.groups.bound(node.bind, "a"), terms.where(node.where)
                )
                how = "must_choose" if must else "may_choose"
                said = self._say(how, who=who, what=what, body=self.block(node.body))
                if not node.otherwise:
                    return said
                return self._say(
                    "with_else", said=said, what=self.block(node.otherwise)
                )
            case ir.DrawOne():
                what = terms.with_tail(
                    terms.groups.bound(node.bind, "a"), terms.where(node.where)
                )
                return self._say("drawn", what=what, body=self.block(node.body))
            case ir.ShareOut():
                group = terms.groups.of(node.bind.source)
                what = terms.with_tail(terms.groups.the(group), terms.where(node.where))
                (member,) = variables_of(node.bind)
                return self._say(
                    "shared",
                    who=self._chooser(None),
                    amount=terms.number(node.amount),
                    what=what,
                    member=names.grammar.phrase(terms.scope.noun(member), "every"),
                    count=terms.scope.variable(share_of(node)),
                    body=self.block(node.body),
                )

    def _times(self, node: ir.ForEach) -> ir.Expr | None:
        """Return how often something is repeated that does not speak of its count."""
        match node:
            case ir.ForEach(
                binds=(ir.Bind(slots=(slot,), source=source),), where=None, keys=()
            ) if not self._terms.scope.is_spoken_of(slot):
                pass
            case _:
                return None
        match source:
            case ir.MakeRange(low=ir.Const(value=1), high=high):
                return high
            case ir.Const(value=(1, *_) as numbers, type=Set(Whole() as number)):
                if numbers == tuple(range(1, len(numbers) + 1)):
                    return ir.Const(len(numbers), number)
            case _:
                pass
        return None

    def _repeated(self, node: ir.ForEach) -> str:
        times = self._times(node)
        assert times is not None
        said = "times" if isinstance(times, ir.Const) else "as_often"
        number = self._terms.number(times)
        return self._say(said, number=number, body=self.block(node.body))

    def _chooser(self, by: ir.Expr | None) -> Inflected:
        if by is not None:
            return self._terms.phrase(by)
        return self._names.grammar.phrase(self._names.general("player"))

    def _order(self, node: ir.ForEach) -> str:
        if not node.keys:
            return ""
        keys = [self._terms.number(key) for key in node.keys]
        return self._say(f"order_{node.direction}", key=self._names.together(keys))


def _is_bookkeeping(statement: ir.Statement) -> bool:
    """Say whether a statement notes what no rule declares."""
    return isinstance(statement, ir.SetCell) and ir.is_kept(statement.state)


def _is_there(let: ir.LetSlot, following: ir.Statement | None) -> bool:
    """Say whether a statement asks at once whether what was named is there."""
    match following:
        case ir.When(
            rows=(
                (ir.Unary(op="not", operand=ir.IsNone(operand=ir.Local(slot=slot))), _),
            )
        ):
            return slot == let.slot
        case _:
            return False
