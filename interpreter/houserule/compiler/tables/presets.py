"""Presets: named choices of variants and settings that can extend one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    fault,
    has_errors,
    too_large,
)
from houserule.base.diagnostics.wording import nearest_few
from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.base.source import NOWHERE, Span
from houserule.compiler.items.items import placed_items
from houserule.compiler.options.options import E304, SettingPlace
from houserule.compiler.options.scales import NotConstantError, constant_value
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.language.syntax import tree


@frozen
class Preset:
    """A choice including the presets it extends; `places` has its settings' places."""

    name: str
    variants: frozenset[str]
    settings: Mapping[str, Plain]
    places: Mapping[str, SettingPlace] = field(default_factory=dict, compare=False)


def preset_of(
    ruleset: LoadedRuleset, name: str, place: Span | None = None
) -> tuple[Preset, list[Diagnostic]]:
    """Return a preset by name, and its errors: unknown names (E307), cycles (E309).

    A setting of the preset overrides those of the presets it extends. `place` is the
    place of its name in a file, if any.
    """
    found: list[Diagnostic] = []
    return _preset(ruleset, tree.Word(name, span=place or NOWHERE), (), found), found


def _preset(
    ruleset: LoadedRuleset,
    asked: tree.Word,
    above: tuple[str, ...],
    found: list[Diagnostic],
) -> Preset:
    name = asked.text
    presets = ruleset.derived(_units_by_name)
    unit = presets.get(name)
    if unit is None:
        place = None if asked.span == NOWHERE else asked.span
        found.append(unknown_name("preset", name, presets, place))
        return Preset(name, frozenset(), {})
    way = (*above, name)
    if name in above:
        found.append(_in_a_circle(way, unit.names[0].span))
        return Preset(name, frozenset(), {})
    if len(way) > limit("calls"):
        message = f"`{way[0]}` begins a row of presets that extend one another."
        found.append(too_large("calls", message, unit.names[0].span))
        return Preset(name, frozenset(), {})
    known = ruleset.derived(_sound_presets)
    if name not in known:
        before = len(found)
        preset = _extended(ruleset, unit, way, found)
        if len(found) > before:
            return preset
        known[name] = preset
    return known[name]


def _units_by_name(ruleset: LoadedRuleset) -> dict[str, tree.Unit]:
    return {unit.id: unit for unit in ruleset.units_of("preset")}


def _sound_presets(ruleset: LoadedRuleset) -> dict[str, Preset]:
    """Return the cache of presets without errors."""
    return {}


def _extended(
    ruleset: LoadedRuleset,
    unit: tree.Unit,
    way: tuple[str, ...],
    found: list[Diagnostic],
) -> Preset:
    """Return a preset with those that it extends, up to the first error."""
    variants: set[str] = set()
    settings: dict[str, Plain] = {}
    places: dict[str, SettingPlace] = {}
    for item in unit.items:
        if isinstance(item, tree.Extends) and not has_errors(found):
            base = _preset(ruleset, item.name, way, found)
            variants |= base.variants
            settings |= base.settings
            places |= base.places
    settings |= _own_settings(unit, found)
    places |= {
        item.name.text: SettingPlace(item.name.span, item.value.span)
        for item in unit.items
        if isinstance(item, tree.PresetSet)
    }
    variants |= _own_variants(ruleset, unit, found)
    _check_options(ruleset, unit, found)
    return Preset(unit.id, frozenset(variants), settings, places)


def _own_variants(
    ruleset: LoadedRuleset, unit: tree.Unit, found: list[Diagnostic]
) -> set[str]:
    known = ruleset.derived(_variants)
    names: set[str] = set()
    for item in unit.items:
        for word in item.names if isinstance(item, tree.PresetWith) else ():
            if word.text in known:
                names.add(word.text)
            else:
                found.append(unknown_name("variant", word.text, known, word.span))
    return names


def _variants(ruleset: LoadedRuleset) -> frozenset[str]:
    return frozenset(each.id for each in ruleset.units_of("variant"))


def _own_settings(unit: tree.Unit, found: list[Diagnostic]) -> dict[str, Plain]:
    settings: dict[str, Plain] = {}
    for item in unit.items:
        if isinstance(item, tree.PresetSet):
            try:
                settings[item.name.text] = constant_value(item.value)
            except NotConstantError:
                text = f"{item.name.text} is set to something that is no plain value."
                found.append(fault(E304, text, item.value.span))
    return settings


def _options(ruleset: LoadedRuleset) -> frozenset[str]:
    return frozenset(
        placed.item.name.text
        for placed in placed_items(ruleset)
        if isinstance(placed.item, tree.Option)
    )


def _check_options(
    ruleset: LoadedRuleset, unit: tree.Unit, found: list[Diagnostic]
) -> None:
    options = ruleset.derived(_options)
    for item in unit.items:
        if isinstance(item, tree.PresetSet) and item.name.text not in options:
            name = item.name
            found.append(unknown_name("option", name.text, options, name.span))


E309 = MessageCode("E309", "circular presets")
"""Presets extend each other in a circle.

**Why.** `extends` copies another preset, so the chain must end.

**For example**

```text
preset a for pig
extends b
preset b for pig
extends a
```

**Fix.** Remove one `extends`.
"""


def _in_a_circle(names: Sequence[str], span: Span) -> Diagnostic:
    """Return E309: presets that extend one another."""
    way = " extends ".join(names)
    return fault(E309, f"Presets go in a circle: {way}.", span)


E307 = MessageCode("E307", "unknown variant or option")
"""There is no variant, option or preset of this name, or none in a `suggests` or a
group; or the option belongs to a variant that is off.

**Why.** A misspelt flag must not be taken for "off".

**For example**

```console
houserule run pig --with no_erly_hold
```

**Fix.** Use the nearest name. `houserule list GAME` shows all.
"""


def unknown_name(
    kind: str, name: str, candidates: Iterable[str], span: Span | None = None
) -> Diagnostic:
    """Return E307: an unknown variant, option or preset."""
    known = sorted(candidates)
    near = nearest_few(name, known)
    message = f"There is no {kind} called {name}."
    if near:
        message += f" Did you mean {' or '.join(near)}?"
    elif known and len(known) <= 12:
        message += f" There are: {', '.join(known)}."
    return fault(E307, message, span)
