"""The core of a clause as words: conditions are sentences, other expressions phrases.

Conditions contain phrases and phrases conditions, so one class handles both. A phrase
is an `Inflected`: a noun phrase in all its cases. A `Group` is a set before it gets an
article; a `NamedQuantity` is a declaration with its keys. Texts of the ruleset may have
a separate sentence for a quantity and its value (a *reading*).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from houserule import ir
from houserule.base.frozen import frozen
from houserule.base.inflection import CASES, OF_KEY, PLACED, Inflected, TextSlot, pieces
from houserule.ir import declared_as, is_kept, kept_parts
from houserule.ir.types import Flag, Kind, Set, Type, Whole, core, members
from houserule.ir.walk import slots_read
from houserule.rulebook.exact.program_nouns import Lexicon
from houserule.rulebook.exact.scope import (
    FrameVariable,
    VariableWords,
    member_of,
    step_of,
    variables_of,
)
from houserule.rulebook.exact.shapes import (
    MIRRORED,
    OPPOSITE,
    is_whole,
    neighbour,
    one_more,
    open_rows,
    placed,
    settled,
)
from houserule.rulebook.nouns import Noun

_BINDING = {"+": 1, "-": 1, "*": 2, "/up": 2, "/down": 2}

ITSELF = "it"
RULE = "rule_"  # prefix of a value: for the formal wording, not for reasons


@frozen
class PlaceWords:
    """A place as a phrase, and with the prepositions that it takes."""

    phrase: Inflected
    is_plural: bool
    inside: str  # in the hand
    into: str  # into the hand
    out_of: str  # out of the hand


@frozen
class Group:
    """A set: the noun of its members, and what follows the noun.

    `whole` is the phrase for the whole set, if it has a name of its own.
    """

    word: Noun
    tail: str = ""
    whole: Inflected | None = None
    every: bool = False  # it contains all things of its kind
    ordered: bool = False
    alone: bool = False  # it has a single member


@frozen
class NamedQuantity:
    """A declaration with its keys; `name` is its name in the texts."""

    name: str
    params: tuple[str, ...]
    keys: tuple[ir.Expr, ...]
    sort: str
    word: Noun


class ExpressionWords:
    """Sentences and phrases for the expressions of one clause.

    Sentences have no capital and no full stop.

    Args:
        params: the variables bound around the clause, in order.
        given: phrases that replace slots, whatever their names.
    """

    def __init__(
        self,
        names: Lexicon,
        address: str,
        params: Sequence[FrameVariable] = (),
        *roots: ir.CoreNode,
        given: Mapping[int, Inflected] | None = None,
    ) -> None:
        self.names = names
        self.scope = VariableWords(names, address, params, roots, given)

    def sentence(self, expr: ir.Expr, holds: bool = True) -> str:
        """Return the sentence that a condition holds, or that it does not."""
        names = self.names
        known = settled(expr)
        if known is not None:
            return names.say("always" if known is holds else "never")
        match expr:
            case ir.Unary(op="not", operand=operand):
                return self.sentence(operand, not holds)
            case ir.Connective():
                # Parts joined by one word; parts with the other word are grouped.
                how = expr.op if holds else ("or" if expr.op == "and" else "and")
                parts = [e for e in self._parts(expr, expr.op) if settled(e) is None]
                found = dict[str, None]()
                for part in parts:
                    one, inner, same = self.sentence(part, holds), part, holds
                    while isinstance(inner, ir.Unary) and inner.op == "not":
                        inner, same = inner.operand, not same
                    if isinstance(inner, ir.Connective):
                        fits = (inner.op == "and") is same
                        one = one if fits is (how == "and") else f"({one})"
                    found[one] = None
                series = [*found]
                # A part with a colon is last: what follows would seem to belong to it.
                series.sort(key=_is_open)
                before = [f"({e})" if _is_open(e) else e for e in series[:-1]]
                return names.joined([*before, series[-1]], how)
            case ir.CompareValues():
                return self._compared(expr, holds)
            case ir.IsNone(operand=operand):
                return self.none(operand, holds)
            case ir.In():
                left, right, group = expr.left, expr.right, self.group(expr.right)
                yes = "" if holds else "_not"
                if isinstance(right, ir.Const) and group.every:
                    return self.none(left, not holds)
                if isinstance(right, ir.MakeSet | ir.Const) and not group.every:
                    numbers: tuple[int, ...] = ()
                    if isinstance(right, ir.MakeSet):
                        items: Sequence[ir.Expr] = right.items
                    else:
                        assert isinstance(right.type, Set)
                        assert isinstance(right.value, tuple)
                        numbers, member = right.value, right.type.member
                        items = [ir.Const(each, member) for each in numbers]
                    if len(items) == 1:
                        test = ir.CompareValues("==", left, items[0], Flag())
                        return self._compared(test, holds)
                    what = self.number(left) if is_whole(left) else self.phrase(left)
                    if numbers and group.whole is None:
                        low, high = numbers[0], numbers[-1]
                        return names.say(f"between{yes}", what=what, low=low, high=high)
                    one_of = names.joined([self.phrase(each) for each in items], "or")
                    return names.say(f"same{yes}", left=what, right=one_of)
                if isinstance(right, ir.CombineSets) and right.op == "but":
                    other = self._other(left, right, holds)
                    if other is not None:
                        return other
                what = self.phrase(left)
                if not isinstance(right, ir.Contents):
                    return names.say(f"belongs{yes}", what=what, set=self.the(group))
                place = self.place(right.zone, right.keys)
                if place.is_plural:
                    return names.say(f"belongs{yes}", what=what, set=place.phrase)
                return names.say(f"lies{yes}", what=what, where=place.inside)
            case ir.Quantifier():
                kind: str = expr.kind
                if not holds:
                    kind = {"some": "no", "no": "some", "every": "not_every"}[kind]
                article = {
                    "some": "a",
                    "no": "no",
                    "every": "every",
                    "not_every": "every",
                }[kind]
                what = self.all_bound(expr.binds, article)
                where = self.where(expr.where)
                what = self.with_tail(what, where)
                body = expr.body
                if (
                    isinstance(body, ir.Const)
                    and body.value is True
                    and kind in ("some", "no")
                ):
                    return names.say(
                        "there_is_some" if kind == "some" else "there_is_none",
                        what=what,
                    )
                return names.say(f"for_{kind}", what=what, body=self.sentence(body))
            case ir.DiceTest():
                dice = self.whole(expr.dice)
                said = expr.what if holds else f"{expr.what}_not"
                return names.say(f"dice_{said}", dice=dice)
            case ir.Can(step=step):
                said = "can" if holds else "can_not"
                return names.say(said, step=names.flow(step))
            case ir.Alike(left=left, right=right):
                said = "alike" if holds else "alike_not"
                phrase = self.phrase
                return names.say(said, left=phrase(left), right=phrase(right))
            case ir.PositionAfter():
                return names.say(
                    "afterwards",
                    action=names.action(expr.action),
                    how=self.how(expr.args),
                    what=self.sentence(expr.body, holds),
                )
            case ir.Cases():
                open_, otherwise = open_rows(expr)
                if not open_:
                    return self.sentence(otherwise, holds)
                rows = [
                    names.say(
                        "case",
                        value=self.sentence(value, holds),
                        condition=self.sentence(condition),
                    )
                    for condition, value in open_
                ]
                last = names.say(
                    "holds_otherwise", value=self.sentence(otherwise, holds)
                )
                return f"({names.rows([*rows, last])})"
            case ir.OrElse(value=value, otherwise=otherwise):
                return names.say(
                    "or_else_holds",
                    first=self.sentence(value, holds),
                    second=self.sentence(otherwise, holds),
                )
            case _:
                quantity = self.quantity(expr)
                if quantity is not None:
                    yes = "yes" if holds else "no"
                    own = self.exact_reading(quantity, yes)
                    if own is not None:
                        return own
                    opposite = self.exact_reading(quantity, "no" if holds else "yes")
                    if opposite is not None:
                        return names.say("not_so", what=opposite)
                    words = names.caption(quantity.name)
                    if words is None:
                        own = names.own_name(quantity.name)
                        if own is None:
                            names.missing.add(("readings", quantity.name))
                        words = own or quantity.name.rpartition(".")[2].replace(
                            "_", " "
                        )
                    names.mention(quantity.name)
                    said = "holds" if holds else "holds_not"
                    caption = names.quoted(words)
                    keys = [self.whole(key) for key in quantity.keys]
                    if not keys:
                        return names.say(said, what=caption)
                    return names.say(
                        f"{said}_for", what=caption, keys=names.together(keys)
                    )
                said = "holds" if holds else "holds_not"
                return names.say(said, what=self.phrase(expr))

    # ---- and, or

    def _parts(self, expr: ir.Expr, op: str) -> list[ir.Expr]:
        if isinstance(expr, ir.Connective) and expr.op == op:
            return [*self._parts(expr.left, op), *self._parts(expr.right, op)]
        if isinstance(expr, ir.Unary) and expr.op == "not":
            inner = expr.operand
            if isinstance(inner, ir.Connective) and inner.op != op:
                found = self._parts(inner, inner.op)
                return [
                    each.operand
                    if isinstance(each, ir.Unary) and each.op == "not"
                    else ir.Unary("not", each, Flag())
                    for each in found
                ]
        return [expr]

    # ---- comparisons

    def _compared(self, expr: ir.CompareValues, holds: bool) -> str:
        names = self.names
        op = expr.op if holds else OPPOSITE[expr.op]
        left, right = expr.left, expr.right
        if isinstance(left, ir.Const) and not isinstance(right, ir.Const):
            left, right, op = right, left, MIRRORED[op]
        if isinstance(left.type, Flag) or isinstance(right.type, Flag):
            same = op == "=="
            if isinstance(right, ir.Const) and isinstance(right.value, bool):
                return self.sentence(left, right.value is same)
            said = "exactly_if" if same else "either_or"
            return names.say(said, left=self.sentence(left), right=self.sentence(right))
        if isinstance(left, ir.Doing) and isinstance(right, ir.Const):
            type_, value = right.type, right.value
            kind = core(type_)
            assert isinstance(kind, Kind)
            assert isinstance(value, int)
            name = names.program.labels[kind.name][value]
            what = names.action(name)
            return names.say("doing" if op == "==" else "doing_not", what=what)
        if isinstance(left, ir.ZoneSize):
            left = as_size(names.program, left)
        if isinstance(left, ir.Size | ir.CountOf):
            return self._compare_count(left, op, right)
        if is_whole(left):
            quantity = self.quantity(left)
            if quantity is not None and isinstance(right, ir.Const):
                if right.value is None:
                    return self.none(left, op == "==")
                own = self._number_reading(quantity, left, op, right)
                if own is not None:
                    return own
            first, second = self.number(left), self.number(right)
            return names.say(f"is_{op}", left=first, right=second)
        if isinstance(right, ir.Const) and right.value is None:
            return self.none(left, op == "==")
        if isinstance(right, ir.Const) and right.value == ():
            size, zero = ir.Size(left, Whole(0, 0)), ir.Const(0, Whole(0, 0))
            return self._compare_count(size, op if op == "==" else ">", zero)
        quantity, other = self.quantity(left), self.quantity(right)
        if other is not None and (quantity is None or isinstance(left, ir.Local)):
            left, right, quantity, other = right, left, other, quantity
        constant = isinstance(right, ir.Const)
        key = "other"
        if isinstance(right, ir.Const):
            key = label_of(names.program, right.value, right.type)
        fits = constant or self.takes_phrases(quantity, left)
        if quantity is not None and op == "==" and fits:
            own = self.reading(quantity, key, self.whole(right))
            if own is not None:
                return own
        if quantity is not None and constant:
            own = self.exact_reading(quantity, f"not_{key}")
            if own is not None:
                return own
            own = self.exact_reading(quantity, key)
            if own is not None:
                return names.say("not_so", what=own)
        said = "same" if op == "==" else "same_not"
        return names.say(said, left=self.whole(left), right=self.whole(right))

    # ---- none and members

    def none(self, operand: ir.Expr, holds: bool) -> str:
        """Return the sentence that something is missing, or that it exists."""
        names = self.names
        quantity = self.quantity(operand)
        if quantity is not None:
            own = self.exact_reading(quantity, "none")
            if holds and own is not None:
                return own
            if not holds:
                said = self.exact_reading(quantity, "some")
                if said is not None:
                    return said
            some = names.grammar.phrase(names.type_word(operand.type), "a")
            said = self.reading(quantity, "other", some)
            if not holds and said is not None:
                return said
            if own is not None:
                return names.say("not_so", what=own)
            article = "no" if holds else "a"
            found = self.with_article(quantity, article)
            said = "there_is_none" if article == "no" else "there_is"
            return self.names.say(said, what=found)
        if isinstance(operand, ir.Local):
            word = self.scope.noun(operand)
            what = names.grammar.phrase(word, "no" if holds else "a")
            return names.say("there_is_none" if holds else "there_is", what=what)
        what = self.phrase(operand)
        return names.say("is_none" if holds else "is_some", what=what)

    def _other(self, left: ir.Expr, right: ir.CombineSets, holds: bool) -> str | None:
        """Return the sentence "is another player than this one"."""
        everything = self.group(right.left)
        if not everything.every or isinstance(right.right.type, Set):
            return None
        names = self.names
        plain, than = (
            names.grammar.phrase(everything.word, "other"),
            self.phrase(right.right),
        )
        cases = {
            case: f"{plain.form(case)} {names.say('than', what=than.form(case))}"
            for case in CASES
        }
        other = names.grammar.as_phrase(cases, everything.word.gender)
        quantity = self.quantity(left)
        if quantity is not None and holds:
            own = self.reading(quantity, "other", other)
            if own is not None:
                return own
        said = "same" if holds else "same_not"
        return names.say(said, left=self.phrase(left), right=other)

    # ---- numbers and counts that are compared

    def _compared_amount(self, op: str, right: ir.Expr) -> Inflected:
        """Return "at least 3" for a number and a comparison."""
        value = self.number(right)
        if op == "==":
            return value
        said = self.names.say(f"cmp_{op}", right=value)
        number = value.number if isinstance(right, ir.Const) else 2
        return Inflected(said, {}, 2 if op in (">", "!=") else number)

    def _number_reading(
        self, quantity: NamedQuantity, left: ir.Expr, op: str, right: ir.Const
    ) -> str | None:
        """Return a reading for a number that is compared with a constant."""
        value, type_ = right.value, left.type
        assert isinstance(value, int)
        low = type_.low if isinstance(type_, Whole) else None
        if op == "==" or (op == "<=" and value == low):
            exact = value
        elif op == "<" and low is not None and value == low + 1:
            exact = low
        else:
            exact = None
        if exact is not None:
            own = self.exact_reading(quantity, str(exact))
            if own is not None:
                return own
            op, right = "==", ir.Const(exact, right.type)
        return self._with_amount(quantity, self._compared_amount(op, right))

    def _with_amount(self, quantity: NamedQuantity, amount: Inflected) -> str | None:
        """Return a reading with an amount, None if it does not mention the amount.

        The reading for one thing may omit the number: "it is a line".
        """
        for number in (amount.number, 2):
            shown = Inflected(amount, {}, number)
            said = self.reading(quantity, "other", shown)
            if said is not None and (amount in said or amount == "1"):
                return said
        return None

    def _compare_count(
        self, left: ir.Size | ir.CountOf, op: str, right: ir.Expr
    ) -> str:
        """Return the sentence that there are *n* of something."""
        names, least = self.names, ""
        value = right.value if isinstance(right, ir.Const) else None
        if (op, value) in (("==", 0), ("<", 1), ("<=", 0)):
            least = "none"
        elif (op, value) in (("!=", 0), (">=", 1), (">", 0)):
            least = "some"
        counted = self.quantity(left.operand) if isinstance(left, ir.Size) else None
        if counted is not None and isinstance(left, ir.Size):
            inside = isinstance(left.operand, ir.Contents)
            inside = inside and isinstance(right, ir.Const)
            own = self.exact_reading(counted, least) if least else None
            if own is None and inside and least == "none":
                own = self.exact_reading(counted, "0")
            if own is None and inside:
                own = self._with_amount(counted, self._compared_amount(op, right))
            if own is not None:
                return own
        if isinstance(left, ir.Size):
            group, where = self.group(left.operand), ""
        elif len(left.binds) == 1 and len(left.binds[0].slots) == 1:
            group = self.group(left.binds[0].source)
            where = self.where(left.where)
        else:
            return names.say(
                f"is_{op}", left=self.number(left), right=self.number(right)
            )
        if least == "none":
            what = names.grammar.phrase(group.word, "no", group.tail + where)
            return names.say("there_is_none", what=what)
        if least == "some":
            what = names.grammar.phrase(group.word, "a", group.tail + where)
            return names.say("there_is_some", what=what)
        if group.whole is not None:
            return names.say(
                f"is_{op}", left=self.number(left), right=self.number(right)
            )
        amount = self._compared_amount(op, right)
        word = group.word if amount.number == 1 else names.plural(group.word)
        what = names.grammar.phrase(word, "", group.tail + where)
        said = names.say("so_many_things", number=amount, what=what)
        return names.say("there_are" if amount.number != 1 else "there_is", what=said)

    # ---- anything

    def phrase(self, expr: ir.Expr) -> Inflected:
        names, grammar = self.names, self.names.grammar
        if isinstance(expr.type, Flag) and not isinstance(expr, ir.Const | ir.Local):
            said = self.sentence(expr)
            return names.plain(names.say("whether", what=said))
        beside = neighbour(expr)
        if beside is not None:
            which, seat = beside
            said = names.say(f"after_{which}", seat=self.phrase(seat))
            word = names.general(which)
            return grammar.phrase(word, "the", f" {said}")
        match expr:
            case ir.Const():
                if isinstance(expr.type, Set) and expr.value:
                    return self.the(self.group(expr))
                return names.constant(expr.value, expr.type)
            case ir.Local():
                return self.scope.variable(expr)
            case ir.PhaseVar(phase=phase, type=type_):
                word = names.type_word(type_)
                return grammar.phrase(
                    word,
                    "the",
                    " " + names.say("of_phase", phase=names.flow(phase)),
                )
            case ir.Doing():
                return grammar.phrase(names.general("action"))
            case ir.PileTop(zone=zone, keys=keys, end=end, index=index):
                word = names.type_word(expr.type)
                if index is None:
                    word = grammar.described(
                        word, names.phrases.text(f"adjective_{end}")
                    )
                    return grammar.phrase(
                        word, "the", f" {self.place(zone, keys).inside}"
                    )
                said = names.say(f"nth_{end}", n=self.number(one_more(index)))
                return grammar.phrase(
                    word, "the", f" {said} {self.place(zone, keys).inside}"
                )
            case ir.MemberAt(kind=kind):
                found = []
                for field, part in zip(
                    names.program.components[kind.name].fields,
                    expr.parts,
                    strict=False,
                ):
                    noun = names.word(f"{kind.name}.{field}", "value")
                    found.append(f"{noun.one}: {self.phrase(part)}")
                word = names.type_word(expr.type)
                return grammar.phrase(word, "the", f" ({'; '.join(found)})")
            case ir.FirstOf(operand=operand):
                if isinstance(operand, ir.Const) and isinstance(operand.value, tuple):
                    return names.constant(operand.value[0], expr.type)
                order = placed(operand)
                group = self.group(order[0] if order else operand)
                word = grammar.described(
                    group.word, names.phrases.text("adjective_first")
                )
                if order is None:
                    return grammar.phrase(word, "the", group.tail)
                _, how, start = order
                if start is None:
                    tail = names.say("from_top")
                else:
                    tail = names.say(f"seats_{how}", start=self.phrase(start))
                return grammar.phrase(word, "the", f" {tail}{group.tail}")
            case ir.Pick(many=False):
                group = self.group(expr.bind.source)
                word, tail = group.word, group.tail
                if not expr.keys:
                    only = names.phrases.text("adjective_only")
                    word = grammar.described(word, only)
                tail += self.best(expr) + self.where(expr.where)
                return grammar.phrase(word, "the", tail)
            case ir.OrElse(value=value, otherwise=otherwise):
                first, second = self.phrase(value), self.phrase(otherwise)
                forms = {
                    case: names.say(
                        "or_else",
                        first=first.form(case),
                        second=second.form(case),
                    )
                    for case in CASES
                }
                return grammar.as_phrase(forms, first.forms.get("gender", "n"))
            case ir.Cases():
                open_, otherwise = open_rows(expr)
                if not open_:
                    return self.whole(otherwise)
                rows = [
                    names.say(
                        "case_inside",
                        value=self.whole(value),
                        condition=self.sentence(condition),
                    )
                    for condition, value in open_
                ]
                last = self.whole(otherwise)
                rows.append(names.say("otherwise", value=last))
                return names.plain(f"({names.rows(rows)})")
            case ir.PositionOf(zone=zone, keys=keys):
                return self.place(zone, keys).phrase
            case ir.PositionAfter():
                said = names.say(
                    "after",
                    action=names.action(expr.action),
                    how=self.how(expr.args),
                )
                what = self.phrase(expr.body)
                forms = {
                    case: form if case == "gender" else f"{form} {said}"
                    for case, form in what.forms.items()
                }
                return Inflected(f"{what} {said}", forms, what.number)
            case _:
                pass
        quantity = self.quantity(expr)
        if quantity is not None:
            return self.quantity_phrase(quantity)
        if isinstance(expr.type, Set):
            if isinstance(expr, ir.MakeSet):
                if not expr.items:
                    return names.plain(names.say("nothing"))
                return names.together([self.phrase(each) for each in expr.items])
            return self.the(self.group(expr))
        match expr:
            case ir.Binary(op, left, right) if op not in _BINDING:
                own = 3 if op == "mod" else 0
                parts = {
                    "left": self.number(left, own),
                    "right": self.number(right),
                }
                return self._worked_out(op, **parts)
            case ir.Binary() | ir.Size() | ir.CountOf():
                return self.number(expr)
            case ir.Unary(op="-", operand=operand):
                said = names.say("minus", what=self.number(operand, 2))
                return names.plain(said)
            case ir.Unary(op="seat", operand=operand):
                return self._worked_out("seat_number", what=self.phrase(operand))
            case ir.Unary(op="abs", operand=operand):
                return self._worked_out("absolute", what=self.number(operand))
            case ir.Aggregate():
                groups = [self.group(bind.source) for bind in expr.binds]
                what = names.together([self.the(group) for group in groups])
                what = self.with_tail(what, self.where(expr.where))
                variables = [each for bind in expr.binds for each in variables_of(bind)]
                slots = [each.slot for each in variables]
                match expr.body:  # the value of a die
                    case (
                        ir.ReadFace(die=ir.Local(slot=slot))
                        | ir.CallValue(args=(ir.Local(slot=slot),))
                    ) if [slot] == slots and (
                        isinstance(expr.body, ir.ReadFace)
                        or expr.body.value in names.program.read_by.values()
                    ):
                        return self._worked_out(f"{expr.kind}_faces", what=what)
                one = variables[0] if len(variables) == 1 else None
                own_noun = one and self.noun_without(expr.body, one)
                if own_noun:
                    body = grammar.phrase(own_noun[0], "the", own_noun[1])
                else:
                    body = self.number(expr.body)
                tail = "of" if "of" in body.forms else "plain"
                said = names.say(f"tail_{tail}", body=body, what=what)
                return grammar.phrase(names.general(expr.kind), "the", f" {said}")
            case _:
                raise AssertionError(expr)

    def how(self, args: tuple[ir.Expr, ...]) -> str:
        """Return the arguments of an action or effect, '' if there are none."""
        shown = [
            self.whole(each)
            for each in args
            if not (isinstance(each, ir.Local) and each.slot == 0)
        ]
        if not shown:
            return ""
        return self.names.say("how", what=self.names.together(shown))

    # ---- which ones

    def where(self, expr: ir.Expr | None) -> str:
        """Return the condition of a selection, to follow its noun."""
        if expr is None:
            return ""
        return self.names.say("where", what=self.sentence(expr))

    def best(self, expr: ir.Pick) -> str:
        """Return the criterion of a selection: "with the most points"."""
        if not expr.keys:
            return ""
        (variable,) = variables_of(expr.bind)
        shown = [self.extreme(key, expr.direction, variable) for key in expr.keys]
        said = (
            self.names.say("then_by", first=shown[0], rest=shown[1])
            if len(shown) > 1
            else shown[0]
        )
        if not expr.many:
            one = self.names.grammar.phrase(self.names.type_word(expr.type), "no")
            said += self.names.say("none_on_tie", what=one)
        return f" {said}"

    def extreme(self, key: ir.Expr, direction: str, variable: FrameVariable) -> str:
        """Return the criterion "with the most points"."""
        found = self.noun_without(key, variable)
        if found is None:
            return self.names.say(f"with_{direction}_value", what=self.number(key))
        word, tail = found
        if word.is_plural:
            bare = self.names.grammar.phrase(word, "", tail)
            return self.names.say(f"with_{direction}_many", what=bare)
        adjective = self.names.phrases.text(f"adjective_{direction}")
        described = self.names.grammar.described(word, adjective)
        return self.names.say(
            f"with_{direction}", what=self.names.grammar.phrase(described, "the", tail)
        )

    # ---- numbers

    def number(self, expr: ir.Expr, binding: int = 0) -> Inflected:
        """Return a number as a phrase; for a set, how many members it has."""
        if isinstance(expr, ir.Const) and type(expr.value) is int and is_whole(expr):
            return Inflected(str(expr.value), {}, expr.value)
        if isinstance(expr, ir.Binary) and expr.op in _BINDING:
            own = _BINDING[expr.op]
            left = self.number(expr.left, own)
            right = self.number(expr.right, own + 1)
            said = self.names.say(f"op_{expr.op}", left=left, right=right)
            return self.names.plain(f"({said})" if own < binding else said)
        if isinstance(expr, ir.ZoneSize):
            expr = as_size(self.names.program, expr)
        if isinstance(expr, ir.Size | ir.CountOf):
            return self.number_of(self.counted(expr))
        quantity = self.quantity(expr)
        if quantity is not None and quantity.word.is_plural:
            return self.names.amount_of(self.quantity_phrase(quantity))
        if isinstance(expr, ir.TokenCount):
            families = self.names.program.tokens.values()
            family = next(each.name for each in families if expr.slot in each.slots)
            word = self.names.plural(self.names.word(family, "thing"))
            inside = self.place(expr.slot, expr.keys).inside
            return self.names.amount_of(
                self.names.grammar.phrase(word, "the", f" {inside}")
            )
        return self.phrase(expr)

    def number_of(self, what: Inflected) -> Inflected:
        """Return "the number of cards" for cards."""
        word = self.names.general("count")
        return self.names.grammar.phrase(word, "the", f" {self.names.of(what)}")

    def counted(self, expr: ir.Size | ir.CountOf) -> Inflected:
        """Return the counted things: "cards in the hand"."""
        if isinstance(expr, ir.Size):
            return self.the(self.group(expr.operand))
        groups = [self.group(bind.source) for bind in expr.binds for _ in bind.slots]
        if len(groups) == 1 and not groups[0].every:
            return self.with_tail(self.the(groups[0]), self.where(expr.where))
        shown = [self.members(each, "the") for each in groups]
        return self.with_tail(self.names.together(shown), self.where(expr.where))

    def with_tail(self, what: Inflected, tail: str) -> Inflected:
        """Append words to a phrase in every case."""
        tail = self.names.grammar.related(tail, what.forms.get("gender", ""))
        forms = {
            case: form if case == "gender" else f"{form}{tail}"
            for case, form in what.forms.items()
        }
        return Inflected(f"{what}{tail}", forms, what.number)

    def range_tail(self, phrase: str, low: ir.Expr, high: ir.Expr) -> str:
        """Return a phrase with two numbers, to follow a noun."""
        first, last = self.number(low), self.number(high)
        if phrase == "from_up_to" and not last.forms:
            phrase = "from_up_to_number"
        return f" {self.names.say(phrase, low=first, high=last)}"

    def _worked_out(self, what: str, /, **parts: Inflected) -> Inflected:
        """Return a number by the name of its calculation and the operands."""
        tail = self.names.say(f"tail_{what}", **parts)
        return self.names.grammar.phrase(self.names.general(what), "the", f" {tail}")

    # ---- places

    def place(
        self, zone: str, keys: tuple[ir.Expr, ...], end: str = "top"
    ) -> PlaceWords:
        """Return a zone or a place of tokens, with the prepositions that it takes."""
        names = self.names
        word = names.word(zone, "place")
        params = self.params_of(zone)
        quantity = NamedQuantity(zone, params, keys, "place", word)
        phrase = self.quantity_phrase(quantity)
        said: dict[str, str] = {}
        for form in PLACED:
            own = self.own_form(form, quantity)
            if own is not None:
                said[form] = self.filled_form(own, quantity)
            else:
                found = self.names.program.zones.get(zone)
                is_pile = found is not None and found.kind == "pile"
                if word.is_plural and not (is_pile and form == "into"):
                    kind = "many"
                else:
                    kind = "pile" if is_pile else "place"
                said[form] = names.say(f"lies_{form}_{kind}", what=phrase)
        if end == "bottom":
            said["into"] = names.say("lies_into_bottom", what=phrase)
        return PlaceWords(
            phrase, word.is_plural, said["in"], said["into"], said["out_of"]
        )

    def own_form(self, form: str, quantity: NamedQuantity) -> str | None:
        """Return an author's form of a place, None if it has none."""
        return quantity.word.forms.get(form)

    def destination(self, expr: ir.Expr) -> str:
        match expr:
            case ir.PositionOf(zone=zone, keys=keys, end=end):
                pile = self.names.program.zones[zone].kind == "pile"
                return self.place(zone, keys, end if pile else "top").into
            case ir.CallValue(value=value, args=args) if not args:
                return self.destination(self.names.program.values[value].definition)
            case ir.Cases():
                rows, otherwise = open_rows(expr)
                if not rows:
                    return self.destination(otherwise)
                shown = [
                    self.names.say(
                        "case_inside",
                        value=self.destination(place),
                        condition=self.sentence(condition),
                    )
                    for condition, place in rows
                ]
                shown.append(
                    self.names.say("otherwise", value=self.destination(otherwise))
                )
                return f"({self.names.rows(shown)})"
            case _:
                return self.names.say("to_place", what=self.phrase(expr))

    # ---- sets

    def group(self, expr: ir.Expr) -> Group:
        names, word = self.names, self.names.type_word(member_of(expr.type))
        whole: Inflected | None
        match expr:
            case ir.Const(value=value, type=Set(member, _)):
                if value == tuple(members(member)) and not isinstance(member, Whole):
                    return Group(word, every=True, alone=len(value) == 1)
                if isinstance(member, Whole) and isinstance(value, tuple):
                    if len(value) > 2 and value == tuple(
                        range(value[0], value[-1] + 1)
                    ):
                        said = self.names.say("from_to", low=value[0], high=value[-1])
                        return Group(word, f" {said}")
                    whole = self.names.constant(
                        value, Set(Whole(min(value), max(value)))
                    )
                    return self._named_group(word, whole)
                return self._named_group(word, names.constant(value, expr.type))
            case ir.Contents(zone=zone, keys=keys):
                place = self.place(zone, keys)
                if place.is_plural:
                    whole = place.phrase
                    return Group(word, " " + self.names.say("among", set=whole), whole)
                return Group(word, f" {place.inside}")
            case ir.MakeRange(low=low, high=high):
                said = "from_to" if isinstance(high, ir.Const) else "from_up_to"
                return Group(word, self.range_tail(said, low, high))
            case ir.Pick(many=True):
                group = self.group(expr.bind.source)
                tail = group.tail + self.best(expr) + self.where(expr.where)
                (variable,) = variables_of(expr.bind)
                word = self._own_plural(variable) or group.word
                return Group(word, tail, every=group.every and not expr.keys)
            case ir.CombineSets(op=op):
                left, right = self.group(expr.left), self.without_empty(expr.right)
                names = self.names
                if right is None:
                    return left
                if op in ("but", "within"):
                    said = names.say(
                        "except" if op == "but" else "also_among", set=right
                    )
                    tail = f"{left.tail} {said}"
                    whole = None
                    if left.whole is not None:
                        forms = {
                            name: form if name == "gender" else f"{form} {said}"
                            for name, form in left.whole.forms.items()
                        }
                        whole = Inflected(
                            f"{left.whole} {said}", forms, left.whole.number
                        )
                    return Group(left.word, tail, whole)
                if op == "plus":
                    whole = names.together([self.the(left), right])
                    return self._named_group(left.word, whole)
                return Group(
                    left.word, f"{left.tail} {names.say('beyond', what=right)}"
                )
            case ir.Distinct(operand=operand) | ir.AnyOf(operand=operand):
                return self.group(operand)
            case ir.Seats():
                start = self.phrase(expr.start)
                said = self.names.say(f"seats_{expr.how}", start=start)
                if expr.lap is not None:
                    lap = self.number(expr.lap)
                    said = self.names.say(f"seats_{expr.how}_lap", start=start, lap=lap)
                return Group(word, f" {said}", every=True, ordered=True)
            case ir.ReachedCells():
                inner = step_of(expr)
                word = self._own_plural(inner) or word
                step = self.scope.variable(inner)
                start = self.whole(expr.start)
                by = self.whole(expr.by)
                said = self.names.say("reached", start=start, step=step, by=by)
                return Group(word, f" {said}{self.where(expr.where)}")
            case _:
                return self._named_group(word, self.phrase(expr))

    def _named_group(self, word: Noun, whole: Inflected) -> Group:
        tail = self.names.say("among", set=whole)
        return Group(word, f" {tail}", whole)

    def _own_plural(self, variable: FrameVariable) -> Noun | None:
        """Return the noun of the texts for a variable if its plural is known."""
        own = self.scope.own_noun(variable)
        if own is None or own.many or own.is_plural:
            return own
        return None if self.names.grammar_needs_gender else own

    def without_empty(self, expr: ir.Expr) -> Inflected | None:
        """Return the phrase for one thing or a set; None for an empty set."""
        if isinstance(expr, ir.Const) and expr.value in ((), None):
            return None
        return self.whole(expr)

    def whole(self, expr: ir.Expr) -> Inflected:
        """Return one thing or a whole set as a phrase."""
        if isinstance(expr.type, Set):
            return self.the(self.group(expr))
        if is_whole(expr):
            return self.number(expr)
        return self.phrase(expr)

    # ---- a group as a phrase

    def the(self, group: Group) -> Inflected:
        """Return the whole group as a phrase."""
        if group.whole is not None:
            return group.whole
        if group.every and group.alone:
            return self.names.grammar.phrase(group.word, "the", group.tail)
        article = "every" if group.every and not group.ordered else "the"
        return self.names.grammar.phrase(
            self.names.plural(group.word), article, group.tail
        )

    def member(self, group: Group, article: str = "a") -> Inflected:
        """Return a member of a group: "a card in the hand"."""
        return self.names.grammar.phrase(group.word, article, group.tail)

    def members(self, group: Group, article: str = "") -> Inflected:
        """Return members of a group, in any number: "cards in the hand"."""
        return self.names.grammar.phrase(
            self.names.plural(group.word), article, group.tail
        )

    def all_bound(self, binds: Sequence[ir.Bind], article: str = "a") -> Inflected:
        """Return the variables of several binders as a series."""
        shown = [each for bind in binds for each in self._each_bound(bind, article)]
        return self.names.together(shown)

    def bound(self, bind: ir.Bind, article: str = "a") -> Inflected:
        """Return the variables of a binder as they are introduced."""
        return self.names.together(self._each_bound(bind, article))

    def _each_bound(self, bind: ir.Bind, article: str) -> list[Inflected]:
        group = self.group(bind.source)
        variables = variables_of(bind)
        if bind.how == "subset":
            own = self.scope.own_noun(variables[0])
            if own is not None and own.is_plural and (bind.low, bind.high) == (1, None):
                name = self.scope.introduced(variables[0])
                said = self.names.say("called", name=name)
                return [self.with_tail(self._part(bind, group), f" {said}")]
            shown = [self._part(bind, self._as_called(group, variables[0]))]
        else:
            shown = [
                self.member(self._as_called(group, variable), article)
                for variable in variables
            ]
        # A phrase is followed by the name that its variable has from here on.
        for place, variable in enumerate(variables):
            if self.scope.needs_telling(variable):
                said = self.names.say("called", name=self.scope.introduced(variable))
                shown[place] = self.with_tail(shown[place], f" {said}")
        return shown

    def _as_called(self, group: Group, variable: FrameVariable) -> Group:
        """Return a group whose members have the texts' name of a variable."""
        own = self.scope.own_noun(variable)
        return group if own is None else Group(own, group.tail, group.whole)

    def _part(self, bind: ir.Bind, group: Group) -> Inflected:
        """Return as many members of a group as a binder allows."""
        grammar, low, high = self.names.grammar, bind.low, bind.high
        if (low, high) == (1, 1):
            return self.member(group)
        what = self.names.plural(group.word)
        if low == high:
            number: str = str(low)
        elif high is None and low == 1:
            at_least = self.names.say("cmp_>=", right=low)
            what = grammar.counted(group.word, at_least)
            return grammar.phrase(what, "", group.tail)
        elif high is None:
            said = self.names.say("cmp_>=", right=low)
            number = said if low else self.names.say("any_number")
        else:
            number = self.names.say("span", low=low, high=high)
        return grammar.phrase(grammar.counted(what, number), "", group.tail)

    # ---- quantities

    def quantity(self, expr: ir.Expr) -> NamedQuantity | None:
        """Return an expression as a quantity with a name, None if it has none."""
        match expr:
            case (
                ir.CallValue(value=name, args=keys) | ir.ReadCell(state=name, keys=keys)
            ):
                sort = "flag" if isinstance(expr.type, Flag) else "value"
                return self._made(name, keys, sort)
            case ir.TokenCount(slot=name, keys=keys):
                return self._made(name, keys, "place")
            case ir.ZoneSize(zone=name, keys=keys) | ir.Contents(zone=name, keys=keys):
                return self._made(name, keys, "place")
            case ir.ReadField(subject=subject, kind=kind, field=field):
                return self._made(
                    f"{kind.name}.{field}", (subject,), "value", (ITSELF,)
                )
            case ir.ReadEntry(subject=subject, kind=kind, field=field, key=key):
                own = self.names.program.components[kind.name].keyed[field].key.name
                name, keys = f"{kind.name}.{field}", (subject, key)
                return self._made(name, keys, "value", (ITSELF, own))
            case ir.ReadFace(die=die, kind=kind):
                word = self.names.general("face")
                return NamedQuantity(kind.name, (ITSELF,), (die,), "face", word)
            case _:
                return None

    def _made(
        self,
        name: str,
        keys: tuple[ir.Expr, ...],
        sort: str,
        params: tuple[str, ...] | None = None,
    ) -> NamedQuantity:
        name = declared_as(name)
        if is_kept(name):
            return NamedQuantity(name, (), keys, "kept", self.names.general("count"))
        own = self.params_of(name) if params is None else params
        return NamedQuantity(name, own, keys, sort, self.quantity_noun(name, sort))

    def quantity_noun(self, name: str, sort: str) -> Noun:
        """Return the noun of a quantity: its own, or its caption in quotation marks."""
        names = self.names
        if sort == "flag":  # flags are sentences
            return names.general("value")
        if not names.has_noun(name) and sort == "value":
            caption = names.caption(name)
            own = names.by_itself(name) if names.label(name) else None
            if caption and own is None:
                word = names.general("value")
                own = Noun(f"{word.one} {names.quoted(caption)}", word.gender)
            if own is not None:
                names.mention(name)
                return own
        return names.word(name, sort)

    def params_of(self, name: str) -> tuple[str, ...]:
        """Return the names of a declaration's keys."""
        program = self.names.program
        if name in program.values:
            return tuple(each.name for each in program.values[name].params)
        if name in program.states:
            return tuple(each.name for each in program.states[name].keys)
        if name in program.zones:
            return tuple(each.name for each in program.zones[name].keys)
        for tokens in program.tokens.values():
            if name in tokens.slots:
                return tuple(each.name for each in tokens.slots[name])
        return ()

    # ---- as a noun

    def quantity_phrase(self, quantity: NamedQuantity) -> Inflected:
        """Return "the income of the company"."""
        names = self.names
        if quantity.sort != "kept":
            tail = self._key_tail(quantity, None)
            return names.grammar.phrase(quantity.word, "the", tail)
        # Which earlier items are counted.
        phase, since, same, last = kept_parts(quantity.name)
        said = [names.say("history", phase=names.flow(phase))]
        for who in quantity.keys:
            said.append(names.say("history_who", who=self.phrase(who)))
        if since:
            events = names.joined([names.event(each) for each in since], "or")
            said.append(names.say("history_since", what=events))
        if same:
            known = {*names.program.values, *names.program.states}
            nouns = [
                self.quantity_noun(each, "value" if each in known else "place")
                for each in same
            ]
            what = names.together([names.grammar.phrase(each) for each in nouns])
            said.append(names.say("history_same", what=what))
        said.append(names.say("history_last", number=last))
        tail = "".join(f" {each}" for each in said)
        return names.grammar.phrase(quantity.word, "the", tail)

    def with_article(self, quantity: NamedQuantity, article: str) -> Inflected:
        """Return "no owner of the company"."""
        tail = self._key_tail(quantity, None)
        return self.names.grammar.phrase(quantity.word, article, tail)

    def noun_without(
        self, expr: ir.Expr, variable: FrameVariable
    ) -> tuple[Noun, str] | None:
        """Return the noun of a variable's property, without the variable itself."""
        quantity = self.quantity(expr)
        if quantity is None or quantity.sort in ("kept",):
            return None
        hits = [
            place
            for place, key in enumerate(quantity.keys)
            if variable.slot in slots_read(key)
        ]
        if len(hits) != 1:
            return None
        key = quantity.keys[hits[0]]
        if isinstance(key, ir.Local):
            return quantity.word, self._key_tail(quantity, hits[0])
        inner = self.noun_without(key, variable)
        if inner is None or len(quantity.keys) != 1:
            return None
        of = self.names.of(self.names.grammar.phrase(inner[0], "the", inner[1]))
        return quantity.word, f" {of}"

    def _key_tail(self, quantity: NamedQuantity, left_out: int | None) -> str:
        """Return the keys of a quantity, to follow its noun."""
        said: list[str] = []
        for place, (name, key) in enumerate(
            zip(quantity.params, quantity.keys, strict=True)
        ):
            if place == left_out:
                continue
            what = self.phrase(key)
            own = quantity.word.forms.get(f"{OF_KEY}{name}")
            if own is None and quantity.sort == "place":
                own = self.names.word(quantity.name, "place").forms.get(
                    f"{OF_KEY}{name}"
                )
            if own is not None:
                said.append(self.names.grammar.filled(own, {name: what}))
            elif not said:
                said.append(self.names.of(what))
            else:
                said.append(self.names.say("for_key", what=what))
        return "".join(f" {each}" for each in said)

    def filled_form(self, form: str, quantity: NamedQuantity) -> str:
        """Return an author's form of a place, with its keys filled in."""
        keys = zip(quantity.params, quantity.keys, strict=True)
        parts = {name: self.phrase(key) for name, key in keys}
        return self.names.grammar.filled(form, parts)

    # ---- as the author's sentence

    def _text(self, quantity: NamedQuantity, value: str) -> str | None:
        """Return the reading for one value; texts for rulebooks take precedence."""
        texts = self.names.texts
        for key in (f"{RULE}{value}", value):
            own = texts.get(f"readings/{quantity.name}/{key}")
            if own is not None:
                return own
        return None

    def takes_phrases(self, quantity: NamedQuantity | None, expr: ir.Expr) -> bool:
        """Return whether the author's sentence fits a value that is not constant.

        Sentences for members of enumerations are written for their names.
        """
        kind = core(expr.type)
        if not isinstance(kind, Kind) or kind.sort != "enum":
            return True
        key = f"readings/{quantity.name}/{RULE}other" if quantity else ""
        return key in self.names.texts

    def exact_reading(self, quantity: NamedQuantity, value: str) -> str | None:
        """Return the author's sentence for exactly one value, if there is one."""
        own = self._text(quantity, value)
        return None if own is None else self._fill(quantity, own, None)

    def reading(
        self, quantity: NamedQuantity, value: str, shown: Inflected | None
    ) -> str | None:
        """Return the author's sentence for a quantity with a value, if there is one.

        `shown` is filled in for the value.
        """
        own = self._text(quantity, value)
        own = own if own is not None else self._text(quantity, "other")
        return None if own is None else self._fill(quantity, own, shown)

    def _fill(
        self, quantity: NamedQuantity, text: str, shown: Inflected | None
    ) -> str | None:
        """Return a reading with its keys filled in, None if it has other slots."""
        keys = zip(quantity.params, quantity.keys, strict=True)
        parts: dict[str, str | int] = {name: self.whole(key) for name, key in keys}
        if shown is not None:
            parts["value"] = shown
            if quantity.sort != "place":
                parts["things"] = shown
        found = pieces(text)
        if any(isinstance(each, TextSlot) and each.name not in parts for each in found):
            return None
        # A text names the kind of a slot, "company {c}"; a phrase has the noun itself.
        for name, key in zip(quantity.params, quantity.keys, strict=True):
            nouns = []
            match core(key.type):
                case Kind(name=kind, sort=sort) if sort != "seat":
                    nouns.append(self.names.wording.kind(kind))
                case Whole():
                    nouns.append(self.names.general("number").one)
                case _:
                    pass
            if isinstance(key, ir.Local):
                nouns.append(self.scope.noun(key).one)
                text = re.sub(rf"[“„«] ?(\{{{name}[^}}]*\}}) ?[”“»]", r"\1", text)
            for noun in nouns:
                doubled = rf"\b{re.escape(noun)} (?=\{{{name}\b)"
                text = re.sub(doubled, "", text, flags=re.IGNORECASE)
        return self.names.grammar.filled(text, parts)


def as_size(program: ir.Program, expr: ir.ZoneSize) -> ir.Size:
    """Return the number of things in a zone as the size of their set."""
    member = program.zones[expr.zone].member
    return ir.Size(ir.Contents(expr.zone, expr.keys, Set(member)), expr.type)


def label_of(program: ir.Program, value: object, type_: Type) -> str:
    """Return the key of a reading for a value."""
    inner = core(type_)
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(inner, Kind) and isinstance(value, int):
        labels: Mapping[str, Sequence[str]] = program.labels
        return labels[inner.name][value]
    return str(value)


def _is_open(said: str) -> bool:
    """Return whether a sentence has a colon outside of brackets and quotation marks."""
    depth = 0
    for sign in said:
        depth += (sign in "(“„«") - (sign in ")”»")
        if sign == ":" and depth <= 0:
            return True
    return False
