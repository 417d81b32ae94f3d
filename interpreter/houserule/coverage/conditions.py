"""Which conditions were seen to hold and to refuse, in examples and in random games.

An example says what it shows: a move that is made keeps every condition of its action,
and a refusal names those that do not hold. So most examples need not be played for
this; `test` holds them to what they say. Those that show a reaction are played, as what
sets it off stands nowhere in them. What is left open is looked for in games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TypeAlias

from houserule.engine.evaluate.expressions import Answers
from houserule.engine.play.game import ReferenceGame
from houserule.ir import Program
from houserule.manifest.yaml.document import Data as Said
from houserule.prepare import Programs, TableChoice
from houserule.scenario.files import Examples, Trial, trials
from houserule.scenario.run import run_trial
from houserule.state.faults import RuleFault

CHOICES = 50  # so many a table are made in a random game, which costs most of the time
LUCK = 1  # the same games every time

Seen: TypeAlias = dict[str, set[bool]]
"""What conditions were, by their addresses."""


def seen_in_examples(every: Iterable[Examples], programs: Programs) -> Seen:
    """Return what conditions are in worked examples."""
    found: Seen = {}
    for examples in every:
        for trial in trials(examples):
            program = programs.prepare(trial.choice).program
            if program is None:
                continue
            _add(trial, program, found)
            owners = {address.partition(".")[0] for address in trial.scenario.covers}
            if any(_asks(program, owner) for owner in owners):
                run_trial(trial, programs, found)
    return found


def _asks(program: Program, owner: str) -> bool:
    """Say whether this is a reaction with conditions."""
    reaction = program.reactions.get(owner)
    return reaction is not None and bool(reaction.needs)


def _add(trial: Trial, program: Program, found: Seen) -> None:
    expected, _ = trial.expected()
    refused = [*_names(expected.get("refused"))]
    for address in refused:
        found.setdefault(address, set()).add(False)
    made = list(_heads(trial.said("do")[0]))
    tried = list(_heads(trial.said("try")[0]))
    if refused or expected.get("legal") is False:
        made, tried = (made, []) if tried else (made[:-1], [])
    elif expected.get("legal") is not True:
        tried = []
    for head in (*made, *tried):
        action = program.actions.get(head)
        for condition in action.conditions if action else ():
            found.setdefault(condition.address, set()).add(True)


def _heads(said: Said) -> Iterator[str]:
    """Yield the words of moves, where an action is one; what is expected is none."""
    for move in said if isinstance(said, list) else [said]:
        if isinstance(move, str):
            yield move
        elif isinstance(move, dict):
            yield from map(str, move)


def _names(said: Said) -> Iterator[str]:
    for each in said if isinstance(said, list) else [said]:
        if isinstance(each, str):
            yield each


def seen_in_games(tables: Iterable[TableChoice], programs: Programs) -> Seen:
    """Return what conditions are in a random game at each of some tables.

    The options of each decision are counted, so conditions are asked of what is refused
    as well. Only so many choices are made.
    """
    found: Answers = {}
    for choice in tables:
        program = programs.prepare(choice).program
        if program is not None:
            _play(program, found)
    return found


def _play(program: Program, answers: Answers) -> None:
    luck = Random(LUCK)
    try:
        game = ReferenceGame.start(program, LUCK, answers=answers)
        for _ in range(CHOICES):
            if (decision := game.decision) is None:
                return
            game.choose(decision.options[luck.randrange(decision.options.count())])
    except RuleFault:
        return  # faults of the rules are for `check` and `simulate` to tell
