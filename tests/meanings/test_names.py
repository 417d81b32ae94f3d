"""The names of a game: everything that an edit can take hold of."""

from __future__ import annotations

import pytest
from tests.support import shipped

from houserule.compiler.items.index import family_of
from houserule.rulebook.meanings.game_names import NamedAddress, game_names
from houserule.ui.cli.main import run

NO_NAMES = {"note", "assert"}  # nothing can be said to them


def listed(game: str, word: str = "", language: str = "en") -> list[NamedAddress]:
    found = game_names(shipped.ruleset_of(game), word, language)
    return [name for group in found.groups for name in group.names]


@pytest.mark.parametrize("game", shipped.NAMES)
def test_every_address_is_listed_once_behind_what_it_stands_under(game: str) -> None:
    family, names = family_of(shipped.ruleset_of(game)), listed(game)
    addresses = [name.name for name in names]
    assert len(addresses) == len({*addresses})
    wanted = {
        address
        for address, every in family.clauses.items()
        if every[0].one.kind not in NO_NAMES
    }
    assert set(addresses) == wanted
    parts = {f"{name.name}.{part}" for name in names for part in name.parts}
    assert parts <= family.declared.keys()
    for name in names:
        assert addresses.index(name.above or name.name) <= addresses.index(name.name)


def test_a_word_is_looked_for_in_names_and_captions_of_the_language() -> None:
    assert [name.name for name in listed("pig", "WINS")] == ["hold.win"]
    german = {name.name: name.caption for name in listed("x_pasch", "würfel", "de")}
    assert german["slide.die"] == "Verschieben kostet einen Würfel"
    assert not listed("x_pasch", "würfel")


def test_what_is_sealed_and_who_brings_a_name_is_told() -> None:
    dice = {name.name: name for name in listed("liars_dice")}
    assert {name for name in dice if dice[name].sealed} == {"shaking"}
    assert dice["Die"].parts == ("showing", "nr")  # `Die.seen` is sealed
    assert {name.unit for name in listed("x_pasch", "hunt.")} == {"hunter"}


def test_the_names_of_a_large_game_fit_a_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["list", "x_pasch", "--names"]) == 0
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) <= 40
    assert "throw_and_use" in shown.out
    assert "--names WORD" in shown.err


def test_a_drawing_shows_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "pig", "--names"]) == 0
    shown = capsys.readouterr().out
    assert all(f"[{each}]" in shown for each in ("round", "turn", "deciding", "hold"))
