"""The composed rules out of a draft whose edits have been applied.

What stands inside a declaration (clauses, members, fields, slots, layers) is put back
in canonical order: as written, then what was added, by address.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.compiler.compose.fingerprint import fingerprint_of
from houserule.compiler.merge.layers import layers_of
from houserule.compiler.merge.lifts import lifts_of
from houserule.compiler.merge.order import order_steps
from houserule.compiler.merge.rows import rows_of
from houserule.compiler.rules import (
    ChosenTable,
    ClauseRecord,
    Origin,
    PlacedPhase,
    PlacedStep,
    Rechosen,
    Rules,
)
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import CLAUSE_KINDS, CONSTRUCTS, parts_of

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft, Entry

N = TypeVar("N", bound=tree.Node)
MOST_JOINED = 5000  # nodes with their parts, of one ruleset


def assemble(
    draft: Draft, table: ChosenTable, *, named: bool
) -> tuple[Rules, list[Diagnostic]]:
    """Return the composed rules, and faults of the order of steps and of layers.

    They have a fingerprint if they are to be `named`.
    """
    order = order_steps(draft)
    found = list(order.faults)
    base = draft.ruleset.base
    rules = Rules(
        game=draft.ruleset.id,
        title=base.title,
        table=table,
        types=_nodes(draft, tree.TypeDecl, "type"),
        components=_nodes(draft, tree.Component, "component"),
        rows=rows_of(draft),
        dice=_nodes(draft, tree.DiceDecl, "dice"),
        tokens=_nodes(draft, tree.Tokens, "tokens"),
        zones=_nodes(draft, tree.Zone, "zone"),
        states=_nodes(draft, tree.State, "state"),
        values=_values(draft, found),
        adjusts=_nodes(draft, tree.Adjust, "contribution"),
        options=_nodes(draft, tree.Option, "option"),
        always=_nodes(draft, tree.Always, "always"),
        warns=_nodes(draft, tree.Warn, "warn"),
        effects=_nodes(draft, tree.Effect, "effect"),
        phases=_phases(draft),
        steps=_steps(draft),
        step_needs=_step_needs(draft),
        actions=_nodes(draft, tree.Action, "action"),
        reactions=_nodes(draft, tree.Reaction, "reaction"),
        winners=_only(draft, tree.Winners),
        draws=_nodes(draft, tree.DrawnBy, "drawn by"),
        striving=_only(draft, tree.Striving),
        lifts=lifts_of(draft),
        pairs=order.pairs,
        released=order.released,
        asserts=_nodes(draft, tree.Assert, "assert"),
        clauses=clause_records(draft),
        fingerprint="",
        rechosen=tuple(_rechosen(draft)),
    )
    return replace(rules, fingerprint=fingerprint_of(rules)) if named else rules, found


def _values(draft: Draft, found: list[Diagnostic]) -> dict[str, tree.Value]:
    """Return the values with their layers in order; faults of these are noted."""
    values: dict[str, tree.Value] = {}
    for entry in draft.of_kind("value"):
        layers, faults = layers_of(draft, entry.address)
        found += faults
        assert isinstance(entry.node, tree.Value)
        values[entry.address] = _with(draft, entry.node, layers=layers)
    return values


def _nodes(draft: Draft, kind: type[N], word: str) -> dict[str, N]:
    found: dict[str, N] = {}
    for entry in draft.of_kind(word):
        node = _whole(draft, entry)
        assert isinstance(node, kind)
        found[entry.address] = node
    return found


def _only(draft: Draft, kind: type[N]) -> N | None:
    """Return the line of a kind that stands once in a game, if it is there."""
    row = CONSTRUCTS[kind]
    return _nodes(draft, kind, row.kind).get(row.address)


def _whole(draft: Draft, entry: Entry) -> tree.Node:
    """Return the declaration with everything that stands under it."""
    node, address = entry.node, entry.address
    match node:
        case tree.Action() | tree.Effect() | tree.Reaction():
            return _with(draft, node, clauses=_clauses(draft, address))
        case tree.TypeDecl():
            members = _inside(draft, address, "member", tree.Word)
            fields = _inside(draft, address, "field", tree.Field)
            return _with(draft, node, members=members, fields=fields)
        case tree.DiceDecl():
            members = _inside(draft, address, "member", tree.Word)
            return _with(draft, node, members=members)
        case tree.Component():
            fields = _inside(draft, address, "field", tree.Field)
            return _with(draft, node, fields=fields)
        case tree.Tokens():
            slots = _inside(draft, address, "slot", tree.Slot)
            return _with(draft, node, slots=slots)
        case _:
            return node


def _with(draft: Draft, node: N, **parts: tuple[tree.Node, ...]) -> N:
    """Return a node with other parts; with the very same ones it is the same object.

    Most are, at most tables of a ruleset, and what is one object is soon compared.
    """
    known = draft.ruleset.derived(_joined)
    key = (id(node), *(tuple(map(id, part)) for part in parts.values()))
    found = known.get(key)
    if found is None:
        if len(known) >= MOST_JOINED:
            known.clear()
        # What the key names is kept, so nothing else can come by its identity.
        changes: dict[str, Any] = {**parts}
        found = known[key] = (node, parts, replace(node, **changes))
    made: N = found[-1]
    return made


def _joined(ruleset: LoadedRuleset) -> dict[tuple[object, ...], tuple[Any, ...]]:
    return {}


def _inside(draft: Draft, owner: str, word: str, kind: type[N]) -> tuple[N, ...]:
    nodes = (entry.node for entry in draft.under(owner, word))
    return tuple(node for node in nodes if isinstance(node, kind))


def _clauses(draft: Draft, owner: str) -> tuple[tree.Clause, ...]:
    entries = draft.under(owner, *CLAUSE_KINDS)
    return tuple(each.relative for each in entries)


def _phases(draft: Draft) -> dict[str, PlacedPhase]:
    found: dict[str, PlacedPhase] = {}
    for entry in draft.of_kind("phase"):
        assert isinstance(entry.placed, PlacedPhase)
        found[entry.address] = entry.placed
    return found


def _steps(draft: Draft) -> dict[str, PlacedStep]:
    found: dict[str, PlacedStep] = {}
    for entry in draft.of_kind("step"):
        assert isinstance(entry.placed, PlacedStep)
        found[entry.address] = entry.placed
    return found


def _step_needs(draft: Draft) -> dict[str, tuple[tree.Needs, ...]]:
    found: dict[str, tuple[tree.Needs, ...]] = {}
    for step in draft.of_kind("step"):
        needs = [each.relative for each in draft.under(step.address, "needs")]
        if needs:
            found[step.address] = tuple(cast("tree.Needs", each) for each in needs)
    return found


def _rechosen(draft: Draft) -> Iterator[Rechosen]:
    """Yield every parameter that some unit makes several things, or one."""
    for (address, word), hits in draft.hits_of("change").items():
        entry, item = draft.entries[address], hits[0].placed.item
        if isinstance(item, tree.Change) and isinstance(item.after, tree.HowMany):
            before = parts_of(hits[0].node)[word]
            many = isinstance(before, tree.HowMany) and before.how != "in"
            if many != (item.after.how != "in"):
                owner = entry.owner or address
                origin, span = hits[0].origin, hits[0].span
                yield Rechosen(owner, word, item.after, origin, span)


# ---- records of clauses


NO_CLAUSE = frozenset({"member", "slot"})


def clause_records(draft: Draft) -> dict[str, ClauseRecord]:
    """Return the records by address, in order of address."""
    by_whom = _contributions(draft)
    return {
        address: _with_hands(entry.record, by_whom.get(address, ()))
        for address, entry in sorted(draft.entries.items())
        if entry.kind not in NO_CLAUSE
    }


def _with_hands(record: ClauseRecord, extended_by: tuple[Origin, ...]) -> ClauseRecord:
    """Return a record with those who extend its clause."""
    if not extended_by:
        return record
    return replace(
        record, changed_by=tuple(dict.fromkeys((*record.changed_by, *extended_by)))
    )


def _contributions(draft: Draft) -> dict[str, tuple[Origin, ...]]:
    """Return who extends what: no change of a clause, but a hand in it."""
    found: dict[str, tuple[Origin, ...]] = {}
    for (address, _), hits in draft.hits_of("extend").items():
        found[address] = tuple(dict.fromkeys(hit.origin for hit in hits))
    return found
