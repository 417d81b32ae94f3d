"""Sentences ask for the forms that the texts of a language give, and for no others."""

from __future__ import annotations

import pytest
from tests.support.small_games import program

from houserule.base.inflection import Inflected, fill, slots_of
from houserule.play.narration.wording import Wording

TEXTS = {
    "things/Boat": "Kahn",
    "things/Boat:dative": "Kahn im Dativ",
    "things/Boat:many": "Kähne",
    "things/Boat:many_dative": "Kähnen",
}
RED = Inflected("roter Würfel", {"dative": "rotem Würfel"})
BLACK = Inflected("schwarz")


def words(texts: dict[str, str] | None = None) -> Wording:
    return Wording(program("ferry"), TEXTS if texts is None else texts, "de")


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("{use}", "roter Würfel"),
        ("mit {use:dative}", "mit rotem Würfel"),
        ("mit {use:genitive}", "mit roter Würfel"),
        ("{n} {n:Stein|Steine}", "3 Steine"),
        ("{use:Der fällt|Die fallen}", "Der fällt"),
        ("es {n:steht ein Stein|stehen {n} Steine} da", "es stehen 3 Steine da"),
        ("{n:er fällt|mit {use:dative} und {n} mehr}", "mit rotem Würfel und 3 mehr"),
        ("{n:0=off|3=the bar|{n}}", "the bar"),
        ("{n:3=|mit {n} {n:Stein|Steinen}}", ""),
        ("{n:0=off|25=the bar|{n:Punkt|{n} Punkte}}", "3 Punkte"),
    ],
)
def test_a_slot_asks_for_a_form(message: str, says: str) -> None:
    assert fill(message, {"use": RED, "n": 3}) == says


@pytest.mark.parametrize(
    ("number", "says"), [(0, "Steine"), (1, "Stein"), (2, "Steine")]
)
def test_a_number_chooses_between_two_texts(number: int, says: str) -> None:
    assert fill("{n:Stein|Steine}", {"n": number}) == says


def test_of_several_each_takes_the_form() -> None:
    both = words().several([RED, BLACK])
    assert fill("{x:dative}", {"x": both}) == "rotem Würfel und schwarz"
    assert fill("{x:darf|dürfen}", {"x": both}) == "dürfen"
    assert fill("{x:darf|dürfen}", {"x": words().several([RED])}) == "darf"


def test_things_of_a_seat_and_counted_things_keep_their_forms() -> None:
    assert fill("{x:dative}", {"x": words().thing("Boat", 3)}) == (
        "Kahn im Dativ 2 von p2"
    )
    assert words().counted("Boat", 1) == "1 Kahn"
    three = words().counted("Boat", 3)
    assert (three, three.put_in("dative")) == ("3 Kähne", "3 Kähnen")
    assert three.put_in("liegt|liegen") == "liegen"
    assert words({}).counted("Boat", 3) == "3 × boat"


def test_slots_are_names_and_what_is_asked_of_them() -> None:
    found = slots_of("{me} nimmt {c:dative}, {n:einen|mehr als {least:dative}}")
    assert [(each.name, each.form) for each in found] == [
        ("me", ""),
        ("c", "dative"),
        ("n", ""),
        ("least", "dative"),
    ]
    with pytest.raises(ValueError, match="expected '}'"):
        slots_of("{me")
