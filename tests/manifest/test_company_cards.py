"""The cards of the largest game agree with what is known of them, and with the odds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

from houserule.base.resources import find_ruleset
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRow

THROWS = list(product(range(1, 7), repeat=3))
FULL = len(THROWS)
# What a card pays by how many of 216 throws make it: from here on, so many Euros.
EXAMPLE = "eight_red_green"  # the 8 that the rulebook's example fuses with a 6
PAYS = ((130, 2), (108, 3), (93, 4), (65, 5), (33, 6), (16, 7), (7, 8), (0, 9))


def rows(file: str) -> tuple[LoadedRow, ...]:
    folder = find_ruleset("x_pasch")
    assert folder is not None
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    return ruleset.tables[f"components/{file}.yaml"]


def cell(row: LoadedRow, column: str) -> object:
    return row.cells[column].value if column in row.cells else None


def squares(row: LoadedRow) -> list[object]:
    found = cell(row, "squares") or []
    assert isinstance(found, list)
    return list(found)


def makes(throw: tuple[int, ...], row: LoadedRow) -> bool:
    sums = {sum(some) for n in (1, 2, 3) for some in combinations(throw, n)}
    pairs = {a for a, b in combinations(throw, 2) if a == b}
    any_pasch, pasch = cell(row, "any_pasch"), cell(row, "pasch")
    named = any_pasch or pasch in pairs
    return cell(row, "big_number") in sums or bool(pairs and named)


def hits(row: LoadedRow) -> int:
    return sum(makes(throw, row) for throw in THROWS)


def test_there_are_fifty_five() -> None:
    assert len(rows("companies")) == 55
    assert sum(row.status == "attested" for row in rows("companies")) == 11


def test_every_card_can_be_made() -> None:
    for row in rows("companies"):
        assert 0 < hits(row) < FULL, row.id


def test_odds_of_known_targets() -> None:
    known = {
        "six_green": 162,
        "seven_plain": 105,
        "eighteen": 1,
        "x_pasch_plain": 96,
        "pasch_six": 16,
        "pasch_three_or_ten": 86,
        "pasch_four_or_fifteen": 26,
        "pasch_six_or_fourteen": 28,
    }
    found = {row.id: hits(row) for row in rows("companies") if row.id in known}
    assert found == known


def test_reconstructed_incomes_follow_the_odds() -> None:
    for row in rows("companies"):
        if "income" not in row.attested and row.id != EXAMPLE:
            chance = hits(row)
            expected = next(euros for least, euros in PAYS if chance >= least)
            assert cell(row, "income") == expected, (row.id, chance)


def test_squares_can_be_met_by_the_dice_they_name() -> None:
    for row in rows("companies"):
        number = cell(row, "big_number")
        met = len(squares(row))
        pair = cell(row, "pasch") is not None or cell(row, "any_pasch")
        if met == 1:
            assert isinstance(number, int), row.id
            assert number <= 6, row.id
        elif met == 2:
            assert pair or (isinstance(number, int) and 2 <= number <= 12), row.id
        assert len(set(map(str, squares(row)))) == met <= 2


def test_the_surprising_end() -> None:
    suits = Counter(cell(row, "suit") for row in rows("end_cards"))
    assert suits == {"spades": 13, "diamonds": 4, "hearts": 2}


def test_one_eight_earns_what_a_six_earns_as_the_example_of_the_fusion_wants_it() -> (
    None
):
    pays = {row.id: cell(row, "income") for row in rows("companies")}
    assert pays[EXAMPLE] == pays["six_plain"]
