"""Options with parts of sets: counted and found by number, as if they were listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.support.compare import check, machine_of, numbers, play_both
from tests.support.rules_cases import program_of

from houserule.base.algebra.subsets import count_subsets, unrank_subset
from houserule.engine.compiled.machine import CompiledMachine, Faulted
from houserule.engine.compiled.memory.codec import read_store
from houserule.ir import Program

from .test_batches import same_games
from .test_generated import QUIET

WIDE = (0, 3, 63, 64, 65, 100, 127, 128, 199)
SETS = ("few", "low", "wide", "(those x in few where x more than 0)", "(n..n + 3)")
RULES = """\
game t
players 2..2
type Small = -4..4
type Wide = 0..199
type Any = -4..199
state few: set of Small starts as {few}
state low: set of Small starts as {{-4, -1, 0, 2}}
state wide: set of Wide starts as {{{wide}}}
state n: 0..9 starts as {n}
state turns: 0..9 starts as 0
state many: 0..9999 starts as 0
state best: set of Any starts as {{}}
{kept}
winners: players
phase round until turns at least 3, at most 4 times
  phase turn for me in players
    step look: if can(go): turns gains 1
    step go: at most once
    step pick:
      {pick} {chosen}{where}:
        {last}
      many becomes min(9999, (count of {count}))
      best becomes ({best})
    order look then go then pick
action a({factors}) during go
{needs}{advice}  does it:
{does}
"""
Integers = Callable[[int, int], int]


def written(draw: Integers) -> str:
    """Return the rules of an action with some factors, most of them parts of sets."""
    names: list[tuple[str, bool]] = []  # with whether it is a part
    factors: list[str] = []
    for number in range(draw(1, 4)):
        factor, part = factor_of(draw, names)
        names.append((f"x{number}", part))
        factors.append(f"x{number} {factor}")
    needs = [f"  needs c{k}: {condition_on(draw, names)}\n" for k in range(draw(0, 2))]
    advice = ""
    if len(names) < 3 and "wide" not in "".join(factors) and draw(0, 1):
        kinds = (("unwise",), ("usual",), ("unwise", "usual"))[draw(0, 2)]
        for kind in kinds:
            advice += f'  {kind} {kind} "Advice": {condition_on(draw, names)}\n'
    chosen, part = factor_of(draw, [])
    where = f" where {condition_on(draw, [('y', part)])}" if draw(0, 2) == 0 else ""
    names.append(("y", part))
    return RULES.format(
        few="{" + ", ".join(str(k) for k in range(-4, 5) if draw(0, 1)) + "}",
        wide=", ".join(str(k) for k in WIDE if draw(0, 2)) or "1",
        n=draw(0, 5),
        kept="\n".join(map(kept_as, names)),
        pick=("may choose", "must choose", "random")[draw(0, 2)],
        chosen=f"y {chosen}",
        where=where,
        count=counted(draw),
        best=best_part(draw),
        last="last_y becomes y",
        factors=", ".join(factors),
        needs="".join(needs),
        advice=advice,
        does="\n".join(f"    last_{name} becomes {name}" for name, _ in names[:-1]),
    )


def kept_as(name: tuple[str, bool]) -> str:
    kind = "set of Any starts as {}" if name[1] else "Any starts as 0"
    return f"state last_{name[0]}: {kind}"


def counted(draw: Integers) -> str:
    """Return two variables for a query, of sets that are small."""
    found = [f"u{k} {how_many(draw)} {('few', 'low')[draw(0, 1)]}" for k in (0, 1)]
    return " and ".join(found[draw(0, 1) :])


def best_part(draw: Integers) -> str:
    """Return a part that may be the only one, or the best, with what stands in."""
    source = f"w {('any part of', '0..2 of', 'part of')[draw(0, 2)]} "
    source += ("few", "low", "(those x in wide where x more than 99)")[draw(0, 2)]
    where = f" where {condition_on(draw, [('w', True)])}" if draw(0, 1) else ""
    total, few = "(sum of v for v in w)", "size(w)"
    kind = draw(0, 2)
    if kind == 0:
        return f"(the only {source}{where}) else {{1}}"
    by = "most" if draw(0, 1) else "least"
    keys = total if kind == 1 else f"{few} then {total}"
    return f"(the one {source}{where} with {by} {keys}, none on a tie) else {{1, 4}}"


def how_many(draw: Integers) -> str:
    """Return how a variable is bound: to members, or to parts of some sizes."""
    low = draw(0, 4)
    forms = ("any part of", "part of", f"{low}..{low + draw(0, 3)} of", "in", "in")
    return forms[draw(0, len(forms) - 1)]


def factor_of(draw: Integers, names: Sequence[tuple[str, bool]]) -> tuple[str, bool]:
    parts = [name for name, part in names if part]
    sources = (*SETS, *parts, *(f"(low but {name})" for name, part in names if part))
    source = sources[draw(0, len(sources) - 1)]
    how = how_many(draw)
    return f"{how} {source}", how != "in"


def condition_on(draw: Integers, names: Sequence[tuple[str, bool]]) -> str:
    name, part = names[draw(0, len(names) - 1)]
    least = draw(-1, 3)
    if not part:
        return f"{name} at least {least} or n is 3"
    forms = (
        f"size({name}) at least {least}",
        f"(sum of z for z in {name}) mod 2 is 0",
        f"(every z in {name} has z is not {least})",
    )
    return forms[draw(0, 2)]


@st.composite
def rules(draw: Callable[[st.SearchStrategy[int]], int]) -> str:
    return written(lambda low, high: draw(st.integers(low, high)))


def same(text: str) -> None:
    try:
        program = program_of(text)
    except (AssertionError, ValueError):
        program = None
    assume(program is not None)
    assert program is not None
    machine = machine_of(program)
    for seed in range(6):
        choices = numbers(seed, 12) if seed else [0] * 12
        check(program, machine, seed, choices)
    same_games(program, machine, 3, range(2))


@given(rules())
@settings(max_examples=15, suppress_health_check=QUIET)
def test_generated_factors(text: str) -> None:
    same(text)


@pytest.mark.slow
@given(rules())
@settings(max_examples=1500, suppress_health_check=QUIET)
def test_many_generated_factors(text: str) -> None:
    same(text)


# ---- more than anybody lists

HEAD = """\
game t
players 2..2
type Wide = 0..199
state pool: set of Wide starts as {pool}
state met: yes or no starts as no
state got: set of Wide starts as {{}}
state also: set of Wide starts as {{}}
state last: 0..199 starts as 0
winners: players
phase turn for me in players
  step look: if can(go): met becomes yes
  step go: must act once, if possible
  order look then go
