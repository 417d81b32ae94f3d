"""The messages about clashes, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.base.diagnostics.render import Renderer
from houserule.compiler.compose.compose import compose
from houserule.compiler.family.findings import Where
from houserule.compiler.rules import ChosenTable

if TYPE_CHECKING:
    from houserule.base.diagnostics.diagnostic import Diagnostic
    from houserule.language.manifest.ruleset import LoadedRuleset

GAME = """game slope "Slope"
players 2..4
option steepness: 1..9 normally 3
value height(n: 0..9): 0..9 = n
phase turn for me in players
  step walking: any number
  step sliding: any number
  order walking then sliding
action slide(origin, target in 0..9) during sliding
  needs downhill "Only downhill": height(target) at most height(origin)
  does move: end turn
"""

FILES = {
    "game.rules": GAME,
    "variants/harder.rules": """variant harder for slope "Harder sliding"
change slide.downhill "Really downhill"
  from height(target) at most height(origin)
  to height(target) less than height(origin)
""",
    "variants/softer.rules": """variant softer for slope "Softer sliding"
change slide.downhill "Anywhere"
  from height(target) at most height(origin)
  to yes
""",
    "variants/flat.rules": """variant flat for slope "Flat land"
remove slide.downhill
""",
    "variants/eager.rules": """variant eager for slope "Eager sliding"
order sliding then walking
change bonus.owed from 1 to 2
""",
    "variants/bonus.rules": """variant bonuses for slope "Bonuses"
value bonus_height: 0..9 = 1
action bonus during walking
  limit owed: at most once each turn
  does take: end turn
""",
    "variants/late.rules": """variant late for slope "Late"
change steepness from 2 to 4
""",
}


@pytest.fixture(scope="module")
def slope() -> LoadedRuleset:
    return ruleset_from_texts(FILES)


def message(ruleset: LoadedRuleset, code: str, *variants: str) -> str:
    """Return the one message of a code, as it is drawn."""
    table = ChosenTable(ruleset.id, 2, frozenset(variants), {})
    _, found = compose(ruleset, table)
    (one,) = [each for each in found if each.code == code]
    return drawn(ruleset, one)


def drawn(ruleset: LoadedRuleset, diagnostic: Diagnostic) -> str:
    return Renderer(ruleset.sources).full(diagnostic)


def test_two_values(slope: LoadedRuleset) -> None:
    assert message(slope, "E201", "harder", "softer") == (
        """\
-- CONFLICTING VARIANTS -------------------------------------------------- E201

When "Harder sliding" and "Softer sliding" are both on, I cannot tell what
slide.downhill is: they change it differently.

  variants/harder.rules:4
    4 |   to height(target) less than height(origin)
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  variants/softer.rules:4
    4 |   to yes
             ^^^
  base rule: game.rules:10
    10 |   needs downhill "Only downhill": height(target) at most height(origin)
                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

Neither file is "later": order never decides in this language. Choose one:

  1. Let harder win at tables with both (a bridge, in a new file):
       bridge harder, softer for slope [ruling NAME]
       mute softer at slide.downhill
  2. Forbid the pair: in the file of harder add    excludes softer
  3. If they mean the same, give both the same value."""
    )


def test_changed_and_removed(slope: LoadedRuleset) -> None:
    assert message(slope, "E202", "harder", "flat") == (
        """\
-- CHANGED AND REMOVED --------------------------------------------------- E202

When "Flat land" and "Harder sliding" are both on, "Harder sliding" changes
slide.downhill, and "Flat land" removes it.

  variants/flat.rules:2
    2 | remove slide.downhill
               ^^^^^^^^^^^^^^
  variants/harder.rules:2
    2 | change slide.downhill "Really downhill"
               ^^^^^^^^^^^^^^

Neither file is "later": order never decides in this language. Choose one:

  1. Let flat win at tables with both (a bridge, in a new file):
       bridge flat, harder for slope [ruling NAME]
       mute harder at slide.downhill
  2. Forbid the pair: in the file of flat add    excludes harder"""
    )


def test_an_edit_without_its_variant(slope: LoadedRuleset) -> None:
    assert message(slope, "E101", "eager") == (
        """\
-- EDIT TARGET NOT FOUND ------------------------------------------------- E101

"Eager sliding" changes bonus.owed, but that clause exists only while "Bonuses"
is on.

  variants/eager.rules:3
    3 | change bonus.owed from 1 to 2
               ^^^^^^^^^^

Did you mean one of these?

  1. Only if it exists:            with bonuses:
                                     change bonus.owed ...
  2. It cannot be played without:  requires bonuses
  3. Another name:                 bonus, bonus.take   (closest)"""
    )


def test_a_stale_edit(slope: LoadedRuleset) -> None:
    assert message(slope, "E102", "late") == (
        """\
-- EDIT OUT OF DATE ------------------------------------------------------ E102

"Late" expects steepness to be 2, but it is now 3.

  variants/late.rules:2
    2 | change steepness from 2 to 4
                              ^ now it is `3`
  base rule: game.rules:3
    3 | option steepness: 1..9 normally 3
                                        ^

Nothing was applied. If the variant is now part of the base, delete this line;
otherwise write the new starting value after "from".

One way out:

  default steepness: 4"""
    )


def test_a_circle(slope: LoadedRuleset) -> None:
    assert message(slope, "E204", "eager") == (
        """\
-- CYCLIC ORDER ---------------------------------------------------------- E204

With "Eager sliding" on, these steps each wait for the next:
  sliding before walking    variants/eager.rules:2
  walking before sliding    game.rules:8

  game.rules:8
    8 |   order walking then sliding
                ^^^^^^^^^^^^^^^^^^^^
  variants/eager.rules:2
    2 | order sliding then walking
              ^^^^^^^^^^^^^^^^^^^^

Remove one of these lines, or release it:

  release sliding then walking"""
    )


def test_the_family_adds_where_it_happens() -> None:
    where = Where(frozenset({"deluxe", "late"}), 67584, 270432)
    assert where.details() == (
        "Smallest table with this problem: deluxe + late\n"
        "It happens in 67,584 of 270,432 valid tables.",
    )


def test_a_bridge_that_replaces_a_member_is_told_to_mute_it() -> None:
    files = {
        "bridge.rules": "bridge harder, late for slope [ruling r]\n"
        'change slide.downhill "Never" from height(target) at most height(origin) '
        "to no\n"
    }
    ruleset = ruleset_from_texts(FILES | files)
    text = message(ruleset, "E201", "harder", "late")
    assert "1. Let that bridge mute what it replaces:\n       mute harder at" in text


@pytest.mark.parametrize(
    ("line", "way"),
    [
        (
            "change walking from any number to at most once",
            "walking is a step and has no value of its own; change `walking.mode`.",
        ),
        (
            "change walking from at most once to any number",
            "walking is a step and has no value of its own; change `walking.mode`.",
        ),
        (
            "change turn from players to players but first_of(players)",
            "turn is a phase and has no value of its own; change `turn.for`.",
        ),
        (
            "change slide from 1 to 2",
            "slide is an action and has no value of its own.",
        ),
        (
            "default height: 3",
            "height is a value, and only an option has a default; write "
            "`change height from … to …`.",
        ),
        ("default slide: 3", "slide is an action, and only an option has a default."),
    ],
)
def test_what_an_edit_of_the_wrong_kind_may_mean(line: str, way: str) -> None:
    ruleset = ruleset_from_texts(
        FILES | {"odd.rules": f"variant odd for slope\n{line}"}
    )
    assert f", but {way}" in " ".join(message(ruleset, "E103", "odd").split())
