"""Moves written in free text, legal or not: the action, and a value for each phrase.

Words before a value may name its variable, as in the choice's label: with "Slide a
marker from {origin} to {target}", the value after "from" is the origin, anywhere in the
text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from string import Formatter

from houserule.base.frozen import frozen
from houserule.base.inflection import inflected
from houserule.engine.reference.options.options import ActOptions
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Visibility
from houserule.ir.types import Data, Kind, Maybe, Set, Type, Whole, core
from houserule.ir.walk import factors
from houserule.play.narration.wording import Wording
from houserule.play.seat.choosing.keys import member_type
from houserule.play.seat.choosing.labels import Labels
from houserule.play.seat.choosing.matching import NOWHERE, Vocabulary, slips
from houserule.play.seat.reasons.move_labels import SaidMove, SaidTaking
from houserule.play.seat.rules import TableRules

MOST_WORDS = 16  # longer texts are not read this way
MOST_NUMBERS = 200  # larger ranges are not read as values
# Penalties of a value's reading, and of a text that names no action.
BESIDES, NOT_POSSIBLE, UNNAMED, TURNED, OF_ANOTHER = 1, 3, 2, 1, 8
NO_VERB = 6


@frozen
class MoveMeant:
    """One reading of a text: an action with values, and its penalty.

    `named` is true if a word of the text named the variable of some value.
    """

    taking: SaidTaking
    cost: int
    named: bool


@frozen
class _Slot:
    """A variable: the words that announce it, and the names of its values."""

    name: str
    type: Type
    announced: frozenset[str]
    called: tuple[tuple[tuple[str, ...], int], ...]


@frozen
class _Reading:
    """A text read up to a word; `run` are the words since the last value."""

    at: int = 0
    cost: int = 0
    last: int = -1
    run: tuple[str, ...] = ()
    values: tuple[tuple[str, Data], ...] = ()
    named: bool = False


class MeantMoves:
    """Reads moves of one seat at one moment.

    Args:
        words: texts in the language of the input.
        seat: the seat that asks; hidden information makes no reading likelier.
    """

    def __init__(
        self, rules: TableRules, game: ReferenceGame, words: Wording, seat: int
    ) -> None:
        self._program, self._game, self._seat = rules.program, game, seat
        self._words, self._labels = words, Labels(words, seat)
        self._vocabulary = Vocabulary(self._labels.say)
        self._seen = Visibility(
            game.program, game.engine.evaluator, game.machine.store, seat
        )

    def read(self, text: str) -> list[MoveMeant]:
        """Return the likeliest readings of a text that use all of its words."""
        words = self._vocabulary.every(text)
        if not 0 < len(words) <= MOST_WORDS:
            return []
        found = [
            each
            for action in self._program.actions
            for each in _OfAction(self, action).readings(words)
        ]
        least = min((each.cost for each in found), default=0)
        likeliest: list[MoveMeant] = []
        for each in found:
            known = (other.taking for other in likeliest)
            if each.cost == least and each.taking not in known:
                likeliest.append(each)
        return likeliest

    # ---- vocabulary of an action

    def verbs(self, action: str) -> frozenset[str]:
        own = self._words.text("choices", action) or ""
        literal = " ".join(text for text, *_ in Formatter().parse(own))
        said = f"{self._labels.action(action)} {self._labels.also(action)} {literal}"
        return frozenset(self._vocabulary.telling(said))

    def is_filler(self, word: str) -> bool:
        """Return whether a word has no meaning by itself."""
        return word in self._vocabulary.fillers

    def slots(self, action: str) -> Iterator[_Slot]:
        """Yield the variables of an action in the order of its label."""
        own = self._words.text("choices", action) or ""
        before: dict[str, frozenset[str]] = {}
        for literal, name, *_ in Formatter().parse(own):
            if name is not None:
                before.setdefault(name, frozenset(self._vocabulary.every(literal)))
        types = dict(factors(self._program.actions[action]))
        order = [*(n for n in before if n in types), *(n for n in types)]
        for name in dict.fromkeys(order):
            others = (said for other, said in before.items() if other != name)
            announced = before.get(name, frozenset()).difference(*others)
            type_, called = member_type(types[name]), []
            for value in self._members(type_):
                words = inflected(self._words.value(value, type_, self._seat))
                for said in dict.fromkeys((str(words), *words.forms.values())):
                    if telling := self._vocabulary.telling(said):
                        called.append((telling, value))
            yield _Slot(name, types[name], announced, tuple(called))

    def _members(self, type_: Type) -> Iterable[int]:
        match type_:
            case Maybe(inner):
                return self._members(inner)
            case Kind(name):
                return range(len(self._program.labels[name]))
            case Whole(low, high) if high - low < MOST_NUMBERS:
                return range(low, high + 1)
            case _:
                return ()

    def kind_words(self, type_: Type) -> tuple[str, ...]:
        """Return the words of a type's kind, which do not tell its values apart."""
        inner = member_type(type_)
        inner = core(inner)
        name = self._words.kind(inner.name) if isinstance(inner, Kind) else ""
        return self._vocabulary.telling(name) if name else ()

    def is_likely(self, action: str, slot: _Slot, value: int) -> bool:
        """Return whether a value is possible, as far as the seat may know."""
        inner = member_type(slot.type)
        where = self._game.machine.store.where
        if (
            isinstance(inner, Kind)
            and inner.name in where
            and not self._seen.thing(inner.name, value)
        ):
            return False
        decision = self._game.decision
        if (
            decision is None
            or decision.seat != self._seat
            or not isinstance(decision.options, ActOptions)
        ):
            return True
        said: Data = (value,) if isinstance(slot.type, Set) else value
        considered = decision.options.consider(action, {slot.name: said})
        if considered is None:
            return True
        address = f"{action}.{slot.name}"
        judged = (e for e in considered.judgements if e.address == address)
        return all(each.holds is not False for each in judged)


