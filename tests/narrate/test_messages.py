"""Messages know the names of their rule, and are told from the first move on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest
from tests.support.small_games import prepared, ruleset

from houserule.base.resources import data_root
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program
from houserule.language.manifest.load import load_ruleset
from houserule.play.narration.narrator import Narrator
from houserule.play.narration.wording import Wording


def tale(*variants: str, without: str = "") -> list[str]:
    """Return the lines of a game of `tale`, indented; `without` that message."""
    _, program = prepared("tale", TableChoice(with_=variants))
    texts = dict(ruleset("tale").texts["en"])
    texts.pop(f"messages/{without}", None)
    return list(told(Narrator(Wording(program, texts)), program, 1))


def told(narrator: Narrator, program: Program, seed: int) -> Iterator[str]:
    """Yield what is told of a game at random."""
    game = ReferenceGame.start(program, seed, listen=True)
    bots = seat_bots(["random"], program.seats, seed, 0)
    yield from narrator.news(game)
    while game.decision is not None:
        game.choose(bots[game.decision.seat].choose(game))
        yield from narrator.news(game)


def first_round(lines: list[str]) -> list[str]:
    return lines[1 : lines.index("Round 2")]


def test_effects_are_told_before_the_first_decision() -> None:
    lines = tale()
    early = ["  Early on", *["    Bump 1", "    nobody adds 1"]]
    early += ["    Bump 2", "    nobody adds 2"]
    assert lines[1:6] == early
    again = lines.index("Round 2")
    assert lines[again + 1 : again + 6] == early


@pytest.mark.parametrize(
    "line",
    [
        "    Ahead of 1",  # before, by the names of the effect
        "    Nested in 1",  # a hook on a hook, by the names of that one
        "    Instead of 2",
        "    It grew from no to yes",
        "    p1 is greeted",  # a step knows who acts
    ],
)
def test_reactions_know_what_they_react_to(line: str) -> None:
    assert line in first_round(tale("hooked"))


def test_no_message_prints_its_braces() -> None:
    lines = tale("hooked")
    assert not [line for line in lines if re.search(r"\{[a-z_]+\}", line)]


def test_a_reaction_without_a_message_is_told_by_its_caption() -> None:
    assert "    Something comes behind" in first_round(tale("hooked"))
    assert "    It grows" not in tale("hooked")
    assert "    It grows" in first_round(tale("hooked", without="growing.it"))


def test_a_reaction_of_which_nothing_comes_is_not_told_by_its_caption() -> None:
    lines = tale("hooked")
    assert not [line for line in lines if "Nothing comes" in line]
    assert "    This comes in its place" in lines  # for instead of is something


def test_an_empty_message_says_nothing() -> None:
    assert not [line for line in tale("hooked") if not line.strip()]
    assert not [line for line in tale("hooked") if "Bookkeeping" in line]
    assert "    Bookkeeping" in tale("hooked", without="counting")


def told_takeover(*hushed: str) -> list[str]:
    """Return the lines of a game of Takeover, without some of its own texts."""
    shipped, _ = load_ruleset(data_root() / "rulesets" / "takeover")
    assert shipped is not None
    program = prepare(shipped, TableChoice()).program
    assert program is not None
    texts = {k: v for k, v in shipped.texts["en"].items() if k not in hushed}
    return list(told(Narrator(Wording(program, texts)), program, 2))


def test_an_answer_is_told_by_its_message_or_behind_its_question() -> None:
    paid, said = "messages/subsume.pay.paid", "messages/offer.deal.answer"
    own = told_takeover()
    assert any(line.endswith(" says “agreed”") for line in own)
    plain = told_takeover(paid, said)
    asked = "        What do you say? p1: “agreed”"
    assert asked in plain
    assert asked not in own
    assert any(" With which coins do you pay? " in line for line in plain)
    assert not any("chooses" in line for line in own)
    bare = told_takeover(said, "questions/offer.deal.answer")
    assert "        p1 chooses “agreed”" in bare


def test_what_a_merger_costs_is_told() -> None:
    assert (
        "      p1 owes 4 and pays 11 with suns 4, moons 2 and moons 5"
        in told_takeover()
    )


def test_dice_that_were_never_rolled_are_not_told_beside_others() -> None:
    shipped, _ = load_ruleset(data_root() / "rulesets" / "pachisi")
    assert shipped is not None
    program = prepare(shipped, TableChoice()).program
    assert program is not None
    lines = told(Narrator(Wording(program, shipped.texts["en"])), program, 2)
    start = list(islice(lines, 5))
    assert "    p1 rolls 5" in start
