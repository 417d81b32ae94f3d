"""Test games that `check` plays at a table, to see that players can decide.

At each table one game is played until players have decided as often as `choices_at`
returns: at tables without variants, to its end. If it ends at the bound of a phase,
more games are played. If all of them do so, the bound acts as a rule that nobody wrote.

Bots choose at random. A game stops at a number of decisions, or at a decision that
takes much work, never at a time: so the result is the same on each machine. Only that
decision is then tried again, to see that it is possible within the limits of play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from houserule import ir
from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.limits import limit, limited
from houserule.compiler.items.items import placed_items
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.choices import Choice, Outcome
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.setup import fresh
from houserule.engine.reference.play.warnings import rule_fault
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.ir.walk import beneath, bodies
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree

UNDER_WAY = 10
"""A game with this many decisions has begun."""

AT_OPTIONS = 20
"""A game stalls within these choices if options leave players too little."""

LONG = 40
"""A game stalls within these choices if variants leave players nothing to choose."""

WHOLE = 3_000
"""A game with more real choices is given up: no bound has cut it short."""

FORCED = 20_000
"""A game with more decisions is given up, even if each has only one option."""

WHOLE_GAMES = 4
LONG_GAMES = 2
"""The number of games if the first one has more than `WHOLE` decisions."""

WORK = 300_000
"""A game is given up after a decision that takes more work (`limits.LIMITS`)."""

RESTRICTIONS = (tree.Needs, tree.Limit, tree.Cost)


def choices_at(ruleset: LoadedRuleset, variants: Set[str]) -> int:
    """Return the length of a test game at a table, in decisions with several options.

    Games take long, so only those without a variant are whole. They are `LONG` where
    variants may cause a stall: with one that restricts or changes something, and with
    several that restrict or change the same thing.
    """
    if not variants:
        return WHOLE
    touched: dict[str, set[str]] = {name: set() for name in variants}
    for each in placed_items(ruleset):
        if each.members and each.members <= variants:
            owners = {
                *(d.owner for d in each.clauses if isinstance(d.node, RESTRICTIONS)),
                *(edit.target.partition(".")[0] for edit in each.edits),
            }
            for name in each.members:
                touched[name] |= owners - {""}
    times = Counter(owner for owners in touched.values() for owner in owners)
    most = max(times.values(), default=0)
    return LONG if most >= min(2, len(variants)) else UNDER_WAY


def first_games(program: Program, most: int = WHOLE) -> Iterator[Diagnostic]:
    """Yield W503 if a game is over as it begins, W504 if all games end at a bound.

    If the rules fail in a game, the rule fault is yielded.

    Args:
        most: the length of a game, in decisions with several options.
    """
    try:
        outcome, decisions, decided = _play(program, 0, most)
        if outcome is None:
            return
        if decided and decisions < 2 and program.actions:
            yield _over(program, outcome)
        elif outcome.kind == "stalled":
            games = WHOLE_GAMES if decisions <= WHOLE else LONG_GAMES
            for number in range(1, games):
                other, _, _ = _play(program, number, most)
                if other is None or other.kind != "stalled":
                    return
            phase = program.phases[outcome.stalled_in]
            message = (
                f"I played {games} games with random moves. Each stalled at the "
                f"bound of `{phase.name}`, so nobody won."
            )
            yield fault(W504, message, phase.span)
    except RuleFault as error:
        yield rule_fault(error)


def _play(program: Program, number: int, most: int) -> tuple[Outcome | None, int, bool]:
    """Play a game of up to `most` decisions with several options.

    Returns:
        How it ended, if it did; the number of decisions; whether it was over, or a
        `drawn by` held, before the first of them.

    Raises:
        RuleFault: the rules fail; F11 only if they exceed a limit of play.
    """
    bots = seat_bots(["random"], program.seats, 0, number)
    made: list[Choice] = []
    decisions = choices = 0
    try:
        with limited(work=min(WORK, limit("work"))):
            game = _begun(program, number)
            decided = game.decision is None or any(
                game.evaluate(each.test) for each in program.draws
            )
            while game.decision is not None and choices < most and decisions < FORCED:
                decisions += 1
                choices += game.decision.options.count() > 1
                made.append(bots[game.decision.seat].choose(game))
                game.carry_out(made[-1])
            return game.outcome, decisions, decided
    except RuleFault as error:
        if error.code != "F11":
            raise
    game = _begun(program, number)
    for choice in made:
        game.carry_out(choice)
    if game.decision is not None and decisions > len(made):
        game.carry_out(bots[game.decision.seat].choose(game))
    return None, decisions, False


def _begun(program: Program, number: int) -> ReferenceGame:
    # Skip the models of the state, which take a third of the time.
    game = ReferenceGame(fresh(program, 0, number), checked=False)
    game.advance()
    return game


W503 = MessageCode("W503", "no player ever decides")
"""The game is over before a player decides anything.

**Why.** `check` plays the first moves at each table that it visits, also with options
at their lowest and highest values. At this table the game ends first: a `drawn by` is
true as soon as the set-up is complete, or no action is ever possible and a phase
reaches its bound.

**For example**

```text
state pot: 0..9 starts as 0
drawn by empty "the pot is empty": pot is 0      # it is empty until someone pays
```

**Fix.** Add to the condition when the game may end, such as `begun and pot is 0`. If an
option causes it, narrow its range, or require another value in the variant.
"""


def _over(program: Program, outcome: Outcome) -> Diagnostic:
    first = program.root.items[0]
    span, how = (
        (program.phases.get(first) or program.steps[first]).span,
        "it ends before any player decides",
    )
    ends = [
        each.span
        for each in beneath(*bodies(program))
        if isinstance(each, ir.RequestEnd) and not each.target
    ]
    if outcome.kind == "won" and len(ends) == 1:
        span, how = ends[0], "`end game` comes before any decision"
    if outcome.kind == "stalled":
        phase = program.phases[outcome.stalled_in]
        span, how = phase.span, f"`{phase.name}` reaches its bound"
    elif outcome.kind == "drawn":
        held = next(each for each in program.draws if each.address in outcome.drawn_by)
        span, how = held.span, f"`{held.address}` holds"
    return fault(W503, f"The game is over as soon as it begins: {how}.", span)


W504 = MessageCode("W504", "every game stalls")
"""`check` played whole games with random moves, and each stalled at the bound of a
phase.

**Why.** A phase with `at most n times` stalls the game at its bound: the game is over,
and no one wins. That protects you from games that never end. If it happens in each
game, the bound has become a rule of the game. Often two variants restrict the same
action, and together they permit nothing.

`check` plays whole games without variants. With a variant that restricts or changes
something, and with variants that restrict or change the same thing, it plays up to 40
decisions with several options. With `--pairs` it plays each such pair.

**For example**

```text
phase deal until someone_knocks, at most 60 times      # nobody ever has to knock
```

**Fix.** Raise the bound if sixty rounds are too few. Otherwise count the rounds in a
state, and let `until` end the phase when there are enough: the next phase then decides
the value of an unfinished deal. If two variants cause it, let one exclude the other.
"""
