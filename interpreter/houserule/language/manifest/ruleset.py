"""A ruleset as loaded: its manifest, its rules files, its tables, texts and rulings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from houserule.base.frozen import frozen
from houserule.base.resources import FALLBACK, LANGUAGES
from houserule.base.source import Source, Span
from houserule.language.manifest.folder import RulesFile
from houserule.language.manifest.ruleset_models import Manifest, Register, in_language

if TYPE_CHECKING:
    from houserule.language.syntax.tree import Unit

T = TypeVar("T")

Plain: TypeAlias = int | bool | str | list["Plain"] | None


@frozen
class Cell:
    """One value of a table, with its place."""

    value: Plain
    span: Span


@frozen
class LoadedRow:
    """One row of a component table: its id, its cells by column, its status.

    `status` is "attested" or "reconstructed". For an attested row, `source` names its
    source, and `attested` the attested cells (all, if it names none).
    """

    id: str
    cells: Mapping[str, Cell]
    status: str
    span: Span
    source: str = ""
    attested: tuple[str, ...] = ()
    note: str = ""


@frozen
class RulingText:
    """A ruling on a question that the rulebook leaves open, as a sentence."""

    id: str
    says: Mapping[str, str]  # by language
    asks: Mapping[str, str]  # the question that it answers, by language; may be empty
    book: bool  # whether the rulebook prints it
    option: str  # the option or variant that decides otherwise, or ''
    span: Span

    def in_full(self, language: str) -> str:
        """Return the question that it answers, if any, and the decision."""
        asked = in_language(self.asks, language)
        says = in_language(self.says, language)
        return f"{asked} {says}" if asked else says


@frozen
class ParsedRules:
    """The rules files of a ruleset, with their tables and registers.

    Attributes:
        units: every game, variant, bridge and preset, in order of file name.
        tables: rows by the path that rules files write (`components/x.yaml`).
    """

    units: tuple[Unit, ...]
    tables: Mapping[str, tuple[LoadedRow, ...]]
    registers: Mapping[str, Register]


@frozen
class LoadedRuleset:
    """Everything in a ruleset's folder except scenarios and records, loaded once.

    Attributes:
        texts: language -> key -> text. A caption's key is its address; other keys are
            section and name: `titles/x`, `actions/draw`, `messages/draw`,
            `changed/variant/address`, `notes/the words in the rules file`.
        files: every text that was read, by its path inside the folder.
        fingerprint: a hash of every file.
        parse: parses the rules files; called on demand.
        variant_titles: the title of every variant by its name, in order of name.
        beside: the rules files from beside the folder; in `files` their names begin
            with `+`.
    """

    id: str
    folder: Path
    manifest: Manifest
    rulings: Mapping[str, RulingText]
    texts: Mapping[str, Mapping[str, str]]
    files: Mapping[str, Source] = field(repr=False)
    fingerprint: str
    parse: Callable[[], ParsedRules] = field(repr=False, compare=False)
    variant_titles: Mapping[str, str]
    beside: tuple[RulesFile, ...] = ()
    _derived: dict[object, object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def derived(self, make: Callable[[LoadedRuleset], T]) -> T:
        """Return a function's result for this ruleset; the function is called once.

        The result lives as long as the ruleset, and must depend on nothing else.
        """
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast("T", self._derived[make])

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every game, variant, bridge and preset, in order of file name."""
        return self.derived(_parsed).units

    @property
    def tables(self) -> Mapping[str, tuple[LoadedRow, ...]]:
        """Rows of components, by the path that rules files write."""
        return self.derived(_parsed).tables

    @property
    def registers(self) -> Mapping[str, Register]:
        """The registers of sources, by the name of the source."""
        return self.derived(_parsed).registers

    @property
    def sources(self) -> dict[str, Source]:
        """Every text that was read, by its name in messages."""
        return self.derived(_by_name)

    @property
    def spoken(self) -> tuple[str, ...]:
        """The languages to play in: those that the game and the program both have."""
        both = (each for each in self.manifest.languages if each in LANGUAGES)
        return (*both,) or (FALLBACK,)

    def language_for(self, wished: str) -> str:
        """Return the requested language if available, else English or the first."""
        spoken = self.spoken
        return next(each for each in (wished, FALLBACK, *spoken) if each in spoken)

    def units_of(self, kind: str) -> tuple[Unit, ...]:
        """Return the units of one kind: "game", "variant", "bridge", "preset"."""
        return tuple(unit for unit in self.units if unit.kind == kind)

    def text(self, section: str, name: str, language: str) -> str | None:
        """Return the words for a name in a language, if there are any.

        `section` is "titles", "things", "flow", "actions", "messages", "captions" or
        "notes", or "changed" with the name `variant/address`.
        """
        key = name if section == "captions" else f"{section}/{name}"
        return self.texts.get(language, {}).get(key)

    def caption(
        self, address: str, own: str, changed_by: Iterable[str], language: str
    ) -> str:
        """Return a clause's caption in a language, '' if it is not translated.

        Args:
            own: its caption in the rules files, which are in the first language.
            changed_by: the units that changed it, in order.
        """
        if language == self.manifest.languages[0]:
            return own
        texts = self.texts.get(language, {})
        keys = [f"changed/{unit}/{address}" for unit in changed_by]
        found = (texts[key] for key in (*reversed(keys), address) if key in texts)
        return next(found, "")

    @property
    def base(self) -> Unit:
        return self.units_of("game")[0]


def _parsed(ruleset: LoadedRuleset) -> ParsedRules:
    return ruleset.parse()


def _by_name(ruleset: LoadedRuleset) -> dict[str, Source]:
    return {source.name: source for source in ruleset.files.values()}
