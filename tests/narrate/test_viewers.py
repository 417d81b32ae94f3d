"""The tale of a seat names nothing that the seat could not see when it happened."""

from __future__ import annotations

import re
from functools import cache
from typing import cast

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.base.inflection import inflected
from houserule.base.resources import data_root
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.choices import Act, Event
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Visibility
from houserule.ir import Program
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.play.narration.hearing import listen
from houserule.play.narration.narrator import Narrator
from houserule.play.narration.visibility import ALL_KNOWING, EVERYBODY, Viewer
from houserule.play.narration.wording import Wording

SEATS = 3


@cache
def rules(game: str, preset: str | None) -> tuple[LoadedRuleset, Program]:
    ruleset, _ = load_ruleset(data_root() / "rulesets" / game)
    assert ruleset is not None
    table = TableChoice(preset=preset, players=SEATS)
    program = prepare(ruleset, table).program
    assert program is not None
    return ruleset, program


@cache
def tale(
    game: str, viewer: Viewer, preset: str | None = None, choices: int = 10_000
) -> list[str]:
    """Return the lines of a game in English, its first choices by random bots."""
    ruleset, program = rules(game, preset)
    narrator = Narrator(Wording(program, ruleset.texts["en"]), viewer=viewer)
    playing = ReferenceGame.start(program, 3, listen=True)
    bots = seat_bots(["random"], program.seats, 3, 0)
    lines = list(narrator.news(playing))
    while playing.decision is not None and choices:
        playing.choose(bots[playing.decision.seat].choose(playing))
        lines += narrator.news(playing)
        choices -= 1
    return [line.strip() for line in lines]


def test_thrown_dice_show_their_owner_what_they_show() -> None:
    for seat in range(SEATS):
        lines = tale("liars_dice", seat, choices=0)
        throws = [line for line in lines if " rolls " in line]
        assert len(throws) == SEATS
        for number, line in enumerate(throws):
            assert ("unseen" in line) is (number != seat)
            assert len(re.findall(r"\b[1-6]\b", line)) >= (5 if number == seat else 0)


def test_what_not_all_see_everybody_is_not_told() -> None:
    seen = tale("liars_dice", EVERYBODY, choices=0)
    assert not [line for line in seen if re.search(r"rolls [1-6]", line)]
    known = tale("liars_dice", ALL_KNOWING, choices=0)
    assert len([line for line in known if re.search(r"rolls [1-6]", line)]) == SEATS


@pytest.mark.parametrize("viewer", [0, 1, 2, EVERYBODY])
def test_cards_are_named_when_the_viewer_sees_or_saw_them(viewer: Viewer) -> None:
    """A card is named to a seat if it is dealt to it, or lies open; else counted."""
    _, program = rules("x_pasch", "official_deluxe")
    lines = tale("x_pasch", viewer, "official_deluxe", choices=60)
    known = tale("x_pasch", ALL_KNOWING, "official_deluxe", choices=60)
    assert len(lines) == len(known)
    hidden = 0
    for line, whole in zip(lines, known, strict=True):
        to = re.match(r"(p\d) (?:gets|gives) (?!\d+ Euro)", whole)
        own = to is not None and program.labels["Player"].index(to[1]) == viewer
        if to is None or own:
            assert line == whole
        else:
            cards = r"(a|\d+) (green )?cards?"
            assert re.fullmatch(rf"{to[1]} (gets|gives) {cards}( away)?", line), line
            hidden += 1
    assert hidden > 5


def test_several_viewers_hear_one_game() -> None:
    ruleset, program = rules("liars_dice", None)
    playing = ReferenceGame.start(program, 3, listen=True)
    wording = Wording(program, ruleset.texts["en"])
    narrators = [Narrator(wording, viewer=viewer) for viewer in (0, EVERYBODY)]
    both = [list(each.news(playing)) for each in narrators]
    bots = seat_bots(["random"], program.seats, 3, 0)
    while playing.decision is not None:
        playing.choose(bots[playing.decision.seat].choose(playing))
        for lines, each in zip(both, narrators, strict=True):
            lines += each.news(playing)
    for lines, viewer in zip(both, (0, EVERYBODY), strict=True):
        assert [line.strip() for line in lines] == tale("liars_dice", viewer)


