"""From a ruleset and a choice of table to a program that can be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

# What composes and lowers rules is imported where it is used: a command line that only
# names a table, or none, does not wait for it.
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.base.cache import DiskStore, RecordCodec
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
    from houserule.compiler.lower.memo import Memo
    from houserule.compiler.options.options import SettingPlace
    from houserule.compiler.rules import ChosenTable
    from houserule.ir import Program
    from houserule.language.manifest.ruleset import LoadedRuleset, Plain


PROGRAMS = DiskStore("programs", made_by=(), most=1000)


@frozen
class NamedGame:
    """The game that a table file is for: its name or folder, and where that is said."""

    said: str
    folder: Path
    span: Span

    def is_of(self, ruleset: LoadedRuleset) -> bool:
        """Say whether a ruleset is meant: by its id, or the folder it lies in."""
        if self.said == ruleset.id:
            return True
        return real(self.folder / self.said) == real(ruleset.folder)

    @property
    def lies(self) -> Path | None:
        """Where the ruleset is; None where there is none of this name."""
        return find_ruleset(self.folder / self.said) or find_ruleset(self.said)


@frozen
class TableChoice:
    """Wishes about a table: what is left out is up to the ruleset.

    `settings` are option values by name; `players` is the number of seats. `game` is
    the game that a table file is for, and `rules` are the files and folders with rules
    beside it that are to be loaded. For messages, `places` tell where it makes
    settings, `named` where it names variants and its preset; `sources` hold its text.
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
        """Return `under` with what this choice says put above it.

        Variants add up, except that each choice takes out what the other one names
        on the other side: `without` above beats `with_` below, and the reverse.
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
    """A table, its program if the rules are sound, and all that was found.

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
    memo: Memo | None = None,
    named: bool = True,
) -> Prepared:
    """Choose the table, compose its rules and check them.

    The program is there exactly if no diagnostic is an error. With `for_play`, variants
    that clash are E306, a message to players, who choose a table, and not E201.
    With a `memo`, what other tables of the ruleset have in common with this one is not
    lowered again. A table for play of which there is nothing to say is kept on disk.
    What no record will tell of need not be `named` by the fingerprint of its rules.
    """
    if choice.game is not None and not choice.game.is_of(ruleset):
        return Prepared(None, None, (_of_another_game(choice.game, ruleset.id),), 1)
    if not for_play:
        return _prepared(ruleset, choice, for_play, memo, named)
    wanted = _key(replace(choice, game=None))
    key = PROGRAMS.key(ruleset.fingerprint, repr(sorted(ruleset.sources)), wanted)
    kept = PROGRAMS.load(key, _decoded)
    if kept is not None:
        return kept
    prepared = _prepared(ruleset, choice, for_play, memo, named)
    if prepared.program is not None and not prepared.diagnostics:
        PROGRAMS.save(key, _codec().encode((prepared.table, prepared.program)))
    return prepared


def _decoded(kept: object) -> Prepared:
    """Return a table and its program as they were kept."""
    from houserule.compiler.rules import ChosenTable
    from houserule.ir import Program

    table, program = _codec().decode(kept)
    assert isinstance(table, ChosenTable)
    assert isinstance(program, Program)
    return Prepared(table, program, (), 0)


@cache
def _codec() -> RecordCodec:
    from houserule import ir
    from houserule.compiler.rules import ChosenTable
    from houserule.ir import types

    return RecordCodec((*vars(ir).values(), *vars(types).values(), ChosenTable))


