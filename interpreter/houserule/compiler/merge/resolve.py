"""Resolve the targets of edits: E101 without a target, E103 for a wrong kind.

The possible targets of an edit are resolved once for the whole product line. A hit has
one content of its target: if several units declare the same, it hits them all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

from houserule.base.diagnostics.diagnostic import Diagnostic, fault
from houserule.base.diagnostics.wording import listed, nearest_few, sentence
from houserule.base.source import Span
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.conditions.formulas import Formula, On, both, either, off
from houserule.compiler.items.cells import ADDRESS, every_cell
from houserule.compiler.items.index import Declaration, Family, family_of
from houserule.compiler.items.items import Edit, Placed
from houserule.compiler.items.seals import Seal, seals_of
from houserule.compiler.merge import messages
from houserule.compiler.merge.fault import Fault, Party, plainly
from houserule.compiler.merge.messages import E103
from houserule.compiler.rules import Origin
from houserule.language.manifest.messages import E101
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import (
    CONSTRUCTS,
    EXPRESSIONS,
    OWNERS,
    has_caption,
    kind_of,
    parts_of,
)
from houserule.language.syntax.tree.parts import MAIN
from houserule.language.syntax.vocabulary import LAYER_VERBS

LIFTED = frozenset({"needs", "value", "drawn by"})
ORDERED = frozenset({"step", "phase"})
EXTENDED: dict[type[tree.Node], frozenset[str]] = {
    tree.ExtendMembers: frozenset({"type", "dice"}),
    tree.ExtendTokens: frozenset({"tokens"}),
    tree.ExtendRows: frozenset({"component"}),
    tree.ExtendFields: frozenset({"component"}),
}
REMOVABLE_PARTS = frozenset({"if", "limit"})


@dataclass(frozen=True, eq=False, slots=True)
class Hit:
    """An edit and its target.

    Attributes:
        aims: its target declarations, all with one content; the first counts.
        applies_when: the condition under which the edit and its target are both active.
        kind_error: why this kind of edit does not fit, or ''.
        seal: the seal of its target, if any.
    """

    item: int
    placed: Placed
    edit: Edit
    aims: tuple[Declaration, ...]
    applies_when: Formula
    kind_error: str = ""
    seal: Seal | None = None

    @property
    def origin(self) -> Origin:
        """The editing unit."""
        return self.placed.origin

    @property
    def span(self) -> Span:
        """The place of the edit."""
        return self.edit.span

    @property
    def notes(self) -> tree.Notes:
        """The citations of the edit."""
        return self.placed.notes

    @property
    def target(self) -> str:
        """The address as the author wrote it."""
        return self.edit.target

    def aim_at(self, table: frozenset[str]) -> Declaration:
        """Return the target declaration if these variants are on."""
        here = (each for each in self.aims if each.placed.members <= table)
        return next(here, self.aims[0])

    @property
    def address(self) -> str:
        """The address of the target clause."""
        return self.aims[0].one.clause

    @property
    def word(self) -> str:
        """The word of the target part, '' for the clause itself."""
        return self.aims[0].one.word

    @property
    def node(self) -> tree.Node:
        """The target clause, as declared."""
        return self.aims[0].one.node


class Resolution:
    """All edits of a product line with their targets, and all removals.

    Attributes:
        of_item: the edits of each item, each with all its hits.
        hits: those of a kind that fits, without a seal.
    """

    def __init__(self, ruleset: LoadedRuleset) -> None:
        """Resolve every edit except mutes, which hit items."""
        self.ruleset = ruleset
        self.family: Family = family_of(ruleset)
        self.seals = seals_of(ruleset)
        there = self.family.there
        every: list[tuple[tuple[Edit, tuple[Hit, ...]], ...]] = []
        for number, placed in enumerate(self.family.placed):
            edits: list[tuple[Edit, tuple[Hit, ...]]] = []
            for edit in placed.edits:
                contents: dict[object, list[Declaration]] = defaultdict(list)
                muted = edit.verb == "mute"
                for each in () if muted else self.family.meant_by(edit.target):
                    one = each.one
                    content = one.content or (one.payload, type(one.node))
                    contents[one.clause, content].append(each)
                hits: list[Hit] = []
                for aims in contents.values():
                    some = either(there[each.item] for each in aims)
                    why = kind_error(placed.item, edit, aims[0])
                    seal = None if why else self.seal(placed, edit, aims[0])
                    met = both([there[number], some])
                    hits.append(Hit(number, placed, edit, tuple(aims), met, why, seal))
                edits.append((edit, tuple(hits)))
            every.append(tuple(edits))
        self.of_item = tuple(every)
        self.aimed = tuple(
            hit for edits in self.of_item for _, hits in edits for hit in hits
        )
        self.hits = tuple(h for h in self.aimed if not h.kind_error and h.seal is None)

    def seal(self, placed: Placed, edit: Edit, aim: Declaration) -> Seal | None:
        """Return why a seal rejects an edit of a declaration, if any does."""
        if not placed.origin.unit or aim.origin.unit:
            return None
        return self.seals.refusal(edit, aim.one.clause, aim.one.word)

    def grouped(self, *verbs: str) -> dict[Declaration, list[Hit]]:
        """Return the edits of these verbs by target: one content each."""
        groups: dict[Declaration, list[Hit]] = defaultdict(list)
        for hit in self.hits:
            if hit.edit.verb in verbs:
                groups[hit.aims[0]].append(hit)
        return groups

    # ---- removing

    @cached_property
    def _removers(self) -> dict[tuple[str, str], list[Hit]]:
        """All `remove` edits, by the clause and the word of the removed part."""
        found: dict[tuple[str, str], list[Hit]] = defaultdict(list)
        for hit in self.hits:
            if hit.edit.verb == "remove":
                found[hit.address, hit.word].append(hit)
        return found

    def removals(self, clause: str, word: str = MAIN) -> Iterator[tuple[Hit, Formula]]:
        """Yield every `remove` that deletes a clause, directly or with an ancestor."""
        there = self.family.there
        for hit in self._removers.get((clause, word), ()):
            yield hit, there[hit.item]
        if word != MAIN:
            for hit in self._removers.get((clause, MAIN), ()):
                yield hit, there[hit.item]
        chain: list[Formula] = []
        for address in self.family.above(clause):
            chain.append(self.family.declares(address))
            for hit in self._removers.get((address, MAIN), ()):
                yield hit, both([there[hit.item], *chain])

    def removed(self, clause: str, word: str = MAIN) -> Formula:
        """Return when a clause, if declared, is removed."""
        if not self._removers:
            return either(())
        return either(condition for _, condition in self.removals(clause, word))

    def stays(self, hit: Hit) -> Formula:
        """Return when an edit and its target are active and not removed."""
        return both([hit.applies_when, off(self.removed(hit.address, hit.word))])

    def stands(self, declaration: Declaration) -> Formula:
        """Return when a declaration is active and not removed."""
        one = declaration.one
        there = self.family.there[declaration.item]
        return both([there, off(self.removed(one.clause, one.word))])

    def bearing_on(
        self, addresses: Iterable[str], verbs: tuple[str, ...] = ()
    ) -> set[int]:
        """Return the items that declare or edit these addresses or their ancestors.

        `verbs` restricts the edits; removals of ancestors always count.
        """
        named = set(addresses)
        found: set[int] = set()
        for address in named:
            every = self.family.declared.get(address, ())
            found |= {each.item for each in every}
            for one in {each.one.clause for each in every}:
                found |= {hit.item for hit, _ in self.removals(one)}
                for above in self.family.above(one):
                    found |= {d.item for d in self.family.declared.get(above, ())}
        return found | {
            hit.item
            for hit in self.hits
            if hit.address in named and (not verbs or hit.edit.verb in verbs)
        }


def resolution_of(ruleset: LoadedRuleset) -> Resolution:
    """Return the edits of a ruleset with their targets; cached."""
    return ruleset.derived(Resolution)


def hits_among(parties: Iterable[Party]) -> list[Hit]:
    """Return the edits among the parties of a fault, in canonical order."""
    found = [each for each in parties if isinstance(each, Hit)]
    return sorted(found, key=lambda hit: hit.item)


# ---- E103


def kind_error(item: tree.Item, edit: Edit, aim: Declaration) -> str:
    """Return why this kind of edit does not fit; '' if it does."""
    one = aim.one
    node, kind, main = one.node, kind_of(one.node), one.word == MAIN
    named = f"{edit.target} is {messages.a(kind if main else 'part')}"
    yes_or_no = not isinstance(node, tree.Value) or isinstance(node.type, tree.FlagType)
    match node:
        case tree.TypeDecl(members=members) | tree.DiceDecl(members=members):
            extensible = bool(members)
        case tree.Component(each=each) if isinstance(item, tree.ExtendRows):
            extensible = not each
        case _:
            extensible = True
    extensible = extensible and kind in EXTENDED.get(type(item), frozenset())
    match edit.verb:
        case "change" if one.word not in parts_of(node):
            if kind == "field":
                return f"{named}, and of its type only a range of numbers can change"
            assert isinstance(item, tree.Change)
            # A `change` may mean a part of the same kind.
            parts, sort = parts_of(node).items(), type(item.before)
            meant = [f"`{edit.target}.{w}`" for w, each in parts if type(each) is sort]
            way = f"; change {listed(meant, 'or')}" if meant else ""
            return f"{named} and has no value of its own{way}"
        case "caption" if not main or not has_caption(node):
            return f"{named} and has no caption"
        case "default" if kind != "option":
            line = f"; write `change {edit.target} from … to …`"
            way = line if one.word in parts_of(node) else ""
            return f"{named}, and only an option has a default{way}"
        case "raise" if not isinstance(parts_of(node).get(one.word), EXPRESSIONS):
            return f"{named} and has no number to raise or lower"
        case "remove" if kind in {"players", "cell"}:
            return f"{named}, and that can be changed only"
        case "remove" if kind == "field" and isinstance(aim.placed.item, tree.TypeDecl):
            return f"{named} of an enumeration, whose members say it in their brackets"
        case "remove" if not main and one.word not in REMOVABLE_PARTS:
            return f"{named} that cannot be left out"
        case "lift" if not main or kind not in LIFTED or not yes_or_no:
            named = f"{named}, and only conditions and yes-or-no values have exceptions"
            if kind in OWNERS and isinstance(item, tree.Lift):
                line = f"or {item.target.text}.NAME: …"
                return f"{named}; an exception has a name of its own: `{line}`"
            return named
        case "add" if kind not in CONSTRUCTS[type(item)].owners:
            hook = f"; say `reaction NAME after {edit.target}` and put it beneath"
            way = hook if kind == "step" else ""
            return f"{named}, which takes no {kind_of(item)}{way}"
        case "extend" if kind == "type" and isinstance(item, tree.ExtendFields):
            return f"{named}, whose members say their fields; a value can say more"
        case "extend" if not extensible:
            return f"{named} that cannot be extended like this"
        case "layer" if kind not in {"value", "layer"}:
            return f"{named}, and only a value has layers"
        case "adjust" if kind != "layer":
            named = f"{named}, and only layers of a value have contributions"
            layers = [
                f"`{edit.target}.{each.name.text}`"
                for each in getattr(node, "layers", ())
                if isinstance(item, tree.Adjust) and each.op == item.op
            ]
            return f"{named}: {listed(layers, 'or')}" if layers else named
        case "adjust" if isinstance(item, tree.Adjust):
            assert isinstance(node, tree.Layer | tree.ValueLayer)
            op, keys = node.op, ", ".join(each.text for each in item.params or ())
            if item.op == op:
                return ""
            place = f"{item.target.text}({keys})" if keys else item.target.text
            bound = f" {op}" if LAYER_VERBS[op] == "keep" else ""
            line = f"{LAYER_VERBS[op]} {place} called {item.name.text}:{bound} …"
            return f"the layer says `{op}`; write `{line}`"
        case "watch" if kind != "value":
            return f"{named}, and only changes of a value are watched"
        case "order" | "release" if kind not in ORDERED:
            return f"{named}, and only steps and phases have an order"
        case _:
            return ""


def does_not_fit(origin: Origin, edit: Edit, reason: str) -> Diagnostic:
    """Return E103: an edit of a kind that its target does not have."""
    verb = messages.VERBS[edit.verb]
    start = sentence(messages.titled(origin))
    return fault(E103, f"{start} {verb} {edit.target}, but {reason}.", edit.span)


# ---- E101

# The kinds of targets for each kind of edit; other edits can have any target.
MEANT: dict[str, frozenset[str]] = {
    "order": ORDERED,
    "release": ORDERED,
    "default": frozenset({"option"}),
    "adjust": frozenset({"layer"}),
    "layer": frozenset({"layer", "value"}),
    "lift": LIFTED,
    "watch": frozenset({"value"}),
    "extend": frozenset({"type", "dice", "tokens", "component"}),
    "add": OWNERS | {"phase"},
}


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield E103 for edits of a wrong kind, and E101 for edits without a target."""
    family = resolution.family
    for hit in resolution.aimed:
        if hit.kind_error:
            found = does_not_fit(hit.origin, hit.edit, hit.kind_error)
            yield Fault(
                hit.applies_when, plainly(found), (hit,), usual=family.there[hit.item]
            )
    for number, edit in family.edits:
        present = family.declares(edit.target)
        members = family.placed[number].members
        surely = isinstance(present, On) and present.names <= members
        if edit.verb != "mute" and not surely:
            there = family.there[number]
            yield Fault(
                both([there, off(present)]),
                partial(_nothing_there, family, number, edit),
                usual=None if edit.target in family.declared else there,
            )


