"""The page of a seat holds all of its moment, and works by links and forms alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest
from pydantic import BaseModel
from tests.support.sampling import spread
from tests.web.drawing.parsed import Element, StrictPage
from tests.web.drawing.tables import (
    BASE,
    GAMES,
    LANGUAGES,
    asked,
    chooser,
    sitting,
    view,
    ways,
)

import houserule
from houserule.play.seat.choosing import Chooser, Touched
from houserule.play.seat.reasons.why import why
from houserule.play.seat.seat_model import (
    SHOWN,
    Moment,
    SeenArea,
    SeenBoard,
    StepOption,
    WhyMove,
)
from houserule.ui.palette import NAMED
from houserule.ui.web.drawing import SeatPage, table_page, table_part
from houserule.ui.web.drawing.pointing import touched_in
from houserule.ui.web.drawing.tale import BLOCK, LATEST
from houserule.ui.web.store import ChatLine
from houserule.ui.web.templating import static_file

MOMENTS = (0, 17, 60)
NO_TEXT = {
    "key",
    "keys",
    "kind",
    "colour",
    "area",
    "piece",
    "path",
    "about",
    "log",
    "undo",
    "look",
    "drawing",
    "arrangement",
    "heap",
    "short",
    "shape",
    "slant",
    "side",
}
HOSTILE = "<script>alert('x')</script>\"&"
UNSEEN = "\u202e"  # turns the order of writing round


def shown_views(game: str, language: str) -> Iterator[SeatPage]:
    """Yield what the person and all others are shown at a few moments."""
    for decisions in MOMENTS:
        made = asked(sitting(game, decisions))
        for path in ways(made, 3):
            yield view(made, path, language)
        yield view(made, language=language, viewer=None)


def texts_of(value: object) -> Iterator[str]:
    """Yield every text of a value of the seat that people are to read."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            if name not in NO_TEXT:
                yield from texts_of(getattr(value, name))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from texts_of(each)


def without_unused(moment: Moment) -> Moment:
    """Return a moment without the columns of charts in which nothing stands.

    Of what ended a game a page holds the lines that all faces say of it, and its
    heading says who won.
    """
    areas: list[SeenArea] = []
    for area in moment.position.areas:
        if area.kind == "chart":
            used = [
                at
                for at in range(len(area.columns))
                if any(row.cells[at].text for row in area.rows)
            ]
            columns = tuple(area.columns[at] for at in used)
            areas.append(area.model_copy(update={"columns": columns}))
        elif area.kind == "board":
            areas.append(_without_pictures(area))
        else:
            areas.append(area)
    position = moment.position.model_copy(update={"areas": tuple(areas)})
    ended = moment.ended and moment.ended.model_copy(update={"clauses": ()})
    heading = "" if ended else moment.heading
    return moment.model_copy(
        update={
            "position": position,
            "choice": None,
            "ended": ended,
            "heading": heading,
        }
    )


def _without_pictures(board: SeenBoard) -> SeenBoard:
    """Return a board without the texts that its picture replaces."""
    cells = tuple(
        tuple(tuple(each for each in cell if each.look is None) for cell in row)
        for row in board.cells
    )
    drawn = any(row != bare for row, bare in zip(board.cells, cells, strict=True))
    heads = board.row_heads if board.shape == "squares" else ()
    texts = {"cells": cells, "grounds": (), "row_heads": heads, "drawing": ""}
    legend = () if drawn else board.legend
    return board.model_copy(update={**texts, "legend": legend})


def doing(page: StrictPage, option: StepOption) -> list[Element]:
    """Return the links and buttons of the choice that have the label of an option."""
    return [
        each
        for each in page.of_class("do")
        if re.search(rf"^\d* ?{re.escape(' '.join(option.label.split()))}", each.text)
        and (each.attributes.get("value") or each.attributes["href"])
        and option.key in keys_of(each)[-1:]
    ]


def keys_of(element: Element) -> list[str]:
    if element.tag == "button":
        return [element.attributes["value"]]
    query = parse_qsl(urlsplit(element.attributes["href"]).query)
    return [key for name, key in query if name == "path"]


@pytest.mark.parametrize(
    ("game", "language"),
    spread(
        [(game, language) for game in GAMES for language in LANGUAGES],
        17,
        name="-".join,
    ),
)
def test_a_page_holds_everything(game: str, language: str) -> None:
    for shown in shown_views(game, language):
        page = StrictPage(table_page(shown))
        for text in texts_of(without_unused(shown.moment)):
            assert " ".join(text.split()) in page.text, text
        for line in shown.log[-LATEST:]:
            assert line.strip() in page.text
        if shown.step is None:
            continue
        for text in (shown.step.asks, *shown.step.said):
            assert " ".join(text.split()) in page.text, text
        for option in (*shown.step.options, *shown.step.closed):
            assert len(doing(page, option)) == 1, option
            for advice in option.advice:
                assert advice in page.text
        holds_to_the_policy(page)


