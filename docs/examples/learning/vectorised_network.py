"""A small network learns Kalah from hundreds of games at once, in Gymnasium.

Run it with:  python docs/examples/learning/vectorised_network.py
It takes half a minute on one core, for four million decisions. The network has one
hidden layer, and learns as an actor with a critic: what turned out better than was
expected becomes likelier.
"""

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # quicker for small matrices

import numpy as np

from houserule.environments.vectorised import SeatVectorEnv


class Network:
    """From what a seat sees to how likely it takes each action, and what it expects."""

    def __init__(self, inputs, hidden, actions, luck):
        self.layers = [
            luck.normal(0, 1 / np.sqrt(inputs), (inputs, hidden)).astype(np.float32),
            np.zeros((hidden, actions + 1), dtype=np.float32),
        ]
        self.squares = [np.zeros_like(layer) for layer in self.layers]

    def look(self, inputs, masks):
        """Return the hidden layer, the chances of actions, and what is expected."""
        hidden = np.maximum(inputs @ self.layers[0], 0)
        out = hidden @ self.layers[1]
        wanted = np.where(masks, out[:, :-1], -1e9)
        likely = np.exp(wanted - wanted.max(axis=1, keepdims=True))
        return hidden, likely / likely.sum(axis=1, keepdims=True), out[:, -1]

    def learn(self, inputs, masks, actions, worth, rate):
        """Make what was worth more than expected likelier, and expect it."""
        hidden, likely, expected = self.look(inputs, masks)
        more = worth - expected
        change = likely.copy()
        change[np.arange(len(actions)), actions] -= 1
        change *= more[:, None]
        # A little is given for not being sure too soon.
        spread = np.log(likely + 1e-8)
        change += (
            0.01 * likely * (spread - (likely * spread).sum(axis=1, keepdims=True))
        )
        out = np.column_stack([change, -0.5 * more]) / len(actions)
        back = (out @ self.layers[1].T) * (hidden > 0)
        for number, step in enumerate((inputs.T @ back, hidden.T @ out)):
            square = self.squares[number]
            square *= 0.99
            square += 0.01 * step**2
            self.layers[number] -= rate * step / (np.sqrt(square) + 1e-6)


class Inputs:
    """Makes each value of each entry an input of its own: 1 if it has it."""

    def __init__(self, space):
        self.low = space.low
        sizes = np.minimum(space.high - space.low + 1, 30)  # what is more counts as 29
        self.most = sizes - 1
        self.starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.size = int(sizes.sum())

    def of(self, seen):
        """Return the inputs of many observations."""
        found = np.zeros((len(seen), self.size), dtype=np.float32)
        places = self.starts + np.minimum(seen - self.low, self.most)
        np.put_along_axis(found, places, 1, axis=1)
        return found


def drawn(likely, luck):
    """Return an action for each row of chances."""
    return (likely.cumsum(axis=1) < luck.random((len(likely), 1))).sum(axis=1)


def share_won(network, games, bots="random"):
    """Return which share of so many games the network wins, with what it likes most."""
    envs = SeatVectorEnv("kalah", 200, bots, seat=0, actions="stable")
    inputs, won, ended = Inputs(envs.single_observation_space), 0, 0
    seen, infos = envs.reset(seed=10**6)
    while ended < games:
        _, likely, _ = network.look(inputs.of(seen), infos["action_mask"])
        seen, rewards, over, cut_off, infos = envs.step(likely.argmax(axis=1))
        ended += (over | cut_off).sum()
        won += (rewards > 0).sum()
    return won / ended


def main(updates=4000, tried=1000, seed=1):
    """Learn, and say how well."""
    luck, many, steps = np.random.default_rng(seed), 128, 8
    envs = SeatVectorEnv("kalah", many, "random", seat=0, actions="stable")
    inputs = Inputs(envs.single_observation_space)
    network = Network(inputs.size, 64, int(envs.single_action_space.n), luck)
    before = share_won(network, tried)
    seen, infos = envs.reset(seed=seed)
    for _ in range(updates):
        ways = []
        for _ in range(steps):
            row, mask = inputs.of(seen), infos["action_mask"]
            _, likely, _ = network.look(row, mask)
            actions = drawn(likely, luck)
            seen, rewards, over, cut_off, infos = envs.step(actions)
            ways.append((row, mask, actions, rewards, over | cut_off))
        _, _, worth = network.look(inputs.of(seen), infos["action_mask"])
        rows = []
        for row, mask, actions, rewards, ended in reversed(ways):
            worth = np.where(ended, rewards, worth).astype(np.float32)
            rows.append((row, mask, actions, worth))
        network.learn(*map(np.concatenate, zip(*rows, strict=True)), rate=0.002)
    after = share_won(network, tried)
    print(f"against chance it wins {before:.0%} before, {after:.0%} after")
    print(f"against greedy bots it wins {share_won(network, tried, 'greedy'):.0%}")
    return before, after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=4000)
    main(parser.parse_args().updates)
