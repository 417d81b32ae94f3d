"""References to units, rulings and fields in rules files.

The grammar alone identifies a variant, a preset or a ruling. A field follows a dot; if
several kinds have a field of that name, the compiled programs show which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from houserule import ir
from houserule.authoring.check.check import choice_of
from houserule.authoring.check.sampled import tables_to_check
from houserule.authoring.renaming.targets import (
    NAMING_UNITS,
    RULING,
    UNITS,
    Target,
    first_of,
    last_of,
    place_at,
    refused,
)
from houserule.base.source import Source, Span
from houserule.compiler.prepare import Programs, TableChoice
from houserule.ir.walk import beneath, held
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.terms import Node
from houserule.language.syntax.tree.visitor import names_bound, walk


def spans_elsewhere(
    ruleset: LoadedRuleset, sources: Mapping[str, Source], target: Target
) -> Iterator[Span]:
    """Yield every reference to a unit, a ruling or a field in rules.

    Raises:
        CannotRename: it is unknown which kind a field belongs to.
    """
    if target.kind in UNITS:
        for unit in ruleset.units:
            for node in walk(unit):
                for part in NAMING_UNITS.get(type(node), ()):
                    said = getattr(node, part)
                    for word in said if isinstance(said, tuple) else (said,):
                        if word is not None and word.text == target.name:
                            yield first_of(word.span, target)
    elif target.kind == RULING:
        ruling = re.compile(rf"\b{target.name}\b")
        for unit in ruleset.units:
            for node in walk(unit):
                if isinstance(node, tree.Ruling) and node.name == target.name:
                    span = node.span
                    line = sources[span.file].line(span.line)
                    found = ruling.search(line, span.column - 1 + len("ruling"))
                    assert found is not None, (span, line)
                    yield place_at(span, found.start() + 1, target)
    else:
        yield from _of_field(ruleset, target)


# ---- fields


def _of_field(ruleset: LoadedRuleset, target: Target) -> Iterator[Span]:
    for unit in ruleset.units:
        for node in walk(unit):
            yield from _declared(node, target)
            # References to a field in edits and in rows.
            word = getattr(node, "target", None)
            if not isinstance(word, tree.Word):
                continue
            match word.parts:
                case (owner, name, *_) if (owner, name) == (target.owner, target.name):
                    yield place_at(word.span, word.span.column + len(owner) + 1, target)
                case (owner, row, name) if (owner, name) == (target.owner, target.name):
                    before = len(owner) + len(row) + 2
                    yield place_at(word.span, word.span.column + before, target)
                case _:
                    pass
    behind_dots = [
        node
        for unit in ruleset.units
        for node in walk(unit)
        if isinstance(node, tree.Dot) and node.field == target.name
        if not (isinstance(node.subject, tree.Name) and node.subject.name[:1].isupper())
    ]
    if target.shared and behind_dots:
        kinds = _kinds_read(ruleset, target.name)
        for node in behind_dots:
            if node.span not in kinds:
                message = f"`{target.name}` is a field of several kinds, and no table "
                message += "says whose this is."
                raise refused(message, node.span, "this one")
            if kinds[node.span] == {target.owner}:
                yield last_of(node.span, target)
            elif target.owner in kinds[node.span]:
                message = f"This is a `{target.name}` of several kinds."
                raise refused(message, node.span, "it is that of others, too")
    else:
        yield from (last_of(node.span, target) for node in behind_dots)


def _declared(node: tree.Node, target: Target) -> Iterator[Span]:
    """Yield the declaration of a field, and references in its kind or a zone."""
    words: list[tree.Word] = []
    match node:
        case tree.Component() | tree.DiceDecl() if node.name.text == target.owner:
            words += (word for each in node.each for word in names_bound(each))
            words += node.alike.names if node.alike else ()
            if node.called is not None:
                slot = re.compile(rf"(?<=\{{){target.name}(?=[:}}])")
                for found in slot.finditer(node.called.text):
                    column = node.called.span.column + 1 + found.start()
                    yield place_at(node.called.span, column, target)
            if isinstance(node, tree.Component):
                words += (each.name for each in node.fields)
            for inner in walk(node.where) if node.where is not None else ():
                if isinstance(inner, tree.Name) and inner.name == target.name:
                    yield first_of(inner.span, target)
        case tree.TypeDecl() if node.name.text == target.owner:
            words += (each.name for each in node.fields)
        case tree.ExtendFields() if node.target.text == target.owner:
            words += (each.name for each in node.fields)
        case tree.Zone() if node.member.text == target.owner:
            words += node.showing
        case _:
            return
    yield from (first_of(w.span, target) for w in words if w.text == target.name)


def _kinds_read(ruleset: LoadedRuleset, name: str) -> dict[Span, set[str]]:
    """Return, for each place that reads a field of a name, the kinds it belongs to."""
    found: dict[Span, set[str]] = {}
    programs = ruleset.derived(Programs)
    choices = map(choice_of, tables_to_check(ruleset, pairs=False)[0])
    bridged = (
        TableChoice(with_=tuple(word.text for word in unit.names))
        for unit in ruleset.units_of("bridge")
    )
    for each in (*choices, *bridged):
        program = programs.prepare(each).program
        for node in beneath(*held(program)) if program is not None else ():
            if isinstance(node, ir.ReadField | ir.ReadEntry) and node.field == name:
                found.setdefault(node.span, set()).add(node.kind.name)
    # Add the expressions after `from` in changes, which repeat the edited ones.
    every = [node for unit in ruleset.units for node in walk(unit)]
    for change in every:
        if not isinstance(change, tree.Change) or not isinstance(change.before, Node):
            continue
        for twin in every:
            if type(twin) is not type(change.before) or twin != change.before:
                continue
            for here, there in zip(walk(change.before), walk(twin), strict=True):
                if there.span in found:
                    found.setdefault(here.span, set()).update(found[there.span])
    return found
