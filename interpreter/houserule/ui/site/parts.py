"""The parts of a page from elsewhere: Pyodide, an assembler, an editor, packages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

PACKAGE_JSON = Path(__file__).with_name("package.json")
NEEDED = ("lark", "platformdirs", "pydantic", "ruamel-yaml")
"""Packages that the page imports, with what they need themselves."""
FOR_TABLES = (
    *("anyio<4.12", "idna", "jinja2", "python-multipart"),  # later ones need sources
    *("segno", "sniffio", "sqlalchemy", "starlette"),
)
"""Packages that its table imports too; what they need themselves is among them."""
IN_PYTHON = ("markupsafe",)
"""The like, which has no wheel for browsers, but works without its native part."""

ONLY_BUILDS = ("esbuild", "ws")
WHEELS = """\
Houserule: MIT. The licences of Python packages are in packages.zip, in the folders
*.dist-info. Pyodide's source is at https://github.com/pyodide/pyodide, and CPython's
licence at https://docs.python.org/3/license.html.
"""


class MissingPart(Exception):
    """Something that a page needs could not be had."""


def usual_games() -> list[str]:
    """Return the names of the games that a site normally offers."""
    games: list[str] = json.loads(PACKAGE_JSON.read_bytes())["config"]["games"]
    return games


def npm_packages(folder: Path) -> Path:
    """Install the npm packages into a folder; return their folder.

    Raises:
        MissingPart: there is no npm, or it failed.
    """
    found = folder / "node_modules"
    wanted = PACKAGE_JSON.read_bytes()
    kept = folder / "package.json"
    if found.is_dir() and kept.is_file() and kept.read_bytes() == wanted:
        return found
    npm = shutil.which("npm")
    if npm is None:
        raise MissingPart("`npm` is not on this computer: it comes with Node.js")
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(wanted)
    _run([npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder)])
    return found


def licences(npm: Path) -> str:
    """Return the licences of the npm packages that are part of a page."""
    told = []
    for described in sorted(
        [*npm.glob("*/package.json"), *npm.glob("@*/*/package.json")]
    ):
        package = json.loads(described.read_text(encoding="utf-8"))
        if package["name"] in ONLY_BUILDS or package["name"].startswith("@types/"):
            continue
        texts = (each.read_text("utf-8") for each in described.parent.glob("LICENSE*"))
        head = f"{package['name']} {package['version']}: {package['license']}"
        told.append("\n\n".join([head, *(each.strip() for each in texts)]))
    return "\n\n----\n\n".join([*told, WHEELS])


def python_wheels(folder: Path, pyodide: Path) -> list[Path]:
    """Fetch the wheels that a page needs, for its Python; return them.

    Args:
        pyodide: the folder of Pyodide, which says which Python it is.

    Raises:
        MissingPart: pip failed.
    """
    info = json.loads((pyodide / "pyodide-lock.json").read_text())["info"]
    version = re.match(r"(\d+)\.(\d+)", info["python"])
    assert version is not None
    folder.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder)]
    built_for = f"pyemscripten_{info['abi_version']}_wasm32"
    python = f"{version[1]}.{version[2]}"
    pip += ["--only-binary=:all:", "--python-version", python]
    names = re.compile("|".join(map(re.escape, (*NEEDED, *FOR_TABLES))), re.IGNORECASE)
    found = (each.partition(";")[0] for each in requires("houserule") or ())
    bounds = {n[0].lower(): each for each in found if (n := names.match(each))}
    wanted = [bounds.get(each, each) for each in (*NEEDED, *FOR_TABLES, *IN_PYTHON)]
    # The same packages are kept for the next site, which then needs no network.
    kept, wish = folder / "wanted.txt", "\n".join([built_for, python, *wanted])
    if not kept.is_file() or kept.read_text(encoding="utf-8") != wish:
        for other in folder.glob("*.whl"):
            other.unlink()
        page = [*pip, "--platform", built_for]
        first, last = len(NEEDED), -len(IN_PYTHON)
        _run([*page, *wanted[:first]])
        _run([*page, "--no-deps", *wanted[first:last]])
        _run([*pip, "--platform", "manylinux2014_x86_64", "--no-deps", *wanted[last:]])
        kept.write_text(wish, encoding="utf-8")
    return sorted(folder.glob("*.whl"))


def bundle(npm: Path, script: Path, target: Path) -> None:
    """Write a script into one file, with its imports except Pyodide and the assembler.

    Raises:
        MissingPart: the bundler failed.
    """
    command = [str(npm / ".bin" / "esbuild"), str(script), f"--outfile={target}"]
    command += ["--bundle", "--minify", "--format=esm", "--target=es2022"]
    command += ["--legal-comments=none", "--log-level=error"]
    apart = ("./pyodide/*", "./wabt.js", "fs", "path", "crypto")
    _run([*command, *(f"--external:{name}" for name in apart)])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise MissingPart(f"{command[0]} failed:\n{done.stderr[-2000:]}")
