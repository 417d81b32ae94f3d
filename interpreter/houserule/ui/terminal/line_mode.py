"""Line mode: print events, the question and the answers; read a line; repeat.

It draws nothing, so it works in every terminal, in a pipe, and with a screen reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import assert_never

from houserule.base.resources import FALLBACK, Phrases
from houserule.play.seat.faces import end_lines, points_of, reason_lines
from houserule.play.seat.seat_model import (
    BoardPiece,
    Chart,
    ChoiceStep,
    Phrase,
    SeenArea,
    SeenBoard,
    SeenFact,
    SeenFacts,
    SeenPiece,
    SeenPieces,
    StepOption,
    WhyMove,
)
from houserule.ui.terminal.keyboard import SharedKeyboard, Stage
from houserule.ui.terminal.screen import offered

COMMANDS = (
    "why",
    "back",
    "undo",
    "restart",
    "hint",
    "log",
    "position",
    "again",
    "help",
    "quit",
)
LISTED = 30

Say = Callable[[str], None]
Ask = Callable[[str], str | None]
"""Returns the line typed at a prompt; None at the end of the input."""


class LineMode:
    """Plays by lines of text.

    Args:
        say: prints a line.
        ask: reads a line.
        clear: clears the screen before the next player's turn.
    """

    def __init__(
        self,
        keyboard: SharedKeyboard,
        language: str,
        say: Say,
        ask: Ask,
        clear: Callable[[], None],
    ) -> None:
        self._keyboard = keyboard
        self._say, self._ask, self._clear = say, ask, clear
        self._words = Phrases("terminal", language)
        english = Phrases("terminal", FALLBACK)
        self._commands = {
            word: command
            for command in COMMANDS
            for words in (self._words, english)
            for word in words.say(f"command_{command}").split(" ")
        }
        both = self._words.say("command_all"), english.say("command_all")
        self._every = frozenset(both)  # behind `hint`
        self._found: ChoiceStep | None = None
        self._told_to: int | None = None
        self._leaving = False

    def play(self) -> None:
        """Play until the user leaves or the input ends."""
        self._tell()
        while not self._leaving:
            match self._keyboard.stage:
                case Stage.BOTS:
                    self._let_bots_play()
                case Stage.OVER | Stage.HAND_OVER:
                    self._hand_over()
                case Stage.CHOICE | Stage.END:
                    self._command()

    def _let_bots_play(self) -> None:
        while self._keyboard.stage is Stage.BOTS:
            self._keyboard.advance()
        self._tell()

    # ---- output

    def _tell(self) -> None:
        """Print events and the current question."""
        keyboard = self._keyboard
        self._found = None
        if keyboard.stage in (Stage.BOTS, Stage.HAND_OVER):
            return  # events are printed once there is a viewer
        for line in keyboard.news:
            self._say(line)
        self._say("")
        self._say(keyboard.moment.heading)
        if keyboard.stage is Stage.END:
            moment = keyboard.moment
            if moment.ended is None:
                return
            self._say(moment.ended.why)
            self._say(moment.ended.result)
            for line in end_lines(moment.ended, self._words.language):
                self._say(line)
            names = {each.seat: each.name for each in moment.position.seats}
            for score in moment.scores:
                points, by_part = points_of(score)
                parts = [f"{part.name} {part.value.text}" for part in by_part]
                behind = f" ({', '.join(parts)})" if parts else ""
                self._say(f"{names.get(score.seat, '')}: {points}{behind}")
        elif keyboard.stage is Stage.CHOICE:
            if self._told_to != keyboard.viewer or not keyboard.path:
                self._tell_position()
                self._told_to = keyboard.viewer
            self._tell_step(keyboard.step)

    def _tell_position(self) -> None:
        moment = self._keyboard.moment
        names = {each.seat: each.name for each in moment.position.seats}
        spoken = Spoken(self._words, names)
        for area in moment.position.areas:
            for line in spoken.area(area):
                self._say(line)

    def _tell_step(self, step: ChoiceStep | None) -> None:
        if step is None:
            return
        said = ", ".join(step.said)
        before = self._words.say("way_back", said=said) if said else ""
        self._say(f"{step.asks} ({before})" if before else step.asks)
        for option in offered(step)[:LISTED]:
            advice = [self._words.say("better_not", why=why) for why in option.advice]
            label, words = option.label, self._words
            if not option.count:
                label += f" ({words.say('not_now_line')})"
            elif not option.complete and option.count > 1:
                ways = "ways_more" if option.more else "ways"
                label += f" ({words.say(ways, count=option.count)})"
            self._say(f"{option.number}. {'; '.join([label, *advice])}")
        if step.total > min(LISTED, len(step.options)):
            shown = min(LISTED, len(step.options))
            self._say(self._words.say("more_by_line", shown=shown, total=step.total))

    # ---- input

    def _hand_over(self) -> None:
        keyboard = self._keyboard
        assert keyboard.coming is not None, "the keyboard changes hands"
        who = keyboard.name(keyboard.coming)
        over = keyboard.stage is Stage.OVER
        phrase = "your_turn_over" if over else "hand_over"
        line = self._ask(self._words.say(phrase, who=who))
        if line is None or self._commands.get(line.strip().lower()) == "quit":
            self._leaving = True
            return
        keyboard.go_on()
        if over:
            self._clear()
        else:
            self._tell()

    def _command(self) -> None:
        keyboard = self._keyboard
        ended = keyboard.stage is Stage.END
        line = self._ask(self._words.say("prompt_end" if ended else "prompt"))
        if line is None:
            self._leaving = True
            return
        said = line.strip()
        if not said:
            self._tell_step(self._step)
        elif said.isdecimal():
            step, option = self._step, self._numbered(said)
            if step is None or option is None:
                last = max((each.number for each in offered(step)), default=0)
                last = max(last, step.total if step else 0)
                self._say(self._words.say("no_such_number", last=last))
            elif not option.count:
                self._tell_why(self._keyboard.why(option))
            else:
                self._take(step, option)
        else:
            first, _, rest = said.partition(" ")
            known = self._commands.get(first.lower())
            if first.startswith("?"):
                known, rest = "why", said[1:].strip()
            every = known == "hint" and rest.lower() in self._every
            if known is None or (rest and not every and known not in ("why", "again")):
                found = (
                    keyboard.narrow(said) if keyboard.stage is Stage.CHOICE else None
                )
                meant = offered(found)
                if found is None or not meant:
                    self._say(self._words.say("nothing_fits"))
                elif len(meant) > 1:
                    self._found = found
                    self._tell_step(found)
                elif not meant[0].count:
                    self._tell_why(keyboard.why(meant[0]))
                else:
                    self._say(meant[0].label)
                    self._take(found, meant[0])
                return
            match known:
                case "quit":
                    self._leaving = True
                case "help":
                    self._say(self._words.say("help_line"))
                case "log":
                    for line in keyboard.log():
                        self._say(line)
                case "position":
                    self._tell_position()
                case "again":
                    if self._keyboard.stage is Stage.END:
                        self._keyboard = self._keyboard.rematch()
                    self._tell()
                case _ if keyboard.stage is not Stage.CHOICE:
                    self._say(self._words.say("nothing_to_undo"))
                case _:
                    self._of_choice(known, rest)

    @property
    def _step(self) -> ChoiceStep | None:
        return self._found or self._keyboard.step

    def _numbered(self, said: str) -> StepOption | None:
        step = self._step
        whole = step is not None and step is self._keyboard.step and said.isdecimal()
        if step and whole and len(step.options) < int(said) <= step.total:
            step = self._keyboard.further(int(said) - 1)
        return next((o for o in offered(step) if str(o.number) == said), None)

    def _take(self, step: ChoiceStep, option: StepOption) -> None:
        self._keyboard.take((*step.path, option.key), option.complete)
        self._found = None
        if option.complete:
            self._tell()
        else:
            self._tell_step(self._keyboard.step)

    def _of_choice(self, known: str, rest: str) -> None:
        keyboard = self._keyboard
        assert keyboard.viewer is not None, "who chooses looks"
        match known:
            case "why":
                if not rest:
                    self._say(self._words.say("why_which"))
                    return
                found = self._numbered(rest) or next(
                    iter(offered(self._keyboard.narrow(rest))), None
                )
                if found is None:
                    self._say(self._words.say("nothing_fits"))
                else:
                    self._tell_why(self._keyboard.why(found))
            case "back":
                keyboard.back()
                self._found = None
                self._tell_step(keyboard.step)
            case "hint" if rest:
                for value in keyboard.values():
                    self._say(value)
            case "hint":
                what = keyboard.hint()
                self._say(self._words.say("hint_is", what=what))
            case _:
                words = self._words
                if keyboard.undo(whole_turn=known == "restart"):
                    self._say(words.say("undone"))
                    self._tell()
                    return
                if not keyboard.can_ask_undo():
                    self._say(words.say("nothing_to_undo"))
                    return
                answer = self._ask(words.say("everybody_line"))
                if (
                    answer is None
                    or answer.strip().lower() not in words.say("agreed").split()
                ):
                    return
                taken = keyboard.undo_agreed()
                self._say(words.say("undone" if taken else "nothing_to_undo"))
                if taken:
                    self._tell()

    def _tell_why(self, why: WhyMove) -> None:
        words = self._words
        self._say(why.sentence)
        for reason in why.reasons:
            holds = words.say("yes" if reason.holds else "no")
            said = " ".join(reason_lines(reason, words.language))
            self._say(f"{holds}: {said}")
        if why.nearest:
            self._say(f"{words.say('why_nearest')}: {'; '.join(why.nearest)}.")


# ---- areas as sentences, for screen readers


class Spoken:
    """Describes areas in sentences.

    Args:
        words: the general phrases, in the listener's language.
        names: the seats' names, which replace the signs on a screen.
    """

    def __init__(self, words: Phrases, names: dict[int, str]) -> None:
        self._words, self._names = words, names

    def area(self, area: SeenArea) -> Iterator[str]:
        match area:
            case Chart():
                yield f"{area.title}:"
                for row in area.rows:
                    cells = zip(area.columns, row.cells, strict=True)
                    said = [
                        f"{column} {self._phrase(cell)}".strip()
                        for column, cell in cells
                        if cell.text
                    ]
                    yield f"{row.head.text}: {', '.join(said) or '-'}."
            case SeenBoard():
                yield f"{area.title}:"
                wide = len(area.cells[0]) if area.cells else 0
                heads = area.column_heads or [""] * wide
                columns = [head or str(nth) for nth, head in enumerate(heads, 1)]
                over = [
                    f"{columns[nth]}: {self._phrase(each)}"
                    for nth, each in enumerate(area.over)
                    if each.text
                ]
                if over:
                    yield f"{area.over_title}: {', '.join(over)}."
                for spot in area.spots:
                    cell = area.cells[spot.row][spot.column]
                    lying = " ".join(map(self._phrase, cell)) or area.empty
                    yield f"{spot.name}: {lying}."
                for at, line in enumerate(() if area.spots else area.cells):
                    head = area.row_heads[at] if area.row_heads else str(at + 1)
                    said = [
                        f"{columns[nth]}: {lying}"
                        for nth, cell in enumerate(line)
                        if (lying := " ".join(self._lying(area, at, nth, cell)))
                    ]
                    if said:
                        yield f"{self._words.say('row', row=head)}: {', '.join(said)}."
                if area.beside:
                    yield ", ".join(map(self._phrase, area.beside)) + "."
                if area.legend:
                    yield ", ".join(each.text for each in area.legend) + "."
            case SeenPieces():
                if not area.pieces:
                    count = str(area.count) if area.count else self._words.say("empty")
                    yield f"{area.title}: {count}."
                    return
                pieces = [
                    self._several(piece, len(list(same)), area.seat)
                    for piece, same in groupby(area.pieces)
                ]
                rest = area.count - len(area.pieces)
                if rest > 0:
                    pieces.append(self._words.say("more_pieces", count=rest))
                yield f"{area.title} ({area.count}): {'; '.join(pieces)}."
            case SeenFacts():
                facts = ", ".join(map(self._fact, area.facts))
                yield f"{area.title}: {facts}."
            case _:
                assert_never(area)

    def _several(self, piece: SeenPiece, count: int, owner: int | None) -> str:
        name = piece.name if count == 1 else f"{count} {piece.name}"
        if piece.face is not None:
            name += f": {piece.face}"
        whose = self._names.get(piece.seat, "") if piece.seat is not None else ""
        if piece.seat != owner and whose not in name:
            name += f", {whose}"
        if piece.facts:
            name += f" ({', '.join(map(self._fact, piece.facts))})"
        return name

    def _fact(self, fact: SeenFact) -> str:
        behind = ":" if fact.name.isdecimal() else ""
        return f"{fact.name}{behind} {self._phrase(fact.value)}"

    def _lying(
        self, area: SeenBoard, row: int, column: int, cell: Sequence[BoardPiece]
    ) -> Iterator[str]:
        """Say the ground of a place in words if it has lines, then what lies there."""
        ground = area.grounds[row][column] if area.grounds else None
        lined = ground is not None and bool(ground.ways)
        if ground is not None and lined:
            yield ground.text
        for each in cell:
            drawn = each.look is not None and each.look.kind == "ground"
            if not drawn or not (lined or each.text == area.empty):
                yield self._phrase(each)

    def _phrase(self, phrase: Phrase) -> str:
        name = self._names.get(phrase.seat, "") if phrase.seat is not None else ""
        if not name or name in phrase.text:
            return phrase.text
        return f"{phrase.text} ({name})" if phrase.text else name
