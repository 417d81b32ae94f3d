"""A tree that is kept is the tree that was read; whatever is wrong with the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from houserule.base.files import read_source
from houserule.base.source import Source, Span
from houserule.language.syntax.read import parser
from houserule.language.syntax.read.parser import parse_afresh, parse_unit_file

CASES = Path(__file__).parents[1] / "cases" / "syntax"
GOOD = CASES / "good" / "every_form.rules"
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
    parser._parsed.cache_clear()
    return tmp_path


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_kept_trees_are_the_same_in_every_place(path: Path, folder: Path) -> None:
    source = read_source(path)
    units, faults = parse_afresh(source)
    for _ in range(2):
        parser._parsed.cache_clear()
        kept, again = parse_unit_file(source)
        assert repr(kept) == repr(units)
        assert kept == units
        assert tuple(again) == faults
    assert parse_unit_file(source)[0] is kept  # from memory: nothing is read
    assert list((folder / "trees").iterdir())


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
        parser._parsed.cache_clear()
        assert parse_unit_file(source) == (units, [])


def test_without_a_folder_all_is_only_slower(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path / "file" / "beneath"))
    assert parse_unit_file(Source("x", "game g\nplayers 2..3")) != ((), [])


def test_old_trees_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser.TREES, "most", 6)
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
    parser.table.cache_clear()
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
    parser.table.cache_clear()
    assert parse_afresh(read_source(GOOD)) == wanted
    assert len(list((folder / "parsers").iterdir())) == 1
