"""The language server: only this module knows pygls.

Two worker processes answer. One answers at once: what editors ask, and the messages
about a text as soon as typing pauses. The other checks everything when typing rests; a
change of any text ends it. An answer about an old text is dropped.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeAlias

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer

from houserule import __version__
from houserule.base.isolation import Answering, EndedError
from houserule.ui.editor.worker import TOKENS

Json: TypeAlias = Any
WORKER = "houserule.ui.editor.worker"
CALM, REST = 0.1, 0.8  # seconds after the last key: until a check, until the whole one
ENDINGS = (".rules", ".yaml")


class _Helper:
    """A worker process, started when it is needed, and again if it has ended."""

    def __init__(self, encoding: str) -> None:
        self._first = json.dumps({"encoding": encoding}).encode()
        self._pool = ThreadPoolExecutor(1)
        self._process: Answering | None = None
        self._sent: dict[str, str] = {}
        self._busy = False
        self.stale: set[str] = set()

    async def ask(self, texts: dict[str, str], do: str, uri: str, **more: Json) -> Json:
        """Return an answer about these texts; None if the process ended meanwhile."""
        loop = asyncio.get_running_loop()
        asked = partial(self._ask, {**texts}, do, uri, more)
        return await loop.run_in_executor(self._pool, asked)

    def _ask(self, texts: dict[str, str], do: str, uri: str, more: Json) -> Json:
        if self._process is None:
            self._process, self._sent = Answering(WORKER, self._first), {}
        old = self.stale | (self._sent.keys() - texts.keys())
        new = {each for each, text in texts.items() if self._sent.get(each) != text}
        self._sent, self.stale = texts, set()
        changes = {each: texts.get(each) for each in (*old, *new)}
        said = {"changes": changes, "do": do, "uri": uri, "with": more}
        self._busy = True
        try:
            return json.loads(self._process.ask(json.dumps(said).encode()))["found"]
        except EndedError as error:
            self._process = None
            return None if error.ended == "killed" else {"refused": str(error)}
        finally:
            self._busy = False

    def end(self, *, if_busy: bool = False) -> None:
        """End the process, also within an answer."""
        process = self._process  # the thread of the answer may drop it meanwhile
        if process is not None and (self._busy or not if_busy):
            process.end()


class _Session:
    """The texts of one editor, and its workers."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.turn = 0
        self.terminal = False
        self.texts: dict[str, str] = {}
        self.published: dict[str, set[str]] = {}  # files with messages, by game

    def start(self) -> None:
        """Start the workers with the encoding that the editor chose."""
        encoding = self.server.workspace.position_encoding or "utf-16"
        self.at_once, self.whole = _Helper(encoding), _Helper(encoding)

    async def changed(self, uri: str, text: str | None) -> None:
        """Take a new text, and publish the messages about it when typing pauses."""
        if not uri.endswith(ENDINGS) or not uri.startswith("file:"):
            return
        if text is None:
            self.texts.pop(uri, None)
        else:
            self.texts[uri] = text
        self.turn += 1
        turn = self.turn
        self.whole.end(if_busy=True)
        for worker, do, pause in (
            (self.at_once, "messages", CALM),
            (self.whole, "all_messages", REST),
        ):
            await asyncio.sleep(pause)
            if turn != self.turn:
                return
            found = await worker.ask(self.texts, do, uri)
            if turn != self.turn or found is None:
                return
            if "refused" in found:
                self._log(found["refused"])
                return
            self._publish(uri, **found)

    def _publish(self, changed: str, game: str, found: dict[str, Json]) -> None:
        """Send the messages about a game, also that the changed file has none."""
        converter = self.server.protocol._converter
        for uri in found.keys() | self.published.get(game, set()) | {changed}:
            params = {"uri": uri, "diagnostics": found.get(uri, [])}
            if uri in self.texts:
                document = self.server.workspace.get_text_document(uri)
                params["version"] = document.version
            self.server.text_document_publish_diagnostics(
                converter.structure(params, t.PublishDiagnosticsParams)
            )
        self.published[game] = {*found}

    async def answer(self, do: str, uri: str, **more: Json) -> Json:
        """Return the answer to a question of the editor; show why if there is none."""
        if uri.endswith(ENDINGS) and uri.startswith("file:"):
            found = await self.at_once.ask(self.texts, do, uri, **more)
            if not isinstance(found, dict) or "refused" not in found:
                return found
            if do in ("rename", "run_examples", "show_turn"):
                self._show(t.MessageType.Warning, found["refused"])
        return None

    def _show(self, kind: t.MessageType, message: str) -> None:
        self.server.window_show_message(t.ShowMessageParams(kind, message))

    def _log(self, message: str) -> None:
        self.server.window_log_message(t.LogMessageParams(t.MessageType.Log, message))

    async def run_examples(self, uri: str, names: list[str]) -> Json:
        """Run examples; log the results, and show the last line of them."""
        found = await self.answer("run_examples", uri, names=names)
        if found:
            self._log(found)
            self._show(t.MessageType.Info, found.rpartition("\n")[2])
        return found


