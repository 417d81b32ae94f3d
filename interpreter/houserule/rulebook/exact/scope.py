"""The phrases for the variables of a clause: "the company", "the second company"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from houserule import ir
from houserule.base.frozen import frozen
from houserule.base.inflection import Inflected
from houserule.ir.types import Maybe, Set, Type, is_seat
from houserule.ir.walk import beneath, children
from houserule.rulebook.exact.program_nouns import Lexicon
from houserule.rulebook.nouns import Noun

ME = 0


@frozen
class FrameVariable:
    """A slot of a frame, as written."""

    slot: int
    name: str
    type: Type


class VariableWords:
    """The noun phrases of the variables of one clause.

    Variables with the same noun in the same scope are numbered in the order of writing.
    If the clause mentions the acting player, another player is "that player".

    Args:
        address: of the clause; texts name a variable by it, or by its owner.
        params: the variables bound around the clause, in order.
        roots: the expressions and statements of the clause.
        given: phrases that replace slots, whatever their names.
    """

    def __init__(
        self,
        names: Lexicon,
        address: str,
        params: Sequence[FrameVariable] = (),
        roots: Iterable[ir.CoreNode] = (),
        given: Mapping[int, Inflected] | None = None,
    ) -> None:
        self._names, self._address = names, address
        self._given = dict(given or {})
        self._variables: dict[int, FrameVariable] = {}
        self._numbers: dict[int, int] = {}
        self._shared: set[int] = set()
        self._words: dict[int, Noun] = {}
        self._named: set[int] = set()
        roots = tuple(roots)
        self._has_me = any(
            isinstance(node, ir.Local) and node.slot == ME for node in beneath(*roots)
        )
        visible: list[int] = []
        for each in params:
            visible = self._bind(each, visible, always=True)
        for root in roots:
            visible = self._walk(root, visible)

    # ---- scopes

    def _walk(self, node: ir.CoreNode, visible: list[int]) -> list[int]:
        """Bind the variables below a node; return those visible after it."""
        if isinstance(node, ir.LetSlot):
            self._walk(node.value, visible)
            type_ = getattr(node.value, "type", None)
            if type_ is None:
                return visible
            return self._bind(FrameVariable(node.slot, node.name, type_), visible)
        inner = visible
        for variable in bound_by(node):
            inner = self._bind(variable, inner)
        for each in children(node):
            if isinstance(each, ir.Bind):
                self._walk(each.source, visible)
                for variable in variables_of(each):
                    inner = self._bind(variable, inner)
            else:
                after = self._walk(each, inner)
                if isinstance(each, ir.LetSlot):
                    inner = after
        return visible

    def _bind(
        self, variable: FrameVariable, visible: list[int], *, always: bool = False
    ) -> list[int]:
        slot = variable.slot
        if slot == ME or slot in self._given:
            return visible
        if not always and not self._names.is_spoken_of(self._address, slot):
            return visible
        self._variables[slot] = variable
        word = self._words[slot] = self._word(variable)
        same = [
            each
            for each in visible
            if each in self._words and self._words[each] == word
        ]
        if same and slot not in self._numbers:
            self._shared.update((slot, *same))
            self._numbers[slot] = 1 + max(self._numbers[each] for each in same)
        else:
            self._numbers.setdefault(slot, 1)
        return [*visible, slot]

    def _word(self, variable: FrameVariable) -> Noun:
        owner = self._address.partition(".")[0]
        for key in (f"{self._address}.{variable.name}", f"{owner}.{variable.name}"):
            own = self._names.wording.text("names", key)
            noun = None if own is None else self._names.noun(own)
            if noun is not None:
                self._named.add(variable.slot)
                return noun
        return self._names.type_word(variable.type)

    # ---- phrases

    def variable(self, local: ir.Local | FrameVariable) -> Inflected:
        self._names.speak_of(self._address, local.slot)
        return self.introduced(local)

    def introduced(self, local: ir.Local | FrameVariable) -> Inflected:
        """Return the phrase for a variable at its binding."""
        if local.slot in self._given:
            return self._given[local.slot]
        grammar = self._names.grammar
        if local.slot == ME:
            return grammar.phrase(self._names.general("player"))
        word = self._words.get(local.slot)
        if word is None:
            word = self._words[local.slot] = self._word(
                FrameVariable(local.slot, local.name, local.type)
            )
            self._numbers[local.slot] = 1
        if local.slot in self._shared:
            number = min(self._numbers[local.slot], len(grammar.ordinals))
            return grammar.phrase(grammar.ordinal(word, number))
        if is_seat(local.type) and local.slot not in self._named:
            return grammar.phrase(word, "that" if self._has_me else "the")
        return grammar.phrase(word)

    def is_spoken_of(self, slot: int) -> bool:
        """Return whether the clause mentions a variable after binding it."""
        return self._names.is_spoken_of(self._address, slot)

    def noun(self, local: ir.Local | FrameVariable) -> Noun:
        """Return the noun of a variable, with its number if it needs one."""
        self.variable(local)
        word = self._words.get(local.slot) or self._names.type_word(local.type)
        if local.slot not in self._shared:
            return word
        ordinals = len(self._names.grammar.ordinals)
        number = min(self._numbers[local.slot], ordinals)
        return self._names.grammar.ordinal(word, number)

    def own_noun(self, local: FrameVariable) -> Noun | None:
        return self._words.get(local.slot) if local.slot in self._named else None

    def needs_telling(self, local: FrameVariable) -> bool:
        """Return whether a variable must be named when it is introduced."""
        return local.slot in self._shared


def variables_of(bind: ir.Bind) -> list[FrameVariable]:
    return [
        FrameVariable(slot, name, bind.type)
        for slot, name in zip(bind.slots, bind.names, strict=True)
    ]


def parameters(params: Sequence[ir.Param]) -> list[FrameVariable]:
    """Return the variables of parameters: their slots are their places plus one."""
    return [
        FrameVariable(place, each.name, each.type)
        for place, each in enumerate(params, 1)
    ]


def bound_by(node: ir.CoreNode) -> list[FrameVariable]:
    """Return the variables that a node itself binds, without its binders."""
    match node:
        case ir.ShareOut():
            return [share_of(node)]
        case ir.DiceTest(slot=slot, dice=ir.CoreNode() as dice):
            return [FrameVariable(slot, "die", member_of(dice.type))]
        case ir.ReachedCells():
            return [step_of(node)]
        case _:
            return []


def step_of(node: ir.ReachedCells) -> FrameVariable:
    """Return the variable for the cells reached so far."""
    type_ = member_of(node.start.type)
    return FrameVariable(node.slot, _name_in(node.slot, node.by), type_)


def _name_in(slot: int, *roots: ir.CoreNode) -> str:
    """Return the name of a variable whose binding has no name."""
    for each in beneath(*roots):
        if isinstance(each, ir.Local) and each.slot == slot:
            return each.name
    return ""


def share_of(node: ir.ShareOut) -> FrameVariable:
    """Return the variable for one member's share."""
    slot = node.count_slot
    return FrameVariable(slot, _name_in(slot, *node.body), node.amount.type)


def member_of(type_: Type) -> Type:
    """Return the type of a set's members; other types unchanged."""
    match type_:
        case Maybe(inner):
            return member_of(inner)
        case Set(member, _):
            return member
        case _:
            return type_
