"""What a face draws of the choice of house rules, as plain values with a JSON Schema.

Every text is in the language of who looks. A `key` is no text: it is what the rules
call a thing. A `query` is a whole choice as `links` writes it: what the choice would be
after a step. Every step that is offered was composed before it was offered.
"""

from __future__ import annotations

from typing import Literal

from houserule.base.plain import Plain


class MenuStep(Plain):
    """One step to another table, which can be played."""

    label: str
    """All that it changes: "Switch on A single heap and Misère"."""
    query: str


class MenuSetting(Plain):
    """One value that an option may have."""

    value: str
    """As links and rules files write it."""
    label: str
    chosen: bool
    query: str


class MenuEntry(Plain):
    """A house rule or an option: a sentence with a switch."""

    key: str
    kind: Literal["variant", "option"]
    title: str
    line: str = ""
    """What it changes, in a line."""
    links: tuple[str, ...] = ()
    """What it needs, brings along and excludes: "not with A single heap"."""
    cites: tuple[str, ...] = ()
    """Where it is printed."""
    file: str = ""
    """Of a house rule that came from beside the game: the file in which it stands."""
    rulings: tuple[str, ...] = ()
    """What the ruleset decided about it where nothing is printed."""
    under: str = ""
    """The key of the house rule that it belongs to or needs; '' if there is none."""
    on: bool = False
    """Of a house rule: whether it is on. Of an option: whether it is not as usual."""
    because: str = ""
    """Why it is so, if the choice does not say it: "comes with Hard times"."""
    possible: bool = True
    """Whether the switch may be turned, and nothing else with it; whether the table has
    the option."""
    why_not: str = ""
    """Why not, in sentences; empty exactly where it is possible."""
    repairs: tuple[MenuStep, ...] = ()
    """Where it is not possible: steps that do it, with all else that has to change."""
    query: str = ""
    """Of a house rule: the choice with the switch turned, possible or not."""
    value: str = ""
    """Of an option: what it is now, in words."""
    normally: str = ""
    """Of an option: what it is where nobody chooses, in words."""
    values: tuple[MenuSetting, ...] = ()
    """Of an option: what it may be; of a set, each member with it in or out."""
    several: bool = False
    """The option is a set: any of `values` may be in it."""


class MenuGroup(Plain):
    """Entries that stand together."""

    title: str
    text: str = ""
    """How many of them may be on, if not any."""
    entries: tuple[MenuEntry, ...]


class MenuPreset(Plain):
    """A choice that the ruleset has ready."""

    key: str
    """Its name; '' is the game as it is."""
    title: str
    text: str = ""
    """What it switches on and sets, with titles."""
    on: bool
    """The table is what it says, however it was chosen."""
    query: str


class MenuSeats(Plain):
    """A number of players."""

    number: int
    chosen: bool
    query: str


class MenuPlace(Plain):
    """A place in the rules where a fault lies."""

    file: str
    line: int
    text: str
    """The line as it stands there."""
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
    """What it says to people with the house rule; empty if nothing."""
    before: str = ""
    """What it said before, if it said something else."""
    rule: str = ""
    """What is written in the rules: of a change, from what to what."""
    cites: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()


class MenuChapter(Plain):
    """What a house rule changes, or adds."""

    title: str
    clauses: tuple[MenuClause, ...]


class MenuOpened(Plain):
    """An entry looked at closely."""

    key: str
    title: str
    chapters: tuple[MenuChapter, ...]
    presets: tuple[str, ...] = ()
    """Titles of the presets that have it."""


class MenuFile(Plain):
    """A file with rules of one's own, beside the game."""

    file: str
    titles: tuple[str, ...]
    """Those of the house rules and presets in it."""
    query: str
    """The choice without all that stands in it."""


class Menu(Plain):
    """All that a table of one game may choose, and what it has chosen."""

    game: str
    language: str
    title: str
    summary: str
    sentence: str
    """The whole table: "Nim for 2 players, with One pass"."""
    query: str
    """The choice as it stands."""
    playable: bool
    presets: tuple[MenuPreset, ...]
    seats: tuple[MenuSeats, ...]
    """The numbers of players that this choice allows; one is chosen, unless faulty."""
    groups: tuple[MenuGroup, ...]
    faults: tuple[MenuFault, ...] = ()
    files: tuple[MenuFile, ...] = ()
    """Rules of one's own that stand beside the game."""
