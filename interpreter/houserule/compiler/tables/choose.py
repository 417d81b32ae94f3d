"""Resolve a table from a preset, switches, settings and seats.

The default is the base game with its defaults and the lowest possible number of
players.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    fault,
    has_errors,
)
from houserule.base.diagnostics.wording import number_word, quoted, sentence
from houserule.base.frozen import slotted
from houserule.base.source import Span
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.compose.compose import disputes, drafted
from houserule.compiler.items.items import Placed, placed_items
from houserule.compiler.merge.draft import Draft
from houserule.compiler.merge.messages import titled
from houserule.compiler.options.options import SettingPlace, values_of
from houserule.compiler.rules import ChosenTable, Origin
from houserule.compiler.tables.presets import E307, Preset, preset_of, unknown_name
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.language.syntax import tree


@slotted
class _Wish:
    """A choice, and its errors so far."""

    ruleset: LoadedRuleset
    preset: Preset
    with_: tuple[str, ...]
    without: tuple[str, ...]
    settings: Mapping[str, Plain]
    places: Mapping[str, SettingPlace]
    named: Mapping[str, Span]
    found: list[Diagnostic] = field(default_factory=list)


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
        ruleset: the game and its variants.
        preset: the initial preset.
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
    start = Preset("", frozenset(), {})
    found: list[Diagnostic] = []
    if preset is not None:
        start, found = preset_of(ruleset, preset, (named or {}).get(preset))
    wish = _Wish(
        ruleset,
        start,
        tuple(with_),
        tuple(without),
        dict(settings or {}),
        {**start.places, **(places or {})},
        dict(named or {}),
        found,
    )
    return _chosen(wish, players, for_play), wish.found


def _chosen(wish: _Wish, players: int | None, for_play: bool) -> ChosenTable | None:
    _check_names(wish)
    asked = (wish.preset.variants | set(wish.with_)) - set(wish.without)
    if has_errors(wish.found):
        return None
    on = features_of(wish.ruleset).switched_on(asked, frozenset(wish.without))
    wish.found += check_relations(wish.ruleset, on, frozenset(wish.without))
    seats, wrong = players_for(wish.ruleset, on, players)
    wish.found += wrong
    draft, _ = drafted(wish.ruleset, on)  # `compose` reports wrong defaults
    settings = _settings(wish, draft)
    options, wrong = values_of(draft, settings, wish.places)
    wish.found += wrong
    if for_play:
        wish.found += _disputes(wish.ruleset, on)
    if has_errors(wish.found):
        return None
    return ChosenTable(
        wish.ruleset.id, seats, on, options, on - asked, frozenset(settings)
    )


def _disputes(ruleset: LoadedRuleset, on: frozenset[str]) -> list[Diagnostic]:
    """Return E306 for every group of conflicting variants at this table."""
    about: dict[tuple[str, ...], str] = {}
    origins: dict[str, Origin] = {}
    for target, by in sorted(disputes(ruleset, on).items()):
        units = {each.unit: each for each in by if each.unit}
        about.setdefault(tuple(sorted(units)), target)
        origins |= units
    return [
        _nobody_has_ruled(target, [origins[u] for u in units], ruleset.id)
        for units, target in about.items()
        if len(units) > 1
    ]


def _check_names(wish: _Wish) -> None:
    """Report unknown variants, and those both turned on and off."""
    titles = wish.ruleset.variant_titles
    for name in dict.fromkeys((*wish.with_, *wish.without)):
        if name not in titles:
            place = wish.named.get(name)
            wish.found.append(unknown_name("variant", name, titles, place))
        elif name in wish.with_ and name in wish.without:
            wish.found.append(_with_and_without(name, titles[name]))


def _settings(wish: _Wish, draft: Draft) -> dict[str, Plain]:
    """Return the settings of existing options; the table's own take precedence.

    A preset may set an option of an excluded variant without an error.
    """
    options = {entry.address for entry in draft.of_kind("option")}
    kept = {k: v for k, v in wish.preset.settings.items() if k in options}
    for name, value in wish.settings.items():
        if name in options:
            kept[name] = value
        else:
            wish.found.append(_no_option(wish, name, options))
    return kept


def _no_option(wish: _Wish, name: str, options: set[str]) -> Diagnostic:
    titles = wish.ruleset.variant_titles
    owners = owners_of(wish.ruleset, name)
    at = wish.places[name].name if name in wish.places else None
    if owners:
        return _option_is_off(name, {n: titles.get(n, n) for n in owners}, at)
    return unknown_name("option", name, options, at)


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


def _nobody_has_ruled(target: str, origins: Sequence[Origin], game: str) -> Diagnostic:
    """Return E306, for players: variants of this table conflict."""
    who = quoted(origin.title for origin in origins)
    names = ", ".join(sorted({n for o in origins for n in o.unit.split("+")}))
    message = f"{who} disagree about {target}, and nobody has ruled on it yet."
    way = f"Play with one of them, or write a bridge:  bridge {names} for {game}"
    return fault(E306, message, fixes=(way,))


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


def _with_and_without(name: str, title: str) -> Diagnostic:
    """Return E302: a variant turned on and off at once."""
    message = f'You asked for "{title}" and left it out; pick one.'
    fixes = (f"--with {name}", f"--without {name}")
    return fault(E302, message, fixes=fixes)


# ---- relations of the variants of one table


def check_relations(
    ruleset: LoadedRuleset, on: frozenset[str], left_out: frozenset[str] = frozenset()
) -> list[Diagnostic]:
    """Return E301 and E302 for a set of incompatible variants.

    `left_out` are those that were explicitly turned off.
    """
    titles = ruleset.variant_titles
    found: dict[Diagnostic, None] = {}
    for placed in ruleset.derived(_relating):
        if placed.members <= on:
            faults = _faults(placed, on, left_out, titles)
            found.update(dict.fromkeys(faults))
    return list(found)


def _relating(ruleset: LoadedRuleset) -> list[Placed]:
    """Return the items that relate variants to one another."""
    kinds = tree.Relates | tree.OneOf
    return [each for each in placed_items(ruleset) if isinstance(each.item, kinds)]


def _for_some_numbers(ruleset: LoadedRuleset) -> list[tuple[Placed, tree.NeedsPlayers]]:
    """Return the items that restrict the number of players, with their ranges."""
    return [
        (each, each.item)
        for each in placed_items(ruleset)
        if isinstance(each.item, tree.NeedsPlayers)
    ]


def _faults(
    placed: Placed,
    on: frozenset[str],
    left_out: frozenset[str],
    titles: Mapping[str, str],
) -> Iterator[Diagnostic]:
    origin, item = placed.origin, placed.item
    match item:
        case tree.Relates(kind="excludes"):
            for name in _names(item):
                if name in on and name != origin.unit:
                    yield _exclude_each_other(origin, name, titles[name])
        case tree.Relates(kind="requires"):
            for name in _names(item):
                if name not in on:
                    title, out = titles.get(name, name), name in left_out
                    yield _is_missing(origin, name, title, left_out=out)
        case tree.Relates():
            for name in _names(item):
                if name in left_out:
                    yield _comes_along(origin, name, titles[name])
        case tree.OneOf(group, or_none=or_none):
            chosen = [name for name in _names(item) if name in on]
            if len(chosen) > 1 or not (chosen or or_none):
                named = {n: titles.get(n, n) for n in _names(item)}
                yield _pick_one(group.text, named, chosen, or_none=or_none)
        case _:
            pass


def _names(item: tree.Relates | tree.OneOf) -> list[str]:
    return [word.text for word in item.names]


E301 = MessageCode("E301", "variant requirement not met")
"""A variant that is on requires another one that is off, or excludes one that is on.

