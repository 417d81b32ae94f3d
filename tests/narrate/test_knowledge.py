"""What a viewer may know: cells, faces and values, and so what a board shows him."""

from __future__ import annotations

import pytest

from houserule.base.resources import data_root
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import Board, BoardLayer
from houserule.play.narration.boards.grid import grid_of
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.narration.wording import Wording


def started(name: str) -> tuple[LoadedRuleset, ReferenceGame]:
    ruleset, _ = load_ruleset(data_root() / "rulesets" / name)
    assert ruleset is not None
    program = prepare(ruleset, TableChoice()).program
    assert program is not None
    return ruleset, ReferenceGame.start(program, 5)


@pytest.mark.parametrize(
    ("game", "value", "args", "known_to"),
    [
        ("takeover", "worth", (1,), {1}),
        ("takeover", "coins", (1,), {None, 0, 1}),
        ("takeover", "finished", (), set()),
        ("liars_dice", "matching", (), set()),
        ("liars_dice", "alive", (0,), {None, 0, 1}),
        ("pasha", "points", (0,), {0}),
        ("x_pasch", "full", (2,), {None, 0, 1, 2}),
        ("x_pasch", "controller", (3,), {None, 0, 1, 2}),
        ("guild_street", "wealth", (0,), {None, 0, 1}),
    ],
)
def test_a_value_is_known_to_whom_all_is_seen_that_it_reads(
    game: str, value: str, args: tuple[int, ...], known_to: set[int | None]
) -> None:
    _, play = started(game)
    viewers = [None, *range(play.program.seats)]
    found = {
        each for each in viewers if ViewerVisibility(play, each).value(value, args)
    }
    assert found == known_to


def test_only_the_owner_knows_what_his_dice_show() -> None:
    _, play = started("liars_dice")
    _, owner = play.program.components["Die"].fields["owner"]
    for viewer in (None, 0, 1):
        knowledge = ViewerVisibility(play, viewer)
        seen = {owner[die] for die in range(len(owner)) if knowledge.face("Die", die)}
        assert seen == ({viewer} - {None})


@pytest.mark.parametrize(("viewer", "shown"), [(0, 1), (1, 1), (None, 0)])
def test_a_board_shows_only_what_the_viewer_may_know(
    viewer: int | None, shown: int
) -> None:
    """Worth hangs on concealed coins: every player sees his own, all see none."""
    ruleset, play = started("takeover")
    words = Wording(play.program, ruleset.texts["en"])
    board = Board(
        title="Worth",
        rows=[0, 24],
        columns=[0, 99],
        draw=[BoardLayer(each="Player", row="coins", column="worth")],
    )
    grid = grid_of(board, play, words, ViewerVisibility(play, viewer))
    assert len(list(grid.pieces())) == shown  # neither on the board nor beside it
    assert len(list(grid_of(board, play, words).pieces())) == play.program.seats
