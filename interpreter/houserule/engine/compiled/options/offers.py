"""Options: the walks of all actions, taken together by number.

Counting lists the first options of each action, so the one that is taken is mostly a
copy. The list lies outside the state block. A number in the block says of which
counting it must be; if it is of another one, options are counted again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houserule import ir
from houserule.engine.compiled.clauses.procedures import CompiledProcedures
from houserule.engine.compiled.context import CompilationContext, can_function
from houserule.engine.compiled.functions import Code, Function, each_case, i32, i64
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
    OfferedActions,
    write_advice,
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
        self._advice: dict[str, Sequence[str]] = {}
        self._asked: dict[str, tuple[str, ResultMemo | None]] = {}

    def write(self) -> None:
        context, offered, program = self._context, self.offered, self._program
        header, numbers = context.memory.header, offered.numbers
        for name in offered.names:
            action = program.actions[name]
            frame = self._procedures.frames[f"action {name}"]
            binds, bound = option_binds(action), work_of_options(action, self._costs)
            tests = taking_tests(action, context.access)
            walk = self._walks.over(f"$walk.{name}", frame, binds, tests, bound=bound)
            walk.write(listed=True)
            self._by_action[name] = walk
            if action.advice:
                walks = [walk.title]
                for title, sides in (("wise", (False,)), ("usual", (False, True))):
                    if any(each.usual is sides[-1] for each in action.advice):
                        tests = taking_tests(action, context.access, sides)
                        title = f"${title}.{name}"
                        wise = self._walks.over(title, frame, binds, tests, bound=bound)
                        walks = [wise.write(), *(walks if sides[-1] else ())]
                self._advice[name] = walks

        # Walk one action by its number.
        limited = (("$which", "i32"), ("$me", "i32"), ("$limit", "i64"))
        f = Function("$count_of", limited, ("i64",))
        found = f.local("i64", "found")
        for number in each_case(f, numbers.values()):
            name = offered.names[number]
            code = f"(call $walk.{name} (local.get $me) (local.get $limit))"
            offered.considering(f, name, code, found)
        f.add(f"(local.get {found})")
        context.add(f)

        # Begin an action as the task at hand.
        procs = [self._procedures.numbers[f"action {name}"] for name in offered.names]
        plans = [context.engine.plans[name].number for name in offered.names]
        f = Function("$take", (("$which", "i32"),))
        where = "(i32.shl (local.get $which) (i32.const 2))"
        for field, values in (("task_proc", procs), ("doing", plans)):
            at = context.data.numbers(values or [0])
            f.store(header[field], f"(i32.load offset={at} {where})")
        context.add(f)

        # Bind an option: a listed one by copying, another by walking.
        params = (("$which", "i32"), ("$me", "i32"), ("$index", "i64"))
        f = Function("$pick", params, ("i32",))
        for number in each_case(f, numbers.values()):
            walk = self._by_action[offered.names[number]]
            walk.pick(f, "$index", plain=not offered.doing)
        f.add("(unreachable)")
        context.add(f)
        f = Function("$bind", params)
        option = "(local.get $which) (local.get $me) (local.get $index)"
        with f.when(f"(i32.eqz (call $pick {option}))"):
            f.add(f"(drop (call $count_of {option}))")
        context.add(f)

        # Lay an action's values down, and take them up again.
        for title in ("$keep", "$fetch"):
            f = Function(title, (("$which", "i32"), ("$at", "i32")))
            for number in each_case(f, numbers.values()):
                for word, at in enumerate(self._frame_words(offered.names[number])):
                    there, here = i32(at), f"offset={8 * word} (local.get $at)"
                    if title == "$keep":
                        f.add(f"(i64.store {here} (i64.load {there}))")
                    else:
                        f.add(f"(i64.store {there} (i64.load {here}))")
            context.add(f)

        # Offer the actions of a simultaneous phase.
        phases = (program.root, *program.phases.values())
        f = Function("$offer_together", (("$which", "i32"),))
        together = [number for number, phase in enumerate(phases) if phase.together]
        for number in each_case(f, together):
            step = program.steps[phases[number].items[0]]
            words = offered.words(step.actions)
            for name, some in zip(OFFERED, words, strict=True):
                f.store(header[name], i64(some), "i64")
            done = step.mode in {"at most once", ir.CLAIM}
            f.store(header["done"], i32(int(done)))
        context.add(f)

        # Count the options of all actions on offer.
        place = "(i32.shl (local.get $which) (i32.const 3))"
        here = "(local.get $here)"
        one = "(local.get $which) (local.get $me)"
        f = offered.over_all("$count_offered", (), "i64")
        f.locals.append(("$all", "i64"))
        f.add(offered.begin_listing())
        offered.each(
            f,
            [
                f"(local.set $here (call $count_of {one} (i64.const -1)))",
                f"(i64.store offset={offered.counts} {place} {here})",
                f"(local.set $all (i64.add (local.get $all) {here}))",
            ],
        )
        f.add(offered.end_listing())
        f.add("(local.get $all)")

        # Whether any action on offer can be taken.
        f = offered.over_all("$any_offered", (), "i32")
        offered.each(
            f,
            [
                f"(drop (call $count_of {one} (i64.const 0)))",
                "(if (global.get $hit) (then (return (i32.const 1))))",
            ],
        )
        f.add("(i32.const 0)")

        # Bind the option of a number; return its action, -1 for `done`.
        f = offered.over_all("$seek_offered", (("$index", "i64"),), "i32")
        f.add(offered.count_again())
        bind = f"(call $bind {one} (local.get $index))"
        offered.each(
            f,
            [
                f"(local.set $here (i64.load offset={offered.counts} {place}))",
                f"(if (i64.lt_u (local.get $index) {here}) (then {bind}",
                "(return (local.get $which))))",
                f"(local.set $index (i64.sub (local.get $index) {here}))",
            ],
        )
        f.add("(i32.const -1)")
        write_advice(context, offered, self._advice)

        # `$can.…`: whether some action of a step has an option.
        for name, step in program.steps.items():
            f = Function(can_function(name), (("$me", "i32"),), ("i32",))
            for action_name in step.actions:
                if self._by_action[action_name].free:
                    f.add("(return (i32.const 1))")
                    break
                test = self._any(f, action_name)
                f.add(f"(if {test} (then (return (i32.const 1))))")
            f.add("(i32.const 0)")
            context.add(f)

    def count_into(self, f: Function, name: str, none: Code = "") -> Code:
        """Write what counts an action's options for `$me`, and keeps the number.

        `none` is a test for a known empty result.
        """
        here = f.local("i64", "here")
        walk = f"(call $walk.{name} (local.get $me) (i64.const -1))"
        if self._by_action[name].free:
            f.set(here, i64(1))
        elif none:
            f.set(here, i64(0))
            with f.when(f"(i32.eqz {none})"):
                self.offered.considering(f, name, walk, here)
        else:
            self.offered.considering(f, name, walk, here)
        at = i32(self.offered.counts + 8 * self.offered.numbers[name])
        f.add(f"(i64.store {at} (local.get {here}))")
        return f"(local.get {here})"

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

    # ---- whether anything could be done

    def _any(self, f: Function, name: str) -> Code:
        """Return whether an action could be taken by `$me`.

        Results that depend on the state alone are memoised.
        """
        e = self._translator.into(f, {})
        if name not in self._asked:
            # Look for an option, but bind none: another may be under way.
            title, action = self._context.name("any", name), self._program.actions[name]
            look = Function(title, (("$me", "i32"),), ("i32",))
            look.locals += [("$found", "i64"), ("$is", "i32")]
            asking = "(global.set $asking (i32.{} (global.get $asking) (i32.const 1)))"
            look.add(asking.format("add"))
            walk = f"(call $walk.{name} (local.get $me) (i64.const 0))"
            self.offered.considering(look, name, walk, "$found")
            look.add(asking.format("sub"))
            look.set("$is", "(global.get $hit)")
            look.add("(global.set $hit (i32.const 0))")
            memo = None
            payments = [each for cost in action.costs for each in cost.payments]
            nodes = [*option_binds(action), *action.conditions, *payments]
            if not action.limits and not depends_on_moment(self._reaches, *nodes):
                seats = types.Maybe(types.Whole(0, self._program.seats - 1))
                stamp = self._versions.counter(*nodes)
                params = (ir.Param("me", seats),)
                memo = self._memos.memo(title, params, types.Flag(), stamp)
                inner = self._translator.into(look, {})
                self._memos.keep(inner, memo, ["(local.get $me)"], ("(local.get $is)",))
            look.add("(local.get $is)")
            self._context.add(look)
            self._asked[name] = title, memo
        title, memo = self._asked[name]
        if memo is None:
            return f"(call {title} (local.get $me))"
        return self._memos.look_up(e, memo, ["(local.get $me)"])[0]
