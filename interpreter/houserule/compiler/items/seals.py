"""Seals: clauses of the game that no variant and no bridge may edit.

A seal covers the clause that it names and what the game itself puts beneath that.
What makes such a clause say something else is refused; what only stands beside it
(further clauses, hooks before and after, orders) is free. A seal holds at every table,
so which edits it refuses does not depend on the table.
"""

from __future__ import annotations

from collections.abc import Iterator

from houserule.base.frozen import frozen
from houserule.compiler.items.items import Declared, Edit, Placed, placed_items
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.parts import MAIN

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


@frozen
class Seal:
    """Why an edit cannot be made: what is sealed, and the word that seals it."""

    sealed: str
    line: tree.Word


@frozen
class Seals:
    """The seals of a game.

    Attributes:
        lines: the sealed addresses, each with the place that says so.
        above: addresses with something sealed beneath them, and one such thing.
        known: all that the game declares, by address, and the phase it stands in.
    """

    lines: dict[str, tree.Word]
    above: dict[str, str]
    known: dict[str, tuple[Declared, str]]

    def refusal(self, edit: Edit, clause: str, word: str) -> Seal | None:
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
                    return Seal(sealed, self.lines[sealed])
        takes_all = edit.verb in {"remove", "hook"} and word == MAIN
        if takes_all and clause in self.above:
            sealed = self.above[clause]
            return Seal(sealed, self.lines[sealed])
        return None


def _is_free(edit: Edit) -> bool:
    """Say whether an edit leaves what its target says as it is."""
    if edit.verb == "hook":
        return not _replaces(edit)
    named_only = edit.verb == "layer" and edit.key is None  # the anchor of a new layer
    return named_only or edit.verb not in CLOSED_TO


def _replaces(edit: Edit) -> bool:
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
    return ruleset.derived(_seals)


def _seals(ruleset: LoadedRuleset) -> Seals:
    placed = placed_items(ruleset)
    lines: dict[str, tree.Word] = {}
    for each in placed:
        if isinstance(each.item, tree.Sealed) and not each.members:
            lines.setdefault(each.item.target.text, each.item.target)
    known = _of_the_game(placed)
    above: dict[str, str] = {}
    for sealed in lines:
        for address in _owners(sealed, known):
            above.setdefault(address, sealed)
    return Seals(lines, above, known)


def _of_the_game(placed: tuple[Placed, ...]) -> dict[str, tuple[Declared, str]]:
    return {
        one.address: (one, each.phase)
        for each in placed
        if not each.origin.unit
        for one in each.declares
    }


def _owners(address: str, known: dict[str, tuple[Declared, str]]) -> Iterator[str]:
    """Yield what goes with an address when it is taken out: owners, then phases."""
    seen = {address}
    while address in known:
        one, phase = known[address]
        owner = one.clause if one.word else one.owner
        address = owner or phase
        if address in seen or not address:
            return
        seen.add(address)
        yield address
