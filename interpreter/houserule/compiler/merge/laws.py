"""The list of merge laws; each is a module that yields the faults of a product line.

To add a law, add a module with a function `faults`, and a line here.
"""

from __future__ import annotations

from houserule.compiler.merge import (
    bridges,
    changes,
    declarations,
    lifts,
    order,
    removals,
    resolve,
    rows,
    seals,
)
from houserule.compiler.merge.fault import Fault
from houserule.compiler.merge.resolve import resolution_of
from houserule.language.manifest.ruleset import LoadedRuleset

LAWS = (
    bridges.faults,
    seals.faults,
    resolve.faults,
    declarations.faults,
    order.faults,
    removals.faults,
    changes.faults,
    lifts.faults,
    rows.faults,
)


def faults_of(ruleset: LoadedRuleset) -> tuple[Fault, ...]:
    """Return every fault that some table of a ruleset may have.

    Orders of steps and layers, and defaults of options, can involve more than two
    lines: see `ordering_conflicts`.
    """
    resolution = resolution_of(ruleset)
    return tuple(fault for law in LAWS for fault in law(resolution))
