"""The configurator for front ends: plain values with a JSON Schema.

Every text is in the viewer's language. A `key` is not a text but a name in the rules. A
`query` is a whole choice, as `links` writes it: the choice after a step. Every offered
step was composed first, so it works.
"""

from __future__ import annotations

from typing import Literal

from houserule.base.plain import Plain


class MenuStep(Plain):
    """One step to another table that can be played."""

    label: str
    """All its changes: "Switch on A single heap and Misère"."""
    query: str


class MenuSetting(Plain):
    """One possible value of an option."""

    value: str
    """The value as links and rules files write it."""
    label: str
    chosen: bool
    query: str


class MenuEntry(Plain):
    """A house rule or an option: a sentence with a switch."""

    key: str
    kind: Literal["variant", "option"]
    title: str
    line: str = ""
    """The change it makes, in a line."""
    measured: str = ""
    """What it alone changes between bots; empty if that was not measured."""
    links: tuple[str, ...] = ()
    """The variants it needs, includes and excludes: "not with A single heap"."""
    cites: tuple[str, ...] = ()
    """Its citation."""
    file: str = ""
    """For a house rule beside the game: its file."""
    rulings: tuple[str, ...] = ()
    """The ruleset's decisions about it, for cases that no source covers."""
    under: str = ""
    """The key of the house rule that it belongs to or needs; '' if there is none."""
    on: bool = False
    """For a house rule: whether it is on. For an option: whether it differs from its
    default."""
    because: str = ""
    """The reason for its state, if it is not the choice: "comes with Hard times"."""
    possible: bool = True
    """Whether the switch may be changed alone; for an option, whether the table has
    it."""
    why_not: str = ""
    """Why not, in sentences; empty if and only if it is possible."""
    repairs: tuple[MenuStep, ...] = ()
    """If it is not possible: steps that achieve it with all necessary changes."""
    query: str = ""
    """For a house rule: the choice with the switch changed, possible or not."""
    value: str = ""
    """For an option: its current value, in words."""
    normally: str = ""
    """For an option: its default, in words."""
    values: tuple[MenuSetting, ...] = ()
    """For an option: its possible values; for a set, each member added or removed."""
    several: bool = False
    """The option is a set: any of `values` may be in it."""


class MenuGroup(Plain):
    """Entries under one heading."""

    title: str
    text: str = ""
    """How many of them may be on, if there is a limit."""
    entries: tuple[MenuEntry, ...]


class MenuPreset(Plain):
    """A choice that the ruleset provides."""

    key: str
    """Its name; '' is the base game."""
    title: str
    text: str = ""
    """Its variants and settings, by title."""
    on: bool
    """The table equals the preset, however it was chosen."""
    query: str


class MenuSeats(Plain):
    """A number of players."""

    number: int
    chosen: bool
    query: str


class MenuPlace(Plain):
    """The place of an error in the rules."""

    file: str
    line: int
    text: str
    """The source line."""
    note: str = ""


class MenuFault(Plain):
    """Why the chosen table cannot be played."""

    says: str
    places: tuple[MenuPlace, ...] = ()
    details: tuple[str, ...] = ()
    repairs: tuple[MenuStep, ...] = ()


class MenuClause(Plain):
    """A clause of the rules that a house rule changes or adds."""

    says: str
    """Its text with the house rule; empty if it has none."""
    before: str = ""
    """Its text without the house rule, if that is different."""
    rule: str = ""
    """The formula; for a change, the old and the new one."""
    cites: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()


class MenuChapter(Plain):
    """One kind of changes or additions of a house rule."""

    title: str
    clauses: tuple[MenuClause, ...]


class MenuOpened(Plain):
    """The details of an entry."""

    key: str
    title: str
    chapters: tuple[MenuChapter, ...]
    presets: tuple[str, ...] = ()
    """Titles of the presets that contain it."""


class MenuFile(Plain):
    """A file with your own rules, beside the game."""

    file: str
    titles: tuple[str, ...]
    """Titles of the house rules and presets in it."""
    query: str
    """The choice without everything in it."""


class Menu(Plain):
    """All possible choices for a table of one game, and the current ones."""

    game: str
    language: str
    title: str
    summary: str
    sentence: str
    """The whole table: "Nim for 2 players, with One pass"."""
    query: str
    """The current choice."""
    playable: bool
    presets: tuple[MenuPreset, ...]
    seats: tuple[MenuSeats, ...]
    """The numbers of players that this choice allows; one is chosen, unless there are
    errors."""
    groups: tuple[MenuGroup, ...]
    faults: tuple[MenuFault, ...] = ()
    files: tuple[MenuFile, ...] = ()
    """The files with your own rules beside the game."""
