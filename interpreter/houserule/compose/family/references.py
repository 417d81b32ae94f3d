"""Names and addresses that are there in some tables only, and who relies on them.

E101: an edit whose target is missing in some valid table. E104: a name that is
mentioned where, in some valid table, nobody declares it or somebody removes it. Names
that no unit declares are not found here; the check of composed rules reports them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from houserule.compose.items.mentions import mentions
from houserule.compose.items.scopes import Scopes
from houserule.compose.merge import messages
from houserule.compose.tables.formulas import ALWAYS, On, both, either, holds_in, off
from houserule.diagnostics.diagnostic import Diagnostic, Label
from houserule.diagnostics.words import listed, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.compose.family.findings import Findings
    from houserule.compose.family.index import Index, Said
    from houserule.compose.items.items import EditOf
    from houserule.compose.items.mentions import Mention
    from houserule.compose.merge.messages import Where
    from houserule.compose.rules import Origin
    from houserule.compose.tables.configurations import Names
    from houserule.compose.tables.formulas import Formula

Titles: TypeAlias = dict[str, str]


def check_references(index: Index, findings: Findings) -> None:
    """Find E101 and E104 over all tables."""
    _Edits(index, findings).check()
    _Mentions(index, findings).check()


class _Reader:
    def __init__(self, index: Index, findings: Findings) -> None:
        self.index, self.findings = index, findings
        self.features = findings.tables.features
        self.titles: Titles = index.ruleset.variant_titles

    def plainly_there(self, number: int, wanted: Formula) -> bool:
        """Say whether a condition holds wherever an item is, without counting."""
        if wanted == ALWAYS:
            return True
        with_it = self.features.closed(self.index.placed[number].members)
        return isinstance(wanted, On) and wanted.names <= with_it

    def missing(self, members: Names, ways: list[Names]) -> Titles:
        """Return the variants to add, with their titles, for the shortest way."""
        known = self.features.closed(members)
        lacking = sorted(
            (way - known for way in ways), key=lambda w: (len(w), sorted(w))
        )
        names = sorted(next((way for way in lacking if way), ()))
        return {name: self.titles.get(name, name) for name in names}


# ---- E101


class _Edits(_Reader):
    def check(self) -> None:
        """Report every edit that hits nothing in some valid table."""
        for number, edit in self.index.edits:
            if edit.verb == "mute":
                continue
            present = self.index.present(edit.target)
            if not self.plainly_there(number, present):
                self._report(number, edit, present)

    def _report(self, number: int, edit: EditOf, present: Formula) -> None:
        placed = self.index.placed[number]
        said = self.index.said.get(edit.target, ())
        ways = [self.index.placed[each.number].members for each in said]

        def build(where: Where | None, _: Names) -> Diagnostic:
            return messages.nothing_to_change(
                placed.origin,
                edit,
                wanted=self.missing(placed.members, ways),
                candidates=self.index.said,
                where=where if said else None,
            )

        self.findings.add(both([self.index.there[number], off(present)]), build)


# ---- E104


@dataclass(frozen=True, slots=True)
class _Use:
    """A mention that can be without its declaration, and when it is."""

    number: int
    mention: Mention
    dangles: Formula


class _Mentions(_Reader):
    def __init__(self, index: Index, findings: Findings) -> None:
        super().__init__(index, findings)
        self.scopes = Scopes(index)
        self.things: dict[str, list[Said]] = defaultdict(list)
        self.fields: dict[str, list[Said]] = defaultdict(list)
        self.changes: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._read()
        self._stands: dict[tuple[int, ...], Formula] = {}

    def _read(self) -> None:
        for every in self.index.said.values():
            for said in every:
                if said.one.name:
                    self.things[said.one.name].append(said)
                if said.one.kind == "field":
                    self.fields[said.one.address.rpartition(".")[2]].append(said)
        for each in self.index.hits:
            if each.edit.verb == "change":
                self.changes[each.said.clause, each.said.word].append(each.number)

    def check(self) -> None:
        """Report every name that is mentioned but not always there."""
        groups: dict[tuple[str, str], list[_Use]] = defaultdict(list)
        for number, placed in enumerate(self.index.placed):
            for mention in mentions(placed):
                dangles = self._dangles(number, mention)
                if dangles is not None and self.findings.tables.possible(dangles):
                    use = _Use(number, mention, dangles)
                    groups[placed.origin.unit, mention.name].append(use)
        for uses in groups.values():
            self._report(uses)

    def _dangles(self, number: int, mention: Mention) -> Formula | None:
        """Return when a mention has no declaration; None if that cannot be."""
        declared = self._declared(mention)
        if declared is None or self.plainly_there(number, declared):
            return None
        present = both([self.index.there[number], *self._kept(mention)])
        return both([present, off(declared)])

    def _declared(self, mention: Mention) -> Formula | None:
        """Return when the name is declared; None if no unit ever does."""
        said = self._said(mention)
        if not said:
            return None
        key = tuple(id(each) for each in said)
        if key not in self._stands:
            self._stands[key] = either(self.index.stands(each) for each in said)
        return self._stands[key]

    def _said(self, mention: Mention) -> list[Said]:
        """Return what declares the name: a parameter of the clause, else anybody."""
        if mention.field:
            every = self.fields.get(mention.name, [])
            return [] if self.scopes.is_field(mention.name) else every
        own = self.scopes.bringing(mention.clause, mention.name)
        return own or self.things.get(mention.name, [])

    def _kept(self, mention: Mention) -> Iterator[Formula]:
        """Yield that the clause is not removed, and its part not changed."""
        for said in self.index.said.get(mention.clause, ())[:1]:
            yield off(self.index.removed(said))
        if mention.part is not None:
            for number in self.changes.get((mention.clause, mention.part), ()):
                yield off(self.index.there[number])

    # ---- the message

    def _report(self, uses: list[_Use]) -> None:
        def build(where: Where | None, table: Names) -> Diagnostic:
            return self._message(uses, where, table)

        self.findings.add(either(use.dangles for use in uses), build)

    def _message(
        self, uses: list[_Use], where: Where | None, table: Names
    ) -> Diagnostic:
        here = [use for use in uses if holds_in(use.dangles, table)] or uses
        placed, mention = self.index.placed[here[0].number], here[0].mention
        start = f"{sentence(messages.titled(placed.origin))} speaks of"
        labels = tuple(Label(span) for span in sorted({u.mention.span for u in here}))
        details = where.details() if where else ()
        said = self._said(mention)
        removers = list(self._removers(said, table))
        silencers = list(self._silencers(said, table))
        if removers or silencers:
            who = listed(map(messages.titled, removers or silencers))
            verb = "removes" if removers else "mutes"
            text = f"{start} {mention.name}, but {who} {verb} it."
            fixes = _ways_without(placed.origin, removers, self.index.ruleset.id)
        else:
            ways = [self.index.placed[each.number].members for each in said]
            wanted = self.missing(placed.members, ways)
            text = f"{start} {mention.name}, but that {_only_while(wanted)}."
            fixes = _ways_with(wanted)
        return Diagnostic("E104", text, labels, details, fixes)

    def _removers(self, said: list[Said], table: Names) -> Iterator[Origin]:
        origins: dict[str, Origin] = {}
        for each in said:
            if holds_in(self.index.there[each.number], table):
                for remover, condition in self.index.removals(each):
                    if holds_in(condition, table):
                        origin = self.index.placed[remover.number].origin
                        origins[origin.unit] = origin
        yield from (origins[unit] for unit in sorted(origins))

    def _silencers(self, said: list[Said], table: Names) -> Iterator[Origin]:
        """Yield the bridges that mute a declaration at a table."""
        placed = self.index.placed
        muting = {
            bridge
            for each in said
            if placed[each.number].members <= table
            for bridge in self.index.muted_by.get(each.number, ())
            if placed[bridge].members <= table
        }
        yield from dict.fromkeys(placed[bridge].origin for bridge in sorted(muting))


def _only_while(wanted: Titles) -> str:
    titles = listed(f'"{title}"' for title in wanted.values())
    are = "is" if len(wanted) == 1 else "are"
    return f"exists only while {titles} {are} on" if wanted else "is not always there"


def _ways_with(wanted: Titles) -> tuple[str, ...]:
    if not wanted:
        return ()
    names = ", ".join(wanted)
    return (
        f"Only when it is there:        with {names}:\n{' ' * 32}...",
        f"It cannot be played without:  requires {names}",
    )


def _ways_without(origin: Origin, removers: list[Origin], game: str) -> tuple[str, ...]:
    names = [each.unit for each in removers if each.kind == "variant"]
    if not names or origin.kind != "variant":
        return ("Change these places too, where the name is removed.",)
    members = ", ".join(sorted({origin.unit, *names}))
    bridge = f"bridge {members} for {game} [ruling NAME]\n  change ... from ... to ..."
    return (
        f"Say in a bridge what holds when both are on:\n  {bridge}",
        f"Forbid the pair:  excludes {', '.join(names)}",
    )
