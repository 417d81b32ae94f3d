"""W410: additions that bypass another variant's condition, cost or limit.

It compares the items of the product line and composes no table. Arguments do not count:
`place(k) becomes …` changes `place`, `burn(h)` calls `burn`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import get_args

from houserule.base.algebra.graph import reachable
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    MessageCode,
    fault,
    in_reading_order,
)
from houserule.base.diagnostics.wording import listed, sentence
from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.choices.relation_diagram import TooManySwitchesError
from houserule.compiler.conditions.formulas import both
from houserule.compiler.items.index import Declaration, Family, family_of
from houserule.compiler.merge.messages import titled
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import children, walk


def escapes(ruleset: LoadedRuleset) -> list[Diagnostic]:
    """Return W410 for each addition that another variant's restriction misses.

    It skips variants for which some unit has rules or a note together: their author has
    considered both.
    """
    try:
        tables = Configurations(features_of(ruleset))
        return in_reading_order(_Escapes(family_of(ruleset), tables).found())
    except TooManySwitchesError:  # the check of the product line reports it
        return []


W410 = MessageCode("W410", "addition escapes a condition")
"""A variant adds something that does the same as an action or an effect, and misses a
restriction of another variant. It may add an action, a clause, a step or a reaction.
The restriction is a condition, a cost or a limit of that action or effect, or of a
value in its conditions. `check --pairs` reports it.

**Why.** A condition, a cost or a limit of an action applies to that action alone. If
another variant adds a second way to do the same, nothing restricts the second way, and
a rule such as "nobody passes a barrier" is no longer true.

`check` compares what both change and call. It reports an addition whose effects are all
effects of the action, if no other action, no reaction and no step of the same phase has
some of them.

**For example**

```text
variant calm for pig "Nobody banks a small pot"
needs hold.much: pot at least 10

variant bank for pig "Bank and throw on"
action take during deciding
  does gain: score(me) gains pot
```

