"""Meanings of a name in a game: everything of that name, at a table that has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from houserule.base.diagnostics.wording import nearest_few
from houserule.base.resources import installed, shipped_rulesets
from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.choices.relation_diagram import TooManySwitchesError
from houserule.compiler.conditions.formulas import Formula, On, both, either
from houserule.compiler.items.index import family_of
from houserule.compiler.prepare import TableChoice, playable, prepare
from houserule.language.manifest.folder import Folder
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.rulebook.meanings.declared import (
    explain_address,
    explain_member,
    explain_part,
    explain_things,
)
from houserule.rulebook.meanings.game_names import game_names
from houserule.rulebook.meanings.meaning_model import Meaning
from houserule.rulebook.meanings.table_in_words import TableInWords
from houserule.rulebook.meanings.units import (
    explain_group,
    explain_ruling,
    explain_source,
    explain_unit,
)

BARE = frozenset({"member", "slot", "field"})  # kinds that users call by the last name
MOST = 3  # suggested addresses for words of a caption


class NoNameError(LookupError):
    """Nothing in a game has this name.

    Attributes:
        near: similar names, the nearest first.

    Example:
        >>> try:
        ...     houserule.load("pig").table().explain("throw.shrt")
        ... except houserule.NoNameError as error:
        ...     error.near[0]
        'throw.short'
    """

    def __init__(self, name: str, game: str, near: tuple[str, ...]) -> None:
        self.name, self.game, self.near = name, game, near
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        super().__init__(f"Nothing is called `{name}` in {game}.{hint}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.name, self.game, self.near)


def meanings_of(view: TableInWords, name: str) -> tuple[Meaning, ...]:
    """Return all meanings of a name, those in the rules first.

    If the table does not have it, it is explained at the smallest table that does,
    preferably one with the same variants.

    Raises:
        NoNameError: nothing in the game has this name.
    """
    ruleset = view.ruleset
    name = unit_name(name)
    found = [*_in_rules(view, name)]
    told = {(each.name, each.kind) for each in found}
    others = _at_another_table(view, name)
    found += (each for each in others if (each.name, each.kind) not in told)
    found += [explain_unit(view, each) for each in ruleset.units if each.id == name]
    found += explain_group(view, name)
    found += explain_ruling(view, name)
    found += explain_source(view, name)
    if not found:
        near = nearest_few(name, names_of(ruleset))
        if not near:  # addresses whose captions contain it
            groups = game_names(ruleset, name, view.language).groups
            near = [each.name for group in groups for each in group.names][:MOST]
        raise NoNameError(name, ruleset.id, tuple(near))
    return tuple(found)


def unit_name(name: str) -> str:
    """Return a normalised name: the variants of a bridge in any order."""
    return "+".join(sorted(part.strip() for part in re.split("[+,]", name)))


def names_of(ruleset: LoadedRuleset) -> set[str]:
    """Return everything that has a meaning in a game."""
    family = family_of(ruleset)
    found = set(family.declared) | {*ruleset.rulings, *ruleset.manifest.sources}
    found |= {each.one.name for every in family.clauses.values() for each in every}
    found |= {row.id for rows in ruleset.tables.values() for row in rows}
    found |= {unit.id for unit in ruleset.units}
    groups = (each.item for each in family.placed if isinstance(each.item, tree.OneOf))
    return (found | {group.name.text for group in groups}) - {""}


def games_with(name: str) -> Iterator[LoadedRuleset]:
    """Yield the built-in games that have something of this name.

    Only games whose files contain the word are loaded.
    """
    name = unit_name(name)
    for ruleset in _with_words(re.split(r"[+.]", name), all):
        if name in names_of(ruleset):
            yield ruleset


def near_in_games(name: str) -> list[tuple[str, str]]:
    """Return a few similar names, each with the built-in game that has it.

    Only games whose files contain a part of the name are loaded.
    """
    name = unit_name(name)
    has = {
        near: ruleset.id
        for ruleset in _with_words(re.split(r"[+.]", name), any)
        for near in nearest_few(name, names_of(ruleset))
    }
    return [(near, has[near]) for near in nearest_few(name, has)]


def _with_words(
    words: Sequence[str], enough: Callable[[Iterable[bool]], bool]
) -> Iterator[LoadedRuleset]:
    """Yield the built-in games whose files contain all, or any, of these words."""
    installed_folders = (each.folder for each in installed().rulesets)
    for folder in (*shipped_rulesets().values(), *installed_folders):
        contents = Folder(folder).contents(("**/*.rules", "**/*.yaml")).values()
        text = b"\n".join(contents).decode("utf-8", "replace")
        if not enough(bool(re.search(rf"\b{re.escape(w)}\b", text)) for w in words):
            continue
        ruleset, _ = load_ruleset(folder)
        if ruleset is not None:
            yield ruleset


def _last(address: str) -> str:
    return address.rpartition(".")[2]


def _in_rules(view: TableInWords, name: str) -> Iterator[Meaning]:
    if name in view.rules.clauses:
        yield explain_address(view, name)
    elif part := explain_part(view, name):
        yield part
    for address, entry in view.draft.entries.items():
        if entry.kind in BARE and _last(address) == name:
            is_field = entry.kind == "field"
            yield (explain_address if is_field else explain_member)(view, address)
    yield from explain_things(view, name)


# ---- names that only other tables have


def _at_another_table(view: TableInWords, name: str) -> list[Meaning]:
    missing = tuple(_missing(view, name))
    if not missing:
        return []
    tables, has_it = Configurations(features_of(view.ruleset)), either(missing)
    try:  # with the variants of the current table, if possible
        variants = tables.smallest(both([has_it, On(view.table.variants)]))
        variants = tables.smallest(has_it) if variants is None else variants
    except TooManySwitchesError:
        return []
    if variants is None:
        return []
    choice = TableChoice(with_=tuple(sorted(variants)))
    prepared = prepare(view.ruleset, choice, for_play=True)
    table, program = playable(prepared, view.ruleset, choice)
    there = TableInWords(view.ruleset, table, program, view.language)
    # If the table has all variants of ours, report only the additional ones.
    besides = table.variants - view.table.variants
    told = besides if view.table.variants <= table.variants else table.variants
    own = {"table": tuple(sorted(told))}
    return [each.model_copy(update=own) for each in _in_rules(there, name)]


def _missing(view: TableInWords, name: str) -> Iterator[Formula]:
    """Yield the conditions of tables that have this name when ours does not."""
    family = view.family
    for address, every in family.declared.items():
        for each in every:
            called = address if each.one.kind not in BARE else _last(address)
            if name in {address, called} and each.one.clause not in view.draft.entries:
                yield family.there[each.item]
    rows = {row.id for rows in view.rules.rows.values() for row in rows}
    for number, placed in enumerate(family.placed):
        if isinstance(placed.item, tree.Component | tree.ExtendRows):
            path = placed.item.rows.text if placed.item.rows else ""
            found = view.ruleset.tables.get(path, ())
            if name not in rows and any(row.id == name for row in found):
                yield family.there[number]