class _OfAction:
    """The readings of a text as one action."""

    def __init__(self, moves: MeantMoves, action: str) -> None:
        self._moves, self._action = moves, action
        self._verbs = moves.verbs(action)

    @cached_property
    def _slots(self) -> tuple[_Slot, ...]:
        return tuple(self._moves.slots(self._action))

    @cached_property
    def _kinds(self) -> frozenset[str]:
        kinds = (self._moves.kind_words(slot.type) for slot in self._slots)
        return frozenset(word for words in kinds for word in words)

    def readings(self, words: list[str]) -> Iterator[MoveMeant]:
        """Yield the readings of words that name the action, or values of it."""
        verb = any(_meant(word, self._verbs) for word in words)
        known: dict[tuple[tuple[str, Data], ...], int] = {}
        for found in self._ends(words, _Reading(cost=0 if verb else NO_VERB)):
            if not verb and not found.values:
                continue
            if found.cost < known.get(found.values, found.cost + 1):
                known[found.values] = found.cost
                types = {slot.name: slot.type for slot in self._slots}
                values: dict[str, Data] = {}
                for name, value in found.values:
                    if isinstance(types[name], Set):
                        held = values.get(name, ())
                        assert isinstance(held, tuple)
                        assert isinstance(value, int)
                        value = tuple(sorted({*held, value}))
                    values[name] = value
                taking = SaidTaking(self._action, values)
                yield MoveMeant(taking, found.cost, found.named)

    def _ends(self, words: list[str], reading: _Reading) -> Iterator[_Reading]:
        """Yield every way to read the remaining words."""
        if reading.at == len(words):
            yield reading
            return
        word = words[reading.at]
        means_nothing = self._moves.is_filler(word) or _meant(word, self._kinds)
        if means_nothing or _meant(word, self._verbs):
            run = (*reading.run, word)
            yield from self._ends(words, replace(reading, at=reading.at + 1, run=run))
        # The next words are a value.
        said = {name for name, _ in reading.values}
        for number, slot in enumerate(self._slots):
            if slot.name in said and not isinstance(slot.type, Set):
                continue
            named, cost = self._announced(number, slot, reading)
            for called, value in slot.called:
                length, wrong = _taken_up(words[reading.at :], called)
                if not length:
                    continue
                likely = self._moves.is_likely(self._action, slot, value)
                wrong += BESIDES * (len(called) - length)
                wrong += 0 if likely else NOT_POSSIBLE
                further = _Reading(
                    reading.at + length,
                    reading.cost + cost + wrong,
                    number,
                    (),
                    (*reading.values, (slot.name, value)),
                    reading.named or named,
                )
                yield from self._ends(words, further)

    def _announced(
        self, number: int, slot: _Slot, reading: _Reading
    ) -> tuple[bool, int]:
        """Return whether words before a value name its variable, and the penalty."""
        run = set(reading.run)
        if run & slot.announced:
            return True, 0
        if number == reading.last and isinstance(slot.type, Set):
            return False, 0
        cost = UNNAMED + (TURNED if number < reading.last else 0)
        if any(run & other.announced for other in self._slots):
            cost += OF_ANOTHER
        return False, cost


def _meant(word: str, others: Iterable[str]) -> bool:
    return any(slips(word, other) is not None for other in others)


def _taken_up(words: list[str], called: tuple[str, ...]) -> tuple[int, int]:
    """Return how many words a name matches, and the penalty.

    The words may be in a different order; each word of the name matches once.
    """
    left, wrong, last = dict(enumerate(called)), 0, -1
    for word in words[: len(called)]:
        fitting = (
            (off + (at < last), at)
            for at, other in left.items()
            if (off := slips(word, other)) is not None
        )
        off, at = min(fitting, default=(NOWHERE, 0))
        if off == NOWHERE:
            break
        del left[at]
        wrong, last = wrong + off, at
    return len(called) - len(left), wrong


def agrees(said: SaidMove | None, written: SaidTaking) -> bool:
    if not isinstance(said, SaidTaking) or said.action != written.action:
        return False
    return written.values.items() <= said.values.items()
