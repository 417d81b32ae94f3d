"""The executable tables of flow, costs, options, decisions and reactions."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from tests.support.rules_cases import FLOW, cases_in, program_of

from houserule.engine.reference.choices import (
    Act,
    Answered,
    Choice,
    Done,
    Picked,
    Shared,
)
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program
from houserule.ir.types import (
    Data,
    Kind,
    Maybe,
    Set,
    Type,
)


def shown(program: Program, value: Data, type_: Type) -> str:
    """Return a value as the cases write it."""
    match type_:
        case Maybe(inner):
            return shown(program, value, inner)
        case Kind(name):
            assert isinstance(value, int)
            return program.labels[name][value]
        case Set(member):
            assert isinstance(value, tuple)
            return "{" + ", ".join(shown(program, v, member) for v in value) + "}"
        case _:
            return str(value)


def told(game: ReferenceGame, choice: Choice) -> str:
    """Return a choice as the cases write it."""
    program = game.program
    seats = program.labels["Player"]
    match choice:
        case Done():
            return "done"
        case Answered(yes):
            return "yes" if yes else "no"
        case Act(action, args):
            binds = game.engine.plans[action].binds
            types = [bind.type for bind in binds for _ in bind.slots]
            words = [shown(program, v, t) for v, t in zip(args, types, strict=True)]
            return f"{action}({', '.join(words)})" if words else action
        case Shared(amounts):
            return ", ".join(f"{seats[who]} {n}" for who, n in amounts)
        case Picked(None):
            return "none"
        case Picked(values):
            return ", ".join(_picked(game, v) for v in values or ())


def _picked(game: ReferenceGame, value: Data) -> str:
    frame = game.machine.frames[-1]
    code = game.engine.procedures[frame.proc].code[frame.pc]
    assert code.asking is not None
    assert code.asking.product is not None
    name = code.asking.product.levels[0].name
    number = not name.startswith(("p", "q"))
    if number:
        return str(value)
    assert isinstance(value, int)
    return game.program.labels["Player"][value]


@pytest.mark.parametrize("case", cases_in(FLOW))
def test_flow(case: dict[str, Any]) -> None:
    """Play a case: what is offered, what is refused, and how it ends."""
    program = program_of(case["rules"], case.get("variants"), case.get("tables"))
    game = ReferenceGame.start(program, seed=1)
    for number, move in enumerate(case.get("play", ())):
        decision = game.decision
        assert decision is not None, f"move {number}: the game is over"
        unlisted = copy(decision.options)
        options = {told(game, choice): choice for choice in decision.options}
        if "offers" in move:
            assert list(options) == [str(each) for each in move["offers"]]
        assert len(options) == unlisted.count()
        for index, choice in enumerate(options.values()):
            assert copy(unlisted)[index] == choice
            assert decision.options.number(choice) == index
            assert not decision.options.refusals(choice)
        if "count" in move:
            assert decision.options.count() == move["count"]
        if "advised" in move:
            hold_advice(game, move)
        if "seat" in move:
            assert program.labels["Player"][decision.seat] == move["seat"]
        for wrong, addresses in move.get("refused", {}).items():
            refusals = decision.options.refusals(parsed(program, wrong))
            assert [each.address for each in refusals] == addresses
        game = ReferenceGame.restore(program, game.save())
        assert game.save() == game.clone().save()
        game.choose(options[str(move["do"])])
    assert game.decision is None, "the game goes on"
    judge(game, case["end"])


def hold_advice(game: ReferenceGame, move: dict[str, Any]) -> None:
    """Compare what is advised, and what is said against takings, with a case."""
    decision = game.decision
    assert decision is not None
    advised = decision.options.advised()
    if move["advised"] == "the same":
        assert advised is decision.options
        return
    assert [told(game, choice) for choice in advised] == move["advised"]
    assert advised.count() == len(move["advised"])
    for index, choice in enumerate(advised):
        assert advised[index] == choice
    for taking, addresses in move.get("advice", {}).items():
        choice = parsed(game.program, taking)
        assert [each.address for each in decision.options.advice(choice)] == addresses


def parsed(program: Program, text: str) -> Act:
    """Return a refused taking as a choice; arguments are numbers or labels."""
    name, _, inside = text.partition("(")
    words = [word.strip() for word in inside.rstrip(")").split(",") if word.strip()]
    labels = [label for kind in program.labels.values() for label in kind]
    dice = {
        label: kind.index(label) for kind in program.labels.values() for label in kind
    }
    return Act(name, tuple(dice[w] if w in labels else int(w) for w in words))


def judge(game: ReferenceGame, end: dict[str, Any]) -> None:
    """Compare how a game ended with what the case says."""
    outcome = game.outcome
    assert outcome is not None
    for name, wanted in end.items():
        match name:
            case "winners":
                labels = game.program.labels["Player"]
                assert [labels[seat] for seat in outcome.winners] == wanted
            case "stalled":
                assert outcome.stalled_in == wanted
            case "drawn_by":
                assert list(outcome.drawn_by) == wanted
            case "streams":
                assert len(game.machine.store.streams) == wanted
            case _:
                assert game.cell(name) == wanted
    named = {"stalled": "stalled", "drawn_by": "drawn"}
    assert outcome.kind == next((named[n] for n in named if n in end), "won")
