"""Visibility: do options leak hidden information to the deciding seat (E601)?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from typing import assert_never

from houserule import ir
from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.frozen import frozen
from houserule.compiler.lower.symbols.scope import key_locals
from houserule.compiler.lower.types import capacity, member_of
from houserule.ir.access import Access
from houserule.ir.facts import NodeFacts, OwnReads
from houserule.ir.hidden_reads import (
    Given,
    HiddenReads,
    StaticViewer,
    SureMembers,
    present,
    self_revealing,
)
from houserule.ir.types import Flag, Kind, Position, Set, Whole
from houserule.ir.walk import beneath, option_binds, slots_read

ME: ir.Expr = ir.Local(0, "me", Kind("", 0, "seat"))


def visibility(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E601 for each option or question that depends on hidden information.

    Options may depend on information that the deciding seat sees. Only public
    information may decide who is asked, whether a question comes, and who sees
    something. In effects, this includes everything on the way to a decision:
    conditions, loops, and `let` variables.
    """
    reported: set[tuple[str, object]] = set()
    for each, hidden in leaks(program, access):
        key = (each.where, each.expr.span)
        if key not in reported:
            reported.add(key)
            whom, seat = "the player who decides", "that player may not see"
            fixes = [
                "choose from what can be seen, and look at the rest in `does`",
                "let the other player decide:  … by p",
            ]
            if each.decider is None:
                whom, seat = "everybody", "not all may see"
                fixes = [
                    "ask in any case, and look at it in `does`",
                    "let it decide what can be chosen:  may choose c in … where … by p",
                ]
            if each.where in {
                **program.zones,
                **program.states,
                **program.components,
            }:
                fixes = ["let everybody see what decides who sees it"]
                if each.decider is not None:
                    whom, seat = "a player", "this player may not see"
                    fixes = ["let it depend on what this player sees"]
            if each.shows:
                fixes = [
                    "declare who sees it:  seen only by (those q in players where …)",
                    "let a player choose:  must choose c in … where …: show {c} to …",
                    "show it to everyone",
                ]
            if any(
                isinstance(node, ir.PileTop)
                and (node.zone, node.end) == (hidden, "top")
                for node in beneath(each.expr)
            ):
                fixes.insert(
                    0, f"turn it over, then read it:  move 1 from {hidden} to …"
                )
            component = program.components.get(hidden)
            if each.decider is not None and component is not None and component.faces:
                fixes.append(
                    "name the dice by their owner:  those d in … where d.owner is me"
                )
            yield fault(
                E601,
                f"{each.where} would tell {whom} something about {hidden}, which "
                f"{seat}.",
                each.expr.span,
                details=(
                    "The options of a player may depend only on what that player "
                    "sees. Who is asked, whether a question comes, who sees a thing, "
                    "and what is shown to some players may depend only on what "
                    "everybody sees.",
                ),
                fixes=tuple(fixes),
            )


def leaks(program: ir.Program, access: Access) -> Iterator[tuple[Influence, str]]:
    """Yield the influences on options or questions, with the hidden state they read."""
    reads = HiddenReads(program, access)
    if not reads.any:
        return
    facts = access.facts
    actions = (facts.of(_of_action, each) for each in program.actions.values())
    # Finding the reads is fast, and most of them are not hidden.
    reaching = (found for found, read in actions if reads.reached_by(read))
    inside = Decisions(program).influences()
    # The `for` and the times of phases: who is asked, in which order, how often. Their
    # `if` and `until` may read hidden state: a game may end because of it, and the end
    # reveals that much. But the `if` of a phase of claims tells who could claim.
    claimed = program.claimed
    phases = (
        Influence(expr, None, phase.name)
        for phase in program.phases.values()
        if _asks(phase, program)
        for expr in present(
            phase.source, phase.times, phase.guard if phase.name in claimed else None
        )
    )
    # Seats learn from who sees a thing. If a condition selects the seats, each seat may
    # know its own condition.
    # If it depends on the place itself, they may learn just that.
    itself = self_revealing(program, access)
    seers: list[Influence] = []
    for kind in (program.states, program.zones, program.components):
        for name, declared in kind.items():
            match declared.seen:
                case None:
                    pass
                case ir.Pick(True, bind, ir.CoreNode() as where, keys=()):
                    seat = ir.Local(bind.slots[0], bind.names[0], bind.type)
                    seers.append(Influence(bind.source, None, name))
                    if name not in itself:
                        seers.append(Influence(where, seat, name))
                case seen:
                    seers.append(Influence(seen, None, name))
    for each in (*chain.from_iterable(reaching), *phases, *inside, *seers):
        if reads.reached_by(facts.reads(each.expr)):
            hidden = reads.found(each.expr, each.seer)
            if hidden:
                yield each, hidden


