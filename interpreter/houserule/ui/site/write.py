"""Writes the site: pages, their scripts, Python with the package, and games."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

import houserule
from houserule.base.cache import cache_dir
from houserule.base.resources import (
    FALLBACK,
    LANGUAGES,
    Phrases,
    data_root,
    own_text,
    shipped_rulesets,
)
from houserule.language.syntax.vocabulary import (
    ABOUT,
    CLAUSES,
    DECLARATIONS,
    EDITS,
    HEADERS,
    STATEMENTS,
    keywords,
)
from houserule.ui.site.packing import STARTS, needed, packed, prepared, unzipped, zipped
from houserule.ui.site.parts import (
    bundle,
    licences,
    npm_packages,
    python_wheels,
    usual_games,
)
from houserule.ui.site.playground import starting_text

LICENCES = "licences.txt"
NOT_FOUND = "404.html"
SECONDS = 20  # for one answer; then the worker is ended
LARGEST = 64_000  # bytes of a text that a link or a file brings

PACKAGE = Path(houserule.__file__).parent
PAGE = Path(__file__).with_name("page")
DESIGN = PACKAGE / "ui" / "web" / "static"
WABT = "wabt.js"
PACKAGES, FOR_TABLE = "packages.tar.xz", "table.tar.xz"
LIBRARY = "pyodide/python_stdlib.zip"
NOT_SHIPPED = (".pyi", ".pyx", ".pxd", "py.typed", "linux-gnu.so")
LOCK = "pyodide-lock.json"
PYODIDE = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", LOCK),
)
TABLE = "houserule/ui/web/"
LEFT_OUT = ("ui/cli", "ui/terminal", "ui/site/page", "environments/", "_data")
START = "houserule.ui.site.playground"
START_OF_TABLE = (
    *("houserule.ui.site.table", "anyio._backends._asyncio"),
    *("sqlalchemy.dialects.sqlite", "sqlalchemy.connectors"),
    *("platform", "urllib.request"),
)
OPENING = (*HEADERS, *ABOUT, *DECLARATIONS, *CLAUSES, *EDITS, *STATEMENTS, "else")
VALUES = ("yes", "no", "none")
TYPES = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
}
SLOT = re.compile(r"{{ (.+?) }}")
SAID = re.compile(r"say\('([\w ]+)'.*\)")


def write_site(folder: Path, chosen: Sequence[Path] = ()) -> int:
    """Write a site into a folder; files of the same names are replaced.

    Args:
        folder: the folder, made if it is missing.
        chosen: the folders of the games that it offers, in this order; without any,
            those that `package.json` lists.

    Returns:
        The bytes of all files.

    Raises:
        MissingPart: npm, pip or the bundler failed.
        RulesetError: a game cannot be read.
        OSError: a file cannot be written.
    """
    folders = chosen or [shipped_rulesets()[name] for name in usual_games()]
    rulesets = {each.id: each for each in map(houserule.load, folders)}
    games = {name: each.folder for name, each in rulesets.items()}
    with TemporaryDirectory() as scratch:
        parts = (cache_dir() or Path(scratch)) / "site"
        npm = npm_packages(parts)
        wheels = python_wheels(parts / "wheels", npm / "pyodide")
        made = _archives(parts, npm, wheels, games)
        (folder / "pyodide").mkdir(parents=True, exist_ok=True)
        for name in PYODIDE:
            shutil.copyfile(npm / "pyodide" / name, folder / "pyodide" / name)
        lock = json.loads((npm / "pyodide" / LOCK).read_bytes())
        lock["packages"] = {}  # Pyodide's own packages are not used
        (folder / "pyodide" / LOCK).write_text(json.dumps(lock), encoding="utf-8")
        shutil.copytree(made, folder, dirs_exist_ok=True)
        ours = (PAGE / NOT_FOUND, PAGE / "site.css")
        for each in (*ours, DESIGN / "base.css", DESIGN / "icon.svg"):
            shutil.copyfile(each, folder / each.name)
        (folder / LICENCES).write_text(licences(npm), encoding="utf-8")
        _write_scripts(folder, npm, games)
    titles = {name: each.title for name, each in rulesets.items()}
    for language in sorted(LANGUAGES):
        page = _page(language, titles)
        (folder / page_name(language)).write_text(page, encoding="utf-8")
    written = ["sw.js", LICENCES, NOT_FOUND, *_write_service_worker(folder)]
    return sum((folder / name).stat().st_size for name in written)


def page_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a site for this computer alone.

    Raises:
        OSError: nothing can listen at this port, or the folder has no `NOT_FOUND`.
    """
    not_found = (folder / NOT_FOUND).read_text(encoding="utf-8")

    class Quiet(SimpleHTTPRequestHandler):
        extensions_map = SimpleHTTPRequestHandler.extensions_map | TYPES
        error_message_format = not_found.replace("%", "%%")

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    answer = partial(Quiet, directory=str(folder))
    return ThreadingHTTPServer(("localhost", port), answer)


def page_name(language: str) -> str:
    return "index.html" if language == FALLBACK else f"index.{language}.html"


# ---- Python


