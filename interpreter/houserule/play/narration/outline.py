"""Outline of a narration: headings, rounds, and the ends of phases and steps."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.engine.reference.choices import Event
from houserule.ir import PhaseDef, Program

STRUCTURE = frozenset({"phase", "item", "step", "action", "done", "end"})


class Outline:
    """The phases of a program as the headings of a narration."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def phase(self, name: str) -> PhaseDef | None:
        """Return a phase; None for the game itself, which is called ''."""
        return self._program.phases.get(name)

    def around(self, name: str) -> Iterator[PhaseDef]:
        """Yield a phase and its enclosing phases, the innermost first."""
        phase = self.phase(name)
        while phase is not None:
            yield phase
            phase = self.phase(phase.parent)

    def is_round(self, name: str) -> bool:
        """Return whether each item of a phase is a round.

        It is an outermost phase with `until`, or with a `for` in which no seat acts.
        """
        phase = self.phase(name)
        if phase is None or phase.parent:
            return False
        counted = phase.source is not None and not phase.acts and not phase.together
        return phase.until is not None or counted

    def rounds(self) -> frozenset[str]:
        """Return the phases whose items are rounds."""
        return frozenset(name for name in self._program.phases if self.is_round(name))

    def in_turn(self, name: str) -> bool:
        """Return whether a phase is part of a seat's turn, but not a turn itself."""
        outer = list(self.around(name))[1:]
        return any(phase.acts and not phase.together for phase in outer)

    def acted(self, name: str) -> bool:
        """Return whether a phase belongs to a seat's turn."""
        return any(phase.acts for phase in self.around(name))

    def named(self, name: str) -> bool:
        """Return whether a phase has one heading, its name, for all its items.

        Others have a heading for each item, or none.
        """
        phase = self.phase(name)
        if phase is None or phase.together:
            return False
        if phase.acts:
            return self.in_turn(name)
        return not phase.parent and not self.is_round(name)

    def level(self, name: str) -> int:
        """Return how many headings are above the lines of a phase."""
        return sum(
            not phase.parent or phase.acts or phase.together
            for phase in self.around(name)
        )

    def place(self, event: Event) -> tuple[str, str]:
        """Return the phase and the step, or '', of a structural event."""
        program = self._program
        match event.kind:
            case "step":
                return program.steps[event.address].phase, event.address
            case "action":
                at = program.actions[event.address].at
                if at in program.steps:
                    return program.steps[at].phase, at
                return at, ""
            case "end":
                return "", ""
            case _:
                return event.address, ""


class EndedParts:
    """Follows structural events and reports which named phases and steps end.

    An item of a phase ends with the first event outside it, or with the next item.
    """

    def __init__(self, outline: Outline, names: frozenset[str]) -> None:
        self._outline, self._names = outline, names
        self._open: set[str] = set()

    def fork(self) -> EndedParts:
        """Return a copy with the same history."""
        twin = EndedParts(self._outline, self._names)
        twin._open = self._open.copy()
        return twin

    def over(self, event: Event) -> frozenset[str]:
        if event.kind not in STRUCTURE:
            return frozenset()
        phase, step = self._outline.place(event)
        inside = {each.name for each in self._outline.around(phase)}
        if event.kind == "item":
            inside.discard(phase)
        ended = frozenset(self._open - inside)
        self._open -= ended
        begun = phase if event.kind == "item" else step
        if begun in self._names:
            self._open.add(begun)
        return ended
