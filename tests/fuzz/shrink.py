"""A finding cut down: files, lines and words go as long as it is still the same one."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString
from tests.fuzz.judge import Judged, judge
from tests.fuzz.mutate import WORD, Folder
from tests.support.compare import cut


def shrink(folder: Folder, found: Judged) -> Folder:
    """Return a folder with the same finding, from which nothing can be left out."""

    def fails(tried: Folder) -> bool:
        return judge(tried, only=found.command).signature == found.signature

    best = folder
    names = cut(lambda left: fails(_only(best, left)), list(best.files))
    best = _only(best, names)
    for name in names:
        for split in (_lines, _words):
            best = _smaller(best, name, split, fails)
    return best


def _only(folder: Folder, names: Sequence[str]) -> Folder:
    files = {name: folder.files[name] for name in names}
    return replace(folder, files=files, touched=tuple(files))


def _smaller(
    folder: Folder,
    name: str,
    split: Callable[[str], list[str]],
    fails: Callable[[Folder], bool],
) -> Folder:
    def with_parts(parts: Sequence[str]) -> Folder:
        content = "".join(parts).encode("latin-1")
        return replace(folder, files={**folder.files, name: content})

    parts = split(folder.files[name].decode("latin-1"))  # any bytes, one to one
    return with_parts(cut(lambda left: fails(with_parts(left)), parts))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _words(text: str) -> list[str]:
    return WORD.findall(text.replace("\r", "")) if len(text) < 2000 else [text]


def case_of(folder: Folder, found: Judged) -> str:
    """Return a finding as a case for `tests/hostile/cases/fuzz.yaml`.

    The exit status is the one that would be right, mostly 1: that is for people to say.
    """
    files, raw = {}, {}
    for path, content in folder.files.items():
        name = path.removeprefix("game/") if path.startswith("game/") else f"../{path}"
        try:
            files[name] = LiteralScalarString(content.decode("utf-8"))
        except UnicodeDecodeError:
            raw[name] = content.decode("latin-1")
    run = " ".join("pig" if w == "game" else w for w in found.command.split())
    case = {"case": found.wrong, "files": files, "bytes": raw, "run": run, "status": 1}
    text = io.StringIO()
    YAML().dump([{key: value for key, value in case.items() if value != {}}], text)
    return text.getvalue()
