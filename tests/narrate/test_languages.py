"""A tale has no holes: in every language of a game all that is told has its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from houserule.base.inflection import slots_of
from houserule.base.resources import LANGUAGES, data_root, shipped_rulesets
from houserule.compiler.prepare import TableChoice, prepare
from houserule.ir import Program
from houserule.language.manifest.declared_names import addressed, declared_names
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk
from houserule.play.narration.outline import Outline

TOLD = ("pachisi", "pasha", "takeover")


def shipped(name: str) -> LoadedRuleset:
    ruleset, _ = load_ruleset(data_root() / "rulesets" / name)
    assert ruleset is not None
    return ruleset


def asked(words: str) -> set[str]:
    """Return the names that a text puts in, in whatever forms."""
    return {slot.name for slot in slots_of(words)}


def programs(ruleset: LoadedRuleset) -> Iterator[Program]:
    """Yield the program of every table with one variant, and of the base game."""
    variants = [unit.id for unit in ruleset.units_of("variant")]
    for chosen in [(), *((variant,) for variant in variants)]:
        program = prepare(ruleset, TableChoice(with_=chosen)).program
        if program is not None:
            yield program


def wanted(program: Program) -> Iterator[str]:
    """Yield the keys of what a tale of a program may name."""
    outline = Outline(program)
    for name in program.actions:
        yield f"messages/{name}"
    for name, phase in program.phases.items():
        if outline.is_round(name) or outline.named(name) or phase.together:
            yield f"flow/{name}"
    for name, step in program.steps.items():
        if step.body is not None and not outline.acted(step.phase):
            yield f"flow/{name}"
    for name in (*program.zones, *program.tokens):
        yield f"things/{name}"
    for tokens in program.tokens.values():
        yield from (f"things/{slot}" for slot in tokens.slots)
    for name, kind in program.kinds.items():
        if kind.sort != "seat" and name != "Action":
            yield from things(program, name)


def things(program: Program, kind: str) -> Iterator[str]:
    """Yield the kind, if its things are called by it, or else each of its things."""
    component = program.components.get(kind)
    labels = program.labels[kind]
    if component is not None and component.faces and len(labels) == 1:
        return  # a lone die is not named
    if labels[0] == "p1" or "-" in labels[0]:  # made `for each`
        yield f"things/{kind}"
    else:
        yield from (f"things/{label}" for label in labels)


def languages(name: str) -> list[str]:
    return shipped(name).manifest.languages


@pytest.mark.parametrize(
    ("game", "language"),
    [(game, language) for game in TOLD for language in languages(game)],
)
def test_everything_that_is_told_has_words(game: str, language: str) -> None:
    ruleset = shipped(game)
    texts: Mapping[str, str] = ruleset.texts[language]
    assert language in LANGUAGES
    missing = {
        key
        for program in programs(ruleset)
        for key in wanted(program)
        if key not in texts
    }
    assert not missing


@pytest.mark.parametrize("game", TOLD)
def test_messages_are_the_same_in_every_language(game: str) -> None:
    """What one language tells of an event, and puts into it, the others tell too."""
    ruleset = shipped(game)
    found = {
        language: {
            key: asked(words)
            for key, words in ruleset.texts[language].items()
            if key.startswith("messages/")
        }
        for language in ruleset.manifest.languages
    }
    first = found[ruleset.manifest.languages[0]]
    assert all(each == first for each in found.values())


def captioned(ruleset: LoadedRuleset) -> Iterator[str]:
    """Yield the key of every text that stands for a caption of the rules."""
    for unit in ruleset.units:
        for address, node in addressed(unit):
            if isinstance(node, tree.Option):
                yield f"titles/{address}"
            elif getattr(node, "caption", None) is not None:
                yield address
        for node in walk(unit):
            if isinstance(node, tree.Change | tree.Recaption) and node.caption:
                yield f"changed/{unit.id}/{node.target.text}"


@pytest.mark.parametrize(
    ("game", "language"),
    [
        (game, language)
        for game in shipped_rulesets()
        for language in languages(game)[1:]
    ],
)
def test_nothing_falls_back_to_the_first_language(game: str, language: str) -> None:
    """Captions, flow, actions, titles, notes; and things that have a name in it."""
    ruleset = shipped(game)
    texts, first = ruleset.texts[language], ruleset.texts[languages(game)[0]]
    names = declared_names(ruleset.units)
    named = {key for key in first if key.startswith("things/") and ":" not in key}
    wanted = {*captioned(ruleset), *named}
    for section in ("flow", "actions", "titles", "notes"):
        wanted |= {f"{section}/{name}" for name in names.in_section(section)}
    assert not wanted - texts.keys()


def test_sources_are_told_in_their_languages() -> None:
    for game in TOLD:
        ruleset = shipped(game)
        for source in ruleset.manifest.sources.values():
            assert source.language in ruleset.texts
        for board in ruleset.manifest.boards:
            assert isinstance(board.title, dict)
            assert set(board.title) == set(ruleset.manifest.languages)
