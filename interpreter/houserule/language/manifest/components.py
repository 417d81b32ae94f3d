"""Component tables: rows of printed components, checked against declared fields.

This checks shape only; lowering checks whether a cell's value fits its field's type.
Some unit of the ruleset must declare each column; tables without that unit ignore it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import counted, did_you_mean
from houserule.base.source import Span
from houserule.language.manifest.appendix import LoadedAppendix
from houserule.language.manifest.folder import Folder
from houserule.language.manifest.kinds.kinds import PLACES
from houserule.language.manifest.messages import E011
from houserule.language.manifest.ruleset import Cell, LoadedRow, Plain
from houserule.language.manifest.ruleset_models import (
    ComponentRow,
    ComponentTable,
    Entry,
)
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
        folder: where the tables are.
        units: the rules files.
        appendices: those of the rules files; they may have tables too.
        whole: whether every rules file was read without error; if not, unknown
            columns are accepted.
    """
    declared = _declared(units)
    fields = _fields_by_file(declared) if whole else {}
    below = _own_tables(folder, appendices)
    tables: dict[str, tuple[LoadedRow, ...]] = {}
    for each in declared.values():
        folder.faults.extend(_reserved_fields(each.fields))
        for file, span in each.files.items():
            if file not in tables:
                found = below.get(file) or _table_file(folder, file, span)
                if found is not None:
                    own = file in below
                    faults = _check_table(*found, fields.get(file), own=own)
                    folder.faults.extend(faults)
                tables[file] = tuple(_rows(*found)) if found else ()
    for each in declared.values():
        rows = [tables[file] for file in each.files]
        folder.faults.extend(_repeated_ids(rows))
    return tables


def _declared(units: tuple[tree.Unit, ...]) -> dict[str, _Declared]:
    found: dict[str, _Declared] = defaultdict(_Declared)
    for unit in units:
        for node in walk(unit):
            match node:
                case tree.Component(name=name, rows=rows, fields=fields):
                    _add(found[name.text], rows, fields)
                case tree.ExtendFields(target=target, fields=fields):
                    _add(found[target.text], None, fields)
                case tree.ExtendRows(target=target, rows=rows):
                    _add(found[target.text], rows, ())
                case _:
                    pass
    return found


def _add(
    declared: _Declared, rows: tree.Text | None, fields: tuple[tree.Field, ...]
) -> None:
    if rows is not None:
        declared.files.setdefault(rows.text, rows.span)
    for each in fields:
        declared.fields.setdefault(each.name.text, each.name.span)


def _fields_by_file(declared: Mapping[str, _Declared]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for each in declared.values():
        for file in each.files:
            found[file].extend(each.fields)
    return found


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


def _reserved_fields(fields: Mapping[str, Span]) -> Iterator[Diagnostic]:
    for name, span in fields.items():
        if name in RESERVED:
            yield fault(
                E034,
                f"a field cannot be called `{name}`: tables use the word themselves",
                span,
            )


def _own_tables(
    folder: Folder, appendices: Iterable[LoadedAppendix]
) -> dict[str, Table]:
    """Return the tables in appendices, by the names that rules give them."""
    found: dict[str, Table] = {}
    for each in appendices:
        for name, table in each.said.components.items() if each.said else ():
            document = each.document.inside("components", name)
            if name in found or name in folder.files(PLACES["components"]):
                message = f"there is a table `{name}` already"
                span = each.document.key_span("components", name)
                folder.faults.append(fault(E011, message, span))
                continue
            found[name] = (document, table)
    return found


def _table_file(folder: Folder, file: str, wanted_at: Span) -> Table | None:
    known = file in folder.sources or file in folder.files(PLACES["components"])
    if not known:
        folder.missing(file, wanted_at)
        return None
    read = folder.read_model(file, ComponentTable, wanted_at)
    return None if read is None else (read[1], read[0])


def _rows(document: Document, table: ComponentTable) -> Iterator[LoadedRow]:
    for number, row in enumerate(table.rows):
        cells = {
            column: Cell(_plain(value), document.span("rows", number, column))
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


def _plain(entry: Entry) -> Plain:
    return list(entry) if isinstance(entry, list) else entry


def _check_table(
    document: Document, table: ComponentTable, fields: list[str] | None, *, own: bool
) -> Iterator[Diagnostic]:
    """Check the rows of a table; rows in an appendix need no status."""
    if not own:
        yield from _check_status(document, table)
    for number, row in enumerate(table.rows):
        yield from _check_attested(document, table, number, row)
        if fields is not None:
            yield from _check_columns(document, number, row, fields)


def _check_status(document: Document, table: ComponentTable) -> Iterator[Diagnostic]:
    """Check that all rows have a status; report missing ones once."""
    silent = [n for n, row in enumerate(table.rows) if row.status is None]
    if table.status is not None or not silent:
        return
    if len(silent) == len(table.rows):
        message = "nothing says whether these rows are attested or reconstructed"
        place = document.key_span("rows")
    else:
        first = table.rows[silent[0]].id
        more = f" and {counted(len(silent) - 1, 'more row')}" if silent[1:] else ""
        message = f"nothing says whether `{first}`{more} is attested or reconstructed"
        place = document.span("rows", silent[0], "id")
    yield fault(
        E034,
        message,
        place,
        details=("Say for the whole table, above `rows:`, what most of them are:",),
        fixes=("status: attested", "status: reconstructed"),
    )


def _check_columns(
    document: Document, number: int, row: ComponentRow, fields: list[str]
) -> Iterator[Diagnostic]:
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


def _repeated_ids(tables: list[tuple[LoadedRow, ...]]) -> Iterator[Diagnostic]:
    seen: dict[str, Span] = {}
    for row in (row for table in tables for row in table):
        if row.id in seen:
            first = Label(seen[row.id], "first here")
            message = f"there are two rows called `{row.id}`"
            yield fault(E034, message, row.span, others=(first,))
        seen.setdefault(row.id, row.span)
