"""Declaring is adding: every declaration of a table, each address once (E205)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.compose.items.items import declares
from houserule.compose.merge import messages
from houserule.compose.merge.draft import Draft, Entry, Rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.compose.items.items import Declared, Placed
    from houserule.diagnostics.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class _Said:
    """One declaration, and its place among those of its item, from 0."""

    placed: Placed
    one: Declared
    index: int
    inline: bool


def enter_declarations(draft: Draft) -> None:
    """Enter every declared clause; two declarations that say the same are one.

    Otherwise two of one address, or two of one name in one name space, are E205; the
    first in canonical order is kept, so that other faults are found as well.
    """
    groups: dict[str, list[_Said]] = defaultdict(list)
    for each in _all_said(draft.placed):
        groups[each.one.address].append(each)
    clashing: set[str] = set()
    for address, group in groups.items():
        owner = group[0].one.owner
        if _differ(group):
            if owner not in clashing:
                draft.found.append(_clash(address, group))
            clashing.add(address)
        draft.entries[address] = _entry(group)
        draft.inside.setdefault(owner, []).append(address)
    _check_names(draft, groups)


def _all_said(items: Iterable[Placed]) -> Iterator[_Said]:
    for placed in items:
        known = [each for each in declares(placed) if each.kind != "part"]
        for index, one in enumerate(known):
            yield _Said(placed, one, index, one.owner == known[0].address)


def _differ(group: list[_Said]) -> bool:
    """Say whether the declarations disagree, or one unit writes the same twice.

    One unit may say the same in several `with` blocks.
    """
    first = group[0].one
    if any(each.one.content != first.content for each in group[1:]):
        return True
    said = {(each.placed.origin.unit, each.placed.members) for each in group}
    return len(said) < len(group)


def _clash(name: str, group: Iterable[_Said]) -> Diagnostic:
    said = list(group)
    kinds = [each.one.kind for each in said]
    parties = [messages.Party(each.placed.origin, each.one.span) for each in said]
    return messages.one_name_two_things(name, kinds, parties)


def _entry(group: list[_Said]) -> Entry:
    first = group[0]
    origins = dict.fromkeys(each.placed.origin for each in group)
    return Entry(
        address=first.one.address,
        kind=first.one.kind,
        node=first.one.node,
        owner=first.one.owner,
        phase=first.placed.phase,
        rank=_rank(first),
        origins=tuple(origins),
        span=first.one.span,
    )


def _rank(said: _Said) -> Rank:
    """Order clauses: as written in the base and inside one item, else by address."""
    if said.inline or not said.placed.origin.unit:
        return (0, said.placed.number, said.index, "")
    return (1, 0, 0, said.one.address)


def _check_names(draft: Draft, groups: dict[str, list[_Said]]) -> None:
    """Find names that enter one name space under two addresses."""
    names: dict[tuple[str, str], dict[str, _Said]] = defaultdict(dict)
    for address, group in groups.items():
        one = group[0].one
        if one.name:
            names[one.space, one.name].setdefault(address, group[0])
    for (_, name), known in names.items():
        if len(known) > 1:
            draft.found.append(_clash(name, (known[a] for a in sorted(known))))
