"""Write the JSON Schemas of the YAML files into `schemas/`.

Run it after a change of a model:  python tools/write_schemas.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "interpreter"))

from houserule.manifest.schemas import SCHEMAS, schema_text  # noqa: E402


def main() -> None:
    """Write every schema, and remove those that no model stands behind."""
    folder = ROOT / "schemas"
    folder.mkdir(exist_ok=True)
    for name in SCHEMAS:
        (folder / f"{name}.json").write_text(schema_text(name), encoding="utf-8")
    for path in folder.glob("*.json"):
        if path.stem not in SCHEMAS:
            path.unlink()


if __name__ == "__main__":
    main()
