"""Labels of a choice: the question, each value, and the complete choice."""

from __future__ import annotations

from houserule.base.diagnostics.wording import sentence
from houserule.base.frozen import frozen
from houserule.base.inflection import fill, slots_of
from houserule.base.resources import Phrases
from houserule.engine.reference.choices import (
    Act,
    Answered,
    Choice,
    Done,
    Picked,
    Shared,
)
from houserule.engine.reference.options.steps import Exactly, Holding
from houserule.ir.types import Data, Flag, Kind, Type, Whole
from houserule.play.narration.wording import Wording
from houserule.play.seat.choosing.keys import SIMPLE, Variable, member_type
from houserule.play.seat.choosing.parts import ChoicePart, DisplayValue


@frozen
class EndedByDone:
    """The step or turn that the choice `done` ends.

    Attributes:
        phase: the phase, if `done` ends it.
        following: the steps after them that the seat can use.
        claimed: whether it means that the seat makes no claim.
    """

    steps: tuple[str, ...]
    phase: tuple[str, ...]
    closed: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    claimed: bool = False


NOTHING_DONE = EndedByDone((), ())


class Labels:
    """Labels for the choices of one seat.

    Args:
        words: texts of the rules in a language.
        seat: the seat that chooses; its own labels omit its name.
        done: what `done` ends now.
    """

    def __init__(
        self, words: Wording, seat: int, done: EndedByDone = NOTHING_DONE
    ) -> None:
        self._words, self._seat, self._done = words, seat, done
        self._phrases = Phrases("seat", words.language)

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a general phrase with its slots filled."""
        return self._phrases.say(phrase, **parts)

    def action(self, name: str) -> str:
        return sentence(self._words.action(name))

    def also(self, key: str) -> str:
        """Return synonyms of an action, or of a choice that no ruleset names.

        The identifier of an action is one: it is in records and in messages.
        """
        if key in SIMPLE:
            return f"{self.say(f'choice_{key}')} {self.say(f'also_{key}')}"
        own = self._words.text("also", key) or ""
        return f"{own} {key}" if key in self._words.program.actions else own

    def advice(self, address: str) -> str:
        said = sentence(self._words.caption(address))
        return said if said.endswith((".", "!", "?")) else f"{said}."

    # ---- values

    def words(self, variable: Variable, value: Data) -> str:
        """Return a value as words inside a sentence."""
        return self._words.value(value, variable.type, self._seat)

    def value(self, part: ChoicePart, number: int, value: Data) -> str:
        """Return the label of a value as an option, preferably the ruleset's own."""
        type_ = part.variables[number].type
        return _option(self._answer(part, number, value), type_)

    def _answer(self, part: ChoicePart, number: int, value: Data) -> str:
        variable = part.variables[number]
        words = self.words(variable, value)
        own = self._words.text("answers", f"{part.subject}.{variable.name}")
        if own is None:
            return words
        name = "count" if part.members else variable.name
        return fill(own, {"me": self._words.seat(self._seat), name: words})

    def member(self, variable: Variable, member: Data) -> str:
        """Return the label of a set member as an option."""
        type_ = member_type(variable.type)
        return _option(self._words.value(member, type_, self._seat), type_)

    def enough(self, variable: Variable, value: Data) -> str:
        """Return the label of the option to add no more members to a set."""
        if not value:
            return sentence(self.words(variable, value))
        return self.say("enough", what=self.words(variable, value))

    def receiver(self, part: ChoicePart, number: int) -> str:
        """Return the label of the member that gets a share."""
        assert part.over is not None
        return self._words.value(part.members[number], part.over, self._seat)

    # ---- questions

    def question(self, part: ChoicePart, number: int, said: DisplayValue) -> str:
        """Return the question for a variable, in the ruleset's words if it has any."""
        variable = part.variables[number]
        own = self._words.text("questions", f"{part.subject}.{variable.name}")
        if own is not None:
            known = self._known(part, said)
            if part.members:
                known[variable.name] = self.receiver(part, number)
            try:
                return sentence(fill(own, known))
            except KeyError:
                pass  # it names a variable that is not settled yet
        if part.members:
            return sentence(self.say("how_many", what=self.receiver(part, number)))
        match member_type(variable.type):
            case Kind(sort="seat"):
                return self.say("which_seat")
            case Kind(name):
                return self.say("which", kind=self._words.kind(name))
            case Whole():
                return self.say("which_number")
            case Flag():
                return self.say("whether")
            case _:
                return self.say("which_other")

    def _known(self, part: ChoicePart, said: DisplayValue) -> dict[str, str | int]:
        known: dict[str, str | int] = {"me": self._words.seat(self._seat)}
        for number, want in said.items():
            if isinstance(want, Exactly) and not part.members:
                variable = part.variables[number]
                known[variable.name] = self.words(variable, want.value)
        return known

    # ---- chosen values and complete choices

    def said(self, part: ChoicePart, said: DisplayValue) -> list[str]:
        """Return a label for each variable that is settled."""
        labels = [self.action(name) for name in part.head]
        for number, variable in enumerate(part.variables):
            match said.get(number):
                case Exactly(value) if part.members:
                    what = sentence(self.receiver(part, number))
                    labels.append(
                        self.say(
                            "share", what=what, count=self._answer(part, number, value)
                        )
                    )
                case Exactly(value):
                    labels.append(self.value(part, number, value))
                case Holding(held):
                    labels.append(f"{sentence(self.words(variable, held))} …")
                case None:
                    pass
        return labels

    def partly(self, part: ChoicePart, said: DisplayValue) -> str:
        """Return one label for an incomplete choice."""
        labels = self.said(part, said)
        if not part.head or len(labels) == 1:
            return sentence(", ".join(labels))
        return self.say("takes", action=labels[0], how=", ".join(labels[1:]))

    def whole(self, choice: Choice, part: ChoicePart | None) -> str:
        """Return the label of a complete choice, which was built from `part`."""
        match choice:
            case Done():
                closed, following = self._done.closed, self._done.following
                for name in (
                    *self._done.steps,
                    *(() if following else self._done.phase),
                ):
                    own = self._words.text("choices", name)
                    if own is not None:
                        return sentence(fill(own, {"me": self._words.seat(self._seat)}))
                if not following:
                    claimed = self._done.claimed
                    return self.say("choice_no_claim" if claimed else "choice_done")
                names = [self._words.flow(name) for name in closed]
                after = self._words.several([self._words.flow(n) for n in following])
                what = self._words.several(names)
                return self.say("choice_done_next", what=what, next=after)
            case Answered(yes):
                return self.say("choice_yes" if yes else "choice_no")
            case Picked(None):
                return self.say("choice_decline")
            case _:
                assert part is not None
                values = part.values(choice)
                said: DisplayValue = {
                    number: Exactly(value) for number, value in enumerate(values)
                }
                if isinstance(choice, Shared):
                    given = {n: each for n, each in said.items() if values[n]}
                    return ", ".join(self.said(part, given)) or self.say(
                        "choice_decline"
                    )
                shown = {
                    variable.name: self.words(variable, value)
                    for variable, value in zip(part.variables, values, strict=True)
                }
                own = self._words.text("choices", part.subject)
                named = {slot.name for slot in slots_of(own or "")} - {"me"}
                if own is not None and named <= shown.keys():
                    label = sentence(fill(own, self._known(part, said)))
                    how = [words for name, words in shown.items() if name not in named]
                elif isinstance(choice, Act):
                    label, how = (self.action(choice.action), list(shown.values()))
                else:
                    return sentence(", ".join(shown.values()))
                return (
                    self.say("takes", action=label, how=", ".join(how))
                    if how
                    else label
                )


def _option(words: str, type_: Type) -> str:
    """Return an answer as an option; a numbered name, as of a square, is unchanged."""
    named = isinstance(type_, Kind) and type_.sort != "seat"
    numbered = any(letter.isdigit() for letter in words.partition(" ")[0])
    return words if named and numbered else sentence(words)
