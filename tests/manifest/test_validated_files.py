"""Every YAML file of a folder is held to its schema, or told of; none is left out."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from tests.manifest.test_cases import CASES, Place, all_words, laid_out, read_case
from tests.support.shipped import NAMES, ROOT, ruleset_of

import houserule
from houserule.authoring.check.check import check_game, check_path
from houserule.authoring.scenarios.files import read_examples
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.language.manifest.kinds.validated_files import (
    in_words,
    validate_folder,
)
from houserule.language.manifest.load import load_ruleset
from houserule.ui.cli.main import run

HELD = sorted((CASES / "held").glob("*.txt"))


@pytest.mark.parametrize("path", HELD, ids=lambda path: path.stem)
def test_case(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    folder = laid_out(case, tmp_path)
    found: dict[Place, Diagnostic] = {}
    for each in validate_folder(folder, load_ruleset(folder)[0]).faults:
        assert each.span is not None
        file = Path(each.span.file).relative_to(folder).as_posix()
        found[file, each.span.line, each.code] = each
    assert set(found) == set(case.expected), "\n".join(map(all_words, found.values()))
    for place, words in case.expected.items():
        assert words in all_words(found[place])


@pytest.mark.parametrize("name", NAMES)
def test_no_file_of_a_shipped_game_is_left_out(name: str) -> None:
    found = validate_folder(ROOT / name, ruleset_of(name))
    there = {path for path in (ROOT / name).rglob("*.y*ml")}
    assert {Path(each.file).absolute() for each in found.files} == there
    assert not found.faults
    assert in_words(found.files) == f"{len(there)} YAML files fit their schemas"


def test_a_register_is_known_by_the_book_that_names_it(tmp_path: Path) -> None:
    base = laid_out(read_case(CASES / "good" / "base.txt"), tmp_path)
    (base / "sources/book.yaml").rename(base / "book.yaml")
    text = (base / "ruleset.yaml").read_text("utf-8")
    said = text.replace("book: {", "book: {register: book.yaml, ")
    (base / "ruleset.yaml").write_text(said, "utf-8")
    ruleset, faults = load_ruleset(base)
    assert not faults
    kinds = {
        Path(each.file).name: each.schema
        for each in validate_folder(base, ruleset).files
    }
    assert kinds["book.yaml"] == "register"


def test_examples_are_held_though_the_rules_are_in_disorder(tmp_path: Path) -> None:
    assert run(["new", "game", "dash", "--in", str(tmp_path)]) == 0
    folder = tmp_path / "dash"
    examples, rules = folder / "scenarios/throwing.yaml", folder / "game.rules"
    for file, old, new in ((examples, "luck:", "lukc:"), (rules, "players", "playerz")):
        text = file.read_text("utf-8")
        file.write_text(text.replace(old, new, 1), "utf-8")
    found = check_game(folder)
    assert "E031" in {
        each.code
        for each in found.diagnostics
        if each.span and each.span.file == str(examples)
    }
    assert found.summary.endswith("2 of 3 YAML files fit their schemas")


def test_what_is_wrong_with_an_example_keeps_nothing_from_being_checked(
    tmp_path: Path,
) -> None:
    assert run(["new", "game", "dash", "--in", str(tmp_path)]) == 0
    examples = tmp_path / "dash/scenarios/throwing.yaml"
    text = examples.read_text("utf-8")
    examples.write_text(text.replace("luck:", "lukc:", 1), "utf-8")
    found = check_game(tmp_path / "dash")
    assert [each.code for each in found.diagnostics] == ["E031"]
    assert found.numbers["composed"] > 1


@pytest.mark.parametrize("below", ["table: 5", "luck: some", "scenarios: 5"])
def test_all_of_an_appendix_is_held_to_its_schema(below: str, tmp_path: Path) -> None:
    rule = tmp_path / "x.rules"
    rule.write_text(f'variant x for pig "X"\nnote "n"\n---\n{below}\n', "utf-8")
    found = check_path(rule)
    assert "E032" in {each.code for each in found.diagnostics}
    assert [(each.schema, bool(each.faults)) for each in found.held] == [
        ("appendix", True)
    ]
    examples = read_examples(rule)
    assert {each.code for each in examples.faults} == {"E032"}


def test_json_says_which_schema_each_file_was_held_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "game", "dash", "--in", str(tmp_path)]) == 0
    words = tmp_path / "dash" / "text" / "en.yaml"
    line = "# yaml-language-server: $schema=../schemas/text.json\n"
    words.write_text(line + words.read_text("utf-8"), "utf-8")
    capsys.readouterr()
    assert run(["check", str(tmp_path / "dash"), "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["checked"]
    files = {Path(each["file"]).name: each for each in one["files"]}
    assert {name: each["schema"] for name, each in files.items()} == {
        "ruleset.yaml": "ruleset",
        "throwing.yaml": "scenarios",
        "en.yaml": "text",
    }
    assert all(each["fits"] for each in files.values())
    assert files["en.yaml"]["named"] == "../schemas/text.json"


def test_all_schemas_are_written_as_they_are_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["schema", "--all", str(tmp_path / "of_ours")]) == 0
    written = {path.stem for path in (tmp_path / "of_ours").iterdir()}
    assert written == set(houserule.schemas())
    text = (tmp_path / "of_ours/text.json").read_text("utf-8")
    assert text == (ROOT.parent / "schemas/text.json").read_text("utf-8")
    jsonschema.validate({"language": "de"}, json.loads(text))
