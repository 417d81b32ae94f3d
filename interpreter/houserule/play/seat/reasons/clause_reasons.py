"""One clause as a reason: its requirement in words, with current values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from houserule import ir
from houserule.base.diagnostics.wording import sentence
from houserule.engine.reference.options.considered import Judgement
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.view import Visibility
from houserule.ir.types import Data, Flag, Kind, Set, Type, Whole
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.reasons.endings import Ending
from houserule.play.seat.reasons.reading_words import ReadingWords
from houserule.play.seat.reasons.readings import (
    ConditionReader,
    FoundReading,
    SeenQuantity,
)
from houserule.play.seat.reasons.viewer_frame import ViewerFrame
from houserule.play.seat.seat_model import MoveReason, ReasonReading

if TYPE_CHECKING:
    from houserule.play.seat.rules import TableRules

LISTED = 8
"""Up to this many possibilities are listed by name."""


def caption_of(address: str, words: Wording) -> str:
    """Return a clause's caption at this table, '' if it has none."""
    said = words.caption(address) if address in words.program.clauses else address
    return "" if said == address else said


def house_rules_of(clause: ir.ClauseInfo | None) -> tuple[str, ...]:
    """Return the names of the variants and bridges that made or changed a clause."""
    if clause is None:
        return ()
    return tuple(dict.fromkeys(u for u in (clause.origin, *clause.changed_by) if u))


def title_of(unit: str, rules: TableRules, words: Wording) -> str:
    """Return the title of a variant or bridge."""
    own = words.text("titles", unit)
    if own is not None:
        return own
    titles = {each.id: each.title for each in rules.ruleset.units}
    return titles.get(unit) or unit


def printed_of(
    clause: ir.ClauseInfo | None, rules: TableRules, words: ReadingWords, language: str
) -> tuple[str, ...]:
    """Return a clause's citation, then the rulings that it depends on."""
    if clause is None:
        return ()
    found = [words.say("printed", cite=cite) for cite in clause.cites]
    for name in clause.rulings:
        ruling = rules.ruleset.rulings.get(name)
        if ruling is not None:
            found.append(words.say("ruling", says=ruling.in_full(language)))
    return tuple(found)


