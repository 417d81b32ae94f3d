"""Every shipped ruleset elaborates, in tables that switch each variant on."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.ir.verify import verify
from tests.support.sampling import spread
from tests.support.shipped import ruleset_of

from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree

RULESETS = Path(__file__).parents[2] / "rulesets"


def needed(found: LoadedRuleset, variant: str) -> frozenset[str]:
    """Return a variant and all that it requires."""
    wanted = {variant}
    for unit in found.units:
        for item in unit.items if unit.id == variant else ():
            if isinstance(item, tree.Relates) and item.kind == "requires":
                for word in item.names:
                    wanted |= needed(found, word.text)
    return frozenset(wanted)


def named(table: tuple[str, str | None, frozenset[str]]) -> str:
    game, preset, variants = table
    return f"{game}: {preset or ', '.join(sorted(variants)) or 'nothing on'}"


def tables() -> list[tuple[str, str | None, frozenset[str]]]:
    found: list[tuple[str, str | None, frozenset[str]]] = []
    for folder in sorted(RULESETS.iterdir()):
        if not (folder / "game.rules").exists():
            continue
        here = ruleset_of(folder.name)
        found.append((folder.name, None, frozenset()))
        for unit in here.units_of("variant"):
            found.append((folder.name, None, needed(here, unit.id)))
        for unit in here.units_of("preset"):
            found.append((folder.name, unit.id, frozenset()))
    return found


@pytest.mark.parametrize(
    ("game", "preset", "variants"), spread(tables(), 8, name=named)
)
def test_it_elaborates(game: str, preset: str | None, variants: frozenset[str]) -> None:
    here = ruleset_of(game)
    table, faults = choose_table(here, preset=preset, with_=tuple(sorted(variants)))
    assert table is not None, faults
    rules, faults = compose(here, table)
    assert rules is not None, faults
    program, faults = check_rules(rules)
    assert program is not None, "\n".join(f"{e.span} {e.message}" for e in faults)
    assert verify(program) == []
