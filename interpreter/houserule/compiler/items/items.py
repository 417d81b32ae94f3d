"""Units flattened into placed items, with their declarations and edits.

The same items serve one table (`merge`) and all tables (`family`): an item is active
exactly if all its `members` are on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.items.cells import cells_named, rows_in
from houserule.compiler.items.content import bare, comparable
from houserule.compiler.rules import Origin
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import (
    CLAUSES,
    CONSTRUCTS,
    NameSpace,
    clause_address,
    parts_of,
)
from houserule.language.syntax.tree.parts import MAIN

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
Rank: TypeAlias = tuple[int, int, int, str]  # among additions only the last part counts


@frozen
class Declared:
    """One address that an item declares: a clause, or a part of one.

    Attributes:
        space: the namespace of the address, if it is a bare name; '' for clauses and
            parts, whose address has a dot. Members of an enumeration and slots of
            tokens have dotted addresses, but `name` is in the namespace of things.
        name: the bare name in `space`, or ''.
        content: the content; two declarations of one address merge exactly if their
            contents are equal. None for parts, which never conflict alone.
        payload: the part that `change … from` must repeat; None if it cannot be
            changed.
        node: the declaration, or the declaration around a part.
        owner: the address of the clause's owner, or ''.
        clause: the address of the clause; for a part, that of its clause.
        word: the word of the part, '' for the clause itself.
        rank: the clause's position: the base as written, then the others by address,
            but statements by unit and as written.
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
    clause: str
    word: str = MAIN
    rank: Rank = (0, 0, 0, "")


@frozen
class Edit:
    """One edit: an operation of an item on another item's address.

    Attributes:
        verb: `raise` includes `lower`; `add` puts a clause under an owner.
        key: edits with equal target, verb and key are one edit.
        expects: the content that a `change` expects.
        variant: of `mute`, the variant whose edits are muted.
    """

    target: str
    verb: Verb
    span: Span
    key: object = None
    expects: tree.Payload | None = None
    variant: str = ""


@dataclass(frozen=True, eq=False)
class Placed:
    """One item of a unit, with its place and its condition.

    An item is equal only to itself.

    Attributes:
        item: never a `with` block; a phase is without its items, which are separate; a
            step has its own bare name.
        members: the variants that must all be on; empty for the base game.
        phase: its phase, '' for the game itself.
        number: its index in its unit, from 0.
        rules_before: the number of earlier items in its unit, without notes.
        unit_notes: the citation of the unit, for items without their own.
        cells: the contents of its rows' cells that some edit names.
    """

    item: tree.Item
    origin: Origin
    members: frozenset[str]
    phase: str
    number: int
    rules_before: int
    unit_notes: tree.Notes = field(default=(), repr=False)
    cells: tuple[tree.TableCell, ...] = ()

    @property
    def notes(self) -> tree.Notes:
        """The item's citations, else those of its unit."""
        own: tree.Notes = getattr(self.item, "notes", ())
        return own or self.unit_notes

    @cached_property
    def declares(self) -> tuple[Declared, ...]:
        """Every address that the item declares, including parts.

        An action declares its own name, its clauses, and its parts (`slide.at`,
        `slide.target`). A clause under another unit's address declares its own address.
        """
        # The base, everything inside an item, and statements that one unit adds stay
        # as written; the rest is sorted by address.
        found: list[Declared] = []
        first = ""
        for each in _declarations(self):
            if each.word == MAIN:
                first = first or each.address
                rank: Rank = (1, 0, 0, each.address)
                if each.owner == first or not self.origin.unit:
                    rank = (0, self.number, len(found), "")
                elif isinstance(each.node, tree.Does | tree.Cost):
                    rank = (1, self.number, len(found), "")
                each = replace(each, rank=rank)
            found.append(each)
        return tuple(found)

    @cached_property
    def clauses(self) -> tuple[Declared, ...]:
        """The declarations without parts."""
        return tuple(each for each in self.declares if each.word == MAIN)

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """All edits of existing addresses."""
        return tuple(_edits(self))


# ---- flattening


def placed_items(ruleset: LoadedRuleset) -> tuple[Placed, ...]:
    """Return every item of the game, its variants and its bridges.

    The order is canonical and independent of files: the base as written, then variants
    by name, then bridges by their members. Presets have no rules. The items of one
    ruleset are the same objects every time.
    """
    return ruleset.derived(_placed_items)


