"""`requires`, `implies`, `excludes`, groups and `needs players`, for one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.items.items import placed_items
from houserule.compose.merge.messages import titled
from houserule.diagnostics.diagnostic import Diagnostic
from houserule.diagnostics.wording import number_word, quoted, sentence
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from houserule.compose.items.items import Placed
    from houserule.compose.rules import Origin
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
                    yield _exclude_each_other(origin, name, titles[name])
        case tree.Relates(kind="requires"):
            for name in _names(item):
                if name not in on:
                    title, out = titles.get(name, name), name in left_out
                    yield _is_missing(origin, name, title, left_out=out)
        case tree.Relates():
            for name in _names(item):
                if name in left_out:
                    yield _comes_along(origin, name, titles[name])
        case tree.OneOf(group, or_none=or_none):
            chosen = [name for name in _names(item) if name in on]
            if len(chosen) > 1 or not (chosen or or_none):
                named = {n: titles.get(n, n) for n in _names(item)}
                yield _pick_one(group.text, named, chosen, or_none=or_none)
        case _:
            pass


def _names(item: tree.Relates | tree.OneOf) -> list[str]:
    return [word.text for word in item.names]


def _is_missing(
    origin: Origin, name: str, title: str, *, left_out: bool = False
) -> Diagnostic:
    """Return E301: a variant needs another, which is off."""
    which = "which you left out" if left_out else "which is off"
    message = f'{sentence(titled(origin))} needs "{title}", {which}.'
    add = f"Add it:  --with {name}"
    off = f"or leave {origin.unit} off."
    ways = (f"{add:30} {off}",) if origin.unit else (add,)
    return Diagnostic("E301", message, fixes=ways)


def _comes_along(origin: Origin, name: str, title: str) -> Diagnostic:
    """Return E301: a variant was left out that another brings along."""
    message = f'{sentence(titled(origin))} brings "{title}" along, which you left out.'
    return Diagnostic("E301", message, fixes=(f"--without {name},{origin.unit}",))


def _exclude_each_other(one: Origin, name: str, title: str) -> Diagnostic:
    """Return E302: two variants that cannot be on together."""
    both = f'{sentence(titled(one))} and "{title}"'
    message = f"{both} cannot be played together; pick one."
    return Diagnostic("E302", message, fixes=(f"--without {one.unit or name}",))


def _pick_one(
    group: str, titles: Mapping[str, str], on: Sequence[str], *, or_none: bool = False
) -> Diagnostic:
    """Return E302: several of a group are on, or none.

    Args:
        group: the name of the group.
        titles: the titles of all its variants, by name.
        on: those that are on.
        or_none: a table may have none of them.
    """
    word = group.replace("_", " ")
    if on:
        some = quoted(titles[name] for name in on)
        are = f"are {number_word(len(on))} {word}s"
        how = "at most" if or_none else "exactly"
        return Diagnostic("E302", f"{some} {are}; pick {how} one.")
    every = " or ".join(f'"{title}"' for title in titles.values())
    message = f"This game is played with one {word}: {every}; pick exactly one."
    return Diagnostic("E302", message, fixes=tuple(f"--with {n}" for n in titles))


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
        return low, [_no_players_suit(limits)]
    wrong = [each for each in limits if not each[1] <= asked <= each[2]]
    return asked, [_wrong_players(*each, asked) for each in wrong]


def _limits(
    ruleset: LoadedRuleset, on: frozenset[str]
) -> Iterator[tuple[str, int, int]]:
    for placed in placed_items(ruleset):
        item = placed.item
        if isinstance(item, tree.Players | tree.NeedsPlayers) and placed.members <= on:
            yield placed.origin.title, item.low, item.high


def _wrong_players(who: str, low: int, high: int, asked: int) -> Diagnostic:
    """Return E308: too few or too many players; `who` is the title that says so."""
    message = f'"{who}" is for {_seats(low, high)} players; you asked for {asked}.'
    fix = f"--players {min(max(asked, low), high)}"
    return Diagnostic("E308", message, fixes=(fix,))


def _no_players_suit(limits: Sequence[tuple[str, int, int]]) -> Diagnostic:
    """Return E308: what was chosen leaves no number of players at all."""
    parts = [f'"{who}" is for {_seats(low, high)}' for who, low, high in limits]
    message = f"No number of players suits everything you chose: {', '.join(parts)}."
    return Diagnostic("E308", message)


def _seats(low: int, high: int) -> str:
    return f"{low} to {high}" if low < high else str(low)
