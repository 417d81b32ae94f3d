"""Interchangeable rows: equal in all fields that the rules of a table read.

Rows differ by each field that the line names or that rules read, by each set of things
that rules name by their ids, and by each field that refers to them. If a phase iterates
over the things, or sets of them are keys, none are interchangeable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from houserule import ir
from houserule.base.diagnostics.diagnostic import Label, MessageCode
from houserule.base.diagnostics.wording import did_you_mean, listed
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.lower.messages import E010
from houserule.compiler.lower.symbols.symbol_table import SymbolTable
from houserule.ir.types import Data, Set, kind_of
from houserule.ir.walk import beneath, held
from houserule.language.syntax import tree

FACE = "face"


def with_alike_rows(symbols: SymbolTable, program: ir.Program) -> ir.Program:
    """Return the program with the classes of interchangeable rows."""
    rules = symbols.rules
    declared: dict[str, tree.Component | tree.DiceDecl] = {
        **rules.components,
        **rules.dice,
    }
    lines = {n: each.alike for n, each in declared.items() if each.alike is not None}
    if not lines:
        return program
    reads = _Reads.of(program)
    components = dict(program.components)
    for name, line in lines.items():
        classes = _Rows(symbols, program, reads, components[name], line).classes()
        components[name] = replace(components[name], alike=classes)
    return replace(program, components=components)


@frozen
class _Reads:
    """The fields and the named rows that a whole program reads."""

    fields: Mapping[tuple[str, str], Span]  # by kind and field, the first place
    named: frozenset[tuple[str, tuple[int, ...]]]  # by kind, the rows named together

    @classmethod
    def of(cls, program: ir.Program) -> _Reads:
        read: dict[tuple[str, str], Span] = {}
        named: set[tuple[str, tuple[int, ...]]] = set()
        for node in beneath(*held(program)):
            match node:
                case (
                    ir.ReadField(kind=kind, field=field)
                    | ir.ReadEntry(kind=kind, field=field)
                ):
                    read.setdefault((kind.name, field), node.span)
                case ir.Const(value=value, type=type_):
                    named_kind = kind_of(type_)
                    if named_kind is not None:
                        named.add((named_kind.name, _members(value)))
                case _:
                    pass
        for zone in program.zones.values():
            for field in zone.showing:
                read.setdefault((zone.member.name, field), zone.span)
        return cls(read, frozenset(named))


def _members(value: Data) -> tuple[int, ...]:
    if isinstance(value, tuple):
        return value
    return () if value is None else (int(value),)


E603 = MessageCode("E603", "components are distinguishable")
"""A line declares that things with some fields in common are interchangeable
(`are alike`), but the rules of the game distinguish them.

**Why.** Of interchangeable things, the game offers only one. If a rule reads a field
that the line does not name, one may be worth more than the other, although the line
says that it does not matter which is taken. Things are also not interchangeable if a
phase iterates over them one by one, or a state is kept for each set of them.

**For example**

```text
component Card from "components/cards.yaml"
  kind: Kind
  price: 0..9
  those with the same kind are alike

action sell(c in hand(me)) during selling
  does sell: coins(me) gains c.price
```

