"""The tree of a search: the tried options of each decision, with statistics.

There are only edges, by keys: a key says at which node a choice is made, and which it
is. `engine/bots/search.py` goes down this tree, and so does `search.wat` of
`engine/compiled/bots/`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import field
from math import sqrt
from typing import TypeAlias

from houserule.base.frozen import frozen, slotted
from houserule.engine.bots.objective import WHOLE, logarithm
from houserule.engine.reference.random_numbers import Stream

FLAT = 32
"""Maximal number of options side by side; more are divided into parts."""
PARTS = 8
DEEPEST = 256
"""Maximal number of choices of one pass in the tree."""
EDGES = 1 << 17
"""Maximal number of choices in the tree."""
SHORT = 12
"""If no pass takes more decisions to the end, the game is short: it can be proved."""
TURNS = 2
"""Maximal number of decisions by which the next pass of a short game turns back."""
FAR = (1 << 16) - 1
"""Cap of proof numbers."""
CREDIT = 3000
"""Credit counts as much as a choice's own results after this number of passes."""
CREDIT_EXPLORATION = 0.05
"""How much what was seldom tried is tried for that, if there is credit."""

Key: TypeAlias = "tuple[Hashable, ...]"


@slotted
class Edge:
    """A choice in the tree, or a part of the choices at a node.

    Attributes:
        tried: number of passes that took it.
        met: number of passes that could have taken it since it was first tried.
        total: the sum of the choosing seat's results in these passes, of `WHOLE` each.
        proof: 1 if the seat that chose wins for certain, -1 if the other does.
        to_win: minimal number of choices to examine to prove that the choosing seat
            wins (a proof number: Allis, *Searching for Solutions in Games and
            Artificial Intelligence*, 1994).
    """

    tried: int = 0
    met: int = 0
    total: int = 0
    proof: int = 0
    to_win: int = 1
    to_lose: int = 1

    def add(self, got: int) -> None:
        """Note what the seat that chose got of a pass."""
        self.tried += 1
        self.total += got

    def mean(self) -> float:
        """Return what the seat that chose got of a pass on average, from 0 to 1."""
        return self.total / (self.tried * WHOLE)

    def bound(self, exploration: int, met: int) -> float:
        """Return its upper confidence bound, as `total` is.

        `met` is how many passes could have taken it.
        """
        more = exploration * sqrt(logarithm(met) * self.tried)
        return (self.total + more) / self.tried


@frozen
class Visit:
    """An edge that a pass took.

    Attributes:
        arms: the keys of all edges that it was chosen from.
        said: the identity of the choice, the same at every node; None without credit.
        depth: how many decisions of the pass were made before.
    """

    edge: Edge
    seat: int
    arms: Sequence[Key]
    node: Key
    said: Hashable
    depth: int


@slotted
class Descent:
    """The position of a pass in the tree.

    Attributes:
        way: the edges that it took.
        depth: how many decisions were made, up to the end of the tree.
        beyond: whether a new choice was made, so that the tree ends here.
        known: how many edges were taken before that.
        asked: how many others of its phase were asked before the seat that is to
            choose, while all choose at once; -1 if they do not.
        drawn: whether others choose at once with the choice that is sought. Their
            choices are drawn, like those of seats asked before, and do not count as
            examined; otherwise the seat asked first would think less.
        broken: whether a choice on the way has no edge.
        winner: the seat that wins for certain where the pass is now, if that is known.
        short: whether the choices quickest to prove are examined first.
        stopped: the place on the way up to which it is proved now who wins, where that
            says nothing yet of the choices before.
    """

    stream: Stream
    way: list[Visit] = field(default_factory=list)
    depth: int = 0
    beyond: bool = False
    known: int = 0
    asked: int = -1
    drawn: bool = False
    broken: bool = False
    winner: int | None = None
    short: bool = False
    stopped: int | None = None

    def turned_back(self) -> Descent | None:
        """Return a pass that goes on where the proof of this one stopped.

        It does so only in a short game and near the end of the pass. Elsewhere, a new
        pass from the root learns more.
        """
        if not self.short or self.stopped is None:
            return None
        depth = self.way[self.stopped].depth
        if self.depth - depth > TURNS:
            return None
        way = [visit for visit in self.way if visit.depth < depth]
        return Descent(self.stream, way, depth, known=len(way))


