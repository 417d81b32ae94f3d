"""Boards are drawn when a reader wants to see them, and never twice alike."""

from __future__ import annotations

from tests.support.small_games import program, ruleset

from houserule.base.resources import data_root
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import Board, BoardLayer
from houserule.play.narration.boards.boards import Boards
from houserule.play.narration.narrator import Narrator
from houserule.play.narration.wording import Wording


def tale(of: LoadedRuleset, boards: list[Board], *, seed: int = 3) -> list[str]:
    """Return a game by bots, line by line."""
    rules = prepare(of, TableChoice()).program
    assert rules is not None
    words = Wording(rules, of.texts["en"])
    narrator = Narrator(words, Boards(boards, words))
    game = ReferenceGame.start(rules, seed, listen=True)
    bots = seat_bots(["random"], rules.seats, seed, 0)
    lines = list(narrator.news(game))
    while game.decision is not None:
        game.choose(bots[game.decision.seat].choose(game))
        lines += narrator.news(game)
    return lines


def shown(lines: list[str], title: str) -> list[str]:
    """Return the first line of each drawing of a board."""
    return [lines[n + 1] for n, line in enumerate(lines) if line == title]


def watching(*after: str) -> Board:
    return Board(
        title="Watch",
        rows=[1, 1],
        columns=[1, 1],
        after=list(after),
        draw=[BoardLayer(each="Bank", row="line", column="edge", shows=["watch"])],
    )


def test_without_a_word_boards_are_drawn_after_rounds() -> None:
    lines = tale(ruleset("ferry"), [watching()])
    assert shown(lines, "Watch")[:3] == ["1", "2", "3"]
    assert lines[lines.index("Round 2") - 4 : lines.index("Round 2")] == [
        "",
        "Watch",
        "1",
        "",
    ]


def test_a_board_is_drawn_as_it_is_at_that_moment() -> None:
    """After turns nothing has been counted yet; after the counting it has."""
    lines = tale(ruleset("ferry"), [watching("turn")])
    assert shown(lines, "Watch")[:2] == ["0", "1"]
    lines = tale(ruleset("ferry"), [watching("counting")])
    assert shown(lines, "Watch")[:2] == ["1", "2"]


def test_a_board_that_looks_as_before_is_not_drawn_again() -> None:
    lines = tale(ruleset("ferry"), [watching("turn", "counting")])
    drawings = shown(lines, "Watch")
    assert drawings == list(dict.fromkeys(drawings))


def test_tokens_of_a_round_are_seen_before_they_go_home() -> None:
    pasha, _ = load_ruleset(data_root() / "rulesets" / "pasha")
    assert pasha is not None
    lines = tale(pasha, list(pasha.manifest.boards))
    round_1 = lines[: lines.index("Round 2")]
    assert len(shown(round_1, "The board")) == 2  # each of two players has marked
    last = len(round_1) - round_1[::-1].index("The board")
    grid = round_1[last + 1 : last + 7]
    assert len([row for row in grid if "A" in row or "B" in row]) >= 1


def test_no_boards_no_drawing() -> None:
    words = Wording(program("ferry"))
    boards = Boards([], words)
    game = ReferenceGame.start(program("ferry"), 1, listen=True)
    assert not any(boards.due(event) for event in game.events)