def test_what_happened_before_anybody_listened_hides_all_that_may_hide() -> None:
    ruleset, program = rules("x_pasch", "official_deluxe")
    playing = ReferenceGame.start(program, 3, listen=True)
    bots = seat_bots(["random"], program.seats, 3, 0)
    while len(playing.events) < 60 and playing.decision is not None:
        playing.choose(bots[playing.decision.seat].choose(playing))
    narrator = Narrator(Wording(program, ruleset.texts["en"]), viewer=0)
    late = [line.strip() for line in narrator.news(playing)]
    dealt = [line for line in late if line.startswith("p1 gets")]
    opening = tale("x_pasch", 0, "official_deluxe", choices=0)
    # the opening is heard again, in its own states
    assert dealt[0] == next(line for line in opening if line.startswith("p1 gets"))


@pytest.mark.parametrize("viewer", [0, 1, EVERYBODY, ALL_KNOWING])
def test_it_is_not_told_that_somebody_sees_what_he_saw_go_there(
    viewer: Viewer,
) -> None:
    """What was passed is shown to whoever passed it; the crib to everybody."""
    passing = tale("hearts", viewer, choices=20)
    assert not [line for line in passing if "look" in line or "sees" in line]
    counting = tale("cribbage", viewer, choices=40)
    told = [line for line in counting if "look" in line or "sees" in line]
    assert len(told) > 1
    assert all(line.startswith("Everybody sees ") for line in told)
    assert any("may look at" in line for line in tale("takeover", viewer, choices=120))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "game", ["cribbage", "guild_street", "hearts", "pasha", "takeover", "x_pasch"]
)
def test_a_seat_reads_which_hidden_things_come_to_it(game: str, language: str) -> None:
    """What moves, and only then is seen by some seats alone, their log names."""
    ruleset, program = rules(game, None)
    wording = Wording(program, ruleset.texts[language])
    seats = range(SEATS)
    narrators = [Narrator(wording, viewer=seat) for seat in seats]
    learned: list[tuple[int, str, int]] = []
    playing = ReferenceGame.start(
        program, 3, listen=True, attend=lambda game: learning(game, learned)
    )
    bots = seat_bots(["random"], program.seats, 3, 0)
    found = 0
    for _ in range(60):
        said = [" ".join(each.news(playing)) for each in narrators]
        for seat, kind, thing in learned:
            name = wording.thing(kind, thing)
            assert any(form in said[seat] for form in forms(name)), (name, said[seat])
        found += len(learned)
        learned.clear()
        if playing.decision is None:
            break
        playing.choose(bots[playing.decision.seat].choose(playing))
    assert found > 8


def learning(game: ReferenceGame, learned: list[tuple[int, str, int]]) -> None:
    """Note at each move which seats see the thing only now, if not all see it then.

    What a seat saw at the decision before it may have followed since.
    """
    seats = range(game.program.seats)
    seen: list[list[frozenset[tuple[str, int]]]] = [[visible(game, s) for s in seats]]

    def hear(event: Event) -> None:
        now = [visible(game, seat) for seat in seats]
        if event.kind in {"action", "choose", "share", "ask"}:
            del seen[:-1]
        if event.kind == "move":
            thing = cast("tuple[str, int]", event.data[:2])
            if event.data[2] is not None and not all(thing in each for each in now):
                learned.extend(
                    (seat, *thing)
                    for seat in seats
                    if thing in now[seat] and not any(thing in b[seat] for b in seen)
                )
        seen.append(now)

    listen(game, hear)


def visible(game: ReferenceGame, seat: int) -> frozenset[tuple[str, int]]:
    eye = Visibility(game.program, game.engine.evaluator, game.machine.store, seat)
    kinds = game.machine.store.where
    return frozenset(
        (kind, thing)
        for kind, things in kinds.items()
        for thing in range(len(things))
        if eye.thing(kind, thing)
    )


def forms(name: str) -> list[str]:
    return [str(name), *inflected(name).forms.values()]