E601 = MessageCode("E601", "leaks hidden information")
"""The options of a player, whether anyone is asked, who sees a thing, or what is shown
to some players depend on something that a player does not see.

**Why.** A player could deduce the hidden thing from the list of options, or from a
question. The program must not tell a player more than the table would. These may depend
on:

- **The options of a player**: what that player sees. The same applies to advice
  (`unwise`, `usual`) and to a cost that may be payable or not.
- **In an effect**, this covers everything that leads to a choice: the `if` and `for`
  around it, earlier `let` values, and what the caller of the effect did.
- **Who is asked** (`asks`, `by`, the `for` of a phase, and the `if` of a phase of
  [claims](../language/flow.md#claims)): only what everyone sees.
- **Whether a question comes at all**: only what everyone sees. This covers the `if` and
  `for` around a choice, the `let` values that they read, and the `needs` of a reaction
  that asks something, because the question itself shows everyone that they are true.
  It does not matter where a parameter comes from: everyone sees the card you play. Nor
  does that of a variable after `show … to everyone`.
  A chosen card that goes to a hidden place becomes hidden from those who do not see
  that place: after `move c to hand(q)`, only the giver and `q` may be asked about
  `c.rank`.
- **Who sees a thing** (`seen only by`): only what everyone sees. In
  `those q in players where …`, the condition for a seat may also read what that seat
  sees. A player certainly
  sees a hand that is `seen only by (those q in players where q is p or lies_open(p))`,
  if the hand is that player's own.
- **What a place shows about itself**, as in a fog of war or a [secret
  team](../hidden-roles.md): if `lit` reads `piece`, the state `piece` may be `seen only
  by (those q in players where lit(q, x))`. A zone may do the same with its contents.
  Each player notices which of them they see, so options may depend on `lit(me, y)`, and
  on `piece(y)` in the same condition: `lit(me, y) and piece(y) is none`.
- **Cards shown to some players** (`show … to`): only what everyone sees, because
  everyone reads in the log who was shown how many things, and from where. This covers
  the players and the things, the `if` and `for` around, and the `if` of the step. Which
  cards lie in a zone does not count, nor does a card that a player chose.

The `if` and `until` of a phase may depend on hidden things, because games end by them;
so may the `if` around `end turn`, `end game`, `end NAME` and `again` in an effect. Such
rules show everyone that the condition is true.

A choice with nothing to choose from is skipped, and the others may draw their
conclusions: see [a card in hand that wards something
off](../i-want.md#a-card-in-hand-that-wards-something-off).

If dice are seen only by their owner, select a player's own dice with
`those d in Cup where d.owner is me`. The number of things in a zone is always seen, and
so are the fields of each thing that are `showing`.

**For example**

```rules
action call(q in players but me) during deciding
  needs weaker: some c in hand(q) has c.income is 1
  does win: score(me) gains 1
```

```text
reaction moating instead of attack(q)
  needs moat: some c in hand(q) has c.kind is moat
  asks reveals "Show the moat?": q
```

**Fix.** Let options depend on what the player sees, and settle the rest in an effect.
Or let the player who sees it choose: `must choose c in hand(q) by q`. If a card is read
from the top of a face-down pile, turn it over first: move it to an open zone, then read
it ([an event card](../i-want.md#an-event-card-from-a-face-down-deck)). If a question
depends on hidden things, ask in any case, or make the condition part of the choice:
`may choose c in hand(q) where c.kind is moat by q`.
"""


