"""Every example holds at larger tables too, or a house rule there says otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ruleset_of, sampled, telling

from houserule import ir
from houserule.compiler.prepare import Prepared, Programs, TableChoice
from houserule.ir.types import Flag

from .everywhere import Elsewhere, Example, examples_of
from .test_needs_matter import Without

MOST_AT_A_TABLE = 16
STRIDE = 36  # so many tables of a game share one that is usual


def cases(*, all_of_them: bool) -> list[object]:
    """Return every set of variants of the sampled tables, as parameters of a test."""
    found: list[object] = []
    for name in NAMES:
        choices = sampled(name, random=40) if all_of_them else telling(name)
        tables = dict.fromkeys(choice.variants for choice in choices)
        placed = [(name, each, place) for place, each in enumerate(tables)]
        stride = 1 if all_of_them else STRIDE
        found += spread(placed, stride, first=False, name=title)
    return found


def title(case: tuple[str, frozenset[str], int]) -> str:
    return f"{case[0]}: {', '.join(sorted(case[1])) or 'nothing on'}"


def smaller(name: str, variants: frozenset[str]) -> list[Example]:
    """Return the examples whose own tables have some of these variants."""
    return [each for each in examples_of(name) if each.variants < variants]


def some(found: list[Example], place: int) -> list[Example]:
    """Return at most so many examples in a row: at the next place the next ones.

    Neighbours share their tables, which are dear to prepare.
    """
    start = place * MOST_AT_A_TABLE % max(1, len(found))
    return [*found[start:], *found[:start]][:MOST_AT_A_TABLE]


def told_of(elsewhere: Elsewhere, examples: list[Example]) -> list[str | None]:
    """Return what examples show elsewhere, of those that are met at their own table."""
    return [
        elsewhere.unexplained(each.trial, each.home)
        for each in examples
        if each.home is not None
    ]


def hold(name: str, variants: frozenset[str], examples: list[Example]) -> None:
    told = told_of(Elsewhere(name, variants), examples)
    failures = [each for each in told if each]
    assert not failures, "\n\n".join(failures)


@pytest.mark.parametrize(("name", "variants", "place"), cases(all_of_them=False))
def test_examples_hold_at_larger_tables(
    name: str, variants: frozenset[str], place: int
) -> None:
    hold(name, variants, some(smaller(name, variants), place))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variants", "place"), cases(all_of_them=True))
def test_every_example_holds_at_every_larger_table(
    name: str, variants: frozenset[str], place: int
) -> None:
    hold(name, variants, smaller(name, variants))


@pytest.mark.parametrize(
    "name", [n for n in NAMES if ruleset_of(n).units_of("variant")]
)
def test_there_are_larger_tables(name: str) -> None:
    tables = {choice.variants for choice in sampled(name)}
    assert any(
        Elsewhere(name, variants).moved(each.trial, each.home.table)
        for variants in tables
        for each in smaller(name, variants)
        if each.home is not None
    )


# ---- what the test above would find

SLIDES = frozenset({"colour_fields", "hostile_takeover"})  # neither is about slides
RAISED = SLIDES | {"eighteens"}  # this one is: it adds a condition to them


def told_without(address: str, variants: frozenset[str]) -> list[str | None]:
    """Return what base examples about a condition tell where it is forgotten."""
    elsewhere = Elsewhere("x_pasch", variants)
    elsewhere.tables = Without("x_pasch", address)
    about = [
        each
        for each in smaller("x_pasch", variants)
        if not each.variants
        and not each.trial.number
        and address in each.trial.scenario.covers
    ]
    return told_of(elsewhere, about)


def test_what_no_house_rule_explains_is_found() -> None:
    told = told_without("slide.apart", SLIDES)
    assert told
    assert all(each and "colour_fields, hostile_takeover" in each for each in told)


def test_what_a_house_rule_may_explain_is_let_be() -> None:
    told = told_without("slide.apart", RAISED)
    assert told
    assert not any(told)


class Broken(Programs):
    """The tables of a ruleset, with an invariant that never holds."""

    def prepare(self, choice: TableChoice) -> Prepared:
        prepared = super().prepare(choice)
        assert prepared.program is not None
        never = ir.Condition("never", ir.Const(False, Flag()))
        return replace(prepared, program=replace(prepared.program, always=(never,)))


def test_a_fault_of_the_rules_is_never_explained() -> None:
    choice = max(telling("nim"), key=lambda each: len(each.variants))
    elsewhere = Elsewhere("nim", choice.variants)
    elsewhere.tables = Broken(ruleset_of("nim"))
    told = told_of(elsewhere, smaller("nim", choice.variants))
    found = [each for each in told if each is not None]
    assert found
    assert all("F05" in each for each in found)
