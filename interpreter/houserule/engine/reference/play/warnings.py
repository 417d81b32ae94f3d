"""Table warnings: warnings and assertions about a table, before play."""

from __future__ import annotations

from collections.abc import Iterator

from houserule import ir
from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.engine.reference.play.engine import engine_of
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.play.setup import fresh
from houserule.engine.state.faults import RuleFault
from houserule.ir.types import (
    Data,
    Kind,
    Set,
)

MOST_NAMED = 12


@frozen
class TableWarning:
    """A warning that holds at a table.

    Attributes:
        address: its name. members: the members concerned, such as `1, 2 (2 of 83)`; ''
        for a plain condition. span: its place in the rules.
    """

    address: str
    members: str
    span: Span

    def told(self, caption: str) -> str:
        """Return the warning for players: a caption in their language, if it has one.

        Numbers are those of the rules; the text is for authors.
        """
        return caption or f"The rules warn of `{self.address}`"

    def text(self, caption: str) -> str:
        """Return the warning for authors, with its members."""
        said = self.told(caption)
        return f"{said}: {self.members}" if self.members else said


W301 = MessageCode("W301", "warning about this table")
"""The ruleset has a warning that players should read before they begin at this table.

**Why.** Some choices of options have effects that no player expects: a place that leads
nowhere, a share that does not divide evenly. The rules are sound, and you can play the
game this way.

**For example**

```text
warn dead_ends "From some squares a pawn can never come home":
  those n in 0..goal - 1 where lost(n)
```

**Fix.** Usually none is needed: play on, or choose other options.
`houserule check GAME` with `--set`, `--with`, `--preset` or `--players` shows the
warnings of another table.
"""


def before_play(program: ir.Program) -> Iterator[Diagnostic]:
    """Yield what is known to be wrong at a table before play: its warnings as W301.

    An assertion that does not hold, and a warning that has no value, are the faults
    that play would find.
    """
    try:
        hold_assertions(program)
        warnings = table_warnings(program)
    except RuleFault as error:
        yield rule_fault(error)
        return
    for each in warnings:
        yield fault(W301, each.text(program.clauses[each.address].caption), each.span)


def rule_fault(error: RuleFault) -> Diagnostic:
    """Return the diagnostic of a fault that play has found."""
    where = f" It happened in {error.address}." if error.address else ""
    span = error.span if error.span.line else None
    code = MessageCode(error.code, error.title)
    return fault(code, f"{error.message}{where}", span)


def table_warnings(program: ir.Program) -> tuple[TableWarning, ...]:
    """Return the warnings that hold at the program's table, by name.

    Raises:
        RuleFault: an expression has no value at this table, such as a division by 0.
    """
    if not program.warns:
        return ()
    machine = Machine(engine_of(program), 0, 0)
    return tuple(
        TableWarning(warning.address, _members(warning, machine), warning.span)
        for warning in program.warns
        if _value(warning.test, machine)
    )


def hold_assertions(program: ir.Program) -> None:
    """Work out what the rules assert of themselves; nothing where they assert nothing.

    Raises:
        RuleFault: an assertion fails at the program's table.
    """
    if program.asserts:
        fresh(program, 0)


def _value(node: ir.Expr, machine: Machine) -> Data:
    return machine.engine.pure(node)(machine, None, ())


def _members(warning: ir.Condition, machine: Machine) -> str:
    test = warning.test
    found = _value(test, machine)
    if not isinstance(test.type, Set) or not isinstance(found, tuple):
        return ""
    # Three and more numbers in a row become `4..9`.
    if isinstance(test.type.member, Kind):
        words = [
            machine.engine.program.labels[test.type.member.name][each] for each in found
        ]
    else:
        words = [
            word
            for run in _runs(found)
            for word in (
                [f"{run[0]}..{run[-1]}"]
                if len(run) > 2
                else [str(each) for each in run]
            )
        ]
    left = len(words) - MOST_NAMED
    named = ", ".join(words[:MOST_NAMED]) + (f" and {left} more" if left > 0 else "")
    if isinstance(test, ir.Pick) and test.where is not None:
        among = _value(test.bind.source, machine)
        if isinstance(among, tuple):
            named += f" ({len(found)} of {len(among)})"
    return named


def _runs(numbers: tuple[int, ...]) -> list[range]:
    """Return ascending numbers as ranges without a gap."""
    found: list[range] = []
    for each in numbers:
        if found and found[-1].stop == each:
            found[-1] = range(found[-1].start, each + 1)
        else:
            found.append(range(each, each + 1))
    return found