def _placed_items(ruleset: LoadedRuleset) -> tuple[Placed, ...]:
    units = [unit for unit in ruleset.units if unit.kind != "preset"]
    rank = {"game": 0, "variant": 1, "bridge": 2}
    units.sort(key=lambda unit: (rank[unit.kind], unit.id, unit.span))
    placed = tuple(each for unit in units for each in items_of(unit))
    named = cells_named(ruleset, (each.item for each in placed))
    found: list[Placed] = []
    for each in placed:
        rows = rows_in(each.item)
        cells = named.get(rows, ()) if rows else ()
        found.append(replace(each, cells=cells) if cells else each)
    return tuple(found)


def items_of(unit: tree.Unit) -> tuple[Placed, ...]:
    members = frozenset(word.text for word in unit.names)
    if unit.kind == "game":
        members = frozenset()
    flat = [*_flatten(unit.items, members, "")]
    origin = origin_of(unit)
    rules = [not isinstance(item, tree.Remark) for item, _, _ in flat]
    before = [0, *accumulate(rules)]
    return tuple(
        Placed(item, origin, on, phase, number, before[number], unit.notes)
        for number, (item, on, phase) in enumerate(flat)
    )


def origin_of(unit: tree.Unit) -> Origin:
    """Return the name of a unit in messages; a variant's caption, else its name."""
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
                home = _home(name, phase)
                own = replace(name, text=name.parts[-1])
                yield replace(item, name=own, items=()), on, home
                yield from _flatten(inside, on, own.text)
            case tree.Step(name=name):
                own = replace(name, text=name.parts[-1])
                yield replace(item, name=own), on, _home(name, phase)
            case _:
                yield item, on, phase


def _home(name: tree.Word, phase: str) -> str:
    """Return the phase of a step or phase, which its address may contain."""
    return owner_of(name) or phase


# ---- declarations of an item


def _declarations(placed: Placed) -> Iterator[Declared]:
    item = placed.item
    match item:
        case tree.Assert() | tree.Remark():
            yield _clause(own_address(placed), item)
        case tree.Layer(name=name) | tree.Lift(target=name):
            yield from _with_parts(name.text, item, owner_of(name))
        case tree.Action() | tree.Effect() | tree.Reaction():
            yield from _with_parts(item.name.text, item)
            for clause in item.clauses:
                address = clause_address(item.name.text, clause)
                yield from _with_parts(address, clause, item.name.text)
        case _ if isinstance(item, CLAUSES):
            name = _name(item)
            yield from _with_parts(name.text, item, owner_of(name))
        case tree.Winners() | tree.Striving():
            yield from _with_parts(CONSTRUCTS[type(item)].address, item)
        case tree.Players():
            if not placed.origin.unit:  # otherwise it is E105
                yield from _with_parts("players", item)
        case tree.ExtendMembers() | tree.ExtendTokens() | tree.ExtendFields():
            yield from _inside(item.target.text, item, placed)
        case tree.Step(name=name) | tree.Phase(name=name):
            for each in _with_parts(name.text, item):
                where = each.content and (each.content, placed.phase)
                yield replace(each, content=where)
        case _ if type(item) in CONSTRUCTS:
            yield from _with_parts(_name(item).text, item)
            yield from _inside(_name(item).text, item, placed)
        case _:
            pass
    for cell in placed.cells:  # of its column; two files may have the same row
        component, _, column = cell.name.parts
        found = _clause(cell.name.text, cell, f"{component}.{column}")
        yield replace(found, content=None)


def _name(item: tree.Node) -> tree.Word:
    word = getattr(item, "name", None)
    assert isinstance(word, tree.Word)
    return word


def own_address(placed: Placed) -> str:
    """Return the address of an `assert` or a `note`, which have no name.

    It is the unit, a dot and a number (for a note, `note_` and a number). The number is
    the item's index in its unit, so it does not depend on the table. Notes do not count
    for an `assert`: adding one does not change a rule.
    """
    unit = placed.origin.unit or "game"
    if isinstance(placed.item, tree.Remark):
        return f"{unit}.note_{placed.number + 1}"
    return f"{unit}.{placed.rules_before + 1}"


def owner_of(word: tree.Word) -> str:
    """Return the part before the last dot of an address, or ''."""
    return word.text.rpartition(".")[0]


def _clause(address: str, node: tree.Node, owner: str = "") -> Declared:
    row = CONSTRUCTS[type(node)]
    payload = parts_of(node).get(MAIN)
    word = getattr(node, "name", None) or getattr(node, "target", None)
    return Declared(
        address=address,
        kind=row.kind,
        space=row.space,
        name=address if row.space else "",
        span=(
            word.span if isinstance(word, tree.Word) and word.span.line else node.span
        ),
        content=bare(node),
        payload=None if payload is None else comparable(payload),
        node=node,
        owner=owner,
        clause=address,
    )


