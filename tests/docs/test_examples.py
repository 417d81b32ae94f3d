"""Every fenced example of the pages is what the page says that it is.

One page is one test: its blocks are done in order, in one folder. If the page names the
folder `rulesets/`, a copy of the shipped one stands in it; the others, such as the
tutorial, need nothing but the installed command.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from tests.docs.console import commands_of, fits, heard, run, settings
from tests.docs.fences import ROOT, Fence, continued, fences_of, page_name, pages

from houserule.base.cache import cache_dir
from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.diagnostics.render import Renderer
from houserule.base.source import Source
from houserule.language.manifest.yaml.parser import parse_yaml
from houserule.language.syntax.read.parser import parse_afresh
from houserule.language.syntax.vocabulary import HEADERS

LANGUAGES = (
    "rules",
    "console",
    "python",
    "yaml",
    "json",
    "toml",
    "lua",
    "rust",
    "diff",
    "syntax",
    "text",
    "bash",
    "mermaid",
    "",
)
# What stands around a part of a file, so that it can be read as a whole one.
AROUND = {
    "clauses": ("game g\naction a during b\n", "  "),
    "statements": ("game g\neffect e\n  does d:\n", "    "),
    "inside": ("game g\nphase p\n", "  "),
}


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What other tests and processes have found about shipped games serves here too."""
    return cache_dir() or tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("page", pages(), ids=page_name)
def test_the_examples_of(page: Path, tmp_path: Path, cache: Path) -> None:
    if "import pyspiel" in page.read_text(encoding="utf-8"):
        pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel here")
    if "rulesets/" in page.read_text(encoding="utf-8"):
        shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
    for before in continued(page):
        for fence in fences_of(before):
            if "title" in fence.settings:
                (change if fence.language == "diff" else write)(fence, tmp_path)
    problems = [
        f"{fence.place}: {problem}"
        for fence in fences_of(page)
        for problem in _problems(fence, tmp_path, cache)
    ]
    assert not problems, "\n\n".join(problems)


def test_there_are_examples_of_every_kind() -> None:
    found = {fence.language for page in pages() for fence in fences_of(page)}
    assert {"rules", "console", "python", "yaml", "diff", "syntax"} <= found


def test_an_output_fits_around_its_dots() -> None:
    assert fits("one ... three\n...\nend", "one two three\nand\nmore\nend\n")
    assert fits("one\n...", "one\n")
    assert fits("one\n...", "one\ntwo\nthree")
    assert not fits("one ... three", "one two four")
    assert not fits("one ... three", "one two\nthree")
    assert not fits("one", "one\ntwo")
    assert not fits("...\none", "one\ntwo")


def _problems(fence: Fence, folder: Path, cache: Path) -> list[str]:
    """Do what a block is for; return what is wrong with it."""
    found: list[str] = []
    if fence.language not in LANGUAGES:
        found = [f"there are no blocks of `{fence.language}`"]
    match fence.language:
        case "rules":
            found = [_unreadable(fence), *_not_shipped(fence)]
        case "yaml":
            _, faults = parse_yaml(Source(fence.place, fence.text))
            found = [*(each.message for each in faults), *_not_shipped(fence)]
        case "json":
            json.loads(fence.text)
        case "console":
            found = _console(fence, folder, cache)
        case "python":
            found = [_python(fence, folder, cache)]
        case "diff":
            found = [change(fence, folder)]
        case _:
            pass  # only shown
    if "title" in fence.settings and fence.language != "diff":
        write(fence, folder)
    return [each for each in found if each]


# ---- rules


def _unreadable(fence: Fence) -> str:
    """Return the messages about a block of rules, or ''."""
    source = Source(fence.place, whole(fence))
    _, faults = parse_afresh(source)
    if "wrong" in fence.words:
        return "" if has_errors(faults) else "this is said to be wrong, and is right"
    if not has_errors(faults):
        return ""
    return "this cannot be read:\n" + Renderer({source.name: source}).all(faults)


