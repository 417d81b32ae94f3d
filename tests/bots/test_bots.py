"""Bots: legal, repeatable, blind to what their seat does not see."""

from __future__ import annotations

import gc
import weakref

import pytest
from tests.support.bots import KINDS
from tests.support.rules_cases import program_of
from tests.support.small_games import prepared, program

from houserule.compiler.prepare import TableChoice
from houserule.engine.bots.bot import seat_bots
from houserule.engine.bots.greedy import GreedyBot, quiet, standing
from houserule.engine.bots.imagined import imagine
from houserule.engine.bots.random_choice import sensible
from houserule.engine.bots.search import Worth
from houserule.engine.reference.choices import Act, Choice, Refusal
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.view import view
from houserule.ir import GamePosition
from houserule.play.records.hashes import state_hash
from houserule.study.simulate.play import play_game


def seen(game: ReferenceGame, seat: int) -> object:
    return view(game.program, game.engine.evaluator, game.machine.store, seat)


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_changes_nothing_and_is_repeatable(kind: str) -> None:
    game = ReferenceGame.start(program("market"), 4)
    before = state_hash(game)
    choices = [
        seat_bots([kind], 2, 9, 0)[0].choose(game),
        seat_bots([kind], 2, 9, 0)[0].choose(game),
    ]
    assert choices[0] == choices[1]
    assert state_hash(game) == before
    assert not game.refusals(choices[0])


@pytest.mark.parametrize("kind", KINDS)
def test_bots_play_games_to_their_end(kind: str) -> None:
    finished = play_game(program("market"), 2, 0, [kind])
    assert finished.outcome.startswith("won")


def test_random_bots_take_every_option() -> None:
    game = ReferenceGame.start(program("market"), 4)
    taken = {seat_bots(["random"], 2, seed, 0)[0].choose(game) for seed in range(60)}
    assert taken == set(game.decision.options)  # type: ignore[union-attr]  # it began


def test_an_imagined_game_looks_the_same_and_is_dealt_anew() -> None:
    game = ReferenceGame.start(program("market"), 4)
    copies = [imagine(game, 0, Stream.seeded(n, 0, "test")).game for n in range(8)]
    assert all(seen(copy, 0) == seen(game, 0) for copy in copies)
    hands = {copy.contents("hand", 1) for copy in copies}
    assert len(hands) > 1


def test_the_greedy_bot_cannot_tell_hidden_cards_apart() -> None:
    rules = program("market")
    worlds = [
        ReferenceGame.start(
            rules,
            position=GamePosition(
                zones={"hand": {(0,): [2, 4], (1,): other}}, at="trading", seat=0
            ),
        )
        for other in ([6, 7], [0, 1])
    ]
    choices = [GreedyBot(0, Stream.seeded(1, 0, "bot")).choose(game) for game in worlds]
    assert choices[0] == choices[1]


def test_the_greedy_bot_does_not_judge_its_options_again_in_what_it_imagines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There an option may be another one: the bot would die of the refusal."""
    game = ReferenceGame.start(program("market"), 4)
    refused = (Refusal("market.closed"),)
    monkeypatch.setattr(ReferenceGame, "refusals", lambda *_: refused)
    assert GreedyBot(0, Stream.seeded(1, 0, "bot")).choose(game)


def test_the_greedy_bot_sells_what_brings_the_most() -> None:
    rules = program("market")
    position = GamePosition(
        cells={"score": {(0,): 6, (1,): 9}},
        zones={"hand": {(0,): [0, 7]}},
        at="trading",
        seat=0,
    )
    game = ReferenceGame.start(rules, position=position)
    chosen = GreedyBot(0, Stream.seeded(1, 0, "bot")).choose(game)
    assert isinstance(chosen, Act)
    better = game.clone()
    better.choose(chosen)
    assert standing(better, 0) >= standing(game, 0)


def test_greedy_beats_random() -> None:
    games = [
        play_game(program("market"), 1, number, ["greedy", "random"])
        for number in range(12)
    ]
    wins = sum(each.winners == (0,) for each in games)
    losses = sum(each.winners == (1,) for each in games)
    assert wins > 2 * losses


# ---- draws, and what bots strive for

DRAWING = """\
game t
players 2..2
state gold(p: Player): 0..9 starts as seat(p) + {first}
state level: yes or no starts as no
winners: players
drawn by agreement: level
{striving}
phase round for lap in 1..9
  phase turn for me in players
    step acting: must act once, if possible
