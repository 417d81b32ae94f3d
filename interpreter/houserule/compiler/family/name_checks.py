"""Name checks over all tables: missing declarations and ambiguous names.

E104: a name is mentioned, but at some valid table no item declares it or some item
removes it. E205: a variable of one variant has the name of another's thing. Names that
no unit declares, and errors within one unit, are left to the check of composed rules.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import listed, sentence
from houserule.base.frozen import frozen
from houserule.compiler.conditions.formulas import (
    ALWAYS,
    Formula,
    On,
    both,
    either,
    holds_in,
    off,
)
from houserule.compiler.items.index import Declaration
from houserule.compiler.items.mentions import Mention, Scopes, mentions
from houserule.compiler.merge import messages
from houserule.compiler.merge.declarations import one_name_two_things
from houserule.compiler.merge.resolve import Resolution, missing
from houserule.compiler.merge.rows import rows_named
from houserule.compiler.rules import Origin
from houserule.language.syntax.tree.visitor import every_name_bound

if TYPE_CHECKING:
    from houserule.compiler.choices.configurations import Names
    from houserule.compiler.family.findings import Findings


def check_names(resolution: Resolution, findings: Findings) -> None:
    """Report E104 and E205 over all tables."""
    _Mentions(resolution, findings).check()
    # Variables of one variant that are names of things in another: if both are on, the
    # line is ambiguous.
    family = resolution.family
    things: dict[str, list[Declaration]] = defaultdict(list)
    for every in family.clauses.values():
        for each in every:
            if each.one.space == "thing" and each.origin.unit:
                things[each.one.name].append(each)
    for number, placed in enumerate(family.placed):
        words = every_name_bound(placed.item) if placed.origin.unit else ()
        names = {word.text: word for word in words}
        for name in sorted(names.keys() & things.keys()):
            variable = messages.Speaker(placed.origin, names[name].span)
            for thing in things[name]:
                if thing.origin != placed.origin:
                    kinds = ["variable", thing.one.kind]
                    found = one_name_two_things(name, kinds, [variable, thing])
                    when = both([family.there[number], family.there[thing.item]])
                    findings.add(when, lambda _: found)  # noqa: B023  # called now


# ---- E104


@frozen
class _Use:
    """A mention that may lack its declaration, and its condition."""

    number: int
    mention: Mention
    dangles: Formula


E104 = MessageCode("E104", "name depends on a variant")
"""A line uses a name that exists only if some other variant is on.

**Why.** At the tables without that variant, the line would mean nothing.

**For example**

```text
variant extra for pig
needs hold.warm: heat at least 1      # `heat` belongs to another variant
```

