"""Seals: edits of sealed clauses (E214), and misplaced seals."""

from __future__ import annotations

from collections.abc import Iterator
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
    family, known = resolution.family, resolution.seals.known
    for placed in family.placed:
        if not isinstance(placed.item, tree.Sealed):
            continue
        target, present = placed.item.target, On(placed.members)
        if placed.origin.unit or placed.members:
            # Beneath `with` it would not apply at every table, so it seals nothing.
            reason = "but a seal holds at every table, so it cannot be under `with`"
            if placed.origin.unit:
                reason = "but only the game itself seals clauses"
            who = sentence(titled(placed.origin))
            found = fault(E103, f"{who} seals {target.text}, {reason}.", target.span)
            yield Fault(present, plainly(found), usual=present)
        elif target.text not in known:
            near = nearest_few(target.text, known, most=2)
            message = f"The game seals {target.text}, but it has no such clause."
            fixes = [f"Another name:  {', '.join(near)}   (closest)"] if near else []
            details = ["Did you mean one of these?"] if near else []
            found = fault(E101, message, target.span, details=details, fixes=fixes)
            yield Fault(present, plainly(found), usual=present)
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
    beside: list[str] = []  # allowed additions
    if kind == "needs":
        owner = target.rpartition(".")[0]
        beside = [f"Add a condition of your own:  needs {owner}.NAME: ..."]
    elif kind in OWNERS - {"step"}:
        beside = [f"Add a condition of your own:  needs {target}.NAME: ..."]
    elif kind in HAPPENING:
        beside = [f"Let more happen around it:  reaction NAME after {target}"]
    out = f"If variants may change it, take {name} out of this line:  sealed ..."
    return fault(
        E214,
        message,
        edit.span,
        others=[Label(why.line.span, lead="sealed here:")],
        details=["A sealed clause is the same at every table."],
        fixes=[*beside, out],
    )
