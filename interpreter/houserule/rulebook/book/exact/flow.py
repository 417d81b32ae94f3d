"""Phases, steps, and clauses of the whole game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from houserule import ir
from houserule.ir.types import Set
from houserule.rulebook.book.exact.expressions import ExpressionWords
from houserule.rulebook.book.exact.program_nouns import Lexicon
from houserule.rulebook.book.exact.scope import FrameVariable
from houserule.rulebook.book.exact.shapes import settled
from houserule.rulebook.book.exact.statements import StatementWords

Sayer = Callable[[], list[str]]


class ClauseParts:
    """The common parts of clauses of several kinds."""

    def __init__(self, names: Lexicon) -> None:
        self._names = names

    def condition(
        self, condition: ir.Condition, params: Sequence[FrameVariable], phrase: str
    ) -> Iterator[tuple[str, Sayer]]:
        """Yield a condition, and the exceptions in which it does not count."""
        address = condition.address

        def said() -> list[str]:
            known = settled(condition.test)
            if known is not None and phrase == "needs":
                return [self._names.say("needs_met" if known else "needs_unmet")]
            words = ExpressionWords(self._names, address, params, condition.test)
            if isinstance(condition.test.type, Set):
                return [self._names.say(phrase, what=words.whole(condition.test))]
            what = words.sentence(condition.test)
            return [self._names.say(phrase, what=what)]

        yield address, said
        for lift, test in condition.lifts:
            yield lift, self.lift(lift, test, params, address)

    def lift(
        self, lift: str, test: ir.Expr, params: Sequence[FrameVariable], address: str
    ) -> Sayer:
        """Return the sentence function of an exception to a condition."""

        def said() -> list[str]:
            words = ExpressionWords(self._names, lift, params, test)
            what = words.sentence(test)
            self._names.mention(address)
            caption = self._names.caption(address)
            if caption is None:
                return [self._names.say("lift", what=what)]
            named = self._names.quoted(caption)
            return [self._names.say("lift_of", what=what, clause=named)]

        return said


class FlowWords:
    """The sentences of phases, steps, and clauses of the whole game."""

    def __init__(self, names: Lexicon) -> None:
        self._names, self._program = names, names.program
        self._parts = ClauseParts(names)

    def every(self) -> Iterator[tuple[str, Sayer]]:
        """Yield the address of each such clause, with its sentence function."""
        for phase in self._program.phases.values():
            yield (phase.name, self._phase(phase))
        for step in self._program.steps.values():
            yield (step.name, self._step(step))
        program = self._program
        for phrase, conditions in (
            ("always_clause", program.always),
            ("assert", program.asserts),
            ("drawn_game", program.draws),
        ):
            for condition in conditions:
                yield from self._parts.condition(condition, (), phrase)
        for warn in program.warns:
            yield from self._parts.condition(warn, (), "warn")
        yield ("winners", self._winners)
        if program.striving is not None:
            yield ("bots", self._striving)

    # ---- flow

    def _phase(self, phase: ir.PhaseDef) -> Sayer:
        def said() -> list[str]:
            names = self._names
            parts = [
                each
                for each in (phase.source, phase.guard, phase.until, phase.times)
                if each
            ]
            words = ExpressionWords(self._names, phase.name, (), *parts)
            what = names.flow(phase.name)
            found: list[str] = []
            if phase.source is not None:
                group = words.group(phase.source)
                who = names.grammar.phrase(group.word, "every", group.tail)
                how = "phase_together" if phase.together else "phase_for"
                found.append(names.say(how, what=what, who=who))
            if phase.guard is not None:
                found += self._guarded(words, what, phase.guard)
            if phase.until is not None:
                condition = words.sentence(phase.until)
                found.append(names.say("phase_until", what=what, condition=condition))
            if phase.times is not None:
                found.append(
                    names.say(
                        "phase_times"
                        if isinstance(phase.times, ir.Const)
                        else "phase_times_as",
                        what=what,
                        times=words.number(phase.times),
                    )
                )
                if phase.stops:
                    times_ = words.number(phase.times)
                    found[-1] = names.say("phase_stops", what=what, times=times_)
            items = [names.flow(each) for each in self._in_order(phase)]
            if items:
                found.append(
                    names.say("phase_items", what=what, items=names.joined(items))
                )
            elif not found:
                found.append(names.say("phase", what=what))
            return found

        return said

    def _guarded(self, words: ExpressionWords, what: str, guard: ir.Expr) -> list[str]:
        """Return when a phase or step takes place; empty if always."""
        known = settled(guard)
        if known is not None:
            return [] if known else [self._names.say("phase_never", what=what)]
        condition = words.sentence(guard)
        return [self._names.say("phase_if", what=what, condition=condition)]

    def _in_order(self, phase: ir.PhaseDef) -> list[str]:
        """Return the parts of a phase in order."""
        items = [each for each in phase.items if not ir.is_kept(each)]
        items = [
            each
            for each in items
            if each not in self._program.steps or not self._program.steps[each].silent
        ]
        return sorted(items, key=lambda each: len(phase.before.get(each, ())))

    def _step(self, step: ir.StepDef) -> Sayer:
        def said() -> list[str]:
            names = self._names
            found: list[str] = []
            what = names.flow(step.name)
            block = step.body.block if step.body is not None else ()
            roots = [*([step.guard] if step.guard is not None else []), *block]
            words = ExpressionWords(self._names, step.name, (), *roots)
            if step.mode is not None:
                mode = step.mode.replace(" ", "_")
                actions = [names.action(each) for each in step.actions]
                if actions:
                    found.append(
                        names.say(
                            f"step_{mode}",
                            what=what,
                            actions=names.joined(actions, "or"),
                        )
                    )
                else:
                    found.append(names.say("step_empty", what=what))
            if step.guard is not None:
                found += self._guarded(words, what, step.guard)
                if settled(step.guard) is False:
                    return found
            if block:
                found += StatementWords(words).sentences(block)
            return found

        return said

    # ---- the whole game

    def _winners(self) -> list[str]:
        program = self._program
        words = ExpressionWords(self._names, "winners", (), program.winners)
        return [self._names.say("winners", who=words.whole(program.winners))]

    def _striving(self) -> list[str]:
        ranking = self._program.striving
        assert ranking is not None
        seat = next(
            kind for kind in self._program.kinds.values() if kind.sort == "seat"
        )
        variable = FrameVariable(ranking.slot, "p", seat)
        words = ExpressionWords(self._names, "bots", (variable,), *ranking.keys)
        shown = [
            words.extreme(key, ranking.direction, variable) for key in ranking.keys
        ]
        said = shown[0]
        if len(shown) > 1:
            said = self._names.say(
                "then_by", first=shown[0], rest=self._names.joined(shown[1:])
            )
        return [self._names.say("striving", what=said)]
