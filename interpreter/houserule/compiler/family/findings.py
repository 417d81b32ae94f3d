"""What is wrong over all tables: each fault once, with the tables that have it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.frozen import frozen, slotted

if TYPE_CHECKING:
    from houserule.base.diagnostics.diagnostic import Diagnostic
    from houserule.compiler.choices.configurations import (
        Configurations,
        Names,
        Occurrence,
    )
    from houserule.compiler.conditions.formulas import Formula
    from houserule.compiler.merge.fault import Fault

# Makes the message from the smallest table with the fault; None if that has none.
Builder: TypeAlias = "Callable[[Names], Diagnostic | None]"


@frozen
class Where:
    """In which tables a problem shows: the smallest one, and how many of how many."""

    smallest: frozenset[str]
    tables: int
    of: int

    def details(self) -> tuple[str, ...]:
        """Return the sentences that say so."""
        names = " + ".join(sorted(self.smallest)) or "the base game"
        said = f"Smallest table with this problem: {names}"
        return (f"{said}\nIt happens in {self.tables:,} of {self.of:,} valid tables.",)


@frozen
class Finding:
    """One fault: its message, and the condition under which a table has it."""

    condition: Formula
    diagnostic: Diagnostic

    @property
    def code(self) -> str:
        """The code of the message."""
        return self.diagnostic.code


@slotted
class Findings:
    """Collects faults; those that no valid table has are dropped."""

    tables: Configurations
    found: list[Finding] = field(default_factory=list)

    def add_fault(self, fault: Fault) -> None:
        """Note a fault of a merge law."""
        self.add(fault.when, fault.message_at, usual=fault.usual)

    def add(
        self, condition: Formula, build: Builder, *, usual: Formula | None = None
    ) -> None:
        """Note a fault if some valid table has it.

        Args:
            condition: when a table has it.
            build: makes the message.
            usual: where all those tables together are no news, such as all in which
                the faulty line is there; the message then does not count them.
        """
        case = self.tables.case(condition)
        if case is None:
            return
        diagnostic = build(case.smallest)
        if diagnostic is not None:
            where = self._where(case, usual)
            details = (*(where.details() if where else ()), *diagnostic.details)
            self.found.append(Finding(condition, replace(diagnostic, details=details)))

    def _where(self, case: Occurrence, usual: Formula | None) -> Where | None:
        if case.tables == case.of:
            return None
        if usual is not None:
            all_of_them = self.tables.case(usual)
            if all_of_them is not None and all_of_them.tables == case.tables:
                return None
        seats = {case.seats} if case.seats else set()
        return Where(case.smallest | seats, case.tables, case.of)
