"""Shipped data: the folders of grammar, rulesets, schemas and pages; phrases.

A ruleset has a name if it ships with Houserule or with an installed package.

*Phrases* are the program's own texts. `phrases/` has a file for each language, with a
table for each area of the program.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from houserule.base.diagnostics.wording import listed, nearest, number_word
from houserule.base.files import MANIFEST, TEXTS, UnreadableError, find, read_source
from houserule.base.frozen import frozen
from houserule.base.inflection import fill
from houserule.base.source import name_of, real

_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKOUT = _PACKAGE.parents[1]


def data_root() -> Path:
    """Return the folder that holds `grammar/`, `rulesets/` and `schemas/`.

    In a wheel it is `houserule/_data`, else the checkout.

    Raises:
        FileNotFoundError: the package was installed without its data.
    """
    for root in (_PACKAGE / "_data", _CHECKOUT):
        if (root / "grammar" / "rules.lark").is_file():
            return root
    raise FileNotFoundError("houserule was installed without its data files")


def own_text(path: Path) -> str:
    """Return a text that ships with the program and is trusted like it."""
    return path.read_text(encoding="utf-8")


# ---- rulesets by name

GROUP = "houserule.rulesets"  # the entry points of packages that bring rulesets
GAMES = "HOUSERULE_GAMES"  # an environment variable with folders of rulesets

_ID = re.compile(r"^id:\s*[\"']?(\w+)", re.MULTILINE)
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


@frozen
class NamedRuleset:
    """A ruleset with a name.

    Attributes:
        package: the package that brings it, with its version; '' for houserule itself.
    """

    name: str
    folder: Path
    package: str = ""


@frozen
class Installed:
    """Rulesets of the installed packages.

    Attributes:
        faults: a sentence for each package with a wrong entry point.
    """

    rulesets: tuple[NamedRuleset, ...]
    faults: tuple[str, ...]


def shipped_rulesets() -> dict[str, Path]:
    """Return the folders of the built-in rulesets, by name."""
    found = (data_root() / "rulesets").glob(f"[!.]*/{MANIFEST}")
    return {manifest.parent.name: manifest.parent for manifest in sorted(found)}


@cache
def installed() -> Installed:
    """Return the rulesets of other packages, and of your own folders; cached.

    An entry point of the group `houserule.rulesets` names a package. Its folder is a
    ruleset or contains some. No module is imported. The environment variable
    `HOUSERULE_GAMES` names folders of your own, separated as in `PATH`.
    """
    from importlib.metadata import entry_points  # takes some milliseconds

    found: dict[Path, NamedRuleset] = {}
    faults: list[str] = []
    for entry in entry_points(group=GROUP):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "?"
        try:
            folders = _rulesets_in(_folder_of(entry.value))
        except (ImportError, OSError, ValueError) as error:
            promise = f"The package {package} promises rulesets in `{entry.value}`"
            faults.append(f"{promise}, but {error}.")
            continue
        for folder in folders:
            named = NamedRuleset(_id_of(folder), folder, package)
            found.setdefault(folder.resolve(), named)
    for place in filter(None, os.environ.get(GAMES, "").split(os.pathsep)):
        try:
            folders = _rulesets_in(Path(place))
        except (OSError, ValueError) as error:
            faults.append(f"{GAMES} names the folder {place}, but {error}.")
            continue
        for folder in folders:
            named = NamedRuleset(_id_of(folder), folder, GAMES)
            found.setdefault(folder.resolve(), named)
    rulesets = sorted(found.values(), key=lambda each: (each.name, each.package))
    return Installed(tuple(rulesets), tuple(sorted(faults)))


def _folder_of(module: str) -> Path:
    """Return the folder of a package.

    Raises:
        ImportError: an unknown package.
        ValueError: not a package name.
    """
    if not _MODULE.fullmatch(module):
        raise ValueError("that is not the name of a package")
    top, *inside = module.split(".")
    spec = find_spec(top)  # imports nothing, since the package is a top-level one
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place, *inside)
        if folder.is_dir():
            return folder
    raise ImportError("there is no such package")


def _rulesets_in(folder: Path) -> list[Path]:
    """Return a folder if it is a ruleset, else the rulesets in it.

    Raises:
        ValueError: no ruleset was found.
    """
    if (folder / MANIFEST).is_file():
        return [folder]
    found = [(folder / each).parent for each in find(folder, f"*/{MANIFEST}")]
    if not found:
        raise ValueError(f"no folder there has a {MANIFEST}")
    return found


def _id_of(folder: Path) -> str:
    """Return the id in a manifest; the rest is read on use."""
    try:
        said = _ID.search(read_source(folder / MANIFEST).text)
    except (OSError, UnreadableError):  # the error is reported on use
        return folder.name
    return said[1] if said else folder.name


def rulesets_called(name: str) -> tuple[NamedRuleset, ...]:
    """Return all rulesets with a name, built-in or installed; several are an error."""
    shipped = shipped_rulesets().get(name)
    ours = (NamedRuleset(name, shipped),) if shipped else ()
    return (*ours, *(each for each in installed().rulesets if each.name == name))


def known_rulesets() -> dict[str, Path]:
    """Return the folders of all rulesets with a name that no other one has."""
    shipped, others = shipped_rulesets(), installed().rulesets
    many = Counter([*shipped, *(each.name for each in others)])
    folders = shipped | {each.name: each.folder for each in others}
    return {name: folders[name] for name in sorted(folders) if many[name] == 1}


def find_ruleset(name_or_path: str | Path) -> Path | None:
    """Return the folder of a ruleset: of a path first, then of a name.

    Return None if it is unknown or ambiguous; `no_such_ruleset` explains which.
    """
    path = Path(name_or_path)
    if path.name == MANIFEST and path.is_file():
        return path.parent
    if (path / MANIFEST).is_file():
        return path
    return ruleset_called(str(name_or_path))


def ruleset_called(name: str) -> Path | None:
    """Return the folder of the only ruleset with a name, or None."""
    found = rulesets_called(name)
    return found[0].folder if len(found) == 1 else None


def no_such_ruleset(asked: str) -> str:
    """Return the sentence that a name is unknown or ambiguous.

    It suggests the nearest name, and lists errors in packages that may have brought it.
    """
    if several := same_name(rulesets_called(asked)):
        return several
    shipped, others = list(shipped_rulesets()), installed()
    brought = sorted({each.name for each in others.rulesets})
    near = nearest(asked, [*shipped, *brought])
    hint = f"Did you mean `{near}`?" if near else ""
    known = f"Shipped: {', '.join(shipped)}." if shipped else ""
    besides = f"Installed: {', '.join(brought)}." if brought else ""
    parts = (f"There is no game `{asked}`.", hint, known, besides, *others.faults)
    return " ".join(filter(None, parts))


def nothing_called(asked: str) -> str:
    """Return the sentence that an argument is neither a game nor a path of one."""
    path = Path(asked)
    if path.is_dir():
        around = ruleset_around(path / MANIFEST)
        more = f" The ruleset around it is `{name_of(around)}`." if around else ""
        return f"There is no {MANIFEST} in `{asked}`.{more}"
    if path.exists():
        return f"`{asked}` is a file. Name a game, or the folder of its {MANIFEST}."
    if path.suffix in TEXTS or path.name != asked:
        return f"There is no file or folder `{asked}`."
    return no_such_ruleset(asked)


def same_name(found: Sequence[NamedRuleset]) -> str:
    """Return the sentence that several rulesets share a name, or ''."""
    if len(found) < 2:
        return ""
    homes = (f"{each.package or 'houserule'} ({each.folder})" for each in found)
    number = number_word(len(found)).capitalize()
    return (
        f"{number} games are called `{found[0].name}`: from {listed(homes)}. "
        "Give the path of one."
    )


def ruleset_around(file: Path) -> Path | None:
    """Return the folder of the ruleset that contains a file, if any."""
    for folder in real(file).parents:
        if (folder / MANIFEST).is_file():
            return folder
    return None


# ---- phrases

FALLBACK = "en"
_PHRASES = Path(__file__).parent / "phrases"
LANGUAGES = frozenset(file.stem for file in _PHRASES.glob("[!.]*.toml"))
"""The languages of the program's own phrases."""


class Phrases:
    """The phrases of one area in one language, English by default.

    Args:
        area: a table of the catalogue, such as `narrate`; the table `common` is always
            included.
        language: a code such as `de`.
    """

    def __init__(self, area: str, language: str) -> None:
        self.language = language if language in LANGUAGES else FALLBACK
        areas = catalogue(self.language)
        self._phrases = areas["common"] | areas[area]

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a phrase with its slots filled.

        Raises:
            KeyError: an unknown phrase, or a missing slot value.
        """
        return fill(self.text(phrase), parts)

    def get(self, phrase: str) -> str | None:
        """Return a phrase with its slots unfilled, None if there is none."""
        return self._phrases.get(phrase)

    def text(self, phrase: str) -> str:
        """Return a phrase with its slots unfilled.

        Raises:
            KeyError: an unknown phrase.
        """
        return self._phrases[phrase]


@cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    """Return all phrases of a language, by area and name."""
    import tomllib  # takes some milliseconds; few commands need it

    return tomllib.loads(own_text(_PHRASES / f"{language}.toml"))
