"""Presets: named choices of variants and settings, which may extend one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.compose.items.items import placed_items
from houserule.compose.options.constants import NotConstantError, constant_value
from houserule.diagnostics.diagnostic import fault
from houserule.diagnostics.wording import nearest_few
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from houserule.diagnostics.diagnostic import Diagnostic
    from houserule.manifest.ruleset import LoadedRuleset, Plain
    from houserule.source import Span


@dataclass(frozen=True, slots=True)
class Preset:
    """A choice with everything that it extends."""

    name: str
    variants: frozenset[str]
    settings: Mapping[str, Plain]


def preset_of(ruleset: LoadedRuleset, name: str) -> tuple[Preset, list[Diagnostic]]:
    """Return a preset by name, and its faults: unknown names (E307), circles (E309).

    A setting of the preset stands above one of the preset it extends.
    """
    found: list[Diagnostic] = []
    return _preset(ruleset, name, (), found), found


def _preset(
    ruleset: LoadedRuleset, name: str, above: tuple[str, ...], found: list[Diagnostic]
) -> Preset:
    presets = {unit.id: unit for unit in ruleset.units_of("preset")}
    unit = presets.get(name)
    if unit is None:
        found.append(unknown_name("preset", name, presets))
        return Preset(name, frozenset(), {})
    way = (*above, name)
    if name in above:
        found.append(_in_a_circle(way, unit.names[0].span))
        return Preset(name, frozenset(), {})
    variants: set[str] = set()
    settings: dict[str, Plain] = {}
    for item in unit.items:
        if isinstance(item, tree.Extends):
            base = _preset(ruleset, item.name.text, way, found)
            variants |= base.variants
            settings |= base.settings
    settings |= _own_settings(unit, found)
    variants |= _own_variants(ruleset, unit, found)
    _check_options(ruleset, unit, found)
    return Preset(name, frozenset(variants), settings)


def _own_variants(
    ruleset: LoadedRuleset, unit: tree.Unit, found: list[Diagnostic]
) -> set[str]:
    known = {each.id for each in ruleset.units_of("variant")}
    names: set[str] = set()
    for item in unit.items:
        for word in item.names if isinstance(item, tree.PresetWith) else ():
            if word.text in known:
                names.add(word.text)
            else:
                found.append(unknown_name("variant", word.text, known, word.span))
    return names


def _own_settings(unit: tree.Unit, found: list[Diagnostic]) -> dict[str, Plain]:
    settings: dict[str, Plain] = {}
    for item in unit.items:
        if isinstance(item, tree.PresetSet):
            try:
                settings[item.name.text] = constant_value(item.value)
            except NotConstantError:
                text = f"{item.name.text} is set to something that is no plain value."
                found.append(fault("E304", text, item.value.span))
    return settings


def _check_options(
    ruleset: LoadedRuleset, unit: tree.Unit, found: list[Diagnostic]
) -> None:
    options = {
        placed.item.name.text
        for placed in placed_items(ruleset)
        if isinstance(placed.item, tree.Option)
    }
    for item in unit.items:
        if isinstance(item, tree.PresetSet) and item.name.text not in options:
            name = item.name
            found.append(unknown_name("option", name.text, options, name.span))


def _in_a_circle(names: Sequence[str], span: Span) -> Diagnostic:
    """Return E309: presets that extend one another."""
    way = " extends ".join(names)
    return fault("E309", f"Presets go in a circle: {way}.", span)


def unknown_name(
    kind: str, name: str, candidates: Iterable[str], span: Span | None = None
) -> Diagnostic:
    """Return E307: no variant, option or preset of that name."""
    known = sorted(candidates)
    near = nearest_few(name, known)
    message = f"There is no {kind} called {name}."
    if near:
        message += f" Did you mean {' or '.join(near)}?"
    elif known and len(known) <= 12:
        message += f" There are: {', '.join(known)}."
    return fault("E307", message, span)
