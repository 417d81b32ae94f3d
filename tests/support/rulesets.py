"""Rulesets out of texts, for tests: no folder, no manifest file, no loader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.base.source import Source, Span
from houserule.language.manifest.ruleset import (
    Cell,
    LoadedRow,
    LoadedRuleset,
    ParsedRules,
)
from houserule.language.manifest.ruleset_models import Manifest
from houserule.language.syntax.read.parser import parse_unit_file
from houserule.language.syntax.read.settle import settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from houserule.language.manifest.ruleset import Plain
    from houserule.language.syntax.tree import Unit


def ruleset_from_texts(
    files: Mapping[str, str],
    tables: Mapping[str, Iterable[Mapping[str, Plain]]] | None = None,
) -> LoadedRuleset:
    """Return a ruleset with these rules files and these tables of components.

    Every row of a table has an `id`; its other entries are its cells.

    Raises:
        ValueError: a text does not parse.
    """
    sources = {name: Source(name, text) for name, text in files.items()}
    units: list[Unit] = []
    for source in sources.values():
        some, faults = parse_unit_file(source)
        if faults:
            raise ValueError("\n".join(f"{f.span}: {f.message}" for f in faults))
        units += some
    found = {path: _rows(path, rows) for path, rows in (tables or {}).items()}
    game = next(unit for unit in units if unit.kind == "game")
    return LoadedRuleset(
        id=game.id,
        folder=Path(),
        manifest=manifest_of(game.id),
        rulings={},
        texts={},
        files=sources,
        fingerprint="",
        parse=lambda: ParsedRules(settled(units), found, {}),
        variant_titles=_variant_titles(units),
    )


def with_units(ruleset: LoadedRuleset, units: Iterable[Unit]) -> LoadedRuleset:
    """Return a ruleset with other rules; its files are as they were."""
    parsed = ParsedRules(tuple(units), ruleset.tables, ruleset.registers)
    titles = _variant_titles(parsed.units)
    return replace(ruleset, parse=lambda: parsed, variant_titles=titles)


def _variant_titles(units: Iterable[Unit]) -> dict[str, str]:
    return {each.id: each.title for each in units if each.kind == "variant"}


def ruleset_from_folder(
    folder: Path, tables: Mapping[str, Iterable[Mapping[str, Plain]]] | None = None
) -> LoadedRuleset:
    """Return the ruleset of all rules files below a folder; names are relative."""
    files = {
        str(path.relative_to(folder)): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.rules"))
    }
    return ruleset_from_texts(files, tables)


def manifest_of(game: str) -> Manifest:
    """Return the least that a manifest can say."""
    return Manifest.model_validate(
        {
            "id": game,
            "version": "1.0",
            "title": game,
            "summary": "A game for a test.",
            "languages": ["en"],
        }
    )


def _rows(path: str, rows: Iterable[Mapping[str, Plain]]) -> tuple[LoadedRow, ...]:
    found = []
    for line, row in enumerate(rows, 1):
        span = Span.at(path, line)
        cells = {k: Cell(v, span) for k, v in row.items() if k != "id"}
        found.append(LoadedRow(str(row["id"]), cells, "attested", span))
    return tuple(found)
