"""Fields of components, with rows in tables, and of enumerations.

Cells of tables, and values in brackets after a member, become core values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from houserule import ir
from houserule.base.diagnostics.characters import advice_on
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.diagnostics.wording import counted, did_you_mean, listed, nearest
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.lower.expressions import expect, numbers
from houserule.compiler.lower.messages import E010, E014, E027, E028
from houserule.compiler.lower.symbols.kinds import type_of
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.symbols.symbol_table import SymbolTable, ValueSymbol
from houserule.compiler.lower.types import BROKEN, in_words, is_broken
from houserule.compiler.merge.messages import titled
from houserule.ir.types import Data, Flag, Kind, Maybe, Set, Type, Whole, core
from houserule.language.manifest.messages import E011
from houserule.language.manifest.ruleset import LoadedRow, Plain
from houserule.language.manifest.yaml.document import WHOLE, WORDS
from houserule.language.syntax import tree

MOST_NAMED = 8  # maximum number of names listed for a wrong one


@frozen
class Misfit:
    """A plain value that does not fit a type: the reason, and a hint in `near`."""

    why: str
    near: str = ""


E024 = MessageCode("E024", "invalid table row")
"""A row of a component table does not fit the declared fields.

**Why.** Tables are checked cell by cell, so that an error in row 43 is found before a
game reaches it.

**For example**

```text
- {id: six, income: twelve}      # a number from 0 to 9
```

**Fix.** Correct the cell, or the type of the field. Fields `or none` and `set of` may
be omitted from a row.
"""

E106 = MessageCode("E106", "member does not fit fields")
"""The values in brackets after a member of an enumeration do not fit the enumeration's
fields.

**Why.** Every member gives its fields, in the order of the fields below the type. A
value is known before play, so it is a number, a name, `yes`, `no`, `none`, or a set of
these; nothing is computed.

**For example**

```rules
type Box = ones(1) | sevens(7) | rest
  pips: 1..6 or none                  # `pips` of `sevens` is 7, which is not in 1..6
```

