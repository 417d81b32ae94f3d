"""Random walks to valid tables, for families that no decision diagram holds.

A walk begins at some table. As long as a condition is broken, it switches over one
switch of that condition: mostly the one that breaks fewest others (WalkSAT). Where
there are valid tables near its start it soon finds one; that there is none, it cannot
know.
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

WALKS = 3  # that are tried before a wish is given up
STEPS = 4  # of one walk, for every switch
CANDIDATES = 12  # switches of a condition that are compared
BLIND = 0.2  # the share of steps that compare nothing: they lead out of dead ends
SHARES = (0.05, 0.2, 0.5)  # of the variants are on where a random walk begins


class RandomWalk:
    """Finds valid tables one at a time.

    Its questions are named as those of `Configurations`, and answered less well:
    `smallest` and `largest` find a small and a large table, and None says only that
    none was found.
    """

    def __init__(self, features: Features, random: Random) -> None:
        """Prepare to walk; the random numbers decide which tables are found."""
        self.features, self.random = features, random
        self._relations = [each.holds for each in features.relations]
        self._variants = frozenset(features.variants)

    def smallest(self, condition: Formula = ALWAYS) -> Names | None:
        """Return a small table in which the condition holds, or None."""
        return self._found(frozenset(), condition)

    def largest(self, condition: Formula = ALWAYS) -> Names | None:
        """Return a large table in which the condition holds, or None."""
        return self._found(self._variants, condition)

    def at_random(self) -> Names | None:
        """Return some table, or None; not every table is as likely as any other."""
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
