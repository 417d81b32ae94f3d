"""Build the configurator of one table: its choices and their results.

`menu_of` builds it, `opened_entry` returns the details of one house rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from houserule.compiler.choices.offers import Offer
from houserule.compiler.prepare import TableChoice, prepare
from houserule.compiler.table_files.description import (
    TableDescription,
    TableEntry,
    described,
)
from houserule.compiler.table_files.planned import SEATS, TableStep, WishedTable
from houserule.compiler.tables.choose import owners_of
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.ui.configurator.book import HouseBook, house_book
from houserule.ui.configurator.links import query_of
from houserule.ui.configurator.measured import measured_line
from houserule.ui.configurator.menu_model import (
    Menu,
    MenuEntry,
    MenuFault,
    MenuFile,
    MenuGroup,
    MenuOpened,
    MenuPlace,
    MenuPreset,
    MenuSeats,
    MenuStep,
)
from houserule.ui.configurator.settings import option_entry
from houserule.ui.configurator.toggling import TOLD, Toggle, seats_of

A_CHAPTER = 3  # this many variants that need the same one form a group
MOST_SEATS = 40  # the largest number of players that is offered


def menu_of(ruleset: LoadedRuleset, choice: TableChoice, language: str) -> Menu:
    """Return all choices of a table, and the current ones.

    A choice that cannot be played has a menu too, with reasons and suggestions.

    Args:
        ruleset: the game, with extra rules.
        choice: the current choice; unknown names are errors of the table.
        language: the language of all texts, if the ruleset has a translation.
    """
    table = WishedTable(ruleset, replace(choice, game=None))
    return _MenuBuilder(Toggle(house_book(ruleset, language), table)).menu()


def opened_entry(ruleset: LoadedRuleset, key: str, language: str) -> MenuOpened | None:
    """Return the details of a house rule or option; None if it does not exist."""
    return house_book(ruleset, language).opened(key)


def entry_of(
    ruleset: LoadedRuleset, choice: TableChoice, key: str, language: str
) -> MenuEntry | None:
    """Return one entry of a table's menu; None if it does not exist."""
    table = WishedTable(ruleset, replace(choice, game=None))
    return _MenuBuilder(Toggle(house_book(ruleset, language), table)).entry(key)


def begun_with(ruleset: LoadedRuleset, choice: TableChoice, file: str) -> TableChoice:
    """Return a choice with the house rules of a file beside the game switched on.

    If they cannot all be on, the choice is returned unchanged.
    """
    names = house_book(ruleset, "en").beside.get(file, ())
    wanted = tuple(n for n in names if n in ruleset.variant_titles)
    table = WishedTable(ruleset, replace(choice, game=None))
    there = table.done(TableStep("add", wanted))
    return table.choice if there.faults else there.choice


