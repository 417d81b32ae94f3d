"""Landlords: its money, lots and houses in whole games, beside plain Python."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.support.shipped import ROOT, program_of

from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.game import ReferenceGame

from .plain_landlords import Town

TABLES: list[tuple[set[str], int]] = [
    (set(), 4),
    ({"free_parking", "double_salary", "no_auctions"}, 3),
    ({"mortgages"}, 3),
    ({"faster_start", "no_rent_in_tower"}, 2),
    ({"mortgages", "free_parking", "lucky_ones", "first_lap"}, 5),
]


def rows(name: str) -> list[dict[str, Any]]:
    text = (ROOT / "landlords" / "components" / f"{name}.yaml").read_text("utf-8")
    found: list[dict[str, Any]] = YAML(typ="safe").load(text)["rows"]
    return found


@pytest.mark.parametrize(("house", "players"), TABLES)
def test_every_crown_lot_and_house(house: set[str], players: int) -> None:
    choice = Choice(frozenset(house), players, {"rounds": 40}, "chosen")
    program = program_of("landlords", choice)
    compared = 0
    for seed in range(3):
        luck, game = Random(seed), ReferenceGame.start(program, seed)
        store: Any = game.machine.store
        cells = store.cells
        town = Town(
            rows("spaces"),
            rows("cards"),
            [*store.zones["news"][0]],
            frozenset(house),
            [*cells["cash"]],
            [*cells["owner"]],
        )
        asked: tuple[int, Any] | None = None
        turn, thrower = 0, -1
        while (decision := game.decision) is not None:
            options = [*decision.options]
            grown = [each for each in options if _name(each) in {"build", "redeem"}]
            chosen = luck.choice(grown or options)
            seat, name, before = decision.seat, _name(chosen), [*town.owner]
            if name == "throw" and (seat != thrower or not cells["doubles"][0]):
                turn, thrower = turn + 1, seat
            game.choose(chosen)
            cells = store.cells
            if name == "throw":
                faces = store.faces["Die"]
                town.throw(seat, (faces[0], faces[1]), turn)
            elif name in {"offer", "swap"}:
                asked = (seat, chosen)
            elif name:
                town.act(seat, name, chosen.args)
            elif asked is not None and cells["owner"] != before:
                _trade(town, *asked)
            if not town.debts and not any(cells["debt"]):
                compared += 1
                assert [town.cash, town.owner, town.houses] == [
                    [*cells["cash"]],
                    [*cells["owner"]],
                    [*cells["houses"]],
                ]
                assert [town.at, town.tower] == [[*cells["place"]], [*cells["tower"]]]
                assert [*store.zones["news"][0]] == town.news
                assert sum(town.houses) <= 60
                if "free_parking" in house:
                    assert cells["common_money"][0] == town.common
        assert game.decision is None
    assert compared > 1_000


def _name(option: Any) -> str:  # noqa: ANN401
    return getattr(option, "action", "") or ""


def _trade(town: Town, player: int, option: Any) -> None:  # noqa: ANN401
    *lots, money = option.args
    wanted = lots[-1]
    other = town.owner[wanted]
    assert other is not None
    town.cash[player] -= money
    town.cash[other] += money
    town.owner[wanted] = player
    if option.action == "swap":
        town.owner[lots[0]] = other
