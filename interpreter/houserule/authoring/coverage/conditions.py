"""Condition coverage: which conditions held and failed in examples and random games.

An example states what it shows: a legal move satisfies every condition of its action,
and a refusal names the conditions that fail. So most examples need not be played here;
`test` checks their claims. Examples of reactions are played, because they do not state
what triggers the reaction. Random games look for the remaining conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TypeAlias

from houserule.authoring.scenarios.files import Examples, Trial, trials
from houserule.authoring.scenarios.run import run_trial
from houserule.compiler.prepare import Programs, TableChoice
from houserule.engine.reference.evaluate.expressions import Answers
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.language.manifest.yaml.document import Data as Said

CHOICES = 50  # per table; random games take most of the time
LUCK = 1  # the same games every time

Seen: TypeAlias = dict[str, set[bool]]
"""What conditions were, by their addresses."""


def seen_in_examples(every: Iterable[Examples], programs: Programs) -> Seen:
    """Return whether conditions hold in worked examples, by address."""
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
    """Yield the names in moves that may be actions."""
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
    """Return whether conditions hold in one random game per table, by address.

    Counting the options of each decision also evaluates the conditions of illegal
    moves. A game ends after `CHOICES` choices.
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
        return  # `check` and `simulate` report rule faults
