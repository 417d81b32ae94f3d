"""`or`: exceptions to a condition; any number of them, each with an address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import listed, sentence
from houserule.compiler.conditions.formulas import both, either, off
from houserule.compiler.merge.fault import Fault, Party
from houserule.compiler.merge.messages import labels_of, switched, titled
from houserule.compiler.merge.resolve import Resolution, hits_among
from houserule.compiler.rules import Lifted
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft


W210 = MessageCode("W210", "exception to changed condition")
"""One variant makes an exception to a condition that another one changes.

**Why.** Both apply: the exception then applies to the changed condition. That may be
right; please check.

**For example**

```text
or throw.short: pot is 0
change throw.short from … to …
```

**Fix.** Confirm it with a bridge that cites a sentence or a ruling.
"""


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield W210 if one unit lifts what another changes.

    A bridge that joins both units has considered this, and silences the warning.
    """
    family, changes = resolution.family, resolution.grouped("change")
    for aim, lifts in resolution.grouped("lift").items():
        for lift in lifts:
            for change in changes.get(aim, ()):
                if lift.origin == change.origin:
                    continue
                units = {*lift.origin.unit.split("+"), *change.origin.unit.split("+")}
                seen = either(
                    family.there[number]
                    for number, placed in enumerate(family.placed)
                    if placed.origin.kind == "bridge"
                    and units - {""} <= set(placed.origin.unit.split("+"))
                )
                stays, there = resolution.stays(lift), family.there[change.item]
                yield Fault(
                    both([stays, there, off(seen)]),
                    partial(_lifted_and_changed, lift.address, resolution.ruleset.id),
                    (lift, change),
                    ("W210", lift.address),
                )


def _lifted_and_changed(
    target: str, game: str, parties: tuple[Party, ...], _: frozenset[str]
) -> Diagnostic:
    hits = hits_among(parties)
    lifts = [hit for hit in hits if hit.edit.verb == "lift"]
    changes = [hit for hit in hits if hit.edit.verb == "change"]
    lifting = list(dict.fromkeys(titled(each.origin) for each in lifts))
    changing = list(dict.fromkeys(titled(each.origin) for each in changes))
    lift = "makes" if len(lifting) == 1 else "make"
    change = "changes" if len(changing) == 1 else "change"
    members = sorted({n for p in switched(hits) for n in p.unit.split("+")})
    bridge = f"bridge {', '.join(members)} for {game} [ruling NAME]"
    return fault(
        W210,
        f"{sentence(listed(lifting))} {lift} an exception to {target}, and "
        f"{listed(changing)} {change} it: the exception then holds for the changed "
        "condition.",
        others=labels_of(hits),
        details=("If that is what you mean, say so in a bridge:",),
        fixes=(f'{bridge}\nnote "..."',),
    )


# ---- at one table


def lift(draft: Draft) -> None:
    """Record the lifting units at every lifted clause."""
    for (address, _), hits in draft.hits_of("lift").items():
        for hit in hits:
            draft.edited(address, hit.origin)


def lifts_of(draft: Draft) -> Mapping[str, tuple[Lifted, ...]]:
    """Return the active lifts, by the condition or value that they lift."""
    found: dict[str, tuple[Lifted, ...]] = {}
    for entry in sorted(draft.of_kind("or"), key=lambda each: each.address):
        if isinstance(entry.node, tree.Lift) and entry.owner in draft.entries:
            one = Lifted(entry.address, entry.node.condition, entry.node.span)
            found[entry.owner] = (*found.get(entry.owner, ()), one)
    return found
