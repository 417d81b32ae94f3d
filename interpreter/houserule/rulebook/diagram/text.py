"""A diagram as text: nested boxes for phases, arrows for order, for any terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import assert_never

from houserule.base.resources import Phrases
from houserule.rulebook.diagram.diagram_model import (
    Arrangement,
    Diagram,
    DiagramAction,
    DiagramEdge,
    DiagramPhase,
    Free,
    Hands,
    Item,
    Series,
    Single,
    Tangle,
    between,
    chains,
)

WIDEST, NARROWEST = 100, 40
ARROW, RELEASED, ADDED, CHANGED, ACTION = "↓", "┄▸", "+", "~", "•"
HARD = "\u00a0"  # non-breaking space


def as_text(diagram: Diagram, width: int = WIDEST) -> str:
    """Return the diagram, at most `width` columns wide, between 40 and 100."""
    return _Text(diagram).whole(max(NARROWEST, min(width, WIDEST)))


def _filled(words: str, width: int, indent: str = "", deeper: str = "  ") -> list[str]:
    """Return words as lines with a hanging indent; non-breaking spaces stay."""
    lines = textwrap.wrap(
        words,
        width,
        initial_indent=indent,
        subsequent_indent=indent + deeper,
        break_on_hyphens=False,
    )
    return [line.replace(HARD, " ") for line in lines]


def _beneath(title: str, caption: str) -> str:
    """Return a caption below a title, '' if both are the same."""
    return "" if caption.casefold() == title.casefold() else caption


class _Text:
    """Draws parts of a diagram as lines of at most a given width."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._say = Phrases("diagram", diagram.language).say

    def whole(self, width: int) -> str:
        diagram = self._diagram
        root = diagram.root
        say = self._say
        players = say("players", number=diagram.players)
        lines = _filled(f"{diagram.title}, {players}", width)
        for kind, phrase in (("variant", "with"), ("bridge", "bridges")):
            titles = [unit.title for unit in diagram.units if unit.kind == kind]
            if titles:
                lines += _filled(say(phrase, titles=", ".join(titles)), width)
        lines = [*lines, ""]
        lines += self._box(root, width) if root.name else self._inside(root, width)
        foot: list[str] = []
        if diagram.removed:
            removed = diagram.removed
            names = ", ".join(f"{e.title} ({diagram.titles(e.by)})" for e in removed)
            foot += _filled(say("removed", names=names), width)
        legend, hands, phases = list[str](), [*diagram.all_hands()], diagram.phases()
        edges = (edge for phase in phases for edge in phase.order)
        if any(each.added for each in hands) or any(edge.by for edge in edges):
            legend.append(f"{ADDED} {say('legend added')}")
        if any(each.changed for each in hands):
            legend.append(f"{CHANGED} {say('legend changed')}")
        if any(phase.drawn for phase in phases):
            legend.append(f"{RELEASED} {say('legend released')}")
        foot += _filled("   ".join(legend), width)
        lines += ["", *foot] if foot else []
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def _marks(self, hands: Hands) -> str:
        """Return the marks of the units that added or changed something."""
        marks = ""
        if hands.added:
            marks += f"  {ADDED} {self._diagram.titles(hands.added)}"
        if hands.changed:
            marks += f"  {CHANGED} {self._diagram.titles(hands.changed)}"
        return marks

    # ---- phases

    def _box(self, phase: DiagramPhase, width: int) -> list[str]:
        room = width - 4
        fits = len(phase.title) + 5 <= width
        lines = _filled(_beneath(phase.title, phase.caption), room)
        if not fits:
            lines = [*_filled(phase.title, room), *lines]
        for words in phase.conditions:
            lines += _filled(words, room)
        if self._marks(phase.hands):
            lines += _filled(self._marks(phase.hands).strip(), room)
        inside = self._inside(phase, room)
        lines += ["", *inside] if lines and inside else inside
        title = f"╭─ {phase.title} " if fits else "╭─"
        return [
            f"{title}{'─' * (width - len(title) - 1)}╮",
            *(f"│ {line.ljust(room)} │" for line in lines),
            f"╰{'─' * (width - 2)}╯",
        ]

    def _inside(self, phase: DiagramPhase, width: int) -> list[str]:
        lines: list[str] = []
        if phase.arrangement is not None:
            lines += self._part(phase, phase.arrangement, width)
        if phase.actions:
            lines += ["", f"{self._say('anywhere', phase=phase.title)}:"]
            for action in phase.actions:
                lines += self._action(action, width)
        if phase.drawn:
            lines += ["", f"{self._say('released')}:"]
        by_whom: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for edge in phase.drawn:
            by_whom.setdefault(edge.by, []).append((edge.before, edge.after))
        for units, edges in by_whom.items():
            for chain in chains(edges):
                way = f" {RELEASED}{HARD}".join(map(phase.title_of, chain))
                words = f"{way}  ({self._diagram.titles(units)})"
                lines += _filled(words, width, "  ")
        return lines

    # ---- contents of a phase

    def _part(self, phase: DiagramPhase, part: Arrangement, width: int) -> list[str]:
        match part:
            case Single(name):
                return self._item(phase.item(name), width)
            case Series(parts):
                lines = self._part(phase, parts[0], width)
                for place, each in enumerate(parts[1:]):
                    edges = [phase.edge(*e) for e in between(parts[place], each)]
                    # The arrow between two parts, with the edges that units added.
                    added: dict[tuple[str, ...], list[DiagramEdge]] = {}
                    for edge in edges:
                        if edge.by:
                            added.setdefault(edge.by, []).append(edge)
                    says, title = [], phase.title_of
                    for units, several in added.items():
                        pairs = (
                            f"{title(edge.before)}{HARD}→{HARD}{title(edge.after)}"
                            for edge in several
                        )
                        which = f": {', '.join(pairs)}" if len(edges) > 1 else ""
                        says.append(f"{ADDED} {self._diagram.titles(units)}{which}")
                    lines += _filled(
                        f"{ARROW} {'; '.join(says)}".rstrip(), width, "    "
                    )
                    lines += self._part(phase, each, width)
                return lines
            case Free(parts):
                inside = [self._part(phase, each, width - 2) for each in parts]
                return self._group(self._say("any order"), inside)
            case Tangle(names):
                # Draw a list of items, each with the items that it waits for.
                shown = []
                for name in names:
                    edges = [edge for edge in phase.order if edge.after == name]
                    lines = self._item(phase.item(name), width - 2)
                    if edges:
                        waits = ", ".join(
                            phase.title_of(edge.before)
                            + (
                                f" ({ADDED} {self._diagram.titles(edge.by)})"
                                if edge.by
                                else ""
                            )
                            for edge in edges
                        )
                        after = self._say("after", names=waits)
                        lines = [*_filled(f"{ARROW} {after}", width - 2), *lines]
                    shown.append(lines)
                return self._group(self._say("some order"), shown)
            case _:
                assert_never(part)

    def _group(self, heading: str, parts: Iterable[list[str]]) -> list[str]:
        lines = [f"{heading}:"]
        for number, part in enumerate(parts):
            lines += ["┆"] if number else []
            lines += [f"┆ {line}" for line in part]
        return lines

    def _item(self, item: Item, width: int) -> list[str]:
        if isinstance(item, DiagramPhase):
            return self._box(item, width)
        says = ", ".join((self._say(item.mode), *item.conditions))
        marks = self._marks(item.hands)
        lines = _filled(f"{item.title}  ({says}){marks}", width, deeper="    ")
        lines += _filled(_beneath(item.title, item.caption), width, "  ")
        for action in item.actions:
            lines += self._action(action, width)
        return lines

    def _action(self, action: DiagramAction, width: int) -> list[str]:
        words = f"{ACTION} {action.caption}{self._marks(action.hands)}"
        return _filled(words, width, "  ", deeper="    ")
