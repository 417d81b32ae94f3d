"""From a ruleset and a choice of table to a playable program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

# Composition and lowering are imported on use, since many command lines only name a
# table, or none.
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.base.cache import DiskStore
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    Severity,
    fault,
    has_errors,
)
from houserule.base.diagnostics.render import TableError
from houserule.base.frozen import frozen
from houserule.base.resources import find_ruleset
from houserule.base.source import Source, Span, real

if TYPE_CHECKING:
    from houserule.compiler.options.options import SettingPlace
    from houserule.compiler.rules import ChosenTable
    from houserule.ir import Program
    from houserule.language.manifest.ruleset import LoadedRuleset, Plain


PROGRAMS = DiskStore("programs", made_by=(), most=1000)


@frozen
class NamedGame:
    """The game of a table file: its name or folder, and its place in the file."""

    said: str
    folder: Path
    span: Span

    def is_of(self, ruleset: LoadedRuleset) -> bool:
        """Return whether a ruleset is meant, by its id or its folder."""
        if self.said == ruleset.id:
            return True
        return real(self.folder / self.said) == real(ruleset.folder)

    @property
    def lies(self) -> Path | None:
        """The folder of the ruleset; None if the name is unknown."""
        return find_ruleset(self.folder / self.said) or find_ruleset(self.said)


@frozen
class TableChoice:
    """A choice of table; the ruleset decides everything else.

    `settings` are option values by name; `players` is the number of seats. `game` is
    the game of a table file, and `rules` are the files and folders with external rules
    to load. For messages, `places` has the places of its settings, `named` those of
    variants and its preset; `sources` have its text.
    """

    preset: str | None = None
    with_: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    settings: Mapping[str, Plain] = field(default_factory=dict)
    players: int | None = None
    game: NamedGame | None = None
    rules: tuple[Path, ...] = field(default=(), repr=False, compare=False)
    places: Mapping[str, SettingPlace] = field(
        default_factory=dict, repr=False, compare=False
    )
    named: Mapping[str, Span] = field(default_factory=dict, repr=False, compare=False)
    sources: Mapping[str, Source] = field(
        default_factory=dict, repr=False, compare=False
    )

    def over(self, under: TableChoice) -> TableChoice:
        """Return `under` with this choice on top.

        Variants add up, but each choice cancels the other's opposite entries: `without`
        on top overrides `with_` below, and the reverse.
        """
        return TableChoice(
            preset=self.preset or under.preset,
            with_=_joined(under.with_, self.with_, self.without),
            without=_joined(under.without, self.without, self.with_),
            settings={**under.settings, **self.settings},
            players=under.players if self.players is None else self.players,
            game=self.game or under.game,
            rules=tuple(dict.fromkeys((*under.rules, *self.rules))),
            places={
                name: place
                for name, place in (*under.places.items(), *self.places.items())
                if name in self.places or name not in self.settings
            },
            named={**under.named, **self.named},
            sources={**under.sources, **self.sources},
        )


def _joined(
    below: tuple[str, ...], above: tuple[str, ...], gone: tuple[str, ...]
) -> tuple[str, ...]:
    kept = (name for name in below if name not in gone)
    return tuple(dict.fromkeys((*kept, *above)))


@frozen
class Prepared:
    """A table, its program if the rules have no errors, and all diagnostics.

    The first `before_lowering` diagnostics are of choosing and composing the table.
    """

    table: ChosenTable | None
    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    before_lowering: int


def prepare(
    ruleset: LoadedRuleset,
    choice: TableChoice,
    *,
    for_play: bool = False,
    named: bool = True,
) -> Prepared:
    """Choose the table, compose its rules and check them.

    There is a program exactly if no diagnostic is an error. With `for_play`,
    conflicting variants are E306, a message for players, instead of E201. A table
    for play without diagnostics is cached on disk. With `named`, the rules get a
    fingerprint, which only records need.
    """
    if choice.game is not None and not choice.game.is_of(ruleset):
        said, here = choice.game.said, ruleset.id
        message = f"This table file is for {said}, and the game here is {here}."
        fixes = ("play that game with it", f"let it say:  game: {here}")
        other = fault(E039, message, choice.game.span, fixes=fixes)
        return Prepared(None, None, (other,), 1)
    if not for_play:
        return _prepared(ruleset, choice, for_play, named)
    wanted = _key(replace(choice, game=None))
    key = PROGRAMS.key(ruleset.fingerprint, repr(sorted(ruleset.sources)), wanted)
    kept = PROGRAMS.load(key, _found)
    if kept is not None:
        return kept
    prepared = _prepared(ruleset, choice, for_play, named)
    if prepared.program is not None and not prepared.diagnostics:
        PROGRAMS.save(key, prepared)
    return prepared


def chosen(
    ruleset: LoadedRuleset, choice: TableChoice, *, for_play: bool = False
) -> tuple[ChosenTable | None, list[Diagnostic]]:
    """Choose a table, as `choose_table` does."""
    from houserule.compiler.tables.choose import choose_table

    return choose_table(
        ruleset,
        preset=choice.preset,
        with_=choice.with_,
        without=choice.without,
        settings=choice.settings,
        places=choice.places,
        named=choice.named,
        players=choice.players,
        for_play=for_play,
    )


def _found(kept: object) -> Prepared:
    assert isinstance(kept, Prepared)
    return kept


def _prepared(
    ruleset: LoadedRuleset,
    choice: TableChoice,
    for_play: bool,
    named: bool,
) -> Prepared:
    table, found = chosen(ruleset, choice, for_play=for_play)
    if table is None or has_errors(found):
        return Prepared(table, None, tuple(found), len(found))
    return _composed(ruleset, table, found, named)


E039 = MessageCode("E039", "file for another game")
"""A table file, a scenario file or a record names its game, and you used it for another
game.

