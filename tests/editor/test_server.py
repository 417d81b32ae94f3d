"""The language server, with a client over standard input and output."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TypeAlias

import pytest

pytest.importorskip("pytest_lsp")
from lsprotocol import types as t
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

from houserule.base.resources import shipped_rulesets

PATIENCE = 120  # seconds


Talk: TypeAlias = Callable[[LanguageClient, Path], Coroutine[None, None, None]]


def with_server(talk: Talk) -> Callable[[Path], None]:
    """Return a test that talks with a server of its own about a copy of Pig."""

    async def session(pig: Path) -> None:
        client = make_test_lsp_client()
        await client.start_io(sys.executable, "-m", "houserule", "lsp")
        await client.initialize_session(
            t.InitializeParams(
                capabilities=client_capabilities("visual-studio-code"),
                root_uri=pig.as_uri(),
                initialization_options={"terminal": True},
            )
        )
        try:
            await asyncio.wait_for(talk(client, pig), PATIENCE)
        finally:
            await client.shutdown_session()
            await client.stop()  # type: ignore[no-untyped-call]

    def test(pig: Path) -> None:
        asyncio.run(session(pig))

    return test


def opened(client: LanguageClient, path: Path, text: str | None = None) -> str:
    said = path.read_text("utf-8") if text is None else text
    item = t.TextDocumentItem(path.as_uri(), "houserule", 1, said)
    client.text_document_did_open(t.DidOpenTextDocumentParams(item))
    return path.as_uri()


def changed(client: LanguageClient, uri: str, text: str, version: int) -> None:
    client.text_document_did_change(
        t.DidChangeTextDocumentParams(
            t.VersionedTextDocumentIdentifier(version, uri),
            [t.TextDocumentContentChangeWholeDocument(text)],
        )
    )


async def codes(client: LanguageClient, uri: str, *wanted: str) -> list[t.Diagnostic]:
    """Return the messages about a file once they have these codes."""
    while [each.code for each in client.diagnostics.get(uri, ())] != [*wanted]:
        await client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return [*client.diagnostics.get(uri, ())]


async def fixed(client: LanguageClient, uri: str, found: t.Diagnostic) -> t.CodeAction:
    said = await client.text_document_code_action_async(
        t.CodeActionParams(
            t.TextDocumentIdentifier(uri), found.range, t.CodeActionContext([found])
        )
    )
    assert said
    (action,) = said
    assert isinstance(action, t.CodeAction)
    return action


def edited(text: str, action: t.CodeAction) -> str:
    """Return a text after the only edit of an action, in units of UTF-16."""
    assert action.edit is not None
    assert action.edit.changes
    ((edit,),) = action.edit.changes.values()
    lines, start = text.split("\n"), edit.range.start
    assert start.line == edit.range.end.line
    row = lines[start.line].encode("utf-16-le")
    before = row[: start.character * 2].decode("utf-16-le")
    after = row[edit.range.end.character * 2 :].decode("utf-16-le")
    lines[start.line] = before + edit.new_text + after
    return "\n".join(lines)


@with_server
async def test_messages_follow_the_text_and_a_fix_removes_one(
    client: LanguageClient, pig: Path
) -> None:
    game, right = pig / "game.rules", (pig / "game.rules").read_text("utf-8")
    # A letter of two units of UTF-16 before the mistake.
    right = right.replace("Points must lie in the pot", "Points 𝄞 in the pot")
    wrong = right.replace("pot at least 1", "pott at least 1")
    uri = opened(client, game, wrong)
    (found,) = await codes(client, uri, "E010")
    row = wrong.split("\n")[found.range.start.line].encode("utf-16-le")
    marked = row[found.range.start.character * 2 : found.range.end.character * 2]
    assert marked.decode("utf-16-le") == "pott"
    action = await fixed(client, uri, found)
    assert edited(wrong, action) == right
    for version in range(2, 9):  # the last one counts
        changed(client, uri, wrong if version % 2 else right, version)
    await codes(client, uri)
    changed(client, uri, right, 9)
    yaml = pig / "text" / "de.yaml"
    text = yaml.read_text("utf-8").replace("things:", "thingz:")
    other = opened(client, yaml, text)
    (found,) = await codes(client, other, "E031")
    changed(client, other, edited(text, await fixed(client, other, found)), 2)
    await codes(client, other)


@with_server
async def test_each_version_has_its_messages(client: LanguageClient, pig: Path) -> None:
    """Also a version that has none, like the one before it, in rules and YAML."""
    sent: list[tuple[str, int | None]] = []

    async def published(uri: str, version: int) -> None:
        while (uri, version) not in sent:
            method = t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
            found = await client.wait_for_notification(method)
            sent.append((found.uri, found.version))

    for path in (pig / "game.rules", pig / "text" / "de.yaml"):
        text = path.read_text("utf-8")
        uri = opened(client, path, text)
        await published(uri, 1)
        for version in (2, 3):
            changed(client, uri, text + "#" * version, version)
            await published(uri, version)
    changed(client, uri, "# an old text, which gets no answer", 4)
    changed(client, uri, text, 5)
    await published(uri, 5)
    assert (uri, 4) not in sent


@with_server
async def test_messages_of_one_game_stay_while_another_is_written(
    client: LanguageClient, pig: Path
) -> None:
    nim = pig.with_name("nim")
    shutil.copytree(shipped_rulesets()["nim"], nim)
    texts = {each: (each / "game.rules").read_text("utf-8") for each in (pig, nim)}
    wrong = texts[pig].replace("pot at least 1", "pott at least 1")
    first = opened(client, pig / "game.rules", wrong)
    await codes(client, first, "E010")
    second = opened(client, nim / "game.rules", f"{texts[nim]}\nwarn x: lost\n")
    await codes(client, second, "E010")
    await codes(client, first, "E010")


@with_server
async def test_a_lens_runs_an_example(client: LanguageClient, pig: Path) -> None:
    path = pig / "scenarios" / "pig.yaml"
    text = path.read_text("utf-8")
    uri = opened(client, path, text)
    lenses = await client.text_document_code_lens_async(
        t.CodeLensParams(t.TextDocumentIdentifier(uri))
    )
    assert lenses
    command = lenses[0].command
    assert command is not None
    assert command.title == "run example"
    said = await client.workspace_execute_command_async(
        t.ExecuteCommandParams(command.command, command.arguments)
    )
    assert isinstance(said, str)
    assert said.endswith(" passed, 0 failed")
    assert client.messages[-1].message == said


@with_server
async def test_what_an_editor_asks_about_a_place(
    client: LanguageClient, pig: Path
) -> None:
    game = pig / "game.rules"
    uri = opened(client, game)
    rows = game.read_text("utf-8").split("\n")
    line = next(n for n, row in enumerate(rows) if "pot at least 1" in row)
    at = t.Position(line, rows[line].index("pot at least") + 1)
    file = t.TextDocumentIdentifier(uri)
    hover = await client.text_document_hover_async(t.HoverParams(file, at))
    assert hover is not None
    assert isinstance(hover.contents, t.MarkupContent)
    assert "Points of this turn" in hover.contents.value
    found = await client.text_document_definition_async(t.DefinitionParams(file, at))
    assert isinstance(found, list | tuple)
    (place,) = found
    assert isinstance(place, t.Location)
    assert rows[place.range.start.line].startswith("state pot")
    context = t.ReferenceContext(include_declaration=True)
    every = await client.text_document_references_async(
        t.ReferenceParams(context, file, at)
    )
    marks = await client.text_document_document_highlight_async(
        t.DocumentHighlightParams(file, at)
    )
    assert every
    assert marks
    assert len([each for each in every if each.uri == uri]) == len(marks)
    assert {Path(each.uri).suffix for each in every} == {".rules", ".yaml"}
    renamed = await client.text_document_rename_async(t.RenameParams(file, at, "kitty"))
    assert renamed is not None
    assert renamed.changes
    assert sum(map(len, renamed.changes.values())) == len(every)
    refused = await client.text_document_rename_async(t.RenameParams(file, at, "score"))
    assert refused is None
    assert "score" in client.messages[-1].message
    completed = await client.text_document_completion_async(
        t.CompletionParams(file, at)
    )
    assert isinstance(completed, list | tuple)
    assert "score" in {each.label for each in completed}
    symbols = await client.text_document_document_symbol_async(
        t.DocumentSymbolParams(file)
    )
    assert symbols
    assert symbols[0].name == "pig"
    colours = await client.text_document_semantic_tokens_full_async(
        t.SemanticTokensParams(file)
    )
    assert colours is not None
    assert len(colours.data) % 5 == 0
    assert [*colours.data[:5]] == [0, 0, 4, 0, 0]  # `game` is a keyword
    options = t.FormattingOptions(tab_size=2, insert_spaces=True)
    tidy = await client.text_document_formatting_async(
        t.DocumentFormattingParams(file, options)
    )
    assert not tidy, "a shipped file is in the usual layout"
    turn = await client.workspace_execute_command_async(
        t.ExecuteCommandParams("houserule.showTurn", [uri, "svg"])
    )
    assert isinstance(turn, str)
    assert turn.startswith("<svg")


@with_server
async def test_rules_beyond_a_limit_end_only_their_process(
    client: LanguageClient, pig: Path
) -> None:
    game, right = pig / "game.rules", (pig / "game.rules").read_text("utf-8")
    endless = right.replace(
        "pot at least 1",
        "(sum of a + b + c for a in 1..900 and b in 1..900 and c in 1..900) is 1",
    )
    uri = opened(client, game, endless)
    changed(client, uri, right.replace("pot at least 1", "pott at least 1"), 2)
    await codes(client, uri, "E010")
