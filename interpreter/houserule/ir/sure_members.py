"""Sure members: whether a set of seats has a certain seat, whatever the state is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from houserule import ir
from houserule.frozen import frozen

IsSeat = Callable[[ir.Expr], bool]


@frozen
class SureMembers:
    """Judges sets and conditions about one seat.

    `is_seat` says which expressions are that seat, in the frame of what is judged.
    Every answer True is certain; False says that it cannot be told.
    """

    program: ir.Program
    is_seat: IsSeat

    def has(self, seats: ir.Expr, yes: bool = True) -> bool:
        """Say whether a set surely has the seat; with `yes` False, surely not.

        A seat stands for the set of it alone.
        """
        if self.is_seat(seats):
            return yes
        match seats:
            case ir.Const(tuple() as value):
                return len(value) == (self.program.seats if yes else 0)
            case ir.MakeSet(items):
                return any(map(self.is_seat, items)) if yes else not items
            case ir.CombineSets(op="plus", left=left, right=right):
                return (any if yes else all)(self.has(e, yes) for e in (left, right))
            case ir.CombineSets(op="within", left=left, right=right):
                return (all if yes else any)(self.has(e, yes) for e in (left, right))
            case ir.CombineSets(op="but", left=left, right=right):
                both = (self.has(left, yes), self.has(right, not yes))
                return all(both) if yes else any(both)
            case ir.Pick(True, bind, where, keys=()) if bind.how == "member":
                inner = self._binding(bind.slots)
                both = (
                    self.has(bind.source, yes),
                    yes if where is None else inner.holds(where, yes),
                )
                return all(both) if yes else any(both)
            case ir.Cases(rows, otherwise):
                values = (*(value for _, value in rows), otherwise)
                return all(self.has(each, yes) for each in values)
            case ir.CallValue(value=name, args=args):
                return self._plain(name) and self._calling(args).has(
                    self.program.values[name].definition, yes
                )
            case _:
                return False

    def holds(self, condition: ir.Expr, yes: bool = True) -> bool:
        """Say whether a condition surely holds; with `yes` False, surely not."""
        match condition:
            case ir.Const(bool() as value):
                return value == yes
            case ir.Unary(op="not", operand=operand):
                return self.holds(operand, not yes)
            case ir.Connective(op=op, left=left, right=right):
                either = (self.holds(left, yes), self.holds(right, yes))
                return any(either) if (op == "or") == yes else all(either)
            case ir.CompareValues(op="==" | "!=" as op, left=left, right=right):
                same = self.is_seat(left) and self.is_seat(right)
                return same and (op == "==") == yes
            case ir.In(left=left, right=right):
                return self.is_seat(left) and self.has(right, yes)
            case ir.Cases(rows, otherwise):
                values = (*(value for _, value in rows), otherwise)
                return all(self.holds(each, yes) for each in values)
            case ir.CallValue(value=name, args=args):
                return self._plain(name) and self._calling(args).holds(
                    self.program.values[name].definition, yes
                )
            case _:
                return False

    def _plain(self, name: str) -> bool:
        value = self.program.values[name]
        return not value.adjusted and not value.lifts

    def _binding(self, slots: Sequence[int]) -> SureMembers:
        """Return the same where a variable is the seat as well."""

        def is_seat(expr: ir.Expr) -> bool:
            bound = isinstance(expr, ir.Local) and expr.slot in slots
            return bound or self.is_seat(expr)

        return SureMembers(self.program, is_seat)

    def _calling(self, args: Sequence[ir.Expr]) -> SureMembers:
        """Return the same in the frame of a value that is called."""
        known = {slot for slot, arg in enumerate(args, 1) if self.is_seat(arg)}

        def is_seat(expr: ir.Expr) -> bool:
            return isinstance(expr, ir.Local) and expr.slot in known

        return SureMembers(self.program, is_seat)
