"""Regrets learn Liar's dice with a die each, in OpenSpiel.

Run it with:  python docs/examples/learning/openspiel_regret.py
It takes about a minute. External sampling walks through the game once for each seat,
and in each state that the seat knows adds what other actions would have been worth.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import external_sampling_mccfr

from houserule.environments import openspiel


def play(game, policy, learner, luck):
    """Play a game against chance; return what it was worth to who learned."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        elif state.current_player() == learner:
            outcomes, chances = zip(*policy(state).items(), strict=True)
        else:
            outcomes = state.legal_actions()
            chances = np.ones(len(outcomes)) / len(outcomes)
        state.apply_action(int(luck.choice(outcomes, p=chances)))
    return state.returns()[learner]


def main(rounds=300, tried=200, seed=1):
    """Learn, and say how well."""
    np.random.seed(seed)  # it is this one that the library draws from
    luck = np.random.default_rng(seed)
    game = pyspiel.load_game(openspiel.game_string("liars_dice", set="dice_each:1"))
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)

    def share_won():
        policy = solver.average_policy().action_probabilities
        return np.mean([play(game, policy, n % 2, luck) > 0 for n in range(tried)])

    before = share_won()
    for _ in range(rounds):
        solver.iteration()
    after = share_won()
    print(f"wins {before:.0%} of its games before, {after:.0%} after {rounds} rounds")
    return before, after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    main(parser.parse_args().rounds)
