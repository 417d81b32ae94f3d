"""The rules of a table, and their texts in a language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from houserule.base.frozen import frozen
from houserule.compiler.rules import ChosenTable
from houserule.ir import Program
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.play.narration.boards.boards import Boards
from houserule.play.narration.boards.drawing import Paint, unpainted
from houserule.play.narration.boards.usual import boards_of
from houserule.play.narration.narrator import Narrator
from houserule.play.narration.visibility import ALL_KNOWING, Viewer
from houserule.play.narration.wording import Wording


@frozen
class TableRules:
    """The rules of a game: a ruleset, the chosen table, and its program."""

    ruleset: LoadedRuleset
    chosen: ChosenTable
    program: Program
    _words: dict[tuple[str, tuple[str, ...]], Wording] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def wording(self, language: str, players: Sequence[str] = ()) -> Wording:
        """Return the texts for everything in the rules, in a language."""
        key = language, tuple(players)
        if key not in self._words:
            texts = self.ruleset.texts.get(language, {})
            colour = self.ruleset.manifest.position.colour
            self._words[key] = Wording(
                self.program, texts, language, players, colour=colour
            )
        return self._words[key]

    def narrator(
        self,
        language: str,
        players: Sequence[str] = (),
        *,
        boards: bool = True,
        paint: Paint = unpainted,
        viewer: Viewer = ALL_KNOWING,
    ) -> Narrator:
        """Return the narrator of a game in a language, with or without its boards.

        Without a `viewer`, nothing is hidden. `paint` colours drawings.
        """
        # Imported late: kept rulebooks need no reasons.
        from houserule.play.seat.reasons.endings import why_over

        wording = self.wording(language, players)
        drawn = boards_of(self.ruleset) if boards else []
        shown = Boards(drawn, wording, paint)
        return Narrator(wording, shown, viewer, why_over)
