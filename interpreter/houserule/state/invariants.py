"""Invariants: what types do not say of a state. A thing lies once, no token is lost.

Each check takes the parts of a state by name and yields one sentence for each thing
that is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias, cast

from houserule.ir.types import Data, Maybe, Set
from houserule.state.domains import fits
from houserule.state.layout import Layout, token_groups

Families: TypeAlias = Mapping[str, Sequence[Data]]
Parts: TypeAlias = Mapping[str, Families]
Check: TypeAlias = Callable[[Parts], Iterator[str]]


def invariants(layout: Layout) -> list[Check]:
    """Return the checks of a layout's states; those with nothing to do are left out."""
    found: list[Check] = []
    sets = [
        name
        for name, state in layout.program.states.items()
        if isinstance(state.type, Set | Maybe)
    ]
    if sets:
        found.append(_ascending(layout, sets))
    if layout.members:
        found.append(_one_place(layout))
    if layout.faces:
        found.append(_faces(layout))
    found += [
        _conserved(layout, tokens.name) for tokens in layout.program.tokens.values()
    ]
    return found


def _ascending(layout: Layout, states: Sequence[str]) -> Check:
    tests = [(name, fits(layout.program.states[name].type)) for name in states]

    def check(parts: Parts) -> Iterator[str]:
        for name, test in tests:
            for index, value in enumerate(parts["cells"][name]):
                if not test(value):
                    title = layout.title(name, index)
                    yield f"`{title}` is {value}: a set ascends, without repeats."

    return check


def _one_place(layout: Layout) -> Check:
    zones: dict[str, list[str]] = {}
    for zone, kind in layout.members.items():
        zones.setdefault(kind, []).append(zone)

    def check(parts: Parts) -> Iterator[str]:
        for kind, names in zones.items():
            families = [cast("list[tuple[int, ...]]", parts["zones"][n]) for n in names]
            lying = list(chain.from_iterable(chain.from_iterable(families)))
            if len(set(lying)) < len(lying):
                twice = min(thing for thing in lying if lying.count(thing) > 1)
                yield f"`{layout.thing(kind, twice)}` lies in two places."
            yield from _sorted_zones(layout, zip(names, families, strict=True))

    return check


def _sorted_zones(
    layout: Layout, families: Iterator[tuple[str, list[tuple[int, ...]]]]
) -> Iterator[str]:
    for name, zones in families:
        if layout.program.zones[name].kind != "set":
            continue
        for index, things in enumerate(zones):
            if len(things) > 1 and list(things) != sorted(things):
                yield f"`{layout.title(name, index)}` does not ascend by id."


def _faces(layout: Layout) -> Check:
    def check(parts: Parts) -> Iterator[str]:
        for kind, faces in layout.faces.items():
            for die, face in enumerate(parts["faces"][kind]):
                if face not in faces:
                    yield f"The die `{layout.thing(kind, die)}` has no face {face}."

    return check


def _conserved(layout: Layout, family: str) -> Check:
    tokens = layout.program.tokens[family]
    groups = token_groups(tokens, layout.families)

    def check(parts: Parts) -> Iterator[str]:
        heaps = cast("Mapping[str, list[int]]", parts["tokens"])
        for number, group in enumerate(groups):
            count = 0
            for slot, index in group:
                count += heaps[slot][index]
            if count != tokens.amount:
                title = family_title(layout, family, number)
                yield f"There are {count} of `{title}`, not {tokens.amount}."

    return check


def family_title(layout: Layout, family: str, number: int) -> str:
    """Return how one key of a token family is written."""
    return layout.owners[family].title(number, layout.program.labels)
