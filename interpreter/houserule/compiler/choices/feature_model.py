"""Feature model: the switches of a product line, and the relations of valid tables.

A switch is a variant or a range of numbers of players. Unrelated switches never
restrict each other, so the model splits into groups, and the counts of groups multiply.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain

from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.conditions.formulas import (
    ALWAYS,
    Formula,
    On,
    both,
    either,
    holds_in,
    off,
    on,
    switches_in,
)
from houserule.compiler.items.index import family_of
from houserule.compiler.items.items import placed_items
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import numbers_of


@frozen
class SeatRange:
    """Numbers of players that every variant treats alike."""

    low: int
    high: int

    @property
    def name(self) -> str:
        """The name of the switch for these numbers."""
        numbers = str(self.low) if self.low == self.high else f"{self.low}..{self.high}"
        return f"{numbers} players"


@frozen
class SaidRange:
    """The numbers of players declared by the game or changed by a unit.

    Attributes:
        low, high: the least and the greatest number.
        unit: the declaring unit, '' for the game.
        there: its condition; a bridge may mute it.
    """

    low: int
    high: int
    unit: str = ""
    members: frozenset[str] = frozenset()
    there: Formula = ALWAYS

    @property
    def numbers(self) -> range:
        return range(self.low, self.high + 1)


@frozen
class Relation:
    """A condition that every valid table satisfies, with its origin.

    Attributes:
        kind: its keyword: `requires`, `implies`, `excludes`, `exactly one`, `at most
            one`, `needs players`; or `seats`, which is implicit.
        says: the relation in words, such as `requires night_play`.
        unit: the declaring unit, '' for a game and for implicit seats.
        user: the switches that must be on for it to apply.
        wanted: the switches they need: all of them, or one for `exactly one`.
        usual: the default of a group.
        span: its place in a file.
    """

    kind: str
    holds: Formula
    says: str
    unit: str = ""
    user: frozenset[str] = frozenset()
    wanted: frozenset[str] = frozenset()
    usual: str = ""
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Features:
    """The switches of a product line and their relations.

    Attributes:
        players: the least and the greatest number of seats of the base game.
        changed: the numbers of units that change this.
        seats: the numbers of seats that variants distinguish; empty if none does.
        relations: the conditions of valid tables.
        together: variants that a bridge or a `with` block combines.
    """

    variants: tuple[str, ...]
    players: tuple[int, int]
    seats: tuple[SeatRange, ...]
    relations: tuple[Relation, ...]
    together: tuple[frozenset[str], ...] = ()
    changed: tuple[SaidRange, ...] = ()

    @property
    def switches(self) -> tuple[str, ...]:
        """Variants, then numbers of seats."""
        return (*self.variants, *(seats.name for seats in self.seats))

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Connected groups of switches, each in order."""
        group_of = {name: {name} for name in self.switches}
        for relation in self.relations:
            tied = switches_in(relation.holds) & group_of.keys()
            joined = set(chain.from_iterable(group_of[name] for name in tied))
            group_of.update((name, joined) for name in joined)
        found = {min(group): group for group in group_of.values()}
        return tuple(
            tuple(name for name in self.switches if name in found[first])
            for first in sorted(found)
        )

    def closed(self, names: Iterable[str]) -> frozenset[str]:
        """Return these switches and all that they require."""
        given = frozenset(names)
        if given not in self._closures:
            kinds = ("requires", "implies")
            self._closures[given] = _closure(given, self.relations, kinds)
        return self._closures[given]

    @cached_property
    def _closures(self) -> dict[frozenset[str], frozenset[str]]:
        return {}

    def switched_on(
        self, names: Iterable[str], left_out: frozenset[str] = frozenset()
    ) -> frozenset[str]:
        """Return these switches and all that they turn on.

        These follow from `implies`, and from the defaults of groups without a choice,
        unless a default is left out. They have to satisfy their own `requires`, like
        any others.
        """
        done, before = frozenset(names), None
        while done != before:
            before = done
            done = _closure(done, self.relations, ("implies",))
            # The default of the first group without a choice, if any.
            for each in self.relations:
                wished = each.usual and each.usual not in left_out
                if wished and each.user <= done and not done & each.wanted:
                    done |= {each.usual}
                    break
        return done

    # ---- one table

    def is_valid(self, table: frozenset[str]) -> bool:
        """Return whether exactly these variants are valid with some number of seats."""
        return bool(self.players_of(table))

    def alone(self) -> list[frozenset[str]]:
        """Return nothing on, and each variant with its requirements, valid or not."""
        every = [frozenset[str](), *(self.closed((name,)) for name in self.variants)]
        return list(dict.fromkeys(every))

    def ranges_at(self, table: frozenset[str]) -> tuple[SaidRange, ...]:
        """Return the numbers of players for a set of variants.

        It is the game's range or a change of it. There are several if changes conflict;
        then every number of any of them is allowed.
        """
        changed = tuple(each for each in self.changed if holds_in(each.there, table))
        return changed or (SaidRange(*self.players),)

    def players_of(self, table: frozenset[str]) -> tuple[int, ...]:
        """Return the numbers of seats that this set of variants allows."""
        plain, seated = self._by_seats
        if not all(holds_in(each.holds, table) for each in plain):
            return ()
        return tuple(
            number
            for seats in self.seats or (SeatRange(*self.players),)
            if all(holds_in(each.holds, table | {seats.name}) for each in seated)
            for number in range(seats.low, seats.high + 1)
        )

    @cached_property
    def _by_seats(self) -> tuple[list[Relation], list[Relation]]:
        """The relations without seats, and those with seats."""
        names = {seats.name for seats in self.seats}
        plain = [r for r in self.relations if not switches_in(r.holds) & names]
        seated = [r for r in self.relations if switches_in(r.holds) & names]
        return plain, seated


