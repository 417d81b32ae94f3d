"""The actions on offer: loops over them, and which of their options are advised.

Actions are numbered by name, which is the order of their options. Two words of the
header have a bit for each action on offer.

Only bots follow advice. A second walk of the action has advice among its tests, and a
third one if some options are usual.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.functions import (
    Code,
    Function,
    Unsupported,
    each_case,
    i32,
    i64,
    load,
)
from houserule.engine.compiled.memory.shapes import ALL, WORD
from houserule.ir.walk import beneath

ACTIONS_AT_MOST = 128
OFFERED = ("offered", "offered_more")  # words of the header, a bit for each action


class OfferedActions:
    """Iterates over the actions on offer.

    Attributes:
        counts: the address where it stands how many options each has, 8 bytes each.
        doing: whether rules ask what is done, so that an action must be named while it
            is considered.
    """

    def __init__(self, context: CompilationContext) -> None:
        self._context, self._header = context, context.memory.header
        program = context.program
        self.names = sorted(program.actions)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        if len(self.names) > ACTIONS_AT_MOST:
            raise Unsupported(f"more than {ACTIONS_AT_MOST} actions")
        self.counts = context.data.room(8 * max(len(self.names), 1))
        asking = [*program.values.values(), *program.actions.values()]
        self.doing = any(isinstance(node, ir.Doing) for node in beneath(*asking))

    def words(self, actions: Iterable[str]) -> tuple[int, int]:
        """Return actions bit by bit, as the two words of the header hold them."""
        every = sum(1 << self.numbers[name] for name in actions)
        return every & ALL, every >> WORD

    # ---- loops over what is offered

    def each(self, f: Function, body: list[str]) -> None:
        """Write a loop over the numbers of the actions on offer, in order."""
        for number, name in enumerate(OFFERED):
            if number * 64 >= len(self.names):
                break
            f.add(f"(local.set $rest {load(self._header[name], 'i64')})")
            with f.block(f"(block $out{number}"), f.loop(f"$again{number}"):
                f.add(f"(br_if $out{number} (i64.eqz (local.get $rest)))")
                f.add(
                    "(local.set $which (i32.add (i32.wrap_i64 (i64.ctz"
                    f" (local.get $rest))) (i32.const {64 * number})))"
                )
                f.add(
                    "(local.set $rest (i64.and (local.get $rest)"
                    " (i64.sub (local.get $rest) (i64.const 1))))"
                )
                f.lines += body
                f.add(f"(br $again{number})")

    def over_all(
        self, title: str, params: tuple[tuple[str, str], ...], result: str
    ) -> Function:
        """Return a function that iterates over the actions on offer."""
        f = Function(title, (("$me", "i32"), *params), (result,))
        f.locals += [("$rest", "i64"), ("$which", "i32"), ("$here", "i64")]
        self._context.add(f)
        return f

    def considering(self, f: Function, name: str, code: Code, into: str) -> None:
        """Write what gives a local a value while an action is considered."""
        if not self.doing:
            f.set(into, code)
            return
        doing = self._header["doing"]
        before = f.keep(load(doing))
        now = i32(self._context.engine.plans[name].number)
        f.store(doing, now)
        f.set(into, code)
        f.store(doing, before)

    # ---- the list of options that were counted last

    def begin_listing(self) -> str:
        """Return the statements that begin a new list, and name it in the block."""
        more = "(i32.add (global.get $listing) (i32.const 1))"
        return (
            f"(global.set $listing {more})"
            f" (i32.store (i32.const {self._header['listing']}) (global.get $listing))"
            f" (i32.store (i32.const {self._header['offering']}) (i32.const 1))"
        )

    def end_listing(self) -> str:
        """Return the statement that ends it: no option made the rules fail."""
        at = self._header["offering"]
        return f"(i32.store (i32.const {at}) (i32.const 0))"

    def count_again(self) -> str:
        """Return what counts again for `$me` where the list is of another counting."""
        listing = self._header["listing"]
        other = f"(i32.ne {load(listing)} (global.get $listing))"
        count = "(drop (call $count_offered (local.get $me)))"
        return f"(if {other} (then {count}))"


# ---- advice: the usual options, or else those that are not unwise


def write_advice(
    context: CompilationContext,
    offered: OfferedActions,
    advice: Mapping[str, Sequence[str]],
) -> None:
    """Write `$advise`, `$seek_wise` and the like, over all actions on offer.

    `advice` has the walks of each action with advice. Each is asked if the one before
    it finds nothing.
    """
    advised = {offered.numbers[name]: walks for name, walks in advice.items()}
    header, actions = context.memory.header, max(len(offered.names), 1)
    counts = context.data.room(8 * actions)
    walked = context.data.room(4 * actions)  # by action: which of its walks found some
    here = "(local.get $which) (local.get $me)"
    at = "(i32.shl (local.get $which) (i32.const 3))"

    # Count what is advised, if there is advice; return how many to draw of.
    f = offered.over_all("$advise", (("$plain", "i64"),), "i64")
    f.locals.append(("$all", "i64"))
    some = " ".join(
        f"(i64.and {load(header[name], 'i64')} {i64(bits)})"
        for name, bits in zip(OFFERED, offered.words(advice), strict=True)
    )
    with f.when(f"(i64.eqz (i64.or {some}))"):
        f.add("(return (local.get $plain))")
    f.add(offered.count_again())
    offered.each(
        f,
        [
            f"(local.set $here (i64.load offset={offered.counts} {at}))",
            f"(local.set $here (call $wise_among {here} (local.get $here)))",
            f"(i64.store offset={counts} {at} (local.get $here))",
            "(local.set $all (i64.add (local.get $all) (local.get $here)))",
        ],
    )
    done = f"(i64.extend_i32_u {load(header['done'])})"
    f.add(f"(local.set $all (i64.add (local.get $all) {done}))")
    with f.when("(i64.eqz (local.get $all))"):
        f.add("(return (local.get $plain))")
    f.add("(global.set $advised (i32.const 1))")
    f.add("(local.get $all)")

    # How many of an action's options are advised.
    params = (("$which", "i32"), ("$me", "i32"), ("$count", "i64"))
    f = Function("$wise_among", params, ("i64",))
    for number in each_case(f, advised):
        found = f.local("i64", "found")
        for which, title in enumerate(advised[number]):
            walk = f"(call {title} (local.get $me) (i64.const -1))"
            offered.considering(f, offered.names[number], walk, found)
            f.add(f"(i32.store {i32(walked + 4 * number)} {i32(which)})")
            with f.when(f"(i64.ne (local.get {found}) (i64.const 0))"):
                f.add(f"(return (local.get {found}))")
        f.add("(return (i64.const 0))")
    with f.when("(i64.eq (local.get $count) (i64.const -1))"):  # not counted yet
        f.add(f"(return (call $count_of {here} (i64.const -1)))")
    f.add("(local.get $count)")
    context.add(f)

    # Bind an option of a number among those that are advised.
    params = (("$which", "i32"), ("$me", "i32"), ("$index", "i64"))
    f = Function("$bind_wise", params)
    for number in each_case(f, advised):
        found = f.local("i64", "found")
        turn = f.keep(f"(i32.load {i32(walked + 4 * number)})")
        for which, title in enumerate(advised[number]):
            with f.when(f"(i32.eq {turn} {i32(which)})"):
                walk = f"(call {title} (local.get $me) (local.get $index))"
                offered.considering(f, offered.names[number], walk, found)
        f.add("(return)")
    f.add(f"(call $bind {here} (local.get $index))")
    context.add(f)

    # Bind an advised option; return its action, -1 for `done`.
    f = offered.over_all("$seek_wise", (("$index", "i64"),), "i32")
    offered.each(
        f,
        [
            f"(local.set $here (i64.load offset={counts} {at}))",
            "(if (i64.lt_u (local.get $index) (local.get $here)) (then",
            f"(call $bind_wise {here} (local.get $index))",
            "(return (local.get $which))))",
            "(local.set $index (i64.sub (local.get $index) (local.get $here)))",
        ],
    )
    f.add("(i32.const -1)")

    # Bind the first advised option, else the first; return its action.
    # Actions are counted up to the one that has it, and no further. So what is
    # listed is of no decision's counting.
    f = offered.over_all("$seek_first", (), "i32")
    f.add("(global.set $listing (i32.add (global.get $listing) (i32.const 1)))")
    count = f"(call $count_of {here} (i64.const -1))"
    wise = f"(call $wise_among {here} {count})"
    for first, bind in ((wise, "$bind_wise"), (count, "$bind")):
        offered.each(
            f,
            [
                f"(if (i64.ne {first} (i64.const 0)) (then",
                f"(call {bind} {here} (i64.const 0))",
                "(return (local.get $which))))",
            ],
        )
    f.add("(i32.const -1)")

    # Count what is advised as one who decides does, if there is advice.
    f = Function("$count_advised", (("$me", "i32"),))
    f.locals += [("$rest", "i64"), ("$which", "i32")]
    if advised:
        offered.each(f, [f"(drop (call $wise_among {here} (i64.const -1)))"])
    context.add(f)
