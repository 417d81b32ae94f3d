"""One game of a table, on both engines, and all who look at it.

A choice is clicked together in steps. At each decision every watcher looks at the same
game; then both engines make the choice, and their states are compared. What is told
meanwhile has nothing raw, and the record is played again to the same end.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from random import Random
from typing import Any

import pytest
from tests.narrate.test_nothing_raw import raw_lines
from tests.support.clicking import chooser, clicked, rules_at
from tests.support.compare import Pair, machine_of
from tests.support.engines import first_of, machine_at
from tests.support.mutants import mutated
from tests.support.rules_cases import CASES, cases_in
from tests.support.rulesets import ruleset_from_texts
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ShippedTable, presets, tables, telling

from houserule.base.source import Source
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.state.faults import RuleFault
from houserule.play.records.reading import read_record
from houserule.play.records.records import Recorder, replay
from houserule.play.seat.choosing import Chooser, NoSuchChoice
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import ChoiceStep

from . import watchers
from .watchers import WATCHERS, At, Kept

SLOW = ("chess", "go")  # a position takes as long as four of others


def play(
    rules: TableRules, machine: CompiledMachine, seed: int, most: int, kept: Kept
) -> None:
    """Play one game before all watchers, for so many decisions."""
    luck = Random(seed)
    pair = Pair(rules.program, machine, seed)
    recorder = Recorder(rules.program, rules.chosen, seed)
    game, languages = pair.game, rules.ruleset.manifest.languages
    assert game is not None
    words = {each: rules.wording(each) for each in ("en", *languages)}
    narrators = {each: rules.narrator(each) for each in languages}
    for number in range(first := kept.seen["decisions"], first + most):
        for language, narrator in narrators.items():
            told = list(narrator.news(game))
            assert raw_lines(told, language) == []
            assert not [line for line in told if "→" in line], "a general line"
        decision, steps = game.decision, list[ChoiceStep]()
        if decision is None:
            recorder.finish(game)
            break
        clicker = chooser(rules, game, words[languages[number % len(languages)]])

        def look(_: Chooser, step: ChoiceStep, to: list[ChoiceStep] = steps) -> None:
            to.append(step)

        choice = clicked(clicker, luck, look)
        at = At(rules, pair, number, words["en"], clicker, steps, choice, kept, luck)
        for watch in WATCHERS:
            watch(at)
        kept.seen["decisions"] += 1
        pair.choose(decision.options.number(choice))
        recorder.note(decision, choice, game)
    record, faults = read_record(Source("a.jsonl", recorder.text))
    assert record is not None, faults
    again, difference = replay(record, rules.program)
    assert difference is None
    assert again is not None
    assert again.save() == game.save()


def play_at(table: ShippedTable, seed: int, most: int) -> Kept:
    """Play games at a shipped table until there were so many decisions."""
    kept, most = Kept(), most // 4 if table.game in SLOW else most
    while (left := most - kept.seen["decisions"]) > 0:
        play(rules_at(table), machine_at(table), seed, left, kept)
        seed += 1
    return kept


@pytest.mark.parametrize("table", [presets(game)[-1] for game in NAMES], ids=str)
def test_the_largest_table(table: ShippedTable) -> None:
    kept = play_at(table, 5, 40)
    assert kept.seen["looks different"]


@pytest.mark.parametrize("game", spread(NAMES, 2))
def test_the_game_without_house_rules(game: str) -> None:
    kept = play_at(first_of(game), 11, 30)
    assert kept.seen["judged"] or game in {"go", "pig"}
    if game in {"x_pasch", "guild_street"}:
        assert kept.seen["refused"]


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(telling, stride=1))
def test_every_table(table: ShippedTable) -> None:
    """The presets, nothing and everything on, and every pair of variants."""
    play_at(table, 3, 600)


# ---- what it sees


@pytest.mark.parametrize("mutant", cases_in(CASES / "play"))
def test_a_mutant_is_caught(
    mutant: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, watcher = mutant["game"], getattr(watchers, mutant["caught_by"])
    table = presets(game)[-1] if mutant.get("largest") else first_of(game)
    monkeypatch.setattr(sys.modules[__name__], "WATCHERS", (watcher,))
    with (
        mutated(mutant["module"], mutant["right"], mutant["instead"]),
        pytest.raises((AssertionError, NoSuchChoice, RuleFault, ValueError)),
    ):
        play_at(table, 11, 60)


LEAKY = """
game t
players 2..2
dice Cup for each owner: Player, nr: 1..2 showing 1..6 seen only by owner
state turns: 0..40 starts as 0
winners: players
phase round for n in 1..20
  step shaking: roll Cup
  phase turn for me in players
    step acting: at most once
  order shaking then turn
action a during acting
  needs high: (sum of d.face for d in Cup where d.owner is WHO) at least 7
  does it: turns gains 1
"""


@pytest.mark.parametrize(("who", "leaky"), [("me", False), ("not me", True)])
def test_what_only_others_see_does_not_decide(
    who: str, *, leaky: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the static check that forbids it, a watcher tells."""
    monkeypatch.setattr(
        "houserule.compiler.lower.analysis.visibility", lambda *_: iter(())
    )
    monkeypatch.setattr(
        sys.modules[__name__], "WATCHERS", (watchers.options_tell_nothing,)
    )
    ruleset = ruleset_from_texts({"game.rules": LEAKY.strip().replace("WHO", who)})
    found = prepare(ruleset, TableChoice())
    assert found.program is not None
    assert found.table is not None
    rules, machine = (
        TableRules(ruleset, found.table, found.program),
        machine_of(found.program),
    )
    with pytest.raises(AssertionError) if leaky else nullcontext():
        play(rules, machine, 1, 40, Kept())