def _of_action(
    action: ir.ActionDef, facts: NodeFacts
) -> tuple[list[Influence], OwnReads]:
    given = {slot: (b.source,) for b in option_binds(action) for slot in b.slots}
    judging = [bind.source for bind in action.params]
    for cost in action.costs:
        judging += (bind.source for bind in cost.binds)
        for payment in cost.payments:  # what decides whether it can be paid
            match payment:
                case ir.PayThings(what=what):
                    judging.append(what)
                case ir.PayTop(count=much) | ir.PayTokens(count=much):
                    judging += (much, *payment.keys)
                case ir.PayCell(state=state, amount=much, keys=keys):
                    left = ir.ReadCell(state, keys, much.type, span=payment.span)
                    judging += (much, *keys, left)
                case _:
                    assert_never(payment)
    judging += (limit.count for limit in action.limits)
    for condition in (*action.conditions, *action.advice):
        judging.append(condition.test)
        judging += (expr for _, expr in condition.lifts)
    found = [Influence(each, ME, action.name, given) for each in judging]
    return found, facts.reads_of([each.expr for each in found])


def _asks(phase: ir.PhaseDef, program: ir.Program) -> bool:
    return bool(phase.actions) or any(
        program.steps[item].mode is not None
        if item in program.steps
        else _asks(program.phases[item], program)
        for item in phase.items
    )


# ---- decisions inside bodies: whether they come, and what they offer
#
# An effect has many callers: the influences on a call apply to its decisions too.


@frozen
class Influence:
    """An expression that influences what a seat is offered, with its place.

    `decider` is the deciding seat in the expression's frame; if None, the expression
    must be public. `given` has the expressions that each slot's variable comes from.
    `shows` says that the seat is not asked, but some seats are shown something.
    """

    expr: ir.Expr
    decider: ir.Expr | None
    where: str
    given: Given = field(default_factory=dict)
    shows: bool = False

    @property
    def seer(self) -> StaticViewer:
        """The viewpoint of the deciding seat for hidden reads."""
        if self.decider is None:
            return StaticViewer(lambda _: False)
        if _is_me(self.decider):
            return StaticViewer(_is_me, acts=True, given=self.given)
        return StaticViewer(lambda expr: expr == self.decider, given=self.given)


def _is_me(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Local) and expr.slot == 0


@frozen
class _Point:
    """A place in the body of an owner.

    `around` has the expressions on the way there; `given` has those that each slot's
    value comes from. `lying` has, for slots with a thing that a seat chose and that
    goes to zones that not all see, that seat and these zones.
    """

    owner: str
    around: tuple[ir.Expr, ...] = ()
    given: Given = field(default_factory=dict)
    lying: Mapping[int, tuple[ir.Expr, tuple[ir.Contents, ...]]] = field(
        default_factory=dict
    )

    def inside(self, exprs: Sequence[ir.Expr], slots: Sequence[int] = ()) -> _Point:
        """Return a place with more influences, which also bind the slots.

        If nothing else chooses among the things of a zone, their number decides.
        """
        ways = map(_number, exprs) if slots and len(exprs) == 1 else exprs
        inner = (*self.around, *ways)
        return replace(self.knowing(slots, exprs), around=inner)

    def knowing(self, slots: Sequence[int], exprs: Sequence[ir.Expr]) -> _Point:
        """Return the same place with values for slots."""
        given = {**self.given, **dict.fromkeys(slots, tuple(exprs))}
        return replace(self, given=given)


@frozen
class _Call:
    """A place that leads to another owner, with the arguments."""

    point: _Point
    args: tuple[ir.Expr, ...]


