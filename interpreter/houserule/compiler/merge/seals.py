"""Seals: edits of sealed clauses (E214), and misplaced seals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import nearest_few, sentence
from houserule.compiler.conditions.formulas import On, both
from houserule.compiler.merge.fault import Fault, plainly
from houserule.compiler.merge.messages import E103, VERBS, titled
from houserule.language.manifest.messages import E101
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import OWNERS

if TYPE_CHECKING:
    from houserule.compiler.items.items import Edit
    from houserule.compiler.items.seals import Seal
    from houserule.compiler.merge.resolve import Resolution
    from houserule.compiler.rules import Origin

HAPPENING = frozenset({"does", "cost", "step", "phase"})


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield E214 for edits of sealed clauses, E101 and E103 for invalid seals."""
    yield from _misplaced(resolution)
    family = resolution.family
    for hit in resolution.aimed:
        if hit.seal is not None:
            found = sealed(hit.origin, hit.edit, hit.seal, hit.aims[0].one.kind)
            there = family.there[hit.item]
            yield Fault(hit.applies_when, plainly(found), (hit,), usual=there)
    for number, edit in family.edits:
        if edit.verb == "mute":
            placed, there = family.placed[number], family.there[number]
            for aim in family.meant_by(edit.target):
                seal = resolution.seal(placed, edit, aim)
                if seal is not None:
                    met = both([there, family.there[aim.item]])
                    found = sealed(placed.origin, edit, seal, "")
                    yield Fault(met, plainly(found), usual=there)


def _misplaced(resolution: Resolution) -> Iterator[Fault]:
    """Yield invalid seals: E103 outside of the game, E101 without a clause.

    A seal beneath `with` would not apply at every table, so it seals nothing.
    """
    known = resolution.seals.known
    for placed in resolution.family.placed:
        if not isinstance(placed.item, tree.Sealed):
            continue
        target, present = placed.item.target, On(placed.members)
        if placed.origin.unit or placed.members:
            found = seals_elsewhere(placed.origin, target)
            yield Fault(present, plainly(found), usual=present)
        elif target.text not in known:
            found = seals_nothing(target, known)
            yield Fault(present, plainly(found), usual=present)


E214 = MessageCode("E214", "clause is sealed")
"""A variant or a bridge edits a clause that the game has sealed, or something below it.

**Why.** A game seals the few clauses that everything else rests on, such as fair dice
or who sees a hand. Such a clause is the same at every table, so no variant can change,
tune, extend, remove, mute or replace it, add exceptions to it, or contribute to it.

**For example**

```text
sealed throw.roll            # in the game
remove throw                 # in a variant: throw.roll goes with it
```

**Fix.** Add a rule beside the clause: you may add `needs`, `does` or `limit`, and hooks
`before` and `after`. You may also edit whatever variants add below it. Or ask the
game's author to remove the seal.
"""


def sealed(origin: Origin, edit: Edit, why: Seal, kind: str) -> Diagnostic:
    """Return E214: an edit of a sealed clause.

    Args:
        origin: the editing unit.
        edit: the edit.
        why: the sealed clause.
        kind: the kind of the target, '' if it does not matter.
    """
    target, name = edit.target, why.sealed
    verb = "replaces" if edit.verb == "hook" else VERBS[edit.verb]
    start = f"{sentence(titled(origin))} {verb} {target}"
    if name == target:
        message = f"{start}, but that clause is sealed."
    elif name.startswith(f"{target}."):
        message = f"{start}, and with it {name}, which is sealed."
    else:
        message = f"{start}, but {name} is sealed."
    out = f"If the game may let go of it, take {name} out of this line:  sealed ..."
    return fault(
        E214,
        message,
        edit.span,
        others=[Label(why.line.span, lead="sealed here:")],
        details=["What a game seals stays as it is at every table."],
        fixes=[*_beside(target, kind), out],
    )


def _beside(target: str, kind: str) -> list[str]:
    """Return the allowed additions beside a sealed clause."""
    if kind == "needs":
        owner = target.rpartition(".")[0]
        return [f"Add a condition of your own:  needs {owner}.NAME: ..."]
    if kind in OWNERS - {"step"}:
        return [f"Add a condition of your own:  needs {target}.NAME: ..."]
    if kind in HAPPENING:
        return [f"Let more happen around it:  reaction NAME after {target}"]
    return []


def seals_elsewhere(origin: Origin, target: tree.Word) -> Diagnostic:
    """Return E103: a seal in a variant, in a bridge, or beneath `with`."""
    if origin.unit:
        reason = "but only the game itself seals clauses"
    else:
        reason = "but a seal holds at every table and cannot stand beneath `with`"
    message = f"{sentence(titled(origin))} seals {target.text}, {reason}."
    return fault(E103, message, target.span)


def seals_nothing(target: tree.Word, candidates: Iterable[str]) -> Diagnostic:
    """Return E101: a seal of a clause that the game does not declare."""
    near = nearest_few(target.text, candidates, most=2)
    message = f"The game seals {target.text}, but it has no such clause."
    fixes = [f"Another name:  {', '.join(near)}   (closest)"] if near else []
    details = ["Did you mean one of these?"] if near else []
    return fault(E101, message, target.span, details=details, fixes=fixes)
