"""Nothing leaks: what a seat may not see changes nothing of what the seat is shown.

At decisions of random games hidden things are dealt anew, hidden dice thrown, hidden
cells and unseen choices drawn. Everything that the seat gets is then the same, byte for
byte, also while the same goes on in both games. Each mutant of the program lets one
thing be seen that should not be, and must be caught.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from tests.seat.shown import SHOWN, TOLD, Shown, Watched, undone
from tests.seat.twins import (
    Twins,
    as_renamed,
    asks,
    drawn,
    near_end,
    reseeded,
    seeds_in,
    seen_by,
    twins_at,
    twins_in,
)
from tests.support.clicking import rules_at
from tests.support.mutants import mutated
from tests.support.rules_cases import CASES, cases_in
from tests.support.rulesets import ruleset_from_texts
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ShippedTable, ruleset_of, tables, telling

from houserule.compiler.prepare import TableChoice, prepare
from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.choices import Event
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.play.narration.hearing import listen
from houserule.play.seat.rules import TableRules
from houserule.study.simulate.play import scores
from houserule.ui.terminal.keyboard import has_secrets

WORDS = ("nothing", "everything")
SECRETIVE = (
    "chess",
    "cribbage",
    "gin_rummy",
    "guild_street",
    "hearts",
    "holdem",
    "landlords",
    "liars_dice",
    "mau_mau",
    "pasha",
    "skat",
    "takeover",
    "trails",
    "workshop",
    "x_pasch",
)


HIDING = {"chess": "dark_chess"}
"""Variants that hide something of games that hide nothing without them."""

MAY_HIDE = (
    "guesses",
    "peeks",
    "bids",
    "opens",
    "claims",
    "fog",
    "teams",
    "told",
)
TEXTS = {"told": {"en": {"messages/note": "{p} has noted {n}"}}}


def few(game: str) -> list[Choice]:
    """Return the base with its most players, and everything on.

    Of a game that hides something only with a variant, return tables with that.
    """
    if game in HIDING:
        return [each for each in telling(game) if HIDING[game] in each.variants]
    found = {each.why.split()[0]: each for each in telling(game)}
    return [found[word] for word in WORDS if word in found]


@cache
def rules_of(game: str) -> TableRules:
    """Return the rules of a shipped game with its most players, or of a small one.

    A small one goes also if it has rules that no check would let pass.
    """
    if game in NAMES:
        return rules_at(ShippedTable.of(game, few(game)[0]))
    ruleset = ruleset_of_small(game)
    with patch("houserule.compiler.lower.analysis.visibility", lambda *_: iter(())):
        found = prepare(ruleset, TableChoice())
    assert found.program is not None, found.diagnostics
    assert found.table is not None
    return TableRules(ruleset, found.table, found.program)


def ruleset_of_small(game: str) -> LoadedRuleset:
    (file,) = (*CASES.glob(f"bots/{game}.rules"), *CASES.glob(f"leaks/{game}.rules"))
    ruleset = ruleset_from_texts({"game.rules": file.read_text(encoding="utf-8")})
    return replace(ruleset, texts=TEXTS.get(game, {}))


# ---- two games that look the same to a seat


def some_twins(rules: TableRules, most: int, seats: int | None = 2) -> list[Twins]:
    """Return so many twins of random games; fewer if they are hard to find."""
    return list(islice(iter_twins(rules, seats), most))


def iter_twins(rules: TableRules, seats: int | None = 2) -> Iterator[Twins]:
    games = (twins_in(rules.program, seed, 4, seats) for seed in range(3, 30))
    return chain.from_iterable(games)


@cache
def known_twins(game: str, at_end: bool) -> tuple[list[Twins], Iterator[Twins]]:
    """Return the twins of a game that were looked at so far, and those to come."""
    rules = rules_of(game)
    found = last_twins(rules) if at_end else iter_twins(rules)
    return [], found


def shared_twins(game: str, at_end: bool) -> Iterator[Twins]:
    """Yield twins of random games: to all mutants the same, found only once."""
    known, found = known_twins(game, at_end)
    yield from known
    for each in found:
        known.append(each)
        yield each


def last_twins(rules: TableRules) -> Iterator[Twins]:
    """Yield twins of random games that are soon over."""
    for seed in range(20):
        before = [near_end(rules.program, seed, 2)]
        yield from twins_at(rules.program, seed, before, None)


def leaks(rules: TableRules, every: Sequence[Twins], choices: int) -> list[str]:
    """Return what shows in twins; a terminal is drawn for every fourth of them."""
    return [
        each
        for number, twins in enumerate(every)
        for each in apart(
            pair_of(rules, twins), twins, TOLD if number % 4 else SHOWN, choices
        )
    ]


def pair_of(rules: TableRules, twins: Twins) -> list[Watched]:
    """Return sittings at two games that look the same to the viewer."""
    games = (twins.true.clone(), twins.other.clone())
    return [Watched.at(rules, game, twins.viewer) for game in games]


def apart(
    pair: Sequence[Watched], twins: Twins, shown: Mapping[str, Shown], choices: int
) -> Iterator[str]:
    """Yield how what a seat is shown differs, while the same is done in both games.

    Once something comes out that looks different, the games are no twins any more.
    """
    looks: list[list[object]] = [[], []]
    luck = Random(twins.viewer)
    for number in range(choices + 1):
        for name, show in shown.items():
            yield from unlike(f"{name} after {number}", show, pair)
        if number == 0:
            for each, row in zip(pair, looks, strict=True):
                listen(each.game, looking(each, row))
        try:
            if number == choices or not chosen_alike(pair, twins, luck):
                break
        except RuleFault:
            return  # the rules cannot do it to what is hidden in one of them
        if looks[0] != looks[1] or result(pair[0].game) != result(pair[1].game):
            return
    yield from unlike("undone", undone, pair)


def unlike(name: str, show: Shown, pair: Sequence[Watched]) -> Iterator[str]:
    """Yield the first text in which what is shown of two sittings differs."""
    one, other = (list(show(each)) for each in pair)
    if one != other:
        pairs = zip(one, other, strict=False)
        first = next((p for p in pairs if p[0] != p[1]), "more lines")
        yield f"{name}, seat {pair[0].viewer}: {first}"


def result(game: ReferenceGame) -> object:
    """Return who has won, with how much: what all are told when a game is over."""
    return game.outcome and (game.outcome, scores(game))


def looking(at: Watched, row: list[object]) -> Callable[[Event], None]:
    """Return what notes at each event what the viewer sees then."""

    def note(_: Event) -> None:
        row.append(seen_by(at.game, at.viewer))

    return note


def chosen_alike(pair: Sequence[Watched], twins: Twins, luck: Random) -> bool:
    """Choose the same in both games, with hidden things renamed; False if impossible.

    Another seat may be asked something else, or the same may not be legal for it. What
    the viewer is asked and may choose tells nothing.

    Raises:
        RuleFault: the rules broke down at it, maybe in one of the games alone.
    """
    one, other = pair
    decision = one.game.decision
    if decision is None or asks(one.game) != asks(other.game):
        return False
    choice = drawn(one.game, luck)
    same = as_renamed(choice, one.rules.program, decision.site, twins.renamed)
    if other.game.refusals(same):
        assert not one.asked, f"{choice} tells something by being legal"
        return False
    one.sitting.choose(decision.seat, choice, bots_at_most=0)
    other.sitting.choose(decision.seat, same, bots_at_most=0)
    return True


MANY = 12
TWINS = 2  # of each table at least; many more where it takes its time


@pytest.mark.parametrize("table", tables(few, first=False))
def test_what_is_hidden_shows_nowhere(table: ShippedTable) -> None:
    rules = rules_at(table)
    if has_secrets(rules.program):
        twins = some_twins(rules, TWINS)
        assert len(twins) == TWINS
        assert leaks(rules, twins, 2) == []


@pytest.mark.parametrize("game", spread(NAMES, 4))
def test_the_seed_shows_nowhere(game: str) -> None:
    """Hints and reasons come from what the seat sees, where nothing hides too."""
    rules = rules_of(game)
    every = list(seeds_in(rules.program, 3, 2))
    assert len(every) > 1
    assert seeds_apart(rules, every) == []


@pytest.mark.parametrize("game", ["one_die", "cribbage", "hearts"])
def test_what_is_hidden_and_the_seed_show_nowhere_at_many_decisions(game: str) -> None:
    rules = one_die() if game == "one_die" else rules_of(game)
    every = [reseeded(each) for each in some_twins(rules, MANY, 1)]
    assert len(every) == MANY
    assert seeds_apart(rules, every) == []


def seeds_apart(rules: TableRules, every: Sequence[Twins]) -> list[str]:
    """Return what shows of the seeds, but in the log: that tells the set-up."""
    shown = {**TOLD, "moments": without_log}
    del shown["tale"]
    return [
        each
        for twins in every
        for name, show in shown.items()
        for each in unlike(name, show, pair_of(rules, twins))
    ]


def without_log(at: Watched) -> Iterator[str]:
    yield at.sitting.moment(at.viewer).model_copy(update={"log": ()}).model_dump_json()


@cache
def one_die() -> TableRules:
    """Return the rules of Liar's dice for two with a die each."""
    choice = TableChoice(players=2, settings={"dice_each": 1})
    found = prepare(ruleset_of("liars_dice"), choice)
    assert found.program is not None
    assert found.table is not None
    return TableRules(ruleset_of("liars_dice"), found.table, found.program)