**Why.** `requires` never turns anything on: it only states what to add.

**For example**

```console
houserule run x_pasch --with better_bankruptcy
```

**Fix.** Add the missing one, as the message suggests, or drop the first one.
"""


def _is_missing(
    origin: Origin, name: str, title: str, *, left_out: bool = False
) -> Diagnostic:
    """Return E301: a variant needs another, which is off."""
    which = "which you left out" if left_out else "which is off"
    message = f'{sentence(titled(origin))} needs "{title}", {which}.'
    add = f"Add it:  --with {name}"
    off = f"or leave {origin.unit} off."
    ways = (f"{add:30} {off}",) if origin.unit else (add,)
    return fault(E301, message, fixes=ways)


def _comes_along(origin: Origin, name: str, title: str) -> Diagnostic:
    """Return E301: a variant was left out that another implies."""
    message = f'{sentence(titled(origin))} brings "{title}" along, which you left out.'
    return fault(E301, message, fixes=(f"--without {name},{origin.unit}",))


def _exclude_each_other(one: Origin, name: str, title: str) -> Diagnostic:
    """Return E302: two variants that exclude each other."""
    both = f'{sentence(titled(one))} and "{title}"'
    message = f"{both} cannot be played together; pick one."
    return fault(E302, message, fixes=(f"--without {one.unit or name}",))


def _pick_one(
    group: str, titles: Mapping[str, str], on: Sequence[str], *, or_none: bool = False
) -> Diagnostic:
    """Return E302: several of a group are on, or none.

    Args:
        group: the name of the group.
        titles: the titles of all its variants, by name.
        on: the active ones.
        or_none: whether none is allowed.
    """
    word = group.replace("_", " ")
    if on:
        some = quoted(titles[name] for name in on)
        are = f"are {number_word(len(on))} {word}s"
        how = "at most" if or_none else "exactly"
        return fault(E302, f"{some} {are}; pick {how} one.")
    every = " or ".join(f'"{title}"' for title in titles.values())
    message = f"This game is played with one {word}: {every}; pick exactly one."
    return fault(E302, message, fixes=tuple(f"--with {n}" for n in titles))


# ---- seats


def players_for(
    ruleset: LoadedRuleset, on: frozenset[str], asked: int | None
) -> tuple[int, list[Diagnostic]]:
    """Return the number of players, and E308 if the game or a variant forbids it.

    The default is the lowest number that all allow.
    """
    limits = list(_limits(ruleset, on))
    low = max((low for _, low, _ in limits), default=1)
    high = min((high for _, _, high in limits), default=low)
    if asked is None and low <= high:
        return low, []
    if asked is None:
        return low, [_no_players_suit(limits)]
    wrong = [each for each in limits if not each[1] <= asked <= each[2]]
    more = [
        each
        for each in features_of(ruleset).changed
        if asked in each.numbers and not each.members <= on and limits[0] in wrong
    ]
    adding = min((sorted(each.members - on) for each in more), key=len, default=[])
    return asked, [
        _wrong_players(*each, asked, adding if each == limits[0] else [])
        for each in wrong
    ]


def _limits(
    ruleset: LoadedRuleset, on: frozenset[str]
) -> Iterator[tuple[str, int, int]]:
    """Yield limits on players; conflicting changes allow all their numbers."""
    said, titles = features_of(ruleset).ranges_at(on), ruleset.variant_titles
    who = titles.get(said[0].unit, ruleset.base.title)
    yield who, min(each.low for each in said), max(each.high for each in said)
    for placed, item in ruleset.derived(_for_some_numbers):
        if placed.members <= on:
            yield placed.origin.title, item.low, item.high


E308 = MessageCode("E308", "wrong number of players")
"""The game, or a variant, does not allow this number of players.

**Why.** Games declare `players 2..6`, and variants may require `needs players 4..6`.

**For example**

```console
houserule run pig --players 9
```

**Fix.** Choose a number that suits everything that is on.
"""


def _wrong_players(
    who: str, low: int, high: int, asked: int, adding: Sequence[str]
) -> Diagnostic:
    """Return E308: too few or too many players.

    Args:
        who: the title of the restricting unit.
        low: the least allowed number.
        high: the greatest.
        asked: the requested number.
        adding: variants that allow the requested number, if any.
    """
    message = f'"{who}" is for {_seats(low, high)} players; you asked for {asked}.'
    fixes = [f"--players {min(max(asked, low), high)}"]
    fixes += [f"--with {','.join(adding)}"] if adding else []
    return fault(E308, message, fixes=tuple(fixes))


def _no_players_suit(limits: Sequence[tuple[str, int, int]]) -> Diagnostic:
    """Return E308: the choices allow no number of players at all."""
    parts = [f'"{who}" is for {_seats(low, high)}' for who, low, high in limits]
    message = f"No number of players suits everything you chose: {', '.join(parts)}."
    return fault(E308, message)


def _seats(low: int, high: int) -> str:
    return f"{low} to {high}" if low < high else str(low)
