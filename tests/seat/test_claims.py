"""Claims: nobody sees who could claim, who is asked, or who claimed in vain.

Each seat's options, views, logs and questions are those of a game in which others could
claim nothing, and the seat that is asked next is the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.seat.test_nothing_leaks import rules_of
from tests.seat.twins import asks, looked_at
from tests.support.mutants import mutated

from houserule.engine.bots.imagined import imagine
from houserule.engine.reference.choices import Act, Done
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.play.seat.reasons import SaidTaking, why
from houserule.play.seat.rules import TableRules
from houserule.play.seat.session import Sitting
from houserule.play.seat.undoing import NotNow

PEOPLE = ("ann", "bob", "cy", "dee")


def rules() -> TableRules:
    return rules_of("claims")


def claiming(seeds: range) -> Iterator[ReferenceGame]:
    """Yield games at the first question of a phase of claims, a few of each seed."""
    for seed in seeds:
        for game in looked_at(rules().program, seed, 6):
            if game.claimed and not game.machine.stack[-1].chosen:
                yield game.clone()


def asked_in(game: ReferenceGame) -> list[object]:
    """Return who is asked while all decline, up to the end of the phase."""
    game, found = game.clone(), list[object]()
    while game.claimed and game.machine.stack[-1].resolved < 0:
        found.append(asks(game))
        game.carry_out(Done())
    return found


def imagined_by(game: ReferenceGame, seat: int) -> Iterator[ReferenceGame]:
    """Yield games that look the same to a seat, asked again who could claim."""
    for number in range(4):
        world = imagine(game, seat, Stream.seeded(number, seat, "claims")).game
        machine = world.machine
        machine.stack[-1].chosen.clear()
        again = ReferenceGame(machine, checked=False)
        again.advance()
        yield again


def who_could_claim_shows() -> bool:
    every = list(claiming(range(12)))
    assert len(every) > 2
    return any(
        asked_in(other) != asked_in(game)
        for game in every
        for seat in range(4)
        for other in imagined_by(game, seat)
    )


def test_who_is_asked_does_not_depend_on_who_could_claim() -> None:
    assert not who_could_claim_shows()
    right = "step.mode != ir.CLAIM and not options.any_action()"
    instead = "not options.any_action()"
    with mutated("engine.reference.play.turns", right, instead):
        assert who_could_claim_shows()


def sitting_at_claims() -> Sitting:
    """Return a session in which the first two and nobody else could claim."""
    for seed in range(100):
        sitting = Sitting.begin(rules(), PEOPLE, seed)
        game, could = sitting.game.clone(), list[bool]()
        for _ in range(3):
            assert game.decision is not None
            could.append(len([*game.decision.options]) > 1)
            game.choose(Done())
        if could == [True, True, False]:
            return sitting
    raise AssertionError("no such session")


def claim(sitting: Sitting) -> None:
    assert sitting.decision is not None
    options = [*sitting.decision.options]
    choice = next(each for each in options if isinstance(each, Act))
    sitting.choose(sitting.decision.seat, choice)


def decline(sitting: Sitting) -> None:
    assert sitting.decision is not None
    sitting.choose(sitting.decision.seat, Done())


def test_screens_name_nobody_while_answers_are_missing() -> None:
    sitting = sitting_at_claims()
    for _ in range(3):
        decision = sitting.decision
        assert decision is not None
        for viewer in (0, 1, 2, 3, None):
            moment = sitting.moment(viewer)
            assert moment.acting == ((viewer,) if viewer == decision.seat else ())
            assert not any(name in moment.heading for name in PEOPLE)
            if viewer not in {None, decision.seat}:
                assert moment.heading == "Round 1: waiting for answers"
                words = sitting.rules.wording("en", PEOPLE)
                said = SaidTaking("throw", {})
                reason = why(sitting.rules, sitting.game, words, viewer or 0, said)
                assert reason.sentence.endswith("who has answered is not shown.")
        decline(sitting)


def after_a_claim_in_vain() -> tuple[Sitting, Sitting, int]:
    """Return two sessions: one seat claimed in vain in the first of them alone."""
    vain, other = sitting_at_claims(), sitting_at_claims()
    claim(vain)
    claim(other)
    late = vain.decision
    assert late is not None
    claim(vain)
    decline(other)
    decline(vain)
    decline(other)
    return vain, other, late.seat


def test_a_claim_in_vain_shows_to_its_seat_alone() -> None:
    vain, other, late = after_a_claim_in_vain()
    for viewer in {*range(4), None} - {late}:
        assert vain.log(viewer) == other.log(viewer)
        assert vain.moment(viewer) == other.moment(viewer)
    lapsed = set(vain.log(late)) - set(other.log(late))
    first = PEOPLE[vain.made[0].seat]
    said = f"Your claim lapsed: {first} comes before you"
    assert [line.strip() for line in lapsed] == [said]


def test_why_says_whose_claim_came_first() -> None:
    """It says so to the seat itself alone, until the next action."""
    seed = sitting_at_claims().seed
    game = ReferenceGame.start(rules().program, seed, listen=True)
    asked: list[int] = []
    for choose in (0, 0, -1):  # two claim, one declines
        assert game.decision is not None
        asked.append(game.decision.seat)
        game.choose([*game.decision.options][choose])
    words = rules().wording("en", PEOPLE)
    throw = SaidTaking("throw", {})

    def answer(seat: int) -> str:
        return why(rules(), game, words, seat, throw).sentence

    lapsed = f"Your claim lapsed: {PEOPLE[asked[0]]} comes before you."
    assert answer(asked[1]).endswith(lapsed)
    assert not any("lapsed" in answer(s) for s in range(4) if s != asked[1])
    assert game.decision is not None
    game.choose(game.decision.options[0])
    assert "lapsed" not in answer(asked[1])


def test_a_log_that_shows_it_to_others_is_noticed() -> None:
    right = "if self._witness.is_seat(seat)"
    with mutated("play.narration.narrator", right, "if seat is not None"):
        vain, other, _ = after_a_claim_in_vain()
        assert all(vain.log(each) != other.log(each) for each in range(4))


@pytest.mark.parametrize("first", [claim, decline])
def test_the_last_answer_is_not_taken_back(first: object) -> None:
    """Then it is known what the others have answered."""
    sitting = sitting_at_claims()
    seat = sitting.decision and sitting.decision.seat
    assert isinstance(seat, int)
    (claim if first is claim else decline)(sitting)
    assert sitting.can_undo(seat)
    decline(sitting)
    last = sitting.decision and sitting.decision.seat
    assert isinstance(last, int)
    decline(sitting)
    assert not sitting.can_undo(last)


def test_bots_that_are_asked_at_once_answer_at_once() -> None:
    sitting = Sitting.begin(rules(), ["random"] * 4, 2)
    assert sitting.game.claimed
    thought = sitting.think()
    assert thought is not None
    thought.think()
    assert len(thought.found()) == 3
    sitting.follow(thought)
    assert len({each.seat for each in sitting.made}) == 3


def apart() -> Sitting:
    """Return a session at claims in which each has a separate screen."""
    sitting = sitting_at_claims()
    return Sitting.begin(rules(), PEOPLE, sitting.seed, apart=True)


def seats_asked(sitting: Sitting) -> list[int]:
    return [seat for seat in range(4) if sitting.moment(seat).choice is not None]


def test_people_with_their_own_screens_answer_in_any_order() -> None:
    one, other = sitting_at_claims(), apart()
    act = other.game.machine.stack[-1]
    lead = other.game.machine.store.cells["lead"][0]
    assert isinstance(lead, int)
    first, second, third = [(lead + number) % 4 for number in (1, 2, 3)]
    assert seats_asked(other) == sorted([first, second, third])
    for seat in (first, second, third):
        assert other.moment(seat).acting == (seat,)
        assert other.hint(seat) is not None
    other.choose(third, Done())
    options = other.asked_game(second)
    assert options is not None
    assert options.decision is not None
    claimed = next(e for e in options.decision.options if isinstance(e, Act))
    other.choose(second, claimed)
    assert seats_asked(other) == [first]
    assert other.made == ()
    assert act.chosen == []
    with pytest.raises(NotNow):
        other.choose(second, Done())
    other.choose(first, Done())
    decline(one)
    assert one.decision is not None
    one.choose(one.decision.seat, claimed)
    decline(one)
    assert other.made == one.made
    assert [other.log(seat) for seat in range(4)] == [
        one.log(seat) for seat in range(4)
    ]
