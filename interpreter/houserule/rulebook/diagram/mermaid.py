"""A diagram as a Mermaid flowchart: subgraphs for phases, classes for house rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from houserule.base.resources import Phrases
from houserule.rulebook.diagram.boxes import CHANGED_BORDER, colours_of
from houserule.rulebook.diagram.diagram_model import (
    Diagram,
    DiagramAction,
    DiagramEdge,
    DiagramPhase,
    DiagramStep,
    Hands,
    Item,
)

INDENT = "  "
SPECIAL = re.compile(r"[^\w .,:;!?()+/~•–“”„’·×-]", re.UNICODE)


def as_mermaid(diagram: Diagram) -> str:
    return "\n".join(_Mermaid(diagram).whole()) + "\n"


def as_markdown(diagram: Diagram) -> str:
    """Return the diagram as a page with a fenced flowchart."""
    say = Phrases("diagram", diagram.language).say
    players = say("players", number=diagram.players)
    title = f"# {diagram.title}, {players}"
    return f"{title}\n\n```mermaid\n{as_mermaid(diagram)}```\n"


def escaped(text: str) -> str:
    """Return a text for a quoted label, with Mermaid's special characters as codes."""
    return SPECIAL.sub(lambda found: f"#{ord(found[0])};", text)


class _Mermaid:
    """Writes the lines of one flowchart."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._say = Phrases("diagram", diagram.language).say
        self._numbers = {unit.id: n for n, unit in enumerate(diagram.units, 1)}
        self._classes: dict[str, list[str]] = {}
        self._links: list[str] = []  # the style of each link, '' for the default

    def whole(self) -> Iterator[str]:
        yield "flowchart TD"
        root = self._diagram.root
        lines = self._phase(root) if root.name else self._inside(root)
        for line in lines:
            yield INDENT + line
        units, removed = self._diagram.units, self._diagram.removed
        if units:
            yield f'{INDENT}subgraph legend["{escaped(self._say("house rules"))}"]'
            for unit in units:
                number = self._numbers[unit.id]
                node = f"legend_{number}"
                yield f'{INDENT * 2}{node}["{escaped(unit.title)}"]'
                self._classes.setdefault(f"unit{number}", []).append(node)
            for each in removed:
                words = self._say("removed", names=each.title)
                label = escaped(f"{words} ({self._diagram.titles(each.by)})")
                yield f'{INDENT * 2}legend_without_{each.name}["{label}"]'
            yield f"{INDENT}end"
        for number in self._numbers.values():
            colour = colours_of(number).both
            yield f"{INDENT}classDef unit{number} stroke:{colour},stroke-width:3px"
        yield f"{INDENT}classDef changed {CHANGED_BORDER}"
        for name, nodes in self._classes.items():
            yield f"{INDENT}class {','.join(nodes)} {name}"
        for number, style in enumerate(self._links):
            if style:
                yield f"{INDENT}linkStyle {number} {style}"

    # ---- phases

    def _phase(self, phase: DiagramPhase) -> Iterator[str]:
        node = self._node(phase)
        label = [f"<b>{escaped(phase.title)}</b>", escaped(phase.caption)]
        label += [escaped(words) for words in phase.conditions]
        label += self._marks(phase.hands)
        yield f'subgraph {node}["{_joined(label)}"]'
        for line in self._inside(phase):
            yield INDENT + line
        yield "end"
        self._paint(node, phase.hands)

    def _inside(self, phase: DiagramPhase) -> Iterator[str]:
        for item in phase.items:
            match item:
                case DiagramPhase():
                    yield from self._phase(item)
                case DiagramStep():
                    says = ", ".join((self._say(item.mode), *item.conditions))
                    label = [f"<b>{escaped(item.title)}</b>", escaped(item.caption)]
                    label += [f"<i>{escaped(says)}</i>", *self._marks(item.hands)]
                    label += self._actions(item.actions)
                    self._paint(self._node(item), item.hands)
                    yield f'{self._node(item)}["{_joined(label)}"]'
                case _:
                    assert_never(item)
        if phase.actions:
            node = f"anywhere_{phase.name}"
            heading = escaped(self._say("anywhere", phase=phase.title))
            yield f'{node}(["{_joined([heading, *self._actions(phase.actions)])}"])'
        for edge in phase.order:
            yield self._edge(phase, edge, "-->", self._added(edge.by))
            self._links.append(self._stroke(edge.by))
        for edge in phase.drawn:
            words = f"{self._say('released')}: {self._diagram.titles(edge.by)}"
            yield self._edge(phase, edge, "-.->", words)
            self._links.append(self._stroke(edge.by))

    def _edge(
        self, phase: DiagramPhase, edge: DiagramEdge, arrow: str, words: str
    ) -> str:
        one = self._node(phase.item(edge.before))
        other = self._node(phase.item(edge.after))
        label = f'|"{escaped(words)}"|' if words else ""
        return f"{one} {arrow}{label} {other}"

    def _actions(self, actions: Iterable[DiagramAction]) -> Iterator[str]:
        for action in actions:
            marks = " ".join(self._marks(action.hands))
            yield f"{escaped(f'• {action.caption}')} {marks}".rstrip()

    @staticmethod
    def _node(item: Item) -> str:
        return f"{'phase' if isinstance(item, DiagramPhase) else 'step'}_{item.name}"

    # ---- origin

    def _added(self, units: tuple[str, ...]) -> str:
        return f"+ {self._diagram.titles(units)}" if units else ""

    def _marks(self, hands: Hands) -> list[str]:
        marks = [self._added(hands.added)]
        if hands.changed:
            marks.append(f"~ {self._diagram.titles(hands.changed)}")
        return [f"<i>{escaped(mark)}</i>" for mark in marks if mark]

    def _paint(self, node: str, hands: Hands) -> None:
        """Record the classes of a node: the units that added and changed it."""
        for unit in hands.added[:1]:
            self._classes.setdefault(f"unit{self._numbers[unit]}", []).append(node)
        if hands.changed and not hands.added:
            self._classes.setdefault("changed", []).append(node)

    def _stroke(self, units: tuple[str, ...]) -> str:
        if not units:
            return ""
        return f"stroke:{colours_of(self._numbers[units[0]]).both}"


def _joined(parts: Iterable[str]) -> str:
    return "<br/>".join(part for part in parts if part)
