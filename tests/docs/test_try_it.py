"""The links "Try it" of the recipes open valid rules in the playground."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest
from tests.docs.test_wants import wants
from tools.try_it import OWN, RECIPES, ROOT, with_links, write_own_game

from houserule.ui.site import playground

PAGE = (ROOT / RECIPES).read_text(encoding="utf-8")


def decoded() -> list[tuple[str, str]]:
    """Return the games and rules of the page's links."""
    page = with_links(PAGE, "play.html")
    found = re.findall(r'<a href="play\.html#(\w+)\.([\w-]+)">Try it</a>', page)
    raw = [
        (game, urlsafe_b64decode(text + "=" * (-len(text) % 4))) for game, text in found
    ]
    return [(game, zlib.decompress(each, wbits=-15).decode()) for game, each in raw]


def test_each_recipe_has_a_link_with_its_lines() -> None:
    links = decoded()
    rows = [
        want
        for want in wants()
        if any(each.language == "rules" for each in want.fences)
        and "\nrequires " not in want.rules
    ]
    assert len(links) == len(rows) > 90
    for (game, rule), want in zip(links, rows, strict=True):
        lines = [each.text for each in want.fences if each.language == "rules"]
        assert game == want.game
        assert rule.endswith("".join(lines))


def test_the_playground_finds_no_error_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own_game(PAGE, tmp_path)
    wrong = []
    for game, rule in decoded():
        place = str(tmp_path / game) if game == OWN else game
        found = json.loads(playground.check(place, rule))
        wrong += [(rule, e["message"]) for e in found if e["severity"] == "error"]
    assert not wrong
