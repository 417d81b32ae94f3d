"""Game trees in extensive form: decision nodes and chance nodes.

The engine plays from one decision to the next and draws on the way. Here it stops where
it would draw: the draw becomes a chance node. When its outcome is known, play restarts
from the last decision, up to the next draw or decision. Nodes are immutable, so a copy
of a state is the node itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, TypeAlias

from houserule.api.table import Table
from houserule.base.diagnostics.wording import nearest
from houserule.base.frozen import frozen
from houserule.engine.bots.greedy import played_at_once
from houserule.engine.bots.imagined import imagine
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play import saving, turns
from houserule.engine.reference.play.engine import engine_of
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.play.setup import fresh
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.view import view
from houserule.environments.actions import ActionSpace
from houserule.environments.encoding import encoding_of
from houserule.play.narration.hearing import HeardEvents
from houserule.play.narration.narrator import Narrator
from houserule.play.records.choice_words import words_of

Row: TypeAlias = tuple[tuple[int, ...], int]
ChanceName: TypeAlias = Literal["explicit", "sampled"]
CHANCES = ("explicit", "sampled")
KEPT = 2_048
"""The size of the node cache: small games are traversed again and again."""
FEW = 64  # the maximum number of listed outcomes of a draw
FEW_ORDERS = (1, 1, 2, 6)  # the orders of n things, if few enough to list
PART, PARTS = 256, 3  # a sampled seed has 3 parts of 256 outcomes each


@frozen
class Draw:
    """A pending draw.

    Attributes:
        tag: the stream of the clause that draws.
        many: the number of equally likely outcomes, numbered from 0.
        part: the part of the sampled seed, from 1; 0 if outcomes are listed.
    """

    tag: str
    many: int
    part: int = 0

    def words(self, outcome: int) -> str:
        """Return a unique text for an outcome."""
        if self.part:
            return f"{self.tag}: luck {outcome}, part {self.part} of {PARTS}"
        return f"{self.tag}: {outcome + 1} of {self.many}"


class Undecided(Exception):
    """A draw is pending whose outcome is not known yet."""

    def __init__(self, draw: Draw) -> None:
        super().__init__(draw.tag)
        self.draw = draw


class GivenLuck:
    """Replays the outcomes since the last decision, then stops."""

    def __init__(self, outcomes: Sequence[int], chance: ChanceName) -> None:
        self._outcomes, self._at = outcomes, 0
        self._sampled = chance == "sampled"
        self._stream: Stream | None = None

    def below(self, tag: str, n: int) -> int:
        """Return a number from 0 to n - 1, or stop."""
        if self._sampled or n > FEW:
            return self._luck(tag).below(n)
        return self._next(Draw(tag, n))

    def order(self, tag: str, n: int) -> Sequence[int]:
        """Return an order of n things, or stop."""
        order = list(range(n))
        if n < 2:
            return order
        if self._sampled or n >= len(FEW_ORDERS):
            stream = self._luck(tag)
            for last in range(n - 1, 0, -1):
                other = stream.below(last + 1)
                order[last], order[other] = order[other], order[last]
            return order
        number, found = self._next(Draw(tag, FEW_ORDERS[n])), []
        for left in range(n, 0, -1):
            number, which = divmod(number, left)
            found.append(order.pop(which))
        return found

    def _luck(self, tag: str) -> Stream:
        """Return the random stream of all outcomes that are not listed."""
        if self._sampled and self._stream is not None:
            return self._stream
        seed = 0
        for part in range(1, PARTS + 1):
            seed = seed * PART + self._next(Draw(tag, PART, part))
        stream = Stream.seeded(seed, 0, tag)
        if self._sampled:
            self._stream = stream
        return stream

    def _next(self, draw: Draw) -> int:
        if self._at == len(self._outcomes):
            raise Undecided(draw)
        self._at += 1
        return self._outcomes[self._at - 1]


class GameTree:
    """All games of one table.

    Attributes:
        rules, program: the rules, and their program.
        actions: the action space.
        chance: "explicit": each draw of few outcomes is a node that lists them;
            "sampled": all draws between two decisions depend on a seed drawn before
            them.
        root: the initial node.
        next: the node after another, by action or outcome.
    """

    def __init__(
        self,
        table: Table,
        actions: ActionSpace,
        chance: ChanceName = "explicit",
        again: tuple[Callable[..., GameTree], tuple[object, ...]] | None = None,
    ) -> None:
        """Make the tree of a table; `again` remakes it after unpickling.

        Raises:
            ValueError: an unknown treatment of chance.
            RuleFault: the rules failed.
        """
        if chance not in CHANCES:
            near = nearest(chance, CHANCES)
            hint = f" Did you mean `{near}`?" if near else ""
            raise ValueError(
                f"There is no chance `{chance}`.{hint} Chance is one of: "
                f"{', '.join(CHANCES)}."
            )
        self.rules, self.program = table.rules, table.program
        self.actions, self.chance = actions, chance
        self._again = again
        self._narrators: dict[int, Narrator] = {}
        self.first = fresh(self.program, 0)
        self.next = lru_cache(maxsize=KEPT)(TreeNode._next)
        self.root = TreeNode.after(self, None, None, ())

    def narrator(self, seat: int) -> Narrator:
        """Return a narrator for a seat that has narrated nothing yet."""
        if seat not in self._narrators:
            told = self.rules.narrator("en", boards=False, viewer=seat)
            self._narrators[seat] = told
        return self._narrators[seat].fork()

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor and its arguments, for pickling."""
        if self._again is None:
            raise TypeError(
                "this tree cannot be pickled: it does not know how it was made"
            )
        return self._again


