"""Toggling one switch of a table: is it allowed, why not, and what else must change?

Nothing is guessed: you may toggle a switch if the table with only that change can be
composed. Every suggested fix is a table that was composed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.inflection import Inflected
from houserule.compiler.choices.feature_model import Relation
from houserule.compiler.choices.offers import span
from houserule.compiler.conditions.formulas import holds_in, switches_in
from houserule.compiler.prepare import TableChoice
from houserule.compiler.table_files.planned import TableStep, WishedTable
from houserule.compiler.tables.choose import players_for
from houserule.ui.configurator.book import HouseBook
from houserule.ui.configurator.links import query_of
from houserule.ui.configurator.menu_model import MenuStep

MOST_MENDS = 3
DEEP = 3  # the maximum number of further steps of a fix
BROAD = 4  # the maximum number of unfinished fixes in the search
TOLD = {"E301", "E302", "E308"}  # errors explained by relations instead
CLASHES = {"E201", "E202", "E207", "E209", "E306"}  # two house rules, one clause


@dataclass(frozen=True)
class Toggle:
    """The switches of one table.

    Attributes:
        book: the texts.
        table: the current table.
    """

    book: HouseBook
    table: WishedTable

    def turned(self, name: str) -> WishedTable:
        """Return the table with one variant toggled, playable or not."""
        if name in self.table.on:
            return self.table.done(TableStep("remove", (name,)))
        return self.table.done(TableStep("add", (name,)))

    def why_not(self, after: WishedTable) -> str:
        """Return why a table cannot be played after a step; '' if it can.

        Errors from before the step are not repeated.
        """
        before = {each.message for each in self.table.faults}
        new = [each for each in after.faults if each.message not in before]
        if not new:
            return ""
        return " ".join(dict.fromkeys(self.reasons(after, new)))

    def reasons(
        self, after: WishedTable, faults: Iterable[Diagnostic]
    ) -> Iterator[str]:
        """Yield sentences that explain why a table cannot be played."""
        every = [*faults]
        told = [*self._relations(after)] if _any(every, TOLD - {"E308"}) else []
        if _any(every, {"E308"}):
            told += self._seats(after)
        yield from told
        options = [each.address for each in after.draft.of_kind("option")]
        for each in every:
            if each.code in TOLD and told:
                continue
            said = self.clash(each, after)
            if not said and each.code in {"E303", "E305"}:
                for name in options:
                    if each.message.startswith((f"{name}:", f"You set {name} ")):
                        title = self.book.titles.get(name, name)
                        said = self.book.words.say(f"why {each.code}", title=title)
                        break
            yield said or each.message

    def _relations(self, after: WishedTable) -> Iterator[str]:
        """Yield the relations' messages, grouped by the requirement."""
        needed: dict[frozenset[str], set[str]] = {}
        here = () if after is self.table else tuple(_broken(self.table))
        for each in _broken(after):
            if each in here:
                continue
            if each.kind == "requires":
                missing = each.wanted - after.on
                needed.setdefault(missing, set()).update(each.user)
                continue
            say, wanted, user = self.book.words.say, each.wanted, self._who(each.user)
            match each.kind:
                case "implies":
                    yield say("why implies", who=user, names=self.book.titled(wanted))
                case "excludes":
                    others = switches_in(each.holds) - each.user
                    yield say("why excludes", who=user, names=self._who(others))
                case "exactly one":
                    yield say("why exactly", names=self.book.titled(wanted))
                case _:
                    yield say("why at most", names=self.book.titled(wanted))
        for names, users in needed.items():
            off = "is off" if names.isdisjoint(self.table.on) else "needed"
            yield self.book.words.say(
                f"why {off}", who=self._who(users), names=self._who(names)
            )

    def _who(self, names: Iterable[str]) -> Inflected:
        """Return titles, or the game's title, with their number for plural forms."""
        every = [*names]
        words = self.book.titled(every) if every else self.book.offers.title
        return Inflected(words, number=max(1, len(every)))

    def _seats(self, after: WishedTable) -> Iterator[str]:
        say, number = self.book.words.say, seats_of(after)
        offers, titles = self.book.offers, self.book.titles
        limits = [
            (titles.get(each.unit, offers.title), each.low, each.high)
            for each in after.features.ranges_at(after.on)
        ]
        limits += (
            (self.book.titles[each.id], *each.players)
            for each in offers.variants
            if each.players is not None and each.id in after.on
        )
        low, high = max(e[1] for e in limits), min(e[2] for e in limits)
        for who, least, most in limits:
            wrong = not least <= number <= most
            if wrong or (low > high and (least == low or most == high)):
                numbers = span(least, most, self.book.language)
                yield say("why seats", who=who, number=numbers)

    def clash(self, found: Diagnostic, after: WishedTable) -> str:
        """Return that some house rules conflict; '' if something else is wrong."""
        names = _clashing(found, after)
        titles = self.book.titled(names)
        return self.book.words.say("why clash", names=titles) if names else ""

    # ---- fixes

    def repairs(
        self, after: WishedTable, keeps: Callable[[WishedTable], bool]
    ) -> tuple[MenuStep, ...]:
        """Return steps to playable tables that keep the wanted change.

        Args:
            after: a table with the wanted change, which cannot be played.
            keeps: returns whether a table still has the change.
        """
        found: list[WishedTable] = []
        start: list[WishedTable] = [after]
        seen = {_key(after)}
        for _ in range(DEEP):
            onward: list[WishedTable] = []
            for table in start:
                for step in _onward(table):
                    there = table.done(step)
                    if _key(there) in seen:
                        continue
                    seen.add(_key(there))
                    if not keeps(there):
                        continue
                    (onward if there.faults else found).append(there)
            if found:
                break
            start = sorted(onward, key=lambda each: len(each.faults))[:BROAD]
        found.sort(key=lambda there: len(self.table.on ^ there.on))
        return tuple(self.step(each) for each in found[:MOST_MENDS])

    def begun_anew(self, name: str) -> Iterator[MenuStep]:
        """Yield the smallest table with a variant, if it can be played."""
        needed = tuple(sorted(self.table.features.closed({name})))
        there = replace(self.table, choice=TableChoice(with_=needed))
        if not there.faults:
            names = self.book.titled(needed)
            label = self.book.words.say("anew", names=names)
            yield MenuStep(label=label, query=query_of(there.choice))

    def step(self, there: WishedTable) -> MenuStep:
        """Return the step to another table, with all its changes."""
        return MenuStep(label=self.label(there), query=query_of(there.choice))

    def label(self, there: WishedTable) -> str:
        """Return all changes to another table in words."""
        say, here = self.book.words.say, self.table
        on, off = there.on - here.on, here.on - there.on
        parts = []
        if on:
            parts.append(say("switch on", names=self.book.titled(on)))
        if off:
            parts.append(say("switch off", names=self.book.titled(off)))
        if seats_of(here) != seats_of(there):
            parts.append(say("play with", number=seats_of(there)))
        before, after = here.choice.settings, there.choice.settings
        for name, value in after.items():
            if name not in before or before[name] != value:
                title = self.book.titles.get(name, name)
                parts.append(
                    say("option value", title=title, value=self.book.value(value))
                )
        for name in before.keys() - after.keys():
            title = self.book.titles.get(name, name)
            parts.append(say("as usual", title=title))
        known = {*self.book.titles}
        strange = {*here.choice.with_, *here.choice.without} - known
        strange -= {*there.choice.with_, *there.choice.without}
        if strange or (here.choice.preset and not there.choice.preset):
            names = strange or {here.choice.preset or ""}
            parts.append(say("leave out", names=", ".join(sorted(names))))
        said = self.book.listed(parts)
        return said[:1].upper() + said[1:]