action draw during acting
  does it: level becomes yes
action bide during acting
  does it: level becomes no
action waste during acting
  does it: gold(me) becomes 0
"""
GOLD = "bots strive for: those p in players with {} gold(p)"


@pytest.mark.parametrize(
    ("striving", "wanted"),
    [
        (GOLD.format("most"), {Act("draw")}),  # behind by one
        (GOLD.format("least"), {Act("waste")}),
        ("", {Act("draw"), Act("bide"), Act("waste")}),  # nothing says who stands best
    ],
)
def test_bots_draw_where_they_are_behind(striving: str, wanted: set[Choice]) -> None:
    game = ReferenceGame.start(
        program_of(DRAWING.format(striving=striving, first=1)), seed=1
    )
    assert chosen("greedy", game) == wanted


def test_bots_do_not_draw_where_they_are_ahead() -> None:
    rules = DRAWING.format(striving=GOLD.format("most"), first="3 - 3 * seat(p)")
    game = ReferenceGame.start(program_of(rules), seed=1)
    assert chosen("greedy", game) == {Act("bide")}


TOGETHER = """\
game t
players 3..3
state lit: 0..4 starts as 0
winners: those p in players where lit is 4
bots strive for: those p in players with most lit
phase round until lit is 4, at most 4 times, then stop
  phase turn for me in players if lit less than 4
    step acting: must act once, if possible
action light during acting
  does it: lit gains 1
action bide during acting
  does it: lit becomes lit
"""


def test_bots_bring_a_common_goal_nearer_and_reach_it() -> None:
    game = ReferenceGame.start(program_of(TOGETHER), seed=1)
    worth, before = Worth(game.program), 0
    worth.begin(game)
    while game.outcome is None:
        assert chosen("greedy", game) == {Act("light")}
        game.choose(Act("light"))
        # The win that all share is worth more than any game that goes on.
        after = min(worth.of(game))
        assert after > before
        before = after
    assert game.outcome.winners == (0, 1, 2)


# ---- advice


def climbing(steps: int, **options: object) -> ReferenceGame:
    """Return a game on the stairs in which the first player stands so high."""
    choice = TableChoice(settings=dict(options))  # type: ignore[arg-type]  # plain
    position = GamePosition(cells={"place": {(0,): steps}}, at="climbing", seat=0)
    return ReferenceGame.start(prepared("stairs", choice)[1], position=position)


def chosen(kind: str, game: ReferenceGame) -> set[Choice]:
    return {seat_bots([kind], 2, seed, 0)[0].choose(game) for seed in range(30)}


@pytest.mark.parametrize("kind", KINDS)
def test_bots_leave_alone_what_is_unwise(kind: str) -> None:
    game = climbing(3)
    assert Act("climb", (2,)) in game.decision.options  # type: ignore[union-attr]
    assert chosen(kind, game) == {Act("climb", (3,))}


def test_where_everything_is_unwise_every_option_is_left() -> None:
    game = climbing(0, strides=[4], height=6)
    assert chosen("random", game) == set(game.decision.options)  # type: ignore[union-attr]
    assert chosen("greedy", game) <= set(game.decision.options)  # type: ignore[union-attr]


def test_a_copy_is_played_on_sensibly() -> None:
    decision = climbing(3).decision
    assert decision is not None
    assert decision.options[0] == Act("climb", (2,))
    assert quiet(decision) == Act("climb", (3,))


def test_rules_without_advice_offer_bots_their_own_options() -> None:
    decision = ReferenceGame.start(program("market"), 4).decision
    assert decision is not None
    assert sensible(decision.options) is decision.options


def test_advice_changes_neither_options_nor_saved_games() -> None:
    game = climbing(3)
    again = ReferenceGame.restore(game.program, game.save())
    advice = Act("climb", (2,))
    game.choose(advice)
    again.choose(advice)
    assert state_hash(game) == state_hash(again)


def test_an_imagined_game_ends_with_its_last_use() -> None:
    """It waits for no collector of garbage: a decision may imagine thousands."""
    machine = ReferenceGame.start(program("market"), 4).machine
    gc.disable()
    try:
        imagined = weakref.ref(machine.clone())
        assert imagined() is None
    finally:
        gc.enable()
