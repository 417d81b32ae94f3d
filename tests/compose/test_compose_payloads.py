"""Parts of clauses: what is read can be put back, and compares as trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.rulesets import ruleset_from_folder

from houserule.base.source import Span
from houserule.compiler.items.content import bare, comparable
from houserule.compiler.items.items import Declared, placed_items
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import parts_of, with_part

ROOT = Path(__file__).parents[2]
FOLDERS = [
    ROOT / "tests" / "cases" / "compose" / "race",
    *sorted(path.parent for path in ROOT.glob("rulesets/*/game.rules")),
]


def declared_in(folder: Path) -> list[Declared]:
    ruleset = ruleset_from_folder(folder)
    return [one for placed in placed_items(ruleset) for one in placed.declares]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_putting_a_part_back_changes_nothing(folder: Path) -> None:
    for one in declared_in(folder):
        for word, payload in parts_of(one.node).items():
            again = with_part(one.node, word, payload)
            assert again is not None, (one.address, word)
            assert parts_of(again) == parts_of(one.node), (one.address, word)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_one_item_declares_an_address_once(folder: Path) -> None:
    ruleset = ruleset_from_folder(folder)
    for placed in placed_items(ruleset):
        own = [one.address for one in placed.declares if one.kind != "part"]
        assert len(own) == len(set(own)), own


def test_items_are_the_same_objects_every_time() -> None:
    ruleset = ruleset_from_folder(FOLDERS[0])
    assert placed_items(ruleset) is placed_items(ruleset)
    first = placed_items(ruleset)[0]
    assert first.declares is first.declares
    assert first.edits is first.edits


def test_margins_and_places_do_not_count() -> None:
    here = Span.at("a.rules", 3, 4)
    noted = tree.Row(tree.Int(1, span=here), None, (tree.Ruling("x"),), span=here)
    plain = tree.Row(tree.Int(1), None)
    assert noted != plain
    assert bare(noted) == plain
    assert comparable(tree.Rows((noted,))) == tree.Rows((plain,))


def test_a_call_is_the_same_as_statement_and_as_expression() -> None:
    call = tree.Block((tree.Call("pay", (tree.Name("me"),)),))
    assert comparable(call) == comparable(tree.Apply("pay", (tree.Name("me"),)))
    assert comparable(tree.Block((tree.Call("stop", ()),))) == tree.Name("stop")


def test_what_cannot_stand_there_is_refused() -> None:
    step = tree.Step(tree.Word("a"), None, None, None, tree.Block(()))
    assert with_part(step, "", tree.Int(3)) is None
    phase = tree.Phase(tree.Word("p"), None, None, False, None, None, ())
    assert with_part(phase, "for", tree.Int(3)) is None
    needs = tree.Needs(tree.Word("n"), None, tree.Bool(True))
    assert with_part(needs, "", tree.Block(())) is None
    assert with_part(needs, "", "any number") is None
