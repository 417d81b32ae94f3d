"""Equal bots win alike at every seat of a symmetric game.

How far the seats' wins may be apart is a bound on chi-squared that chance passes in one
of some ten thousand runs; the seeds are fixed. Where bots know what others have chosen
unseen, the last seat is far beyond it, also in the few games played here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.bots import KINDS, SOME_SEARCH
from tests.support.rules_cases import CASES, program_of

from houserule.engine.bots import imagined
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.module import emit
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.random_numbers import Stream
from houserule.ir import Program
from houserule.study.simulate.play import play_games

GAMES = sorted((CASES / "bots").glob("*.rules"), key=lambda path: path.stem)
MOST = 20.0  # of chi-squared


def symmetric(path: Path) -> Program:
    return program_of(path.read_text(encoding="utf-8"))


def apart(winners: Iterable[Sequence[int]], seats: int) -> float:
    """Return chi-squared of the seats' wins; who shares one has a part of it."""
    wins, games = [0.0] * seats, 0
    for some in winners:
        games += 1
        for seat in some:
            wins[seat] += 1 / len(some)
    wanted = games / seats
    return sum((each - wanted) ** 2 / wanted for each in wins)


def apart_in(program: Program, kind: str, games: int, engine: str) -> float:
    rows = play_games(program, 1, range(games), [kind], engine)
    assert not any(row.failed for row in rows)
    return apart((row.winners for row in rows), program.seats)


def test_the_games_are_there() -> None:
    assert {path.stem for path in GAMES} >= {"pennies", "luck", "bids"}


def even(path: Path, kind: str) -> bool:
    """Say whether a game is as good for each seat, if such bots play it.

    In `guesses` seats take turns. Who is first imagines all of the other's turn until
    it is asked again, so it imagines fewer games with the same number of decisions. In
    `fog` the first move counts.
    """
    return path.stem != "fog" and (path.stem != "guesses" or kind != SOME_SEARCH)


FAIR = [(path, kind) for path in GAMES for kind in KINDS if even(path, kind)]
by_name = pytest.mark.parametrize(
    ("path", "kind"), FAIR, ids=lambda each: getattr(each, "stem", each)
)


@by_name
def test_no_seat_wins_more(path: Path, kind: str) -> None:
    assert apart_in(symmetric(path), kind, 1000, "compiled") < MOST


@pytest.mark.slow
@by_name
def test_no_seat_wins_more_in_many_games(path: Path, kind: str) -> None:
    assert apart_in(symmetric(path), kind, 30_000, "compiled") < MOST


# ---- bots that know too much are seen


def test_a_bot_that_knows_what_others_have_chosen_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On the reference engine; as they are, its bots choose as the compiled ones."""

    def left(machine: Machine, seat: int, stream: Stream) -> bool:
        return bool(machine.stack[-1].chosen)

    monkeypatch.setattr(imagined, "_draw_pending", left)
    program = symmetric(CASES / "bots" / "pennies.rules")
    assert apart_in(program, "greedy", 24, "reference") > MOST


@pytest.mark.parametrize(
    ("right", "instead"),
    [
        ("(call $draw_pending)\n", "(nop)\n"),
        (
            "(local.set $others (i32.load offset=20",
            "(local.set $others (i32.load offset=16",
        ),
    ],
    ids=["what others have chosen", "that others choose at once"],
)
def test_a_compiled_bot_whose_seat_matters_is_seen(right: str, instead: str) -> None:
    module = emit(symmetric(CASES / "bots" / "luck.rules"))
    assert right in module.text
    for text, fair in (
        (module.text, True),
        (module.text.replace(right, instead), False),
    ):
        machine = CompiledMachine(replace(module, text=text))
        rows = machine.batch(1, 0, 1000, 0b111)
        assert len(rows) == 1000
        seats = ([s for s in range(3) if row.winners >> s & 1] for row in rows)
        assert (apart(seats, 3) < MOST) is fair
