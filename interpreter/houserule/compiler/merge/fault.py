"""Conflicts as conditions: the tables that have them, and their messages.

A merge law reads all declarations and edits of one address, once. It yields a fault for
every small group of conflicting items: an edit without a target, two edits that
disagree. Each fault has the condition of the tables that have it. For one table the
conditions are evaluated; for all tables a proof counts the tables that satisfy them. So
each law is written once, and combinations are never enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from houserule.compiler.conditions.formulas import Formula, holds_in

if TYPE_CHECKING:
    from houserule.base.diagnostics.diagnostic import Diagnostic
    from houserule.base.source import Span
    from houserule.compiler.rules import Origin


class Party(Protocol):
    """One item that takes part in a conflict: its unit and place."""

    @property
    def origin(self) -> Origin:
        """Its unit."""

    @property
    def span(self) -> Span:
        """Its place."""


# Makes a message from the parties, and the variants of a table with the conflict.
Tell: TypeAlias = "Callable[[tuple[Party, ...], frozenset[str]], Diagnostic]"


@dataclass(frozen=True, eq=False, slots=True)
class Fault:
    """One conflict between items of a product line.

    Attributes:
        tell: makes the message from the parties of all faults with one key.
        key: faults with one key are one message at one table.
        behind: the key of a worse fault; tables with that one omit this one.
        usual: a condition that makes counting pointless, such as the presence of the
            wrong line; the message then does not count tables.
        disputed: the address of the clause on which units disagree, or ''.
        against: one more party, which `tell` knows.
    """

    when: Formula
    tell: Tell
    parties: tuple[Party, ...] = ()
    key: Hashable = None
    behind: Hashable = None
    usual: Formula | None = None
    disputed: str = ""
    against: tuple[Party, ...] = ()


def plainly(diagnostic: Diagnostic) -> Tell:
    """Return a maker of a message that is the same for all parties."""
    return lambda _parties, _table: diagnostic


def faults_at(faults: Iterable[Fault], variants: frozenset[str]) -> list[list[Fault]]:
    """Return the faults of one table, grouped by key."""
    groups: dict[Hashable, list[Fault]] = {}
    for fault in faults:
        if holds_in(fault.when, variants):
            groups.setdefault(fault.key or fault, []).append(fault)
    return [each for each in groups.values() if each[0].behind not in groups]
