"""Compose one table's rules: a function of the ruleset and the set of variants.

Edits are grouped by target, and each kind of target has one merge law that does not
depend on order. If two units disagree, neither wins: the conflict is a diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any, TypeVar, cast

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    has_errors,
    in_reading_order,
)
from houserule.compiler.merge.bridges import bridge_faults
from houserule.compiler.merge.changes import change
from houserule.compiler.merge.draft import Draft
from houserule.compiler.merge.fault import Fault, faults_at
from houserule.compiler.merge.laws import faults_of
from houserule.compiler.merge.layers import layers_of
from houserule.compiler.merge.lifts import lift, lifts_of
from houserule.compiler.merge.order import order_steps
from houserule.compiler.merge.removals import take_out
from houserule.compiler.merge.resolve import Resolution, resolution_of
from houserule.compiler.merge.rows import extend, rows_of
from houserule.compiler.options.options import settle_defaults
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

N = TypeVar("N", bound=tree.Node)
P = TypeVar("P", PlacedPhase, PlacedStep)
MOST_JOINED = 5000  # nodes with their parts, of one ruleset
NO_CLAUSE = frozenset({"member", "slot"})
MOST_DRAFTS = 50  # of one ruleset, about a tenth of a megabyte each


def compose(
    ruleset: LoadedRuleset, table: ChosenTable, *, named: bool = True
) -> tuple[Rules | None, list[Diagnostic]]:
    """Compose the rules of one table.

    Args:
        ruleset: a loaded ruleset with exactly one game.
        table: from `choose_table`; its relations are not checked again.
        named: whether the rules get a fingerprint, which is for records.

    Returns:
        The rules, or None after errors; and all diagnostics in reading order.
    """
    draft, found = drafted(ruleset, table.variants)
    bridges = bridge_faults(ruleset, table.variants)
    joint: list[Diagnostic] = []  # one message for each key
    for faults in clashes(ruleset, table.variants):
        parties = dict.fromkeys(party for each in faults for party in each.parties)
        joint.append(faults[0].tell(tuple(parties), table.variants))
    rules, unordered = assemble(draft, table, named=named)
    found = in_reading_order([*found, *bridges, *joint, *unordered])
    return None if has_errors(found) else rules, found


def drafted(
    ruleset: LoadedRuleset, variants: Iterable[str]
) -> tuple[Draft, list[Diagnostic]]:
    """Return the game with these variants and all applicable edits.

    Many tables differ only in options, so the latest drafts are cached; do not change a
    draft.

    The diagnostics are errors in the defaults of options (E304).
    """
    draft, found = ruleset.derived(_latest)(frozenset(variants))
    return draft, [*found]


def _latest(
    ruleset: LoadedRuleset,
) -> Callable[[frozenset[str]], tuple[Draft, list[Diagnostic]]]:
    @lru_cache(maxsize=MOST_DRAFTS)
    def draft_of(variants: frozenset[str]) -> tuple[Draft, list[Diagnostic]]:
        resolution = resolution_of(ruleset)
        draft = merged(resolution, resolution.family.present_at(variants))
        return draft, settle_defaults(draft)

    return draft_of


def merged(resolution: Resolution, present: Iterable[int]) -> Draft:
    """Return a draft of some items, with removals and changes applied.

    Args:
        resolution: the product line, and the targets of its edits.
    """
    draft = Draft(resolution, present)
    take_out(draft)
    change(draft)
    lift(draft)
    extend(draft)
    return draft


def clashes(ruleset: LoadedRuleset, variants: frozenset[str]) -> list[list[Fault]]:
    """Return the errors of the merge laws at a table, merged by message."""
    return faults_at(ruleset.derived(faults_of), variants)


# ---- rules of a table

# The parts of a declaration (clauses, members, fields, slots, layers) are put back in
# canonical order: as written, then added ones by address.


def assemble(
    draft: Draft, table: ChosenTable, *, named: bool
) -> tuple[Rules, list[Diagnostic]]:
    """Return the composed rules, and errors in the order of steps and layers.

    They have a fingerprint if `named` is set.
    """
    order = order_steps(draft)
    found = list(order.faults)
    values: dict[str, tree.Value] = {}
    for entry in draft.of_kind("value"):
        layers, faults = layers_of(draft, entry.address)
        found += faults
        assert isinstance(entry.node, tree.Value)
        values[entry.address] = _with(draft, entry.node, layers=layers)
    needs: dict[str, tuple[tree.Needs, ...]] = {}  # of steps and values
    for owner in (*draft.of_kind("step"), *draft.of_kind("value")):
        own = [each.relative for each in draft.under(owner.address, "needs")]
        if own:
            needs[owner.address] = tuple(cast("tree.Needs", each) for each in own)
    rechosen: list[Rechosen] = []  # parameters whose arity some unit changes
    for (address, word), hits in draft.hits_of("change").items():
        entry, item = draft.entries[address], hits[0].placed.item
        if isinstance(item, tree.Change) and isinstance(item.after, tree.HowMany):
            before = parts_of(hits[0].node)[word]
            many = isinstance(before, tree.HowMany) and before.how != "in"
            if many != (item.after.how != "in"):
                by, span = hits[0].origin, hits[0].span
                after, action = item.after, entry.owner or address
                rechosen.append(Rechosen(action, word, after, by, span))
    # The records of clauses, with the units that extend them.
    extended: dict[str, list[Origin]] = {}
    for (address, _), hits in draft.hits_of("extend").items():
        extended[address] = [hit.origin for hit in hits]
    clauses: dict[str, ClauseRecord] = {}
    for address, entry in sorted(draft.entries.items()):
        if entry.kind not in NO_CLAUSE:
            clauses[address] = record = entry.record
            if editors := extended.get(address):
                everyone = tuple(dict.fromkeys((*record.changed_by, *editors)))
                clauses[address] = replace(record, changed_by=everyone)
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
        values=values,
        adjusts=_nodes(draft, tree.Adjust, "contribution"),
        options=_nodes(draft, tree.Option, "option"),
        always=_nodes(draft, tree.Always, "always"),
        warns=_nodes(draft, tree.Warn, "warn"),
        effects=_nodes(draft, tree.Effect, "effect"),
        phases=_placed(draft, PlacedPhase, "phase"),
        steps=_placed(draft, PlacedStep, "step"),
        outer_needs=needs,
        actions=_nodes(draft, tree.Action, "action"),
        reactions=_nodes(draft, tree.Reaction, "reaction"),
        winners=_only(draft, tree.Winners),
        draws=_nodes(draft, tree.DrawnBy, "drawn by"),
        striving=_only(draft, tree.Striving),
        lifts=lifts_of(draft),
        pairs=order.pairs,
        released=order.released,
        asserts=_nodes(draft, tree.Assert, "assert"),
        clauses=clauses,
        fingerprint="",
        rechosen=tuple(rechosen),
    )
    return replace(rules, fingerprint=fingerprint_of(rules)) if named else rules, found


def _nodes(draft: Draft, kind: type[N], word: str) -> dict[str, N]:
    """Return the whole declarations of a kind, with all their parts."""
    found: dict[str, N] = {}
    for entry in draft.of_kind(word):
        node, address = entry.node, entry.address
        match node:
            case tree.Action() | tree.Effect() | tree.Reaction():
                clauses = draft.under(address, *CLAUSE_KINDS)
                own = tuple(each.relative for each in clauses)
                node = _with(draft, node, clauses=own)
            case tree.TypeDecl():
                members = _inside(draft, address, "member", tree.Word)
                columns = _inside(draft, address, "field", tree.Field)
                node = _with(draft, node, members=members, fields=columns)
            case tree.DiceDecl():
                members = _inside(draft, address, "member", tree.Word)
                node = _with(draft, node, members=members)
            case tree.Component():
                columns = _inside(draft, address, "field", tree.Field)
                node = _with(draft, node, fields=columns)
            case tree.Tokens():
                slots = _inside(draft, address, "slot", tree.Slot)
                node = _with(draft, node, slots=slots)
            case _:
                pass
        assert isinstance(node, kind)
        found[address] = node
    return found


def _inside(draft: Draft, owner: str, word: str, kind: type[N]) -> tuple[N, ...]:
    nodes = (entry.node for entry in draft.under(owner, word))
    return tuple(node for node in nodes if isinstance(node, kind))


def _placed(draft: Draft, kind: type[P], word: str) -> dict[str, P]:
    found = {entry.address: entry.placed for entry in draft.of_kind(word)}
    return {each: placed for each, placed in found.items() if isinstance(placed, kind)}


def _only(draft: Draft, kind: type[N]) -> N | None:
    """Return the line of a kind that a game has at most once, if any."""
    row = CONSTRUCTS[kind]
    return _nodes(draft, kind, row.kind).get(row.address)


def _with(draft: Draft, node: N, **parts: tuple[tree.Node, ...]) -> N:
    """Return a node with other parts, or the same object if the parts are identical.

    At most tables of a ruleset they are, and identical objects compare fast.
    """
    known = draft.ruleset.derived(_joined)
    key = (id(node), *(tuple(map(id, part)) for part in parts.values()))
    found = known.get(key)
    if found is None:
        if len(known) >= MOST_JOINED:
            known.clear()
        # Keep the objects in the key, so that no identity is reused.
        changes: dict[str, Any] = {**parts}
        found = known[key] = (node, parts, replace(node, **changes))
    made: N = found[-1]
    return made


def _joined(ruleset: LoadedRuleset) -> dict[tuple[object, ...], tuple[Any, ...]]:
    return {}


# ---- fingerprints

# The origin of a rule, its citations, and remarks on a table before play are not rules.
SILENT = frozenset(
    {
        *("span", "notes", "origin", "variants", "implied", "wished", "warns"),
        "fingerprint",
        "rechosen",
    }
)


def fingerprint_of(rules: Rules) -> str:
    """Return a fingerprint of the rules: sixteen hexadecimal digits.

    Files, positions, citations, warnings and the order of units do not count. Captions
    do, since players see them.
    """
    said = repr(_content(replace(rules, clauses={})))
    return blake2b(said.encode(), digest_size=8).hexdigest()


def _content(value: object) -> object:
    """Return a value as plain data, without what does not count.

    An unused property is left out, so that a new one changes no fingerprint.
    """
    counted = _counted(type(value))  # type: ignore[arg-type]  # classes are hashable
    if counted is not None:
        parts = ((name, getattr(value, name), usual) for name, usual in counted)
        used = [(name, _content(part)) for name, part, usual in parts if part != usual]
        return type(value).__name__, used
    if isinstance(value, Mapping):
        return [(key, _content(value[key])) for key in sorted(value)]
    if isinstance(value, tuple | list):
        return [_content(each) for each in value]
    return sorted(value) if isinstance(value, frozenset | set) else value


@cache
def _counted(kind: type) -> list[tuple[str, object]] | None:
    """Return the fields of a class that count, with their defaults; None for others."""
    if not is_dataclass(kind):
        return None
    return [
        (
            each.name,
            each.default if each.default_factory is MISSING else each.default_factory(),
        )
        for each in fields(kind)
        if each.name not in SILENT
    ]
