"""Table files are changed, and what their tables are is told: `houserule table`.

A change is made in the file's text and nowhere else. What leads out of a fault is found
by trying: a step is offered if the table that it leads to has this fault no more, and
fewer faults in all.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from os.path import relpath
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Literal, cast

from houserule.compose.compose import drafted
from houserule.compose.options.options import suggestions, values_of
from houserule.compose.options.scales import setting_words
from houserule.compose.tables.choose import owners_of
from houserule.compose.tables.feature_model import features_of
from houserule.compose.tables.formulas import holds_in, switches_in
from houserule.compose.tables.offers import offers_of
from houserule.compose.tables.presets import Preset, preset_of, unknown_name
from houserule.diagnostics.diagnostic import Diagnostic, Severity, fault
from houserule.diagnostics.render import TableError
from houserule.diagnostics.wording import nearest_few
from houserule.files import read_bytes, source_of
from houserule.manifest.folder import rules_beside
from houserule.manifest.load import open_ruleset
from houserule.manifest.model import TableFile
from houserule.manifest.yaml import edit
from houserule.prepare import prepare
from houserule.source import Source, Span, normalised, real
from houserule.table_files.reading import game_of, table_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from houserule.compose.draft import Draft
    from houserule.compose.tables.feature_model import Features, Relation
    from houserule.manifest.ruleset import LoadedRuleset, Plain
    from houserule.manifest.yaml.document import Data
    from houserule.prepare import TableChoice

ORDER = tuple(each.alias or name for name, each in TableFile.model_fields.items())
SEATS = "players"  # is set like an option
MOST_MENDS = 4


@dataclass(frozen=True, slots=True)
class TableStep:
    """What is asked of a table file.

    Attributes:
        verb: what is to be done.
        names: to add, variants and presets; to remove, whatever the table has.
        settings: options and `players`, to set.
        rules: to add, paths from where the reader stands.
    """

    verb: Literal["add", "remove", "set"]
    names: tuple[str, ...] = ()
    settings: Mapping[str, Plain] = field(default_factory=dict)
    rules: tuple[Path, ...] = ()

    def command(self, file: str) -> str:
        """Return it as people type it."""
        words = (*self.names, *setting_words(self.settings))
        return " ".join(("houserule table", self.verb, *map(quote, (file, *words))))


@dataclass(frozen=True)
class PlannedTable:
    """A choice of table and what comes of it, also where it cannot be played.

    Attributes:
        ruleset: the game, with the rules beside it.
        choice: what is chosen.
    """

    ruleset: LoadedRuleset
    choice: TableChoice

    @property
    def features(self) -> Features:
        """The variants of the game and how they relate."""
        return features_of(self.ruleset)

    @cached_property
    def preset(self) -> Preset:
        """The preset that it begins with; an empty one if there is none."""
        if self.choice.preset is None:
            return Preset("", frozenset(), {})
        return preset_of(self.ruleset, self.choice.preset)[0]

    @cached_property
    def on(self) -> frozenset[str]:
        """The variants that are on, also those that others bring along."""
        without = frozenset(self.choice.without)
        asked = (self.preset.variants | {*self.choice.with_}) - without
        return self.features.switched_on(asked & {*self.features.variants}, without)

    @cached_property
    def draft(self) -> Draft:
        """The game with these variants, as far as their edits can be applied."""
        return drafted(self.ruleset, self.on)[0]

    @cached_property
    def faults(self) -> tuple[Diagnostic, ...]:
        """Why it cannot be played; nothing if it can."""
        found = prepare(self.ruleset, self.choice, for_play=True).diagnostics
        return tuple(each for each in found if each.severity is Severity.ERROR)


@dataclass(frozen=True)
class KeptTable(PlannedTable):
    """A table file and the game that it is for.

    Attributes:
        path: of the file.
        raw: its text, with the line ends that it has.
    """

    path: Path
    raw: str

    @classmethod
    def of(cls, path: Path, raw: str, before: KeptTable | None = None) -> KeptTable:
        """Return the table of a text; `before` is what it was before a change.

        Raises:
            TableError: it is no table file, or there is no such game.
            RulesetError: the game, or rules beside it, cannot be read.
        """
        source = Source(str(path), normalised(raw))
        choice, found = table_in(source, path.parent)
        if choice is None:
            raise TableError(found, {source.name: source})
        if before is not None and before.choice.rules == choice.rules:
            return cls(before.ruleset, choice, path, raw)
        rules = rules_beside(choice.rules)
        return cls(open_ruleset(game_of(choice), rules), choice, path, raw)

    @classmethod
    def read(cls, path: Path) -> KeptTable:
        """Return the table of a file.

        Raises:
            UnreadableError: it is no text.
            TableError: it is no table file, or there is no such game.
            RulesetError: the game, or rules beside it, cannot be read.
            OSError: there is no such file, or it cannot be read.
        """
        found = read_bytes(path)
        source_of(found, str(path))
        return cls.of(path, found.decode("utf-8"))

    @property
    def called(self) -> str:
        """How people call the file."""
        return str(self.path)

    # ---- changes

    def done(self, step: TableStep) -> KeptTable:
        """Return the table after a step.

        Raises:
            TableError: a name is unknown, or the value of an option is none that it
                has, or the file is written in a way that cannot be changed.
            RulesetError: rules to add cannot be read.
        """
        try:
            match step.verb:
                case "add":
                    return self._with_rules(step.rules)._added(step.names)
                case "remove":
                    return self._removed(step.names)
                case "set":
                    return self._set(step.settings)
        except edit.NotEditedError as error:
            message = f"this cannot be changed in its place, only by hand: {error}"
            raise self._refused(fault("E030", message, Span.at(self.called))) from None

    def _refused(self, *found: Diagnostic) -> TableError:
        return TableError(found, self.choice.sources)

    def _edited(self, raw: str) -> KeptTable:
        return KeptTable.of(self.path, raw, self)

    def _with_rules(self, paths: Iterable[Path]) -> KeptTable:
        raw = self.raw
        known = {real(each) for each in self.choice.rules}
        for path in paths:
            if real(path) not in known:
                from_file = as_seen_from(self.path.parent, path)
                raw = edit.append(raw, "rules", from_file, ORDER)
        return self if raw == self.raw else self._edited(raw)

    def _added(self, names: Iterable[str]) -> KeptTable:
        variants = {*self.features.variants}
        presets = {each.id for each in self.ruleset.units_of("preset")}
        every = dict.fromkeys(names)
        unknown = [each for each in every if each not in variants | presets]
        if unknown:
            known = variants | presets
            found = (unknown_name("variant or preset", each, known) for each in unknown)
            raise self._refused(*found)
        table = self
        for name in every:
            if name not in variants:
                raw = edit.put(table.raw, ("preset",), name, ORDER)
            else:
                raw = table._switched_on(name)
            table = table._edited(raw)
        return table

    def _switched_on(self, name: str) -> str:
        raw = self._not_in("without", name)
        if name in {*self.choice.with_, *self.preset.variants}:
            return raw
        return edit.append(raw, "with", name, ORDER)

    def _not_in(self, key: Literal["with", "without"], name: str) -> str:
        """Return the text with a name gone from one of its lists."""
        listed = self.choice.with_ if key == "with" else self.choice.without
        raw = self.raw
        for number, each in reversed([*enumerate(listed)]):
            if each == name:
                raw = edit.drop(raw, (key, number))
        return raw

    def _removed(self, names: Iterable[str]) -> KeptTable:
        every = dict.fromkeys(names)
        unknown = [each for each in every if each not in self._here]
        if unknown:
            raise self._refused(*(self._not_here(each) for each in unknown))
        table = self
        for name in every:
            table = table._edited(table._without(name))
        return table

    @cached_property
    def _here(self) -> dict[str, str]:
        """All that can be removed, by name, and the key of the file that has it."""
        choice = self.choice
        rules = [as_seen_from(Path(), each) for each in choice.rules]
        found = {} if choice.players is None else {SEATS: SEATS}
        found |= dict.fromkeys(rules, "rules") | dict.fromkeys(choice.settings, "set")
        found |= {} if choice.preset is None else {choice.preset: "preset"}
        variants = (*choice.without, *choice.with_, *sorted(self.on))
        return found | dict.fromkeys(variants, "with")

    def _not_here(self, name: str) -> Diagnostic:
        message = f"This table has nothing called {name}."
        near = nearest_few(name, self._here)
        if near:
            message += f" Did you mean {' or '.join(near)}?"
        return fault("E307", message)

    def _without(self, name: str) -> str:
        """Return the text without something; a variant is left out if need be."""
        match self._here.get(name):
            case "set":
                return edit.drop(self.raw, ("set", name))
            case "rules":
                paths = [as_seen_from(Path(), each) for each in self.choice.rules]
                return edit.drop(self.raw, ("rules", paths.index(name)))
            case "with":
                after = self._edited(self._not_in("with", name))
                if name in after.on and name not in after.choice.without:
                    return edit.append(after.raw, "without", name, ORDER)
                return after.raw
            case str(key):
                return edit.drop(self.raw, (key,))
            case None:  # it went with something before it
                return self.raw

    def _set(self, settings: Mapping[str, Plain]) -> KeptTable:
        known = {each.id for each in offers_of(self.ruleset).options}
        unknown = [each for each in settings if each not in {*known, SEATS}]
        if unknown:
            known |= {SEATS}
            raise self._refused(*(unknown_name("option", n, known) for n in unknown))
        raw = self.raw
        for name, value in settings.items():
            path = (SEATS,) if name == SEATS else ("set", name)
            raw = edit.put(raw, path, cast("Data", value), ORDER)
        after = self._edited(raw)
        before = {each.message for each in self._off_the_scale()}
        found = [each for each in after._off_the_scale() if each.message not in before]
        if found:  # their places are in a text that is not written
            raise self._refused(*(replace(each, labels=()) for each in found))
        return after

    def _off_the_scale(self) -> list[Diagnostic]:
        """Return what is wrong with values of options, whatever else is on."""
        here = {entry.address for entry in self.draft.of_kind("option")}
        said = {
            name: value for name, value in self.choice.settings.items() if name in here
        }
        _, found = values_of(self.draft, said)
        return [each for each in found if each.code == "E304"]

    # ---- ways out of faults

    def mended(self) -> list[Diagnostic]:
        """Return the faults of the table, each with the steps that lead out of it."""
        found = self._tried(self._near_steps())
        if any(not _ways(each, found) for each in self.faults):
            found += self._tried(self._taking_back())
        return [
            replace(
                each,
                fixes=tuple(step.command(self.called) for step in _ways(each, found)),
            )
            for each in self.faults
        ]

    def _tried(self, steps: Iterable[TableStep]) -> list[tuple[TableStep, set[str]]]:
        """Return the steps after which there are fewer faults, with what is left."""
        found: dict[str, tuple[TableStep, set[str]]] = {}
        for step in steps:
            command = step.command("")
            with suppress(TableError):
                left = self.done(step).faults
                if len(left) < len(self.faults):
                    found.setdefault(command, (step, {each.message for each in left}))
        return sorted(found.values(), key=lambda each: len(each[1]))

    def _near_steps(self) -> Iterator[TableStep]:
        """Yield what may satisfy the relations that do not hold, and settle options."""
        for each in self.features.relations:
            if each.user <= self.on and each.kind != "seats":
                yield from self._towards(each)
        here = {entry.address for entry in self.draft.of_kind("option")}
        for name in sorted(here):
            for said in suggestions(self.draft, name):
                yield TableStep("set", settings={name: said.value})
        for name in self.choice.settings:
            if name not in here:
                yield self._all_added(owners_of(self.ruleset, name))
                yield TableStep("remove", (name,))

    def _towards(self, relation: Relation) -> Iterator[TableStep]:
        seats = {each.name for each in self.features.seats}
        if switches_in(relation.holds) & seats:
            asked = self.choice.players or 0
            fitting = self.features.players_of(self.on)
            for number in sorted(fitting, key=lambda each: abs(each - asked))[:1]:
                yield TableStep("set", settings={SEATS: number})
            yield from self._each_removed(relation.user)
        elif not holds_in(relation.holds, self.on):
            chosen = relation.wanted & self.on
            several = relation.kind in {"exactly one", "at most one"} and chosen
            if several:
                for kept in sorted(chosen):
                    yield TableStep("remove", tuple(sorted(chosen - {kept})))
            elif relation.kind == "exactly one":
                for name in sorted(relation.wanted):
                    yield self._all_added({name})
            elif relation.wanted:
                yield self._all_added(relation.wanted)
            yield from self._each_removed(switches_in(relation.holds) & self.on)

    def _all_added(self, names: Iterable[str]) -> TableStep:
        """Return the step that adds variants, with all that these need."""
        return TableStep("add", tuple(sorted(self.features.closed(names) - self.on)))

    @staticmethod
    def _each_removed(names: Iterable[str]) -> Iterator[TableStep]:
        for name in sorted(names):
            yield TableStep("remove", (name,))

    def _taking_back(self) -> Iterator[TableStep]:
        """Yield what takes back one thing that the file says, or that is on."""
        for name in self.choice.without:
            yield TableStep("add", (name,))
        low, high = self.features.players
        if self.choice.players is not None:
            number = min(max(self.choice.players, low), high)
            yield TableStep("set", settings={SEATS: number})
        yield from self._each_removed({*self._here} - {SEATS})


def _ways(
    of: Diagnostic, found: Iterable[tuple[TableStep, set[str]]]
) -> list[TableStep]:
    return [step for step, left in found if of.message not in left][:MOST_MENDS]


# ---- files


def as_seen_from(folder: Path, path: Path) -> str:
    """Return a path as it is written in a file of a folder."""
    try:
        return Path(relpath(path, folder)).as_posix()
    except ValueError:  # on another drive
        return real(path).as_posix()
