"""Each form of a drawing holds all of it: names once, the order, what was released."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.diagram.tables import CASES, Case, actions_of, drawing, steps_of

from houserule.base.algebra.graph import Edge as Pair
from houserule.compiler.merge.order import closed
from houserule.rulebook.diagram.diagram_model import (
    Diagram,
    DiagramAction,
    DiagramEdge,
    DiagramPhase,
    DiagramStep,
    DiagramUnit,
    Hands,
    Item,
    arranged,
    direct,
)
from houserule.rulebook.diagram.forms import DiagramReport, report
from houserule.rulebook.diagram.mermaid import as_markdown, as_mermaid, escaped
from houserule.rulebook.diagram.svg import as_svg
from houserule.rulebook.diagram.text import as_text

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"
FAIR = Case("fair", "evening")


def tangled() -> Diagram:
    """Return a drawing with a tangle, texts of every kind, and a released edge."""
    names = ("a", "b", "c", "d")
    order = closed([("a", "c"), ("b", "c"), ("b", "d")])
    edges = tuple(DiagramEdge(*pair, ("more",)) for pair in sorted(direct(order)))
    odd = '"<b>|[(x)]&#35;; `c` %% end' + " word" * 14 + " " + "long" * 24
    hands = Hands(("more",))
    steps = tuple(
        DiagramStep(name, name, odd, "any number", (), (), hands, ("“x” & y",))
        for name in names
    )
    action = DiagramAction("act", f"act: {odd}", Hands((), ("more",)), ())
    whole = DiagramPhase(
        name="",
        title="",
        caption="",
        conditions=(),
        actions=(),
        items=(
            DiagramPhase(
                name="turn",
                title="turn",
                caption=odd,
                conditions=(odd,),
                actions=(action,),
                items=steps,
                arrangement=arranged(names, order),
                order=edges,
                released=(DiagramEdge("a", "d", ("more",)),),
                drawn=(DiagramEdge("a", "d", ("more",)),),
                hands=Hands(),
                cites=(),
            ),
        ),
        arrangement=arranged(("turn",), frozenset()),
        order=(),
        released=(),
        drawn=(),
        hands=Hands(),
        cites=(),
    )
    unit = DiagramUnit("more", "variant", '"More" <i>|[&]')
    return Diagram("t", odd, 2, "en", (unit,), whole, ())


DRAWINGS = [*CASES, "tangled"]


@pytest.fixture
def diagram(request: pytest.FixtureRequest) -> Diagram:
    """Return the drawing of a case, or one like no game has."""
    case: Case | str = request.param
    return tangled() if isinstance(case, str) else drawing(case)[0]


def by_names(diagram: Diagram) -> Diagram:
    """Return a drawing in which everything is called by its name in the rules."""

    def action(each: DiagramAction) -> DiagramAction:
        return replace(each, caption=f"{each.name}: {each.caption}")

    def item(each: Item) -> Item:
        actions = tuple(map(action, each.actions))
        if isinstance(each, DiagramStep):
            return replace(each, title=each.name, actions=actions)
        return phase(each)

    def phase(each: DiagramPhase) -> DiagramPhase:
        return replace(
            each,
            title=each.name,
            actions=tuple(map(action, each.actions)),
            items=tuple(map(item, each.items)),
        )

    return replace(diagram, root=phase(diagram.root))


every_drawing = pytest.mark.parametrize("diagram", DRAWINGS, indirect=True, ids=str)


def pairs_of(edges: tuple[DiagramEdge, ...]) -> set[Pair]:
    return {(edge.before, edge.after) for edge in edges}


def order_of(diagram: Diagram) -> set[Pair]:
    return {pair for phase in diagram.phases() for pair in pairs_of(phase.order)}


def drawn_of(diagram: Diagram) -> set[Pair]:
    return {pair for phase in diagram.phases() for pair in pairs_of(phase.drawn)}


def names_in(diagram: Diagram) -> list[str]:
    return sorted(phase.name for phase in diagram.phases() if phase.name)


def steps_in(diagram: Diagram) -> list[str]:
    return sorted(step.name for step in steps_of(diagram))


def actions_in(diagram: Diagram) -> list[str]:
    return sorted(action.name for action in actions_of(diagram))


# ---- text


@every_drawing
@pytest.mark.parametrize("width", [100, 80, 60])
def test_text_holds_everything_once(diagram: Diagram, width: int) -> None:
    text = as_text(by_names(diagram), width)
    assert max(map(len, text.split("\n"))) <= width
    assert sorted(re.findall(r"╭─ (\w+) ─", text)) == names_in(diagram)
    steps = re.findall(r"^[│┆ ]*(\w+)  \(", text, re.MULTILINE)
    assert sorted(steps) == steps_in(diagram)
    actions = re.findall(r"^[│┆ ]*• (\w+)", text, re.MULTILINE)
    assert sorted(actions) == actions_in(diagram)


@every_drawing
def test_text_shows_what_is_released(diagram: Diagram) -> None:
    text = as_text(by_names(diagram))
    told: set[Pair] = set()
    for chain in re.findall(r"\w+(?: ┄▸ \w+)+", text):
        told |= set(pairwise(chain.split(" ┄▸ ")))
    assert told == drawn_of(diagram)


def boxes(text: str) -> list[str]:
    """Return the lines of a text without what frames the boxes."""
    return [re.sub(r"^[│ ]*|[│ ]*$", "", line) for line in text.split("\n")]


def test_text_has_arrows_between_parts_and_groups_without_order() -> None:
    lines = boxes(as_text(drawing(FAIR, "en", "turn")[0]))
    begin = lines.index("in any order:")
    assert lines[begin - 1] == "↓ + Auction: Rolling → Haggling"
    assert lines[begin + 1] == "┆ Buying  (any number)"
    group = lines[begin:]
    assert group.index("┆     ↓") < group.index(
        "┆ Counting  (by itself, if you have at least 1 coin)"
    )
    assert "┆     ↓ + Auction" in group


def test_text_notes_the_order_of_a_tangle() -> None:
    lines = as_text(tangled()).replace("\n", " ")
    assert "in order as noted" in lines
    assert re.search(r"↓ after a \(\+.*?b \(\+", lines)


# ---- Mermaid


@every_drawing
def test_mermaid_holds_everything_once(diagram: Diagram) -> None:
    text = as_mermaid(by_names(diagram))
    assert text.startswith("flowchart TD\n")
    phases = re.findall(r"^ *subgraph phase_(\w+)\[", text, re.MULTILINE)
    assert sorted(phases) == names_in(diagram)
    steps = re.findall(r'^ *step_(\w+)\["', text, re.MULTILINE)
    assert sorted(steps) == steps_in(diagram)
    actions = re.findall(r"<br/>• (\w+)", text)
    assert sorted(actions) == actions_in(diagram)
    assert len(re.findall(r"^ *subgraph ", text, re.MULTILINE)) == len(
        re.findall(r"^ *end$", text, re.MULTILINE)
    )


@every_drawing
def test_mermaid_links_are_the_order(diagram: Diagram) -> None:
    text = as_mermaid(diagram)
    link = r'(?:phase|step)_(\w+) {}(?:\|"[^"]*"\|)? (?:phase|step)_(\w+)'
    assert set(re.findall(link.format("-->"), text)) == order_of(diagram)
    assert set(re.findall(link.format(r"-\.->"), text)) == drawn_of(diagram)


@every_drawing
def test_mermaid_labels_hold_nothing_that_it_would_read(diagram: Diagram) -> None:
    for label in re.findall(r'"([^"]*)"', as_mermaid(diagram)):
        bare = re.sub(r"</?[bi]>|<br/>|#\d+;", "", label)
        assert not set(bare) & set('<>#&"|`[]{}%')
    assert as_mermaid(diagram).count('"') % 2 == 0


def test_mermaid_escapes() -> None:
    assert escaped('a "b" <c> #1; d') == "a #34;b#34; #60;c#62; #35;1; d"
    assert escaped("Über „x“ – 3 × 4") == "Über „x“ – 3 × 4"


def test_mermaid_styles_belong_to_links_of_units() -> None:
    diagram = drawing(FAIR)[0]
    lines = as_mermaid(diagram).split("\n")
    links = [line for line in lines if "-->" in line or "-.->" in line]
    styled = [int(found[1]) for line in lines if (found := LINK.search(line))]
    assert styled == [n for n, line in enumerate(links) if '|"' in line]
    assert styled


LINK = re.compile(r"linkStyle (\d+) stroke:#")


def test_markdown_is_a_page_with_a_flowchart() -> None:
    diagram = drawing(FAIR)[0]
    page = as_markdown(diagram)
    assert page.startswith("# Fair, 2 players\n")
    assert f"```mermaid\n{as_mermaid(diagram)}```\n" in page


# ---- SVG


def parsed(diagram: Diagram) -> ElementTree.Element:
    root = ElementTree.fromstring(as_svg(diagram))
    assert root.tag == f"{SVG}svg"
    return root


def marked(root: ElementTree.Element, mark: str) -> list[str]:
    return [each.attrib[mark] for each in root.iter(f"{SVG}g") if mark in each.attrib]


@every_drawing
def test_svg_holds_everything_once(diagram: Diagram) -> None:
    root = parsed(by_names(diagram))
    assert sorted(marked(root, "data-phase")) == names_in(diagram)
    assert sorted(marked(root, "data-step")) == steps_in(diagram)
    at_phases = [a.name for phase in diagram.phases() for a in phase.actions]
    at_steps = marked(root, "data-action")
    assert sorted([*at_steps, *at_phases]) == actions_in(diagram)
    words = [each.text or "" for each in root.iter(f"{SVG}text")]
    for name in actions_in(diagram):
        assert sum(bool(re.match(rf"\s*• {name}\b", each)) for each in words) == 1


@every_drawing
def test_svg_arrows_are_the_order(diagram: Diagram) -> None:
    root = parsed(diagram)
    told = [
        tuple(pair.split(" → "))
        for arrow in marked(root, "data-order")
        for pair in arrow.split("; ")
    ]
    assert len(told) == len(set(told))
    assert set(told) == order_of(diagram)
    dashed = marked(root, "data-released")
    assert {tuple(pair.split(" ┄▸ ")) for pair in dashed} == drawn_of(diagram)
    loose = [p for p in root.iter(f"{SVG}path") if "released" in p.attrib["class"]]
    assert len(loose) == len(dashed)


@every_drawing
def test_svg_boxes_lie_apart_or_inside_one_another(diagram: Diagram) -> None:
    root = parsed(diagram)
    found = [
        tuple(float(rect.attrib.get(key, "0")) for key in ("x", "y", "width", "height"))
        for rect in root.iter(f"{SVG}rect")
    ]
    for number, (x, y, width, height) in enumerate(found):
        assert x >= 0
        assert y >= 0
        for left, top, wide, high in found[number + 1 :]:
            inside = x <= left and left + wide <= x + width and y <= top
            inside = inside and top + high <= y + height
            apart = left >= x + width or x >= left + wide
            apart = apart or top >= y + height or y >= top + high
            assert inside or apart


@every_drawing
def test_svg_words_lie_in_the_picture(diagram: Diagram) -> None:
    root = parsed(diagram)
    width, height = (float(root.attrib[key]) for key in ("width", "height"))
    for each in root.iter(f"{SVG}text"):
        end = float(each.attrib["x"]) + 5 * len(each.text or "")
        assert end <= width
        assert 0 < float(each.attrib["y"]) < height


@every_drawing
def test_svg_boxes_have_tooltips(diagram: Diagram) -> None:
    root = parsed(diagram)
    tips = {
        group.attrib["data-step"]: group.findtext(f"{SVG}title") or ""
        for group in root.iter(f"{SVG}g")
        if "data-step" in group.attrib
    }
    for step in steps_of(diagram):
        assert step.caption in tips[step.name]
        assert all(cite in tips[step.name] for cite in step.cites)


def test_svg_knows_light_and_dark() -> None:
    style = parsed(drawing(FAIR)[0]).findtext(f"{SVG}style") or ""
    light, _, dark = style.partition("@media (prefers-color-scheme:dark)")
    looks = re.findall(r"(\.[\w.,]+)\{(?:fill|stroke):#", light)
    assert looks
    assert all(look in dark for look in looks)


# ---- data


@every_drawing
def test_the_report_keeps_its_schema(diagram: Diagram) -> None:
    found = report(diagram).model_dump()
    schema = DiagramReport.model_json_schema()
    assert not list(Draft202012Validator(schema).iter_errors(found))
    assert DiagramReport.model_validate(found) == report(diagram)


# ---- golden files


GOLDEN_FILES: dict[str, Callable[[], str]] = {
    "fair.txt": lambda: as_text(drawing(FAIR)[0]),
    "fair-80.txt": lambda: as_text(drawing(FAIR)[0], 80),
    "fair-turn-de.txt": lambda: as_text(drawing(FAIR, "de", "turn")[0], 80),
    "fair-base.txt": lambda: as_text(drawing(Case("fair"))[0], 80),
    "fair-rain.txt": lambda: as_text(drawing(CASES[2])[0], 80),
    "fair.mmd": lambda: as_mermaid(drawing(FAIR)[0]),
    "fair.svg": lambda: as_svg(drawing(FAIR)[0]),
    "tangled.txt": lambda: as_text(tangled(), 80),
    "tangled.mmd": lambda: as_mermaid(tangled()),
    "tangled.svg": lambda: as_svg(tangled()),
}


@pytest.mark.parametrize("name", GOLDEN_FILES)
def test_golden(name: str) -> None:
    found, path = GOLDEN_FILES[name](), GOLDEN / name
    if os.environ.get("HOUSERULE_BLESS"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


def test_every_golden_file_is_compared() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(GOLDEN_FILES)
