"""Components: their fields, and the rows of their tables as values of the core."""

from __future__ import annotations

from dataclasses import dataclass

from houserule import ir
from houserule.diagnostics.wording import did_you_mean, nearest
from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Maybe,
    Set,
    Type,
    Whole,
)
from houserule.lower.expressions import numbers
from houserule.lower.symbols.kinds import type_of
from houserule.lower.symbols.scope import Scope
from houserule.lower.symbols.symbol_table import ValueThing, World
from houserule.lower.types import is_broken
from houserule.manifest.ruleset import LoadedRow, Plain
from houserule.syntax import tree


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a plain value is none of a type; `near` is what may have been meant."""

    why: str
    near: str = ""


def declare_fields(world: World) -> None:
    """Declare the fields of every component."""
    for name, component in world.rules.components.items():
        fields = world.fields.setdefault(name, {})
        for field in component.fields:
            if field.name.text in fields:
                message = f"`{name}` has a field `{field.name.text}` already."
                world.report("E011", message, field.name.span)
                continue
            fields[field.name.text] = type_of(world, field.type)
            if component.each and not _may_be_missing(fields[field.name.text]):
                message = f"`{name}` has no rows that could fill this field."
                world.report("E024", message, field.span)


def read_rows(world: World) -> None:
    """Turn the rows of every table into values, reporting each cell that is none."""
    for name, component in world.rules.components.items():
        rows = world.rules.rows.get(name, ())
        columns = world.rows.setdefault(name, {})
        for field in component.fields:
            type_ = world.fields[name][field.name.text]
            if component.each:
                size = world.kinds[name].size
                columns[field.name.text] = (_missing(type_),) * size
            else:
                columns[field.name.text] = tuple(
                    _cell(world, name, row, field.name.text, type_) for row in rows
                )


def _may_be_missing(type_: Type) -> bool:
    missing = isinstance(type_, Maybe) or (isinstance(type_, Set) and not type_.part)
    return missing or is_broken(type_)


def _missing(type_: Type) -> Data:
    return () if isinstance(type_, Set) else None


def _cell(world: World, name: str, row: LoadedRow, field: str, type_: Type) -> Data:
    cell = row.cells.get(field)
    if cell is None:
        if not _may_be_missing(type_):
            hint = did_you_mean(field, row.cells)
            message = f"The row `{row.id}` of `{name}` says nothing of `{field}`."
            world.report("E024", message, row.span, hint)
        return _missing(type_)
    found = data_of(world, cell.value, type_)
    if not isinstance(found, Misfit):
        return found
    world.report(
        "E024",
        f"`{field}` of the row `{row.id}` of `{name}` {found.why}.",
        cell.span,
        f"did you mean `{found.near}`?" if found.near else "",
    )
    return _missing(type_)


def data_of(world: World, plain: Plain, type_: Type) -> Data | Misfit:
    """Return a plain value (from YAML) as one of the core, or why it is none."""
    match type_:
        case _ if is_broken(type_):
            return None
        case Maybe(inner):
            return None if plain is None else data_of(world, plain, inner)
        case Whole(low, high):
            if isinstance(plain, bool) or not isinstance(plain, int):
                return Misfit(f"must be a number {low}..{high}, not {_said(plain)}")
            fits = low <= plain <= high
            return plain if fits else Misfit(f"is {plain}, which is not in {type_}")
        case Flag():
            if isinstance(plain, bool):
                return plain
            return Misfit(f"must be yes or no, not {_said(plain)}")
        case Set(member, part):
            return _set_of(world, plain, member, part)
        case Kind(name):
            return _member(world, plain, name)
        case _:
            return Misfit(f"cannot be {type_}")


def _set_of(
    world: World, plain: Plain, member: Whole | Kind, part: bool
) -> Data | Misfit:
    items = plain if isinstance(plain, list) else [] if plain is None else [plain]
    found: set[int] = set()
    for item in items:
        value = data_of(world, item, member)
        if isinstance(value, Misfit):
            return value
        assert isinstance(value, int)
        found.add(value)
    if part and not found:
        return Misfit("must have at least one member")
    return tuple(sorted(found))


def _member(world: World, plain: Plain, name: str) -> Data | Misfit:
    label = str(plain) if not isinstance(plain, list | bool) else ""
    number = world.ids[name].get(label)
    if number is not None and plain is not None:
        return number
    if plain is None or not label:
        return Misfit(f"must name a {name}, not {_said(plain)}")
    near = nearest(label, world.labels[name]) or ""
    return Misfit(f"names no {name}: there is no `{label}`", near)


def _said(plain: Plain) -> str:
    if plain is None:
        return "nothing"
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    return "a list" if isinstance(plain, list) else f"`{plain}`"


# ---- dice


def declare_faces(world: World, scope: Scope) -> None:
    """Work out the faces of each kind of dice, and what they are read by."""
    for name, dice in world.rules.dice.items():
        found: list[int] = []
        for written in dice.faces:
            found += _faces(world, scope, written)
        world.faces[name] = tuple(dict.fromkeys(found)) or (0,)
        if len(set(found)) < len(found):
            message = "A face stands here twice."
            world.report("E011", message, dice.faces[0].span)
        if dice.read_by is not None:
            world.read_by[name] = dice.read_by.text


def _faces(world: World, scope: Scope, written: tree.Expr) -> list[int]:
    node = scope.read(written)
    known = numbers.constant(node)
    if known is not None:
        return [known]
    if isinstance(node, ir.Const) and isinstance(node.value, tuple):
        return list(node.value)
    if not is_broken(node.type):
        message = "A face is a number that is known when the table is set."
        world.report("E028", message, written.span)
    return []


def check_reading(world: World) -> None:
    """Report `read by` where that is no number that a die counts."""
    for name, dice in world.rules.dice.items():
        if dice.read_by is None:
            continue
        value = world.rules.values.get(dice.read_by.text)
        if value is None:
            hint = did_you_mean(dice.read_by.text, world.rules.values)
            message = f"There is no value called `{dice.read_by.text}`."
            world.report("E010", message, dice.read_by.span, hint)
            continue
        thing = world.things[value.name.text]
        if not isinstance(thing, ValueThing):
            continue
        of_a_die = [key.type for key in thing.keys] == [world.kinds[name]]
        counts = isinstance(thing.type, Whole) or is_broken(thing.type)
        if not of_a_die or not counts:
            message = f"`{name}` is read by a value of one {name} that is a number."
            world.report("E014", message, dice.read_by.span)
