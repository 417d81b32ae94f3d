"""The clicks of whole games on the pages that the server draws.

Usage: `python -m tools.bench.clicks [GAME[:PRESET] …] [--most N] [--seed N] [--json]
[--write PAGE]`

Greedy bots decide for all seats. Before each decision it draws the page of the seat,
and searches the shortest way by links and buttons to the same choice. It counts clicks
on things of the table and on lines of the list. Opening a closed list is a click; so is
typing a number. A click decides nothing if it leads to the only step that the page
offers.
"""

# Inside: this draws the pages of seats itself, as the server does.

from __future__ import annotations

import argparse
import heapq
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import parse_qsl

from tools.bench.pages import tell
from tools.clicking import Clickable

import houserule
from houserule.engine.bots.bot import GREEDY
from houserule.engine.compiled.bots.compiled_bots import CompiledThinker, quick_bot
from houserule.engine.reference.choices import Act, Choice
from houserule.engine.reference.random_numbers import Stream
from houserule.ir.walk import factors
from houserule.play.seat.choosing import Chooser, NoSuchChoice
from houserule.play.seat.choosing.keys import member_type
from houserule.play.seat.session import Sitting
from houserule.ui.web.drawing import SeatPage, table_part
from houserule.ui.web.pages import AskedPage

MOST = 400  # decisions of a game
FAR = 3_000  # pages that are drawn for one decision
HEAD = ("table", "decisions", "clicks", "per decision", "most", "decide nothing")


@dataclass
class Row:
    """The clicks of one game.

    Attributes:
        by_clicks: how many decisions took this number of clicks.
        idle: the clicks that decide nothing.
        lost: decisions that no click on the page reaches.
        longest: the label of a decision that took the most clicks.
    """

    table: str
    by_clicks: Counter[int] = field(default_factory=Counter)
    idle: int = 0
    lost: int = 0
    longest: str = ""

    def add(self, way: Way | None, label: str) -> None:
        """Count a decision."""
        if way is None:
            self.lost += 1
            return
        if way.clicks > max(self.by_clicks, default=0):
            self.longest = label
        self.by_clicks[way.clicks] += 1
        self.idle += way.idle

    @property
    def decisions(self) -> int:
        """How many decisions the clicks reach."""
        return sum(self.by_clicks.values())

    @property
    def clicks(self) -> int:
        """The number of all clicks."""
        return sum(clicks * often for clicks, often in self.by_clicks.items())

    def cells(self) -> list[str]:
        """Return the cells of the row."""
        mean = self.clicks / max(1, self.decisions)
        numbers = [self.decisions + self.lost, self.clicks]
        most = max(self.by_clicks, default=0)
        share = f"{self.idle / max(1, self.clicks):.0%}"
        return [self.table, *map(str, numbers), f"{mean:.2f}", str(most), share]


@dataclass(frozen=True)
class Way:
    """The shortest way to a choice: its clicks, and those that decide nothing."""

    clicks: int
    idle: int


