"""Loading: a ruleset's folder becomes a `LoadedRuleset`; every fault has its place.

E033 to E037 and E041 to E045 are found here; the faults of the rules files come from
`syntax`, those of single YAML files from `yaml`. A ruleset with faults is returned as
far as it could be read, so that later passes can report theirs in the same run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from houserule.cache import DiskStore
from houserule.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    fault,
    has_errors,
    in_reading_order,
)
from houserule.diagnostics.render import RulesetError
from houserule.diagnostics.wording import did_you_mean
from houserule.manifest.citations import check_citations
from houserule.manifest.components import load_tables
from houserule.manifest.folder import Folder
from houserule.manifest.model import Manifest, Register, in_language
from houserule.manifest.positions import check_position
from houserule.manifest.ruleset import LoadedRuleset
from houserule.manifest.rulings import load_rulings
from houserule.manifest.texts import declared_names, load_texts
from houserule.manifest.yaml.document import Document
from houserule.resources import shipped_rulesets
from houserule.source import Source, Span
from houserule.syntax.read.parser import parse_unit_file
from houserule.syntax.tree import SourceText, Unit

MANIFEST = "ruleset.yaml"
OWNED = ("components/**/*.yaml", "text/*.yaml", "sources/*.yaml", "**/*.rules")
SOUND = DiskStore("sound", made_by=(), most=500)  # contents in which no fault was found


def load_ruleset(
    folder: Path, called: str | None = None
) -> tuple[LoadedRuleset | None, list[Diagnostic]]:
    """Read a folder as a ruleset.

    Args:
        folder: where its files are.
        called: what messages call the folder; normally by its path.

    Returns:
        The ruleset, as far as it could be read, or `None` where there is no usable
        manifest or no game; and every fault, in reading order.
    """
    loader = _Loader(Folder(folder, called))
    ruleset = loader.load()
    return ruleset, in_reading_order(loader.folder.faults)


def open_ruleset(folder: Path) -> LoadedRuleset:
    """Return the ruleset of a folder, for play; warnings about it are for `check`.

    Raises:
        RulesetError: it cannot be read, or its files have errors.
    """
    ruleset, found = load_ruleset(folder)
    if ruleset is None or has_errors(found):
        raise RulesetError(found, ruleset.sources if ruleset else {})
    return ruleset


def load_manifest(folder: Path) -> tuple[Manifest | None, list[Diagnostic]]:
    """Read only the manifest of a folder: enough for a list of games."""
    loader = _Loader(Folder(folder))
    found = loader.manifest()
    return (found[0] if found else None), in_reading_order(loader.folder.faults)


@dataclass
class _Loader:
    """Reads one folder, file by file; what is wrong is noted in the folder."""

    folder: Folder

    def load(self) -> LoadedRuleset | None:
        """Read everything; what was found sound once is not held against itself."""
        contents = self.folder.contents((MANIFEST, "*.yaml", *OWNED))
        key = SOUND.key(*(part for file in contents.items() for part in file))
        sound = SOUND.load(key) is True
        found = self._load(sound=sound)
        all_known = set(self.folder.sources) <= set(contents)
        if found is not None and not sound and all_known and not self.folder.faults:
            SOUND.save(key, True)
        return found

    def _load(self, *, sound: bool) -> LoadedRuleset | None:
        found = self.manifest()
        if found is None:
            return None
        manifest, document = found
        units, whole = self._units(manifest, document)
        if not self._one_game(units, manifest, document, whole=whole):
            return None
        checked = whole and not sound
        tables = load_tables(self.folder, units, whole=whole)
        rulings = load_rulings(self.folder, manifest, units, whole=checked)
        names = declared_names(units) if checked else None
        texts = load_texts(self.folder, manifest, document, names, tables)
        registers = self._registers(manifest, document)
        if not sound:
            if whole:
                self.folder.faults.extend(check_position(manifest, document, units))
            self._sources_declared(units, manifest, document, whole=whole)
            self.folder.faults.extend(
                check_citations(units, registers, manifest.sources, rulings)
            )
            self._unread_files()
        return LoadedRuleset(
            id=manifest.id,
            folder=self.folder.path,
            manifest=manifest,
            units=units,
            tables=tables,
            rulings=rulings or {},
            registers=registers,
            texts=texts,
            files=dict(self.folder.sources),
            fingerprint=self.folder.fingerprint(),
        )

    def manifest(self) -> tuple[Manifest, Document] | None:
        """Read the manifest, with its places."""
        return self.folder.read_model(MANIFEST, Manifest)

    def _units(
        self, manifest: Manifest, document: Document
    ) -> tuple[tuple[Unit, ...], bool]:
        """Parse the rules files, by name; say whether all were without fault."""
        units: list[Unit] = []
        whole = True
        for source in self._rules_files(manifest, document):
            found, faults = parse_unit_file(source)
            units.extend(found)
            whole = whole and not has_errors(faults)
            self.folder.faults.extend(faults)
        return tuple(units), whole

    def _rules_files(self, manifest: Manifest, document: Document) -> list[Source]:
        written = isinstance(document.data, dict) and "rules" in document.data
        listed: dict[str, Span] = {}
        for number, pattern in enumerate(manifest.rules):
            place = document.span("rules", number)
            files = self.folder.files(pattern)
            if not files and (written or pattern == "game.rules"):
                self.folder.missing(pattern, place)
            for file in files:
                if file in listed:
                    first = Label(listed[file], "already here")
                    message = f"`{file}` is listed twice."
                    self.folder.faults.append(
                        fault("E035", message, place, others=(first,))
                    )
                listed.setdefault(file, place)
        read = (self.folder.read(file, listed[file]) for file in sorted(listed))
        return [source for source in read if source is not None]

    def _one_game(
        self,
        units: tuple[Unit, ...],
        manifest: Manifest,
        document: Document,
        *,
        whole: bool,
    ) -> bool:
        """Check that there is one game, of the manifest's name, and all are for it."""
        games = [unit for unit in units if unit.kind == "game"]
        place = document.span("id")
        if not games:
            if whole:
                message = f"no rules file begins with  game {manifest.id}"
                self.folder.faults.append(fault("E033", message, place))
            return False
        self.folder.faults.extend(_misnamed(units, games, manifest.id, place))
        return True

    def _registers(self, manifest: Manifest, document: Document) -> dict[str, Register]:
        registers: dict[str, Register] = {}
        for name in manifest.sources:
            place = document.key_span("sources", name)
            file = manifest.register_of(name)
            found = self.folder.read_model(file, Register, place)
            if found is not None:
                registers[name] = found[0]
        return registers

    def _sources_declared(
        self,
        units: tuple[Unit, ...],
        manifest: Manifest,
        document: Document,
        *,
        whole: bool,
    ) -> None:
        """Hold the `source` lines of rules files against the manifest."""
        lines = [item for unit in units for item in unit.items]
        declared = [item.name for item in lines if isinstance(item, SourceText)]
        for word in declared:
            if word.text not in manifest.sources:
                message = f"ruleset.yaml lists no source `{word.text}`"
                label = did_you_mean(word.text, manifest.sources)
                self.folder.faults.append(fault("E045", message, word.span, label))
        for name in manifest.sources if whole else ():
            if name not in {word.text for word in declared}:
                message = f"no rules file has a line  source {name}"
                place = document.key_span("sources", name)
                self.folder.faults.append(fault("E045", message, place))

    def _unread_files(self) -> None:
        for file in self.folder.unread(OWNED):
            self.folder.faults.append(
                fault(
                    "W035",
                    "Nothing in this ruleset asks for this file.",
                    Span.at(self.folder.name_of(file)),
                )
            )


