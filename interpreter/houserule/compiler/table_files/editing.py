"""Editing and describing table files: `houserule table`.

A change is made in the file's text and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast

from houserule.base.diagnostics.diagnostic import Diagnostic, fault
from houserule.base.diagnostics.render import TableError
from houserule.base.diagnostics.wording import nearest_few
from houserule.base.files import E030, read_bytes, source_of
from houserule.base.source import Source, Span, normalised, real
from houserule.compiler.choices.offers import offers_of
from houserule.compiler.options.options import values_of
from houserule.compiler.table_files.planned import (
    SEATS,
    PlannedTable,
    TableStep,
    as_seen_from,
)
from houserule.compiler.table_files.reading import game_of, table_in
from houserule.compiler.tables.presets import E307, unknown_name
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.load import open_ruleset
from houserule.language.manifest.ruleset_models import TableFile
from houserule.language.manifest.yaml import edit
from houserule.language.manifest.yaml.document import Data

ORDER = tuple(each.alias or name for name, each in TableFile.model_fields.items())


@dataclass(frozen=True)
class KeptTable(PlannedTable):
    """A table file and its game.

    Attributes:
        raw: its text, with its own line ends.
    """

    path: Path
    raw: str

    @classmethod
    def of(cls, path: Path, raw: str, before: KeptTable | None = None) -> KeptTable:
        """Return the table of a text; `before` is the one before a change.

        Raises:
            TableError: not a table file, or an unknown game.
            RulesetError: the game or its external rules are unreadable.
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
            UnreadableError: not a text.
            TableError: not a table file, or an unknown game.
            RulesetError: the game or its external rules are unreadable.
            OSError: reading fails.
        """
        found = read_bytes(path)
        source_of(found, str(path))
        return cls.of(path, found.decode("utf-8"))

    @property
    def called(self) -> str:
        """The name of the file in messages."""
        return str(self.path)

    # ---- changes

    def done(self, step: TableStep) -> KeptTable:
        """Return the table after a step.

        Raises:
            TableError: a name is unknown, an option cannot have the value, or the
                format of the file cannot be edited.
            RulesetError: rules to add are unreadable.
        """
        try:
            match step.verb:
                case "add":
                    return self._added(step)
                case "remove":
                    every = dict.fromkeys(step.names)
                    unknown = [each for each in every if each not in self.here]
                    messages: list[str] = []
                    for name in unknown:
                        message = f"This table has nothing called {name}."
                        if near := nearest_few(name, self.here):
                            message += f" Did you mean {' or '.join(near)}?"
                        messages.append(message)
                    if messages:
                        raise self._refused(*(fault(E307, each) for each in messages))
                    table = self
                    for name in every:
                        table = table._edited(table._without(name))
                    return table
                case "set":
                    known = {each.id for each in offers_of(self.ruleset).options}
                    unknown = [
                        each for each in step.settings if each not in {*known, SEATS}
                    ]
                    if unknown:
                        known |= {SEATS}
                        raise self._refused(
                            *(unknown_name("option", n, known) for n in unknown)
                        )
                    raw = self.raw
                    for name, value in step.settings.items():
                        path = (SEATS,) if name == SEATS else ("set", name)
                        raw = edit.put(raw, path, cast("Data", value), ORDER)
                    after = self._edited(raw)
                    before = {each.message for each in self._off_the_scale()}
                    found = [
                        each
                        for each in after._off_the_scale()
                        if each.message not in before
                    ]
                    if found:  # their places are in a text that is not written
                        raise self._refused(
                            *(replace(each, labels=()) for each in found)
                        )
                    return after
        except edit.NotEditedError as error:
            message = f"this cannot be changed in its place, only by hand: {error}"
            raise self._refused(fault(E030, message, Span.at(self.called))) from None

    def _refused(self, *found: Diagnostic) -> TableError:
        return TableError(found, self.choice.sources)

    def _edited(self, raw: str) -> KeptTable:
        return KeptTable.of(self.path, raw, self)

    def _added(self, step: TableStep) -> KeptTable:
        table = self
        known = {real(each) for each in self.choice.rules}
        new = [path for path in step.rules if real(path) not in known]
        if new:
            raw = self.raw
            for path in new:
                from_file = as_seen_from(self.path.parent, path)
                raw = edit.append(raw, "rules", from_file, ORDER)
            table = self._edited(raw)
        variants = {*table.features.variants}
        names = variants | {each.id for each in table.ruleset.units_of("preset")}
        every = dict.fromkeys(step.names)
        unknown = [each for each in every if each not in names]
        if unknown:
            found = (unknown_name("variant or preset", each, names) for each in unknown)
            raise table._refused(*found)
        for name in every:
            if name not in variants:
                raw = edit.put(table.raw, ("preset",), name, ORDER)
            else:
                raw = table._not_in("without", name)
                if name not in {*table.choice.with_, *table.preset.variants}:
                    raw = edit.append(raw, "with", name, ORDER)
            table = table._edited(raw)
        return table

    def _not_in(self, key: Literal["with", "without"], name: str) -> str:
        """Return the text without a name in one of its lists."""
        listed = self.choice.with_ if key == "with" else self.choice.without
        raw = self.raw
        for number, each in reversed([*enumerate(listed)]):
            if each == name:
                raw = edit.drop(raw, (key, number))
        return raw

    def _without(self, name: str) -> str:
        """Return the text without a name; add it to `without` if it is still on."""
        match self.here.get(name):
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
            case None:  # it was removed with something before it
                return self.raw

    def _off_the_scale(self) -> list[Diagnostic]:
        """Return the errors in values of options, whatever else is on."""
        here = {entry.address for entry in self.draft.of_kind("option")}
        said = {
            name: value for name, value in self.choice.settings.items() if name in here
        }
        _, found = values_of(self.draft, said)
        return [each for each in found if each.code == "E304"]

    # ---- suggestions

    def with_fixes(self) -> list[Diagnostic]:
        """Return the table's errors, each with the commands that fix it."""
        return [
            replace(each, fixes=tuple(step.command(self.called) for step in steps))
            for each, steps in self.ways_out()
        ]
