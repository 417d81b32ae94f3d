"""The actions on offer: loops over them, and which of their options are advised.

Actions are numbered by name, which is the order of their options. Two words of the
header have a bit for each action on offer.

Only bots follow advice. If an action has few options they are listed, and advice is
asked about the list; else a second walk of the action has advice among its tests.
"""

from __future__ import annotations

from collections.abc import Iterable

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.expressions.operands import InLocals
from houserule.engine.compiled.functions import (
    Code,
    Function,
    Unsupported,
    Write,
    i32,
    i64,
    load,
    switch,
)
from houserule.engine.compiled.memory.shapes import ALL, WORD
from houserule.engine.compiled.options.legality import sensible
from houserule.engine.compiled.options.products import Walk
from houserule.engine.compiled.options.segments import LISTED_AT_MOST
from houserule.engine.reference.evaluate.costs import Costs
from houserule.ir.walk import beneath

ACTIONS_AT_MOST = 128
OFFERED = ("offered", "offered_more")  # words of the header, a bit for each action


class OfferedActions:
    """Iterates over the actions on offer.

    Attributes:
        names: all actions, by number.
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


# ---- advice: the options that are not unwise


class Advice:
    """Writes what asks an action's advice about its listed options."""

    def __init__(
        self,
        context: CompilationContext,
        translator: Translator,
        costs: Costs,
        walk: Walk,
        action: ir.ActionDef,
    ) -> None:
        self._context, self._translator, self._costs = context, translator, costs
        self._walk, self._action = walk, action
        self.title = f"$filter.{action.name}"
        self.chosen = context.data.room(4 * LISTED_AT_MOST)

    @property
    def listed(self) -> bool:
        """Whether options are listed whole, one after the other."""
        return self._walk.listed_whole

    def write(self) -> None:
        """Write what lists the numbers of those that are not unwise; how many."""
        params = ("$me", "i32"), ("$count", "i32")
        f = Function(self.title, params, ("i32",), asks=True)
        f.locals += [("$number", "i32"), ("$kept", "i32")]
        with f.block("(block $out"), f.loop("$again"):
            f.add("(br_if $out (i32.ge_u (local.get $number) (local.get $count)))")
            listing = self._walk.listings[0]
            slots = listing.read(f, "(local.get $number)")
            e = self._translator.into(f, {**slots, 0: InLocals(("$me",))})
            e.bound = self._costs.bound(*self._action.unwise)
            with f.when(sensible(e, self._action.unwise)):
                at = "(i32.shl (local.get $kept) (i32.const 2))"
                f.add(f"(i32.store offset={self.chosen} {at} (local.get $number))")
                f.set("$kept", "(i32.add (local.get $kept) (i32.const 1))")
            f.set("$number", "(i32.add (local.get $number) (i32.const 1))")
            f.add("(br $again)")
        f.add("(local.get $kept)")
        self._context.add(f)


