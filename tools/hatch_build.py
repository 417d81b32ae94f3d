"""Put the data folders into wheels, as `houserule/_data/…`; a checkout needs none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# By suffix, so that an editor's left-over files stay at home.
SHIPPED = {
    "grammar": {".lark", ".yaml"},
    "rulesets": {".rules", ".yaml", ".md", ".txt", ".json", ".jsonl"},
    "schemas": {".json"},
    "docs/diagnostics": {".md"},
}


class DataFolders(BuildHookInterface[Any]):
    """Map `<folder>/x` to `houserule/_data/<folder>/x` in the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add every shipped file; an editable install reads the checkout instead."""
        if version == "editable":
            return
        for folder, suffixes in SHIPPED.items():
            for path in sorted(Path(self.root, folder).rglob("*")):
                if path.suffix in suffixes and path.is_file():
                    target = Path("houserule/_data", path.relative_to(self.root))
                    build_data["force_include"][str(path)] = target.as_posix()
