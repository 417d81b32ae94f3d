"""Nothing leaks: what a seat may not see changes nothing of what the seat is shown.

At decisions of random games hidden things are dealt anew, hidden dice thrown, hidden
cells and unseen choices drawn. Every text and value that the seat gets is then the
same, byte for byte. Each mutant lets one thing be seen that should not be, and must be
caught.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from random import Random
from unittest.mock import patch

import pytest
from tests.seat.twins import Twins, as_renamed, drawn, seen_by, twins_in
from tests.support.rules_cases import CASES
from tests.support.rulesets import ruleset_from_texts
from tests.support.shipped import ShippedTable, ruleset_of, tables, telling

from houserule.bots import imagined
from houserule.bots.greedy import GreedyBot
from houserule.compose.tables.sample import Choice
from houserule.engine.choices import Done, Event
from houserule.engine.options.options import Decision
from houserule.engine.play.game import ReferenceGame
from houserule.engine.random_numbers import Stream
from houserule.ir.types import Data, Kind, Whole, members
from houserule.narrate.hearing import listen
from houserule.narrate.knowledge import Knowledge
from houserule.narrate.witness import ALL_KNOWING, Viewer
from houserule.prepare import TableChoice, prepare
from houserule.record.names import factors, words_of
from houserule.seat.position import position
from houserule.seat.reasons import SaidMove, SaidTaking, why, why_value
from houserule.seat.rules import TableRules
from houserule.seat.scores import scores
from houserule.state import view as views
from houserule.state.faults import RuleFault
from houserule.state.view import Visibility

WORDS = ("nothing", "everything")
Face = Callable[[TableRules, ReferenceGame, int], Iterator[str]]


def few(game: str) -> list[Choice]:
    """Return the base with its most players, and everything on."""
    found = {each.why.split()[0]: each for each in telling(game)}
    return [found[word] for word in WORDS if word in found]


@lru_cache(maxsize=12)
def rules_at(table: ShippedTable) -> TableRules:
    """Return what is played at a table; there are no faults in it."""
    wanted = TableChoice(
        with_=tuple(sorted(table.choice.variants)),
        settings=table.choice.settings,
        players=table.choice.players,
    )
    ruleset = ruleset_of(table.game)
    found = prepare(ruleset, wanted)
    assert found.program is not None
    assert found.table is not None
    return TableRules(ruleset, found.table, found.program)


@lru_cache(maxsize=1)
def guesses() -> TableRules:
    """Return a game that hides something of every kind, also amid an effect."""
    text = (CASES / "bots" / "guesses.rules").read_text(encoding="utf-8")
    ruleset = ruleset_from_texts({"game.rules": text})
    found = prepare(ruleset, TableChoice())
    assert found.program is not None, found.diagnostics
    assert found.table is not None
    return TableRules(ruleset, found.table, found.program)


def hides(rules: TableRules) -> bool:
    """Say whether anything is hidden from anybody."""
    program = rules.program
    things = (program.zones, program.states, program.components)
    return any(each.seen is not None for kind in things for each in kind.values())


# ---- what a seat is shown of one state


def view_of(_: TableRules, game: ReferenceGame, viewer: int) -> Iterator[str]:
    yield json.dumps(seen_by(game, viewer))


def boards_of(rules: TableRules, game: ReferenceGame, viewer: int) -> Iterator[str]:
    """Yield what a viewer may know of things, cells, dice and declared values."""
    knowledge, store = Knowledge(game, viewer), game.machine.store
    program = rules.program
    for name, value in program.values.items():
        if not value.params and knowledge.value(name):
            yield f"{name} is {game.value(name)}"
    for state in program.states:
        for index, cell in enumerate(store.cells[state]):
            if knowledge.cell(state, index):
                yield f"{state} {index} is {cell}"
    for kind, faces in store.faces.items():
        for die, face in enumerate(faces):
            if knowledge.face(kind, die):
                yield f"{kind} {die} shows {face}"
    for zone, places in store.zones.items():
        kind = store.layout.members[zone]
        for index, things in enumerate(places):
            for thing in things:
                if knowledge.thing(kind, thing):
                    yield f"{kind} {thing} lies in {zone} {index}"


def hint_of(rules: TableRules, game: ReferenceGame, viewer: int) -> Iterator[str]:
    decision = game.decision
    if decision is not None and decision.seat == viewer:
        bot = GreedyBot(viewer, Stream.seeded(1, 0, "hint"))
        hint = bot.choose(imagined.lookalike(game, viewer))
        yield json.dumps(words_of(hint, decision.site, rules.program))


def moves(rules: TableRules, decision: Decision) -> Iterator[SaidMove]:
    """Yield some options, and every action as far as its first values are said."""
    yield from decision.options.first(3)
    yield Done()
    for name, action in rules.program.actions.items():
        said: dict[str, Data] = {}
        yield SaidTaking(name, {})
        for variable, type_ in factors(action):
            every = members(type_) if isinstance(type_, Whole | Kind) else ()
            if not every:
                break
            said[variable] = every[-1]
            yield SaidTaking(name, dict(said))


def reasons_of(rules: TableRules, game: ReferenceGame, viewer: int) -> Iterator[str]:
    """Yield why moves are possible or not, as JSON, and what values come to be."""
    decision, words = game.decision, rules.wording("en")
    if decision is not None and decision.seat == viewer:
        for said in moves(rules, decision):
            yield why(rules, game, words, viewer, said).model_dump_json()
    for name, value in rules.program.values.items():
        if not value.params:
            yield why_value(rules, game, words, viewer, name).model_dump_json()


def position_of(rules: TableRules, game: ReferenceGame, viewer: int) -> Iterator[str]:
    """Yield what the seat sees and what everybody may see, as JSON, and the scores."""
    for language in sorted(rules.ruleset.texts) or ["en"]:
        words = rules.wording(language)
        for eye in (viewer, None):
            seen = position(rules, game, words, eye)
            yield seen.model_dump_json()
            for each in scores(rules, game, words, eye):
                yield each.model_dump_json()


FACES: Mapping[str, Face] = {
    "position": position_of,
    "reasons": reasons_of,
    "view": view_of,
    "knowledge": boards_of,
    "hint": hint_of,
}


def leaks(
    rules: TableRules,
    seed: int,
    faces: Mapping[str, Face],
    *,
    most: int = 3,
    patched: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> list[str]:
    """Return what shows in games that a seat cannot tell apart."""
    found = []
    for twins in twins_in(rules.program, seed, most):
        with patched():
            for name, face in faces.items():
                one = list(face(rules, twins.true, twins.viewer))
                other = list(face(rules, twins.other, twins.viewer))
                if one != other:
                    pairs = zip(one, other, strict=False)
                    first = next((p for p in pairs if p[0] != p[1]), "more lines")
                    found.append(f"{name}, seat {twins.viewer}: {first}")
    return found


@pytest.mark.parametrize("table", tables(few))
def test_what_is_hidden_shows_nowhere(table: ShippedTable) -> None:
    rules = rules_at(table)
    if hides(rules):
        assert leaks(rules, 3, FACES) == []


@pytest.mark.parametrize("seed", range(3))
def test_nothing_shows_where_everything_may_hide(seed: int) -> None:
    assert leaks(guesses(), seed, FACES, most=10) == []


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(telling))
def test_what_is_hidden_shows_nowhere_at_more_tables(table: ShippedTable) -> None:
    rules = rules_at(table)
    if hides(rules):
        assert [
            each for seed in range(4) for each in leaks(rules, seed, FACES, most=8)
        ] == []


# ---- what a seat is told while games go on


def told(
    rules: TableRules, twins: Twins, choices: int, viewer: Viewer
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the lines of both games for each choice, while they look the same.

    The same choices are made in both, with hidden things renamed. Once something comes
    out that looks different, the games are no twins any more.
    """
    pair, looks = (twins.true, twins.other), (list[object](), list[object]())
    narrators = [rules.narrator("en", viewer=viewer) for _ in pair]
    for game, narrator, row in zip(pair, narrators, looks, strict=True):
        list(narrator.news(game))
        listen(game, looking(game, twins.viewer, row))
    luck = Random(twins.viewer)
    for _ in range(choices):
        decision = twins.true.decision
        if decision is None or shape(twins.true) != shape(twins.other):
            return
        choice = drawn(twins.true, luck)
        same = as_renamed(choice, rules.program, decision.site, twins.renamed)
        if twins.other.refusals(same):
            return
        twins.true.choose(choice)
        try:
            twins.other.carry_out(same)
        except RuleFault:
            return
        if looks[0] != looks[1]:
            return
        one, other = (list(n.news(g)) for n, g in zip(narrators, pair, strict=True))
        yield one, other


