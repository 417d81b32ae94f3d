"""The page on commands names every verb, every flag and every key of an output."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import click
import pytest
from tests.docs.fences import DOCS, ROOT
from tools.write_reference import BLOCK, KEYS, pages

from houserule.ui.cli.arguments import TABLE_FLAGS
from houserule.ui.cli.main import houserule, run
from houserule.ui.cli.verbs import VERBS

PAGE = DOCS / "commands.md"
_FLAG = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
# What each verb is asked, to see the keys of its output.
ASKED = {
    "list": ["list", "pig", "--json"],
    "show": ["show", "pig", "--json"],
    "check": ["check", "pig", "--json"],
    "test": ["test", "pig", "--json"],
    "run": ["run", "pig", "--json"],
    "explain": ["explain", "throw.short", "--game", "pig", "--json"],
}

CHOOSE_A_TABLE = {*("show", "rulebook", "check", "play", "run", "simulate", "explain")}


@cache
def sections() -> dict[str, str]:
    """Return the section of each verb."""
    text = PAGE.read_text(encoding="utf-8")
    parts = re.split(r"^## `([a-z]+)`$", text, flags=re.MULTILINE)
    cut = [each.partition("\n## ")[0] for each in parts[2::2]]
    return dict(zip(parts[1::2], cut, strict=True))


@cache
def flags_of(verb: str) -> frozenset[str]:
    """Return the flags of a verb as the command itself knows them."""
    command = houserule.get_command(click.Context(houserule), verb)
    assert command is not None
    below = command.commands.values() if isinstance(command, click.Group) else ()
    given = [each for one in (command, *below) for each in one.params]
    options = [each for each in given if isinstance(each, click.Option)]
    return frozenset(
        flag for each in options for flag in (*each.opts, *each.secondary_opts)
    )


@cache
def table_flags() -> frozenset[str]:
    @click.command()
    def nothing() -> None: ...

    for flag in TABLE_FLAGS:
        flag(nothing)
    return frozenset(name for each in nothing.params for name in each.opts)


def rows_of(section: str) -> str:
    """Return the rows of a section's tables."""
    return "\n".join(line for line in section.split("\n") if line.startswith("|"))


def test_every_verb_has_a_section_in_order() -> None:
    assert list(sections()) == list(VERBS)


def test_the_written_parts_are_current() -> None:
    for path, text in pages().items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, path


def test_every_verb_has_its_flags() -> None:
    kinds = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    written = {words.split()[0] for _, kind, words, _ in kinds if kind == "flags"}
    assert written == {verb for verb in VERBS if flags_of(verb) - {"--help"}}


def test_every_key_of_a_file_has_a_meaning() -> None:
    page = (ROOT / KEYS).read_text(encoding="utf-8")
    files = page.partition("## Outputs")[0]
    without = re.findall(r"^\| \**`(\w+)`.*\|  \|$", files, re.MULTILINE)
    assert set(without) == {"as", "shape", "faces", "icon"}


def test_the_flags_of_a_table_are_on_their_page() -> None:
    page = (DOCS / "tables.md").read_text(encoding="utf-8")
    said = set(_FLAG.findall(rows_of(page)))
    assert table_flags() <= said
    for verb in VERBS:
        chooses = flags_of(verb) >= table_flags()
        assert chooses == (verb in CHOOSE_A_TABLE), verb


@pytest.mark.parametrize("verb", ASKED)
def test_every_key_of_an_output_is_documented(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(ASKED[verb]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [key for key in found if f"`{key}`" not in sections()[verb]] == []


def test_the_keys_of_a_replay_are_documented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = str(tmp_path / "evening.jsonl")
    assert run(["run", "pig", "--quiet", "--record", record]) == 0
    capsys.readouterr()
    assert run(["replay", record, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [key for key in found if f"`{key}`" not in sections()["replay"]] == []


def test_the_keys_of_a_table_are_documented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["table", "new", str(tmp_path / "t.yaml"), "pig", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [key for key in found if f"`{key}`" not in sections()["table"]] == []