class TreeNode:
    """A decision, a draw, or the end of a game. It is immutable.

    Attributes:
        before: the decision that led here; None at the root, and for determinized or
            unpickled nodes.
        action, choice: the choice made there, as a number and as the engine's option.
        luck: the outcomes drawn since.
        game: the game, at a decision or its end; do not change it. None at a draw.
        draw: the pending draw; None at a decision or an end.
        depth: the number of decisions made.
    """

    __slots__ = (
        "_legal",
        "_memory",
        "_rows",
        "_views",
        "action",
        "before",
        "choice",
        "depth",
        "draw",
        "game",
        "luck",
        "tree",
    )

    def __init__(
        self,
        tree: GameTree,
        before: TreeNode | None,
        action: int | None,
        luck: tuple[int, ...],
        draw: Draw | None = None,
    ) -> None:
        self.tree, self.before, self.action, self.luck = tree, before, action, luck
        self._legal: Sequence[int] | None = None
        self.choice: Choice | None = None
        if before is not None and action is not None:
            self.choice = before.option(action)
        self.game: ReferenceGame | None = None
        self.draw = draw
        self.depth: int = 0 if before is None else before.depth + 1
        self._memory: dict[int, str] = {}
        self._views: dict[int, str] = {}
        self._rows: dict[int, tuple[Row, ...]] = {}

    def __deepcopy__(self, memo: object) -> TreeNode:
        """Return the node itself: it is immutable."""
        return self

    @classmethod
    def after(
        cls,
        tree: GameTree,
        before: TreeNode | None,
        action: int | None,
        luck: tuple[int, ...],
    ) -> TreeNode:
        """Return the node after an action and the outcomes since then.

        Raises:
            ValueError: an illegal action.
            RuleFault: the rules failed.
        """
        node = cls(tree, before, action, luck)
        game = _copy(tree, before, luck)
        try:
            _play(game, node.choice)
        except Undecided as undecided:
            node.draw = undecided.draw
        else:
            node.game = game
        return node

    @classmethod
    def at(cls, tree: GameTree, machine: Machine, depth: int) -> TreeNode:
        """Return a node at a decision or an end, without its history."""
        node = cls(tree, None, None, ())
        node.game = ReferenceGame(machine, turns.advance(machine), checked=False)
        node.depth = depth
        return node

    @property
    def legal(self) -> Sequence[int]:
        """The legal actions, in the order of options."""
        if self._legal is None:
            decision = self.decision
            self._legal = () if decision is None else self.tree.actions.legal(decision)
        return self._legal

    def option(self, action: int) -> Choice:
        """Return the option of an action here.

        Raises:
            ValueError: an illegal action.
        """
        legal, number = self.legal, int(action)
        if self.decision is None or number not in legal:
            count = len(legal)
            raise ValueError(f"{number} is not a legal action here. There are {count}.")
        return self.decision.options[legal.index(number)]

    def number(self, choice: Choice) -> int:
        """Return the number of an option here.

        Raises:
            ValueError: it is beyond the cut, or not an option.
        """
        for number in self.legal:
            if self.option(number) == choice:
                return number
        raise ValueError(
            f"{choice} has no number here: it is cut off, or not an option."
        )

    def apart(self) -> ReferenceGame:
        """Return a copy of the game at this decision, with its own random streams."""
        assert self.game is not None, "something is to be decided"
        machine = self.game.machine.clone()
        machine.luck = None
        return ReferenceGame(machine, turns.advance(machine), checked=False)

    def next(self, number: int) -> TreeNode:
        """Return the node after an action here, or after an outcome of the draw.

        Raises:
            ValueError: an illegal action or an unknown outcome.
            RuleFault: the rules failed.
        """
        return self.tree.next(self, number)

    def _next(self, number: int) -> TreeNode:
        draw = self.draw
        if draw is None:
            return TreeNode.after(self.tree, self, number, ())
        if number not in range(draw.many):
            raise ValueError(f"{number} is not an outcome here: there are {draw.many}.")
        luck = (*self.luck, number)
        if 0 < draw.part < PARTS:
            more = Draw(draw.tag, draw.many, draw.part + 1)
            return TreeNode(self.tree, self.before, self.action, luck, more)
        return TreeNode.after(self.tree, self.before, self.action, luck)

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None at a draw and at the end."""
        return None if self.game is None else self.game.decision

    # ---- information states

    def sees(self, seat: int) -> str:
        """Return a seat's view; at a draw, its view at the last decision.

        It is the visible state of the table, and the pending decision.
        """
        if self.game is None:
            return "" if self.before is None else self.before.sees(seat)
        if seat not in self._views:
            program, machine = self.tree.program, self.game.machine
            seen = view(program, machine.engine.evaluator, machine.store, seat)
            text = json.dumps(seen, ensure_ascii=False, separators=(",", ":"))
            # Before it the deciding seat and the place in the rules, as a seat knows
            # them.
            asked = "over"
            if self.decision is not None:
                name = program.labels["Player"][self.decision.seat]
                asked = f"{name} at {self.decision.site}"
                if self._is_unseen(seat):
                    asked = f"at once at {self.decision.site}"
            self._views[seat] = f"{asked}\n{text}"
        return self._views[seat]

    def _is_unseen(self, seat: int) -> bool:
        """Return whether another seat decides here, hidden from this one."""
        game, decision = self.game, self.decision
        if game is None or decision is None or decision.seat == seat:
            return False
        return played_at_once(game, decision)

    def remembers(self, seat: int) -> str:
        """Return a seat's history of views, narrations and choices, as text.

        Each decision adds a line `[…]` that identifies the seat's view. Before it are
        the seat's own choices and its narration. Simultaneous decisions of others add
        no line, since the seat must not even know that they decide.
        """
        way: list[TreeNode] = []
        node: TreeNode | None = self
        while node is not None and seat not in node._memory:
            way.append(node)
            node = node.before
        for each in reversed(way):
            before, known = each.before, ""
            if before is not None:
                known, decision = before._memory[seat], before.decision
                if decision is not None and decision.seat == seat and each.choice:
                    words = words_of(each.choice, decision.site, self.tree.program)
                    known += f"> {json.dumps(words, ensure_ascii=False)}\n"
            if each.game is not None:
                game = _copy(self.tree, before, each.luck)
                game.machine.events = HeardEvents()
                narrator = self.tree.narrator(seat)
                narrator.go_on(game)
                _play(game, each.choice)
                known += "".join(f"{line}\n" for line in narrator.news(game))
                if not each._is_unseen(seat):
                    known += f"[{_short(each.sees(seat))}]\n"
            each._memory[seat] = known
        return self._memory[seat]

    def rows(self, seat: int) -> tuple[Row, ...]:
        """Return a seat's observations at its own decisions, and its actions.

        An observation is in the form of `encoding`, an action is a number.
        """
        way: list[TreeNode] = []
        node: TreeNode | None = self
        while node is not None and seat not in node._rows:
            way.append(node)
            node = node.before
        for each in reversed(way):
            before = each.before
            rows = () if before is None else before._rows[seat]
            if before is not None and before.game is not None:
                decision, action = before.decision, each.action
                if action is not None and decision and decision.seat == seat:
                    seen = encoding_of(self.tree.program).observe(before.game, seat)
                    rows += ((tuple(seen), action),)
            each._rows[seat] = rows
        return self._rows[seat]

    def imagined(self, seat: int, stream: Stream) -> TreeNode:
        """Return a determinization: a node at this decision with an equal view.

        Everything hidden from the seat is redrawn. From here on, the other seats'
        memories omit what they knew before.

        Raises:
            ValueError: not a decision.
            RuleFault: the rules fail in the determinized game.
        """
        if self.decision is None:
            raise ValueError("Nothing is to be decided here, so nothing is imagined.")
        assert self.game is not None
        machine = imagine(self.game, seat, stream).game.machine
        node = TreeNode.at(self.tree, machine, self.depth)
        for other in range(self.tree.program.seats):
            node._memory[other] = f"[{_short(node.sees(other))}]\n"
            node._rows[other] = ()
        node._memory[seat], node._rows[seat] = self.remembers(seat), self.rows(seat)
        return node

    # ---- pickling

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor and its arguments, without the history."""
        if self.game is not None:
            seats = range(self.tree.program.seats)
            known = {seat: (self.remembers(seat), self.rows(seat)) for seat in seats}
            return _read, (self.tree, self.game.save(), self.depth, known)
        return TreeNode.after, (self.tree, self.before, self.action, self.luck)


def _read(
    tree: GameTree,
    saved: dict[str, object],
    depth: int,
    known: dict[int, tuple[str, tuple[Row, ...]]],
) -> TreeNode:
    """Return a decision or an end from plain data."""
    node = TreeNode.at(tree, saving.restore(engine_of(tree.program), saved), depth)
    for seat, (memory, rows) in known.items():
        node._memory[seat], node._rows[seat] = memory, rows
    return node


def _copy(
    tree: GameTree, before: TreeNode | None, luck: Sequence[int]
) -> ReferenceGame:
    """Return a copy of the game with a seed, at a decision or before the first."""
    if before is None:
        machine, decision = tree.first.clone(), None
    else:
        assert before.game is not None, "something was chosen there"
        machine, decision = before.game.machine.clone(), before.game.decision
    machine.luck = GivenLuck(luck, tree.chance)
    return ReferenceGame(machine, decision, checked=False)


def _play(game: ReferenceGame, choice: Choice | None) -> None:
    if choice is None:
        game.advance()
    else:
        game.carry_out(choice)


def _short(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()
