"""Boards that are drawings of the author: safe parts only, and where places are."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.terminal_rows import plain_text
from tests.web.drawing.parsed import StrictPage
from tests.web.serving import open_table, served

import houserule
from houserule.base.resources import Phrases, installed
from houserule.play.seat.drawings import LARGEST, DrawingError, cleaned
from houserule.play.seat.seat_model import SeenBoard
from houserule.play.seat.session import Sitting
from houserule.rulebook.book.book_model import BookDrawing
from houserule.ui.terminal.areas import Areas
from houserule.ui.terminal.line_mode import Spoken
from houserule.ui.terminal.look import Look, lines
from houserule.ui.web.drawing.picture import game_picture

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'
SEA = f"""{HEAD}<rect width="200" height="100" fill="#bfe0ee"/>
<g transform="translate(10 10)"><circle id="north" cx="20" cy="20" r="10"/></g>
<path id="reef" d="M100 40h20v10l-20 0z"/>
<g id="bay"><rect x="150" y="70" width="20" height="10"/><rect x="170" y="80" width="20" height="10"/></g>
</svg>"""  # noqa: E501  # as a drawing program writes it
GAME = {
    "ruleset.yaml": """\
id: isles
version: "1.0"
title: Isles
summary: Two players take isles.
languages: [en]
rules: [game.rules]
boards:
  - title: The sea
    empty: "·"
    draw:
      - {each: Isle, row: row, column: column, mark: "·"}
      - {each: Isle, row: row, column: column, shows: [flag], look: {as: piece}}
    look: {shape: drawing, file: sea.svg}
""",
    "game.rules": """\
game isles "Isles"
players 2..2
type Isle = north(1, 1) | reef(1, 2) | bay(2, 1)
  row: 1..2
  column: 1..2
state flag(i: Isle): Player or none starts as none
winners "All win": players
phase round until (no i in Isle has flag(i) is none), at most 3 times
  phase turn for me in players if (some i in Isle has flag(i) is none)
    step landing "Land on an isle": must act once, if possible
action land(i in Isle) during landing "Land on an isle"
  needs free "The isle must be free": flag(i) is none
  does raise_flag: flag(i) becomes me
