"""A choice in steps: what is built is legal, and what is legal can be built."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

import pytest
from tests.narrate.test_nothing_raw import raw_lines
from tests.support.clicking import chooser, clicked_game, rules_at
from tests.support.shipped import NAMES, ShippedTable, presets, ruleset_of

from houserule.engine.reference.options.steps import ProductSteps, Way
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.declared_names import declared_names
from houserule.play.seat.choosing import Chooser, NoSuchChoice
from houserule.play.seat.choosing.parts import actions_of
from houserule.play.seat.seat_model import COUNTED, ChoiceStep

FEW = 2000


def in_languages(tables: Iterable[ShippedTable]) -> list[tuple[ShippedTable, str]]:
    return [
        (table, language)
        for table in tables
        for language in ruleset_of(table.game).manifest.languages
    ]


TABLES = [table for game in NAMES for table in presets(game)]
ALL = in_languages(TABLES)
LARGEST = [presets(game)[-1] for game in NAMES]
LANGUAGES = in_languages(LARGEST)


def well_said(clicker: Chooser, step: ChoiceStep) -> None:
    """Hold labels to be words, and to tell the options of a step apart."""
    labels = [option.label for option in step.options]
    assert len(set(labels)) == len(labels)
    advice = [why for option in step.options for why in option.advice]
    closed = [option.label for option in step.closed]
    texts = [step.asks, *step.said, *labels, *closed, *advice]
    assert raw_lines(iter(texts), clicker.words.language) == []
    for text in texts:
        assert text.strip()
        square = re.match(r"[a-z]+-?\d\b", text)  # is called as on the board
        assert text[0] == text[0].upper() or square, text
    for option in step.options:
        assert option.marks or not option.label.isdigit(), "a number of what?"
        assert 0 < option.count <= COUNTED
        assert option.complete == (option.count == 1 and not option.more)
    assert all(option.count == 0 for option in step.closed)


@pytest.mark.parametrize("table", LARGEST, ids=str)
def test_a_clicker_makes_only_legal_choices(table: ShippedTable) -> None:
    """`choose` refuses any other."""
    made = sum(1 for _ in clicked_game(rules_at(table), "en", 7, 60))
    assert made > 1


@pytest.mark.slow
@pytest.mark.parametrize(("table", "language"), ALL, ids=str)
def test_a_clicker_plays_to_the_end(table: ShippedTable, language: str) -> None:
    """Every preset, the base and everything on, in every language."""
    for game in clicked_game(rules_at(table), language, 3, 20_000, well_said):
        last = game
    assert last.outcome is not None


@pytest.mark.parametrize(("table", "language"), LANGUAGES, ids=str)
def test_steps_and_options_are_said_in_words(
    table: ShippedTable, language: str
) -> None:
    for _ in clicked_game(rules_at(table), language, 5, 40, well_said):
        pass


@pytest.mark.parametrize("table", LARGEST, ids=str)
def test_an_action_keeps_its_number_while_its_phase_lasts(table: ShippedTable) -> None:
    numbers: dict[tuple[str, str], int] = {}

    def look(clicker: Chooser, step: ChoiceStep) -> None:
        every = [*step.options, *step.closed]
        assert len({each.number for each in every}) == len(every)
        for row in (step.options, step.closed):
            in_order = [each.number for each in row if each.key != "done"]
            assert in_order == sorted(in_order)
        decision = clicker.decision
        if decision.kind == "act" and not step.path:
            for each in every:
                known = numbers.setdefault((decision.site, each.key), each.number)
                assert each.number == known

    for _ in clicked_game(rules_at(table), "en", 13, 60, look):
        pass


def test_actions_stand_in_the_order_of_the_rules() -> None:
    """Those of house rules stand in their step, behind the game's own."""
    rules = rules_at(presets("x_pasch")[-1])
    found = actions_of(rules.program, "use")
    steps = ("found", "place", "spread", "assign", "slide", "draw", "draw_green")
    assert [each for each in found if each in steps] == list(steps)


def test_what_was_passed_over_stays_closed_at_its_number() -> None:
    rules = rules_at(presets("x_pasch")[0])
    for game in clicked_game(rules, "en", 3, 60):
        assert game.decision is not None
        if set(game.decision.open_steps) == {"drawing", "exchanging"}:
            step = chooser(rules, game, rules.wording("en")).step()
            closed = {each.key: each.number for each in step.closed}
            assert closed.items() >= {"found": 1, "place": 2, "slide": 4}.items()
            assert step.options[-1].number == 0
            return
    raise AssertionError("nobody went on to drawing")


def unbuilt(clicker: Chooser, game: ReferenceGame, draw: Random) -> list[object]:
    """Return options that no click leads to: all are tried, or a sample of many."""
    assert game.decision is not None
    options = game.decision.options
    count = options.count()
    few = count <= FEW
    numbers = range(count) if few else sorted(draw.sample(range(count), 20))
    missing: list[object] = []
    for number in numbers:
        choice = options[number]
        path = clicker.path(choice)
        if clicker.choice(path) != choice or not reached(clicker, path):
            missing.append(choice)
    return missing