def _closure(
    names: Iterable[str], relations: tuple[Relation, ...], kinds: tuple[str, ...]
) -> frozenset[str]:
    done, size = frozenset(names), -1
    while size < len(done):
        size = len(done)
        for each in relations:
            if each.kind in kinds and each.user <= done:
                done |= each.wanted
    return done


# ---- the feature model of a ruleset


def features_of(ruleset: LoadedRuleset) -> Features:
    """Return the switches and relations of a ruleset, without unknown names."""
    return ruleset.derived(_features)


def _features(ruleset: LoadedRuleset) -> Features:
    known = {unit.id for unit in ruleset.units_of("variant")}
    items = [each for each in placed_items(ruleset) if each.members <= known]
    players = 1, 1
    for item in ruleset.base.items:
        if isinstance(item, tree.Players):  # E020 of empty ranges is reported elsewhere
            players = item.low, max(item.low, item.high)
            break
    own, changed, family = SaidRange(*players), list[SaidRange](), family_of(ruleset)
    for number, placed in enumerate(family.placed):
        match placed.item:
            case tree.Change(tree.Word("players"), _, _, after):
                named = numbers_of(after)
                if named and 1 <= named[0] <= named[1] and placed.members <= known:
                    unit, there = placed.origin.unit, family.there[number]
                    changed.append(SaidRange(*named, unit, placed.members, there))
            case _:
                pass
    # Split the numbers of players at the limits of variants.
    ranges = [own, *changed]
    low, high = min(r.low for r in ranges), max(r.high for r in ranges)
    needs = [i.item for i in items if isinstance(i.item, tree.NeedsPlayers)]
    said: list[tree.NeedsPlayers | SaidRange] = [*needs, *ranges]
    cuts = {low, *(each.low for each in said), *(each.high + 1 for each in said)}
    starts = sorted(cut for cut in cuts if low <= cut <= high)
    ends = [start - 1 for start in starts[1:]] + [high]
    cut = (SeatRange(a, b) for a, b in zip(starts, ends, strict=True))
    seats = tuple(cut) if needs or len(ranges) > 1 else ()
    relations: list[Relation] = []
    if seats:  # a table has exactly one of its numbers of players
        seated = [exactly_one(each.name for each in seats)]
        if changed:
            unchanged = off(either(each.there for each in changed))
            ways = [(own, unchanged), *((each, each.there) for each in changed)]
            for seat in seats:
                allowed = [when for r, when in ways if seat.low in r.numbers]
                seated.append(either([off(on(seat.name)), *allowed]))
        relations.append(Relation("seats", both(seated), "one number of players"))
    for each in items:
        item, user = each.item, On(each.members)
        make = partial(
            Relation, unit=each.origin.unit, user=each.members, span=item.span
        )
        match item:
            case tree.Relates(kind="excludes" as kind, names=words):
                for name in sorted(_known(words, known)):
                    holds = off(both([user, on(name)]))
                    relations.append(make(kind, holds, f"{kind} {name}"))
            case tree.Relates(kind=kind, names=words):
                wanted = _known(words, known)
                holds = either([off(user), On(wanted)])
                says = f"{kind} {_listed(words)}"
                relations.append(make(kind, holds, says, wanted=wanted))
            case tree.OneOf(names=words):
                names = _known(words, known)
                how, one = "exactly one", exactly_one
                if item.or_none:
                    how, one = "at most one", at_most_one
                holds = either([off(user), one(names)]) if names else ALWAYS
                usual = item.normally.text if item.normally else ""
                usual = usual if usual in names else ""
                says = f"{how} of {_listed(words)}"
                relations.append(make(how, holds, says, wanted=names, usual=usual))
            case tree.NeedsPlayers(low, high):
                liked = [s for s in seats if low <= s.low and s.high <= high]
                holds = either([off(user), *(on(s.name) for s in liked)])
                says = f"needs players {low}..{high}"
                relations.append(make("needs players", holds, says))
            case _:
                pass
    together = {each.members for each in items if len(each.members) > 1}
    return Features(
        tuple(sorted(known)),
        players,
        seats,
        tuple(relations),
        tuple(sorted(together, key=sorted)),
        tuple(changed),
    )


def exactly_one(names: Iterable[str]) -> Formula:
    """Return the condition that exactly one of these switches is on."""
    every = sorted(names)
    return both([either(on(name) for name in every), at_most_one(every)])


def at_most_one(names: Iterable[str]) -> Formula:
    """Return the condition that no two of these switches are on."""
    every = sorted(names)  # each with the later ones: shorter than all pairs
    return both(
        off(both([on(name), either(map(on, every[place:]))]))
        for place, name in enumerate(every, 1)
    )


def _known(words: Iterable[tree.Word], known: set[str]) -> frozenset[str]:
    return frozenset(word.text for word in words) & known


def _listed(words: Iterable[tree.Word]) -> str:
    return ", ".join(word.text for word in words)
