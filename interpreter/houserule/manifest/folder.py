"""The files of one ruleset's folder, each read once, and the faults of reading."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TypeVar

from pydantic import BaseModel

from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.diagnostics.wording import did_you_mean
from houserule.manifest.yaml.document import Document
from houserule.manifest.yaml.read import read_model
from houserule.source import Source, Span, read_source

MODEL = TypeVar("MODEL", bound=BaseModel)


@dataclass
class Folder:
    """A folder whose files are named by their paths inside it, with `/`.

    Attributes:
        path: where the folder is.
        called: what messages call it; None is by its path.
        sources: every text read so far, by its path inside the folder.
        faults: what was found wrong so far.
    """

    path: Path
    called: str | None = None
    sources: dict[str, Source] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)

    def name_of(self, file: str) -> str:
        """Return how messages call a file: from where the reader stands, if it can."""
        if self.called is not None:
            return f"{self.called}/{file}"
        full = self.path / file
        try:
            return full.resolve().relative_to(Path.cwd()).as_posix()
        except ValueError:
            return full.as_posix()

    def has(self, file: str) -> bool:
        """Say whether a file is there, in this very spelling."""
        return file in self.sources or file in self.files(file)

    def files(self, pattern: str) -> list[str]:
        """Return the files that a pattern names, by name; of a bad pattern none."""
        if not _stays_inside(pattern):
            return []
        try:
            found = [each for each in self.path.glob(pattern) if each.is_file()]
        except (OSError, ValueError):
            return []
        return sorted(each.relative_to(self.path).as_posix() for each in found)

    def contents(self, patterns: Iterable[str]) -> dict[str, bytes]:
        """Return what is in the files of some patterns; they do not count as read.

        One that cannot be read has no content.
        """
        found: dict[str, bytes] = {}
        for file in sorted({each for one in patterns for each in self.files(one)}):
            try:
                found[file] = (self.path / file).read_bytes()
            except OSError:
                found[file] = b""
        return found

    def read(self, file: str, wanted_at: Span | None = None) -> Source | None:
        """Read a file once; if that fails, note E035 at the place that wants it."""
        if file in self.sources:
            return self.sources[file]
        if not _stays_inside(file):
            self.missing(file, wanted_at)
            return None
        try:
            source = read_source(self.path / file, self.name_of(file))
        except (OSError, ValueError):  # the latter: no name that a file can have
            self.missing(file, wanted_at)
            return None
        self.sources[file] = source
        return source

    def read_model(
        self, file: str, model: type[MODEL], wanted_at: Span | None = None
    ) -> tuple[MODEL, Document] | None:
        """Read a YAML file as a model, with its places; its faults are noted here."""
        source = self.read(file, wanted_at)
        if source is None:
            return None
        found, document, faults = read_model(source, model)
        self.faults.extend(faults)
        return None if found is None else (found, document)

    def missing(self, file: str, wanted_at: Span | None) -> None:
        """Note that a file is not there, and which one may be meant."""
        suffix = Path(file).suffix
        near = did_you_mean(file, self.files(f"**/*{suffix}"))
        place = wanted_at or Span.at(self.name_of(file))
        self.faults.append(
            fault("E035", f"There is no file `{file}` in this ruleset.", place, near)
        )

    def unread(self, patterns: Iterable[str]) -> list[str]:
        """Return the files of these patterns that nothing has asked for."""
        found = {file for pattern in patterns for file in self.files(pattern)}
        return sorted(found - set(self.sources))

    def fingerprint(self) -> str:
        """Return a hash over every file read, its path and its text."""
        total = hashlib.sha256()
        for file, source in sorted(self.sources.items()):
            total.update(f"{file}\0{len(source.text)}\0{source.text}\0".encode())
        return total.hexdigest()


def _stays_inside(file: str) -> bool:
    """Say whether a path leads nowhere out of the folder: rules may be a stranger's."""
    path = PurePath(file)
    return not (path.is_absolute() or path.drive or ".." in path.parts)
