"""Every `needs` of every shipped ruleset as a player hears it: a text in each language.

For each clause some position is found in which it refuses: first where a worked example
asks about a move, then where takings at such positions are changed at random. What is
said there stands in `tests/cases/refusals/GAME.LANGUAGE.yaml`, for people to read. With
`HOUSERULE_BLESS=1` in the environment the files are written anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from itertools import chain, islice, product
from pathlib import Path
from random import Random

import pytest

from houserule import ir
from houserule.authoring.scenarios.files import Trial
from houserule.authoring.scenarios.run import Asked, ask_trial
from houserule.base.source import Source
from houserule.engine.reference.options.options import ActOptions
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.ir.types import Data, Flag, Kind, Maybe, Set, Type, Whole, members
from houserule.ir.walk import beneath, option_binds
from houserule.language.manifest.declared_names import addressed
from houserule.language.manifest.yaml.parser import parse_yaml
from houserule.language.syntax import tree
from houserule.play.seat.reasons import SaidTaking, why
from houserule.play.seat.reasons.clause_reasons import ClauseReasons
from houserule.play.seat.reasons.viewer_frame import ViewerFrame
from houserule.play.seat.rules import TableRules

from ..support.sampling import spread
from ..support.shipped import NAMES, examples_of, programs_of, ruleset_of

CASES = Path(__file__).parents[1] / "cases" / "refusals"
TRIES = 40


def needs_of(game: str) -> set[str]:
    """Return the addresses of every `needs` of a ruleset, whichever variant has it.

    One that narrows a value refuses nothing by itself.
    """
    units = ruleset_of(game).units
    found = [pair for unit in units for pair in addressed(unit)]
    values = {address for address, node in found if isinstance(node, tree.Value)}
    return {
        address
        for address, node in found
        if isinstance(node, tree.Needs) and address.rsplit(".", 1)[0] not in values
    }


def expected_by(trial: Trial) -> set[str]:
    """Return the clauses that an example expects to refuse its move."""
    said = trial.expected()[0].get("refused", [])
    return {str(each) for each in (said if isinstance(said, list) else [said])}


def has_some(program: ir.Program, addresses: set[str]) -> bool:
    """Say whether a table has one of some conditions."""
    needs = (each.conditions for each in program.actions.values())
    others: list[ir.ReactionDef | ir.EffectDef] = [*program.reactions.values()]
    others += program.effects.values()
    return any(
        one.address in addresses for one in chain(*needs, *(o.needs for o in others))
    )


def moments(
    game: str, missing: Callable[[Trial], set[str]]
) -> Iterator[tuple[TableRules, Asked]]:
    """Yield where examples of a ruleset ask about a move, or end.

    They are those for which some conditions are missing, if their tables have one.
    """
    ruleset, programs = ruleset_of(game), programs_of(game)
    for trial in examples_of(game):
        prepared = programs.prepare(trial.choice) if missing(trial) else None
        if not prepared or prepared.program is None or prepared.table is None:
            continue
        if not has_some(prepared.program, missing(trial)):
            continue
        asked = ask_trial(trial, prepared.program, programs)
        if asked.game is not None and asked.game.decision is not None:
            rules = TableRules(ruleset, prepared.table, prepared.program)
            yield rules, asked


class Harvest:
    """What is said of each clause where it first refuses, by language."""

    def __init__(self, game: str) -> None:
        self.wanted = needs_of(game)
        self.languages = ruleset_of(game).manifest.languages
        self.said: dict[str, dict[str, str]] = {}
        self.random = Random(game)

    @property
    def missing(self) -> set[str]:
        return self.wanted - self.said.keys()

    def refused(self, rules: TableRules, game: ReferenceGame, said: SaidTaking) -> None:
        """Note what refuses a taking, if that is new."""
        decision = game.decision
        assert decision is not None
        assert isinstance(decision.options, ActOptions)
        found = decision.options.consider(said.action, said.values)
        judged = found.judgements if found else ()
        new = {each.address for each in judged if each.holds is False} & self.missing
        for language in self.languages if new else ():
            words = rules.wording(language)
            answer = why(rules, game, words, decision.seat, said)
            for reason in answer.reasons:
                if reason.address in new:
                    here = self.said.setdefault(reason.address, {})
                    here.setdefault(language, reason.says)

    def changed_at_random(self, rules: TableRules, game: ReferenceGame) -> None:
        """Try takings of every open action that has a clause which is missing."""
        options = game.decision.options if game.decision else None
        if not isinstance(options, ActOptions):
            return
        for action in rules.program.actions.values():
            if not any(each.address in self.missing for each in action.conditions):
                continue
            if options.consider(action.name, {}) is None:
                continue
            for _ in range(TRIES):
                self.refused(rules, game, self._taking(rules, game, action))

    def _taking(
        self, rules: TableRules, game: ReferenceGame, action: ir.ActionDef
    ) -> SaidTaking:
        """Return a taking with values from their domains, as far as these are known."""
        decision = game.decision
        assert decision is not None
        assert isinstance(decision.options, ActOptions)
        said: dict[str, Data] = {}
        for bind in option_binds(action):
            for name in bind.names:
                found = decision.options.consider(action.name, said)
                assert found is not None
                value = self._value(rules, game, found.frame, bind)
                if value is not None:
                    said[name] = value
        return SaidTaking(action.name, said)

    def _value(
        self,
        rules: TableRules,
        game: ReferenceGame,
        frame: list[Data],
        bind: ir.Bind,
    ) -> Data:
        machine = game.machine
        view = ViewerFrame(machine.engine, machine, dict(enumerate(frame)), 0)
        try:
            found = list(islice(view.members(bind), 500))
        except RuleFault:
            return None
        return self.random.choice(found) if found else None

    # ---- what no example comes to: yes/no states are turned round

    def were_it_so(self, rules: TableRules, game: ReferenceGame) -> None:
        """Note needs that fail where a yes/no state that they read is another."""
        program = rules.program
        conditions = [
            (action, each)
            for action in program.actions.values()
            for each in action.conditions
            if each.address in self.missing
        ]
        for action, condition in conditions:
            states = {
                node.state
                for node in beneath(condition.test)
                if isinstance(node, ir.ReadCell) and isinstance(node.type, Flag)
            }
            for name in sorted(states):
                self._turned(rules, game, action, condition, name)

    def _turned(
        self,
        rules: TableRules,
        game: ReferenceGame,
        action: ir.ActionDef,
        condition: ir.Condition,
        state: str,
    ) -> None:
        """Look at a condition where a state is turned round, for some values."""
        machine = game.machine.clone()
        store = machine.store
        for index, value in enumerate(store.cells[state]):
            store.set_cell(state, index, not value)
        decision = game.decision
        assert decision is not None
        binds = option_binds(action)
        slots = [(slot, bind.type) for bind in binds for slot in bind.slots]
        choices = [some_values(type_, self.random) for _, type_ in slots]
        for values in islice(product(*choices), 200):
            bound = dict(zip((slot for slot, _ in slots), values, strict=True))
            bound = {0: decision.seat, **bound}
            view = ViewerFrame(machine.engine, machine, bound, decision.seat)
            if self._fails(condition, view):
                self._note(rules, condition, view, {})
                return

    @staticmethod
    def _fails(condition: ir.Condition, view: ViewerFrame) -> bool:
        try:
            lifted = any(view.value(lift) for _, lift in condition.lifts)
            return not view.value(condition.test) and not lifted
        except RuleFault:
            return False

    def _note(
        self,
        rules: TableRules,
        condition: ir.Condition,
        view: ViewerFrame,
        slots: dict[str, tuple[Data, Type]],
    ) -> None:
        for language in self.languages:
            reasons = ClauseReasons(rules, rules.wording(language))
            reason = reasons.condition(condition, False, view, slots)
            here = self.said.setdefault(condition.address, {})
            here.setdefault(language, reason.says)

    # ---- reactions: of what could come about at a position

    def of_reactions(self, rules: TableRules, game: ReferenceGame) -> None:
        """Note needs of reactions and effects that fail for some of their keys."""
        for reaction in rules.program.reactions.values():
            for condition in reaction.needs:
                params = (*reaction.params, *reaction.change)
                self._of_keys(rules, game, params, condition)
        for effect in rules.program.effects.values():
            for condition in effect.needs:
                self._of_keys(rules, game, effect.params, condition)

    def _of_keys(
        self,
        rules: TableRules,
        game: ReferenceGame,
        params: tuple[ir.Param, ...],
        condition: ir.Condition,
    ) -> None:
        if condition.address not in self.missing:
            return
        machine, decision = game.machine, game.decision
        assert decision is not None
        choices = [some_values(each.type, self.random) for each in params]
        for values in islice(product(*choices), 3000):
            bound = {0: decision.seat, **dict(enumerate(values, 1))}
            view = ViewerFrame(machine.engine, machine, bound, decision.seat)
            if self._fails(condition, view):
                slots = zip(params, values, strict=True)
                known = {param.name: (value, param.type) for param, value in slots}
                known["me"] = (decision.seat, rules.wording("en").seats)
                self._note(rules, condition, view, known)
                return


def some_values(type_: Type, random: Random) -> list[Data]:
    """Return some values of a type, none first where it may be none."""
    match type_:
        case Maybe(inner):
            return [None, *some_values(inner, random)]
        case Set(member):
            every = list(members(member))
            return [tuple(sorted(random.sample(every, min(2, len(every)))))]
        case Whole() | Kind():
            every = list(members(type_))
            return random.sample(every, min(20, len(every)))
        case _:
            return [False, True]


def harvest(game: str) -> Harvest:
    """Return what is said, first where examples say so, then at other positions."""
    found = Harvest(game)
    for rules, asked in moments(game, lambda t: expected_by(t) & found.missing):
        playing, move = asked.game, asked.move
        assert playing is not None
        assert playing.decision is not None
        acts = isinstance(playing.decision.options, ActOptions)
        if acts and move is not None and move.kind == "act":
            found.refused(rules, playing, SaidTaking(move.name, move.args))
    kept = []
    for rules, asked in moments(game, lambda _: found.missing):
        for playing in (asked.game, asked.start):
            if playing is not None and playing.decision is not None:
                found.changed_at_random(rules, playing)
                found.of_reactions(rules, playing)
                kept.append((rules, playing))
    for rules, playing in kept:
        if not found.missing:
            break
        found.were_it_so(rules, playing)
    return found


@pytest.mark.parametrize("game", spread(NAMES, 3))
def test_every_condition_refuses_somewhere_in_every_language(game: str) -> None:
    found = harvest(game)
    assert not found.missing
    for language in found.languages:
        now = {each: found.said[each].get(language, "") for each in sorted(found.said)}
        path = CASES / f"{game}.{language}.yaml"
        if os.environ.get("HOUSERULE_BLESS"):
            CASES.mkdir(exist_ok=True)
            lines = [
                f"{address}: {json.dumps(text, ensure_ascii=False)}\n"
                for address, text in now.items()
            ]
            path.write_text("".join(lines), encoding="utf-8")
        assert not [address for address, text in now.items() if not text]
        document, faults = parse_yaml(Source(path.name, path.read_text("utf-8")))
        assert not faults
        assert (document.data or {}) == now
