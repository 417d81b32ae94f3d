"""The pytest plugin: collects scenarios and records of a ruleset as tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from houserule.authoring.scenarios.files import Trial
    from houserule.compiler.prepare import Programs

_loaded: dict[tuple[Path, tuple[Path, ...]], Programs] = {}


def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> pytest.Collector | None:
    """Collect the examples and the records of a ruleset.

    These are `scenarios/*.yaml`, rules files with examples anywhere, and
    `playthroughs/*.jsonl`, except hidden files.
    """
    if file_path.suffix not in {".rules", ".yaml", ".jsonl"}:
        return None
    from houserule.base.files import UnreadableError, is_hidden, read_source
    from houserule.base.source import parts_of

    if is_hidden(file_path.name):
        return None
    if file_path.suffix == ".rules":
        try:
            below = parts_of(read_source(file_path))[1]
        except (OSError, UnreadableError):  # `check` reports why
            return None
        if below is None or "\nscenarios:" not in below.text:
            return None
        return ScenarioCollector.from_parent(parent, path=file_path)
    if file_path.suffix == ".yaml" and _stands_in(file_path, "scenarios"):
        return ScenarioCollector.from_parent(parent, path=file_path)
    if file_path.suffix == ".jsonl" and _stands_in(file_path, "playthroughs"):
        return RecordCollector.from_parent(parent, path=file_path)
    return None


def _stands_in(file: Path, name: str) -> bool:
    """Return whether a file is in a ruleset's folder of this name."""
    folders = [folder for folder in file.parents if folder.name == name]
    return any((folder.parent / "ruleset.yaml").is_file() for folder in folders)


class Failed(Exception):
    """An example failed; the text names the line and the actual result."""


class RulesetFile(pytest.File):
    """A test file in a ruleset's folder."""

    def tables(self) -> Programs:
        """Return the tables of the ruleset, loaded once.

        Raises:
            CollectError: the ruleset is unreadable.
        """
        from houserule.authoring.scenarios.files import folder_for, rules_for
        from houserule.base.diagnostics.render import DiagnosticsError
        from houserule.compiler.prepare import Programs
        from houserule.language.manifest.folder import rules_beside
        from houserule.language.manifest.load import load_ruleset

        try:
            folder = folder_for(self.path)
        except DiagnosticsError as error:
            raise self.CollectError(str(error)) from None
        rules = rules_for(self.path)
        if (folder, rules) not in _loaded:
            ruleset, found = load_ruleset(folder, rules_beside(rules))
            if ruleset is None:
                raise self.CollectError("\n".join(each.message for each in found))
            _loaded[folder, rules] = Programs(ruleset)
        return _loaded[folder, rules]


class ScenarioCollector(RulesetFile):
    """A scenario file: one test for each example and table."""

    def collect(self) -> Iterator[pytest.Item]:
        """Read the file.

        Raises:
            CollectError: the ruleset or the file is unreadable.
        """
        from houserule.authoring.scenarios.files import read_examples, trials
        from houserule.base.diagnostics.diagnostic import has_errors
        from houserule.base.diagnostics.render import Renderer

        tables = self.tables()
        examples = read_examples(self.path, tables.ruleset)
        if has_errors(examples.faults):
            sources = {examples.source.name: examples.source}
            raise self.CollectError(Renderer(sources).all(examples.faults))
        for trial in trials(examples):
            yield ScenarioItem.from_parent(
                self, name=trial.title, trial=trial, tables=tables
            )


class RecordCollector(RulesetFile):
    """A golden record: one test, that it replays unchanged."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the only test."""
        yield RecordItem.from_parent(self, name="replay", tables=self.tables())


class TextFailure(pytest.Item):
    """A test that fails with a text instead of a traceback."""

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """Return the text; an internal error keeps its traceback."""
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))


class RecordItem(TextFailure):
    """One record, replayed."""

    def __init__(self, *, tables: Programs, **given: object) -> None:
        super().__init__(**given)  # type: ignore[arg-type]  # pytest's own arguments
        self.tables = tables

    def runtest(self) -> None:
        """Replay the record.

        Raises:
            Failed: it differs on replay.
        """
        from houserule.play.records.records import verify

        problem = verify(self.path, self.tables.ruleset)
        if problem:
            raise Failed(f"{self.path.name}: {problem}")

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


class ScenarioItem(TextFailure):
    """One example at one table."""

    def __init__(self, *, trial: Trial, tables: Programs, **given: object) -> None:
        super().__init__(**given)  # type: ignore[arg-type]  # pytest's own arguments
        self.trial, self.tables = trial, tables

    def runtest(self) -> None:
        """Run the example.

        Raises:
            Failed: it failed.
        """
        from houserule.authoring.scenarios.failures import failure
        from houserule.authoring.scenarios.run import run_trial

        result = run_trial(self.trial, self.tables)
        if not result.passed:
            raise Failed(failure(result, self.tables.ruleset.sources))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file and line of the example."""
        return self.path, self.trial.span.line - 1, self.name
