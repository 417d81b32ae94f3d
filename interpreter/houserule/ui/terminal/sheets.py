"""Pages on top of the screen: why, log, help, scores, the whole position."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from houserule.base.resources import Phrases
from houserule.play.seat.faces import points_of, reason_lines
from houserule.play.seat.seat_model import Moment, SeatName, WhyMove
from houserule.ui.terminal.areas import Areas, drawn_apart
from houserule.ui.terminal.look import Look, style

KEYS = (
    "number",
    "arrows",
    "enter",
    "mouse",
    "escape",
    "why",
    "search",
    "undo",
    "restart",
    "hint",
    "log",
    "position",
    "scroll",
    "quit",
)


@dataclass(frozen=True)
class Sheet:
    """A page with a title; `last` opens it at its end, as a log."""

    title: str
    body: RenderableType
    last: bool = False


def why_sheet(why: WhyMove, words: Phrases) -> Sheet:
    """Return the page that explains why a move is legal or illegal."""
    parts: list[RenderableType] = [Text(why.sentence, style=style("title")), Text()]
    for reason in why.reasons:
        holds = words.say("yes" if reason.holds else "no")
        table = Table.grid(padding=(0, 1))
        table.add_column(no_wrap=True)
        table.add_column()
        mark = Text(f"{('✓' if reason.holds else '✗')} {holds}", style=style("title"))
        first, *rest = reason_lines(reason, words.language) or [""]
        table.add_row(mark, Text(first))
        for line in rest:
            table.add_row("", Text(line, style=style("quiet")))
        parts += [table, Text()]
    if why.nearest:
        parts.append(Text(words.say("why_nearest") + ":"))
        parts += [Padding(Text(f"- {each}"), (0, 0, 0, 2)) for each in why.nearest]
    return Sheet(words.say("why"), Group(*parts))


def log_sheet(log: tuple[str, ...], words: Phrases) -> Sheet:
    """Return the page with the whole log, opened at its end."""
    told = [Text(line) for line in log] or [Text(words.say("nothing_new"))]
    return Sheet(words.say("log"), Group(*told), last=True)


def help_sheet(seats: tuple[SeatName, ...], words: Phrases) -> Sheet:
    """Return the page with the keys, and the signs of the seats."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style=style("key"), no_wrap=True)
    table.add_column()
    for key in KEYS:
        table.add_row(words.say(f"help_{key}"), words.say(f"help_{key}_does"))
    look = Look(seats)
    signs = [Text.assemble(look.sign(each.seat), f" {each.name}") for each in seats]
    said = Text.assemble(f"{words.say('help_signs')}: ", Text("   ").join(signs))
    return Sheet(
        words.say("help"), Group(table, Text(), said, Text(words.say("help_new")))
    )


def position_sheet(moment: Moment, words: Phrases) -> Sheet:
    """Return the page with the whole position."""
    areas = Areas(Look(moment.position.seats), words)
    parts = drawn_apart(areas, moment.position.areas)
    return Sheet(words.say("position"), Group(*parts))


def scores(moment: Moment, words: Phrases) -> Table:
    """Return the scores: a row for each seat, a column for each part."""
    look = Look(moment.position.seats)
    names = {each.seat: each.name for each in moment.position.seats}
    parts = list(dict.fromkeys(p.name for each in moment.scores for p in each.parts))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(words.say("scores"), header_style=style("title"))
    if any(points_of(each)[1] for each in moment.scores) or len(parts) != 1:
        table.add_column(words.say("score_total"), justify="right")
    for part in parts:
        table.add_column(Text(part), justify="right", overflow="fold")
    for each in moment.scores:
        values = {part.name: look.phrase(part.value) for part in each.parts}
        who = Text.assemble(look.sign(each.seat), f" {names.get(each.seat, '')}")
        own = [values.get(part, Text("")) for part in parts]
        total = Text(each.points, style=style("title"))
        table.add_row(who, *[total, *own][-len(table.columns) + 1 :])
    return table
