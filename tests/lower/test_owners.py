"""Messages about the place of a clause say what lowering takes."""

from __future__ import annotations

import pytest
from tests.support.lower_cases import checked

from houserule.diagnostics.words import with_article
from houserule.syntax.errors.phrases import place_of
from houserule.syntax.tree.constructs import CLAUSE_ROWS, Construct

CLAUSES = {
    "needs": "needs x: yes",
    "unwise": "unwise x: yes",
    "cost": "cost x: score gains 1",
    "limit": "limit x: 1 each turn",
    "does": "does x: score gains 1",
    "asks": "asks x: players",
    "uses up": "uses up: score",
}
OWNERS = {
    "action": "action a at turn",
    "effect": "effect a",
    "reaction": "after b.what as a",
}
GAME = """\
game g
players 2..2
state score: 0..9 starts as 0
phase turn for me in players until score is 9, at most 9 times
winners: players
action b at turn
  does what: score gains 1
"""


@pytest.mark.parametrize("row", CLAUSE_ROWS, ids=lambda row: row.kind)
@pytest.mark.parametrize("owner", OWNERS)
def test_an_owner_has_the_clauses_that_it_may_have(owner: str, row: Construct) -> None:
    _, faults = checked(f"{GAME}{OWNERS[owner]}\n  {CLAUSES[row.kind]}\n")
    refused = any("cannot stand in" in each.message for each in faults)
    assert refused == (owner not in row.owners)
    word = row.kind.split()[0]
    assert (f" {with_article(owner)}" in place_of(word)) == (owner in row.owners)