class Advising:
    """Writes `$advise` and `$seek_wise` over all actions on offer."""

    def __init__(
        self,
        context: CompilationContext,
        offered: OfferedActions,
        advice: dict[str, Advice],
    ) -> None:
        self._context, self._offered, self._advice = context, offered, advice
        self._header = context.memory.header
        actions = max(len(offered.names), 1)
        self._counts = context.data.room(8 * actions)
        self._filtered = context.data.room(4 * actions)

    def write(self) -> None:
        """Write both."""
        for each in self._advice.values():
            if each.listed:
                each.write()
        self._advise()
        self._bind_wise()
        self._seek()
        self._seek_first()
        self._count_advised()

    def _advise(self) -> None:
        """Count what is not unwise, if there is advice; return how many to draw of."""
        offered = self._offered
        f = offered.over_all("$advise", (("$plain", "i64"),), "i64")
        f.locals.append(("$all", "i64"))
        some = " ".join(
            f"(i64.and {load(self._header[name], 'i64')} {i64(bits)})"
            for name, bits in zip(OFFERED, offered.words(self._advice), strict=True)
        )
        with f.when(f"(i64.eqz (i64.or {some}))"):
            f.add("(return (local.get $plain))")
        f.add(offered.count_again())
        at = "(i32.shl (local.get $which) (i32.const 3))"
        offered.each(
            f,
            [
                f"(local.set $here (i64.load offset={offered.counts} {at}))",
                "(local.set $here (call $wise_among (local.get $which)"
                " (local.get $me) (local.get $here)))",
                f"(i64.store offset={self._counts} {at} (local.get $here))",
                "(local.set $all (i64.add (local.get $all) (local.get $here)))",
            ],
        )
        done = f"(i64.extend_i32_u {load(self._header['done'])})"
        f.add(f"(local.set $all (i64.add (local.get $all) {done}))")
        with f.when("(i64.eqz (local.get $all))"):
            f.add("(return (local.get $plain))")
        f.add("(global.set $advised (i32.const 1))")
        f.add("(local.get $all)")
        self._among()

    def _among(self) -> None:
        """Write how many of an action's options are not unwise."""
        offered, cases = self._offered, dict[int, Write]()
        for name, advice in self._advice.items():
            cases[offered.numbers[name]] = self._asking(name, advice)
        params = (("$me", "i32"), ("$count", "i64"))
        self._context.add(
            switch(
                "$wise_among",
                cases,
                params=params,
                results=("i64",),
                default="(local.get $count)",
            )
        )

    def _asking(self, name: str, advice: Advice) -> Write:
        offered, at = self._offered, self._filtered
        at += 4 * offered.numbers[name]

        def make(f: Function) -> None:
            found = f.local("i64", "found")
            f.add(f"(i32.store {i32(at)} (i32.const 0))")
            if advice.listed:
                few = f"(i64.le_u (local.get $count) {i64(LISTED_AT_MOST)})"
                with f.when(few):
                    count = "(i32.wrap_i64 (local.get $count))"
                    asked = f"(call {advice.title} (local.get $me) {count})"
                    wide = f"(i64.extend_i32_u {asked})"
                    offered.considering(f, name, wide, found)
                    f.add(f"(i32.store {i32(at)} (i32.const 1))")
                    f.add(f"(return (local.get {found}))")
            walk = f"(call $wise.{name} (local.get $me) (i64.const -1))"
            offered.considering(f, name, walk, found)
            f.add(f"(return (local.get {found}))")

        return make

    def _bind_wise(self) -> None:
        """Write what binds an option of a number among those that are not unwise."""
        offered, cases = self._offered, dict[int, Write]()
        for name, advice in self._advice.items():
            cases[offered.numbers[name]] = self._binding(name, advice)
        plain = "(call $bind (local.get $which) (local.get $me) (local.get $index))"
        self._context.add(
            switch(
                "$bind_wise",
                cases,
                params=(("$me", "i32"), ("$index", "i64")),
                results=(),
                default=plain,
            )
        )

    def _binding(self, name: str, advice: Advice) -> Write:
        offered = self._offered
        which = offered.numbers[name]
        at = self._filtered + 4 * which

        def make(f: Function) -> None:
            with f.when(f"(i32.load {i32(at)})"):
                where = "(i32.shl (i32.wrap_i64 (local.get $index)) (i32.const 2))"
                plain = f"(i64.load32_u offset={advice.chosen} {where})"
                f.add(f"(call $bind {i32(which)} (local.get $me) {plain})")
                f.add("(return)")
            found = f.local("i64", "found")
            walk = f"(call $wise.{name} (local.get $me) (local.get $index))"
            offered.considering(f, name, walk, found)
            f.add("(return)")

        return make

    def _seek(self) -> None:
        """Bind an option that is not unwise; return its action, -1 for `done`."""
        offered = self._offered
        f = offered.over_all("$seek_wise", (("$index", "i64"),), "i32")
        where = "(i32.shl (local.get $which) (i32.const 3))"
        walk = "(local.get $which) (local.get $me) (local.get $index)"
        offered.each(
            f,
            [
                f"(local.set $here (i64.load offset={self._counts} {where}))",
                "(if (i64.lt_u (local.get $index) (local.get $here)) (then",
                f"(call $bind_wise {walk})",
                "(return (local.get $which))))",
                "(local.set $index (i64.sub (local.get $index) (local.get $here)))",
            ],
        )
        f.add("(i32.const -1)")

    def _seek_first(self) -> None:
        """Bind the first option that is not unwise, else the first; return its action.

        Actions are counted up to the one that has it, and no further. So what is listed
        is of no decision's counting.
        """
        offered = self._offered
        f = offered.over_all("$seek_first", (), "i32")
        f.add("(global.set $listing (i32.add (global.get $listing) (i32.const 1)))")
        here = "(local.get $which) (local.get $me)"
        count = f"(call $count_of {here} (i64.const -1))"
        wise = f"(call $wise_among {here} {count})"
        for found, bind in ((wise, "$bind_wise"), (count, "$bind")):
            offered.each(
                f,
                [
                    f"(if (i64.ne {found} (i64.const 0)) (then",
                    f"(call {bind} {here} (i64.const 0))",
                    "(return (local.get $which))))",
                ],
            )
        f.add("(i32.const -1)")

    def _count_advised(self) -> None:
        """Count what is not unwise as one who decides does, if there is advice."""
        offered, cases = self._offered, dict[int, Write]()
        for name in self._advice:
            cases[offered.numbers[name]] = self._counting(name)
        here = "(local.get $which) (local.get $me)"
        plain = f"(drop (call $count_of {here} (i64.const -1)))"
        self._context.add(switch("$count_wise", cases, default=plain, results=()))
        f = Function("$count_advised", (("$me", "i32"),))
        f.locals += [("$rest", "i64"), ("$which", "i32")]
        if self._advice:
            offered.each(f, [f"(call $count_wise {here})"])
        self._context.add(f)

    def _counting(self, name: str) -> Write:
        def make(f: Function) -> None:
            found = f.local("i64", "found")
            walk = f"(call $wise.{name} (local.get $me) (i64.const -1))"
            self._offered.considering(f, name, walk, found)
            f.add("(return)")

        return make
