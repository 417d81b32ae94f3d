"""What a cancelled throw leaves as it was is told, and who cancelled it."""

from __future__ import annotations

import pytest

from houserule.authoring.scenarios.files import read_examples, trials
from houserule.authoring.scenarios.moves import choice_of, read_move
from houserule.authoring.scenarios.run import ask_trial
from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import Programs, playable
from houserule.language.manifest.load import load_ruleset
from houserule.play.positions.words import ScenarioWords
from houserule.play.seat.rules import TableRules


def told(name: str, language: str) -> list[str]:
    """Return what is told of the moves of an example about the Academy."""
    folder = shipped_rulesets()["x_pasch"]
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    examples = read_examples(folder / "scenarios" / "academy.yaml", ruleset)
    trial = next(each for each in trials(examples) if each.title == name)
    programs = Programs(ruleset)
    table, program = playable(programs.prepare(trial.choice), ruleset, trial.choice)
    game = ask_trial(trial, program, programs).start
    assert game is not None
    narrator = TableRules(ruleset, table, program).narrator(language, trial.seats)
    list(narrator.news(game))
    words = ScenarioWords(program, examples.document, trial.seats)
    lines: list[str] = []
    for said in trial.scenario.do:
        if isinstance(said, dict) and "expect" in said:
            continue
        assert game.decision is not None
        game.choose(choice_of(words, read_move(words, said, ()), game.decision))
        lines += narrator.news(game)
    return [line.strip() for line in lines]


BANKRUPT = (
    "the leader of the Academy is asked when their company is to go bankrupt, "
    "and a yes saves it"
)
BREAK_UP = "the leader of the Academy may cancel a roll that breaks up their Triumvirat"
EXPEL = "the leader of the Academy may cancel a roll that expels their markers"
YES = {
    "en": "Cancel it, for all your markers on the Academy? bob says yes",
    "de": "Aufheben, für alle deine Steine auf der Akademie? bob sagt ja",
}
CANCELS = {"en": "bob cancels the throw", "de": "bob hebt den Wurf auf"}


@pytest.mark.parametrize(
    ("name", "language", "stays"),
    [
        (BANKRUPT, "en", "8 stays in play"),
        (BANKRUPT, "de", "Im Spiel bleibt die 8"),
        (BREAK_UP, "en", "8 keeps the Triumvirat 1-3-5"),
        (BREAK_UP, "de", "Bei der 8 bleibt das Triumvirat 1-3-5"),
        (EXPEL, "en", "The markers of bob are not expelled"),
        (EXPEL, "de", "Die Steine von bob werden nicht hinausgeworfen"),
    ],
)
def test_a_cancelled_throw_is_told(name: str, language: str, stays: str) -> None:
    assert told(name, language)[1:4] == [YES[language], stays, CANCELS[language]]


def test_a_throw_that_is_not_cancelled_is_told() -> None:
    lines = told("a no lets it go, and the markers on the Academy stay there", "en")
    assert lines[1] == YES["en"].replace("yes", "no")
    assert lines[2] == "ann takes 1 marker back from 8"
