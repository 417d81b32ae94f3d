"""What a scenario says is read before it is played, and said again where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.authoring.scenarios.files import Trial, read_examples, trials
from houserule.authoring.scenarios.run import Result, read_trial, run_trial
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.compiler.prepare import Programs
from houserule.language.manifest.ruleset import LoadedRuleset

RULES = """
game t
players 2..2
component Card for each nr: 1..4
dice Die: red, blue showing 1..6
zone hand(p: Player): set of Card seen only by p
zone deck: pile of Card starts as Card
state marks(p: Player, c: Card): 0..9 starts as 0
state lots: 0..3 starts as 0
winners: players
phase round for lap in 1..3
  phase turn for me in players
    step taking: any number
    step resting: at most once
    order taking then resting
action take(n: 1..2) during taking
  limit once: at most once each turn
  does it: must choose c in Card by me: marks(me, c) becomes n
action throw during taking
  limit once: at most once each turn
  does it: roll red
action rest during resting
  does it: roll blue
action lot during resting
  does it: random k in 1..3: lots becomes k
variant more for t
state pot: 0..9 starts as 0
step turn.closing: must act once, if possible
order resting then closing
action close during closing
  does it: pot gains 1
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


def read_example(trial: Trial, ruleset: LoadedRuleset) -> tuple[Diagnostic, ...]:
    programs = Programs(ruleset)
    return read_trial(trial, programs.prepare, programs.misfits)


