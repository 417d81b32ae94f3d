"""Clashes over all tables: two edits, or two declarations, that do not go together.

The laws are those that compose one table. Here each is asked for every pair on one
target: when are both there, and does no bridge mute one of them?
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from houserule.compose.family.findings import Findings, plainly, told
from houserule.compose.items.fields import MAIN, with_part
from houserule.compose.merge import bridge_messages, messages
from houserule.compose.merge.changes import CAPTIONED, change_clauses, new_caption
from houserule.compose.merge.declarations import enter_declarations
from houserule.compose.merge.draft import Draft
from houserule.compose.merge.lifts import check_lifts
from houserule.compose.merge.mutes import may_mute
from houserule.compose.merge.removals import HARMLESS
from houserule.compose.merge.targets import aim_edits
from houserule.compose.tables.formulas import On, both, either, off
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houserule.compose.family.findings import Builder
    from houserule.compose.family.index import Aimed, Index, Said
    from houserule.compose.merge.messages import Where
    from houserule.compose.tables.configurations import Names
    from houserule.compose.tables.formulas import Formula
    from houserule.diagnostics.diagnostic import Diagnostic

Hits: TypeAlias = dict[tuple[str, str], list["Aimed"]]


def check_clashes(index: Index, findings: Findings) -> None:
    """Find E102, E103, E201, E202, E205, W210 and W211 over all tables."""
    checker = _Checker(index, findings)
    checker.misfits()
    checker.declarations()
    checker.names()
    checker.removals()
    checker.changes()
    checker.lifts()


class _Checker:
    def __init__(self, index: Index, findings: Findings) -> None:
        self.index, self.findings = index, findings
        self.placed, self.there = index.placed, index.there

    def _party(self, aimed: Aimed) -> messages.Party:
        return messages.Party(self.placed[aimed.number].origin, aimed.edit.span)

    def _grouped(self, *verbs: str) -> Hits:
        groups: Hits = defaultdict(list)
        for each in self.index.hits:
            if each.edit.verb in verbs:
                groups[each.said.clause, each.said.word].append(each)
        return groups

    def _stays(self, aimed: Aimed) -> Formula:
        """Return when an edit and its target are there, and nobody removes that."""
        return both([self.index.meets(aimed), off(self.index.removed(aimed.said))])

    # ---- E103, E205

    def misfits(self) -> None:
        """Report edits of a kind that their target does not know."""
        for each in self.index.aimed:
            if each.reason:
                origin = self.placed[each.number].origin
                found = messages.does_not_fit(origin, each.edit, each.reason)
                meets, usual = self.index.meets(each), self.there[each.number]
                self.findings.add(meets, plainly(found), usual=usual)

    def declarations(self) -> None:
        """Report two declarations of one address that do not say the same."""
        clashing: set[tuple[str, int, int]] = set()
        for address, every in self.index.said.items():
            clauses = [each for each in every if each.word == MAIN]
            for one, other in combinations(clauses, 2):
                if self._differ(one, other):
                    pair = (one.number, other.number)
                    if (one.one.owner, *pair) not in clashing:
                        self._one_name(address, one, other)
                    clashing.add((address, *pair))

    def _differ(self, one: Said, other: Said) -> bool:
        if one.one.content != other.one.content:
            return True
        first, second = self.placed[one.number], self.placed[other.number]
        return (first.origin.unit, first.members) == (
            second.origin.unit,
            second.members,
        )

    def names(self) -> None:
        """Report one name for two things that have different addresses."""
        groups: dict[tuple[str, str], list[Said]] = defaultdict(list)
        for every in self.index.said.values():
            for each in every:
                if each.one.name:
                    groups[each.one.space, each.one.name].append(each)
        for (_, name), group in groups.items():
            for one, other in combinations(group, 2):
                if one.one.address != other.one.address:
                    self._one_name(name, one, other)

    def _one_name(self, name: str, one: Said, other: Said) -> None:
        pair = (one, other)
        parties = [
            messages.Party(self.placed[each.number].origin, each.one.span)
            for each in pair
        ]
        kinds = [each.one.kind for each in pair]
        condition = both(self.there[each.number] for each in pair)
        self.findings.add(
            condition,
            lambda where, _: messages.one_name_two_things(
                name, kinds, parties, where=where
            ),
        )

    # ---- E202

    def removals(self) -> None:
        """Report edits of what others remove."""
        if not self.index.removers:
            return
        for each in self.index.hits:
            if each.edit.verb in HARMLESS or self._is_own(each):
                continue
            for remover, condition in self.index.removals(each.said):
                self._changed_and_removed(each, remover, condition)

    def _is_own(self, aimed: Aimed) -> bool:
        origin = self.placed[aimed.number].origin
        declared = self.index.said[aimed.said.clause]
        own = any(self.placed[each.number].origin == origin for each in declared)
        return own and aimed.edit.verb in {"add", "layer"}

    def _changed_and_removed(
        self, aimed: Aimed, remover: Aimed, condition: Formula
    ) -> None:
        edit, game = aimed.edit, self.index.ruleset.id
        removing, editing = [self._party(remover)], self._party(aimed)
        self.findings.add(
            both([condition, self.index.meets(aimed)]),
            lambda where, _: messages.changed_and_removed(
                edit.target,
                removing,
                editing,
                edit.verb,
                game,
                removed=remover.edit.target,
                where=where,
            ),
        )

    # ---- E102, E201, W211

    def changes(self) -> None:
        """Report stale changes, and changes and raises that disagree."""
        for hits in self._grouped("change", "raise", "caption").values():
            checked = [(each, self._check_change(each)) for each in hits]
            for (one, fresh), (other, new) in combinations(checked, 2):
                applied = fresh and new
                if one.said is other.said and self._disagree(one, other, applied):
                    self._two_values(one, other)

    def _check_change(self, aimed: Aimed) -> bool:
        """Report what is wrong with one change; say whether it can be applied."""
        item, said = self.placed[aimed.number].item, aimed.said
        if not isinstance(item, tree.Change):
            return True
        if said.one.payload != aimed.edit.expects:
            self._alone(aimed, "E102")
            return False
        caption = getattr(said.one.node, "caption", None)
        captioned = isinstance(said.one.node, CAPTIONED) and caption is not None
        if said.word == MAIN and captioned and item.caption is None:
            self._alone(aimed, "W211")
        if with_part(said.one.node, said.word, item.after) is None:
            self._alone(aimed, "E103")
        return True

    def _alone(self, aimed: Aimed, code: str) -> None:
        build = self._as_composed(code, [aimed])
        self.findings.add(self._stays(aimed), build, usual=self.there[aimed.number])

    def _disagree(self, one: Aimed, other: Aimed, applied: bool) -> bool:
        """Say whether two edits clash; a stale change still keeps raises away."""
        verbs = {one.edit.verb, other.edit.verb}
        if verbs == {"change"} and one.edit.key != other.edit.key:
            return applied
        if verbs == {"change", "raise"}:
            return True
        first, second = (
            new_caption(self.placed[each.number], each.said.word)
            for each in (one, other)
        )
        return applied and first is not None and second is not None and first != second

    def _two_values(self, one: Aimed, other: Aimed) -> None:
        condition = both([self._stays(one), self.there[other.number]])
        self.findings.add(condition, self._as_composed("E201", [one, other]))

    # ---- W210

    def lifts(self) -> None:
        """Report conditions that one lifts and another changes."""
        changes = self._grouped("change")
        for target, lifts in self._grouped("lift").items():
            for lift in lifts:
                for change in changes.get(target, ()):
                    if lift.said is change.said:
                        self._lifted_and_changed(lift, change)

    def _lifted_and_changed(self, lift: Aimed, change: Aimed) -> None:
        origins = [self.placed[each.number].origin for each in (lift, change)]
        if origins[0] == origins[1]:
            return
        units = {name for each in origins for name in each.unit.split("+")} - {""}
        known = either(
            self.there[number]
            for number, placed in enumerate(self.placed)
            if placed.origin.kind == "bridge"
            and units <= set(placed.origin.unit.split("+"))
        )
        condition = both([self._stays(lift), self.there[change.number], off(known)])
        self.findings.add(condition, self._as_composed("W210", [lift, change]))

    # ---- messages as one table has them

    def _as_composed(self, code: str, aimed: list[Aimed]) -> Builder:
        """Return what composing only these edits and their target says."""

        def build(where: Where | None, table: Names) -> Diagnostic | None:
            said = aimed[0].said
            draft = self._draft(table, {said.number, *(a.number for a in aimed)})
            for found in draft.found:
                if found.code == code:
                    return told(found, where)
            return None

        return build

    def _draft(self, table: Names, numbers: Iterable[int]) -> Draft:
        items = tuple(self.placed[number] for number in sorted(numbers))
        draft = Draft(self.index.ruleset, table, items)
        enter_declarations(draft)
        aim_edits(draft)
        change_clauses(draft)
        check_lifts(draft)
        return draft


def check_mutes(index: Index, findings: Findings) -> None:
    """Find mutes that mute nothing (E101), or no member of their bridge (E210)."""
    for number, placed in enumerate(index.placed):
        if isinstance(placed.item, tree.Mute):
            present = On(placed.members)
            if not may_mute(placed):
                found = bridge_messages.mutes_a_stranger(placed.origin, placed.item)
                findings.add(present, plainly(found), usual=present)
                continue
            found = bridge_messages.mutes_nothing(placed.origin, placed.item)
            silenced = either(
                On(index.placed[other].members)
                for other, muting in index.muted_by.items()
                if number in muting
            )
            findings.add(both([present, off(silenced)]), plainly(found), usual=present)