**Why.** Names of variants, options and cards have a meaning in one game only. In
another game they would be unknown or, worse, mean something else.

**For example**

```console
houserule run pig --table nim_evening.yaml      # its first line is: game: nim
```

**Fix.** Use the file for its own game, or change `game:` to this one: by its `id`, or
in a table file by the path of its folder, relative to the file.
"""


def _composed(
    ruleset: LoadedRuleset,
    table: ChosenTable,
    found: list[Diagnostic],
    named: bool,
) -> Prepared:
    from houserule.compiler.compose.compose import compose
    from houserule.compiler.lower import check_rules

    rules, more = compose(ruleset, table, named=named)
    found = [*found, *more]
    early = len(found)
    if rules is None or has_errors(found):
        return Prepared(table, None, tuple(found), early)
    program, more = check_rules(rules)
    found = [*found, *more]
    sound = program is not None and not has_errors(found)
    return Prepared(table, program if sound else None, tuple(found), early)


def playable(
    prepared: Prepared, ruleset: LoadedRuleset, choice: TableChoice
) -> tuple[ChosenTable, Program]:
    """Return the table and the program of a prepared table, for play.

    Raises:
        TableError: it has errors; the exception contains them.
    """
    if prepared.program is None or prepared.table is None:
        errors = [
            each for each in prepared.diagnostics if each.severity is Severity.ERROR
        ]
        raise TableError(errors, {**ruleset.sources, **choice.sources})
    return prepared.table, prepared.program


@dataclass
class Programs:
    """The programs of one ruleset, each prepared once, with `named` as in `prepare`."""

    ruleset: LoadedRuleset
    named: bool = True
    _known: dict[str, Prepared] = field(default_factory=dict)
    _misfits: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)

    def prepare(self, choice: TableChoice) -> Prepared:
        """Return the result of `prepare`, cached by choice."""
        key = _key(choice)
        if key not in self._known:
            self._known[key] = prepare(self.ruleset, choice, named=self.named)
        return self._known[key]

    def misfits(self, choice: TableChoice) -> tuple[Diagnostic, ...]:
        """Return the errors of choosing a table, without composing it."""
        key = _key(choice)
        prepared = self._known.get(key)
        if prepared is not None and prepared.program is not None:
            return ()
        if key not in self._misfits:
            _, found = chosen(self.ruleset, choice)
            errors = (each for each in found if each.severity is Severity.ERROR)
            self._misfits[key] = tuple(errors)
        return self._misfits[key]


def _key(choice: TableChoice) -> str:
    """Return a key of a choice, independent of the order of its settings."""
    return repr(replace(choice, settings=dict(sorted(choice.settings.items()))))
