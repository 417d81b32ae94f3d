"""A table file, read for the flags: `--table FILE`."""

from __future__ import annotations

from pathlib import Path

from houserule.cli.loading import give_up
from houserule.diagnostics.diagnostic import has_errors
from houserule.manifest.model import TableFile
from houserule.manifest.yaml import load_model
from houserule.prepare import TableChoice
from houserule.source import read_source


def read_choice(path: Path) -> TableChoice:
    """Return the table of a file; one that cannot be read ends the verb."""
    source = read_source(path)
    found, faults = load_model(source, TableFile)
    if found is None or has_errors(faults):
        give_up(faults, {source.name: source})
    return TableChoice(
        preset=found.preset,
        with_=tuple(found.with_),
        without=tuple(found.without),
        settings=dict(found.settings),
        players=found.players,
    )
