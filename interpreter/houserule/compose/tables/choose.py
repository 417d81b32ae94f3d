"""A table out of what people choose: a preset, switches, settings, seats.

Without any choice it is the base game with its defaults and its lowest number of
players that every chosen variant allows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from houserule.compose.compose import disputes, drafted
from houserule.compose.items.items import placed_items
from houserule.compose.options.options import SettingPlace, values_of
from houserule.compose.rules import ChosenTable
from houserule.compose.tables.feature_model import features_of
from houserule.compose.tables.presets import Preset, preset_of, unknown_name
from houserule.compose.tables.relations import check_relations, players_for
from houserule.diagnostics.diagnostic import Diagnostic, fault, has_errors
from houserule.diagnostics.wording import quoted
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from houserule.compose.draft import Draft
    from houserule.compose.rules import Origin
    from houserule.manifest.ruleset import LoadedRuleset, Plain
    from houserule.source import Span


@dataclass(slots=True)
class _Wish:
    """What was asked for, and what is wrong with it so far."""

    ruleset: LoadedRuleset
    preset: Preset
    with_: tuple[str, ...]
    without: tuple[str, ...]
    settings: Mapping[str, Plain]
    places: Mapping[str, SettingPlace]
    found: list[Diagnostic] = field(default_factory=list)


def choose_table(
    ruleset: LoadedRuleset,
    *,
    preset: str | None = None,
    with_: Iterable[str] = (),
    without: Iterable[str] = (),
    settings: Mapping[str, Plain] | None = None,
    places: Mapping[str, SettingPlace] | None = None,
    players: int | None = None,
    for_play: bool = False,
) -> tuple[ChosenTable | None, list[Diagnostic]]:
    """Choose a table; every fault is told in the words of players.

    Args:
        ruleset: the game and its variants.
        preset: a named choice to start from.
        with_: variants to switch on, besides those of the preset.
        without: variants of the preset to leave out.
        settings: options by name; a text is read as people write it, `150` or `yes`.
        places: where a table file sets options, for those that it sets.
        players: the number of seats; None for the lowest that is possible.
        for_play: report variants that clash as E306, in the words of players; else
            `compose` reports them, in the words of authors.

    Returns:
        The table, closed under `implies` and with a value for every option, or None
        where there are errors; and the diagnostics (E301 to E309).
    """
    start = Preset("", frozenset(), {})
    found: list[Diagnostic] = []
    if preset is not None:
        start, found = preset_of(ruleset, preset)
    wish = _Wish(
        ruleset,
        start,
        tuple(with_),
        tuple(without),
        dict(settings or {}),
        dict(places or {}),
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
    draft, _ = drafted(wish.ruleset, on)  # compose tells of faulty defaults
    options, wrong = values_of(draft, _settings(wish, draft), wish.places)
    wish.found += wrong
    if for_play:
        wish.found += _disputes(wish.ruleset, on)
    if has_errors(wish.found):
        return None
    return ChosenTable(wish.ruleset.id, seats, on, options, on - asked)


def _disputes(ruleset: LoadedRuleset, on: frozenset[str]) -> list[Diagnostic]:
    """Return E306 for every group of variants that clash on this table."""
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
    """Report unknown variants, and those both asked for and left out."""
    titles = wish.ruleset.variant_titles
    for name in dict.fromkeys((*wish.with_, *wish.without)):
        if name not in titles:
            wish.found.append(unknown_name("variant", name, titles))
        elif name in wish.with_ and name in wish.without:
            wish.found.append(_with_and_without(name, titles[name]))


def _settings(wish: _Wish, draft: Draft) -> dict[str, Plain]:
    """Return the settings of options that are there; the table's own go first.

    A preset may set an option of a variant that was left out: that is no fault.
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
    owners = _owners(wish.ruleset, name)
    at = wish.places[name].name if name in wish.places else None
    if owners:
        return _option_is_off(name, {n: titles.get(n, n) for n in owners}, at)
    return unknown_name("option", name, options, at)


def _owners(ruleset: LoadedRuleset, option: str) -> list[str]:
    """Return the variants that must be on for an option to be there; [] if none."""
    for placed in placed_items(ruleset):
        item = placed.item
        if isinstance(item, tree.Option) and item.name.text == option:
            return sorted(placed.members)
    return []


def _nobody_has_ruled(target: str, origins: Sequence[Origin], game: str) -> Diagnostic:
    """Return E306: variants of this table clash, told to players."""
    who = quoted(origin.title for origin in origins)
    names = ", ".join(sorted({n for o in origins for n in o.unit.split("+")}))
    message = f"{who} disagree about {target}, and nobody has ruled on it yet."
    way = f"Play with one of them, or write a bridge:  bridge {names} for {game}"
    return Diagnostic("E306", message, fixes=(way,))


def _option_is_off(
    name: str, titles: Mapping[str, str], span: Span | None = None
) -> Diagnostic:
    """Return E307: an option of variants that are not on."""
    belongs = f"The option {name} belongs to {quoted(titles.values())}"
    message = f"{belongs}, which {'is' if len(titles) == 1 else 'are'} off."
    fixes = (f"Add it:  --with {','.join(titles)}",)
    return fault("E307", message, span, fixes=fixes)


def _with_and_without(name: str, title: str) -> Diagnostic:
    """Return E302: a variant asked for and left out at once."""
    message = f'You asked for "{title}" and left it out; pick one.'
    fixes = (f"--with {name}", f"--without {name}")
    return Diagnostic("E302", message, fixes=fixes)
