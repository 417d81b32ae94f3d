"""Why a move is legal or not, for the seat that wants to make it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Literal, cast

from houserule import ir
from houserule.base.inflection import slots_of
from houserule.engine.reference.choices import Act, Choice, Done, Picked, Shared
from houserule.engine.reference.options.considered import Considered, Judgement
from houserule.engine.reference.options.nearest import near_miss, nearest_takings
from houserule.engine.reference.options.options import (
    ActOptions,
    Decision,
    PickOptions,
    ShareOptions,
)
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.domains import Json
from houserule.ir.types import Data, Kind, Type
from houserule.ir.walk import asking_statements, site_name
from houserule.play.narration.wording import Wording
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.choosing.keys import NoSuchChoice
from houserule.play.seat.reasons.clause_reasons import (
    ClauseReasons,
    caption_of,
    clauses_of_end,
    house_rules_of,
)
from houserule.play.seat.reasons.endings import why_over
from houserule.play.seat.reasons.move_labels import (
    SaidMove,
    SaidTaking,
    as_choice,
    as_said,
    begun_path,
    label,
    recorded,
    said_of,
)
from houserule.play.seat.reasons.reading_words import ReadingWords
from houserule.play.seat.reasons.viewer_frame import ViewerFrame
from houserule.play.seat.reasons.without import legal_without
from houserule.play.seat.seat_model import MoveReason, WhyMove

if TYPE_CHECKING:
    from houserule.play.seat.rules import TableRules

NEAREST = 3


def why(
    rules: TableRules,
    game: ReferenceGame,
    words: Wording,
    seat: int,
    said: SaidMove | Sequence[str],
) -> WhyMove:
    """Return why a move is legal for a seat now, or why it is not.

    For an illegal move, the reasons are all clauses that forbid it; for a legal one,
    all clauses that allow it. If a move is incomplete but can be completed, the answer
    includes what is missing. A move may be given as a path of keys, even an incomplete
    one.

    Raises:
        NoSuchChoice: the path's keys are invalid.
    """
    path: Sequence[str] = ()
    if isinstance(said, Sequence):
        path, move = said, said_of(said, rules.program)
        if move is None:
            chooser = Chooser(rules, game, words, seat)
            move = chooser.answer(said) or chooser.choice(said)
            if move is None:
                return _undecided(chooser, said, words, seat)
        said = move
    move = as_said(said, rules.program)
    return _WhyMove(rules, game, words, seat, move, path).answer()


def _undecided(
    chooser: Chooser,
    path: Sequence[str],
    words: Wording,
    seat: int,
    move: str = "",
    reasons: Sequence[MoveReason] = (),
    record: Json = None,
) -> WhyMove:
    """Return the answer about an incomplete choice."""
    move, asks = move or ", ".join(chooser.step(path).said), chooser.still_open(path)
    says = ReadingWords(words).say("undecided", move=move.removesuffix(" …"))
    return WhyMove(
        seat=seat,
        move=move,
        legal=False,
        sentence=f"{says} {ReadingWords(words).say('still_open', asks=asks)}",
        reasons=tuple(reasons),
        asks=asks,
        record=record,
    )


class _WhyMove:
    """One question why, with all data for its answer."""

    def __init__(
        self,
        rules: TableRules,
        game: ReferenceGame,
        words: Wording,
        seat: int,
        said: SaidMove,
        path: Sequence[str],
    ) -> None:
        self._path = path
        self._rules, self._game, self._words = rules, game, words
        self._seat, self._said = seat, said
        self._reasons = ClauseReasons(rules, words)
        self._own = self._reasons.own
        self._choice = as_choice(said, rules.program)
        self._move = self._label(said)

    def answer(self) -> WhyMove:
        decision, said, say = self._game.decision, self._said, self._own.say
        if decision is None:
            rules, game, words = self._rules, self._game, self._words
            clauses = clauses_of_end(rules, game, words)
            return self._refused(clauses, why_over(game, words))
        if decision.seat != self._seat and self._game.claimed:
            return self._refused([], say("claims_hidden"))
        ahead = self._lapsed_behind()
        if ahead is not None:
            first = self._words.seat(ahead)
            return self._refused([], f"{self._words.say('lapsed_own', first=first)}.")
        if decision.seat != self._seat:
            who, other = self._words.seat(self._seat), self._words.seat(decision.seat)
            return self._refused([], say("other_seat", seat=who, other=other))
        if not isinstance(said, SaidTaking):
            return self._of_answer(decision, said)
        if not isinstance(decision.options, ActOptions):
            return self._of_answer(decision, Act(said.action))
        considered = decision.options.consider(said.action, said.values)
        if considered is None:
            at = self._rules.program.actions[said.action].at
            sites = list(self._usable(decision)) or [decision.site]
            now = ", ".join(map(self._titled, sites))
            says = self._own.say("not_open", step=self._titled(at), now=now)
            return self._refused(
                [self._reasons.reason(f"{said.action}.during", False, says)]
            )
        against = [each for each in considered.judgements if each.holds is False]
        begun = self._begun(decision) if against or self._choice is None else None
        return begun or self._of_taking(considered, against)

    def _lapsed_behind(self) -> int | None:
        """Return the seat whose claim came before this one, if it has just lapsed."""
        wanted = self._said.action if isinstance(self._said, SaidTaking) else ""
        for event in reversed(self._game.events):
            if event.kind == "action":
                break
            if event.kind == "lapsed" and event.address == wanted:
                who, first = cast("tuple[int, int]", event.data[:2])
                if who == self._seat:
                    return first
        return None

    def _begun(self, decision: Decision) -> WhyMove | None:
        """Return the answer about a move that can be completed; None about others."""
        rules, game, words, seat = self._rules, self._game, self._words, self._seat
        said, chooser = self._said, Chooser(rules, game, words, seat)
        try:
            path = self._path or begun_path(said, chooser, rules.program)
            only = chooser.choice(path)
        except NoSuchChoice:
            return None
        if only is not None:
            return why(rules, game, words, seat, only)
        move, reasons = "", list[MoveReason]()
        if isinstance(said, SaidTaking) and isinstance(decision.options, ActOptions):
            move = label(said, words, self._own)
            whole = {n: v for n, v in said.values.items() if not isinstance(v, tuple)}
            considered = decision.options.consider(said.action, whole)
            reasons = self._for(considered) if considered else []
        record = recorded(said, decision.site, rules.program)
        return _undecided(chooser, path, words, seat, move, reasons, record)

    def _label(self, said: SaidMove) -> str:
        """Return a move in words; a complete move has the label of its option."""
        decision = self._game.decision
        choice = as_choice(said, self._rules.program)
        asked = decision is not None and decision.seat == self._seat
        if choice is None or not asked:
            return label(said, self._words, self._own)
        try:
            chooser = Chooser(self._rules, self._game, self._words, self._seat)
            return chooser.label(choice)
        except NoSuchChoice:  # the action is not available
            return label(said, self._words, self._own)

    # ---- answers

    def _refused(
        self, reasons: Sequence[MoveReason], says: str = "", nearest: Sequence[str] = ()
    ) -> WhyMove:
        says = says or (reasons[0].says if reasons else "")
        sentence = self._own.say("illegal", move=self._move, why=says).strip()
        return self._why(False, sentence, reasons, nearest)

    def _why(
        self,
        legal: bool,
        sentence: str,
        reasons: Sequence[MoveReason],
        nearest: Sequence[str] = (),
    ) -> WhyMove:
        site = self._game.decision.site if self._game.decision else ""
        return WhyMove(
            seat=self._seat,
            move=self._move,
            legal=legal,
            sentence=sentence,
            reasons=tuple(reasons),
            nearest=tuple(nearest),
            record=recorded(self._said, site, self._rules.program),
        )

    def _of_answer(self, decision: Decision, choice: Choice) -> WhyMove:
        """Answer about `done`, a choice, a share, or an answer."""
        options, address = decision.options, site_name(decision.site)
        statement = asking_statements(self._rules.program).get(decision.site)
        # The clause's question in the ruleset's words, or its caption.
        asked = "" if decision.kind == "act" else caption_of(address, self._words)
        for name in statement.bind.names if statement else ():
            own = self._words.text("questions", f"{address}.{name}")
            if own is not None and not slots_of(own):
                asked = own
                break
        refusals = options.refusals(choice)
        if not refusals:
            reasons = [self._reasons.reason(address, True, asked)] if asked else []
            if isinstance(choice, Done):
                reasons = [self._step(n, "left_out") for n in self._usable(decision)]
            return self._why(True, self._own.say("legal", move=self._move), reasons)
        if isinstance(choice, Picked | Shared) and choice != Picked(None):
            begun = self._begun(decision)
            if begun is not None:
                return begun
        some = islice(options, NEAREST)
        near = [self._label(each) for each in some]
        if isinstance(options, ActOptions) and isinstance(choice, Done):
            steps = self._rules.program.steps
            waiting = [
                self._step(name, "waits")
                for name in self._usable(decision)
                if steps[name].mode == "exactly once"
            ]
            return self._refused(waiting, self._own.say("no_done"), near)
        # Why an answer of the right kind is not possible; '' for others.
        words, wrong = self._words, ""
        match choice:
            case Picked(None) if isinstance(options, PickOptions):
                wrong = self._own.say("must_choose")
            case Picked(tuple() as values) if isinstance(options, PickOptions):
                assert isinstance(statement, ir.ChooseOption)
                machine = self._game.machine
                scope = ViewerFrame(machine.engine, machine, options.bound, self._seat)
                wrong = self._reasons.picked(statement, values, scope)
            case Shared(amounts) if isinstance(options, ShareOptions):
                assert statement is not None, "it asks for the share"
                over = statement.bind.type
                off = [who for who, _ in amounts if who not in options.over]
                if off:
                    what = words.several([words.value(each, over) for each in off])
                    wrong = self._own.say("not_possible", what=what)
                else:
                    given = sum(count for _, count in amounts)
                    wrong = self._own.say(
                        "share_all", amount=options.amount, given=given
                    )
            case _:
                pass
        if wrong:
            reason = self._reasons.reason(address, False, wrong)
            return self._refused([self._with_rules(reason)], "", near)
        says = self._own.say("asked_now" if asked else "no_such_choice", what=asked)
        return self._refused([self._reasons.reason(address, False, says)])

    def _usable(self, decision: Decision) -> Iterator[str]:
        """Yield the open steps with a possible action."""
        return (n for n in decision.open_steps if self._game.machine.can(n))

    def _titled(self, step: str) -> str:
        """Return the name of a step, its caption, or else its identifier."""
        own = self._words.text("flow", step)
        return own or caption_of(step, self._words) or self._words.flow(step)

    def _step(self, step: str, phrase: Literal["waits", "left_out"]) -> MoveReason:
        """Return the reason that a step must still be used, or may be skipped."""
        caption = caption_of(step, self._words)
        says = self._own.say(phrase, what=caption or self._words.flow(step))
        return self._reasons.reason(step, phrase == "left_out", says)

    # ---- takings

    def _of_taking(
        self, considered: Considered, against: Sequence[Judgement]
    ) -> WhyMove:
        if against:
            reasons = [self._reason(each, considered) for each in against]
            acts = nearest_takings(considered, NEAREST)
            near = [self._label(act) for act in acts]
            return self._refused([self._with_rules(each) for each in reasons], "", near)
        missed = near_miss(considered) if self._choice is None else None
        if missed is not None:
            # Answer about an incomplete move that no legal move completes.
            considered = missed.considered
            action = considered.plan.action.name
            if missed.nothing:
                bind = next(
                    b for b in considered.plan.binds if missed.nothing in b.names
                )
                scope = self._scope(considered)
                address = f"{action}.{missed.nothing}"
                return self._refused([self._reasons.nothing(address, bind, scope)])
            values = {
                name: considered.frame[slot]
                for bind in considered.plan.binds
                for name, slot in zip(bind.names, bind.slots, strict=True)
                if considered.frame[slot] is not None
            }
            reasons = [
                self._reason(each, considered)
                for each in considered.judgements
                if each.holds is False
            ]
            example = label(SaidTaking(action, values), self._words, self._own)
            said = self._own.say("for_example", move=example, why=reasons[0].says)
            return self._refused(reasons, said if values else "")
        legal = self._choice is not None
        says = self._own.say("legal" if legal else "undecided", move=self._move)
        decision, choice = self._game.decision, self._choice
        advice = decision.options.advice(choice) if decision and choice else ()
        usual = [caption_of(e.address, self._words) for e in advice if e.usual]
        if usual:
            says = f"{says} {self._own.say('usual', why=', '.join(usual))}"
        return self._why(legal, says, self._for(considered))

    def _for(self, considered: Considered) -> list[MoveReason]:
        """Return what allows a move, except that its values are available."""
        pro = (each for each in considered.judgements if each.kind != "parameter")
        return [self._reason(each, considered) for each in pro if each.holds]

    def _reason(self, judged: Judgement, considered: Considered) -> MoveReason:
        clause = judged.clause
        scope = self._scope(considered)
        match clause:
            case ir.Condition():
                frame = considered.frame
                found: dict[str, tuple[Data, Type]] = {
                    name: (frame[slot], bind.type)
                    for bind in considered.plan.binds
                    for slot, name in zip(bind.slots, bind.names, strict=True)
                    if frame[slot] is not None
                }
                seats: Kind = self._words.seats
                slots = {"me": (frame[0], seats), **found}
                return self._reasons.condition(clause, bool(judged.holds), scope, slots)
            case ir.LimitDef():
                return self._reasons.limit(judged, clause, scope)
            case ir.CostDef():
                return self._reasons.cost(judged, clause, scope)
            case ir.Bind():
                return self._reasons.parameter(judged, clause, scope)
            case _:
                raise AssertionError(clause)

    def _scope(self, considered: Considered) -> ViewerFrame:
        machine = self._game.machine
        bound = dict(enumerate(considered.frame))
        doing = considered.plan.number
        binds = considered.plan.binds
        given = {slot: (bind.source,) for bind in binds for slot in bind.slots}
        return ViewerFrame(machine.engine, machine, bound, self._seat, doing, given)

    def _with_rules(self, reason: MoveReason) -> MoveReason:
        """Add to a reason whether the move is legal without its house rules."""
        clause = self._rules.program.clauses.get(reason.address)
        units = house_rules_of(clause)
        if not units or self._choice is None:
            return reason
        legal = legal_without(units, self._rules, self._game, self._choice)
        return reason.model_copy(update={"without": legal})
