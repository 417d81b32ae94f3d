"""A ruleset as loaded: its manifest, its rules files, its tables, texts and rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, TypeVar, cast

from houserule.manifest.model import Manifest, Register
from houserule.source import Source, Span
from houserule.syntax.tree import Unit

T = TypeVar("T")

Plain: TypeAlias = int | bool | str | list["Plain"] | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a table, and where it stands."""

    value: Plain
    span: Span


@dataclass(frozen=True, slots=True)
class LoadedRow:
    """One row of a component table: its id, its cells by column, its status.

    `status` is "attested" or "reconstructed". Of an attested row `source` names what
    attests it, and `attested` the cells that are (all, if it names none).
    """

    id: str
    cells: Mapping[str, Cell]
    status: str
    span: Span
    source: str = ""
    attested: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class RulingText:
    """What the table decided where the rulebook is silent, as a sentence."""

    id: str
    says: Mapping[str, str]  # by language
    option: str  # the option or variant that decides otherwise, or ''
    span: Span


@dataclass(frozen=True, slots=True)
class LoadedRuleset:
    """Everything in a ruleset's folder except scenarios and records, loaded once.

    Attributes:
        id: the game's name.
        folder: where it was loaded from.
        units: every game, variant, bridge and preset, in order of file name.
        tables: rows by the path that rules files write (`components/x.yaml`).
        rulings: by id. registers: by source name.
        texts: language -> key -> text. Captions have their address as key, all
            others section and name: `titles/x`, `actions/draw`, `messages/draw`,
            `changed/variant/address`, `notes/the words in the rules file`.
        files: every text that was read, by its path inside the folder.
        fingerprint: a hash over every file.
    """

    id: str
    folder: Path
    manifest: Manifest
    units: tuple[Unit, ...]
    tables: Mapping[str, tuple[LoadedRow, ...]]
    rulings: Mapping[str, RulingText]
    registers: Mapping[str, Register]
    texts: Mapping[str, Mapping[str, str]]
    files: Mapping[str, Source] = field(repr=False)
    fingerprint: str
    _derived: dict[object, object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def derived(self, make: Callable[[LoadedRuleset], T]) -> T:
        """Return what a function works out of this ruleset; it is called once.

        The result lives as long as the ruleset, and must depend on nothing else.
        """
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast("T", self._derived[make])

    @property
    def sources(self) -> dict[str, Source]:
        """Every text that was read, by the name that messages call it."""
        return self.derived(_by_name)

    def units_of(self, kind: str) -> tuple[Unit, ...]:
        """Return the units of one kind: "game", "variant", "bridge", "preset"."""
        return tuple(unit for unit in self.units if unit.kind == kind)

    @property
    def variant_titles(self) -> dict[str, str]:
        """The title of every variant by its name, in order of name."""
        every = sorted(self.units_of("variant"), key=lambda unit: unit.id)
        return {unit.id: unit.title for unit in every}

    def text(self, section: str, name: str, language: str) -> str | None:
        """Return the words for a name in a language, if there are any.

        `section` is "titles", "things", "flow", "actions", "messages", "captions" or
        "notes", or "changed" with the name `variant/address`.
        """
        key = name if section == "captions" else f"{section}/{name}"
        return self.texts.get(language, {}).get(key)

    @property
    def base(self) -> Unit:
        """The base game."""
        return self.units_of("game")[0]


def _by_name(ruleset: LoadedRuleset) -> dict[str, Source]:
    return {source.name: source for source in ruleset.files.values()}
