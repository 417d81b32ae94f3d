"""Resolve a table from a preset, switches, settings and seats.

The default is the base game with its defaults and the lowest possible number of
players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    fault,
    has_errors,
)
from houserule.base.diagnostics.wording import number_word, quoted, sentence
from houserule.base.source import Span
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.compose.compose import clashes, drafted
from houserule.compiler.items.items import Placed, placed_items
from houserule.compiler.merge.fault import Party
from houserule.compiler.merge.messages import titled
from houserule.compiler.options.options import SettingPlace, values_of
from houserule.compiler.rules import ChosenTable, Origin
from houserule.compiler.tables.presets import E307, Preset, preset_of, unknown_name
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.language.syntax import tree


def choose_table(
    ruleset: LoadedRuleset,
    *,
    preset: str | None = None,
    with_: Iterable[str] = (),
    without: Iterable[str] = (),
    settings: Mapping[str, Plain] | None = None,
    places: Mapping[str, SettingPlace] | None = None,
    named: Mapping[str, Span] | None = None,
    players: int | None = None,
    for_play: bool = False,
) -> tuple[ChosenTable | None, list[Diagnostic]]:
    """Choose a table; messages use the words of players.

    Args:
        with_: variants to turn on, in addition to the preset's.
        without: variants of the preset to turn off.
        settings: options by name; a text is parsed in people's notation, `150` or
            `yes`.
        places: the places of options in a table file.
        named: the places of variants and the preset in a table file.
        players: the number of seats; None for the lowest possible.
        for_play: report conflicting variants as E306, for players; otherwise `compose`
            reports them, for authors.

    Returns:
        The table, closed under `implies` and with a value for every option, or None
        after errors; and the diagnostics (E301 to E309).
    """
    named, titles = named or {}, ruleset.variant_titles
    start, found = Preset("", frozenset(), {}), list[Diagnostic]()
    if preset is not None:
        start, found = preset_of(ruleset, preset, named.get(preset))
    more, less = tuple(with_), tuple(without)
    for name in dict.fromkeys((*more, *less)):
        if name not in titles:
            at = named.get(name)
            found.append(unknown_name("variant", name, titles, at, ruleset))
        elif name in more and name in less:
            message = f'You asked for "{titles[name]}" and left it out; pick one.'
            fixes = (f"--with {name}", f"--without {name}")
            found.append(fault(E302, message, fixes=fixes))
    left_out = frozenset(less)
    asked = (start.variants | set(more)) - left_out
    if has_errors(found):
        return None, found
    on = features_of(ruleset).switched_on(asked, left_out)
    found += check_relations(ruleset, on, left_out)
    seats, wrong = players_for(ruleset, on, players)
    found += wrong
    draft, _ = drafted(ruleset, on)  # `compose` reports wrong defaults
    options = {entry.address for entry in draft.of_kind("option")}
    # A preset may set an option of an excluded variant without an error.
    wished = {k: v for k, v in start.settings.items() if k in options}
    places = {**start.places, **(places or {})}
    for name, value in (settings or {}).items():
        if name in options:
            wished[name] = value
            continue
        at = places[name].name if name in places else None
        owners = {each: titles.get(each, each) for each in owners_of(ruleset, name)}
        if owners:
            found.append(_option_is_off(name, owners, at))
        else:
            found.append(unknown_name("option", name, options, at, ruleset))
    values, wrong = values_of(draft, wished, places)
    found += wrong
    if for_play:
        about: dict[tuple[str, ...], str] = {}
        origins: dict[str, Origin] = {}
        parties: dict[str, list[Party]] = defaultdict(list)
        for each in chain.from_iterable(clashes(ruleset, on)):
            if each.disputed:
                parties[each.disputed] += [*each.parties, *each.against]
        for target, by in sorted(parties.items()):
            units = {each.origin.unit: each.origin for each in by if each.origin.unit}
            about.setdefault(tuple(sorted(units)), target)
            origins |= units
        for some, target in about.items():
            if len(some) > 1:
                who = quoted(origins[unit].title for unit in some)
                names = ", ".join(sorted({n for unit in some for n in unit.split("+")}))
                message = f"{who} disagree about {target}, and nobody has ruled on it"
                bridge = f"write a bridge:  bridge {names} for {ruleset.id}"
                fix = f"Play with one of them, or {bridge}"
                found.append(fault(E306, f"{message} yet.", fixes=(fix,)))
    if has_errors(found):
        return None, found
    chosen = frozenset(wished)
    return ChosenTable(ruleset.id, seats, on, values, on - asked, chosen), found


def owners_of(ruleset: LoadedRuleset, option: str) -> list[str]:
    """Return the variants that declare an option; [] for the base game."""
    for placed in placed_items(ruleset):
        item = placed.item
        if isinstance(item, tree.Option) and item.name.text == option:
            return sorted(placed.members)
    return []


E306 = MessageCode("E306", "unresolved conflict of variants")
"""Two variants that are on disagree, and no bridge states which one applies.