def test_these_games_hide_something() -> None:
    found = {game for game in NAMES if has_secrets(rules_of(game).program)}
    assert found == {*SECRETIVE}


@pytest.mark.parametrize("game", MAY_HIDE)
def test_nothing_shows_where_everything_may_hide(game: str) -> None:
    rules = rules_of(game)
    twins = some_twins(rules, 4 * TWINS)
    assert len(twins) == 4 * TWINS
    assert leaks(rules, twins, 4) == []


def test_what_twins_see_is_refused() -> None:
    """Who is shown something shows in the log: twins differ, and check says so."""
    rules = rules_of("shows")
    assert any("tale" in each for each in leaks(rules, some_twins(rules, 4 * TWINS), 4))
    found = prepare(ruleset_of_small("shows"), TableChoice())
    assert {each.code for each in found.diagnostics} == {"E601"}


@pytest.mark.parametrize("game", ["chess", "fog"])
def test_the_log_names_no_place_of_a_move_that_a_seat_does_not_see(game: str) -> None:
    rules, heard = rules_of(game), [0, 0]
    for viewer in range(2):
        watched = Watched.at(rules, ReferenceGame.start(rules.program, 5), viewer)
        luck = Random(5)
        for _ in range(40):
            decision = watched.game.decision
            if decision is None:
                break
            before = len(watched.sitting.log(viewer))
            choice = drawn(watched.game, luck)
            watched.sitting.choose(decision.seat, choice, bots_at_most=0)
            lines = watched.sitting.log(viewer)[before:]
            told = " ".join(each for each in lines if " " in each.strip())
            told = re.sub(r"\b(p|Round |Runde |round |Zug )\d+", "", told)
            assert bool(re.search(r"\d", told)) is (decision.seat == viewer), lines
            heard[viewer] += decision.seat == viewer
    assert min(heard) > 5


