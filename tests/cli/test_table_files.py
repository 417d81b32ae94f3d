"""Table files: the options they choose, and messages that point into them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from ruamel.yaml import YAML

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.compiler.prepare import Prepared, TableChoice, prepare
from houserule.language.manifest.load import load_ruleset
from houserule.ui.cli.arguments import read_choice

FILE = Path(__file__).parents[1] / "cases" / "tables" / "files.yaml"
DATA = YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))
FILES = DATA["files"]


def choice_of(case: dict[str, Any], folder: Path) -> TableChoice:
    """Return what the file of a case chooses, with its flags above it."""
    path = folder / "table.yaml"
    path.write_text(f"game: t\n{case['text']}", encoding="utf-8")
    return TableChoice(settings=case.get("flags", {})).over(read_choice(path))


def prepared(case: dict[str, Any], folder: Path) -> tuple[TableChoice, Prepared]:
    for name, text in DATA["game"].items():
        (folder / name).write_text(text, encoding="utf-8")
    ruleset, faults = load_ruleset(folder)
    assert ruleset is not None, faults
    choice = choice_of(case, folder)
    return choice, prepare(ruleset, choice)


def underlined(fault: Diagnostic, choice: TableChoice) -> tuple[int, str]:
    """Return the line of a fault in the file's own text, and the words it marks."""
    span = fault.span
    assert span is not None
    line = choice.sources[span.file].line(span.line)
    return span.line - 1, line[span.column - 1 : span.end_column - 1]


def of_kind(key: str) -> list[Any]:
    cases = [case for case in FILES if key in case]
    assert cases
    return [pytest.param(case, id=case["name"]) for case in cases]


@pytest.mark.parametrize("case", of_kind("options"))
def test_what_a_file_chooses(case: dict[str, Any], tmp_path: Path) -> None:
    _, found = prepared(case, tmp_path)
    assert found.table is not None, found.diagnostics
    chosen = {name: found.table.options[name] for name in case["options"]}
    assert chosen == case["options"]


@pytest.mark.parametrize("case", of_kind("faults"))
def test_messages_point_into_the_file(case: dict[str, Any], tmp_path: Path) -> None:
    choice, found = prepared(case, tmp_path)
    assert found.table is None
    assert [each.code for each in found.diagnostics] == [
        wanted["code"] for wanted in case["faults"]
    ]
    for each, wanted in zip(found.diagnostics, case["faults"], strict=True):
        line, words = underlined(each, choice)
        assert line == wanted["line"]
        assert words.startswith(wanted["underlines"])
        said = (each.message, *each.fixes, *(label.text for label in each.labels))
        assert wanted["says"] in " ".join(said)


@pytest.mark.parametrize("case", of_kind("unreadable"))
def test_files_that_cannot_be_read(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(click.exceptions.Exit):
        choice_of(case, tmp_path)
    wanted, said = case["unreadable"], capsys.readouterr().err
    assert wanted["code"] in said
    assert wanted["says"] in said
    assert f"table.yaml:{wanted['line'] + 1}" in said


@pytest.mark.parametrize("said", ["nim", "./other", ""])
def test_a_file_of_another_game_is_refused(said: str, tmp_path: Path) -> None:
    """It is compared by the game's id, and by the folder from where the file stands."""
    found = _for(said or "t", tmp_path)
    if said:
        assert [each.code for each in found.diagnostics] == ["E039"]
        assert f"for {said}, and the game here is t" in found.diagnostics[0].message
    else:
        assert found.table is not None


@pytest.mark.parametrize("said", [".", "../{here}", "{folder}"])
def test_a_file_names_its_game_by_a_folder(said: str, tmp_path: Path) -> None:
    found = _for(said.format(here=tmp_path.name, folder=tmp_path), tmp_path)
    assert found.table is not None


def _for(said: str, folder: Path) -> Prepared:
    """Prepare a table by a file that says `game`, below a flag."""
    for name, text in DATA["game"].items():
        (folder / name).write_text(text, encoding="utf-8")
    ruleset, faults = load_ruleset(folder)
    assert ruleset is not None, faults
    path = folder / "table.yaml"
    path.write_text(f"game: {said}\n", encoding="utf-8")
    return prepare(ruleset, TableChoice(players=3).over(read_choice(path)))
