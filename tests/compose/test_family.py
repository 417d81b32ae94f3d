"""The family check: exact texts and counts, and large families in little time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from math import comb
from pathlib import Path

import pytest
from tests.compose.random_families import BASE
from tests.support.rulesets import ruleset_from_folder, ruleset_from_texts
from tests.support.sampling import spread

from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.diagnostics.render import Renderer
from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.conditions.formulas import ALWAYS, either, holds_in
from houserule.compiler.family import check, ordering_conflicts
from houserule.compiler.family.check import check_family
from houserule.compiler.merge.resolve import resolution_of
from houserule.language.manifest.ruleset import LoadedRuleset

CASES = Path(__file__).parents[1] / "cases"
PIG = (CASES / "family" / "pig" / "game.rules").read_text("utf-8")


def pig_with(**variants: str) -> LoadedRuleset:
    """Return the pig game with files of these names."""
    files = {f"variants/{name}.rules": text for name, text in variants.items()}
    return ruleset_from_texts({"game.rules": PIG} | files)


def told(ruleset: LoadedRuleset) -> str:
    report = check_family(ruleset)
    return Renderer(ruleset.sources).all(report.diagnostics)


LOW = """\
variant low for pig "Low"
change hold.something from pot at least 1 to pot at least 2
"""
HIGH = """\
variant high for pig "High"
requires hot
change hold.something from pot at least 1 to pot at least 9
"""
HOT = """\
variant hot for pig "Hot"
state heat: 0..3 starts as 0
needs hold.heated: heat at least 1
"""
FLAT = """\
variant flat for pig "Flat"
change hold.heated from heat at least 1 to yes
"""


def test_two_values_as_a_whole() -> None:
    assert (
        told(pig_with(low=LOW, high=HIGH, hot=HOT))
        == """\
-- CONFLICTING VARIANTS -------------------------------------------------- E201

When "High" and "Low" are both on, I cannot tell what hold.something is: they
change it differently.

  variants/high.rules:3
    3 | change hold.something from pot at least 1 to pot at least 9
                                                     ^^^^^^^^^^^^^^
  variants/low.rules:2
    2 | change hold.something from pot at least 1 to pot at least 2
                                                     ^^^^^^^^^^^^^^
  base rule: game.rules:23
    23 |   needs something: pot at least 1
                            ^^^^^^^^^^^^^^

Smallest table with this problem: high + hot + low
It happens in 1 of 6 valid tables.

Neither file is "later": order never decides in this language. Choose one:

  1. Let high win at tables with both (a bridge, in a new file):
       bridge high, low for pig [ruling NAME]
       mute low at hold.something
  2. Forbid the pair: in the file of high add    excludes low
  3. If they mean the same, give both the same value."""
    )


def test_nothing_to_change_as_a_whole() -> None:
    text = told(pig_with(flat=FLAT, hot=HOT))
    assert '"Flat" changes hold.heated, but that clause exists only while "Hot"' in text
    assert "Smallest table with this problem: flat\nIt happens in 1 of 4" in text
    assert "with hot:" in text
    assert "requires hot" in text


def test_only_there_at_some_tables_as_a_whole() -> None:
    keen = 'variant keen for pig "Keen"\nneeds hold.keen: heat at least 2\n'
    assert (
        told(pig_with(keen=keen, hot=HOT))
        == """\
-- NAME DEPENDS ON A VARIANT --------------------------------------------- E104

"Keen" speaks of heat, but that exists only while "Hot" is on.

  variants/keen.rules:2
    2 | needs hold.keen: heat at least 2
                         ^^^^

Smallest table with this problem: keen
It happens in 1 of 4 valid tables.