def _archives(
    parts: Path, npm: Path, wheels: Sequence[Path], games: Mapping[str, Path]
) -> Path:
    """Return a folder with the archives of Python's library, and of the packages.

    They are kept: the same ones are not made a second time.
    """
    library = unzipped(npm / "pyodide" / LIBRARY.rpartition("/")[2])
    packages = {n: t for each in wheels for n, t in unzipped(each).items()}
    packages |= {name: path.read_bytes() for name, path in _ours(games)}
    every = {**library, **packages}
    starts = [*STARTS, START]
    first = needed(every, starts)
    later = needed(every, [*starts, *START_OF_TABLE]) - first

    def kept(name: str) -> bool:
        if name.endswith(".py"):
            return name in first or name in later or name.startswith("_sysconfigdata")
        about = ".dist-info/" in name
        return "licen" in name.lower() if about else not name.endswith(NOT_SHIPPED)

    def top(name: str) -> str:
        return name.partition("/")[0]

    # The second archive compresses better: the first has only the code to unpack it.
    # Python looks for the modules of a package in one place: it is in one as a whole.
    at_once = {top(name) for name in needed(library, STARTS)}
    every = {name: text for name, text in every.items() if kept(name)}
    library = {n: every[n] for n in library if n in every and top(n) in at_once}
    packages = {n: t for n, t in every.items() if n not in library}
    about = sha256(json.dumps(list(games)[:1]).encode())
    for path in sorted(Path(__file__).parent.glob("p*.*")):
        about.update(path.read_bytes())
    for name, content in (library | packages).items():
        about.update(f"\n{name} {len(content)}\n".encode() + content)
    found = parts / "archives" / about.hexdigest()[:16]
    if found.is_dir():
        return found
    shutil.rmtree(found.parent, ignore_errors=True)
    library, packages, *caches = prepared(npm, library, packages, list(games)[:1])
    beside = {f"{name}c" for name in later}
    for_table = {n for n in packages if n in beside or n.startswith(TABLE)}
    with TemporaryDirectory(dir=parts) as place:
        first_ones = {n: t for n, t in packages.items() if n not in for_table}
        made = {
            LIBRARY: zipped(library),
            PACKAGES: packed(first_ones | caches[0]),
            FOR_TABLE: packed({n: packages[n] for n in for_table} | caches[1]),
        }
        for name, content in made.items():
            path = Path(place, "made", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        found.parent.mkdir(exist_ok=True)
        if not found.is_dir():  # another run may have made it meanwhile
            Path(place, "made").rename(found)
    return found


def _ours(games: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """Yield the files of the package and its data, with their names in the archive."""
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE).as_posix()
        wanted = path.is_file() and path.suffix != ".pyc"
        if wanted and not inside.startswith(LEFT_OUT):
            yield f"houserule/{inside}", path
    folders = {"grammar": data_root() / "grammar"}
    folders |= {f"rulesets/{name}": path for name, path in games.items()}
    for name, folder in folders.items():
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder).as_posix()
            played = inside.startswith("playthroughs/")
            if path.is_file() and not played and path.suffix != ".md":
                yield f"houserule/_data/{name}/{inside}", path


# ---- pages and scripts


def _write_scripts(folder: Path, npm: Path, games: Mapping[str, Path]) -> None:
    words = {
        "opening": sorted(set(OPENING)),
        "keywords": sorted(set(keywords()) - set(VALUES)),
        "values": VALUES,
    }
    large = [PACKAGES, *(f"pyodide/{name}" for name in PYODIDE[2:])]
    settings = {
        "games": list(games),
        "start": {name: starting_text(str(path)) for name, path in games.items()},
        "seconds": SECONDS,
        "size": LARGEST,
        "sizes": {name: (folder / name).stat().st_size for name in large},
    }
    with TemporaryDirectory(dir=npm.parent) as sources:
        for path in PAGE.glob("*.js"):
            shutil.copyfile(path, Path(sources, path.name))
        Path(sources, "words.json").write_text(json.dumps(words))
        Path(sources, "settings.json").write_text(json.dumps(settings))
        for name in ("page.js", "worker.js"):
            bundle(npm, Path(sources, name), folder / name)
    bundle(npm, npm / "wabt" / "index.js", folder / WABT)


def _page(language: str, titles: Mapping[str, str]) -> str:
    say = Phrases("site", language).say
    slots = {"seconds": str(SECONDS), "size": str(LARGEST // 1000)}
    slots |= {name: f"{{{name}}}" for name in ("file", "line")}  # for the script

    def filled(found: re.Match[str]) -> str:
        if found[1] == "language":
            return language
        said = SAID.fullmatch(found[1])
        assert said is not None, found[1]
        names = [name for name in slots if f"{name}={name}" in found[1]]
        return html.escape(say(said[1], **{name: slots[name] for name in names}))

    here = ' aria-current="page"'
    links = "".join(
        f'<a href="{page_name(each)}" lang="{each}" hreflang="{each}"'
        f"{here if each == language else ''}>{each}</a>"
        for each in sorted(LANGUAGES)
    )
    options = "".join(
        f'<option value="{name}">{html.escape(title)}</option>'
        for name, title in titles.items()
    )
    text = SLOT.sub(filled, own_text(PAGE / "index.html"))
    return text.replace("<!-- languages -->", links).replace("<!-- games -->", options)


def _write_service_worker(folder: Path) -> list[str]:
    """Write the service worker, whose version changes with any file; return those."""
    pages = [page_name(each) for each in sorted(LANGUAGES)]
    first = [*pages, "base.css", "icon.svg", "page.js", "site.css", "worker.js"]
    files = [*first, WABT, PACKAGES, FOR_TABLE]
    files += [f"pyodide/{name}" for name in PYODIDE]
    version = sha256()
    for name in files:
        version.update((folder / name).read_bytes())
    head = (
        f'const VERSION = "{version.hexdigest()[:16]}";\n'
        f"const FIRST = {json.dumps(['./', *first])};\n"
        f"const FILES = {json.dumps(['./', *files])};\n"
    )
    (folder / "sw.js").write_text(head + own_text(PAGE / "sw.js"), encoding="utf-8")
    return files
