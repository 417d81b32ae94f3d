"""The tables of a comparison: the base, each change, and pairs of changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from houserule.base.diagnostics.diagnostic import Severity
from houserule.base.diagnostics.wording import nearest
from houserule.compiler.prepare import Prepared, TableChoice, playable, prepare
from houserule.compiler.rules import ChosenTable
from houserule.ir import Program
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.study.simulate.comparison import LeftOut, Plan

JOIN = " + "


class NothingToCompareError(ValueError):
    """None of the changes can be played with this base; the message says why."""


@dataclass
class ComparedTables:
    """Tables in the order in which they are played; the first is the base.

    Attributes:
        base: the choice for the base; all tables have its seats.
        pairs: for each table with two changes, the places of the tables with one.
        left_out: changes that the base cannot have, and why.
    """

    ruleset: LoadedRuleset
    base: TableChoice
    names: list[str] = field(default_factory=list)
    tables: list[ChosenTable] = field(default_factory=list)
    programs: list[Program] = field(default_factory=list)
    pairs: dict[int, tuple[int, int]] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)

    @classmethod
    def begin(
        cls, ruleset: LoadedRuleset, base: TableChoice, name: str
    ) -> ComparedTables:
        """Return only the base.

        Raises:
            TableError: it cannot be played.
        """
        compared = cls(ruleset, base)
        compared._add(name, compared._prepared(base))
        compared.base = replace(base, players=compared.tables[0].players)
        return compared

    @property
    def plan(self) -> Plan:
        """The tables as input of a comparison."""
        return Plan(
            tuple(self.names), tuple(self.tables), self.pairs, tuple(self.left_out)
        )

    def add_change(self, name: str, change: TableChoice) -> None:
        """Add the base with a change.

        Raises:
            TableError: it cannot be played.
        """
        self._add(name, self._prepared(change.over(self.base)))

    def add_table(self, name: str, choice: TableChoice) -> None:
        """Add an independent table with the seats of the base.

        Raises:
            TableError: it cannot be played.
        """
        self._add(name, self._prepared(replace(choice, players=self.base.players)))

    def add_each(self, names: Iterable[str], *, pairs: bool) -> None:
        """Add the base with each of the variants or presets, and with each pair.

        Combinations that cannot be played are skipped and noted in `left_out`.

        Raises:
            ValueError: there is no variant or preset of this name.
            NothingToCompareError: none of them can be played.
        """
        changes = tuple(dict.fromkeys(names))
        for name in changes:
            units = (
                *self.ruleset.units_of("preset"),
                *self.ruleset.units_of("variant"),
            )
            known = sorted({unit.id for unit in units})
            if name not in known:
                near = nearest(name, known)
                hint = f" Did you mean `{near}`?" if near else ""
                raise ValueError(f"There is no variant or preset `{name}`.{hint}")
        at = {name: self._try(name, (name,)) for name in changes}
        if not any(at.values()):
            raise NothingToCompareError(
                "; ".join(f"{out.name}: {out.reason}" for out in self.left_out)
            )
        possible = (name for name in changes if at[name])
        for one, other in combinations(possible, 2) if pairs else ():
            both = self._try(f"{one}{JOIN}{other}", (one, other))
            if both:
                self.pairs[both] = (at[one], at[other])

    def _try(self, name: str, names: tuple[str, ...]) -> int:
        """Add a table and return its place; 0 if the table is impossible."""
        prepared = self._prepared(choice_by_names(self.ruleset, names).over(self.base))
        for each in prepared.diagnostics:
            if each.severity is Severity.ERROR:
                self.left_out.append(LeftOut(name=name, reason=each.message))
                return 0
        self._add(name, prepared)
        return len(self.programs) - 1

    def _prepared(self, choice: TableChoice) -> Prepared:
        return prepare(self.ruleset, choice, for_play=True)

    def _add(self, name: str, prepared: Prepared) -> None:
        table, program = playable(prepared, self.ruleset, self.base)
        self.names.append(name)
        self.tables.append(table)
        self.programs.append(program)


def choice_by_names(
    ruleset: LoadedRuleset, names: Sequence[str], without: tuple[str, ...] = ()
) -> TableChoice:
    """Return the choice of the named variants and at most one preset.

    Raises:
        ValueError: several presets are named.
    """
    known = {unit.id for unit in ruleset.units_of("preset")}
    presets = [name for name in names if name in known]
    if len(presets) > 1:
        listed = ", ".join(presets)
        raise ValueError(f"A table has one preset, not several: {listed}.")
    return TableChoice(
        preset=presets[0] if presets else None,
        with_=tuple(name for name in names if name not in presets),
        without=without,
    )
