"""Options: the walks of all actions, taken together by number.

Counting lists the first options of each action, so the one that is taken is mostly a
copy. The list lies outside the state block. A number in the block says of which
counting it must be; if it is of another one, options are counted again.
"""

from __future__ import annotations

from collections.abc import Mapping

from houserule import ir
from houserule.engine.compiled.clauses.procedures import CompiledProcedures
from houserule.engine.compiled.context import CompilationContext, can_function
from houserule.engine.compiled.functions import (
    Code,
    Function,
    Write,
    choose_case,
    i32,
    i64,
    switch,
)
from houserule.engine.compiled.memory.shapes import words_of
from houserule.engine.compiled.optimize.costs import work_of_options
from houserule.engine.compiled.optimize.memoisation import (
    Memos,
    ResultMemo,
    depends_on_moment,
)
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.compiled.options.legality import taking_tests
from houserule.engine.compiled.options.offered import (
    OFFERED,
    Advice,
    Advising,
    OfferedActions,
)
from houserule.engine.compiled.options.products import Walk, Walks
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.reference.evaluate.values import Reach
from houserule.ir import types
from houserule.ir.walk import option_binds


class OfferWriter:
    """Writes the walks of the actions, and the loops over those on offer."""

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        costs: Costs,
        versions: Versions,
        memos: Memos,
        walks: Walks,
        procedures: CompiledProcedures,
    ) -> None:
        self._context, self._program = context, context.program
        self._reaches, self._costs, self._versions = reaches, costs, versions
        self._memos, self._walks = memos, walks
        self._translator = walks.translator
        self._procedures = procedures
        self.offered = OfferedActions(context)
        self._by_action: dict[str, Walk] = {}
        self._advice: dict[str, Advice] = {}
        self._asked: dict[str, tuple[str, ResultMemo | None]] = {}

    def write(self) -> None:
        """Write everything."""
        for name in self.offered.names:
            self._write_walks(name)
        self._counting()
        self._take()
        self._picks()
        self._choices()
        self._together()
        self._count_all()
        self._any_offered()
        self._seek()
        Advising(self._context, self.offered, self._advice).write()
        # `$can.…`: whether some action of a step has an option.
        for name, step in self._program.steps.items():
            f = Function(can_function(name), (("$me", "i32"),), ("i32",))
            walks = [self._by_action[action] for action in step.actions]
            for action, walk in zip(step.actions, walks, strict=True):
                if walk.free:
                    f.add("(return (i32.const 1))")
                    break
                f.add(f"(if {self._any(f, action)} (then (return (i32.const 1))))")
            f.add("(i32.const 0)")
            self._context.add(f)

    # ---- walks

    def _write_walks(self, name: str) -> None:
        action = self._program.actions[name]
        frame, binds = self._procedures.frames[f"action {name}"], option_binds(action)
        bound = work_of_options(action, self._costs)
        tests = taking_tests(action, self._context.access)
        walk = self._walks.over(f"$walk.{name}", frame, binds, tests, bound=bound)
        walk.write(listed=True, whole=bool(action.unwise))
        self._by_action[name] = walk
        if action.unwise:
            tests = taking_tests(action, self._context.access, advised=True)
            wise = self._walks.over(f"$wise.{name}", frame, binds, tests, bound=bound)
            wise.write()
            self._advice[name] = Advice(
                self._context, self._translator, self._costs, walk, action
            )

    def count_into(self, f: Function, name: str, none: Code = "") -> Code:
        """Write what counts an action's options for `$me`, and keeps the number.

        `none` is a test for a known empty result.
        """
        here = f.local("i64", "here")
        if self._by_action[name].free:
            f.set(here, i64(1))
        elif none:
            f.set(here, i64(0))
            with f.when(f"(i32.eqz {none})"):
                self._walked_into(f, name, here)
        else:
            self._walked_into(f, name, here)
        at = i32(self.offered.counts + 8 * self.offered.numbers[name])
        f.add(f"(i64.store {at} (local.get {here}))")
        return f"(local.get {here})"

    def _walked_into(self, f: Function, name: str, here: str) -> None:
        walk = f"(call $walk.{name} (local.get $me) (i64.const -1))"
        self.offered.considering(f, name, walk, here)

    def _counting(self) -> None:
        """Write what walks one action by its number."""
        params = (("$which", "i32"), ("$me", "i32"), ("$limit", "i64"))
        f = Function("$count_of", params, ("i64",))
        found = f.local("i64", "found")
        cases = {
            self.offered.numbers[n]: self._walking(n, found) for n in self.offered.names
        }
        choose_case(f, cases)
        f.add(f"(local.get {found})")
        self._context.add(f)

    def _walking(self, name: str, found: str) -> Write:
        walk = f"(call $walk.{name} (local.get $me) (local.get $limit))"
        return lambda f: self.offered.considering(f, name, walk, found)

    # ---- taking

    def _take(self) -> None:
        """Write what begins an action as the task at hand."""
        header, data = self._context.memory.header, self._context.data
        procs = [
            self._procedures.numbers[f"action {name}"] for name in self.offered.names
        ]
        numbers = [
            self._context.engine.plans[name].number for name in self.offered.names
        ]
        f = Function("$take", (("$which", "i32"),))
        where = "(i32.shl (local.get $which) (i32.const 2))"
        for field, values in (("task_proc", procs), ("doing", numbers)):
            found = f"(i32.load offset={data.numbers(values or [0])} {where})"
            f.store(header[field], found)
        self._context.add(f)

    def _picks(self) -> None:
        """Write what binds an option: a listed one by copying, another by walking."""
        cases = {
            self.offered.numbers[name]: self._by_action[name].picking(
                "$index", plain=not self.offered.doing
            )
            for name in self.offered.names
        }
        params = (("$me", "i32"), ("$index", "i64"))
        self._context.add(
            switch("$pick", cases, params=params, default="(unreachable)")
        )
        f = Function("$bind", (("$which", "i32"), *params))
        walk = "(local.get $which) (local.get $me) (local.get $index)"
        with f.when(f"(i32.eqz (call $pick {walk}))"):
            f.add(f"(drop (call $count_of {walk}))")
        self._context.add(f)

    def _choices(self) -> None:
        """Write what lays an action's values down, and what takes them up again."""
        for title, storing in (("$keep", True), ("$fetch", False)):
            cases = {}
            for name in self.offered.names:
                cases[self.offered.numbers[name]] = self._copying(name, storing=storing)
            params = (("$at", "i32"),)
            self._context.add(switch(title, cases, params=params, results=()))

    def most_frame_bytes(self) -> int:
        """Return how many bytes `$keep` lays down at most."""
        return max(
            (8 * len(self._frame_words(name)) for name in self.offered.names), default=0
        )

    def _frame_words(self, name: str) -> list[int]:
        """Return where the acting seat and the values of an action stand."""
        frame = self._procedures.frames[f"action {name}"]
        places = [(frame.slots[0], 1)]
        for bind in option_binds(self._program.actions[name]):
            words = words_of(bind.type)
            places += [(frame.slots[slot], words) for slot in bind.slots if slot]
        return [at + 8 * word for at, words in places for word in range(words)]

    def _copying(self, name: str, *, storing: bool) -> Write:
        cells = self._frame_words(name)

        def make(f: Function) -> None:
            for number, at in enumerate(cells):
                there, here = i32(at), f"offset={8 * number} (local.get $at)"
                if storing:
                    f.add(f"(i64.store {here} (i64.load {there}))")
                else:
                    f.add(f"(i64.store {there} (i64.load {here}))")

        return make

    # ---- what is on offer in a simultaneous phase

    def _together(self) -> None:
        program, together = self._program, dict[int, Write]()
        for number, phase in enumerate((program.root, *program.phases.values())):
            if phase.together:
                step = program.steps[phase.items[0]]
                done = step.mode == "at most once"
                together[number] = self._only(step.actions, done=done)
        self._context.add(switch("$offer_together", together, params=(), results=()))

    def _only(self, actions: tuple[str, ...], *, done: bool) -> Write:
        header, words = self._context.memory.header, self.offered.words(actions)

        def make(f: Function) -> None:
            for name, some in zip(OFFERED, words, strict=True):
                f.store(header[name], i64(some), "i64")
            f.store(header["done"], i32(int(done)))

        return make

    # ---- over all that is offered

    def _count_all(self) -> None:
        f = self.offered.over_all("$count_offered", (), "i64")
        f.locals.append(("$all", "i64"))
        f.add(self.offered.begin_listing())
        where = "(i32.shl (local.get $which) (i32.const 3))"
        walk = "(call $count_of (local.get $which) (local.get $me) (i64.const -1))"
        self.offered.each(
            f,
            [
                f"(local.set $here {walk})",
                f"(i64.store offset={self.offered.counts} {where} (local.get $here))",
                "(local.set $all (i64.add (local.get $all) (local.get $here)))",
            ],
        )
        f.add(self.offered.end_listing())
        f.add("(local.get $all)")

    def _any_offered(self) -> None:
        """Write what looks whether any action on offer can be taken."""
        f = self.offered.over_all("$any_offered", (), "i32")
        walk = "(call $count_of (local.get $which) (local.get $me) (i64.const 0))"
        self.offered.each(
            f,
            [
                f"(drop {walk})",
                "(if (global.get $hit) (then (return (i32.const 1))))",
            ],
        )
        f.add("(i32.const 0)")

    def _seek(self) -> None:
        """Bind the option of a number; return its action, -1 for `done`."""
        f = self.offered.over_all("$seek_offered", (("$index", "i64"),), "i32")
        f.add(self.offered.count_again())
        where = "(i32.shl (local.get $which) (i32.const 3))"
        bind = "(call $bind (local.get $which) (local.get $me) (local.get $index))"
        self.offered.each(
            f,
            [
                f"(local.set $here (i64.load offset={self.offered.counts} {where}))",
                f"(if (i64.lt_u (local.get $index) (local.get $here)) (then {bind}",
                "(return (local.get $which))))",
                "(local.set $index (i64.sub (local.get $index) (local.get $here)))",
            ],
        )
        f.add("(i32.const -1)")

    # ---- whether anything could be done

    def _any(self, f: Function, name: str) -> Code:
        """Return whether an action could be taken by `$me`.

        Results that depend on the state alone are memoised.
        """
        if name not in self._asked:
            self._asked[name] = self._asking(name)
        title, memo = self._asked[name]
        if memo is None:
            return f"(call {title} (local.get $me))"
        e = self._translator.into(f, {})
        return self._memos.look_up(e, memo, ["(local.get $me)"])[0]

    def _asking(self, name: str) -> tuple[str, ResultMemo | None]:
        """Write what looks for an option. It binds none: another may be under way."""
        title = self._context.name("any", name)
        f = Function(title, (("$me", "i32"),), ("i32",))
        f.locals += [("$found", "i64"), ("$is", "i32")]
        f.add(_counted("add"))
        walk = f"(call $walk.{name} (local.get $me) (i64.const 0))"
        self.offered.considering(f, name, walk, "$found")
        f.add(_counted("sub"))
        f.set("$is", "(global.get $hit)")
        f.add("(global.set $hit (i32.const 0))")
        memo, action = None, self._program.actions[name]
        payments = [each for cost in action.costs for each in cost.payments]
        nodes = [*option_binds(action), *action.conditions, *payments]
        if not action.limits and not depends_on_moment(self._reaches, *nodes):
            seats = types.Maybe(types.Whole(0, self._program.seats - 1))
            stamp = self._versions.counter(*nodes)
            params = (ir.Param("me", seats),)
            memo = self._memos.memo(title, params, types.Flag(), stamp)
            e = self._translator.into(f, {})
            self._memos.keep(e, memo, ["(local.get $me)"], ("(local.get $is)",))
        f.add("(local.get $is)")
        self._context.add(f)
        return title, memo


def _counted(op: str) -> str:
    return f"(global.set $asking (i32.{op} (global.get $asking) (i32.const 1)))"
