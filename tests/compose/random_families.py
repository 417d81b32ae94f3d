"""Families made at random: a small base game, and variants that edit it blindly."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.support.rulesets import ruleset_from_texts

if TYPE_CHECKING:
    from houserule.language.manifest.ruleset import LoadedRuleset, Plain

BASE = """\
game pig
players 2..6
option target: 20..200 step 10 normally 100
option hold_from: 0..20 normally 0
dice Die: die showing 1..6
type Mood = calm | wild
component Card from "cards.yaml"
  rank: 1..8
state score(p: Player): 0..205 starts as 0
state pot: 0..205 each turn starts as 0
value worth(p: Player): 0..400 = score(p)
  then times doubled, if any
  then plus added, if any
value bold: yes or no = pot at least 10
winners: those p in players with most score(p)
phase round until some p in players has score(p) at least target, at most 1000 times
  phase turn for me in players
    step asking: any number
    step deciding: any number
    step boasting: any number
    step paying: pot gains 0
    order asking then deciding then boasting then paying
action throw(d in Die) during deciding
  cost luck: pot loses 0
  needs short "You have enough": score(me) + pot less than target
  does roll: roll Die
action hold during deciding
  needs something: pot at least 1
  does bank: bank(me)
effect bank(p: Player)
  does gain: score(p) gains pot
"""

STEPS = ("asking", "deciding", "boasting", "paying", "resting", "shop", "buying")
NAMES = ("resting", "greed", "calm", "lucky")


def random_family(seed: int, size: int = 5, lines: int = 3) -> LoadedRuleset:
    """Return a family of `size` variants; many of them do not go together."""
    random = Random(seed)
    names = [f"v{i}" for i in range(size)]
    files = {"game.rules": BASE + _closings(random, names)}
    for name in names:
        text = f"variant {name} for pig\n"
        text += _relations(random, name, names)
        text += "".join(_line(random, name, names) for _ in range(lines))
        files[f"variants/{name}.rules"] = text
    for number in range(random.randrange(3)):
        one, other = random.sample(names, 2)
        text = f"bridge {one}, {other} for pig [ruling r]\n"
        text += f"mute {one} at {random.choice(TARGETS)}\n"
        files[f"bridges/{number}.rules"] = text + _line(random, "b", names)
    tables: dict[str, list[dict[str, Plain]]] = {
        "cards.yaml": [{"id": "guard", "rank": 1}],
        "more.yaml": [{"id": "spy", "rank": 4}],
    }
    return ruleset_from_texts(files, tables)


def _closings(random: Random, names: list[str]) -> str:
    """Return seals of some clauses, and a group of some variants, or nothing."""
    lines = [
        f"sealed {', '.join(random.sample(SEALED, random.randrange(1, 4)))}",
        f"at most one of speed: {', '.join(random.sample(names, 2))}",
        "exactly one of mood: v0, v1, v2",
    ]
    chosen = [line for line in lines if random.random() < 0.3]
    return "".join(f"{line}\n" for line in chosen)


def _relations(random: Random, name: str, names: list[str]) -> str:
    others = [each for each in names if each != name]
    kind = random.choice(["requires", "implies", "excludes", "", "", "", "players"])
    if kind == "players":
        return f"needs players {random.choice(['2..3', '4..6', '3..5', '7..8'])}\n"
    return f"{kind} {random.choice(others)}\n" if kind else ""


TARGETS = (
    "throw.short",
    "hold.something",
    "throw.during",
    "throw.luck",
    "bold",
    "worth",
    "greed",
    "resting",
    "boasting",
    "throw",
    "lucky.more",
    "turn",
    "bank.gain",
    "shop",
    "players",
    "Card.rank",
    "Card.guard.rank",
)
SEALED = (
    "throw.short",
    "hold",
    "throw.luck",
    "bold",
    "worth",
    "worth.doubled",
    "bank.gain",
    "boasting",
    "turn",
    "turn.for",
    "target",
    "Mood",
    "greed",
    "players",
    "Card.rank",
)
CHANGES = (
    'change throw.short "Never"',
    'change throw.short "Not now"',
    'change hold.something "Not now"',
    'change target "How far"',
    'change throw.at "Nowhere"',
    "change throw.short from score(me) + pot less than target to yes",
    'change throw.short "Never" from score(me) + pot less than target to no',
    'change throw.short "Never" from score(me) less than target to no',
    "change hold.something from pot at least 1 to pot at least 2",
    "change throw.at from deciding to asking",
    "change throw.at from deciding to turn",
    "change bold from pot at least 10 to pot at least 20",
    "change greed from 3 to 4",
    "change target from 100 to 120",
    "change Card.guard.rank from 1 to 2",
    "change Card.guard.rank from 1 to 3",
    "change Card.guard.rank from 2 to 3",
    "change Card.spy.rank from 4 to 5",
    "change Card.rank from 1..8 to 0..9",
    "change Card.rank from 1..8 to rank",
    "change throw.d from Die to 1..2 of Die",
    "change throw.d from Die to part of Die",
    "change throw.d from part of Die to Die",
    "change throw.d from Die to Die but {}",
    "change players from 2..6 to 2..8",
    "change players from 2..6 to 5..7",
    "change players from 2..6 to 1..2",
    "change players from 2..4 to 2..5",
    "change players from 2..6 to target",
)
DECLARED = (
    "value greed: 0..9 = 3",
    "value greed: 0..9 = 4",
    "state lucky: yes or no starts as no",
    "step turn.resting: any number",
    "step turn.resting if pot is 0: pot gains 0",
    "phase turn.resting",
    "phase turn.shop for guest in players\n  step buying: pot gains 0",
    "phase shop.stall\n  step buying: pot gains 0",
    "phase stall.shop",
    "extend Mood with lucky",
    "extend Mood with sad",
    'extend Card with rows "more.yaml"',
    "extend worth with plus taxed, if any, before doubled",
    "extend worth with at most capped, if any, after added",
    "extend worth with times lent, if any, after doubled",
    "multiply worth.doubled(p) called twice: 2",
    "add to worth.taxed(p) called tax: 1",
    "always steady: pot at least 0",
    "needs throw.lucky: yes",
    "needs throw.lucky: no",
    "needs lucky.more: yes",
    "cost hold.token: pot loses 1",
    "needs resting.calm: bold",
    "reaction cheer after bank.gain\n  does pot: pot becomes 0",
    "reaction lucky when worth(p) changes from old to new\n  does more: pot becomes 0",
)
EDITS = (
    "or throw.short.often: bold",
    "or hold.something.often: greed at least 1",
    "raise hold_from by 1",
    "raise greed by 1",
    "raise Card.guard.rank by 1",
    "lower target by 10",
    "default target: 150",
    "default greed: 5",
    "sealed greed",
)


def _line(random: Random, name: str, names: list[str]) -> str:
    kind = random.randrange(10)
    if kind < 3:
        line = random.choice(CHANGES)
    elif kind < 5:
        line = random.choice(DECLARED)
    elif kind < 6:
        line = random.choice(EDITS)
    elif kind < 7:
        line = f"remove {random.choice(TARGETS)}"
    elif kind < 9:
        line = _order(random)
    else:
        inside = _line(random, name, names).rstrip("\n").replace("\n", "\n  ")
        return f"with {random.choice(names)}:\n  {inside}\n"
    return line + "\n"


def _order(random: Random) -> str:
    one, other, third = random.sample(STEPS, 3)
    return random.choice(
        [
            f"order {one} then {other}",
            f"order {one} then {other} then {third}",
            f"release {one} then {other}",
            f"release order among {one}, {other}, {third}",
        ]
    )
