"""Records: written while a game is played, and played again to the same states."""

from __future__ import annotations

import json
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.small_games import prepared, program, ruleset

from houserule.base.source import Source
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.choices import (
    Answered,
    Choice,
    Done,
    Picked,
    Shared,
)
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.records import records
from houserule.play.records.choice_words import choice_of, words_of
from houserule.play.records.hashes import Digest, outcome_words, state_hash
from houserule.play.records.reading import ParsedRecord, read_record
from houserule.play.records.records import HASH_EVERY, Recorder, replay


def recorded(seed: int, *, steps: int = 10_000) -> str:
    table, rules = prepared("market")
    game = ReferenceGame.start(rules, seed)
    recorder = Recorder(rules, table, seed, players=["random", "random"])
    bots = seat_bots(["random"], rules.seats, seed, 0)
    while game.decision is not None and recorder.choices < steps:
        decision = game.decision
        choice = bots[decision.seat].choose(game)
        game.choose(choice)
        recorder.note(decision, choice, game)
    if game.outcome is not None:
        recorder.finish(game)
    return recorder.text


def read(text: str) -> ParsedRecord:
    record, faults = read_record(Source("a.jsonl", text))
    assert not faults
    assert record is not None
    return record


@given(st.integers(0, 2**64 - 1))
@settings(max_examples=15)
def test_a_record_replays_to_the_same_end(seed: int) -> None:
    game, difference = replay(read(recorded(seed)), program("market"))
    assert difference is None
    assert game is not None
    assert game.outcome is not None


def test_the_same_game_gives_the_same_bytes() -> None:
    assert recorded(5) == recorded(5)
    assert recorded(5) != recorded(6)


def test_a_record_of_a_game_left_early_replays() -> None:
    record = read(recorded(5, steps=7))
    assert record.end is None
    game, difference = replay(record, program("market"))
    assert difference is None
    assert game is not None
    assert game.outcome is None


def test_states_are_hashed_now_and_then() -> None:
    record = read(recorded(5))
    hashed = [taken.n for taken in record.taken if taken.state]
    assert hashed == list(range(HASH_EVERY, len(record.taken) + 1, HASH_EVERY))


def test_choices_are_in_the_words_of_the_rules() -> None:
    said = [taken.do for seed in range(6) for taken in read(recorded(seed)).taken]
    blocks = [each for each in said if isinstance(each, dict)]
    kinds = {word for word in said if isinstance(word, str)}
    kinds |= {word for block in blocks for word in block}
    assert kinds >= {"done", "sell", "choose", "share", "answer", "gamble"}


@given(st.integers(0, 300))
@settings(max_examples=25)
def test_every_choice_can_be_said_and_read(seed: int) -> None:
    rules = program("market", 3)
    game = ReferenceGame.start(rules, seed)
    bots = seat_bots(["random"], rules.seats, seed, 0)
    while game.decision is not None:
        decision = game.decision
        choice = bots[decision.seat].choose(game)
        said = json.loads(json.dumps(words_of(choice, decision.site, rules)))
        assert choice_of(said, decision.site, rules) == choice
        game.choose(choice)


@pytest.mark.parametrize(
    "said",
    [
        "sel",
        {"sell": {"c": "slik"}},
        {"sell": {"card": "silk"}},
        {"choose": ["silk", "tin"]},
        {"share": {"ruby": 1}},
        {"name_price": {"n": 9}},
        {"sell": {}, "draw": {}},
        7,
    ],
)
def test_a_choice_that_means_nothing_is_refused(said: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        choice_of(said, "give.thanks", program("market"))  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (Done(), "done"),
        (Answered(True), {"answer": True}),
        (Picked(None), {"choose": None}),
        (Picked((3,)), {"choose": ["tea"]}),
    ],
)
def test_choices_in_words(choice: Choice, said: object) -> None:
    assert words_of(choice, "give.thanks", program("market")) == said


def test_a_share_in_words() -> None:
    said = words_of(Shared(((0, 1), (1, 2))), "stake.put", program("market"))
    assert said == {"share": {"amber": 1, "jade": 2}}


def altered(text: str, line: int, **values: object) -> str:
    lines = text.split("\n")
    lines[line] = json.dumps({**json.loads(lines[line]), **values})
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("line", "values", "choice", "word"),
    [
        (4, {"at": "nowhere"}, 4, "nowhere"),
        (4, {"seat": "p9"}, 4, "p9"),
        (4, {"do": {"sell": {"c": "nothing"}}}, 4, "means nothing"),
        (4, {"do": {"name_price": {"n": 1}}}, 4, "refused"),
        (HASH_EVERY, {"state": "0" * 16}, HASH_EVERY, "0000"),
        (-2, {"state": "0" * 16}, None, "last state"),
        (-2, {"winners": ["p1", "p2"]}, None, "The end"),
    ],
)
def test_the_first_difference_is_found(
    line: int, values: dict[str, object], choice: int | None, word: str
) -> None:
    record = read(altered(recorded(5), line, **values))
    _, difference = replay(record, program("market"))
    assert difference is not None
    assert difference.choice == (choice or len(record.taken))
    assert word in difference.message


@pytest.mark.parametrize(
    "text",
    ["", "{}\n", "nonsense\n", recorded(5).replace('"n": 3', '"n": 0')],
    ids=["empty", "no head", "no JSON", "a wrong number"],
)
def test_what_is_no_record_is_said(text: str) -> None:
    record, faults = read_record(Source("a.jsonl", text))
    assert record is None
    assert [each.code for each in faults] == ["E080"]


def test_the_golden_record_is_played_at_its_own_table() -> None:
    path = ruleset("market").folder / "playthroughs" / "evening.jsonl"
    record = read(path.read_text("utf-8"))
    assert record.table.variants == {"dear_cards"}
    assert record.table.options["goal"] == 20


def test_hashes_say_which_state_it_is() -> None:
    one, other = (
        ReferenceGame.start(program("market"), 1),
        ReferenceGame.start(program("market"), 2),
    )
    assert state_hash(one) == state_hash(one.clone())
    assert state_hash(one) != state_hash(other)
    assert outcome_words(None) == "open"
    apart, together = Digest(), Digest()
    apart.add("a")
    apart.add("b")
    together.add("ab")
    assert str(apart) != str(together)


def test_a_record_that_goes_back_often_keeps_few_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(records, "KEPT_AT_MOST", 3)
    head, *lines = recorded(5).splitlines()
    many, by = min(30, len(lines) - 1), json.loads(lines[0])["seat"]
    back = [
        each
        for stand in range(many - 1, 0, -1)
        for each in (json.dumps({"undo": stand, "by": by}), lines[stand])
    ]
    head = head.replace('"version": 1', '"version": 2')
    record = read("\n".join([head, *lines[:many], *back, *lines[2:]]) + "\n")
    games = weakref.WeakSet[ReferenceGame]()
    most = 0

    def clone(game: ReferenceGame) -> ReferenceGame:
        nonlocal most
        copy = usual(game)
        games.add(copy)
        most = max(most, len(games))
        return copy

    usual = ReferenceGame.clone
    monkeypatch.setattr(ReferenceGame, "clone", clone)
    game, difference = replay(record, program("market"))
    assert difference is None
    assert game is not None
    assert game.outcome is not None
    assert most < 8