class Decisions:
    """The decisions in the bodies of a program."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._found: list[tuple[_Point, ir.ChooseOption | ir.ShareOut]] = []
        self._shows: list[tuple[_Point, ir.ShowThings]] = []
        self._calls: defaultdict[str, list[_Call]] = defaultdict(list)
        for effect in program.effects.values():
            needs = [
                need
                for name in effect.instead
                for need in self._program.reactions[name].needs
            ]
            self._bodies(
                _Point(effect.name, tuple(_tests(needs))),
                effect.does,
                len(effect.params),
            )
            for name in effect.instead:
                self._hook(name, _Point(effect.name), len(effect.params))
        for action in program.actions.values():
            factors = sum(len(bind.slots) for bind in action.params)
            factors += sum(len(b.slots) for cost in action.costs for b in cost.binds)
            bodies = (*(cost.body for cost in action.costs), *action.does)
            blocks = [body.block for body in bodies]
            slots = range(1, factors + 1)
            begin = self._chosen(_Point(action.name), slots, ME, blocks)
            self._bodies(begin, bodies, factors)
        for step in program.steps.values():
            if step.body is not None:
                guard = present(step.guard)
                self._bodies(_Point(step.name, guard), [step.body], 0)
        for reaction in program.reactions.values():
            count = len(reaction.params)
            self._bodies(self._of_reaction(reaction), reaction.does, count)

    def influences(self) -> Iterator[Influence]:
        """Yield the influences on whether a decision comes, and what it offers."""
        for point, node in self._found:
            by = node.by if isinstance(node, ir.ChooseOption) else None
            amount = node.amount if isinstance(node, ir.ShareOut) else None
            parts = present(node.bind.source, node.where, amount)
            trace = _Trace(self._calls, node.site)
            yield from trace.leading(point, ME if by is None else by, parts)
            yield from self._coming(point, node.site)
            if by is not None:
                yield Influence(by, None, node.site)
        # Everyone sees who is shown how many things, and from where.
        for point, show in self._shows:
            for each in (
                *self._coming(point, point.owner),
                *self._behind(show.to, point, set()),
                *self._behind(show.what, point, set()),
            ):
                yield replace(each, shows=True)
        for action in self._program.actions.values():
            for ask in action.asks:
                yield Influence(ask.who, None, ask.address)
        for reaction in self._program.reactions.values():
            for ask in reaction.asks:
                yield Influence(ask.who, None, ask.address)
                yield from self._coming(self._of_reaction(reaction), ask.address)

    def _coming(self, point: _Point, where: str) -> Iterator[Influence]:
        """Yield the influences on whether a question comes, which all seats notice.

        The sources of `let` variables count. Those of parameters do not: players see a
        played card.
        """
        points, seen = [point], set[tuple[str, tuple[ir.Expr, ...]]]()
        for each in points:
            if (each.owner, each.around) in seen:
                continue
            seen.add((each.owner, each.around))
            points += [call.point for call in self._calls.get(each.owner, ())]
            traced, deciding = set[int](), list(each.around)
            for expr in deciding:
                yield Influence(expr, None, where)
                for slot in sorted((slots_read(expr) & each.given.keys()) - traced):
                    values = whole = each.given[slot]
                    if _asks_if_any(expr):
                        values = tuple(map(_emptiness, whole))
                    if values == whole:
                        traced.add(slot)
                    deciding += values
                for slot in slots_read(expr) & each.lying.keys():
                    for zone in each.lying[slot][1]:
                        yield Influence(zone, None, where)

    def _behind(
        self, expr: ir.Expr, point: _Point, traced: set[tuple[str, int]]
    ) -> Iterator[Influence]:
        """Yield the influences on what a statement names, also through its callers.

        Things are named by their places, so those that a zone holds reveal nothing.
        """
        match _number(expr):
            case ir.MakeSet(items=items) | ir.PileTop(keys=items):
                for each in items:
                    yield from self._behind(each, point, traced)
                return
            case ir.Local():
                pass
            case named:
                yield Influence(named, None, point.owner)
        for slot in sorted(slots_read(expr) - {0}):
            if (point.owner, slot) in traced:
                continue
            traced.add((point.owner, slot))
            for each in point.given.get(slot, ()):
                yield from self._behind(each, point, traced)
            if slot not in point.given:
                for call in self._calls.get(point.owner, ()):
                    if slot <= len(call.args):
                        arg = call.args[slot - 1]
                        yield from self._behind(arg, call.point, traced)

    # ---- where bodies begin

    def _of_reaction(self, reaction: ir.ReactionDef) -> _Point:
        """Return the start of a reaction: its needs hold, and its value has changed."""
        begin = _Point(reaction.name, tuple(_tests(reaction.needs)))
        if reaction.moment != "when":
            return begin
        keys = key_locals(reaction.params)
        type_ = self._program.values[reaction.event].type
        value = ir.CallValue(reaction.event, keys, type_, span=reaction.span)
        first = len(keys) + 1
        return begin.inside([value], range(first, first + len(reaction.change)))

    def _bodies(self, begin: _Point, bodies: Sequence[ir.Body], params: int) -> None:
        for body in bodies:
            self._walk(body.block, begin)
            for name in (*body.before, *body.after):
                self._hook(name, begin, params)

    def _hook(self, name: str, point: _Point, params: int) -> None:
        """Record a reaction here: it is called with the same parameters."""
        same = key_locals(self._program.reactions[name].params[:params])
        self._calls[name].append(_Call(point, same))

    # ---- through statements

    def _chosen(
        self,
        point: _Point,
        slots: Sequence[int],
        seat: ir.Expr,
        blocks: Iterable[ir.Block],
    ) -> _Point:
        """Return a place where a seat chose the things in slots, which blocks move."""
        zones, shown = self._moved(blocks, frozenset())
        lying = {
            slot: (seat, tuple(zones[slot]))
            for slot in slots
            if slot in zones
            and slot not in shown
            and all(self._program.zones[zone.zone].seen for zone in zones[slot])
        }
        return replace(point, lying={**point.lying, **lying})

    def _moved(
        self, blocks: Iterable[ir.Block], inside: frozenset[str]
    ) -> tuple[dict[int, list[ir.Contents]], set[int]]:
        """Return where blocks move the things in slots, and the slots that they show.

        Things are shown if somebody is shown them, or if it is unknown where they go.
        """
        zones, shown = defaultdict[int, list[ir.Contents]](list), set[int]()
        for node in beneath(*chain.from_iterable(blocks)):
            match node:
                case ir.MoveThings(what, ir.PositionOf(zone, keys, type=kind)):
                    assert isinstance(kind, Position)
                    there = ir.Contents(zone, keys, Set(kind.member), span=node.span)
                    for slot in _slots_named(what):
                        zones[slot].append(there)
                case ir.ShowThings(what=what):
                    shown |= _slots_named(what)
                case ir.CallEffect(effect=name, args=args):
                    effect = self._program.effects[name]
                    inner, seen = dict[int, list[ir.Contents]](), set[int]()
                    if name not in inside:
                        does = (body.block for body in effect.does)
                        inner, seen = self._moved(does, inside | {name})
                    for number, arg in enumerate(args, 1):
                        moves = [
                            (each, present(*(_from_caller(k, args) for k in each.keys)))
                            for each in inner.get(number, ())
                        ]
                        for slot in _slots_named(arg):
                            zones[slot] += (replace(z, keys=keys) for z, keys in moves)
                            if number in seen or any(
                                len(keys) < len(zone.keys) for zone, keys in moves
                            ):
                                shown.add(slot)
                case _:
                    pass
        return zones, shown

    def _walk(self, block: ir.Block, point: _Point) -> None:
        for statement in block:
            match statement:
                case ir.LetSlot(slot=slot, value=value):
                    point = point.knowing([slot], [value])
                case ir.ShowThings(what=what, to=to):
                    items = what.items if isinstance(what, ir.MakeSet) else (what,)
                    shown = [e.slot for e in items if isinstance(e, ir.Local)]
                    if SureMembers(self._program, lambda _: False).has(to):
                        point = point.knowing(shown, [])
                    else:
                        self._shows.append((point, statement))
                case ir.CallEffect(effect=name, args=args):
                    self._calls[name].append(_Call(point, args))
                case ir.When(rows, otherwise):
                    inner = point
                    for condition, body in rows:
                        inner = inner.inside([condition])
                        self._walk(body, inner)
                    self._walk(otherwise, inner)
                case ir.ForEach(binds=binds, where=where, keys=keys):
                    sources = [bind.source for bind in binds]
                    parts = [*sources, *present(where, statement.until), *keys]
                    slots = [slot for bind in binds for slot in bind.slots]
                    self._walk(statement.body, point.inside(parts, slots))
                case ir.DrawOne(bind=bind, where=where):
                    parts = [*present(bind.source, where)]
                    self._walk(statement.body, point.inside(parts, bind.slots))
                case ir.ChooseOption(bind=bind, by=by, body=body):
                    self._found.append((point, statement))
                    seat = ME if by is None else by
                    self._walk(body, self._chosen(point, bind.slots, seat, [body]))
                    self._walk(statement.otherwise, point)
                case ir.ShareOut():
                    self._found.append((point, statement))
                    self._walk(statement.body, point)
                case _:
                    pass


def _slots_named(what: ir.Expr) -> set[int]:
    """Return the slots whose things these are."""
    items = what.items if isinstance(what, ir.MakeSet) else (what,)
    return {each.slot for each in items if isinstance(each, ir.Local)}


def _from_caller(key: ir.Expr, args: Sequence[ir.Expr]) -> ir.Expr | None:
    """Return a key of an effect in its caller's frame; None if it is unknown there."""
    if isinstance(key, ir.Local) and 0 < key.slot <= len(args):
        return args[key.slot - 1]
    return key if _is_me(key) or isinstance(key, ir.Const) else None


