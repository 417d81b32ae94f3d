"""Truth tables: the settings in which a condition holds, as the bits of one integer.

A condition over n switches is one integer of 2^n bits. Bit t says whether it holds
for table t, and bit i of t says whether switch i is on. A switch is then a periodic
pattern of bits; `and`, `or`, `not` are `&`, `|`, `^`; counting is `bit_count`. That is
plain enough to hold decision diagrams against it, up to 24 switches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from houserule.compiler.conditions.formulas import (
    Both,
    Either,
    Formula,
    Off,
    On,
    Settled,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_SWITCHES = 24


class Space:
    """Every setting of some switches, as the bits of one integer.

    `names` decides the order of the bits.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Lay out the bits.

        Raises:
            ValueError: there are more than 24 switches.
        """
        if len(names) > MOST_SWITCHES:
            message = f"{len(names)} switches are too many for one truth table"
            raise ValueError(message)
        self.names = tuple(names)
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
            case Settled():
                message = "a truth table knows no nodes of a diagram"
                raise TypeError(message)
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
