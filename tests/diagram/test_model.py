"""What is drawn is what is played: the model against the program of the same table."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.diagram.tables import CASES, Case, actions_of, drawing, steps_of
from tests.support.rulesets import ruleset_from_texts

from houserule.base.algebra.graph import Edge as Pair
from houserule.compiler.compose.compose import compose
from houserule.compiler.merge.order import closed
from houserule.compiler.prepare import TableChoice, prepare
from houserule.ir import Program
from houserule.rulebook.diagram.build import draw
from houserule.rulebook.diagram.diagram_model import (
    Diagram,
    DiagramAction,
    DiagramPhase,
    DiagramStep,
    Hands,
    implied,
)


def empty_steps(program: Program) -> set[str]:
    """Return the steps for which a house rule has left nothing to do."""
    return {
        name
        for name, step in program.steps.items()
        if step.mode is not None and not step.actions
    }


def test_a_house_rule_leaves_steps_empty() -> None:
    diagram, program = drawing(Case("x_pasch", None, ("free_exchange",)))
    assert empty_steps(program) == {"before_throw", "exchanging"}
    assert not empty_steps(program) & {step.name for step in steps_of(diagram)}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_everything_is_there_once(case: Case) -> None:
    diagram, program = drawing(case)
    phases = [phase.name for phase in diagram.phases()]
    assert phases[0] == ""
    assert sorted(phases[1:]) == sorted(program.phases)
    steps = sorted({*program.steps} - empty_steps(program))
    assert sorted(step.name for step in steps_of(diagram)) == steps
    assert sorted(act.name for act in actions_of(diagram)) == sorted(program.actions)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_everything_stands_where_it_is_played(case: Case) -> None:
    diagram, program = drawing(case)
    for phase in diagram.phases():
        played = program.phases[phase.name] if phase.name else program.root
        items = sorted({*played.items} - empty_steps(program))
        assert sorted(item.name for item in phase.items) == items
        assert sorted(act.name for act in phase.actions) == sorted(played.actions)
    for step in steps_of(diagram):
        played_step = program.steps[step.name]
        assert step.mode == (played_step.mode or "automatic")
        actions = sorted(act.name for act in step.actions)
        assert actions == sorted(played_step.actions)


def each_phase(case: Case) -> list[tuple[DiagramPhase, set[Pair], tuple[Pair, ...]]]:
    diagram, program = drawing(case)
    found = []
    for phase in diagram.phases():
        played = program.phases[phase.name] if phase.name else program.root
        left_out = empty_steps(program)
        before = {(a, b) for b, all_ in played.before.items() for a in all_}
        before = {pair for pair in before if not {*pair} & left_out}
        released = tuple(p for p in played.released if not {*p} & left_out)
        found.append((phase, before, released))
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_order_is_the_one_that_is_played(case: Case) -> None:
    for phase, before, _ in each_phase(case):
        edges = {(edge.before, edge.after) for edge in phase.order}
        assert closed(edges) == before
        assert phase.arrangement is not None
        assert set(implied(phase.arrangement)) == edges


@pytest.mark.parametrize("case", CASES, ids=str)
def test_released_edges_follow_from_those_drawn(case: Case) -> None:
    for phase, before, released in each_phase(case):
        free = {(edge.before, edge.after) for edge in phase.released}
        assert sorted(free) == sorted(released)
        assert not free & before
        drawn = {(edge.before, edge.after) for edge in phase.drawn}
        assert drawn <= free
        assert free <= closed(drawn | before)
        assert all(edge.by for edge in phase.released)


def hands_of(diagram: Diagram) -> dict[str, Hands]:
    parts: list[DiagramPhase | DiagramStep | DiagramAction] = [
        *diagram.phases()[1:],
        *steps_of(diagram),
    ]
    parts += actions_of(diagram)
    return {part.name: part.hands for part in parts}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_who_added_what_is_as_explained(case: Case) -> None:
    """A clause's own record says who added it, and never less than who changed it."""
    diagram, program = drawing(case)
    units = {unit.id for unit in diagram.units}
    for name, hands in hands_of(diagram).items():
        record = program.clauses[name]
        assert hands.added == ((record.origin,) if record.origin else ())
        assert set(record.changed_by) - {record.origin} <= set(hands.changed)
        assert set(hands.changed) <= units


