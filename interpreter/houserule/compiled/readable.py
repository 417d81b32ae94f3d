"""Readable text of a module: in groups, each function with the clause it comes from.

It says the same as the text that is compiled. Functions of the rules are put in groups
with headings, a comment says before each one what it is and where that stands in the
rules, and lines are indented by what they stand in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from houserule.compiled.functions import speakable
from houserule.compiled.module import ARRAYS, OWN, Module
from houserule.frozen import frozen
from houserule.ir import CoreNode, Program

INDENT = "  "


@frozen
class FunctionOrigin:
    """Where functions of a kind come from: a part of the program, and what they do."""

    part: str
    says: str


ORIGINS: Mapping[str, FunctionOrigin] = {
    "action": FunctionOrigin("actions", "does the action `{}`"),
    "effect": FunctionOrigin("effects", "does the effect `{}`"),
    "step": FunctionOrigin("steps", "does the step `{}`"),
    "reaction": FunctionOrigin("reactions", "does the reaction `{}`"),
    "before": FunctionOrigin("phases", "does what comes before the phase `{}`"),
    "after": FunctionOrigin("phases", "does what comes after the phase `{}`"),
    "pick": FunctionOrigin("", "goes over what may be picked at `{}`"),
    "value": FunctionOrigin("values", "works out the value `{}`"),
    "query": FunctionOrigin("", "works out a query of line {}"),
    "watch": FunctionOrigin("values", "works out the watched value `{}`"),
    "walk": FunctionOrigin("actions", "goes over the options of `{}`"),
    "wise": FunctionOrigin(
        "actions", "goes over the options of `{}` that are not unwise"
    ),
    "filter": FunctionOrigin(
        "actions", "lists the options of `{}` that are not unwise"
    ),
    "can": FunctionOrigin(
        "steps", "says whether anything could be done at the step `{}`"
    ),
    "phase": FunctionOrigin("phases", "goes on in the phase `{}`"),
    "next": FunctionOrigin("phases", "goes to the next pass of the phase `{}`"),
    "first_values": FunctionOrigin(
        "phases", "gives states their first values, for `{}`"
    ),
}
GROUPS: Mapping[str, tuple[str, ...]] = {
    "what is done; each can stop at a decision and go on": (
        *("action", "effect", "step", "reaction", "before", "after"),
        "pick",
    ),
    "declared values": ("value", "query", "watch"),
    "options, counted or sought by number": ("walk", "wise", "filter", "can"),
    "phases": ("phase", "next"),
    "how lives begin": ("first_values",),
    "the flow at this table": (),
}


def readable(module: Module) -> str:
    """Return the text of a module as people read it; it compiles to the same."""
    common, _, rest = module.text.partition(OWN)
    own, _, arrays = rest.partition(ARRAYS)
    functions = [f"(func {each}" for each in own.split("(func ")[1:]]
    groups: dict[str, list[str]] = {name: [] for name in GROUPS}
    for function in functions:
        groups[_group(function)].append(function)
    parts = [common, OWN, *_faults(module)]
    for title, members in groups.items():
        if members:
            parts.append(f"\n;; ---- {title}\n")
            parts += [_with_comment(module.program, each) for each in members]
    return "".join([*parts, "\n", ARRAYS, arrays])


def _faults(module: Module) -> Iterator[str]:
    """Yield what each number means that `$fault` is given."""
    if module.faults:
        yield "\n;; ---- faults by number\n"
    for number, fault in enumerate(module.faults, 1):
        where = f" {fault.span}" if fault.span.line else ""
        message = " ".join(fault.message.split())
        yield f";; {number}: {fault.code}{where}: {message}\n"


def _named(function: str) -> tuple[str, str]:
    """Return the kind of a function, and what it is named after."""
    kind, _, name = function.split(maxsplit=2)[1].removeprefix("$").partition(".")
    return kind, name


def _group(function: str) -> str:
    kind, name = _named(function)
    for title, kinds in GROUPS.items():
        if name and kind in kinds:
            return title
    return title


def _with_comment(program: Program, function: str) -> str:
    """Return a function with the comment that belongs before it."""
    kind, name = _named(function)
    lines = "\n".join(_indented(function.splitlines()))
    if not name or kind not in ORIGINS:
        return f"\n{lines}\n"
    name = name.partition("~")[0]
    name, _, start = name.partition("/")
    said = ORIGINS[kind].says.format(name or "game")
    if start:
        said += f", from variable {int(start) + 1} on"
    return f"\n;; {said}{_place(program, ORIGINS[kind].part, name)}\n{lines}\n"


def _place(program: Program, part: str, name: str) -> str:
    """Return where the rules say it, and its caption."""
    owner = name if part else name.partition(".")[0]
    families: Sequence[Mapping[str, CoreNode]] = {
        "actions": (program.actions,),
        "effects": (program.effects,),
        "steps": (program.steps,),
        "reactions": (program.reactions,),
        "phases": (program.phases,),
        "values": (program.values,),
    }.get(part, (program.actions, program.effects, program.steps, program.reactions))
    for family in families:
        for name in (each for each in family if speakable(each) == owner):
            span, info = family[name].span, program.clauses.get(name)
            where = f": {span.file}:{span.line}" if span.line else ""
            return where + (f' "{info.caption}"' if info and info.caption else "")
    return ""


def _indented(lines: list[str]) -> Iterator[str]:
    """Yield lines, each indented by how many of those before it are open."""
    opened: list[int] = []
    for line in map(str.strip, lines):
        closing = len(line) - len(line.lstrip(")"))
        _close(opened, closing)
        yield INDENT * len(opened) + line
        rest = line[closing:]
        more = rest.count("(") - rest.count(")")
        if more > 0:
            opened.append(more)
        else:
            _close(opened, -more)


def _close(opened: list[int], number: int) -> None:
    """Close so many brackets, the last opened first."""
    while number and opened:
        shut = min(number, opened[-1])
        opened[-1] -= shut
        number -= shut
        if not opened[-1]:
            opened.pop()
