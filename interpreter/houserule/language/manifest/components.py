"""Component tables: rows of printed components, checked against declared fields.

This checks shape only; lowering checks whether a cell's value fits its field's type.
Some unit of the ruleset must declare each column; tables without that unit ignore it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import counted, did_you_mean
from houserule.base.source import Span
from houserule.language.manifest.appendix import LoadedAppendix
from houserule.language.manifest.folder import Folder
from houserule.language.manifest.kinds.kinds import PLACES
from houserule.language.manifest.messages import E011
from houserule.language.manifest.ruleset import Cell, LoadedRow
from houserule.language.manifest.ruleset_models import ComponentRow, ComponentTable
from houserule.language.manifest.yaml.document import Document
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk

Table: TypeAlias = tuple[Document, ComponentTable]
RESERVED = ("id", "status", "source", "attested", "note")


@dataclass
class _Declared:
    """The declarations of one kind of component in the rules files."""

    fields: dict[str, Span] = field(default_factory=dict)
    files: dict[str, Span] = field(default_factory=dict)


def load_tables(
    folder: Folder,
    units: tuple[tree.Unit, ...],
    appendices: Iterable[LoadedAppendix],
    *,
    whole: bool,
) -> dict[str, tuple[LoadedRow, ...]]:
    """Read every table that a rules file names; record errors in the folder.

    Args:
        appendices: those of the rules files; they may have tables too.
        whole: whether every rules file was read without error; if not, unknown
            columns are accepted.
    """
    declared: dict[str, _Declared] = defaultdict(_Declared)
    for unit in units:
        for node in walk(unit):
            match node:
                case tree.Component(name=name, rows=rows, fields=fields):
                    _add(declared[name.text], rows, fields)
                case tree.ExtendFields(target=target, fields=fields):
                    _add(declared[target.text], None, fields)
                case tree.ExtendRows(target=target, rows=rows):
                    _add(declared[target.text], rows, ())
                case _:
                    pass
    columns: dict[str, list[str]] = defaultdict(list)
    for kind in declared.values() if whole else ():
        for file in kind.files:
            columns[file].extend(kind.fields)
    # The tables in appendices, by the names that rules give them.
    below: dict[str, Table] = {}
    for each in appendices:
        for file, table in each.said.components.items() if each.said else ():
            if file in below or file in folder.files(PLACES["components"]):
                message = f"the table `{file}` already exists"
                span = each.document.key_span("components", file)
                folder.faults.append(fault(E011, message, span))
                continue
            below[file] = (each.document.inside("components", file), table)
    tables: dict[str, tuple[LoadedRow, ...]] = {}
    for kind in declared.values():
        for column, span in kind.fields.items():
            if column in RESERVED:
                message = (
                    f"a field cannot be called `{column}`: "
                    "tables use the word themselves"
                )
                folder.faults.append(fault(E034, message, span))
        for file, span in kind.files.items():
            if file in tables:
                continue
            found = below.get(file)
            if found is None and (
                file in folder.sources or file in folder.files(PLACES["components"])
            ):
                read = folder.read_model(file, ComponentTable, span)
                found = None if read is None else (read[1], read[0])
            elif found is None:
                folder.missing(file, span)
            if found is not None:
                own = file in below
                faults = _check_table(*found, columns.get(file), own=own)
                folder.faults.extend(faults)
            tables[file] = tuple(_rows(*found)) if found else ()
    for kind in declared.values():
        seen: dict[str, Span] = {}
        for row in (row for file in kind.files for row in tables[file]):
            if row.id in seen:
                first = Label(seen[row.id], "first here")
                message = f"there are two rows called `{row.id}`"
                folder.faults.append(fault(E034, message, row.span, others=(first,)))
            seen.setdefault(row.id, row.span)
    return tables


def _add(
    declared: _Declared, rows: tree.Text | None, fields: tuple[tree.Field, ...]
) -> None:
    if rows is not None:
        declared.files.setdefault(rows.text, rows.span)
    for each in fields:
        declared.fields.setdefault(each.name.text, each.name.span)


E034 = MessageCode("E034", "row without a source")
"""A row of a table does not name its source, or names a source that does not exist.

**Why.** A row is either attested by a source or reconstructed. Readers must be able to
tell the printed game from a guess.

**For example**

```text
- {id: six, income: 6, source: rulebook}      # no such source in `sources:`
```

**Fix.** Give the row (or the whole table) a `status`, and name its source under
`sources:`.
"""


def _rows(document: Document, table: ComponentTable) -> Iterator[LoadedRow]:
    for number, row in enumerate(table.rows):
        cells = {
            column: Cell(
                list(value) if isinstance(value, list) else value,
                document.span("rows", number, column),
            )
            for column, value in row.columns.items()
        }
        yield LoadedRow(
            row.id,
            cells,
            row.status or table.status or "reconstructed",
            document.span("rows", number, "id"),
            row.source or "",
            tuple(row.attested or ()),
            row.note or "",
        )


def _check_table(
    document: Document, table: ComponentTable, fields: list[str] | None, *, own: bool
) -> Iterator[Diagnostic]:
    """Check the rows of a table; rows in an appendix need no status."""
    if not own:
        # Each row needs a status, its own or its table's. Report missing ones once.
        silent = [n for n, row in enumerate(table.rows) if row.status is None]
        if table.status is None and silent:
            if len(silent) == len(table.rows):
                named, place = "these rows are", document.key_span("rows")
            else:
                named = f"`{table.rows[silent[0]].id}`"
                if silent[1:]:
                    named += f" and {counted(len(silent) - 1, 'more row')}"
                named += " is"
                place = document.span("rows", silent[0], "id")
            yield fault(
                E034,
                f"no field states whether {named} attested or reconstructed",
                place,
                details=(
                    "Say for the whole table, above `rows:`, what most of them are:",
                ),
                fixes=("status: attested", "status: reconstructed"),
            )
    for number, row in enumerate(table.rows):
        yield from _check_attested(document, table, number, row)
        if fields is not None:
            for column in row.columns:
                if column not in fields:
                    yield fault(
                        E034,
                        f"no rules file declares a field `{column}` for these rows",
                        document.key_span("rows", number, column),
                        did_you_mean(column, [*fields, *RESERVED]),
                    )


def _check_attested(
    document: Document, table: ComponentTable, number: int, row: ComponentRow
) -> Iterator[Diagnostic]:
    """Check that an attested row names its source, and only cells it has."""
    status = row.status or table.status
    span = document.span("rows", number, "id")
    if status == "reconstructed" and (row.source or row.attested):
        yield fault(E034, f"`{row.id}` is reconstructed, so nothing attests it", span)
    if status == "attested" and table.sources and row.source is None:
        yield fault(E034, f"`{row.id}` is attested, but by which source?", span)
    if row.source is not None and row.source not in table.sources:
        yield fault(
            E034,
            f"this table names no source `{row.source}`",
            document.span("rows", number, "source"),
            did_you_mean(row.source, table.sources),
        )
    for place, column in enumerate(row.attested or ()):
        if column not in row.columns:
            yield fault(
                E034,
                f"`{row.id}` has no cell `{column}`",
                document.span("rows", number, "attested", place),
                did_you_mean(column, row.columns),
            )
