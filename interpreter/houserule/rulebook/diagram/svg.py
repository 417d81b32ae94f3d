"""A diagram as SVG: nested boxes and arrows; house rules in colour and words.

Every box has a tooltip with its caption and sources. The colours follow the reader's
preference, light or dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import assert_never

from houserule.base.resources import Phrases
from houserule.rulebook.diagram.boxes import (
    ARCH,
    ARROW,
    LINE,
    PAD,
    PALETTE,
    Box,
    Point,
    TextLine,
    framed,
    in_rows,
    nothing,
    stacked,
    style_of,
    wrapped,
)
from houserule.rulebook.diagram.diagram_model import (
    Arrangement,
    Diagram,
    DiagramAction,
    DiagramEdge,
    DiagramPhase,
    DiagramStep,
    Free,
    Hands,
    Item,
    Series,
    Single,
    Tangle,
    between,
    chains,
)

STEP_COLUMNS, PHASE_COLUMNS, RADIUS = 34, 76, 8
LABEL, SMALL = 12.0, 12.0  # distance of a label from its arrow; its line height


def as_svg(diagram: Diagram) -> str:
    """Return the diagram as one SVG document, with or without ids of house rules."""
    return _Svg(diagram).whole()


def _tag(name: str, content: str = "", **attributes: str | float) -> str:
    """Return an element; names of attributes have `_` for `-` and at their end."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for key, value in attributes.items()
        if value != ""
    )
    return f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>"


def _rectangle(box: Box, look: str) -> str:
    return _tag(
        "rect",
        class_=look,
        x=box.x,
        y=box.y,
        width=box.width,
        height=box.height,
        rx=RADIUS,
    )


