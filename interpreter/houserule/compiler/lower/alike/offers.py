"""Offers: choices of interchangeable things offer one of them.

An action's variables are chosen in the order of its options; earlier ones distinguish
things for later ones. A variable of a body distinguishes its thing from others, too.
The remaining items of a loop, and variables of callers, cannot be queried; so things of
those kinds are not interchangeable there. Choices where this would reveal something
hidden do not change: they offer each thing.

A condition of the core decides whether exchanging two things would change anything. It
changes nothing if rules read the same of both. They read its row, face and location,
the seats that saw it, and earlier choices; also states, places of tokens and zones that
have it as a key, and states that hold it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce

from houserule import ir
from houserule.base.frozen import frozen, slotted
from houserule.compiler.lower.analysis.visibility import leaks
from houserule.compiler.lower.symbols.scope import Frame, key_locals
from houserule.compiler.lower.types import FLAG
from houserule.ir.access import Access
from houserule.ir.types import Kind, Maybe, Set, Type, Whole, core, kind_of
from houserule.ir.walk import AskingStatement, beneath, bodies, option_binds, rebuilt

Reading = Callable[[tuple[ir.Expr, ...]], ir.Expr]
Loose = frozenset[str]
"""Names of kinds that are not interchangeable at a place."""
NOTHING: Loose = frozenset()


def offered_once(program: ir.Program) -> ir.Program:
    """Return the program with choices of interchangeable things over `Distinct` sets.

    Its components have their `alike` rows.
    """
    places = ChoicePlaces(program).found()
    found = _Offers(program, places, frozenset()).made()
    before = {each.where for each, _ in leaks(program, Access(program))}
    showing = {each.where for each, _ in leaks(found, Access(found))} - before
    return _Offers(program, places, showing).made() if showing else found


class _Offers:
    """Rewrites the choices of one program, except at the places in `left`."""

    def __init__(
        self,
        program: ir.Program,
        places: Mapping[str, ChoicePlace],
        left: Collection[str],
    ) -> None:
        self._program, self._places, self._left = program, places, left
        self._exchanges = {
            name: Exchange(program, component)
            for name, component in program.components.items()
            if component.alike
        }

    def made(self) -> ir.Program:
        """Return the program with its choices rewritten."""
        program = self._program
        return replace(
            program,
            actions={n: self._action(a) for n, a in program.actions.items()},
            effects={
                n: replace(e, does=tuple(map(self._body, e.does)))
                for n, e in program.effects.items()
            },
            steps={
                n: s if s.body is None else replace(s, body=self._body(s.body))
                for n, s in program.steps.items()
            },
            reactions={
                n: replace(r, does=tuple(map(self._body, r.does)))
                for n, r in program.reactions.items()
            },
        )

    # ---- actions

    def _action(self, action: ir.ActionDef) -> ir.ActionDef:
        frame = Frame(action.frame)
        if action.name not in self._left:
            step = self._program.steps.get(action.at)
            phase = step.phase if step is not None else action.at
            together = (
                phase in self._program.phases and self._program.phases[phase].together
            )
            held: list[ir.Local] = []
            params = self._factors(action.params, held, frame, together=together)
            costs = [
                replace(
                    cost,
                    binds=self._factors(cost.binds, held, frame, together=together),
                )
                for cost in action.costs
            ]
            action = replace(action, params=params, costs=tuple(costs))
        costs = [replace(c, body=self._body(c.body)) for c in action.costs]
        does = tuple(map(self._body, action.does))
        sizes = [action.frame, frame.size]
        sizes += [body.frame for body in (*(c.body for c in costs), *does)]
        return replace(action, costs=tuple(costs), does=does, frame=max(sizes))

    def _factors(
        self,
        binds: tuple[ir.Bind, ...],
        held: list[ir.Local],
        frame: Frame,
        *,
        together: bool,
    ) -> tuple[ir.Bind, ...]:
        """Return the binders of an option; earlier ones distinguish things for others.

        A binder of several variables becomes one binder for each.
        """
        found: list[ir.Bind] = []
        for bind in binds:
            kind = self._kind_of(bind)
            zone = _zone_of(bind.source)
            keys = () if zone is None else zone.keys
            own = any(isinstance(key, ir.Local) and key.slot == 0 for key in keys)
            if kind is None or (together and not own):
                found.append(bind)
                held += bound(bind)
                continue
            for local in bound(bind):
                one = replace(bind, slots=(local.slot,), names=(local.name,))
                found.append(self._distinct(one, kind, holding(held, kind), frame))
                held.append(local)
        return tuple(found)

    def _kind_of(self, bind: ir.Bind) -> Kind | None:
        """Return a binder's kind of things, if some of them are interchangeable."""
        type_ = bind.source.type
        member = type_.member if isinstance(type_, Set) else None
        known = isinstance(member, Kind) and member.name in self._exchanges
        return member if known and isinstance(member, Kind) else None

    def _distinct(
        self, bind: ir.Bind, kind: Kind, apart: list[ir.Expr], frame: Frame
    ) -> ir.Bind:
        """Return a binder over a set in which interchangeable members count once.

        The second of a pair ranges over the members after the first. A pair is one
        option in either order. So members that count once are found among all others,
        then only those after the first are kept.
        """
        zone = _zone_of(bind.source)
        together = zone is not None and self._program.zones[zone.zone].kind == "set"
        once = partial(
            self._exchanges[kind.name].distinct,
            apart=apart,
            take=frame.take,
            together=together,
        )
        match bind.source:
            case ir.CombineSets("beyond", left, ir.Local() as first):
                others = ir.CombineSets("but", left, first, left.type, span=left.span)
                return replace(bind, source=replace(bind.source, left=once(others)))
            case whole:
                return replace(bind, source=once(whole))

    # ---- decisions inside bodies

    def _body(self, body: ir.Body) -> ir.Body:
        frame = Frame(body.frame)

        def changed(node: ir.CoreNode) -> ir.CoreNode:
            if isinstance(node, ir.Expr | ir.Bind):
                return node
            made = rebuilt(node, changed)
            if isinstance(made, ir.MoveThings) and isinstance(made.what, ir.AnyOf):
                return replace(made, what=self._any_of(made.what, frame))
            if isinstance(made, AskingStatement) and made.site not in self._left:
                place = self._places[made.site]
                kind = self._kind_of(made.bind)
                if kind is not None and kind.name not in place.loose:
                    apart = holding(place.held, kind)
                    bind = self._distinct(made.bind, kind, apart, frame)
                    return replace(made, bind=bind)
            return made

        block = tuple(changed(each) for each in body.block)
        return replace(body, block=block, frame=frame.size)  # type: ignore[arg-type]  # statements

    def _any_of(self, some: ir.AnyOf, frame: Frame) -> ir.AnyOf:
        """Return `move n from` a set with the test that its members are alike."""
        type_ = some.type
        assert isinstance(type_, Set)
        assert isinstance(type_.member, Kind)
        exchange = self._exchanges.get(type_.member.name)
        if exchange is None:
            return some
        zone = _zone_of(some.operand)
        together = zone is not None and self._program.zones[zone.zone].kind == "set"
        classes = exchange.distinct(some.operand, (), frame.take, together=together)
        many = ir.Size(classes, Whole(0, type_.member.size), span=some.span)
        one = ir.Const(1, Whole(1, 1))
        return replace(some, same=ir.CompareValues("<=", many, one, FLAG))


