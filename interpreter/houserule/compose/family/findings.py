"""What is wrong over all tables: each fault once, with the tables that have it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from houserule.compose.merge.messages import Where

if TYPE_CHECKING:
    from collections.abc import Callable

    from houserule.compose.tables.configurations import (
        Configurations,
        Names,
        Occurrence,
    )
    from houserule.compose.tables.formulas import Formula
    from houserule.diagnostics.diagnostic import Diagnostic

Builder: TypeAlias = "Callable[[Where | None, Names], Diagnostic | None]"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: its message, and the condition under which a table has it."""

    condition: Formula
    diagnostic: Diagnostic

    @property
    def code(self) -> str:
        """The code of the message."""
        return self.diagnostic.code


@dataclass(slots=True)
class Findings:
    """Collects faults; those that no valid table has are dropped."""

    tables: Configurations
    found: list[Finding] = field(default_factory=list)

    def add(
        self, condition: Formula, build: Builder, *, usual: Formula | None = None
    ) -> None:
        """Note a fault if some valid table has it.

        Args:
            condition: when a table has it.
            build: makes the message, from where it is and the smallest such table.
            usual: where all those tables together are no news, such as all in which
                the faulty line is there; the message then does not count them.
        """
        case = self.tables.case(condition)
        if case is None:
            return
        diagnostic = build(self._where(case, usual), case.smallest)
        if diagnostic is not None:
            self.found.append(Finding(condition, diagnostic))

    def _where(self, case: Occurrence, usual: Formula | None) -> Where | None:
        if case.tables == case.of:
            return None
        if usual is not None:
            all_of_them = self.tables.case(usual)
            if all_of_them is not None and all_of_them.tables == case.tables:
                return None
        seats = {case.seats} if case.seats else set()
        return Where(case.smallest | seats, case.tables, case.of)


def told(diagnostic: Diagnostic, where: Where | None) -> Diagnostic:
    """Return a message about one table as one about all: in which tables it is so."""
    details = where.details() if where else ()
    return replace(diagnostic, details=(*details, *diagnostic.details))


def plainly(diagnostic: Diagnostic) -> Builder:
    """Return a builder of a message that is the same in every table."""
    return lambda where, _: told(diagnostic, where)