class Tree:
    """The edges of a search.

    Attributes:
        decided: whether it is proved who wins from where the search begins.
        credits: whether a choice has credit for passes in which its seat chose the same
            later on (Gelly and Silver, *Combining Online and Offline Knowledge in UCT*,
            2007).
    """

    def __init__(self, exploration: float, *, credits: bool) -> None:
        self._edges: dict[Key, Edge] = {}
        self._exploration = round(exploration * WHOLE)
        self.credits = credits
        self.decided = False

    def edge(self, key: Key) -> Edge | None:
        return self._edges.get(key)

    def pick(
        self,
        node: Key,
        arms: Sequence[Key],
        seat: int,
        down: Descent,
        said: Callable[[int], Hashable] | None = None,
    ) -> int:
        """Return the number of the edge to take, and note it on the way.

        That is one that wins for certain; one that is new; else that of the highest
        bound, but none that loses for certain if there is another. Below the root, a
        proved edge ends the pass and is not counted.

        Args:
            node: the key of where it is chosen.
            said: identities of the choices of these edges, if they are to have credit.
        """
        edges = [self._edges.get(key) for key in arms]
        known = [edge for edge in edges if edge]
        for edge in known:
            edge.met += 1
        # Who of two wins for certain, if the seat has these choices?
        proofs = [edge.proof if edge else 0 for edge in edges]
        if 1 in proofs or 0 not in proofs:
            winner = seat if 1 in proofs else 1 - seat
            self.prove(winner, down)
            if down.depth:
                down.winner = winner
                return 0
        if self.credits and down.way and not down.broken:
            # Note at the choice before how far it is from being proved by one of these.
            live = [edge or Edge() for edge in edges if not edge or not edge.proof]
            win = min(edge.to_win for edge in live)
            lose = min(sum(edge.to_lose for edge in live), FAR)
            before = down.way[-1]
            if before.seat != seat:
                win, lose = lose, win
            before.edge.to_win, before.edge.to_lose = win, lose
        credit: list[Edge | None] | None = None
        if said and known:
            names = map(said, range(len(arms)))
            credit = [self._edges.get(("credit", *node, name)) for name in names]
        chosen = self._choose(edges, credit, down)
        if not down.beyond:
            down.known = len(down.way) + 1
            down.beyond = not edges[chosen]
        taken = edges[chosen]
        if not taken and len(self._edges) < EDGES and len(down.way) < DEEPEST:
            taken = self._edges[arms[chosen]] = Edge(met=1)
        if taken and len(down.way) < DEEPEST:
            name = said(chosen) if said else None
            down.way.append(Visit(taken, seat, arms, node, name, down.depth))
        else:
            down.broken = True
        return chosen

    def _choose(
        self,
        edges: Sequence[Edge | None],
        credit: Sequence[Edge | None] | None,
        down: Descent,
    ) -> int:
        proofs = [edge.proof if edge else 0 for edge in edges]
        if 1 in proofs:
            return proofs.index(1)
        pairs = list(zip(edges, credit or [None] * len(edges), strict=True))
        new = [number for number, pair in enumerate(pairs) if not any(pair)]
        if new:
            return new[down.stream.below(len(new))]
        tried = sum(edge.tried for edge, _ in pairs if edge)
        if credit is not None:
            bounds = [bound_by_credit(*pair, tried) for pair in pairs]
        else:
            bounds = [
                edge.bound(self._exploration, tried if self.credits else edge.met)
                for edge, _ in pairs
                if edge
            ]
        if 0 in proofs:
            to_win = [edge.to_win if edge else 1 for edge in edges]
            least = min(to_win[n] for n, proof in enumerate(proofs) if not proof)
            for number, proof in enumerate(proofs):
                if proof or (down.short and to_win[number] > least):
                    bounds[number] = -1.0
        return bounds.index(max(bounds))

    def prove(self, winner: int, down: Descent) -> None:
        """Note who of two wins for certain where the way is now, and what follows."""
        if down.broken:
            return
        for number in reversed(range(len(down.way))):
            visit = down.way[number]
            visit.edge.proof = 1 if visit.seat == winner else -1
            edges = [self._edges.get(key) for key in visit.arms]
            all_lost = all(edge and edge.proof < 0 for edge in edges)
            if visit.seat != winner and not all_lost:
                down.stopped = number
                return
        self.decided = True

    def give_back(self, down: Descent, got: Sequence[int]) -> None:
        """Add what each seat got of a pass to all that was chosen on the way."""
        for number, visit in enumerate(down.way):
            visit.edge.add(got[visit.seat])
            if visit.said is None or number >= down.known:
                continue
            # Credit what the seat chose later on to the same choice at this node.
            for later in down.way[number:]:
                if later.seat != visit.seat or later.said is None:
                    continue
                key = ("credit", *visit.node, later.said)
                if key not in self._edges and len(self._edges) < EDGES:
                    self._edges[key] = Edge()
                if key in self._edges:
                    self._edges[key].add(got[visit.seat])


def bound_by_credit(edge: Edge | None, credit: Edge | None, tried: int) -> float:
    """Return the confidence bound of an edge, from its passes and its credit.

    `tried` is how many passes took any edge at its node.
    """
    times = edge.tried if edge else 0
    value = edge.mean() if edge else 0.0
    if credit:
        part = sqrt(CREDIT / (CREDIT + 3.0 * times))
        value = (1.0 - part) * value + part * credit.mean()
    return value + CREDIT_EXPLORATION * sqrt(logarithm(tried + 1) / (times + 1.0))


def parts_of(low: int, high: int) -> Iterator[tuple[int, int]]:
    """Divide the numbers from `low` to before `high`: into each, or into `PARTS`.

    Options are numbered in the order of their actions and variables. So a part is
    mostly what begins alike: the same action, the same first thing.
    """
    size = 1 if high - low <= FLAT else -(-(high - low) // PARTS)
    for start in range(low, high, size):
        yield start, min(start + size, high)
