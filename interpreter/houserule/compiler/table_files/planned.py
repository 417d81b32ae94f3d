"""A choice of table, its result, and the steps that fix it.

Fixes are found by trial: a step is suggested if its table no longer has this error, and
has fewer errors in all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from os.path import relpath
from pathlib import Path
from shlex import quote
from typing import Literal, Self

from houserule.base.diagnostics.diagnostic import Diagnostic, Severity
from houserule.base.diagnostics.render import TableError
from houserule.base.frozen import frozen
from houserule.base.source import real
from houserule.compiler.choices.feature_model import Features, features_of
from houserule.compiler.compose.compose import compose, drafted
from houserule.compiler.conditions.formulas import holds_in, switches_in
from houserule.compiler.merge.draft import Draft
from houserule.compiler.options.options import suggestions
from houserule.compiler.options.scales import setting_words
from houserule.compiler.prepare import TableChoice, chosen, prepare
from houserule.compiler.tables.choose import owners_of
from houserule.compiler.tables.presets import Preset, preset_of
from houserule.language.manifest.ruleset import LoadedRuleset, Plain

SEATS = "players"  # is set like an option
MOST_MENDS = 4


@frozen
class TableStep:
    """A change of a table.

    Attributes:
        names: variants and presets to add, or anything to remove.
        settings: options and `players`, to set.
        rules: paths to add, relative to the working folder.
    """

    verb: Literal["add", "remove", "set"]
    names: tuple[str, ...] = ()
    settings: Mapping[str, Plain] = field(default_factory=dict)
    rules: tuple[Path, ...] = ()

    def command(self, file: str) -> str:
        words = (*self.names, *setting_words(self.settings))
        return " ".join(("houserule table", self.verb, *map(quote, (file, *words))))


@dataclass(frozen=True)
class PlannedTable(ABC):
    """A choice of table and its result, even if it is not playable.

    Attributes:
        ruleset: the game with its external rules.
    """

    ruleset: LoadedRuleset
    choice: TableChoice

    @property
    def features(self) -> Features:
        """The feature model of the game."""
        return features_of(self.ruleset)

    @cached_property
    def preset(self) -> Preset:
        """The chosen preset; an empty one by default."""
        if self.choice.preset is None:
            return Preset("", frozenset(), {})
        return preset_of(self.ruleset, self.choice.preset)[0]

    @cached_property
    def on(self) -> frozenset[str]:
        """The active variants, including implied ones."""
        without = frozenset(self.choice.without)
        asked = (self.preset.variants | {*self.choice.with_}) - without
        return self.features.switched_on(asked & {*self.features.variants}, without)

    @cached_property
    def draft(self) -> Draft:
        """The game with these variants, with all applicable edits."""
        return drafted(self.ruleset, self.on)[0]

    @cached_property
    def faults(self) -> tuple[Diagnostic, ...]:
        """The errors that prevent play."""
        found = prepare(self.ruleset, self.choice, for_play=True).diagnostics
        return tuple(each for each in found if each.severity is Severity.ERROR)

    @abstractmethod
    def done(self, step: TableStep) -> Self:
        """Return the table after a step.

        Raises:
            TableError: the step is not possible here.
        """

    # ---- contents

    @cached_property
    def here(self) -> dict[str, str]:
        """Everything that can be removed, by name, with its key in the file."""
        choice = self.choice
        rules = [as_seen_from(Path(), each) for each in choice.rules]
        found = {} if choice.players is None else {SEATS: SEATS}
        found |= dict.fromkeys(rules, "rules") | dict.fromkeys(choice.settings, "set")
        found |= {} if choice.preset is None else {choice.preset: "preset"}
        variants = (*choice.without, *choice.with_, *sorted(self.on))
        return found | dict.fromkeys(variants, "with")

    # ---- suggestions

    def ways_out(self) -> list[tuple[Diagnostic, list[TableStep]]]:
        """Return the table's errors, each with the steps that fix it."""
        found = self._tried(self.near_steps())
        if any(not _ways(each, found) for each in self.faults):
            # Undo one entry of the file, or one active variant.
            back = [TableStep("add", (name,)) for name in self.choice.without]
            if self.choice.players is not None:
                said = self.features.ranges_at(self.on)
                low, high = min(e.low for e in said), max(e.high for e in said)
                number = min(max(self.choice.players, low), high)
                back.append(TableStep("set", settings={SEATS: number}))
            back += self._each_removed({*self.here} - {SEATS})
            found += self._tried(back)
        return [(each, _ways(each, found)) for each in self.faults]

    def _tried(self, steps: Iterable[TableStep]) -> list[tuple[TableStep, set[str]]]:
        """Return the steps that reduce the errors, with the remaining errors."""
        found: dict[str, tuple[TableStep, set[str]]] = {}
        for step in steps:
            command = step.command("")
            with suppress(TableError):
                left = self.done(step).faults
                if len(left) < len(self.faults):
                    found.setdefault(command, (step, {each.message for each in left}))
        return sorted(found.values(), key=lambda each: len(each[1]))

    def near_steps(self) -> Iterator[TableStep]:
        """Yield steps that may satisfy violated relations, and settle options."""
        seats, asked = {e.name for e in self.features.seats}, self.choice.players or 0
        for each in self.features.relations:
            if each.user <= self.on and each.kind != "seats":
                if switches_in(each.holds) & seats:
                    fitting = self.features.players_of(self.on)
                    if fitting:
                        number = min(fitting, key=lambda number: abs(number - asked))
                        yield TableStep("set", settings={SEATS: number})
                    yield from self._each_removed(each.user)
                elif not holds_in(each.holds, self.on):
                    chosen = each.wanted & self.on
                    if each.kind in {"exactly one", "at most one"} and chosen:
                        for kept in sorted(chosen):
                            yield TableStep("remove", tuple(sorted(chosen - {kept})))
                    elif each.kind == "exactly one":
                        for name in sorted(each.wanted):
                            yield self._all_added({name})
                    elif each.wanted:
                        yield self._all_added(each.wanted)
                    yield from self._each_removed(switches_in(each.holds) & self.on)
        for change in self.features.changed:
            if asked in change.numbers:
                yield self._all_added(change.members)
        here = {entry.address for entry in self.draft.of_kind("option")}
        for name in sorted(here):
            for said in suggestions(self.draft, name):
                yield TableStep("set", settings={name: said.value})
        for name in self.choice.settings:
            if name not in here:
                yield self._all_added(owners_of(self.ruleset, name))
                yield TableStep("remove", (name,))

    def _all_added(self, names: Iterable[str]) -> TableStep:
        """Return the step that adds variants, with all that they need."""
        return TableStep("add", tuple(sorted(self.features.closed(names) - self.on)))

    @staticmethod
    def _each_removed(names: Iterable[str]) -> Iterator[TableStep]:
        for name in sorted(names):
            yield TableStep("remove", (name,))


