"""What a cancelled throw leaves as it was is told, and who cancelled it."""

from __future__ import annotations

import re

import pytest

import houserule


def tale(language: str, number: int) -> list[str]:
    lines: list[str] = []
    table = houserule.load("x_pasch").table(preset="official_deluxe")
    table.start(1, number, tell=lines.append, language=language, boards=False).play()
    return [line.strip() for line in lines]


@pytest.mark.parametrize(
    ("language", "stays", "cancels"),
    [
        ("en", r"(.*) stays in play", " cancels the throw"),
        ("de", r"Im Spiel bleibt (?:der|die) (.*)", " hebt den Wurf auf"),
    ],
)
def test_the_company_stays_when_its_bankruptcy_is_cancelled(
    language: str, stays: str, cancels: str
) -> None:
    for number in range(20):
        lines = tale(language, number)
        found = [(i, re.fullmatch(stays, line)) for i, line in enumerate(lines)]
        at, kept = next(((i, match) for i, match in found if match), (0, None))
        if kept is None:
            continue
        company = kept[1]
        struck = max(i for i in range(at) if company in lines[i])
        assert at - struck <= 3  # the throw, its dice, the answer
        assert lines[at + 1].endswith(cancels)
        return
    pytest.fail("no throw was cancelled in twenty games")
