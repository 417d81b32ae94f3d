"""Where the shipped data stands: grammar, rulesets, schemas."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parents[1]


def data_root() -> Path:
    """Return the folder that holds `grammar/`, `rulesets/` and `schemas/`.

    In a wheel that is `houserule/_data`, else the checkout.

    Raises:
        FileNotFoundError: the package was installed without its data.
    """
    for root in (_PACKAGE / "_data", _CHECKOUT):
        if (root / "grammar" / "rules.lark").is_file():
            return root
    raise FileNotFoundError("houserule was installed without its data files")


def shipped_rulesets() -> dict[str, Path]:
    """Return the folders of the rulesets that come with the package, by name."""
    found = (data_root() / "rulesets").glob("*/ruleset.yaml")
    return {manifest.parent.name: manifest.parent for manifest in sorted(found)}


def find_ruleset(name_or_path: str | Path) -> Path | None:
    """Return the folder of a ruleset: a path first, then the name of a shipped one."""
    path = Path(name_or_path)
    if path.name == "ruleset.yaml" and path.is_file():
        return path.parent
    if (path / "ruleset.yaml").is_file():
        return path
    return shipped_rulesets().get(str(name_or_path))
