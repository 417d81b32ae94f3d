"""Cache of earlier checks on disk, by content: only changes are checked again.

**Tables.** The result of a table depends on its choice and on the rules in use: the
base game, active variants and bridges, component tables, its preset. Its key has their
syntax trees without positions, so comments and blank lines do not matter. A result with
positions, of warnings for example, has the texts in its key as well. Inactive variants
are not in the key: they cannot change a table that composes without a diagnostic. If
choosing or composing reports anything, the message may mention inactive variants, so
such a table is not cached.

**Examples.** A valid example is cached under its table and its own text, wherever it is
in the file. An invalid one is read every time.

Grammar and program are part of every key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from houserule.authoring.scenarios.files import Trial
from houserule.base.cache import DiskStore
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.frozen import frozen
from houserule.base.limits import changed
from houserule.base.source import Source
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.prepare import TableChoice
from houserule.compiler.tables.presets import preset_of
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax.tree import Unit
from houserule.language.syntax.vocabulary import grammar_key

MOST_RESULTS = 20_000  # of one ruleset; the least recently used are deleted first
CHECKS = DiskStore("checks", made_by=(), most=200)


@frozen
class TableResult:
    """The result of checking one table.

    Attributes:
        diagnostics: those of choosing, composing and lowering.
        warnings: warnings of the rules before play.
        ranges: unproved ranges, with a measure (`unproved_ranges`), if requested.
        variants, seats: of the resolved table.
        sound: whether its rules are playable.
    """

    diagnostics: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]
    ranges: tuple[tuple[Diagnostic, int], ...]
    variants: tuple[str, ...]
    seats: int
    sound: bool

    @property
    def placed(self) -> bool:
        """Whether it has positions."""
        return bool(self.diagnostics or self.warnings or self.ranges)


@frozen
class ExampleKey:
    """The parts of an example in a scenario file that its validation depends on."""

    choice: TableChoice
    seats: tuple[str, ...]
    content: str


def key_of(trial: Trial) -> ExampleKey:
    """Return the key of an example: its table and its text."""
    said = trial.examples.document.at("scenarios", trial.index)
    content = repr(said).encode("utf-8", "surrogatepass")
    return ExampleKey(trial.choice, trial.seats, hashlib.sha256(content).hexdigest())


class Results:
    """The results of earlier checks of one ruleset, by content.

    `save` writes new ones to disk.
    """

    def __init__(self, ruleset: LoadedRuleset) -> None:
        self._ruleset = ruleset
        self._place = CHECKS.key(str(ruleset.folder.resolve()))
        self._known: dict[str, Any] = CHECKS.load(self._place, dict[str, Any]) or {}
        self._asked: dict[str, Any] = {}
        self._keys: dict[tuple[Any, ...], str | None] = {}
        self._seen: dict[tuple[frozenset[str], bool], str] = {}
        self._new: dict[str, Any] = {}

    def save(self) -> None:
        """Save the results, with those of this run as the latest."""
        if self._new:
            left = {k: v for k, v in self._known.items() if k not in self._asked}
            every = [*left.items(), *self._asked.items()]
            CHECKS.save(self._place, dict(every[-MOST_RESULTS:]))

    def _get(self, key: str | None) -> Any:  # noqa: ANN401  # a result
        if key is None or key not in self._known:
            return None
        self._asked[key] = self._known[key]
        return self._known[key]

    def _put(self, key: str | None, value: Any) -> None:  # noqa: ANN401  # a result
        if key is not None:
            self._known[key] = self._asked[key] = self._new[key] = value

    # ---- tables

    def table(
        self,
        choice: TableChoice,
        make: Callable[[], tuple[TableResult, bool]],
        *,
        ranges: bool = False,
    ) -> TableResult:
        """Return the result of a table, from disk if nothing it sees has changed.

        `make` computes it, with `ranges` or without, and returns whether choosing and
        composing reported nothing.
        """
        key = self._table_key(choice)
        if key and ranges:
            key = CHECKS.key("ranges", key)
        units = seen_units(self._ruleset, choice) or ()
        texts = [self._texts[each] for each in sorted({u.span.file for u in units})]
        placed = key and CHECKS.key("placed", key, *texts)
        kept: TableResult | None = self._get(key) or self._get(placed)
        if kept is not None:
            return kept
        result, silent = make()
        if silent:
            self._put(placed if result.placed else key, result)
        return result

    def boards(
        self, make: Callable[[], Iterable[Diagnostic]]
    ) -> tuple[Diagnostic, ...]:
        """Return the errors of board layouts at the base game's table."""
        manifest = [
            self._digest(each)
            for name, each in self._ruleset.sources.items()
            if name.endswith("ruleset.yaml")
        ]
        base = self._table_key(TableChoice())
        key = None if base is None else CHECKS.key("boards", base, *manifest)
        if self._get(key) is not None:
            return ()
        found = tuple(make())
        if not found:
            self._put(key, ())
        return found

    def _table_key(self, choice: TableChoice) -> str | None:
        """Return the key of everything that a table can see; None if it is invalid."""
        settings = repr(sorted(choice.settings.items())) if choice.settings else ""
        asked = choice.preset, choice.with_, choice.without, choice.players
        said = (*asked, settings, repr(choice.game))
        if said in self._keys:
            return self._keys[said]
        self._keys[said] = None
        seen = _what_is_on(self._ruleset, choice)
        if seen is None:
            return None
        if seen not in self._seen:
            trees = [repr(unit) for unit in _units_of(self._ruleset, *seen)]
            made_with = (grammar_key(), changed())
            paths = sorted(self._ruleset.tables)
            tables = [
                digest
                for name, digest in sorted(self._texts.items())
                if any(name.endswith(path) for path in paths)
            ]
            self._seen[seen] = CHECKS.key(*made_with, *trees, *tables)
        self._keys[said] = CHECKS.key("table", repr(said), self._seen[seen])
        return self._keys[said]

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {
            name: self._digest(source) for name, source in self._ruleset.sources.items()
        }

    @staticmethod
    def _digest(source: Source) -> str:
        text = f"{source.name}\0{source.text}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(text).hexdigest()

    # ---- examples

    def file_plan(self, source: Source) -> list[ExampleKey] | None:
        """Return the examples of a file that was valid before."""
        found: list[ExampleKey] | None = self._get(self._plan_key(source))
        return found

    def keep_plan(self, source: Source, plan: Iterable[ExampleKey]) -> None:
        """Save the examples of a file without errors in its format."""
        rows = [replace(each, choice=_bare(each.choice)) for each in plan]
        self._put(self._plan_key(source), rows)

    def _plan_key(self, source: Source) -> str:
        return CHECKS.key("plan", self._ruleset.id, source.text)

    def was_read(self, example: ExampleKey) -> bool:
        """Return whether an example was valid before, at the same table."""
        key = self._example_key(example)
        kept = self._get(key)
        if not kept:  # unknown, or read without its other tables
            return kept is not None
        return self._get(self._covered_key(key, kept)) is not None

    def keep_read(self, example: ExampleKey, others: Iterable[TableChoice]) -> None:
        """Save that an example is valid, with its other tables."""
        key, choices = self._example_key(example), list(others)
        self._put(key, [_bare(each) for each in choices])
        if choices:
            self._put(self._covered_key(key, choices), ())

    def _example_key(self, example: ExampleKey) -> str | None:
        table = self._table_key(example.choice)
        if table is None:
            return None
        return CHECKS.key("example", table, repr(example.seats), example.content)

    def _covered_key(self, key: str | None, others: list[TableChoice]) -> str | None:
        tables = [self._table_key(each) for each in others]
        known = [each for each in tables if each is not None]
        if key is None or len(known) < len(tables):
            return None
        return CHECKS.key("covered", key, *known)


