"""The golden records of rulesets: games that must be played as they once were."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.prepare import prepare_table
from houserule.record.replay import read_record, replay
from houserule.source import read_source

if TYPE_CHECKING:
    from houserule.manifest.ruleset import LoadedRuleset

FOLDER = "playthroughs"


@dataclass(frozen=True, slots=True)
class Golden:
    """A record of a ruleset, and why it is not played as before; '' if it is."""

    path: Path
    problem: str


def golden_records(ruleset: LoadedRuleset) -> Iterator[Golden]:
    """Replay each record in a ruleset's folder `playthroughs`, by name."""
    for path in sorted((ruleset.folder / FOLDER).glob("**/*.jsonl")):
        yield Golden(path, verify(path, ruleset))


def verify(path: Path, ruleset: LoadedRuleset) -> str:
    """Return why a record cannot be replayed, or where it first differs; else ''."""
    record, faults = read_record(read_source(path))
    if record is None:
        return faults[0].message
    prepared = prepare_table(ruleset, record.table)
    if prepared.program is None:
        codes = ", ".join(dict.fromkeys(each.code for each in prepared.diagnostics))
        return f"Its table cannot be played: {codes}."
    _, difference = replay(record, prepared.program)
    if difference is None:
        return ""
    return f"line {difference.line}: {difference.message}"