def _prepared(
    ruleset: LoadedRuleset,
    choice: TableChoice,
    for_play: bool,
    memo: Memo | None,
    named: bool,
) -> Prepared:
    from houserule.compiler.tables.choose import choose_table

    table, found = choose_table(
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
    if table is None or has_errors(found):
        return Prepared(table, None, tuple(found), len(found))
    if found or memo is None:
        return _composed(ruleset, table, found, memo, named)
    # The same table may be asked for by a preset, or by variants in any order.
    same = repr((sorted(table.variants), sorted(table.options.items()), table.players))
    if same in memo.programs:
        return Prepared(table, memo.programs[same], (), 0)
    prepared = _composed(ruleset, table, found, memo, named)
    if prepared.program is not None and not prepared.diagnostics:
        memo.programs[same] = prepared.program
    return prepared


E039 = MessageCode("E039", "a file of another game")
"""A table file, a scenario file or a record says which game it is of, and that is not
the game it is used for.

**Why.** Names of variants, options and cards mean something in one game alone. Without
this message they would all be unknown, or, worse, mean something else.

**For example**

```console
houserule run pig --table nim_evening.yaml      # which says: game: nim
```

**Way out.** Use the file for its own game, or let `game:` name this one: by its `id`,
or in a table file by the path of its folder, from where the file stands.
"""


def _of_another_game(game: NamedGame, here: str) -> Diagnostic:
    """Return E039 for a table file."""
    message = f"This table file is for {game.said}, and the game here is {here}."
    fixes = ("play that game with it", f"let it say:  game: {here}")
    return fault(E039, message, game.span, fixes=fixes)


def _composed(
    ruleset: LoadedRuleset,
    table: ChosenTable,
    found: list[Diagnostic],
    memo: Memo | None,
    named: bool,
) -> Prepared:
    from houserule.compiler.compose.compose import compose
    from houserule.compiler.lower import check_rules

    rules, more = compose(ruleset, table, named=named)
    found = [*found, *more]
    early = len(found)
    if rules is None or has_errors(found):
        return Prepared(table, None, tuple(found), early)
    program, more = check_rules(rules, memo)
    found = [*found, *more]
    sound = program is not None and not has_errors(found)
    return Prepared(table, program if sound else None, tuple(found), early)


def _empty_memo() -> Memo:
    from houserule.compiler.lower.memo import Memo

    return Memo()


def playable(
    prepared: Prepared, ruleset: LoadedRuleset, choice: TableChoice
) -> tuple[ChosenTable, Program]:
    """Return the table and the program of a prepared table, for play.

    Raises:
        TableError: it has errors; they are those of the exception.
    """
    if prepared.program is None or prepared.table is None:
        errors = [
            each for each in prepared.diagnostics if each.severity is Severity.ERROR
        ]
        raise TableError(errors, {**ruleset.sources, **choice.sources})
    return prepared.table, prepared.program


@dataclass
class Programs:
    """The programs of one ruleset, each prepared once, `named` as `prepare` says."""

    ruleset: LoadedRuleset
    named: bool = True
    _known: dict[str, Prepared] = field(default_factory=dict)
    _memo: Memo = field(default_factory=_empty_memo)
    _misfits: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)

    def prepare(self, choice: TableChoice) -> Prepared:
        """Return what `prepare` does, from memory if the choice came before."""
        key = _key(choice)
        if key not in self._known:
            self._known[key] = prepare(
                self.ruleset, choice, memo=self._memo, named=self.named
            )
        return self._known[key]

    def misfits(self, choice: TableChoice) -> tuple[Diagnostic, ...]:
        """Return the errors of choosing a table, without composing it."""
        from houserule.compiler.tables.choose import choose_table

        key = _key(choice)
        prepared = self._known.get(key)
        if prepared is not None and prepared.program is not None:
            return ()
        if key not in self._misfits:
            _, found = choose_table(
                self.ruleset,
                preset=choice.preset,
                with_=choice.with_,
                without=choice.without,
                settings=choice.settings,
                players=choice.players,
            )
            errors = (each for each in found if each.severity is Severity.ERROR)
            self._misfits[key] = tuple(errors)
        return self._misfits[key]


def _key(choice: TableChoice) -> str:
    """Return a name for a choice: the same in whatever order its settings were said."""
    return repr(replace(choice, settings=dict(sorted(choice.settings.items()))))
