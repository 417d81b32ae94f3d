"""The worker process of the language server: answers with the protocol's JSON.

It reads files of strangers, so it is a process with limits (`base.isolation`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from houserule.authoring.renaming.targets import CannotRename
from houserule.base.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.source import Source, Span, visible
from houserule.language.syntax.read.parser import parse_afresh
from houserule.ui.editor.workspace import Symbol, Workspace

Json: TypeAlias = Any
TOKENS = (
    *("keyword", "function", "variable", "type", "enumMember", "namespace"),
    "property",
)
SEVERITY = {"error": 1, "warning": 2, "note": 3}
COMPLETION = {"keyword": 14, "form": 15, "variable": 6, "member": 20, "row": 20}
COMPLETION |= {"type": 7, "component": 7, "dice": 7, "action": 3, "effect": 3}
COMPLETION |= {"field": 5, "variant": 9, "part": 10}
SYMBOL = {"game": 2, "variant": 2, "bridge": 2, "preset": 2, "action": 6, "effect": 6}
SYMBOL |= {"type": 10, "component": 23, "member": 22, "phase": 3, "step": 3}
SYMBOL |= {"state": 13, "zone": 18, "option": 14, "value": 12, "field": 8}
SNIPPET, PLAIN, OTHER = 2, 1, 13


def answering(first: bytes) -> Callable[[bytes], bytes]:
    """Return the function from a question to its answer; `first` has the encoding."""
    desk = Desk(json.loads(first)["encoding"])
    parse_afresh(Source("", "game g\n"))  # the first mistake must not wait for tables

    def answer(question: bytes) -> bytes:
        said = json.loads(question)
        for uri, text in said["changes"].items():
            desk.workspace.change(path_of(uri), text)
        try:
            found = getattr(desk, said["do"])(path_of(said["uri"]), **said["with"])
        except CannotRename as error:
            found = {"refused": error.diagnostic.message}
        except DiagnosticsError as error:
            found = {"refused": error.diagnostics[0].message}
        except OSError as error:
            found = {"refused": str(error)}
        return json.dumps({"found": found}).encode()

    return answer


def path_of(uri: str) -> Path:
    """Return the path of a file's address."""
    return Path(url2pathname(unquote(urlparse(uri).path)))


