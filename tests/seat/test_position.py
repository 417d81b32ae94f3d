"""What a seat sees: drawn moments, nothing of what is hidden, and no names of rules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from ruamel.yaml import YAML
from tests.support.rulesets import ruleset_from_texts
from tests.support.shipped import prepared_at, ruleset_of

from houserule.base.resources import Phrases
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.ruleset import Plain
from houserule.play.seat.position import look, position, seen
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import SeenPosition
from houserule.ui.terminal.line_mode import Spoken

HERE = Path(__file__).parent
MOMENTS = YAML(typ="safe").load(HERE / "moments.yaml")
PEOPLE = ("ann", "bob", "cyd", "dan", "eve", "fay")


def as_text(position: SeenPosition, language: str = "en") -> str:
    """Return a position as line mode says it; what is new bears a star."""
    starred = SeenPosition.model_validate(_starred(position.model_dump()))
    names = {each.seat: each.name for each in position.seats}
    spoken = Spoken(Phrases("terminal", language), names)
    return "".join(f"{line}\n" for area in starred.areas for line in spoken.area(area))


def _starred(value: object) -> object:
    match value:
        case {"new": True, **rest}:
            said = "text" if "text" in rest else "name"
            return _starred({**rest, said: f"{rest[said]}*"})
        case dict():
            return {key: _starred(each) for key, each in value.items()}
        case list() | tuple():
            return [_starred(each) for each in value]
        case _:
            return value


def rules_of(name: str, choice: TableChoice) -> TableRules:
    prepared = prepared_at(name, choice)
    assert prepared.table is not None
    assert prepared.program is not None
    return TableRules(ruleset_of(name), prepared.table, prepared.program)


def played(rules: TableRules, seed: int, decisions: int) -> Iterator[ReferenceGame]:
    """Yield a game at each of its first decisions; bots decide at random."""
    game = ReferenceGame.start(rules.program, seed)
    bots = seat_bots(["random"], rules.program.seats, seed, 0)
    for _ in range(decisions):
        if game.decision is None:
            return
        yield game
        game.choose(bots[game.decision.seat].choose(game))
    yield game


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_reads_well(name: str) -> None:
    moment = MOMENTS[name]
    choice = TableChoice(preset=moment.get("preset"), players=moment["players"])
    rules = rules_of(moment["game"], choice)
    people = PEOPLE[: rules.program.seats]
    words = rules.wording(moment.get("language", "en"), people)
    viewer, last = moment["viewer"], None
    for number, game in enumerate(played(rules, moment["seed"], moment["at"])):
        if number == moment["at"] - moment["look"]:
            last = look(rules, game, words, viewer)
    assert last is not None
    found = as_text(position(rules, game, words, viewer, last), words.language)
    file = HERE / "golden" / f"{name}.txt"
    if os.environ.get("HOUSERULE_BLESS"):
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")


def test_a_card_that_one_put_under_a_pile_is_seen_there_by_him_alone() -> None:
    rules = rules_of("x_pasch", TableChoice(players=3))
    game, luck = ReferenceGame.start(rules.program, 1), Random(1)
    found: list[Choice] = []
    while not found:
        assert game.decision is not None
        seat, options = game.decision.seat, list(game.decision.options)
        found = [each for each in options if str(each).startswith("Act(action='exch")]
        game.choose(found[0] if found else luck.choice(options))
    (lying,) = game.machine.store.zones["deck"]
    under = str(rules.wording("en").thing("Company", lying[0]))
    for viewer in (*range(3), None):
        words = rules.wording("en")
        text = as_text(position(rules, game, words, viewer))
        (deck,) = [line for line in text.splitlines() if line.startswith("Deck")]
        assert (under in deck) is (viewer == seat), deck


ROWS = """\
game rows "Rows"
players 2..2
component Card for each n: 1..9
zone deck "The deck": pile of Card starts as Card
zone row(p: Player, i: 1..2) "A row": pile of Card seen by everyone
zone heap(p: Player, i: 1..2) "A heap": set of Card seen only by p
zone cell(i: 1..2, j: 1..2) "A cell": pile of Card seen by everyone
zone shared(p, q: Player) "In common": set of Card seen only by {p, q}
state mark(i: 1..2, j: 1..2) "The mark": 0..9 starts as 0
winners: players
phase round until size(deck) is 0, at most 20 times
  phase turn for me in players
    step laying: must act once, if possible
