"""What a seat is shown of a sitting, in every way there is, as texts to compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeAlias
from unittest.mock import patch

from tests.seat.twins import seen_by
from tests.support.clicking import clicked

from houserule.engine.compiled.bots.compiled_bots import CompiledThinker
from houserule.engine.reference.choices import Done
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import family_of
from houserule.ir import Program
from houserule.ir.types import Data, Kind, Whole, members
from houserule.ir.walk import factors
from houserule.play.narration.narrator import Narrator
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.records.choice_words import words_of
from houserule.play.records.game_file import GameFile
from houserule.play.records.people import RecordedPeople
from houserule.play.records.records import Recorder, seat_names
from houserule.play.seat.choosing import Chooser
from houserule.play.seat.log import Tales
from houserule.play.seat.reasons import SaidMove, SaidTaking, why, why_value
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import ChoiceStep
from houserule.play.seat.seated import Seated
from houserule.play.seat.session import Sitting
from houserule.play.seat.undoing import NotNow
from houserule.ui.terminal.face import Face
from houserule.ui.terminal.keyboard import SharedKeyboard
from houserule.ui.terminal.line_mode import LineMode

FEW = 6  # arguments of a declared value
SIZES = ((80, 24), (130, 50))
KEYS = ("?", "escape", "down", "l", "escape", "p", "escape", "h", "/", "t", "e")
UNSEEN = ("escape", "t")  # after these nothing is drawn: it was seen, or will be
SAID = ("position", "log", "hint", "why 1", "why the", "help", "again")


class ReferenceThinker(CompiledThinker):
    """Leaves every hint to the reference engine, whatever was compiled before."""

    def _ready(self, *, wait: bool) -> None:
        return None


@lru_cache(maxsize=4)
def compiled_thinker(program: Program) -> CompiledThinker:
    """Return what thinks of hints on the compiled engine from the first one on."""
    return CompiledThinker(program, patience=0)


@dataclass(frozen=True)
class Watched:
    """A sitting at which the viewer is the only person, and a narrator that it hears.

    The narrator tells what `--as` prints. All tales begin here. Hints are thought out
    on the reference engine, for every second seat on the compiled one.
    """

    sitting: Sitting
    viewer: int
    narrator: Narrator

    @classmethod
    def at(cls, rules: TableRules, game: ReferenceGame, viewer: int) -> Watched:
        """Return the sitting of a game under way."""
        names = ["greedy"] * rules.program.seats
        names[viewer] = "ann"
        recorder = Recorder(rules.program, rules.chosen, game.machine.seed)
        thinker = ReferenceThinker if viewer % 2 else compiled_thinker
        with patch("houserule.play.seat.seated.CompiledThinker", thinker):
            kept = GameFile(recorder, None)
            tales = Tales(rules, Seated.of(names).names)
            people = RecordedPeople(recorder.head, seat_names(rules.program))
            sitting = Sitting(rules, Seated.of(names), game, kept, tales, people)
        narrator = rules.narrator("en", names, viewer=viewer)
        return cls(sitting, viewer, narrator)

    @property
    def rules(self) -> TableRules:
        return self.sitting.rules

    @property
    def game(self) -> ReferenceGame:
        return self.sitting.game

    @property
    def asked(self) -> bool:
        """Whether the viewer is to decide."""
        decision = self.sitting.decision
        return decision is not None and decision.seat == self.viewer


# ---- moments, steps of a choice, hints, tales


def moments(at: Watched) -> Iterator[str]:
    """Yield all that is shown to the seat, and to everybody, in every language."""
    for language in sorted(at.rules.ruleset.texts) or ["en"]:
        for eye in (at.viewer, None):
            yield at.sitting.moment(eye, language).model_dump_json()


def steps(at: Watched) -> Iterator[str]:
    """Yield the steps on the way to some choices, their labels, and what words mean."""
    if not at.asked:
        return
    chooser = Chooser(at.rules, at.game, at.rules.wording("en"), at.viewer)
    found: list[ChoiceStep] = []
    for number in range(2):
        choice = clicked(chooser, Random(number), lambda _, step: found.append(step))
        yield chooser.label(choice)
        yield " ".join(chooser.path(choice))
    yield from (step.model_dump_json() for step in found)
    text = found[0].options[-1].label
    yield chooser.narrow(text).model_dump_json()
    yield str(chooser.completions(text[: len(text) // 2]))


def hint(at: Watched) -> Iterator[str]:
    if at.asked and at.game.decision is not None:
        found, site = at.sitting.advise(at.viewer), at.game.decision.site
        for choice in (found.choice, found.other or found.choice):
            yield json.dumps(words_of(choice, site, at.rules.program))
        yield str(found.sure)


def tale(at: Watched) -> Iterator[str]:
    """Yield what is new in what `--as` prints, and the whole tale of the sitting."""
    yield from at.narrator.news(at.game)
    yield from at.sitting.log(at.viewer)


# ---- reasons


def moves(at: Watched) -> Iterator[SaidMove]:
    """Yield some options, and every action as far as its first values are said."""
    assert at.game.decision is not None
    yield from at.game.decision.options.first(3)
    yield Done()
    for name, action in at.rules.program.actions.items():
        said: dict[str, Data] = {}
        yield SaidTaking(name, {})
        for variable, type_ in factors(action):
            every = members(type_) if isinstance(type_, Whole | Kind) else ()
            if not every:
                break
            said[variable] = every[-1]
            yield SaidTaking(name, dict(said))


def reasons(at: Watched) -> Iterator[str]:
    """Yield why moves are possible or not, and what values come to be."""
    rules, game, words = at.rules, at.game, at.rules.wording("en")
    if at.asked:
        for said in moves(at):
            yield why(rules, game, words, at.viewer, said).model_dump_json()
    for name, args in called(rules.program):
        with suppress(RuleFault):  # it has no value now
            found = why_value(rules, game, words, at.viewer, name, args)
            yield found.model_dump_json()


def called(program: Program) -> Iterator[tuple[str, tuple[Data, ...]]]:
    """Yield each declared value with some of its arguments."""
    for name, value in program.values.items():
        try:
            family = family_of(name, value.params)
        except TypeError:  # a parameter may be none
            continue
        for index in range(min(FEW, family.count)):
            keys = family.keys(index)
            if () not in keys:  # rules may count on something in a set
                yield name, keys


# ---- what programs are given


def view(at: Watched) -> Iterator[str]:
    yield json.dumps(seen_by(at.game, at.viewer))


def knowledge(at: Watched) -> Iterator[str]:
    """Yield what the seat may know of things, cells, dice and declared values."""
    game = at.game
    knows, store, program = (
        ViewerVisibility(game, at.viewer),
        game.machine.store,
        game.program,
    )
    for name, args in called(program):
        if knows.value(name, args):
            with suppress(RuleFault):
                yield f"{name} {args} is {game.value(name, *args)}"
    for state in program.states:
        for index, cell in enumerate(store.cells[state]):
            if knows.cell(state, index):
                yield f"{state} {index} is {cell}"
    for kind, faces in store.faces.items():
        for die, face in enumerate(faces):
            if knows.face(kind, die):
                yield f"{kind} {die} shows {face}"
    for zone, places in store.zones.items():
        kind = store.layout.members[zone]
        for index, things in enumerate(places):
            for thing in things:
                if knows.thing(kind, thing):
                    yield f"{kind} {thing} lies in {zone} {index}"


# ---- the terminal


def screens(at: Watched) -> Iterator[str]:
    """Yield what is drawn while the seat looks around."""
    width, height = SIZES[len(at.sitting.made) % len(SIZES)]
    face = Face(SharedKeyboard(at.sitting, "en"), "en")
    yield str(face.draw(width, height))
    for key in KEYS:
        face.press(key)
        if key not in UNSEEN:
            yield f"{key}: {face.draw(width, height)}"


def lines(at: Watched) -> Iterator[str]:
    """Yield what is said in line mode while the seat asks for everything."""
    said: list[str] = []
    typed = iter(SAID)

    def ask(prompt: str) -> str | None:
        said.append(prompt)
        return next(typed, "quit")

    if at.asked:  # else bots would go on
        keyboard = SharedKeyboard(at.sitting, "en")
        LineMode(keyboard, "en", said.append, ask, lambda: None).play()
    yield from said


# ---- what was taken back


def undone(at: Watched) -> Iterator[str]:
    """Take back what the seat may, and yield what it is shown then."""
    for take_back in (at.sitting.undo, at.sitting.restart_turn):
        with suppress(NotNow):
            take_back(at.viewer)
        yield at.sitting.moment(at.viewer).model_dump_json()


Shown: TypeAlias = Callable[[Watched], Iterator[str]]
TOLD: Mapping[str, Shown] = {
    "tale": tale,
    "moments": moments,
    "steps": steps,
    "hint": hint,
    "reasons": reasons,
    "view": view,
    "knowledge": knowledge,
}
"""`tale` stands first: it is to hear a game before anything is done in it."""
SHOWN: Mapping[str, Shown] = {**TOLD, "screens": screens, "lines": lines}
