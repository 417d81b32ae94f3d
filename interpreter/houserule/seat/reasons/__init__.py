"""Why a move is possible or not, and how a quantity comes to be what it is."""

from houserule.seat.reasons.quantity import why_value as why_value
from houserule.seat.reasons.said import SaidMove as SaidMove
from houserule.seat.reasons.said import SaidTaking as SaidTaking
from houserule.seat.reasons.why import why as why
