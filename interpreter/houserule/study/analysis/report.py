"""Put an analysis into words: a short summary, then the turning points in order."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.study.analysis.analysis_model import (
    AnalysedChoice,
    AnalysedSeat,
    Analysis,
)

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
        found: the analysis.
        language: a code such as `de`.
        title: the game's title.
        most: maximum number of turns of each kind.
        file: the record, if it is in a file.
    """
    return _Telling(found, language, most).of(title, file)


class _Telling:
    def __init__(self, found: Analysis, language: str, most: int) -> None:
        self._found, self._most = found, most
        self._phrases = Phrases("analysis", language)
        self._called = dict(zip(found.labels, found.players, strict=True))

    def of(self, title: str, file: str) -> Told:
        """Return the whole report."""
        found, say = self._found, self._phrases.say
        players = ", ".join(found.players)
        before = [
            say(
                "summary",
                game=title,
                players=players,
                count=found.total,
                effort=found.effort,
            )
        ]
        if not found.finished and found.seats:
            before.append(say("unfinished", who=found.seats[0].name))
        if found.ended != "record":
            done = found.choices[-1].n if found.choices else 0
            before.append(say("partly", count=done, total=found.total))
        after = [say("measure"), *self._turns()]
        unknown = sum(each.unknown for each in found.seats)
        if unknown:
            after.append(say("unknown", count=unknown))
        if file:
            after.append(say("look", file=file))
        return Told(tuple(before), tuple(self._table()), tuple(after))

    def _table(self) -> Iterator[tuple[str, ...]]:
        seats = self._found.seats
        lucky = any(each.luck for each in seats)
        heads = ("choices", "good", "inaccurate", "bad", "loss")
        names = [self._phrases.say(f"head_{each}") for each in heads]
        yield ("", *names, *([self._phrases.say("head_luck")] if lucky else []))
        for each in seats:
            numbers = (each.choices, each.good, each.inaccurate, each.bad)
            loss = f"{each.loss * WHOLE_WIN:.1f}"
            luck = [_luck(each)] if lucky else []
            yield (each.name, *map(str, numbers), loss, *luck)

    def _turns(self) -> Iterator[str]:
        found = self._found
        lines = [(n, 0, self._choice(self._at(n))) for n in found.turning]
        lines += [(each.n, 1, line) for each, line in self._lucky()]
        lines += [
            (
                each.n,
                2,
                self._phrases.say(
                    "lead",
                    n=each.n,
                    who=self._name(each.seat),
                    before=self._name(each.before),
                ),
            )
            for each in found.leads[len(found.leads) - self._most :]
        ]
        if found.choices and not any(each.loss for each in found.choices):
            yield self._phrases.say("steady")
        if lines:
            yield self._phrases.say("turned")
        yield from (line for _, _, line in sorted(lines))

    def _lucky(self) -> Iterator[tuple[AnalysedChoice, str]]:
        """Yield the choices with the largest effects of chance, with their lines."""
        gains = []
        for each in self._found.choices:
            for seat, luck in zip(self._called, each.luck, strict=False):
                if luck.low >= LUCKY:
                    gains.append((luck.value, each, seat, luck))
        gains.sort(key=lambda gain: (-gain[0], gain[1].n))
        for _, each, seat, luck in gains[: self._most]:
            yield (
                each,
                self._phrases.say(
                    "lucky",
                    n=each.n,
                    who=self._name(each.seat),
                    what=each.words,
                    whom=self._name(seat),
                    gain=hundredths(luck.value),
                    margin=_margin(luck.low, luck.high),
                ),
            )

    def _at(self, number: int) -> AnalysedChoice:
        return next(each for each in self._found.choices if each.n == number)

    def _choice(self, each: AnalysedChoice) -> str:
        assert each.better is not None, "a turning point has a better option"
        assert each.compared is not None, "it was compared"
        return self._phrases.say(
            "choice",
            n=each.n,
            who=self._name(each.seat),
            what=each.words,
            better=each.better.words,
            value=hundredths(each.better.value),
            own=hundredths(each.value or 0.0),
            loss=hundredths(each.loss),
            margin=_margin(each.compared.low, each.compared.high),
        )

    def _name(self, seat: str) -> str:
        return self._called.get(seat, seat)


def _luck(seat: AnalysedSeat) -> str:
    if seat.luck is None:
        return ""
    if seat.luck.low <= 0 <= seat.luck.high:
        return UNKNOWN
    value = hundredths(seat.luck.value)
    sign = "+" if value > 0 else ""
    return f"{sign}{value} ± {_margin(seat.luck.low, seat.luck.high)}"


def hundredths(value: float) -> int:
    """Return a share of the win, rounded to whole hundredths."""
    return round(value * WHOLE_WIN)


def _margin(low: float, high: float) -> int:
    """Return half an interval in hundredths, rounded up."""
    return max(1, -int(-(high - low) / 2 * WHOLE_WIN // 1))