**Fix.** Correct the value, or the type of the field. Fields `or none` and `set of` may
be omitted at the end; write `none` or `{}` for one in the middle. Use a value for
anything computed: `value worth(x: Box): 0..9 = …`.
"""


def declare_fields(symbols: SymbolTable) -> None:
    for name, component in symbols.rules.components.items():
        fields = symbols.fields.setdefault(name, {})
        keyed = symbols.keyed.setdefault(name, {})
        for field in component.fields:
            if field.name.text in {*fields, *keyed}:
                message = f"`{name}` has a field `{field.name.text}` already."
                symbols.report(E011, message, field.name.span)
                continue
            type_ = type_of(symbols, field.type)
            if component.each and (field.params or not _may_be_missing(type_)):
                message = f"`{name}` has no rows that could fill this field."
                symbols.report(E024, message, field.span)
            if not field.params:
                fields[field.name.text] = type_
                continue
            key, values = ir.Param("", BROKEN), None
            match field.params:
                case (tree.Typed((word,), of),):
                    key = ir.Param(word.text, type_of(symbols, of), span=word.span)
                    values = () if is_broken(key.type) else _keys(key.type)
                case _:
                    pass
            if values is None:
                message = "A field has one key, a number of a range or a name."
                wanted = "`houses: 0..5` is a key"
                symbols.report(E027, message, field.params[0].span, wanted)
            if isinstance(core(type_), Set):
                message = "A field with a key has numbers, names, or yes or no."
                symbols.report(E027, message, field.type.span)
            keyed[field.name.text] = ir.KeyedField(
                key, values or (), type_, (), span=field.span
            )
    for name, enum in symbols.rules.types.items():
        if enum.fields and enum.type is None:
            fields = symbols.fields.setdefault(name, {})
            for field in enum.fields:
                if field.name.text in fields:
                    message = f"`{name}` has a field `{field.name.text}` already."
                    symbols.report(E011, message, field.name.span)
                fields.setdefault(field.name.text, type_of(symbols, field.type))
        elif enum.fields:
            message = (
                f"`{name}` is not an enumeration, and only their members have fields."
            )
            symbols.report(E106, message, enum.fields[0].span, "a field")
        for field in enum.fields:
            if field.params:
                message = "Only fields of components have a key."
                symbols.report(E106, message, field.params[0].span)


def _keys(type_: Type) -> tuple[Data, ...] | None:
    """Return the values of a key in their order, None if the type cannot be a key."""
    match type_:
        case Whole(low, high):
            return tuple(range(low, high + 1))
        case Flag():
            return (False, True)
        case Kind(size=size, sort=sort) if sort != "seat":
            return tuple(range(size))
        case _:
            return None


def read_rows(symbols: SymbolTable) -> None:
    """Convert the rows of every table to values; report cells that do not fit."""
    for name, component in symbols.rules.components.items():
        columns = symbols.rows.setdefault(name, {})
        rows, size = symbols.rules.rows.get(name, ()), len(symbols.labels[name])
        for field, type_ in symbols.fields[name].items():
            if component.each and field in columns:
                continue  # a part of the product
            if component.each:
                columns[field] = (_missing(type_),) * size
            else:
                cells = _cells(symbols, name, rows, field, type_)
                columns[field] = tuple(one for (one,) in cells)
        for field, keyed in symbols.keyed[name].items():
            entries = _cells(symbols, name, rows, field, keyed.type, keyed)
            symbols.keyed[name][field] = replace(keyed, rows=entries)
    for name, enum in symbols.rules.types.items():
        if enum.type is None:
            fields = symbols.fields.get(name, {})
            given = [_given(symbols, name, fields, each) for each in enum.members]
            if fields:
                symbols.rows[name] = {
                    field: tuple(row[place] for row in given)
                    for place, field in enumerate(fields)
                }


# ---- members of enumerations


def _given(
    symbols: SymbolTable, name: str, fields: Mapping[str, Type], member: tree.Word
) -> tuple[Data, ...]:
    """Return the field values of a member; report E106 for those that do not fit."""
    given = member.values if isinstance(member, tree.ValuedMember) else ()
    if len(given) > len(fields):
        many = counted(len(given), "value")
        room = counted(len(fields), "field")
        message = f"`{member.text}` has {many}, but a {name} has {room}."
        own = (f"Its fields are {', '.join(f'{n}: {t}' for n, t in fields.items())}.",)
        hint = "Fields go below the type, one on each line, such as:"
        details, fixes = (own, ()) if fields else ((hint,), ("pips: 1..6 or none",))
        span = given[len(fields)].span
        symbols.report(E106, message, span, details=details, fixes=fixes)
    values: list[Data] = []
    for (field, type_), written in zip(fields.items(), given, strict=False):
        plain = _plain(written)
        if isinstance(plain, Misfit):
            found: Data | Misfit = plain
        else:
            found = data_of(symbols, plain, type_)
        if isinstance(found, Misfit):
            message = f"`{field}` of `{member.text}` {found.why}."
            near = found.near and f"did you mean `{found.near}`?"
            symbols.report(E106, message, written.span, near or f"{type_} is expected")
            found = _missing(type_)
        values.append(found)
    for field, type_ in [*fields.items()][len(given) :]:
        if not _may_be_missing(type_):
            message = f"`{member.text}` does not say its `{field}`, a {type_}."
            wanted = f"`{member.text}({', '.join(fields)})`"
            symbols.report(E106, message, member.span, f"{wanted} is expected")
        values.append(_missing(type_))
    return tuple(values)


def _plain(value: tree.Expr) -> Plain | Misfit:
    """Return a constant as a plain value like in tables, or why that is impossible."""
    match value:
        case tree.Int(number):
            return number
        case tree.Negative(tree.Int(number)):
            return -number
        case tree.Bool(flag):
            return flag
        case tree.NoneValue():
            return None
        case tree.Name(name):
            return name
        case tree.SetOf(items):
            found: list[Plain] = []
            for each in items:
                plain = _plain(each)
                if isinstance(plain, Misfit):
                    return plain
                found.append(plain)
            return found
        case _:
            return Misfit("must be a number, a name, yes, no, none, or a set of these")


# ---- rows of tables


def _may_be_missing(type_: Type) -> bool:
    missing = isinstance(type_, Maybe) or (isinstance(type_, Set) and not type_.part)
    return missing or is_broken(type_)


def _missing(type_: Type) -> Data:
    return () if isinstance(type_, Set) else None


def _cells(
    symbols: SymbolTable,
    name: str,
    rows: Sequence[LoadedRow],
    field: str,
    type_: Type,
    keyed: ir.KeyedField | None = None,
) -> tuple[tuple[Data, ...], ...]:
    """Return the values of a field in each row: one, or one for each key."""
    column: list[tuple[Data, ...]] = []
    for row in rows:
        cell = row.cells.get(field)
        values: list[Data] = []
        found: Misfit | None = None
        plain = [] if cell is None else [cell.value]
        if keyed is not None and cell is not None:
            many = len(keyed.keys)
            plain = cell.value if isinstance(cell.value, list) else []
            if len(plain) != many:
                wanted = f"`{keyed.key.name}: {keyed.key.type}`"
                found = Misfit(
                    f"must be a list of {many} values, one for each {wanted}"
                )
        for each in plain if found is None else ():
            one = data_of(symbols, each, type_)
            if isinstance(one, Misfit):
                found = found or one
            else:
                values.append(one)
        if cell is None:
            if not _may_be_missing(type_):
                hint = did_you_mean(field, row.cells)
                message = f"The row `{row.id}` of `{name}` has no value for `{field}`."
                symbols.report(E024, message, row.span, hint)
        elif found is not None:
            address, near = f"{name}.{field}", f"did you mean `{found.near}`?"
            record = symbols.rules.clauses.get(address)
            symbols.report(
                E024,
                f"`{field}` of the row `{row.id}` of `{name}` {found.why}.",
                cell.span,
                near if found.near else advice_on(str(cell.value)),
                details=tuple(
                    f"{address} is changed by {titled(origin)}, {origin.file}."
                    for origin in (record.changed_by if record else ())
                ),
            )
        if cell is None or found is not None:
            values = [_missing(type_)] * (1 if keyed is None else len(keyed.keys))
        column.append(tuple(values))
    return tuple(column)


def data_of(symbols: SymbolTable, plain: Plain, type_: Type) -> Data | Misfit:
    """Return a plain value (from YAML) as a core value, or why it does not fit."""
    match type_:
        case _ if is_broken(type_):
            return None
        case Maybe(inner):
            member = isinstance(inner, Kind) and "none" in symbols.ids[inner.name]
            if plain is None or (plain == "none" and not member):
                return None
            return data_of(symbols, plain, inner)
        case Whole(low, high):
            if isinstance(plain, str) and WHOLE.fullmatch(plain):
                plain = int(plain)  # quoted, as spreadsheets write it
            if isinstance(plain, bool) or not isinstance(plain, int):
                found = _plain_words(plain)
                return Misfit(f"must be a number {low}..{high}, not {found}")
            fits = low <= plain <= high
            return plain if fits else Misfit(f"is {plain}, which is not in {type_}")
        case Flag():
            said = WORDS.get(plain) if isinstance(plain, str) else plain
            if isinstance(said, bool):
                return said
            return Misfit(f"must be yes or no, not {_plain_words(plain)}")
        case Set(member, part):
            items = (
                plain if isinstance(plain, list) else [] if plain is None else [plain]
            )
            numbers: set[int] = set()
            for item in items:
                value = data_of(symbols, item, member)
                if isinstance(value, Misfit):
                    return value
                assert isinstance(value, int)
                numbers.add(value)
            if part and not numbers:
                return Misfit("must have at least one member")
            return tuple(sorted(numbers))
        case Kind(name):
            label = str(plain) if not isinstance(plain, list | bool) else ""
            number = symbols.ids[name].get(label)
            if number is not None and plain is not None:
                return number
            if plain is None or not label:
                return Misfit(f"must name a {name}, not {_plain_words(plain)}")
            known = symbols.labels[name]
            near = nearest(label, known) or ""
            names = listed(f"`{each}`" for each in known)
            few = (
                f"; there is {names}"
                if not near and 0 < len(known) <= MOST_NAMED
                else ""
            )
            return Misfit(f"names no {name}: there is no `{label}`{few}", near)
        case _:
            return Misfit(f"cannot be {type_}")


def _plain_words(plain: Plain) -> str:
    if plain is None:
        return "nothing"
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    return "a list" if isinstance(plain, list) else f"`{plain}`"


# ---- dice


def declare_faces(symbols: SymbolTable, scope: Scope) -> None:
    """Declare the faces of each kind of dice, and the values for `read by`."""
    for name, dice in symbols.rules.dice.items():
        found: list[int] = []
        again: Span | None = None
        for written in dice.faces:
            node = scope.read(written)
            known = numbers.constant(node)
            kind = core(node.type)
            of = kind.member if isinstance(kind, Set) else kind
            if known is not None and len(dice.faces) == 1:
                # Nothing is random about that.
                message = f"A die of `{name}` would have a single face, {known}."
                low, high = expect.range_meant(written) or (1, known)
                fix = f"{low}..{high}"
                symbols.report(E028, message, written.span, fixes=(fix,))
                more = []
            elif known is not None:
                more = [known]
            elif not isinstance(of, Whole):
                if not is_broken(node.type):
                    message = f"A face is a number, and this is {in_words(node.type)}."
                    hint = "Number the faces, and say `read by` a value of them."
                    symbols.report(E014, message, written.span, details=(hint,))
                more = []
            elif isinstance(node, ir.Const) and isinstance(node.value, tuple):
                more = list(node.value)
            else:
                if not is_broken(node.type):
                    message = "A face is a number that is known when the table is set."
                    symbols.report(E028, message, written.span)
                more = []
            again = again or (written.span if {*more} & {*found} else None)
            found += more
            what = f"A die of `{name}` would have {{many}} faces."
            if not symbols.is_within("faces", len(found), what, written.span):
                found = []
                break
        symbols.faces[name] = tuple(dict.fromkeys(found)) or (0,)
        if again is not None:
            message = "A face is listed twice: faces must be different."
            hint = "Number the faces, and say `read by` a value that takes a face."
            symbols.report(E011, message, again, details=(hint,))
        if dice.read_by is not None:
            symbols.read_by[name] = dice.read_by.text


def check_reading(symbols: SymbolTable) -> None:
    """Report a `read by` that is not a number of a die."""
    for name, dice in symbols.rules.dice.items():
        if dice.read_by is None:
            continue
        value = symbols.rules.values.get(dice.read_by.text)
        if value is None:
            hint = did_you_mean(dice.read_by.text, symbols.rules.values)
            message = f"There is no value called `{dice.read_by.text}`."
            symbols.report(E010, message, dice.read_by.span, hint)
            continue
        symbol = symbols.declared[value.name.text]
        if not isinstance(symbol, ValueSymbol):
            continue
        of_a_die = [key.type for key in symbol.keys] == [symbols.kinds[name]]
        counts = isinstance(symbol.type, Whole) or is_broken(symbol.type)
        if not of_a_die or not counts:
            message = f"`{name}` is read by a value of one {name} that is a number."
            symbols.report(E014, message, dice.read_by.span)
