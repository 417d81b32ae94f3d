"""A representative sample of tables, for play and for tests.

It has the base game, each variant alone, all but one, every preset, every pair of
switches, every boundary value of an option, and some random tables. It is deterministic
for the same rules and seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import takewhile
from random import Random
from typing import TypeAlias

from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.frozen import frozen, slotted
from houserule.compiler.choices.configurations import Configurations, Names
from houserule.compiler.choices.covering_array import covering_tables
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.choices.relation_diagram import TooManySwitchesError
from houserule.compiler.conditions.formulas import (
    NEVER,
    Formula,
    On,
    both,
    either,
    holds_in,
    off,
    on,
)
from houserule.compiler.items.items import Placed, placed_items
from houserule.compiler.options.scales import NotConstantError, constant_value, shown
from houserule.compiler.tables.presets import preset_of
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import with_part

AT_ENDS = "options at their ends"  # the reason for a table in a sample

Settings: TypeAlias = Mapping[str, "Plain"]


@frozen
class Choice:
    """A choice of table: its variants, its number of players, explicit options.

    Attributes:
        variants: closed under `implies`; valid in the feature model.
        players: a number of seats that these variants allow.
        settings: only those that differ from the rules' defaults, or that two active
            variants suggest differently.
    """

    variants: Names
    players: int
    settings: Settings = field(hash=False)
    why: str


def sample_tables(
    ruleset: LoadedRuleset,
    *,
    pairs: bool = True,
    triples: bool = False,
    random: int = 0,
    seed: int = 0,
) -> list[Choice]:
    """Return a representative sample of tables, each once.

    Args:
        pairs: cover every possible pair of switch settings.
        random: the number of additional tables, uniformly at random.
        seed: breaks ties among equally good tables, and draws the random ones.

    If the relations need too large a diagram, only nothing on and each variant alone
    are returned.
    """
    try:
        sampler = _Sampler(ruleset, Random(seed))
    except TooManySwitchesError:
        return _alone(ruleset)
    found = [*sampler.singles(), *sampler.presets(), *sampler.values()]
    if pairs:
        found += sampler.covering(2, seed)
    if triples:
        found += sampler.covering(3, seed)
    found += sampler.at_random(random)
    return _each_once(found)


def few_tables(ruleset: LoadedRuleset, most: int) -> list[Choice]:
    """Return tables that cover every variant and every boundary value of an option.

    If these and the usual numbers of players are too many, some are omitted.

    Args:
        most: the maximum number, from 1.
    """
    try:
        sampler = _Sampler(ruleset, Random(0))
    except TooManySwitchesError:
        return _alone(ruleset)[:most]
    usual = [*takewhile(lambda each: each.why == "nothing on", sampler.singles())]
    found = _each_once((*usual[:1], *usual[-1:], *sampler.together(), *usual[1:-1]))
    return found[:most]


def tables_at_ends(
    ruleset: LoadedRuleset, tables: Iterable[Names] | None = None
) -> list[Choice]:
    """Return tables at their boundary values: all least, all greatest.

    First the fewest players with every option at its least value, then the most players
    with every option at its greatest; without a variant also the other way round. The
    range of one option may depend on another one, so rules may warn of such a table.

    Args:
        tables: their variants; without it, no variant, and each alone.
    """
    try:
        sampler = _Sampler(ruleset, Random(0))
    except TooManySwitchesError:
        return []
    if tables is None:
        alone = (sampler.tables.smallest(on(n)) for n in sampler.features.variants)
        smallest = sampler.tables.smallest()
        tables = [each for each in (smallest, *alone) if each is not None]
    return _each_once(sampler.at_ends(tables))


def _alone(ruleset: LoadedRuleset) -> list[Choice]:
    features = features_of(ruleset)
    return [
        Choice(table, features.players_of(table)[0], {}, "alone")
        for table in features.alone()
        if features.is_valid(table)
    ]


def _each_once(found: Iterable[Choice]) -> list[Choice]:
    """Keep the first of the choices that differ only in their number of players.

    The number matters if nothing is on, and for the tables at boundary values.
    """
    kept: list[Choice] = []
    seen: set[tuple[Names, int | None, str]] = set()
    for each in found:
        exact = each.why in ("nothing on", AT_ENDS)
        players = each.players if exact else None
        key = (each.variants, players, repr(sorted(each.settings.items())))
        if key not in seen and (each.variants, None, key[2]) not in seen:
            seen.add(key)
            kept.append(each)
    return kept


class _Sampler:
    def __init__(self, ruleset: LoadedRuleset, random: Random) -> None:
        self.ruleset, self.random = ruleset, random
        self.features = features_of(ruleset)
        self.tables = Configurations(self.features)
        self.options: dict[str, OptionValues] = option_values(placed_items(ruleset))
        self.turn = 0

    def _choice(
        self, table: Names | None, why: str, settings: Settings | None = None
    ) -> Iterator[Choice]:
        """Yield a table, if any, with the next number of players that it allows."""
        allowed = () if table is None else self.features.players_of(table)
        if table is not None and allowed:
            players = allowed[self.turn % len(allowed)]
            self.turn += 1
            chosen = {**self._settled(table), **(settings or {})}
            yield Choice(table, players, chosen, why)

    def _settled(self, table: Names) -> Settings:
        """Return a value for every option with conflicting suggestions."""
        return {
            name: option.suggested(table)[0]
            for name, option in self.options.items()
            if len(option.suggested(table)) > 1
        }

    # ---- the parts of the sample

    def singles(self) -> Iterator[Choice]:
        """Yield nothing on (with every number of players), alone, all but one, all."""
        smallest = self.tables.smallest()
        if smallest is None:
            return
        seats: set[int] = set()
        for players in self.features.players_of(smallest):
            seats.add(players)
            yield Choice(smallest, players, self._settled(smallest), "nothing on")
        for name in self.features.variants:
            table = self.tables.smallest(on(name))
            yield from self._choice(table, f"only {name}")
            if table is None:
                continue
            for more in self.features.players_of(table):
                if more not in seats:  # a variant may allow other numbers
                    seats.add(more)
                    yield Choice(table, more, self._settled(table), f"only {name}")
        for name in self.features.variants:
            yield from self._choice(
                self.tables.largest(off(on(name))), f"all but {name}"
            )
        yield from self._choice(self.tables.largest(), "everything on")

    def presets(self) -> Iterator[Choice]:
        """Yield every preset whose variants are compatible."""
        for name in sorted(unit.id for unit in self.ruleset.units_of("preset")):
            preset, faults = preset_of(self.ruleset, name)
            if not has_errors(faults):
                table = self.features.switched_on(preset.variants)
                yield from self._choice(table, f"preset {name}", preset.settings)

    def together(self) -> Iterator[Choice]:
        """Yield few tables that cover every variant and every value of an option.

        Each has as many variants as possible; least values go with least ones.
        """
        left = dict.fromkeys(self.features.variants)
        while left:
            name = next(iter(left))
            table = self.tables.largest(on(name))
            left = {n: None for n in left if n != name and n not in (table or ())}
            yield from self._choice(table, f"{name} and others")
        joined: dict[tuple[Names, int], dict[str, Plain]] = {}
        for table, name, number, value in self._values():
            joined.setdefault((table, number), {})[name] = value
        for (table, _), settings in joined.items():
            yield from self._choice(table, "several options", settings)

    def values(self) -> Iterator[Choice]:
        """Yield every interesting value of every option, one at a time."""
        for table, name, _, value in self._values():
            yield from self._choice(table, f"{name} = {shown(value)}", {name: value})

    def _values(self) -> Iterator[tuple[Names, str, int, Plain]]:
        """Yield each interesting value of an option with its number and its tables.

        The least value has the number 0, the greatest 1. If variants change them, those
        are yielded with these variants too.
        """
        presets = self.ruleset.units_of("preset")
        named = [preset_of(self.ruleset, unit.id)[0].settings for unit in presets]
        for name, option in sorted(self.options.items()):
            more = [settings[name] for settings in named if name in settings]
            yielded: list[Plain] = []
            anywhere: Names = frozenset()
            for when in dict.fromkeys((anywhere, *(at for at, _ in option.ends))):
                table = self.tables.smallest(both([option.free, On(when)]))
                if table is None:
                    continue
                for number, value in option.interesting(table, more):
                    if not _has(yielded, value):
                        yielded.append(value)
                        yield table, name, number, value

    def at_ends(self, tables: Iterable[Names]) -> Iterator[Choice]:
        """Yield each table with all least values, then with all greatest.

        A game without a variant is cheap: its four corners are yielded.
        """
        for table in tables:
            allowed = self.features.players_of(table)
            if allowed:
                fewest, most = min(allowed), max(allowed)
                corners = [(0, fewest), (1, most)]
                corners += [] if table else [(0, most), (1, fewest)]
                for end, players in corners:
                    settings = ends_of(self.options, table, end)
                    chosen = {**self._settled(table), **settings}
                    yield Choice(table, players, chosen, AT_ENDS)

    def covering(self, strength: int, seed: int) -> Iterator[Choice]:
        """Yield tables that cover every pair, or every triple, of settings."""
        why = {2: "pairs", 3: "threes"}[strength]
        for table in covering_tables(self.tables, strength, seed):
            yield from self._choice(table, why)

    def at_random(self, number: int) -> Iterator[Choice]:
        """Yield some tables, uniformly, with any number of players."""
        for _ in range(number):
            if self.tables.count:
                table = self.tables.at_random(self.random)
                yield from self._choice(table, "random")


# ---- interesting values of options


def ends_of(
    options: Mapping[str, OptionValues], table: frozenset[str], end: int
) -> dict[str, Plain]:
    """Return the least (`end` 0) or greatest (1) value of each option of a table."""
    return {
        name: value
        for name, option in options.items()
        if holds_in(option.free, table)
        for number, value in option.interesting(table)
        if number == end
    }


@slotted
class OptionValues:
    """One option, from all declaring units, and the defaults variants suggest.

    Attributes:
        ends: its least and greatest value, or the members of its type; later ones
            override earlier ones at tables with their variants.
        fixed: the tables at which a variant fixes it, so that it cannot be set.
        suggestions: suggested defaults, with their variants.
    """

    node: tree.Option
    present: Formula
    ends: list[tuple[frozenset[str], tuple[Plain, ...]]]
    fixed: Formula = NEVER
    suggestions: list[tuple[frozenset[str], Plain]] = field(default_factory=list)

    @property
    def free(self) -> Formula:
        """The tables that may set it."""
        return both([self.present, off(self.fixed)])

    def suggested(self, table: frozenset[str]) -> list[Plain]:
        """Return the different defaults that variants of a table suggest."""
        found: list[Plain] = []
        for members, value in self.suggestions:
            if members <= table and value not in found:
                found.append(value)
        return found

    def interesting(
        self, table: frozenset[str], named: Iterable[Plain] = ()
    ) -> list[tuple[int, Plain]]:
        """Return its least and greatest value or its members, and those named.

        Each has its number among them. Its own default is omitted: every other table
        has it.
        """
        first = _plain(self.node.normally)
        ends = [ends for members, ends in self.ends if members <= table]
        found: list[Plain] = []
        for value in (*(ends[-1] if ends else ()), *named):
            if not _has(found, value):
                found.append(value)
        return [each for each in enumerate(found) if not _has([first], each[1])]


def option_values(items: Iterable[Placed]) -> dict[str, OptionValues]:
    """Collect every option of the product line by name."""
    placed = tuple(items)
    types = {
        each.item.name.text: each.item
        for each in placed
        if isinstance(each.item, tree.TypeDecl) and not each.members
    }
    nodes = [
        (each.members, each.item)
        for each in placed
        if isinstance(each.item, tree.Option)
    ]
    normal = {node.name.text: _plain(node.normally) for _, node in nodes}

    def bound(end: int | tree.Word) -> Plain:
        return normal.get(end.text) if isinstance(end, tree.Word) else end

    def ends_in(
        type_: tree.Type | tree.Payload | None, step: int = 1
    ) -> tuple[Plain, ...]:
        match type_:
            case tree.FlagType():
                return (False, True)
            case tree.RangeType(low=low, high=high):
                least, most = bound(low), bound(high)
                if isinstance(least, int) and isinstance(most, int):
                    return (least, most - (most - least) % step)
            case tree.NamedType(name) if name in types:
                members = tuple(word.text for word in types[name].members)
                return members or ends_in(types[name].type)
            case _:
                pass
        return ()

    found: dict[str, OptionValues] = {}
    for when, node in nodes:
        option = found.setdefault(node.name.text, OptionValues(node, NEVER, []))
        option.present = either([option.present, On(when)])
        option.ends.append((when, ends_in(node.type, node.step or 1)))
    for each in placed:
        match each.item:
            case tree.SetDefault(target=target, value=value) if target.text in found:
                suggested = _plain(value)
                if suggested is not None:
                    found[target.text].suggestions.append((each.members, suggested))
            case tree.Change(target=target) | tree.Remove(target=target):
                name, _, part = target.text.partition(".")
                if name not in found:
                    continue
                option, changed = found[name], None
                if isinstance(each.item, tree.Change) and part:
                    changed = with_part(option.node, part, each.item.after)
                if isinstance(changed, tree.Option):
                    option.ends.append(
                        (each.members, ends_in(changed.type, changed.step or 1))
                    )
                else:
                    option.fixed = either([option.fixed, On(each.members)])
            case tree.ExtendMembers(target=target, names=names):
                for option in found.values():
                    if option.node.type == tree.NamedType(target.text):
                        more = (*option.ends[0][1], *(word.text for word in names))
                        option.ends.append((each.members, more))
            case _:
                pass
    return found


def _plain(expr: tree.Expr) -> Plain | None:
    try:
        return constant_value(expr)
    except NotConstantError:
        return None


def _has(found: list[Plain], value: Plain) -> bool:
    return any(type(each) is type(value) and each == value for each in found)
