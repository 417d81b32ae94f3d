"""Trails: every tile, trail and point of random games beside plain Python."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.seat.test_board_pictures import board_of
from tests.support.shipped import program_of
from tests.web.drawing.tables import begun

from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.seat.seat_model import SeenPieces
from houserule.rulebook.book.pictures import board_picture, component
from houserule.ui.web.drawing.picture import game_picture

Spot = tuple[int, int]
Corner = tuple[Spot, int]
"""A corner of a tile: 0 is between the ways 0 and 1, north and east."""
WAYS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
TURNS = ("north", "east", "south", "west")
FORMS = {
    "camp": {0},
    "straight": {0, 2},
    "bend": {0, 1},
    "fork": {3, 0, 1},
    "crossing": {0, 1, 2, 3},
}
GLADE = ("row", "column", "corner")
TABLES: list[tuple[list[str], dict[str, int], int]] = [
    ([], {}, 2),
    ([], {"side": 5, "walkers_each": 2}, 3),
    (["crowded", "second_place"], {}, 3),
    (["closed_only", "walled"], {"side": 5}, 2),
    (["long_trails", "no_start_tile"], {"long_from": 5}, 4),
    (["springs", "peaceful"], {"spring_points": 2}, 3),
    (["meadows"], {"side": 5, "meadow_points": 3}, 3),
    (["meadows", "crowded", "no_start_tile"], {"walkers_each": 6}, 2),
]


class Forest:
    """A forest in plain Python: tiles by place, and the points of its trails."""

    def __init__(self, side: int, house: list[str], settings: dict[str, int]) -> None:
        self.side, self.house, self.settings = side, {*house}, settings
        self.tiles: dict[Spot, frozenset[int]] = {}
        self.springs: set[Spot] = set()

    def next(self, at: Spot, way: int) -> Spot | None:
        down, right = WAYS[TURNS[way]]
        found = at[0] + down, at[1] + right
        return found if all(1 <= n <= self.side for n in found) else None

    def trail(self, at: Spot) -> set[Spot]:
        found, new = {at}, [at]
        while new:
            here = new.pop()
            for way in self.tiles[here]:
                there = self.next(here, way)
                if there in self.tiles and there not in found:
                    found.add(there)
                    new.append(there)
        return found

    def closed(self, at: Spot) -> bool:
        ends = [self.next(x, w) for x in self.trail(at) for w in self.tiles[x]]
        return all(end is None or end in self.tiles for end in ends)

    def worth(self, at: Spot) -> int:
        trail = self.trail(at)
        found = len(trail) + 2 * sum(len(self.tiles[x]) == 1 for x in trail)
        found += self.settings.get("spring_points", 3) * len(trail & self.springs)
        long = "long_trails" in self.house
        return found * (2 if long and len(trail) >= self.settings["long_from"] else 1)

    def fitting(self, form: str, walkers: list[list[Spot]]) -> set[Any]:
        """Return every place and position in which a tile of that form may lie."""
        found = set()
        places = [(i + 1, j + 1) for i in range(self.side) for j in range(self.side)]
        for at in places:
            around = {way: self.next(at, way) for way in range(4)}
            if at in self.tiles or (
                self.tiles and not any(n in self.tiles for n in around.values())
            ):
                continue
            for turn in range(4):
                exits = frozenset((way + turn) % 4 for way in FORMS[form])
                laid = {w: n for w, n in around.items() if n and n in self.tiles}
                if any(
                    (w in exits) != ((w + 2) % 4 in self.tiles[n])
                    for w, n in laid.items()
                ):
                    continue
                if "walled" in self.house and any(around[w] is None for w in exits):
                    continue
                hosts = {
                    seat
                    for w in exits & laid.keys()
                    for seat, own in enumerate(walkers)
                    if {*own} & self.trail(laid[w])
                }
                if "peaceful" in self.house and len(hosts) > 1:
                    continue
                found.add((at, exits))
        return found

    def meadow(self, corner: Corner) -> frozenset[Corner]:
        """Return all corners that no path separates from this one."""
        found, new = {corner}, [corner]
        while new:
            at, nr = new.pop()
            after, before = (nr + 1) % 4, (nr - 1) % 4
            around = [(self.next(at, nr), after), (self.next(at, after), before)]
            around += [(at, before)] * (nr not in self.tiles[at])
            around += [(at, after)] * (after not in self.tiles[at])
            for there, other in around:
                if there is None or there not in self.tiles:
                    continue
                if (there, other) not in found:
                    found.add((there, other))
                    new.append((there, other))
        return frozenset(found)

    def harvests(self, resting: list[list[Corner]]) -> list[int]:
        """Return the points of each seat for the meadows with its walkers."""
        found = [0] * len(resting)
        for meadow in {self.meadow(corner) for own in resting for corner in own}:
            present = [len(meadow & {*own}) for own in resting]
            beside = {frozenset(self.trail(at)) for at, _ in meadow if self.closed(at)}
            for seat, here in enumerate(present):
                if here == max(present):
                    found[seat] += self.settings.get("meadow_points", 2) * len(beside)
        return found

    def points(self, at: Spot, walkers: list[list[Spot]], *, ended: bool) -> list[int]:
        trail, worth = self.trail(at), self.worth(at)
        present = [sum(spot in trail for spot in own) for own in walkers]
        most = max(present)
        if ended:
            worth = 0 if "closed_only" in self.house else worth // 2
        found = [worth * (here == most > 0) for here in present]
        if "second_place" in self.house and not ended:
            second = max([n for n in present if 0 < n < most], default=0)
            found = [
                worth // 2 if second and here == second else points
                for here, points in zip(present, found, strict=True)
            ]
        return found


@pytest.mark.parametrize(("house", "settings", "players"), TABLES)
def test_every_trail_of_whole_games(
    house: list[str], settings: dict[str, int], players: int
) -> None:
    choice = Choice(frozenset(house), players, {**settings}, "chosen")
    program: Any = program_of("trails", choice)
    side = settings.get("side", 7)
    for seed in range(3):
        luck, game = Random(seed), ReferenceGame.start(program, seed)
        forest = Forest(side, house, settings)
        walkers: list[list[Spot]] = [[] for _ in range(players)]
        resting: list[list[Corner]] = [[] for _ in range(players)]
        glades: Any = program.components.get("Glade")
        score = [0] * players
        labels, labelled = program.labels, program.components["Lie"].fields
        exits = [frozenset(each) for each in labelled["exits"][1]]
        forms = program.components["Tile"].fields["form"][1]
        wet = program.components["Tile"].fields.get("wet", (None, None))[1]
        places = program.components["Place"].fields
        spots = [*zip(places["row"][1], places["column"][1], strict=True)]
        if "no_start_tile" not in house:
            forest.tiles[(side + 1) // 2, (side + 1) // 2] = frozenset(range(4))
        newest: Spot | None = None
        while (decision := game.decision) is not None:
            seat = decision.seat
            store: Any = game.machine.store
            options: list[Any] = list(decision.options)
            laying = [o for o in options if getattr(o, "action", "") == "lay"]
            if laying:
                if newest is not None:
                    score = settle(forest, newest, walkers, score)
                assert [*store.cells["score"]] == score
                ours = {(each.args[0], *each.args[1:]) for each in laying}
                tiles = {each.args[0] for each in laying}
                hand = store.zones["hand"][seat]
                fit = {labels["Form"][forms[t]] for t in hand}
                theirs = {
                    (labels["Form"][forms[t]], spots[x], exits[lie])
                    for t, x, lie in ours
                }
                assert theirs == {
                    (form, *lies)
                    for form in fit
                    for lies in forest.fitting(form, walkers)
                }
                assert tiles <= {*hand}
            rests = {
                option.args[0]: option
                for option in options
                if getattr(option, "action", "") == "rest"
            }
            fields = [glades.fields[each][1] for each in GLADE] if glades else []
            corners = {n: ((fields[0][n], fields[1][n]), fields[2][n]) for n in rests}
            if rests or any(getattr(o, "action", "") == "walk" for o in options):
                assert newest is not None
                free = {
                    min(nr for at, nr in meadow if at == newest)
                    for meadow in (forest.meadow((newest, nr)) for nr in range(4))
                    if not meadow & {corner for own in resting for corner in own}
                }
                theirs_free = {(newest, nr) for nr in free} if glades else set()
                assert {*corners.values()} == theirs_free
            chosen = luck.choice(options)
            if chosen in laying:
                tile, place, lie = chosen.args
                newest = spots[place]
                forest.tiles[newest] = exits[lie]
                if wet is not None and wet[tile]:
                    forest.springs.add(newest)
            elif getattr(chosen, "action", "") == "walk":
                assert newest is not None
                walkers[seat].append(newest)
            elif chosen in rests.values():
                resting[seat].append(corners[chosen.args[0]])
            game.choose(chosen)
        store = game.machine.store
        assert newest is not None
        score = settle(forest, newest, walkers, score)
        harvests = forest.harvests(resting)
        score = [a + b for a, b in zip(score, harvests, strict=True)]
        for at in [*forest.tiles]:
            if any({*own} & forest.trail(at) for own in walkers):
                score = settle(forest, at, walkers, score, ended=True)
        assert [*store.cells["score"]] == score
        assert game.outcome is not None
        best = [seat for seat in range(players) if score[seat] == max(score)]
        assert [*game.outcome.winners] == best


def settle(
    forest: Forest,
    at: Spot,
    walkers: list[list[Spot]],
    score: list[int],
    *,
    ended: bool = False,
) -> list[int]:
    """Return the points after the trail has counted, and send its walkers home."""
    if not ended and not forest.closed(at):
        return score
    won = forest.points(at, walkers, ended=ended)
    trail = forest.trail(at)
    for own in walkers:
        own[:] = [spot for spot in own if spot not in trail]
    return [a + b for a, b in zip(score, won, strict=True)]


def test_tiles_of_a_game_show_their_paths_on_cards_and_boards() -> None:
    sitting = begun("trails", 8)
    board = board_of(sitting, 0)
    drawn = [ground for row in board.grounds for ground in row if ground]
    laid = [ground for ground in drawn if ground.ways]
    assert 4 < len(laid) < len(drawn)
    assert all(ground.text for ground in laid)  # in words, for those who listen
    seats = sitting.moment(0, "en").position.seats
    line = 'stroke="#9c6b30"'
    assert board_picture(board, seats).svg("").count(line) == len(laid)
    areas = sitting.moment(0, "en").position.areas
    hand = next(a for a in areas if isinstance(a, SeenPieces) and "hand" in a.key)
    looks = [piece.look for piece in hand.pieces if piece.look is not None]
    assert looks
    assert all(component(look).svg("").count(line) == 1 for look in looks)
    lined = game_picture(sitting.rules, "en").count('class="lining"')
    assert lined > 4
