"""The whole screen as rows: bar, events, position, choice, keys.

Below `WIDE` columns, these are stacked; above, players and log are beside the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from houserule.base.resources import Phrases
from houserule.play.seat.faces import end_lines, points_of
from houserule.play.seat.seat_model import ChoiceStep, Moment, StepOption
from houserule.ui.terminal.areas import Areas, drawn_apart
from houserule.ui.terminal.look import Line, Look, lines, padded, style
from houserule.ui.terminal.sheets import Sheet, scores

WIDE = 120
SMALLEST = (30, 10)
NEWS = 4
PLAYERS_WIDTH, LOG_WIDTH = 26, 42
TITLE = 14  # with less room beside the heading, the game's title is omitted


@dataclass(frozen=True)
class Picture:
    """Everything that the screen shows.

    Attributes:
        step: the next step of the viewer's choice, if there is one.
        highlighted: the index of the highlighted line, from 0; closed options are last.
        news: events since the viewer's last choice.
        log: the whole log, for wide screens.
        typed: the text after `/`; None without a search.
        completions: completions of the typed text.
        note: a temporary sentence above the keys.
        keys: the phrases of the active keys.
        scroll: the number of rows of the position that are hidden above.
    """

    moment: Moment
    step: ChoiceStep | None = None
    highlighted: int = 0
    news: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    typed: str | None = None
    completions: tuple[str, ...] = ()
    note: str = ""
    keys: tuple[str, ...] = ()
    scroll: int = 0


def offered(step: ChoiceStep | None) -> tuple[StepOption, ...]:
    """Return the lines of a step: open options, then closed ones.

    An option's number is not its index here.
    """
    return (*step.options, *step.closed) if step else ()


def draw(picture: Picture, words: Phrases, width: int, height: int) -> list[Line]:
    """Return exactly `height` rows of `width` columns."""
    if (width, height) < SMALLEST or height < SMALLEST[1]:
        return _exactly(lines(Text(words.say("too_small")), width), width, height)
    return _Drawing(picture, words, width, height).rows()


def draw_sheet(
    sheet: Sheet, words: Phrases, width: int, height: int, scroll: int | None
) -> tuple[list[Line], int]:
    """Return the rows of a page, and its scroll position; None is the initial one."""
    body = lines(sheet.body, min(width, 100))
    room = height - 3
    most = max(0, len(body) - room)
    at = (most if sheet.last else 0) if scroll is None else max(0, min(scroll, most))
    keys = ["keys_close"] + (["keys_scroll"] if most else [])
    rows = [
        *lines(Text(sheet.title, style=Style(bold=True, reverse=True)), width),
        *_exactly(body[at : at + room], width, room),
        [Segment(_more(at, most - at, words), style("quiet"))],
        *_keys(keys, words, width)[:1],
    ]
    return _exactly(rows, width, height), at


def clear_screen(text: str, why: str, width: int, height: int) -> list[Line]:
    """Return a screen that shows only whose turn is next."""
    body = lines(Group(Text(text, style=style("title")), Text(), Text(why)), width - 4)
    above: list[Line] = [[] for _ in range(max(0, (height - len(body)) // 3))]
    return _exactly([*above, *([Segment("  "), *row] for row in body)], width, height)


@dataclass
class _Drawing:
    picture: Picture
    words: Phrases
    width: int
    height: int
    look: Look = field(init=False)

    def __post_init__(self) -> None:
        self.look = Look(self.picture.moment.position.seats)

    def rows(self) -> list[Line]:
        rows = lines(Text(self.picture.note, style=style("title")), self.width)
        note = rows[:3] if self.picture.note else []
        feet = [*note, *_keys(self.picture.keys, self.words, self.width)]
        room = self.height - 1 - len(feet)
        if self.width >= WIDE:
            middle = self.width - PLAYERS_WIDTH - LOG_WIDTH - 4
            left = _exactly(lines(self._players(), PLAYERS_WIDTH), PLAYERS_WIDTH, room)
            centre = _exactly(self._stacked(middle, room, []), middle, room)
            news = len(self.picture.news)
            log = self.picture.log[-self.height :]
            old = max(0, len(log) - news)
            shown = [
                _told(line, "quiet" if at < old else "") for at, line in enumerate(log)
            ]
            title = Text(self.words.say("log"), style=style("title"))
            rows = lines(Group(*shown) if shown else title, LOG_WIDTH)
            right = _exactly(rows[-room:], LOG_WIDTH, room)
            gap = Segment("  ")
            body = [
                [*one, gap, *two, gap, *three]
                for one, two, three in zip(left, centre, right, strict=True)
            ]
        else:
            told = [_told(line, "quiet") for line in self.picture.news]
            rows = lines(Group(*told), self.width) if told else []
            body = self._stacked(self.width, room, rows[-max(NEWS, self.height // 6) :])
        moment = self.picture.moment
        seat = moment.acting[0] if len(moment.acting) == 1 else moment.position.viewer
        ground = self.look.bar(seat)
        sign = f"{self.look.sign(seat).plain} " if seat is not None else ""
        line = [Segment(f" {sign}{moment.heading}")]
        rest = self.width - Segment.get_line_length(line)
        title = Text(f"{moment.game} ")
        if rest >= TITLE:
            title.truncate(rest - 2, overflow="ellipsis")
            space = rest - title.cell_len
            line += [Segment(" " * space), Segment(title.plain)]
        return _exactly(
            [list(Segment.apply_style(padded(line, self.width), ground)), *body, *feet],
            self.width,
            self.height,
        )

    # ---- events, position, choice

    def _stacked(self, width: int, room: int, news: list[Line]) -> list[Line]:
        moment, step = self.picture.moment, self.picture.step
        about = step.about if step else ()
        possible = offered(step)
        at = self.picture.highlighted
        lit = possible[at].marks if at < len(possible) else ()
        open_to = frozenset(mark for each in possible for mark in each.marks)
        areas = Areas(self.look, self.words, open_to, lit)
        ordered = sorted(moment.position.areas, key=lambda area: area.key not in about)
        parts: list[RenderableType] = []
        if moment.ended is not None:
            if moment.scores:
                parts += (scores(moment, self.words), Text())
            if told := end_lines(moment.ended, self.words.language):
                parts += (*(Text(line, style=style("quiet")) for line in told), Text())
        parts += drawn_apart(areas, ordered)
        position = lines(Group(*parts), width) if parts else []
        # the question, the rows of the options, and the highlighted rows
        asked: list[Line] = []
        options: list[Line] = []
        marked = range(0)
        if moment.ended is not None:
            won = Text(moment.ended.result, style=style("title"))
            asked = lines(Group(Text(moment.ended.why), won), width)
        elif step is not None:
            words = self.words
            question = Text(step.asks, style=style("title"))
            if self.picture.typed is not None:
                ahead = "  ".join(self.picture.completions[:4])
                question = Text.assemble(
                    (f"{words.say('search')}: ", style("title")),
                    f"{self.picture.typed}▏ ",
                    (ahead, style("quiet")),
                )
            elif step.said:
                way = words.say("way_back", said=", ".join(step.said))
                question = Text.assemble(question, (f"  ({way})", style("quiet")))
            asked = lines(question, width)
            for number, option in enumerate(possible):
                drawn = lines(self._option(number, option), width)
                if number == self.picture.highlighted:
                    marked = range(len(options), len(options) + len(drawn))
                options += drawn
            hidden = step.total - len(step.options)
            if hidden > 0:
                listed = len(step.options)
                more = words.say("more_options", shown=listed, total=step.total)
                options += lines(Text(more, style=style("quiet")), width)
        wanted = len(asked) + len(options)
        third = max(self.height // 3, len(asked) + 3)
        spare = room - len(news) - len(position) - 1
        for_choice = min(wanted, max(third, spare))
        # a window of the options that includes the highlighted one
        for_options = for_choice - len(asked)
        first = max(0, min(marked.start - for_options // 2, len(options) - for_options))
        if marked:
            first = min(first, marked.start)
        shown = options[first : first + max(for_options, 0)]
        for_position = room - len(news) - for_choice - 1
        most = max(0, len(position) - for_position)
        at = min(self.picture.scroll, most)
        cut, line = position[at : at + for_position], _more(at, most - at, self.words)
        rule = [Segment(line.ljust(width), style("quiet"))]
        below = [*asked, *shown]
        return [*news, *_exactly(cut, width, for_position), rule, *below]

    def _option(self, at: int, option: StepOption) -> RenderableType:
        marked = at == self.picture.highlighted
        sign = "▸" if marked else " "
        number = Text(f"{sign}{option.number:>2} ", style=style("key"))
        label = Text(option.label)
        if not option.count:
            label = Text.assemble(
                "✗ ", label, (f"  ({self.words.say('not_now')})", style("quiet"))
            )
            label.stylize(style("closed"))
        elif not option.complete and option.count > 1:
            ways = self.words.say(
                "ways_more" if option.more else "ways", count=option.count
            )
            label = Text.assemble(label, (f"  ({ways})", style("quiet")))
        for why in option.advice:
            better = self.words.say("better_not", why=why)
            label = Text.assemble(label, "\n", (better, style("advice")))
        if marked:
            label.stylize(style("chosen"))
        for text in (number, label):
            text.stylize(Style(meta={"option": at}))
        grid = Table.grid()
        grid.add_column(no_wrap=True)
        grid.add_column()
        grid.add_row(number, label)
        return grid

    # ---- three columns

    def _players(self) -> RenderableType:
        moment, words = self.picture.moment, self.words
        scored = {each.seat: each for each in moment.scores}
        title = Text(words.say("the players"), style=style("title"))
        parts: list[RenderableType] = [title]
        for each in moment.position.seats:
            acting = "▸" if each.seat in moment.acting else " "
            who = Text.assemble(acting, self.look.sign(each.seat), f" {each.name}")
            if each.seat == moment.position.viewer:
                who.append(f" ({words.say('you')})")
            elif each.bot:
                who.append(f" ({words.say('bot')})")
            parts.append(who)
            score = scored.get(each.seat)
            if score is not None:
                points, by_part = points_of(score)
                parts.append(Padding(Text(points), (0, 0, 0, 3)))
                parts += (
                    Padding(
                        Text(f"{part.name}: {part.value.text}", style=style("quiet")),
                        (0, 0, 0, 3),
                    )
                    for part in by_part
                )
            parts.append(Text())
        return Group(*parts)


def _exactly(rows: Sequence[Line], width: int, height: int) -> list[Line]:
    """Return rows cut and padded to a size."""
    empty: list[Line] = [[] for _ in range(max(0, height - len(rows)))]
    return [padded(row, width) for row in [*rows[:height], *empty]]


def _told(line: str, look: str) -> Padding:
    """Return a wrapped line of the log, with its indent."""
    own = line.lstrip()
    said = Text(own, style=style(look) if look else "")
    return Padding(said, (0, 0, 0, len(line) - len(own)), expand=False)


def _more(above: int, below: int, words: Phrases) -> str:
    """Return the note on hidden rows, or an empty text."""
    if above and below:
        return words.say("more_both", above=above, below=below)
    if above:
        return words.say("more_above", count=above)
    return words.say("more_below", count=below) if below else ""


def _keys(keys: Sequence[str], words: Phrases, width: int) -> list[Line]:
    """Return the keys' actions; the words for one key stay together."""
    rows: list[str] = []
    for said in map(words.say, keys):
        longer = f"{rows[-1]}   {said}" if rows else said
        if rows and cell_len(longer) <= width:
            rows[-1] = longer
        else:
            rows.append(said)
    return [[Segment(row, style("quiet"))] for row in rows]
