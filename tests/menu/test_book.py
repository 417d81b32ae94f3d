"""What the menu says of a house rule in a line reads as a sentence of the rules."""

from __future__ import annotations

import pytest
from tests.support.rulesets import ruleset_from_texts
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ruleset_of

from houserule.ui.configurator.book import house_book

GAME = """game small "Small"
players 2..2
state pot: 0..9 starts as 0
winners: players
phase turn for me in players
  step throwing "Throw the dice": must act once, if possible
  step passing "Pass them on": must act once, if possible
  order throwing then passing
action throw during throwing
  does it: pot becomes 1
action pass during passing
  does it: pot becomes 0
"""


@pytest.mark.parametrize("name", spread(NAMES, 5))
def test_every_shipped_house_rule_says_what_it_is_about(name: str) -> None:
    """The note that the rule begins with says it, or a ruling, in every language."""
    ruleset = ruleset_of(name)
    for language in ruleset.manifest.languages:
        book = house_book(ruleset, language)
        for unit in ruleset.units_of("variant"):
            decided = book.meanings[unit.id].rulings
            assert decided or unit.id in book.openings, unit.id
            line = book.line(unit.id)
            assert line
            assert line == book.openings.get(unit.id, line)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("release order among passing, throwing", "Pass them on; Throw the dice"),
        ("release throwing then passing", "Throw the dice; Pass them on"),
    ],
)
def test_an_order_that_is_released_is_said_with_the_captions_of_its_steps(
    edit: str, said: str
) -> None:
    texts = {
        "game.rules": GAME,
        "free.rules": f'variant free for small "Free"\n{edit}\n',
    }
    book = house_book(ruleset_from_texts(texts), "en")
    assert book.line("free") == f"In any order: {said}"


def test_a_note_says_more_than_captions_if_a_house_rule_begins_with_it() -> None:
    edits = 'needs throw.first "Only first": pot is 0\n'
    note = 'note "Nobody throws twice"\n'
    lines = []
    for text in (edits, note + edits, edits + note):
        texts = {
            "game.rules": GAME,
            "rare.rules": f'variant rare for small "R"\n{text}',
        }
        lines.append(house_book(ruleset_from_texts(texts), "en").line("rare"))
    assert lines == ["Only first", "Nobody throws twice", "Only first"]
