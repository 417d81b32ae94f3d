"""Build hooks: make the parser's tables, add data to wheels, and link the README.

A checkout needs no copy of the data, which is `houserule/_data/…` in a wheel. Making
the tables takes a second or two. If they are missing or out of date, the first use
makes its own.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

# By suffix, so that an editor's temporary files are not included.
SHIPPED = {
    "grammar": {".lark", ".yaml", ".pickle"},
    "rulesets": {".rules", ".yaml", ".md", ".txt", ".json", ".jsonl", ".svg"},
    "schemas": {".json"},
    "docs": {".md", ".rules", ".yaml"},
}


LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?:|#)([^)]+)\)")


class Links(MetadataHookInterface):
    """Fill in where the project is published, for a package index.

    The release workflow gives the address of its repository; other builds have none.
    A package index needs whole addresses in the README, a checkout relative ones.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README and, if the repository's address is known, the links."""
        text = Path(self.root, "README.md").read_text("utf-8")
        home = os.environ.get("HOUSERULE_REPOSITORY", "").rstrip("/")
        if home:
            tag = f"v{metadata['version']}"
            metadata["urls"] = {
                "Repository": home,
                "Documentation": f"{home}/blob/{tag}/docs/index.md",
                "Changelog": f"{home}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{home}/issues",
            }
            text = LINK.sub(
                lambda link: (
                    f"{link[1]}{link[2]}"
                    f"({home}/{'raw' if link[1] else 'blob'}/{tag}/{link[3]})"
                ),
                text.replace("git clone ADDRESS", f"git clone {home}"),
            )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class DataFolders(BuildHookInterface[Any]):
    """Map `<folder>/x` to `houserule/_data/<folder>/x` in the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add every shipped file; an editable install reads the checkout instead."""
        make_tables(Path(self.root))
        if version == "editable":
            return
        for folder, suffixes in SHIPPED.items():
            for path in sorted(Path(self.root, folder).rglob("*")):
                if path.suffix in suffixes and path.is_file():
                    target = Path("houserule/_data", path.relative_to(self.root))
                    build_data["force_include"][str(path)] = target.as_posix()


def make_tables(root: Path) -> None:
    """Make the parser's tables in the folder of the grammar.

    Do nothing without lark, or if the folder is not writable.
    """
    package = str(root / "interpreter")
    sys.path.insert(0, package)
    try:
        # Inside: the package is being built, and this is a part of it.
        from houserule.language.syntax.read.parser import write_tables

        write_tables(root / "grammar")
    except (ImportError, OSError):
        return
    finally:
        sys.path.remove(package)