def _short(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def _title(*lines: str) -> str:
    return _tag("title", escape("\n".join(line for line in lines if line), quote=False))


class _Svg:
    """Draws one diagram."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._say = Phrases("diagram", diagram.language).say
        self._titles = {
            item.name: item.title
            for phase in diagram.phases()
            for item in (phase, *phase.items)
        }
        self._numbers = {
            unit.id: n % len(PALETTE) + 1 for n, unit in enumerate(diagram.units)
        }
        self._boxes: dict[str, Box] = {}
        self._under: list[Callable[[], list[str]]] = []  # below the boxes
        self._over: list[Callable[[], list[str]]] = []

    def whole(self) -> str:
        root = self._diagram.root
        content = self._phase(root) if root.name else self._content(root)
        diagram, say = self._diagram, self._say
        players = say("players", number=diagram.players)
        head = [TextLine(f"{diagram.title}, {players}", "name")]
        legend = [
            TextLine(f"+ {say('legend added')}", "quiet"),
            TextLine(f"~ {say('legend changed')}", "quiet"),
        ]
        if any(phase.drawn for phase in diagram.phases()):
            legend.append(TextLine(f"┄▸ {say('legend released')}", "quiet"))
        for unit in diagram.units:
            called = f"{unit.title} ({unit.id})"
            legend.append(TextLine(f"■ {called}", self._look([unit.id])))
        for each in diagram.removed:
            words = say("removed", names=each.title)
            legend.append(TextLine(f"{words} ({diagram.titles(each.by)})", "quiet"))
        if not diagram.units:
            legend = [TextLine(say("base"), "quiet")]
        parts = [
            framed(head, None, lambda box: self._texts(box, head)),
            *([content] if content else []),
            framed(legend, None, lambda box: self._texts(box, legend)),
        ]
        page = stacked(parts, PAD * 2)
        page.place(PAD * 2, PAD * 2)
        width, height = page.width + PAD * 4, page.height + PAD * 4
        under = [line for draw in self._under for line in draw()]
        over = [line for draw in self._over for line in draw()]
        ground = _tag("rect", width=width, height=height, class_="ground")
        body = [ground, *under, *page.drawn(), *over]
        size = f'width="{_short(width)}" height="{_short(height)}"'
        view = f'viewBox="0 0 {_short(width)} {_short(height)}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} role="img">',
                _title(self._diagram.title),
                style_of(len(self._diagram.units)),
                *body,
                "</svg>\n",
            ]
        )

    # ---- phases

    def _phase(self, phase: DiagramPhase) -> Box:
        lines = [
            TextLine(phase.title, "name"),
            *wrapped(phase.caption, "text", PHASE_COLUMNS),
        ]
        for words in phase.conditions:
            lines += wrapped(words, "quiet", PHASE_COLUMNS)
        lines += self._marks(phase.hands, PHASE_COLUMNS)
        below = [line for a in phase.actions for line in self._action(a, 60)]
        if below:
            heading = self._say("anywhere", phase=phase.title)
            below.insert(0, TextLine(f"{heading}:", "quiet"))
        self._under += [self._dashed(edge) for edge in phase.drawn]
        released: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for edge in phase.drawn:
            released.setdefault(edge.by, []).append((edge.before, edge.after))
        if released:
            below.append(TextLine(f"{self._say('released')}:", "quiet"))
        for units, edges in released.items():
            for chain in chains(edges):
                way = " ┄▸ ".join(map(phase.title_of, chain))
                words = f"{way} ({self._diagram.titles(units)})"
                below += wrapped(words, self._look(units), PHASE_COLUMNS, "  ")

        def paint(box: Box) -> list[str]:
            foot = box.height - PAD - len(below) * LINE
            return self._frame(
                box,
                phase,
                "phase",
                [*self._texts(box, lines), *self._texts(box, below, foot)],
            )

        box = framed(lines, self._content(phase), paint, below)
        self._boxes[phase.name] = box
        return box

    def _content(self, phase: DiagramPhase) -> Box | None:
        if phase.arrangement is None:
            return None
        return self._part(phase, phase.arrangement)

    def _frame(
        self, box: Box, item: Item, kind: str, inside: Iterable[str]
    ) -> list[str]:
        hands = item.hands
        look = f"{kind} {self._look(hands.added)}".strip()
        if hands.changed and not hands.added:
            look += " changed"
        rect = _rectangle(box, look)
        tooltip = _title(item.title, item.caption, *item.cites)
        mark = f'class="{kind}-group" data-{kind}="{escape(item.name)}"'
        return [f"<g {mark}>", tooltip, rect, *inside, "</g>"]

    # ---- parts of a phase

    def _part(self, phase: DiagramPhase, part: Arrangement) -> Box:
        match part:
            case Single(name):
                item = phase.item(name)
                return (
                    self._step(item)
                    if isinstance(item, DiagramStep)
                    else self._phase(item)
                )
            case Series(parts):
                boxes = [self._part(phase, each) for each in parts]
                room, gap = 0.0, ARROW
                for place, each in enumerate(parts[1:]):
                    edges = [phase.edge(*edge) for edge in between(parts[place], each)]
                    room = max(room, self._room(edges))
                    gap = max(gap, ARROW + (len(self._labels(edges)) - 2) * SMALL)
                    arrow = self._arrow(boxes[place], boxes[place + 1], edges)
                    self._over.append(arrow)
                return stacked(boxes, gap, room)
            case Free(parts):
                inside = in_rows([self._part(phase, each) for each in parts])
                return self._group("any order", inside)
            case Tangle(names):
                # In layers, each item below those that it waits for.
                layer: dict[str, int] = {}
                for name in names:
                    earlier = [layer[a] + 1 for a, b in part.edges if b == name]
                    layer[name] = max(earlier, default=0)
                by_name = {name: self._part(phase, Single(name)) for name in names}
                room = 0.0
                for edge in (phase.edge(*each) for each in sorted(part.edges)):
                    one, other = by_name[edge.before], by_name[edge.after]
                    self._over.append(self._arrow(one, other, [edge]))
                    room = max(room, self._room([edge]))
                rows = [
                    in_rows([by_name[name] for name in names if layer[name] == number])
                    for number in range(max(layer.values()) + 1)
                ]
                widest = max(row.width for row in rows)
                layers = stacked(rows, ARROW * 1.5, widest + room)
                return self._group("some order", layers)
            case _:
                assert_never(part)

    def _group(self, phrase: str, inside: Box) -> Box:
        lines = [TextLine(self._say(phrase), "quiet")]
        inside = stacked([Box(0.0, 0.0, nothing), inside], ARCH)

        def paint(box: Box) -> list[str]:
            return [_rectangle(box, "group"), *self._texts(box, lines)]

        return framed(lines, inside, paint)

    def _step(self, step: DiagramStep) -> Box:
        says = ", ".join((self._say(step.mode), *step.conditions))
        lines = [TextLine(step.title, "name"), *wrapped(says, "quiet", STEP_COLUMNS)]
        lines += self._marks(step.hands, STEP_COLUMNS)
        lines += wrapped(step.caption, "text", STEP_COLUMNS)
        heads = [len(lines)]
        actions: list[list[TextLine]] = []
        for action in step.actions:
            actions.append(self._action(action, STEP_COLUMNS))
            heads.append(heads[-1] + len(actions[-1]))
        every = [*lines, *(line for each in actions for line in each)]

        def paint(box: Box) -> list[str]:
            texts = self._texts(box, lines)
            for action, rows, head in zip(step.actions, actions, heads, strict=False):
                tooltip = _title(action.caption, *action.cites)
                down = PAD + head * LINE
                mark = f'<g data-action="{escape(action.name)}">'
                texts += [mark, tooltip, *self._texts(box, rows, down), "</g>"]
            return self._frame(box, step, "step", texts)

        box = framed(every, None, paint)
        self._boxes[step.name] = box
        return box

    # ---- words

    def _action(self, action: DiagramAction, columns: int) -> list[TextLine]:
        lines = wrapped(f"• {action.caption}", "text", columns, "   ")
        return lines + self._marks(action.hands, columns, "   ")

    def _marks(self, hands: Hands, columns: int, indent: str = "") -> list[TextLine]:
        lines: list[TextLine] = []
        for sign, units in (("+", hands.added), ("~", hands.changed)):
            if units:
                words = f"{sign} {self._diagram.titles(units)}"
                some = wrapped(words, self._look(units), columns, "  ")
                lines += [TextLine(indent + each.text, each.look) for each in some]
        return lines

    def _look(self, units: Sequence[str]) -> str:
        return f"unit{self._numbers[units[0]]}" if units else ""

    def _texts(
        self, box: Box, lines: Sequence[TextLine], down: float = PAD
    ) -> list[str]:
        return [
            _tag(
                "text",
                escape(line.text, quote=False),
                x=box.x + PAD + (len(line.text) - len(line.text.lstrip())) * 4.0,
                y=box.y + down + (number + 0.75) * LINE,
                class_=f"words {line.look}",
            )
            for number, line in enumerate(lines)
        ]

    # ---- arrows

    def _pair(self, edge: DiagramEdge, arrow: str = "→") -> str:
        return f"{self._titles[edge.before]} {arrow} {self._titles[edge.after]}"

    def _room(self, edges: Sequence[DiagramEdge]) -> float:
        """Return how much width the labels of an arrow add."""
        widths = [TextLine(text, "small").width for text, _ in self._labels(edges)]
        return 2 * (LABEL + max(widths)) if widths else 0.0

    def _labels(self, edges: Iterable[DiagramEdge]) -> list[tuple[str, str]]:
        """Return the edges that units added, as texts with their styles."""
        several = list(edges)
        added: dict[tuple[str, ...], list[str]] = {}
        for edge in several:
            if edge.by:
                added.setdefault(edge.by, []).append(self._pair(edge))
        labels = []
        for units, pairs in added.items():
            which = f": {', '.join(pairs)}" if len(several) > 1 else ""
            labels.append(
                (f"+ {self._diagram.titles(units)}{which}", self._look(units))
            )
        return labels

    def _arrow(
        self, one: Box, other: Box, edges: Sequence[DiagramEdge]
    ) -> Callable[[], list[str]]:
        """Return the function that draws the arrow between two boxes."""

        def draw() -> list[str]:
            labels = self._labels(edges)
            due = len(labels) == 1 and all(edge.by for edge in edges)
            unit = labels[0][1] if due else ""
            pairs = [f"{edge.before} → {edge.after}" for edge in edges]
            tooltip = _title(*map(self._pair, edges), *(text for text, _ in labels))
            start, end = one.bottom, other.top
            middle = (start[1] + end[1]) / 2
            bend = _points((start[0], middle), (end[0], middle), (end[0], end[1] - 6))
            path = _tag(
                "path", d=f"M {_points(start)} C {bend}", class_=f"edge {unit}".strip()
            )
            x, y = end
            d = f"M {_points((x - 5, y - 9))} L {_points((x, y), (x + 5, y - 9))} Z"
            tip = _tag("path", d=d, class_=f"tip {unit}".strip())
            x, y = start[0] + LABEL, (start[1] + end[1]) / 2 + 2
            down = (len(labels) - 1) * SMALL / 2
            texts = [
                _tag("text", escape(text, quote=False), x=x,
                     y=y - down + number * SMALL, class_=f"words small {look}")
                for number, (text, look) in enumerate(labels)
            ]  # fmt: skip
            marks = f'class="order" data-order="{escape("; ".join(pairs))}"'
            return [f"<g {marks}>", tooltip, path, tip, *texts, "</g>"]

        return draw

    def _dashed(self, edge: DiagramEdge) -> Callable[[], list[str]]:
        """Return the function that draws a released edge after the layout."""

        def draw() -> list[str]:
            one, other = self._boxes[edge.before], self._boxes[edge.after]
            pair = f"{edge.before} ┄▸ {edge.after}"
            says = f"{self._say('released')}: {self._diagram.titles(edge.by)}"
            shown = self._pair(edge, "┄▸")
            look = f"released {self._look(edge.by)}"
            # An arc over adjacent boxes, else a line.
            if one.y < other.y + other.height and other.y < one.y + one.height:
                start, end = one.top, other.top
                height = min(start[1], end[1]) - ARCH * 1.8
                bend = _points((start[0], height), (end[0], height), end)
                d = f"M {_points(start)} C {bend}"
            elif other.y > one.y:
                d = f"M {_points(one.bottom)} L {_points(other.top)}"
            else:
                d = f"M {_points(one.top)} L {_points(other.bottom)}"
            path = _tag("path", d=d, class_=look)
            marks = f'class="order" data-released="{escape(pair)}"'
            return [f"<g {marks}>", _title(shown, says), path, "</g>"]

        return draw


def _points(*points: Point) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
