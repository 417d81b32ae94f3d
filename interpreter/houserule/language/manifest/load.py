"""Load a ruleset's folder as a `LoadedRuleset`; every error has its place.

This module finds E033 to E037 and E041 to E045; `syntax` finds errors in rules files,
`yaml` those in single YAML files. A ruleset with errors is returned as far as it could
be read, so that later checks can report their errors in the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.base.cache import DiskStore
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    fault,
    has_errors,
    in_reading_order,
    too_large,
)
from houserule.base.diagnostics.render import RulesetError
from houserule.base.diagnostics.wording import did_you_mean
from houserule.base.files import E030, MANIFEST, SWITCH, UnreadableError, read_source
from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.base.resources import NamedRuleset, installed, shipped_rulesets
from houserule.base.source import Source, Span, parts_of
from houserule.language.manifest.appendix import LoadedAppendix, load_appendices
from houserule.language.manifest.folder import Folder, RulesFile
from houserule.language.manifest.kinds.kinds import ASKED, PLACES, right_ending, unread
from houserule.language.manifest.messages import (
    E011,
    E020,
    E025,
    E032,
    E033,
    E035,
    E045,
    E205,
)
from houserule.language.manifest.ruleset import LoadedRuleset, ParsedRules, RulingText
from houserule.language.manifest.ruleset_models import Manifest, Register, in_language
from houserule.language.manifest.rulings import load_rulings
from houserule.language.manifest.texts import load_texts
from houserule.language.manifest.yaml.document import Document
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import numbers_of
from houserule.language.syntax.tree.visitor import walk

# The parser and the checks are imported lazily: a table that was played before does not
# need them.
if TYPE_CHECKING:
    from houserule.language.syntax.tree import Unit

BESIDE = "+"  # prefix of the names of files beside the folder
OWNED = (*ASKED, "**/*.rules", "**/*.yml")
ENDINGS = "**/*.[rRyY]*[sSlL]*"  # of rules and YAML files, right or wrong
EXAMPLES = PLACES["scenarios"]
REGISTER_WRITTEN = (
    "write it from the book:  houserule coverage GAME --source FILE --register"
)
UNDONE = "repeat it; the next `houserule rename` first puts the old files back"
# Rulesets without errors, by contents: the files that count, and titles of variants.
SOUND = DiskStore("faultless", made_by=(), most=500)


def load_ruleset(
    folder: Path, beside: Iterable[RulesFile] = (), called: str | None = None
) -> tuple[LoadedRuleset | None, list[Diagnostic]]:
    """Read a folder as a ruleset.

    Args:
        beside: rules files from elsewhere to add. A file for another game is skipped,
            unless it was requested itself.
        called: the folder's name in messages; by default its path.

    Returns:
        The ruleset, as far as it could be read, or `None` without a usable manifest or
        a game; and every error, in reading order.
    """
    files = {f"{BESIDE}{each.name}": each for each in beside}
    loader = _Loader(Folder(folder, called, files))
    ruleset = loader.load()
    return ruleset, in_reading_order(loader.folder.faults)


def sources_of(found: Iterable[Diagnostic]) -> dict[str, Source]:
    """Return the texts that errors point into, if there is no ruleset."""
    sources: dict[str, Source] = {}
    for name in {each.span.file for each in found if each.span}:
        try:
            sources[name] = read_source(Path(name))
        except UnreadableError as error:
            sources.update(error.sources)
        except (OSError, ValueError):
            continue
    return sources


def open_ruleset(folder: Path, beside: Iterable[RulesFile] = ()) -> LoadedRuleset:
    """Return the ruleset of a folder, for play; `check` reports its warnings.

    Raises:
        RulesetError: it cannot be read, or its files have errors.
    """
    ruleset, found = load_ruleset(folder, beside)
    if ruleset is None or has_errors(found):
        raise RulesetError(found, ruleset.sources if ruleset else sources_of(found))
    return ruleset


def load_manifest(folder: Path) -> tuple[Manifest | None, list[Diagnostic]]:
    """Read only the manifest of a folder, which is enough to list games."""
    loader = _Loader(Folder(folder))
    found = loader.manifest()
    return (found[0] if found else None), in_reading_order(loader.folder.faults)


def _files_and_titles(
    contents: Iterable[str], kept: tuple[list[str], dict[str, str]]
) -> tuple[list[str], dict[str, str]]:
    """Return a cache entry of an error-free ruleset, checked against its files."""
    files, titles = kept
    assert MANIFEST in files
    assert set(files) <= {*contents}
    assert all(isinstance(each, str) for each in (*titles, *titles.values()))
    return files, titles


@dataclass
class _Loader:
    """Reads one folder, file by file; records errors in the folder."""

    folder: Folder

    def load(self) -> LoadedRuleset | None:
        """Read everything; skip the checks if the cache knows these contents."""
        if self.folder.is_too_large(("*.yaml", *OWNED, EXAMPLES)):
            return None
        if self.folder.where(SWITCH).is_dir():
            message = "`houserule rename` was interrupted in this folder."
            place = Span.at(self.folder.name_of(SWITCH))
            self.folder.faults.append(fault(E030, message, place, fixes=(UNDONE,)))
            return None
        contents = self.folder.contents((MANIFEST, "*.yaml", *OWNED))
        misnamed = filter(right_ending, self.folder.files(ENDINGS))
        parts = (part for file in contents.items() for part in file)
        key = SOUND.key(*misnamed, *parts)
        kept = SOUND.load(key, partial(_files_and_titles, contents))
        found = self._sound(*kept) if kept is not None else None
        if found is not None:
            return found
        found = self._checked()
        all_known = set(self.folder.sources) <= set(contents)
        if found is not None and all_known and not self.folder.faults:
            SOUND.save(key, ([*self.folder.sources], dict(found.variant_titles)))
        return found

    def _sound(
        self, files: Iterable[str], titles: dict[str, str]
    ) -> LoadedRuleset | None:
        """Return the ruleset of files that are known to have no errors.

        A table that was played before needs only manifest, rulings and texts; the
        rules are parsed on demand.
        """
        read = {file: self.folder.read(file) for file in files}
        found = self.manifest()
        if found is None:
            return None
        manifest, document = found
        rules = {
            file: source
            for file, source in read.items()
            if source is not None and file.endswith(".rules")
        }
        appendices = [*load_appendices(rules.values(), self.folder.faults)]
        rulings = load_rulings(self.folder, manifest, None, appendices)
        texts = load_texts(self.folder, manifest, document, None, appendices)

        def parse() -> ParsedRules:
            units, whole = self._units(rules)
            return self._parsed(manifest, document, units, appendices, whole=whole)

        return self._ruleset(manifest, rulings or {}, texts, parse, titles)

    def _checked(self) -> LoadedRuleset | None:
        """Read everything, and check the files against each other."""
        from houserule.language.manifest.citations import check_citations
        from houserule.language.manifest.declared_names import (
            check_names,
            declared_names,
        )
        from houserule.language.manifest.positions import check_boards, check_position

        found = self.manifest()
        if found is None:
            return None
        manifest, document = found
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
                        fault(E035, message, place, others=(first,))
                    )
                listed.setdefault(file, place)
        files = [*sorted(listed), *sorted(self.folder.beside)]
        read = {file: self.folder.read(file, listed.get(file)) for file in files}
        rules = {file: source for file, source in read.items() if source is not None}
        units, whole = self._units(rules)
        whole = whole and not self.folder.unreadable
        if not self._one_game(units, manifest, document, whole=whole):
            return None
        sources = rules.values()
        self.folder.faults.extend(check_boards(manifest, document))
        self.folder.faults.extend(check_seats(units, sources, whole=whole))
        self.folder.faults.extend(check_names(units))
        appendices = [*load_appendices(sources, self.folder.faults)]
        parsed = self._parsed(manifest, document, units, appendices, whole=whole)
        own = units if whole else None
        rulings = load_rulings(self.folder, manifest, own, appendices)
        names = declared_names(units, parsed.tables) if whole else None
        texts = load_texts(self.folder, manifest, document, names, appendices)
        if whole:
            self.folder.faults.extend(check_position(manifest, document, units))
        # Check the `source` lines of rules files against the manifest.
        from houserule.language.syntax.tree import SourceText

        lines = [item for unit in units for item in unit.items]
        declared = [item.name for item in lines if isinstance(item, SourceText)]
        for word in declared:
            if word.text not in manifest.sources:
                message = f"ruleset.yaml lists no source `{word.text}`"
                label = did_you_mean(word.text, manifest.sources)
                self.folder.faults.append(fault(E045, message, word.span, label))
        for name in manifest.sources if whole else ():
            if name not in {word.text for word in declared}:
                message = f"no rules file has a line  source {name}"
                place = document.key_span("sources", name)
                self.folder.faults.append(fault(E045, message, place))
        beside = [self.folder.name_of(each) for each in self.folder.beside]
        cited = check_citations(
            units, parsed.registers, manifest.sources, rulings, beside
        )
        self.folder.faults.extend(cited)
        misnamed = filter(right_ending, self.folder.unread((ENDINGS,)))
        # A line that cannot be read may be the one that names the file.
        for file in sorted({*self.folder.unread(OWNED), *misnamed}):
            # It may be the intended file for a missing name, which was reported.
            if not whole or file in self.folder.meant:
                continue
            place = Span.at(self.folder.name_of(file))
            self.folder.faults.append(unread(file, place))
        titles = {unit.id: unit.title for unit in units if unit.kind == "variant"}
        return self._ruleset(manifest, rulings or {}, texts, lambda: parsed, titles)

    def _ruleset(
        self,
        manifest: Manifest,
        rulings: dict[str, RulingText],
        texts: dict[str, dict[str, str]],
        parse: Callable[[], ParsedRules],
        titles: dict[str, str],
    ) -> LoadedRuleset:
        return LoadedRuleset(
            id=manifest.id,
            folder=self.folder.path,
            manifest=manifest,
            rulings=rulings,
            texts=texts,
            files=dict(self.folder.sources),
            fingerprint=self.folder.fingerprint(),
            parse=parse,
            variant_titles=dict(sorted(titles.items())),
            beside=self.folder.beside_read(),
        )

    def _parsed(
        self,
        manifest: Manifest,
        document: Document,
        units: tuple[Unit, ...],
        appendices: list[LoadedAppendix],
        *,
        whole: bool,
    ) -> ParsedRules:
        from houserule.language.manifest.components import load_tables

        tables = load_tables(self.folder, units, appendices, whole=whole)
        registers: dict[str, Register] = {}
        for name in manifest.sources:
            place = document.key_span("sources", name)
            file = manifest.register_of(name)
            if not self.folder.has(file):
                self.folder.missing(file, place, fixes=(REGISTER_WRITTEN,))
                continue
            found = self.folder.read_model(file, Register, place)
            if found is not None:
                registers[name] = found[0]
        return ParsedRules(units, tables, registers)

    def manifest(self) -> tuple[Manifest, Document] | None:
        """Read the manifest, with its places; None if it has too many languages."""
        found = self.folder.read_model(MANIFEST, Manifest)
        most = limit("languages")
        if found is None or len(found[0].languages) <= most:
            return found
        message = f"This game has {len(found[0].languages):,} languages."
        place = found[1].span("languages", most)
        self.folder.faults.append(too_large("languages", message, place))
        return None

    def _units(self, rules: dict[str, Source]) -> tuple[tuple[Unit, ...], bool]:
        """Parse the rules files, by name; return whether all were without errors.

        Files beside the folder for other games are dropped from `rules`. If the others
        are too large in total, that is E050, and there are no units.
        """
        from houserule.language.syntax.read.parser import parse_unit_file
        from houserule.language.syntax.read.settle import settled

        units: list[Unit] = []
        games: set[str] = set()
        whole = True
        letters = 0
        for file, source in list(rules.items()):
            found, faults = parse_unit_file(source)
            lies = self.folder.beside.get(file)
            games.update(unit.id for unit in found if unit.kind == "game" and not lies)
            theirs = {unit.game.text for unit in found if unit.kind != "game"}
            if lies and not lies.asked and theirs and games.isdisjoint(theirs):
                del rules[file], self.folder.sources[file]
                continue
            letters += len(parts_of(source)[0].text)
            if letters > limit("composed"):
                message = f"With this file, there are {letters:,} characters of rules."
                place = Span.at(source.name, 1)
                self.folder.faults.append(too_large("composed", message, place))
                return (), False
            units.extend(found)
            for kind in ("variant", "preset"):
                many = [each for each in units if each.kind == kind]
                if len(many) > limit(f"{kind}s"):
                    message = f"This is the {kind} number {len(many):,} of one game."
                    place = many[-1].names[0].span
                    self.folder.faults.append(too_large(f"{kind}s", message, place))
                    return (), False
            whole = whole and not has_errors(faults)
            self.folder.faults.extend(faults)
        return settled(units), whole

    def _one_game(
        self,
        units: tuple[Unit, ...],
        manifest: Manifest,
        document: Document,
        *,
        whole: bool,
    ) -> bool:
        """Check that there is one game, of the manifest's id, and all files fit it."""
        games = [unit for unit in units if unit.kind == "game"]
        place = document.span("id")
        if not games:
            if whole and not has_errors(self.folder.faults):
                message = f"no rules file begins with  game {manifest.id}"
                self.folder.faults.append(fault(E033, message, place))
            return False
        first, *others = games
        for other in others:
            label = Label(first.names[0].span, "this is one")
            message = "one ruleset holds one game"
            self.folder.faults.append(
                fault(E032, message, other.names[0].span, others=(label,))
            )
        if first.id != manifest.id:
            label = Label(first.names[0].span, "called so here")
            message = (
                f"the game is called `{first.id}` in its rules file, here "
                f"`{manifest.id}`"
            )
            self.folder.faults.append(fault(E032, message, place, others=(label,)))
        for unit in units:
            if unit.kind != "game" and unit.game.text != first.id:
                message = (
                    f"this {unit.kind} is for `{unit.game.text}`, not `{first.id}`"
                )
                near = did_you_mean(unit.game.text, [first.id])
                self.folder.faults.append(fault(E032, message, unit.game.span, near))
        # E011 for each variant and preset with the name of another one.
        known: dict[tuple[str, str], Unit] = {}
        for unit in units:
            first = known.setdefault((unit.kind, unit.id), unit)
            if first is not unit and unit.kind in ("variant", "preset"):
                label = Label(first.names[0].span, "this is one")
                message = f"there is a {unit.kind} `{unit.id}` already"
                self.folder.faults.append(
                    fault(E011, message, unit.names[0].span, others=(label,))
                )
        return True


