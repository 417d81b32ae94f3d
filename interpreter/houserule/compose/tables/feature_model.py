"""Which tables are valid: switches, and what `requires` and its kin say of them.

Switches that no relation ties together never restrict each other, so a family is cut
into groups. Each group has its own truth table, and counts of groups multiply.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, assert_never

from houserule.compose.items.items import placed_items
from houserule.compose.tables.formulas import (
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
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.source import Span


@dataclass(frozen=True, slots=True)
class SeatRange:
    """Numbers of players that every variant treats alike."""

    low: int
    high: int

    @property
    def name(self) -> str:
        """The name of the switch that stands for these numbers."""
        numbers = str(self.low) if self.low == self.high else f"{self.low}..{self.high}"
        return f"{numbers} players"


@dataclass(frozen=True, slots=True)
class Relation:
    """A condition that every valid table fulfils, and where it is said.

    Attributes:
        kind: the word that says it: `requires`, `implies`, `excludes`, `exactly one`,
            `at most one`, `needs players`; or `seats`, which nobody has to say.
        holds: the condition.
        says: the relation in words, such as `requires night_play`.
        unit: the unit that says it, '' for a game and for the seats themselves.
        user: the switches that have to be on for it to matter.
        wanted: what they want on: all of it, or one of it if it is `exactly one`.
        usual: of `exactly one`, what is on where nothing of it is chosen.
        span: its place, if somebody wrote it.
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
    """The switches of a family and their relations.

    Attributes:
        variants: every switch, by alphabet.
        players: the least and the greatest number of seats.
        seats: the numbers of seats that variants tell apart; empty if none does.
        relations: what valid tables fulfil.
        together: variants that a bridge or a `with` block names together.
    """

    variants: tuple[str, ...]
    players: tuple[int, int]
    seats: tuple[SeatRange, ...]
    relations: tuple[Relation, ...]
    together: tuple[frozenset[str], ...] = ()

    @property
    def switches(self) -> tuple[str, ...]:
        """Variants, then numbers of seats."""
        return (*self.variants, *(seats.name for seats in self.seats))

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Switches that relations tie together, each group in order."""
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

    @cached_property
    def comes_with(self) -> Mapping[str, frozenset[str]]:
        """For each variant, all that is on whenever it is on (itself included)."""
        return {
            name: _closure({name}, self.relations, ("requires", "implies"))
            for name in self.variants
        }

    def closed(self, names: Iterable[str]) -> frozenset[str]:
        """Return these switches and all that must be on with them."""
        return _closure(names, self.relations, ("requires", "implies"))

    def switched_on(self, names: Iterable[str]) -> frozenset[str]:
        """Return these switches and all that they switch on.

        That is what `implies` says, and `normally` of a group with nothing on.
        """
        done, before = frozenset(names), None
        while done != before:
            before = done
            done = _closure(done, self.relations, ("implies",))
            done |= _usual(done, self.relations)
        return done

    def is_valid(self, table: frozenset[str], players: int | None = None) -> bool:
        """Say whether exactly these variants may be on, with some number of seats."""
        return any(
            all(holds_in(each.holds, table | seats) for each in self.relations)
            for seats in self._seatings(players)
        )

    def _seatings(self, players: int | None) -> Iterator[frozenset[str]]:
        if not self.seats:
            yield frozenset()
        for seats in self.seats:
            if players is None or seats.low <= players <= seats.high:
                yield frozenset({seats.name})

    def players_of(self, table: frozenset[str]) -> tuple[int, ...]:
        """Return the numbers of seats that this set of variants allows."""
        low, high = self.players
        return tuple(n for n in range(low, high + 1) if self.is_valid(table, n))


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


def _usual(on: frozenset[str], relations: tuple[Relation, ...]) -> frozenset[str]:
    """Return what the first group is normally of which nothing is on, if one is so."""
    for each in relations:
        if each.usual and each.user <= on and not on & each.wanted:
            return frozenset({each.usual})
    return frozenset()


def features_of(ruleset: LoadedRuleset) -> Features:
    """Read the switches and relations of a ruleset; unknown names are left out."""
    variants = tuple(sorted({unit.id for unit in ruleset.units_of("variant")}))
    written = tuple(_written(ruleset, frozenset(variants)))
    players = _players(ruleset)
    seats = _seats(players, written)
    relations = tuple(chain.from_iterable(_relations(each, seats) for each in written))
    together = {each.members for each in placed_items(ruleset) if len(each.members) > 1}
    return Features(
        variants,
        players,
        seats,
        _one_seating(seats) + relations,
        tuple(sorted(together, key=sorted)),
    )


@dataclass(frozen=True, slots=True)
class _Written:
    """A relation as written: who says it, and in which tables it counts."""

    node: tree.Relates | tree.OneOf | tree.NeedsPlayers
    unit: str
    when: frozenset[str]
    known: frozenset[str]

    def names(self, words: Iterable[tree.Word]) -> frozenset[str]:
        return frozenset(word.text for word in words) & self.known


def _written(ruleset: LoadedRuleset, known: frozenset[str]) -> Iterator[_Written]:
    for unit in ruleset.units:
        if unit.kind == "preset":
            continue
        members = frozenset(word.text for word in unit.names)
        when = frozenset() if unit.kind == "game" else members
        if when <= known:
            id = "" if unit.kind == "game" else unit.id
            yield from _written_in(unit.items, id, when, known)


def _written_in(
    items: tuple[tree.Item, ...], unit: str, when: frozenset[str], known: frozenset[str]
) -> Iterator[_Written]:
    for item in items:
        if isinstance(item, tree.Relates | tree.OneOf | tree.NeedsPlayers):
            yield _Written(item, unit, when, known)
        elif isinstance(item, tree.WithGuard):
            more = when | {word.text for word in item.names}
            if more <= known:
                yield from _written_in(item.items, unit, more, known)


def _players(ruleset: LoadedRuleset) -> tuple[int, int]:
    for item in ruleset.base.items:
        if isinstance(item, tree.Players):
            return item.low, item.high
    return 1, 1


def _seats(
    players: tuple[int, int], written: tuple[_Written, ...]
) -> tuple[SeatRange, ...]:
    """Cut the numbers of players wherever some variant begins or stops to like them."""
    low, high = players
    cuts = {low}
    for each in written:
        if isinstance(each.node, tree.NeedsPlayers):
            cuts |= {each.node.low, each.node.high + 1}
    starts = sorted(cut for cut in cuts if low <= cut <= high)
    if not any(isinstance(each.node, tree.NeedsPlayers) for each in written):
        return ()
    ends = [start - 1 for start in starts[1:]] + [high]
    return tuple(SeatRange(a, b) for a, b in zip(starts, ends, strict=True))


def _one_seating(seats: tuple[SeatRange, ...]) -> tuple[Relation, ...]:
    if not seats:
        return ()
    holds = exactly_one(each.name for each in seats)
    return (Relation("seats", holds, "one number of players"),)


def exactly_one(names: Iterable[str]) -> Formula:
    """Return the condition that one of these switches is on."""
    every = sorted(names)
    return both([either(on(name) for name in every), at_most_one(every)])


def at_most_one(names: Iterable[str]) -> Formula:
    """Return the condition that no two of these switches are on."""
    every = sorted(names)  # with each, none of those after it: shorter than all pairs
    return both(
        off(both([on(name), either(map(on, every[place:]))]))
        for place, name in enumerate(every, 1)
    )


def _relations(each: _Written, seats: tuple[SeatRange, ...]) -> Iterator[Relation]:
    node, user = each.node, On(each.when)
    make = partial(Relation, unit=each.unit, user=each.when, span=node.span)
    match node:
        case tree.Relates(kind="excludes" as kind):
            for name in sorted(each.names(node.names)):
                holds = off(both([user, on(name)]))
                yield make(kind, holds, f"{kind} {name}")
        case tree.Relates(kind=kind):
            wanted = each.names(node.names)
            holds = either([off(user), On(wanted)])
            says = f"{kind} {', '.join(word.text for word in node.names)}"
            yield make(kind, holds, says, wanted=wanted)
        case tree.OneOf():
            names = each.names(node.names)
            how, one = "exactly one", exactly_one
            if node.or_none:
                how, one = "at most one", at_most_one
            holds = either([off(user), one(names)]) if names else ALWAYS
            says = f"{how} of {', '.join(word.text for word in node.names)}"
            usual = node.normally.text if node.normally else ""
            usual = usual if usual in names else ""
            yield make(how, holds, says, wanted=names, usual=usual)
        case tree.NeedsPlayers(low, high):
            liked = [s for s in seats if low <= s.low and s.high <= high]
            holds = either([off(user), *(on(s.name) for s in liked)])
            yield make("needs players", holds, f"needs players {low}..{high}")
        case _:
            assert_never(node)
