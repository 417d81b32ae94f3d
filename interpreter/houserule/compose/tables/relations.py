"""`requires`, `implies`, `excludes`, groups and `needs players`, for one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.items.items import placed_items
from houserule.compose.tables import messages
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.compose.items.items import Placed
    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.manifest.ruleset import LoadedRuleset


def switched_on(
    ruleset: LoadedRuleset, names: Iterable[str], left_out: frozenset[str] = frozenset()
) -> frozenset[str]:
    """Return these variants and all that they bring: by `implies`, and by `normally`.

    Names of no variant are left out. What is brought has to satisfy its own
    `requires` like anything else. Of a group of which nothing is on, that one is
    switched on which it normally is, unless somebody left it out.
    """
    known = {unit.id for unit in ruleset.units_of("variant")}
    items = [each for each in placed_items(ruleset) if each.members <= known]
    done, before = frozenset(names), None
    while done != before:
        before = done
        done = _implied(items, done, known)
        usual = (_usual(each, done) for each in items)
        done |= next(({name} for name in usual if name in known - left_out), set())
    return done


def _implied(
    items: Iterable[Placed], names: frozenset[str], known: set[str]
) -> frozenset[str]:
    done, size = names, -1
    while size < len(done):
        size = len(done)
        for placed in items:
            item = placed.item
            if isinstance(item, tree.Relates) and item.kind == "implies":
                wanted = {word.text for word in item.names} & known
                done |= wanted if placed.members <= done else frozenset()
    return done


def _usual(placed: Placed, on: frozenset[str]) -> str:
    """Return what a group is normally, if it matters and nothing of it is on."""
    item = placed.item
    if isinstance(item, tree.OneOf) and item.normally and placed.members <= on:
        return "" if on & set(_names(item)) else item.normally.text
    return ""


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
