"""Every row of the page "Recipes for house rules" is a right variant that does it.

The lines of a row become a variant of the game that their fence names, in a copy of the
game; no table has two of them. `tests/cases/wants.yaml` has the scenarios of each row.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.docs.fences import DOCS, ROOT, Fence, fences_of
from tests.docs.test_examples import change, write

from houserule.authoring.check.check import check_game, check_table
from houserule.authoring.check.checked import Checked
from houserule.authoring.scenarios.failures import failure
from houserule.authoring.scenarios.files import read_examples, trials
from houserule.authoring.scenarios.run import run_trial
from houserule.base.diagnostics.render import Renderer
from houserule.compiler.prepare import Programs, TableChoice
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax.vocabulary import HEADERS

PAGE = DOCS / "i-want.md"
SCENARIOS: dict[str, list[Any]] = YAML(typ="safe").load(
    (ROOT / "tests" / "cases" / "wants.yaml").read_text(encoding="utf-8")
)
OWN = "orchard"  # the game of the page itself
SMALL = (OWN, "pig")


@dataclass(frozen=True)
class Want:
    """A row: what is wanted, and the blocks to write."""

    title: str
    fences: tuple[Fence, ...]

    @property
    def game(self) -> str:
        """The game that is edited."""
        (game,) = {fence.settings["for"] for fence in self.fences}
        return game

    @property
    def name(self) -> str:
        """The name of its files, and of its variant if the lines name none."""
        return "want_" + re.sub(r"\W+", "_", self.title.lower()).strip("_")

    @property
    def rules(self) -> str:
        """Its lines, under a header."""
        text = "".join(each.text for each in self.fences if each.language == "rules")
        if text.startswith(HEADERS):
            return text
        return f'variant {self.name} for {self.game} "Ours"\n{text}'

    @property
    def variants(self) -> list[str]:
        """The variants that the lines declare."""
        return re.findall(r"^variant (\w+)", self.rules, re.MULTILINE)


@cache
def wants() -> tuple[Want, ...]:
    """Return the rows: blocks with `for=GAME`, by the heading above them."""
    titles = [
        (number, line.removeprefix("### "))
        for number, line in enumerate(PAGE.read_text("utf-8").split("\n"), 1)
        if line.startswith("### ")
    ]
    rows: dict[str, list[Fence]] = {title: [] for _, title in titles}
    for fence in fences_of(PAGE):
        if "for" in fence.settings:
            above = [title for number, title in titles if number < fence.line]
            rows[above[-1]].append(fence)
    return tuple(Want(title, tuple(fences)) for title, fences in rows.items())


TITLES = {want.title: want for want in wants()}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Make a copy of each game with all rows that are for it."""
    root = tmp_path_factory.mktemp("wants")
    found = {}
    for game in {want.game for want in wants()}:
        found[game] = root / game
        _write(found[game], [want for want in wants() if want.game == game])
    return found


def _write(folder: Path, rows: list[Want]) -> None:
    if folder.name == OWN:
        for fence in fences_of(PAGE):
            if fence.settings.get("title", "").startswith(f"{OWN}/"):
                write(fence, folder.parent)
    else:
        shutil.copytree(ROOT / "rulesets" / folder.name, folder)
    for want in rows:
        (folder / f"{want.name}.rules").write_text(want.rules, "utf-8")
        (folder / "scenarios").mkdir(exist_ok=True)
        with (folder / "scenarios" / f"{want.name}.yaml").open(
            "w", encoding="utf-8"
        ) as stream:
            YAML().dump(_scenarios(want), stream)
    names = ", ".join(name for want in rows for name in want.variants)
    with (folder / "game.rules").open("a", encoding="utf-8") as stream:
        stream.write(f"\nat most one of wanted: {names}\n")
    manifest = folder / "ruleset.yaml"
    text = manifest.read_text("utf-8").replace("rules: [", "rules: ['want_*.rules', ")
    manifest.write_text(text, "utf-8")


def _scenarios(want: Want) -> dict[str, Any]:
    return {
        "game": want.game,
        "table": {"players": ["ann", "bob", "cat"], "with": want.variants[:1]},
        "scenarios": [
            {"name": f"{want.title}, {number}", **each}
            for number, each in enumerate(SCENARIOS[want.title], 1)
        ],
    }


@pytest.fixture(scope="module")
def checked(folders: dict[str, Path]) -> dict[str, tuple[Checked, LoadedRuleset]]:
    """Check the games of most rows as a whole; of a large game, the rows' tables."""
    found = {}
    for game, folder in folders.items():
        ruleset, _ = load_ruleset(folder)
        assert ruleset is not None
        chosen = [tuple(each.variants) for each in wants() if each.game == game]
        if game in SMALL:
            results = [check_game(folder)]
        else:
            tables = (TableChoice(with_=each) for each in chosen)
            results = [check_table(folder, each) for each in tables]
        one, every = results[0], [e for each in results for e in each.diagnostics]
        # The rows have no words but English ones.
        one.diagnostics = [each for each in every if each.code != "W039"]
        found[game] = one, ruleset
    return found


@pytest.mark.parametrize("title", TITLES)
def test_the_lines_are_right(
    title: str, checked: dict[str, tuple[Checked, LoadedRuleset]]
) -> None:
    want = TITLES[title]
    one, _ = checked[want.game]
    about = [
        each
        for each in one.diagnostics
        if any(Path(label.span.file).stem == want.name for label in each.labels)
    ]
    assert not about, Renderer(one.sources).all(about)


@pytest.mark.parametrize("title", TITLES)
def test_the_lines_do_what_is_wanted(
    title: str,
    folders: dict[str, Path],
    checked: dict[str, tuple[Checked, LoadedRuleset]],
) -> None:
    want = TITLES[title]
    _, ruleset = checked[want.game]
    file = folders[want.game] / "scenarios" / f"{want.name}.yaml"
    programs = Programs(ruleset)
    results = [run_trial(trial, programs) for trial in trials(read_examples(file))]
    assert results
    failed = [failure(each, ruleset.sources) for each in results if not each.passed]
    assert not failed, "\n\n".join(failed)
    without = (
        replace(each.trial, choice=_without(each.trial.choice, want))
        for each in results
    )
    assert not all(run_trial(each, programs).passed for each in without)


def _without(choice: TableChoice, want: Want) -> TableChoice:
    """Return a table without the variants of a row."""
    return replace(
        choice,
        with_=tuple(name for name in choice.with_ if name not in want.variants),
    )


def test_nothing_else_is_wrong(
    checked: dict[str, tuple[Checked, LoadedRuleset]],
) -> None:
    for one, _ in checked.values():
        assert one.summary
        assert not one.diagnostics, Renderer(one.sources).all(one.diagnostics)


def test_the_tutorial_ends_with_the_game_of_the_page(tmp_path: Path) -> None:
    for fence in fences_of(DOCS / "tutorials" / "card-game.md"):
        if fence.settings.get("title") == f"{OWN}/game.rules":
            (change if fence.language == "diff" else write)(fence, tmp_path)
    (game,) = (
        fence.text
        for fence in fences_of(PAGE)
        if fence.settings.get("title") == f"{OWN}/game.rules"
    )
    assert (tmp_path / OWN / "game.rules").read_text("utf-8") == game


def test_there_are_fifty() -> None:
    assert len(wants()) >= 50
    assert list(SCENARIOS) == [want.title for want in wants()]