@dataclass(frozen=True)
class _MenuBuilder:
    turning: Toggle

    @property
    def book(self) -> HouseBook:
        return self.turning.book

    @property
    def table(self) -> WishedTable:
        return self.turning.table

    @cached_property
    def now(self) -> TableDescription:
        """The table, and the reasons of its settings."""
        return described(self.table, self.book.language)

    def menu(self) -> Menu:
        faults = tuple(self._faults())
        say, now = self.book.words.say, self.now
        number = seats_of(self.table)
        if now.preset is None:
            said = say("table", game=now.title, number=number)
        else:
            title = now.preset[1]
            said = say("preset table", game=now.title, preset=title, number=number)
        preset_on = self.table.features.switched_on(
            self.table.preset.variants & {*self.table.features.variants}
        )
        more = [e.id for e in now.variants if e.reason == "file"]
        less = preset_on - self.table.on
        parts = [said]
        if more:
            parts.append(say("with names", names=self.book.titled(more)))
        if less:
            parts.append(say("table without", names=self.book.titled(less)))
        values = [
            say("option value", title=each.title, value=self.book.value(each.value))
            for each in now.options
            if each.reason == "file" and each.differs
        ]
        whole = ", ".join(parts)
        return Menu(
            game=self.table.ruleset.id,
            language=self.book.language,
            title=self.book.offers.title,
            summary=self.book.summary,
            sentence=(f"{whole}; {'; '.join(values)}." if values else f"{whole}."),
            query=query_of(self.table.choice),
            playable=not faults,
            presets=tuple(self._presets()),
            seats=tuple(self._seats()),
            groups=tuple(self._groups()),
            faults=faults,
            files=tuple(self._files()),
        )

    def _files(self) -> Iterator[MenuFile]:
        titles = {each.id: each.title for each in self.book.offers.presets}
        titles |= self.book.titles
        for file, names in self.book.beside.items():
            owned = (
                n for n in self.table.choice.settings if {*self._owners(n)} & {*names}
            )
            there = self.table.done(TableStep("remove", (*names, *owned)))
            kept = tuple(each for each in there.choice.without if each not in names)
            yield MenuFile(
                file=file,
                titles=tuple(titles.get(each) or each for each in names),
                query=query_of(replace(there.choice, without=kept)),
            )

    # ---- presets and seats

    def _presets(self) -> Iterator[MenuPreset]:
        every = self.book.offers.presets
        same = {
            _stands(replace(self.table, choice=TableChoice(preset=e.id))) for e in every
        }
        plain = _stands(replace(self.table, choice=TableChoice()))
        if every and plain not in same:
            yield self._preset("", self.book.words.say("plain"), "")
        for each in every:
            text = self.book.preset_text(each.id)
            yield self._preset(each.id, each.title or each.id, text)

    def _preset(self, key: str, title: str, text: str) -> MenuPreset:
        there = replace(
            self.table, choice=TableChoice(preset=key or None, players=self._players)
        )
        if there.faults and self._players is not None:
            there = there.done(TableStep("remove", (SEATS,)))
        on = _stands(there) == _stands(self.table)
        return MenuPreset(
            key=key, title=title, text=text, on=on, query=query_of(there.choice)
        )

    @property
    def _players(self) -> int | None:
        return self.table.choice.players

    def _seats(self) -> Iterator[MenuSeats]:
        features, on = self.table.features, self.table.on
        every = features.players_of(on) or features.ranges_at(on)[0].numbers
        for number in every[:MOST_SEATS]:
            there = self.table.done(TableStep("set", settings={SEATS: number}))
            chosen = number == seats_of(self.table)
            query = query_of(there.choice)
            yield MenuSeats(number=number, chosen=chosen, query=query)

    # ---- groups

    def _groups(self) -> Iterator[MenuGroup]:
        """Yield groups of the rules, other house rules, and options of the game.

        A house rule that needs only one other is listed below it; if many need the same
        one, they form a group.
        """
        say, offers = self.book.words.say, self.book.offers
        left = {each.id: each for each in offers.variants}
        own = [left.pop(name) for name in self._file_of if name in left]
        if own:
            entries = tuple(self._with_what_needs(own, left))
            yield MenuGroup(title=say("own"), entries=entries)
        for group in offers.groups:
            members = [left.pop(n) for n in group.variants if n in left]
            yield MenuGroup(
                title=say("group"),
                text=say(f"one of {('at most' if group.or_none else 'exactly')}"),
                entries=tuple(self._with_what_needs(members, left)),
            )
        needing: dict[str, list[str]] = {}
        for name, each in left.items():
            for root in each.names("requires")[:1]:
                if root in self.book.titles:
                    needing.setdefault(root, []).append(name)
        chapters = {
            root: names for root, names in needing.items() if len(names) >= A_CHAPTER
        }
        apart = {name for names in chapters.values() for name in names}
        free = [
            e for n, e in left.items() if n not in apart and not e.names("requires")
        ]
        entries = tuple(self._with_what_needs(free, left, apart))
        if entries:
            yield MenuGroup(title=say("house rules"), entries=entries)
        for root, names in chapters.items():
            members = [left[name] for name in names if name in left]
            yield MenuGroup(
                title=say("more for", name=self.book.titles[root]),
                entries=tuple(self._with_what_needs(members, left)),
            )
        base = [e.id for e in offers.options if not self._owners(e.id)]
        if base:
            options = tuple(map(self._option, base))
            yield MenuGroup(title=say("options"), entries=options)

    def _with_what_needs(
        self,
        some: Iterable[Offer],
        left: dict[str, Offer],
        apart: Iterable[str] = (),
        under: str = "",
    ) -> Iterator[MenuEntry]:
        """Yield house rules by title, each with its options and dependants."""
        for each in sorted(some, key=lambda e: self.book.titles[e.id].casefold()):
            left.pop(each.id, None)
            yield self._variant(each, under)
            for option in self.book.offers.options:
                if self._owners(option.id)[-1:] == [each.id]:
                    yield self._option(option.id, each.id)
            needing = [
                other
                for name, other in left.items()
                if name not in apart and each.id in other.names("requires")
            ]
            yield from self._with_what_needs(needing, left, apart, each.id)

    def _owners(self, option: str) -> list[str]:
        return owners_of(self.table.ruleset, option)

    # ---- entries

    def entry(self, key: str) -> MenuEntry | None:
        """Return the entry of a house rule or an option."""
        for each in self.book.offers.variants:
            if each.id == key:
                return self._variant(each, "")
        known = (each.id for each in self.book.offers.options)
        return self._option(key) if key in known else None

    @cached_property
    def _file_of(self) -> dict[str, str]:
        """The file beside the game that contains a variant or preset, by its name."""
        return {n: file for file, names in self.book.beside.items() for n in names}

    @cached_property
    def _standing(self) -> dict[str, TableEntry]:
        return {each.id: each for each in (*self.now.variants, *self.now.options)}

    def _variant(self, offer: Offer, under: str) -> MenuEntry:
        name, turning = offer.id, self.turning
        after, on = turning.turned(name), name in self.table.on
        why_not = turning.why_not(after)
        repairs: tuple[MenuStep, ...] = ()
        if why_not:
            repairs = turning.repairs(after, lambda each: (name in each.on) is not on)
            if not repairs and not on:
                repairs = tuple(turning.begun_anew(name))
        meaning = self.book.meanings.get(name)
        rulings = meaning.rulings if meaning else ()
        measured = measured_line(self.table.ruleset, name, self.book.language)
        return MenuEntry(
            key=name,
            kind="variant",
            title=self.book.titles[name],
            line=self.book.line(name),
            measured=f"{measured[:1].upper()}{measured[1:]}." if measured else "",
            links=self.book.links(offer),
            cites=meaning.cites if meaning else (),
            rulings=tuple(map(self.book.ruling_words, rulings)),
            file=self._file_of.get(name, ""),
            under=under,
            on=on,
            because=self._because(name),
            possible=not why_not,
            why_not=why_not,
            repairs=repairs,
            query=query_of(after.choice),
        )

    def _because(self, name: str) -> str:
        entry = self._standing.get(name)
        if entry is None or entry.reason == "file":
            return ""
        presets = dict([self.now.preset]) if self.now.preset else {}
        names = self.book.listed(
            presets.get(each) or self.book.titles.get(each, each) for each in entry.by
        )
        if entry.reason == "usual" and name not in self.table.on:
            return ""
        return self.book.words.say(f"because {entry.reason}", names=names)

    def _option(self, name: str, under: str = "") -> MenuEntry:
        entry = option_entry(self.turning, name, self._standing.get(name), under)
        return entry.model_copy(update={"because": self._because(name)})

    # ---- errors

    def _faults(self) -> Iterator[MenuFault]:
        """Yield why the table cannot be played, with both places of a conflict."""
        found = prepare(self.table.ruleset, self.table.choice).diagnostics
        errors = [each for each in found if each.severity.value == "error"]
        if not errors:
            return
        repairs = self.turning.repairs(self.table, lambda _: True)
        if not repairs:
            anew = replace(self.table, choice=TableChoice())
            repairs = () if anew.faults else (self.turning.step(anew),)
        told = [each for each in errors if each.code in TOLD]
        for says in dict.fromkeys(self.turning.reasons(self.table, told)):
            yield MenuFault(says=says, repairs=repairs)
            repairs = ()
        for each in errors:
            if each.code not in TOLD:
                sources = self.table.ruleset.sources
                clash = self.turning.clash(each, self.table)
                base = self.book.words.say("base rule")
                places = (
                    MenuPlace(
                        file=label.span.file,
                        line=label.span.line,
                        text=sources[label.span.file].text.split("\n")[
                            label.span.line - 1
                        ],
                        note=(base if label.lead else "")
                        if clash
                        else label.text or label.lead,
                    )
                    for label in each.labels
                    if label.span.file in sources and label.span.line
                )
                yield MenuFault(
                    says=clash or each.message,
                    places=tuple(places),
                    details=() if clash else each.details,
                    repairs=repairs,
                )
                repairs = ()


def _stands(table: WishedTable) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """Return a table's active variants and option values, however they were chosen."""
    from houserule.compiler.options.options import values_of
    from houserule.compiler.options.scales import shown

    here = {entry.address for entry in table.draft.of_kind("option")}
    wanted = {**table.preset.settings, **table.choice.settings}
    chosen = {name: value for name, value in wanted.items() if name in here}
    return table.on, tuple(
        sorted(
            {k: shown(v) for k, v in values_of(table.draft, chosen)[0].items()}.items()
        )
    )
