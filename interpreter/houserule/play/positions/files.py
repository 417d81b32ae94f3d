"""Position files: a table, and the position where its games begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue

from houserule.base.diagnostics.diagnostic import Diagnostic, fault, has_errors
from houserule.base.diagnostics.render import TableError
from houserule.base.files import read_source
from houserule.base.frozen import frozen
from houserule.base.source import Source, name_of
from houserule.compiler.prepare import TableChoice
from houserule.compiler.table_files.reading import choice_in
from houserule.engine.reference.choices import BadPosition
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import TableFile, Text
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import Document, KeyPath
from houserule.language.manifest.yaml.read import read_document, read_model
from houserule.play.positions.given import GivenReader, impossible
from houserule.play.positions.messages import E073
from houserule.play.positions.words import ScenarioWords


class PositionFile(TableFile):
    """A table and a position: games begin there. A puzzle is such a file."""

    name: Text | None = None
    """The task in a sentence, such as "White mates in two"."""
    about: Text | None = None
    """Comment for readers."""
    given: dict[str, JsonValue]
    """The position, in the words of scenarios."""


@frozen
class StoredPosition:
    """A position file that was read: its table, and the words of its position."""

    choice: TableChoice
    name: str
    document: Document
    source: Source

    def start(self, program: Program, ruleset: LoadedRuleset) -> Program:
        """Return the rules of the table with games that begin at this position.

        Raises:
            TableError: the rules have no such position.
        """
        return _started(program, ruleset, self.document, self.source)


def read_position(path: Path) -> StoredPosition:
    """Read a position file.

    Raises:
        TableError: not a position file.
        OSError: reading fails.
    """
    source = read_source(path, name_of(path))
    found, document, faults = read_model(source, PositionFile)
    choice = None if found is None else choice_in(found, document, source, path.parent)
    faults += choice[1] if choice else []
    if found is None or choice is None or has_errors(faults):
        raise TableError(faults, {source.name: source})
    return StoredPosition(choice[0], found.name or "", document, source)


def start_from(
    program: Program, ruleset: LoadedRuleset, given: Mapping[str, object]
) -> Program:
    """Return the same rules with games that begin at a position.

    Args:
        ruleset: the game, whose boards and texts pictures use.
        given: the position in the words of scenarios; `True` is yes, `None` none.

    Raises:
        TableError: the rules have no such position.
    """
    entries = (f"  {_yaml(key)}: {_yaml(value)}\n" for key, value in given.items())
    text = "given:\n" + "".join(entries) if given else "given: {}\n"
    source = Source("the given position", text)
    document, faults = read_document(source)
    if has_errors(faults):
        raise TableError(faults, {source.name: source})
    return _started(program, ruleset, document, source)


def _yaml(value: object) -> str:
    import json

    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Mapping():
            inner = (f"{_yaml(str(key))}: {_yaml(each)}" for key, each in value.items())
            return f"{{{', '.join(inner)}}}"
        case list() | tuple() | set() | frozenset():
            return f"[{', '.join(map(_yaml, value))}]"
        case int():
            return str(value)
        case _:
            return json.dumps(str(value), ensure_ascii=False)


def _started(
    program: Program, ruleset: LoadedRuleset, document: Document, source: Source
) -> Program:
    words = ScenarioWords(program, document, ruleset=ruleset)
    path: KeyPath = ("given",)
    block = document.at(*path)
    inner: dict[str, YamlData] = block if isinstance(block, dict) else {}
    reader = GivenReader(words)
    given = reader.read({key: (value, path) for key, value in inner.items()})
    found: list[Diagnostic] = reader.faults
    if not found:
        try:
            ReferenceGame.start(program, position=given.position)
        except BadPosition as error:
            at = {key: (*path, key) for key in inner}
            found = [impossible(error, words, at, document.span(*path))]
        except RuleFault as error:
            message = f"Games cannot begin there: {error.told}"
            found = [fault(E073, message, document.key_span(*path))]
    if found:
        raise TableError(found, {**ruleset.sources, source.name: source})
    return replace(program, start=given.position)
