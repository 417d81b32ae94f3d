"""The belt to the braces: every table one after another, by plain enumeration.

`check_family` reasons about all tables at once. This module says the same of every
single table and shares no formula with it, so that a test can hold one against the
other. Small families are composed outright; in large ones each clause is looked at
alone, once for every setting of the switches that bear on it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from tests.support.exhaustive_laws import Laws

from houserule.compiler.compose.compose import compose
from houserule.compiler.items.items import placed_items
from houserule.compiler.rules import ChosenTable
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.language.manifest.ruleset import LoadedRuleset

Names: TypeAlias = frozenset[str]


def every_table(ruleset: LoadedRuleset) -> list[int]:
    """Return every valid set of variants, as a number: bit i is the i-th by alphabet.

    Switches are added one by one; what breaks a relation is dropped as soon as the
    last switch of that relation is set.
    """
    names = variants_of(ruleset)
    limits = _limits(ruleset, {name: 1 << i for i, name in enumerate(names)})
    tables = [table for table in [0] if limits.allow(table, 0)]
    for index in range(len(names)):
        switch = 1 << index
        more = tables + [table | switch for table in tables]
        tables = [table for table in more if limits.allow(table, switch)]
    return [table for table in tables if limits.has_seats(table)]


def variants_of(ruleset: LoadedRuleset) -> tuple[str, ...]:
    """Return the names of all variants by alphabet."""
    return tuple(sorted(unit.id for unit in ruleset.units_of("variant")))


def names_in(table: int, names: tuple[str, ...]) -> Names:
    """Return the variants that are on in a table."""
    return frozenset(name for i, name in enumerate(names) if table >> i & 1)


def faults_by_composing(
    ruleset: LoadedRuleset, tables: Iterable[int]
) -> Iterator[tuple[int, Names]]:
    """Compose each table and yield it with the codes of all that is wrong there."""
    names = variants_of(ruleset)
    for table in tables:
        chosen = ChosenTable(ruleset.id, 0, names_in(table, names), {})
        _, found = compose(ruleset, chosen)
        yield table, frozenset(each.code for each in found)


def faults_by_clause(
    ruleset: LoadedRuleset, tables: Iterable[int]
) -> dict[str, set[int]]:
    """Return, for each code, the tables in which some clause has that fault.

    Codes: E101 to E103, E201, E202, E204, E205, E208 to E210, E213, E214, W210, W211;
    of rows and defaults nothing is said.
    """
    every = list(tables)
    found: dict[str, set[int]] = defaultdict(set)
    for switches, law in Laws(ruleset, variants_of(ruleset)).by_switches().items():
        keys: dict[int, list[int]] = defaultdict(list)
        for table in every:
            keys[table & switches].append(table)
        for key, some in keys.items():
            for code in law(key):
                found[code].update(some)
    return found


# ---- relations


class _Limits:
    """What valid tables fulfil, as masks over switches."""

    def __init__(self, low: int, high: int) -> None:
        self.own = range(low, high + 1)
        self.said: list[tuple[int, list[int], int, int]] = []
        self.relations: dict[int, list[tuple[int, str, int]]] = defaultdict(list)
        self.seats: list[tuple[int, int, int]] = []

    def add(self, when: int, kind: str, names: int) -> None:
        last = when | names
        self.relations[1 << last.bit_length() >> 1].append((when, kind, names))

    def allow(self, table: int, switch: int) -> bool:
        """Say whether the relations whose last switch this is hold for a table."""
        for when, kind, names in self.relations.get(switch, ()):
            if table & when == when:
                chosen = (table & names).bit_count()
                wanted = {"excludes": 0, "one": 1}.get(kind, names.bit_count())
                if kind == "one or none":
                    wanted = min(chosen, 1)
                if chosen != wanted:
                    return False
        return True

    def has_seats(self, table: int) -> bool:
        """Say whether some number of players suits everything that is on."""
        limits = [(a, b) for when, a, b in self.seats if table & when == when]
        said = [
            range(a, b + 1)
            for when, silent, a, b in self.said
            if table & when == when and not any(table & s == s for s in silent)
        ]
        numbers = {n for each in said or [self.own] for n in each}
        return any(all(a <= n <= b for a, b in limits) for n in numbers)


def _limits(ruleset: LoadedRuleset, switch: dict[str, int]) -> _Limits:
    players = [i for i in ruleset.base.items if isinstance(i, tree.Players)]
    limits = _Limits(*((players[0].low, players[0].high) if players else (1, 1)))
    for placed in placed_items(ruleset):
        item = placed.item
        if not placed.members <= switch.keys():
            continue
        when = sum(switch[name] for name in placed.members)
        match item:
            case tree.Relates(kind, words):
                known = {word.text for word in words} & switch.keys()
                limits.add(when, kind, sum(switch[name] for name in known))
            case tree.OneOf(names=words, or_none=or_none):
                known = {word.text for word in words} & switch.keys()
                if known:
                    how = "one or none" if or_none else "one"
                    limits.add(when, how, sum(switch[name] for name in known))
            case tree.NeedsPlayers(low, high):
                limits.seats.append((when, low, high))
            case tree.Change(
                tree.Word("players"), _, _, tree.RangeSet(tree.Int(low), tree.Int(high))
            ):
                silent = [
                    sum(switch[name] for name in each.members)
                    for each in placed_items(ruleset)
                    if isinstance(each.item, tree.Mute)
                    and each.item.target.text == "players"
                    and each.item.variant.text == placed.origin.unit
                ]
                limits.said.append((when, silent, low, high))
            case _:
                pass
    return limits