ENDING = ("guesses", "bids", "hoards", "guild_street", "liars_dice", "x_pasch")


@pytest.mark.parametrize("ends", [2, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", ENDING)
def test_what_was_hidden_stays_so_at_the_end(game: str, ends: int) -> None:
    """An end is told, with its reason and scores, and uncovers nothing."""
    rules, ended = rules_of(game), 0
    for twins in last_twins(rules):
        pair = pair_of(rules, twins)
        assert list(apart(pair, twins, TOLD, 3)) == []
        one, other = (result(each.game) for each in pair)
        ended += one is not None and one == other
        if ended >= ends:
            return
    raise AssertionError(f"only {ended} twins came to their ends")


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(telling))
def test_what_is_hidden_shows_nowhere_at_more_tables(table: ShippedTable) -> None:
    rules = rules_at(table)
    if has_secrets(rules.program):
        twins = some_twins(rules, 10 * TWINS, None)
        assert len(twins) == 10 * TWINS
        assert leaks(rules, twins, 4) == []


# ---- mutants: each lets one thing be seen, and is caught

MOST = 30  # twins that a mutant has to be caught at


@pytest.mark.parametrize("leak", cases_in(CASES / "leaks"))
def test_a_mutant_is_caught(leak: Mapping[str, Any]) -> None:
    game, name = leak["shown"]
    shown = {each: SHOWN[each] for each in ("tale", name)}
    rules = rules_of(game)
    every = shared_twins(game, "at_end" in leak)
    for twins in every if "at_end" in leak else islice(every, MOST):
        with mutated(leak["module"], leak["right"], leak["instead"]):
            pair = pair_of(rules, twins)
            found = list(apart(pair, twins, shown, 6))
        if any(each.startswith(name) for each in found):
            return
    raise AssertionError("nothing tells that it leaks")
