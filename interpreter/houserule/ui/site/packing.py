"""Chooses and compiles what a page needs of Python's library and of packages.

Only modules that the page can import are shipped, as bytecode. Pyodide compiles them,
under Node, and does what a visitor does first: the results, which the package caches,
are shipped too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from tarfile import TarFile, TarInfo
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from houserule.ui.site.parts import MissingPart

PREPARE = Path(__file__).with_name("prepare.mjs")
ENCODINGS = (
    "ascii",
    "cp437",
    "idna",
    "latin_1",
    "unicode_escape",
    "utf_8",
    "utf_8_sig",
)
STARTS: tuple[str, ...] = ("pyodide", "_pyodide", "site", "lzma", "tarfile")
STARTS += tuple(f"encodings.{each}" for each in ENCODINGS)
"""Modules that Python imports before it can unpack an archive."""
UNUSED = (
    *("_pyrepl/", "doctest.py", "pdb.py", "pydoc.py", "unittest/", "xmlrpc/"),
    *("pydantic/deprecated/", "pydantic/mypy.py", "pydantic/v1/", "smtplib.py"),
    *("sqlalchemy/ext/", "sqlalchemy/orm/", "sqlalchemy/testing/", "profile.py"),
    *("cProfile.py", "pstats.py", "optparse.py", "argparse.py", "_pydatetime.py"),
    # Part of the interpreter:
    *("_collections_abc.py", "abc.py", "codecs.py", "importlib/_bootstrap", "io.py"),
    *("ntpath.py", "os.py", "posixpath.py", "site.py", "zipimport.py"),
    # Processes, connections, and mail:
    *("concurrent/futures/interpreter.py", "concurrent/futures/process.py"),
    *("concurrent/interpreters/", "multiprocessing/dummy/", "multiprocessing/heap.py"),
    *("multiprocessing/forkserver.py", "multiprocessing/managers.py"),
    *("multiprocessing/pool.py", "multiprocessing/popen", "multiprocessing/queues.py"),
    *("multiprocessing/resource", "multiprocessing/shared", "multiprocessing/spawn.py"),
    *("multiprocessing/synchronize.py", "pyodide/_nodesock_transport.py"),
    *("pyodide/console.py", "urllib/request.py", "email/_header_value_parser.py"),
    *("email/contentmanager.py", "email/generator.py", "email/headerregistry.py"),
    # Other systems and databases:
    *("asyncio/proactor_events.py", "asyncio/windows", "platformdirs/android.py"),
    *("platformdirs/ios.py", "platformdirs/macos.py", "platformdirs/windows.py"),
    *("ctypes/", "platform.py", "plistlib.py", "pydantic/networks.py"),
    *("sqlalchemy/dialects/mssql/", "sqlalchemy/dialects/mysql/"),
    *("sqlalchemy/dialects/oracle/", "sqlalchemy/dialects/postgresql/"),
)
"""Modules that others import for work that the page does not do."""

IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)"
    r"|import[ \t]+([^\n#;]+))",
    re.MULTILINE,
)


def needed(files: Mapping[str, bytes], starts: Collection[str]) -> set[str]:
    """Return the source files of modules, and of all modules that these import.

    Args:
        files: all files by name; modules that are in none are left out.
        starts: names of modules; a package includes all its modules that are not
            `UNUSED`.
    """
    modules = {_module(name): name for name in files if name.endswith(".py")}
    for module in {m for m, n in modules.items() if n.startswith(UNUSED)} - {*starts}:
        del modules[module]
    waiting = [m for m in modules for s in starts if m == s or m.startswith(f"{s}.")]
    found: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module in found or module not in modules:
            continue
        found.add(module)
        waiting.append(module.rpartition(".")[0])
        name = modules[module]
        package = module if name.endswith("__init__.py") else module.rpartition(".")[0]
        text = files[name].decode("utf-8", "replace")
        waiting += _imported(text, package)
    return {modules[module] for module in found}


def _module(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(text: str, package: str) -> Iterator[str]:
    """Yield the names that a module may import; not all of them are modules."""
    for origin, names, plain in IMPORT.findall(text):
        if plain:
            yield from (each.split()[0] for each in plain.split(",") if each.strip())
            continue
        above = package.split(".")[
            : -(len(origin) - len(origin.lstrip(".")) - 1) or None
        ]
        base = origin.lstrip(".")
        if origin.startswith("."):
            base = ".".join([*above, *filter(None, [base])])
        yield base
        yield from (f"{base}.{each}" for each in re.findall(r"\w+", names))


def prepared(
    npm: Path,
    library: Mapping[str, bytes],
    packages: Mapping[str, bytes],
    games: Sequence[str],
) -> list[dict[str, bytes]]:
    """Return the library and the packages as bytecode, and two parts of the cache.

    The first part is that of the first game, the second that of the list of games.

    Args:
        library: Python's library, by name.
        games: the games that a visitor may open first.

    Raises:
        MissingPart: Node failed, or a module is missing.
    """
    node = shutil.which("node")
    if node is None:
        raise MissingPart("`node` is not on this computer")
    with TemporaryDirectory() as scratch:
        given, made = Path(scratch, "given"), Path(scratch, "made")
        given.mkdir()
        made.mkdir()
        (given / "python_stdlib.zip").write_bytes(zipped(library))
        (given / "packages.zip").write_bytes(zipped(packages))
        command = [node, str(PREPARE), str(npm), str(given), str(made), *games]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise MissingPart(f"Python in Node failed:\n{done.stderr[-2000:]}")
        names = ("python_stdlib", "packages", "cache", "table")
        return [unzipped(made / f"{name}.zip") for name in names]


def zipped(files: Mapping[str, bytes]) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return made.getvalue()


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a smaller archive of files, like with like."""
    made = BytesIO()
    with TarFile.open(fileobj=made, mode="w:xz", preset=7) as archive:
        for name in sorted(files, key=lambda each: each.rpartition(".")[2]):
            about = TarInfo(name)
            about.size = len(files[name])
            archive.addfile(about, BytesIO(files[name]))
    return made.getvalue()


def unzipped(path: Path) -> dict[str, bytes]:
    """Return the files of an archive by name."""
    with ZipFile(path) as archive:
        names = (each.filename for each in archive.infolist() if not each.is_dir())
        return {name: archive.read(name) for name in names}