Ways out:

  1. Only if it exists:            with hot:
                                     ...
  2. It cannot be played without:  requires hot"""
    )


def test_a_family_without_faults() -> None:
    report = check_family(pig_with(low=LOW, hot=HOT))
    assert report.diagnostics == ()
    assert report.switches == ("hot", "low")
    assert report.valid_tables == report.tables_checked == 4


def test_a_game_without_variants_is_one_table() -> None:
    report = check_family(pig_with())
    assert (report.valid_tables, report.diagnostics) == (1, ())


def test_the_same_whatever_the_order_of_files() -> None:
    one = check_family(pig_with(low=LOW, high=HIGH, hot=HOT, flat=FLAT))
    other = check_family(pig_with(flat=FLAT, hot=HOT, high=HIGH, low=LOW))
    assert one.diagnostics == other.diagnostics


def test_many_that_hang_together_are_no_trouble() -> None:
    hub = {"hub": "variant hub for pig\n"}
    some = {f"v{i}": f"variant v{i} for pig\nrequires hub\n" for i in range(40)}
    report = check_family(pig_with(**hub, **some))
    assert report.diagnostics == ()
    assert report.valid_tables == report.tables_checked == 2**40 + 1


def test_a_long_chain_is_no_trouble() -> None:
    chain = {
        f"v{i:02}": f"variant v{i:02} for pig\n"
        + (f"requires v{i - 1:02}\n" if i else "")
        for i in range(60)
    }
    report = check_family(pig_with(**chain))
    assert report.diagnostics == ()
    assert report.valid_tables == 61


def test_a_knot_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    small = partial(Configurations, most_nodes=100)
    monkeypatch.setattr(check, "Configurations", small)
    side = range(6)
    rows = [[f"s{i}{j}" for j in side] for i in side]
    groups = [*rows, *zip(*rows, strict=True)]
    said = [f"exactly one of g{i}: {', '.join(g)}\n" for i, g in enumerate(groups)]
    text = PIG.replace("players 2..6\n", "players 2..6\n" + "".join(said))
    variants = {f"{n}.rules": f"variant {n} for pig\n" for row in rows for n in row}
    variants["s00.rules"] += "change hold.something from pot at least 9 to yes\n"
    report = check_family(ruleset_from_texts({"game.rules": text, **variants}))
    assert [each.code for each in report.diagnostics] == ["W403", "E102"]
    assert report.valid_tables == 0
    assert report.tables_checked == 37


def families_of(number: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield families of so many variants that all touch one thing, and do not clash."""
    kinds: dict[str, Callable[[int], str]] = {
        "raise": lambda i: "raise limit by 1\n",
        "raise by more or less": lambda i: f"raise limit by {i % 7 + 1}\n",
        "default": lambda i: "default limit: 150\n",
        "different defaults": lambda i: f"default limit: {100 + i % 5}\n",
        "layer": lambda i: f"extend worth with plus l{i}, if any, after added\n",
        "lift": lambda i: f"or hold.something.l{i}: pot at least {i % 9}\n",
        "condition": lambda i: f"needs hold.n{i}: pot at least 0\n",
        "member": lambda i: f"extend Mood with m{i}\n",
        "step": lambda i: f"step turn.s{i}: any number\norder asking then s{i}\n",
        "chain": lambda i: f"requires v{i - 1:03}\n" if i else "",
        "seats": lambda i: f"needs players {2 + i % 3}..{4 + i % 3}\n",
    }
    every = list(kinds.values())
    kinds["mixture"] = lambda i: every[i % 9](i) + (every[9](i) if i % 10 else "")
    kinds["all"] = lambda i: kinds["raise"](i) + kinds["layer"](i) + kinds["seats"](i)
    for kind, line in kinds.items():
        names = [f"v{i:03}" for i in range(number)]
        yield (
            kind,
            {
                f"{name}.rules": f"variant {name} for pig\n{line(i)}"
                for i, name in enumerate(names)
            },
        )


@pytest.mark.parametrize(
    "kind",
    spread(
        [kind for kind, _ in families_of(0)], 9, needed=lambda kind: kind == "mixture"
    ),
)
def test_a_hundred_that_meet_in_one_place_are_no_trouble(kind: str) -> None:
    limit = "option limit: 20..9999 normally 100\n"
    base = BASE.replace("dice Die", f"{limit}dice Die", 1)
    files = dict(families_of(100))[kind]
    report = check_family(ruleset_from_texts({"game.rules": base, **files}))
    assert report.diagnostics == ()
    assert report.tables_checked == report.valid_tables > 100


def test_raises_that_leave_the_scale_together_are_found() -> None:
    raises = {
        f"v{i:02}.rules": f"variant v{i:02} for pig\nraise target by 10\n"
        for i in range(30)
    }
    report = check_family(ruleset_from_texts({"game.rules": BASE, **raises}))
    assert [each.code for each in report.diagnostics] == ["E304"]
    eleven = " + ".join(f"v{i:02}" for i in range(11))  # 100 and eleven times ten
    assert (
        f"Smallest table with this problem: {eleven}\n"
        in report.diagnostics[0].details[0]
    )
    many = sum(comb(30, k) for k in range(11, 31))
    assert f"{many:,} of {2**30:,}" in report.diagnostics[0].details[0]


def test_what_is_too_much_even_so_is_looked_at_in_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ordering_conflicts, "EXACT", 4)
    monkeypatch.setattr(ordering_conflicts, "ALIKE", 8)
    raises = {
        f"v{i:02}.rules": f"variant v{i:02} for pig\nraise target by 10\n"
        for i in range(30)
    }
    report = check_family(ruleset_from_texts({"game.rules": BASE, **raises}))
    assert {each.code for each in report.diagnostics} == {"W403", "E304"}


def test_forty_that_do_not_hang_together_are_no_trouble() -> None:
    some = {
        f"v{i:02}": f"variant v{i:02} for pig\nvalue own{i}: 0..9 = {i}\n"
        for i in range(38)
    }
    report = check_family(pig_with(**some, low=LOW, high=HIGH, hot=HOT))
    assert report.valid_tables == 2**38 * 6
    assert [each.code for each in report.diagnostics] == ["E201"]
    assert any(
        f"It happens in {2**38:,} of {2**38 * 6:,} valid tables." in detail
        for detail in report.diagnostics[0].details
    )


