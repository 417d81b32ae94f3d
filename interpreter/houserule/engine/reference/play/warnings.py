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
from houserule.ir.types import Data, Kind, Set

MOST_NAMED = 12


@frozen
class TableWarning:
    """A warning that holds at a table.

    Attributes:
        address: its name.
        members: the members concerned, such as `1, 2 (2 of 83)`; '' for a plain
            condition.
        span: its place in the rules.
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
    """Yield the problems of a table that are known before play, as W301.

    An assertion that does not hold, and a warning that has no value, are the faults
    that play would find.
    """
    try:
        if program.asserts:
            fresh(program, 0)
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

    def value(node: ir.Expr) -> Data:
        return machine.engine.pure(node)(machine, None, ())

    warnings: list[TableWarning] = []
    for warning in program.warns:
        test, found, named = warning.test, value(warning.test), ""
        if not found:
            continue
        if isinstance(test.type, Set) and isinstance(found, tuple):
            if isinstance(test.type.member, Kind):
                labels = program.labels[test.type.member.name]
                words = [labels[each] for each in found]
            else:  # three and more numbers in a row become `4..9`
                runs: list[range] = []
                for each in found:
                    if runs and runs[-1].stop == each:
                        runs[-1] = range(runs[-1].start, each + 1)
                    else:
                        runs.append(range(each, each + 1))
                words = []
                for run in runs:
                    long = len(run) > 2
                    words += [f"{run[0]}..{run[-1]}"] if long else map(str, run)
            left = len(words) - MOST_NAMED
            named = ", ".join(words[:MOST_NAMED])
            named += f" and {left} more" if left > 0 else ""
            if isinstance(test, ir.Pick) and test.where is not None:
                among = value(test.bind.source)
                if isinstance(among, tuple):
                    named += f" ({len(found)} of {len(among)})"
        warnings.append(TableWarning(warning.address, named, warning.span))
    return tuple(warnings)
