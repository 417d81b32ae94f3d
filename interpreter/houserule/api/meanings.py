"""What a message's code means, and what a clause says as a table plays it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.diagnostics.codes import TITLES, title_of
from houserule.diagnostics.wording import nearest, nearest_few
from houserule.resources import page_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.ir import Program
    from houserule.manifest.ruleset import LoadedRuleset


@dataclass(frozen=True, slots=True)
class CodeMeaning:
    """What the code of a message means; as text it is its page.

    Attributes:
        code: such as "E201".
        title: the code in a few words.
        page: the whole explanation, in Markdown.

    Example:
        >>> houserule.explain("E201").title
        'two variants, one rule'
    """

    code: str
    title: str
    page: str

    def __str__(self) -> str:
        return self.page.rstrip()


def explain(code: str) -> CodeMeaning:
    """Return what the code of a message means.

    Args:
        code: such as "E201", in any case; `codes` lists them.

    Raises:
        LookupError: there is no such code; the message names the nearest.
        FileNotFoundError: the package was installed without its pages.

    Example:
        >>> print(str(houserule.explain("w301")).splitlines()[0])
        # W301: the rules warn of this table
    """
    page = page_of(code.upper())
    if page is None:
        near = nearest(code.upper(), TITLES, cutoff=0.5)
        hint = f" Did you mean {near}?" if near else ""
        raise LookupError(f"There is no code {code.upper()}.{hint}")
    return CodeMeaning(code.upper(), title_of(code.upper()), page)


def codes() -> dict[str, str]:
    """Return the title of every code of messages, by code.

    Example:
        >>> houserule.codes()["F08"]
        'divided by zero'
    """
    return dict(TITLES)


@dataclass(frozen=True, slots=True)
class ClauseMeaning:
    """A clause as the rules of a table have it; as text it is what `explain` prints.

    Attributes:
        address: its name, such as "throw.short".
        kind: the kind of clause, such as "needs".
        caption: what it says to people; '' if it says nothing.
        text: the condition or statement as written.
        origin: the unit it comes from; '' is the base game.
        changed_by: the units that changed it.
        cites: where it is printed.
        rulings: what the ruleset decided where nothing is printed.
        file: the file that it stands in. line: its line there, from 1.
        layers: of a value, a line for each contribution, in the order in which they
            apply; and for each layer to which nothing contributes at this table.

    Example:
        >>> clause = houserule.load("pig").table().explain("hold.something")
        >>> clause.kind, clause.caption, clause.text
        ('needs', 'Points must lie in the pot', 'pot at least 1')
    """

    address: str
    kind: str
    caption: str
    text: str
    origin: str
    changed_by: tuple[str, ...]
    cites: tuple[str, ...]
    rulings: tuple[str, ...]
    file: str
    line: int
    layers: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.address}   ({self.kind}, {self.file}:{self.line})"]
        if self.caption:
            lines.append(f"  {self.caption}")
        if self.text:
            lines += ["", *(f"    {line}" for line in self.text.split("\n")), ""]
        lines += [f"  layer {layer}" for layer in self.layers]
        lines.append(f"  from: {self.origin or 'the base game'}")
        if self.changed_by:
            lines.append(f"  changed by: {', '.join(self.changed_by)}")
        lines += [f"  printed in: {cite}" for cite in self.cites]
        lines += [f"  ruling: {ruling}" for ruling in self.rulings]
        return "\n".join(lines)


class NoClauseError(LookupError):
    """There is no clause of an address at this table.

    Attributes:
        address: what was asked for.
        near: addresses that are spelt alike, the nearest first.

    Example:
        >>> try:
        ...     houserule.load("pig").table().explain("throw.shrt")
        ... except houserule.NoClauseError as error:
        ...     error.near[0]
        'throw.short'
    """

    def __init__(self, address: str, near: tuple[str, ...]) -> None:
        self.address, self.near = address, near
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        super().__init__(f"There is no clause `{address}` at this table.{hint}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.address, self.near)


def explain_clause(
    address: str, program: Program, ruleset: LoadedRuleset
) -> ClauseMeaning:
    """Return what a clause of a program means.

    Raises:
        NoClauseError: there is none of this address.
    """
    clause = program.clauses.get(address)
    if clause is None:
        raise NoClauseError(address, tuple(nearest_few(address, program.clauses)))
    return ClauseMeaning(
        address=clause.address,
        kind=clause.kind,
        caption=clause.caption,
        text=clause.text,
        origin=clause.origin,
        changed_by=tuple(clause.changed_by),
        cites=tuple(clause.cites),
        rulings=tuple(_ruling(name, ruleset) for name in clause.rulings),
        file=clause.span.file,
        line=clause.span.line,
        layers=tuple(_layers(address, program)),
    )


def _layers(address: str, program: Program) -> Iterator[str]:
    """Yield what is done to a value after its definition, in order."""
    value = program.values.get(address)
    for layer in value.layers if value else ():
        if not layer.adjusts:
            yield f"{layer.name}: {layer.op} nothing at this table"
        for name, _ in layer.adjusts:
            clause = program.clauses[name]
            amount = " / ".join(clause.text.split("\n"))
            unit = clause.origin or "the base game"
            yield f"{layer.name}: {layer.op} {amount} ({name}, from {unit})"


def _ruling(name: str, ruleset: LoadedRuleset) -> str:
    ruling = ruleset.rulings.get(name)
    if ruling is None:
        return name
    return f"{name}: {ruling.says.get('en') or next(iter(ruling.says.values()), '')}"
