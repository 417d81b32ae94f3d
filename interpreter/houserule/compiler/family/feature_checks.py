"""Checks of the feature model: dead variants, core variants, bridges, presets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    MessageCode,
    Severity,
    fault,
)
from houserule.base.diagnostics.wording import listed, number_word, sentence
from houserule.compiler.choices.feature_model import Features
from houserule.compiler.choices.relation_diagram import contradiction
from houserule.compiler.conditions.formulas import ALWAYS, Formula, off, on
from houserule.compiler.items.items import origin_of, placed_items
from houserule.compiler.merge.bridges import W404, bridge_faults
from houserule.compiler.merge.messages import a, titled
from houserule.compiler.tables.choose import preset_faults
from houserule.compiler.tables.presets import unknown_name
from houserule.language.manifest.messages import E020, E205
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.compiler.choices.configurations import Configurations


def check_model(ruleset: LoadedRuleset, tables: Configurations) -> list[Diagnostic]:
    """Report E401, W402, W404, W405, W406, and errors in presets (E30x).

    It also reports lines in a unit without effect or declared twice (E020, E105, E205).
    """
    found = [*unknown_variants(ruleset), *misplaced(ruleset)]
    found += [*_empty_ranges(ruleset), *_twice(ruleset)]
    if tables.count == 0:
        message = "No table is valid: whatever is on, one of these lines does not hold."
        return [*found, fault(E401, message, others=_reasons(tables.features, ALWAYS))]
    for unit in ruleset.units_of("variant"):
        if not tables.possible(on(unit.id)):
            labels = _reasons(tables.features, on(unit.id))
            found.append(
                fault(
                    E401,
                    f"{sentence(titled(origin_of(unit)))} can be on in no valid table.",
                    unit.names[0].span,
                    others=labels,
                    details=["With it, these lines cannot all hold."] if labels else [],
                    fixes=["Leave one of these lines out, or delete the variant."],
                )
            )
        elif not tables.possible(off(on(unit.id))):
            found.append(
                fault(
                    W402,
                    f"{sentence(titled(origin_of(unit)))} is on in every valid table.",
                    unit.names[0].span,
                    others=_reasons(tables.features, off(on(unit.id))),
                    fixes=[
                        "Make it part of the base game, or leave one of these lines out."
                    ],
                )
            )
    found += bridge_faults(ruleset)
    found += _bridges(ruleset, tables)
    found += _presets(ruleset)
    return found


# ---- names of variants


def unknown_variants(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield E307 for every unknown variant."""
    known = {unit.id for unit in ruleset.units_of("variant")}
    for unit in ruleset.units:
        if unit.kind != "preset":
            words = list(unit.names) if unit.kind == "bridge" else []
            words += _variants_named(unit.items)
            for word in words:
                if word.text not in known:
                    yield unknown_name("variant", word.text, known, word.span)
    for placed in placed_items(ruleset):
        match placed.item:
            case tree.OneOf(group, members, tree.Word() as usual):
                group_names = [member.text for member in members]
                if usual.text not in group_names:
                    yield unknown_name(
                        group.text.replace("_", " "),
                        usual.text,
                        group_names,
                        usual.span,
                    )
            case _:
                pass


def _variants_named(items: Iterable[tree.Item]) -> Iterator[tree.Word]:
    for item in items:
        match item:
            case tree.Relates(names=names) | tree.OneOf(names=names):
                yield from names
            case tree.Suggests(names=names):
                yield from names
            case tree.WithGuard(names, inside):
                yield from names
                yield from _variants_named(inside)
            case tree.Phase(items=inside):
                yield from _variants_named(inside)
            case _:
                pass


# ---- E401, W402


E401 = MessageCode("E401", "no valid table")
"""No valid table contains this variant, or the game has no valid table at all.

**Why.** The relations contradict each other: for example, a variant requires what it
excludes, or both members of a group.

**For example**

```text
variant both for game_x
requires german, french      # exactly one of edition: german, french
```

**Fix.** Correct the relations that the message lists.
"""


W402 = MessageCode("W402", "variant always on")
"""A variant is on in every valid table.

**Why.** Then it is not a choice, and its text could be part of the game.

**For example**

```text
exactly one of edition: german
```

**Fix.** Move it into the game, or loosen the relation that forces it.
"""


def _reasons(features: Features, wish: Formula) -> tuple[Label, ...]:
    """Return a minimal set of lines that contradict the wish."""
    lines = contradiction(features, wish)
    return tuple(Label(each.span, each.says) for each in lines if each.span is not None)


# ---- bridges


W406 = MessageCode("W406", "bridge over three variants")
"""A bridge joins three variants or more.

**Why.** Pairs nearly always suffice. If they do not, the game often lacks a concept
that all three should edit.

**For example**

```text
bridge a, b, c for game_x
```

**Fix.** Look for a value or an effect that could express it.
"""