def looking(
    game: ReferenceGame, viewer: int, row: list[object]
) -> Callable[[Event], None]:
    """Return what notes at each event what a seat sees then."""

    def note(_: Event) -> None:
        row.append(seen_by(game, viewer))

    return note


def shape(game: ReferenceGame) -> object:
    """Return who is asked what."""
    decision = game.decision
    return decision and (decision.seat, decision.kind, decision.site)


def tales_differ(
    rules: TableRules, seed: int, most: int, all_knowing: bool = False
) -> tuple[list[str], int]:
    """Return how tales of twins differ, and how many lines were compared."""
    found, compared = [], 0
    for twins in twins_in(rules.program, seed, most):
        viewer = ALL_KNOWING if all_knowing else twins.viewer
        for one, other in told(rules, twins, 3, viewer):
            compared += len(one)
            if one != other:
                found.append(f"seat {twins.viewer}: {one} {other}")
    return found, compared


@pytest.mark.parametrize("table", tables(few))
def test_the_tale_of_a_seat_is_the_same(table: ShippedTable) -> None:
    rules = rules_at(table)
    if hides(rules):
        assert tales_differ(rules, 3, 3)[0] == []


@pytest.mark.parametrize("seed", range(3))
def test_the_tale_is_the_same_where_everything_may_hide(seed: int) -> None:
    found, compared = tales_differ(guesses(), seed, 8)
    assert compared > 20
    assert found == []


