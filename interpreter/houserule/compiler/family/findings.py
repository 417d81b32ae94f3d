"""Findings over all tables: each error once, with its tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.frozen import frozen, slotted

if TYPE_CHECKING:
    from houserule.base.diagnostics.diagnostic import Diagnostic
    from houserule.compiler.choices.configurations import Configurations, Names
    from houserule.compiler.conditions.formulas import Formula

# Makes the message from the smallest table with the error; None if it has none.
Builder: TypeAlias = "Callable[[Names], Diagnostic | None]"


@frozen
class Where:
    """The tables with a problem: the smallest one, their number, and the total."""

    smallest: frozenset[str]
    tables: int
    of: int

    def details(self) -> tuple[str, ...]:
        """Return the explaining sentences."""
        names = " + ".join(sorted(self.smallest)) or "the base game"
        said = f"Smallest table with this problem: {names}"
        return (f"{said}\nIt happens in {self.tables:,} of {self.of:,} valid tables.",)


@frozen
class Finding:
    """An error: its message, and the condition of the tables that have it."""

    condition: Formula
    diagnostic: Diagnostic

    @property
    def code(self) -> str:
        return self.diagnostic.code


@slotted
class Findings:
    """Collects errors, except those that no valid table has."""

    tables: Configurations
    found: list[Finding] = field(default_factory=list)

    def add(
        self, condition: Formula, build: Builder, *, usual: Formula | None = None
    ) -> None:
        """Add an error if some valid table has it.

        Args:
            usual: a condition that makes counting pointless, such as the presence of
                the wrong line; if all those tables have the error, the message does not
                count them.
        """
        case = self.tables.case(condition)
        if case is None:
            return
        diagnostic = build(case.smallest)
        if diagnostic is not None:
            counted = case.tables < case.of
            if counted and usual is not None:
                all_of_them = self.tables.case(usual)
                counted = all_of_them is None or all_of_them.tables != case.tables
            details = diagnostic.details
            if counted:
                smallest = case.smallest | ({case.seats} if case.seats else set())
                details = Where(smallest, case.tables, case.of).details() + details
            self.found.append(Finding(condition, replace(diagnostic, details=details)))