""",
    "looks/sea.svg": SEA,
}


@pytest.fixture
def isles(tmp_path: Path) -> Path:
    for name, text in GAME.items():
        file = tmp_path / "isles" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "isles"


def test_places_are_where_their_elements_are() -> None:
    found = cleaned(SEA.encode())
    assert found.boxes == {
        "north": (10, 20, 10, 20),
        "reef": (50, 40, 10, 10),
        "bay": (75, 70, 20, 20),
    }
    assert found.tall == 0.5
    assert not found.dropped


@pytest.mark.parametrize(
    ("path", "box"),
    [
        ("M10 10L30 20", (5, 10, 10, 10)),
        ("m10 10 20 10", (5, 10, 10, 10)),
        ("M10 10H30V20", (5, 10, 10, 10)),
        ("M10,10c0,0 20,0 20,10", (5, 10, 10, 10)),
        ("M10 10a5 5 0 0 1 20 10", (5, 10, 10, 10)),
        ("M10 10h20v10zm50 0h4", (5, 10, 27, 10)),
    ],
)
def test_the_box_of_a_path_has_all_its_points(
    path: str, box: tuple[int, int, int, int]
) -> None:
    text = f'{HEAD}<path id="a" d="{path}"/></svg>'
    assert cleaned(text.encode()).boxes["a"] == box


@pytest.mark.parametrize(
    ("inside", "dropped"),
    [
        ("<script>alert(1)</script>", "script"),
        ('<image href="https://example.org/a.png"/>', "image"),
        ('<use href="#x"/>', "use"),
        ('<foreignObject><b onclick="x()">x</b></foreignObject>', "foreignObject"),
        ("<style>path { fill: url(https://example.org) }</style>", "style"),
        ('<a href="javascript:alert(1)"><path d="M0 0h1"/></a>', "a"),
        ('<animate attributeName="href" values="x"/>', "animate"),
    ],
)
def test_nothing_but_shapes_is_kept(inside: str, dropped: str) -> None:
    found = cleaned(f"{HEAD}{inside}</svg>".encode())
    assert found.dropped == (dropped,)
    assert found.picture.count("<") == 2, found.picture


@pytest.mark.parametrize(
    "given",
    [
        'onload="alert(1)"',
        'onclick="alert(1)"',
        'fill="url(#a)"',
        'fill="url(https://example.org/a)"',
        'style="fill: url(https://example.org/a); behavior: x"',
        'href="https://example.org"',
        'class="a"',
        'filter="url(#b)"',
    ],
)
def test_nothing_but_plain_attributes_is_kept(given: str) -> None:
    found = cleaned(f'{HEAD}<path {given} d="M0 0h1"/></svg>'.encode())
    assert '<path d="M0 0h1"></path>' in found.picture
    assert not found.boxes


def test_numbers_without_bounds_do_no_harm() -> None:
    turns = "rotate(1e999) scale(1e300)" * 3
    inside = f'<g transform="{turns}"><g transform="{turns}"><path id="a" d="M1e999 0H-1e999"/></g></g>'  # noqa: E501
    found = cleaned(f"{HEAD}{inside}</svg>".encode())
    assert all(0 <= each <= 100 for box in found.boxes.values() for each in box)


def test_styles_of_drawing_programs_become_attributes() -> None:
    text = f'{HEAD}<path style="fill:#f00;stroke-width:2" d="M0 0h1"/></svg>'
    assert ' fill="#f00" stroke-width="2"' in cleaned(text.encode()).picture


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"<svg>", "not an SVG"),
        (b"<html/>", "viewBox"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "viewBox"),
        (b'<!DOCTYPE svg [<!ENTITY a "aa">]><svg>&a;</svg>', "entities"),
        (HEAD.encode() + b"<g>" * 6_000 + b"</g>" * 6_000 + b"</svg>", "elements"),
        (b" " * (LARGEST + 1), "kB"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_what_is_no_drawing_is_refused(raw: bytes, says: str) -> None:
    with pytest.raises(DrawingError, match=says):
        cleaned(raw)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("file: sea.svg", "file: lake.svg", "There is no file `looks/lake.svg`."),
        ("file: sea.svg", "file: ../sea.svg", "the name of an SVG in the folder"),
        (", file: sea.svg", "", "the name of an SVG in the folder"),
        ("shape: drawing,", "", "`file` is for a board with `shape: drawing`."),
        ('id="reef"', 'id="riff"', "sea.svg has no element with the id reef, a Isle."),
        ("<rect width", "<script/><rect width", "`script`, which is never drawn."),
    ],
)
def test_check_reports_what_is_wrong(
    isles: Path, old: str, new: str, says: str
) -> None:
    for file in (isles / "ruleset.yaml", isles / "looks/sea.svg"):
        file.write_text(file.read_text().replace(old, new, 1))
    (found,) = houserule.check(isles).diagnostics
    assert found.code == "E038"
    assert says in found.message


def test_a_broken_drawing_is_played_as_squares(isles: Path) -> None:
    (isles / "looks/sea.svg").write_text("<svg>")
    rules = houserule.load(isles).table().rules
    sitting = Sitting.begin(rules, ["random", "random"], seed=1)
    position = sitting.moment(0, "en").position
    (board,) = (area for area in position.areas if area.kind == "board")
    assert board.shape == "squares"
    assert board.drawing == ""


def test_the_page_has_a_place_for_each_element(
    isles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOUSERULE_GAMES", str(isles.parent))
    installed.cache_clear()
    with served(tmp_path) as tables:
        table = open_table(tables, "isles", ["Ann", "Bob"])
        page = StrictPage(table.guests[0].get(table.seats[0]).text)
        spots = page.of_class("spot")
        assert [spot.text.split(":")[0] for spot in spots] == ["North", "Reef", "Bay"]
        assert spots[0].classes[:5] == [
            *("spot", "left-10", "top-20", "wide-10", "high-20")
        ]
        (image,) = (e for e in page.elements if e.tag == "img")
        address = image.attributes["src"]
        shown = tables.guest().get(address)
        assert shown.headers["content-type"] == "image/svg+xml"
        assert "default-src 'none'" in shown.headers["content-security-policy"]
        assert shown.text == cleaned(SEA.encode()).picture
        for wrong in (f"{address}x", address.replace("/0/", "/1/"), "/drawing/nim/0/a"):
            assert tables.guest().get(wrong).status_code == 404
        assert table.post(0, "choose", table.a_move()).status_code == 200
        page = StrictPage(table.part(1))
        taken = page.of_class("spot")[0]
        assert "of Ann" in taken.text
        rules = tables.server.tables._live[table.id].rules
        assert 'id="' not in game_picture(rules, "en")
    installed.cache_clear()


def test_a_terminal_lists_the_places_with_what_lies_there(isles: Path) -> None:
    made = houserule.load(isles).table().sit("ann,bob")
    made.choose(0, 0)
    seen = made.moment(1).position
    sea = next(each for each in seen.areas if isinstance(each, SeenBoard))
    look, words = Look(seen.seats), Phrases("terminal", "en")
    for width in (12, 80):
        shown = plain_text(lines(Areas(look, words).draw(sea), width))
        for place in ("North: ● A", "Reef: ·", "Bay: ·"):
            assert place in shown
    said = [*Spoken(words, {0: "ann", 1: "bob"}).area(sea)]
    assert said[1:4] == ["North: A (ann).", "Reef: ·.", "Bay: ·."]


def test_a_book_prints_the_drawing_with_the_names_of_places(isles: Path) -> None:
    book = houserule.load(isles).table().rulebook()
    drawing = next(
        block
        for section in book.every_section()
        for block in section.blocks
        if isinstance(block, BookDrawing)
    )
    assert drawing.text == "North: ·\nReef: ·\nBay: ·"
    assert "#bfe0ee" in drawing.svg
    for place in ("North", "Reef", "Bay"):
        assert f">{place}</text>" in drawing.svg