# ---- games known by name


@frozen
class ShippedGame:
    """A game that comes with houserule, or with another package.

    Attributes:
        id: its name, as `houserule.load` takes it.
        summary: a sentence or two about it.
        languages: those of its texts, that of the rules first.
        package: the package that contains it, with its version; '' is houserule.

    Example:
        >>> [game.title for game in houserule.shipped() if game.id == "pig"]
        ['Pig']
    """

    id: str
    folder: Path
    title: str
    summary: str
    languages: tuple[str, ...]
    package: str = ""


def shipped_games(language: str = "en") -> Iterator[ShippedGame]:
    """Yield the shipped games by name; only their manifests are read."""
    for name, folder in shipped_rulesets().items():
        yield from _game(NamedRuleset(name, folder), language)


def installed_games(language: str = "en") -> Iterator[ShippedGame]:
    """Yield the games of other packages by name; only their manifests are read."""
    for each in installed().rulesets:
        yield from _game(each, language)


def _game(named: NamedRuleset, language: str) -> Iterator[ShippedGame]:
    """Yield a game from its manifest; nothing if it cannot be read."""
    manifest, _ = load_manifest(named.folder)
    if manifest is not None:
        yield ShippedGame(
            id=named.name,
            folder=named.folder,
            title=in_language(manifest.title, language),
            summary=" ".join(in_language(manifest.summary, language).split()),
            languages=tuple(manifest.languages),
            package=named.package,
        )