def seats_of(table: WishedTable) -> int:
    """Return the number of players at a table."""
    return players_for(table.ruleset, table.on, table.choice.players)[0]


def _any(found: Iterable[Diagnostic], codes: set[str]) -> bool:
    return any(each.code in codes for each in found)


def _key(table: WishedTable) -> str:
    return query_of(table.choice)


def _clashing(found: Diagnostic, table: WishedTable) -> tuple[str, ...]:
    """Return the conflicting variants of a clause, if the error is such a conflict."""
    if found.code not in CLASHES:
        return ()
    titles = table.ruleset.variant_titles
    named = sorted(n for n in table.on if f'"{titles.get(n, n)}"' in found.message)
    return tuple(named) if len(named) > 1 else ()


def _broken(table: WishedTable) -> Iterator[Relation]:
    """Yield the violated relations, except those about the number of players."""
    seats = {each.name for each in table.features.seats}
    left_out = frozenset(table.choice.without)
    for each in table.features.relations:
        if switches_in(each.holds) & seats or each.kind == "seats":
            continue
        comes_along = each.kind == "implies" and each.wanted & left_out
        if not each.user <= table.on:
            continue
        if comes_along or not holds_in(each.holds, table.on):
            yield each


def _onward(table: WishedTable) -> Iterator[TableStep]:
    """Yield possible repairs of a table, small steps and large ones."""
    yield from table.near_steps()
    on = table.on
    broken = [*_broken(table)]
    users = {name for each in broken for name in each.user & on}
    yield TableStep("remove", _needing(table, users))
    for each in broken:
        tied = switches_in(each.holds) & on
        for name in sorted(tied):  # with all that depends on it
            yield TableStep("remove", _needing(table, {name}))
        others = tied - each.user
        if len(others) > 1:
            yield TableStep("remove", tuple(sorted(others)))
    for fault in table.faults:
        for name in _clashing(fault, table):
            yield TableStep("remove", _needing(table, {name}))
    for name in table.choice.without:
        yield TableStep("add", (name,))
    if table.choice.players is not None:
        yield TableStep("remove", ("players",))
    for name in table.choice.settings:
        yield TableStep("remove", (name,))


def _needing(table: WishedTable, names: set[str]) -> tuple[str, ...]:
    """Return variants of a table together with those that depend on them."""
    closed = table.features.closed
    return tuple(n for n in sorted(table.on) if names & closed({n}))
