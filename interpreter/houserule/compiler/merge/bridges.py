"""Bridges: mutes without effect, and bridges without content or source.

A mute removes one member's edit of one clause from the game. `items.index` decides what
is muted; this module reports errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import did_you_mean, listed, sentence
from houserule.compiler.conditions.formulas import On, both, either, off
from houserule.compiler.items.index import may_mute, muted_at
from houserule.compiler.items.items import items_of, origin_of
from houserule.compiler.merge.fault import Fault, plainly
from houserule.compiler.merge.messages import titled
from houserule.compiler.rules import Origin
from houserule.language.manifest.citations import default_source
from houserule.language.manifest.messages import E101
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.compiler.merge.resolve import Resolution


E210 = MessageCode("E210", "bridge mutes an unrelated variant")
"""A bridge mutes a variant that is not one of its members.

**Why.** A bridge settles a conflict between its members; no one would expect it to mute
a third variant.

**For example**

```text
bridge manager, takeover for game_x
mute marketing at draw.usable
```

**Fix.** Write a bridge that includes this variant.
"""


def faults(resolution: Resolution) -> Iterator[Fault]:
    """Yield mutes that mute nothing (E101), or not a member of their bridge (E210)."""
    family = resolution.family
    for number, placed in enumerate(family.placed):
        if not isinstance(placed.item, tree.Mute):
            continue
        present = On(placed.members)
        if not may_mute(placed):
            name = placed.item.variant.text
            who = sentence(titled(placed.origin))
            found = fault(
                E210,
                f"{who} mutes {name}, but a bridge mutes only its own members.",
                placed.item.variant.span,
                fixes=[f"Write a bridge that joins it:  bridge ..., {name}"],
            )
            yield Fault(present, plainly(found), usual=present)
            continue
        silenced = either(
            On(family.placed[other].members)
            for other, muting in family.muted_by.items()
            if number in muting
        )
        own = [
            other
            for other in family.placed
            if other.origin.unit == placed.item.variant.text
        ]
        targets = (edit.target for other in own for edit in other.edits)
        if not all(each in family.declared for each in targets):
            continue  # one of these hits nothing; E101 may report this one
        where = [address for other in own for address in muted_at(other)]
        tell = partial(_mutes_nothing, placed.origin, placed.item, where)
        yield Fault(both([present, off(silenced)]), tell, usual=present)


def _mutes_nothing(
    origin: Origin, mute: tree.Mute, where: Sequence[str], _parties: object, _: object
) -> Diagnostic:
    """Return E101: a `mute` of nothing; `where` has the addresses that it may mute."""
    name, target = mute.variant.text, mute.target.text
    message = (
        f"{sentence(titled(origin))} mutes {name} at {target}, but {name} says "
        "nothing there."
    )
    near = did_you_mean(target, where)
    there = listed(f"`{each}`" for each in dict.fromkeys(where))
    details = [f"It says something at {there}."] if where else []
    return fault(E101, message, mute.target.span, near, details=details)


# ---- bridges without effect or source


W404 = MessageCode("W404", "bridge without effect")
"""A bridge does nothing, or its members can never be on together.

**Why.** A bridge must mute, add or assert something.

**For example**

```text
bridge german, french for game_x
```

**Fix.** Remove it, or fix the relation that keeps its members apart.
"""


W405 = MessageCode("W405", "bridge without a source")
"""A bridge neither cites a sentence nor has a ruling.

**Why.** A bridge settles a dispute. Readers want to know who settled it.

**For example**

```text
bridge marketing, flexible_order for game_x
mute marketing at draw.usable
```

**Fix.** Add a citation or a ruling in a source note.
"""

SAYS_NOTHING = (tree.Relates, tree.OneOf, tree.NeedsPlayers, tree.Suggests)


def bridge_faults(
    ruleset: LoadedRuleset, variants: Iterable[str] | None = None
) -> list[Diagnostic]:
    """Return W404 and W405 for the bridges of a table, or for all of them."""
    on = None if variants is None else frozenset(variants)
    found: list[Diagnostic] = []
    for bridge in ruleset.units_of("bridge"):
        members = {word.text for word in bridge.names}
        if on is not None and not members <= on:
            continue
        items = [placed.item for placed in items_of(bridge)]
        start, span = f"The bridge {titled(origin_of(bridge))}", bridge.span
        if all(isinstance(item, SAYS_NOTHING) for item in items):
            message = f"{start} mutes, adds and asserts nothing."
            fixes = ['Assert what you found:  assert "...": ...', "Delete the bridge."]
            found.append(fault(W404, message, span, fixes=fixes))
        if not bridge.notes and not any(getattr(item, "notes", ()) for item in items):
            message = f"{start} neither cites a sentence nor has a ruling."
            fixes = [
                'Cite it:  ["Heading" "up to four words"]',
                "Rule it:  [ruling NAME]",
            ]
            if default_source(ruleset.units) is None:  # there is no book to cite
                fixes.reverse()
            found.append(fault(W405, message, span, fixes=fixes))
    return found
