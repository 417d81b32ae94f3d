"""Whatever the menu says of a table is true: why not, what fixes it, where links lead.

Tables are sampled from all shipped games; each claim is held against composing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from tests.support.sampling import spread

from houserule.base.resources import shipped_rulesets
from houserule.base.source import Source
from houserule.compiler.prepare import TableChoice, prepare
from houserule.compiler.rules import ChosenTable
from houserule.compiler.table_files.planned import TableStep, WishedTable
from houserule.compiler.table_files.reading import table_in
from houserule.compiler.tables.sample import sample_tables
from houserule.language.manifest.folder import RulesFile
from houserule.language.manifest.load import open_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.ui.configurator.builder import menu_of, opened_entry
from houserule.ui.configurator.links import choice_of, query_of
from houserule.ui.configurator.menu_model import Menu, MenuEntry, MenuStep
from houserule.ui.configurator.surprise import surprise, table_file_text
from houserule.ui.configurator.toggling import Toggle

GAMES = sorted(shipped_rulesets())
SOME = spread(GAMES, 5)
FEW = 1  # tables of each game that every run looks at


@cache
def game(name: str) -> LoadedRuleset:
    return open_ruleset(shipped_rulesets()[name])


@cache
def tables_of(name: str) -> tuple[TableChoice, ...]:
    """Tables from every side of a game, presets among them, in a fixed disorder."""
    ruleset = game(name)
    found = [
        TableChoice(
            with_=tuple(sorted(each.variants)),
            settings=each.settings,
            players=each.players,
        )
        for each in sample_tables(ruleset, random=4)
    ]
    found += [TableChoice(preset=each.id) for each in ruleset.units_of("preset")]
    Random(16).shuffle(found)
    return tuple(found)


def entries(menu: Menu) -> Iterator[MenuEntry]:
    for group in menu.groups:
        yield from group.entries


def table_at(ruleset: LoadedRuleset, query: str) -> WishedTable:
    return WishedTable(ruleset, choice_of(query)[0])


def is_sound(ruleset: LoadedRuleset, choice: TableChoice) -> bool:
    return prepare(ruleset, choice, for_play=True).program is not None


def hold_true(ruleset: LoadedRuleset, choice: TableChoice) -> None:
    """Hold everything that the menu of a table claims against composing."""
    menu = menu_of(ruleset, choice, "en")
    here = WishedTable(ruleset, choice)
    assert menu.playable is not bool(menu.faults)
    assert menu.playable == is_sound(ruleset, choice)
    every = [*entries(menu)]
    keys = {each.key for each in every}
    assert len(keys) == len(every)
    assert keys >= here.features.closed(here.on)
    for preset in menu.presets:
        assert not table_at(ruleset, preset.query).faults, preset
    for seats in menu.seats:
        assert not table_at(ruleset, seats.query).faults, seats
    for entry in every:
        hold_entry(here, entry)


def hold_entry(here: WishedTable, entry: MenuEntry) -> None:
    ruleset = here.ruleset
    assert entry.possible is not bool(entry.why_not), entry
    steps = [table_at(ruleset, fix.query) for fix in entry.repairs]
    for there in steps:
        assert not there.faults, (entry.key, there.choice, there.faults)
    if entry.kind == "variant":
        on = entry.key in here.on
        verb = "remove" if on else "add"
        alone = here.done(TableStep("remove" if on else "add", (entry.key,)))
        assert entry.possible is not bool(alone.faults), (verb, entry, alone.faults)
        turned = table_at(ruleset, entry.query)
        assert turned.on == alone.on
        for there in steps:
            assert (entry.key in there.on) is not on, (entry.key, there.choice)
    else:
        there_is = {each.address for each in here.draft.of_kind("option")}
        assert entry.possible is bool(entry.values)
        assert bool(entry.value) == (entry.key in there_is)
        for there in steps:
            assert entry.key in {e.address for e in there.draft.of_kind("option")}
        for setting in {*entry.values[:2], *entry.values[-1:]}:
            found = chosen(ruleset, choice_of(setting.query)[0])
            assert found is not None, setting
    assert entry.possible or entry.repairs, (
        f"nothing fixes {entry.key}: {entry.why_not}"
    )


def chosen(ruleset: LoadedRuleset, choice: TableChoice) -> ChosenTable | None:
    from houserule.compiler.tables.choose import choose_table

    table, _ = choose_table(
        ruleset,
        preset=choice.preset,
        with_=choice.with_,
        without=choice.without,
        settings=choice.settings,
        players=choice.players,
    )
    return table


@pytest.mark.parametrize("name", SOME)
def test_what_the_menu_says_is_true(name: str) -> None:
    for choice in tables_of(name)[:FEW]:
        hold_true(game(name), choice)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_what_the_menu_says_is_true_at_many_tables(name: str) -> None:
    for choice in tables_of(name)[FEW:60]:
        hold_true(game(name), choice)


@pytest.mark.parametrize("name", SOME)
def test_a_link_opens_the_same_table(name: str) -> None:
    ruleset = game(name)
    for choice in tables_of(name)[:30]:
        query = query_of(choice)
        again, _ = choice_of(query)
        assert query_of(again) == query
        table = chosen(ruleset, choice)
        assert table is not None
        assert chosen(ruleset, again) == table


@pytest.mark.parametrize("name", SOME)
def test_a_table_file_opens_the_same_table(name: str) -> None:
    ruleset = game(name)
    for choice in tables_of(name)[:4]:
        text = table_file_text(ruleset, choice)
        again, found = table_in(Source("table.yaml", text), Path())
        assert again is not None, found
        again = replace(again, places={}, named={}, sources={})
        assert chosen(ruleset, again) == chosen(ruleset, choice)


@pytest.mark.parametrize("name", SOME)
def test_a_surprise_can_be_played(name: str) -> None:
    ruleset = game(name)
    found = [surprise(ruleset, seed) for seed in range(4)]
    assert found == [surprise(ruleset, seed) for seed in range(4)]
    for choice in found:
        assert is_sound(ruleset, choice)
    if len(ruleset.units_of("variant")) > 2:
        assert len({query_of(each) for each in found}) > 1


@pytest.mark.parametrize(
    ("name", "language"), [*((each, "de") for each in GAMES[::5]), ("nim", "it")]
)
def test_every_entry_can_be_opened_in_every_language(name: str, language: str) -> None:
    ruleset = game(name)
    menu = menu_of(ruleset, TableChoice(), language)
    for entry in entries(menu):
        opened = opened_entry(ruleset, entry.key, language)
        assert opened is not None
        assert opened.title == entry.title
        assert "_" not in entry.title
    assert opened_entry(ruleset, "nothing_of_the_kind", language) is None


def test_what_is_wrong_with_a_link_of_a_stranger_is_a_fault_of_the_table() -> None:
    ruleset = game("x_pasch")
    choice, _ = choice_of(
        "with=better_bankruptcy,no_such_rule&without=deluxe&players=9"
    )
    menu = menu_of(ruleset, choice, "en")
    assert not menu.playable
    assert "no_such_rule" in " ".join(each.says for each in menu.faults)
    fixes = [fix for each in menu.faults for fix in each.repairs]
    assert fixes
    for fix in fixes:
        assert not table_at(ruleset, fix.query).faults


# ---- break what holds, and see it found out


def test_a_mend_that_mends_nothing_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unrepaired(
        turning: Toggle, after: WishedTable, keeps: object
    ) -> tuple[MenuStep, ...]:
        return (turning.step(after),)

    monkeypatch.setattr(Toggle, "repairs", unrepaired)
    with pytest.raises(AssertionError):
        hold_true(game("x_pasch"), TableChoice(with_=("better_bankruptcy",)))


def test_a_mend_that_undoes_what_was_wanted_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def undone(
        turning: Toggle, after: WishedTable, keeps: object
    ) -> tuple[MenuStep, ...]:
        return (turning.step(turning.table),)

    monkeypatch.setattr(Toggle, "repairs", undone)
    with pytest.raises(AssertionError):
        hold_true(game("x_pasch"), TableChoice())


def test_a_switch_that_is_refused_without_a_reason_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Toggle, "why_not", lambda turning, after: "")
    with pytest.raises(AssertionError):
        hold_true(game("x_pasch"), TableChoice())


def test_a_reason_for_what_is_possible_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Toggle, "why_not", lambda turning, after: "Never.")
    with pytest.raises(AssertionError):
        hold_true(game("nim"), TableChoice())


# ---- house rules that say different things

CLASH = """variant last_but_one for nim "The last but one wins"

