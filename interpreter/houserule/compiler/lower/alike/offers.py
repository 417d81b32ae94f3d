"""Offers: choices of interchangeable things offer one of them.

An action's variables are chosen in the order of its options; earlier ones distinguish
things for later ones. Choices where this would reveal something hidden do not change:
they offer each thing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

from houserule import ir
from houserule.compiler.lower.alike.exchange import Exchange
from houserule.compiler.lower.alike.places import (
    ChoicePlace,
    ChoicePlaces,
    bound,
    holding,
)
from houserule.compiler.lower.analysis.visibility import leaks
from houserule.compiler.lower.symbols.scope import Frame
from houserule.ir.access import Access
from houserule.ir.types import Kind, Set
from houserule.ir.walk import AskingStatement, rebuilt


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
