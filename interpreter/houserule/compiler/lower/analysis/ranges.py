"""Ranges of values and states that are not proved, so play might leave them.

A range is proved in one of three ways:

1. *By its parts.* Each expression has a range. If a value's definition, after all its
   layers, fits the value's range, it cannot fail; nor can a write that fits its state.
   A field that is summed up over things is at most what all these things have together.
2. *By payment.* An action whose cost cannot be paid is refused: a cost never takes too
   much.
3. *By counting.* If each addition has a maximum number of runs, a state is at most its
   greatest first value plus all additions. A phase with `for` runs once per member,
   and one with `at most n times` n times; an action runs once at a step that allows it
   once, and a loop multiplies. State of a seat that only the acting seat changes grows
   only in that seat's turns.

Other ranges depend on how a game goes: a player never has more than 15 men because men
only move. They are listed, and games must show that they hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from houserule import ir
from houserule.base.algebra.arithmetic import Operation
from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import counted
from houserule.compiler.lower.expressions.numbers import result_range
from houserule.ir.types import Kind, Set, Type, Whole, core
from houserule.ir.walk import children

Write: TypeAlias = ir.SetCell | ir.AddCell
Holder: TypeAlias = ir.ActionDef | ir.EffectDef | ir.StepDef | ir.ReactionDef
Times: TypeAlias = int | None  # None: unknown

FOREVER = 10**9
_ME = 0  # the slot of the acting seat


N501 = MessageCode("N501", "range not proved")
"""Nothing proves that a value or a state stays in its range. `check --ranges` reports
it.

**Why.** In play, a number that leaves its range stops the game ([F01](F01.md)). `check`
proves what it can, at each table that it visits:

- All values of a definition with its layers, or of an assignment, are in the range.
- A cost that cannot be paid is refused, so it takes no more than there is.
- The number of additions is known: by `for`, `at most n times`, a step that allows an
  action once, a `limit`. The initial value and all additions together stay in the
  range.

Other ranges depend on the course of the game. Often they are right for a reason that no
count shows: a player never has more than 15 men, because men only move. A note asks you
to find that reason, above all for a range of the base game that a variant adds to.

**For example**

```text
state saved(p: Player): 0..24 starts as 0
does write.save: saved(me) gains throws_left      # up to 3, in each of 12 rounds
```

