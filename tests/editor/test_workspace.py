"""Answers to an editor about texts that are not saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.authoring.renaming.targets import CannotRename
from houserule.ui.editor.workspace import Workspace

RULE = """\
variant late for pig "Hold late" [ruling no_early_hold]

needs hold.late "Late": pot at least 5  [ruling no_early_hold]
"""


def at(text: str, words: str) -> tuple[int, int]:
    """Return the place of some words, as line and column."""
    before = text[: text.index(words)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


@pytest.fixture
def desk() -> Workspace:
    return Workspace()


# ---- messages


@pytest.mark.parametrize(
    ("file", "right", "wrong", "code"),
    [
        ("game.rules", "pot at least 1", "pott at least 1", "E010"),
        ("game.rules", "pot at least 1", "pot at at 1", "E001"),
        ("text/de.yaml", "things:", "thingz:", "E031"),
        ("ruleset.yaml", "id: pig", "id: pigs", "E032"),
        ("scenarios/pig.yaml", "do: [", "do: [fly, ", "E071"),
    ],
)
def test_messages_are_about_the_unsaved_text(
    desk: Workspace, pig: Path, file: str, right: str, wrong: str, code: str
) -> None:
    path = pig / file
    assert desk.messages(path) == []
    text = path.read_text("utf-8")
    assert right in text
    desk.change(path, text.replace(right, wrong, 1))
    assert code in [each.code for each in desk.all_messages(path)]
    at_once = desk.messages(path)
    assert "scenarios" in file or code in [each.code for each in at_once]
    desk.change(path, None)
    assert desk.messages(path) == desk.all_messages(path) == []


def test_a_house_rule_elsewhere_is_checked_with_its_game(
    desk: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "late.rules"
    path.write_text(RULE)
    desk.change(path, RULE.replace("pot at", "pott at"))
    (found,) = [each for each in desk.messages(path) if each.code == "E010"]
    (fix,) = desk.fixes(path, found)
    assert (fix.kind, fix.new) == ("edit", "pot")


def test_a_variant_that_needs_another_is_checked_with_it(
    desk: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "late.rules"
    other = 'variant later for pig "Later"\nrequires late\ndoes hold.x: pott gains 1\n'
    path.write_text(f"{RULE}\n{other}")
    assert [each.code for each in desk.messages(path)] == ["E010"]


# ---- names


def test_a_name_leads_to_its_declaration_and_all_its_places(
    desk: Workspace, pig: Path
) -> None:
    game, text = pig / "game.rules", (pig / "game.rules").read_text("utf-8")
    line, column = at(text, "pot at least 1")
    (declared,) = desk.definition(game, line, column)
    assert (declared.line, declared.column) == at(text, 'pot "Points')
    every = desk.references(game, line, column)
    files = {Path(each.file).relative_to(pig).as_posix() for each in every}
    assert files >= {"game.rules", "text/de.yaml", "scenarios/pig.yaml"}
    for each in every:
        row = Path(each.file).read_text("utf-8").split("\n")[each.line - 1]
        assert row[each.column - 1 : each.end_column - 1] == "pot"
    texts = (pig / "text" / "de.yaml").read_text("utf-8")
    assert desk.definition(pig / "text" / "de.yaml", *at(texts, "pot:")) == [declared]
    assert desk.definition(game, *at(text, "Points must")) == []


def test_a_name_is_renamed_in_all_files_as_they_are_now(
    desk: Workspace, pig: Path
) -> None:
    game, text = pig / "game.rules", (pig / "game.rules").read_text("utf-8")
    desk.change(game, "# one more line\n" + text)
    line, column = at(text, "pot at least 1")
    places = desk.rename(game, line + 1, column, "kitty")
    assert {Path(each.file).suffix for each in places} == {".rules", ".yaml"}
    assert min(each.line for each in places if each.file == str(game)) > 8
    with pytest.raises(CannotRename):
        desk.rename(game, line + 1, column, "score")
    with pytest.raises(CannotRename):
        desk.rename(game, 1, 4, "kitty")


def test_a_house_rule_elsewhere_renames_only_its_own_names(
    desk: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "late.rules"
    path.write_text(RULE)
    (place,) = desk.rename(path, *at(RULE, 'late "Late'), "early")
    assert (place.file, place.line) == (str(path), 3)
    with pytest.raises(CannotRename) as error:
        desk.rename(path, *at(RULE, "pot at"), "kitty")
    assert "pig itself" in str(error.value)


def test_hovering_explains_a_clause_with_captions_and_edits(
    desk: Workspace, pig: Path
) -> None:
    game, text = pig / "game.rules", (pig / "game.rules").read_text("utf-8")
    said, _ = desk.hover(game, *at(text, "something")) or ("", None)
    for part in ("pot at least 1", "Points must lie in the pot", "de: ", "throw_first"):
        assert part in said
    said, _ = desk.hover(game, *at(text, "hold during")) or ("", None)
    assert "no_early_hold" in said
    said, _ = desk.hover(game, *at(text, "at least 1")) or ("", None)
    assert "at least" in said
    desk.change(game, text.replace("pot at least 1", "pot at at"))
    said, _ = desk.hover(game, *at(text, "something")) or ("", None)
    assert "Points must lie in the pot" in said, "as the last time without errors"


# ---- a whole file


def test_the_outline_colours_and_lenses_of_a_file(desk: Workspace, pig: Path) -> None:
    game = pig / "game.rules"
    (unit,) = desk.outline(game)
    hold = next(each for each in unit.inside if each.name == "hold")
    assert [each.name for each in hold.inside] == [
        "hold.something",
        "hold.bank",
        "hold.win",
    ]
    lines = game.read_text("utf-8").split("\n")
    found = {
        (lines[c.line - 1][c.column - 1 :][: c.length], c.kind)
        for c in desk.colours(game)
    }
    assert {("pot", "variable"), ("Die", "type"), ("needs", "keyword")} <= found
    assert {
        ("deciding", "namespace"),
        ("hold", "function"),
        ("face", "property"),
    } <= found
    lenses = [(each.line, each.title) for each in desk.lenses(game)]
    row = lines.index('action hold during deciding "Hold"') + 1
    assert (row, "1 house rule changes this") in lenses
    assert (row, "run 4 examples") in lenses
    scenarios = desk.lenses(pig / "scenarios" / "pig.yaml")
    assert {each.title for each in scenarios} == {"run example"}


def test_formatting_is_that_of_fmt(desk: Workspace, pig: Path) -> None:
    game = pig / "game.rules"
    text = game.read_text("utf-8")
    desk.change(game, text.replace("pot becomes 0; end", "pot  becomes  0 ;end"))
    assert desk.formatted(game) == text


def test_examples_run_and_the_turn_is_drawn_from_unsaved_text(
    desk: Workspace, pig: Path
) -> None:
    game, text = pig / "game.rules", (pig / "game.rules").read_text("utf-8")
    assert desk.run_examples(game).endswith("14 passed, 0 failed")
    desk.change(game, text.replace("score(me) gains pot ", "score(me) gains 1 "))
    said = desk.run_examples(game, ["holding banks the pot"])
    assert said.endswith("0 passed, 1 failed")
    assert "score" in said
    desk.change(game, text.replace('"Hold"', '"Keep what you have"'))
    assert "Keep what you have" in desk.show_turn(game, "text")
    assert desk.show_turn(game).startswith("<svg")


# ---- completion


@pytest.mark.parametrize(
    ("file", "fits"),
    [("ruleset.yaml", "looks"), ("rulings.yaml", "rulings"), ("a.yaml", None)],
)
def test_a_file_of_the_folder_gets_the_keys_of_its_kind(
    desk: Workspace, pig: Path, file: str, fits: str | None
) -> None:
    (pig / file).touch()
    desk.change(pig / file, "\n")
    found = {each.label for each in desk.complete(pig / file, 1, 1)}
    assert (fits in found) if fits else not found