def server() -> LanguageServer:
    made = LanguageServer(
        "houserule", __version__, text_document_sync_kind=t.TextDocumentSyncKind.Full
    )
    session = _Session(made)

    @made.feature(t.INITIALIZE)
    def initialize(params: t.InitializeParams) -> None:
        options = params.initialization_options
        session.terminal = isinstance(options, dict) and bool(options.get("terminal"))
        session.start()

    @made.feature(t.SHUTDOWN)
    def shutdown(*params: object) -> None:
        session.turn += 1
        session.at_once.end()
        session.whole.end()

    # ---- texts

    @made.feature(t.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: t.DidOpenTextDocumentParams) -> None:
        await session.changed(params.text_document.uri, params.text_document.text)

    @made.feature(t.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: t.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        text = made.workspace.get_text_document(uri).source
        await session.changed(uri, text)

    @made.feature(t.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: t.DidCloseTextDocumentParams) -> None:
        await session.changed(params.text_document.uri, None)

    @made.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(params: t.DidChangeWatchedFilesParams) -> None:
        for each in params.changes:
            session.at_once.stale.add(each.uri)
            session.whole.stale.add(each.uri)
            await session.changed(each.uri, session.texts.get(each.uri))

    # ---- questions

    def about(method: str, do: str, options: object = None) -> None:
        """Let a worker answer what is asked about a file, or a place in it."""

        async def asked(params: Any) -> Json:  # noqa: ANN401  # one class per method
            place = getattr(params, "position", None)
            at = {} if place is None else {"position": _plain(place)}
            return await session.answer(do, params.text_document.uri, **at)

        made.feature(method, options)(asked)

    about(t.TEXT_DOCUMENT_HOVER, "hover")
    about(t.TEXT_DOCUMENT_DEFINITION, "definition")
    about(t.TEXT_DOCUMENT_REFERENCES, "references")
    about(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "highlights")
    about(t.TEXT_DOCUMENT_PREPARE_RENAME, "prepare_rename")
    about(
        t.TEXT_DOCUMENT_COMPLETION,
        "complete",
        t.CompletionOptions(trigger_characters=[".", "["]),
    )
    about(t.TEXT_DOCUMENT_FORMATTING, "formatted")
    about(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "outline")
    about(t.TEXT_DOCUMENT_CODE_LENS, "lenses")
    about(
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        "colours",
        t.SemanticTokensLegend([*TOKENS], []),
    )

    @made.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
    async def renamed(params: t.RenameParams) -> Json:
        uri, at = params.text_document.uri, _plain(params.position)
        return await session.answer("rename", uri, position=at, new=params.new_name)

    @made.feature(t.TEXT_DOCUMENT_CODE_ACTION)
    async def actions(params: t.CodeActionParams) -> Json:
        plain = made.protocol._converter.unstructure(params.context.diagnostics)
        ours = [each for each in plain if each.get("source") == "houserule"]
        return await session.answer(
            "actions",
            params.text_document.uri,
            diagnostics=ours,
            terminal=session.terminal,
        )

    # ---- commands

    @made.command("houserule.runExamples")
    async def run_examples(uri: str, *names: Json) -> Json:
        return await session.run_examples(uri, names[0] if names else [])

    @made.command("houserule.showTurn")
    async def show_turn(uri: str, *form: Json) -> Json:
        return await session.answer("show_turn", uri, form=form[0] if form else "text")

    return made


def _plain(place: t.Position) -> Json:
    return {"line": place.line, "character": place.character}
