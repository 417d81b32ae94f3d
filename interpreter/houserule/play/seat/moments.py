"""Everything that a front end shows to one viewer of a session.

*New* is what changed since the viewer last decided after seeing the screen; the screen
may be drawn several times until then.
"""

from __future__ import annotations

# Session and moments import each other, but only for types.
from collections.abc import Container
from typing import TYPE_CHECKING

from houserule.base.diagnostics.wording import sentence
from houserule.base.resources import Phrases
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.ruleset_models import in_language
from houserule.play.narration.boards.grid import OpenGrids
from houserule.play.narration.outline import Outline
from houserule.play.narration.visibility import Viewer
from houserule.play.narration.wording import Wording
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.log import TaleKey
from houserule.play.seat.news import LastLook
from houserule.play.seat.position import seen
from houserule.play.seat.rules import TableRules
from houserule.play.seat.scores import ended, scores
from houserule.play.seat.seat_model import Moment

if TYPE_CHECKING:  # an import cycle: a sitting has its moments
    from houserule.play.seat.session import Sitting


class SittingMoments:
    """The moments of a session, for any viewer in any language."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._words: dict[str, Wording] = {}
        self._shown: dict[TaleKey, tuple[LastLook, int]] = {}
        self._last: dict[TaleKey, tuple[LastLook, int]] = {}
        self._grids = OpenGrids()
        self._drawn: ReferenceGame | None = None

    def words(self, language: str) -> Wording:
        if language not in self._words:
            names = self._sitting.seated.names
            self._words[language] = self._sitting.rules.wording(language, names)
        return self._words[language]

    def decided(self, seat: int) -> None:
        """Note that a seat decided: nothing it saw before is new now."""
        self._grids.forget()
        for viewer in [each for each in self._shown if each[0] in {seat, None}]:
            self._last[viewer] = self._shown.pop(viewer)

    def taken_back(self) -> None:
        """Note that the logs were cut: only their last line, about the undo, is new."""
        for known in (self._shown, self._last):
            for (viewer, language), (look, heard) in known.items():
                length = len(self._sitting.log(viewer, language)) - 1
                known[viewer, language] = look, min(heard, length)

    def of(self, viewer: int | None, language: str, choice: bool = True) -> Moment:
        """Return what to show to a viewer now; None is everyone.

        `choice=False` omits the first step of the viewer's choice.
        """
        sitting, words = self._sitting, self.words(language)
        last, heard = self._last.get((viewer, language), (None, 0))
        if self._drawn is not sitting.game:  # an undo replaces the game
            self._grids.forget()
            self._drawn = sitting.game
        bots, grids = sitting.seated.bots, self._grids
        shown, look = looked_at(
            sitting.rules, sitting.game, words, viewer, bots, last, grids
        )
        log = sitting.log(viewer, language)
        self._shown[viewer, language] = look, len(log)
        step, undo = None, ""
        if viewer is not None:
            game = sitting.asked_game(viewer)
            if game is not None and game is not sitting.game:
                own = {"acting": (viewer,), "heading": heading(game, words, viewer)}
                shown = shown.model_copy(update=own)
            if choice and game is not None:
                step = Chooser(sitting.rules, game, words, viewer).step()
            made = sitting.last_open(viewer)
            if made is not None:
                chooser = Chooser(sitting.rules, made.before, words, made.seat)
                what = chooser.label(made.choice)
                undo = Phrases("seat", words.language).say("take_back", what=what)
        update = {"choice": step, "log": log[heard:], "undo": undo}
        return shown.model_copy(update=update)


def looked_at(
    rules: TableRules,
    game: ReferenceGame,
    words: Wording,
    viewer: Viewer,
    bots: Container[int],
    last: LastLook | None,
    grids: OpenGrids | None = None,
) -> tuple[Moment, LastLook]:
    """Return what to show of a game without a log, to a viewer who only watches.

    Args:
        words: the language, and the players' names.
        last: what the viewer saw before; anything else is new.
        grids: a cache of the boards in the current state.
    """
    position, look = seen(rules, game, words, viewer, last, grids)
    acting: tuple[int, ...] = ()
    if game.decision is not None:
        acting = (game.decision.seat,)
    if game.claimed and (viewer is None or isinstance(viewer, int)):
        acting = tuple(seat for seat in acting if seat == viewer)
    moment = Moment(
        game=table_sentence(rules, words.language),
        heading=heading(game, words, viewer),
        acting=acting,
        position=position.model_copy(
            update={
                "seats": tuple(
                    each.model_copy(update={"bot": each.seat in bots})
                    for each in position.seats
                )
            }
        ),
        scores=scores(rules, game, words, viewer),
        ended=ended(rules, game, words),
    )
    return moment, look


def table_sentence(rules: TableRules, language: str) -> str:
    """Return the game with its players and variants in one line."""
    ruleset, chosen = rules.ruleset, rules.chosen
    titles = ruleset.variant_titles
    on = [
        ruleset.text("titles", name, language) or titles[name]
        for name in sorted(chosen.variants - chosen.implied)
    ]
    phrases = Phrases("seat", language)
    game = in_language(ruleset.manifest.title, language)
    if not on:
        return phrases.say("table", game=game, count=chosen.players)
    listed = ", ".join(on)
    return phrases.say("table_with", game=game, count=chosen.players, variants=listed)


def heading(game: ReferenceGame, words: Wording, viewer: Viewer) -> str:
    """Return the turn and round as a heading: "Round 7: your turn"."""
    phrases, decision = Phrases("seat", words.language), game.decision
    if decision is None:
        return words.say("over")
    phase = game.engine.flow.phases[game.machine.stack[-1].phase]
    if game.claimed:
        situation = "claims"
    elif decision.kind == "act" and phase.together:
        situation = "together"
    elif game.machine.acting() == decision.seat:
        situation = "turn"
    else:
        situation = "decides"
    if decision.seat == viewer:
        situation = f"{situation}_own"
    what = phrases.say(situation, who=words.seat(decision.seat))
    rounds = Outline(game.program).rounds()
    for act in game.machine.stack:
        if act.phase in rounds:
            number = 1 + (act.index if act.items is not None else act.passes)
            name = sentence(words.flow(act.phase))
            where = words.say("pass", phase=name, number=number)
            return phrases.say("heading", where=where, what=what)
    return sentence(what)
