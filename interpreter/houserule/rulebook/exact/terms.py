"""Expressions of the core as noun phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.frozen import frozen
from houserule.inflected import CASES, PLACED, Inflected
from houserule.ir.types import Flag, Set
from houserule.rulebook.exact.groups import Groups
from houserule.rulebook.exact.quantities import NamedQuantity, Quantities
from houserule.rulebook.exact.scope import FrameVariable, VariableWords, variables_of
from houserule.rulebook.exact.shapes import is_whole, neighbour, one_more, open_rows
from houserule.rulebook.nouns import Noun

if TYPE_CHECKING:
    from houserule.rulebook.exact.conditions import ConditionWords
    from houserule.rulebook.exact.names import Lexicon

_BINDING = {"+": 1, "-": 1, "*": 2, "/up": 2, "/down": 2}


@frozen
class PlaceWords:
    """Where things lie: as a phrase, and with the prepositions that go with it."""

    phrase: Inflected
    is_plural: bool
    inside: str  # in the hand
    into: str  # into the hand
    out_of: str  # out of the hand


class Terms:
    """Noun phrases for the expressions of one clause."""

    conditions: ConditionWords

    def __init__(self, names: Lexicon, scope: VariableWords) -> None:
        self.names, self.scope = names, scope
        self.groups = Groups(self)
        self.quantities = Quantities(self)

    # ---- anything

    def phrase(self, expr: ir.Expr) -> Inflected:
        """Return the noun phrase for an expression."""
        if isinstance(expr.type, Flag) and not isinstance(expr, ir.Const | ir.Local):
            return self._whether(expr)
        beside = neighbour(expr)
        if beside is not None:
            which, seat = beside
            said = self.names.say(f"after_{which}", seat=self.phrase(seat))
            word = self.names.general(which)
            return self.names.grammar.phrase(word, "the", f" {said}")
        match expr:
            case ir.Const():
                return self._constant(expr)
            case ir.Local():
                return self.scope.variable(expr)
            case ir.PhaseVar(phase=phase, type=type_):
                word = self.names.type_word(type_)
                return self.names.grammar.phrase(
                    word,
                    "the",
                    " " + self.names.say("of_phase", phase=self.names.flow(phase)),
                )
            case ir.Doing():
                return self.names.grammar.phrase(self.names.general("action"))
            case ir.PileTop() | ir.FirstOf() | ir.Pick(many=False) | ir.OrElse():
                return self._single(expr)
            case ir.Cases():
                return self._cases(expr)
            case ir.PositionOf(zone=zone, keys=keys):
                return self.place(zone, keys).phrase
            case ir.PositionAfter():
                return self._after(expr)
            case _:
                return self._named(expr)

    def _named(self, expr: ir.Expr) -> Inflected:
        """Return what is called by its own name, or has to be worked out."""
        quantity = self.quantities.of(expr)
        if quantity is not None:
            return self.quantities.phrase(quantity)
        if isinstance(expr.type, Set):
            return self._set(expr)
        return self._calculated(expr)

    def _constant(self, expr: ir.Const) -> Inflected:
        if isinstance(expr.type, Set) and expr.value:
            return self.groups.the(self.groups.of(expr))
        return self.names.constant(expr.value, expr.type)

    def _set(self, expr: ir.Expr) -> Inflected:
        if isinstance(expr, ir.MakeSet):
            if not expr.items:
                return self.names.plain(self.names.say("nothing"))
            return self.names.together([self.phrase(each) for each in expr.items])
        return self.groups.the(self.groups.of(expr))

    def _whether(self, expr: ir.Expr) -> Inflected:
        """Return a condition as a thing: that it holds."""
        said = self.conditions.sentence(expr)
        return self.names.plain(self.names.say("whether", what=said))

    def _single(self, expr: ir.Expr) -> Inflected:
        names, grammar = self.names, self.names.grammar
        match expr:
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
            case ir.FirstOf(operand=operand):
                if isinstance(operand, ir.Const) and isinstance(operand.value, tuple):
                    return names.constant(operand.value[0], expr.type)
                group = self.groups.of(operand)
                word = grammar.described(
                    group.word, names.phrases.text("adjective_first")
                )
                return grammar.phrase(word, "the", group.tail)
            case ir.Pick():
                return self._picked(expr)
            case ir.OrElse(value=value, otherwise=otherwise):
                first, second = self.phrase(value), self.phrase(otherwise)
                return self._or_else(first, second)
            case _:
                raise AssertionError(expr)

    def _or_else(self, first: Inflected, second: Inflected) -> Inflected:
        """Return "the owner, or if there is none, the player" in every case."""
        forms = {
            case: self.names.say(
                "or_else", first=first.form(case), second=second.form(case)
            )
            for case in CASES
        }
        return self.names.grammar.as_phrase(forms, first.forms.get("gender", "n"))

    def _picked(self, expr: ir.Pick) -> Inflected:
        """Return the one for which something holds, or that has most of something."""
        group = self.groups.of(expr.bind.source)
        word, tail = group.word, group.tail
        if not expr.keys:
            only = self.names.phrases.text("adjective_only")
            word = self.names.grammar.described(word, only)
        tail += self.best(expr) + self.where(expr.where)
        return self.names.grammar.phrase(word, "the", tail)

    def _after(self, expr: ir.PositionAfter) -> Inflected:
        said = self.names.say(
            "after", action=self.names.action(expr.action), how=self.how(expr.args)
        )
        what = self.phrase(expr.body)
        forms = {
            case: form if case == "gender" else f"{form} {said}"
            for case, form in what.forms.items()
        }
        return Inflected(f"{what} {said}", forms, what.number)

    def how(self, args: tuple[ir.Expr, ...]) -> str:
        """Return what is given to an action or effect, '' if it is nothing."""
        shown = [
            self.groups.whole(each)
            for each in args
            if not (isinstance(each, ir.Local) and each.slot == 0)
        ]
        if not shown:
            return ""
        return self.names.say("how", what=self.names.together(shown))

    # ---- which ones

    def where(self, expr: ir.Expr | None) -> str:
        """Return the condition of a selection, to stand behind its noun."""
        if expr is None:
            return ""
        return self.names.say("where", what=self.conditions.sentence(expr))

    def best(self, expr: ir.Pick) -> str:
        """Return "with the most points" for what a selection goes by."""
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
        """Return "with the most points": of what one has, one must have most."""
        found = self.quantities.without(key, variable)
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
        """Return a number as a phrase: of what is many, how many they are."""
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
        quantity = self.quantities.of(expr)
        if quantity is not None and quantity.word.is_plural:
            return self.amount_of(self.quantities.phrase(quantity))
        if isinstance(expr, ir.TokenCount):
            return self.amount_of(self._tokens(expr))
        return self.phrase(expr)

    def _tokens(self, expr: ir.TokenCount) -> Inflected:
        """Return the tokens in a place whose noun is not that of the tokens."""
        families = self.names.program.tokens.values()
        family = next(each.name for each in families if expr.slot in each.slots)
        word = self.names.plural(self.names.word(family, "thing"))
        inside = self.place(expr.slot, expr.keys).inside
        return self.names.grammar.phrase(word, "the", f" {inside}")

    def amount_of(self, what: Inflected) -> Inflected:
        """Return "the number of cards in the hand" for the cards there."""
        word = self.names.general("count")
        tail = f" {self.names.grammar.amount_of(what)}"
        return self.names.grammar.phrase(word, "the", tail)

    def number_of(self, what: Inflected) -> Inflected:
        """Return "the number of cards" for cards."""
        word = self.names.general("count")
        return self.names.grammar.phrase(word, "the", f" {self.names.of(what)}")

    def counted(self, expr: ir.Size | ir.CountOf) -> Inflected:
        """Return what is counted: "cards in the hand"."""
        if isinstance(expr, ir.Size):
            return self.groups.the(self.groups.of(expr.operand))
        groups = [
            self.groups.of(bind.source) for bind in expr.binds for _ in bind.slots
        ]
        if len(groups) == 1 and not groups[0].every:
            return self.with_tail(self.groups.the(groups[0]), self.where(expr.where))
        shown = [self.groups.members(each, "the") for each in groups]
        return self.with_tail(self.names.together(shown), self.where(expr.where))

    def with_tail(self, what: Inflected, tail: str) -> Inflected:
        """Return a phrase with words behind it in every case."""
        forms = {
            case: form if case == "gender" else f"{form}{tail}"
            for case, form in what.forms.items()
        }
        return Inflected(f"{what}{tail}", forms, what.number)

    def tail(self, phrase: str, low: ir.Expr, high: ir.Expr) -> str:
        """Return a phrase with two numbers, to stand behind a noun."""
        first, last = self.number(low), self.number(high)
        if phrase == "from_up_to" and not last.forms:
            phrase = "from_up_to_number"
        return f" {self.names.say(phrase, low=first, high=last)}"

    def _calculated(self, expr: ir.Expr) -> Inflected:
        match expr:
            case ir.Binary(op="min" | "max" | "mod" as op, left=left, right=right):
                own = 3 if op == "mod" else 0
                parts = {"left": self.number(left, own), "right": self.number(right)}
                return self._worked_out(op, **parts)
            case ir.Binary() | ir.Size() | ir.CountOf():
                return self.number(expr)
            case ir.Unary(op="-", operand=operand):
                said = self.names.say("minus", what=self.number(operand, 2))
                return self.names.plain(said)
            case ir.Unary(op="seat", operand=operand):
                return self._worked_out("seat_number", what=self.phrase(operand))
            case ir.Unary(op="abs", operand=operand):
                return self._worked_out("absolute", what=self.number(operand))
            case ir.Aggregate():
                return self._aggregate(expr)
            case _:
                raise AssertionError(expr)

    def _worked_out(self, what: str, /, **parts: Inflected) -> Inflected:
        """Return a number by the name of how it is worked out, and out of what."""
        tail = self.names.say(f"tail_{what}", **parts)
        return self.names.grammar.phrase(self.names.general(what), "the", f" {tail}")

    def _aggregate(self, expr: ir.Aggregate) -> Inflected:
        names = self.names
        groups = [self.groups.of(bind.source) for bind in expr.binds]
        what = names.together([self.groups.the(group) for group in groups])
        what = self.with_tail(what, self.where(expr.where))
        variables = [each for bind in expr.binds for each in variables_of(bind)]
        if self._is_face(expr.body, variables):
            return self._worked_out(f"{expr.kind}_faces", what=what)
        body = self._per(expr.body, variables)
        tail = "of" if "of" in body.forms else "plain"
        said = names.say(f"tail_{tail}", body=body, what=what)
        return names.grammar.phrase(names.general(expr.kind), "the", f" {said}")

    def _per(self, body: ir.Expr, variables: list[FrameVariable]) -> Inflected:
        if len(variables) == 1:
            found = self.quantities.without(body, variables[0])
            if found is not None:
                word, tail = found
                return self.names.grammar.phrase(word, "the", tail)
        return self.number(body)

    def _is_face(self, body: ir.Expr, variables: list[FrameVariable]) -> bool:
        """Say whether a number is what a die counts."""
        match body:
            case ir.ReadFace(die=ir.Local(slot=slot)):
                pass
            case ir.CallValue(value=value, args=(ir.Local(slot=slot),)) if (
                value in self.names.program.read_by.values()
            ):
                pass
            case _:
                return False
        return [slot] == [each.slot for each in variables]

    def _cases(self, expr: ir.Cases) -> Inflected:
        open_, otherwise = open_rows(expr)
        if not open_:
            return self.groups.whole(otherwise)
        rows = [
            self.names.say(
                "case_inside",
                value=self.groups.whole(value),
                condition=self.conditions.sentence(condition),
            )
            for condition, value in open_
        ]
        last = self.groups.whole(otherwise)
        rows.append(self.names.say("otherwise", value=last))
        return self.names.plain(f"({self.names.rows(rows)})")

    # ---- places

    def place(
        self, zone: str, keys: tuple[ir.Expr, ...], end: str = "top"
    ) -> PlaceWords:
        """Return a zone or a place of tokens, with the prepositions that go with it."""
        names = self.names
        word = names.word(zone, "place")
        params = self.quantities.params_of(zone)
        quantity = NamedQuantity(zone, params, keys, "place", word)
        phrase = self.quantities.phrase(quantity)
        said: dict[str, str] = {}
        for form in PLACED:
            own = word.forms.get(form)
            if own is not None:
                said[form] = self.quantities.filled_form(own, quantity)
            else:
                kind = self._kind_of_place(zone, word, form)
                said[form] = names.say(f"lies_{form}_{kind}", what=phrase)
        if end == "bottom":
            said["into"] = names.say("lies_into_bottom", what=phrase)
        return PlaceWords(
            phrase, word.is_plural, said["in"], said["into"], said["out_of"]
        )

    def _kind_of_place(self, zone: str, word: Noun, form: str) -> str:
        """Return which preposition goes with a place; onto a pile goes what is many."""
        found = self.names.program.zones.get(zone)
        is_pile = found is not None and found.kind == "pile"
        if word.is_plural and not (is_pile and form == "into"):
            return "many"
        return "pile" if is_pile else "place"

    def destination(self, expr: ir.Expr) -> str:
        """Return where things go, with the preposition."""
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
                        condition=self.conditions.sentence(condition),
                    )
                    for condition, place in rows
                ]
                shown.append(
                    self.names.say("otherwise", value=self.destination(otherwise))
                )
                return f"({self.names.rows(shown)})"
            case _:
                return self.names.say("to_place", what=self.phrase(expr))


def as_size(program: ir.Program, expr: ir.ZoneSize) -> ir.Size:
    """Return how many things lie in a zone as the size of the set of them."""
    member = program.zones[expr.zone].member
    return ir.Size(ir.Contents(expr.zone, expr.keys, Set(member)), expr.type)
