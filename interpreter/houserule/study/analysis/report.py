"""Show an analysis: a summary, the turning points in order, and a plot of them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.study.analysis.analysis_model import AnalysedChoice, Analysis, FoundValue
from houserule.study.simulate.output import Curve, plot_curves

WHOLE_WIN = 100
LUCKY = 0.1
"""Report the effect of chance if it is certainly at least this share of the win."""
UNKNOWN = "?"


@frozen
class Told:
    """An analysis in words.

    Attributes:
        before: the text above the table of seats.
        table: a row of cells for each seat, after a header row.
        after: the text below the table: the turning points.
    """

    before: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]
    after: tuple[str, ...]


def told(found: Analysis, language: str, title: str, most: int, file: str = "") -> Told:
    """Return an analysis in words of a language.

    Args:
        language: a code such as `de`.
        most: maximum number of turns of each kind.
        file: the record, if it is in a file.
    """
    say = Phrases("analysis", language).say
    called = dict(zip(found.labels, found.players, strict=True))
    before = [
        say(
            "summary",
            game=title,
            players=", ".join(found.players),
            count=found.total,
            effort=found.effort,
        )
    ]
    if not found.finished and found.seats:
        before.append(say("unfinished", who=found.seats[0].name))
    if found.ended != "record":
        done = found.choices[-1].n if found.choices else 0
        before.append(say("partly", count=done, total=found.total))
    lucky = any(each.luck for each in found.seats)
    heads = ["choices", "good", "inaccurate", "bad", "loss", *(["luck"] * lucky)]
    table = [("", *(say(f"head_{each}") for each in heads))]
    for seat in found.seats:
        numbers = (seat.choices, seat.good, seat.inaccurate, seat.bad)
        loss, luck = f"{seat.loss * WHOLE_WIN:.1f}", ""
        if seat.luck is not None:
            low, high, gain = seat.luck.low, seat.luck.high, hundredths(seat.luck.value)
            luck = f"{'+' if gain > 0 else ''}{gain} ± {_margin(low, high)}"
            luck = UNKNOWN if low <= 0 <= high else luck
        table.append((seat.name, *map(str, numbers), loss, *([luck] if lucky else [])))
    lines: list[str] = []
    for turn in turns(found, most):
        values: dict[str, str | int] = {"who": called[turn.seat]}
        if turn.kind != "choice":
            values["other"] = called[turn.other]
        if (made := turn.choice) is not None:
            values["what"] = made.words
            if (chance := turn.chance) is not None:
                values["gain"] = hundredths(chance.value)
                values["margin"] = _margin(chance.low, chance.high)
            elif made.better is not None and made.compared is not None:
                values["better"] = made.better.words
                values["value"] = hundredths(made.better.value)
                values["own"] = hundredths(made.value or 0.0)
                values["loss"] = hundredths(made.loss)
                values["margin"] = _margin(made.compared.low, made.compared.high)
        lines.append(say(turn.kind, n=turn.n, **values))
    after = [say("measure")]
    if found.choices and not any(each.loss for each in found.choices):
        after.append(say("steady"))
    if lines:
        after.append(say("turned"))
    after += lines
    unknown = sum(each.unknown for each in found.seats)
    if unknown:
        after.append(say("unknown", count=unknown))
    if file:
        after.append(say("look", file=file))
    return Told(tuple(before), tuple(table), tuple(after))


@frozen
class Turn:
    """A moment at which a game turned.

    Attributes:
        n: the number of the choice.
        kind: a costly `choice`, a stroke of luck (`lucky`), or a change of the `lead`.
        seat: the label of the seat that chose, or that leads from here on.
        other: the seat that gains by luck, or that led before; else the same seat.
        choice: the analysis of the choice; None for a change of the lead.
        chance: what luck gave the other seat.
    """

    n: int
    kind: Literal["choice", "lucky", "lead"]
    seat: str
    other: str
    choice: AnalysedChoice | None = None
    chance: FoundValue | None = None


def turns(found: Analysis, most: int) -> list[Turn]:
    """Return the turning points in the order of play, at most `most` of each kind."""
    gains = [
        Turn(each.n, "lucky", each.seat, label, each, chance)
        for each in found.choices
        for label, chance in zip(found.labels, each.luck, strict=False)
        if chance.low >= LUCKY
    ]
    gains.sort(key=lambda gain: (-gain.chance.value if gain.chance else 0.0, gain.n))
    leads = found.leads[max(0, len(found.leads) - most) :]
    every = [
        *(
            Turn(each.n, "choice", each.seat, each.seat, each)
            for each in found.choices
            if each.n in found.turning
        ),
        *gains[:most],
        *(Turn(each.n, "lead", each.seat, each.before) for each in leads),
    ]
    return sorted(every, key=lambda turn: turn.n)


def hundredths(value: float) -> int:
    """Return a share of the win, rounded to whole hundredths."""
    return round(value * WHOLE_WIN)


def _margin(low: float, high: float) -> int:
    """Return half an interval in hundredths, rounded up."""
    return max(1, -int(-(high - low) / 2 * WHOLE_WIN // 1))


def draw(file: Path, found: Analysis, title: str, language: str) -> None:
    """Plot each seat's expected result before each choice, and its final result.

    Each seat's turning points are marked on its curve.

    Raises:
        NoPicture: matplotlib is not installed, or does not support the file type.
        OSError: the file cannot be written.
    """

    def within(value: float) -> float:
        return min(max(value, 0.0), 1.0) * WHOLE_WIN

    words = Phrases("analysis", language)
    curves: list[Curve] = []
    for place, label in enumerate(found.labels):
        if found.seat not in (None, label):
            continue
        points: list[tuple[int, float, float, float]] = []
        marks: list[int] = []
        for each in found.choices:
            if not each.expected:
                continue
            if each.n in found.turning and each.seat == label:
                marks.append(len(points))
            value = each.expected[place]
            ends = within(value.low), within(value.high), within(value.value)
            points.append((each.n - 1, *ends))
        if found.final and found.choices:
            end = within(found.final[place])
            points.append((found.choices[-1].n, end, end, end))
        curves.append(Curve(found.players[place], points, marks))
    along, up = words.say("axis_choices"), words.say("axis_expected")
    plot_curves(file, title, curves, along, up)