def whole(fence: Fence) -> str:
    """Return a block of rules with what has to stand around it."""
    kinds = [word for word in fence.words if word in (*AROUND, "expressions")]
    if kinds == ["expressions"]:
        return "game g\n" + "".join(
            f"value v{number}: 0..9 = {line.partition('#')[0]}\n"
            for number, line in enumerate(fence.text.splitlines())
            if line.strip()
        )
    if kinds:
        head, indent = AROUND[kinds[0]]
        lines = fence.text.splitlines()
        return head + "".join(f"{indent}{line}".rstrip() + "\n" for line in lines)
    first = next((w for w in re.findall(r"^[a-z]+", fence.text, re.M)), "")
    return fence.text if first in HEADERS else "game g\n" + fence.text


def _not_shipped(fence: Fence) -> list[str]:
    """Return the lines that do not stand in the ruleset that they are said to be of."""
    game = fence.settings.get("from")
    if game is None:
        return []
    flat = _flat if fence.language == "rules" else _spaced
    files = sorted((ROOT / "rulesets" / game).rglob(f"*.{fence.language}"))
    shipped = flat("\n".join(file.read_text(encoding="utf-8") for file in files))
    return [
        f"{game} does not say: {line.strip()}"
        for line in fence.text.splitlines()
        if flat(line) not in shipped
    ]


def _flat(text: str) -> str:
    """Return rules without margins and comments, all spaces alike."""
    text = re.sub(r"\[[^\]]*\]", " ", text)
    text = re.sub(r"#[^\n\"]*$", " ", text, flags=re.MULTILINE)
    return _spaced(text)


def _spaced(text: str) -> str:
    """Return a text with all spaces alike."""
    return " ".join(text.split())


# ---- commands and files


def write(fence: Fence, folder: Path) -> None:
    """Write a block to the file that it names."""
    file = folder / fence.settings["title"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(fence.text, encoding="utf-8")


def _console(fence: Fence, folder: Path, cache: Path) -> list[str]:
    lines = commands_of(fence)
    if not lines and not fence.page.startswith("docs/diagnostics/"):
        return ["a console block has a line that begins with `$ `"]
    return [run(line, folder, cache) for line in lines]


def _python(fence: Fence, folder: Path, cache: Path) -> str:
    """Run a block of Python; what it prints stands in comments `# prints: …`."""
    many = re.search(r"\b(simulate|compare)\(", fence.text)
    run_block = _apart if many else _here  # games by the thousand start processes
    error, printed = run_block(fence, folder, cache)
    if error:
        return error
    wanted = "\n".join(re.findall(r"# prints: (.*)", fence.text))
    return "" if fits(wanted, printed) else f"it printed:\n{printed}"


def _here(fence: Fence, folder: Path, cache: Path) -> tuple[str, str]:
    """Return the error of a block and what it printed."""
    with heard(folder, cache) as text:
        try:
            exec(compile(fence.text, fence.place, "exec"), {"__name__": "__main__"})
        except Exception:
            return traceback.format_exc(), text()
        return "", text()


def _apart(fence: Fence, folder: Path, cache: Path) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", fence.text],
        cwd=folder,
        env={**os.environ, **settings(cache)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stderr if done.returncode else "", done.stdout


def change(fence: Fence, folder: Path) -> str:
    """Put the lines with `+` in the place of those with `-`, or at the end."""
    file = folder / fence.settings["title"]
    lines = file.read_text(encoding="utf-8").splitlines()
    at = len(lines)
    for line in fence.text.splitlines():
        mark, words = line[:1], line[1:]
        if mark == "+":
            lines.insert(at, words)
            at += 1
        elif words not in lines:
            return f"{fence.settings['title']} has no line: {words}"
        else:
            at = lines.index(words)
            if mark == "-":
                del lines[at]
            else:
                at += 1
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ""
