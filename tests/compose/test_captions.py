"""A caption may be changed alone; two different ones clash like two values."""

from __future__ import annotations

from tests.support.rulesets import ruleset_from_texts

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.diagnostics.render import Renderer
from houserule.compiler.compose.compose import compose
from houserule.compiler.rules import ChosenTable, Rules
from houserule.language.syntax import tree

GAME = """game pig "Pig"
players 2..4
option target "How far": 20..200 step 10 normally 100
state score(p: Player): 0..205 starts as 0
phase turn for me in players
  step deciding: any number
action hold during deciding
  needs something "Nothing to bank": score(me) at least 1
  does bank: score(me) gains 1
"""


def composed(**variants: str) -> tuple[Rules | None, list[Diagnostic], str]:
    files = {"game.rules": GAME}
    for name, text in variants.items():
        files[f"{name}.rules"] = f'variant {name} for pig "{name.title()}"\n{text}\n'
    ruleset = ruleset_from_texts(files)
    rules, found = compose(ruleset, ChosenTable("pig", 2, frozenset(variants), {}))
    return rules, found, Renderer(ruleset.sources).all(found)


def test_the_condition_stays_as_it_is() -> None:
    rules, found, _ = composed(low='change hold.something "Too little"  ["Play" 3]')
    assert rules is not None
    assert not found
    needs = rules.actions["hold"].clauses[0]
    assert isinstance(needs, tree.Needs)
    assert needs.caption == tree.Text("Too little")
    assert isinstance(needs.condition, tree.Compare)
    record = rules.clauses["hold.something"]
    assert record.caption == "Too little"
    assert [origin.unit for origin in record.changed_by] == ["low"]
    assert record.notes == (tree.Cite(None, "Play", 3),)


def test_what_had_none_gets_one() -> None:
    rules, _, _ = composed(low='change hold "Bank it"\nchange target "So far"')
    assert rules is not None
    assert rules.clauses["hold"].caption == "Bank it"
    assert rules.clauses["target"].caption == "So far"


def test_a_caption_of_one_and_a_raise_of_another_merge() -> None:
    rules, found, _ = composed(
        low='change target "So far"',
        high="raise target by 20",
        same="default target: 90",
    )
    assert rules is not None
    assert not found
    assert rules.clauses["target"].caption == "So far"
    assert rules.options["target"].normally == tree.Int(110)


def test_two_captions_clash() -> None:
    rules, _, told = composed(
        low='change hold.something "Too little"',
        high='change hold.something "Too much"\n'
        "  from score(me) at least 1\n  to score(me) at least 9",
    )
    assert rules is None
    assert (
        told
        == """\
-- CONFLICTING VARIANTS -------------------------------------------------- E201

When "High" and "Low" are both on, I cannot tell how to word hold.something:
they give it different captions.

  high.rules:2
    2 | change hold.something "Too much"
                              ^^^^^^^^^^
  low.rules:2
    2 | change hold.something "Too little"
                              ^^^^^^^^^^^^
  base rule: game.rules:8
    8 |   needs something "Nothing to bank": score(me) at least 1
                          ^^^^^^^^^^^^^^^^^

Neither file is "later": order never decides in this language. Choose one:

  1. Let high win at tables with both (a bridge, in a new file):
       bridge high, low for pig [ruling NAME]
       mute low at hold.something
  2. Forbid the pair: in the file of high add    excludes low
  3. If they mean the same, give both the same caption."""
    )


def test_where_the_values_clash_captions_are_not_told_besides() -> None:
    _, found, _ = composed(
        low='change hold.something "A" from score(me) at least 1 to yes',
        high='change hold.something "B" from score(me) at least 1 to no',
        more='change hold.something "C"',
    )
    assert [each.code for each in found] == ["E201"]
    assert "change it differently" in found[0].message