def _with_parts(address: str, node: tree.Node, owner: str = "") -> Iterator[Declared]:
    """Yield the declaration itself and its parts.

    The parameters of a cost are parameters of its action.
    """
    yield _clause(address, node, owner)
    above = owner if isinstance(node, tree.Cost) else address
    for word, payload in parts_of(node).items():
        if word != MAIN:
            yield Declared(
                address=f"{above}.{word}",
                kind="part",
                space="",
                name="",
                span=payload.span if isinstance(payload, tree.Node) else node.span,
                content=None,
                payload=comparable(payload),
                node=node,
                owner=owner,
                clause=address,
                word=word,
            )


def _inside(address: str, node: tree.Node, placed: Placed) -> Iterator[Declared]:
    """Yield the parts of a thing: members, fields, slots and layers.

    A member added by two variants has two meanings, so its unit is part of its content.
    Several units may add a field of the same type.
    """
    inside: tuple[tree.Word | tree.Field | tree.Slot | tree.ValueLayer, ...] = ()
    columns: tuple[tree.Field, ...] = ()
    space: NameSpace = ""
    match node:
        case tree.TypeDecl(members=words) | tree.DiceDecl(members=words):
            inside, space = words, "thing"
            columns = node.fields if isinstance(node, tree.TypeDecl) else ()
        case tree.ExtendMembers(names=words):
            inside, space = words, "thing"
        case tree.Tokens(slots=slots):
            inside, space = slots, "thing"
        case tree.ExtendTokens(slot=slot):
            inside, space = (slot,), "thing"
        case tree.Component() | tree.ExtendFields():
            columns = node.fields
        case tree.Value(layers=layers):
            inside = layers
        case _:
            pass
    for each in inside:
        name = each.text if isinstance(each, tree.Word) else each.name.text
        found = _clause(f"{address}.{name}", each, address)
        if isinstance(node, tree.ExtendMembers):
            found = replace(found, content=(name, placed.origin.unit))
        yield replace(found, space=space, name=name if space else "")
    for column in columns:
        yield _clause(f"{address}.{column.name.text}", column, address)


# ---- edits of an item


def _edits(placed: Placed) -> Iterator[Edit]:
    item = placed.item
    verb: Verb
    match item:
        case tree.Change(target, _, before, after):
            key, expects = comparable(after), comparable(before)
            yield Edit(target.text, "change", target.span, key, expects)
        case tree.Recaption(target, caption):
            yield Edit(target.text, "caption", target.span, caption.text)
        case tree.SetDefault(target, value):
            yield Edit(target.text, "default", target.span, bare(value))
        case tree.Tune(target, amount, sign):
            own = (sign, bare(amount), placed.origin.unit, placed.number)
            yield Edit(target.text, "raise", target.span, own)
        case tree.Remove(target):
            yield Edit(target.text, "remove", target.span)
        case tree.Lift(target=target):
            yield Edit(owner_of(target), "lift", target.span, bare(item))
        case tree.ExtendRows(target=target) | tree.ExtendFields(target=target):
            yield Edit(target.text, "extend", target.span, bare(item))
        case tree.ExtendMembers(target=target) | tree.ExtendTokens(target=target):
            yield Edit(target.text, "extend", target.span, bare(item))
        case tree.Mute(muted, target):
            of = muted.text
            yield Edit(target.text, "mute", target.span, of, variant=of)
        case tree.Order(names) | tree.Release(names):
            verb = "order" if isinstance(item, tree.Order) else "release"
            for name in names:
                yield Edit(name.text, verb, name.span)
        case tree.Layer(name=name):
            yield Edit(owner_of(name), "layer", name.span, bare(item))
            for anchor in (item.after, item.before):
                if anchor is not None:
                    address = f"{owner_of(name)}.{anchor.text}"
                    yield Edit(address, "layer", anchor.span)
        case tree.Adjust(target=target, name=name):
            yield Edit(target.text, "adjust", target.span, name.text)
        case tree.Reaction(moment=moment, event=event, name=name):
            verb = "watch" if moment == "when" else "hook"
            yield Edit(event.text, verb, event.span, (moment, name.text))
        case _ if isinstance(item, CLAUSES):
            name = _name(item)
            yield Edit(owner_of(name), "add", name.span, bare(item))
        case tree.Step(name=name) | tree.Phase(name=name) if placed.phase:
            yield Edit(placed.phase, "add", name.span, bare(item))
        case _:
            pass
