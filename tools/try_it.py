"""The links "Try it" of the recipes, and the playground that they open.

    python tools/try_it.py _site/play

writes that playground, with the games of the recipes, and a copy of its `404.html` in
the folder above, where hosts look for it. `docs/conf.py` adds the links.
"""

from __future__ import annotations

import re
import shutil
import sys
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
RECIPES = "docs/i-want.md"
OWN = "orchard"  # the game that the recipes bring along
FENCE = re.compile(r"^```(\w+)(.*)\n([\s\S]*?)^```$", re.MULTILINE)
HEADED = re.compile(r"^variant \w+ for ", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A recipe: its game, its rule, and where its last fence ends in the page."""

    game: str
    rule: str
    end: int

    @property
    def link(self) -> str:
        """The part of a playground's address with the game and the rule."""
        packer = zlib.compressobj(9, wbits=-15)
        packed = packer.compress(self.rule.encode()) + packer.flush()
        return f"#{self.game}.{urlsafe_b64encode(packed).decode().rstrip('=')}"


def examples(page: str) -> Iterator[Example]:
    """Yield the rules that a page's fences are, one for each heading.

    Fences with `for=GAME` are parts of a house rule of that game. A rule that requires
    another one is left out: a playground plays one alone.
    """
    for part in re.finditer(r"^### (.+)\n(?:(?!^###? )[\s\S])*", page, re.MULTILINE):
        fences = [f for f in FENCE.finditer(part[0]) if " for=" in f[2]]
        rules = [fence for fence in fences if fence[1] == "rules"]
        if not rules or any("\nrequires " in fence[3] for fence in rules):
            continue
        (game,) = {re.search(r" for=(\w+)", fence[2])[1] for fence in rules}  # type: ignore[index]
        text = "".join(fence[3] for fence in rules)
        if not HEADED.search(text):
            text = f'variant our_rule for {game} "{part[1].rstrip(".")}"\n\n{text}'
        yield Example(game, text, part.start() + fences[-1].end())


def with_links(page: str, playground: str) -> str:
    """Return a page with a link below each of its examples."""
    for each in reversed([*examples(page)]):
        link = f'\n\n<a href="{playground}{each.link}">Try it</a>'
        page = page[: each.end] + link + page[each.end :]
    return page


def write_own_game(page: str, folder: Path) -> None:
    """Write the game that the recipes bring along into a folder."""
    for fence in FENCE.finditer(page):
        title = re.search(rf" title={OWN}/(\S+)", fence[2])
        if title:
            path = folder / OWN / title[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fence[3], encoding="utf-8")


def main(folder: Path) -> None:
    """Write the playground with the games of the recipes."""
    # Inside: the playground gets the game of the recipes, which is in no folder.
    from houserule.ui.site.write import NOT_FOUND, write_site

    page = (ROOT / RECIPES).read_text(encoding="utf-8")
    games = dict.fromkeys(each.game for each in examples(page) if each.game != OWN)
    with TemporaryDirectory() as place:
        write_own_game(page, Path(place))
        shipped = [ROOT / "rulesets" / each for each in games]
        write_site(folder, [*shipped, Path(place, OWN)])
    shutil.copy(folder / NOT_FOUND, folder.parent)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
