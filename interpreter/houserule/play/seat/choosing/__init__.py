"""A choice built step by step, with words for every step and option.

In: a game at a decision, and the words of a language. `Chooser` gives the next step for
a path of keys; a complete path is a choice of the engine.
"""

from houserule.play.seat.choosing.chooser import Chooser as Chooser
from houserule.play.seat.choosing.keys import NoSuchChoice as NoSuchChoice
