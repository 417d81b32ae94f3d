"""A table's description as values: its variants and options, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.compiler.choices.offers import offers_of
from houserule.compiler.compose.compose import drafted
from houserule.compiler.options.options import values_of
from houserule.compiler.options.scales import shown
from houserule.compiler.table_files.planned import PlannedTable, as_seen_from
from houserule.compiler.tables.choose import players_for
from houserule.language.manifest.ruleset import Plain


@frozen
class TableEntry:
    """A variant or option of a table, and its reason.

    Attributes:
        id: its name. title: its title.
        reason: `file`, `preset`, `implied` by variants, or `usual`: the default of its
            group or option; `rules change` if a variant changed this default.
        by: the preset, the variants or the group.
        value: of an option. normally: its default.
    """

    id: str
    title: str
    reason: Literal["file", "preset", "implied", "usual", "rules change"]
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
        game: its name. title: its title.
        players: the number of players.
        rules: the paths of external rules, relative to the working folder.
        preset: name and title, or None.
        variants: the active ones. without: the excluded ones, with titles.
        options: the options of this table.
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
    offers = offers_of(table.ruleset, language)
    titles = {each.id: each.title or each.id for each in offers.variants}
    presets = {each.id: each.title or each.id for each in offers.presets}
    preset = table.choice.preset
    return TableDescription(
        game=offers.id,
        title=offers.title,
        players=players_for(table.ruleset, table.on, table.choice.players)[0],
        rules=tuple(as_seen_from(Path(), each) for each in table.choice.rules),
        preset=(preset, presets.get(preset, preset)) if preset else None,
        variants=tuple(_why_on(table, name, titles[name]) for name in sorted(table.on)),
        without=tuple((name, titles.get(name, name)) for name in table.choice.without),
        options=tuple(
            _options(table, {each.id: each.title or each.id for each in offers.options})
        ),
    )


def _why_on(table: PlannedTable, name: str, title: str) -> TableEntry:
    if name in table.choice.with_:
        return TableEntry(name, title, "file")
    if name in table.preset.variants:
        return TableEntry(name, title, "preset", (table.preset.name,))
    by = {
        user
        for each in table.features.relations
        if each.kind == "implies" and name in each.wanted and each.user <= table.on
        for user in each.user
    }
    if by:
        return TableEntry(name, title, "implied", tuple(sorted(by)))
    return TableEntry(name, title, "usual")


def _options(table: PlannedTable, titles: Mapping[str, str]) -> Iterator[TableEntry]:
    draft = table.draft
    of_file, of_preset = table.choice.settings, table.preset.settings
    wanted = {**of_preset, **of_file}
    here = {entry.address for entry in draft.of_kind("option")}
    chosen = {name: value for name, value in wanted.items() if name in here}
    normal, _ = values_of(draft, {})
    base, _ = values_of(drafted(table.ruleset, ())[0], {})
    normal = {**normal, **base}
    for name, value in values_of(draft, chosen)[0].items():
        standing = TableEntry(name, titles[name], "usual", (), value, normal[name])
        if name in of_file:
            standing = replace(standing, reason="file")
        elif name in of_preset:
            standing = replace(standing, reason="preset", by=(table.preset.name,))
        elif standing.differs:
            standing = replace(standing, reason="rules change")
        yield standing


def value_words(value: Plain, language: str) -> str:
    """Return the value of an option in people's notation."""
    words = Phrases("compose", language)
    if value is None:
        return words.say("none")
    if isinstance(value, bool):
        return words.say("yes" if value else "no")
    return shown(value)