def seen_units(ruleset: LoadedRuleset, choice: TableChoice) -> tuple[Unit, ...] | None:
    """Return the units that a table can see; None if the choice is invalid.

    A table that composes without a diagnostic needs only these.
    """
    seen = _what_is_on(ruleset, choice)
    return None if seen is None else _units_of(ruleset, *seen)


def _what_is_on(
    ruleset: LoadedRuleset, choice: TableChoice
) -> tuple[frozenset[str], bool] | None:
    """Return the active variants, and whether a preset sets them."""
    preset: frozenset[str] = frozenset()
    if choice.preset is not None:
        start, faults = preset_of(ruleset, choice.preset)
        if faults:
            return None
        preset = start.variants
    without = frozenset(choice.without)
    asked = (preset | {*choice.with_}) - without
    on = features_of(ruleset).switched_on(asked, without)
    return on, choice.preset is not None


def _units_of(
    ruleset: LoadedRuleset, on: frozenset[str], by_preset: bool
) -> tuple[Unit, ...]:
    return tuple(unit for unit in ruleset.units if _is_seen(unit, on, by_preset))


def _is_seen(unit: Unit, on: frozenset[str], by_preset: bool) -> bool:
    if unit.kind == "game":
        return True
    if unit.kind == "preset":
        return by_preset
    return on.issuperset(word.text for word in unit.names)


def _bare(choice: TableChoice) -> TableChoice:
    """Return a choice without the files that it comes from."""
    return TableChoice(
        choice.preset, choice.with_, choice.without, choice.settings, choice.players
    )
