"""Random numbers: PCG-XSH-RR 64/32 in streams, one for each purpose.

`docs/language/random.md` is the specification, `tests/vectors/random.json` holds its
test vectors. Everything is a function of whole numbers; nothing is kept here.
"""

from __future__ import annotations

from collections.abc import MutableMapping, MutableSequence, Sequence
from functools import lru_cache
from typing import TypeVar

Item = TypeVar("Item")

_BITS_32 = 0xFFFF_FFFF
_BITS_64 = 0xFFFF_FFFF_FFFF_FFFF
_MULTIPLIER = 6364136223846793005
_GOLDEN = 0x9E37_79B9_7F4A_7C15
_FNV_START = 0xCBF2_9CE4_8422_2325
_FNV_PRIME = 0x0000_0100_0000_01B3
_RANGE = 1 << 32


def split_mix(state: int) -> tuple[int, int]:
    """Return the next output of SplitMix64 and its new state, both of 64 bits."""
    state = (state + _GOLDEN) & _BITS_64
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9) & _BITS_64
    z = ((z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB) & _BITS_64
    return z ^ (z >> 31), state


def hash_tag(tag: str) -> int:
    """Return the FNV-1a hash of 64 bits of a text in UTF-8."""
    value = _FNV_START
    for byte in tag.encode():
        value = ((value ^ byte) * _FNV_PRIME) & _BITS_64
    return value


@lru_cache(maxsize=65536)
def stream_seed(seed: int, game: int, tag: str) -> tuple[int, int]:
    """Return the first state and the odd increment of a stream.

    Seed and game number count modulo 2^64. The tag says what the stream is for.
    """
    key, _ = split_mix(seed & _BITS_64)
    key, _ = split_mix(key ^ (game & _BITS_64))
    key ^= hash_tag(tag)
    state, key = split_mix(key)
    increment, _ = split_mix(key)
    return state, increment | 1


def next_word(state: int, inc: int) -> tuple[int, int]:
    """Return the next 32 bits of a stream and its new state."""
    word = (((state >> 18) ^ state) >> 27) & _BITS_32
    turn = state >> 59
    word = ((word >> turn) | (word << (-turn & 31))) & _BITS_32
    return word, (state * _MULTIPLIER + inc) & _BITS_64


def below(state: int, inc: int, n: int) -> tuple[int, int]:
    """Return a number from 0 to n - 1, each alike, and the new state.

    One possibility draws nothing.

    Raises:
        ValueError: n is less than 1 or more than 2^32.
    """
    if n == 1:
        return 0, state
    if not 1 < n <= _RANGE:
        raise ValueError(f"cannot draw one of {n}: 1 to 2^32 can be drawn from")
    word, state = next_word(state, inc)
    product = word * n
    if product & _BITS_32 < n:
        least = (_RANGE - n) % n
        while product & _BITS_32 < least:
            word, state = next_word(state, inc)
            product = word * n
    return product >> 32, state


def shuffled(
    state: int, inc: int, items: Sequence[Item]
) -> tuple[tuple[Item, ...], int]:
    """Return the items in a random order, each order alike, and the new state."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other, state = below(state, inc, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order), state


def draw(
    positions: MutableMapping[str, int], seed: int, game: int, tag: str, n: int
) -> int:
    """Return a number below n from the stream of a tag, and move its position.

    `positions` holds each used stream's state; a new stream starts at its seed. One
    possibility draws nothing and opens no stream.

    Raises:
        ValueError: n is less than 1 or more than 2^32.
    """
    if n == 1:
        return 0
    first, inc = stream_seed(seed, game, tag)
    value, positions[tag] = below(positions.get(tag, first), inc, n)
    return value


class Stream:
    """One stream of random numbers with its place: `state`, and `inc`, which is odd."""

    __slots__ = ("inc", "state")

    def __init__(self, state: int, inc: int) -> None:
        self.state, self.inc = state & _BITS_64, (inc | 1) & _BITS_64

    @classmethod
    def seeded(cls, seed: int, game: int, tag: str) -> Stream:
        return cls(*stream_seed(seed, game, tag))

    def word(self) -> int:
        """Return the next 32 bits."""
        value, self.state = next_word(self.state, self.inc)
        return value

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each alike; one possibility draws nothing.

        Raises:
            ValueError: n is less than 1 or more than 2^32.
        """
        value, self.state = below(self.state, self.inc, n)
        return value

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put the items into a random order, in place."""
        order, self.state = shuffled(self.state, self.inc, tuple(items))
        items[:] = order