"""


def machine(pool: Sequence[int], action: str) -> tuple[Program, CompiledMachine]:
    members = "{" + ", ".join(map(str, pool)) + "}"
    program = program_of(HEAD.format(pool=members) + action)
    return program, machine_of(program)


def begin(of: CompiledMachine) -> None:
    of.call("reset", 1, 0)
    of.call("advance")


def value(of: CompiledMachine, name: str) -> object:
    (found,) = read_store(of.block(), of.module.memory).cells[name]
    return found


THREE = """\
action a(x any part of pool, y part of pool, z 2..9 of pool) during go
  does it: got becomes x; also becomes y; last becomes size(z)
"""


def test_more_than_32_bits_of_options() -> None:
    """The reference engine counts each factor and multiplies, so it can be asked."""
    program, of = machine(range(30, 150, 10), THREE)
    begin(of)
    many = 2**12 * (2**12 - 1) * count_subsets(12, 2, 9)
    assert of.call("options") == many > 1 << 35
    for number in (0, 1, 3, 1 << 33, many // 3, many - 2, many - 1):
        assert play_both(program, of, 1, [number, number // 7]) == "won"


ONE = """\
action a(x {sizes} of pool) during go
  does it: got becomes x
"""


@pytest.mark.parametrize(
    ("sizes", "size"),
    [("any part", 54), ("part", 54), ("3..5", 199), ("45..60", 62), ("0..1", 200)],
)
def test_a_part_is_found_by_its_number(sizes: str, size: int) -> None:
    """Too many to list: what the numbering of the language tells is what is found."""
    pool = sorted(range(199, -1, -1)[:size])
    low, high = {"any part": (0, None), "part": (1, None)}.get(sizes, (0, 0))
    if ".." in sizes:
        low, high = map(int, sizes.split(".."))
    _, of = machine(pool, ONE.format(sizes=sizes))
    many = count_subsets(size, low, high)
    for number in (0, 1, 2, 77, many // 2, many // 3 * 2, many - 2, many - 1):
        begin(of)
        assert of.call("options") == many
        if not 0 <= number < many:
            continue
        of.call("choose", number)
        of.call("advance")
        assert value(of, "got") == unrank_subset(pool, low, high, number)


def test_what_cannot_be_counted_stops_but_can_be_asked_for() -> None:
    """There is a part of 60 things; how many there are has no room."""
    _, of = machine(range(60, 120), ONE.format(sizes="any part"))
    of.call("reset", 1, 0)
    with pytest.raises(Faulted) as caught:
        of.call("advance")
    assert (caught.value.fault and caught.value.fault.code) == "F11"
    assert value(of, "met") == 1


def test_a_product_that_cannot_be_counted_stops() -> None:
    two = "action a(x, y in 0..99, z any part of pool, w any part of pool) during go\n"
    _, of = machine(range(25), two + "  does it: got becomes w")
    of.call("reset", 1, 0)
    with pytest.raises(Faulted) as caught:
        of.call("advance")
    assert (caught.value.fault and caught.value.fault.code) == "F11"
