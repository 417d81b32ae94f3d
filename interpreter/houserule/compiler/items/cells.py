"""Table cells as declarations, if some edit names them.

Cells are in tables, not in rules files, and they are many. So only the cells that an
edit names are declared, by the owner of the row: `Card.guard.rank`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from houserule.base.source import NOWHERE, Span
from houserule.language.manifest.ruleset import Cell, LoadedRow, LoadedRuleset, Plain
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import plain_value

Tables: TypeAlias = "Mapping[str, tuple[LoadedRow, ...]]"
Columns: TypeAlias = dict[tuple[str, str], tree.Type]


def cells_named(
    ruleset: LoadedRuleset, items: Iterable[tree.Item]
) -> dict[tuple[str, str], tuple[tree.TableCell, ...]]:
    """Return the cells that edits name, by component and file of the row."""
    every = tuple(items)
    columns = columns_of(every)
    wanted: dict[str, tuple[str, ...]] = {}
    for item in every:
        target = getattr(item, "target", None)
        if isinstance(target, tree.Word) and len(target.parts) == len(ADDRESS):
            wanted[target.text] = target.parts
    found: dict[tuple[str, str], tuple[tree.TableCell, ...]] = {}
    for component, path in _files(every) if wanted else ():
        rows = {row.id: row for row in ruleset.tables.get(path, ())}
        cells: list[tree.TableCell] = []
        for address, (of, row, column) in wanted.items():
            if of != component or row not in rows or (of, column) not in columns:
                continue
            cell = rows[row].cells.get(column)
            span = rows[row].span if cell is None else cell.span
            value = _expression(None if cell is None else cell.value, span)
            if isinstance(columns[of, column], tree.SetType | tree.PartType):
                match value:
                    case tree.NoneValue():  # an empty cell is an empty set here
                        value = tree.SetOf((), span=span)
                    case tree.SetOf():
                        pass
                    case one:
                        value = tree.SetOf((one,), span=span)
            word = tree.Word(address, span=span)
            cells.append(tree.TableCell(word, value, span=span))
        found[component, path] = tuple(cells)
    return found


ADDRESS = ("component", "row", "column")


def columns_of(items: Iterable[tree.Item]) -> Columns:
    """Return all declared fields, with their types."""
    columns: Columns = {}
    for item in items:
        match item:
            case tree.Component(name=name, fields=fields):
                pass
            case tree.ExtendFields(target=name, fields=fields):
                pass
            case _:
                continue
        columns.update(((name.text, f.name.text), f.type) for f in fields)
    return columns


def _files(items: Iterable[tree.Item]) -> Iterator[tuple[str, str]]:
    for item in items:
        named = rows_in(item)
        if named is not None:
            yield named


def every_cell(ruleset: LoadedRuleset, items: Iterable[tree.Item]) -> Iterator[str]:
    """Yield the addresses of all cells of all rows."""
    every = tuple(items)
    columns = columns_of(every)
    for component, path in _files(every):
        for row in ruleset.tables.get(path, ()):
            named = (column for of, column in columns if of == component)
            yield from (f"{component}.{row.id}.{column}" for column in named)


def rows_in(item: tree.Item) -> tuple[str, str] | None:
    """Return the component to which an item adds rows, and their file."""
    match item:
        case tree.Component(name=name, rows=tree.Text(path)):
            return name.text, path
        case tree.ExtendRows(target=target, rows=tree.Text(path)):
            return target.text, path
        case _:
            return None


def _expression(plain: Plain, span: Span) -> tree.Expr:
    match plain:
        case None:
            return tree.NoneValue(span=span)
        case bool():
            return tree.Bool(plain, span=span)
        case int():
            number = tree.Int(abs(plain), span=span)
            return number if plain >= 0 else tree.Negative(number, span=span)
        case str():
            return tree.Name(plain, span=span)
        case members:
            each = tuple(_expression(member, span) for member in members)
            return tree.SetOf(each, span=span)


def as_cell(node: tree.TableCell) -> Cell:
    span = node.value.span if node.value.span != NOWHERE else node.span
    return Cell(plain_value(node.value), span)
