"""The values of a table's options, and the table for each value."""

from __future__ import annotations

from collections.abc import Iterator

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


def option_entry(
    turning: Toggle, name: str, standing: TableEntry | None, under: str
) -> MenuEntry:
    """Return an option; `standing` is its value at the table, if it has one."""
    book, table = turning.book, turning.table
    scale = _scale(table, name)
    cites, rulings = _margin(book, name)
    common = MenuEntry(
        key=name,
        kind="option",
        title=book.titles[name],
        under=under,
        cites=cites,
        rulings=rulings,
    )
    if standing is None or scale is None:
        owners = owners_of(table.ruleset, name)
        missing = [each for each in owners if each not in table.on]
        names = book.titled(missing or owners)
        after = table.done(TableStep("add", tuple(missing)))
        repairs: tuple[MenuStep, ...] = ()
        if missing and not after.faults:
            repairs = (turning.step(after),)
        elif missing:
            repairs = turning.repairs(
                after, lambda each: _scale(each, name) is not None
            )
        why = book.words.say("why absent", names=names)
        return common.model_copy(
            update={"possible": False, "why_not": why, "repairs": repairs}
        )
    say, language = book.words.say, book.language
    line = say("normally", value=book.value(standing.normally))
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
        "value": book.value(standing.value),
        "normally": book.value(standing.normally),
        "values": tuple(_values(book, table, name, scale, standing.value)),
        "several": isinstance(scale, SetScale),
    }
    if changes_of(table.draft, name):
        units = {h.origin.unit for h in changes_of(table.draft, name)}
        members = {each for unit in units for each in unit.split("+") if each}
        who = book.titled(members) or book.offers.title
        steps: list[MenuStep] = []
        for each in sorted(members):
            after = table.done(TableStep("remove", (each,)))
            if after.faults:

                def without(after: WishedTable, each: str = each) -> bool:
                    return each not in after.on

                steps += turning.repairs(after, without)
            else:
                steps.append(turning.step(after))
        found |= {
            "possible": False,
            "why_not": book.words.say("why fixed", who=who),
            "repairs": tuple(steps[:3]),
            "values": (),
        }
    return common.model_copy(update=found)


def _margin(book: HouseBook, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    view = book.view
    for placed in view.family.placed if view else ():
        item = placed.item
        if isinstance(item, tree.Option) and item.name.text == name and view:
            rulings = map(book.ruling_words, view.rulings(item.notes))
            return view.cites(item.notes), tuple(rulings)
    return (), ()


# ---- possible values


def _values(
    book: HouseBook, table: WishedTable, name: str, scale: Scale, now: Plain
) -> Iterator[MenuSetting]:
    members = now if isinstance(now, list) else []
    # The table without a setting of the option, and the option's value there; there
    # is no value if active house rules want different ones.
    unset, default = table.done(TableStep("remove", (name,))), ""
    if len({shown(e.value) for e in suggestions(unset.draft, name)}) < 2:
        here = {entry.address for entry in unset.draft.of_kind("option")}
        said = {**unset.preset.settings, **unset.choice.settings}
        chosen = {key: value for key, value in said.items() if key in here}
        default = shown(values_of(unset.draft, chosen)[0].get(name))
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
            there = table.done(TableStep("set", settings={name: wanted}))
        yield MenuSetting(
            value=setting_text(wanted),
            label=book.value(value),
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
