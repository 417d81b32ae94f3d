"""The random numbers of `docs/language/random.md`, for the yardsticks."""

from __future__ import annotations

from collections.abc import MutableSequence

BITS_32 = 2**32 - 1
BITS_64 = 2**64 - 1


def mixed(x: int) -> int:
    """Return one output of SplitMix64, started at x."""
    z = (x + 0x9E3779B97F4A7C15) & BITS_64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & BITS_64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & BITS_64
    return z ^ (z >> 31)


def hashed(tag: str) -> int:
    """Return the FNV-1a hash of a tag."""
    value = 0xCBF29CE484222325
    for byte in tag.encode():
        value = ((value ^ byte) * 0x100000001B3) & BITS_64
    return value


class Luck:
    """One stream of random numbers (PCG-XSH-RR 64/32)."""

    def __init__(self, seed: int, game: int, tag: str) -> None:
        key = mixed(mixed(seed) ^ game) ^ hashed(tag)
        self.state = mixed(key)
        self.increment = mixed((key + 0x9E3779B97F4A7C15) & BITS_64) | 1

    def word(self) -> int:
        """Return the next 32 bits."""
        state = self.state
        self.state = (state * 6364136223846793005 + self.increment) & BITS_64
        word = (((state >> 18) ^ state) >> 27) & BITS_32
        turn = state >> 59
        return ((word >> turn) | (word << (-turn & 31))) & BITS_32

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, uniformly; for n = 1 draw nothing."""
        if n == 1:
            return 0
        product = self.word() * n
        if product & BITS_32 < n:
            least = (2**32 - n) % n
            while product & BITS_32 < least:
                product = self.word() * n
        return product >> 32

    def shuffle(self, items: MutableSequence[int]) -> None:
        """Put the items into a random order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