class Desk:
    """The questions of the protocol, one method each, with its positions."""

    def __init__(self, encoding: str) -> None:
        self.workspace = Workspace()
        self._encoding = "utf-8" if encoding == "utf-8" else f"{encoding}-le"
        self._unit = int(encoding.removeprefix("utf-")) // 8
        self._known: list[Diagnostic] = []

    # ---- positions

    def _at(self, path: Path, position: Json) -> tuple[Path, int, int]:
        """Return a place of the protocol as path, line and column from 1."""
        row = self._row(path, position["line"] + 1).encode(self._encoding)
        before = row[: position["character"] * self._unit]
        return (
            path,
            position["line"] + 1,
            len(before.decode(self._encoding, "ignore")) + 1,
        )

    def _row(self, path: Path, line: int) -> str:
        return self.workspace.source(path).line(line)

    def _position(self, path: Path, line: int, column: int) -> Json:
        before = self._row(path, line)[: column - 1].encode(self._encoding)
        return {"line": max(line, 1) - 1, "character": len(before) // self._unit}

    def _range(self, span: Span) -> Json:
        path = Path(span.file)
        try:
            start = self._position(path, span.line, span.column)
            end = self._position(path, span.end_line, span.end_column)
        except (OSError, DiagnosticsError):
            start = end = {"line": 0, "character": 0}
        return {"start": start, "end": end}

    def _location(self, span: Span) -> Json:
        return {"uri": Path(span.file).absolute().as_uri(), "range": self._range(span)}

    # ---- messages

    def messages(self, path: Path) -> Json:
        """Return the messages that need no whole check, by file."""
        return self._by_file(path, self.workspace.messages(path))

    def all_messages(self, path: Path) -> Json:
        return self._by_file(path, self.workspace.all_messages(path))

    def _by_file(self, path: Path, found: Iterable[Diagnostic]) -> Json:
        self._known = in_reading_order(found)
        by_file: dict[str, list[Json]] = {}
        for each in self._known:
            place = each.span or Span.at(str(path))
            uri = Path(place.file).absolute().as_uri()
            by_file.setdefault(uri, []).append(self._message(each, place))
        game = self.workspace.game_of(path)
        name = f"{game.folder} {game.rules}" if game else str(path)
        return {"game": name, "found": by_file}

    def _message(self, found: Diagnostic, place: Span) -> Json:
        label = found.labels[0].text if found.labels else ""
        parts = [found.message, label, *found.details]
        parts += [f"→ {each}" for each in found.fixes]
        return {
            "range": self._range(place),
            "severity": SEVERITY[found.severity.value],
            "code": found.code,
            "source": "houserule",
            "message": visible("\n".join(filter(None, parts))),
            "relatedInformation": [
                {
                    "location": self._location(e.span),
                    "message": e.text or e.lead or "here",
                }
                for e in found.labels[1:]
            ],
        }

    def actions(self, path: Path, diagnostics: list[Json], terminal: bool) -> Json:
        """Return the suggestions of messages as edits; commands for a terminal."""
        made = []
        for said in diagnostics:
            for found in self._known:
                place = found.span
                if place is None or self._message(found, place) != {**said}:
                    continue
                for fix in self.workspace.fixes(path, found):
                    action: Json = {"title": fix.text, "kind": "quickfix"}
                    action["diagnostics"] = [said]
                    if fix.kind == "edit" and fix.span is not None:
                        edit = {"range": self._range(fix.span), "newText": fix.new}
                        action["edit"] = {"changes": {path.as_uri(): [edit]}}
                    elif fix.kind == "command" and terminal:
                        run = {"title": fix.text, "command": "houserule.type"}
                        action["command"] = {**run, "arguments": [fix.text]}
                    else:
                        continue
                    made.append(action)
        return made

    # ---- names

    def hover(self, path: Path, position: Json) -> Json:
        """Return what a word means."""
        found = self.workspace.hover(*self._at(path, position))
        if found is None:
            return None
        text, span = found
        told = {"kind": "markdown", "value": visible(text)}
        return {"contents": told, "range": self._range(span)}

    def definition(self, path: Path, position: Json) -> Json:
        """Return where a name is declared."""
        spans = self.workspace.definition(*self._at(path, position))
        return [*map(self._location, spans)]

    def references(self, path: Path, position: Json) -> Json:
        spans = self.workspace.references(*self._at(path, position))
        return [*map(self._location, spans)]

    def highlights(self, path: Path, position: Json) -> Json:
        """Return the places of a name in this file."""
        spans = self.workspace.references(*self._at(path, position))
        here = [each for each in spans if Path(each.file) == path]
        return [{"range": self._range(each)} for each in here]

    def prepare_rename(self, path: Path, position: Json) -> Json:
        """Return the range of a name that can be renamed."""
        found = self.workspace.target(*self._at(path, position))
        return None if found is None else self._range(found[1])

    def rename(self, path: Path, position: Json, new: str) -> Json:
        """Return the edits that rename a name in all files."""
        changes: dict[str, list[Json]] = {}
        for span in self.workspace.rename(*self._at(path, position), new):
            edit = {"range": self._range(span), "newText": new}
            changes.setdefault(Path(span.file).absolute().as_uri(), []).append(edit)
        return {"changes": changes}

    def complete(self, path: Path, position: Json) -> Json:
        at = self._at(path, position)
        made = []
        for number, each in enumerate(self.workspace.complete(*at)):
            is_form = each.kind == "form"
            start = self._position(path, at[1], each.start)
            new = {"range": {"start": start, "end": position}, "newText": each.insert}
            item: Json = {
                "label": each.detail if is_form else each.label,
                "textEdit": new,
            }
            item |= {"filterText": each.label, "sortText": f"{is_form:d}{number:05d}"}
            item |= {"kind": COMPLETION.get(each.kind, 6), "detail": each.kind}
            item["insertTextFormat"] = SNIPPET if is_form else PLAIN
            about = "\n\n".join(filter(None, (each.detail, each.about)))
            item |= {"documentation": visible(about)} if about else {}
            made.append(item)
        return made

    # ---- a whole file

    def formatted(self, path: Path) -> Json:
        """Return the edit that brings a file into the usual layout."""
        now, new = self.workspace.source(path), self.workspace.formatted(path)
        if now.text == new:
            return []
        whole = Span(str(path), 1, 1, len(now.lines), len(now.lines[-1]) + 1)
        return [{"range": self._range(whole), "newText": new}]

    def outline(self, path: Path) -> Json:
        """Return the declarations of a file."""
        return [*map(self._symbol, self.workspace.outline(path))]

    def _symbol(self, symbol: Symbol) -> Json:
        row = self._row(Path(symbol.span.file), symbol.span.line)
        size = len(row) + 1 - symbol.span.column
        first = Span.at(symbol.span.file, symbol.span.line, symbol.span.column, size)
        is_short = symbol.span.end_line == symbol.span.line
        return {
            "name": symbol.name,
            "detail": visible(symbol.detail),
            "kind": SYMBOL.get(symbol.kind, OTHER),
            "range": self._range(symbol.span),
            "selectionRange": self._range(symbol.span if is_short else first),
            "children": [*map(self._symbol, symbol.inside)],
        }

    def colours(self, path: Path) -> Json:
        """Return the words of a file by their meaning, each relative to the last."""
        data: list[int] = []
        line = character = 0
        for each in self.workspace.colours(path):
            at = self._position(path, each.line, each.column)
            behind = at["character"] - (character if at["line"] == line else 0)
            kind = TOKENS.index(each.kind)
            data += (at["line"] - line, behind, each.length, kind, 0)
            line, character = at["line"], at["character"]
        return {"data": data}

    def lenses(self, path: Path) -> Json:
        """Return the lines above declarations, with their commands."""
        made = []
        for each in self.workspace.lenses(path):
            row = Span.at(str(path), each.line, 1, 0)
            arguments: list[Json] = [path.as_uri()]
            command = "houserule.runExamples"
            if each.places:
                command = "houserule.showPlaces"
                places = [*map(self._location, each.places)]
                arguments += [self._range(row)["start"], places]
            else:
                arguments.append([*each.names])
            run = {"title": each.title, "command": command, "arguments": arguments}
            made.append({"range": self._range(row), "command": run})
        return made

    # ---- commands

    def run_examples(self, path: Path, names: list[str]) -> Json:
        return visible(self.workspace.run_examples(path, names))

    def show_turn(self, path: Path, form: str) -> Json:
        return self.workspace.show_turn(path, form)
