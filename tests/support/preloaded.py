"""Whoever imports this has all that `check` needs: its modules, and the grammar.

The server of forks does (`attacks`), so not each of its processes reads the grammar.
"""

from __future__ import annotations

import gc

from houserule.authoring.check.check import check_game
from houserule.base.resources import shipped_rulesets
from houserule.base.source import Source
from houserule.language.syntax.read.parser import parse_afresh

PIG = shipped_rulesets()["pig"]

parse_afresh(Source("game.rules", (PIG / "game.rules").read_text("utf-8")))
check_game(PIG)
gc.collect()
gc.freeze()  # no process looks for garbage in what all of them have