DEALT = """
game dealt "Dealt"
players 2..2
component Card for each n: 1..9
zone deck: pile of Card starts as Card
zone hand(p: Player): set of Card seen only by p
winners: players
phase round until size(deck) at most 8, at most 1 times
  step dealing: for p in players: let c = top of deck, if any: deal(p, c)
effect deal(p: Player, c: Card)
  does it: move c to hand(p)
"""


@pytest.mark.parametrize(
    ("messages", "first"),
    [
        ({}, ["9: deck → hand (p1)", "1 card: deck → hand (p2)"]),
        ({"hand": ""}, ["9: deck → hand (p1)"]),
        ({"hand": "{p} gets {things}"}, ["p1 gets 9", "p2 gets 1 card"]),
        (
            {"hand": "{p} gets something"},
            [
                "p1 gets something",
                "9: deck → hand (p1)",
                "p2 gets something",
            ],
        ),
        (
            {"hand": "", "deal": "{p} draws {c}"},
            ["p1 draws 9", "p2 draws 1 card"],
        ),
        (
            {"hand": "", "deal": "{p} draws"},
            ["p1 draws", "9: deck → hand (p1)", "p2 draws"],
        ),
    ],
)
def test_a_message_does_not_keep_from_a_seat_what_it_gets(
    messages: dict[str, str], first: list[str]
) -> None:
    found = prepare(ruleset_from_texts({"game.rules": DEALT}), TableChoice())
    assert found.program is not None, found.diagnostics
    texts = {f"messages/{name}": text for name, text in messages.items()}
    narrator = Narrator(Wording(found.program, texts), viewer=0)
    playing = ReferenceGame.start(found.program, 3, listen=True)
    lines = [line.strip() for line in narrator.news(playing)]
    assert lines[2:-1] == first


TOLD = """
game told "Told"
players 2..2
component Card for each n: 1..9
zone deck: pile of Card starts as Card
zone hand(p: Player): set of Card seen only by p
zone open(p: Player): set of Card
state counted: 0..99 starts as 0
winners: players
phase round until size(deck) is 0, at most 1 times
  step dealing: for p in players: let c = top of deck, if any: move c to hand(p)
  step telling: RULE
  order dealing then telling
effect tell(n: 0..99, c: Card or none)
  does it: if n at least 99: counted gains 1
effect hand_on(n: 0..99)
  does it: tell(n + 1, none)
effect lay(p: Player)
  does it: for c in hand(p): move c to open(p); tell(c.n, none)
"""
TWO = "tell(sum of c.n for c in hand(next_player(first_of(players))), none)"


@pytest.mark.parametrize(
    ("rule", "viewers"),
    [
        # what is read, and which of the first seat, the second and everybody learn it
        ("tell(5, none)", [0, 1, None]),
        (TWO, []),  # no seat sees every hand
        (TWO.replace("tell(", "hand_on(").replace(", none", ""), []),
        ("for c in hand(first_of(players)): tell(c.n, none)", []),
        ("for c in hand(first_of(players)): tell(c.n, c)", [0]),
        ("for p in players: lay(p); tell(counted + 1, none)", [0, 1, None]),
    ],
)
def test_a_number_from_a_hidden_place_is_told_to_those_who_see_it(
    rule: str, viewers: list[int | None]
) -> None:
    text = TOLD.replace("RULE", rule)
    found = prepare(ruleset_from_texts({"game.rules": text}), TableChoice())
    assert found.program is not None, found.diagnostics
    learned: list[int | None] = []
    for viewer in (0, 1, None):
        texts = {"messages/tell": "told {n}", "messages/hand": ""}
        narrator = Narrator(Wording(found.program, texts), viewer=viewer)
        playing = ReferenceGame.start(found.program, 3, listen=True)
        lines = [line.strip() for line in narrator.news(playing)]
        if any(line.startswith("told ") for line in lines):
            learned.append(viewer)
    assert learned == viewers


def test_what_many_calls_may_tell_is_looked_at_once() -> None:
    """Each of these effects calls the next in two ways, as rules of strangers may."""
    deep = 40
    text = TOLD.replace("RULE", "pass_0(1)") + "".join(
        f"effect pass_{n}(n: 0..99)\n  does it: pass_{n + 1}(n)\n"
        f"  does more: if n at least 99: pass_{n + 1}(n); pass_{n + 1}(n)\n"
        for n in range(deep)
    )
    text += f"effect pass_{deep}(n: 0..99)\n  does it: tell(n, none)\n"
    found = prepare(ruleset_from_texts({"game.rules": text}), TableChoice())
    assert found.program is not None, found.diagnostics
    narrator = Narrator(Wording(found.program, {"messages/tell": "told {n}"}), viewer=0)
    playing = ReferenceGame.start(found.program, 3, listen=True)
    assert "told 1" in [line.strip() for line in narrator.news(playing)]


