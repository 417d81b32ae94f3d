"""Step-by-step choices, with a label for every step and option.

Given a game at a decision and a language, `Chooser` returns the next step for a path of
keys; a complete path is a choice of the engine.
"""

from houserule.play.seat.choosing.chooser import Chooser as Chooser
from houserule.play.seat.choosing.chooser import Touched as Touched
from houserule.play.seat.choosing.keys import NoSuchChoice as NoSuchChoice
