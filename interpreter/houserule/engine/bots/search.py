"""The search bot: Monte Carlo tree search over what its seat may take for the game.

Single-observer information set search (Cowling, Powley and Whitehouse, *Information Set
Monte Carlo Tree Search*, 2012) for any number of seats. Each pass imagines a game, goes
down a tree by upper confidence bounds, and plays on at random. Then it adds the result
of each seat to the choices on the way that this seat made (max^n). A node of the tree
is what the seat that thinks sees at a decision. What it does not see, such as a choice
made at once with its own, leads to the same node. Without hidden information this is
UCT with transpositions.

How a pass runs (`Search._pass`). It starts from an imagined game, or a copy of the one
before: sampling takes as long as a short pass, so a sample serves `SERVES` passes, each
with new random streams. It chooses by the tree (`_in_tree`) until it makes a choice
that the tree does not have yet. Then it plays `AHEAD` more decisions, and `Worth`
values the position by the goal of bots; without a goal in the rules, it plays to the
end. Then `Tree.give_back` adds each seat's result to the edges on the way.

Many options. A pass for each of thousands of options would leave no second pass for
any. So the options of a seat are chosen part by part (`_by_parts`): more than `FLAT`
numbers are divided into `PARTS` intervals, each with an edge, until one option is left.
If rules hide something, the options of other seats may differ between imagined games;
these are identified by content (`_in_tree`), and one pass considers at most `FLAT` of
them.

Proofs. With two seats, no chance and no hidden information, the tree proves wins and
losses (`Tree.prove`), and a proved edge ends a pass. If the rules give no goal but
winning, whole games are in the tree. Then the next pass of a short game may begin at
the choice where a proof stopped, near its end, instead of at the root.

`docs/internals/decisions/0026-search.md` specifies the draws and their order; the
compiled engine does the same (`engine/compiled/bots/search.wat`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.greedy import leads, played_at_once
from houserule.engine.bots.imagined import ImaginedGame, hides, imagine
from houserule.engine.bots.objective import (
    ANY,
    EXPLORATION,
    WHOLE,
    Objective,
    Passes,
    exploration_of,
    is_solved,
    only_ends_tell,
    unfinished_of,
)
from houserule.engine.bots.random_choice import MOST, random_option, sensible
from houserule.engine.bots.tree import FLAT, SHORT, Descent, Key, Tree, parts_of
from houserule.engine.reference.choices import Choice, Done
from houserule.engine.reference.numbers import sight_number
from houserule.engine.reference.options.options import Decision, Options
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.determinize import refresh
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.view import Visibility

AHEAD = 40
"""Maximal number of decisions beyond the tree before a position is valued."""
AHEAD_UNVALUED = 2048
"""The same if the rules name no goal: then only the end of a game has a value."""
SERVES = 6
"""Number of successive passes in one imagined game, each with its own random streams:
to imagine one takes as long as a short pass."""
ALONE = 16
"""Number of first passes that have an imagined game each."""


@frozen
class Rated:
    """An option that was looked at.

    Attributes:
        tried: number of passes that took it.
        value: the mean share of the win, or of the goal, from 0 to 1.
        proof: 1 if it wins for certain, -1 if it loses; 0 if that is not known.
    """

    option: Choice
    tried: int
    value: float
    proof: int = 0

    @property
    def weight(self) -> tuple[int, int]:
        """The order of preference of options: proofs first, then passes."""
        return self.proof, self.tried


class SearchBot:
    """Looks at many decisions of imagined games, and takes what it tried most."""

    def __init__(self, seat: int, stream: Stream, effort: Effort) -> None:
        self._seat, self._stream, self.effort = seat, stream, effort

    def choose(self, game: ReferenceGame) -> Choice:
        """Return the option that the search comes back to most often."""
        search = Search(game, self._seat, self._stream)
        self.effort.spend(search.look_at)
        return search.best()


class Search:
    """A search at one decision of a game, which is not changed.

    Attributes:
        looked_at: how many decisions of imagined games were made so far.
        passes: what came of the imagined games.
    """

    def __init__(
        self, game: ReferenceGame, seat: int, stream: Stream, aim: Objective = ANY
    ) -> None:
        decision = game.decision
        assert decision is not None, "a bot is asked only if there is a decision"
        self._game, self._seat, self._stream = game, seat, stream
        self._options = sensible(decision.options)
        self._count = self._options.count()
        self._open, self._solved = not hides(game.program), is_solved(game.program)
        self._aim, self._worth = aim, Worth(game.program, whole=aim.whole)
        self._ends = only_ends_tell(game.program)
        self._tree = Tree(self._worth.exploration, credits=self._ends)
        self._root = self._node(game, decision, 0)
        self._kept: ImaginedGame | None = None
        self._luck, self._served = stream, 0
        self._longest = 0
        self._back: Descent | None = None
        self._positions: dict[int, Machine] = {}
        self.looked_at = 0
        self.passes = Passes(0, 0, [0] * game.program.seats)

    def look_at(self, decisions: int) -> int:
        """Search until a total number of decisions is reached; return the total.

        Without an aim it stops if there is one option, or if the best is proved.
        """
        aimed = self._aim is not ANY
        while self.looked_at < decisions and (
            aimed or not (self._count == 1 or self._tree.decided)
        ):
            self._pass()
        return self.looked_at

    def pass_through(self, passes: int) -> int:
        """Search until a total number of passes is reached; return the total."""
        while self.passes.made < passes:
            self._pass()
        return self.passes.made

    # ---- one pass

    def _pass(self) -> None:
        self.passes.made += 1
        try:
            # Turn back to where a proof stopped, or begin an imagined game.
            down, self._back = self._back, None
            if down:
                machine = self._positions[down.depth].clone()
                game = ReferenceGame(machine, turns.advance(machine), checked=False)
            else:
                world = self._imagined()
                game, down = world.game, Descent(world.stream)
        except RuleFault:
            self.looked_at += 1
            return
        plain = self._ends and self._aim is ANY
        down.short = plain and 0 < self._longest <= SHORT
        try:
            self._play(game, down)
            got = self._worth.of(game, down.winner)
            self._back = down.turned_back()
        except RuleFault:
            # A rule fault in an imagined game is as bad as a loss.
            got = [WHOLE // 2] * self._game.program.seats
            got[self._seat], self._kept = 0, None
        self._longest = max(self._longest, down.depth)
        self._tree.give_back(down, got)
        self.passes.counted += 1
        for seat, each in enumerate(got):
            self.passes.gained[seat] += each

    def _imagined(self) -> ImaginedGame:
        """Return an imagined game: the one before, if it has to serve more passes."""
        if self._kept and self._served < SERVES:
            self._served += 1
            copy = self._kept.copy()
            refresh(copy.game.program, copy.game.machine.store, self._luck)
            return ImaginedGame(copy.game, self._luck, copy.others)
        self._luck = Stream.seeded(self._stream.below(MOST), 0, "imagined")
        self._kept, self._served = None, 1
        world = imagine(self._game, self._seat, self._luck)
        if self.passes.made > ALONE:
            self._kept = world.copy()
        return world

    def _play(self, game: ReferenceGame, down: Descent) -> None:
        """Go down the tree, one choice beyond it, and then play on at random.

        Where only the end of a game tells anything all of it is in the tree.
        """
        self._worth.begin(game)
        while game.decision is not None:
            amid = look(down, game, game.decision)
            if down.beyond and not amid and not self._ends:
                break
            if down.short:
                self._positions[down.depth] = game.machine.clone()
            down.drawn = (down.drawn and amid) or (down.depth == 0 and down.asked >= 0)
            if down.drawn and down.depth:
                choice = random_option(sensible(game.decision.options), down.stream)
                self._take(game, choice)
            else:
                choice = self._in_tree(game, game.decision, down)
                if down.winner is not None:
                    return
                self.looked_at += 1
                self._take(game, choice)
            down.depth += 1
        winners = game.outcome.winners if game.outcome else ()
        if self._solved and len(winners) == 1:
            self._tree.prove(winners[0], down)
        self._play_on(game, down)

    def _play_on(self, game: ReferenceGame, down: Descent) -> None:
        """Play on at random; if positions can be valued, until the seat is asked again.

        In a simultaneous phase all seats are asked together.
        """
        others = amid = False
        for _ in range(self._worth.ahead):
            if game.decision is None:
                return
            amid = look(down, game, game.decision)
            at_once = down.asked >= 0
            mine = not amid if at_once else game.decision.seat == self._seat
            if mine and others and self._worth.is_known:
                return
            others = others or at_once or not mine
            choice = at_random(game.decision, down.stream)
            self.looked_at += 1
            self._take(game, choice)

    def _take(self, game: ReferenceGame, choice: Choice) -> None:
        game.carry_out(choice)
        if game.decision is not None:
            game.decision.options.count()  # the compiled engine counts it here

    def _in_tree(
        self, game: ReferenceGame, decision: Decision, down: Descent
    ) -> Choice:
        if self._aim.option is not None and not down.depth:
            return decision.options[self._aim.option]
        options = sensible(decision.options)
        count = options.count()
        if count == 1:
            return options[0]
        # At the root the seat sees the same in all imagined games.
        key = self._node(game, decision, down.depth) if down.depth else self._root
        if self._open or decision.seat == self._seat:
            return options[self._by_parts((*key, count), decision, options, down)]
        # The seat's options depend on what is hidden, so they are identified by their
        # content, not by their number.
        numbers = [*range(min(count, FLAT))]
        if count > FLAT:
            numbers = [down.stream.below(min(count, MOST)) for _ in numbers]
        found = [options[number] for number in numbers]
        # One that is drawn is another edge than one that is always there: it is met
        # less often, even by passes that could have taken it.
        key = (*key, count > FLAT)
        named = [
            (*key, each if decision.kind == "act" else number)
            for number, each in zip(numbers, found, strict=True)
        ]
        return found[self._tree.pick(key, named, decision.seat, down)]

    def _node(self, game: ReferenceGame, decision: Decision, depth: int) -> Key:
        machine = game.machine
        visibility = Visibility(
            game.program, game.engine.evaluator, machine.store, self._seat
        )
        sight = sight_number(machine.store, visibility)
        return (sight, depth, decision.seat, decision.kind, decision.site)

    def _by_parts(
        self, node: Key, decision: Decision, options: Options, down: Descent
    ) -> int:
        """Return the number of an option, chosen part by part."""
        low, high = 0, options.count()

        def said(number: int) -> Hashable:
            return said_by(decision, low + number, options[low + number])

        while high - low > 1:
            parts, seat = list(parts_of(low, high)), decision.seat
            one_each = self._tree.credits and len(parts) == high - low
            arms = [(*node, *part) for part in parts]
            chosen = self._tree.pick(node, arms, seat, down, said if one_each else None)
            if down.winner is not None:
                break
            low, high = parts[chosen]
        return low

    # ---- what came of it

    def best(self) -> Choice:
        """Return the option that was tried most; of equals the one that did better.

        One that wins for certain comes before, one that loses for certain behind all.
        If nothing could be tried, one is drawn.
        """
        low, high = 0, self._count
        while high - low > 1:
            parts = list(parts_of(low, high))
            tried = [self._tried(*part) for part in parts]
            if not any(times for _, times, _ in tried):
                return self._options[low + self._stream.below(min(high - low, MOST))]
            low, high = parts[tried.index(max(tried))]
        return self._options[low]

    def rated(self) -> list[Rated]:
        """Return the options that were tried, in their order."""
        return rated(self._options, self._tried)

    def _tried(self, low: int, high: int) -> tuple[int, int, int]:
        edge = self._tree.edge((*self._root, self._count, low, high))
        return (edge.proof, edge.tried, edge.total) if edge else (0, 0, 0)


Tried: TypeAlias = "Callable[[int, int], tuple[int, int, int]]"


def rated(options: Options, tried: Tried) -> list[Rated]:
    """Return the options that a search tried, in their order.

    `tried` says of those from one number to before another whether they win for certain
    (1) or lose (-1), how many passes took one of them, and what came of these. The only
    option counts as one that was not tried.
    """
    return list(_rated(options, tried, 0, options.count()))


def _rated(options: Options, tried: Tried, low: int, high: int) -> Iterator[Rated]:
    for part in parts_of(low, high) if high - low > 1 else ():
        proof, times, total = tried(*part)
        if times and part[1] - part[0] == 1:
            value = (1 + proof) / 2 if proof else total / times / WHOLE
            yield Rated(options[part[0]], times, value, proof)
        elif times:
            yield from _rated(options, tried, *part)


def look(down: Descent, game: ReferenceGame, decision: Decision) -> bool:
    """Look who is to choose; say whether it is at once with the one before."""
    act, before = game.machine.stack[-1], down.asked
    at_once = played_at_once(game, decision) and act.resolved < 0
    down.asked = len(act.chosen) if at_once else -1
    return down.asked > before >= 0


def said_by(decision: Decision, number: int, choice: Choice) -> Hashable:
    """Return the identity of an option, the same at every node."""
    if decision.kind == "act":
        return choice
    return decision.kind, decision.site, number


def at_random(decision: Decision, stream: Stream) -> Choice:
    """Return an option: half of the time `done` if it is legal, else any."""
    options, done = sensible(decision.options), Done()
    may_end = decision.kind == "act" and not options.refusals(done)
    if may_end and options.count() > 1 and stream.below(2):
        return done
    return random_option(options, stream)


class Worth:
    """The result of an imagined game for each seat, from 0 to `WHOLE`.

    Three quarters are for winning, shared among the winners, and one is for the lead by
    the goal of bots. In an unfinished game only the lead counts, but `unfinished_of`
    may keep it between losses and wins. The games of the search show which lead is
    large: a change of the mean size since its beginning counts half of the most. Of
    `whole` games, only winning counts.

    Attributes:
        is_known: whether the rules say what to strive for, so that a position can be
            valued before the end.
        ahead: how many decisions are played at random at most.
        exploration: how much what was seldom tried is tried for that.
    """

    def __init__(self, program: ir.Program, *, whole: bool = False) -> None:
        self._ranking, self._seats = program.bot_ranking, program.seats
        self._keys = range(0 if whole else len(self._ranking.keys))
        self._first: list[list[int]] | None = None
        self._spread, self._valued = [0 for _ in self._keys], 0
        self.is_known = bool(self._keys)
        self.ahead = AHEAD if self._keys else AHEAD_UNVALUED
        self.exploration = EXPLORATION if whole else exploration_of(program)
        self._unfinished = unfinished_of(program)

    def begin(self, game: ReferenceGame) -> None:
        """Note the leads before the first pass, once in a search."""
        if self._first is None:
            self._first = self._leads(game)

    def of(self, game: ReferenceGame, winner: int | None = None) -> list[int]:
        """Return what each seat got, where the `winner` may be certain already."""
        outcome = game.outcome
        if outcome is not None and outcome.kind == "drawn":
            return [WHOLE // 2] * self._seats
        # How much each seat has improved since the beginning, from 0 to 1.
        gained = [
            [now - before for now, before in zip(*each, strict=True)]
            for each in zip(self._leads(game), self._first or [], strict=True)
        ]
        for place in self._keys:
            self._spread[place] += sum(map(abs, gained[place]))
        self._valued += self._seats
        ahead: list[float] = []
        for seat in range(self._seats):
            total, weights, weight = 0.0, 0.0, 1.0
            for place in self._keys:
                gain = float(gained[place][seat])
                size = abs(gain) + self._spread[place] / self._valued
                if size > 0.0:
                    total += weight * gain / size
                weights += weight
                weight /= 4.0
            ahead.append(0.5 + 0.5 * total / weights if weights else 0.5)
        winners = outcome.winners if outcome and outcome.kind == "won" else None
        if winner is not None:
            winners = (winner,)
        if winners is None:
            part = self._unfinished
            return [int(WHOLE * (0.5 - 0.5 * part + part * each)) for each in ahead]
        found: list[int] = []
        for seat in range(self._seats):
            sharing = 1 if self._ranking.common else len(winners)
            won = 1.0 / sharing if seat in winners else 0.0
            if self._keys:
                won = 0.75 * won + 0.25 * ahead[seat]
            found.append(int(WHOLE * won))
        return found

    def _leads(self, game: ReferenceGame) -> list[list[int]]:
        return [leads(game, self._ranking, place) for place in self._keys]