def holds_to_the_policy(page: StrictPage) -> None:
    """Hold that nothing is in a page that its policy forbids, and ids are unique."""
    ids = [each.attributes["id"] for each in page.elements if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    for each in page.elements:
        assert each.tag != "style"
        assert not any(name.startswith("on") for name in each.attributes)
        assert "style" not in each.attributes
        for name in ("href", "src", "action"):
            assert not each.attributes.get(name, "").startswith(("data:", "javascript"))
        if each.tag == "script":
            assert each.attributes["src"]
            assert not each.text
    assert sum(each.tag == "h1" for each in page.elements) == 1


@pytest.mark.parametrize("game", spread(GAMES, 4, needed="x_pasch".__eq__))
def test_links_and_forms_lead_on(game: str) -> None:
    made = asked(sitting(game, 17))
    for path in ways(made, 3):
        shown = view(made, path)
        if shown.step is None:
            continue
        page = StrictPage(table_page(shown))
        hidden = [
            (each.attributes["name"], each.attributes["value"])
            for each in page.elements
            if each.attributes.get("type") == "hidden"
        ]
        assert ("version", str(shown.version)) in hidden
        assert [key for name, key in hidden if name == "path"] == list(shown.step.path)
        for option in shown.step.options:
            (does,) = doing(page, option)
            gone = (*shown.step.path, option.key)
            if option.complete:
                assert chooser(made, "en").choice(gone) is not None
                assert (does.tag, does.attributes["name"]) == ("button", "path")
            else:
                assert tuple(keys_of(does)) == gone
        for closed in shown.step.closed:
            (asks,) = doing(page, closed)
            assert ("why", "1") in parse_qsl(urlsplit(asks.attributes["href"]).query)


def test_what_an_option_is_about_can_be_clicked() -> None:
    shown = view(asked(sitting("hex_board", 4)), ("put",))
    page = StrictPage(table_page(shown))
    assert shown.step is not None
    cells = {each.attributes["value"]: each for each in ways_in(page)}
    assert set(cells) == {option.key for option in shown.step.options}
    assert {each.attributes["form"] for each in cells.values()} == {"choose"}


def test_a_step_with_one_option_is_passed() -> None:
    shown = view(asked(sitting("hex_board", 4)))
    assert shown.step is not None
    assert shown.step.path == ("put",)
    assert shown.before is None
    page = StrictPage(table_page(shown))
    assert len(ways_in(page)) == len(shown.step.options)
    assert "one step back" not in page.text.replace("Escone step back", "")


def test_a_choice_begins_with_the_thing_it_is_about() -> None:
    """At a step of several actions, a click on a thing takes it and its action."""
    shown = view(asked(sitting("x_pasch", 17)))
    assert shown.step is not None
    shortcuts = {each.key: each for each in shown.step.shortcuts}
    assert shortcuts
    assert not {each.key for each in shown.step.options} & shortcuts.keys()
    page = StrictPage(table_page(shown))
    opened = {keys_of(each)[-1] for each in page.of_class("open") if keys_of(each)}
    assert opened & shortcuts.keys()
    listed = " ".join(each.text for each in page.of_class("do"))
    assert not [each.label for each in shortcuts.values() if each.label in listed]


def test_cards_and_dice_are_pictures_with_names() -> None:
    page = StrictPage(table_page(view(asked(sitting("hearts", 17)))))
    faces = page.of_class("face")
    assert len(faces) == len(page.of_class("playing-card")) >= 3
    assert {"ink-red", "ink-black"} >= {
        name for each in faces for name in each.attributes["class"].split()[1:]
    }
    assert "ten of diamonds" in page.text.lower()
    dice = StrictPage(table_page(view(asked(sitting("x_pasch", 17))))).of_class("die")
    inks = {name for each in dice for name in each.attributes["class"].split()[1:]}
    assert inks <= {"ink-red", "ink-green", "ink-blue"}


def test_pieces_of_a_board_are_seen_and_where_nothing_can_lie_is_no_cell() -> None:
    chess = StrictPage(table_page(view(asked(sitting("minichess", 4)))))
    assert {each.text for each in chess.of_class("figure")} >= {"♜", "♚♔"}
    assert {each.text for each in chess.of_class("quiet")} >= {"·"}
    assert not {"♜", "♚♔"} & {each.text for each in chess.of_class("quiet")}
    kalah = StrictPage(table_page(view(asked(sitting("kalah", 4)))))
    assert len(kalah.of_class("cell")) == 14
    assert len(kalah.of_class("void")) == 3 * 8 - 14


def test_a_board_that_is_a_list_has_low_cells() -> None:
    sheet = StrictPage(table_page(view(asked(sitting("yacht", 4)))))
    assert sheet.of_class("tall")
    assert not StrictPage(table_page(view(asked(sitting("kalah", 4))))).of_class("tall")


def test_several_ways_to_use_a_thing_are_offered_alone() -> None:
    """A click on a die of several actions leads to a choice between these."""
    made = asked(sitting("x_pasch", 17))
    step = view(made).step
    assert step is not None
    opened = [
        (each, about)
        for each in ways_in(StrictPage(table_page(view(made))))
        if (about := touched_on(each))
    ]
    assert opened
    for _, about in opened:
        (area, keys), *_ = about
        own = [
            option
            for option in step.shortcuts
            if {(mark.area, mark.piece) for mark in option.marks} & {(area, *keys)}
        ]
        shown = view(made, touched=about)
        assert shown.step is not None
        ways = sum(len(option.ways) or 1 for option in own)
        assert 1 < len(shown.step.options) <= ways
        page = StrictPage(table_page(shown))
        listed = [each for each in page.of_class("do") if "id" in each.attributes]
        assert len(listed) == len(shown.step.options)
    for odd in ([("", ())], [("board 0", ("no such thing",))]):
        whole = view(made, touched=odd).step
        assert whole is not None
        assert whole.options == step.options


def ways_in(page: StrictPage) -> list[Element]:
    """Return the things of a page that are a way into the choice."""
    return [each for each in page.of_class("open") if "refused" not in each.classes]


def touched_on(element: Element) -> list[Touched]:
    query = parse_qsl(urlsplit(element.attributes.get("href", "")).query)
    return [touched_in(text) for name, text in query if name == "about"]


def test_a_step_with_more_options_than_are_listed_leads_to_the_others() -> None:
    shown = view(asked(sitting("kalah", 4)), ("sow",))
    assert shown.step is not None
    option = shown.step.options[0]
    many = tuple(
        option.model_copy(update={"number": SHOWN + at}) for at in range(1, SHOWN + 1)
    )
    step = shown.step.model_copy(update={"options": many, "total": 3 * SHOWN})
    text = table_part(replace(shown, step=step))
    assert f"{BASE}?first=0&amp;path=sow" in text
    assert f"{BASE}?first={2 * SHOWN}&amp;path=sow" in text


def test_many_numbers_are_a_field_for_a_number() -> None:
    """Up to twelve are buttons."""
    for sticks, field in ((24, ("1", "24")), (12, None)):
        settings = {"first_heap": sticks, "heaps": 1}
        made = houserule.load("nim").table(settings=settings).sit("ann,bob")
        page = StrictPage(table_page(view(made)))
        fields = [
            e.attributes for e in page.elements if e.attributes.get("id") == "amount"
        ]
        assert [(e["min"], e["max"]) for e in fields] == ([field] if field else [])
        keys = [e.attributes.get("value") for e in page.of_class("do")]
        assert keys == [f"n={n}" for n in range(1, sticks + 1)]


@pytest.mark.parametrize(
    ("game", "decisions", "usual"),
    [
        ("x_pasch", 17, "done"),
        ("liars_dice", 4, ""),
        ("hex_board", 4, ""),
        ("pig", 4, ""),
    ],
)
def test_the_usual_choice_is_the_large_button(
    game: str, decisions: int, usual: str
) -> None:
    page = StrictPage(table_page(view(asked(sitting(game, decisions)))))
    buttons = [
        e.attributes["value"] for e in page.of_class("primary") if e.tag == "button"
    ]
    assert buttons == ([usual] if usual else [])


def test_an_action_about_one_of_two_sides_is_not_the_usual_choice() -> None:
    """One can castle on one side only; most of the time one does not."""
    made = houserule.load("chess").table().sit("ann,bob")
    for move in (
        "e2 to e4",
        "e7 to e5",
        "g1 to f3",
        "b8 to c6",
        "f1 to c4",
        "f8 to c5",
    ):
        assert made.decision is not None
        moves = made.decision.options
        words = made.rules.wording("en")
        told = Chooser(made.rules, made.game, words, made.decision.seat)
        made.choose(made.decision.seat, next(m for m in moves if move in told.label(m)))
    page = StrictPage(table_page(view(made)))
    assert "Castle on the king's side" in page.text
    assert not [e for e in page.of_class("primary") if e.tag == "button"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_is_answered_where_it_was_asked(language: str) -> None:
    made = asked(sitting("pig", 3))
    words = made.rules.wording(language, made.seated.names)
    found: WhyMove = why(made.rules, made.game, words, 0, ("hold",))
    assert found.reasons
    page = StrictPage(table_page(replace(view(made, language=language), why=found)))
    for text in (found.sentence, *(reason.says for reason in found.reasons)):
        assert " ".join(text.split()) in page.text
    holds_to_the_policy(page)


STATES = {
    "notice": {"notice": "The table has changed."},
    "hint": {"hint": "Hold"},
    "undo": {"can_undo": True, "can_ask_undo": True},
    "asked": {"undo_asked": "bob", "undo_wanted": True},
    "host": {"host": "/h/SECRET", "rules": "/r/1", "absent": (0, 1)},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_around_the_game_is_said(language: str) -> None:
    shown = view(asked(sitting("pig", 3)), language=language)
    plain = StrictPage(table_page(shown)).text
    for given in STATES.values():
        page = StrictPage(table_page(replace(shown, **given)))  # type: ignore[arg-type]
        assert len(page.text) > len(plain), given
        assert BASE not in page.text
        assert "SECRET" not in page.text
        holds_to_the_policy(page)


def test_who_waits_sees_for_whom() -> None:
    made = asked(sitting("nim", 2))
    shown = view(made, viewer=1)
    assert "Waiting for ann" in StrictPage(table_page(shown)).text
    thinks = replace(shown, thinking="ann")
    assert "ann is thinking …" in StrictPage(table_page(thinks)).text


def test_an_ended_game_says_who_won_and_begins_again() -> None:
    made = sitting("nim", 99)
    shown = view(made)
    assert shown.moment.ended is not None
    page = StrictPage(table_page(shown))
    actions = [each.attributes.get("action") for each in page.elements]
    assert f"{BASE}/rematch" in actions
    for text in (shown.moment.ended.why, shown.moment.ended.result):
        assert text in page.text
    watched = StrictPage(table_page(view(made, viewer=None)))
    assert not [each for each in watched.elements if each.tag == "form"]


def test_a_long_tale_is_told_whole_where_that_is_asked() -> None:
    log = ("one", *["more"] * (LATEST + BLOCK - 1))
    shown = replace(view(asked(sitting("pig", 3))), log=log)
    page = StrictPage(table_page(shown))
    told = [each.text for each in page.elements if each.tag == "li"]
    assert "one" not in told
    assert told.count("more") == LATEST
    assert f"{BASE}?log=1" in [each.attributes.get("href") for each in page.elements]
    whole = StrictPage(table_page(replace(shown, whole_log=True)))
    assert "one" in [each.text for each in whole.elements if each.tag == "li"]


def test_a_hostile_name_is_only_a_name() -> None:
    shown = view(asked(sitting("x_pasch", 17, HOSTILE)))
    worse = HOSTILE + UNSEEN
    chat = (ChatLine(1, 0, worse, worse),)
    text = table_page(replace(shown, undo_asked=worse, hint=worse, chat=chat))
    page = StrictPage(text)
    scripts = [each.attributes for each in page.elements if each.tag == "script"]
    names = {each["src"].rpartition("/")[2] for each in scripts}
    assert names == {"idiomorph.js", "table.js", "talk.js"}
    assert UNSEEN not in text
    assert f"{HOSTILE}\\u202e" in page.text
    holds_to_the_policy(page)


def test_every_colour_that_seats_may_have_is_in_the_style() -> None:
    style = static_file("base.css").decode()
    for colour in NAMED:
        assert f".colour-{colour}" in style
    for seat in range(8):
        assert f".seat-{seat} " in style


def test_a_token_of_a_heap_takes_itself_and_those_after_it() -> None:
    """The last token takes one; the list has the same choices for the keys."""
    shown = view(sitting("nim", 0))
    page = StrictPage(table_page(shown))
    heaps = [each for each in page.elements if each.attributes.get("class") == "heap"]
    assert len(heaps) == 3
    tokens = [
        each.attributes["value"]
        for each in page.elements
        if each.tag == "button" and "takes" in each.attributes.get("class", "")
    ]
    wanted = [
        (h, n) for h, most in ((1, 3), (2, 4), (3, 5)) for n in range(most, 0, -1)
    ]
    assert [key.split()[-2:] for key in tokens] == [
        [f"h={h}", f"n={n}"] for h, n in wanted
    ]


def test_numbers_along_a_board_may_be_dice() -> None:
    text = table_page(view(sitting("pasha", 0)))
    heads = text.partition('class="column-heads"')[2].partition("</tbody>")[0]
    assert heads.count('class="die') == 6


def test_a_yes_or_no_is_below_what_it_answers() -> None:
    shown = view(asked(sitting("landlords", 15)))
    assert shown.step is not None
    assert [each.key for each in shown.step.options] == ["yes", "no"]
    offer = shown.log[-1].strip()
    assert offer.endswith("23 crowns for Clay Hill")
    question, _, answers = table_page(shown).partition(f">{offer}</p>")
    assert "Do you agree?</h2>" in question
    assert 'value="yes"' in answers
