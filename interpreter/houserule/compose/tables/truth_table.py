"""Truth tables: the settings in which a condition holds, as the bits of one integer.

A condition over n switches is one integer of 2^n bits. Bit t says whether it holds
for table t, and bit i of t says whether switch i is on. A switch is then a periodic
pattern of bits; `and`, `or`, `not` are `&`, `|`, `^`; counting is `bit_count`. No
solver is needed up to 24 switches, and every count is exact.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, assert_never

from houserule.compose.tables.formulas import Both, Either, Formula, Off, On

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

MOST_SWITCHES = 24


class Space:
    """Every setting of some switches, as the bits of one integer.

    `names` decides the order of the bits. The first `counted` of them are variants;
    the others (numbers of seats) are left out of counts and of sizes.
    """

    def __init__(self, names: Sequence[str], counted: int | None = None) -> None:
        """Lay out the bits.

        Raises:
            ValueError: there are more than 24 switches.
        """
        if len(names) > MOST_SWITCHES:
            message = f"{len(names)} switches are too many for one truth table"
            raise ValueError(message)
        self.names = tuple(names)
        self.counted = len(names) if counted is None else counted
        self.every = (1 << (1 << len(names))) - 1
        self._switch = {name: self._pattern(i) for i, name in enumerate(names)}
        self._known: dict[On, int] = {}

    def _pattern(self, index: int) -> int:
        """Return the bits of switch `index`: 2^index off, as many on, and so on."""
        half = 1 << index
        bits = ((1 << half) - 1) << half
        for larger in range(index + 1, len(self.names)):
            bits |= bits << (1 << larger)
        return bits

    def switch(self, name: str) -> int:
        """Return the settings in which this switch is on."""
        return self._switch[name]

    def holds(self, formula: Formula) -> int:
        """Return the settings in which the condition holds.

        A switch that is not in this space is never on.
        """
        match formula:
            case On():
                return self._all_on(formula)
            case Both(parts):
                bits = self.every
                for part in parts:
                    bits &= self.holds(part)
                return bits
            case Either(parts):
                bits = 0
                for part in parts:
                    bits |= self.holds(part)
                return bits
            case Off(part):
                return self.every ^ self.holds(part)
            case _:
                assert_never(formula)

    def _all_on(self, formula: On) -> int:
        known = self._known.get(formula)
        if known is None:
            known = self.every
            for name in formula.names:
                known &= self._switch.get(name, 0)
            self._known[formula] = known
        return known

    # ---- questions about a set of settings

    def count(self, bits: int) -> int:
        """Count the settings, each once whatever the number of seats."""
        for index in range(self.counted, len(self.names)):
            switch = self._switch[self.names[index]]
            bits = (bits | ((bits & switch) >> (1 << index))) & ~switch
        return bits.bit_count()

    def smallest(self, bits: int) -> frozenset[str]:
        """Return the setting with fewest variants on, then first by alphabet.

        Raises:
            ValueError: there is none.
        """
        return self._first(bits, self._levels)

    def largest(self, bits: int) -> frozenset[str]:
        """Return the setting with most variants on, then first by alphabet.

        Raises:
            ValueError: there is none.
        """
        return self._first(bits, tuple(reversed(self._levels)))

    def _first(self, bits: int, levels: Sequence[int]) -> frozenset[str]:
        for level in levels:
            found = bits & level
            if found:
                return self._alphabetical(found)
        message = "no setting is left"
        raise ValueError(message)

    def _alphabetical(self, bits: int) -> frozenset[str]:
        chosen = []
        for name in self.names:
            with_it = bits & self._switch[name]
            if with_it:
                chosen.append(name)
            bits = with_it or bits
        return frozenset(chosen)

    @cached_property
    def _levels(self) -> tuple[int, ...]:
        """The settings with 0, 1, 2 ... variants on."""
        levels = [1]
        for index in range(self.counted):
            shift = 1 << index
            more = [0, *(level << shift for level in levels)]
            levels = [a | b for a, b in zip([*levels, 0], more, strict=True)]
        for index in range(self.counted, len(self.names)):
            levels = [level | level << (1 << index) for level in levels]
        return tuple(levels)

    def nth(self, bits: int, position: int) -> frozenset[str]:
        """Return the setting at `position` (from 0) in the order of the bits."""
        table = 0
        for index in reversed(range(len(self.names))):
            half = 1 << index
            low = bits & ((1 << half) - 1)
            before = low.bit_count()
            if position < before:
                bits = low
            else:
                position -= before
                bits >>= half
                table |= half
        return self.named(table)

    def at_random(self, bits: int, random: Random) -> frozenset[str]:
        """Return one of the settings, each as likely as any other."""
        return self.nth(bits, random.randrange(bits.bit_count()))

    def each(self, bits: int) -> Iterator[frozenset[str]]:
        """Yield the settings in the order of the bits."""
        data = bits.to_bytes((self.every.bit_length() + 7) // 8, "little")
        for place, byte in enumerate(data):
            while byte:
                lowest = byte & -byte
                yield self.named(place * 8 + lowest.bit_length() - 1)
                byte ^= lowest

    def named(self, table: int) -> frozenset[str]:
        """Return the names of the switches that are on in setting `table`."""
        return frozenset(
            name for index, name in enumerate(self.names) if table >> index & 1
        )