SHADOWED = """
game shadowed "Shadowed"
players 2..2
state place(p: Player): 1..9 starts as 1
state mark(p: Player): 1..9 starts as 2 seen only by p
winners: players
phase turn for me in players
  step moving: must act once, if possible
action go(n: 3..3) during moving "Go"
  does it: place(me) becomes n
"""
INSIDE = "  does follow: if mark(me) is 2: mark(me) becomes n\n"
REACTION = f"reaction following after go.it\n{INSIDE}"


@pytest.mark.parametrize(
    ("follow", "message", "told"),
    [
        # the rule that changes the hidden state, the message, and the log of the other
        (INSIDE, "{me} goes to {n}", ["p1: Go"]),
        (INSIDE, "{me} goes", ["p1 goes"]),
        (INSIDE, "", []),
        (REACTION, "{me} goes to {n}", ["p1 goes to 3"]),
    ],
)
def test_a_move_whose_values_are_hidden_is_told_without_them(
    follow: str, message: str, told: list[str]
) -> None:
    rules = ruleset_from_texts({"game.rules": SHADOWED + follow})
    found = prepare(rules, TableChoice())
    assert found.program is not None, found.diagnostics
    for viewer, lines in ((1, told), (0, [message.format(me="p1", n=3)])):
        words = Wording(found.program, {"messages/go": message})
        narrator = Narrator(words, viewer=viewer)
        playing = ReferenceGame.start(found.program, 3, listen=True)
        list(narrator.news(playing))
        playing.choose(Act("go", (3,)))
        said = [each.strip() for each in narrator.news(playing)]
        assert [each for each in said if " go" in each or ": " in each] == [
            each for each in lines if each
        ]


NIGHT = """\
game g
players 3..3
type Sort = fool | spy
state sort(p: Player): Sort starts at random among Sort seen only by p
state mark(p: Player): Player or none starts as none seen only by p
state noise(p: Player): 0..9 starts as 0
winners: players
phase night for me in players together
  step acting: must act once, if possible
action stab(q in players but me) during acting "Stab"
  needs spy: sort(me) is spy
  does note: mark(me) becomes q
action sleep during acting "Sleep"
  needs fool: sort(me) is fool
"""


@pytest.mark.parametrize(
    ("others", "notice"),
    [
        ({}, False),
        ({"mark(me) becomes q": "noise(me) gains 1"}, True),
        ({" together": ""}, True),
        ({"  needs spy: sort(me) is spy\n": ""}, True),
    ],
)
def test_a_deed_for_a_hidden_role_is_told_only_to_its_player(
    others: dict[str, str], notice: bool
) -> None:
    text = NIGHT
    for old, new in others.items():
        text = text.replace(old, new, 1)
    found = prepare(ruleset_from_texts({"game.rules": text}), TableChoice())
    assert found.program is not None, found.diagnostics
    seen = []
    for viewer in (0, 1):
        narrator = Narrator(Wording(found.program), viewer=viewer)
        playing = ReferenceGame.start(found.program, 3, listen=True)
        lines = list(narrator.news(playing))
        while playing.decision is not None:
            playing.choose(playing.decision.options[0])
            lines += narrator.news(playing)
        seen.append([each for each in lines if "p1: Stab" in each])
    assert seen[0]
    assert bool(seen[1]) is notice


@pytest.mark.parametrize("viewer", [0, EVERYBODY])
def test_cards_shown_to_everybody_are_told_of_whoever_holds_them(
    viewer: Viewer,
) -> None:
    lines = tale("holdem", viewer, choices=60)
    holders = [line.partition(" shows ")[0] for line in lines if " shows " in line]
    assert {*holders} > {"p1", "p2"}
    assert not [line for line in lines if "Everybody sees" in line]
