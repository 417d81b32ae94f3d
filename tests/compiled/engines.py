"""Both engines of a sampled table, made once for tests that follow each other."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import pytest
from tests.conformance.tables import NAMES, at_every_count, named, program_of, sampled

from houserule.compiled.machine import CompiledMachine
from houserule.compose.tables.sample import Choice
from houserule.ir import Program

from .compare import machine_of


@lru_cache(maxsize=4)
def engines_of(name: str, table: str) -> tuple[Program, CompiledMachine]:
    choice = next(each for each in everything(name) if named(each) == table)
    program = program_of(name, choice)
    return program, machine_of(program)


@cache
def everything(name: str) -> list[Choice]:
    """Return every table that is sampled, each once."""
    return once([*at_every_count(name), *sampled(name, triples=True, random=40)])


def once(choices: list[Choice]) -> list[Choice]:
    return list({named(each): each for each in choices}.values())


def tables(choose: Callable[[str], list[Choice]]) -> list[object]:
    """Return tables of every shipped ruleset as parameters of a test."""
    return [
        pytest.param(name, named(choice), id=f"{name}: {named(choice)}")
        for name in NAMES
        for choice in once(choose(name))
    ]
