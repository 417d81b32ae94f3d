"""Lines that stand in a unit of the wrong kind: nothing is passed over in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.manifest.ruleset import LoadedRuleset

OF_PRESETS = (tree.Extends, tree.PresetWith, tree.PresetSet)
WORDS: dict[type[tree.Node], str] = {
    tree.Extends: "`extends`",
    tree.PresetWith: "`with` without a block beneath it",
    tree.PresetSet: "`set`",
    tree.Players: "`players`",
}


def misplaced(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield E105 for every line that means nothing where it stands."""
    for unit in ruleset.units:
        for item in _items(unit.items):
            if unit.kind == "preset":
                if not isinstance(item, (*OF_PRESETS, tree.Remark)):
                    yield _in_a_preset(item)
            elif isinstance(item, OF_PRESETS):
                yield _outside_a_preset(item, unit)
            elif isinstance(item, tree.Players) and unit.kind != "game":
                yield _players(item, unit)


def _items(items: tuple[tree.Item, ...]) -> Iterator[tree.Item]:
    for item in items:
        yield item
        if isinstance(item, tree.WithGuard):
            yield from _items(item.items)


def _in_a_preset(item: tree.Item) -> Diagnostic:
    return fault(
        "E105",
        "A preset only chooses: it has `extends`, `with` and `set`, and no rules of "
        "its own.",
        item.span,
        fixes=("write a variant, and name it after `with`",),
    )


def _outside_a_preset(item: tree.Item, unit: tree.Unit) -> Diagnostic:
    ways: tuple[str, ...] = ("write a preset:  preset NAME for GAME",)
    if isinstance(item, tree.PresetWith):
        names = ", ".join(word.text for word in item.names)
        ways = (f"guard some lines:  with {names}:", f"ask for it:  requires {names}")
    elif isinstance(item, tree.PresetSet):
        ways = (f"suggest a value:  default {item.name.text}: …",)
    return fault(
        "E105",
        f"{WORDS[type(item)].capitalize()} stands in presets only, not in a "
        f"{unit.kind}.",
        item.span,
        fixes=ways,
    )


def _players(item: tree.Players, unit: tree.Unit) -> Diagnostic:
    return fault(
        "E105",
        f"`players` is said once, by the game; a {unit.kind} may want some of them.",
        item.span,
        fixes=(f"needs players {item.low}..{item.high}",),
    )
