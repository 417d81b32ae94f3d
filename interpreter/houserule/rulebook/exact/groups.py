"""Sets as groups of things: "all companies in play", "the cards in the hand"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from houserule import ir
from houserule.frozen import frozen
from houserule.inflected import Inflected
from houserule.ir.types import Set, Whole, members
from houserule.rulebook.exact.scope import (
    FrameVariable,
    member_of,
    step_of,
    variables_of,
)
from houserule.rulebook.exact.shapes import is_whole
from houserule.rulebook.nouns import Noun

if TYPE_CHECKING:
    from houserule.rulebook.exact.terms import Terms


@frozen
class Group:
    """A set: what a member of it is called, and what stands behind that.

    `whole` is the phrase for all of it, where it has a name of its own.
    """

    word: Noun
    tail: str = ""
    whole: Inflected | None = None
    every: bool = False  # it is all that there is of its kind
    ordered: bool = False


class Groups:
    """The phrases for sets."""

    def __init__(self, terms: Terms) -> None:
        self._terms, self._names = terms, terms.names

    def of(self, expr: ir.Expr) -> Group:
        """Return a set as a group."""
        names, word = self._names, self._names.type_word(member_of(expr.type))
        match expr:
            case ir.Const(value=value, type=Set(member, _)):
                if value == tuple(members(member)) and not isinstance(member, Whole):
                    return Group(word, every=True)
                if isinstance(member, Whole) and isinstance(value, tuple):
                    return self._numbers(word, value)
                return self._named(word, names.constant(value, expr.type))
            case ir.Contents(zone=zone, keys=keys):
                return self._zone(word, zone, keys)
            case ir.MakeRange(low=low, high=high):
                said = "from_to" if isinstance(high, ir.Const) else "from_up_to"
                return Group(word, self._terms.tail(said, low, high))
            case ir.Pick(many=True):
                return self._picked(expr)
            case ir.CombineSets(op=op):
                return self._combined(expr, op)
            case ir.Distinct(operand=operand):
                return self.of(operand)
            case ir.Seats():
                return self._seats(word, expr)
            case ir.ReachedCells():
                return self._reached(word, expr)
            case _:
                return self._named(word, self._terms.phrase(expr))

    def _named(self, word: Noun, whole: Inflected) -> Group:
        tail = self._names.say("among", set=whole)
        return Group(word, f" {tail}", whole)

    def _numbers(self, word: Noun, value: tuple[int, ...]) -> Group:
        """Return numbers: from one to another where none between is missing."""
        if len(value) > 2 and value == tuple(range(value[0], value[-1] + 1)):
            said = self._names.say("from_to", low=value[0], high=value[-1])
            return Group(word, f" {said}")
        whole = self._names.constant(value, Set(Whole(min(value), max(value))))
        return self._named(word, whole)

    def _zone(self, word: Noun, zone: str, keys: tuple[ir.Expr, ...]) -> Group:
        place = self._terms.place(zone, keys)
        if place.is_plural:
            whole = place.phrase
            return Group(word, " " + self._names.say("among", set=whole), whole)
        return Group(word, f" {place.inside}")

    def _picked(self, expr: ir.Pick) -> Group:
        """Return those for which something holds, or that have most of something."""
        group = self.of(expr.bind.source)
        tail = group.tail + self._terms.best(expr) + self._terms.where(expr.where)
        (variable,) = variables_of(expr.bind)
        word = self._own_plural(variable) or group.word
        return Group(word, tail, every=group.every and not expr.keys)

    def _own_plural(self, variable: FrameVariable) -> Noun | None:
        """Return the noun of the texts for a variable if its plural is known."""
        own = self._terms.scope.own_noun(variable)
        if own is None or own.many or own.is_plural:
            return own
        return None if self._names.grammar_needs_gender else own

    def _combined(self, expr: ir.CombineSets, op: str) -> Group:
        left, right = self.of(expr.left), self.without_empty(expr.right)
        names = self._names
        if right is None:
            return left
        if op in ("but", "within"):
            said = names.say("except" if op == "but" else "also_among", set=right)
            tail = f"{left.tail} {said}"
            whole = None
            if left.whole is not None:
                forms = {
                    name: form if name == "gender" else f"{form} {said}"
                    for name, form in left.whole.forms.items()
                }
                whole = Inflected(f"{left.whole} {said}", forms, left.whole.number)
            return Group(left.word, tail, whole)
        if op == "plus":
            whole = names.together([self.the(left), right])
            return self._named(left.word, whole)
        return Group(left.word, f"{left.tail} {names.say('beyond', what=right)}")

    def without_empty(self, expr: ir.Expr) -> Inflected | None:
        """Return the phrase for one thing or a set; None for an empty set."""
        if isinstance(expr, ir.Const) and expr.value in ((), None):
            return None
        return self.whole(expr)

    def whole(self, expr: ir.Expr) -> Inflected:
        """Return one thing or the whole of a set as a phrase."""
        if isinstance(expr.type, Set):
            return self.the(self.of(expr))
        if is_whole(expr):
            return self._terms.number(expr)
        return self._terms.phrase(expr)

    def _seats(self, word: Noun, expr: ir.Seats) -> Group:
        start = self._terms.phrase(expr.start)
        said = self._names.say(f"seats_{expr.how}", start=start)
        if expr.lap is not None:
            lap = self._terms.number(expr.lap)
            said = self._names.say(f"seats_{expr.how}_lap", start=start, lap=lap)
        return Group(word, f" {said}", every=True, ordered=True)

    def _reached(self, word: Noun, expr: ir.ReachedCells) -> Group:
        """Return what is reached step by step."""
        inner = step_of(expr)
        word = self._own_plural(inner) or word
        step = self._terms.scope.variable(inner)
        start = self.whole(expr.start)
        by = self.whole(expr.by)
        said = self._names.say("reached", start=start, step=step, by=by)
        return Group(word, f" {said}{self._terms.where(expr.where)}")

    # ---- a group as a phrase

    def the(self, group: Group) -> Inflected:
        """Return the whole of a group as a phrase."""
        if group.whole is not None:
            return group.whole
        article = "every" if group.every and not group.ordered else "the"
        return self._names.grammar.phrase(
            self._names.plural(group.word), article, group.tail
        )

    def member(self, group: Group, article: str = "a") -> Inflected:
        """Return a member of a group: "a card in the hand"."""
        return self._names.grammar.phrase(group.word, article, group.tail)

    def members(self, group: Group, article: str = "") -> Inflected:
        """Return members of a group, in any number: "cards in the hand"."""
        return self._names.grammar.phrase(
            self._names.plural(group.word), article, group.tail
        )

    def all_bound(self, binds: Sequence[ir.Bind], article: str = "a") -> Inflected:
        """Return what the variables of several binders stand for, in a row."""
        shown = [each for bind in binds for each in self._each_bound(bind, article)]
        return self._names.together(shown)

    def bound(self, bind: ir.Bind, article: str = "a") -> Inflected:
        """Return what the variables of a binder stand for, as they are introduced."""
        return self._names.together(self._each_bound(bind, article))

    def _each_bound(self, bind: ir.Bind, article: str) -> list[Inflected]:
        group = self.of(bind.source)
        variables = variables_of(bind)
        if bind.how == "subset":
            own = self._terms.scope.own_noun(variables[0])
            if own is not None and own.is_plural and (bind.low, bind.high) == (1, None):
                return [self._named_part(bind, group, variables[0])]
            shown = [self._part(bind, self._as_called(group, variables[0]))]
        else:
            shown = [
                self.member(self._as_called(group, variable), article)
                for variable in variables
            ]
        return [
            self._with_name(what, variable)
            for what, variable in zip(shown, variables, strict=True)
        ]

    def _as_called(self, group: Group, variable: FrameVariable) -> Group:
        """Return a group whose members are called as the texts call a variable."""
        own = self._terms.scope.own_noun(variable)
        return group if own is None else Group(own, group.tail, group.whole)

    def _with_name(self, what: Inflected, variable: FrameVariable) -> Inflected:
        """Return a phrase with the name behind it that it has from here on."""
        if not self._terms.scope.needs_telling(variable):
            return what
        name = self._terms.scope.introduced(variable)
        return self._terms.with_tail(what, f" {self._names.say('called', name=name)}")

    def _named_part(
        self, bind: ir.Bind, group: Group, variable: FrameVariable
    ) -> Inflected:
        """Return "at least 1 coin (the offered coins)"."""
        name = self._terms.scope.introduced(variable)
        said = self._names.say("called", name=name)
        return self._terms.with_tail(self._part(bind, group), f" {said}")

    def _part(self, bind: ir.Bind, group: Group) -> Inflected:
        """Return some members of a group, as many as a binder allows."""
        grammar, low, high = self._names.grammar, bind.low, bind.high
        if (low, high) == (1, 1):
            return self.member(group)
        what = self._names.plural(group.word)
        if low == high:
            number: str = str(low)
        elif high is None and low == 1:
            at_least = self._names.say("cmp_>=", right=low)
            what = grammar.counted(group.word, at_least)
            return grammar.phrase(what, "", group.tail)
        elif high is None:
            said = self._names.say("cmp_>=", right=low)
            number = said if low else self._names.say("any_number")
        else:
            number = self._names.say("span", low=low, high=high)
        return grammar.phrase(grammar.counted(what, number), "", group.tail)