def _ways(
    of: Diagnostic, found: Iterable[tuple[TableStep, set[str]]]
) -> list[TableStep]:
    return [step for step, left in found if of.message not in left][:MOST_MENDS]


def as_seen_from(folder: Path, path: Path) -> str:
    """Return a path as it is written in a file of a folder."""
    try:
        return Path(relpath(path, folder)).as_posix()
    except ValueError:  # on another drive
        return real(path).as_posix()


class WishedTable(PlannedTable):
    """A table without a file: its steps change the choice itself."""

    @cached_property
    def faults(self) -> tuple[Diagnostic, ...]:
        """The errors of composing its rules; they are not checked further."""
        table, found = chosen(self.ruleset, self.choice, for_play=True)
        if table is not None:
            found = [*found, *compose(self.ruleset, table)[1]]
        return tuple(each for each in found if each.severity is Severity.ERROR)

    def done(self, step: TableStep) -> Self:
        """Return the table after a step; removing missing things has no effect."""
        table = self
        for name in dict.fromkeys(step.names):
            choice = table.choice
            match "added" if step.verb == "add" else table.here.get(name):
                case "added" if name not in self.features.variants:
                    choice = replace(choice, preset=name)
                case "added":
                    without = tuple(each for each in choice.without if each != name)
                    with_ = (*choice.with_, name)
                    if name in {*choice.with_, *table.preset.variants}:
                        with_ = choice.with_
                    choice = replace(choice, without=without, with_=with_)
                case "set":
                    kept = {k: v for k, v in choice.settings.items() if k != name}
                    choice = replace(choice, settings=kept)
                case "with":
                    with_ = tuple(each for each in choice.with_ if each != name)
                    choice = replace(choice, with_=with_)
                    still_on = name in replace(table, choice=choice).on
                    if still_on and name not in choice.without:
                        choice = replace(choice, without=(*choice.without, name))
                case "preset":
                    choice = replace(choice, preset=None)
                case "players":
                    choice = replace(choice, players=None)
                case _:  # missing, or not part of a choice
                    pass
            table = replace(table, choice=choice)
        for name, value in step.settings.items():
            choice = table.choice
            if name == SEATS:
                assert isinstance(value, int)
                choice = replace(choice, players=value)
            else:
                choice = replace(choice, settings={**choice.settings, name: value})
            table = replace(table, choice=choice)
        return table
