"""Arity changes: errors in clauses that expect one thing where several are chosen now.

A change of a parameter's arity (`change reroll.d from tray to 1..2 of tray`) may leave
clauses that still expect one thing. Errors there are reported as their cause: E216.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    MessageCode,
    Severity,
)
from houserule.base.source import Span
from houserule.compiler.merge.messages import titled
from houserule.compiler.rules import Rechosen, Rules
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import clause_address, main_part
from houserule.language.syntax.tree.visitor import walk
from houserule.language.syntax.write.expressions import how_many


def explained(rules: Rules, found: list[Diagnostic]) -> list[Diagnostic]:
    """Return errors; those that result from an arity change become E216."""
    if not rules.rechosen:
        return found
    return [_as_left_behind(rules, each) or each for each in found]


def _as_left_behind(rules: Rules, found: Diagnostic) -> Diagnostic | None:
    if found.severity is not Severity.ERROR or not found.labels:
        return None
    for change in rules.rechosen:
        for address, clause in _speaking_of(rules, change):
            if _stands_in(found.labels[0].span, clause):
                return left_behind(change, address, clause, found)
    return None


def _speaking_of(rules: Rules, change: Rechosen) -> Iterator[tuple[str, tree.Clause]]:
    """Yield the clauses that name a parameter, in its action and in hooks on it."""
    action = rules.actions.get(change.owner)
    owners: list[tree.Action | tree.Reaction] = [action] if action else []
    owners += (
        each
        for each in rules.reactions.values()
        if each.event.parts[0] == change.owner and each.moment != "when"
    )
    for owner in owners:
        for clause in owner.clauses:
            if any(each == change.name for each in _names(clause)):
                yield clause_address(owner.name.text, clause), clause


def _names(clause: tree.Clause) -> Iterator[str]:
    for node in walk(clause):
        if isinstance(node, tree.Name):
            yield node.name


def _stands_in(place: Span, clause: tree.Clause) -> bool:
    """Say whether a place is inside a clause, which may come from several files."""
    return any(place in node.span for node in walk(clause))


E216 = MessageCode("E216", "one thing, or several")
"""A variant lets several be chosen where one was, or one where several were, and a
clause still takes it as before.

**Why.** A clause that compares `d.face` speaks of one die. What it means for two, only
people can say.

**For example**

```rules
action reroll(d in tray) during deciding
  needs low: d.face at most 2
  does again: roll d
change reroll.d from tray to 1..2 of tray      # in a variant; `roll d` is right for both
```

**Way out.** Change the clause, too:
`change reroll.low from d.face at most 2 to every x in d has x.face at most 2`, or what
is to happen into `for x in d: …`. Of one thing the set is `{d}`.
"""  # noqa: E501


def left_behind(
    change: Rechosen, address: str, clause: tree.Clause, found: Diagnostic
) -> Diagnostic:
    """Return E216: a clause expects another arity of a parameter.

    Args:
        change: the change of the arity.
        address: the clause.
        clause: its node.
        found: the error there.
    """
    name, what, who = change.name, how_many(change.after), titled(change.origin)
    if change.after.how == "in":
        taken, now = "several", f"one of {what}"
        way = f"Where a set is wanted, {{{name}}} is the set of it."
        fixes: tuple[str, ...] = (f"change {address} from ... to ...",)
    else:
        taken, now = "one thing", what
        way = "Say what holds of each of them, or of all together:"
        if isinstance(main_part(clause), tree.Block):
            fixes = (f"change {address}\n  from ...\n  to for x in {name}: ...",)
        else:
            fixes = (f"change {address} from ... to every x in {name} has ...",)
    message = f"{address} takes {name} for {taken}, but {who} makes it {now}."
    first, *others = found.labels
    return replace(
        found,
        code=E216.name,
        title=E216.title,
        message=message,
        labels=(first, Label(change.span, lead="changed here:"), *others),
        details=(found.message, way),
        fixes=fixes,
    )