def test_hands_in_the_fair() -> None:
    diagram, _ = drawing(Case("fair", "evening"))
    hands = hands_of(diagram)
    assert hands["haggling"] == Hands(("auction",))
    assert hands["haggle"] == Hands(("auction",))
    assert hands["selling"] == Hands((), ("auction",))
    assert hands["sell"] == Hands((), ("auction",))
    assert hands["buying"] == hands["turn"] == Hands()
    turn = next(phase for phase in diagram.phases() if phase.name == "turn")
    by = {(edge.before, edge.after): edge.by for edge in turn.order}
    assert by["rolling", "haggling"] == ("auction",)
    assert by["haggling", "boasting"] == ("auction",)
    assert by["rolling", "buying"] == ()
    freed = {(edge.before, edge.after): edge.by for edge in turn.released}
    assert freed == {
        ("buying", "selling"): ("any_way",),
        ("buying", "boasting"): ("any_way",),
        ("selling", "boasting"): ("any_way",),
        ("haggling", "selling"): ("any_way+auction",),
    }


def test_hooks_and_removals_in_the_fair() -> None:
    diagram, _ = drawing(Case("fair", None, ("rain", "crowd")))
    hands = hands_of(diagram)
    assert hands["counting"] == Hands((), ("crowd",))
    assert hands["drying"] == Hands(("rain",))
    assert [(r.name, r.kind, r.by) for r in diagram.removed] == [
        ("shout", "action", ("rain",))
    ]


def test_a_bridge_is_named_where_it_applies() -> None:
    diagram, _ = drawing(Case("fair", "evening"))
    kinds = Counter(unit.kind for unit in diagram.units)
    assert kinds == {"variant": 3, "bridge": 1}
    assert diagram.titles(["any_way+auction"]) == "Haggling any time"


def test_captions_of_a_language_with_those_of_the_rules_beneath() -> None:
    diagram, _ = drawing(Case("fair", "evening"), "de")
    captions = {step.name: step.caption for step in steps_of(diagram)}
    assert captions["rolling"] == "Beide Würfel werfen"
    assert captions["selling"] == "Sell goods"
    assert captions["buying"] == "Buy goods"
    day = next(phase for phase in diagram.phases() if phase.name == "day")
    assert day.conditions == ("bis „Jemand hat genug Münzen“ gilt, höchstens 20 Mal",)
    assert diagram.titles(["auction"]) == "Versteigerung"


def test_a_name_that_the_rulebook_prints_is_cited() -> None:
    diagram, _ = drawing(Case("x_pasch", "official"))
    step = next(step for step in steps_of(diagram) if step.name == "founding")
    assert step.cites == ('"Sequence of Play" "Bring companies into play"',)


def test_one_phase_alone() -> None:
    diagram, _ = drawing(Case("fair", "evening"), "en", "turn")
    assert [phase.name for phase in diagram.phases()] == ["turn"]
    with pytest.raises(KeyError):
        drawing(Case("fair"), "en", "rolling")


UNCAPTIONED = """
game dig "Dig"
players 2..2
component Canal for each nr: 1..3
state digger(c: Canal): Player or none starts as none
state left(p: Player): 0..9 starts as 9
winners: players
phase round until UNTIL, at most 20 times
  phase turn for me in players
    step digging: must act once, if possible
action dig during digging
  does d: left(me) loses 1
  does e: for c in Canal: digger(c) becomes me
"""


@pytest.mark.parametrize(
    "until",
    [
        "no c in Canal has digger(c) is none",
        "every p in players has left(p) is 0",
        "(some c in Canal has digger(c) is none) or (no p in players has left(p) is 1)",
    ],
)
def test_conditions_without_captions_or_texts_are_drawn(until: str) -> None:
    rules = UNCAPTIONED.replace("UNTIL", until)
    ruleset = ruleset_from_texts({"game.rules": rules})
    prepared = prepare(ruleset, TableChoice())
    assert prepared.program is not None, prepared.diagnostics
    assert prepared.table is not None
    composed, _ = compose(ruleset, prepared.table)
    assert composed is not None
    drawn = draw(ruleset, composed, prepared.program, "en")
    (phase,) = (each for each in drawn.phases() if each.name == "round")
    (condition,) = phase.conditions
    assert condition.startswith("until ")
    assert condition.endswith(", at most 20 times")
