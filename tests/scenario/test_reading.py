"""What a scenario says is read before it is played, and said again where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.manifest.ruleset import LoadedRuleset
from houserule.prepare import Programs
from houserule.scenario.files import Trial, read_examples, trials
from houserule.scenario.run import Result, read_trial, run_trial

RULES = """
game t
players 2..2
component Card for each nr: 1..4
dice Die: red, blue showing 1..6
zone hand(p: Player): set of Card seen by p
zone deck: pile of Card starts as Card
state marks(p: Player, c: Card): 0..9 starts as 0
winners: players
phase round for lap in 1..3
  phase turn for me in players
    step taking: any number
    step resting: at most once
    order taking then resting
action take(n: 1..2) at taking
  limit once: 1 each turn
  does it: must choose c in Card by me: marks(me, c) becomes n
action throw at taking
  limit once: 1 each turn
  does it: roll red
action rest at resting
  does it: roll blue
variant more for t
state pot: 0..9 starts as 0
"""
HERE = "Here p1 is to take an action, with resting, taking open."
GIVEN = "given: {turn: p1, at: taking}"


@pytest.fixture
def ruleset() -> LoadedRuleset:
    base, variant = RULES.strip().split("variant more", 1)
    texts = {"game.rules": f"{base}", "more.rules": f"variant more{variant}"}
    return ruleset_from_texts(texts)


def example(folder: Path, lines: str) -> Iterator[Trial]:
    """Write an example with some lines in it; yield it and its cases."""
    file = folder / "one.yaml"
    indented = "".join(f"    {line}\n" for line in lines.strip().split("\n"))
    text = f"game: t\nscenarios:\n  - name: one\n{indented}"
    file.write_text(text, encoding="utf-8")
    examples = read_examples(file)
    assert not examples.faults, examples.faults
    yield from trials(examples)


def read(ruleset: LoadedRuleset, folder: Path, lines: str) -> list[str]:
    """Return what is found without playing, as code, underlined words and line."""
    first = next(example(folder, lines))
    return [
        f"{each.code} {each.span.line - 3 if each.span else 0} {each.message}"
        for each in read_trial(first, Programs(ruleset).prepare)
    ]


def run(ruleset: LoadedRuleset, folder: Path, lines: str) -> Result:
    return run_trial(next(example(folder, lines)), Programs(ruleset))


@pytest.mark.parametrize(
    ("expect", "code"),
    [
        ("pots: 9", "E071"),  # no such state
        ("marks(p1, 9): 1", "E071"),  # no such key
        ("marks(p3, 1): 1", "E071"),
        ("marks(p1, 1): many", "E072"),  # no such value
        ("hand(p1): [seven]", "E071"),
        ("faces: {red: 9}", "E072"),
        ("faces: {green: 1}", "E071"),
        ("offers: [fetch]", "E071"),
        ("offers_not: {take: {m: 1}}", "E071"),
        ("count: {fetch: 1}", "E071"),
        ("count: many", "E072"),
        ("open: [sleeping]", "E071"),
        ("decides: bob", "E071"),
        ("winners: [bob]", "E071"),
        ("ended: maybe", "E072"),
        ("stalled: night", "E071"),
        ("runs: take.that", "E071"),
        ("refused: take.that", "E071"),
        ("fault: F77", "E071"),
        ("sees: {p2: {hands: hidden}}", "E071"),
        ("sees: {p2: {hand(p1): [{colour: 1}]}}", "E071"),
        ("sees: {p2: {'marks(p1, 1)': many}}", "E072"),
        ("sees: {p2: {faces: {red: 7}}}", "E072"),
    ],
)
def test_check_reads_what_is_expected(
    expect: str, code: str, ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    key, value = expect.split(": ", 1)
    found = read(
        ruleset, tmp_path, f'{GIVEN}\ndo: [done]\nexpect: {{"{key}": {value}}}'
    )
    assert [each[:6] for each in found] == [f"{code} 3"]


def test_what_can_be_expected_is_no_fault(
    ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = """
