"""The actions on offer: their numbers, loops over them, the list of their options.

Actions are numbered by name, which is the order of their options. Which of them are on
offer stands in two words of the header, bit by bit.
"""

from __future__ import annotations

from houserule import ir
from houserule.compiled.context import CompilationContext
from houserule.compiled.writer.functions import Code, Function, Unsupported, i32
from houserule.ir.walk import beneath

ACTIONS_AT_MOST = 128


class OfferedActions:
    """What goes over the actions on offer.

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

    def mask(self, actions: tuple[str, ...]) -> int:
        """Return actions, bit by bit."""
        return sum(1 << self.numbers[name] for name in actions)

    # ---- loops over what is offered

    def each(self, f: Function, body: list[str]) -> None:
        """Write a loop over the numbers of the actions on offer, in order."""
        for number, name in enumerate(("offered", "offered_more")):
            if number * 64 >= len(self.names):
                break
            f.add(f"(local.set $rest (i64.load (i32.const {self._header[name]})))")
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
        """Return a function that is to go over the actions on offer."""
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
        before = f.keep(f"(i32.load (i32.const {doing}))")
        now = i32(self._context.engine.plans[name].number)
        f.add(f"(i32.store (i32.const {doing}) {now})")
        f.set(into, code)
        f.add(f"(i32.store (i32.const {doing}) {before})")

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
        other = f"(i32.ne (i32.load (i32.const {listing})) (global.get $listing))"
        count = "(drop (call $count_offered (local.get $me)))"
        return f"(if {other} (then {count}))"