def _misnamed(
    units: tuple[Unit, ...], games: list[Unit], name: str, place: Span
) -> Iterator[Diagnostic]:
    first, *others = games
    for other in others:
        label = Label(first.names[0].span, "this is one")
        message = "one ruleset holds one game"
        yield fault("E032", message, other.names[0].span, others=(label,))
    if first.id != name:
        label = Label(first.names[0].span, "called so here")
        message = f"the game is called `{first.id}` in its rules file, here `{name}`"
        yield fault("E032", message, place, others=(label,))
    for unit in units:
        if unit.kind != "game" and unit.game.text != first.id:
            message = f"this {unit.kind} is for `{unit.game.text}`, not `{first.id}`"
            near = did_you_mean(unit.game.text, [first.id])
            yield fault("E032", message, unit.game.span, near)


# ---- the games that come with the package


@dataclass(frozen=True, slots=True)
class ShippedGame:
    """A game that comes with the package.

    Attributes:
        id: its name, as `houserule.load` takes it.
        folder: where its ruleset is.
        title: what people call it.
        summary: a sentence or two about it.
        languages: those of its texts, that of the rules first.

    Example:
        >>> [game.title for game in houserule.shipped() if game.id == "pig"]
        ['Pig']
    """

    id: str
    folder: Path
    title: str
    summary: str
    languages: tuple[str, ...]


def shipped_games(language: str = "en") -> Iterator[ShippedGame]:
    """Yield the shipped games by name; only their manifests are read."""
    for name, folder in shipped_rulesets().items():
        manifest, _ = load_manifest(folder)
        if manifest is not None:
            summary = " ".join(in_language(manifest.summary, language).split())
            title = in_language(manifest.title, language)
            languages = tuple(manifest.languages)
            yield ShippedGame(name, folder, title, summary, languages)