def _zone_of(source: ir.Expr) -> ir.Contents | None:
    """Return the zone where all members of a set certainly lie, if there is one."""
    match source:
        case ir.Contents():
            return source
        case ir.Pick(many=True, bind=bind) if bind.how == "member":
            return _zone_of(bind.source)
        case ir.CombineSets("but" | "within" | "beyond", left=left):
            return _zone_of(left)
        case _:
            return None


# ---- places: choices inside bodies, and the variables that distinguish things there


@frozen
class ChoicePlace:
    """A choice inside a body: the body's owner, and the variables known there."""

    owner: str
    held: tuple[ir.Local, ...]
    loose: Loose


@frozen
class _Leading:
    """A place that leads to another owner, with the kinds that it does not see."""

    owner: str
    loose: Loose


@slotted
class _Scope:
    """The variables that a place in a body sees."""

    owner: str
    held: tuple[ir.Local, ...] = ()
    loose: Loose = NOTHING

    def holding(self, more: Iterable[ir.Local]) -> _Scope:
        return _Scope(self.owner, (*self.held, *more), self.loose)

    def looping(self, binds: Sequence[ir.Bind]) -> _Scope:
        """Return the scope inside a loop, whose items are fixed."""
        kinds = {kind.name for bind in binds if (kind := kind_of(bind.type))}
        inner = self.holding(local for bind in binds for local in bound(bind))
        return _Scope(self.owner, inner.held, self.loose | kinds)


def bound(bind: ir.Bind) -> Iterator[ir.Local]:
    """Yield the variables of a binder."""
    for slot, name in zip(bind.slots, bind.names, strict=True):
        yield ir.Local(slot, name, bind.type)