class ClauseReasons:
    """Makes reasons from judged clauses, in one language."""

    def __init__(self, rules: TableRules, words: Wording) -> None:
        self._rules, self._words = rules, words
        self.own = ReadingWords(words)
        self._reader = ConditionReader(rules.program, self.own.named)

    # ---- conditions

    def condition(
        self,
        condition: ir.Condition,
        holds: bool,
        scope: ViewerFrame,
        slots: Mapping[str, tuple[Data, Type]],
    ) -> MoveReason:
        """Return a named condition as a reason.

        `slots` are the values its own text may name. If it reads something hidden from
        the viewer, none of its readings is shown.
        """
        address, test = condition.address, condition.test
        said = caption_of(address, self._words)
        lifted = next(
            (each for each in condition.lifts if holds and _is_yes(each[1], scope)),
            None,
        )
        if lifted is not None and not _is_yes(test, scope):
            said = caption_of(lifted[0], self._words) or said
            test = lifted[1]
        if scope.hides(test):
            says = _sentences(said, self.own.say("hidden_decides"))
            return self.reason(address, holds, says, hidden=True)
        unmet = [] if holds else self._reader.unmet(test, scope)
        captions = (caption_of(each.address, self._words) for each in unmet)
        said = _sentences(said, *captions) if unmet else said
        found = self._reader.read(test, scope)
        if not self.own.named(address):
            now = None
        else:
            known = dict(slots)
            if isinstance(test, ir.CompareValues):
                for name, side in (("left", test.left), ("right", test.right)):
                    known[name] = scope.value(side), side.type
            now = self.own.compared(address, known, holds, Flag())
        if now is None:
            now = self.own.sentences(found, said)
        return self.reason(address, holds, _sentences(said, now), self.readings(found))

    def readings(self, found: Sequence[FoundReading]) -> tuple[ReasonReading, ...]:
        return tuple(
            self.own.reading(each) for each in found if isinstance(each, SeenQuantity)
        )

    def reason(
        self,
        address: str,
        holds: bool,
        says: str,
        readings: tuple[ReasonReading, ...] = (),
        *,
        hidden: bool = False,
    ) -> MoveReason:
        """Return a reason with its clause's citation and house rules."""
        clause = self._rules.program.clauses.get(address)
        units = house_rules_of(clause)
        return MoveReason(
            address=address,
            holds=holds,
            says=says,
            readings=readings,
            printed=printed_of(clause, self._rules, self.own, self._words.language),
            changed_by=tuple(
                title_of(unit, self._rules, self._words) for unit in units
            ),
            hidden=hidden,
        )

    def captioned(self, address: str, *, hidden: bool = False) -> MoveReason:
        """Return a satisfied reason that consists of its caption."""
        says = _sentences(caption_of(address, self._words))
        return self.reason(address, True, says, hidden=hidden)

    # ---- limits and costs

    def limit(
        self, judged: Judgement, limit: ir.LimitDef, scope: ViewerFrame
    ) -> MoveReason:
        """Return how often an action may be taken, and how often it was."""
        said = caption_of(limit.address, self._words)
        taken = scope.context.taken.get(limit.address, 0)
        most = int(scope.value(limit.count) or 0)  # type: ignore[arg-type]  # a number
        now = self.own.say("taken", taken=taken, most=most)
        return self.reason(limit.address, bool(judged.holds), _sentences(said, now))

    def cost(
        self, judged: Judgement, cost: ir.CostDef, scope: ViewerFrame
    ) -> MoveReason:
        """Return what a cost takes, and how much of it is available."""
        said = caption_of(cost.address, self._words)
        found: list[SeenQuantity] = []
        now: list[str] = []
        for payment in cost.payments:
            stock = _stock(payment, scope)
            if stock is None:
                continue
            there, amount = stock
            for each in self._reader.quantities(there, scope):
                found.append(each)
                now.append(
                    self.own.say("have", there=self.own.sentence(each), amount=amount)
                )
        if not now and not judged.holds:
            now = [self.own.say("things_twice")]
        says = _sentences(said, *dict.fromkeys(now))
        return self.reason(cost.address, bool(judged.holds), says, self.readings(found))

    # ---- values that are not available

    def parameter(
        self, judged: Judgement, bind: ir.Bind, scope: ViewerFrame
    ) -> MoveReason:
        """Return why a value is not possible: the possible values, and where it is."""
        place = bind.names.index(judged.address.rpartition(".")[2])
        value = scope.bound[bind.slots[place]]
        if judged.holds:
            return self.reason(
                judged.address, True, self._words.value(value, bind.type)
            )
        inside, off, member = _outside(value, bind, scope)
        what = self._words.value(value, bind.type)
        if off:
            what = self._words.several([self._words.value(n, member) for n in off])
        if not 0 < len(inside) <= LISTED or scope.hides(bind.source):
            possible = self.own.say("not_possible", what=what)
        else:
            some = ", ".join(self._words.value(each, member) for each in inside)
            possible = self.own.say("possible", what=what, some=some)
        where = [self._lies(each, member, scope) for each in off]
        return self.reason(judged.address, False, _sentences(possible, *where))

    def picked(
        self, statement: ir.ChooseOption, values: Sequence[Data], scope: ViewerFrame
    ) -> str:
        """Return why values cannot be chosen: not available, or a failed condition."""
        bind, where = statement.bind, statement.where
        bound = dict(zip(bind.slots, values, strict=True))
        scope = scope.with_slots(bound, bind.source)
        for value in values:
            _, off, member = _outside(value, bind, scope)
            if off:
                what = [self._words.value(each, member) for each in off]
                says = self.own.say("not_possible", what=self._words.several(what))
                lying = [self._lies(each, member, scope) for each in off]
                return _sentences(says, *lying)
        if where is not None and not _is_yes(where, scope):
            if scope.hides(where):
                return self.own.say("hidden_decides")
            read = self.own.sentences(self._reader.read(where, scope), "")
            if read:
                return _sentences(read)
        some = [self._words.value(each, bind.type) for each in values]
        return self.own.say("not_possible", what=self._words.several(some))

    def nothing(self, address: str, bind: ir.Bind, scope: ViewerFrame) -> MoveReason:
        """Return the reason that a variable has no possible value."""
        if scope.hides(bind.source):
            return self.reason(
                address, False, self.own.say("hidden_decides"), hidden=True
            )
        asked = self._words.text("questions", address) or ""
        says = self.own.say("nothing_there")
        return self.reason(
            address, False, says if "{" in asked else f"{asked} {says}".strip()
        )

    def _lies(self, item: Data, type_: Type, scope: ViewerFrame) -> str:
        """Return where a component is, if the viewer may see it there.

        A kind that no zone can hold, such as most dice, has no such text.
        """
        engine, store = scope.engine, scope.context.store
        kind = type_.name if isinstance(type_, Kind) else ""
        if all(zone.member.name != kind for zone in engine.program.zones.values()):
            return ""
        lying = store.where[kind]
        if not isinstance(item, int):
            return ""
        if scope.viewer is not None:
            seen = Visibility(engine.program, engine.evaluator, store, scope.viewer)
            if not seen.thing(kind, item):
                return ""
        what, place = self._words.thing(kind, item), lying[item]
        if place is None:
            return self.own.say("nowhere", what=what)
        return self.own.say("lies", what=what, place=self._words.place(*place))


