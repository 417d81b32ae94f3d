"""All clauses of some tables, as they are said exactly.

`HOUSERULE_BLESS=1` writes them anew; then read them aloud.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.shipped import prepared_at, ruleset_of

from houserule.compiler.prepare import TableChoice
from houserule.rulebook.exact.exact_words import ExactWords

GOLDEN = Path(__file__).parents[2] / "cases" / "rulebook" / "exact"
TABLES = (
    ("x_pasch", "official_deluxe", "de"),
    ("x_pasch", "goldsmith", "en"),
    ("hearts", None, "de"),
    ("hearts", None, "en"),
    ("pachisi", "german", "de"),
    ("pachisi", "french", "fr"),
)


@pytest.mark.parametrize(("game", "preset", "language"), TABLES)
def test_every_clause_reads_well(game: str, preset: str | None, language: str) -> None:
    program = prepared_at(game, TableChoice(preset=preset)).program
    assert program is not None
    words = ExactWords(program, ruleset_of(game).texts[language], language)
    rows = [
        f"**{address}** {' '.join(words.clause(address))}\n"
        for address, clause in program.clauses.items()
        if clause.kind != "note"
    ]
    found = "\n".join(rows)
    assert words.missing == ()
    file = GOLDEN / f"{game}_{preset or 'base'}_{language}.md"
    if os.environ.get("HOUSERULE_BLESS"):
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")
