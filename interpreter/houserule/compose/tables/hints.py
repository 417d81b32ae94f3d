"""What `suggests` says: hints for whoever chooses a table. They switch nothing."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from houserule.compose.items.items import placed_items
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from houserule.manifest.ruleset import LoadedRuleset


def suggestions(ruleset: LoadedRuleset) -> Mapping[str, tuple[str, ...]]:
    """Return the variants that each unit suggests, as written, each once.

    The game has the name ''. Units that suggest nothing, and names of no variant, are
    left out; the check of the family tells of such names (E307).
    """
    known = {unit.id for unit in ruleset.units_of("variant")}
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for placed in placed_items(ruleset):
        if isinstance(placed.item, tree.Suggests):
            names = (word.text for word in placed.item.names if word.text in known)
            found[placed.origin.unit].update(dict.fromkeys(names))
    return {unit: tuple(names) for unit, names in found.items() if names}
