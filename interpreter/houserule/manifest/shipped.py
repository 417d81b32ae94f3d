"""The games that come with the package, as a list shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from houserule.manifest.load import load_manifest
from houserule.manifest.model import in_language
from houserule.resources import shipped_rulesets


@dataclass(frozen=True, slots=True)
class ShippedGame:
    """A game that comes with the package.

    Attributes:
        id: its name, as `houserule.load` takes it.
        folder: where its ruleset is.
        title: what people call it.
        summary: a sentence or two about it.

    Example:
        >>> [game.title for game in houserule.shipped() if game.id == "pig"]
        ['Pig']
    """

    id: str
    folder: Path
    title: str
    summary: str


def shipped_games(language: str = "en") -> Iterator[ShippedGame]:
    """Yield the shipped games by name; only their manifests are read."""
    for name, folder in shipped_rulesets().items():
        manifest, _ = load_manifest(folder)
        if manifest is not None:
            summary = " ".join(in_language(manifest.summary, language).split())
            title = in_language(manifest.title, language)
            yield ShippedGame(name, folder, title, summary)
