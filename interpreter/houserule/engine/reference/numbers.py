"""States as numbers: a state, or what a seat sees of it, mixed into 64 bits.

Both engines must agree on these to the bit.
"""

from __future__ import annotations

from collections.abc import Iterator

from houserule.engine.reference.random_numbers import hash_tag
from houserule.engine.state.store import Store
from houserule.engine.state.view import Visibility
from houserule.ir.types import Data, Set, Type, core, members

NUMBER_START = 0x6A09_E667_F3BC_C908
UNSEEN = 0x3C6E_F372_FE94_F82B
_BITS_64 = (1 << 64) - 1
_MULTIPLIER = 0x9E37_79B9_7F4A_7C15
_NONE = -(1 << 31)


def state_number(store: Store) -> int:
    """Return a 64-bit hash of a state, streams of random numbers included.

    For each number x of `_numbers` in turn: h = (h xor x) times a constant, then
    h = h xor (h shifted right by 29), all modulo 2^64.
    """
    return _mixed(_numbers(store, None))


def sight_number(store: Store, visibility: Visibility) -> int:
    """Return a 64-bit hash of a seat's view of a state.

    It is mixed like that of the state, without chance. A cell or a face that the seat
    does not see is `UNSEEN`. A zone whose contents it does not see is the number of its
    things, and the set of those that the seat was shown.
    """
    return _mixed(_numbers(store, visibility))


def _mixed(numbers: Iterator[int]) -> int:
    number = NUMBER_START
    for each in numbers:
        number = ((number ^ (each & _BITS_64)) * _MULTIPLIER) & _BITS_64
        number ^= number >> 29
    return number


def _numbers(store: Store, visibility: Visibility | None) -> Iterator[int]:
    """Yield all of a state in the order of the program, or what a seat sees of it.

    A set is its words of 64 bits, a bit for each member of its type; if it may be
    `none`, a last word is 1 if it is present. A position is twice its place and its
    end; any other none is the least number of 32 bits.
    """
    program = store.layout.program
    for name, state in program.states.items():
        for index, value in enumerate(store.cells[name]):
            if visibility is None or visibility.cell(name, index):
                yield from _cell_numbers(value, state.type)
            else:
                yield UNSEEN
    for name, zone in program.zones.items():
        every = range(zone.member.size)
        for index, things in enumerate(store.zones[name]):
            if visibility is not None and not visibility.zone(name, index):
                kind = zone.member.name
                known = [t for t in things if visibility.was_shown(kind, t)]
                yield len(things)
                yield from _words(tuple(known), every)
            elif zone.kind == "pile":
                yield len(things)
                yield from things
            else:
                yield from _words(things, every)
    for row in store.tokens.values():
        yield from row
    for kind, faces in store.faces.items():
        for die, face in enumerate(faces):
            seen = visibility is None or visibility.face(kind, die)
            yield face if seen else UNSEEN
    if visibility is None:
        for row in store.known.values():
            yield from row
        for tag in sorted(store.streams):
            yield hash_tag(tag)
            yield store.streams[tag]


def _cell_numbers(value: Data, type_: Type) -> Iterator[int]:
    inner = core(type_)
    if isinstance(inner, Set):
        yield from _words(value, members(inner.member))
        if inner is not type_:
            yield value is not None
    else:
        yield (
            _NONE
            if value is None
            else 2 * value[0] + value[1]
            if isinstance(value, tuple)
            else int(value)
        )


def _words(value: Data, every: range) -> Iterator[int]:
    things = value if isinstance(value, tuple) else ()
    whole = sum(1 << each - every.start for each in things)
    for word in range(max(1, -(-len(every) // 64))):
        yield whole >> 64 * word & _BITS_64
