"""The full screen without a terminal: it handles keys and clicks, and draws.

A key is a letter or one of `Key`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from houserule.base.resources import Phrases
from houserule.play.seat.faces import marks
from houserule.play.seat.seat_model import ChoiceStep, StepOption
from houserule.ui.terminal.keyboard import SharedKeyboard, Stage
from houserule.ui.terminal.look import Line
from houserule.ui.terminal.screen import (
    Picture,
    clear_screen,
    draw,
    draw_sheet,
    offered,
)
from houserule.ui.terminal.sheets import (
    Sheet,
    help_sheet,
    log_sheet,
    position_sheet,
    why_sheet,
)

Key: TypeAlias = Literal[
    "up", "down", "pageup", "pagedown", "home", "end", "enter", "escape", "tab",
    "backspace", "f1",
]  # fmt: skip
PAGE = 8


class Face:
    """The state of the screen beyond the game: marked line, pages, typed text.

    Attributes:
        leaving: the user wants to leave.
    """

    def __init__(self, keyboard: SharedKeyboard, language: str) -> None:
        self.keyboard = keyboard
        self.words = Phrases("terminal", language)
        self.leaving = False
        self._sheet: Sheet | None = None
        self._sheet_scroll: int | None = None
        self._asking_all = False
        self._note = ""
        self._fresh()

    def _fresh(self) -> None:
        """Restart a step: nothing typed, its first line marked."""
        self._highlighted, self._digits, self._scroll = 0, "", 0
        self._typed: str | None = None
        self._narrowed: ChoiceStep | None = None

    @property
    def thinking(self) -> bool:
        """Whether a bot must decide; then call `advance`."""
        return self.keyboard.stage is Stage.BOTS

    def advance(self) -> None:
        """Let a bot decide."""
        self.keyboard.advance()
        self._fresh()

    # ---- drawing

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the rows of the screen."""
        keyboard, words = self.keyboard, self.words
        if keyboard.stage is Stage.HAND_OVER and keyboard.coming is not None:
            who = keyboard.name(keyboard.coming)
            why = words.say("hand_over_why")
            return clear_screen(words.say("hand_over", who=who), why, width, height)
        if self._sheet is not None:
            rows, self._sheet_scroll = draw_sheet(
                self._sheet, words, width, height, self._sheet_scroll
            )
            return rows
        typed = self._typed
        completions: tuple[str, ...] = ()
        if typed is not None and keyboard.viewer is not None:
            completions = keyboard.completions(typed)
        return draw(
            Picture(
                moment=keyboard.moment,
                step=self._step,
                highlighted=self._highlighted,
                news=keyboard.news,
                log=keyboard.log(),
                typed=typed,
                completions=completions,
                note=self._said(),
                keys=self._keys(),
                scroll=self._scroll,
            ),
            words,
            width,
            height,
        )

    def _said(self) -> str:
        keyboard, words = self.keyboard, self.words
        if self._asking_all:
            return words.say("everybody")
        if keyboard.stage is Stage.BOTS:
            names = [keyboard.name(seat) for seat in keyboard.moment.acting]
            if not names:
                return words.say("waiting_answers")
            return words.say("thinking", who=", ".join(names))
        if keyboard.stage is Stage.OVER and keyboard.coming is not None:
            who = keyboard.name(keyboard.coming)
            return words.say("your_turn_over", who=who)
        return self._note

    def _keys(self) -> tuple[str, ...]:
        stage = self.keyboard.stage
        if self._typed is not None:
            return "keys_choose", "keys_complete", "keys_back"
        if stage is Stage.END:
            return "keys_rematch", "keys_log", "keys_quit"
        if stage is not Stage.CHOICE:
            return "keys_on", "keys_log", "keys_quit"
        back = ("keys_back",) if self.keyboard.path else ()
        undo = ("keys_undo",) if self.keyboard.moment.undo else ()
        rest = "keys_why", "keys_search", *undo, "keys_log", "keys_help", "keys_quit"
        return "keys_choose", *back, *rest

    @property
    def _step(self) -> ChoiceStep | None:
        return self._narrowed or self.keyboard.step

    @property
    def _options(self) -> tuple[StepOption, ...]:
        return offered(self._step)

    # ---- keys

    def press(self, key: str) -> None:
        """Handle a key; ignore a key that has no meaning now."""
        if self._sheet is not None:
            at = self._sheet_scroll or 0
            steps = {"up": -1, "down": 1, "pageup": -PAGE, "pagedown": PAGE}
            if key in steps:
                self._sheet_scroll = at + steps[key]
            elif key in ("home", "end"):
                self._sheet_scroll = 0 if key == "home" else 10**6
            else:
                self._sheet = None
        elif self._asking_all:
            self._asking_all = False
            if key not in self.words.say("agreed").split():
                return
            taken = self.keyboard.undo_agreed()
            if taken:
                self._fresh()
            self._note = self.words.say("undone" if taken else "nothing_to_undo")
        elif self._typed is not None:
            typed = self._typed or ""
            match key:
                case "escape":
                    self._fresh()
                case "up" | "down":
                    self._move(-1 if key == "up" else 1)
                case "enter":
                    self._choose(self._highlighted)
                case "tab":
                    found = self.keyboard.completions(typed)
                    if found:
                        *before, _ = typed.split(" ")
                        self._search(" ".join([*before, found[0], ""]))
                case "backspace":
                    self._search(typed[:-1])
                case _ if len(key) == 1 and key.isprintable():
                    self._search(typed + key)
        elif key == "q":
            self.leaving = True
        elif self.keyboard.stage in (Stage.OVER, Stage.HAND_OVER):
            if key == "enter":
                self.keyboard.go_on()
                self._fresh()
            elif self.keyboard.stage is Stage.OVER:
                self._press(key)
        else:
            self._press(key)

    def _press(self, key: str) -> None:
        self._note = ""
        if key.isdecimal() and len(key) == 1:
            # A number chooses at once if no longer number begins with it.
            numbers = [str(option.number) for option in self._options]
            for digits in (self._digits + key, key):
                longer = [each for each in numbers if each.startswith(digits)]
                if longer:
                    break
            self._digits = digits if longer else ""
            if digits in numbers:
                self._highlighted = numbers.index(digits)
            if longer == [digits]:
                self._choose(self._highlighted)
            return
        self._digits = ""
        match key:
            case "up" | "down":
                self._move(-1 if key == "up" else 1)
            case "home" | "end":
                self._move(-len(self._options) if key == "home" else 10**6)
            case "pageup" | "pagedown":
                self.scroll(-PAGE if key == "pageup" else PAGE)
            case "enter":
                self._choose(self._highlighted)
            case "escape" | "backspace":
                if self.keyboard.back():
                    self._fresh()
            case "u" | "U":
                if self.keyboard.undo(whole_turn=key == "U"):
                    self._fresh()
                    self._note = self.words.say("undone")
                elif self.keyboard.can_ask_undo():
                    self._asking_all = True
                else:
                    self._note = self.words.say("nothing_to_undo")
            case "r" if self.keyboard.stage is Stage.END:
                self.keyboard = self.keyboard.rematch()
                self._fresh()
            case _:
                keyboard, words = self.keyboard, self.words
                choosing = (
                    keyboard.stage is Stage.CHOICE and keyboard.viewer is not None
                )
                match key:
                    case "l":
                        self._show(log_sheet(keyboard.log(), words))
                    case "p":
                        self._show(position_sheet(keyboard.moment, words))
                    case "f1":
                        self._show(help_sheet(keyboard.moment.position.seats, words))
                    case "?" if choosing and self._options:
                        option = self._options[self._highlighted]
                        self._show(why_sheet(keyboard.why(option), words))
                    case "/" if choosing:
                        self._typed = ""
                    case "h" if choosing and keyboard.viewer is not None:
                        what = keyboard.hint()
                        self._note = words.say("hint_is", what=what)

    def _move(self, by: int) -> None:
        last = max(0, len(self._options) - 1)
        self._highlighted = max(0, min(self._highlighted + by, last))

    def _choose(self, at: int) -> None:
        step, options = self._step, self._options
        if step is None or at >= len(options):
            return
        option = options[at]
        if not option.count:
            self._show(why_sheet(self.keyboard.why(option), self.words))
            return
        self.keyboard.take((*step.path, option.key), option.complete)
        self._fresh()

    # ---- pages, search, mouse

    def _show(self, sheet: Sheet) -> None:
        self._sheet, self._sheet_scroll = sheet, None

    def _search(self, typed: str) -> None:
        self._typed, self._highlighted = typed, 0
        self._narrowed = self.keyboard.narrow(typed) if typed.strip() else None

    def scroll(self, by: int) -> None:
        """Scroll the open page, else the position, by this many rows."""
        if self._sheet is not None:
            self._sheet_scroll = (self._sheet_scroll or 0) + by
        else:
            self._scroll = max(0, self._scroll + by)

    def click(self, meta: Mapping[str, object]) -> None:
        """Handle a click on drawn text; `meta` is the text's target."""
        match meta:
            case _ if self._sheet is not None:
                self._sheet = None
            case {"option": int(at)}:
                self._choose(at)
            case {"piece": (str(area), str(piece))}:
                # If several options are about a component, highlight the next one.
                options = enumerate(self._options)
                about = [
                    at
                    for at, option in options
                    if any(marks(mark, area, piece) for mark in option.marks)
                ]
                if len(about) == 1:
                    self._choose(about[0])
                elif about:
                    later = [at for at in about if at > self._highlighted]
                    self._highlighted = (later or about)[0]
            case _:
                pass
