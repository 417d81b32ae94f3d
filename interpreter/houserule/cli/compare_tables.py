"""Which tables `compare` plays: the base, each change, and changes in pairs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

import click

from houserule.cli.loading import sound
from houserule.diagnostics.diagnostic import Severity
from houserule.diagnostics.suggest import nearest
from houserule.prepare import TableChoice, prepare
from houserule.simulate.comparison import LeftOut, Plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from houserule.compose.rules import ChosenTable
    from houserule.ir import Program
    from houserule.manifest.ruleset import LoadedRuleset, Plain
    from houserule.prepare import Prepared

JOIN = " + "
THE_BASE = "the base game"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be compared with what, as the flags say it."""

    base: tuple[str, ...]
    with_: tuple[str, ...]
    without: tuple[str, ...]
    settings: Mapping[str, Plain]
    each: tuple[str, ...]
    pairs: bool

    def check(self) -> None:
        """End with wrong usage if the flags do not say one thing to compare."""
        changed = bool(self.with_ or self.without or self.settings)
        if self.each and changed:
            raise click.UsageError(
                "`--each` names the changes; leave `--with`, `--without` and `--set` "
                "out, or put what all tables share into `--base` or `--base-set`."
            )
        if not self.each and not changed:
            raise click.UsageError(
                "What is to be compared? Say `--with VARIANT`, `--without VARIANT`, "
                "`--set KEY=VALUE` or `--each A,B`."
            )
        if self.pairs and len(set(self.each)) < 2:
            raise click.UsageError("`--pairs` needs at least two of `--each`.")


@dataclass
class Tables:
    """The tables in the order in which they are played; the first is the base."""

    ruleset: LoadedRuleset
    wish: Wish
    base: TableChoice
    names: list[str] = field(default_factory=list)
    tables: list[ChosenTable] = field(default_factory=list)
    programs: list[Program] = field(default_factory=list)
    pairs: dict[int, tuple[int, int]] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def plan(self) -> Plan:
        """The tables as a comparison knows them."""
        return Plan(
            tuple(self.names), tuple(self.tables), self.pairs, tuple(self.left_out)
        )

    def set_base(self, name: str) -> None:
        """Prepare the base; its seats are those of all tables."""
        self._add(name, self._prepared(self.base))
        self.base = replace(self.base, players=self.tables[0].players)

    def set_change(self) -> None:
        """Prepare the one table that was asked for."""
        wish = self.wish
        choice = _named(self.ruleset, wish.with_, wish.without)
        choice = replace(choice, settings=wish.settings)
        settings = [f"{key}={_written(each)}" for key, each in wish.settings.items()]
        names = [*wish.with_, *(f"without {each}" for each in wish.without), *settings]
        self._add(", ".join(names), self._prepared(choice.over(self.base)))

    def set_each(self) -> None:
        """Prepare a table for each change, and for each pair if asked to."""
        changes = dict.fromkeys(self.wish.each)
        at = {name: self._try(name, (name,)) for name in changes}
        if not any(at.values()):
            reasons = "; ".join(f"{out.name}: {out.reason}" for out in self.left_out)
            raise click.UsageError(f"None of `--each` can be played. {reasons}")
        if not self.wish.pairs:
            return
        for one, other in combinations((name for name in changes if at[name]), 2):
            both = self._try(f"{one}{JOIN}{other}", (one, other))
            if both:
                self.pairs[both] = (at[one], at[other])

    def _try(self, name: str, names: tuple[str, ...]) -> int:
        """Add a table and return its place; 0 if there can be no such table."""
        choice = _named(self.ruleset, names, ())
        prepared = self._prepared(choice.over(self.base))
        errors = [
            each for each in prepared.diagnostics if each.severity is Severity.ERROR
        ]
        if errors:
            self.left_out.append(LeftOut(name=name, reason=errors[0].message))
            return 0
        self._add(name, prepared)
        return len(self.programs) - 1

    def _prepared(self, choice: TableChoice) -> Prepared:
        return prepare(self.ruleset, choice, for_play=True)

    def _add(self, name: str, prepared: Prepared) -> None:
        table, program = sound(prepared, self.ruleset, self.base.sources)
        self.names.append(name)
        self.tables.append(table)
        self.programs.append(program)


def tables_of(
    ruleset: LoadedRuleset,
    wish: Wish,
    shared: Mapping[str, Plain],
    players: int | None,
    table_file: TableChoice,
) -> Tables:
    """Return the tables that a wish asks for; what cannot be ends the verb.

    `shared` are settings of all tables, `table_file` stands below everything else.
    """
    wish.check()
    own = _named(ruleset, wish.base, ())
    base = replace(own, settings=dict(shared), players=players).over(table_file)
    tables = Tables(ruleset, wish, base)
    tables.set_base(", ".join(wish.base) or table_file.preset or THE_BASE)
    if wish.each:
        for name in wish.each:
            _known(ruleset, name)
        tables.set_each()
    else:
        tables.set_change()
    return tables


def _named(
    ruleset: LoadedRuleset, names: Sequence[str], without: tuple[str, ...]
) -> TableChoice:
    """Return the choice of some presets and variants by name; a preset goes first."""
    presets = [name for name in names if name in _presets(ruleset)]
    if len(presets) > 1:
        listed = ", ".join(presets)
        raise click.UsageError(f"A table has one preset, not several: {listed}.")
    variants = tuple(name for name in names if name not in presets)
    return TableChoice(
        preset=presets[0] if presets else None, with_=variants, without=without
    )


def _presets(ruleset: LoadedRuleset) -> set[str]:
    return {unit.id for unit in ruleset.units_of("preset")}


def _known(ruleset: LoadedRuleset, name: str) -> None:
    known = sorted(
        {*_presets(ruleset), *(unit.id for unit in ruleset.units_of("variant"))}
    )
    if name not in known:
        near = nearest(name, known)
        hint = f" Did you mean `{near}`?" if near else ""
        raise click.UsageError(f"There is no variant or preset `{name}`.{hint}")


def _written(value: Plain) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"{{{', '.join(map(_written, value))}}}"
    return "none" if value is None else str(value)
