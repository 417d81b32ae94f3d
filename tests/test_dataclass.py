"""Data classes of the package do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any

import pytest

from houserule.dataclass import dataclass as late

Decorator = Callable[..., Any]


class Shapes:
    """The same classes, made by one decorator or the other."""

    def __init__(self, dataclass: Decorator) -> None:
        @dataclass(frozen=True, slots=True, kw_only=True)
        class Node:
            """Has a place that does not count."""

            place: int = field(default=0, compare=False, repr=False)

        @dataclass(frozen=True, slots=True)
        class Leaf(Node):
            name: str
            parts: tuple[object, ...] = ()

        @dataclass(frozen=True, slots=True)
        class Empty:
            """Nothing."""

        @dataclass(slots=True)
        class Open:
            """Can be changed, so it has no hash."""

            count: int
            items: list[int] = field(default_factory=list)
            seen: dict[str, int] = field(init=False, default_factory=dict)
            fixed: int = field(init=False, default=7)

        @dataclass
        class Sums:
            left: int
            right: int = 2
            total: int = field(init=False)

            def __post_init__(self) -> None:
                self.total = self.left + self.right

        @dataclass(frozen=True, eq=False)
        class Alone:
            one: int

        @dataclass(frozen=True)
        class Own:
            one: int
            other: int = field(default=0, hash=False)

            def __eq__(self, other: object) -> bool:
                return isinstance(other, Own)

            def __repr__(self) -> str:
                return "own"

        @dataclass(frozen=True)
        class OwnHash:
            one: int

            def __hash__(self) -> int:
                return 5

        class Below(Leaf):
            """No data class of its own."""

        self.classes: dict[str, Any] = {
            each.__name__: each
            for each in (Node, Leaf, Empty, Open, Sums, Alone, Own, OwnHash, Below)
        }


STANDARD = Shapes(dataclasses.dataclass).classes
LATE = Shapes(late).classes
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Node", (), {}),
    ("Node", (), {"place": 3}),
    ("Node", (3,), {}),
    ("Leaf", ("a",), {}),
    ("Leaf", ("a", (1, 2)), {"place": 4}),
    ("Leaf", (), {"name": "a"}),
    ("Leaf", (), {}),
    ("Leaf", ("a",), {"other": 1}),
    ("Empty", (), {}),
    ("Open", (1,), {}),
    ("Open", (1, [2]), {}),
    ("Open", (1,), {"seen": {}}),
    ("Sums", (1,), {}),
    ("Sums", (1, 5), {}),
    ("Alone", (1,), {}),
    ("Own", (1,), {}),
    ("OwnHash", (1,), {}),
    ("Below", ("a",), {"place": 9}),
]


def _made(kind: type, values: tuple[Any, ...], named: dict[str, Any]) -> Any:  # noqa: ANN401
    try:
        return kind(*values, **named)
    except TypeError:
        return None


def _outcome(act: Callable[[], object]) -> object:
    try:
        return act()
    except (TypeError, FrozenInstanceError, AttributeError) as error:
        return type(error)


@pytest.mark.parametrize(("name", "values", "named"), CALLS)
def test_calls(name: str, values: tuple[Any, ...], named: dict[str, Any]) -> None:
    wanted = _made(STANDARD[name], values, named)
    found = _made(LATE[name], values, named)
    assert (found is None) == (wanted is None)
    if wanted is None:
        return
    assert repr(found).split(".")[-1] == repr(wanted).split(".")[-1]
    for each in fields(wanted):
        assert getattr(found, each.name) == getattr(wanted, each.name)
        for act in (setattr, lambda it, name, _: delattr(it, name)):
            mine, theirs = copy.copy(found), copy.copy(wanted)
            done = _outcome(lambda: act(mine, each.name, 1))  # noqa: B023
            assert done == _outcome(lambda: act(theirs, each.name, 1))  # noqa: B023
    again = (_made(LATE[name], values, named), _made(STANDARD[name], values, named))
    assert (found == again[0]) == (wanted == again[1])
    assert (found != again[0]) == (wanted != again[1])
    assert found != wanted
    hashes = (
        (lambda: hash(found) == hash(again[0])),
        (lambda: hash(wanted) == hash(again[1])),
    )
    assert _outcome(hashes[0]) == _outcome(hashes[1])


@pytest.mark.parametrize("name", LATE)
def test_classes(name: str) -> None:
    mine, theirs = LATE[name], STANDARD[name]
    assert [each.name for each in fields(mine)] == [
        each.name for each in fields(theirs)
    ]
    assert mine.__match_args__ == theirs.__match_args__
    assert hasattr(mine, "__slots__") == hasattr(theirs, "__slots__")
    assert (mine.__hash__ is None) == (theirs.__hash__ is None)
    assert mine.__init__.__qualname__.endswith("__init__")


def test_what_counts_in_sameness() -> None:
    kind = LATE["Leaf"]
    assert kind("a", place=1) == kind("a", place=2)
    assert hash(kind("a", place=1)) == hash(kind("a", place=2))
    assert kind("a") != kind("b")
    assert kind("a") != LATE["Below"]("a")
    assert kind("a").__eq__("a") is NotImplemented
    assert len({kind("a"), kind("a"), kind("b")}) == 2


def test_values_are_replaced_and_matched() -> None:
    kind = LATE["Leaf"]
    assert replace(kind("a", (1,), place=3), name="b") == kind("b", (1,))
    match kind("a", (1,)):
        case kind(name, parts):
            assert (name, parts) == ("a", (1,))
        case _:
            pytest.fail("it has this form")


def test_what_every_object_gets_is_its_own() -> None:
    one, other = LATE["Open"](1), LATE["Open"](1)
    one.items.append(1)
    one.seen["a"] = 1
    assert other.items == []
    assert other.seen == {}


@late(frozen=True, slots=True)
class Carried:
    """Goes to another process and comes back."""

    one: int
    two: tuple[int, ...] = ()


def test_frozen_objects_with_slots_are_carried() -> None:
    it = Carried(1, (2,))
    assert copy.deepcopy(it) == it
    assert pickle.loads(pickle.dumps(it)) == it


def test_an_object_in_itself_has_a_text() -> None:
    it = LATE["Open"](1)
    it.items.append(it)
    assert repr(it).endswith("Open(count=1, items=[...], seen={}, fixed=7)")
