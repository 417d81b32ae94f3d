"""The grammar itself: no conflicts, its words, and one reading for every file."""

from __future__ import annotations

import importlib.util
import io
import logging
from functools import cache
from pathlib import Path

import pytest
from lark import Lark
from lark.lexer import PatternStr

from houserule.base.source import Source
from houserule.language.syntax import vocabulary
from houserule.language.syntax.forms import forms
from houserule.language.syntax.read.parser import make_parser, parse_afresh
from houserule.language.syntax.read.scan import scan
from houserule.language.syntax.vocabulary import EXAMPLES, keywords
from houserule.language.syntax.write.format import format_text

GOOD = sorted((Path(__file__).parents[1] / "cases" / "syntax" / "good").glob("*.rules"))


def test_there_are_no_conflicts() -> None:
    _, told = whole_parser()
    assert "conflict" not in told.lower()


@pytest.mark.skipif(
    importlib.util.find_spec("interegular") is None,
    reason="collisions of terminals are found only with the package interegular",
)
def test_there_are_no_collisions_of_terminals() -> None:
    make_parser(strict=True)


def test_every_row_joins_a_rule_of_the_grammar_and_fields_of_its_node() -> None:
    rules = {str(rule.alias or rule.origin.name) for rule in whole_parser()[0].rules}
    assert forms().keys() <= rules
    for name, row in forms().items():
        assert {*row.places, *row.fixed} <= row.types.keys(), name


def test_the_keywords_are_those_of_the_grammar() -> None:
    patterns = [terminal.pattern for terminal in whole_parser()[0].terminals]
    literal = {each.value for each in patterns if isinstance(each, PatternStr)}
    parts = (each.value.partition("(?=") for each in patterns)
    before = {word for word, ahead, _ in parts if ahead and word.isalpha()}
    assert vocabulary.BEFORE_OF.keys() <= before
    assert keywords() == {word for word in literal if word.isalpha()} | before
    assert {"state", "most", "otherwise", "among"} <= keywords()
    assert not {"me", "everyone", "size", "score"} & keywords()


def test_free_words_stand_where_no_name_can() -> None:
    """Where the parser expects one of them, or a name, it expects not the other."""
    parser = whole_parser()[0]
    ways = parser.parser.parser._parse_table.states.values()
    terminals = {terminal.name: terminal.pattern.value for terminal in parser.terminals}
    meeting = {
        terminals[name]
        for way in ways
        if "NAME" in way
        for name in terminals.keys() & way.keys()
    }
    assert not vocabulary.FREE & meeting
    assert {"state", "is", "the", "part"} <= meeting


@pytest.mark.parametrize("word", sorted(vocabulary.FREE))
def test_a_free_word_names_everything(word: str) -> None:
    text = f"""game g
state {word}(x: T, {word}_too: T): 0..9 each turn starts as 0
value a: 0..9 = {word}(p, q) + (sum of {word} for {word} in s where {word} is {word})
value b: set of T = those x in {word} plus {word} but {word} within {word}
value c: 0..9 = min({word}, -{word}, {word}(1)).{word}
phase {word} for {word} in {word}
  step {word}: any number
action {word}({word}, b in {word}, c part of {word}) during {word}
  does {word}: {word}(x) becomes {word}; {word}({word})
  does two:
    let {word} = {word}
    {word} gains {word}
    {word}
    {word} loses {word}
    {word}({word})
    {word}.{word} becomes {word}
action two_{word}(d 1..{word} of {word}) during {word}
  does {word}: {word}
"""
    _, faults = parse_afresh(Source(word, text))
    assert not faults
    assert format_text(Source(word, text)) == (text, [])


def test_the_words_that_open_lines_are_keywords() -> None:
    assert vocabulary.OPENINGS.keys() <= keywords()


@pytest.mark.parametrize("word", sorted(EXAMPLES))
def test_the_right_lines_that_messages_show_are_right(word: str) -> None:
    line = EXAMPLES[word]
    if word in vocabulary.HEADERS:
        text = line
    elif word in (*vocabulary.STATEMENTS, "else"):
        before = "    if x: y\n" if word == "else" else ""
        text = f"game g\neffect e\n  does a:\n{before}    {line}"
    elif word in vocabulary.CLAUSES:
        text = f"game g\nreaction r after e\n  {line}"
    elif word in vocabulary.ITEMS:
        beneath = "  does a: b" if word in vocabulary.HOLD_CLAUSES else ""
        beneath = '  note "x"' if word == "with" else beneath
        text = f"game g\n{line}\n{beneath}"
    else:
        text = f"game g\nvalue a: 0..9 = {line}"
    _, faults = parse_afresh(Source(word, text))
    assert not faults


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_cutting_a_file_into_items_changes_nothing(path: Path) -> None:
    for part in path.read_text(encoding="utf-8").split("---\n"):
        text = part.strip("\n") + "\n"
        units = list(whole_parser()[0].parse(text, start="start").find_data("unit"))
        outermost = [line for line in scan(Source("", text)).lines if not line.level]
        assert sum(len(unit.children) for unit in units) == len(outermost)


@cache
def whole_parser() -> tuple[Lark, str]:
    """Return the parser for whole files, and what lark tells while it makes it."""
    logger, told = logging.getLogger("lark"), io.StringIO()
    level, handler = logger.level, logging.StreamHandler(told)
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    try:
        return make_parser(), told.getvalue()
    finally:
        logger.setLevel(level)
        logger.removeHandler(handler)
