"""How components are drawn: the looks of a manifest, with usual ones for the rest.

A look reads the printed fields of a component that the viewer knows, and nothing else.
It needs no language but for the letters of a rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import get_args

from houserule import ir
from houserule.base.diagnostics.diagnostic import Diagnostic, fault
from houserule.base.diagnostics.wording import nearest
from houserule.base.files import MANIFEST
from houserule.base.frozen import frozen
from houserule.base.inflection import SHORT, inflected
from houserule.compiler.items.items import placed_items
from houserule.ir.types import Data, Kind, Set, Type, Whole, core
from houserule.language.manifest.positions import E038
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import (
    COLOURS,
    AroundLook,
    CardLook,
    DieLook,
    FanLook,
    HeapLook,
    HiddenLook,
    Icon,
    PlayingCardLook,
    RowLook,
)
from houserule.language.manifest.yaml.read import read_document
from houserule.play.narration.boards.reading import UnknownOnBoard, Ways, ways_of
from houserule.play.narration.wording import Wording
from houserule.play.seat.drawings import DrawingError, read_drawing
from houserule.play.seat.seat_model import Arrangement, ComponentLook, Swatch

ICONS = frozenset(get_args(Icon))
SUITS = frozenset({"club", "diamond", "heart", "spade"})
RED = frozenset({"diamond", "heart"})
ACE = 14  # the number of an ace that is high
SIGNS = re.compile("[♠♣♥♦\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]")
OF_A_COMPONENT = PlayingCardLook | CardLook | DieLook | HiddenLook


class LookPlans:
    """The looks of a ruleset's programs."""

    def __init__(self, ruleset: LoadedRuleset) -> None:
        self._ruleset = ruleset
        self._plans: dict[ir.Program, LookPlan] = {}

    def of(self, program: ir.Program) -> LookPlan:
        """Return the looks of a program, created once."""
        if program not in self._plans:
            self._plans[program] = LookPlan(self._ruleset, program)
        return self._plans[program]