**Why.** This is [E201](E201.md) as the players at a table see it: `run`, `show`,
`simulate` and `compare` report E306, `check` reports E201, with the places in both
files.

**For example**

```text
"Flexible order" and "Marketing" disagree about draw.usable, and nobody has ruled on it yet.
```

**Fix.** Play with one of them, or write a bridge that states which one applies.
"""  # noqa: E501


def preset_faults(ruleset: LoadedRuleset, unit: tree.Unit) -> list[Diagnostic]:
    """Return the errors of a preset, including options that it sets but lacks.

    Players may leave variants of the preset out, and with them their options.
    """
    table, found = choose_table(ruleset, preset=unit.id)
    if table is None:
        return found
    for item in unit.items:
        if isinstance(item, tree.PresetSet) and item.name.text not in table.options:
            name, titles = item.name.text, ruleset.variant_titles
            owners = {each: titles[each] for each in owners_of(ruleset, name)}
            fixes = (f"with {', '.join(owners)}",)
            found.append(
                replace(_option_is_off(name, owners, item.name.span), fixes=fixes)
            )
    return found


def _option_is_off(
    name: str, titles: Mapping[str, str], span: Span | None = None
) -> Diagnostic:
    """Return E307: an option of variants that are not on."""
    belongs = f"The option {name} belongs to {quoted(titles.values())}"
    message = f"{belongs}, which {'is' if len(titles) == 1 else 'are'} off."
    fixes = (f"Add it:  --with {','.join(titles)}",)
    return fault(E307, message, span, fixes=fixes)


E302 = MessageCode("E302", "invalid choice in group")
"""A group `exactly one of` has none or several on; a group `at most one of` has several
on; or two variants exclude each other.

**Why.** Editions of one game are such a group.

**For example**

```console
houserule run GAME --with german,french
```

**Fix.** Pick one of those in the message. For `at most one of`, you may also pick none.
"""


# ---- relations of the variants of one table


E301 = MessageCode("E301", "variant requirement not met")
"""A variant that is on requires another one that is off, or excludes one that is on.

**Why.** `requires` never turns anything on: it only states what to add.

**For example**

```console
houserule run x_pasch --with better_bankruptcy
```