action lay(i, j in 1..2) during laying "Lay"
  cost a: move 1 from deck to row(me, i)
  does b:
    move up to 1 from deck to heap(me, j)
    move up to 1 from deck to cell(i, j)
    move up to 1 from deck to shared(me, other_player(me))
    mark(i, j) gains 3
"""


def test_each_place_of_a_zone_with_several_keys_is_an_area() -> None:
    ruleset = ruleset_from_texts({"game.rules": ROWS})
    prepared = prepare(ruleset, TableChoice(players=2))
    assert prepared.table is not None
    assert prepared.program is not None
    rules = TableRules(ruleset, prepared.table, prepared.program)
    game = ReferenceGame.start(rules.program, 1)
    assert game.decision is not None
    game.choose(list(game.decision.options)[1])
    words = rules.wording("en", PEOPLE[:2])
    own, other = (as_text(position(rules, game, words, who)) for who in (0, 1))
    assert "ann: A row 1: 1, A heap 2: 1, In common bob: 1.\n" in own
    assert "A row (1) (1): 9.\nA heap (2) (1): 8.\n" in own
    assert "A row (ann, 1) (1): 9.\n" in other
    assert "A heap" not in other.partition("A row (ann")[2]
    for text in (own, other):
        assert "A cell (1 2) (1): 7.\n" in text
        assert "The mark: (1, 1) 0, (1, 2) 3, (2, 1) 0, (2, 2) 0.\n" in text


TABLES = """\
game t
players 2..2
type Good = wood | clay
type Way = north(1) | south(2)
  step: 1..2
component Spot from "spots.yaml"
  brings: Good or none
  room: 1..3
  price(g: Good): 0..4
component Card for each good: Good, nr: 1..2
tokens man(p: Player): 2 in idle(p), out(p, s: Spot)
state steps(w: Way): 0..9 starts as 0
zone hand: set of Card starts as Card
winners: players
phase turn for me in players
  step going: must act once, if possible
action go(s in Spot) during going
  cost man: move 1 from idle(me) to out(me, s)
"""
SPOTS: list[dict[str, Plain]] = [
    {"id": "forest", "brings": "wood", "room": 2, "price": [0, 0]},
    {"id": "yard", "room": 1, "price": [3, 1]},
]


def test_a_table_shows_its_columns_if_no_text_names_some() -> None:
    tables = {"spots.yaml": SPOTS}
    ruleset = ruleset_from_texts({"game.rules": TABLES}, tables)
    prepared = prepare(ruleset, TableChoice(players=2))
    assert prepared.table is not None
    assert prepared.program is not None
    rules = TableRules(ruleset, prepared.table, prepared.program)
    game = ReferenceGame.start(rules.program, 1)
    assert game.decision is not None
    game.choose(next(iter(game.decision.options)))
    text = as_text(position(rules, game, rules.wording("en", PEOPLE[:2]), 0))
    assert (
        "Spot:\nforest: Brings wood, Room 2, Out ann 1.\n"
        "yard: Room 1, Price wood 3, clay 1.\n"
    ) in text
    assert "Way" not in text  # the members of an enumeration, on which nothing lies
    assert "Hand (4): wood-1; wood-2; clay-1; clay-2.\n" in text


# ---- what is new


def test_only_what_changed_since_the_last_look_is_new() -> None:
    rules = rules_of("x_pasch", TableChoice(preset="official", players=3))
    words = rules.wording("en")
    last = None
    for game in played(rules, 3, 40):
        now, this = seen(rules, game, words, 0, last)
        again = position(rules, game, words, 0, this)
        assert "*" not in as_text(again)
        assert (last is None) <= ("*" not in as_text(now))
        if last is not None:
            changed = {key for key in this.seen if this.seen[key] != last.seen.get(key)}
            assert ("*" in as_text(now)) == bool(changed)
        last = this


def test_seats_have_the_colours_that_the_game_names() -> None:
    rules = rules_of("pachisi", TableChoice(preset="german", players=4))
    game = next(played(rules, 1, 1))
    for language in ("en", "de"):
        found = position(rules, game, rules.wording(language), None).seats
        assert [seat.colour for seat in found] == ["red", "yellow", "black", "green"]
    hexes = rules_of("hex_board", TableChoice())
    seats = position(hexes, next(played(hexes, 1, 1)), hexes.wording("en"), 0).seats
    assert [seat.colour for seat in seats] == [None, None]
