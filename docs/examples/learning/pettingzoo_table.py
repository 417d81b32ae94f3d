"""A table of values learns Nim by playing against itself, in PettingZoo.

Run it with:  python docs/examples/learning/pettingzoo_table.py
It takes about half a minute and then wins nearly every game against chance.
"""

import argparse
from collections import defaultdict

import numpy as np

from houserule.environments import pettingzoo


def best(values, seen, luck):
    """Return the legal action of the highest value; of equal ones any."""
    legal = np.flatnonzero(seen["action_mask"])
    known = values[seen["observation"].tobytes()]
    worth = [known.get(int(action), 0.0) for action in legal]
    top = [a for a, w in zip(legal, worth, strict=True) if w == max(worth)]
    return int(luck.choice(top))


def learn(env, games, luck):
    """Play against itself, and move each value towards what the game was worth."""
    values = defaultdict(dict)
    for game in range(games):
        env.reset(seed=game)
        way = {agent: [] for agent in env.agents}
        for agent in env.agent_iter():
            seen, reward, ended, cut_off, _ = env.last()
            if ended or cut_off:
                for key, action in way[agent]:
                    old = values[key].get(action, 0.0)
                    values[key][action] = old + 0.2 * (reward - old)
                env.step(None)
                continue
            if luck.random() < 0.2:  # tries something else now and then
                action = int(luck.choice(np.flatnonzero(seen["action_mask"])))
            else:
                action = best(values, seen, luck)
            way[agent].append((seen["observation"].tobytes(), action))
            env.step(action)
    return values


def share_won(env, values, games, luck):
    """Return how often what was learned beats chance; it begins every other game."""
    won = 0
    for game in range(games):
        env.reset(seed=10_000 + game)
        learner = env.agents[game % 2]
        for agent in env.agent_iter():
            seen, reward, ended, cut_off, _ = env.last()
            if ended or cut_off:
                won += agent == learner and reward > 0
                env.step(None)
            elif agent == learner:
                env.step(best(values, seen, luck))
            else:
                env.step(int(luck.choice(np.flatnonzero(seen["action_mask"]))))
    return won / games


def main(games=20_000, tried=200, seed=1):
    """Learn, and say how well."""
    luck = np.random.default_rng(seed)
    env = pettingzoo.env("nim", actions="stable")
    before = share_won(env, defaultdict(dict), tried, luck)
    values = learn(env, games, luck)
    after = share_won(env, values, tried, luck)
    print(f"wins {before:.0%} of its games before, {after:.0%} after {games} games")
    return before, after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    main(parser.parse_args().games)
