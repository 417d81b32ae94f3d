"""Faults of composition, as conditions: which tables have them, and how to say so.

A merge law looks at all that a family says of one address, once, and yields a fault for
every small group of items that do not go together: an edit that hits nothing, two
edits that disagree. Each fault carries the condition under which a table has it. For
one table the conditions are evaluated; the proof of all tables counts the tables that
fulfil them. So a law is written once, and no combination is ever enumerated.
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
    """One of the items that meet in a fault: whose it is, and where it speaks."""

    @property
    def origin(self) -> Origin:
        """The unit that says it."""

    @property
    def span(self) -> Span:
        """The place of what it says."""


# Makes a message from who takes part, and the variants of a table with the fault.
Tell: TypeAlias = "Callable[[tuple[Party, ...], frozenset[str]], Diagnostic]"


@dataclass(frozen=True, eq=False, slots=True)
class Fault:
    """One way in which items of a family do not go together.

    Attributes:
        when: which tables have it.
        tell: makes the message; the parties are those of all faults of one key.
        parties: who takes part.
        key: faults of one key are one message at one table.
        behind: the key of a worse fault; at a table that has that one, this one is
            left out.
        usual: where a table that has it is no news, such as wherever the faulty line
            is there; the message then does not count tables.
        disputed: the address of the clause on which units disagree, or ''.
        against: one more who takes part, and whom `tell` knows.
    """

    when: Formula
    tell: Tell
    parties: tuple[Party, ...] = ()
    key: Hashable = None
    behind: Hashable = None
    usual: Formula | None = None
    disputed: str = ""
    against: tuple[Party, ...] = ()

    def message_at(self, table: frozenset[str]) -> Diagnostic:
        """Return the message about this fault alone, for a table that has it."""
        return self.tell(self.parties, table)


def plainly(diagnostic: Diagnostic) -> Tell:
    """Return a maker of a message that is the same for all parties."""
    return lambda _parties, _table: diagnostic


def when_told(make: Callable[[], Diagnostic]) -> Tell:
    """Return a maker of such a message that takes time, as one that names what is near.

    Of most faults that are possible no table is told.
    """
    return lambda _parties, _table: make()


def faults_at(faults: Iterable[Fault], variants: frozenset[str]) -> list[list[Fault]]:
    """Return the faults of one table, those of one key together."""
    groups: dict[Hashable, list[Fault]] = {}
    for fault in faults:
        if holds_in(fault.when, variants):
            groups.setdefault(fault.key or fault, []).append(fault)
    return [each for each in groups.values() if each[0].behind not in groups]


def joint_message(faults: list[Fault], table: frozenset[str]) -> Diagnostic:
    """Return the one message about faults of one key."""
    parties = dict.fromkeys(party for fault in faults for party in fault.parties)
    return faults[0].tell(tuple(parties), table)
