"""Plan a renaming: all places, the new texts, and mentions left unchanged."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from houserule.authoring.check.check import check_game
from houserule.authoring.renaming.elsewhere import spans_elsewhere
from houserule.authoring.renaming.in_rules import spans_in_rules
from houserule.authoring.renaming.in_yaml import (
    NOTHING,
    Whereabouts,
    appended,
    manifest_with_field,
    naming_of,
    spans_in_yaml,
)
from houserule.authoring.renaming.targets import (
    APART,
    FIELD,
    VARIABLE,
    Target,
    find_target,
    refused,
)
from houserule.authoring.renaming.variables import Bound
from houserule.authoring.scenarios.expect import EXPECT_WORDS
from houserule.authoring.scenarios.files import scenario_files
from houserule.authoring.scenarios.moves import WORDS
from houserule.base.diagnostics.diagnostic import has_errors, in_reading_order
from houserule.base.diagnostics.render import RulesetError, one_line
from houserule.base.files import copy_folder, find, read_bytes, read_source, write_whole
from houserule.base.source import Source, Span, normalised, parts_of
from houserule.language.manifest.load import open_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.yaml.read import read_document
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk
from houserule.play.positions.given import GIVEN_WORDS
from houserule.play.records.records import GOLDEN_RECORDS, verify

MARK = "\ufeff"
POSITION = frozenset((*GIVEN_WORDS, *EXPECT_WORDS))
KEPT_FOR: Mapping[str, frozenset[str]] = {
    "action": frozenset(WORDS),
    **dict.fromkeys(("state", "zone", "slot", "value"), POSITION),
}
"""Keywords of examples; names used beside them must differ."""

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
"""One line with its end."""


@dataclass(frozen=True)
class NamePlace:
    """A place of the old name: file, line and column, and the line."""

    file: str
    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Left:
    """A mention left unchanged: file, line (or 0), and reason."""

    file: str
    line: int
    why: str


@dataclass(frozen=True)
class Renaming:
    """The changes that a renaming makes to a folder.

    Attributes:
        places: every reference to it, by file.
        texts: the new text of every file that changes, by its path in the folder.
        left: mentions of the old name that stay unchanged.
    """

    target: Target
    places: tuple[NamePlace, ...]
    texts: dict[str, str] = field(repr=False)
    left: tuple[Left, ...]


def renaming(ruleset: LoadedRuleset, old: str, new: str) -> Renaming:
    """Plan a renaming in a ruleset's folder; nothing is written.

    The result is checked in a copy: `check` must report the same messages, and
    renaming back must restore every byte.

    Args:
        old: the address, or a name without an owner; the kind may precede it.

    Raises:
        CannotRename: nothing has the old name, the new name is taken or invalid, or the
            folder would not be the same game afterwards.
    """
    planned = plan(ruleset, old, new)
    target = planned.target
    with TemporaryDirectory() as place:
        copy = Path(place) / ruleset.id
        copy.mkdir()
        copy_folder(ruleset.folder, copy)
        for file, text in planned.texts.items():
            write_whole(copy / file, text)
        try:
            after = open_ruleset(copy)
        except RulesetError as error:
            said = [f"{each.code}: {each.message}" for each in error.diagnostics[:3]]
            message = f"With `{target.renamed}`, the folder could not be read."
            raise refused(message, None, "", *said) from None
        left = []
        for file in find(ruleset.folder, f"{GOLDEN_RECORDS}/**/*.jsonl"):
            record = ruleset.folder / file
            if not verify(record, ruleset) and (why := verify(record, after)):
                left.append(Left(file, 0, f"record this game again: {why}"))
        # Refuse a renaming that changes the messages of `check`.
        was, now = check_game(ruleset.folder), check_game(copy)
        if has_errors(was.diagnostics):
            said = [one_line(each) for each in in_reading_order(was.diagnostics)[:3]]
            raise refused("This game has errors. Fix them first.", None, "", *said)
        more = Counter(each.code for each in now.diagnostics)
        more.subtract(Counter(each.code for each in was.diagnostics))
        if +more or -more:
            told = [each for each in now.diagnostics if more[each.code] > 0]
            said = [f"{each.code}: {each.message}" for each in told[:3]]
            message = (
                f"With `{target.renamed}`, `check` would give other messages than now."
            )
            raise refused(message, None, "", *said)
        back = plan(after, target.called, target.name)
        for file, text in planned.texts.items():
            if back.texts.get(file, text) != _raw(ruleset.folder / file):
                raise refused(
                    f"`{target.new}` is already used in `{file}`, for something else."
                )
    # Comments and pages with the old name; they are for people.
    spoken = target.name if target.stands_alone else target.address
    word = re.compile(rf"(?<![\w.]){re.escape(spoken)}(?![\w])")
    for file in find(ruleset.folder, "**/*"):
        if not file.endswith((".rules", ".yaml", ".md", ".txt")):
            continue
        for number, line in enumerate(read_source(ruleset.folder / file).lines, 1):
            page = file.endswith((".md", ".txt"))
            if word.search(line if page else line.partition("#")[2]):
                left.append(Left(file, number, line.strip()))
    return replace(planned, left=tuple(left))


def plan(ruleset: LoadedRuleset, old: str, new: str) -> Renaming:
    """Return the changes in rules, their appendices and YAML files, unchecked.

    Raises:
        CannotRename: nothing has the old name, or the new one is taken or invalid.
    """
    target = find_target(ruleset, old, new)
    _check_examples(ruleset, target)
    spans: dict[str, set[Span]] = defaultdict(set)
    for file, span in references(ruleset, target):
        spans[file].add(span)
    texts: dict[str, str] = {}
    places: list[NamePlace] = []
    for file in sorted(spans):
        raw = _raw(ruleset.folder / file)
        ordered = sorted(spans[file])
        source = Source(file, normalised(raw))
        places += [
            NamePlace(file, each.line, each.column, source.line(each.line).strip())
            for each in ordered
        ]
        # Line ends do not change.
        mark = raw[: raw.startswith(MARK)]
        lines = [each[0] for each in LINE.finditer(raw.removeprefix(MARK))]
        for span in reversed(ordered):
            line, start = lines[span.line - 1], span.column - 1
            end = start + len(target.name)
            assert line[start:end] == target.name, (span, line)
            lines[span.line - 1] = line[:start] + target.new + line[end:]
        texts[file] = mark + "".join(lines)
    return Renaming(target, tuple(places), texts, ())


def _raw(path: Path) -> str:
    """Return a text with its byte order mark and line ends."""
    return read_bytes(path).decode("utf-8")


def references(
    ruleset: LoadedRuleset, target: Target, only: str | None = None
) -> Iterator[tuple[str, Span]]:
    """Yield each reference in rules, appendices and YAML files, with its file.

    With `only`, those in other files of texts and examples are omitted.
    """
    called = {source.name: file for file, source in ruleset.files.items()}
    sources = {source.name: source for source in ruleset.files.values()}
    if target.kind == VARIABLE:
        in_rules = Bound(ruleset.units).spans(target.owner, target.name)
    elif target.kind in APART or target.kind == FIELD:
        in_rules = spans_elsewhere(ruleset, sources, target)
    else:
        in_rules = spans_in_rules(ruleset.units, sources, target)
    for span in in_rules:
        if only in (None, called[span.file]):
            yield called[span.file], span
    where = _whereabouts(ruleset, target)
    for file in [only] if only else find(ruleset.folder, "**/*"):
        naming = naming_of(file, target, where) if file.endswith(".yaml") else None
        below: Source | None = None
        if naming is not None:
            below = read_source(ruleset.folder / file, file)
        elif file.endswith(".rules") and file in ruleset.files:
            below, naming = parts_of(ruleset.files[file])[1], appended(target, where)
        if below is None or naming is None:
            continue
        document, _ = read_document(below)
        for span in spans_in_yaml(document, naming, target):
            yield file, span


def _whereabouts(ruleset: LoadedRuleset, target: Target) -> Whereabouts:
    """Return where the name appears without its owner."""
    nodes = [node for unit in ruleset.units for node in walk(unit)]
    if target.kind == VARIABLE:
        owners = Bound(ruleset.units).owners(target.owner, target.name)
        for node in nodes:
            if isinstance(node, tree.Tokens) and node.name.text in owners:
                owners |= {each.name.text for each in node.slots}
            elif isinstance(node, tree.ExtendTokens) and node.target.text in owners:
                owners.add(node.slot.name.text)
        return Whereabouts(owners=frozenset(owners))
    if target.kind != FIELD:
        return Whereabouts()
    tables, holders = set(), {target.owner}
    for node in nodes:
        match node:
            case tree.Component(name, tree.Text(file)) if name.text == target.owner:
                tables.add(file)
            case tree.ExtendRows(name, rows) if name.text == target.owner:
                tables.add(rows.text)
            case tree.Zone() if node.member.text == target.owner:
                holders.add(node.name.text)
            case _:
                pass
    source = read_source(ruleset.folder / "ruleset.yaml", "ruleset.yaml")
    document, _ = read_document(source)
    manifest = manifest_with_field(document, target, holders)
    if target.is_thing:
        bare = replace(manifest, values=NOTHING.values)
        for span in spans_in_yaml(document, bare, target):
            message = f"`{target.name}` is a field and something else, and here it is "
            raise refused(f"{message}not said which.", span, "this one")
    return Whereabouts(frozenset(tables), manifest)


def _check_examples(ruleset: LoadedRuleset, target: Target) -> None:
    """Refuse names that example files use as keywords or for players."""
    if not target.stands_alone or target.kind in APART:
        return
    for path in scenario_files(ruleset.folder):
        document, _ = read_document(read_source(path))
        players = {
            str(document.at(*at))
            for at in document.spans
            if len(at) > 1 and at[-2] == "players" and isinstance(at[-1], int)
        }
        taken = KEPT_FOR.get(target.kind, ())
        if target.new in taken:
            raise refused(f"`{target.new}` is a word of scenario files.")
        for name in players & {target.name, target.new}:
            raise refused(f"`{name}` is a player in `{path.name}`.")
