"""Settings of the site: Sphinx turns the pages into HTML.

    .venv/bin/pip install -e '.[docs]'
    .venv/bin/sphinx-build -W -c docs . _site
    .venv/bin/python tools/try_it.py _site/play

The source folder is the whole project, so links between pages, READMEs of games and
the files at the root work as they are. Pages of contents, such as `index.md`, have
links in tables; the site's navigation is made from them.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from charts import chart_svg
from try_it import RECIPES, with_links

project = "Houserule"
author = "The Houserule authors"
release = version = version_of("houserule")
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/*/*.md",
    "docs/*/*/*.md",
    "rulesets/*/README.md",
    "C*.md",
    "SECURITY.md",
]
extensions = ["myst_parser", "sphinx_copybutton"]
html_theme = "furo"
html_title = f"Houserule {release}"
html_copy_source = False
html_extra_path = ["start"]  # a page at the root that leads to the first one
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
suppress_warnings = ["misc.highlighting_failure"]  # parts of files, and wrong examples

CONTENTS = {
    "docs/index",
    "docs/games",
    "docs/language/reference",
    "docs/diagnostics/index",
    "docs/internals/decisions/index",
}
PLAYGROUND = "../play/index.html"  # `tools/try_it.py` writes it beside the pages
_PAGE = re.compile(r"\]\(([^):#]+\.md)\)")
_PLACE = re.compile(r"\]\(([\w/-]+)\.md#?([\w-]*)\)")
_SUBJECTS = re.findall(
    r"^\| ([^|\n]+) \| (\[.*) \|$",
    Path(__file__).with_name("subject-index.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Add the navigation to a page of contents: a list for each of its sections."""
    if page not in CONTENTS:
        return
    seen: set[str] = set()
    first, *sections = re.split(r"^## ", source[0], flags=re.MULTILINE)
    for section in sections or [f"\n{first}"]:
        title, _, text = section.partition("\n")
        pages = [p for p in dict.fromkeys(_PAGE.findall(text)) if p not in seen]
        seen.update(pages)
        caption = [f":caption: {title}"] if title else []
        lines = ["```{toctree}", ":hidden:", *caption, "", *pages, "```"]
        source[0] += "\n".join(["", *lines, ""])


def add_try_it(app: Sphinx, page: str, source: list[str]) -> None:
    """Let each recipe open in the playground."""
    if f"{page}.md" == RECIPES:
        source[0] = with_links(source[0], PLAYGROUND)


class Chart(SphinxDirective):
    """A flow chart in Mermaid, drawn as a picture."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the picture."""
        return [nodes.raw("", chart_svg("\n".join(self.content)), format="html")]


def add_subjects(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Let the search find a page by the words that the subject index has for it."""
    for words, read in _SUBJECTS:
        for file, place in _PLACE.findall(read):
            if page == f"docs/{file}":
                entries = [
                    ("single", w, place, "main", None) for w in words.split(", ")
                ]
                tree += addnodes.index(entries=entries)


def add_llms_txt(app: Sphinx, error: Exception | None) -> None:
    """Write `llms.txt`, the file at the root of a site that assistants look for."""
    if error is None:
        page = Path(app.srcdir, "docs", "language.md").read_text(encoding="utf-8")
        Path(app.outdir, "llms.txt").write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Register the directive and the hooks."""
    app.add_directive("mermaid", Chart)
    app.connect("source-read", add_contents)
    app.connect("source-read", add_try_it)
    app.connect("doctree-resolved", add_subjects)
    app.connect("build-finished", add_llms_txt)