def _outside(
    value: Data, bind: ir.Bind, scope: ViewerFrame
) -> tuple[tuple[Data, ...], tuple[Data, ...], Type]:
    """Return a binder's range, the parts of a value outside it, and its type."""
    members = scope.value(bind.source)
    inside = members if isinstance(members, tuple) else ()
    wrong = value if isinstance(value, tuple) else (value,)
    member = bind.type.member if isinstance(bind.type, Set) else bind.type
    return inside, tuple(each for each in wrong if each not in inside), member


def _stock(payment: ir.Payment, scope: ViewerFrame) -> tuple[ir.Expr, int] | None:
    """Return the quantity that a payment takes from, and how much it takes."""
    program, number = scope.engine.program, Whole(0, 1 << 30)
    there: ir.Expr
    match payment:
        case ir.PayThings():
            return None
        case ir.PayTop(count=count, zone=zone, keys=keys):
            there = ir.ZoneSize(zone, keys, number, span=payment.span)
        case ir.PayTokens(count=count, slot=slot, keys=keys):
            there = ir.TokenCount(slot, keys, number, span=payment.span)
        case ir.PayCell(amount=count, state=state, keys=keys):
            type_ = program.states[state].type
            there = ir.ReadCell(state, keys, type_, span=payment.span)
    try:
        amount = scope.value(count)
    except RuleFault:
        return None
    return there, int(amount or 0)  # type: ignore[arg-type]  # a number


def _is_yes(node: ir.Expr, scope: ViewerFrame) -> bool:
    try:
        return scope.value(node) is True
    except RuleFault:
        return False


def _sentences(*parts: str) -> str:
    """Return texts as sentences, each with a full stop."""
    return " ".join(
        text if text.endswith((".", "!", "?")) else f"{text}."
        for part in parts
        if (text := sentence(part))
    )


def clauses_of_end(
    rules: TableRules, game: ReferenceGame, words: Wording
) -> tuple[MoveReason, ...]:
    """Return the clauses that ended a game.

    For a draw, these are its reasons; otherwise the phase that ended or reached its
    bound, and the clause that decides who wins. A clause that ended the game directly
    is not recorded. Anything hidden from some seat is omitted.

    Raises:
        ValueError: the game is not over.
    """
    outcome = game.outcome
    if outcome is None:
        raise ValueError("the game is not over")
    ending, reasons = Ending(game, words), ClauseReasons(rules, words)
    if outcome.kind == "drawn":
        held = [each for each in game.program.draws if each.address in outcome.drawn_by]
        public = ViewerVisibility(game, None).expression
        return tuple(
            reasons.condition(each, True, ending.scope, {})
            if public(each)
            else reasons.captioned(each.address, hidden=True)
            for each in held
        )
    if outcome.kind == "stalled":
        phase = game.program.phases[outcome.stalled_in]
        return (reasons.reason(phase.name, True, ending.stalled(phase)),)
    last, winners = ending.last(), reasons.captioned("winners")
    found = [] if last is None else [reasons.reason(last.name, True, ending.won())]
    return (*found, winners) if winners.says or winners.printed else tuple(found)
