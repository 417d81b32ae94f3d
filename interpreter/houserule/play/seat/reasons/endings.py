"""Why a game is over, in a sentence: the last phase's goal, or its bound."""

from __future__ import annotations

from collections.abc import Iterator

from houserule import ir
from houserule.base.inflection import slots_of
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import PhaseDef
from houserule.ir.types import Flag, Whole
from houserule.play.narration.sentences import drawn
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.reasons.reading_words import ReadingWords
from houserule.play.seat.reasons.readings import ConditionReader, SeenQuantity
from houserule.play.seat.reasons.viewer_frame import ViewerFrame


def why_over(game: ReferenceGame, words: Wording) -> str:
    """Return why a finished game ended.

    The first of these that exists is used: the ruleset's own words for a phase's goal
    (`readings/PHASE/yes`), what decides its `until`, the last number of its `for`. For
    a game that stalled, it is the case of the bound; for a draw, its reasons. If some
    seat may not see what decides, only words without a value are used.

    Raises:
        ValueError: the game is not over.
    """
    outcome = game.outcome
    if outcome is None:
        raise ValueError("the game is not over")
    if outcome.kind == "drawn":
        return drawn(words, outcome.drawn_by)
    ending = Ending(game, words)
    if outcome.kind == "stalled":
        return ending.stalled(game.program.phases[outcome.stalled_in])
    return ending.won()


class Ending:
    """The end of one game, with everything needed to explain it.

    Attributes:
        scope: the frame in which its conditions are evaluated.
    """

    def __init__(self, game: ReferenceGame, words: Wording) -> None:
        self._game, self._program, self._words = game, game.program, words
        self._own = ReadingWords(words)
        self._reader = ConditionReader(game.program, self._own.named)
        self.scope = ViewerFrame(game.engine, game.machine, {0: None}, viewer=None)
        self._under_way = {act.phase for act in game.machine.stack if act.phase}

    def won(self) -> str:
        """Return what ended the last phase that has an `until` or a `for`."""
        words = self._words
        for phase in self._run_out():
            own = words.text("readings", f"{phase.name}/yes")
            if phase.until is not None and self.scope.value(phase.until) is not True:
                number = str(self.scope.value(phase.times)) if phase.times else ""
                name = words.flow(phase.name)
                return words.say("over_after", phase=name, number=number)
            if own is not None:
                return words.say("over_since", why=own)
            if phase.until is not None:
                return self._said("over", phase.until) or words.say("over")
            # The caption of a `for` says what happens in it. Only its last number is a
            # reason, if play cannot have changed the numbers since.
            source = phase.source
            if (
                source is not None
                and isinstance(getattr(source.type, "member", None), Whole)
                and not self._game.engine.access.reads(source)
                and (numbers := self.scope.value(source))
            ):
                assert isinstance(numbers, tuple), "a set of numbers"
                name = words.flow(phase.name)
                return words.say("over_after", phase=name, number=str(numbers[-1]))
            break
        return words.say("over")

    def last(self) -> PhaseDef | None:
        """Return the last phase that has ended; None if none has."""
        return next(self._run_out(), None)

    def _run_out(self) -> Iterator[PhaseDef]:
        """Yield the outermost phases that have ended, the last first."""
        root, phases = self._program.root, self._program.phases
        for name in sorted(root.items, key=lambda each: -len(root.before[each])):
            phase = phases.get(name)
            if phase is None or (self._under_way and name not in self._under_way):
                continue  # no phase, or something was cut short since
            if phase.until is not None:
                if phase.stops or self.scope.value(phase.until) is True:
                    yield phase
            elif phase.source is not None and not self._under_way:
                yield phase

    def stalled(self, phase: PhaseDef) -> str:
        """Return which case of its bound holds; else the bound and what is unmet."""
        words, bound = self._words, phase.times
        assert bound is not None, "a phase that stalls has a bound"
        # The condition of the bound's current row; None for the last.
        cases = bound
        if isinstance(bound, ir.CallValue):
            cases = self._program.values[bound.value].definition
        rows = cases.rows if isinstance(cases, ir.Cases) else ()
        case = next((test for test, _ in rows if self.scope.value(test)), None)
        if case is not None and (why := self._said("stalled", case)):
            return why
        number, phase_name = str(self.scope.value(bound)), words.flow(phase.name)
        unmet = words.text("readings", f"{phase.name}/no")
        if unmet is None:
            return words.say("stalled", phase=phase_name, number=number)
        return words.say("stalled_unmet", phase=phase_name, number=number, why=unmet)

    def _said(self, phrase: str, test: ir.Expr) -> str:
        """Return a true condition: the ruleset's words, its caption, or its formula."""
        read = self._reader.read(test, self.scope)
        hidden = not ViewerVisibility(self._game, None).expression(test)
        found, all_own = list[SeenQuantity](), True
        for each in read:
            if not isinstance(each, SeenQuantity):
                continue
            own = self._own.text(each.name, each.value, each.type)
            # Words without a value may be used in any case: "nobody can move".
            plain = (
                isinstance(each.type, Flag) and own is not None and not slots_of(own)
            )
            if plain or not hidden:
                found.append(each)
                all_own = all_own and own is not None
        said = ", ".join(dict.fromkeys(map(self._own.sentence, found)))
        if found and all_own:
            return self._words.say(f"{phrase}_since", why=said)
        named = test.value if isinstance(test, ir.CallValue) else ""
        caption = self._words.caption(named) if named else ""
        why = caption if caption != named else said
        return self._words.say(f"{phrase}_as", why=why) if why else ""