def reached(clicker: Chooser, path: tuple[str, ...]) -> bool:
    """Say whether every step on the way to a path offers a way on."""
    wanted = {key.partition("=")[0]: key for key in path}
    at: tuple[str, ...] = ()
    for _ in range(200):
        step = clicker.step(at)
        on = [option for option in step.options if leads(option.key, wanted, at)]
        if not on:
            return False
        at = (*at, on[0].key)
        if on[0].complete:
            return clicker.choice(at) == clicker.choice(path)
    return False


def leads(key: str, wanted: dict[str, str], at: tuple[str, ...]) -> bool:
    """Say whether a key is on the way: a value that is wanted, or a member of it."""
    name, plus, member = key.partition("+") if "=" not in key else (key, "", "")
    if plus:
        members = wanted.get(name, "").partition("=")[2].split("+")
        return member in members
    if name.startswith("share:") and name.endswith("=0"):
        return name.partition("=")[0] not in wanted
    return wanted.get(key.partition("=")[0]) == key


def build_all(table: ShippedTable, decisions: int, every: int) -> None:
    draw, rules = Random(11), rules_at(table)
    words = rules.wording("en")
    for number, game in enumerate(clicked_game(rules, "en", 11, decisions)):
        if game.decision is not None and number % every == 0:
            assert unbuilt(chooser(rules, game, words), game, draw) == []


@pytest.mark.parametrize("table", LARGEST, ids=str)
def test_every_option_that_is_counted_can_be_built(table: ShippedTable) -> None:
    build_all(table, 31, 10)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_option_can_be_built_at_every_preset(table: ShippedTable) -> None:
    build_all(table, 400, 7)


def test_a_long_list_is_given_part_by_part() -> None:
    rules = rules_at(presets("hex_5x5")[0])
    game = ReferenceGame.start(rules.program, 1)
    clicker = chooser(rules, game, rules.wording("en"))
    whole, rest = clicker.step(("put",)), clicker.step(("put",), first=20)
    assert (len(whole.options), len(rest.options)) == (25, 5)
    assert rest.options == whole.options[20:]
    assert rest.total == whole.total


def test_a_value_that_is_dropped_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would find it: the last value of each variable is left out."""
    every = ProductSteps.ways

    def dropping(self: ProductSteps, *args: object, **more: object) -> list[Way]:
        found = every(self, *args, **more)  # type: ignore[arg-type]  # handed on
        return found[:-1] if len(found) > 1 else found

    monkeypatch.setattr(ProductSteps, "ways", dropping)
    rules = rules_at(presets("hex_5x5")[0])
    game = ReferenceGame.start(rules.program, 1)
    clicker = chooser(rules, game, rules.wording("en"))
    assert len(unbuilt(clicker, game, Random(1))) == 1


def test_counts_are_those_of_the_engine() -> None:
    rules = rules_at(presets("takeover")[-1])
    words, many = rules.wording("en"), 0
    for game in clicked_game(rules, "en", 2, 60):
        if game.decision is None:
            break
        step = chooser(rules, game, words).step()
        if step.options[0].key.startswith("choose"):
            continue  # members of a set: one choice counts for each of its members
        count = game.decision.options.count()
        many += count > COUNTED
        if any(option.more for option in step.options):
            assert count > COUNTED
        else:
            assert sum(option.count for option in step.options) == count
    assert many


def test_paths_that_lead_nowhere_are_refused_with_a_reason() -> None:
    rules = rules_at(presets("nim")[0])
    game = ReferenceGame.start(rules.program, 1)
    clicker = chooser(rules, game, rules.wording("en"))
    for path in (
        ["sing"],
        ["take", "h=99"],
        ["take", "h=1", "n=34"],
        ["take", "x=1"],
        ["take", "h=1", "h=2"],
        ["take", "h+1"],
        ["take", "h"],
        ["done"],
        ["="],
        ["yes"],
    ):
        with pytest.raises(NoSuchChoice, match=r"\w"):
            clicker.step(path)
        with pytest.raises(NoSuchChoice):
            clicker.choice(path)


@pytest.mark.parametrize(
    ("game", "language"),
    [(g, lang) for g in NAMES for lang in ruleset_of(g).manifest.languages],
)
def test_shipped_games_ask_for_every_variable_in_their_own_words(
    game: str, language: str
) -> None:
    ruleset = ruleset_of(game)
    texts, names = ruleset.texts[language], declared_names(ruleset.units)
    for variable in names.questions:
        assert f"questions/{variable}" in texts
    for action in names.actions:
        if names.built[action]:
            assert f"choices/{action}" in texts
