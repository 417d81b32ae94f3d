"""Edits find their targets: E101 where nothing is hit, E103 where a wrong kind is."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, get_args

from houserule.compose.items.addresses import KINDS
from houserule.compose.items.fields import MAIN, has_caption
from houserule.compose.items.items import declares, placed_items
from houserule.compose.merge import messages
from houserule.compose.merge.draft import (
    Draft,
    Entry,
    Hit,
    edits_of,
)
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.compose.items.items import EditOf, Placed
    from houserule.diagnostics.diagnostic import Diagnostic

LIFTED = frozenset({"needs", "value"})
ORDERED = frozenset({"step", "phase"})
OWNERS: dict[type[tree.Node], frozenset[str]] = {
    tree.Needs: frozenset({"action", "effect", "reaction", "step"}),
    tree.Unwise: frozenset({"action"}),
    tree.Cost: frozenset({"action"}),
    tree.Limit: frozenset({"action"}),
    tree.Does: frozenset({"action", "effect", "reaction"}),
    tree.Asks: frozenset({"action", "reaction"}),
    tree.Step: frozenset({"phase"}),
}
EXTENDED: dict[type[tree.Node], frozenset[str]] = {
    tree.ExtendMembers: frozenset({"type", "dice"}),
    tree.ExtendTokens: frozenset({"tokens"}),
    tree.ExtendRows: frozenset({"component"}),
    tree.ExtendFields: frozenset({"component"}),
}
EXPRESSIONS: tuple[type[tree.Node], ...] = get_args(tree.Expr)
REMOVABLE_PARTS = frozenset({"if", "limit"})


def aim_edits(draft: Draft) -> None:
    """Give every edit its clause; report those that have none, or a wrong one."""
    elsewhere: dict[str, list[tuple[str, Placed]]] | None = None
    for placed, edit in edits_of(draft.placed):
        if edit.verb == "mute":
            continue
        found = draft.find(edit.target)
        if found is None:
            elsewhere = elsewhere or _declared_anywhere(draft)
            draft.found.append(_missing(draft, placed, edit, elsewhere))
            draft.lost |= {one.address for one in declares(placed)}
            continue
        hit = Hit(placed, edit, *found)
        reason = misfit(draft.entries[hit.address], hit)
        if reason:
            draft.found.append(messages.does_not_fit(hit.origin, edit, reason))
        else:
            draft.hits.append(hit)


def misfit(entry: Entry, hit: Hit) -> str:
    """Say why this kind of edit cannot be made here; '' if it can."""
    item, kind = hit.placed.item, entry.kind
    named = f"{hit.target} is {messages.a(kind if hit.word == MAIN else 'part')}"
    match hit.edit.verb:
        case "change" if hit.word not in entry.parts:
            return f"{named} and has no value of its own"
        case "caption" if hit.word != MAIN or not has_caption(entry.node):
            return f"{named} and has no caption"
        case "default" if kind != "option":
            return f"{named}, and only an option has a default"
        case "raise" if not isinstance(entry.parts.get(hit.word), EXPRESSIONS):
            return f"{named} and has no number to raise or lower"
        case "remove" if hit.word != MAIN and hit.word not in REMOVABLE_PARTS:
            return f"{named} that cannot be left out"
        case "lift" if not _can_be_lifted(entry, hit.word):
            return f"{named}, and only conditions and yes-or-no values are lifted"
        case "add" if kind not in OWNERS[type(item)]:
            return f"{named}, which takes no {KINDS[type(item)]}"
        case "extend" if not _can_be_extended(entry, item):
            return f"{named} that cannot be extended like this"
        case "layer" if kind not in {"value", "layer"}:
            return f"{named}, and only a value has layers"
        case "adjust" if kind != "layer":
            return f"{named}, and only a layer of a value is adjusted"
        case "watch" if kind != "value":
            return f"{named}, and only changes of a value are watched"
        case "order" | "release" if kind not in ORDERED:
            return f"{named}, and only steps and phases have an order"
        case _:
            return ""


def _can_be_lifted(entry: Entry, word: str) -> bool:
    if word != MAIN or entry.kind not in LIFTED:
        return False
    node = entry.node
    return not isinstance(node, tree.Value) or isinstance(node.type, tree.FlagType)


def _can_be_extended(entry: Entry, item: tree.Item) -> bool:
    if entry.kind not in EXTENDED.get(type(item), frozenset()):
        return False
    match entry.node, item:
        case tree.TypeDecl(members=members) | tree.DiceDecl(members=members), _:
            return bool(members)
        case tree.Component(each=each), tree.ExtendRows():
            return not each
        case _:
            return True


# ---- edits that hit nothing

# What each kind of edit may be meant for; the others may be meant for anything.
MEANT: dict[str, frozenset[str]] = {
    "order": ORDERED,
    "release": ORDERED,
    "default": frozenset({"option"}),
    "adjust": frozenset({"layer"}),
    "layer": frozenset({"layer", "value"}),
    "lift": LIFTED,
    "watch": frozenset({"value"}),
    "extend": frozenset({"type", "dice", "tokens", "component"}),
    "add": frozenset({"action", "effect", "reaction", "step", "phase"}),
}


def _declared_anywhere(draft: Draft) -> dict[str, list[tuple[str, Placed]]]:
    """Return every address of the family, its kinds, and the items declaring it."""
    found: dict[str, list[tuple[str, Placed]]] = defaultdict(list)
    for placed in placed_items(draft.ruleset):
        for one in declares(placed):
            found[one.address].append((one.kind, placed))
    return found


def _missing(
    draft: Draft,
    placed: Placed,
    edit: EditOf,
    elsewhere: dict[str, list[tuple[str, Placed]]],
) -> Diagnostic:
    titles = draft.ruleset.variant_titles
    ways = [p.members - placed.members for _, p in elsewhere.get(edit.target, ())]
    wanted = min((w for w in ways if w), key=lambda w: (len(w), sorted(w)), default=())
    meant = MEANT.get(edit.verb)
    candidates = (
        address
        for address, known in elsewhere.items()
        if meant is None or any(kind in meant for kind, _ in known)
    )
    return messages.nothing_to_change(
        placed.origin,
        edit,
        wanted={name: titles.get(name, name) for name in sorted(wanted)},
        candidates=candidates,
    )
