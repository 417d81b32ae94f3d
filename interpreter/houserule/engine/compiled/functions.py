"""Functions of WebAssembly text: lines, locals, operands in order; switches.

Code is text in folded form: `(i32.add (local.get $a) (i32.const 1))` is an operand, and
a caller embeds it in the operand or the line that uses it. So most expressions need no
locals, and the text has the shape of the rules.

Folded code runs at the place where it is written, not where it was made. Two rules keep
the order of evaluation. Code with an effect is a separate line, never an operand. And
if lines were added after an operand was made, they would run before it. So `settle`
puts the operand into a local ahead of them, at the line where it was made. `keep` puts
an operand into a local if it is used more than once. A plain operand, a local or a
constant, needs neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from houserule.base.diagnostics.render import place
from houserule.base.source import Span

Code: TypeAlias = str  # a folded expression
PLAIN = ("(local.get ", "(i32.const ", "(i64.const ")
NONE = "(i32.const -2147483648)"  # no value, where a number or a member may be missing
NONE_VALUE = -(1 << 31)


def speakable(name: str) -> str:
    """Return a name as functions of a module can have it."""
    return re.sub(r"[^A-Za-z0-9_.]", "_", name)


class Unsupported(Exception):
    """The program cannot be compiled; the message gives the reason.

    Attributes:
        span: where in the rules that is, if it is one expression.

    Example:
        >>> try:
        ...     text = houserule.load("pig").table().compiled_text()
        ... except houserule.Unsupported as error:
        ...     text = f"the reference engine alone plays this: {error}"
    """

    span: Span | None = None

    @property
    def placed(self) -> str:
        """The message with its file and line."""
        return f"{self}, {place(self.span)}" if self.span else str(self)

    def at(self, span: Span) -> None:
        """Note the place, unless a closer one is known."""
        if self.span is None and span.line:
            self.span = span


def i32(value: int) -> Code:
    """Return a constant of 32 bits."""
    return f"(i32.const {value})"


def i64(value: int) -> Code:
    """Return a constant of 64 bits, given with or without a sign."""
    return f"(i64.const {value - (1 << 64) if value >= 1 << 63 else value})"


def load(at: int, type_: str = "i32") -> Code:
    """Return the value at an address, 32 bits or 64."""
    return f"({type_}.load (i32.const {at}))"


def plain(code: Code) -> bool:
    """Return whether an operand is a local or a constant, free and unchanging."""
    return code.startswith(PLAIN) and code.count("(") == 1


class Function:
    """One function that is being written.

    `params` are pairs of a name and a type. Statements are added in order; a folded
    expression that is kept as text is evaluated where it is put, so an operand that
    later statements could overtake is first put into a local (`settle`). `depth` counts
    the blocks around the next statement, which at depth 0 always runs.
    """

    def __init__(
        self,
        name: str,
        params: Sequence[tuple[str, str]] = (),
        results: Sequence[str] = (),
    ) -> None:
        self.name, self.params, self.results = name, tuple(params), tuple(results)
        self.locals: list[tuple[str, str]] = []
        self.lines: list[str] = []
        self.depth = 0
        self._labels = 0

    def local(self, type_: str, hint: str = "t") -> str:
        name = f"${hint}{len(self.locals)}"
        self.locals.append((name, type_))
        return name

    def label(self, hint: str) -> str:
        self._labels += 1
        return f"${hint}_{self._labels}"

    def add(self, line: str) -> None:
        self.lines.append(line)

    def set(self, name: str, code: Code) -> None:
        """Give a local a value."""
        self.lines.append(f"(local.set {name} {code})")

    def store(self, at: int, code: Code, type_: str = "i32") -> None:
        """Write a value to an address, 32 bits or 64."""
        self.lines.append(f"({type_}.store (i32.const {at}) {code})")

    def keep(self, code: Code, type_: str = "i32") -> Code:
        """Return an operand that stays what it is: the code itself or a new local."""
        if plain(code):
            return code
        name = self.local(type_)
        self.set(name, code)
        return f"(local.get {name})"

    @contextmanager
    def block(self, opening: str) -> Iterator[None]:
        """Write the content of a block, a loop, or a branch."""
        self.lines.append(opening)
        self.depth += 1
        yield
        self.depth -= 1
        self.lines.append(")")

    def otherwise(self) -> None:
        """Continue with the code for a false condition."""
        self.lines.append(") (else")

    @contextmanager
    def when(self, condition: Code) -> Iterator[None]:
        """Write the code that runs if a condition holds."""
        with self.block(f"(if {condition} (then"):
            yield
        self.lines[-1] = "))"

    @contextmanager
    def loop(self, label: str) -> Iterator[None]:
        """Write a loop; `(br label)` goes round again."""
        with self.block(f"(loop {label}"):
            yield

    def settle(self, since: int, code: Code, type_: str = "i32") -> Code:
        """Return an operand that was made when there were `since` lines.

        Where statements have been added meanwhile, it is put into a local before them.
        """
        if len(self.lines) == since or plain(code):
            return code
        name = self.local(type_)
        self.lines.insert(since, f"(local.set {name} {code})")
        return f"(local.get {name})"

    def text(self) -> str:
        params = "".join(f" (param {name} {type_})" for name, type_ in self.params)
        results = "".join(f" (result {type_})" for type_ in self.results)
        local = "".join(f" (local {name} {type_})" for name, type_ in self.locals)
        body = "\n  ".join(self.lines)
        return f"(func {self.name}{params}{results}{local}\n  {body})\n"


Write: TypeAlias = Callable[[Function], None]
"""What writes some lines into a function."""


# ---- functions that do something else, or give another number, for each number given


def each_case(f: Function, numbers: Iterable[int]) -> Iterator[int]:
    """Write a jump to the case of `$which`: yield each number in order, to write it.

    All cases go on behind the last one.
    """
    known = sorted(numbers)
    if not known:
        return
    every = range(known[-1] + 1)
    targets = " ".join(f"$case{n}" if n in known else "$out" for n in every)
    with f.block("(block $out"):
        # A branch to a block goes to its end. So blocks are opened from the last case
        # to the first, and a case directly follows the end of its own block.
        for number in reversed(known):
            f.add(f"(block $case{number}")
        f.add(f"(br_table {targets} $out (local.get $which))")
        for number in known:
            f.add(")")
            yield number
            f.add("(br $out)")


def switch(
    title: str,
    cases: Mapping[int, Write],
    *,
    default: str = "",
    params: Iterable[tuple[str, str]] = (("$me", "i32"),),
) -> Function:
    """Return a function that does something else for each number it is given."""
    f = Function(title, (("$which", "i32"), *params), ("i32",))
    for number in each_case(f, cases):
        cases[number](f)
    if default:
        f.add(default)
    return f


def array_function(title: str, at: int) -> Function:
    """Return a function that looks a number up in an array."""
    f = Function(title, (("$which", "i32"),), ("i32",))
    f.add(f"(i32.load offset={at} (i32.shl (local.get $which) (i32.const 2)))")
    return f


def signed(number: int) -> int:
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >= 1 << 63 else number
