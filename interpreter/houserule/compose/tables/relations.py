"""`requires`, `implies`, `excludes`, groups and `needs players`, for one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.items.items import placed_items
from houserule.compose.tables import messages
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.compose.items.items import Placed
    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.manifest.ruleset import LoadedRuleset


def check_relations(
    ruleset: LoadedRuleset, on: frozenset[str], left_out: frozenset[str] = frozenset()
) -> list[Diagnostic]:
    """Return E301 and E302 for a set of variants that do not go together.

    `left_out` are those that somebody asked not to have.
    """
    titles = ruleset.variant_titles
    found: dict[Diagnostic, None] = {}
    for placed in placed_items(ruleset):
        if placed.members <= on:
            faults = _faults(placed, on, left_out, titles)
            found.update(dict.fromkeys(faults))
    return list(found)


def _faults(
    placed: Placed, on: frozenset[str], left_out: frozenset[str], titles: dict[str, str]
) -> Iterator[Diagnostic]:
    origin, item = placed.origin, placed.item
    match item:
        case tree.Relates(kind="excludes"):
            for name in _names(item):
                if name in on and name != origin.unit:
                    yield messages.exclude_each_other(origin, name, titles[name])
        case tree.Relates(kind="requires"):
            for name in _names(item):
                if name not in on:
                    title, out = titles.get(name, name), name in left_out
                    yield messages.is_missing(origin, name, title, left_out=out)
        case tree.Relates():
            for name in _names(item):
                if name in left_out:
                    yield messages.comes_along(origin, name, titles[name])
        case tree.OneOf(group, or_none=or_none):
            chosen = [name for name in _names(item) if name in on]
            if len(chosen) > 1 or not (chosen or or_none):
                named = {n: titles.get(n, n) for n in _names(item)}
                yield messages.pick_one(group.text, named, chosen, or_none=or_none)
        case _:
            pass


def _names(item: tree.Relates | tree.OneOf) -> list[str]:
    return [word.text for word in item.names]


# ---- seats


def players_for(
    ruleset: LoadedRuleset, on: frozenset[str], asked: int | None
) -> tuple[int, list[Diagnostic]]:
    """Return the number of players, and E308 if it does not suit game and variants.

    Without a wish it is the lowest number that suits them all.
    """
    limits = list(_limits(ruleset, on))
    low = max((low for _, low, _ in limits), default=1)
    high = min((high for _, _, high in limits), default=low)
    if asked is None and low <= high:
        return low, []
    if asked is None:
        return low, [messages.no_players_suit(limits)]
    wrong = [each for each in limits if not each[1] <= asked <= each[2]]
    return asked, [messages.wrong_players(*each, asked) for each in wrong]


def _limits(
    ruleset: LoadedRuleset, on: frozenset[str]
) -> Iterator[tuple[str, int, int]]:
    for placed in placed_items(ruleset):
        item = placed.item
        if isinstance(item, tree.Players | tree.NeedsPlayers) and placed.members <= on:
            yield placed.origin.title, item.low, item.high