given: {turn: p1, at: taking}
do: [{take: 1}, {expect: {decides: p1}}]
expect:
  marks(p1, 1): 0
  sees: {p1: {hand(p1): [], hand(p2): hidden, faces: {red: hidden}}}
  count: {take: 0}
  fault: F01
under:
  - {with: [more], expect: {pot: 3}}
"""
    assert read(ruleset, tmp_path, said) == []


def test_what_is_expected_in_between_and_of_cases_is_read(
    ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"""
{GIVEN}
do: [{{take: 1}}, {{expect: {{pots: 1}}}}]
expect: {{ended: no}}
under:
  - {{with: [more], do: [done], expect: {{pot: 12}}}}
"""
    found = read(ruleset, tmp_path, said)
    assert [each[:6] for each in found] == ["E071 2", "E072 5"]


def test_a_key_that_yaml_cut_at_its_comma_is_to_be_quoted(
    ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"{GIVEN}\ndo: [done]\nexpect: {{marks(p1, 1): 3}}"
    first = next(example(tmp_path, said))
    found = read_trial(first, Programs(ruleset).prepare)
    assert found
    for each in found:
        assert each.code == "E071"
        assert "quotes" in " ".join(each.fixes)
    file = tmp_path / "twice.yaml"
    file.write_text("expect: {marks(p1, 1): 3, marks(p1, 2): 3}", encoding="utf-8")
    twice = read_examples(file).faults
    assert [each.code for each in twice if each.fixes] == ["E030"]
    assert "quotes" in twice[0].fixes[0]


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ("[{take: 1}, throw]", "p1 has to choose a Card first (`choose`, take.it)."),
        ("[throw, throw]", HERE),
        (
            "[{throw: , by: p2}]",
            HERE,
        ),
    ],
)
def test_a_refused_move_says_what_is_open(
    moves: str, says: str, ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"{GIVEN}\ndo: {moves}\nexpect: {{ended: no}}"
    problem, *_ = run(ruleset, tmp_path, said).problems
    assert problem.message.endswith(says)


def test_another_answer_than_is_asked_says_what_is_open(
    ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"{GIVEN}\ndo: [{{choose: 1}}]\nexpect: {{ended: no}}"
    (fault,) = run(ruleset, tmp_path, said).faults
    assert fault.message == HERE


@pytest.mark.parametrize(
    ("given", "move", "line", "says"),
    [
        (", rolls: [1, 2]", "throw, rolls: [3]", 1, "lays down 2, but none fell"),
        ("", "throw, rolls: [3, 4, 5]", 2, "lays down 3, but 1 fell"),
    ],
)
def test_surplus_falls_are_told_where_they_are_laid_down(
    given: str,
    move: str,
    line: int,
    says: str,
    ruleset: LoadedRuleset,
    tmp_path: Path,
) -> None:
    name, luck = move.split(", ", 1)
    position = GIVEN.replace("}", f"{given}}}")
    said = f"{position}\ndo: [{{{name}: , {luck}}}]\nexpect: {{faces: {{red: 3}}}}"
    (problem,) = run(ruleset, tmp_path, said).problems
    assert says in problem.message
    assert problem.span.line - 3 == line


@pytest.mark.parametrize(("luck", "told"), [("", True), ("rolls: [3]", False)])
def test_a_failure_says_what_fell_by_chance(
    luck: str, told: bool, ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"{GIVEN}\ndo: [{{throw: , {luck}}}]\nexpect: {{ended: yes}}"
    held = said.replace("ended: yes", "ended: no")
    problems = run(ruleset, tmp_path, said).problems
    by_chance = [each for each in problems if "No `rolls`" in each.message]
    assert len(problems) == 1 + told
    assert len(by_chance) == told
    assert all(each.message[-2] in "123456" for each in by_chance)
    assert not run(ruleset, tmp_path, held).problems