class LookPlan:
    """The looks of one program."""

    def __init__(self, ruleset: LoadedRuleset, program: ir.Program) -> None:
        self._looks, self._program = ruleset.manifest.looks, program
        self._known: dict[tuple[str, int, str], ComponentLook | None] = {}

    def arrangement(self, zone: str) -> Arrangement:
        """Return how the things of a zone lie.

        A player's own hidden cards are a fan, and a slot of each player is a place in
        the middle, unless the manifest says otherwise.
        """
        plan = self._program.zones[zone]
        match self._looks.things.get(zone):
            case FanLook() | RowLook() | AroundLook() as look:
                return look.kind
            case _ if not plan.keys:
                return ""
            case _ if plan.kind == "slot":
                return "around"
            case _:
                return "fan" if plan.seen is not None else ""

    def heap(self, name: str) -> str:
        """Return the shape of the tokens of a family that is drawn as heaps, or ''."""
        look = self._looks.things.get(name)
        return look.shape if isinstance(look, HeapLook) else ""

    def of(self, kind: str, item: int, words: Wording) -> ComponentLook | None:
        """Return how a component is drawn for a viewer who knows which it is.

        A component that was made for each of other things, such as a print and an
        owner, is drawn as the one of these for which the manifest has a card.
        """
        made = self._program.components.get(kind)
        usual = made is not None and kind not in self._looks.things
        for type_, column in made.fields.values() if made and usual else ():
            value = column[item]
            if isinstance(type_, Kind) and isinstance(value, int):
                look = self._looks.things.get(type_.name)
                if isinstance(look, CardLook | PlayingCardLook):
                    return self.of(type_.name, value, words)
        key = kind, item, words.language
        if key in self._known:
            return self._known[key]
        found = None
        match self._kinds.get(kind):
            case PlayingCardLook(suit=suit, rank=rank):
                icon = self._icon(kind, item, suit)
                number = self._number(kind, item, rank)
                short = inflected(words.thing(kind, item)).form(SHORT)
                short = SIGNS.sub("", short).strip()
                if len(short) > 2:  # the name has no short form
                    text = self._text(kind, item, rank, words)
                    counted = text.isdecimal() or 1 < number <= 10
                    short = text if text.isdecimal() else str(number)
                    short = short if counted else text[:1].upper()
                # A rank's number may be what the card counts: a king has no pips.
                pips = int(short) if short.isdecimal() else int(number in (1, ACE))
                found = ComponentLook(
                    kind="playing card",
                    icon=icon,
                    corner=short,
                    pips=pips if pips <= 10 else 0,
                    colour="red" if icon in RED else "black",
                )
            case CardLook() as look:
                corner = (self._text(kind, item, name, words) for name in look.corner)
                pair = self._value(kind, item, look.pair)
                found = ComponentLook(
                    kind="card",
                    corner=next(filter(None, corner), ""),
                    pair=pair if isinstance(pair, int) else 0,
                    coin=self._text(kind, item, look.coin, words),
                    icon=self._icon(kind, item, look.icon),
                    squares=self._squares(kind, item, look.squares, words),
                    ways=self._ways(kind, item, look.ways),
                )
            case DieLook(colour=colour, faces=faces):
                own = _colour_in(self._program.labels[kind][item])
                found = ComponentLook(
                    kind="die",
                    colour=own if colour == "name" else colour,
                    numbers=faces == "numbers",
                )
            case _:
                pass
        self._known[key] = found
        return found

    def fields(self, kind: str) -> tuple[str, ...]:
        """Return the fields that the drawing of a card shows as numbers or colours."""
        look = self._kinds.get(kind)
        if not isinstance(look, CardLook):
            return ()
        named = (*look.corner, look.coin, look.squares, look.pair, look.ways)
        return tuple(
            name
            for name in filter(None, named)
            if field_of(self._program, kind, name) is not None
        )

    def parts(self, kind: str, item: int) -> Mapping[str, str]:
        """Return the field that each part of a card's drawing shows."""
        look = self._kinds.get(kind)
        if not isinstance(look, CardLook):
            return {}
        corner = (c for c in look.corner if self._value(kind, item, c) is not None)
        named = {"corner": next(corner, None), "icon": look.icon, "pair": look.pair}
        named |= {"squares": look.squares, "coin": look.coin, "ways": look.ways}
        return {part: field for part, field in named.items() if field}

    @cached_property
    def _kinds(self) -> dict[str, OF_A_COMPONENT | None]:
        """The look of each kind: the one that the manifest names, or a usual one."""
        found: dict[str, OF_A_COMPONENT | None] = {}
        lying = {zone.member.name for zone in self._program.zones.values()}
        for kind, component in self._program.components.items():
            own = self._looks.things.get(kind)
            if isinstance(own, OF_A_COMPONENT):
                found[kind] = own
            elif component.faces:
                found[kind] = DieLook.model_validate({"as": "die"})
            elif kind in lying:
                types = {n: core(type_) for n, (type_, _) in component.fields.items()}
                found[kind] = self._usual(types)
        return found

    def _usual(self, types: Mapping[str, Type]) -> OF_A_COMPONENT:
        for name, type_ in types.items():
            members = self._members(type_) if isinstance(type_, Kind) else ()
            if {member.removesuffix("s") for member in members} == SUITS:
                rest = ((n, each) for n, each in types.items() if n != name)
                ranks = [n for n, each in rest if isinstance(each, Whole | Kind)]
                if ranks:
                    card = {"as": "playing card", "suit": name, "rank": ranks[0]}
                    return PlayingCardLook.model_validate(card)
        numbers = [name for name, type_ in types.items() if isinstance(type_, Whole)]
        colours = []
        for name, type_ in types.items():
            kind = type_.member if isinstance(type_, Set) else type_
            members = self._members(kind) if isinstance(kind, Kind) else ()
            if members and COLOURS.issuperset(members):
                colours.append(name)
        squares = colours[0] if colours else None
        data = {"as": "card", "corner": numbers[:1], "squares": squares}
        return CardLook.model_validate(data)

    def _members(self, kind: Kind) -> frozenset[str]:
        return frozenset(self._program.labels.get(kind.name, ()))

    # ---- parts

    def _number(self, kind: str, item: int, rank: str) -> int:
        """Return the number of a rank: its own, or that of the first number field."""
        value = self._value(kind, item, rank)
        if not isinstance(value, int):
            return 0
        type_ = core(self._program.components[kind].fields[rank][0])
        if isinstance(type_, Kind):
            ranks = self._program.components.get(type_.name)
            fields = ranks.fields.values() if ranks else ()
            columns = [c for each, c in fields if isinstance(core(each), Whole)]
            value = columns[0][value] if columns else 0
        return value if isinstance(value, int) else 0

    def _value(self, kind: str, item: int, name: str | None) -> Data:
        found = None if name is None else field_of(self._program, kind, name)
        return None if found is None else found.values[item]

    def _text(self, kind: str, item: int, name: str | None, words: Wording) -> str:
        found = None if name is None else field_of(self._program, kind, name)
        value = None if found is None else found.values[item]
        return (
            ""
            if found is None or value is None
            else str(words.value(value, found.type))
        )

    def _icon(self, kind: str, item: int, name: str | None) -> str:
        found = None if name is None else field_of(self._program, kind, name)
        value = None if found is None else found.values[item]
        type_ = None if found is None else core(found.type)
        if not isinstance(value, int) or not isinstance(type_, Kind):
            return ""
        label = self._program.labels[type_.name][value]
        icon = self._looks.signs.get(label) or label.removesuffix("s")
        return icon if icon in ICONS else ""

    def _ways(self, kind: str, item: int, name: str | None) -> Ways:
        found = None if name is None else field_of(self._program, kind, name)
        if found is None:
            return ()
        try:
            return ways_of(self._program, found.type, found.values[item])
        except UnknownOnBoard:  # which `check` reports
            return ()

    def _squares(
        self, kind: str, item: int, name: str | None, words: Wording
    ) -> tuple[Swatch, ...]:
        found = None if name is None else field_of(self._program, kind, name)
        value = None if found is None else found.values[item]
        if found is None or value is None:
            return ()
        type_ = core(found.type)
        inner = type_.member if isinstance(type_, Set) else type_
        if not isinstance(inner, Kind):
            return ()
        labels = self._program.labels[inner.name]
        return tuple(
            Swatch(colour=_colour_in(labels[each]), text=str(words.value(each, inner)))
            for each in (value if isinstance(value, tuple) else (value,))
            if isinstance(each, int)
        )