**Fix.** Put the line under `with OTHER:`, or write `requires OTHER`.
"""


class _Mentions:
    def __init__(self, resolution: Resolution, findings: Findings) -> None:
        self.resolution, self.findings = resolution, findings
        self.family = resolution.family
        self.scopes = Scopes(self.family)
        self.rows = rows_named(self.family)
        self.things: dict[str, list[Declaration]] = defaultdict(list)
        self.fields: dict[str, list[Declaration]] = defaultdict(list)
        self.changes: dict[tuple[str, str], list[int]] = defaultdict(list)
        for every in self.family.declared.values():
            for said in every:
                if said.one.name:
                    self.things[said.one.name].append(said)
                if said.one.kind == "field":
                    self.fields[said.one.address.rpartition(".")[2]].append(said)
        for each in self.resolution.hits:
            if each.edit.verb == "change":
                self.changes[each.address, each.word].append(each.item)
        self._stands: dict[tuple[Declaration, ...], Formula] = {}

    def check(self) -> None:
        """Report every mention without a declaration at some table."""
        tables = self.findings.tables
        groups: dict[tuple[str, str], list[_Use]] = defaultdict(list)
        for number, placed in enumerate(self.family.placed):
            for mention in mentions(placed):
                said = tuple(self._said(mention))
                if not said:
                    continue
                if said not in self._stands:
                    stands = (self.resolution.stands(each) for each in said)
                    self._stands[said] = either(stands)
                declared = self._stands[said]
                if declared == ALWAYS or (
                    isinstance(declared, On)
                    and declared.names <= tables.features.closed(placed.members)
                ):
                    continue  # it trivially exists whenever the item is active
                # The clause is not removed, and its part not changed.
                kept = [self.family.there[number]]
                for each in self.family.declared.get(mention.clause, ())[:1]:
                    one = each.one
                    kept.append(off(self.resolution.removed(one.clause, one.word)))
                if mention.part is not None:
                    for change in self.changes.get((mention.clause, mention.part), ()):
                        kept.append(off(self.family.there[change]))
                dangles = both([*kept, off(declared)])
                if tables.possible(dangles):
                    use = _Use(number, mention, dangles)
                    groups[placed.origin.unit, mention.name].append(use)
        for uses in groups.values():
            dangles = either(use.dangles for use in uses)
            self.findings.add(dangles, partial(self._message, uses))

    def _said(self, mention: Mention) -> list[Declaration]:
        """Return the declarations of the name: the clause's parameters, else others."""
        row = self.rows.get((mention.of, mention.name)) if mention.of else None
        if row is not None:
            return row
        if mention.field:
            every = self.fields.get(mention.name, [])
            return [] if self.scopes.is_field(mention.name) else every
        own = self.scopes.bringing(mention.clause, mention.name)
        if "." in mention.name:
            return [*self.family.declared.get(mention.name, ())]
        return own or self.things.get(mention.name, [])

    # ---- the message

    def _message(self, uses: list[_Use], table: Names) -> Diagnostic:
        here = [use for use in uses if holds_in(use.dangles, table)] or uses
        placed, mention = self.family.placed[here[0].number], here[0].mention
        start = f"{sentence(messages.titled(placed.origin))} speaks of"
        labels = tuple(Label(span) for span in sorted({u.mention.span for u in here}))
        said = self._said(mention)
        origins: dict[str, Origin] = {}
        for each in said:
            if holds_in(self.family.there[each.item], table):
                one = each.one
                for hit, when in self.resolution.removals(one.clause, one.word):
                    if holds_in(when, table):
                        origins[hit.origin.unit] = hit.origin
        removers = [origins[unit] for unit in sorted(origins)]
        bridges = {
            bridge
            for each in said
            if each.placed.members <= table
            for bridge in self.family.muted_by.get(each.item, ())
            if self.family.placed[bridge].members <= table
        }
        muting = (self.family.placed[bridge].origin for bridge in sorted(bridges))
        silencers = list(dict.fromkeys(muting))
        fixes: tuple[str, ...] = ()
        if removers or silencers:
            who = listed(map(messages.titled, removers or silencers))
            verb = "removes" if removers else "mutes"
            text = f"{start} {mention.name}, but {who} {verb} it."
            fixes = ("Change these places too, where the name is removed.",)
            names = [each.unit for each in removers if each.kind == "variant"]
            if names and placed.origin.kind == "variant":
                members = ", ".join(sorted({placed.origin.unit, *names}))
                bridge = f"bridge {members} for {self.family.ruleset.id} [ruling NAME]"
                edit = "change ... from ... to ..."
                way = "Say in a bridge what holds when both are on"
                fixes = (
                    f"{way}:\n  {bridge}\n  {edit}",
                    f"Forbid the pair:  excludes {', '.join(names)}",
                )
        else:
            ways = [each.placed.members for each in said]
            wanted = missing(self.family, placed, ways)
            name, exists = mention.name, "is not always there"
            if (mention.of, name) in self.rows:
                name = f"{mention.of}.{name}"
            if wanted:
                titles = listed(f'"{title}"' for title in wanted.values())
                are = "is" if len(wanted) == 1 else "are"
                exists = f"exists only while {titles} {are} on"
                on = ", ".join(wanted)
                fixes = (
                    f"Only if it exists:            with {on}:\n{' ' * 32}...",
                    f"It cannot be played without:  requires {on}",
                )
            text = f"{start} {name}, but that {exists}."
        return fault(E104, text, others=labels, fixes=fixes)
