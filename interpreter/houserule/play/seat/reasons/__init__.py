"""Explanations: why a move is legal or not, and how a quantity gets its value."""

from houserule.play.seat.reasons.move_labels import SaidMove as SaidMove
from houserule.play.seat.reasons.move_labels import SaidTaking as SaidTaking
from houserule.play.seat.reasons.quantity import why_value as why_value
from houserule.play.seat.reasons.why import why as why
