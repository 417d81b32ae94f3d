"""Why a move is possible or not, and how a quantity comes to be what it is."""

from houserule.play.seat.reasons.move_labels import SaidMove as SaidMove
from houserule.play.seat.reasons.move_labels import SaidTaking as SaidTaking
from houserule.play.seat.reasons.quantity import why_value as why_value
from houserule.play.seat.reasons.why import why as why