def test_when_a_clause_is_there() -> None:
    calm = "variant calm for pig\nremove hold.something\n"
    loud = "variant loud for pig\nneeds hold.loud: bold\n"
    quiet = "bridge calm, loud for pig [ruling q]\nmute loud at hold.loud\n"
    resolution = resolution_of(pig_with(calm=calm, loud=loud, quiet=quiet))
    there = {
        address: either(resolution.stands(each) for each in every)
        for address, every in resolution.family.clauses.items()
    }
    assert there["hold.bank"] == ALWAYS
    for table in map(frozenset, ([], ["calm"], ["loud"], ["calm", "loud"])):
        assert holds_in(there["hold.something"], table) == ("calm" not in table)
        assert holds_in(there["hold.loud"], table) == (table == {"loud"})


# ---- large families


def test_the_corpus_of_races_has_no_faults() -> None:
    folder = CASES / "compose" / "race"
    report = check_family(ruleset_from_folder(folder))
    assert not has_errors(report.diagnostics)
    assert report.valid_tables > 100


CLAUSES = 60


def large_family(switches: int = 20, edits: int = 30) -> LoadedRuleset:
    """Return a family whose variants change, lift and mention clauses at random."""
    base = PIG.replace("pig", "large") + "".join(
        f"value a{i}: 0..9 = {i % 10}\nvalue b{i}: yes or no = a{i} at least 1\n"
        for i in range(CLAUSES)
    )
    files = {"game.rules": base}
    for number in range(switches):
        lines = [f"variant v{number:02} for large"]
        lines += ["requires v00"] * (0 < number < 14)
        lines.append(f"value own{number}: 0..9 = 1")
        for edit in range(edits):
            lines.append(_edit(number, edit))
        files[f"variants/v{number:02}.rules"] = "\n".join(lines) + "\n"
    return ruleset_from_texts(files)


def _edit(number: int, edit: int) -> str:
    clause = (number * 37 + edit * 13) % CLAUSES
    match edit % 3:
        case 0:
            new = (clause + number % 4) % 10
            return f"change a{clause} from {clause % 10} to {new}"
        case 1:
            return f"or b{clause}.v{number:02}x{edit}: own{number} at least 1"
        case _:
            other = (number + 1) % 20
            wanted = f"own{other}" if edit % 10 == 5 else f"own{number}"
            name = f"w{number}x{edit}"
            return f"value {name}: 0..9 = {wanted}"


def test_twenty_switches_and_six_hundred_edits_take_seconds() -> None:
    ruleset = large_family()
    check_family(large_family(3, 3))  # imports and caches are no matter of scale
    start = time.perf_counter()
    report = check_family(ruleset)
    assert time.perf_counter() - start < 5
    assert report.valid_tables == (2**13 + 1) * 2**6
    codes = {each.code for each in report.diagnostics}
    assert codes == {"E201", "E104"}


@pytest.mark.parametrize(
    ("book", "first"),
    [("", "Rule it"), ('source book "Pig, by Ann Bell, 1910"\n', "Cite it")],
)
def test_a_bridge_is_to_cite_a_book_if_there_is_one(book: str, first: str) -> None:
    bridge = "bridge low, hot for pig\nmute low at hold.something\n"
    texts = {"low.rules": LOW, "hot.rules": HOT, "both.rules": bridge}
    ruleset = ruleset_from_texts(
        {"game.rules": PIG.replace("\n", f"\n{book}", 1)} | texts
    )
    (found,) = [
        each for each in check_family(ruleset).diagnostics if each.code == "W405"
    ]
    assert found.fixes[0].startswith(first)


@pytest.mark.parametrize("bad", [range(10), range(10, 20)], ids=["first", "last"])
def test_defaults_that_differ_leave_that_of_the_game_however_many_there_are(
    bad: range,
) -> None:
    wanted = {f"v{i:02}": 25 if i in bad else 30 for i in range(20)}  # 25 is no step
    files = {
        f"{name}.rules": f"variant {name} for pig\ndefault target: {value}\n"
        for name, value in wanted.items()
    }
    report = check_family(ruleset_from_texts({"game.rules": BASE, **files}))
    assert {each.code for each in report.diagnostics} == {"E304"}
    tables = [found.condition for found in report.findings]
    one, other = f"v{bad[0]:02}", f"v{(bad[0] + 10) % 20:02}"
    for on, faulty in (({one}, True), ({one, other}, False), ({other}, False)):
        assert any(holds_in(each, frozenset(on)) for each in tables) == faulty


def test_raises_by_a_sum_add_up_as_well() -> None:
    raises = {
        f"v{i:02}.rules": f"variant v{i:02} for pig\nraise target by 5 + 5\n"
        for i in range(11)  # 100 and eleven times ten is more than 200
    }
    report = check_family(ruleset_from_texts({"game.rules": BASE, **raises}))
    assert [each.code for each in report.diagnostics] == ["E304"]
    assert "It happens in 1 of 2,048 valid" in "".join(report.diagnostics[0].details)