def _bridges(ruleset: LoadedRuleset, tables: Configurations) -> Iterator[Diagnostic]:
    known = set(tables.features.variants)
    for unit in ruleset.units_of("bridge"):
        names = [word.text for word in unit.names]
        span = unit.names[0].span.to(unit.names[-1].span)
        who = sentence(titled(origin_of(unit)))
        if set(names) <= known and not tables.possible(on(*names)):
            yield fault(
                W404,
                f"{who} is never used: {listed(names)} cannot be on together.",
                span,
                others=_reasons(tables.features, on(*names)),
                fixes=["Delete the bridge, or leave one of these lines out."],
            )
        if len(set(names)) > 2:
            yield fault(
                W406,
                f"{who} joins {number_word(len(set(names)))} variants.",
                span,
                details=[
                    "Pairs nearly always suffice. Where they do not, something that "
                    "the variants share has no name yet."
                ],
                fixes=["Name what they share in the base game, and edit that."],
            )


# ---- presets


def _presets(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield errors in presets, each at the preset that introduces it."""
    seen: set[str] = set()
    for unit in ruleset.units_of("preset"):
        for each in preset_faults(ruleset, unit):
            if each.severity is Severity.ERROR and each.message not in seen:
                seen.add(each.message)
                yield _of_preset(each, unit)


def _of_preset(found: Diagnostic, unit: tree.Unit) -> Diagnostic:
    if found.labels:
        return found
    message = f'{a("preset").capitalize()} that cannot be played, "{unit.title}": '
    label = Label(unit.names[0].span)
    return replace(found, message=message + found.message, labels=(label,))


# ---- steps of options, names of presets


def _empty_ranges(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield E020 for an empty scale."""
    for placed in placed_items(ruleset):
        match placed.item:
            case tree.Option(name=name, step=0) as item:
                message = f"The scale of {name.text} never goes on: its step is 0."
                yield fault(E020, message, item.span, fixes=("step 1",))
            case _:
                pass


def _twice(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield E205 for an option that a preset sets twice, and for a duplicate name."""
    variants = {unit.id: unit for unit in ruleset.units_of("variant")}
    for unit in ruleset.units_of("preset"):
        names: dict[str, tree.Word] = {}
        for item in unit.items:
            if isinstance(item, tree.PresetSet):
                first = names.setdefault(item.name.text, item.name)
                if first is not item.name:
                    message = f'The preset "{unit.title}" sets {first.text} twice.'
                    yield _both(message, item.name, first)
        if unit.id in variants:
            other = variants[unit.id].names[0]
            message = f"{unit.id} is the name of a variant and of a preset."
            yield _both(message, unit.names[0], other)


def _both(message: str, one: tree.Word, other: tree.Word) -> Diagnostic:
    return fault(E205, message, one.span, others=(Label(other.span),))


# ---- lines in a unit of the wrong kind


OF_PRESETS = (tree.Extends, tree.PresetWith, tree.PresetSet)
WORDS: dict[type[tree.Node], str] = {
    tree.Extends: "`extends`",
    tree.PresetWith: "`with` without a block beneath it",
    tree.PresetSet: "`set`",
    tree.Players: "`players`",
}


def misplaced(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield E105 for every line in a unit of the wrong kind."""
    for unit in ruleset.units:
        for item in _items(unit.items):
            if unit.kind == "preset":
                if not isinstance(item, (*OF_PRESETS, tree.Remark)):
                    yield fault(
                        E105,
                        "A preset only chooses: it has `extends`, `with` and `set`, and no rules of "
                        "its own.",
                        item.span,
                        fixes=("write a variant, and name it after `with`",),
                    )
            elif isinstance(item, OF_PRESETS):
                ways: tuple[str, ...] = ("write a preset:  preset NAME for GAME",)
                if isinstance(item, tree.PresetWith):
                    names = ", ".join(word.text for word in item.names)
                    ways = (
                        f"guard some lines:  with {names}:",
                        f"ask for it:  requires {names}",
                    )
                elif isinstance(item, tree.PresetSet):
                    ways = (f"suggest a value:  default {item.name.text}: …",)
                yield fault(
                    E105,
                    f"{WORDS[type(item)].capitalize()} stands in presets only, not in a "
                    f"{unit.kind}.",
                    item.span,
                    fixes=ways,
                )
            elif isinstance(item, tree.Players) and unit.kind != "game":
                yield fault(
                    E105,
                    f"`players` is said once, by the game; a {unit.kind} may want some of them, "
                    "or change it.",
                    item.span,
                    fixes=(
                        f"Play with some of them only:  needs players {item.low}..{item.high}",
                        f"Let others play, too:  change players from … to {item.low}..{item.high}",
                    ),
                )


def _items(items: tuple[tree.Item, ...]) -> Iterator[tree.Item]:
    for item in items:
        yield item
        if isinstance(item, tree.WithGuard):
            yield from _items(item.items)


E105 = MessageCode("E105", "not allowed in this unit")
"""A game, variant, bridge or preset has a line of a kind that means nothing there.

**Why.** A preset only chooses: `extends`, `with`, `set`. Rules belong in games,
variants and bridges. The game declares the number of players; a variant may require
some of these numbers.

**For example**

```text
preset evening for pig
with no_early_hold
state extra: 0..9 starts as 0       # a preset has no rules of its own
```

**Fix.** Move the line: rules into a variant, choices into a preset. In a variant write
`needs players 3..4` instead of `players`, `default` instead of `set`, and `requires` or
a `with NAME:` block instead of `with`.
"""
