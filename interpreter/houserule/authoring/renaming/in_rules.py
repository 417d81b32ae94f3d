"""References to a declaration in rules files, by the meaning of the name there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from houserule.authoring.renaming.targets import (
    NAMING_UNITS,
    Target,
    first_of,
    last_of,
)
from houserule.base.source import Source, Span
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import clause_address
from houserule.language.syntax.tree.visitor import parts

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

# Words that name a unit, a source or a field, which have namespaces of their own.
ELSEWHERE: dict[type[tree.Node], frozenset[str]] = {
    **{node: frozenset(names) for node, names in NAMING_UNITS.items()},
    tree.Unit: frozenset({"names", "game"}),
    tree.OneOf: frozenset({"name", "names", "normally"}),
    tree.SourceText: frozenset({"name"}),
    tree.Field: frozenset({"name"}),
    tree.Zone: frozenset({"showing"}),
}


def spans_in_rules(
    units: Iterable[tree.Unit], sources: Mapping[str, Source], target: Target
) -> Iterator[Span]:
    """Yield every reference to a declaration in some units.

    `sources` has the text of each file. No variable may have that name.
    """
    for unit in units:
        source = sources.get(unit.span.file)
        if source is not None:
            finder = _NameFinder(source, target)
            yield from finder.beneath(unit, "")


class _NameFinder:
    """Finds references to one declaration in the units of one file."""

    def __init__(self, source: Source, target: Target) -> None:
        self.source, self.target = source, target

    def beneath(self, node: tree.Node, owner: str) -> Iterator[Span]:
        """Yield the references in a node; `owner` is the enclosing address."""
        target = self.target
        match node:
            case tree.Dot(tree.Name(of), field) if target.kind == "row":
                if f"{of}.{field}" == target.address:
                    yield last_of(node.span, target)
            case tree.Dot(tree.Name(of), field) if target.products:
                span, start = node.span, node.span.end_column - len(field)
                for first, last in target.within(field, of):
                    column = start + first
                    yield Span.at(span.file, span.end_line, column, last - first)
            case tree.SetType(name) | tree.PartType(name):
                if name == target.address:
                    yield last_of(node.span, target)
            case tree.NamedType(name):
                if name == target.address:
                    yield first_of(node.span, target)
            case tree.Name(name) | tree.Apply(name) | tree.Call(name):
                if target.stands_alone and name == target.name:
                    yield first_of(node.span, target)
            case _:
                pass
        match node:  # the address that prefixes the names in it
            case tree.Action() | tree.Effect() | tree.Reaction() | tree.Value():
                owner = node.name.text
            case tree.TypeDecl() | tree.DiceDecl() | tree.Tokens():
                owner = node.name.text
            case tree.ExtendMembers() | tree.ExtendTokens():
                owner = node.target.text
            case tree.Layer():
                owner = node.name.text.rpartition(".")[0]
            case _:
                pass
        skipped = ELSEWHERE.get(type(node), frozenset())
        for part in parts(type(node)):
            if part == "notes" or part in skipped:
                continue
            for child in _nodes(getattr(node, part)):
                if isinstance(child, tree.Word):
                    yield from self._word(node, part, child, owner)
                yield from self.beneath(child, owner)

    # ---- words: addresses, and names of what is declared

    def _word(
        self, node: tree.Node, part: str, word: tree.Word, owner: str
    ) -> Iterator[Span]:
        target, written = self.target, word.text.split(".")
        if isinstance(node, tree.Step | tree.Phase) and part == "name":
            whole = [[each] for each in written]  # each part is its own name
            at = range(len(written))
        else:
            whole = [_address(node, part, word, owner).split(".")]
            at = range(0, 1)
        for number, address in zip(at, whole, strict=True):
            joined = f"{'.'.join(address)}."
            before = len(address) - len(written) if len(whole) == 1 else -number
            place = target.place - before
            if joined.startswith(f"{target.address}.") and 0 <= place < len(written):
                line = self.source.line(word.span.line)
                found = [*NAME.finditer(line, word.span.column - 1)][place]
                yield Span.at(
                    word.span.file, word.span.line, found.start() + 1, len(found[0])
                )


def _address(node: tree.Node, part: str, word: tree.Word, owner: str) -> str:
    match node:
        case _ if isinstance(node, tree.Clause) and part == "name" and owner:
            return clause_address(owner, node)
        case tree.TypeDecl() | tree.DiceDecl() if part == "members":
            return f"{owner}.{word.text}"
        case tree.ExtendMembers() if part == "names":
            return f"{owner}.{word.text}"
        case tree.Slot() | tree.ValueLayer() if part == "name":
            return f"{owner}.{word.text}"
        case tree.Layer() if part in ("after", "before"):
            return f"{owner}.{word.text}"
        case _:
            return word.text


def _nodes(value: object) -> list[tree.Node]:
    if isinstance(value, tree.Node):
        return [value]
    if isinstance(value, tuple):
        return [node for each in value for node in _nodes(each)]
    return []
