"""Links hold a whole choice; what a stranger writes into one is answered in words."""

from __future__ import annotations

import pytest

from houserule.compiler.prepare import TableChoice
from houserule.ui.configurator.links import (
    BadLinkError,
    TableLink,
    choice_of,
    link_of,
    query_of,
    table_link,
)

CHOICE = TableChoice(
    preset="lively",
    with_=("b", "a"),
    without=("c",),
    settings={"forts": [0, 4], "flag": True, "target": 50, "who": "all_others"},
    players=4,
)


def test_one_choice_has_one_link() -> None:
    said = query_of(CHOICE, "de")
    assert said == (
        "preset=lively&with=a,b&without=c&set=flag=yes&set=forts=%7B0,4%7D"
        "&set=target=50&set=who=all_others&players=4&lang=de"
    )
    again, language = choice_of(said)
    assert language == "de"
    assert query_of(again, language) == said
    assert again.settings == CHOICE.settings


def test_a_link_names_its_game() -> None:
    link = TableLink("nim", CHOICE, "fr")
    again = table_link(link_of(link))
    assert (again.game, query_of(again.choice), again.language) == (
        "nim",
        query_of(CHOICE),
        "fr",
    )
    assert link_of(TableLink("nim", TableChoice())) == "nim"


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("players=many", "is not a number of players"),
        ("players=0", "is not a number of players"),
        ("players=99999", "is not a number of players"),
        ("players=%D9%A3", "is not a number of players"),
        ("set=target", "does not name an option and its value"),
        ("set==5", "does not name an option and its value"),
        ("set=target=%20", "does not name an option and its value"),
        ("with=<script>", "cannot be the name"),
        ("with=" + "a" * 101, "cannot be the name"),
        ("lang=../..", "cannot be the name"),
        ("with=" + "a," * 700, "too long"),
        ("x" * 9000, "too long"),
    ],
)
def test_a_bad_link_is_refused_in_a_sentence(query: str, says: str) -> None:
    with pytest.raises(BadLinkError, match=says):
        choice_of(query)


@pytest.mark.parametrize("query", ["", "&&", "=", "open=x&q=%FF%FE", "a;b", "set="])
def test_what_is_no_matter_of_the_choice_is_passed_over(query: str) -> None:
    assert choice_of(query) == (TableChoice(), "")


def test_a_link_without_a_game_is_refused() -> None:
    with pytest.raises(BadLinkError, match="No game"):
        table_link("../etc?players=2")
