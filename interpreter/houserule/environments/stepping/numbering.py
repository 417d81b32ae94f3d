"""Code generation: stable numbers of options, and options of numbers.

Listed options need no code.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from houserule import ir
from houserule.base.algebra.subsets import count_subsets
from houserule.engine.compiled.context import Data
from houserule.engine.compiled.functions import (
    Code,
    Function,
    Write,
    i32,
    i64,
    load,
    switch,
)
from houserule.engine.compiled.memory.layout import ProcedureFrame
from houserule.engine.compiled.memory.shapes import universe
from houserule.engine.compiled.module import Parts
from houserule.environments.actions import StableActions, values_of_bind
from houserule.environments.effect_variables import questions
from houserule.environments.encoding import scalar_least
from houserule.ir.types import Set
from houserule.ir.walk import option_binds


class NumberWriter:
    """Writes the stable numbers of options."""

    def __init__(self, parts: Parts, space: StableActions) -> None:
        self._parts = parts
        self._program: ir.Program = parts.context.program
        self._data: Data = parts.context.data
        self._first: dict[tuple[str, bool], int] = {}
        for number, (name, values) in enumerate(space.meanings):
            self._first.setdefault((name, values is None), number)

    def write(self) -> dict[str, int]:
        """Write them; return the addresses that the handwritten part needs.

        Raises:
            ValueError: a share, or a choice at several sites.
        """
        cases: dict[int, Write] = {}
        for number, name in enumerate(sorted(self._program.actions)):
            frame = self._parts.procedures.frames[f"action {name}"]
            binds = option_binds(self._program.actions[name])
            cases[number] = self._numbered(self._first[name, False], binds, frame)
        done = i32(self._first["", False])
        self._parts.context.add(
            switch("$number_of_taking", cases, default=done, params=())
        )
        picks: dict[int, Write] = {}
        firsts: list[int] = []
        for site, number in self._parts.context.sites.items():
            asked = questions(self._program)[site]
            if isinstance(asked, ir.ChooseOption):
                picks[number] = self._picking(site, asked)
            elif isinstance(asked, ir.ShareOut):
                raise _no_number(site, "shares something out")
            firsts.append(self._first[site, False])
        params = (("$index", "i64"),)
        self._parts.context.add(
            switch("$number_of_pick", picks, default="(unreachable)", params=params)
        )
        return {"first_answers": self._data.numbers(firsts or [0])}

    def _picking(self, site: str, asked: ir.ChooseOption) -> Write:
        found = self._parts.procedures.picks[site]
        if len(found) != 1:
            raise _no_number(site, "stands at several places")
        ((pick, frame),) = found
        numbered = self._numbered(self._first[site, False], (asked.bind,), frame)
        count = load(self._parts.context.memory.header["count"], "i64")

        def write(f: Function) -> None:
            if not asked.must:
                last = f"(i64.eq (local.get $index) (i64.sub {count} {i64(1)}))"
                with f.when(last):
                    f.add(f"(return {i32(self._first[site, True])})")
            f.add(f"(drop (call {pick} (local.get $index)))")
            numbered(f)

        return write

    def _numbered(
        self, first: int, binds: Sequence[ir.Bind], frame: ProcedureFrame
    ) -> Write:
        """Write the number of the values in a frame; the last variable is fastest."""
        found: Code = i32(0)
        for bind in binds:
            for slot in bind.slots:
                many = len(values_of_bind(bind))
                at = frame.slots[slot]
                if isinstance(bind.type, Set):
                    places = universe(bind.type).places
                    most = places if bind.high is None else min(bind.high, places)
                    ranks = i32(self._data.numbers(_ranks(places, bind.low, most)))
                    sizes = f"{i32(places)} {i32(most)}"
                    place = f"(call $rank_of_set {i32(at)} {sizes} {ranks})"
                else:
                    place = f"(i32.sub {load(at)} {i32(scalar_least(bind.type))})"
                found = f"(i32.add (i32.mul {found} {i32(many)}) {place})"
        return lambda f: f.add(f"(return (i32.add {i32(first)} {found}))")


def _ranks(places: int, low: int, most: int) -> list[int]:
    """Return the table from which the rank of a set is computed.

    First, by size, the number of smaller sets. Then, for each size, each member of such
    a set in order, and each position, the number of sets that continue from a lower
    position with the remaining members.
    """
    found = [count_subsets(places, low, size - 1) for size in range(most + 1)]
    for size in range(most + 1):
        for member in range(most):
            rest, before = size - 1 - member, 0
            for place in range(places + 1):
                found.append(before)
                left = places - 1 - place
                before += comb(left, rest) if rest >= 0 and left >= 0 else 0
    return found


def _no_number(site: str, why: str) -> ValueError:
    return ValueError(
        f"`{site}` {why}, and its answers have no stable numbers if many games are"
        ' played at once. Number options as they are listed: `actions="listed"`.'
    )
