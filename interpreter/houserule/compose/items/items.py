"""Units flattened into placed items: what each one declares, and what it edits.

The same list serves one table (`compose`) and all tables at once (the family check):
an item is present exactly when all its `members` are on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from houserule.compose.items.addresses import (
    THINGS,
    clause_address,
    kind_of,
    name_span,
    owner_of,
)
from houserule.compose.items.fields import (
    MAIN,
    bare,
    comparable,
    parts_of,
)
from houserule.compose.rules import Origin
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.source import Span

# Clauses that can stand alone, under the address of their owner.
CLAUSES = (tree.Needs, tree.Unwise, tree.Cost, tree.Limit, tree.Does, tree.Asks)

NameSpace: TypeAlias = Literal["thing", "flow", ""]
Verb: TypeAlias = Literal[
    "change",
    "caption",
    "default",
    "raise",
    "remove",
    "lift",
    "extend",
    "mute",
    "add",
    "layer",
    "adjust",
    "hook",
    "watch",
    "order",
    "release",
]


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """One item of a unit, where it stands, and when it is there.

    An item is equal only to itself.

    Attributes:
        item: never a `with` block; a phase is placed without its items, which are
            placed on their own; a step has its own bare name.
        origin: the unit that says it.
        members: the variants that must all be on; empty for the base game.
        phase: the phase it stands in, '' for the game itself.
        number: its place among the items of its unit, from 0.
        notes: the margin of the unit, which covers items that have none.
    """

    item: tree.Item
    origin: Origin
    members: frozenset[str]
    phase: str
    number: int
    notes: tree.Notes = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """One address that an item brings into being.

    Attributes:
        space: the name space that the address, a bare name, enters; '' for clauses
            and parts, whose address holds a dot. Members of an enumeration and slots
            of tokens have dotted addresses, yet `name` enters the space of things.
        name: the bare name that enters `space`, or ''.
        content: what is said there; two declarations of one address merge exactly
            when their contents are equal. None: parts never clash on their own.
        payload: what `change … from` must repeat; None if it cannot be changed.
        node: the declaration (of a part: the declaration that it is a part of).
        owner: the address that this one stands under, '' if under none.
    """

    address: str
    kind: str
    space: NameSpace
    name: str
    span: Span
    content: object
    payload: tree.Payload | None
    node: tree.Node
    owner: str


@dataclass(frozen=True, slots=True)
class EditOf:
    """One thing that an item does to an address of somebody else.

    Attributes:
        target: the address.
        verb: `raise` stands for `lower` too; `add` puts a clause under an owner.
        key: two edits with one target, verb and key are the same edit.
        expects: what a `change` says is there now.
        variant: of `mute`, the variant whose edits are muted.
    """

    target: str
    verb: Verb
    span: Span
    key: object = None
    expects: tree.Payload | None = None
    variant: str = ""


# ---- flattening


def placed_items(ruleset: LoadedRuleset) -> tuple[Placed, ...]:
    """Return every item of the game, its variants and its bridges.

    The order is canonical: the base as written, then variants by name, then bridges
    by their members; it does not depend on files. Presets hold no rules. For one
    ruleset the items are the same objects every time.
    """
    return _placed_items(_Same(ruleset.units))


class _Same:
    """Units as a key of memory: the same tuple, not one that looks like it."""

    def __init__(self, units: tuple[tree.Unit, ...]) -> None:
        self.units = units

    def __hash__(self) -> int:
        return id(self.units)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.units is other.units


@lru_cache(maxsize=16)
def _placed_items(key: _Same) -> tuple[Placed, ...]:
    units = [unit for unit in key.units if unit.kind != "preset"]
    rank = {"game": 0, "variant": 1, "bridge": 2}
    units.sort(key=lambda unit: (rank[unit.kind], unit.id, unit.span))
    return tuple(each for unit in units for each in items_of(unit))


def items_of(unit: tree.Unit) -> tuple[Placed, ...]:
    """Return the items of one unit, as written."""
    members = frozenset(word.text for word in unit.names)
    if unit.kind == "game":
        members = frozenset()
    flat = _flatten(unit.items, members, "")
    origin = origin_of(unit)
    return tuple(
        Placed(item, origin, on, phase, number, unit.notes)
        for number, (item, on, phase) in enumerate(flat)
    )


def origin_of(unit: tree.Unit) -> Origin:
    """Return what messages say of a unit; a variant without a caption has its name."""
    name = "" if unit.kind == "game" else unit.id
    return Origin(name, unit.kind, unit.title, unit.span.file)


def _flatten(
    items: Iterable[tree.Item], on: frozenset[str], phase: str
) -> Iterator[tuple[tree.Item, frozenset[str], str]]:
    for item in items:
        match item:
            case tree.WithGuard(names, inside):
                guards = frozenset(word.text for word in names)
                yield from _flatten(inside, on | guards, phase)
            case tree.Phase(name=name, items=inside):
                yield replace(item, items=()), on, phase
                yield from _flatten(inside, on, name.text)
            case tree.Step(name=name) if len(name.parts) > 1:
                own = replace(name, text=name.parts[-1])
                yield replace(item, name=own), on, name.parts[-2]
            case _:
                yield item, on, phase


# ---- what an item declares


@lru_cache(maxsize=1 << 13)
def declares(placed: Placed) -> tuple[Declared, ...]:
    """Return every address that an item brings into being, with its parts.

    An action declares its own name, its clauses, and its parts (`slide.at`,
    `slide.target`). A clause under a foreign address declares that address.
    """
    return tuple(_declares(placed))


def _declares(placed: Placed) -> Iterator[Declared]:
    item = placed.item
    match item:
        case tree.Assert() | tree.Remark():
            yield _one(own_address(placed), item, "")
        case tree.Layer(name=name) | tree.Lift(target=name):
            yield from _with_parts(name.text, item, "", owner_of(name))
        case tree.Action() | tree.Effect() | tree.Reaction():
            yield from _with_parts(item.name.text, item, "flow")
            for clause in item.clauses:
                address = clause_address(item.name.text, clause)
                yield from _with_parts(address, clause, "", item.name.text)
        case _ if isinstance(item, CLAUSES):
            yield from _with_parts(item.name.text, item, "", owner_of(item.name))
        case tree.Phase() | tree.Step() | tree.Adjust() | tree.Always() | tree.Warn():
            yield from _with_parts(item.name.text, item, "flow")
        case tree.Winners():
            yield from _with_parts("winners", item, "flow")
        case tree.ExtendMembers() | tree.ExtendTokens() | tree.ExtendFields():
            yield from _inside(item.target.text, item, placed)
        case _ if isinstance(item, THINGS):
            yield from _with_parts(item.name.text, item, "thing")
            yield from _inside(item.name.text, item, placed)
        case _:
            pass


def own_address(placed: Placed) -> str:
    """Return the address of an `assert` or a `note`, which have no name.

    It is the unit, a dot and a number (of a note: `note_` and a number); the number
    is the item's place in its unit, so it does not change with the table.
    """
    unit = placed.origin.unit or "game"
    word = "note_" if isinstance(placed.item, tree.Remark) else ""
    return f"{unit}.{word}{placed.number + 1}"


def _one(address: str, node: tree.Node, space: NameSpace, owner: str = "") -> Declared:
    payload = parts_of(node).get(MAIN)
    main = None if payload is None else comparable(payload)
    return Declared(
        address=address,
        kind=kind_of(node),
        space=space,
        name=address if space else "",
        span=name_span(node),
        content=bare(node),
        payload=main,
        node=node,
        owner=owner,
    )


def _with_parts(
    address: str, node: tree.Node, space: NameSpace, owner: str = ""
) -> Iterator[Declared]:
    """Yield the declaration itself and its parts.

    The parameters of a cost are parameters of its action, so they stand under it.
    """
    yield _one(address, node, space, owner)
    above = owner if isinstance(node, tree.Cost) else address
    for word, payload in parts_of(node).items():
        if word != MAIN:
            span = payload.span if isinstance(payload, tree.Node) else node.span
            part, found = f"{above}.{word}", comparable(payload)
            yield Declared(part, "part", "", "", span, None, found, node, address)


def _inside(address: str, node: tree.Node, placed: Placed) -> Iterator[Declared]:
    """Yield what stands inside a thing: members, fields, slots and layers.

    The same member added by two variants is two meanings of one word, so its unit
    belongs to what it says; a field of the same type may be added by several.
    """
    inside: tuple[tree.Word | tree.Field | tree.Slot | tree.ValueLayer, ...] = ()
    space: NameSpace = ""
    match node:
        case tree.TypeDecl(members=words) | tree.DiceDecl(members=words):
            inside, space = words, "thing"
        case tree.ExtendMembers(names=words):
            inside, space = words, "thing"
        case tree.Tokens(slots=slots):
            inside, space = slots, "thing"
        case tree.ExtendTokens(slot=slot):
            inside, space = (slot,), "thing"
        case tree.Component(fields=columns) | tree.ExtendFields(fields=columns):
            inside = columns
        case tree.Value(layers=layers):
            inside = layers
        case _:
            pass
    for each in inside:
        name = each.text if isinstance(each, tree.Word) else each.name.text
        found = _one(f"{address}.{name}", each, "", address)
        if isinstance(node, tree.ExtendMembers):
            found = replace(found, content=(name, placed.origin.unit))
        yield replace(found, space=space, name=name if space else "")


# ---- what an item edits


@lru_cache(maxsize=1 << 13)
def edits(placed: Placed) -> tuple[EditOf, ...]:
    """Return everything that an item does to addresses which must be there."""
    return tuple(_edits(placed))


def _edits(placed: Placed) -> Iterator[EditOf]:
    item = placed.item
    match item:
        case tree.Change(target, _, before, after):
            key, expects = comparable(after), comparable(before)
            yield EditOf(target.text, "change", target.span, key, expects)
        case tree.Recaption(target, caption):
            yield EditOf(target.text, "caption", target.span, caption.text)
        case tree.SetDefault(target, value):
            yield EditOf(target.text, "default", target.span, bare(value))
        case tree.Tune(target, amount, sign):
            own = (sign, bare(amount), placed.origin.unit, placed.number)
            yield EditOf(target.text, "raise", target.span, own)
        case tree.Remove(target):
            yield EditOf(target.text, "remove", target.span)
        case tree.Lift(target=target):
            yield EditOf(owner_of(target), "lift", target.span, bare(item))
        case tree.ExtendRows(target=target) | tree.ExtendFields(target=target):
            yield EditOf(target.text, "extend", target.span, bare(item))
        case tree.ExtendMembers(target=target) | tree.ExtendTokens(target=target):
            yield EditOf(target.text, "extend", target.span, bare(item))
        case tree.Mute(muted, target):
            of = muted.text
            yield EditOf(target.text, "mute", target.span, of, variant=of)
        case tree.Order(names) | tree.Release(names):
            verb: Verb = "order" if isinstance(item, tree.Order) else "release"
            for name in names:
                yield EditOf(name.text, verb, name.span)
        case _:
            yield from _additions(placed)


def _additions(placed: Placed) -> Iterator[EditOf]:
    item = placed.item
    match item:
        case tree.Layer(name=name):
            yield EditOf(owner_of(name), "layer", name.span, bare(item))
            for anchor in (item.after, item.before):
                if anchor is not None:
                    address = f"{owner_of(name)}.{anchor.text}"
                    yield EditOf(address, "layer", anchor.span)
        case tree.Adjust(target=target, name=name):
            yield EditOf(target.text, "adjust", target.span, name.text)
        case tree.Reaction(moment=moment, event=event, name=name):
            verb: Verb = "watch" if moment == "when" else "hook"
            yield EditOf(event.text, verb, event.span, (moment, name.text))
        case _ if isinstance(item, CLAUSES):
            yield EditOf(owner_of(item.name), "add", item.name.span, bare(item))
        case tree.Step(name=name) if placed.phase and placed.origin.unit:
            yield EditOf(placed.phase, "add", name.span, bare(item))
        case _:
            pass
