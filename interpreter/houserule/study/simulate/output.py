"""Output files: one row per game as comma-separated values, and plots.

Only this module uses matplotlib, which is an extra. The same games always give an
identical plot file.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, TextIO

from houserule.base.files import new_file, write_whole
from houserule.base.frozen import frozen
from houserule.study.simulate.comparison import ChangedTable, Comparison
from houserule.study.simulate.play import seated
from houserule.study.simulate.results import Finished
from houserule.study.simulate.schedule.batch import Job
from houserule.study.simulate.statistics.summary import Ordered, Simulation, Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


COLUMNS = ("game", "outcome", "winners", "choices", "rounds", "lead_changes", "state")


class GamesFile:
    """A file that games are written to as they are played.

    With several tables, the first column is the table's name, and the games are sorted
    by table: games of later tables wait in temporary files until the end.
    """

    def __init__(
        self, file: Path, job: Job, seats: Sequence[str], names: Sequence[str]
    ) -> None:
        """Begin a file, for tables with these names.

        Raises:
            OSError: the file cannot be written.
        """
        self._job, self._seats, self._names = job, seats, names
        self._open = ExitStack()
        handle = self._open.enter_context(new_file(file, seen=True))
        first = os.fdopen(handle, "w", encoding="utf-8", newline="", closefd=False)
        self._parts: list[TextIO] = [self._open.enter_context(first)]
        for _ in names[1:]:
            part = TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
            self._parts.append(self._open.enter_context(part))
        head = [
            *(["table"] if len(names) > 1 else []),
            *COLUMNS,
            *(f"score_{seat}" for seat in seats),
            *(f"bot_{seat}" for seat in seats),
        ]
        csv.writer(first, lineterminator="\n").writerow(head)

    def discard(self, error: OSError) -> None:
        """Discard what was written; an older file stays as it was."""
        with suppress(OSError):
            self._open.__exit__(type(error), error, error.__traceback__)

    def close(self) -> None:
        """Finish the file: append the waiting games to those of the first table.

        Raises:
            OSError: the file cannot be written.
        """
        first, *others = self._parts
        with self._open:
            for part in others:
                part.seek(0)
                copyfileobj(part, first)

    def add(self, tables: Sequence[Iterable[Finished]]) -> None:
        """Write further games, by table.

        Raises:
            OSError: the file cannot be written.
        """
        for part, name, games in zip(self._parts, self._names, tables, strict=True):
            before = [name] if len(self._names) > 1 else []
            writer = csv.writer(part, lineterminator="\n")
            seats, job = self._seats, self._job
            writer.writerows(
                [
                    *before,
                    each.number,
                    each.outcome,
                    " ".join(seats[seat] for seat in each.winners),
                    each.decisions,
                    each.rounds,
                    each.lead_changes,
                    each.state,
                    *(each.scores or [None] * len(seats)),
                    *seated(job.bots, len(seats), each.number * job.rotate),
                ]
                for each in games
            )


# ---- plots

SUFFIXES = (".png", ".svg", ".pdf")
COLOURS = ("#30638e", "#d1495b", "#66a182", "#edae49", "#8d6a9f", "#555b6e")
DRAWN = "#b8b8b8"
WIDE, HIGH = 6.4, 4.2


class NoPicture(RuntimeError):
    """A plot cannot be drawn; the message tells users why."""


def check_plot(file: Path) -> None:
    """Check, before games are played, that a plot can be drawn.

    Raises:
        NoPicture: matplotlib is not installed, or does not support the file type.
    """
    if file.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise NoPicture(f"A picture's name ends with one of {known}: `{file.name}`.")
    if find_spec("matplotlib") is None:
        raise NoPicture(
            "Pictures need matplotlib, which is not installed. "
            "Install it with: pip install 'houserule[plot]'"
        )


def plot_simulation(
    file: Path, result: Simulation, tally: Tally, seats: Sequence[str]
) -> None:
    """Plot the rounds, the wins by seat and the scores of one table to a file."""
    figure, panels = _panels(3 if tally.scores else 2)
    on = result.table.words
    figure.suptitle(f"{result.game}, {on}: {result.games} games, seed {result.seed}")
    _rounds(panels[0], {"": tally})
    bars = [*result.shares, *([result.drawn_share] if result.draws else [])]
    below = [max(0.0, 100 * (each.share - each.low)) for each in bars]
    above = [max(0.0, 100 * (each.high - each.share)) for each in bars]
    colours = [_colour(seat) for seat in range(len(seats))]
    labels = [f"{s} ({b})" for s, b in zip(seats, result.bots, strict=True)]
    if result.draws:
        colours.append(DRAWN)
        labels.append("drawn")
    axes = panels[1]
    heights = [100 * each.share for each in bars]
    axes.bar(labels, heights, yerr=[below, above], color=colours)
    axes.axhline(100 / len(seats), color="black", linewidth=0.8, linestyle=":")
    won = "won, or drawn" if result.draws else "won"
    axes.set(ylabel=f"% of games {won}, with 95 % intervals")
    if tally.scores:
        axes = panels[2]
        axes.violinplot(
            [list(Ordered(each)) for each in tally.scores], showmedians=True
        )
        axes.set_xticks(range(1, len(seats) + 1), list(seats))
        axes.set(ylabel="score")
    _save(figure, file)


def plot_comparison(
    file: Path, result: Comparison, tables: Mapping[str, Tally]
) -> None:
    """Plot rounds and differences of compared tables to a file."""
    figure, panels = _panels(3)
    figure.suptitle(
        f"{result.game}: {result.games} games at each table, seed {result.seed}"
    )
    shown = {result.base.name, *(each.name for each in result.changes)}
    _rounds(panels[0], {name: tables[name] for name in tables if name in shown})
    _differences(panels[1], result.changes, "rounds", "difference in rounds")
    _differences(panels[2], result.changes, "wins apart", "difference in wins apart")
    _save(figure, file)


@frozen
class Curve:
    """A line of a plot: a seat's expected result.

    Attributes:
        points: for each point the position, the lower and upper end of its interval,
            and the value.
        marks: the indices of the marked points.
    """

    name: str
    points: Sequence[tuple[int, float, float, float]]
    marks: Sequence[int]


def plot_curves(
    file: Path, title: str, curves: Sequence[Curve], along: str, up: str
) -> None:
    """Plot curves, with values up to 100, to a file.

    A band around each curve shows its interval.

    Raises:
        OSError: the file cannot be written.
    """
    figure, (axes,) = _panels(1)
    figure.suptitle(title)
    for place, curve in enumerate(curves):
        where = [each[0] for each in curve.points]
        low, high, values = ([each[n] for each in curve.points] for n in (1, 2, 3))
        colour = _colour(place)
        axes.fill_between(where, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(where, values, label=curve.name, color=colour, linewidth=1.6)
        marked = [curve.points[each] for each in curve.marks]
        axes.plot(
            [each[0] for each in marked],
            [each[3] for each in marked],
            color=colour,
            linewidth=0,
            zorder=4,
            marker="o",
            markersize=7,
            markeredgecolor="white",
        )
    axes.set(xlabel=along, ylabel=up, ylim=(0, 100))
    axes.grid(axis="y", color=DRAWN, linewidth=0.5)
    axes.legend(loc="best")
    _save(figure, file)


def _panels(number: int) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDE * number, HIGH), layout="constrained")
    return figure, [figure.add_subplot(1, number, at + 1) for at in range(number)]


def _save(figure: Figure, file: Path) -> None:
    from matplotlib import rc_context

    kind = file.suffix.lower()
    dates = {".svg": "Date", ".pdf": "CreationDate"}
    metadata = {dates[kind]: None} if kind in dates else None
    with rc_context({"svg.hashsalt": "houserule"}):
        drawn = BytesIO()
        figure.savefig(drawn, format=kind[1:], metadata=metadata)
    write_whole(file, drawn.getvalue())


def _rounds(axes: Axes, tables: Mapping[str, Tally]) -> None:
    for place, (name, tally) in enumerate(tables.items()):
        counts = tally.sound_rounds
        if not counts:
            continue
        lengths = range(min(counts), max(counts) + 1)
        total = counts.total()
        axes.stairs(
            [100 * counts[each] / total for each in lengths],
            [each - 0.5 for each in (*lengths, lengths.stop)],
            color=_colour(place),
            fill=len(tables) == 1,
            label=name,
        )
    axes.set(xlabel="rounds", ylabel="% of games")
    if axes.get_legend_handles_labels()[0]:
        axes.legend()


def _differences(
    axes: Axes, changes: Sequence[ChangedTable], measure: str, label: str
) -> None:
    for place, change in enumerate(reversed(changes)):
        for each in change.differences:
            if each.measure == measure:
                axes.plot([each.low, each.high], [place, place], color=COLOURS[0])
                axes.plot(
                    [each.difference],
                    [place],
                    marker="o",
                    color=COLOURS[0],
                    fillstyle="full" if each.seen else "none",
                )
    axes.axvline(0, color="black", linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(changes)), [each.name for each in reversed(changes)])
    axes.set(xlabel=f"{label}, with 95 % intervals")
    axes.margins(y=0.3)


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]
