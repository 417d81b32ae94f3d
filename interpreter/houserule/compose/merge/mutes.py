"""Mutes: a bridge takes one member's word on one clause out of the game.

What is muted, and when, stands in `items.index`; here is what can be wrong with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.items.index import may_mute
from houserule.compose.merge.fault import Fault, plainly
from houserule.compose.merge.messages import titled
from houserule.compose.tables.formulas import On, both, either, off
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.diagnostics.words import sentence
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.compose.merge.resolve import Resolution
    from houserule.compose.rules import Origin


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield mutes that mute nothing (E101), or no member of their bridge (E210)."""
    family = resolution.family
    for number, placed in enumerate(family.placed):
        if not isinstance(placed.item, tree.Mute):
            continue
        present = On(placed.members)
        if not may_mute(placed):
            found = mutes_a_stranger(placed.origin, placed.item)
            yield Fault(present, plainly(found), usual=present)
            continue
        silenced = either(
            On(family.placed[other].members)
            for other, muting in family.muted_by.items()
            if number in muting
        )
        found = mutes_nothing(placed.origin, placed.item)
        yield Fault(both([present, off(silenced)]), plainly(found), usual=present)


def mutes_a_stranger(origin: Origin, mute: tree.Mute) -> Diagnostic:
    """Return E210: a `mute` of a variant that the bridge does not join."""
    name = mute.variant.text
    what = "a bridge mutes only its own members"
    message = f"{sentence(titled(origin))} mutes {name}, but {what}."
    fixes = ["Write a bridge that joins it:  bridge ..., " + name]
    return fault("E210", message, mute.variant.span, fixes=fixes)


def mutes_nothing(origin: Origin, mute: tree.Mute) -> Diagnostic:
    """Return E101: a `mute` where its variant says nothing."""
    name, target = mute.variant.text, mute.target.text
    message = (
        f"{sentence(titled(origin))} mutes {name} at {target}, but {name} says "
        "nothing there."
    )
    return fault("E101", message, mute.target.span)
