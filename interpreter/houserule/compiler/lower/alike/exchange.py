"""A core condition: would exchanging two things change anything?

It changes nothing if rules read the same of both: row, face, location, the seats that
saw it, each state, place of tokens and zone with it as a key, each state that holds it,
and earlier choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce

from houserule import ir
from houserule.ir.types import Flag, Kind, Maybe, Set, Type, Whole, kind_of
from houserule.ir.walk import beneath, bodies

FLAG = Flag()
Reading = Callable[[tuple[ir.Expr, ...]], ir.Expr]


class Exchange:
    """Writes the condition for things of one kind.

    Args:
        program: the rules.
        component: the things.
    """

    def __init__(self, program: ir.Program, component: ir.ComponentDef) -> None:
        self._program, self._component = program, component
        self._kind = component.kind
        self._known = any(  # seats may have seen one of them
            isinstance(node, ir.ShowThings) and node.kind == component.kind
            for node in beneath(*bodies(program))
        )
        self._lies = any(
            zone.member == component.kind for zone in program.zones.values()
        )

    def distinct(
        self,
        source: ir.Expr,
        apart: Sequence[ir.Expr],
        take: Callable[[], int],
        *,
        together: bool,
    ) -> ir.Distinct:
        """Return a set in which interchangeable members count once.

        Args:
            source: the set.
            apart: things, or sets of them, that distinguish others.
            take: allocates an unused slot of the frame.
            together: all its members are known to lie in one set.
        """
        slots = take(), take()
        one, other = (ir.Local(slot, "it", self._kind) for slot in slots)
        place = self._lies and not together
        terms: list[ir.Expr] = [
            ir.Alike(one, other, self._kind, place, self._known, FLAG)
        ]
        if self._component.faces:
            faces = self._component.faces
            type_ = Whole(min(faces), max(faces))
            shown = [ir.ReadFace(each, self._kind, type_) for each in (one, other)]
            terms.append(_same(*shown))
        terms += [_mentions(each, one, other) for each in apart]
        terms += self._of_state(one, other, take)
        both = reduce(lambda x, y: ir.Connective("and", x, y, FLAG), terms)
        return ir.Distinct(source, slots, both, source.type, span=source.span)

    def _of_state(
        self, one: ir.Expr, other: ir.Expr, take: Callable[[], int]
    ) -> Iterator[ir.Expr]:
        """Yield a test for each place that may have a thing as a key, or hold one."""
        program = self._program
        # How to read everything with keys, and the type of a state.
        families: list[tuple[tuple[ir.Param, ...], Reading, Type | None]] = [
            (each.keys, partial(ir.ReadCell, name, type=each.type), each.type)
            for name, each in program.states.items()
        ]
        families += (
            (keys, partial(ir.TokenCount, slot, type=Whole(0, each.amount)), None)
            for each in program.tokens.values()
            for slot, keys in each.slots.items()
        )
        families += (
            (each.keys, partial(ir.Contents, name, type=Set(each.member)), None)
            for name, each in program.zones.items()
        )
        for params, reading, type_ in families:
            for place, param in enumerate(params):
                if param.type != self._kind:
                    continue
                rest = (*params[:place], *params[place + 1 :])

                def same(
                    keys: tuple[ir.Expr, ...], at: int = place, of: Reading = reading
                ) -> ir.Expr:
                    here = of((*keys[:at], one, *keys[at:]))
                    there = of((*keys[:at], other, *keys[at:]))
                    return _same(here, there)

                yield _everywhere(rest, same, take)
            if type_ is not None and kind_of(type_) == self._kind:

                def held(keys: tuple[ir.Expr, ...], of: Reading = reading) -> ir.Expr:
                    return _mentions(of(keys), one, other)

                yield _everywhere(params, held, take)


def _same(one: ir.Expr, other: ir.Expr) -> ir.Expr:
    """Return a test that two values of one type are equal; none equals none."""
    same: ir.Expr = ir.CompareValues("==", one, other, FLAG)
    if not isinstance(one.type, Maybe):
        return same
    neither = ir.Connective("and", ir.IsNone(one, FLAG), ir.IsNone(other, FLAG), FLAG)
    return ir.Connective("or", same, neither, FLAG)


def _mentions(held: ir.Expr, one: ir.Expr, other: ir.Expr) -> ir.Expr:
    """Return a test that a value is neither of two things, or has both or neither."""
    inner = held.type.inner if isinstance(held.type, Maybe) else held.type
    if isinstance(inner, Set):
        if isinstance(held.type, Maybe):
            held = ir.OrElse(held, ir.Const((), inner), inner)
        return _same(ir.In(one, held, FLAG), ir.In(other, held, FLAG))
    return ir.Connective(
        "and",
        ir.CompareValues("!=", held, one, FLAG),
        ir.CompareValues("!=", held, other, FLAG),
        FLAG,
    )


def _everywhere(
    params: Sequence[ir.Param], body: Reading, take: Callable[[], int]
) -> ir.Expr:
    """Return a test that something holds for all values of some keys."""
    binds: list[ir.Bind] = []
    keys: list[ir.Expr] = []
    for param in params:
        slot = take()
        keys.append(ir.Local(slot, param.name, param.type))
        member = param.type
        if isinstance(param.type, Set):
            member = param.type.member
        match member:
            case Whole(least, most):
                first, last = (ir.Const(n, Whole(n, n)) for n in (least, most))
                source: ir.Expr = ir.MakeRange(first, last, Set(member))
            case Kind(size=size):
                source = ir.Const(tuple(range(size)), Set(member))
            case _:  # yes or no
                source = ir.Const((0, 1), Set(Whole(0, 1)))
        names, type_ = (param.name,), param.type
        if isinstance(type_, Set):
            low = int(type_.part)
            bind = ir.Bind((slot,), names, "subset", type_, source, low, None)
        else:
            bind = ir.Bind((slot,), names, "member", type_, source, 1, 1)
        binds.append(bind)
    held = body(tuple(keys))
    if not binds:
        return held
    return ir.Quantifier("every", tuple(binds), None, held, FLAG)
