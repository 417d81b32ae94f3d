"""Seals: clauses of the game that no variant and no bridge may edit.

A seal covers its clause and the game's own clauses beneath it. Edits that change the
meaning of a sealed clause are rejected; additions beside it (further clauses, hooks
before and after, orders) are allowed. A seal applies at every table, so the rejected
edits do not depend on the table.
"""

from __future__ import annotations

from houserule.base.frozen import frozen
from houserule.compiler.items.items import Declared, Edit, placed_items
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
    """The reason why an edit is rejected: the sealed clause, and the sealed part."""

    sealed: str
    line: tree.Word


@frozen
class Seals:
    """The seals of a game.

    Attributes:
        lines: the sealed addresses, each with the place of its seal.
        above: addresses with sealed descendants, each with one of them.
        known: the game's declarations by address, with their phases.
    """

    lines: dict[str, tree.Word]
    above: dict[str, str]
    known: dict[str, tuple[Declared, str]]

    def refusal(self, edit: Edit, clause: str, word: str) -> Seal | None:
        """Return why a seal rejects a variant's edit of the game, if any does.

        Args:
            edit: the edit, of a kind that fits its target.
            word: the word of the part, '' for the clause itself.
        """
        match edit.verb, edit.key:
            case "hook", ("instead", _):
                is_free = False
            case "layer", None:  # the anchor of a new layer
                is_free = True
            case _:
                is_free = edit.verb not in CLOSED_TO
        if not self.lines or is_free:
            return None
        for address in (edit.target, clause):
            above = address
            while above:  # its ancestors: `a.b.c`, `a.b`, `a`
                if above in self.lines:
                    return Seal(above, self.lines[above])
                above = above.rpartition(".")[0]
        takes_all = edit.verb in {"remove", "hook"} and word == MAIN
        if takes_all and clause in self.above:
            sealed = self.above[clause]
            return Seal(sealed, self.lines[sealed])
        return None


def seals_of(ruleset: LoadedRuleset) -> Seals:
    """Return the seals of a ruleset's game."""
    return ruleset.derived(_seals)


def _seals(ruleset: LoadedRuleset) -> Seals:
    placed = placed_items(ruleset)
    lines: dict[str, tree.Word] = {}
    for each in placed:
        if isinstance(each.item, tree.Sealed) and not each.members:
            lines.setdefault(each.item.target.text, each.item.target)
    known = {
        one.address: (one, each.phase)
        for each in placed
        if not each.origin.unit
        for one in each.declares
    }
    above: dict[str, str] = {}
    for sealed in lines:
        # Removing an owner, or then a phase, removes it, too.
        address, seen = sealed, {sealed, ""}
        while address in known:
            one, phase = known[address]
            address = (one.clause if one.word else one.owner) or phase
            if address in seen:
                break
            seen.add(address)
            above.setdefault(address, sealed)
    return Seals(lines, above, known)
