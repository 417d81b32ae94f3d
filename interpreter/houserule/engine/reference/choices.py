"""Input and output of an engine: choices, positions, refusals and events."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from houserule.base.frozen import frozen
from houserule.ir.types import Data


@frozen
class Act:
    """Take an action: header factors, then those of its costs, one value a variable.

    Example:
        >>> game = houserule.load("hex_board").table().start()
        >>> game.options[7]
        Act(action='put', args=(7,))
    """

    action: str
    args: tuple[Data, ...] = ()


@frozen
class Done:
    """Decline what is open: `done`.

    Example:
        >>> game = houserule.load("hex_board").table().start()
        >>> houserule.Done() in game.options
        False
    """


@frozen
class Picked:
    """An answer to `choose`: the chosen values, or None to decline.

    Example:
        >>> houserule.Picked((3,))
        Picked(values=(3,))
    """

    values: tuple[Data, ...] | None


@frozen
class Shared:
    """An answer to `share`: (member, amount) for each member that gets something.

    Example:
        >>> houserule.Shared(((0, 3), (1, 2)))
        Shared(amounts=((0, 3), (1, 2)))
    """

    amounts: tuple[tuple[int, int], ...]


@frozen
class Answered:
    """An answer to `asks`.

    Example:
        >>> houserule.Answered(True)
        Answered(yes=True)
    """

    yes: bool


Choice: TypeAlias = Act | Done | Picked | Shared | Answered


@frozen
class Refusal:
    """One reason why a choice is refused: the clause that fails.

    A parameter outside its domain is named like `slide.target`; an action that is not
    open here like `slide.during`.

    Example:
        >>> game = houserule.load("pig").table().start()
        >>> [refusal.address for refusal in game.refusals("hold")]
        ['hold.something']
    """

    address: str


class Refused(Exception):
    """The choice is not legal; the state is unchanged.

    Example:
        >>> game = houserule.load("pig").table().start()
        >>> try:
        ...     game.choose("hold")
        ... except houserule.Refused as refused:
        ...     print(refused)
        refused: hold.something
    """

    def __init__(self, choice: Choice, refusals: tuple[Refusal, ...]) -> None:
        self.choice = choice
        self.refusals = refusals
        names = ", ".join(each.address for each in refusals)
        super().__init__(f"refused: {names}")


@frozen
class Outcome:
    """How a game ended: won, drawn or stalled.

    Attributes:
        kind: "won" (also where the rules say that nobody wins), "drawn" by a `drawn by`
            of the rules, or "stalled" at the bound of a phase.
        winners: the seats that won; nobody wins a game that was drawn or stalled.
        stalled_in: the phase whose bound was reached, else ''.
        drawn_by: the names of all reasons that held when the game was drawn, in the
            order of the rules.

    Example:
        >>> houserule.load("pig").table().start(seed=7).play().outcome
        Outcome(kind='won', winners=(1,), stalled_in='', drawn_by=())
    """

    kind: Literal["won", "drawn", "stalled"]
    winners: tuple[int, ...] = ()
    stalled_in: str = ""
    drawn_by: tuple[str, ...] = ()


@frozen
class Event:
    """Something that happened, for people to read: never needed to play on.

    Kinds and their data:

    - `phase` (name, item), `step` (who acts), `end` (kind, winners);
    - `action` (name, seat, args), `done` (seat, the steps that were open);
    - `unwise` (address of the advice against the action, seat);
    - `roll` (die kind, ids, faces, the frame of the throw), `shuffle` (zone, index);
    - `move` (kind, ids, from zone, from index, to zone, to index);
    - `tokens` (count, from slot, from keys, to slot, to keys);
    - `cell` (state, keys, old, new), `change` (value, keys, old, new);
    - `choice` (site, seat, values), `share` (site, seat, amounts);
    - `ask` (address, seat, yes);
    - `clause` (address of a body that runs, the frame it begins with);
    - `reacted` (the reaction that is over).
    """

    kind: str
    address: str
    data: tuple[object, ...] = field(default=())


# ---- where a game begins


class BadPosition(ValueError):
    """The position cannot be laid out: too many pieces, a name unknown, a full zone.

    Attributes:
        about: the state or tokens that cannot be as given; '' for the whole position.
    """

    def __init__(self, message: str, about: str = "") -> None:
        super().__init__(message)
        self.about = about


class NotInSet(BadPosition):
    """Play cannot be at an item of a phase: the set that it goes through lacks it.

    Attributes:
        phase: the phase with the set.
        wanted: the item; None if the set is empty.
        items: the members of the set.
    """

    def __init__(self, phase: str, wanted: Data, items: tuple[int, ...]) -> None:
        super().__init__(f"the set of {phase} is {items}, without {wanted}")
        self.phase, self.wanted, self.items = phase, wanted, items