# ---- seats


def check_seats(
    units: Iterable[tree.Unit], sources: Iterable[Source], *, whole: bool
) -> Iterator[Diagnostic]:
    """Yield errors in the numbers of players.

    E020 if `players` allows no number, E050 if it is too large, E025 if a game does not
    give it, E205 if it gives it twice. If some files could not be read (`whole` is
    false), nothing is reported as missing.
    """
    units = tuple(units)
    for unit in units:
        if unit.kind == "game":
            said = [item for item in unit.items if isinstance(item, tree.Players)]
            if not said and whole:
                message = "Nothing says how many may play."
                yield fault(E025, message, unit.names[0].span, fixes=("players 2..4",))
            for more in said[1:]:
                message = "The base game declares the number of players twice."
                yield fault(E205, message, more.span, others=(Label(said[0].span),))
    texts = {source.name: source for source in sources}
    for node in (node for unit in units for node in walk(unit)):
        seats = _seats(node)
        if seats is None:
            continue
        low, high = seats
        words = f"{low}..{high}"
        span = node.span
        found = texts[node.span.file].line(span.line).find(words, span.column - 1)
        if found < 0:
            place = span
        else:
            place = Span.at(span.file, span.line, found + 1, len(words))
        if not 1 <= low <= high:
            message = f"Nobody can play: {low}..{high} is not a number of players."
            fix = f"{max(1, min(low, high))}..{max(1, low, high)}"
            yield fault(E020, message, place, fixes=(fix,))
        elif high > limit("players"):
            message = f"{low}..{high} players are more than can be seated."
            yield too_large("players", message, place)


def _seats(node: tree.Node) -> tuple[int, int] | None:
    match node:
        case tree.Players(low, high) | tree.NeedsPlayers(low, high):
            return low, high
        case tree.Change(tree.Word("players"), _, _, after):
            return numbers_of(after)
        case _:
            return None