class Clicker:
    """A seat's pages at one decision.

    Args:
        sitting: the game, at a decision of a seat.
        language: the language of the pages.
    """

    def __init__(self, sitting: Sitting, language: str = "en") -> None:
        assert sitting.decision is not None, "somebody is asked"
        self._sitting, self._language = sitting, language
        self.seat = sitting.decision.seat
        words = sitting.rules.wording(language, sitting.seated.names)
        self.chooser = Chooser(sitting.rules, sitting.game, words, self.seat)
        self._moment = sitting.moment(self.seat, language)

    def page(self, query: str) -> str:
        """Return the page at an address."""
        asked = AskedPage.of(parse_qsl(query))
        step = self.chooser.onward(asked.path, asked.first, asked.about)
        return table_part(
            SeatPage(
                base="/s/SEAT",
                language=self._language,
                version=0,
                moment=self._moment,
                step=step,
                before=self.chooser.before(step.path),
                log=(),
                about=asked.about,
            )
        )

    def way(self, wanted: Choice) -> Way | None:
        """Return the shortest way to a choice; None if the page has none."""
        goal = self.chooser.path(wanted)
        order = count()
        queue: list[tuple[int, int, int, str]] = [(0, 0, next(order), "")]
        known = {_same("")}
        while queue and len(known) < FAR:
            clicks, idle, _, query = heapq.heappop(queue)
            if query.startswith("done"):
                return Way(clicks, idle)
            shown = Clickable(self.page(query))
            ends = len(shown.buttons)
            only = ends + len(shown.steps) == 1 and not ends
            for fields, hidden in zip(shown.buttons, shown.hidden, strict=True):
                path = [text for name, text in fields if name == "path"]
                if self._makes(path, wanted):
                    whole = clicks + 1 + hidden, idle + hidden, next(order), "done"
                    heapq.heappush(queue, whole)
            for before, name in shown.amounts:
                for path in (
                    [*before, key] for key in goal if key[: len(name)] == name
                ):
                    if self._makes(path, wanted):
                        heapq.heappush(queue, (clicks + 2, idle, next(order), "done"))
            for step, hidden in shown.steps.items():
                if _same(step) not in known and self._leads(step, goal):
                    known.add(_same(step))
                    on = clicks + 1 + hidden, idle + only + hidden, next(order), step
                    heapq.heappush(queue, on)
        return None

    def _makes(self, path: Sequence[str], wanted: Choice) -> bool:
        try:
            return self._seen(self.chooser.choice(path)) == self._seen(wanted)
        except NoSuchChoice:
            return False

    def _seen(self, choice: Choice | None) -> object:
        """Return a choice as a player sees it: numbered dice are only their faces."""
        if not isinstance(choice, Act):
            return choice
        game, args = self._sitting.game, list[object](choice.args)
        action = game.program.actions[choice.action]
        for at, (_, type_) in enumerate(factors(action)):
            kind = member_type(type_)
            component = game.program.components.get(str(getattr(kind, "name", "")))
            value = args[at]
            if component and component.faces:
                name, dice = component.kind.name, value
                args[at] = sorted(
                    (component.labels[d].rstrip("0123456789"), game.face(name, d))
                    for d in (dice if isinstance(dice, tuple) else (dice,))
                )
        return choice.action, args

    def _leads(self, query: str, goal: Sequence[str]) -> bool:
        """Return whether a link leads to a page with a way to a choice."""
        asked = AskedPage.of(parse_qsl(query))
        if not fits(asked.path, goal):
            return False
        if not asked.about:
            return True
        step = self.chooser.onward(asked.path, 0, asked.about)
        return any(fits([*step.path, each.key], goal) for each in step.options)


def _same(query: str) -> frozenset[tuple[str, str]]:
    """Return a step without the order of its keys."""
    pairs = parse_qsl(query)
    return frozenset((name, each) for name, text in pairs for each in text.split())


def fits(path: Iterable[str], goal: Sequence[str]) -> bool:
    """Return whether a choice, as a path of whole values, has all keys of a path."""
    values = dict(key.split("=", 1) for key in goal if "=" in key)
    for key in (each for keys in path for each in keys.split()):
        if "=" in key:
            name, text = key.split("=", 1)
            if values.get(name, "0") != text:
                return False
        elif "+" in key:
            name, text = key.split("+", 1)
            if text not in values.get(name, "").split("+"):
                return False
        elif key not in goal:
            return False
    return True


def decisions(table: houserule.Table, seed: int) -> Iterator[tuple[Sitting, Choice]]:
    """Yield a game before each of its decisions, with the choice of a greedy bot."""
    people = [f"Player {seat}" for seat in range(table.players)]
    sitting, number = table.sit(people, seed=seed), count()
    thinker = CompiledThinker(sitting.rules.program)
    while sitting.decision is not None:
        seat, stream = sitting.decision.seat, Stream.seeded(seed, next(number), "bot")
        choice = quick_bot(GREEDY, seat, stream, thinker).choose(sitting.game)
        yield sitting, choice
        sitting.choose(seat, choice)


def measure(game: str, seed: int, most: int) -> Row:
    """Count the clicks of one game, up to a number of decisions."""
    name, _, preset = game.partition(":")
    row = Row(game)
    table = houserule.load(name).table(preset=preset or None)
    for number, (sitting, choice) in enumerate(decisions(table, seed)):
        if number >= most:
            break
        clicker = Clicker(sitting)
        row.add(clicker.way(choice), clicker.chooser.label(choice))
    return row


def main(arguments: Sequence[str] | None = None) -> None:
    """Count the clicks of games, and print them as a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME[:PRESET]")
    parser.add_argument("--most", type=int, default=MOST, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    chosen = parser.parse_args(arguments)
    rows = []
    for game in chosen.games or [each.id for each in houserule.shipped()]:
        rows.append(measure(game, chosen.seed, chosen.most))
        more = f"lost {rows[-1].lost}, longest: {rows[-1].longest}"
        print("  ".join([*rows[-1].cells(), more]), file=sys.stderr)
    all_rows = [each.cells() for each in rows]
    tell("clicks", HEAD, all_rows, [asdict(each) for each in rows], chosen)


if __name__ == "__main__":
    main()
