"""Random numbers: published vectors, evenness, independence of streams."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houserule.engine.reference.random_numbers import (
    Stream,
    below,
    draw,
    hash_tag,
    next_word,
    shuffled,
    split_mix,
    stream_seed,
)

VECTORS = Path(__file__).parents[1] / "vectors" / "random.json"


def vectors() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text())["streams"]
    return found


@pytest.mark.parametrize("vector", vectors(), ids=lambda v: f"{v['seed']}-{v['tag']}")
def test_the_published_vectors_hold(vector: dict[str, Any]) -> None:
    seed, game, tag = vector["seed"], vector["game"], vector["tag"]
    state, inc = stream_seed(seed, game, tag)
    assert [f"{state:016x}", f"{inc:016x}"] == [vector["state"], vector["increment"]]
    stream = Stream.seeded(seed, game, tag)
    assert [f"{stream.word():08x}" for _ in range(16)] == vector["words"]
    stream = Stream.seeded(seed, game, tag)
    assert [1 + stream.below(6) for _ in range(20)] == vector["throws"]
    stream = Stream.seeded(seed, game, tag)
    items = list(range(10))
    stream.shuffle(items)
    assert items == vector["shuffle"]


def test_pcg_agrees_with_the_demo_of_its_author() -> None:
    # pcg32_srandom(42, 54), first round of pcg32-demo
    inc = (54 << 1) | 1
    state = (inc + 42) & (2**64 - 1)
    _, state = next_word(state, inc)
    words = []
    for _ in range(6):
        word, state = next_word(state, inc)
        words.append(word)
    assert words == [
        0xA15C02B7,
        0x7B47F409,
        0xBA1D3330,
        0x83D2F293,
        0xBFA4784B,
        0xCBED606E,
    ]


def test_split_mix_agrees_with_its_reference() -> None:
    state, found = 1234567, []
    for _ in range(5):
        value, state = split_mix(state)
        found.append(value)
    assert found == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_tags_are_hashed_as_fnv_1a() -> None:
    assert hash_tag("") == 0xCBF29CE484222325
    assert hash_tag("a") == 0xAF63DC4C8601EC8C
    assert hash_tag("foobar") == 0x85944171F73967E8


def test_one_possibility_draws_nothing() -> None:
    assert below(99, 1, 1) == (0, 99)
    positions: dict[str, int] = {}
    assert draw(positions, 1, 2, "a", 1) == 0
    assert not positions


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_what_cannot_be_drawn_from_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        below(1, 1, n)


@given(st.integers(1, 2**32), st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1))
def test_draws_lie_below_their_bound(n: int, state: int, half: int) -> None:
    value, after = below(state, 2 * half + 1, n)
    assert 0 <= value < n
    assert 0 <= after < 2**64


def test_a_bound_just_over_half_the_range_rejects() -> None:
    n, state, inc = 2**31 + 1, *stream_seed(7, 0, "x")
    steps = 0
    for _ in range(200):
        before = state
        _, state = below(state, inc, n)
        while before != state:
            _, before = next_word(before, inc)
            steps += 1
    assert steps > 250


@given(st.lists(st.integers(), max_size=12), st.integers(0, 2**64 - 1))
def test_a_shuffle_keeps_its_items(items: list[int], state: int) -> None:
    order, _ = shuffled(state, 1, items)
    assert sorted(order) == sorted(items)


def test_every_order_and_every_face_is_as_likely() -> None:
    stream = Stream.seeded(3, 0, "even")
    orders: Counter[tuple[int, ...]] = Counter()
    faces: Counter[int] = Counter()
    for _ in range(6000):
        items = [0, 1, 2]
        stream.shuffle(items)
        orders[tuple(items)] += 1
        faces[stream.below(6)] += 1
    assert set(orders) == set(permutations(range(3)))
    assert all(850 < count < 1150 for count in (*orders.values(), *faces.values()))


@given(st.integers(0, 2**64 - 1), st.integers(0, 10**6), st.text(max_size=10))
def test_streams_have_odd_increments_and_differ(seed: int, game: int, tag: str) -> None:
    state, inc = stream_seed(seed, game, tag)
    assert inc % 2 == 1
    others = [(seed ^ 1, game, tag), (seed, game + 1, tag), (seed, game, tag + "x")]
    assert all(stream_seed(*other) != (state, inc) for other in others)


def test_positions_are_all_that_is_kept() -> None:
    positions: dict[str, int] = {}
    first = [draw(positions, 5, 1, "roll/red", 6) for _ in range(10)]
    kept = dict(positions)
    more = [draw(positions, 5, 1, "roll/red", 6) for _ in range(10)]
    assert [draw(kept, 5, 1, "roll/red", 6) for _ in range(10)] == more
    stream = Stream.seeded(5, 1, "roll/red")
    assert [stream.below(6) for _ in range(20)] == first + more
