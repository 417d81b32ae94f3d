"""Check of the whole product line: all combinations of variants.

Not every table is composed. Every item has a condition over switches, and so has every
error. A decision diagram decides whether some valid table satisfies it, and finds the
smallest such table and their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    MessageCode,
    Severity,
    fault,
    in_reading_order,
)
from houserule.base.diagnostics.wording import listed, number_word, sentence
from houserule.base.frozen import frozen
from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.choices.feature_model import Features, features_of
from houserule.compiler.choices.relation_diagram import (
    TooManySwitchesError,
    contradiction,
)
from houserule.compiler.compose.compose import compose
from houserule.compiler.conditions.formulas import ALWAYS, Formula, off, on
from houserule.compiler.family.findings import Finding, Findings
from houserule.compiler.family.name_checks import check_names
from houserule.compiler.family.ordering_conflicts import W403, check_clusters
from houserule.compiler.items.items import origin_of, placed_items
from houserule.compiler.merge.bridges import W404, bridge_faults
from houserule.compiler.merge.laws import faults_of
from houserule.compiler.merge.messages import a, titled
from houserule.compiler.merge.resolve import resolution_of
from houserule.compiler.rules import ChosenTable
from houserule.compiler.tables.choose import preset_faults
from houserule.compiler.tables.presets import unknown_name
from houserule.language.manifest.messages import E020, E205
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.write.expressions import print_expr


@frozen
class FamilyReport:
    """The result of checking a product line.

    Attributes:
        diagnostics: every error once, in reading order.
        valid_tables: the number of valid sets of variants; 0 if it is too large to
            count.
        tables_checked: the number of them checked: all, or a random sample.
        findings: the conflicts, each with its tables.
        features: the switches and their relations.
    """

    diagnostics: tuple[Diagnostic, ...]
    switches: tuple[str, ...]
    valid_tables: int
    tables_checked: int
    findings: tuple[Finding, ...]
    features: Features


def check_family(ruleset: LoadedRuleset) -> FamilyReport:
    """Check all combinations of variants of a ruleset.

    It finds all errors of composition (E101 to E103, E201 to E215, W210, W211) at all
    tables, and only those. Errors of single tables (types, reads and writes) are not
    found here. If the relations are too many for a proof, it composes each variant
    alone.
    """
    features = features_of(ruleset)
    try:
        tables = Configurations(features)
        resolution = resolution_of(ruleset)
        findings = Findings(tables)
        for each in ruleset.derived(faults_of):
            tell = partial(each.tell, each.parties)
            findings.add(each.when, tell, usual=each.usual)
        check_names(resolution, findings)
        sampled = check_clusters(resolution, findings)
        found = [*check_model(ruleset, tables), *sampled]
        found += [each.diagnostic for each in findings.found]
        valid = checked = tables.count
        conflicts = tuple(findings.found)
    except TooManySwitchesError as error:
        some = features.alone()
        many = fault(
            W403,
            f"{len(error.names)} variants depend on one another in too many ways to "
            "examine all combinations; `check` examined the game and each variant "
            "alone.",
            ruleset.base.names[0].span,
            details=[f"They are: {', '.join(error.names)}."],
            fixes=[
                "Cut a relation between them (requires, implies, excludes), or put "
                "variants that always go together into one."
            ],
        )
        found = [*unknown_variants(ruleset), many]
        known = {(each.code, each.message) for each in found}
        for variants in some:
            table = ChosenTable(ruleset.id, 0, variants, {})
            at = f"At this table: {' + '.join(sorted(variants)) or 'the base game'}."
            for diagnostic in compose(ruleset, table)[1]:
                if (diagnostic.code, diagnostic.message) not in known:
                    known.add((diagnostic.code, diagnostic.message))
                    found.append(diagnostic.with_details(at))
        valid, checked, conflicts = 0, len(some), ()
    return FamilyReport(
        diagnostics=tuple(in_reading_order(found)),
        switches=features.variants,
        valid_tables=valid,
        tables_checked=checked,
        findings=conflicts,
        features=features,
    )


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


def check_model(ruleset: LoadedRuleset, tables: Configurations) -> list[Diagnostic]:
    """Report E401, W402, W404, W405, W406, and errors in presets (E30x).

        It also reports lines that have no effect, or that are declared twice in a unit
    (E020, E105, E205).
    """
    found = [*unknown_variants(ruleset), *misplaced(ruleset)]

    def twice(message: str, one: tree.Word, other: tree.Word) -> None:
        found.append(fault(E205, message, one.span, others=(Label(other.span),)))

    for placed in placed_items(ruleset):
        match placed.item:
            case tree.Option(name=name, step=0) as option:
                message = f"The scale of {name.text} never advances: its step is 0."
                found.append(fault(E020, message, option.span, fixes=("step 1",)))
            case _:
                pass
    variants = {unit.id: unit for unit in ruleset.units_of("variant")}
    for unit in ruleset.units_of("preset"):
        names: dict[str, tree.Word] = {}
        for item in unit.items:
            if isinstance(item, tree.PresetSet):
                first = names.setdefault(item.name.text, item.name)
                if first is not item.name:
                    message = f'The preset "{unit.title}" sets {first.text} twice.'
                    twice(message, item.name, first)
        if unit.id in variants:
            message = f"{unit.id} is the name of a variant and of a preset."
            twice(message, unit.names[0], variants[unit.id].names[0])

    features = tables.features
    if tables.count == 0:
        message = "No table is valid: whatever is on, one of these lines does not hold."
        return [*found, fault(E401, message, others=_reasons(features, ALWAYS))]
    for unit in variants.values():
        who, span = sentence(titled(origin_of(unit))), unit.names[0].span
        if not tables.possible(on(unit.id)):
            lines = _reasons(features, on(unit.id))
            details = ["With it, these lines cannot all hold."] if lines else []
            fixes = ["Remove one of these lines, or delete the variant."]
            message = f"{who} can be on in no valid table."
            found.append(
                fault(E401, message, span, others=lines, details=details, fixes=fixes)
            )
        elif not tables.possible(off(on(unit.id))):
            lines = _reasons(features, off(on(unit.id)))
            message = f"{who} is on in every valid table."
            fixes = ["Make it part of the base game, or remove one of these lines."]
            found.append(fault(W402, message, span, others=lines, fixes=fixes))
    found += bridge_faults(ruleset)
    for unit in ruleset.units_of("bridge"):
        joined = [word.text for word in unit.names]
        span = unit.names[0].span.to(unit.names[-1].span)
        who = sentence(titled(origin_of(unit)))
        if variants.keys() >= set(joined) and not tables.possible(on(*joined)):
            lines = _reasons(features, on(*joined))
            message = f"{who} is never used: {listed(joined)} cannot be on together."
            fixes = ["Delete the bridge, or remove one of these lines."]
            found.append(fault(W404, message, span, others=lines, fixes=fixes))
        if len(set(joined)) > 2:
            message = f"{who} joins {number_word(len(set(joined)))} variants."
            details = [
                "Pairs nearly always suffice. If they do not, something that the "
                "variants share has no name yet."
            ]
            fixes = ["Name what they share in the base game, and edit that."]
            found.append(fault(W406, message, span, details=details, fixes=fixes))

    seen: set[str] = set()  # an error is reported at the preset that introduces it
    for unit in ruleset.units_of("preset"):
        for each in preset_faults(ruleset, unit):
            if each.severity is Severity.ERROR and each.message not in seen:
                seen.add(each.message)
                if not each.labels:
                    start = f"{a('preset').capitalize()} that cannot be played"
                    message = f'{start}, "{unit.title}": {each.message}'
                    label = Label(unit.names[0].span)
                    each = replace(each, message=message, labels=(label,))
                found.append(each)
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


def _reasons(features: Features, wish: Formula) -> tuple[Label, ...]:
    """Return a minimal set of lines that contradict the wish."""
    lines = contradiction(features, wish)
    return tuple(Label(each.span, each.says) for each in lines if each.span is not None)


# ---- lines in a unit of the wrong kind


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
                    message = (
                        "A preset only chooses: it has `extends`, `with` and `set`, "
                        "and no rules of its own."
                    )
                    fixes = ["write a variant, and name it after `with`"]
                    yield fault(E105, message, item.span, fixes=fixes)
            elif isinstance(item, OF_PRESETS):
                fixes = ["write a preset:  preset NAME for GAME"]
                if isinstance(item, tree.PresetWith):
                    names = ", ".join(word.text for word in item.names)
                    fixes = [
                        f"guard some lines:  with {names}:",
                        f"ask for it:  requires {names}",
                    ]
                elif isinstance(item, tree.PresetSet):
                    fixes = [f"default {item.name.text}: {print_expr(item.value)}"]
                what = WORDS[type(item)].capitalize()
                message = f"{what} belongs in presets only, not in a {unit.kind}."
                yield fault(E105, message, item.span, fixes=fixes)
            elif isinstance(item, tree.Players) and unit.kind != "game":
                message = (
                    f"Only the game declares `players`; a {unit.kind} may require some "
                    "of these numbers, or change them."
                )
                low, high = item.low, item.high
                fixes = [
                    f"Play with some of them only:  needs players {low}..{high}",
                    f"Let others play, too:  change players from … to {low}..{high}",
                ]
                yield fault(E105, message, item.span, fixes=fixes)


def _items(items: tuple[tree.Item, ...]) -> Iterator[tree.Item]:
    for item in items:
        yield item
        if isinstance(item, tree.WithGuard):
            yield from _items(item.items)
