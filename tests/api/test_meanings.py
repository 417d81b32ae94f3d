"""What `explain` says of a value: its definition, then what the layers do to it."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule

FILES = {
    "ruleset.yaml": (
        'id: t\nversion: "1.0"\ntitle: T\nsummary: A game.\nlanguages: [en]\n'
        "rules: [game.rules, dear.rules]\n"
    ),
    "game.rules": (
        "game t\nplayers 2..2\nwinners: players\n"
        "phase turn for me in players\n  step go: exactly once\n"
        "action a at go\n  needs any: price(me) at least 0\n  does it: got gains 1\n"
        "state got: 0..99 starts as 0\n"
        "value price(p: Player): 0..99 = got\n"
        "layer price.twice: times\nlayer price.more: plus after twice\n"
    ),
    "dear.rules": ("variant dear for t\nadjust price.more(p) as upkeep: 2 + seat(p)\n"),
}


@pytest.fixture
def game(tmp_path: Path) -> houserule.Ruleset:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return houserule.load(tmp_path)


def test_layers_are_listed_in_their_order(game: houserule.Ruleset) -> None:
    assert game.table().explain("price").layers == (
        "twice: times nothing at this table",
        "more: plus nothing at this table",
    )
    said = game.table(with_="dear").explain("price")
    assert said.layers[0] == "twice: times nothing at this table"
    assert said.layers[1].startswith("more: plus 2 + seat(p)")
    assert said.layers[1].endswith("(upkeep, from dear)")
    assert f"  layer {said.layers[1]}\n  from: the base game" in str(said)


def test_other_clauses_have_none(game: houserule.Ruleset) -> None:
    assert game.table().explain("a.any").layers == ()
