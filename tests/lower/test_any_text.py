"""Whatever an author writes, the check answers: a program or diagnostics, no crash."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from tests.support.ir.verify import verify
from tests.support.lower_cases import BASE, ROWS, cases
from tests.support.rulesets import ruleset_from_texts

from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table

TOKENS = re.compile(r'\w+|"[^"\n]*"|\n *|[^\s\w]| +')
WORDS = ["none", "me", "players", "3", "size", "doing", "left", "hand", "score", "{ }"]
BAD = sorted(case.text for case in (*cases("bad"), *cases("good")))


def garbled(text: str, chance: random.Random) -> str:
    """Return the text with a few words replaced by others of it."""
    tokens = TOKENS.findall(text)
    words = [place for place, token in enumerate(tokens) if token[0].isalnum()]
    for _ in range(chance.choice([1, 2, 4])):
        other = chance.choice([tokens[chance.choice(words)], chance.choice(WORDS)])
        tokens[chance.choice(words)] = other
    return "".join(tokens)


@pytest.mark.parametrize("seed", range(80))
def test_the_check_never_fails(seed: int) -> None:
    chance = random.Random(seed)
    text = chance.choice(BAD)
    if text.startswith("game"):
        pytest.skip("a game of its own")
    _, _, rest = garbled(text, chance).partition("\n")
    base = garbled(BASE, chance) if seed % 3 == 0 else BASE
    texts = {"base.rules": base, "case.rules": f"variant extra for base\n{rest}"}
    try:
        ruleset = ruleset_from_texts(texts, ROWS)
    except (ValueError, StopIteration):
        return  # the text does not parse
    table, _ = choose_table(ruleset, with_=("extra",))
    rules = None if table is None else compose(ruleset, table)[0]
    if rules is not None:
        program, faults = check_rules(rules)
        assert program is not None or faults
        assert program is None or verify(program) == []


def test_there_are_cases() -> None:
    assert len(BAD) > 60
    assert Path(__file__).name == "test_any_text.py"
