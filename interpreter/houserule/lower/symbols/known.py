"""What is known before play: expressions worked out while kinds are declared.

Which combinations of a product there are must be known before anything that lies on
them is. So its condition is worked out on the tree, with numbers, members, options,
fields of components and values made of these. Whether the types in it go together is
looked at later, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import combinations, product
from typing import Final

from houserule.arithmetic import DIVISIONS, OPERATIONS, ROUNDED, Operation
from houserule.frozen import slotted
from houserule.ir.types import Data, Flag, Kind, Type, Whole, members
from houserule.limits import limit
from houserule.lower.symbols import components
from houserule.lower.symbols.kinds import named, type_of
from houserule.lower.symbols.symbol_table import MemberSymbol, SymbolTable
from houserule.lower.types import core
from houserule.source import Span
from houserule.syntax import tree

Names = Mapping[str, tuple[Data, Type | None]]
"""What each variable is; and its type, where it has one, for its fields."""

NUMBERS: Final[Mapping[str, Callable[..., int]]] = {"abs": abs, "min": min, "max": max}


class NotKnownError(Exception):
    """An expression is not known before play; the text says why, `span` which part."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


@slotted
class Known:
    """Works out expressions that hang on nothing that changes in a game.

    Attributes:
        left: how many more nodes may be looked at.
        under_way: the values that are being worked out, to see circles.
    """

    symbols: SymbolTable
    left: int = field(default_factory=lambda: limit("work"))
    under_way: list[str] = field(default_factory=list)

    def holds(self, expr: tree.Expr, names: Names) -> bool:
        """Say whether a condition holds; none does not.

        Raises:
            NotKnownError: this is not known before play, or is no condition.
        """
        found = self.data(expr, names)
        if not isinstance(found, bool):
            raise NotKnownError("This is neither yes nor no.", expr.span)
        return found

    def data(self, expr: tree.Expr, names: Names) -> Data:
        """Return what an expression is.

        Raises:
            NotKnownError: this is not known before play.
        """
        self.left -= 1
        if self.left < 0:
            raise NotKnownError("This takes too long to work out.", expr.span)
        match expr:
            case tree.Int(value) | tree.Bool(value):
                return value
            case tree.NoneValue():
                return None
            case tree.Name() | tree.Apply() | tree.Dot():
                return self._named(expr, names)
            case tree.Negative() | tree.Arith() | tree.Divide():
                return self._calculated(expr, names)
            case tree.RangeSet() | tree.SetOf() | tree.SetArith():
                return self._set(expr, names)
            case tree.Compare() | tree.Member() | tree.Logic() | tree.Not():
                return self._compared(expr, names)
            case tree.Default(value, otherwise):
                found = self.data(value, names)
                return self.data(otherwise, names) if found is None else found
            case tree.Rows(rows):
                return self._first(rows, names)
            case tree.Quantified() | tree.Count():
                return self._counted(expr, names)
            case _:
                raise _unknown(expr)

    # ---- names

    def _named(self, expr: tree.Name | tree.Apply | tree.Dot, names: Names) -> Data:
        match expr:
            case tree.Dot(subject, name):
                kind = self._kind_named(subject, names)
                if kind is not None:
                    return self._row(expr, kind, name)
                return self._field(self.data(subject, names), subject, name, names)
            case tree.Apply(name, args):
                given = [self.data(each, names) for each in args]
                if name in NUMBERS and name not in self.symbols.rules.values:
                    numbers = [_number(n, a) for n, a in zip(given, args, strict=True)]
                    return NUMBERS[name](*numbers)
                if name in {"size", "first_of", "seat"} and len(args) == 1:
                    return _of_one(name, given[0], args[0])
                return self._value(expr, name, given)
            case tree.Name(name) if name in names:
                return names[name][0]
            case tree.Name(name):
                return self._declared(expr, name)

    def _kind_named(self, subject: tree.Expr, names: Names) -> Kind | None:
        """Return the component that a name stands for: a dot names a row of it."""
        if not isinstance(subject, tree.Name) or subject.name in names:
            return None
        kind = self.symbols.kinds.get(subject.name)
        return kind if kind is not None and kind.sort == "component" else None

    def _row(self, expr: tree.Expr, kind: Kind, name: str) -> int:
        number = self.symbols.ids[kind.name].get(name)
        if number is None:
            raise _unknown(expr)
        return number

    def _declared(self, expr: tree.Expr, name: str) -> Data:
        symbols = self.symbols
        options = symbols.rules.table.options
        if name in options and name in symbols.rules.options:
            type_ = type_of(symbols, symbols.rules.options[name].type)
            found = components.data_of(symbols, options[name], type_)
            return None if isinstance(found, components.Misfit) else found
        symbol = symbols.declared.get(name)
        if isinstance(symbol, MemberSymbol):
            return symbol.value
        if name == "players":
            return tuple(members(symbols.seats))
        listed = symbols.kinds.get(name) or symbols.types.get(name)
        if isinstance(listed, Kind | Whole):
            return tuple(members(listed))
        return self._value(expr, name, ())

    def _value(self, expr: tree.Expr, name: str, given: Sequence[Data]) -> Data:
        """Return a declared value for some arguments, lifts included."""
        rules = self.symbols.rules
        value = rules.values.get(name)
        if value is None:
            raise _unknown(expr)
        params = [
            (word.text, type_of(self.symbols, each.type))
            for each in value.params
            if isinstance(each, tree.Typed)
            for word in each.names
        ]
        layered = any(
            each.target.text.startswith(f"{name}.") for each in rules.adjusts.values()
        )
        if layered or len(params) != len(given) or name in self.under_way:
            raise _unknown(expr)
        inner = {
            param: (one, type_)
            for (param, type_), one in zip(params, given, strict=True)
        }
        self.under_way.append(name)
        lifts = rules.lifts.get(name, ())
        try:
            found = self.data(value.definition, inner)
            lifted = any(self.holds(each.condition, inner) for each in lifts)
        except NotKnownError as fault:  # what is told is where it is used
            raise NotKnownError(str(fault), expr.span) from None
        self.under_way.pop()
        return True if lifted else self._in_range(expr, value, found)

    def _in_range(self, expr: tree.Expr, value: tree.Value, found: Data) -> Data:
        type_ = type_of(self.symbols, value.type)
        if isinstance(type_, Whole) and found not in members(type_):
            message = f"`{value.name.text}` is {found} here, outside its range {type_}."
            raise NotKnownError(message, expr.span)
        return found

    def _field(self, found: Data, subject: tree.Expr, name: str, names: Names) -> Data:
        """Return a field of a component; of none, none."""
        kind = self._type(subject, names)
        if not isinstance(kind, Kind) or name == "face":
            raise _unknown(subject)
        if found is None:
            return None
        column = self.symbols.rows.get(kind.name, {}).get(name)
        if column is None:
            column = self._column(kind, subject, name)
        assert isinstance(found, int)
        return column[found]

    def _column(self, kind: Kind, subject: tree.Expr, name: str) -> tuple[Data, ...]:
        """Return a field of an enumeration, or of a component that has a table."""
        enum = self.symbols.rules.types.get(kind.name)
        if enum is not None:
            own = components.own_columns(self.symbols, enum, early=True)
            if name in own:
                return own[name]
        component = self.symbols.rules.components.get(kind.name)
        fields = () if component is None else component.fields
        for each in fields:
            if each.name.text == name:
                type_ = type_of(self.symbols, each.type)
                return components.column(
                    self.symbols, kind.name, name, type_, early=True
                )
        raise _unknown(subject)

    def _type(self, expr: tree.Expr, names: Names) -> Type | None:
        """Return the kind of a thing whose field is asked for, where it is known."""
        match expr:
            case tree.Name(name) if name in names:
                return names[name][1]
            case tree.Name(name) | tree.Apply(name):
                value = self.symbols.rules.values.get(name)
                written = None if value is None else value.type
                if isinstance(written, tree.MaybeType):
                    written = written.inner
                return None if written is None else type_of(self.symbols, written)
            case tree.Dot(subject, name):
                row = self._kind_named(subject, names)
                kind = self._type(subject, names) if row is None else None
                return row or self._type_of_field(kind, name)
            case _:
                return None

    def _type_of_field(self, kind: Type | None, name: str) -> Type | None:
        symbols = self.symbols
        if not isinstance(kind, Kind):
            return None
        if name in symbols.fields.get(kind.name, {}):
            return symbols.fields[kind.name][name]
        rules = symbols.rules
        of = rules.types.get(kind.name) or rules.components.get(kind.name)
        written = (each for each in (of.fields if of else ()) if each.name.text == name)
        found = [core(type_of(symbols, each.type)) for each in written]
        return found[0] if found else None

    # ---- numbers and sets

    def _calculated(
        self, expr: tree.Negative | tree.Arith | tree.Divide, names: Names
    ) -> int:
        op: Operation
        match expr:
            case tree.Negative(operand):
                return -_number(self.data(operand, names), operand)
            case tree.Arith(op, left, right):
                pass
            case tree.Divide(left, right, rounding):
                op = ROUNDED[rounding]
        a = _number(self.data(left, names), left)
        b = _number(self.data(right, names), right)
        if op in DIVISIONS and not b:
            raise NotKnownError("This is divided by 0.", right.span)
        return OPERATIONS[op](a, b)

    def _set(
        self, expr: tree.RangeSet | tree.SetOf | tree.SetArith, names: Names
    ) -> tuple[int, ...]:
        match expr:
            case tree.RangeSet(low, high):
                first = _number(self.data(low, names), low)
                last = _number(self.data(high, names), high)
                if last - first >= limit("members"):
                    raise NotKnownError("So many cannot be gone through.", expr.span)
                return tuple(range(first, last + 1))
            case tree.SetOf(items):
                found = [self.data(each, names) for each in items]
                return tuple(sorted({n for n in found if isinstance(n, int)}))
            case tree.SetArith(op, left, right):
                a, b = (_members(self.data(n, names), n) for n in (left, right))
                both = {"but": a - b, "plus": a | b, "within": a & b}
                return tuple(sorted(both[op]))

    # ---- conditions

    def _compared(
        self, expr: tree.Compare | tree.Member | tree.Logic | tree.Not, names: Names
    ) -> bool:
        match expr:
            case tree.Not(operand):
                return not self.holds(operand, names)
            case tree.Logic(op, left, right):
                first = self.holds(left, names)
                return first if first == (op == "or") else self.holds(right, names)
            case tree.Member(left, right, negated):
                one = self.data(left, names)
                return (one in _members(self.data(right, names), right)) != negated
            case tree.Compare(op, left, right):
                a, b = self.data(left, names), self.data(right, names)
                if tree.NoneValue() in {left, right}:
                    return (a == b) == (op == "is")
                return _relation(op, a, b)

    def _first(self, rows: Sequence[tree.Row], names: Names) -> Data:
        for row in rows[:-1]:
            if row.when is not None and self.holds(row.when, names):
                return self.data(row.value, names)
        return self.data(rows[-1].value, names)

    def _counted(self, expr: tree.Quantified | tree.Count, names: Names) -> Data:
        found = (
            inner
            for inner in self._bound(expr.binders, names)
            if expr.where is None or self.holds(expr.where, inner)
        )
        if isinstance(expr, tree.Count):
            return sum(1 for _ in found)
        holds = partial(self.holds, expr.body)
        match expr.kind:
            case "some":
                return any(map(holds, found))
            case "every":
                return all(map(holds, found))
            case "no":
                return not any(map(holds, found))

    def _bound(self, binders: Sequence[tree.Binder], names: Names) -> Iterator[Names]:
        if not binders:
            yield names
            return
        first, *rest = binders
        if first.how not in {"in", "in pairs"}:
            raise _unknown(first.source)
        each = sorted(_members(self.data(first.source, names), first.source))
        count, type_ = len(first.names), self._listed(first.source)
        pairs = first.how == "in pairs"
        every = combinations(each, 2) if pairs else product(each, repeat=count)
        for values in every:
            inner = dict(names)
            for word, value in zip(first.names, values, strict=True):
                inner[word.text] = value, type_
            yield from self._bound(rest, inner)

    def _listed(self, source: tree.Expr) -> Type | None:
        if isinstance(source, tree.Name):
            if source.name == "players":
                return self.symbols.seats
            if source.name in self.symbols.kinds:
                return named(self.symbols, source.name, source.span)
        return None


