"""Resolve `extend X with y(z)` with all files: it adds a member, or a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from houserule.language.syntax import tree as t


def settled(units: Sequence[t.Unit]) -> tuple[t.Unit, ...]:
    """Return the units of a game, with every `extend Box with sevens(red)` resolved.

    Such a line adds a place of tokens, unless some unit declares the name as a type.
    Units without such a line stay the same objects.
    """
    types = {
        item.name.text
        for unit in units
        for item in _flat(unit.items)
        if isinstance(item, t.TypeDecl)
    }
    found = []
    for unit in units:
        items = _settled(unit.items, types)
        found.append(unit if items == unit.items else replace(unit, items=items))
    return tuple(found)


def _flat(items: Sequence[t.Item]) -> list[t.Item]:
    found: list[t.Item] = []
    for item in items:
        inside = item.items if isinstance(item, t.WithGuard | t.Phase) else ()
        found += [item, *_flat(inside)]
    return found


def _settled(items: tuple[t.Item, ...], types: set[str]) -> tuple[t.Item, ...]:
    found: list[t.Item] = []
    for item in items:
        match item:
            case t.WithGuard() | t.Phase():
                inside = _settled(item.items, types)
                same = inside == item.items
                found.append(item if same else replace(item, items=inside))
            case t.ExtendTokens(target, place, notes) if (
                target.text in types and not any(key.type for key in place.keys)
            ):
                values = tuple(
                    t.Name(key.name.text, span=key.name.span) for key in place.keys
                )
                name = place.name
                member = t.ValuedMember(name.text, values, span=name.span)
                found.append(t.ExtendMembers(target, (member,), notes, span=item.span))
            case _:
                found.append(item)
    return tuple(found)
