"""WalkSAT: random walks to valid tables, if a decision diagram is too large.

A walk begins at some table. While a condition is violated, it flips one switch of that
condition, usually the one that violates the fewest others. It quickly finds valid
tables near its start. It cannot prove that there are none.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from houserule.compiler.conditions.formulas import (
    ALWAYS,
    Formula,
    holds_in,
    switches_in,
)

if TYPE_CHECKING:
    from houserule.compiler.choices.configurations import Names
    from houserule.compiler.choices.feature_model import Features

WALKS = 3  # tries before it gives up
STEPS = 4  # of one walk, per switch
CANDIDATES = 12  # switches of a condition that are compared
BLIND = 0.2  # the share of random steps, which lead out of dead ends
SHARES = (0.05, 0.2, 0.5)  # of variants that are on at the start


class RandomWalk:
    """Finds single valid tables.

    Its methods are those of `Configurations`, with weaker results: `smallest` and
    `largest` find a small and a large table, and None only means that none was found.
    """

    def __init__(self, features: Features, random: Random) -> None:
        self.features, self.random = features, random
        self._relations = [each.holds for each in features.relations]
        self._variants = frozenset(features.variants)

    def smallest(self, condition: Formula = ALWAYS) -> Names | None:
        """Return a small table that satisfies the condition, or None."""
        return self._found(frozenset(), condition)

    def largest(self, condition: Formula = ALWAYS) -> Names | None:
        """Return a large table that satisfies the condition, or None."""
        return self._found(self._variants, condition)

    def at_random(self) -> Names | None:
        """Return some table, or None; the distribution is not uniform."""
        share = self.random.choice(SHARES)
        start = [n for n in self.features.variants if self.random.random() < share]
        return self._found(self.features.closed(start), ALWAYS)

    def _found(self, start: Names, condition: Formula) -> Names | None:
        walks = (self._walk(start, [condition, *self._relations]) for _ in range(WALKS))
        return next((found for found in walks if found is not None), None)

    def _walk(self, start: Names, conditions: list[Formula]) -> Names | None:
        switches = self.features.switches
        spoken = [
            sorted(switches_in(each).intersection(switches)) for each in conditions
        ]
        speaking: dict[str, list[int]] = {name: [] for name in switches}
        for number, names in enumerate(spoken):
            for name in names:
                speaking[name].append(number)
        here = start
        broken = {i for i, each in enumerate(conditions) if not holds_in(each, here)}

        def breaks(name: str) -> int:
            there = here ^ {name}
            return sum(not holds_in(conditions[i], there) for i in speaking[name])

        for _ in range(STEPS * len(switches) + 1):
            if not broken:
                return here & self._variants
            names = spoken[self.random.choice(sorted(broken))]
            some = self.random.sample(names, min(len(names), CANDIDATES))
            if not some:
                return None
            name = some[0] if self.random.random() < BLIND else min(some, key=breaks)
            here = here ^ {name}
            for number in speaking[name]:
                broken.discard(number)
                if not holds_in(conditions[number], here):
                    broken.add(number)
        return None
