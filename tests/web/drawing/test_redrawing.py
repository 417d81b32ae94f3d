"""What is taken from what was drawn before is what would be drawn now."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest
from tests.support.sampling import spread
from tests.web.drawing.tables import GAMES, asked, begun, sitting, view, ways

from houserule.ui.web.drawing import SeatPage, redrawing, table_part
from houserule.ui.web.drawing.pointing import Pointing
from houserule.ui.web.drawing.redrawing import SMALL, KeptDrawings

FEW = 20


def pages(game: str) -> list[SeatPage]:
    """Return what is shown of a game as it goes on, to its person and to others."""
    shown = []
    made = asked(begun(game, 3))
    for _ in range(6):
        if made.decision is None:
            break
        seat = made.decision.seat
        shown += [view(made, path) for path in ways(made, 2)]
        shown += [view(made, language=each, viewer=None) for each in ("de", "en")]
        shown.append(replace(shown[-1], base="/w/another"))
        made.choose(seat, made.hint(seat))
    return shown


@pytest.mark.parametrize("game", spread(GAMES, 9))
def test_a_page_is_as_if_nothing_had_been_drawn_before(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = pages(game)
    monkeypatch.setattr(redrawing, "DRAWINGS", KeptDrawings())
    again = [table_part(each) for each in shown * 2]
    for each, drawn in zip(shown * 2, again, strict=True):
        monkeypatch.setattr(redrawing, "DRAWINGS", KeptDrawings())
        assert table_part(each) == drawn


def test_what_stays_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptDrawings()
    monkeypatch.setattr(redrawing, "DRAWINGS", kept)
    shown = view(asked(sitting("pachisi", 3)), viewer=None)
    table_part(shown)
    drawn = kept.drawn
    assert drawn
    table_part(replace(shown, base="/w/another", version=99))
    assert kept.drawn == drawn


def test_of_a_board_only_rows_in_which_something_may_be_clicked_are_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = KeptDrawings()
    monkeypatch.setattr(redrawing, "DRAWINGS", kept)
    made = asked(sitting("ludo", 12))
    views = [view(made, path) for path in ways(made, 3)]
    board = next(a for a in views[0].moment.position.areas if a.kind == "board")
    shown = next(v for v in views if Pointing(v.base, v.step).points_into(board.key))
    keys = [key for key in _kept_by(kept, shown) if key[0] == "row"]
    assert 0 < len(keys) < len(board.cells)
    drawn = kept.drawn
    table_part(replace(shown, base="/s/another"))
    assert kept.drawn == drawn


def _kept_by(kept: KeptDrawings, shown: SeatPage) -> list[tuple[object, ...]]:
    table_part(shown)
    return [key for key in kept._kept if isinstance(key, tuple)]


def test_what_was_used_least_lately_goes_first() -> None:
    kept = KeptDrawings(most=3 * (SMALL + 10))
    for key in "abcad":
        kept.get(key, lambda: "x" * 10)
    assert kept.drawn == 4
    for key in "acd":
        kept.get(key, lambda: pytest.fail("it was let go"))
    kept.get("b", lambda: "x" * 10)
    assert kept.drawn == 5


def test_what_is_larger_than_all_room_is_drawn_and_not_kept() -> None:
    kept = KeptDrawings(most=SMALL)
    for _ in range(2):
        assert kept.get("a", lambda: "xx") == "xx"
    assert kept.drawn == 2


def test_a_page_that_was_made_leaves_no_circles() -> None:
    """What is looked for in circles keeps everybody waiting meanwhile."""
    shown = view(asked(sitting("pachisi", 3)))
    table_part(shown)
    gc.freeze()  # what was there before is not looked through
    gc.disable()
    try:
        table_part(shown)
        assert gc.collect() < FEW
    finally:
        gc.enable()
