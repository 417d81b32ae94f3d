"""What a game is played by: a ruleset that was opened, a table chosen in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from houserule.diagnostics.render import RulesetError
from houserule.manifest.load import open_ruleset as open_folder
from houserule.narrate.boards.boards import Boards
from houserule.narrate.narrator import Narrator
from houserule.narrate.wording import Wording
from houserule.resources import find_ruleset, no_such_ruleset

if TYPE_CHECKING:
    from houserule.compose.rules import ChosenTable
    from houserule.ir import Program
    from houserule.manifest.ruleset import LoadedRuleset

Tell: TypeAlias = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class TableRules:
    """What a game is played by: a ruleset, a table that was chosen, its program."""

    ruleset: LoadedRuleset
    chosen: ChosenTable
    program: Program

    def narrator(
        self, language: str, players: Sequence[str] = (), *, boards: bool = True
    ) -> Narrator:
        """Return the narrator of a game in a language, with or without its boards."""
        texts = self.ruleset.texts.get(language, {})
        wording = Wording(self.program, texts, language, players)
        drawn = self.ruleset.manifest.boards if boards else []
        return Narrator(wording, Boards(drawn, wording))


def open_ruleset(name_or_path: str | Path) -> LoadedRuleset:
    """Return a ruleset as its files have it; warnings about them are for `check`.

    Raises:
        RulesetError: there is no such ruleset, or it cannot be read.
    """
    folder = find_ruleset(name_or_path)
    if folder is None:
        raise RulesetError((), message=no_such_ruleset(str(name_or_path)))
    return open_folder(folder)
