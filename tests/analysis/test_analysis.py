"""Analyses: blunders are found with what was better, and nothing is made of noise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from pathlib import Path
from random import Random

import pytest
from tests.seat.twins import Twins, reseeded, twins_in
from tests.support.mutants import mutated
from tests.support.small_games import program

import houserule
from houserule.base.resources import LANGUAGES
from houserule.engine.bots.objective import Objective, Passes
from houserule.engine.bots.search import Search
from houserule.engine.compiled.bots.compiled_bots import Aimed, CompiledThinker
from houserule.engine.compiled.bots.route import Track
from houserule.engine.compiled.memory.entering import can_enter
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.study.analysis.analyse import BAD, Analysing, NotFinishedError, Wanted
from houserule.study.analysis.analysis_model import AnalysedChoice, Analysis
from houserule.study.analysis.measuring import Duel, Gauge
from houserule.study.analysis.report import draw, told

ROOT = Path(__file__).parents[2]
Heaps = list[int]


def best_take(heaps: Heaps) -> tuple[int, int]:
    """Return a heap and how many to take, so that all heaps together are even."""
    together = reduce(xor, heaps)
    for heap, sticks in enumerate(heaps):
        if sticks ^ together < sticks:
            return heap, sticks - (sticks ^ together)
    largest = heaps.index(max(heaps))
    return largest, 1


def nim(takes: Sequence[tuple[int, int]] = ()) -> houserule.Record:
    """Return a game of Nim that begins with some takes, and is played well then."""
    game = houserule.load("nim").table().start(seed=1)
    heaps, wanted = [3, 4, 5], list(takes)
    while game.decision:
        heap, number = wanted.pop(0) if wanted else best_take(heaps)
        heaps[heap] -= number
        game.choose({"take": {"h": heap + 1, "n": number}})
    return game.record(["ann", "bob"])


def blunder() -> AnalysedChoice:
    """Return what is found of a lost beginning, 5 sticks of the largest heap."""
    return nim([(2, 5)]).analyse("search:4000", seat="p1").choices[0]


def blunder_is_found() -> None:
    found = blunder()
    assert found.verdict == "bad"
    assert found.better is not None
    assert found.better.do == {"take": {"h": 1, "n": 2}}
    assert found.compared is not None
    assert found.compared.low > BAD
    assert found.value is not None
    assert found.value < 0.3 < found.better.value


def test_a_blunder_is_found_with_what_was_better() -> None:
    blunder_is_found()


@pytest.mark.parametrize(
    ("module", "right", "instead"),
    [
        ("study.analysis.measuring", "other - own for", "own - other for"),
        ("study.analysis.measuring", "found[at.seat])", "found[at.seat - 1])"),
        (
            "study.analysis.measuring",
            "reversed(at.numbers), strict",
            "at.numbers, strict",
        ),
        ("study.analysis.analyse", "lost.low <= 0 or", "lost.low > 0 or"),
    ],
)
def test_a_mutant_finds_no_blunder(module: str, right: str, instead: str) -> None:
    with mutated(module, right, instead), pytest.raises(AssertionError):
        blunder_is_found()


def test_a_game_that_is_played_well_loses_nothing() -> None:
    found = nim().analyse("search:4000")
    assert {each.verdict for each in found.choices} <= {"good", "only"}
    assert found.turning == []
    assert [each.loss for each in found.seats] == [0.0, 0.0]
    assert found.final == [1.0, 0.0]
    assert found.leads == []


def test_the_lead_passes_with_a_blunder() -> None:
    found = nim([(0, 2), (1, 1), (2, 1), (2, 4)]).analyse("search:4000")
    assert found.final[0] != found.final[1]
    assert found.turning
    blunders = [each.n for each in found.choices if each.verdict == "bad"]
    assert {each.n for each in found.leads} <= {*blunders}


# ---- how sure it is


def test_intervals_hold_what_other_luck_finds() -> None:
    """Of forty, hardly any is wrong: of so many 95 % intervals more than six seldom."""
    game = ReferenceGame.start(houserule.load("nim").table().program, 1)
    assert game.decision is not None
    found = []
    for seed in range(40):
        expected = Gauge(game.program, 100, seed).expect(game, 1)
        assert expected is not None
        found.append(expected[0])
    truth = sum(each.value for each in found) / len(found)
    wrong = sum(not each.low <= truth <= each.high for each in found)
    assert wrong <= 6
    assert min(each.margin for each in found) > 0


def test_intervals_of_a_loss_hold_what_other_luck_finds() -> None:
    game = ReferenceGame.start(houserule.load("nim").table().program, 1)
    assert game.decision is not None
    wrong = game.decision.options[game.decision.options.count() - 1]
    losses = []
    for seed in range(40):
        found = Gauge(game.program, 60, seed).compare(game, 1, wrong)
        if isinstance(found, Duel):
            losses.append(found.loss)
    assert len(losses) > 20
    truth = sum(each.value for each in losses) / len(losses)
    assert sum(not each.low <= truth <= each.high for each in losses) <= 6


def test_of_two_alike_options_none_is_lost() -> None:
    """From a lost position every take loses: what seems better is not certainly so."""
    record = nim([(0, 2)])
    for seed in range(3):
        found = record.analyse("search:4000", seat="p2", seed=seed).choices[0]
        assert found.verdict == "good"


def test_blunders_in_a_shipped_record() -> None:
    """South of this game of Kalah has the win in hand, twice, and lets it go."""
    path = ROOT / "rulesets" / "kalah" / "playthroughs" / "championship.jsonl"
    found = houserule.read_record(path).analyse("search:500", seat="p1", most=5)
    assert {32, 34} <= {*found.turning}
    for each in (each for each in found.choices if each.n in (32, 34)):
        assert each.better is not None
        assert each.better.do == {"sow": {"h": "p1-4"}}
        assert each.loss > 0.2


# ---- what a seat knows


def some_twins() -> Twins:
    """Return two games that look the same to the seat that chooses next."""
    rules = program("market")
    for seed in range(3, 40):
        for twins in twins_in(rules, seed, 4, 2):
            decision = twins.true.decision
            if decision is None or decision.seat != twins.viewer or not twins.differ:
                continue
            if can_enter(twins.true.machine) and decision.options.count() > 2:
                return twins
    raise AssertionError("no twins")


def nothing_leaks(twins: Twins) -> None:
    found = []
    for game in (twins.true, twins.other):
        assert game.decision is not None
        measuring = Gauge(game.program, 40)
        choice = game.decision.options[0]
        told = measuring.compare(game, 1, choice), measuring.expect(game, 1)
        found.append(told)
    assert found[0] == found[1]


def test_what_is_hidden_changes_nothing_of_an_analysis() -> None:
    nothing_leaks(some_twins())


def test_the_seed_of_the_game_changes_nothing_of_a_blind_analysis() -> None:
    nothing_leaks(reseeded(some_twins()))


def test_a_mutant_that_measures_by_what_is_hidden_is_caught() -> None:
    right = "self._stream(what, number, repeat), Objective(whole=True)"
    # Not `hash`: what it returns for a text differs in each process.
    lying = "int.from_bytes(str(game.machine.store.to_data()).encode()) % 999_983"
    wrong = f"Stream.seeded({lying}, number, what), Objective(whole=True)"
    with (
        mutated("study.analysis.measuring", right, wrong),
        pytest.raises(AssertionError),
    ):
        nothing_leaks(some_twins())


def unfinished() -> houserule.Record:
    game = houserule.load("hearts").table().start(seed=2)
    for _ in range(7):
        game.choose(game.options[0])
    return game.record()


def test_of_a_game_that_goes_on_a_seat_is_told_of_its_own_choices() -> None:
    record = unfinished()
    with pytest.raises(NotFinishedError, match="not over"):
        record.analyse("search:30")
    with pytest.raises(NotFinishedError, match="not over"):
        record.analyse("search:30", seat="p2")
    found = record.analyse("search:30", seat="p2", blind=True)
    assert {each.seat for each in found.choices} == {"p2"}
    assert [each.seat for each in found.seats] == ["p2"]
    assert not found.finished
    assert found.final == []
    lines = told(found, "en", "Hearts", 5).before
    assert any("not over" in line for line in lines)


def test_who_is_to_be_blind_has_a_seat() -> None:
    with pytest.raises(ValueError, match="name the seat"):
        nim().analyse("search:30", blind=True)
    with pytest.raises(ValueError, match="no seat `ann`"):
        nim().analyse("search:30", seat="ann")
    with pytest.raises(ValueError, match=r"not a search.* `search:5000`"):
        nim().analyse("greedy")
    with pytest.raises(ValueError, match="not a search"):
        nim().analyse("search:0.5s")


# ---- the same everywhere


def passes(aimed: Aimed) -> tuple[Passes, Passes]:
    aimed.pass_through(3)
    before = aimed.passes.copy()
    aimed.look_at(200)
    return before, aimed.passes.copy()


@pytest.mark.parametrize("game", ["market", "ferry", "stairs"])
@pytest.mark.parametrize("whole", [False, True])
def test_both_engines_tell_the_same_of_an_option(game: str, whole: bool) -> None:
    rules = program(game)
    thinker, luck = CompiledThinker(rules), Random(3)
    reference = ReferenceGame.start(rules, 4)
    for number in range(6):
        decision = reference.decision
        assert decision is not None
        count = decision.options.count()
        for option in (None, luck.randrange(count)):
            streams = [Stream.seeded(1, number, "test") for _ in range(2)]
            aim = Objective(option, whole)
            told = thinker.tell(reference, streams[0], aim, passes)
            search = Search(reference, decision.seat, streams[1], aim)
            assert told == passes(search)
        reference.choose(decision.options[luck.randrange(count)])


def test_a_decision_within_an_effect_is_told_as_the_reference_engine_does() -> None:
    """Where no game can be entered, the compiled engine goes there from before."""
    rules = houserule.load("guild_street").table().program
    thinker, luck = CompiledThinker(rules), Random(7)
    game, track, seen = ReferenceGame.start(rules, 4), Track(), 0
    while game.decision is not None and seen < 2:
        if not can_enter(game.machine):
            way = track.way(game)
            assert way is not None
            assert thinker.is_quick(game, way)
            streams = [Stream.seeded(1, 0, "test") for _ in range(2)]
            told = thinker.tell(game, streams[0], Objective(0), passes, way)
            assert told == passes(
                Search(game, game.decision.seat, streams[1], Objective(0))
            )
            seen += 1
        before = game.clone()
        assert before.decision is not None
        choice = before.decision.options[
            luck.randrange(before.decision.options.count())
        ]
        game.choose(choice)
        track.note(before, choice)
    assert seen == 2


def test_without_a_compiled_engine_the_reference_engine_searches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CompiledThinker, "_ready", lambda *_, **__: None)
    found = nim([(2, 5), (0, 3)]).analyse("search:150", seat="p1")
    assert found.engine == "reference"
    assert [each.verdict for each in found.choices] == ["good", "good"]
    assert found.choices[1].expected[0].low > 0.5


def test_an_analysis_is_the_same_again_and_fits_its_schema() -> None:
    record = nim([(2, 5)])
    found = record.analyse("search:100")
    assert record.analyse("search:100") == found
    assert record.analyse("search:100", seed=2) != found
    assert Analysis.model_validate(found.model_dump(mode="json")) == found


def test_chance_is_told_apart_where_nothing_is_hidden() -> None:
    game = houserule.load("pig").table(settings={"target": 20}).start(seed=3)
    found = game.play("random").record().analyse("search:50")
    thrown = [each for each in found.choices if each.do == "throw"]
    held = [each for each in found.choices if each.do == "hold"]
    assert all(len(each.luck) == 2 for each in thrown)
    assert not any(each.luck for each in held)
    assert all(each.luck is not None for each in found.seats)
    assert nim().analyse("search:50").seats[0].luck is None


def test_a_one_is_bad_luck() -> None:
    table = houserule.load("pig").table(settings={"target": 20})
    game = table.start(seed=3).play("random")
    found = game.record().analyse("search:200")
    unlucky = [
        each
        for each, after in zip(found.choices, found.choices[1:], strict=False)
        if each.do == "throw" and after.seat != each.seat
    ]
    assert unlucky
    for each in unlucky:
        own = each.luck[found.labels.index(each.seat)]
        assert own.value < 0


# ---- told


def test_an_analysis_is_told_in_every_language() -> None:
    found = nim([(2, 5)]).analyse("search:4000", seat="p1")
    better = found.choices[0].better
    assert better is not None
    for language in LANGUAGES:
        words = told(found, language, "Nim", 5, "evening.jsonl")
        assert len(words.table) == 2
        assert words.table[1][0] == "ann"
        assert any(better.words in line for line in words.after)
        assert "houserule replay evening.jsonl --tell" in words.after[-1]


def test_an_interruption_leaves_what_was_found() -> None:
    record = nim([(2, 5)])
    analysing = begun(record)
    seen = 0

    def tick() -> None:
        nonlocal seen
        seen += 1
        if seen == 2:
            raise KeyboardInterrupt

    assert analysing.go_through(tick) == "interrupt"
    found = analysing.summed(5, "interrupt")
    assert [each.n for each in found.choices] == [1, 2]
    assert found.final == []
    assert any("first 2" in line for line in told(found, "en", "Nim", 5).before)


def begun(record: houserule.Record) -> Analysing:
    rules = record._rules(None)
    analysing = Analysing.begin(record.parsed, rules, Wanted("search:30"))
    assert isinstance(analysing, Analysing)
    return analysing


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    found = nim([(2, 5)]).analyse("search:50")
    file = tmp_path / "game.svg"
    draw(file, found, "Nim", "en")
    text = file.read_text(encoding="utf-8")
    assert "<svg" in text
    draw(file, found, "Nim", "en")
    assert file.read_text(encoding="utf-8") == text
