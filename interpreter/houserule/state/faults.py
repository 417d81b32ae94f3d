"""Faults of rules that only play can find: a place in the rules, never a traceback."""

from __future__ import annotations

from typing import Literal, TypeAlias

from houserule.source import NOWHERE, Span

FaultCode: TypeAlias = Literal[
    "F01",  # a value left its range
    "F02",  # a piece is not where it is taken from, or too few are there
    "F03",  # there is none where a value is wanted
    "F04",  # a zone is full
    "F05",  # an invariant is broken
    "F06",  # no seat acts
    "F07",  # reactions exceed their bound
    "F08",  # a division by zero
    "F09",  # a face that the die does not have
    "F10",  # a phase is to begin again or to end that is not under way
    "F11",  # more work, steps or options than a ceiling allows
]


class RuleFault(Exception):
    """The rules did what no rules may do; the state is not to be used any more.

    Attributes:
        code: which fault, "F01" to "F11".
        message: one sentence for people.
        span: where in the rules, `NOWHERE` until a caller that knows adds it.
        address: the clause that ran, '' until a caller that knows adds it.

    Example:
        >>> fault = houserule.RuleFault("F08", "Nothing can be divided by 0.")
        >>> fault.code, fault.message
        ('F08', 'Nothing can be divided by 0.')
    """

    def __init__(
        self, code: FaultCode, message: str, span: Span = NOWHERE, address: str = ""
    ) -> None:
        self.code, self.message = code, message
        self.span, self.address = span, address
        super().__init__(f"{code}: {message}")

    @property
    def told(self) -> str:
        """What happened and where, as a sentence that stands by itself."""
        place = str(self.span) if self.span.line else ""
        at = ", ".join(filter(None, (self.address, place)))
        where = f" at {at}" if at else ""
        return f"A fault of the rules{where}: {self.code}, {self.message}"

    def located(self, span: Span, address: str = "") -> RuleFault:
        """Fill in the span and address where they are not known yet; return self."""
        if self.span == NOWHERE:
            self.span = span
        if not self.address:
            self.address = address
        return self
