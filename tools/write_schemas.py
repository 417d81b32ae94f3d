"""Write the JSON Schemas of the YAML files into `schemas/`.

Run it after a change of a model:  python tools/write_schemas.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import houserule

ROOT = Path(__file__).resolve().parents[1]


def schema_text(name: str) -> str:
    """Return a schema in the form that is checked in."""
    return json.dumps(houserule.schema(name), indent=2, ensure_ascii=False) + "\n"


def stale(folder: Path) -> list[str]:
    """Return the names of schemas that are out of date."""
    wanted = {f"{name}.json": schema_text(name) for name in houserule.schemas()}
    there = {p.name: p.read_text(encoding="utf-8") for p in folder.glob("*.json")}
    return sorted(
        name
        for name in wanted.keys() | there.keys()
        if wanted.get(name) != there.get(name)
    )


def main(arguments: list[str]) -> int:
    """Write every schema, and remove those without a model.

    With `--check` nothing is written; the status is 1 if a schema is out of date.
    """
    folder = ROOT / "schemas"
    if "--check" in arguments:
        found = stale(folder)
        for name in found:
            print(f"schemas/{name} is not as its model has it")
        return 1 if found else 0
    folder.mkdir(exist_ok=True)
    for name in houserule.schemas():
        (folder / f"{name}.json").write_text(schema_text(name), encoding="utf-8")
    for path in folder.glob("*.json"):
        if path.stem not in houserule.schemas():
            path.unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
