"""A sitting made up of moments, for tests of the face alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from houserule.play.seat.seat_model import (
    ChoiceStep,
    GameEnded,
    Moment,
    MoveReason,
    ReasonReading,
    StepOption,
    WhyMove,
)
from houserule.play.seat.undoing import NotNow
from houserule.ui.terminal.keyboard import SharedKeyboard

MOMENTS = Path(__file__).parents[1] / "cases" / "terminal" / "moments"


def moment(name: str) -> Moment:
    return Moment.model_validate_json((MOMENTS / f"{name}.json").read_text("utf-8"))


@dataclass
class PretendedSitting:
    """Every choice is written down; every third seat's choice is a bot's."""

    shown: Moment
    people: tuple[int, ...] = (0, 1)
    secret: bool = True
    ends_after: int = 6
    turn: int = 0
    decided: int = 0
    chosen: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)

    @property
    def seated(self) -> SimpleNamespace:
        return SimpleNamespace(people=self.people, names=())

    @property
    def rules(self) -> SimpleNamespace:
        seen = {"hand": SimpleNamespace(seen=0 if self.secret else None)}
        program = SimpleNamespace(zones=seen, states={}, components={}, phases={})
        words = SimpleNamespace(seat=self.name)
        return SimpleNamespace(program=program, wording=lambda *_: words)

    @property
    def decision(self) -> SimpleNamespace:
        return SimpleNamespace(seat=self.asked)

    def asks_bot(self) -> bool:
        return self.asked not in self.people

    @property
    def asked(self) -> int:
        return self.turn % len(self.shown.position.seats)

    def name(self, seat: int) -> str:
        return self.shown.position.seats[seat].name

    def moment(self, viewer: int | None, language: str) -> Moment:
        over = self.turn >= self.ends_after
        mine = viewer == self.asked and not over
        seen = self.shown.position.model_copy(update={"viewer": viewer})
        ended = GameEnded(kind="won", why="All is done.", result="bob wins.")
        return self.shown.model_copy(
            update={
                "heading": f"{self.name(self.asked)} decides",
                "acting": () if over else (self.asked,),
                "position": seen,
                "choice": self.shown.choice if mine else None,
                "ended": ended if over else None,
                "log": self.log(viewer, language)[self.decided :],
            }
        )

    def step(self, path: tuple[str, ...], first: int = 0) -> ChoiceStep:
        assert self.shown.choice is not None
        if not path:
            return self.shown.choice
        labels = {"it": "This one", "that": "That one"}
        options = tuple(
            StepOption(key=key, number=at, label=label, count=1, complete=True)
            for at, (key, label) in enumerate(labels.items(), 1)
        )
        return ChoiceStep(asks="Which?", path=path, said=path, options=options, total=2)

    def choice(self, path: tuple[str, ...]) -> tuple[str, ...]:
        return path

    def narrow(self, text: str, path: tuple[str, ...]) -> ChoiceStep:
        step = self.step(path)
        texts = [
            each for each in step.options if text.casefold() in each.label.casefold()
        ]
        fits = [
            each.model_copy(update={"number": n}) for n, each in enumerate(texts, 1)
        ]
        shut = () if fits else [e for e in step.closed if text in e.label.casefold()]
        update = {"options": tuple(fits), "total": len(fits), "closed": tuple(shut)}
        return step.model_copy(update=update)

    def completions(self, text: str, path: tuple[str, ...]) -> tuple[str, ...]:
        words = {
            word for each in self.step(path).options for word in each.label.split()
        }
        return tuple(
            sorted(word for word in words if word.startswith(text.split(" ")[-1]))
        )

    def choose(
        self, seat: int, choice: tuple[str, ...], bots_at_most: int | None = None
    ) -> None:
        assert seat == self.asked
        self.chosen.append((seat, choice))
        self.decided = self.turn + 1
        self.turn += 1

    def advance(self, most: int) -> None:
        assert self.asks_bot()
        self.turn += most

    def undo(self, seat: int) -> None:
        if not self.chosen or self.turn != 1:
            raise NotNow("nothing")
        self.turn = 0

    restart_turn = undo

    def can_ask_undo(self, seat: int) -> bool:
        return bool(self.chosen)

    def ask_undo(self, seat: int) -> bool:
        self.turn = 0
        return True

    def advise(self, seat: int) -> SimpleNamespace:
        values = ["Draw a card: 60 %", "Slide a marker: 40 %"]
        return SimpleNamespace(told=lambda _: "Draw a card", values=lambda _: values)

    def log(self, viewer: int | None, language: str) -> tuple[str, ...]:
        return tuple(f"turn {turn}" for turn in range(self.turn + 1))


class PretendedKeyboard(SharedKeyboard):
    def __init__(self, sitting: PretendedSitting) -> None:
        self.pretended = sitting
        super().__init__(cast("Any", sitting), "en")

    @property
    def _chooser(self) -> Any:  # noqa: ANN401  # the sitting is one as well
        return self.pretended

    def why(self, option: StepOption | None) -> WhyMove:
        path = (*self.path, *((option.key,) if option else ()))
        reading = ReasonReading(what="Beta pays", value="9")
        reason = MoveReason(
            address="slide.downhill",
            holds=False,
            says="Slide to a company that pays less.",
            readings=(reading,),
            changed_by=("Harder sliding",),
            without=True,
        )
        return WhyMove(
            seat=self._seat,
            move=path[-1],
            legal=False,
            sentence=f"You cannot {path[-1]} now.",
            reasons=(reason,),
            nearest=("Slide from 8 to 5",),
        )

    def rematch(self) -> PretendedKeyboard:
        old = self.pretended
        return PretendedKeyboard(PretendedSitting(old.shown, old.people, old.secret))