@frozen
class PrintedField:
    """A field as a look reads it: its kind, its type, its value for each item."""

    of: str
    type: Type
    values: Sequence[Data]


def field_of(program: ir.Program, kind: str, name: str) -> PrintedField | None:
    """Return a field of a component, or of a member that one of its fields names.

    So a card of which many are alike may have its numbers in an enumeration.
    """
    fields = program.components[kind].fields
    if name in fields:
        return PrintedField(kind, *fields[name])
    for type_, column in fields.values():
        inner = core(type_)
        of = program.components.get(inner.name) if isinstance(inner, Kind) else None
        if of is not None and name in of.fields:
            own, values = of.fields[name]
            found = (values[at] if isinstance(at, int) else None for at in column)
            return PrintedField(of.kind.name, own, tuple(found))
    return None


def _colour_in(name: str) -> str:
    """Return the colour in a name such as `white_die`; '' if there is none."""
    return next((word for word in name.split("_") if word in COLOURS), "")


def look_faults(ruleset: LoadedRuleset, program: ir.Program) -> Iterator[Diagnostic]:
    """Yield E038 for each look of what the rules do not have, or cannot draw so.

    What only a variant declares is not checked.
    """
    looks, boards = ruleset.manifest.looks, ruleset.manifest.boards
    name = next(each for each in ruleset.sources if each.endswith(MANIFEST))
    document, _ = read_document(ruleset.sources[name])
    items = placed_items(ruleset)
    declared = {each.address for item in items for each in item.declares}
    declared |= {each.name for item in items for each in item.declares}
    members = {name for labels in program.labels.values() for name in labels}

    def unknown(
        word: str, known: Iterable[str], says: str, *path: str | int
    ) -> Diagnostic:
        near = nearest(word, sorted(known))
        hint = f"did you mean {near}?" if near else ""
        return fault(E038, says, document.span(*path), hint)

    for number, board in enumerate(boards):
        is_drawing, file = board.look.shape == "drawing", board.look.file
        of = ("boards", number, "look")
        if not is_drawing and file is not None:
            says = "`file` is for a board with `shape: drawing`."
            yield fault(E038, says, document.span(*of, "file"))
        elif is_drawing:
            try:
                drawing = read_drawing(ruleset.folder, file or "")
            except DrawingError as error:
                here = document.span(*of, *(["file"] if file else []))
                yield fault(E038, str(error), here)
                continue
            if drawing.dropped:
                dropped = ", ".join(f"`{each}`" for each in drawing.dropped)
                says = f"{file} has {dropped}, which is never drawn."
                hint = "only shapes, paths, texts and groups are"
                yield fault(E038, says, document.span(*of, "file"), hint)
            kind = board.draw[0].each
            for label in program.labels.get(kind, ()):
                if label not in drawing.boxes:
                    says = f"{file} has no element with the id {label}, a {kind}."
                    yield unknown(label, drawing.boxes, says, *of, "file")
        lines = board.look.lines
        if lines is not None and lines not in {*program.components, *declared}:
            says = f"The lines of a board are {lines}, and there is no such kind."
            place = ("boards", number, "look", "lines")
            yield unknown(lines, program.components, says, *place)
    for sign in looks.signs:
        if sign not in members and sign not in declared:
            says = f"`looks` has a sign for {sign}, but no value has this name."
            yield unknown(sign, members, says, "looks", "signs", sign)
    for name, move in looks.moves.items():
        action = program.actions.get(name)
        if action is None:
            if name not in declared:
                says = f"`looks` has places of {name}, but no action has this name."
                yield unknown(name, program.actions, says, "looks", "moves", name)
            continue
        params = {name for param in action.params for name in param.names}
        values = {
            value.name
            for value in program.values.values()
            if value.params and {param.name for param in value.params} <= params
        }
        for key, word, known in (
            ("from", move.origin, params),
            ("to", move.target, params | values),
        ):
            if word is not None and word not in known:
                says = f"{name} has no place called {word}."
                yield unknown(word, known, says, "looks", "moves", name, key)
    for number, name in enumerate(looks.picture):
        if name not in members and name not in declared:
            says = f"`looks.picture` names {name}, which is not a card or die."
            yield unknown(name, members, says, "looks", "picture", number)
    slots = {n: k for t in program.tokens.values() for n, k in t.slots.items()}
    families = {**slots, **{s.name: s.keys for s in program.states.values()}}
    families |= {value.name: value.params for value in program.values.values()}
    heaps = {name for name, keys in families.items() if len(keys) == 1}
    for thing, look in looks.things.items():
        at = ("looks", "things", thing)
        component, is_zone = program.components.get(thing), thing in program.zones
        if isinstance(look, HeapLook):
            if thing not in heaps and thing not in declared:
                says = f"`looks` draws {thing} as heaps, which is not a number of each."
                yield unknown(thing, heaps, says, *at)
        elif component is None and not is_zone:
            if thing not in declared:
                says = f"`looks` draws {thing}, and the rules have no such thing."
                yield unknown(thing, {*program.components, *program.zones}, says, *at)
        elif is_zone == isinstance(look, OF_A_COMPONENT):
            right = "`fan`, `row` or `around`" if is_zone else "a card, a die or hidden"
            says = f"`looks` draws {thing} as `{look.kind}`; it can be {right}."
            yield fault(E038, says, document.span(*at))
        elif component is not None:
            named: tuple[str | None, ...] = ()
            if isinstance(look, PlayingCardLook):
                named = look.suit, look.rank
            elif isinstance(look, CardLook):
                named = *look.corner, look.pair, look.squares, look.coin, look.icon
                named = *named, look.ways
            for word in filter(None, named):
                if field_of(program, thing, word) is None:
                    says = f"`looks` draws {word} of {thing}, which has no such field."
                    yield unknown(word, component.fields, says, *at)
            ways = look.ways if isinstance(look, CardLook) else None
            of_ways = None if ways is None else field_of(program, thing, ways)
            if of_ways is not None:
                try:
                    ways_of(program, of_ways.type, None)
                except UnknownOnBoard as error:
                    yield fault(E038, f"{ways} {error}", document.span(*at, "ways"))