def _asks_if_any(test: ir.Expr) -> bool:
    """Return whether a test only asks if a variable is none."""
    if isinstance(test, ir.Unary) and test.op == "not":
        return _asks_if_any(test.operand)
    return isinstance(test, ir.IsNone) and isinstance(test.operand, ir.Local)


def _emptiness(value: ir.Expr) -> ir.Expr:
    """Return the expression that decides whether a value is none.

    For the top of a pile, or a zone's first thing, it is the zone's size.
    """
    match value:
        case ir.FirstOf(operand=things):
            return _number(things)
        case ir.PileTop():
            return ir.IsNone(value, Flag(), span=value.span)
        case _:
            return value


def _number(set_: ir.Expr) -> ir.Expr:
    """Return the size of a zone's contents, which everyone sees; else the set."""
    match set_:
        case ir.Contents(zone, keys, type_):
            many = Whole(0, capacity(member_of(type_)))
            return ir.ZoneSize(zone, keys, many, span=set_.span)
        case _:
            return set_


class _Trace:
    """Everything that leads to one decision, including calls of effects."""

    def __init__(self, calls: Mapping[str, list[_Call]], where: str) -> None:
        self._calls, self._where = calls, where
        self._led: set[tuple[str, ir.Expr | None]] = set()
        self._traced: set[tuple[object, ...]] = set()

    def leading(
        self, point: _Point, decider: ir.Expr | None, parts: Sequence[ir.Expr] = ()
    ) -> Iterator[Influence]:
        """Yield the parts, their surroundings, and the way to their owner."""
        for expr in (*parts, *point.around):
            yield from self._through(expr, point, decider)
        if (point.owner, decider) in self._led:
            return
        self._led.add((point.owner, decider))
        for call in self._calls.get(point.owner, ()):
            yield from self.leading(call.point, _at_call(decider, call))

    def _through(
        self, expr: ir.Expr, point: _Point, decider: ir.Expr | None
    ) -> Iterator[Influence]:
        """Yield an expression, and those that its variables come from."""
        yield Influence(expr, decider, self._where, point.given)
        for slot in sorted(slots_read(expr) - {0}):
            traced = (point.owner, slot, decider, point.given.get(slot))
            if traced in self._traced:
                continue
            self._traced.add(traced)
            for each in point.given.get(slot, ()):
                yield from self._through(each, point, decider)
            chooser, zones = point.lying.get(slot, (None, ()))
            if decider not in (None, chooser):
                yield from (Influence(zone, decider, self._where) for zone in zones)
            if slot in point.given:
                continue
            for call in self._calls.get(point.owner, ()):
                if slot <= len(call.args):
                    there = _at_call(decider, call)
                    yield from self._through(call.args[slot - 1], call.point, there)


def _at_call(decider: ir.Expr | None, call: _Call) -> ir.Expr | None:
    """Return the deciding seat in the caller's frame; None if it cannot express it."""
    if decider is None or _is_me(decider) or not slots_read(decider):
        return decider
    if isinstance(decider, ir.Local) and decider.slot <= len(call.args):
        return call.args[decider.slot - 1]
    return None


def _tests(conditions: Sequence[ir.Condition]) -> Iterator[ir.Expr]:
    for condition in conditions:
        yield condition.test
        yield from (expr for _, expr in condition.lifts)