change winners "The player who takes the last stick wins"
  from those p in players where p is last
  to those p in players where p is not last
"""
DISAGREE = {
    "en": "contradict each other on one rule",
    "de": "widersprechen sich bei derselben Regel",
    "fr": "se contredisent sur une même règle",
    "it": "si contraddicono sulla stessa regola",
}


@pytest.mark.parametrize("language", DISAGREE)
def test_a_clash_is_told_in_the_language_of_the_page(
    tmp_path: Path, language: str
) -> None:
    file = tmp_path / "own.rules"
    file.write_text(CLASH)
    beside = [RulesFile(file, "own.rules", called="own.rules")]
    ruleset = open_ruleset(shipped_rulesets()["nim"], beside)
    both = TableChoice(with_=("misere", "last_but_one"))
    (fault,) = menu_of(ruleset, both, language).faults
    assert DISAGREE[language] in fault.says
    assert [each.query for each in fault.repairs] == [
        "with=misere",
        "with=last_but_one",
    ]
    assert len(fault.places) == 3
    assert not fault.details
    one = menu_of(ruleset, TableChoice(with_=("misere",)), language)
    (entry,) = (each for each in entries(one) if each.key == "last_but_one")
    assert DISAGREE[language] in entry.why_not
    assert [each.query for each in entry.repairs] == ["with=last_but_one"]
