"""House rules that only ever restrict, permit, raise or lower do nothing else.

The claims are data: `tests/cases/claims/`. Each is held against positions of random
games with and without the variant, where both programs look at the same position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest
from ruamel.yaml import YAML
from tests.support.sampling import spread
from tests.support.shipped import prepared_at, program_of, ruleset_of, sampled

from houserule import ir
from houserule.compiler.prepare import TableChoice
from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.machine import Machine
from houserule.ir.types import Data

from .positions import comparable, factors, legal, moved, positions, values

CLAIMS = Path(__file__).parents[1] / "cases" / "claims"
TABLES_AT_MOST = 4
TABLES, POSITIONS = 1, 12
MORE_POSITIONS = 20

Takings: TypeAlias = frozenset[tuple[Data, ...]]
Table: TypeAlias = dict[tuple[Data, ...], int]


@dataclass(frozen=True)
class Claim:
    """A promise of a variant about an action or a value."""

    game: str
    variant: str
    verb: str
    name: str

    def __str__(self) -> str:
        return f"{self.game}: {self.variant} {self.verb} {self.name}"


def claims() -> list[Claim]:
    found = []
    for file in sorted(CLAIMS.glob("*.yaml")):
        for row in YAML(typ="safe").load(file.read_text(encoding="utf-8")):
            variant = row.pop("variant")
            found += [
                Claim(file.stem, variant, verb, name)
                for verb, names in row.items()
                for name in names
            ]
    return found


def pairs(claims: Sequence[Claim]) -> Iterator[tuple[ir.Program, ir.Program]]:
    """Yield programs without and with a variant, at tables alike otherwise."""
    found, first = 0, claims[0]
    for choice in sampled(first.game, random=20):
        if first.variant not in choice.variants or found == TABLES_AT_MOST:
            continue
        off = without(first, choice)
        on = program_of(first.game, choice)
        speak = off is not None and all(speaks(each, off, on) for each in claims)
        if off is not None and speak and comparable(off, on):
            found += 1
            yield off, on


def without(claim: Claim, choice: Choice) -> ir.Program | None:
    """Return the program of a table without the variant, if it can do without."""
    wanted = choice.variants - {claim.variant}
    table = TableChoice(
        with_=tuple(sorted(wanted)), settings=choice.settings, players=choice.players
    )
    prepared = prepared_at(claim.game, table)
    if prepared.table is None or prepared.table.variants != wanted:
        return None
    return prepared.program


def speaks(claim: Claim, off: ir.Program, on: ir.Program) -> bool:
    """Say whether what a claim names is there, with the same parameters."""
    if claim.verb in {"raises", "lowers"}:
        return claim.name in off.values and claim.name in on.values
    there = claim.name in off.actions and claim.name in on.actions
    return there and factors(off, claim.name) == factors(on, claim.name)


def same_positions(
    off: ir.Program, on: ir.Program, most: int
) -> Iterator[tuple[Machine, Machine, int]]:
    """Yield positions of games of both programs, without and with, and who decides."""
    for seed in (1, 2):
        for program in (off, on):
            for game in positions(program, seed, most):
                assert game.decision is not None
                yield moved(game, off), moved(game, on), game.decision.seat


def no_more(off: Takings, on: Takings) -> Takings:
    return on - off


def no_fewer(off: Takings, on: Takings) -> Takings:
    return off - on


ACTIONS: dict[str, Callable[[Takings, Takings], Takings]] = {
    "restricts": no_more,
    "permits": no_fewer,
}
VALUES: dict[str, Callable[[int, int], bool]] = {
    "raises": lambda off, on: on >= off,
    "lowers": lambda off, on: on <= off,
}


def hold(claim: Claim, off: Machine, on: Machine, seat: int) -> bool:
    """Hold a claim against a position; say whether both programs differ there."""
    if claim.verb in ACTIONS:
        few, more = (legal(machine, seat, claim.name) for machine in (off, on))
        wrong = ACTIONS[claim.verb](few, more)
        assert not wrong, f"{claim}: {sorted(wrong, key=repr)[:5]}"
        return few != more
    low, high = numbers(off, claim.name), numbers(on, claim.name)
    both = low.keys() & high.keys()
    holds = VALUES[claim.verb]
    broken = [
        (key, low[key], high[key]) for key in both if not holds(low[key], high[key])
    ]
    assert not broken, f"{claim}: {broken[:5]}"
    return any(low[key] != high[key] for key in both)


def numbers(machine: Machine, name: str) -> Table:
    """Return a value at all its arguments, where it is a number."""
    found = values(machine, name)
    return {key: each for key, each in found.items() if isinstance(each, int)}


def by_variant() -> dict[str, list[Claim]]:
    """Return the claims of each variant: they look at the same positions."""
    found: dict[str, list[Claim]] = {}
    for claim in claims():
        found.setdefault(f"{claim.game}: {claim.variant}", []).append(claim)
    return found


def promises() -> list[object]:
    """Return the claims of each variant as parameters, some of every game as usual."""
    found, every = list[object](), by_variant()
    for game in sorted({claims[0].game for claims in every.values()}):
        here = [name for name in every if every[name][0].game == game]
        found += spread([(every[name],) for name in here], 9, name=variant_of)
    return found


def variant_of(promised: tuple[list[Claim]]) -> str:
    claim = promised[0][0]
    return f"{claim.game}: {claim.variant}"


def check(
    promised: Sequence[Claim], tables_at_least: int = TABLES, most: int = POSITIONS
) -> None:
    """Hold the claims of one variant; each must make a difference somewhere.

    Further tables are looked at while one has made none yet.
    """
    differences, tables = Counter[Claim](), 0
    for off, on in pairs(promised):
        if tables >= tables_at_least and all(differences[each] for each in promised):
            break
        tables += 1
        for without_it, with_it, seat in same_positions(off, on, most):
            for claim in promised:
                differences[claim] += hold(claim, without_it, with_it, seat)
    assert tables, "no sampled table can do without the variant"
    idle = [str(claim) for claim in promised if not differences[claim]]
    assert not idle, "both are the same everywhere"


@pytest.mark.parametrize("promised", promises())
def test_house_rules_keep_their_promises(promised: list[Claim]) -> None:
    check(promised)


@pytest.mark.slow
@pytest.mark.parametrize("promised", by_variant().values(), ids=by_variant())
def test_house_rules_keep_their_promises_at_more_tables(promised: list[Claim]) -> None:
    check(promised, TABLES_AT_MOST, MORE_POSITIONS)


@pytest.mark.parametrize("claim", claims(), ids=str)
def test_claims_speak_of_what_there_is(claim: Claim) -> None:
    names = {unit.id for unit in ruleset_of(claim.game).units_of("variant")}
    assert claim.variant in names
    assert claim.verb in ACTIONS or claim.verb in VALUES


def test_a_wrong_claim_is_noticed() -> None:
    with pytest.raises(AssertionError, match="harder_sliding permits slide"):
        check([Claim("x_pasch", "harder_sliding", "permits", "slide")])
    with pytest.raises(AssertionError, match="the same everywhere"):
        check([Claim("x_pasch", "harder_sliding", "restricts", "draw")])