def read(ruleset: LoadedRuleset, folder: Path, lines: str) -> list[str]:
    """Return what is found without playing, as code, underlined words and line."""
    first = next(example(folder, lines))
    return [
        f"{each.code} {each.span.line - 3 if each.span else 0} {each.message}"
        for each in read_example(first, ruleset)
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


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ("ended: Yes", "write `yes`"),
        ("ended: on", "write `yes`"),
        ("legal: Off", "write `no`"),
        ("legal: maybe", ""),
        ("count: 1\u202f0", "use a plain space in place of this narrow no-break space"),
        ('ended: "no"', None),
        ('legal: "yes"', None),
        ('unwise: "no"', None),
        ('usual: "no"', None),
        ('stalled: "no"', None),
        ('drawn_by: "no"', None),
    ],
)
def test_a_value_may_have_quotes_or_gets_advice(
    expect: str, says: str | None, ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    lines = f"{GIVEN}\nluck: any\ntry: throw\nexpect: {{{expect}}}"
    first = next(example(tmp_path, lines))
    found = [each.labels[0].text for each in read_example(first, ruleset)]
    assert found == ([] if says is None else [says])
    if says is None:
        assert run_trial(first, Programs(ruleset)).passed


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


def test_a_key_that_yaml_ends_at_its_comma_is_to_be_quoted(tmp_path: Path) -> None:
    file = tmp_path / "cut.yaml"
    said = "expect: {marks(p1, 1): 3, marks(p1, 2): {a: 3}, marks(p1): {1: 3}}"
    file.write_text(said, encoding="utf-8")
    found = [each for each in read_examples(file).faults if each.code == "E030"]
    assert [each.fixes for each in found] == [('"marks(p1, 1)"',), ('"marks(p1, 2)"',)]


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


@pytest.mark.parametrize(
    ("word", "made", "adds"), [("try", "throw", True), ("do", "[throw]", False)]
)
def test_a_move_that_is_only_tried_changes_nothing(
    word: str, made: str, adds: bool, ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"luck: any\n{GIVEN}\n{word}: {made}\nexpect: {{lots: 3}}"
    problem, *_ = run(ruleset, tmp_path, said).problems
    assert problem.message.endswith("`do` makes it.") is adds


def test_another_answer_than_is_asked_says_what_is_open(
    ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"{GIVEN}\ndo: [{{choose: 1}}]\nexpect: {{ended: no}}"
    (fault,) = run(ruleset, tmp_path, said).faults
    assert fault.message == HERE


@pytest.mark.parametrize(
    ("given", "move", "line", "says"),
    [
        ("", "lot, draws: [4]", 2, "Here `draws` can only be 1 to 3."),
        ("", "lot, draws: [0]", 2, "Here `draws` can only be 1 to 3."),
        (", rolls: [1, 2]", "throw, rolls: [3]", 1, "lays down 2, but none fell"),
        ("", "throw, rolls: [3, 4, 5]", 2, "lays down 3, but 1 fell"),
        ("", "throw, rolls: [7]", 2, "A die that is rolled here has no face 7."),
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
    said = f"{position}\ndo: [{{{name}: , {luck}}}]\nexpect: {{ended: no}}"
    (problem,) = run(ruleset, tmp_path, said).problems
    assert says in problem.message
    assert problem.span.line - 3 == line


THROW, LOT = "{throw: , %s}", "{lot: , %s}"


@pytest.mark.parametrize(
    ("move", "laid", "fell"),
    [
        (THROW, "", "rolls"),
        (THROW, "draws: [1]", "rolls"),  # dice are not drawn
        (THROW, "rolls: [3]", ""),
        (LOT, "", "draws"),
        (LOT, "draws: [2]", ""),
    ],
)
def test_what_nothing_lays_down_does_not_fall_unless_any_luck_will_do(
    move: str, laid: str, fell: str, ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"{GIVEN}\ndo: [{move % laid}]\nexpect: {{ended: no}}"
    found = [each.message for each in run(ruleset, tmp_path, said).problems]
    by_chance = [each for each in found if each.startswith("This fell by chance: ")]
    assert len(by_chance) == bool(fell)
    for each in by_chance:  # what it says may be copied as it stands
        wanted = each.split("`")[1]
        assert wanted.startswith(f"{fell}: [")
        assert not run(
            ruleset, tmp_path, said.replace(move % laid, move % wanted)
        ).problems
    if "draws" not in laid:
        assert run(ruleset, tmp_path, f"luck: any\n{said}").passed


def test_any_luck_is_more_than_one(ruleset: LoadedRuleset, tmp_path: Path) -> None:
    """The face that falls with the first seed is not the one that always falls."""
    said = f"{GIVEN}\ndo: [throw]\nexpect: {{ended: no}}"
    (chance,) = run(ruleset, tmp_path, said).problems
    face = chance.message.split("[")[1][0]
    wanted = f"luck: any\n{said}".replace("ended: no", f"faces: {{red: {face}}}")
    assert not run(ruleset, tmp_path, wanted).passed


@pytest.mark.parametrize(
    ("on", "do", "says"),
    [
        ("more", "[{until: closing}, close]", ""),
        ("more", "[{until: taking}, throw]", ""),
        ("more", "[{until: closing}, close, {until: closing}]", ""),  # by now of p2
        ("more", "[{take: 1}, {until: closing}]", "declined. p1 has to choose a Card"),
        ("more", "[{until: closing, by: p2}]", "cannot be declined. Here p1 is to"),
        ("", "[{until: taking}]", "does not open in this turn. Here p2 is to take"),
        ("", "[{until: taking, by: p2}, throw]", ""),
        ("", "[rest, {until: taking, by: p1}, {throw: , by: p1}]", ""),
    ],
)
def test_until_declines_what_is_open(
    on: str, do: str, says: str, ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"""
luck: any
table: {{with: [{on}]}}
given: {{turn: p1, at: {"taking" if on else "resting"}}}
do: {do}
expect: {{ended: no}}
"""
    found = [each.message for each in run(ruleset, tmp_path, said).problems]
    assert (says in found[0]) if says else not found


def test_until_names_a_step_where_somebody_acts(
    ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    for step in ("night", "rest"):
        said = f"{GIVEN}\ndo: [{{until: {step}}}]\nexpect: {{ended: no}}"
        (found,) = read(ruleset, tmp_path, said)
        assert found.startswith("E071 2 There is no step")


@pytest.mark.parametrize(
    ("left_out", "more", "met"),
    [
        ("", "", False),
        ("[given.pot]", "", False),
        ("[given.pot, given.at, given.turn]", "", False),
        ("[given, expect.refused]", "", True),
        ("[given.pot, given.at, given.turn, expect.refused]", "", True),
        ("[given, try]", "expect: {ended: no}", True),
        ("[given, try]", "", False),  # nothing is left for `refused` to judge
        ("[given]", "given: {turn: p2, at: resting}, expect: {legal: yes}", True),
    ],
)
def test_a_case_leaves_out_parts_of_its_example(
    left_out: str, more: str, met: bool, ruleset: LoadedRuleset, tmp_path: Path
) -> None:
    said = f"""
table: {{with: [more]}}
given: {{turn: p1, at: closing, pot: 3}}
try: rest
expect: {{refused: rest.during, ended: no}}
under:
  - {{without: [more], {f"leave_out: {left_out}," if left_out else ""} {more}}}
"""
    base, case = example(tmp_path, said)
    assert run_trial(base, Programs(ruleset)).passed
    assert run_trial(case, Programs(ruleset)).passed == met


def test_only_what_is_there_is_left_out(ruleset: LoadedRuleset, tmp_path: Path) -> None:
    said = f"""
{GIVEN}
do: [{{take: 1}}]
expect: {{ended: no}}
under:
  - {{leave_out: [try, given.tun, expect.ended], expect: {{ended: no}}}}
"""
    assert read(ruleset, tmp_path, said) == [
        "E071 5 There is no part of the example `try`.",
        "E071 5 There is no part of the example `given.tun`.",
    ]


def test_things_of_players_go_by_their_names(tmp_path: Path) -> None:
    rules = "component Pawn for each owner: Player, nr: 1..2\n"
    rules += "state place(x: Pawn): 0..9 starts as 0\nzone deck"
    ruleset = ruleset_from_texts(
        {"game.rules": RULES.strip().split("variant")[0].replace("zone deck", rules)}
    )
    said = """
table: {players: [ann, bob]}
given: {turn: ann, at: taking, "place(ann-2)": 3, place: {p1-1: 1, bob-1: 2}}
expect: {"place(p1-2)": 3, "place(bob-1)": 2, "place(p2-2)": 0}
"""
    (trial,) = example(tmp_path, said)
    assert run_trial(trial, Programs(ruleset)).passed
    said = 'table: {players: [ann, bob]}\nexpect: {"place(cat-1)": 2}'
    assert read(ruleset, tmp_path, said) == ["E071 2 There is no Pawn `cat-1`."]
