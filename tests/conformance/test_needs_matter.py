"""Every condition and every advice matters: without it, some scenario fails."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TypeVar

import pytest
from tests.support.sampling import spread
from tests.support.shipped import NAMES, examples_of, programs_of, ruleset_of

from houserule import ir
from houserule.authoring.scenarios.files import Trial
from houserule.authoring.scenarios.run import run_trial
from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.prepare import Prepared, Programs, TableChoice
from houserule.language.manifest.declared_names import addressed
from houserule.language.syntax import tree

Kept = TypeVar("Kept", bound=ir.Condition)
STRIDE = 9  # the usual run removes one condition of this many


class Without(Programs):
    """The tables of a ruleset, with one condition taken out of every program."""

    def __init__(self, name: str, address: str) -> None:
        super().__init__(ruleset_of(name))
        self._name, self._address = name, address
        self._changed: dict[int, Prepared] = {}

    def prepare(self, choice: TableChoice) -> Prepared:
        prepared = programs_of(self._name).prepare(choice)
        if prepared.program is None:
            return prepared
        key = id(prepared.program)
        if key not in self._changed:
            program = without(prepared.program, self._address)
            owner = self._address.partition(".")[0]
            if owner in program.effects or owner in program.values:
                program = self._lowered_without(prepared)
            self._changed[key] = replace(prepared, program=program)
        return self._changed[key]

    def _lowered_without(self, prepared: Prepared) -> ir.Program:
        """Lower the rules without a condition of an effect or a value.

        It is part of all that calls the effect, or of the value.
        """
        assert prepared.program is not None
        assert prepared.table is not None
        rules, _ = compose(self.ruleset, prepared.table)
        assert rules is not None
        name, _, clause = self._address.partition(".")
        effects, outer = {**rules.effects}, {**rules.outer_needs}
        if name in effects:
            clauses = tuple(
                each
                for each in effects[name].clauses
                if not (isinstance(each, tree.Needs) and each.name.text == clause)
            )
            effects[name] = replace(effects[name], clauses=clauses)
        if name in outer:
            outer[name] = tuple(n for n in outer[name] if n.name.text != clause)
        program, faults = check_rules(
            replace(rules, effects=effects, outer_needs=outer)
        )
        assert program is not None, faults
        return replace(program, clauses=prepared.program.clauses)


def kept(conditions: tuple[Kept, ...], address: str) -> tuple[Kept, ...]:
    return tuple(each for each in conditions if each.address != address)


def without(program: ir.Program, address: str) -> ir.Program:
    """Return a program whose actions and reactions do not know a condition."""
    return replace(
        program,
        actions={
            name: replace(
                action,
                conditions=kept(action.conditions, address),
                advice=kept(action.advice, address),
            )
            for name, action in program.actions.items()
        },
        reactions={
            name: replace(reaction, needs=kept(reaction.needs, address))
            for name, reaction in program.reactions.items()
        },
    )


@cache
def every_condition(name: str) -> frozenset[str]:
    """Return the conditions of a ruleset, as they are written: no table is prepared."""
    return frozenset(
        address
        for unit in ruleset_of(name).units
        for address, node in addressed(unit)
        if isinstance(node, tree.Needs | tree.Advice)
    )


def conditions() -> list[object]:
    """Return every condition of every ruleset, as parameters of a test."""
    found: list[object] = []
    for name in NAMES:
        here = [(name, address) for address in sorted(every_condition(name))]
        found += spread(here, STRIDE, name=": ".join)
    assert len(found) > 30
    return found


def telling_first(name: str, address: str) -> list[Trial]:
    """Return the examples of a ruleset, those that speak of the condition first."""
    return sorted(
        examples_of(name), key=lambda trial: address not in str(trial.scenario)
    )


@pytest.mark.parametrize(("name", "address"), conditions())
def test_some_scenario_fails_without(name: str, address: str) -> None:
    tables = Without(name, address)
    assert any(
        run_trial(trial, tables).problems for trial in telling_first(name, address)
    ), f"no scenario of {name} notices when {address} is gone"
