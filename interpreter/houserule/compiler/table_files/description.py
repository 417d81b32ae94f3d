"""A table's description as values: its variants and options, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.compiler.choices.offers import offers_of
from houserule.compiler.compose.compose import drafted
from houserule.compiler.options.options import values_of
from houserule.compiler.options.scales import shown
from houserule.compiler.table_files.planned import PlannedTable, as_seen_from
from houserule.compiler.tables.choose import players_for
from houserule.language.manifest.ruleset import Plain

Reason: TypeAlias = Literal["file", "preset", "implied", "usual", "rules change"]


@frozen
class TableEntry:
    """A variant or option of a table, and its reason.

    Attributes:
        id: its name.
        title: its title.
        reason: `file`, `preset`, `implied` by variants, or `usual`: the default of its
            group or option; `rules change` if a variant changed this default.
        by: the preset, the variants or the group.
        value: of an option.
        normally: its default.
    """

    id: str
    title: str
    reason: Reason
    by: tuple[str, ...] = ()
    value: Plain = None
    normally: Plain = None

    @property
    def differs(self) -> bool:
        """Whether an option differs from its default."""
        return shown(self.value) != shown(self.normally)


@frozen
class TableDescription:
    """A resolved table, with titles in one language.

    Attributes:
        game: its name.
        title: its title.
        rules: the paths of external rules, relative to the working folder.
        preset: name and title, or None.
        variants: the active ones.
        without: the excluded ones, with titles.
    """

    game: str
    title: str
    players: int
    rules: tuple[str, ...]
    preset: tuple[str, str] | None
    variants: tuple[TableEntry, ...]
    without: tuple[tuple[str, str], ...]
    options: tuple[TableEntry, ...]


def described(table: PlannedTable, language: str) -> TableDescription:
    """Return the description of a table, as far as possible if it has errors."""
    offers, choice = offers_of(table.ruleset, language), table.choice
    titles = {each.id: each.title or each.id for each in offers.variants}
    presets = {each.id: each.title or each.id for each in offers.presets}
    captions = {each.id: each.title or each.id for each in offers.options}
    of_preset = (table.preset.name,)
    variants: list[TableEntry] = []
    for name in sorted(table.on):
        reason: Reason = "usual"
        by: tuple[str, ...] = ()
        implied = {
            user
            for each in table.features.relations
            if each.kind == "implies" and name in each.wanted and each.user <= table.on
            for user in each.user
        }
        if name in choice.with_:
            reason = "file"
        elif name in table.preset.variants:
            reason, by = "preset", of_preset
        elif implied:
            reason, by = "implied", tuple(sorted(implied))
        variants.append(TableEntry(name, titles[name], reason, by))
    here = {entry.address for entry in table.draft.of_kind("option")}
    wanted = {**table.preset.settings, **choice.settings}
    chosen = {name: value for name, value in wanted.items() if name in here}
    normal, _ = values_of(table.draft, {})
    base, _ = values_of(drafted(table.ruleset, ())[0], {})
    normal = {**normal, **base}
    options: list[TableEntry] = []
    for name, value in values_of(table.draft, chosen)[0].items():
        entry = TableEntry(name, captions[name], "usual", (), value, normal[name])
        if name in choice.settings:
            entry = replace(entry, reason="file")
        elif name in table.preset.settings:
            entry = replace(entry, reason="preset", by=of_preset)
        elif entry.differs:
            entry = replace(entry, reason="rules change")
        options.append(entry)
    preset = choice.preset
    return TableDescription(
        game=offers.id,
        title=offers.title,
        players=players_for(table.ruleset, table.on, choice.players)[0],
        rules=tuple(as_seen_from(Path(), each) for each in choice.rules),
        preset=(preset, presets.get(preset, preset)) if preset else None,
        variants=tuple(variants),
        without=tuple((name, titles.get(name, name)) for name in choice.without),
        options=tuple(options),
    )


def value_words(value: Plain, language: str) -> str:
    """Return the value of an option in people's notation."""
    words = Phrases("compose", language)
    if value is None:
        return words.say("none")
    if isinstance(value, bool):
        return words.say("yes" if value else "no")
    return shown(value)
