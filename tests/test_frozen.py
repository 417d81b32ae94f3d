"""`frozen` and `slotted` make of a class what `dataclass` makes of it with slots."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from houserule.base.frozen import frozen, slotted

CLASSES = '''
"""A class for each kind of field, and for what a class may have itself."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Generic, TypeVar

T = TypeVar("T")


@made
class Base:
    "A class."

    place: str = field(default="nowhere", compare=False, repr=False, kw_only=True)


@made
class Piece(Base, Generic[T]):
    "A class."

    limit: ClassVar[int] = 3
    name: str
    value: T
    tags: tuple[str, ...] = ()
    marks: list[int] = field(default_factory=list, hash=False)
    notes: dict[str, int] = field(init=False, default_factory=dict, compare=False)

    def doubled(self) -> str:
        return self.name * 2


@made
class Longer(Piece[int]):
    "A class."

    name: str
    more: int = 0


@made
class Own(Base):
    "A class."

    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self.name[:1] == other.name[:1]


@made
class Single:
    "A class."

    number: int


@made
class Nothing:
    "A class."
'''
VALUES = (
    *("Base()", "Base(place='here')", "Single(1)", "Single(-1)", "Single(1.0)"),
    *("Piece('a', 1)", "Piece(value=1, name='a')", "Piece('a', 1, place='x')"),
    *("Piece('b', 2, ('t',), [4])", "Longer('a', 1)", "Longer('a', 1, more=2)"),
    *("Own('ab')", "Own('ac')", "Own('b')", "Nothing()"),
)
WRONG = (
    *("Piece()", "Piece('a')", "Piece('a',1,size=2)", "Piece('a',1,(),[],{})"),
    *("Base('here')", "Single(1,2)", "Nothing(1)"),
)
Named: TypeAlias = Callable[[str], Any]


def written(name: str, made: object) -> Iterator[Named]:
    """Yield what reads an expression where the classes were made in one way."""
    module = ModuleType(name)
    sys.modules[name] = module
    module.made = made  # type: ignore[attr-defined]
    exec(compile(CLASSES, name, "exec"), vars(module))
    yield lambda text: eval(text, vars(module))
    del sys.modules[name]


WAYS = {
    "frozen": (frozen, dataclass(frozen=True, slots=True)),
    "slotted": (slotted, dataclass(slots=True)),
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ours(way: str) -> Iterator[Named]:
    yield from written("ours", WAYS[way][0])


@pytest.fixture
def theirs(way: str) -> Iterator[Named]:
    yield from written("theirs", WAYS[way][1])


def hashed(value: object) -> int | str:
    try:
        return hash(value)
    except TypeError as error:
        return str(error)


def parameters(cls: type) -> list[tuple[object, ...]]:
    signature = inspect.signature(cls)
    return [
        (each.name, each.kind, each.annotation, each.default is inspect.Parameter.empty)
        for each in signature.parameters.values()
    ]


def test_values_are_shown_compared_and_hashed_alike(ours: Named, theirs: Named) -> None:
    for text in VALUES:
        mine, other = ours(text), theirs(text)
        assert repr(mine) == repr(other)
        assert asdict(mine) == asdict(other)
        assert mine != other
        for second in VALUES:
            assert (mine == ours(second)) is (other == theirs(second)), second
        assert hashed(mine) == hashed(other)


def test_a_class_has_the_same_face(ours: Named, theirs: Named) -> None:
    for name in ("Base", "Piece", "Longer", "Own", "Single", "Nothing"):
        mine, other = ours(name), theirs(name)
        assert parameters(mine) == parameters(other)
        for fact in ("__slots__", "__match_args__", "__doc__", "__qualname__"):
            assert mine.__dict__.get(fact) == other.__dict__.get(fact)
        assert list(map(repr, fields(mine))) == list(map(repr, fields(other)))
    assert ours("Piece('ab',1).doubled()") == "abab"
    assert ours("Piece[int].__origin__ is Piece and Piece.limit == 3")


@pytest.mark.parametrize("text", WRONG)
def test_wrong_arguments_are_refused_in_the_same_words(
    ours: Named, theirs: Named, text: str
) -> None:
    with pytest.raises(TypeError) as mine:
        ours(text)
    with pytest.raises(TypeError) as other:
        theirs(text)
    assert str(mine.value) == str(other.value)


@pytest.mark.parametrize("way", ["frozen"], indirect=True)
def test_nothing_of_a_frozen_value_changes(ours: Named) -> None:
    piece = ours("Longer('a',1)")
    for name in ("name", "place", "more", "new"):
        with pytest.raises(FrozenInstanceError, match=f"Longer.{name} does not"):
            setattr(piece, name, 1)
        with pytest.raises(FrozenInstanceError):
            delattr(piece, name)
    assert not hasattr(piece, "__dict__")


@pytest.mark.parametrize("way", ["slotted"], indirect=True)
def test_what_is_slotted_changes_in_its_slots_alone(ours: Named) -> None:
    piece = ours("Longer('a',1)")
    piece.name, piece.more = "b", 4
    assert piece == ours("Longer('b',1,more=4)")
    with pytest.raises(AttributeError):
        piece.new = 1


def test_values_are_copied_kept_and_replaced(ours: Named) -> None:
    piece = ours("Longer('a',1,('t',),[4],place='x',more=3)")
    piece.notes["n"] = 1
    for again in (copy.copy(piece), pickle.loads(pickle.dumps(piece))):
        assert again == piece
        assert (again.place, again.notes) == ("x", {"n": 1})
    assert copy.copy(piece).marks is piece.marks
    assert copy.deepcopy(piece).marks is not piece.marks
    other = replace(piece, name="b")
    assert (other.name, other.more, other.place, other.notes) == ("b", 3, "x", {})
    assert ours("Piece('a',1)").marks is not ours("Piece('a',1)").marks


@pytest.mark.parametrize("way", ["frozen"], indirect=True)
def test_what_is_written_at_first_use_stays(ours: Named) -> None:
    cls = ours("Single")
    before = cls.__init__, cls.__eq__, cls.__hash__
    first, second = cls(1), cls(1)
    assert first == second
    assert hash(first) == hash(second)
    kept = cls.__init__, cls.__eq__, cls.__hash__
    assert not set(before) & set(kept)
    assert {first: 1}[second] == {cls(1): 1}[first] == 1
    assert (cls.__init__, cls.__eq__, cls.__hash__) == kept


def test_a_class_that_needs_more_is_refused() -> None:
    class Later:
        number: int

        def __post_init__(self) -> None:
            """Do something."""

    with pytest.raises(TypeError, match="Later has a __post_init__"):
        frozen(Later)

    class Empty:
        number: int = field(init=False, default=1)

    class Unordered:
        number: int = 1
        other: int

    with pytest.raises(TypeError, match=r"Empty\.number is filled by nobody"):
        frozen(Empty)
    with pytest.raises(TypeError, match=r"Unordered\.other needs a default"):
        frozen(Unordered)
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass"):
        frozen(type("Below", (dataclass(frozen=True)(type("Above", (), {})),), {}))
