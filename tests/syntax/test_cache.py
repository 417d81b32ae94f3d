"""A tree that is kept is the tree that was read; whatever is wrong with the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

import pytest

from houserule.base.files import read_source
from houserule.base.resources import shipped_rulesets
from houserule.base.source import Source, Span
from houserule.language.syntax.read import cache, parser
from houserule.language.syntax.read.cst import CstNode, ParseError
from houserule.language.syntax.read.parser import parse_afresh, parse_unit_file
from houserule.language.syntax.read.units import Chunk
from houserule.language.syntax.tree import Unit
from houserule.language.syntax.tree.visitor import walk

CASES = Path(__file__).parents[1] / "cases" / "syntax"
GOOD = CASES / "good" / "every_form.rules"
PIG = shipped_rulesets()["pig"] / "game.rules"
TEXTS = [GOOD, *sorted((CASES / "bad").glob("*.rules"))]

WARM = """
import sys
from pathlib import Path
from houserule.base.files import read_source
from houserule.language.syntax.vocabulary import keywords
from houserule.language.syntax.read.parser import parse_unit_file
units, faults = parse_unit_file(read_source(Path(sys.argv[1])))
print(len(units), len(faults), len(keywords()) > 100, "lark" in sys.modules)
"""
made_once = lru_cache(parser.make_parser)  # which takes seconds


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_kept_trees_are_the_same_in_every_place(path: Path, folder: Path) -> None:
    source = read_source(path)
    units, faults = parse_afresh(source)
    for _ in range(2):
        kept, again = parse_unit_file(source)
        assert repr(kept) == repr(units)
        assert kept == units
        assert tuple(again) == faults
    assert list((folder / "trees").iterdir())


EDITS: dict[str, Callable[[str], str]] = {
    "a line above all": lambda text: f"# a remark\n\n{text}",
    "remarks between": lambda text: text.replace("\nstate ", "\n# here\nstate "),
    "remarks behind": lambda text: text.replace("\n", "  # so\n"),
    "wider margins": lambda text: text.replace(" [", "   ["),
    "tabs for blanks": lambda text: text.replace("\n  ", "\n\t"),
    "another number": lambda text: text.replace("1", "2", 1),
    "items in another order": lambda text: "\n".join(
        ["game g", *reversed(text.split("\n")[1:])]
    ),
    "an item that is wrong": lambda text: text.replace("\nstate ", "\nstate 7 ", 1),
    "an open bracket": lambda text: text.replace(")", "", 1),
    "nothing": lambda text: "",
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("path", [GOOD, PIG], ids=lambda path: path.stem)
def test_an_edited_text_is_read_as_if_it_were_new(
    path: Path, edit: str, folder: Path
) -> None:
    text = read_source(path).text
    for each in (text, EDITS[edit](text), text.replace("\n\n", "\n"), text):
        source = Source("edited", each)
        units, faults = parse_unit_file(source)
        wanted, told = parse_afresh(source)
        assert repr(units) == repr(wanted)
        assert spans_of(units) == spans_of(wanted)
        assert tuple(faults) == told


def spans_of(units: Iterable[Unit]) -> list[Span]:
    return [node.span for unit in units for node in walk(unit)]


def test_what_is_not_edited_is_not_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = read_source(PIG).text
    read: list[str] = []

    def noted(chunk: Chunk) -> CstNode | ParseError:
        read.append(chunk.text)
        return afresh(chunk)

    afresh = parser.parse_chunk
    monkeypatch.setattr(parser, "parse_chunk", noted)
    parse_unit_file(Source("g", text))
    every = len(read)
    parse_unit_file(Source("g", f"# a remark\n{text}"))
    assert len(read) == every > 5
    parse_unit_file(Source("g", text.replace("normally 100", "normally 90")))
    assert len(read) == every + 1
    assert "normally 90" in read[-1]
    parse_unit_file(Source("other", f"# a remark\n\n{text}"))
    assert len(read) == 2 * every + 1  # of another file nothing is known


def test_places_name_the_file_that_is_read(folder: Path) -> None:
    text = "game g\nstate a: 0..3 starts as 0\nstate b"
    parse_unit_file(Source("one", text))
    units, faults = parse_unit_file(Source("other", text))
    assert units[0].items[0].span == Span("other", 2, 1, 2, 26)
    assert faults[0].span is not None
    assert faults[0].span.file == "other"


def test_a_damaged_file_is_read_anew(folder: Path) -> None:
    source = read_source(GOOD)
    units, _ = parse_unit_file(source)
    (kept,) = (folder / "trees").iterdir()
    for content in (b"", b"x" * 100, kept.read_bytes()[:-3]):
        kept.write_bytes(content)
        assert parse_unit_file(source) == (units, [])


def test_without_a_folder_all_is_only_slower(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path / "file" / "beneath"))
    assert parse_unit_file(Source("x", "game g\nplayers 2..3")) != ((), [])


def test_old_trees_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.TREES, "most", 6)
    for number in range(20):
        parse_unit_file(Source("x", f"game g{number}\nplayers 2..3"))
    assert len(list((folder / "trees").iterdir())) <= 12


def test_a_warm_cache_needs_no_lark(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", WARM, str(GOOD)]
    said = [
        subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert [row[:3] for row in said] == [said[0][:3]] * 2
    assert [row[3] for row in said] == ["True", "False"]


def test_tables_that_came_along_are_taken(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They parse as those that are made, and those of another grammar are dropped."""
    grammar = folder / "grammar"
    grammar.mkdir()
    (grammar / "tables-of_another-1.0.pickle").write_bytes(b"old")
    monkeypatch.setattr(parser, "make_parser", made_once)
    made = parser.write_tables(grammar)
    assert [*grammar.iterdir()] == [made]
    wanted = parse_afresh(read_source(GOOD))
    monkeypatch.setattr(parser, "data_root", lambda: folder)
    monkeypatch.setattr(parser, "make_parser", None)
    parser._lark.cache_clear()
    assert parse_afresh(read_source(GOOD)) == wanted
    assert not list((folder / "parsers").glob("*"))


@pytest.mark.parametrize("damage", [b"", b"nothing that has a sum", None])
def test_tables_that_are_damaged_are_made_anew(
    damage: bytes | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grammar = folder / "grammar"
    grammar.mkdir()
    monkeypatch.setattr(parser, "make_parser", made_once)
    path = parser.write_tables(grammar)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] if damage is None else damage)
    wanted = parse_afresh(read_source(GOOD))
    monkeypatch.setattr(parser, "data_root", lambda: folder)
    parser._lark.cache_clear()
    assert parse_afresh(read_source(GOOD)) == wanted
    assert len(list((folder / "parsers").iterdir())) == 1
