"""Presets: named choices of variants and settings that can extend one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from houserule.base.source import Span
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
    presets = {unit.id: unit for unit in ruleset.units_of("preset")}
    variants, options = ruleset.derived(_known_names)
    sound = ruleset.derived(_sound_presets)

    def extended(name: str, place: Span | None, above: tuple[str, ...]) -> Preset:
        unit, way = presets.get(name), (*above, name)
        if unit is None:
            found.append(unknown_name("preset", name, presets, place, ruleset))
            return Preset(name, frozenset(), {})
        if name in above:
            circle = f"Presets go in a circle: {' extends '.join(way)}."
            found.append(fault(E309, circle, unit.names[0].span))
            return Preset(name, frozenset(), {})
        if len(way) > limit("calls"):
            message = f"`{way[0]}` begins a chain of presets that extend one another."
            found.append(too_large("calls", message, unit.names[0].span))
            return Preset(name, frozenset(), {})
        if name in sound:
            return sound[name]
        before = len(found)
        on: set[str] = set()
        settings: dict[str, Plain] = {}
        places: dict[str, SettingPlace] = {}
        for item in unit.items:
            if isinstance(item, tree.Extends) and not has_errors(found):
                base = extended(item.name.text, item.name.span, way)
                on |= base.variants
                settings |= base.settings
                places |= base.places
        for item in unit.items:
            if isinstance(item, tree.PresetSet):
                word, value = item.name, item.value
                places[word.text] = SettingPlace(word.span, value.span)
                try:
                    settings[word.text] = constant_value(value)
                except NotConstantError:
                    text = f"{word.text} is set to something that is not a plain value."
                    found.append(fault(E304, text, value.span))
        for item in unit.items:
            for word in item.names if isinstance(item, tree.PresetWith) else ():
                if word.text in variants:
                    on.add(word.text)
                else:
                    found.append(
                        unknown_name("variant", word.text, variants, word.span)
                    )
        for item in unit.items:
            if isinstance(item, tree.PresetSet) and item.name.text not in options:
                word = item.name
                found.append(unknown_name("option", word.text, options, word.span))
        preset = Preset(name, frozenset(on), settings, places)
        if len(found) == before:
            sound[name] = preset
        return preset

    return extended(name, place, ()), found


def _sound_presets(ruleset: LoadedRuleset) -> dict[str, Preset]:
    """Return the cache of presets without errors."""
    return {}


def _known_names(ruleset: LoadedRuleset) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of all variants, and of all options."""
    variants = frozenset(each.id for each in ruleset.units_of("variant"))
    items = (placed.item for placed in placed_items(ruleset))
    options = (each.name.text for each in items if isinstance(each, tree.Option))
    return variants, frozenset(options)


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
    kind: str,
    name: str,
    candidates: Iterable[str],
    span: Span | None = None,
    ruleset: LoadedRuleset | None = None,
) -> Diagnostic:
    """Return E307: an unknown variant, option or preset.

    If the ruleset has the name as another kind, the fix is the flag of that kind.
    """
    known = sorted(candidates)
    near = nearest_few(name, known)
    message = f"There is no {kind} called {name}."
    if ruleset is not None:
        variants, options = ruleset.derived(_known_names)
        presets = {unit.id for unit in ruleset.units_of("preset")}
        for other, names, flag in (
            ("a preset", presets, f"--preset {name}"),
            ("a variant", variants, f"--with {name}"),
            ("an option", options, f"--set {name}=VALUE"),
        ):
            if name in names:
                wanted = f"{'an' if kind == 'option' else 'a'} {kind}"
                message = f"{name} is {other}, not {wanted}."
                return fault(E307, message, span, fixes=(f"Write  {flag}",))
    if near:
        message += f" Did you mean {' or '.join(near)}?"
    elif known and len(known) <= 12:
        message += f" There are: {', '.join(known)}."
    return fault(E307, message, span)
