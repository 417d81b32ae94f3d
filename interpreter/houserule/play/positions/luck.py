"""Random outcomes in an example: prescribed or at random."""

from __future__ import annotations

from dataclasses import field

from houserule.base.frozen import slotted
from houserule.engine.reference.play.machine import Forced

FALLS = ("rolls", "draws")


@slotted
class Luck:
    """The outcomes that an example prescribes, in order: faces, and draws from 0."""

    faces: list[int] = field(default_factory=list)
    draws: list[int] = field(default_factory=list)

    def forced(self) -> Forced:
        """Return them as a queue for a game, which records all other outcomes."""
        return Forced([*self.faces], [*self.draws], by_chance=[])

    def surplus(self, word: str, forced: Forced) -> str:
        """Return the sentence about a word's impossible or unused outcomes, or ''."""
        laid, left = self.faces, forced.faces
        for kind, face in forced.by_chance or ():
            if kind == "no face" and word == "rolls":
                return f"A die that is rolled here has no face {face}."
        if word == "draws":
            laid, left = self.draws, forced.draws
            beyond = [most for kind, most in forced.by_chance or () if kind == "beyond"]
            if beyond:
                return f"Here `draws` can only be 1 to {beyond[0]}."
        used = len(laid) - len(left)
        fell = f"`{word}` lays down {len(laid)}, but {used or 'none'} fell."
        return fell if left else ""

    def by_chance(self, forced: Forced) -> str:
        """Return the sentence that prescribes all random outcomes.

        It is '' if all outcomes were prescribed.
        """
        fell = forced.by_chance or ()
        faces = [face for kind, face in fell if kind == "rolls"]
        draws = [number + 1 for kind, number in fell if kind == "draws"]
        missing = [f"`rolls: {[*self.faces, *faces]}`"] if faces else []
        if draws:
            laid = [number + 1 for number in self.draws]
            missing.append(f"`draws: {[*laid, *draws]}`")
        return f"This fell by chance: {' and '.join(missing)}." if missing else ""
