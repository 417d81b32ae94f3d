"""A game whose every text tries to be more than text."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.support.shipped import ROOT

WORDS = "<img src=x onerror=alert(1)> [me](http://evil.example) </style> &lt;b&gt;"
STARTS = '# - 1. ``` www.evil.example " onclick="x'


def hostile_game(folder: Path) -> Path:
    """Return a copy of a small game with such words in titles, captions and texts."""
    game = folder / "pig"
    shutil.copytree(ROOT / "pig", game, ignore=shutil.ignore_patterns("scenarios"))
    _change(game / "ruleset.yaml", r"\{en: Pig,", f"{{en: '{STARTS} {WORDS}',")
    _change(game / "ruleset.yaml", r"languages: .*", "languages: [en]")
    (game / "text" / "de.yaml").unlink()
    _change(game / "ruleset.yaml", r"credits: .*", f"credits: ['{WORDS}']")
    _change(game / "game.rules", r'(\w+) "([^"]+)"', rf'\1 "{WORDS} \2"')
    _change(game / "variants" / "no_early_hold.rules", r'"([^"]+)"', rf'"{WORDS} \1"')
    _change(game / "text" / "en.yaml", r"^  (pig|round|throw): (.+)$", _told)
    _change(
        game / "text" / "en.yaml",
        r"^  (throw\.\w+): (.+)$",
        rf"  \1: '{STARTS} {WORDS}'",
    )
    _change(game / "rulings.yaml", r"(en: )[\"']?(.*)", rf"\1>-\n        {WORDS} \2")
    return game


def _told(found: re.Match[str]) -> str:
    return f"  {found[1]}: '{WORDS} {found[2]}'" if found[2] != '""' else found[0]


def _change(path: Path, pattern: str, by: object) -> None:
    text, number = re.subn(pattern, by, path.read_text("utf-8"), flags=re.MULTILINE)  # type: ignore[call-overload]
    assert number, path
    path.write_text(text, encoding="utf-8")
