"""ConditionWords of the core as sentences: what holds, or what does not."""

from __future__ import annotations

from houserule import ir
from houserule.inflected import CASES
from houserule.ir.types import Flag, Kind, Maybe, Set, Whole
from houserule.rulebook.exact.comparisons import ComparisonWords
from houserule.rulebook.exact.quantities import NamedQuantity, label_of
from houserule.rulebook.exact.shapes import open_rows, settled
from houserule.rulebook.exact.terms import Terms, as_size

_OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<": ">=", "<=": ">", ">": "<="}
_MIRRORED = {"==": "==", "!=": "!=", ">=": "<=", "<=": ">=", ">": "<", "<": ">"}


class ConditionWords:
    """Sentences for the conditions of one clause, without capital and full stop."""

    def __init__(self, terms: Terms) -> None:
        self._terms, self._names = terms, terms.names
        terms.conditions = self
        self._comparisons = ComparisonWords(terms)

    def sentence(self, expr: ir.Expr, holds: bool = True) -> str:
        """Return the sentence that a condition holds, or that it does not."""
        known = settled(expr)
        if known is not None:
            return self._names.say("always" if known is holds else "never")
        match expr:
            case ir.Unary(op="not", operand=operand):
                return self.sentence(operand, not holds)
            case ir.Connective():
                return self._connected(expr, holds)
            case ir.CompareValues():
                return self._compared(expr, holds)
            case ir.IsNone(operand=operand):
                return self.none(operand, holds)
            case ir.In():
                return self._member(expr, holds)
            case ir.Quantifier():
                return self._quantified(expr, holds)
            case ir.DiceTest():
                return self._dice(expr, holds)
            case ir.Can(step=step):
                said = "can" if holds else "can_not"
                return self._names.say(said, step=self._names.flow(step))
            case ir.Alike(left=left, right=right):
                said = "alike" if holds else "alike_not"
                phrase = self._terms.phrase
                return self._names.say(said, left=phrase(left), right=phrase(right))
            case ir.PositionAfter():
                return self._afterwards(expr, holds)
            case ir.Cases():
                return self._by_case(expr, holds)
            case ir.OrElse(value=value, otherwise=otherwise):
                return self._names.say(
                    "or_else_holds",
                    first=self.sentence(value, holds),
                    second=self.sentence(otherwise, holds),
                )
            case _:
                return self._named(expr, holds)

    # ---- and, or

    def _connected(self, expr: ir.Connective, holds: bool) -> str:
        """Return parts joined; what is joined by the other word is kept together."""
        how = expr.op if holds else ("or" if expr.op == "and" else "and")
        parts = self._parts(expr, expr.op)
        parts = [part for part in parts if settled(part) is None]
        shown = [self._part(part, how, holds) for part in parts]
        shown = list(dict.fromkeys(shown))
        # What has a colon goes last, where nothing can be taken for a part of it.
        shown.sort(key=_is_open)
        if len(shown) == 1:
            return shown[0]
        closed = [f"({each})" if _is_open(each) else each for each in shown[:-1]]
        return self._names.joined([*closed, shown[-1]], how)

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

    def _part(self, part: ir.Expr, how: str, holds: bool) -> str:
        said = self.sentence(part, holds)
        inner = part
        while isinstance(inner, ir.Unary) and inner.op == "not":
            inner, holds = inner.operand, not holds
        if isinstance(inner, ir.Connective):
            own = inner.op if holds else ("or" if inner.op == "and" else "and")
            if own != how:
                return f"({said})"
        return said

    # ---- comparisons

    def _compared(self, expr: ir.CompareValues, holds: bool) -> str:
        op = expr.op if holds else _OPPOSITE[expr.op]
        left, right = expr.left, expr.right
        if isinstance(left, ir.Const) and not isinstance(right, ir.Const):
            left, right, op = right, left, _MIRRORED[op]
        if isinstance(left.type, Flag) or isinstance(right.type, Flag):
            return self._same_truth(left, right, op == "==")
        if isinstance(left, ir.Doing) and isinstance(right, ir.Const):
            return self._doing(right, op == "==")
        if isinstance(left, ir.ZoneSize):
            left = as_size(self._names.program, left)
        if isinstance(left, ir.Size | ir.CountOf):
            return self._comparisons.count(left, op, right)
        if _is_number(left):
            return self._comparisons.numbers(left, op, right)
        return self._things(left, op, right)

    def _same_truth(self, left: ir.Expr, right: ir.Expr, same: bool) -> str:
        if isinstance(right, ir.Const) and isinstance(right.value, bool):
            return self.sentence(left, right.value is same)
        said = "exactly_if" if same else "either_or"
        return self._names.say(
            said, left=self.sentence(left), right=self.sentence(right)
        )

    def _doing(self, action: ir.Const, same: bool) -> str:
        kind, value = action.type, action.value
        if isinstance(kind, Maybe):
            kind = kind.inner
        assert isinstance(kind, Kind)
        assert isinstance(value, int)
        name = self._names.program.labels[kind.name][value]
        what = self._names.action(name)
        return self._names.say("doing" if same else "doing_not", what=what)

    def _things(self, left: ir.Expr, op: str, right: ir.Expr) -> str:
        """Return a sentence that two things are the same, or are not."""
        names, quantities = self._names, self._terms.quantities
        if isinstance(right, ir.Const) and right.value is None:
            return self.none(left, op == "==")
        if isinstance(right, ir.Const) and right.value == ():
            return self._empty(left, op == "==")
        quantity = quantities.of(left)
        other = quantities.of(right)
        if other is not None and (quantity is None or isinstance(left, ir.Local)):
            left, right, quantity, other = right, left, other, quantity
        fits = isinstance(right, ir.Const) or quantities.takes_phrases(quantity, left)
        if quantity is not None and op == "==" and fits:
            value = "other"
            if isinstance(right, ir.Const):
                value = label_of(names.program, right.value, right.type)
            own = quantities.sentence(quantity, value, self._terms.groups.whole(right))
            if own is not None:
                return own
        if quantity is not None and isinstance(right, ir.Const):
            value = label_of(names.program, right.value, right.type)
            own = quantities.exact_reading(quantity, f"not_{value}")
            if own is not None:
                return own
            own = quantities.exact_reading(quantity, value)
            if own is not None:
                return names.say("not_so", what=own)
        said = "same" if op == "==" else "same_not"
        whole = self._terms.groups.whole
        return names.say(said, left=whole(left), right=whole(right))

    # ---- none and members

    def none(self, operand: ir.Expr, holds: bool) -> str:
        """Return the sentence that something is not there, or that it is."""
        quantities, names = self._terms.quantities, self._names
        quantity = quantities.of(operand)
        if quantity is not None:
            own = quantities.exact_reading(quantity, "none")
            if holds and own is not None:
                return own
            if not holds:
                said = quantities.exact_reading(quantity, "some")
                if said is not None:
                    return said
            some = names.grammar.phrase(names.type_word(operand.type), "a")
            said = quantities.sentence(quantity, "other", some)
            if not holds and said is not None:
                return said
            if own is not None:
                return names.say("not_so", what=own)
            article = "no" if holds else "a"
            return self._there_is(quantity, article)
        if isinstance(operand, ir.Local):
            word = self._terms.scope.noun(operand)
            what = names.grammar.phrase(word, "no" if holds else "a")
            return names.say("there_is_none" if holds else "there_is", what=what)
        what = self._terms.phrase(operand)
        return names.say("is_none" if holds else "is_some", what=what)

    def _there_is(self, quantity: NamedQuantity, article: str) -> str:
        """Return "there is no owner of the company"."""
        found = self._terms.quantities.with_article(quantity, article)
        said = "there_is_none" if article == "no" else "there_is"
        return self._names.say(said, what=found)

    def _empty(self, operand: ir.Expr, holds: bool) -> str:
        """Return a sentence that a set has no member, or that it has one."""
        zero = ir.Const(0, Whole(0, 0))
        return self._comparisons.count(
            ir.Size(operand, Whole(0, 0)), "==" if holds else ">", zero
        )

    def _member(self, expr: ir.In, holds: bool) -> str:
        names, terms = self._names, self._terms
        left, right = expr.left, expr.right
        group = terms.groups.of(right)
        if isinstance(right, ir.Const) and group.every:
            return self.none(left, not holds)
        if isinstance(right, ir.MakeSet | ir.Const) and not group.every:
            return self._one_of(expr, holds)
        if isinstance(right, ir.CombineSets) and right.op == "but":
            other = self._other(left, right, holds)
            if other is not None:
                return other
        what = terms.phrase(left)
        if isinstance(right, ir.Contents):
            place = terms.place(right.zone, right.keys)
            said = "among" if place.is_plural else "lies"
            return names.say(
                said
                if said == "lies" and holds
                else {
                    "lies": "lies_not",
                    "among": "belongs" if holds else "belongs_not",
                }[said],
                what=what,
                where=place.inside,
                set=place.phrase,
            )
        whole = terms.groups.the(group)
        said = "belongs" if holds else "belongs_not"
        return names.say(said, what=what, set=whole)

    def _one_of(self, expr: ir.In, holds: bool) -> str:
        """Return a sentence that something is one of a few things."""
        items = (
            expr.right.items
            if isinstance(expr.right, ir.MakeSet)
            else self._items(expr.right)
        )
        op = "==" if holds else "!="
        if len(items) == 1:
            return self._compared(
                ir.CompareValues("==", expr.left, items[0], Flag()), op == "=="
            )
        group = self._terms.groups.of(expr.right)
        what = self._terms.phrase(expr.left)
        shown: str = ""
        if isinstance(expr.right, ir.Const) and isinstance(expr.right.type, Set):
            numbers = expr.right.value
            if group.whole is None and isinstance(numbers, tuple):
                said = "between" if holds else "between_not"
                return self._names.say(
                    said, what=what, low=numbers[0], high=numbers[-1]
                )
        shown = self._names.joined([self._terms.phrase(each) for each in items], "or")
        said = "same" if holds else "same_not"
        return self._names.say(said, left=what, right=shown)

    def _items(self, expr: ir.Expr) -> list[ir.Expr]:
        if not isinstance(expr, ir.Const) or not isinstance(expr.type, Set):
            return []
        assert isinstance(expr.value, tuple)
        return [ir.Const(each, expr.type.member) for each in expr.value]

    def _other(self, left: ir.Expr, right: ir.CombineSets, holds: bool) -> str | None:
        """Return a sentence for "is another player than this one"."""
        everything = self._terms.groups.of(right.left)
        if not everything.every or isinstance(right.right.type, Set):
            return None
        names, terms = self._names, self._terms
        plain, than = (
            names.grammar.phrase(everything.word, "other"),
            terms.phrase(right.right),
        )
        cases = {
            case: f"{plain.form(case)} {names.say('than', what=than.form(case))}"
            for case in CASES
        }
        other = names.grammar.as_phrase(cases, everything.word.gender)
        quantity = terms.quantities.of(left)
        if quantity is not None and holds:
            own = terms.quantities.sentence(quantity, "other", other)
            if own is not None:
                return own
        said = "same" if holds else "same_not"
        return names.say(said, left=terms.phrase(left), right=other)

    # ---- some, every, no

    def _quantified(self, expr: ir.Quantifier, holds: bool) -> str:
        kind: str = expr.kind
        names = self._names
        if not holds:
            kind = {"some": "no", "no": "some", "every": "not_every"}[kind]
        article = {"some": "a", "no": "no", "every": "every", "not_every": "every"}[
            kind
        ]
        what = self._terms.groups.all_bound(expr.binds, article)
        where = self._terms.where(expr.where)
        what = self._terms.with_tail(what, where)
        body = expr.body
        if isinstance(body, ir.Const) and body.value is True and kind in ("some", "no"):
            return names.say(
                "there_is_some" if kind == "some" else "there_is_none", what=what
            )
        return names.say(f"for_{kind}", what=what, body=self.sentence(body))

    # ---- the rest

    def _dice(self, expr: ir.DiceTest, holds: bool) -> str:
        dice = self._terms.groups.whole(expr.dice)
        said = expr.what if holds else f"{expr.what}_not"
        return self._names.say(f"dice_{said}", dice=dice)

    def _afterwards(self, expr: ir.PositionAfter, holds: bool) -> str:
        return self._names.say(
            "afterwards",
            action=self._names.action(expr.action),
            how=self._terms.how(expr.args),
            what=self.sentence(expr.body, holds),
        )

    def _by_case(self, expr: ir.Cases, holds: bool) -> str:
        open_, otherwise = open_rows(expr)
        if not open_:
            return self.sentence(otherwise, holds)
        rows = [
            self._names.say(
                "case",
                value=self.sentence(value, holds),
                condition=self.sentence(condition),
            )
            for condition, value in open_
        ]
        last = self._names.say("holds_otherwise", value=self.sentence(otherwise, holds))
        return f"({self._names.rows([*rows, last])})"

    def _named(self, expr: ir.Expr, holds: bool) -> str:
        """Return a sentence for what is itself yes or no."""
        names, quantities = self._names, self._terms.quantities
        quantity = quantities.of(expr)
        if quantity is not None:
            yes = "yes" if holds else "no"
            own = quantities.exact_reading(quantity, yes)
            if own is not None:
                return own
            opposite = quantities.exact_reading(quantity, "no" if holds else "yes")
            if opposite is not None:
                return names.say("not_so", what=opposite)
            return self._captioned(quantity, holds)
        said = "holds" if holds else "holds_not"
        return names.say(said, what=self._terms.phrase(expr))

    def _captioned(self, quantity: NamedQuantity, holds: bool) -> str:
        """Return a sentence that what a caption says holds, and for what."""
        names = self._names
        words = names.caption(quantity.name)
        if words is None:
            own = names.own_name(quantity.name)
            if own is None:
                names.missing.add(("readings", quantity.name))
            words = own or quantity.name.rpartition(".")[2].replace("_", " ")
        names.mention(quantity.name)
        said = "holds" if holds else "holds_not"
        what = names.quoted(words)
        keys = [self._terms.groups.whole(key) for key in quantity.keys]
        if not keys:
            return names.say(said, what=what)
        return names.say(f"{said}_for", what=what, keys=names.together(keys))


def _is_number(expr: ir.Expr) -> bool:
    inner = expr.type.inner if isinstance(expr.type, Maybe) else expr.type
    return isinstance(inner, Whole)


def _is_open(said: str) -> bool:
    """Say whether a sentence ends with one that is told of it, behind a colon."""
    depth = 0
    for sign in said:
        depth += (sign in "(“„«") - (sign in ")”»")
        if sign == ":" and depth <= 0:
            return True
    return False
