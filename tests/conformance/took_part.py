"""Which clauses of a program take part in something, and whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import lru_cache

from houserule import ir
from houserule.ir.types import Type

Links = dict[str, frozenset[str]]

NOT_FOLLOWED = {"span", "type", "actions", "parent", "phase"}


class Same:
    """A program as a key: equal to itself alone."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program

    def __hash__(self) -> int:
        return id(self.program)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.program is self.program


class Clauses:
    """The clauses of one program: what each calls or reads, and who had a hand in it.

    Names are those of values, effects, actions, reactions, steps, states, zones and
    so on; a part of one, such as `slide.downhill`, leads to the whole. A phase leads
    to what it says itself, not to what happens inside it.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.wholes = self._wholes()
        self.links: Links = {
            name: frozenset(
                mentioned for node in nodes for mentioned in self._mentioned(node)
            )
            for name, nodes in self.wholes.items()
        }

    @staticmethod
    @lru_cache(maxsize=256)
    def _of(key: Same) -> Clauses:
        return Clauses(key.program)

    @classmethod
    def of(cls, program: ir.Program) -> Clauses:
        """Return the clauses of a program, worked out once."""
        return cls._of(Same(program))

    def _wholes(self) -> Mapping[str, tuple[ir.CoreNode, ...]]:
        """Return every declared thing by name, with the nodes that say it."""
        program = self.program
        kinds: tuple[Mapping[str, ir.CoreNode], ...] = (
            program.values,
            program.effects,
            program.actions,
            program.reactions,
            program.steps,
            program.states,
            program.zones,
            program.phases,
        )
        found: dict[str, tuple[ir.CoreNode, ...]] = {
            name: (node,) for kind in kinds for name, node in kind.items()
        }
        found["winners"] = (program.winners, *program.winning_keys)
        for tokens in program.tokens.values():
            found |= {slot: (tokens,) for slot in tokens.slots}
        return found

    def _mentioned(self, value: object) -> Iterator[str]:
        """Yield the names of clauses in a node, of those it calls, and of its parts."""
        match value:
            case str() if value in self.program.clauses or value in self.wholes:
                yield value
            case ir.Can(step=step):
                yield from (step, *self.program.steps[step].actions)
            case ir.PhaseDef():
                yield from self._mentioned((value.source, value.guard, value.until))
                yield from (*value.before_hooks, *value.after_hooks)
                return
            case ir.ReadField(kind=kind, field=field):
                yield f"{kind.name}.{field}"
            case tuple() | Mapping():
                parts = value.items() if isinstance(value, Mapping) else value
                for part in parts:
                    yield from self._mentioned(part)
            case _:
                pass
        if isinstance(value, ir.CoreNode) and not isinstance(value, Type):
            for each in fields(value):
                if each.name not in NOT_FOLLOWED:
                    yield from self._mentioned(getattr(value, each.name))

    def judging(self, action: ir.ActionDef) -> frozenset[str]:
        """Return every clause that decides whether a player may take an action."""
        parts = (
            *(bind.source for bind in action.params),
            *(bind.source for cost in action.costs for bind in cost.binds),
            *(payment for cost in action.costs for payment in cost.payments),
            *action.conditions,
            *(limit.count for limit in action.limits),
            tuple(limit.address for limit in action.limits),
            tuple(cost.address for cost in action.costs),
        )
        own = frozenset(self._mentioned(parts))
        return own | self.reached(name for name in own if name in self.wholes)

    def reached(self, start: Iterable[str]) -> frozenset[str]:
        """Return the first clauses, and everything that they call or read."""
        found: set[str] = set()
        waiting = list(start)
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            waiting += self.links.get(name, ())
            if "." in name:
                waiting.append(name.split(".")[0])
        return frozenset(found)

    def hands(self, names: Iterable[str]) -> frozenset[str]:
        """Return the variants and bridges that wrote or changed some clauses."""
        infos = (self.program.clauses.get(name) for name in names)
        return frozenset(
            unit
            for info in infos
            if info is not None
            for unit in (info.origin, *info.changed_by)
            if unit
        )


def members(unit: str) -> frozenset[str]:
    """Return the variants that a unit stands for: a bridge for several."""
    return frozenset(unit.split("+"))