**Fix.** If the range is too small, widen it, or give it a value as its bound:
`0..rounds * 3`. If it is right, leave it as it is.
"""


def unproved_ranges(program: ir.Program) -> Iterator[tuple[Diagnostic, int]]:
    """Yield N501 for each value and each statement that might leave a range.

    Each has a measure, since other tables of the game may exceed the same range by more
    or less.
    """
    for value in program.values.values():
        found = _range(value.definition, program)
        for layer in value.layers:
            for _, adjust in layer.adjusts:
                by = _range(adjust, program)
                if found and by:
                    found = result_range(_LAYERS[layer.op], found, by)
        kept, given = _whole(value.type), found
        if kept and given and (beyond := _beyond(given, kept)):
            message = f"`{value.name}` is {kept}. From its parts it could be {given}."
            yield fault(N501, message, value.span), beyond
    runs = _Runs(program)
    for name, state in program.states.items():
        kept = _whole(state.type)
        if kept is not None and not ir.is_kept(name):
            first = _range(state.first, runs.program) or kept
            low, high = max(first.low, kept.low), min(first.high, kept.high)
            additions: list[tuple[ir.AddCell, Whole, Times]] = []
            for node, times in runs.writes(state):
                written = node.value if isinstance(node, ir.SetCell) else node.amount
                given = _range(written, runs.program)
                if isinstance(node, ir.AddCell):
                    assert given is not None, "what is added is a number"
                    additions.append((node, given, times))
                elif given is not None and (beyond := _beyond(given, kept)):
                    message = f"`{name}` is {kept}. This could set it to {given}."
                    yield fault(N501, message, node.span), beyond
                elif given is not None:
                    low, high = min(low, given.low), max(high, given.high)
            for sign, room in ((1, kept.high - high), (-1, low - kept.low)):
                most = [
                    given.high if node.sign == sign else -given.low
                    for node, given, _ in additions
                ]
                growing = [
                    (node, one, times)
                    for (node, _, times), one in zip(additions, most, strict=True)
                    if one > 0 and not (sign < 0 and id(node) in runs.paid)
                ]
                reached = [
                    None if times is None else one * times for _, one, times in growing
                ]
                if None not in reached and sum(filter(None, reached)) <= room:
                    continue
                for node, one, times in growing:
                    does = "adds" if sign > 0 else "takes"
                    often = "any number of times"
                    if times is not None:
                        often = counted(times, "time")
                    message = f"`{name}` is {kept}. This {does} up to {one}, {often}."
                    yield fault(N501, message, node.span), one * (times or FOREVER)


# ---- ranges of expressions


def _whole(type_: Type) -> Whole | None:
    inner = core(type_)
    return inner if isinstance(inner, Whole) else None


def _beyond(given: Whole, kept: Whole) -> int:
    """Return how far numbers may leave a range; 0 if they fit."""
    return max(0, kept.low - given.low, given.high - kept.high)


_LAYERS: Mapping[str, Operation] = {
    "times": "*",
    "plus": "+",
    "at least": "max",
    "at most": "min",
}


def _range(node: ir.Expr, program: ir.Program) -> Whole | None:
    """Return the range of a number; None for anything else."""
    by_type = found = _whole(node.type)
    if by_type is None or found is None:
        return None
    match node:
        case ir.Binary(op, left, right):
            a, b = _range(left, program), _range(right, program)
            found = result_range(op, a, b) if a and b else by_type
        case ir.Cases(rows, otherwise):
            values = (*(value for _, value in rows), otherwise)
            ranges = [each for each in (_range(v, program) for v in values) if each]
            low, high = (each.low for each in ranges), (each.high for each in ranges)
            found = Whole(min(low), max(high))
        case ir.Aggregate(
            "sum",
            (ir.Bind((slot,), how="member"),),
            _,
            ir.ReadField(ir.Local(read), kind, name),
        ) if read == slot:
            _, column = program.components[kind.name].fields[name]
            numbers = [each for each in column if isinstance(each, int)]
            below, above = (e for e in numbers if e < 0), (e for e in numbers if e > 0)
            found = Whole(sum(below), sum(above))
        case _:
            pass
    return Whole(max(found.low, by_type.low), min(found.high, by_type.high))


# ---- how often statements run


class _Runs:
    """Upper bounds on how often each write of a program happens, if known."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._writes: dict[str, list[tuple[Write, Holder, tuple[ir.Bind, ...]]]] = {}
        self._calls: dict[str, list[tuple[Holder, tuple[ir.Bind, ...]]]] = {}
        self._repeated: set[str] = set()  # phases and steps that `again` names
        self.paid: set[int] = set()  # ids of the writes that are part of a cost
        families = (program.actions, program.effects, program.steps, program.reactions)
        for family in families:
            for holder in family.values():
                self._note(holder, holder, (), paid=False)

    def _note(
        self,
        node: ir.CoreNode,
        holder: Holder,
        loops: tuple[ir.Bind, ...],
        *,
        paid: bool,
    ) -> None:
        match node:
            case ir.CostDef():
                paid = True
            case ir.SetCell(state=name) | ir.AddCell(state=name):
                self._writes.setdefault(name, []).append((node, holder, loops))
                if paid:
                    self.paid.add(id(node))
            case ir.CallEffect(effect=name):
                self._calls.setdefault(name, []).append((holder, loops))
            case ir.RequestAgain(target=name):
                self._repeated.add(name)
            case ir.ForEach(binds=binds):
                loops = (*loops, *binds)
            case ir.ShareOut(bind=bind):
                loops = (*loops, bind)
            case _:
                pass
        for each in children(node):
            self._note(each, holder, loops, paid=paid)

    def writes(self, state: ir.StateDef) -> Iterator[tuple[Write, Times]]:
        """Yield the writes of a state, each with the most times it writes one cell.

        They count per game, or per item of the phase that restarts the state.
        """
        for node, holder, loops in self._writes.get(state.name, ()):
            own = {each.slot for each in node.keys if isinstance(each, ir.Local)}
            others = [each for each in loops if own.isdisjoint(each.slots)]
            times = self._times(holder, state.life, frozenset(), of_me=_ME in own)
            yield node, _product(times, *map(_size, others))

    def _times(
        self, holder: Holder, life: str, callers: frozenset[str], *, of_me: bool
    ) -> Times:
        """Return how often something runs; if `of_me`, for one seat."""
        match holder:
            case ir.StepDef(name, phase):
                if name in self._repeated:
                    return None
                return self._items(phase, life, of_me=of_me)
            case ir.ActionDef():
                known = []
                for each in holder.limits:
                    count = _range(each.count, self.program)
                    items = self._items(each.phase, life, of_me=of_me)
                    known.append(_product(count.high if count else None, items))
                step = self.program.steps.get(holder.at)
                if (
                    step
                    and step.mode != "any number"
                    and step.name not in self._repeated
                ):
                    known.append(self._items(step.phase, life, of_me=of_me))
                return min((each for each in known if each is not None), default=None)
            case ir.EffectDef(name) if name not in callers:
                every = [
                    _product(
                        self._times(each, life, callers | {name}, of_me=of_me),
                        *map(_size, loops),
                    )
                    for each, loops in self._calls.get(name, ())
                ]
                return None if None in every else sum(filter(None, every))
            case _:
                return None

    def _items(self, name: str, life: str, *, of_me: bool) -> Times:
        """Return how many items a phase has, per game or per item of `life`.

        `of_me` counts the items of one seat.
        """
        if name == life or name not in self.program.phases:
            return 1
        phase = self.program.phases[name]
        if name in self._repeated:
            return None
        members: Times = 1
        if phase.source is not None and not (of_me and phase.acts):
            members = _members(phase.source)
        rounds: Times = 1
        if phase.until is not None or phase.times is not None:
            bound = None if phase.times is None else _range(phase.times, self.program)
            rounds = bound.high if bound else None
        outer = self._items(phase.parent, life, of_me=of_me and not phase.acts)
        return _product(members, rounds, outer)


def _product(*factors: Times) -> Times:
    """Return a product; None if a factor is unknown, unless another is 0."""
    found = 1
    if 0 in factors:
        return 0
    for each in factors:
        if each is None:
            return None
        found *= each
    return found


def _members(source: ir.Expr) -> Times:
    """Return how many members a set has at most."""
    if isinstance(source, ir.Const) and isinstance(source.value, tuple):
        return len(source.value)
    match source.type:
        case Set(Kind(size=size)):
            return size
        case Set(Whole(low, high)):
            return high - low + 1
        case _:
            return None


def _size(bind: ir.Bind) -> Times:
    """Return how many bindings there are at most."""
    if bind.how == "subset":
        return None
    return _product(*[_members(bind.source)] * len(bind.slots))
