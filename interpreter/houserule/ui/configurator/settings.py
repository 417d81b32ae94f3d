"""The values of a table's options, and the table for each value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from houserule.base.resources import Phrases
from houserule.compiler.choices.offers import span
from houserule.compiler.options.options import changes_of, suggestions, values_of
from houserule.compiler.options.scales import (
    Constants,
    NameScale,
    NotConstantError,
    NumberScale,
    OptionalScale,
    Scale,
    SetScale,
    YesNoScale,
    shown,
)
from houserule.compiler.table_files.description import TableEntry
from houserule.compiler.table_files.planned import TableStep, WishedTable
from houserule.compiler.tables.choose import owners_of
from houserule.language.manifest.ruleset import Plain
from houserule.language.syntax import tree
from houserule.ui.configurator.book import HouseBook
from houserule.ui.configurator.links import query_of, setting_text
from houserule.ui.configurator.menu_model import MenuEntry, MenuSetting, MenuStep
from houserule.ui.configurator.toggling import Toggle

MOST_VALUES = 400  # listed values of an option


@dataclass(frozen=True)
class OptionMaking:
    """One option of a table."""

    turning: Toggle
    name: str

    @property
    def book(self) -> HouseBook:
        return self.turning.book

    @property
    def table(self) -> WishedTable:
        return self.turning.table

    def entry(self, standing: TableEntry | None, under: str) -> MenuEntry:
        """Return the option; `standing` is its value at the table, if it has one."""
        scale = _scale(self.table, self.name)
        cites, rulings = self._margin()
        common = MenuEntry(
            key=self.name,
            kind="option",
            title=self.book.titles[self.name],
            under=under,
            cites=cites,
            rulings=rulings,
        )
        if standing is None or scale is None:
            owners = owners_of(self.table.ruleset, self.name)
            missing = [each for each in owners if each not in self.table.on]
            names = self.book.titled(missing or owners)
            after = self.table.done(TableStep("add", tuple(missing)))
            repairs: tuple[MenuStep, ...] = ()
            if missing and not after.faults:
                repairs = (self.turning.step(after),)
            elif missing:
                repairs = self.turning.repairs(
                    after, lambda each: _scale(each, self.name) is not None
                )
            why = self.book.words.say("why absent", names=names)
            return common.model_copy(
                update={"possible": False, "why_not": why, "repairs": repairs}
            )
        say, language = self.book.words.say, self.book.language
        line = say("normally", value=self.book.value(standing.normally))
        inner = scale.inner if isinstance(scale, OptionalScale) else scale
        if isinstance(inner, NumberScale):
            scope = span(inner.low, inner.high, language)
            if inner.step > 1:
                words = Phrases("compose", language)
                scope = words.say("step", scale=scope, step=inner.step)
            line = f"{scope}, {line}"
        else:
            line = line[:1].upper() + line[1:]
        found = {
            "line": line,
            "on": standing.differs,
            "value": self.book.value(standing.value),
            "normally": self.book.value(standing.normally),
            "values": tuple(self._values(scale, standing.value)),
            "several": isinstance(scale, SetScale),
        }
        if changes_of(self.table.draft, self.name):
            units = {h.origin.unit for h in changes_of(self.table.draft, self.name)}
            members = {each for unit in units for each in unit.split("+") if each}
            who = self.book.titled(members) or self.book.offers.title
            steps: list[MenuStep] = []
            for each in sorted(members):
                after = self.table.done(TableStep("remove", (each,)))
                if after.faults:

                    def without(table: WishedTable, name: str = each) -> bool:
                        return name not in table.on

                    steps += self.turning.repairs(after, without)
                else:
                    steps.append(self.turning.step(after))
            found |= {
                "possible": False,
                "why_not": self.book.words.say("why fixed", who=who),
                "repairs": tuple(steps[:3]),
                "values": (),
            }
        return common.model_copy(update=found)

    def _margin(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        view = self.book.view
        for placed in view.family.placed if view else ():
            item = placed.item
            if isinstance(item, tree.Option) and item.name.text == self.name and view:
                rulings = map(self.book.ruling_words, view.rulings(item.notes))
                return view.cites(item.notes), tuple(rulings)
        return (), ()

    # ---- possible values

    def _values(self, scale: Scale, now: Plain) -> Iterator[MenuSetting]:
        members = now if isinstance(now, list) else []
        # The table without a setting of the option, and the option's value there; there
        # is no value if active house rules want different ones.
        unset, default = self.table.done(TableStep("remove", (self.name,))), ""
        if len({shown(e.value) for e in suggestions(unset.draft, self.name)}) < 2:
            here = {entry.address for entry in unset.draft.of_kind("option")}
            said = {**unset.preset.settings, **unset.choice.settings}
            chosen = {key: value for key, value in said.items() if key in here}
            default = shown(values_of(unset.draft, chosen)[0].get(self.name))
        for value in _listed(scale):
            if isinstance(scale, SetScale):
                on = value in members
                put = [e for e in members if e != value]
                wanted: Plain = put if on else [*members, value]
                if scale.some and not wanted:
                    wanted = members
            else:
                on, wanted = shown(value) == shown(now), value
            there = unset  # defaults are omitted
            if shown(wanted) != default:
                there = self.table.done(TableStep("set", settings={self.name: wanted}))
            yield MenuSetting(
                value=setting_text(wanted),
                label=self.book.value(value),
                chosen=on,
                query=query_of(there.choice),
            )


def _scale(table: WishedTable, name: str) -> Scale | None:
    """Return the values of an option at a table; None if it does not exist."""
    entry = table.draft.entries.get(name)
    if entry is None or not isinstance(entry.node, tree.Option):
        return None
    here = {each.address for each in table.draft.of_kind("option")}
    said = {k: v for k, v in table.choice.settings.items() if k in here}
    try:
        return Constants(table.draft, values_of(table.draft, said)[0]).scale(entry.node)
    except NotConstantError:
        return None


def _listed(scale: Scale) -> list[Plain]:
    match scale:
        case OptionalScale(inner):
            return [None, *([] if isinstance(inner, SetScale) else _listed(inner))]
        case YesNoScale():
            return [True, False]
        case NumberScale(low, high, step):
            return [*range(low, high + 1, step)][:MOST_VALUES]
        case NameScale(names):
            return [*names]
        case SetScale(of):
            return _listed(of)
