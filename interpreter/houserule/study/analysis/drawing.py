"""Plot an analysis: each seat's expected result, choice by choice."""

from __future__ import annotations

from pathlib import Path

from houserule.base.resources import Phrases
from houserule.study.analysis.analysis_model import Analysis
from houserule.study.analysis.report import WHOLE_WIN
from houserule.study.simulate.output import Curve, plot_curves


def draw(file: Path, found: Analysis, title: str, language: str) -> None:
    """Plot each seat's expected result before each choice, and its final result.

    Each seat's turning points are marked on its curve.

    Raises:
        NoPicture: matplotlib is not installed, or does not support the file type.
        OSError: the file cannot be written.
    """
    words = Phrases("analysis", language)
    curves = [
        _curve(found, place)
        for place, label in enumerate(found.labels)
        if found.seat in (None, label)
    ]
    along, up = words.say("axis_choices"), words.say("axis_expected")
    plot_curves(file, title, curves, along, up)


def _curve(found: Analysis, place: int) -> Curve:
    """Return the curve of a seat; each point is the value before a choice."""
    points: list[tuple[int, float, float, float]] = []
    marks: list[int] = []
    for each in found.choices:
        if not each.expected:
            continue
        if each.n in found.turning and each.seat == found.labels[place]:
            marks.append(len(points))
        value = each.expected[place]
        ends = (value.low, value.high, value.value)
        low, high, middle = (_within(end) for end in ends)
        points.append((each.n - 1, low, high, middle))
    if found.final and found.choices:
        end = _within(found.final[place])
        points.append((found.choices[-1].n, end, end, end))
    return Curve(found.players[place], points, marks)


def _within(value: float) -> float:
    return min(max(value, 0.0), 1.0) * WHOLE_WIN
