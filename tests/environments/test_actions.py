"""Actions by number: what is legal has a number, and a stable one means one thing."""

from __future__ import annotations

import pytest
from tests.support.engines import first_of
from tests.support.rules_cases import program_of
from tests.support.shipped import program_at

from houserule.engine.reference.play.game import ReferenceGame
from houserule.environments.actions import (
    ACTIONS_IN_SPACE,
    ListedActions,
    StableActions,
    action_space,
    most_options,
)

SHARING = """\
game sharing "Sharing"
players 2..2
component Pot for each nr: 1..3
state left: 0..9 starts as 9
state points(p: Player): 0..9 starts as 0
state pot(c: Pot): 0..9 starts as 0
winners "Most": those p in players with most points(p)
phase round for n in 1..2
  phase turn for me in players
    step deciding: must act once, if possible
action spread(m in 1..3) during deciding
  does it:
    may choose few part of Pot: left loses 1
    share m over c in Pot as k: pot(c) becomes k
"""


def test_every_number_has_words() -> None:
    program = program_of(SHARING)
    space = action_space(program, "stable")
    assert isinstance(space, StableActions)
    names = space.names()
    assert names[:4] == ["spread(1)", "spread(2)", "spread(3)", "done"]
    assert "spread.it: none" in names
    assert any(name.endswith(": 1 2, 3 1") for name in names)
    assert len({*names}) == space.size == len(names)
    game, kinds = ReferenceGame.start(program, 1), set[str]()
    while (decision := game.decision) is not None:
        kinds.add(decision.kind)
        legal = space.legal(decision)
        assert space.choice(decision, legal[-1]) == decision.options[len(legal) - 1]
        game.choose(decision.options[len(legal) // 2])
    assert kinds == {"act", "choose", "share"}


def test_an_illegal_number_is_refused() -> None:
    game = ReferenceGame.start(program_at(first_of("pig")), 0)
    assert game.decision is not None
    for space in (ListedActions(game.program), StableActions(game.program)):
        illegal = ({*range(-1, space.size + 1)} - {*space.legal(game.decision)}).pop()
        with pytest.raises(ValueError, match="not a legal action"):
            space.choice(game.decision, illegal)


def test_a_list_that_may_be_too_long_wants_a_cut() -> None:
    program = program_at(first_of("guild_street"))
    assert most_options(program) > ACTIONS_IN_SPACE
    with pytest.raises(ValueError, match="Set `cut`"):
        action_space(program)
    space = action_space(program, cut=3)
    assert space.size == 3
    game = ReferenceGame.start(program, 0)
    assert game.decision is not None
    assert game.decision.options.count() > 3
    assert list(space.legal(game.decision)) == [0, 1, 2]
    with pytest.raises(ValueError, match="not a legal action"):
        space.choice(game.decision, 3)


@pytest.mark.parametrize(
    ("actions", "cut", "message"),
    [
        ("stable", 5, "Only listed actions are cut"),
        ("stable", None, "a stable numbering has 4,096 at most"),
        ("named", None, 'Actions are "stable" or "listed"'),
        ("listed", 0, "A cut is at least 1"),
    ],
)
def test_what_is_said_of_actions_must_fit(
    actions: str, cut: int | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        action_space(program_at(first_of("takeover")), actions, cut)  # type: ignore[arg-type]  # what is said is wrong
