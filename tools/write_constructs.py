"""Writes the page of the language reference that lists constructs by game.

Each line of a `syntax` block of the reference is a construct; the words after `syntax`
are its names in the grammar. The syntax trees of a ruleset show which ones it uses.
`--check` changes nothing and exits with 1 if the table is out of date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

# Inside: only this page needs the grammar's rules that a file uses.
from houserule.language.syntax.read.parser import make_parser

if TYPE_CHECKING:
    from lark import Lark

ROOT = Path(__file__).resolve().parents[1]
LANGUAGE = ROOT / "docs" / "language"
PAGE = LANGUAGE / "used-by.md"
BEGIN = "<!-- written by tools/write_constructs.py: begin -->\n"
END = "<!-- written by tools/write_constructs.py: end -->\n"
_ROW = re.compile(r"^\| \[.+\]\((.+\.md)\) \| .+ \|$", re.MULTILINE)
_HEADING = re.compile(r"^##+ (.*)$")
_ASIDE = re.compile(r'"[^"\n]*"|#[^\n]*|\[[^\]\n]*\]')
# The trees keep only the contents of these, so search the text for the words.
ONLY_WORDS = {
    "where": re.compile(r"\bwhere\b"),
    "else_": re.compile(r"^ *else\b", re.M),
}


def reference() -> list[Path]:
    """Return the pages of the reference, in the order of its contents."""
    contents = (LANGUAGE / "reference.md").read_text(encoding="utf-8")
    return [LANGUAGE / name for name in _ROW.findall(contents)]


def constructs() -> Iterator[tuple[str, str, str]]:
    """Yield heading, grammar name and form of each construct of the reference.

    Raises:
        ValueError: the names and lines of a `syntax` block differ in number.
    """
    heading, names, inside = "", [], False
    pages = [page.read_text(encoding="utf-8") for page in reference()]
    for line in "\n".join(pages).split("\n"):
        match = _HEADING.match(line)
        if match and not inside:
            heading = match[1]
        elif line.startswith("```syntax"):
            names, inside = line.split()[1:], True
        elif line.startswith("```"):
            if inside and names:
                raise ValueError(f"{heading}: no line for {', '.join(names)}")
            inside = False
        elif inside:
            if not names:
                raise ValueError(f"{heading}: no name for {line}")
            yield heading, names.pop(0), line


def without_asides(text: str) -> str:
    """Return the text of a rules file without captions, citations and comments."""
    return _ASIDE.sub("", text)


@cache
def names_in(text: str) -> frozenset[str]:
    """Return the grammar names of everything that a rules file uses."""
    tree = parser().parse(text, start="start")
    bare = without_asides(text)
    words = {name for name, word in ONLY_WORDS.items() if word.search(bare)}
    return frozenset(str(each.data) for each in tree.iter_subtrees()) | words


@cache
def parser() -> Lark:
    """Return the parser for whole files."""
    return make_parser()


def used_names() -> dict[str, frozenset[str]]:
    """Return the constructs that each built-in ruleset uses, by name."""
    found: dict[str, frozenset[str]] = {}
    for manifest in sorted((ROOT / "rulesets").glob("*/ruleset.yaml")):
        files = sorted(manifest.parent.rglob("*.rules"))
        each = [names_in(file.read_text(encoding="utf-8")) for file in files]
        found[manifest.parent.name] = frozenset().union(*each)
    return found


def table(used: Mapping[str, frozenset[str]]) -> str:
    """Return the table of constructs."""
    rows = ["| construct | form | used by |", "|---|---|---|"]
    last = ""
    for heading, name, form in constructs():
        who = [ruleset for ruleset, names in used.items() if name in names]
        others = [ruleset for ruleset in used if ruleset not in who]
        by = ", ".join(who) or "none yet"
        if len(who) > len(others):
            by = f"all but {', '.join(others)}" if others else "all"
        shown = heading if heading != last else ""
        rows.append(f"| {shown} | `` {form.replace('|', chr(92) + '|')} `` | {by} |")
        last = heading
    return "\n".join(rows) + "\n"


def written(page: str, used: Mapping[str, frozenset[str]]) -> str:
    """Return the page with an up-to-date table."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{table(used)}\n{END}{tail}"


def main() -> int:
    """Write the page, or with `--check` only compare."""
    page = PAGE.read_text(encoding="utf-8")
    wanted = written(page, used_names())
    if page == wanted:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{PAGE.relative_to(ROOT)} is out of date: python {sys.argv[0]}")
        return 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
