"""What is drawn as a state starts is told; what is kept of earlier positions never."""

from __future__ import annotations

from tests.support.rules_cases import program_of

from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import view
from houserule.play.narration.narrator import Narrator
from houserule.play.narration.wording import Wording

RULES = """
game t
players 2..2
state dealer: Player starts at random among players
state trump: 1..3 each turn starts at random among 1..1
state man: 0..3 starts as 0
state stood: 0..9 starts as 0
winners: players
value alike: 0..9 = count of each turn since push with the same dealer and trump
phase turn for nr in 1..4
  phase acting for me in {dealer}
    step moving: must act once, if possible
action push during moving
  needs few: alike at least 1
  does it: man becomes 1; stood becomes alike
"""


def test_a_draw_is_told_even_if_the_state_stays_and_bookkeeping_is_not() -> None:
    program = program_of(RULES)
    dealers = set()
    for seed in range(6):
        game = ReferenceGame.start(program, seed, listen=True)
        narrator = Narrator(Wording(program, {}))
        lines = list(narrator.news(game))
        (dealer,) = [line for line in lines if line.startswith("dealer")]
        dealers.add(dealer)
        while game.decision is not None:
            lines += [str(view(program, game.engine.evaluator, game.machine.store, 0))]
            game.choose(game.decision.options[0])
            lines += narrator.news(game)
        assert sum("trump: 1" in line for line in lines) == 4
        assert not [line for line in lines if "#" in line]
    assert len(dealers) == 2
