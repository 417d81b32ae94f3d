"""Scores of each seat, part by part, and how the game ended.

The ranking value is the first key of `winners`. If that is a declared sum, its summands
are the parts; each is named after the first thing with a name that it reads. A seat's
score is visible to viewers who may see all of it, and to everyone at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houserule import ir
from houserule.base.resources import Phrases
from houserule.engine.bots.greedy import key_value
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir.walk import beneath, rebuilt
from houserule.play.narration.visibility import Viewer, ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.layout import PositionPlans
from houserule.play.seat.reasons.end_clauses import clauses_of_end
from houserule.play.seat.reasons.endings import why_over
from houserule.play.seat.rules import TableRules
from houserule.play.seat.saying import Describer, capital
from houserule.play.seat.seat_model import GameEnded, Phrase, SeatScore, SeenFact


def scores(
    rules: TableRules, game: ReferenceGame, words: Wording, viewer: Viewer
) -> tuple[SeatScore, ...]:
    """Return the score of each seat, by part if the rules name parts.

    If the rules have no ranking, `position` of the manifest names the score; otherwise,
    nobody has a score. A score that is hidden from the viewer has no points.
    """
    scoring = _Scoring(rules, game, words, viewer)
    return tuple(scoring.all())


class _Scoring:
    def __init__(
        self,
        rules: TableRules,
        game: ReferenceGame,
        words: Wording,
        viewer: Viewer,
    ) -> None:
        self._game, self._words, self._program = game, words, game.program
        self._knowledge = ViewerVisibility(game, viewer)
        plan = rules.ruleset.derived(PositionPlans).of(game.program)
        self._shown = plan.score
        self._describer = Describer(game, words, self._knowledge, plan)

    def all(self) -> Iterator[SeatScore]:
        """Yield the scores, by seat."""
        seats = range(self._program.seats)
        if self._program.winning_keys:
            yield from map(self._ranked, seats)
        elif self._shown is not None:
            for seat in seats:
                said = self._describer.of_player(self._shown, seat)
                name = capital(self._describer.title(self._shown.name))
                fact = SeenFact(name=name, value=Phrase(text=said.text))
                yield SeatScore(seat=seat, points=said.text, parts=(fact,))

    def _ranked(self, seat: int) -> SeatScore:
        key = self._program.winning_keys[0]
        if not self._may_see(_given(key, self._program.winners_slot, self._seat(seat))):
            return SeatScore(seat=seat, points="")
        parts = tuple(
            SeenFact(name=name, value=Phrase(text=str(value)))
            for name, value in self._parts(key, seat)
        )
        points = str(key_value(self._game, self._program.winning_ranking, 0, seat))
        if len(parts) < 2:
            name = self._named(key)
            value = Phrase(text=points)
            parts = ()
            if name is not None:
                title = capital(self._describer.title(name))
                parts = (SeenFact(name=title, value=value),)
        return SeatScore(seat=seat, points=points, parts=parts)

    def _may_see(self, node: ir.CoreNode) -> bool:
        return self._game.outcome is not None or self._knowledge.expression(node)

    def _seat(self, seat: int) -> ir.Const:
        return ir.Const(seat, self._words.seats)

    def _parts(self, key: ir.Expr, seat: int) -> Iterator[tuple[str, int]]:
        """Yield a seat's summands of a declared value that have names."""
        if not isinstance(key, ir.CallValue) or len(key.args) != 1:
            return
        value = self._program.values[key.value]
        if isinstance(value.definition, ir.CallValue):
            yield from self._parts(value.definition, seat)
            return
        if value.adjusted:
            return
        for term in _summands(value.definition):
            number = self._game.evaluate(term, None, (seat,))
            name = self._named(term)
            if name is None or not isinstance(number, int):
                continue
            yield capital(self._describer.title(name)), int(number)

    def _named(self, term: ir.Expr) -> str | None:
        """Return the first named thing that a summand reads."""
        for node in beneath(term):
            name = _read(node)
            if name is not None and self._words.text("things", name):
                return name
            if isinstance(node, ir.CallValue):
                inside = self._named(self._program.values[node.value].definition)
                if inside is not None:
                    return inside
        return None


def _summands(node: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(node, ir.Binary) and node.op == "+":
        yield from _summands(node.left)
        yield from _summands(node.right)
    else:
        yield node


def _read(node: ir.CoreNode) -> str | None:
    match node:
        case ir.CallValue(value=name) | ir.ReadCell(state=name):
            return ir.declared_as(name)
        case ir.Contents(zone=name) | ir.ZoneSize(zone=name):
            return name
        case ir.TokenCount(slot=name):
            return name
        case _:
            return None


def _given(node: ir.CoreNode, slot: int, seat: ir.Const) -> ir.CoreNode:
    """Return an expression with a seat in one of its slots."""
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
    return GameEnded(
        kind=outcome.kind,
        why=why,
        result=result,
        winners=outcome.winners,
        places=_places(game, outcome.winners),
        clauses=clauses,
    )


def _places(game: ReferenceGame, winners: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat: winners first, then by the keys of the rules."""
    ranking, seats = game.program.winning_ranking, range(game.program.seats)
    if not ranking.keys or not winners:
        return ()
    sign = 1 if ranking.direction == "least" else -1
    ranks = []
    for seat in seats:
        keys = (key_value(game, ranking, k, seat) for k in range(len(ranking.keys)))
        won = seat in winners
        ranks.append((not won, *(() if won else (sign * key for key in keys))))
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
