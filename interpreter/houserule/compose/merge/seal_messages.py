"""The texts of messages about seals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.merge.messages import VERBS, titled
from houserule.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.diagnostics.suggest import nearest_few
from houserule.diagnostics.words import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houserule.compose.items.items import EditOf
    from houserule.compose.merge.seals import Refusal
    from houserule.compose.rules import Origin
    from houserule.syntax import tree

OWNERS = frozenset({"action", "effect", "reaction"})
HAPPENING = frozenset({"does", "cost", "step", "phase"})


def sealed(origin: Origin, edit: EditOf, why: Refusal, kind: str) -> Diagnostic:
    """Return E214: an edit of a clause that the game keeps as it is.

    Args:
        origin: who edits.
        edit: the edit.
        why: what is sealed.
        kind: the kind of what is edited, '' if that does not matter.
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
        "E214",
        message,
        edit.span,
        others=[Label(why.line.span, lead="sealed here:")],
        details=["What a game seals stays as it is at every table."],
        fixes=[*_beside(target, kind), out],
    )


def _beside(target: str, kind: str) -> list[str]:
    """Return what can be said beside a sealed clause."""
    if kind == "needs":
        owner = target.rpartition(".")[0]
        return [f"Add a condition of your own:  needs {owner}.NAME: ..."]
    if kind in OWNERS:
        return [f"Add a condition of your own:  needs {target}.NAME: ..."]
    if kind in HAPPENING:
        return [f"Let more happen around it:  after {target} as NAME"]
    return []


def seals_elsewhere(origin: Origin, target: tree.Word) -> Diagnostic:
    """Return E103: a seal in a variant, in a bridge, or beneath `with`."""
    if origin.unit:
        reason = "but only the game itself seals clauses"
    else:
        reason = "but a seal holds at every table and cannot stand beneath `with`"
    message = f"{sentence(titled(origin))} seals {target.text}, {reason}."
    return fault("E103", message, target.span)


def seals_nothing(target: tree.Word, candidates: Iterable[str]) -> Diagnostic:
    """Return E101: a seal of what the game does not declare."""
    near = nearest_few(target.text, candidates, most=2)
    message = f"The game seals {target.text}, but it has no such clause."
    fixes = [f"Another name:  {', '.join(near)}   (closest)"] if near else []
    details = ["Did you mean one of these?"] if near else []
    return fault("E101", message, target.span, details=details, fixes=fixes)
