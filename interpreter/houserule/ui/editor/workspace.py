"""The games of open files, with unsaved texts, and the answers to an editor.

Nothing here knows a protocol. Places are spans; lines and columns count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from houserule.authoring.check.check import check_game, check_path
from houserule.authoring.check.fixes import Fix, check_at_once, game_fixes
from houserule.authoring.renaming.plan import plan, references
from houserule.authoring.renaming.targets import (
    RULING,
    CannotRename,
    Target,
    find_target,
    refused,
    targets_called,
)
from houserule.authoring.scenarios.failures import failure
from houserule.authoring.scenarios.files import (
    example_files,
    folder_for,
    read_examples,
    trials,
)
from houserule.authoring.scenarios.run import run_trial
from houserule.base.diagnostics.diagnostic import Diagnostic, has_errors
from houserule.base.diagnostics.render import DiagnosticsError, one_line
from houserule.base.diagnostics.wording import counted
from houserule.base.files import read_source, unsaved
from houserule.base.frozen import frozen
from houserule.base.resources import ruleset_around
from houserule.base.source import NOWHERE, Source, Span, parts_of, real
from houserule.compiler.compose.compose import compose
from houserule.compiler.items.index import family_of
from houserule.compiler.items.items import items_of
from houserule.compiler.prepare import Programs, TableChoice, playable, prepare
from houserule.language.manifest.kinds.kinds import kind_of
from houserule.language.manifest.load import BESIDE, load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.yaml.document import Data
from houserule.language.manifest.yaml.read import read_document
from houserule.language.syntax.read.scan import scan
from houserule.language.syntax.vocabulary import keywords
from houserule.language.syntax.write.format import format_text
from houserule.rulebook.diagram.build import draw
from houserule.rulebook.diagram.forms import FORMS
from houserule.rulebook.meanings.explain import NoNameError, meanings_of
from houserule.rulebook.meanings.meaning_model import Meaning
from houserule.rulebook.meanings.pages import pages_about
from houserule.rulebook.meanings.table_in_words import TableInWords, written
from houserule.ui.editor.completion import Completion, complete, complete_yaml

WORD = re.compile(r"[A-Za-z]\w*(?:\.[A-Za-z]\w*)*")
BARE = frozenset({"member", "slot", "row"})  # asked for by their last name
COLOURS = {
    **dict.fromkeys(("action", "effect", "reaction", "value"), "function"),
    **dict.fromkeys(("state", "zone", "option", "slot"), "variable"),
    **dict.fromkeys(("type", "component", "dice", "tokens"), "type"),
    **dict.fromkeys(("member", "row"), "enumMember"),
    **dict.fromkeys(("phase", "step"), "namespace"),
}


@frozen
class GameAround:
    """The game of a file: its folder, and rules files from elsewhere."""

    folder: Path
    rules: tuple[Path, ...]


@frozen
class Symbol:
    """A declaration for the outline of a file."""

    name: str
    kind: str
    detail: str
    span: Span
    inside: tuple[Symbol, ...] = ()


@frozen
class Colour:
    """The colour of one word: `keyword`, or a kind of token of the protocol."""

    line: int
    column: int
    length: int
    kind: str


@frozen
class Lens:
    """A line of text above a declaration; `names` are examples to run."""

    line: int
    title: str
    places: tuple[Span, ...] = ()
    names: tuple[str, ...] = ()


@dataclass
class Workspace:
    """The open files of an editor.

    Attributes:
        texts: the texts that are not saved, by path.
    """

    texts: dict[Path, str] = field(default_factory=dict)
    _loaded: dict[GameAround, tuple[list[Diagnostic], LoadedRuleset | None]] = field(
        default_factory=dict
    )
    _sound: dict[GameAround, LoadedRuleset] = field(default_factory=dict)

    def change(self, path: Path, text: str | None) -> None:
        """Take a text for a file; None if the file on the disk counts again."""
        self._loaded.clear()
        if text is None:
            self.texts.pop(path, None)
        else:
            self.texts[path] = text

    def game_of(self, path: Path) -> GameAround | None:
        """Return the game of a file, if it is known."""
        folder = ruleset_around(path)
        if folder is not None:
            return GameAround(folder, ())
        if path.suffix == ".rules":
            with suppress(DiagnosticsError, OSError), unsaved(self.texts):
                return GameAround(folder_for(path), (path,))
        return None

    def source(self, path: Path) -> Source:
        with unsaved(self.texts):
            return read_source(path)

    # ---- messages

    def messages(self, path: Path) -> list[Diagnostic]:
        """Return what is wrong with a game, as far as it can be checked at once."""
        game = self.game_of(path)
        return self._load(game, path)[0] if game else self.all_messages(path)

    def all_messages(self, path: Path) -> list[Diagnostic]:
        """Return everything that is wrong with the game of a file; this is slow."""
        game = self.game_of(path)
        with unsaved(self.texts):
            if game is None:
                return [e for e in check_path(path).diagnostics if e.code != "E040"]
            return check_game(game.folder, game.rules).diagnostics

    def fixes(self, path: Path, found: Diagnostic) -> list[Fix]:
        """Return the suggestions of a message."""
        assert found.span is not None, "the editor shows it at its place"
        source = Source(found.span.file, self.source(path).text)
        game = self.game_of(path)
        known = (game.folder, game.rules) if game else (None, ())
        with unsaved(self.texts):
            return game_fixes(found, source, path, *known)

    def _load(
        self, game: GameAround, path: Path
    ) -> tuple[list[Diagnostic], LoadedRuleset | None]:
        if game not in self._loaded:
            with unsaved(self.texts):
                found, ruleset = check_at_once(game.folder, game.rules, path)
            self._loaded[game] = found, ruleset
            if ruleset is not None and not has_errors(found):
                self._sound[game] = ruleset
        return self._loaded[game]

    def ruleset(self, path: Path, *, sound: bool = False) -> LoadedRuleset | None:
        """Return the game of a file as far as it can be read now.

        With `sound`, prefer the last one without errors.
        """
        game = self.game_of(path)
        if game is None:
            return None
        _, now = self._load(game, path)
        kept = self._sound.get(game)
        return kept or now if sound else now or kept

    # ---- names

    def target(
        self, path: Path, line: int, column: int, *, sound: bool = False
    ) -> tuple[Target, Span] | None:
        """Return what a name in a file refers to, with the place of the name."""
        ruleset = self.ruleset(path, sound=sound)
        word = _part(self.source(path).line(line), column)
        if ruleset is None or word is None:
            return None
        file = _file_in(ruleset, path)
        start = word.start() + 1
        for target, _ in targets_called(ruleset, word[0]):
            with unsaved(self.texts), suppress(CannotRename):
                for of, span in references(ruleset, target, file):
                    if (of, span.line, span.column) == (file, line, start):
                        return target, Span.at(str(path), line, start, len(word[0]))
        return None

    def definition(self, path: Path, line: int, column: int) -> list[Span]:
        """Return where the name at a place is declared."""
        found, ruleset = self.target(path, line, column), self.ruleset(path)
        if found is None or ruleset is None:
            return []
        target, _ = found
        every = family_of(ruleset).clauses.get(target.address, ())
        spans = [each.span for each in every if each.one.kind == target.kind]
        if target.kind == RULING:
            spans = [ruleset.rulings[target.name].span]
        if not spans:
            spans = [
                span
                for one, span in targets_called(ruleset, target.name)
                if (one.address, one.kind) == (target.address, target.kind)
            ]
        return [_absolute(each) for each in spans if each != NOWHERE] or [
            self.references(path, line, column)[0]
        ]

    def references(self, path: Path, line: int, column: int) -> list[Span]:
        """Return every place of the name at a place, in all files of its game."""
        found, ruleset = self.target(path, line, column), self.ruleset(path)
        if found is None or ruleset is None:
            return []
        target, _ = found
        beside = {f"{BESIDE}{each.name}": each.path for each in ruleset.beside}
        with unsaved(self.texts):
            every = dict.fromkeys(references(ruleset, target))
        return [
            Span.at(
                str(beside.get(file, ruleset.folder / file)),
                span.line,
                span.column,
                len(target.name),
            )
            for file, span in sorted(every)
        ]

    def rename(self, path: Path, line: int, column: int, new: str) -> list[Span]:
        """Return the places where a new name is to be written.

        Raises:
            CannotRename: the new name is not possible.
        """
        found, ruleset = self.target(path, line, column), self.ruleset(path)
        if found is None or ruleset is None:
            raise refused("Here is no name that can be renamed.")
        target, _ = found
        called, folder = f"{target.kind} {target.address}", ruleset.folder
        places = self.references(path, line, column)
        if _file_in(ruleset, path).startswith(BESIDE):
            if any(Path(each.file).is_relative_to(folder) for each in places):
                message = f"`{target.name}` is a name of {ruleset.id} itself. "
                raise refused(f"{message}Its files are not in your folder.")
            find_target(ruleset, called, new)
            return places
        with unsaved(self.texts):
            texts = plan(ruleset, called, new).texts
            with unsaved({folder / file: text for file, text in texts.items()}):
                _, after = load_ruleset(folder)
        if has_errors(after) and not has_errors(self.messages(path)):
            said = [one_line(each) for each in after[:3]]
            raise refused(f"With `{new}`, the game would have errors.", None, "", *said)
        return places

    def hover(self, path: Path, line: int, column: int) -> tuple[str, Span] | None:
        """Return what the word at a place means, as Markdown."""
        row = self.source(path).line(line)
        chain = next((e for e in WORD.finditer(row) if _is_at(e, column)), None)
        part = _part(row, column)
        if chain is None or part is None:
            return None
        place = Span.at(str(path), line, part.start() + 1, len(part[0]))
        names = [row[chain.start() : part.end()], part[0]]
        found = self.target(path, line, column)
        found = found or self.target(path, line, column, sound=True)
        if found:
            target, _ = found
            names.insert(0, target.name if target.kind in BARE else target.address)
        ruleset = self.ruleset(path, sound=True)
        view = ruleset.derived(_view) if ruleset else None
        for name in dict.fromkeys(names) if view is not None else ():
            assert view is not None
            with suppress(NoNameError, DiagnosticsError):
                told = [_told(view, each) for each in meanings_of(view, name)]
                return "\n\n---\n\n".join(told), place
        if found and ruleset:
            target, _ = found
            every = family_of(ruleset).clauses.get(target.address, ())
            rules = [written(each.one.node) for each in every[:1]]
            said = [f"**{target.address}** · {target.kind}"]
            said += [f"```rules\n{each}\n```" for each in rules if each]
            return "\n\n".join(said), place
        if part[0] in keywords() and path.suffix == ".rules":
            pages = [e for e in pages_about(part[0]) if e.kind == "word"]
            if pages:
                return pages[0].page, place
        return None

    def complete(self, path: Path, line: int, column: int) -> list[Completion]:
        """Return what fits at a place of a file of a game."""
        source, ruleset = self.source(path), self.ruleset(path, sound=True)
        if path.suffix == ".rules":
            return complete(source, line, column, ruleset)
        folder = ruleset_around(path)
        inside = real(path).relative_to(real(folder)).as_posix() if folder else ""
        schema = kind_of(inside)
        return complete_yaml(source, line, column, ruleset, schema) if schema else []

    # ---- a whole file

    def formatted(self, path: Path) -> str:
        """Return a rules file in the usual layout; others as they are."""
        source = self.source(path)
        return format_text(source)[0] if path.suffix == ".rules" else source.text

    def outline(self, path: Path) -> list[Symbol]:
        """Return the units of a rules file with their declarations."""
        ruleset, found = self.ruleset(path), list[Symbol]()
        for unit in ruleset.units if ruleset else ():
            if not _is_same(unit.span, path):
                continue
            inside: list[Symbol] = []
            for placed in items_of(unit):
                span, clauses = placed.item.span, placed.clauses
                own = tuple(
                    Symbol(e.address, e.kind, _caption(e.node), e.span)
                    for e in clauses[1:]
                )
                if clauses:
                    one = clauses[0]
                    caption = _caption(one.node)
                    inside.append(Symbol(one.address, one.kind, caption, span, own))
                else:
                    edits = placed.edits[:1]
                    inside += (Symbol(e.target, e.verb, "", span) for e in edits)
            found.append(
                Symbol(unit.id, unit.kind, unit.title, unit.span, tuple(inside))
            )
        return found

    def colours(self, path: Path) -> Iterator[Colour]:
        """Yield the words of a rules file by their meaning in the game."""
        if path.suffix != ".rules":
            return
        rules, _ = parts_of(self.source(path))
        ruleset = self.ruleset(path, sound=True)
        kinds = ruleset.derived(_kinds) if ruleset else {}
        for each in scan(rules).lines:
            before, margin = "", 0
            for token in each.tokens:
                margin += (token.text == "[") - (before == "]")
                if token.kind == "word" and not margin:
                    kind = kinds.get(token.text)
                    if before == ".":
                        kind = "property"
                    elif token.text in keywords() and not (kind and before == ":"):
                        kind = "keyword"
                    if kind:
                        size = len(token.text)
                        yield Colour(token.line, token.column, size, kind)
                before = token.text

    def lenses(self, path: Path) -> Iterator[Lens]:
        """Yield what house rules change, and which examples show a declaration."""
        ruleset = self.ruleset(path, sound=True)
        if ruleset is None:
            return
        shown: dict[str, list[str]] = {}  # examples by the clauses that they show
        for name, covers, span in self._examples(ruleset):
            if _is_same(span, path):
                yield Lens(span.line, "run example", names=(name,))
            for address in dict.fromkeys(e for each in covers for e in _around(each)):
                shown.setdefault(address, []).append(name)
        now = self.ruleset(path) if path.suffix == ".rules" else None
        edits = ruleset.derived(_edited)
        for unit in now.units if now else ():
            for placed in items_of(unit) if _is_same(unit.span, path) else ():
                line = placed.item.span.line
                for one in placed.clauses[:1]:
                    units = edits.get(one.address, {})
                    places = tuple(at for of, at in units.items() if of != unit.id)
                    if places:
                        change = "change" if len(places) > 1 else "changes"
                        title = f"{counted(len(places), 'house rule')} {change} this"
                        yield Lens(line, title, places)
                    if names := shown.get(one.address):
                        few = "run example" if len(names) == 1 else ""
                        title = few or f"run {len(names)} examples"
                        yield Lens(line, title, names=tuple(names))

    def _examples(self, ruleset: LoadedRuleset) -> list[tuple[str, list[str], Span]]:
        """Return every example: its name, the clauses it shows, its place."""
        found = []
        with unsaved(self.texts):
            for file in example_files(ruleset):
                with suppress(DiagnosticsError):
                    source: Source | None = read_source(file)
                    if source and file.suffix == ".rules":
                        source = parts_of(source)[1]
                    if source is None:
                        continue
                    document, _ = read_document(source)
                    data = document.data if isinstance(document.data, dict) else {}
                    every = _listed(data.get("scenarios"))
                    for index, each in enumerate(every):
                        if isinstance(each, dict) and "name" in each:
                            span = document.span("scenarios", index, "name")
                            covers = [*map(str, _listed(each.get("covers")))]
                            found.append((str(each["name"]), covers, span))
        return found

    # ---- commands

    def run_examples(self, path: Path, names: Sequence[str] = ()) -> str:
        """Run the examples of a file, or else of its game; return the results."""
        ruleset = self.ruleset(path)
        if ruleset is None:
            return "The game of this file is not known."
        files, wanted = example_files(ruleset), set(names)
        own = [each for each in files if each.resolve() == path.resolve()]
        told, failed, passed = [], 0, 0
        tables = Programs(ruleset)
        with unsaved(self.texts):
            for file in own or files:
                for trial in trials(read_examples(file, ruleset)):
                    if wanted and trial.scenario.name not in wanted:
                        continue
                    result = run_trial(trial, tables)
                    passed += result.passed
                    failed += not result.passed
                    if not result.passed:
                        told.append(failure(result, ruleset.sources))
        return "\n\n".join([*told, f"{passed} passed, {failed} failed"])

    def show_turn(self, path: Path, form: str = "svg") -> str:
        """Return the diagram of the turn at the usual table of a game.

        Raises:
            DiagnosticsError: the rules have errors.
        """
        ruleset = self.ruleset(path)
        if ruleset is None:
            return ""
        units = [e for e in ruleset.units if _is_same(e.span, path)]
        on = [e.id for e in units if e.kind == "variant"][:1]
        choice = TableChoice(with_=tuple(on))
        table, program = playable(prepare(ruleset, choice), ruleset, choice)
        rules, _ = compose(ruleset, table)
        assert rules is not None, "the table was composed before"
        language = ruleset.language_for(ruleset.manifest.languages[0])
        return FORMS[form](draw(ruleset, rules, program, language), 100)


# ---- words and places


def _listed(value: Data) -> list[Data]:
    """Return a list of a YAML file; none if it is something else."""
    return value if isinstance(value, list) else []


def _is_at(found: re.Match[str], column: int) -> bool:
    return found.start() < column <= found.end() + 1


def _part(row: str, column: int) -> re.Match[str] | None:
    """Return the word at a column, without the words joined to it by dots."""
    return next(
        (e for e in re.finditer(r"[A-Za-z]\w*", row) if _is_at(e, column)), None
    )


def _absolute(span: Span) -> Span:
    return replace(span, file=str(Path(span.file).absolute()))


def _is_same(span: Span, path: Path) -> bool:
    return Path(span.file).resolve() == path.resolve()


def _file_in(ruleset: LoadedRuleset, path: Path) -> str:
    real, folder = path.resolve(), ruleset.folder.resolve()
    if real.is_relative_to(folder):
        return real.relative_to(folder).as_posix()
    every = (each for each in ruleset.beside if each.path.resolve() == real)
    return f"{BESIDE}{next(every).name}"


def _caption(node: object) -> str:
    caption = getattr(node, "caption", None)
    return caption.text if caption is not None else ""


def _around(address: str) -> list[str]:
    """Return an address and those above it: `hold.bank`, `hold`."""
    parts = address.split(".")
    return [".".join(parts[:size]) for size in range(len(parts), 0, -1)]


def _edited(ruleset: LoadedRuleset) -> dict[str, dict[str, Span]]:
    """Return the house rules that edit each address or below, with their first line."""
    family = family_of(ruleset)
    found: dict[str, dict[str, Span]] = {}
    for number, edit in family.edits:
        unit = family.placed[number].origin.unit
        for address in _around(edit.target) if unit and edit.verb != "order" else ():
            found.setdefault(address, {}).setdefault(unit, _absolute(edit.span))
    return found


def _kinds(ruleset: LoadedRuleset) -> dict[str, str]:
    """Return the colour of each name of a game."""
    return {
        every[0].one.address.rpartition(".")[2]: COLOURS[every[0].one.kind]
        for every in family_of(ruleset).clauses.values()
        if every[0].one.kind in COLOURS
    }


# ---- meanings


def _view(ruleset: LoadedRuleset) -> TableInWords | None:
    choice = TableChoice()
    prepared = prepare(ruleset, choice, for_play=True)
    if prepared.table is None or prepared.program is None:
        return None
    language = ruleset.language_for(ruleset.manifest.languages[0])
    return TableInWords(ruleset, prepared.table, prepared.program, language)


def _told(view: TableInWords, found: Meaning) -> str:
    """Return a meaning as Markdown: its words in each language, sources, edits."""
    parts = [f"**{found.name}** · {view.words.say(found.kind)}"]
    ruleset, words = view.ruleset, [found.caption]
    for language in ruleset.manifest.languages[1:]:
        caption = ruleset.caption(found.name, "", found.changed_by, language)
        words += [f"{language}: {caption}"] if caption else []
    parts += filter(None, words)
    if found.text:
        parts.append(f"```rules\n{found.text}\n```")
    parts += found.facts
    if found.changed_by:
        parts.append(f"{view.words.say('about edits')}: {', '.join(found.changed_by)}")
    for section in found.sections:
        rows = [
            "- "
            + ": ".join(
                filter(None, (f"`{e.name}`" if e.name else "", e.caption or e.text))
            )
            for e in section.lines
        ]
        parts.append("\n".join([f"{section.title}:", "", *rows]))
    parts += [f"[{each}]" for each in found.cites]
    parts += found.rulings
    return "\n\n".join(parts)
