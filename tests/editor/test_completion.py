"""Completion offers what fits at the cursor, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.base.source import Source
from houserule.language.manifest.load import open_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.ui.editor.completion import Completion, complete, complete_yaml

HEAD = 'variant v for pig "V"\n'


@pytest.fixture
def ruleset(pig: Path) -> LoadedRuleset:
    return open_ruleset(pig)


def offered(text: str, ruleset: LoadedRuleset | None) -> list[Completion]:
    row = text.rpartition("\n")[2]
    return complete(
        Source("v.rules", text), text.count("\n") + 1, len(row) + 1, ruleset
    )


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("", "variant game", "needs pot"),
        ("variant v for ", "pig chess", "hold needs"),
        (HEAD, "needs change variant action", "move pot"),
        (HEAD + "ne", "needs", "pot"),
        (HEAD + "requires ", "no_early_hold", "hold pot"),
        (HEAD + "remove ", "hold.bank throw target", "pot.faces me"),
        (HEAD + "remove hold.", "hold.bank hold.something", "throw.bust hold"),
        (HEAD + "default ", "target", "hold throw"),
        (HEAD + "needs ", "hold throw", "pot target"),
        (HEAD + "needs hold.x: ", "pot score target players every", "move Player"),
        (HEAD + "needs hold.x: pot ", "at is less more", "pot move needs"),
        (HEAD + "needs hold.x: pot at ", "least most", "random pot"),
        (HEAD + "needs hold.x: die.", "face", "pot hold"),
        (HEAD + "needs hold.x: every q in players has ", "q pot", "needs"),
        (HEAD + "action leap during ", "deciding turn", "hold pot"),
        (HEAD + "action leap during deciding\n  ", "needs does cost", "move pot"),
        (
            HEAD + "action leap during deciding\n  does it:\n    ",
            "move pot if",
            "needs",
        ),
        (HEAD + "action leap during deciding\n  does it: end ", "turn round", "pot"),
        (HEAD + "state best(p: ", "Player Die", "pot hold"),
        (HEAD + "does hold.x: roll ", "Die", "pot hold"),
        (HEAD + "needs hold.x: pot at least 1 [ruling ", "throw_first", "pot"),
        (HEAD + 'needs hold.x "po', "", "pot needs"),
        (HEAD + "# po", "", "pot needs"),
        (HEAD + "state ", "", "pot needs"),
        (HEAD + "needs hold.x: pot bogus bogus ", "", "pot needs"),
        (HEAD + "---\nru", "rulings", "pot needs"),
    ],
)
def test_what_fits_is_offered(
    ruleset: LoadedRuleset, text: str, wanted: str, unwanted: str
) -> None:
    found = {each.label for each in offered(text, ruleset)}
    assert set(wanted.split()) <= found
    assert found.isdisjoint(unwanted.split())


def test_keywords_need_no_game() -> None:
    assert "at" in {each.label for each in offered("game g\nwarn x: pot ", None)}


def test_forms_have_places_to_fill_in(ruleset: LoadedRuleset) -> None:
    forms = [each for each in offered(HEAD, ruleset) if each.kind == "form"]
    assert {"change", "needs", "value", "phase"} <= {each.label for each in forms}
    inserted = {each.insert for each in forms}
    assert 'needs ${1:name} "${2:caption}": ${3:condition}' in inserted
    inside = offered(HEAD + "needs hold.x: ", ruleset)
    inserted = {each.insert for each in inside if each.kind == "form"}
    assert "sum of ${1:body} for ${2:binders}" in inserted
    assert not any(each.startswith("at most one of") for each in inserted)


LOOKS = "id: pig\nlooks:\n  "
BOARD = "boards:\n  - title: B\n    "


@pytest.mark.parametrize(
    ("schema", "text", "wanted", "unwanted"),
    [
        ("text", "language: de\n", "things actions captions", "language pot"),
        ("text", "language: de\nactions:\n  ", "throw hold", "pot actions"),
        ("text", "actions:\n  hold: Halten\n  th", "throw", "hold pot"),
        ("text", "things:\n  x: X\ncaptions:\n  ho", "hold.bank", "x things"),
        ("text", "language: de\nactions:\n  hold: thr", "", "throw"),
        ("text", "language: de\nnothing:\n  ", "", "throw"),
        ("ruleset", "id: pig\n", "looks boards rules", "id piece rows"),
        ("ruleset", LOOKS, "things signs picture", "boards rows"),
        ("ruleset", f"{BOARD}rows: [1, 3]\n    ", "columns draw", "title rows looks"),
        ("ruleset", f"{BOARD}row_heads: ", "numbers none", "title rows"),
        ("ruleset", "boards:\n  - title: A\n    rows: [1, 2]\n  - ", "rows", "id"),
        ("rulings", "rulings:\n  one:\n    ", "says asks", "rulings"),
        ("rulings", "rulings:\n  one:\n    book: ", "yes no", "says"),
        ("rulings", "rulings:\n  one: # s", "", "says"),
        ("appendix", "rul", "rulings scenarios", "id"),
        ("text", "actions: {throw: Wurf, h", "hold", "throw pot actions"),
        ("text", "actions: {hold: [a, {b: c}]}\n", "things", "actions hold"),
        ("ruleset", "boards: [{rows: [1], title: A}, { ", "rows", "id"),
        ("ruleset", "boards:\n  - {rows: [1, 3], ", "columns draw", "rows id"),
        ("ruleset", "boards:\n  - {row_heads: ", "numbers none", "title rows"),
        ("rulings", "rulings: { one: { asks: 'a, {b', book: ", "yes no", "says"),
        ("rulings", "rulings: { one: { asks: 'a, ", "", "says book"),
        ("rulings", "rulings:\n  one:\n    asks: a {b, ", "", "says"),
    ],
)
def test_a_yaml_file_is_offered_what_it_lacks(
    ruleset: LoadedRuleset, schema: str, text: str, wanted: str, unwanted: str
) -> None:
    row = text.rpartition("\n")[2]
    source = Source("a.yaml", text)
    at = text.count("\n") + 1, len(row) + 1
    offers = complete_yaml(source, *at, ruleset, schema)
    found = {e.label for e in offers}
    assert set(wanted.split()) <= found
    assert found.isdisjoint(unwanted.split())
    typed = row.rpartition(" ")[2]
    assert {e.start for e in offers} <= {at[1] - len(typed)}


def test_keys_behind_the_cursor_are_known(ruleset: LoadedRuleset) -> None:
    source = Source("a.yaml", "actions: { , hold: Halten}\nthings: {x: X}")
    found = complete_yaml(source, 1, 12, ruleset, "text")
    assert [e.label for e in found] == ["throw"]