**Fix.** Put the condition on an effect that both call, `needs EFFECT.NAME: …`. It then
applies to every action that calls the effect. If a step or a reaction calls it and the
condition is not met, the effect does not take place. Or repeat the condition, the cost
or the limit for the addition, under `with VARIANT:`. If you want the addition without
it, write a `note` about it in a
[`with` block](../language/variants.md#relations-between-variants) or in a bridge of
the two variants; `check` then reports nothing.
"""


RESTRICTIONS: Mapping[type[tree.Node], tuple[str, str]] = {
    tree.Needs: ("needs", "condition"),
    tree.Cost: ("cost", "cost"),
    tree.Limit: ("limit", "limit"),
}
_SIMPLE = get_args(tree.SimpleStatement)
WAYS = (
    "Put the condition on an effect that both call:  needs EFFECT.NAME: …",
    "Repeat it where both are on:  with VARIANT:  needs ACTION.NAME: …",
    "If the rules mean this, write a note:  with VARIANT:  note …",
)


class _Escapes:
    """The effects of all bodies, and the conditions of single actions."""

    def __init__(self, family: Family, tables: Configurations) -> None:
        self.family, self.tables = family, tables
        self.bodies: dict[str, list[Declaration]] = defaultdict(list)  # by owner
        self.needs: dict[str, list[Declaration]] = defaultdict(list)
        self.reads: dict[str, set[str]] = defaultdict(set)
        for each in (one for every in family.clauses.values() for one in every):
            if isinstance(each.one.node, tree.Does):
                self.bodies[each.one.owner].append(each)
            elif isinstance(each.one.node, tree.Step):
                self.bodies[each.one.address].append(each)
            elif isinstance(each.one.node, tuple(RESTRICTIONS)):
                self.needs[each.one.owner].append(each)
            match each.one.node:  # what conditions and values read
                case tree.Needs():
                    self.reads[each.one.owner] |= {*_read(each.one.node)}
                case tree.Value():
                    self.reads[each.one.address] |= {*_read(each.one.node)}
                case _:
                    pass

    def found(self) -> Iterator[Diagnostic]:
        """Yield every bypassing addition, once for each condition."""
        restrictions = [
            (need, action)
            for name, every in self.needs.items()
            for action in self.family.clauses.get(name, ())[:1]
            for need in every
            if need.placed.members - action.placed.members
        ]
        # A condition of a value restricts the actions whose conditions read the value.
        restrictions = [
            (need, reader)
            for need, restricted in restrictions
            for reader in self._restricted(restricted)
        ]
        for need, action in restrictions:
            on = need.placed.members
            known = on | action.placed.members
            restricted = self._done([action.one.address], action.placed.members)
            inside = {action.one.address, *restricted}
            owner = action.one.address
            free = self._done(self._roots(action) - inside, known, without=owner)
            # Conditions of effects that can be bypassed.
            for effect in restricted & set(self.needs):
                if any(each.placed.members == on for each in self.needs[effect]):
                    free |= {effect, *self._done([effect], known)}
            for owner in set(self.bodies) - inside:
                if need.one.owner in self._all_read(owner):
                    continue
                for each in self.bodies[owner]:
                    new = each.placed.members - known
                    if not new or not self._beside(owner, action, inside):
                        continue
                    done = self._done([owner], known | new, only=each)
                    met = done - free
                    if not met or not done <= restricted:
                        continue
                    placed = self.family.placed
                    if any(one.members & new and one.members & known for one in placed):
                        continue  # some unit has rules for both
                    there = [self.family.there[one.item] for one in (need, each)]
                    case = self.tables.case(both(there))
                    if case is None:
                        continue
                    who, by = sentence(titled(need.origin)), titled(each.origin)
                    both_do = listed([f"`{name}`" for name in sorted(met)])
                    verb, what = RESTRICTIONS[type(need.one.node)]
                    message = (
                        f"{who} restricts `{action.one.address}` by "
                        f"`{need.one.address}`, and `{each.one.address}` of {by} does "
                        f"the same without that {what}."
                    )
                    details = (
                        f"Both change or call {both_do}.",
                        f"Smallest such table: {case}.",
                    )
                    ways: tuple[str, ...] = WAYS
                    if isinstance(action.one.node, tree.Effect):
                        ways = (f"Call the effect:  {action.one.address}(…)", *WAYS[2:])
                    elif need.one.owner != action.one.address:  # of a value
                        value = f"{need.one.owner}(…)"
                        ways = (f"Let it read the value:  needs … : {value}", *WAYS[1:])
                    elif verb != "needs":  # an effect has none
                        ways = (WAYS[1].replace("needs", verb), *WAYS[2:])
                    others = [Label(need.span, "", f"the {what}:")]
                    yield fault(
                        W410,
                        message,
                        each.span,
                        others=others,
                        details=details,
                        fixes=ways,
                    )
                    break

    def _restricted(self, owner: Declaration) -> Iterator[Declaration]:
        """Yield the action or effect that has a condition, or those that read it."""
        match owner.one.node:
            case tree.Action() | tree.Effect():
                yield owner
            case tree.Value():
                for name in self.needs:
                    if owner.one.address in self._all_read(name):
                        reader = self.family.clauses.get(name, ())[:1]
                        yield from (
                            each
                            for each in reader
                            if isinstance(each.one.node, tree.Action)
                        )
            case _:
                pass

    def _all_read(self, owner: str) -> set[str]:
        """Return all values that the conditions of an owner read, even indirectly."""
        return set(reachable(self.reads.get(owner, ()), self.reads))

    def _done(
        self,
        owners: Iterable[str],
        on: Set[str],
        only: Declaration | None = None,
        without: str = "",
    ) -> set[str]:
        """Return all that owners change and call with some variants, even indirectly.

        With `only`, one body counts instead of all bodies of the owners. The effect
        `without` is omitted, with everything that it does.
        """
        waiting = [each for owner in owners for each in self.bodies.get(owner, ())]
        waiting = waiting if only is None else [only]
        found: set[str] = set()
        declared = self.family.declared
        while waiting:
            body = waiting.pop()
            if body.placed.members <= on:
                names = set(_names(body.one.node)) - found
                # Variables and parameters of a body are its own.
                new = {each for each in names if each in declared or " " in each}
                found |= new
                waiting += (
                    each
                    for name in new - {without}
                    for each in self.bodies.get(name, ())
                )
        return found

    def _roots(self, action: Declaration) -> set[str]:
        """Return what can act without another: but no step outside the action's phase.

        A step such as the set-up, which deals what the action lays, is no second way.
        """
        if not isinstance(action.one.node, tree.Action):
            return set(self.bodies)
        phase = next(iter(self.family.above(action.one.node.at.text)), "")
        found: set[str] = set()
        for owner in self.bodies:
            match self.family.clauses[owner][0].one.node:
                case tree.Effect():
                    pass
                case tree.Step():
                    if phase in self.family.above(owner):
                        found.add(owner)
                case _:
                    found.add(owner)
        return found

    def _beside(self, owner: str, action: Declaration, inside: Set[str]) -> bool:
        """Return whether an owner acts in the same part of play outside the action."""
        node = self.family.clauses[owner][0].one.node
        match node:
            case tree.Reaction():
                hooked = node.event.parts[0]
                return node.moment != "when" and hooked not in inside
            case tree.Step():
                if not isinstance(action.one.node, tree.Action):
                    return True
                phases = set(self.family.above(action.one.node.at.text))
                return bool(phases & set(self.family.above(owner)))
            case _:
                return True


def _names(node: tree.Node) -> Iterator[str]:
    """Yield the calls and the changes of a body."""
    for each in walk(node):
        match each:
            case tree.Call(name=name):
                yield name
            case tree.Becomes(target=changed) | tree.Gains(target=changed):
                yield from _named(changed)
            case tree.Move(what=source, to=to) | tree.MoveCount(source=source, to=to):
                yield from (*_named(source), *_named(to))
            case tree.End(name=name) | tree.Again(name=name):
                yield f"again or end {name.text}"
            case _ if isinstance(each, _SIMPLE) and not hasattr(each, "name"):
                verb = type(each).__name__.lower()  # such as `roll Die`
                yield from (f"{verb} {name}" for name in _named(children(each)[0]))
            case _:
                pass


def _named(expr: tree.Node) -> Iterator[str]:
    if isinstance(expr, tree.Name | tree.Apply):
        yield expr.name


def _read(node: tree.Node) -> Iterator[str]:
    """Yield the names that a condition or a value reads, except under `not`."""
    if isinstance(node, tree.Name | tree.Apply):
        yield node.name
    for each in children(node):
        if not isinstance(each, tree.Not):
            yield from _read(each)