@dataclass
class ChoicePlaces:
    """All places inside bodies where something is chosen, by site."""

    program: ir.Program
    _places: dict[str, ChoicePlace] = field(default_factory=dict)
    _calls: defaultdict[str, list[_Leading]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def found(self) -> dict[str, ChoicePlace]:
        """Return every place, with all the kinds that are loose there."""
        program = self.program
        for action in program.actions.values():
            held = [each for bind in option_binds(action) for each in bound(bind)]
            paid = [cost.body for cost in action.costs]
            self._bodies(_Scope(action.name, tuple(held)), [*paid, *action.does])
        for effect in program.effects.values():
            scope = _Scope(effect.name, key_locals(effect.params))
            self._bodies(scope, effect.does)
            for name in effect.instead:
                self._hook(name, scope)
        for step in program.steps.values():
            if step.body is not None:
                self._bodies(_Scope(step.name), [step.body])
        for reaction in program.reactions.values():
            known = key_locals((*reaction.params, *reaction.change))
            self._bodies(_Scope(reaction.name, known), reaction.does)
        # By owner, the kinds of callers' variables that it does not see.
        loose: defaultdict[str, Loose] = defaultdict(lambda: NOTHING)
        for each in self.program.reactions.values():
            if each.moment == "when":
                # It triggers between two clauses of any action.
                loose[each.name] = frozenset(self.program.components)
        changed = True
        while changed:
            changed = False
            for name, calls in self._calls.items():
                more = loose[name].union(*(c.loose | loose[c.owner] for c in calls))
                changed = changed or more != loose[name]
                loose[name] = more
        found: set[str] = set()
        for each in self.program.reactions.values():
            if each.moment == "when":
                value = self.program.values[each.event]
                types = (value.type, *(param.type for param in value.params))
                found |= {kind.name for t in types if (kind := kind_of(t))}
        watched = frozenset(found)
        return {
            site: ChoicePlace(
                each.owner, each.held, each.loose | loose[each.owner] | watched
            )
            for site, each in self._places.items()
        }

    # ---- bodies

    def _bodies(self, scope: _Scope, inside: Sequence[ir.Body]) -> None:
        for body in inside:
            self._block(body.block, scope)
            for name in (*body.before, *body.after):
                self._hook(name, scope)

    def _hook(self, name: str, scope: _Scope) -> None:
        """Record a reaction here: its parameters are the first variables."""
        seen = len(self.program.reactions[name].params)
        self._call(name, scope, scope.held[:seen])

    def _call(self, name: str, scope: _Scope, seen: Sequence[ir.Expr]) -> None:
        slots = {each.slot for each in seen if isinstance(each, ir.Local)}
        unseen = {
            kind.name
            for each in scope.held
            if each.slot not in slots and (kind := kind_of(each.type))
        }
        self._calls[name].append(_Leading(scope.owner, scope.loose | unseen))

    def _block(self, block: ir.Block, scope: _Scope) -> None:
        for statement in block:
            match statement:
                case ir.LetSlot(slot, name, value):
                    scope = scope.holding([ir.Local(slot, name, value.type)])
                case ir.CallEffect(effect=name, args=args):
                    self._call(name, scope, args)
                case ir.When(rows, otherwise):
                    for _, body in rows:
                        self._block(body, scope)
                    self._block(otherwise, scope)
                case ir.ForEach(binds=binds, body=body):
                    self._block(body, scope.looping(binds))
                case ir.DrawOne(bind=bind, body=body):
                    self._block(body, scope.holding(bound(bind)))
                case ir.ChooseOption():
                    self._note(statement, scope)
                    inner = scope.holding(bound(statement.bind))
                    self._block(statement.body, inner)
                    self._block(statement.otherwise, scope)
                case ir.ShareOut(bind=bind, body=body):
                    self._note(statement, scope)
                    self._block(body, scope.looping([bind]))
                case _:
                    pass

    def _note(self, node: ir.ChooseOption | ir.ShareOut, scope: _Scope) -> None:
        self._places[node.site] = ChoicePlace(scope.owner, scope.held, scope.loose)


def holding(held: Iterable[ir.Local], kind: Kind) -> list[ir.Expr]:
    """Return the variables that hold things of a kind, or sets of them."""
    return [each for each in held if kind_of(each.type) == kind]


# ---- the condition for two things of one kind


class Exchange:
    """Writes the condition for things of one kind."""

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
    inner = core(held.type)
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
