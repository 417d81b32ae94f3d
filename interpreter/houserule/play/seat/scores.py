"""Scores of each seat, part by part, and how the game ended.

The ranking value is the first key of `winners`. If that is a declared sum, its summands
are the parts; each is named after the first thing with a name that it reads. A seat's
score is visible to viewers who may see all of it, and to everyone at the end.
"""

from __future__ import annotations

from collections.abc import Iterator

from houserule import ir
from houserule.base.diagnostics.wording import sentence
from houserule.base.resources import Phrases
from houserule.engine.bots.greedy import key_value
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir.walk import beneath, rebuilt
from houserule.play.narration.visibility import Viewer, ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.layout import PositionPlans
from houserule.play.seat.reasons.clause_reasons import clauses_of_end
from houserule.play.seat.reasons.endings import why_over
from houserule.play.seat.rules import TableRules
from houserule.play.seat.saying import Describer
from houserule.play.seat.seat_model import GameEnded, Phrase, SeatScore, SeenFact


def scores(
    rules: TableRules, game: ReferenceGame, words: Wording, viewer: Viewer
) -> tuple[SeatScore, ...]:
    """Return the score of each seat, by part if the rules name parts.

    If the rules have no ranking, `position` of the manifest names the score; otherwise,
    nobody has a score. A score that is hidden from the viewer has no points.
    """
    program, knowledge = game.program, ViewerVisibility(game, viewer)
    plan = rules.ruleset.derived(PositionPlans).of(program)
    describer = Describer(game, words, knowledge, plan)
    found = []
    for seat in range(program.seats):
        if program.winning_keys:
            key, me = program.winning_keys[0], ir.Const(seat, words.seats)
            mine = _given(key, program.winners_slot, me)
            if game.outcome is None and not knowledge.expression(mine):
                found.append(SeatScore(seat=seat, points=""))
                continue
            points = str(key_value(game, program.winning_ranking, 0, seat))
            named = [*_parts(game, words, key, seat)]
            if len(named) < 2:
                name = _named(program, words, key)
                if name is None and isinstance(key, ir.CallValue | ir.ReadCell):
                    name = ir.declared_as(
                        key.value if isinstance(key, ir.CallValue) else key.state
                    )
                named = [(name, points)] if name is not None else []
        elif plan.score is not None:
            points = describer.of_player(plan.score, seat).text
            named = [(plan.score.name, points)]
        else:
            continue
        parts = tuple(
            SeenFact(name=sentence(describer.title(name)), value=Phrase(text=text))
            for name, text in named
        )
        found.append(SeatScore(seat=seat, points=points, parts=parts))
    return tuple(found)


def _parts(
    game: ReferenceGame, words: Wording, key: ir.Expr, seat: int
) -> Iterator[tuple[str, str]]:
    """Yield the names and numbers of a seat's summands of a declared value."""
    if not isinstance(key, ir.CallValue) or len(key.args) != 1:
        return
    value = game.program.values[key.value]
    if isinstance(value.definition, ir.CallValue):
        yield from _parts(game, words, value.definition, seat)
    elif not value.adjusted:
        for term in _summands(value.definition):
            number = game.evaluate(term, None, (seat,))
            name = _named(game.program, words, term)
            if name is not None and isinstance(number, int):
                yield name, str(int(number))


def _named(program: ir.Program, words: Wording, term: ir.Expr) -> str | None:
    """Return the first thing with a name in the texts that a summand reads."""
    for node in beneath(term):
        match node:
            case ir.CallValue(value=name) | ir.ReadCell(state=name):
                name = ir.declared_as(name)
            case ir.Contents(zone=name) | ir.ZoneSize(zone=name):
                pass
            case ir.TokenCount(slot=name):
                pass
            case _:
                continue
        if words.text("things", name):
            return name
        if isinstance(node, ir.CallValue):
            inside = _named(program, words, program.values[node.value].definition)
            if inside is not None:
                return inside
    return None


def _summands(node: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(node, ir.Binary) and node.op == "+":
        yield from _summands(node.left)
        yield from _summands(node.right)
    else:
        yield node


def _given(node: ir.CoreNode, slot: int, seat: ir.Const) -> ir.CoreNode:
    if isinstance(node, ir.Local) and node.slot == slot:
        return seat
    return rebuilt(node, lambda inner: _given(inner, slot, seat))


# ---- how the game ended


def ended(rules: TableRules, game: ReferenceGame, words: Wording) -> GameEnded | None:
    """Return why a game ended and who won, in sentences; None while it goes on."""
    outcome = game.outcome
    if outcome is None:
        return None
    phrases = Phrases("seat", words.language)
    why = why_over(game, words)
    who = words.several([words.seat(seat) for seat in outcome.winners])
    many = {0: "nobody", 1: "winner"}.get(len(outcome.winners), "winners")
    result = words.say(many, who=who) if outcome.winners else words.say(many)
    counts = words.caption("winners")
    if outcome.kind != "drawn" and counts != "winners":
        result = f"{result} {phrases.say('counts', what=counts)}"
    clauses = clauses_of_end(rules, game, words)
    # The place of each seat: winners first, then by the keys of the rules.
    ranking, places = game.program.winning_ranking, tuple[int, ...]()
    if ranking.keys and outcome.winners:
        sign = 1 if ranking.direction == "least" else -1
        ranks = []
        for seat in range(game.program.seats):
            keys = (key_value(game, ranking, k, seat) for k in range(len(ranking.keys)))
            won = seat in outcome.winners
            ranks.append((not won, *(() if won else (sign * key for key in keys))))
        places = tuple(1 + sum(other < own for other in ranks) for own in ranks)
    return GameEnded(
        kind=outcome.kind,
        why=why,
        result=result,
        winners=outcome.winners,
        places=places,
        clauses=clauses,
    )