**Fix.** Switch the missing house rule on, as the message suggests, or switch off the
one that needs it.
"""


def check_relations(
    ruleset: LoadedRuleset, on: frozenset[str], left_out: frozenset[str] = frozenset()
) -> list[Diagnostic]:
    """Return E301 and E302 for a set of incompatible variants.

    `left_out` are those that were explicitly turned off.
    """
    titles = ruleset.variant_titles
    found: list[Diagnostic] = []
    for placed in ruleset.derived(_relating):
        if not placed.members <= on:
            continue
        item, unit = placed.item, placed.origin.unit
        who = sentence(titled(placed.origin))
        match item:
            case tree.Relates(kind="excludes"):
                for name in _names(item):
                    if name in on and name != unit:
                        both = f'{who} and "{titles[name]}"'
                        message = f"{both} cannot be played together; pick one."
                        found.append(
                            fault(E302, message, fixes=(f"--without {unit or name}",))
                        )
            case tree.Relates(kind="requires"):
                for name in _names(item):
                    if name not in on:
                        out = "you left out" if name in left_out else "is off"
                        needed = f'{who} needs "{titles.get(name, name)}"'
                        add = f"Add it:  --with {name}"
                        way = f"{add:30} or leave {unit} off." if unit else add
                        found.append(
                            fault(E301, f"{needed}, which {out}.", fixes=(way,))
                        )
            case tree.Relates():
                for name in _names(item):
                    if name in left_out:
                        brought = f'{who} brings "{titles[name]}" along'
                        message = f"{brought}, which you left out."
                        found.append(
                            fault(E301, message, fixes=(f"--without {name},{unit}",))
                        )
            case tree.OneOf(group, or_none=or_none):
                names, word = _names(item), group.text.replace("_", " ")
                chosen = [name for name in names if name in on]
                if len(chosen) > 1:
                    some = quoted(titles.get(name, name) for name in chosen)
                    are = f"are {number_word(len(chosen))} {word}s"
                    how = "at most" if or_none else "exactly"
                    found.append(fault(E302, f"{some} {are}; pick {how} one."))
                elif not (chosen or or_none):
                    every = " or ".join(f'"{titles.get(name, name)}"' for name in names)
                    message = f"This game is played with one {word}: {every}"
                    ways = [f"--with {name}" for name in names]
                    found.append(
                        fault(E302, f"{message}; pick exactly one.", fixes=ways)
                    )
            case _:
                pass
    return list(dict.fromkeys(found))


def _relating(ruleset: LoadedRuleset) -> list[Placed]:
    """Return the items that relate variants to one another, or to the players."""
    kinds = tree.Relates | tree.OneOf | tree.NeedsPlayers
    return [each for each in placed_items(ruleset) if isinstance(each.item, kinds)]


def _names(item: tree.Relates | tree.OneOf) -> list[str]:
    return [word.text for word in item.names]


# ---- seats


def players_for(
    ruleset: LoadedRuleset, on: frozenset[str], asked: int | None
) -> tuple[int, list[Diagnostic]]:
    """Return the number of players, and E308 if the game or a variant forbids it.

    The default is the lowest number that all allow.
    """
    features = features_of(ruleset)
    said = features.ranges_at(on)  # conflicting changes allow all their numbers
    own = ruleset.variant_titles.get(said[0].unit, ruleset.base.title)
    limits = [(own, min(each.low for each in said), max(each.high for each in said))]
    for placed in ruleset.derived(_relating):
        item = placed.item
        if isinstance(item, tree.NeedsPlayers) and placed.members <= on:
            limits.append((placed.origin.title, item.low, item.high))
    lowest = max(low for _, low, _ in limits)
    if asked is None:
        if lowest <= min(high for _, _, high in limits):
            return lowest, []
        parts = [f'"{who}" is for {_seats(low, high)}' for who, low, high in limits]
        message = "No number of players suits everything you chose"
        return lowest, [fault(E308, f"{message}: {', '.join(parts)}.")]
    found = []
    for number, (who, low, high) in enumerate(limits):
        if not low <= asked <= high:
            players = f"{_seats(low, high)} players"
            message = f'"{who}" is for {players}; you asked for {asked}.'
            fixes = [f"--players {min(max(asked, low), high)}"]
            if not number:  # variants may change the numbers of the game
                adding = (
                    sorted(each.members - on)
                    for each in features.changed
                    if asked in each.numbers and not each.members <= on
                )
                if least := min(adding, key=len, default=[]):
                    fixes.append(f"--with {','.join(least)}")
            found.append(fault(E308, message, fixes=fixes))
    return asked, found


E308 = MessageCode("E308", "wrong number of players")
"""The game, or a variant, does not allow this number of players.

**Why.** Games declare `players 2..6`, and variants may require `needs players 4..6`.

**For example**

```console
houserule run pig --players 9
```

**Fix.** Choose a number that suits everything that is on.
"""


def _seats(low: int, high: int) -> str:
    return f"{low} to {high}" if low < high else str(low)
