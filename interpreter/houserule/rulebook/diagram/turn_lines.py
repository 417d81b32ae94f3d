"""How a turn goes, in a few lines: the captions of the steps of a round."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.base.resources import Phrases
from houserule.ir import Program
from houserule.play.narration.wording import Wording
from houserule.rulebook.diagram.diagram_model import in_order

LINES = 5


def turn_lines(program: Program, words: Wording) -> tuple[str, ...]:
    """Return up to `LINES` captions of steps in the order of play, and what wins.

    If there are more, players' decisions are kept first, then other steps of turns; and
    those of the base game before those of house rules.
    """
    said = words.program.clauses
    steps = [
        (name, _rank(program, name))
        for phase in sorted(program.main_loop)
        for name in _steps(program, phase)
        if name in said and said[name].caption
    ]
    by_rank = sorted(steps, key=lambda each: (each[1], bool(said[each[0]].origin)))
    kept = by_rank[:LINES]
    lines = [words.caption(name) for name, rank in steps if (name, rank) in kept]
    counts = words.caption("winners")
    if lines and counts != "winners":
        lines.append(Phrases("seat", words.language).say("counts", what=counts))
    return tuple(dict.fromkeys(lines))


def _steps(program: Program, name: str) -> Iterator[str]:
    phase = program.phases.get(name)
    if phase is None:
        yield name
        return
    earlier = [(one, each) for each, some in phase.before.items() for one in some]
    for each in in_order(phase.items, earlier):
        yield from _steps(program, each)


def _rank(program: Program, name: str) -> int:
    """Return 0 for a decision, 1 for another step of a turn, 2 for any other step."""
    step = program.steps[name]
    if step.actions:
        return 0
    around = program.phases.get(step.phase)
    while around is not None:
        if around.acts:
            return 1
        around = program.phases.get(around.parent)
    return 2
