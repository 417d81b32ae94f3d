"""The full screen in a terminal: show rows, read keys and clicks."""

from __future__ import annotations

import os
from collections.abc import Mapping

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from rich.segment import Segment

from houserule.ui.terminal.face import Face
from houserule.ui.terminal.look import Line

WHEEL = 3

KEYS: Mapping[Keys, str] = {
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.PageUp: "pageup",
    Keys.PageDown: "pagedown",
    Keys.Home: "home",
    Keys.End: "end",
    Keys.Enter: "enter",
    Keys.ControlJ: "enter",
    Keys.Escape: "escape",
    Keys.Left: "escape",
    Keys.Tab: "tab",
    Keys.Backspace: "backspace",
    Keys.F1: "f1",
}


def play(
    face: Face, terminal: Input | None = None, output: Output | None = None
) -> None:
    """Play until the user leaves.

    Args:
        terminal: the source of keys, if not the process's own terminal.
        output: the output, if not the process's own terminal.

    Raises:
        KeyboardInterrupt: the user pressed Ctrl-C.
        Exception: any error in the game.
    """
    _Screen(face, terminal, output).run()


class _Screen(UIControl):
    def __init__(
        self, face: Face, terminal: Input | None, output: Output | None
    ) -> None:
        self.face = face
        self.rows: list[Line] = []
        colourless = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None
        bindings = KeyBindings()

        @bindings.add(Keys.Any)
        def press(event: KeyPressEvent) -> None:
            pressed = event.key_sequence[-1]
            key = pressed.key
            name = KEYS.get(key, "") if isinstance(key, Keys) else key
            if not self.face.thinking or name == "q":
                self.face.press(name)  # else it may be meant for the next screen
                self._after()

        for key in KEYS:
            bindings.add(key)(press)

        @bindings.add(Keys.ControlC)
        def interrupt(event: KeyPressEvent) -> None:
            event.app.exit(exception=KeyboardInterrupt())

        self.application: Application[None] = Application(
            Layout(Window(self, always_hide_cursor=True)),
            key_bindings=bindings,
            full_screen=True,
            mouse_support=True,
            color_depth=colourless,
            input=terminal,
            output=output,
        )
        # Escape alone goes one step back, so it must not wait for an escape sequence.
        self.application.ttimeoutlen = 0.05
        self.application.timeoutlen = 0.05

    def run(self) -> None:
        """Show the screen until the user leaves."""
        self.application.run(pre_run=self._let_bots_play)

    def _after(self) -> None:
        if self.face.leaving:
            self.application.exit()
        else:
            self._let_bots_play()

    def _let_bots_play(self) -> None:
        if self.face.thinking:
            self.application.create_background_task(self._bots())

    async def _bots(self) -> None:
        """Let bots decide in the background while the screen shows it."""
        loop = self.application.loop
        assert loop is not None, "the screen is shown"
        while self.face.thinking and not self.face.leaving:
            await loop.run_in_executor(None, self.face.advance)
            self.application.invalidate()

    # ---- the control's interface for prompt_toolkit

    def is_focusable(self) -> bool:
        """Return True: the control receives keys."""
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        self.rows = self.face.draw(width, height)
        drawn: list[StyleAndTextTuples] = [
            [(_style(segment), segment.text) for segment in row] for row in self.rows
        ]
        return UIContent(
            get_line=drawn.__getitem__,
            line_count=len(drawn),
            cursor_position=Point(0, 0),
            show_cursor=False,
        )

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Choose the clicked option; the wheel scrolls."""
        face, at = self.face, mouse_event.position
        if mouse_event.event_type is MouseEventType.SCROLL_UP:
            face.scroll(-WHEEL)
        elif mouse_event.event_type is MouseEventType.SCROLL_DOWN:
            face.scroll(WHEEL)
        elif mouse_event.event_type is MouseEventType.MOUSE_UP and not face.thinking:
            meta: Mapping[str, object] = {}
            left = at.x
            for segment in self.rows[at.y] if at.y < len(self.rows) else []:
                left -= segment.cell_length
                if left < 0:
                    meta = segment.style.meta if segment.style else {}
                    break
            face.click(meta)
            self._after()


def _style(segment: Segment) -> str:
    """Return a segment's style as a prompt_toolkit style."""
    found = segment.style
    if found is None:
        return ""
    words = []
    for ground, colour in (("fg", found.color), ("bg", found.bgcolor)):
        if colour is not None and not colour.is_default:
            words.append(f"{ground}:{colour.get_truecolor().hex}")
    marks = ("bold", "dim", "italic", "underline", "reverse")
    words += (mark for mark in marks if getattr(found, mark))
    return " ".join(words)
