"""The files of one ruleset's folder, each read once, and errors in reading them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TypeVar

from pydantic import BaseModel

from houserule.base.diagnostics.diagnostic import Diagnostic, fault, too_large
from houserule.base.diagnostics.wording import nearest
from houserule.base.files import (
    E030,
    MANIFEST,
    UnreadableError,
    find,
    read_bytes,
    source_of,
)
from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.base.source import Source, Span, name_of, real
from houserule.language.manifest.messages import E035
from houserule.language.manifest.yaml.document import Document
from houserule.language.manifest.yaml.read import read_model

MODEL = TypeVar("MODEL", bound=BaseModel)
NOT_IN_NAMES = re.compile(r"[\\:?]")


@frozen
class RulesFile:
    """A rules file outside of the game's folder.

    Attributes:
        name: its name among the game's files, after a `+`.
        called: its name in messages; None is its path.
        within: the requested folder, unless the file itself was requested.
    """

    path: Path
    name: str
    called: str | None = None
    within: Path | None = None

    @property
    def asked(self) -> bool:
        """Whether the file itself was requested, not its folder."""
        return self.within is None


def rules_beside(paths: Iterable[Path]) -> tuple[RulesFile, ...]:
    """Return the rules files at some paths, each once.

    A folder includes all rules files below it, except those of rulesets.

    Raises:
        UnreadableError: E050, there are too many.
    """
    found: dict[Path, RulesFile] = {}
    taken: set[str] = set()
    for path in paths:
        files = [(path, path.name)]
        if path.is_dir():
            rulesets = {(path / each).parent for each in find(path, f"**/{MANIFEST}")}
            files = [
                (path / each, each)
                for each in find(path, "**/*.rules")
                if rulesets.isdisjoint((path / each).parents)
            ]
        for file, name in files:
            full = real(file)
            if full in found:
                continue
            # Records have files of these names, so characters that some systems or
            # texts cannot hold are replaced.
            free = NOT_IN_NAMES.sub("_", name.encode("utf-8", "replace").decode())
            base, number = free.removesuffix(".rules"), 1
            while free in taken:
                number += 1
                free = f"{base}-{number}.rules"
            taken.add(free)
            within = path if path.is_dir() else None
            found[full] = RulesFile(file, free, within=within)
    return tuple(found.values())


@dataclass
class Folder:
    """A folder whose files are named by their paths inside it, with `/`.

    Attributes:
        called: its name in messages; None is its path.
        beside: files from elsewhere, by their names in here.
        sources: every text read so far, by its path inside the folder.
        faults: the errors found so far.
        unreadable: files that exist and cannot be read.
        meant: likely intended files for names of missing ones.
    """

    path: Path
    called: str | None = None
    beside: Mapping[str, RulesFile] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)
    unreadable: set[str] = field(default_factory=set)
    meant: set[str] = field(default_factory=set)
    _held: dict[str, bytes] = field(default_factory=dict, init=False)

    def name_of(self, file: str) -> str:
        """Return a file's name in messages."""
        lies = self.beside.get(file)
        if lies is not None and lies.called is not None:
            return lies.called
        if lies is None and self.called is not None:
            return f"{self.called}/{file}"
        return name_of(self.where(file))

    def where(self, file: str) -> Path:
        return self.beside[file].path if file in self.beside else self.path / file

    def has(self, file: str) -> bool:
        """Return whether a file exists, in exactly this spelling."""
        return file in self.sources or file in self.files(file)

    def files(self, pattern: str) -> list[str]:
        """Return the files that match a pattern, by name; none for a bad pattern.

        A file whose name is not valid text is skipped and reported.
        """
        if not _stays_inside(pattern):
            return []
        try:
            found = find(self.path, pattern)
        except UnreadableError as error:
            self.faults.extend(error.diagnostics)
            return []
        kept = []
        for name in found:
            try:
                name.encode("utf-8")  # a record could not store another name
            except UnicodeEncodeError:
                message = "The name of this file is not valid UTF-8."
                called = self.name_of(name).encode("utf-8", "backslashreplace")
                place = Span.at(called.decode("utf-8"))
                fixes = ("give it another name",)
                self.faults.append(fault(E030, message, place, fixes=fixes))
            else:
                kept.append(name)
        return kept

    def is_too_large(self, patterns: Iterable[str]) -> bool:
        """Return whether the files of some patterns and those beside are too large.

        Their total counts; the error is at the file that exceeds the limit.
        """
        inside = {each for one in patterns for each in self.files(one)}
        left = limit("folder")
        for file in sorted(inside | self.beside.keys()):
            with suppress(OSError):  # reading it reports this
                left -= self.where(file).stat().st_size
            if left < 0:
                most = f"{limit('folder'):,}"
                message = f"With this file, this ruleset has more than {most} bytes."
                place = Span.at(self.name_of(file))
                self.faults.append(too_large("folder", message, place))
                return True
        return False

    def contents(self, patterns: Iterable[str]) -> dict[str, bytes]:
        """Return the contents of the files of some patterns and of those beside.

        Unreadable files are skipped. The files do not count as read; `read` returns
        these contents, even if an editor changes a file meanwhile.
        """
        found: dict[str, bytes] = {}
        inside = {each for one in patterns for each in self.files(one)}
        for file in sorted(inside | self.beside.keys()):
            with suppress(OSError, UnreadableError):
                found[file] = read_bytes(self.where(file), within=self._within(file))
        self._held.update(found)
        return found

    def _within(self, file: str) -> Path | None:
        """Return the folder that links of a file must stay in."""
        return self.beside[file].within if file in self.beside else self.path

    def read(self, file: str, wanted_at: Span | None = None) -> Source | None:
        """Read a file once; report an error if that fails.

        A missing file is E035, at `wanted_at`.
        """
        if file in self.sources:
            return self.sources[file]
        if not _stays_inside(file):
            self.missing(file, wanted_at)
            return None
        name, within = self.name_of(file), self._within(file)
        try:
            raw = self._held.pop(file, None)
            if raw is None:
                raw = read_bytes(self.where(file), name, within)
            source = source_of(raw, name)
        except UnreadableError as error:
            self.faults.extend(error.diagnostics)
            self.unreadable.add(file)
            return None
        except (FileNotFoundError, ValueError):  # ValueError: not a file name
            self.missing(file, wanted_at)
            return None
        except OSError as error:
            message = f"This file cannot be read: {error.strerror or error}."
            self.faults.append(fault(E030, message, Span.at(name)))
            self.unreadable.add(file)
            return None
        self.sources[file] = source
        return source

    def read_model(
        self, file: str, model: type[MODEL], wanted_at: Span | None = None
    ) -> tuple[MODEL, Document] | None:
        """Read a YAML file as a model, with its places; record its errors."""
        source = self.read(file, wanted_at)
        if source is None:
            return None
        found, document, faults = read_model(source, model)
        self.faults.extend(faults)
        return None if found is None else (found, document)

    def missing(
        self,
        file: str,
        wanted_at: Span | None,
        language: str | None = None,
        fixes: Iterable[str] = (),
    ) -> None:
        """Report a missing file, and suggest the likely intended one.

        Args:
            wanted_at: where the author names it.
            language: its name there, if it is the text of a language.
        """
        named = {each: each for each in self.files(f"**/*{Path(file).suffix}")}
        if language is not None:
            named = {Path(each).stem: each for each in self.files("text/*.yaml")}
        meant = nearest(language or file, named)
        near = ""
        if inside := self.files(pattern := f"{file.rstrip('/')}/*.rules"):
            self.meant.update(inside)
            near = f'did you mean `"{pattern}"`?'
        elif meant is not None:
            self.meant.add(named[meant])
            near = f"did you mean `{meant}`?"
        place = wanted_at or Span.at(self.name_of(file))
        message = f"There is no file `{file}` in this ruleset."
        self.faults.append(fault(E035, message, place, near, fixes=fixes))

    def unread(self, patterns: Iterable[str]) -> list[str]:
        """Return the files of these patterns that nothing has read."""
        found = {file for pattern in patterns for file in self.files(pattern)}
        return sorted(found - self.sources.keys() - self.unreadable)

    def beside_read(self) -> tuple[RulesFile, ...]:
        return tuple(lies for file, lies in self.beside.items() if file in self.sources)

    def fingerprint(self) -> str:
        """Return a hash of every file read, its path and its text."""
        total = hashlib.sha256()
        for file, source in sorted(self.sources.items()):
            told = f"{file}\0{len(source.text)}\0{source.text}\0"
            total.update(told.encode("utf-8", "surrogatepass"))
        return total.hexdigest()


def _stays_inside(file: str) -> bool:
    """Return whether a path stays inside the folder: rules may be untrusted."""
    path = PurePath(file)
    return not (path.is_absolute() or path.drive or ".." in path.parts)
