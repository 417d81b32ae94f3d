"""Layout: where in a store each cell, zone and heap of tokens lies, by number.

A family with keys is one flat list, row-major over the members of its keys' types, the
last key fastest. A key that is a set counts by the bit pattern of its members' places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.state.domains import Labels, fits, printed
from houserule.engine.state.faults import F01, F03, RuleFault
from houserule.ir.types import Data, Flag, Kind, Set, Type, Whole, least, members

TOP, BOTTOM = 0, 1


@frozen
class Axis:
    """One key of a family: its least member, how many there are, and its stride.

    For a key of set type, `low` and `places` are those of the set's members.
    """

    name: str
    type: Type
    low: int
    places: int
    stride: int
    of_sets: bool

    @property
    def size(self) -> int:
        """How many values the key has."""
        return int(2**self.places) if self.of_sets else self.places

    def place(self, value: Data) -> int:
        """Return the place of a value on this axis.

        Raises:
            RuleFault: F03 for none, F01 for a value outside the key's type.
        """
        if value is None:
            raise RuleFault(F03, f"`{self.name}` is none, but a key is needed.")
        if isinstance(value, tuple):
            return sum(1 << self._inside(each) for each in value)
        return self._inside(value)

    def _inside(self, value: int) -> int:
        place = value - self.low
        if not 0 <= place < self.places:
            raise RuleFault(F01, f"`{self.name}` is {value}, outside {self.type}.")
        return place

    def value(self, place: int) -> Data:
        if self.of_sets:
            return tuple(
                self.low + bit for bit in range(self.places) if place >> bit & 1
            )
        if isinstance(self.type, Flag):
            return bool(place)
        return self.low + place


@frozen
class CellFamily:
    """A family of cells, zones or tokens: its keys, and how many members it has."""

    name: str
    axes: tuple[Axis, ...]
    count: int

    def index(self, keys: Sequence[Data]) -> int:
        """Return the number of the member at these keys.

        Raises:
            RuleFault: F03 if a key is `none`, F01 if it is out of range.
        """
        index = 0
        for axis, key in zip(self.axes, keys, strict=True):
            index += axis.place(key) * axis.stride
        return index

    def keys(self, index: int) -> tuple[Data, ...]:
        return tuple(axis.value(index // axis.stride % axis.size) for axis in self.axes)

    def title(self, index: int, labels: Labels) -> str:
        """Return how a member is written in the rules, such as `score(red)`."""
        if not self.axes:
            return self.name
        keys = zip(self.keys(index), self.axes, strict=True)
        return f"{self.name}({', '.join(printed(k, a.type, labels) for k, a in keys)})"


def family_of(name: str, params: Sequence[ir.Param]) -> CellFamily:
    axes: list[Axis] = []
    stride = 1
    for param in reversed(params):
        of_sets = isinstance(param.type, Set)
        match param.type:
            case Set(member):
                every = members(member)
            case Whole() | Kind() | Flag():
                every = members(param.type)
            case _:
                raise TypeError(
                    f"`{param.name}`: {param.type} cannot be a key of state"
                )
        low = every[0] if every else 0
        axes.insert(0, Axis(param.name, param.type, low, len(every), stride, of_sets))
        stride *= axes[0].size
    return CellFamily(name, tuple(axes), stride)


@lru_cache(maxsize=1024)
def all_keys(params: tuple[ir.Param, ...]) -> tuple[tuple[Data, ...], ...]:
    """Return every combination of keys of a family, in the order of its members."""
    family = family_of("", params)
    return tuple(family.keys(index) for index in range(family.count))


class Layout:
    """The plan of a program's state.

    Attributes:
        families: the family of each state, zone and slot of tokens.
        first: for each state its first values, one a cell; of a state whose first
            value is computed, the least value of its type.
        tests: for each state the test whether a value is in its type.
        owners: for each family of tokens its keys.
        starts: for each slot of tokens how many lie there at first.
        faces: for each kind of dice its faces, as declared.
        components: for each kind of component how many there are.
        members: for each zone family the kind that lies there.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.families: dict[str, CellFamily] = {}
        for state in program.states.values():
            self.families[state.name] = family_of(state.name, state.keys)
        for zone in program.zones.values():
            self.families[zone.name] = family_of(zone.name, zone.keys)
        for tokens in program.tokens.values():
            for slot, params in tokens.slots.items():
                self.families[slot] = family_of(slot, params)
        self.tests: Mapping[str, Callable[[Data], bool]] = {
            name: fits(state.type) for name, state in program.states.items()
        }
        self.first: dict[str, tuple[Data, ...]] = {}
        for name, state in program.states.items():
            first = least(state.type)
            if isinstance(state.first, ir.Const) and not state.computed:
                first = state.first.value
            self.first[name] = (first,) * self.families[name].count
        self.owners = {
            name: family_of(name, tokens.keys)
            for name, tokens in program.tokens.items()
        }
        self.starts: dict[str, tuple[int, ...]] = {}
        for tokens in program.tokens.values():
            starting, *others = tokens.slots
            heaps = [0] * self.families[starting].count
            for group in token_groups(tokens, self.families):
                # A first place with keys beyond the family's fills its first member.
                at = min(index for slot, index in group if slot == starting)
                heaps[at] = tokens.amount
            self.starts[starting] = tuple(heaps)
            for slot in others:
                self.starts[slot] = (0,) * self.families[slot].count
        self.components = {
            name: component.kind.size
            for name, component in program.components.items()
            if component.kind.sort != "enum"  # no member of one lies anywhere
        }
        self.faces = {
            name: component.faces
            for name, component in program.components.items()
            if component.faces
        }
        self.members = {name: zone.member.name for name, zone in program.zones.items()}
        self._zone_offsets: dict[str, int] = {}
        self._zones_by_place: list[tuple[str, int]] = []
        for name in program.zones:
            self._zone_offsets[name] = len(self._zones_by_place)
            count = self.families[name].count
            self._zones_by_place += [(name, index) for index in range(count)]

    def index(self, family: str, keys: Sequence[Data]) -> int:
        """Return the number of a member of a family.

        Raises:
            RuleFault: F03 if a key is `none`, F01 if it is out of range.
        """
        return self.families[family].index(keys)

    def fits(self, state: str, value: Data) -> bool:
        """Return whether a value is in the type of a state."""
        return self.tests[state](value)

    def place(self, zone: str, index: int) -> int:
        """Return the place of a zone among all zones: the first half of a position."""
        return self._zone_offsets[zone] + index

    def zone_at(self, place: int) -> tuple[str, int]:
        """Return the zone family and the number of the zone at a place."""
        return self._zones_by_place[place]

    def title(self, family: str, index: int) -> str:
        """Return how a member of a family is written, such as `score(red)`."""
        return self.families[family].title(index, self.program.labels)

    def thing(self, kind: str, item: int) -> str:
        return self.program.components[kind].labels[item]


def token_groups(
    tokens: ir.TokensDef, families: Mapping[str, CellFamily]
) -> list[list[tuple[str, int]]]:
    """Return, for each key of a token family, all (slot, number) that belong to it."""
    own = family_of(tokens.name, tokens.keys)
    groups: list[list[tuple[str, int]]] = [[] for _ in range(own.count)]
    for slot in tokens.slots:
        family = families[slot]
        for index in range(family.count):
            keys = family.keys(index)
            key = tuple(keys[place] for place in tokens.family_keys[slot])
            groups[own.index(key)].append((slot, index))
    return groups
