"""Why a move is possible or not, and how a quantity comes to be what it is."""

from houserule.seat.reasons.quantity import why_value
from houserule.seat.reasons.said import SaidMove, SaidTaking
from houserule.seat.reasons.why import why

__all__ = ["SaidMove", "SaidTaking", "why", "why_value"]
