"""What a game seals stays as it is; what stands beside it is free."""

from __future__ import annotations

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.diagnostics.render import Renderer
from houserule.compiler.compose.compose import compose
from houserule.compiler.family.check import check_family
from houserule.compiler.rules import ChosenTable, Rules

GAME = """game pig "Pig"
players 2..4
sealed Mood, target, worth, hold, bank.gain, throw.d, turn
option target: 20..200 step 10 normally 100
type Mood = calm | wild
dice Die: red, green showing 1..6
state score(p: Player): 0..205 starts as 0
value worth(p: Player): 0..400 = score(p)
  then times doubled, if any
phase turn for me in players
  step deciding: any number
  step resting: any number
action throw during deciding
  cost luck(d in Die): roll d
  does roll: roll Die
action hold during deciding
  needs something "Nothing to bank": score(me) at least 1
  does bank: bank(me)
effect bank(p: Player)
  does gain: score(p) gains 1
"""

REFUSED = (
    "change hold.something from score(me) at least 1 to yes",
    'change hold.something "Other words"',
    "change hold.during from deciding to resting",
    "or hold.something.once: yes",
    "remove hold.something",
    "remove hold",
    "remove bank",
    "remove throw.luck",
    "change throw.d from Die to {red}",
    "default target: 90",
    "raise target by 10",
    "lower target by 10",
    "change target.range from 20..200 to 20..100",
    "extend Mood with sad",
    "extend worth with plus more, if any, after doubled",
    "multiply worth.doubled(p) called twice: 2",
    "change turn.for from players to players",
    "remove turn",
    "reaction thrift instead of bank\n  does half: score(p) gains 2",
    "reaction thrift instead of bank.gain\n  does half: score(p) gains 2",
)
FREE = (
    "needs hold.late: score(me) at least 2",
    "limit hold.once: at most once each turn",
    "does hold.more: score(me) gains 1",
    "cost hold.luck: roll Die",
    "does bank.more: score(p) gains 1",
    "reaction early before bank.gain\n  does more: score(p) gains 1",
    "reaction late after turn\n  does more: roll Die",
    "reaction rising when worth(p) changes\n  does more: roll Die",
    "step turn.waiting: any number",
    "order deciding then resting",
    "extend worth_2 with plus more, if any, after doubled\n"
    "value worth_2: 0..9 = 3\n  then times doubled, if any",
    "change throw.roll\n  from roll Die\n  to roll red",
    "change deciding.mode from any number to at most once",
    "remove resting",
)


def composed(variant: str, *more: str) -> tuple[Rules | None, list[Diagnostic]]:
    files = {"game.rules": GAME, "v.rules": f'variant v for pig "Calm"\n{variant}\n'}
    files |= {f"{number}.rules": text for number, text in enumerate(more)}
    ruleset = ruleset_from_texts(files)
    names = frozenset(unit.id for unit in ruleset.units_of("variant"))
    rules, found = compose(ruleset, ChosenTable("pig", 2, names, {}))
    seen = {each.code for each in check_family(ruleset).diagnostics}
    assert {each.code for each in found} <= seen | {"W405"}
    return rules, found


@pytest.mark.parametrize("line", REFUSED)
def test_an_edit_of_what_is_sealed_is_refused(line: str) -> None:
    rules, found = composed(line)
    assert rules is None
    assert [each.code for each in found] == ["E214"]
    assert [label.span.file for label in found[0].labels] == ["v.rules", "game.rules"]


@pytest.mark.parametrize("line", FREE)
def test_what_stands_beside_it_is_free(line: str) -> None:
    rules, found = composed(line)
    assert rules is not None
    assert not found


def test_what_variants_put_beneath_it_is_theirs() -> None:
    rules, found = composed(
        "needs hold.late: score(me) at least 2",
        "variant w for pig\nrequires v\n"
        "change hold.late from score(me) at least 2 to score(me) at least 3",
        "bridge v, w for pig [ruling r]\nor hold.late.once: yes",
    )
    assert rules is not None
    assert not found


def test_bridges_are_refused_as_well() -> None:
    _, found = composed(
        "needs throw.once: yes",
        "variant w for pig\nneeds throw.twice: yes",
        "bridge v, w for pig [ruling r]\nremove bank.gain\nmute v at target",
    )
    assert [each.code for each in found] == ["E214", "E101", "E214"]


def test_the_game_may_edit_what_it_seals_itself() -> None:
    own = """with v:
  change bank.gain
    from score(p) gains 1
    to score(p) gains 2
"""
    files = {"game.rules": GAME + own, "v.rules": "variant v for pig\n"}
    ruleset = ruleset_from_texts(files)
    rules, found = compose(ruleset, ChosenTable("pig", 2, frozenset("v"), {}))
    assert rules is not None
    assert not found


def test_a_seal_is_no_rule_of_its_own() -> None:
    prints = set()
    for text in (
        GAME,
        "".join(line for line in GAME.splitlines(True) if "sealed" not in line),
    ):
        rules, _ = compose(
            ruleset_from_texts({"game.rules": text}),
            ChosenTable("pig", 2, frozenset(), {}),
        )
        assert rules is not None
        prints.add(rules.fingerprint)
    assert len(prints) == 1


def told(variant: str) -> str:
    files = {"game.rules": GAME, "v.rules": f'variant v for pig "Calm"\n{variant}\n'}
    ruleset = ruleset_from_texts(files)
    _, found = compose(ruleset, ChosenTable("pig", 2, frozenset("v"), {}))
    return Renderer(ruleset.sources).all(found)


def test_an_edit_of_a_sealed_clause_as_a_whole() -> None:
    assert (
        told("change hold.something from score(me) at least 1 to yes")
        == """\
-- CLAUSE IS SEALED ------------------------------------------------------ E214

"Calm" changes hold.something, but hold is sealed.

  v.rules:2
    2 | change hold.something from score(me) at least 1 to yes
               ^^^^^^^^^^^^^^
  sealed here: game.rules:3
    3 | sealed Mood, target, worth, hold, bank.gain, throw.d, turn
                                    ^^^^

A sealed clause is the same at every table.

Ways out:

  1. Add a condition of your own:  needs hold.NAME: ...
  2. If variants may change it, take hold out of this line:  sealed ..."""
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("remove bank", '"Calm" removes bank, and with it bank.gain, which is sealed.'),
        (
            "reaction thrift instead of bank\n  does half: score(p) gains 2",
            '"Calm" replaces bank, and with it bank.gain, which is sealed.',
        ),
        ("default target: 90", "a default for target, but that clause is sealed."),
        (
            "remove bank.gain",
            "Let more happen around it:  reaction NAME after bank.gain",
        ),
        ("sealed throw.roll", '"Calm" seals throw.roll, but only the game itself'),
    ],
)
def test_the_words_of_other_refusals(line: str, words: str) -> None:
    assert words in told(line)


def test_a_seal_of_nothing() -> None:
    game = GAME.replace("bank.gain", "bank.gian")
    ruleset = ruleset_from_texts({"game.rules": game})
    found = check_family(ruleset).diagnostics
    assert [each.code for each in found] == ["E101"]
    assert found[0].message == "The game seals bank.gian, but it has no such clause."
    assert found[0].fixes == ("Another name:  bank.gain, bank   (closest)",)
