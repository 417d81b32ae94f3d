"""Write the pages of messages, `docs/diagnostics/`, from the declared codes.

Run it after a change of a message's title or page:  python tools/write_diagnostics.py
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "interpreter" / "houserule"
PAGES = ROOT / "docs" / "diagnostics"
HEAD = """\
# Messages

Every message has a code. `houserule explain CODE` prints its page.

Errors (E) make a ruleset unplayable. Warnings (W) do not. Notes (N) are printed only
on request. Rule faults (F) occur only in play: the rules did something that no rules
may do.
"""
# heading of the index: the codes beneath it; the first match counts
GROUPS = {
    "Syntax": "E00",
    "Names and types": "E0[12]",
    "Manifests, tables and texts": "E03|E040",
    "Citations": "E04",
    "Limits": "E05",
    "Scenarios": "E07",
    "Records": "[EW]08",
    "Edits and names": "E1",
    "Conflicts": "E2",
    "The chosen table": "E3",
    "All tables": "E4",
    "Endings and goals": "E5",
    "Hidden information": "E6",
    "Warnings": "W",
    "Notes": "N",
    "Rule faults in play": "F",
}


def declared() -> Iterator[tuple[str, str, str]]:
    """Yield each declared code, with its title and the text below it."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        body = ast.parse(text).body if " = MessageCode(" in text else []
        for node, below in pairwise(body):
            match node, below:
                case (
                    ast.Assign(
                        [ast.Name(name)],
                        ast.Call(
                            ast.Name("MessageCode"),
                            [ast.Constant(str(code)), ast.Constant(str(title))],
                        ),
                    ),
                    ast.Expr(ast.Constant(str(page))),
                ) if name == code:
                    yield code, title, page


def pages() -> dict[str, str]:
    """Return the text of each page, by the name of its file."""
    found = {code: (title, page) for code, title, page in declared()}
    written = {
        f"{code}.md": f"# {code}: {title}\n\n{page.strip()}\n"
        for code, (title, page) in found.items()
    }
    index, left = HEAD, sorted(found)
    for heading, prefix in GROUPS.items():
        here = [code for code in left if re.match(prefix, code)]
        left = [code for code in left if code not in here]
        rows = (f"| [{code}]({code}.md) | {found[code][0]} |\n" for code in here)
        index += f"\n## {heading}\n\n| code | title |\n|---|---|\n{''.join(rows)}"
    return {**written, "index.md": index}


def main(arguments: list[str]) -> int:
    """Write every page, and remove those of deleted codes.

    With `--check` nothing is written; the status is 1 if a page is out of date.
    """
    wanted = pages()
    there = {path.name: path.read_text("utf-8") for path in PAGES.glob("*.md")}
    stale = sorted(
        name
        for name in wanted.keys() | there.keys()
        if wanted.get(name) != there.get(name)
    )
    if "--check" in arguments:
        for name in stale:
            print(f"docs/diagnostics/{name} differs: run tools/write_diagnostics.py")
        return 1 if stale else 0
    for name in stale:
        if name in wanted:
            (PAGES / name).write_text(wanted[name], encoding="utf-8")
        else:
            (PAGES / name).unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