def missing(
    family: Family, placed: Placed, ways: list[frozenset[str]]
) -> dict[str, str]:
    """Return the variants that an item lacks for the shortest of some ways.

    Args:
        placed: the item; all that its variants imply is active.
        ways: sets of variants, one of which must be on.

    Returns:
        The names of the variants, by alphabet, with their titles.
    """
    known = features_of(family.ruleset).closed(placed.members)
    lacking = sorted((way - known for way in ways), key=lambda w: (len(w), sorted(w)))
    names = sorted(next((way for way in lacking if way), ()))
    titles = family.ruleset.variant_titles
    return {name: titles.get(name, name) for name in names}


# The beginning of a line with an edit, if it is not the verb.
_LINES = {
    "add": "needs {}",
    "caption": "change {}",
    "hook": "reaction NAME after {}",
    "watch": "reaction NAME when {} changes",
    "lift": "or {}",
    "layer": "extend {} with",
    "adjust": "add to {}",
}


def _nothing_there(
    family: Family, number: int, edit: Edit, _parties: object, _: object
) -> Diagnostic:
    """Return E101: an edit without a target."""
    placed, target, verb = family.placed[number], edit.target, edit.verb
    said = family.declared.get(target, ())
    wanted = missing(family, placed, [each.placed.members for each in said])
    who = sentence(messages.titled(placed.origin))
    start = f"{who} {messages.VERBS[verb]} {target},"
    fixes: list[str] = []
    if wanted:
        titles = listed(f'"{title}"' for title in wanted.values())
        are = "is" if len(wanted) == 1 else "are"
        message = f"{start} but that clause exists only while {titles} {are} on."
        names = ", ".join(wanted)
        line = _LINES.get(verb, verb + " {}").format(target)
        lead = "Only if it exists:            "
        inside = f"{' ' * len(lead)}  {line} ..."
        fixes.append(f"{lead}with {names}:\n{inside}")
        fixes.append(f"It cannot be played without:  requires {names}")
    else:
        what = target if verb in {"add", "extend"} else "such clause"
        if verb in {"order", "release"}:
            what = "step or phase of that name"
        message = f"{start} but there is no {what}."
    meant = MEANT.get(verb)
    candidates = [
        address
        for address, every in family.declared.items()
        if meant is None or any(each.one.kind in meant for each in every)
    ]
    if target.count(".") == len(ADDRESS) - 1:  # it seems to mean a cell of a table
        items = (each.item for each in family.placed)
        candidates += every_cell(family.ruleset, items)
    others = (each for each in candidates if not each.startswith(f"{target}."))
    near = nearest_few(target, others, most=2)
    if near:
        fixes.append(f"Another name:                 {', '.join(near)}   (closest)")
    details = ["Did you mean one of these?"] if fixes else []
    return fault(E101, message, edit.span, details=details, fixes=fixes)
