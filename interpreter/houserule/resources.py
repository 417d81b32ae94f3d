"""Shipped data: where grammar, rulesets, schemas and pages of codes stand; phrases.

*Phrases* are the general words that a part of the program says, by language. A part has
a folder `phrases/` with a TOML file for each language. All languages of a part have the
same phrases with the same names in braces; a test holds that.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from houserule.diagnostics.codes import TITLES
from houserule.diagnostics.wording import nearest
from houserule.inflected import fill

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parents[1]


def data_root() -> Path:
    """Return the folder that holds `grammar/`, `rulesets/` and `schemas/`.

    In a wheel that is `houserule/_data`, else the checkout.

    Raises:
        FileNotFoundError: the package was installed without its data.
    """
    for root in (_PACKAGE / "_data", _CHECKOUT):
        if (root / "grammar" / "rules.lark").is_file():
            return root
    raise FileNotFoundError("houserule was installed without its data files")


def shipped_rulesets() -> dict[str, Path]:
    """Return the folders of the rulesets that come with the package, by name."""
    found = (data_root() / "rulesets").glob("*/ruleset.yaml")
    return {manifest.parent.name: manifest.parent for manifest in sorted(found)}


def no_such_ruleset(asked: str) -> str:
    """Return the sentence that there is no game of a name, with the nearest one."""
    names = list(shipped_rulesets())
    near = nearest(asked, names)
    hint = f" Did you mean `{near}`?" if near else ""
    known = f" Shipped: {', '.join(names)}." if names else ""
    return f"There is no game `{asked}`.{hint}{known}"


def page_of(code: str) -> str | None:
    """Return the page that explains a code, in Markdown; None for an unknown code.

    Raises:
        FileNotFoundError: the package was installed without its pages.
    """
    if code not in TITLES:
        return None
    return (data_root() / "docs" / "diagnostics" / f"{code}.md").read_text("utf-8")


def find_ruleset(name_or_path: str | Path) -> Path | None:
    """Return the folder of a ruleset: a path first, then the name of a shipped one."""
    path = Path(name_or_path)
    if path.name == "ruleset.yaml" and path.is_file():
        return path.parent
    if (path / "ruleset.yaml").is_file():
        return path
    return shipped_rulesets().get(str(name_or_path))


# ---- phrases

FALLBACK = "en"


class Phrases:
    """The phrases of one part in one language; an unknown language means English.

    Args:
        part: a folder of this package, such as `narrate`.
        language: a code such as `de`.
    """

    def __init__(self, part: str, language: str) -> None:
        known = language in languages(part)
        self._phrases = _read(part, language if known else FALLBACK)

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a phrase with its parts put in; slots may ask for forms of them.

        Raises:
            KeyError: there is no such phrase, or a part of it is missing.
        """
        return fill(self._phrases[phrase], parts)


@cache
def languages(part: str) -> frozenset[str]:
    """Return the languages in which a part has its phrases."""
    return frozenset(file.stem for file in _folder(part).glob("*.toml"))


@cache
def _read(part: str, language: str) -> dict[str, str]:
    import tomllib  # some milliseconds, for what few commands need

    text = (_folder(part) / f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _folder(part: str) -> Path:
    return Path(__file__).parent / part / "phrases"