def _relation(op: tree.Relation, left: Data, right: Data) -> bool:
    """Compare as rules do: with none every comparison but `is none` is false."""
    if op in {"is", "is not"}:
        return (left == right and left is not None) == (op == "is")
    if not isinstance(left, int) or not isinstance(right, int):
        return False
    match op:
        case "at least":
            return left >= right
        case "at most":
            return left <= right
        case "more than":
            return left > right
        case _:
            return left < right


def _number(value: Data, expr: tree.Expr) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise NotKnownError("A number is wanted here, and there is none.", expr.span)


def _members(value: Data, expr: tree.Expr) -> frozenset[int]:
    """Return the members of a set; a thing is a set of one, none an empty one."""
    if isinstance(value, tuple):
        return frozenset(value)
    if isinstance(value, bool):
        raise NotKnownError("A set is wanted here.", expr.span)
    return frozenset() if value is None else frozenset((value,))


def _of_one(name: str, value: Data, expr: tree.Expr) -> Data:
    """Return what a built-in function of one argument is."""
    if name == "seat":
        return value
    found = _members(value, expr)
    return len(found) if name == "size" else min(found, default=None)


def _unknown(expr: tree.Expr) -> NotKnownError:
    return NotKnownError("This is not known when the table is set.", expr.span)


def as_data(type_: Type, value: int) -> Data:
    """Return a member of a type as a value of the core."""
    return bool(value) if isinstance(type_, Flag) else value