def test_the_tale_of_one_who_knows_all_is_another() -> None:
    assert tales_differ(guesses(), 2, 8, all_knowing=True)[0]


# ---- mutants: each lets one thing be seen, and is caught


def everything(*_: object) -> bool:
    """See it all."""
    return True


def all_fields(self: Visibility, zone: str, item: int) -> views.Shown:
    """Show every field of a thing, also where it hides."""
    member = self.program.zones[zone].member
    fields = self.program.components[member.name].fields
    return tuple((name, column[item]) for name, (_, column) in fields.items())


def as_it_lies(thing: object) -> str:
    """Leave hidden things of a set in their own order."""
    return ""


def as_it_is(game: ReferenceGame, _: int) -> ReferenceGame:
    """Let a hint be thought out on the true game."""
    return game


VIEW, KNOWS = "houserule.state.view", "houserule.narrate.knowledge.Knowledge"
MUTANTS: Mapping[str, tuple[str, object, str, str]] = {
    "things of a position": (f"{KNOWS}.thing", everything, "position", ""),
    "cells of a position": (f"{KNOWS}.cell", everything, "position", ""),
    "faces of a position": (f"{KNOWS}.face", everything, "position", ""),
    "things in zones": (f"{VIEW}.Visibility.thing", everything, "view", "takeover"),
    "cells": (f"{VIEW}.Visibility.cell", everything, "view", ""),
    "faces of dice": (f"{VIEW}.Visibility.face", everything, "view", "liars_dice"),
    "what is printed on a thing": (
        *(f"{VIEW}.Visibility.shown", all_fields),
        *("view", "takeover"),
    ),
    "the order in a set": (f"{VIEW}._in_order", as_it_lies, "view", "takeover"),
    "known things": (f"{KNOWS}.thing", everything, "knowledge", "x_pasch"),
    "known cells": (f"{KNOWS}.cell", everything, "knowledge", ""),
    "known faces": (f"{KNOWS}.face", everything, "knowledge", "liars_dice"),
    "known values": (f"{KNOWS}.value", everything, "knowledge", "liars_dice"),
    "a hint from the true game": (
        "houserule.bots.imagined.lookalike",
        as_it_is,
        "hint",
        "",
    ),
}
"""What is exchanged for what, the face that tells, and a game in which it does: by
nothing, that of guesses."""


def caught(name: str) -> list[str]:
    """Return what a mutant lets be seen."""
    target, instead, face, game = MUTANTS[name]

    def patched() -> AbstractContextManager[object]:
        return patch(target, instead)

    rules = rules_at(ShippedTable.of(game, few(game)[0])) if game else guesses()
    faces = {face: FACES[face]}
    return leaks(rules, 2, faces, most=12, patched=patched)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str) -> None:
    assert caught(name)