**Fix.** Name the field too: `those with the same kind and price are alike`. For dice,
name `face`. If no two things are alike then, let the rules not read the field, or leave
out the line. You need not name a field that only a house rule reads: while the house
rule is in use, it distinguishes the things.
"""


class _Rows:
    """The rows of one kind of things, and reasons why they are not interchangeable."""

    def __init__(
        self,
        symbols: SymbolTable,
        program: ir.Program,
        reads: _Reads,
        component: ir.ComponentDef,
        line: tree.AlikeLine,
    ) -> None:
        self._symbols, self._program, self._reads = symbols, program, reads
        self._component, self._line = component, line
        self._kind = component.kind
        # Report an unnamed field only if the game itself reads it. A field that only a
        # house rule reads distinguishes rows without an error.
        self._strict = not symbols.rules.table.variants

    def classes(self) -> tuple[int, ...]:
        """Return the class of each row; empty if no two are interchangeable."""
        keyed = self._component.keyed
        known = {
            **{field: column for field, (_, column) in self._component.fields.items()},
            **{field: each.rows for field, each in keyed.items()},
        }
        names = [*known, *([FACE] if self._component.faces else [])]
        for word in self._line.names:
            if word.text in names:
                continue
            name = self._kind.name
            there = listed(f"`{each}`" for each in names) or "no field at all"
            message = f"`{name}` has no field called `{word.text}`; it has {there}."
            hint = did_you_mean(word.text, names)
            self._symbols.report(E010, message, word.span, hint)
        # Reasons why all things of the kind differ, whatever their rows.
        against = [
            (f"The phase `{phase.name}` iterates over them one by one", phase.span)
            for phase in self._program.phases.values()
            if phase.source is not None and kind_of(phase.source.type) == self._kind
        ]
        against += (
            (f"`{state.name}` is kept for each set of `{self._kind.name}`", state.span)
            for state in self._program.states.values()
            for key in state.keys
            if isinstance(key.type, Set) and key.type.member == self._kind
        )
        if against:
            if self._strict:
                self._report(*against[0], ())
            return ()
        named = [each.text for each in self._line.names]
        unnamed = [
            (field, span)
            for (kind, field), span in self._reads.fields.items()
            if kind == self._kind.name and field in known and field not in named
        ]
        if self._component.faces and FACE not in named and self._strict:
            self._unnamed(FACE, self._line.span, ())
        columns = [known[field] for field in named if field in known]
        if self._strict:
            # Fields that rules read must not differ in rows called alike.
            for field, span in unnamed:
                column = known[field]
                first: dict[tuple[object, ...], int] = {}
                for row in range(self._kind.size):
                    other = first.setdefault(tuple(each[row] for each in columns), row)
                    if column[other] != column[row]:
                        both = zip(*columns, column, strict=True)
                        useless = len({*both}) == self._kind.size
                        self._unnamed(field, span, (other, row), useless=useless)
                        break
        columns += [known[field] for field, _ in unnamed]
        told = [*zip(*columns, strict=True)] or [()] * self._kind.size
        # Sets of rows that rules name by their ids, or fields that they read.
        marks = [
            set(members)
            for kind, members in sorted(self._reads.named)
            if kind == self._kind.name and 0 < len(members) < self._kind.size
        ]
        for name, field in sorted(self._reads.fields):
            component = self._program.components.get(name)
            if component is not None and field in component.fields:
                type_, column = component.fields[field]
                if kind_of(type_) == self._kind:
                    marks += map(set, map(_members, column))
            elif component is not None and field in component.keyed:
                each = component.keyed[field]
                if kind_of(each.type) == self._kind:
                    marks += (set(_members(e)) for row in each.rows for e in row)
        seen: dict[object, int] = {}
        found = tuple(
            seen.setdefault((told[row], *(row in mark for mark in marks)), len(seen))
            for row in range(self._kind.size)
        )
        return found if len(seen) < self._kind.size else ()

    def _unnamed(
        self, field: str, span: Span, rows: tuple[int, ...], *, useless: bool = False
    ) -> None:
        """Report a field that is not named; with `useless`, it leaves no two alike."""
        labels = self._component.labels
        pair = " and ".join(f"`{labels[row]}`" for row in rows)
        told = f"{pair} differ in it, and" if rows else "It tells dice apart, and"
        same = " and ".join((*(each.text for each in self._line.names), field))
        fixes = [f"those with the same {same} are alike"]
        if useless:
            fixes = [
                f"let the rules not read `{field}`",
                f"leave out this line: no two with the same {same} exist",
            ]
        self._report(
            f"`{field}` is missing here. {told} the rules read it", span, tuple(fixes)
        )

    def _report(self, message: str, span: Span, fixes: tuple[str, ...]) -> None:
        other = () if span == self._line.span else (Label(span, "it is read here"),)
        self._symbols.report(
            E603,
            f"{message}, so not all that this line calls alike is alike.",
            self._line.span,
            others=other,
            fixes=fixes,
        )
