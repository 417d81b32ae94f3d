"""Check the layout of positions and boards: unknown names and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    fault,
    too_large,
)
from houserule.base.diagnostics.wording import did_you_mean, figures
from houserule.base.limits import limit
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import names_bound, walk

if TYPE_CHECKING:
    from houserule.language.manifest.ruleset_models import Manifest
    from houserule.language.manifest.yaml.document import Document


def check_boards(manifest: Manifest, document: Document) -> Iterator[Diagnostic]:
    """Yield E050 for boards with too many rows or columns."""
    for number, board in enumerate(manifest.boards):
        for key, line in (("rows", board.rows), ("columns", board.columns)):
            first, last = line or (0, 0)
            if not (isinstance(first, int) and isinstance(last, int)):
                continue  # options: their values are limited where it is drawn
            many = abs(last - first) + 1
            if many > limit("lines"):
                message = f"{figures(many)} {key} are too many for a board."
                span = document.span("boards", number, key)
                yield too_large("lines", message, span)


@dataclass
class _DeclaredAreas:
    """Names that any unit declares: families (including zones), kinds and fields."""

    families: set[str] = field(default_factory=set)
    zones: set[str] = field(default_factory=set)
    fields: dict[str, set[str]] = field(default_factory=dict)
    of_members: set[str] = field(default_factory=set)

    def note(self, node: tree.Node) -> None:
        """Add the declarations of a node."""
        match node:
            case tree.Zone(name=name):
                self.zones.add(name.text)
                self.families.add(name.text)
            case tree.State(name=name) | tree.Value(name=name) | tree.Slot(name=name):
                self.families.add(name.text)
            case tree.Component(name=name, fields=fields):
                own = self.fields.setdefault(name.text, set())
                own.update(each.name.text for each in fields)
                own.update(word.text for word in names_bound(node))
            case tree.DiceDecl(name=name):
                own = self.fields.setdefault(name.text, set())
                own.update(word.text for word in names_bound(node))
            case tree.TypeDecl(fields=()):
                pass
            case (
                tree.ExtendFields(target=name, fields=fields)
                | tree.TypeDecl(name=name, fields=fields)
            ):
                own = self.fields.setdefault(name.text, set())
                own.update(each.name.text for each in fields)
                if isinstance(node, tree.TypeDecl):
                    self.of_members |= own
            case _:
                pass


E038 = MessageCode("E038", "board layout refers to unknown name")
"""A board of `ruleset.yaml` names a kind of things, a property of a thing, a phase or a
step that the rules do not have. Or its rows or columns are numbers at which nothing is
ever placed, or too many to draw. Or its `position` names something that no rules file
declares.

**Why.** A board is drawn from the state. It can only show what the composed rules know:
a field of the component, or a state, value, zone or place of tokens whose only key is
the thing.

**For example**

```text
boards:
  - title: The board
    rows: [1, 5]
    columns: [1, 5]
    draw:
      - {each: Cell, row: row, column: colum}
```

**Fix.** Use the nearest name that the message suggests, or declare a value with the
thing as its only key.
"""


def check_position(
    manifest: Manifest, document: Document, units: Iterable[tree.Unit]
) -> Iterator[Diagnostic]:
    """Yield E038 for every name in `position` that no rules file declares.

    Names that only a variant declares count whether or not it is on.
    """
    declared = _DeclaredAreas()
    for unit in units:
        for node in walk(unit):
            declared.note(node)
    for path, word, known in _named(manifest, declared):
        if word not in known:
            message = f"no thing that could be there is called `{word}`"
            near = did_you_mean(word, sorted(known))
            at = document.key_span if path[-1] == word else document.span
            yield fault(E038, message, at("position", *path), near)


def _named(
    manifest: Manifest, declared: _DeclaredAreas
) -> Iterator[tuple[tuple[str | int, ...], str, set[str]]]:
    """Yield each name with its place and the names allowed there."""
    layout, families = manifest.position, declared.families
    kinds = set(declared.fields)
    fields = {f"{kind}.{name}" for kind, own in declared.fields.items() for name in own}
    general = {"players", "facts", *_boards(manifest)}
    lists = {
        "players": (layout.players, families),
        "facts": (layout.facts, families),
        "areas": (layout.areas, families | kinds | general),
        "count": (layout.count, declared.zones),
        "hide": (layout.hide, families | kinds | fields),
    }
    for key, (words, known) in lists.items():
        for place, word in enumerate(words):
            yield (key, place), word, known
    for key, name in (("colour", layout.colour), ("score", layout.score)):
        if name is not None:
            yield (key,), name, families
    for board, name in layout.over_columns.items():
        yield ("over_columns", board), board, _boards(manifest)
        yield ("over_columns", board, name), name, families
    for kind, words in layout.things.items():
        yield ("things", kind), kind, kinds | declared.zones
        own = declared.fields.get(kind)
        every = {name for each in declared.fields.values() for name in each}
        for place, word in enumerate(words):
            known = families | (every if own is None else own | declared.of_members)
            yield ("things", kind, place), word, known


def _boards(manifest: Manifest) -> set[str]:
    return {f"board {number}" for number, _ in enumerate(manifest.boards)}
