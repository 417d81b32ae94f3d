"""Seals: clauses of the game that no variant and no bridge may edit.

A seal covers the clause that it names and what the game itself puts beneath that.
What makes such a clause say something else is refused (E214); what only stands beside
it (further clauses, hooks before and after, orders) is free. A seal holds at every
table, so which edits it refuses does not depend on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from houserule.compose.items.fields import MAIN
from houserule.compose.items.items import Placed, declares, placed_items
from houserule.compose.merge import seal_messages as messages
from houserule.compose.merge.draft import edits_of
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.compose.items.items import Declared, EditOf
    from houserule.compose.merge.draft import Draft, Hit
    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.manifest.ruleset import LoadedRuleset

CLOSED_TO = frozenset(
    {
        "change",
        "caption",
        "default",
        "raise",
        "remove",
        "lift",
        "extend",
        "layer",
        "adjust",
        "mute",
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an edit cannot be made: what is sealed, and the word that seals it."""

    sealed: str
    line: tree.Word


@dataclass(frozen=True, slots=True)
class Seals:
    """The seals of a game.

    Attributes:
        lines: the sealed addresses, each with the place that says so.
        above: addresses with something sealed beneath them, and one such thing.
    """

    lines: dict[str, tree.Word]
    above: dict[str, str]

    def refusal(self, edit: EditOf, clause: str, word: str) -> Refusal | None:
        """Say why a variant cannot make an edit of what the game declares.

        Args:
            edit: the edit; it fits its target.
            clause: the address of the clause that it hits.
            word: the word of the part of it, '' for the clause itself.
        """
        if not self.lines or _is_free(edit):
            return None
        for address in (edit.target, clause):
            for sealed in _upwards(address):
                if sealed in self.lines:
                    return Refusal(sealed, self.lines[sealed])
        takes_all = edit.verb in {"remove", "hook"} and word == MAIN
        if takes_all and clause in self.above:
            sealed = self.above[clause]
            return Refusal(sealed, self.lines[sealed])
        return None


def _is_free(edit: EditOf) -> bool:
    """Say whether an edit leaves what its target says as it is."""
    if edit.verb == "hook":
        return not replaces(edit)
    named_only = edit.verb == "layer" and edit.key is None  # the anchor of a new layer
    return named_only or edit.verb not in CLOSED_TO


def replaces(edit: EditOf) -> bool:
    """Say whether this is an `instead of`."""
    match edit.key:
        case ("instead", _) if edit.verb == "hook":
            return True
        case _:
            return False


def _upwards(address: str) -> Iterator[str]:
    """Yield an address, then what it stands beneath: `a.b.c`, `a.b`, `a`."""
    while address:
        yield address
        address = address.rpartition(".")[0]


def seals_of(ruleset: LoadedRuleset) -> Seals:
    """Return the seals of a ruleset's game."""
    return _seals(placed_items(ruleset))


@lru_cache(maxsize=16)
def _seals(placed: tuple[Placed, ...]) -> Seals:
    lines: dict[str, tree.Word] = {}
    for each in placed:
        if isinstance(each.item, tree.Sealed) and not each.members:
            lines.setdefault(each.item.target.text, each.item.target)
    above: dict[str, str] = {}
    if lines:
        known = _of_the_game(placed)
        for sealed in lines:
            for address in _owners(sealed, known):
                above.setdefault(address, sealed)
    return Seals(lines, above)


def _of_the_game(placed: tuple[Placed, ...]) -> dict[str, tuple[Declared, str]]:
    """Return all that the game declares, by address, and the phase it stands in."""
    return {
        one.address: (one, each.phase)
        for each in placed
        if not each.origin.unit
        for one in declares(each)
    }


def _owners(address: str, known: dict[str, tuple[Declared, str]]) -> Iterator[str]:
    """Yield what goes with an address when it is taken out: owners, then phases."""
    seen = {address}
    while address in known:
        one, phase = known[address]
        address = one.owner or phase
        if address in seen or not address:
            return
        seen.add(address)
        yield address


# ---- faults


def misplaced(placed: tuple[Placed, ...]) -> Iterator[tuple[Placed, Diagnostic]]:
    """Yield seals that seal nothing: E103 outside of the game, E101 without a clause.

    Args:
        placed: every item of the family.
    """
    known: list[str] | None = None
    for each in placed:
        if not isinstance(each.item, tree.Sealed):
            continue
        target = each.item.target
        if each.origin.unit or each.members:
            yield each, messages.seals_elsewhere(each.origin, target)
            continue
        known = list(_of_the_game(placed)) if known is None else known
        if target.text not in known:
            yield each, messages.seals_nothing(target, known)


def check_seals(draft: Draft) -> None:
    """Report edits of sealed clauses (E214) and take them out; report faulty seals."""
    present = set(draft.placed)
    found = misplaced(placed_items(draft.ruleset))
    draft.found += [fault for each, fault in found if each in present]
    seals = seals_of(draft.ruleset)
    if not seals.lines:
        return
    kept: list[Hit] = []
    for hit in draft.hits:
        why = _refusal(draft, seals, hit.placed, hit.edit)
        if why is None:
            kept.append(hit)
        else:
            kind = "part" if hit.word else draft.entries[hit.address].kind
            draft.found.append(messages.sealed(hit.origin, hit.edit, why, kind))
    draft.hits = kept
    for placed, edit in edits_of(draft.placed):
        if edit.verb == "mute":
            why = _refusal(draft, seals, placed, edit)
            if why is not None:
                draft.found.append(messages.sealed(placed.origin, edit, why, ""))


def _refusal(
    draft: Draft, seals: Seals, placed: Placed, edit: EditOf
) -> Refusal | None:
    aim = draft.find(edit.target)
    if aim is None or not placed.origin.unit:
        return None
    if all(origin.unit for origin in draft.entries[aim[0]].origins):
        return None
    return seals.refusal(edit, *aim)
