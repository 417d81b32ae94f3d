"""A small network learns Hex on five by five against bots, in Gymnasium.

Run it with:  python docs/examples/learning/gymnasium_network.py
It takes about a minute on one core. The network has one hidden layer, and learns by
policy gradients: what led to a win becomes likelier.
"""

import argparse

import gymnasium
import numpy as np


class Network:
    """From what the seat sees to how likely it takes each action."""

    def __init__(self, sizes, luck):
        inputs, hidden, outputs = sizes
        self.first = luck.normal(0, 1 / np.sqrt(inputs), (inputs, hidden))
        self.last = luck.normal(0, 1 / np.sqrt(hidden), (hidden, outputs))
        self.steps = [np.zeros_like(self.first), np.zeros_like(self.last)]

    def chances(self, inputs, mask):
        """Return the hidden layer, and a chance for each action that is legal."""
        hidden = np.maximum(inputs @ self.first, 0)
        wanted = np.where(mask, hidden @ self.last, -1e9)
        likely = np.exp(wanted - wanted.max(axis=1, keepdims=True))
        return hidden, likely / likely.sum(axis=1, keepdims=True)

    def learn(self, inputs, masks, actions, worth, rate):
        """Make each action likelier that was worth more than usual, others less so."""
        hidden, likely = self.chances(inputs, masks)
        likely[np.arange(len(actions)), actions] -= 1
        out = likely * worth[:, None] / len(actions)
        back = (out @ self.last.T) * (hidden > 0)
        changes = inputs.T @ back, hidden.T @ out
        layers = self.first, self.last
        for layer, step, change in zip(layers, self.steps, changes, strict=True):
            step *= 0.9
            step += 0.1 * change**2  # as RMSProp does
            layer -= rate * change / (np.sqrt(step) + 1e-8)


def seen_as_numbers(env, seen):
    """Return each value of each entry as an input of its own: 1 if it has it."""
    low, high = env.observation_space.low, env.observation_space.high
    starts = np.concatenate([[0], np.cumsum(high - low + 1)])
    inputs = np.zeros(starts[-1])
    inputs[starts[:-1] + seen - low] = 1
    return inputs


def play(env, network, luck, seed=None):
    """Play a game; return what was seen, allowed and taken, and what it was worth."""
    seen, info = env.reset(seed=seed)
    ways, over = [], False
    while not over:
        inputs = seen_as_numbers(env, seen)
        _, (chances,) = network.chances(inputs[None], info["action_mask"][None])
        action = int(luck.choice(len(chances), p=chances))
        ways.append((inputs, info["action_mask"], action))
        seen, reward, ended, cut_off, info = env.step(action)
        over = ended or cut_off
    return ways, reward


def main(games=4_000, tried=200, seed=1, bots="random"):
    """Learn, and say how well."""
    luck = np.random.default_rng(seed)
    env = gymnasium.make(
        "houserule.environments.gymnasium:Houserule-v0",
        table="hex_board",
        bots=bots,
        actions="stable",
    ).unwrapped
    inputs = len(seen_as_numbers(env, env.observation_space.low))
    network = Network((inputs, 64, int(env.action_space.n)), luck)

    def share_won():
        seeds = range(10**6, 10**6 + tried)
        return np.mean([play(env, network, luck, seed)[1] > 0 for seed in seeds])

    before, usual = share_won(), 0.0
    for _ in range(games // 20):
        ways, worth = [], []
        for _ in range(20):
            way, reward = play(env, network, luck)
            ways += way
            worth += [reward - usual] * len(way)
            usual += 0.01 * (reward - usual)
        seen, masks, actions = map(np.array, zip(*ways, strict=True))
        network.learn(seen, masks, actions, np.array(worth), rate=0.003)
    after = share_won()
    print(f"wins {before:.0%} of its games before, {after:.0%} after {games} games")
    return before, after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4_000)
    main(parser.parse_args().games)
