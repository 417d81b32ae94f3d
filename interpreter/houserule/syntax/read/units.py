"""Units, item by item, and on after a fault, so that one run reports several.

The text is cut at its outermost lines; each of them, with what stands deeper beneath
it, is given to the grammar. Where the grammar cannot go on, the fault is reported, the
line is replaced or taken out, and the rest of the item is tried again. Such an item is
no part of the result: it is read on only to find more faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias, cast

from houserule.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.frozen import frozen
from houserule.source import Span
from houserule.syntax import tree as t
from houserule.syntax.errors import explain
from houserule.syntax.errors.fixes import Probe
from houserule.syntax.errors.repair import Repair
from houserule.syntax.read import clauses, declarations
from houserule.syntax.read.clauses import is_statement, lines_of, mode
from houserule.syntax.read.cst import CstNode, ParseError
from houserule.syntax.read.declarations import (
    fields,
    given_slot,
    is_slot,
    members,
    nobody_as_set,
)
from houserule.syntax.read.expressions import (
    HOW_MANY,
    Builder,
    caption,
    dotted,
    expression,
    how_many,
    long_expression,
    notes,
    quoted,
    rows,
    word,
    words,
)
from houserule.syntax.read.scan import LogicalLine, Scan, given_up, most_faults
from houserule.syntax.tree.parts import as_block
from houserule.syntax.vocabulary import HEADERS, ITEMS, NAMING, reserved

# ---- edits of what exists


def change_line(cst: CstNode) -> t.Item:
    """`change X from … to …` on one line."""
    return t.Change(
        dotted(cst.node(0)),
        caption(cst.option(1)),
        *_sides(_payload(cst, [cst.node(2)]), _payload(cst, [cst.node(3)])),
        notes(cst.node(4)),
        span=cst.span,
    )


def change(cst: CstNode) -> t.Item:
    """`change X` with `from …` and `to …` beneath."""
    sides = [cst.node(3), cst.node(4)]
    margins = [part for side in sides for part in side.nodes() if part.rule == "notes"]
    before, after = (
        [part for part in side.nodes() if part.rule != "notes"] for side in sides
    )
    return t.Change(
        dotted(cst.node(0)),
        caption(cst.option(1)),
        *_sides(_payload(cst, before), _payload(cst, after)),
        notes(cst.node(2), *margins),
        span=cst.span,
    )


def _sides(before: t.Payload, after: t.Payload) -> tuple[t.Payload, t.Payload]:
    """Return both sides; where one says how many are chosen, a bare set says one."""
    if isinstance(before, t.HowMany):
        return before, _one_of(after)
    if isinstance(after, t.HowMany):
        return _one_of(before), after
    return before, after


def _one_of(payload: t.Payload) -> t.Payload:
    if isinstance(payload, str | t.Block | t.HowMany):
        return payload
    return t.HowMany("in", payload, span=payload.span)


def recaption(cst: CstNode) -> t.Item:
    """`change X "New caption"`."""
    name, said = dotted(cst.node(0)), quoted(cst.node(1).leaf(0))
    return t.Recaption(name, said, notes(cst.node(2)), span=cst.span)


def _payload(changed: CstNode, csts: list[CstNode]) -> t.Payload:
    """Return what stands on one side of a `change`."""
    first = csts[0]
    span = first.span.to(csts[-1].span)
    if first.rule == "stmt_line" or is_statement(first):
        return lines_of(csts, span)
    if len(csts) > 1:  # the first of several lines is a call: the parser sees to that
        call = as_block(expression(first))
        assert call is not None
        rest = lines_of(csts[1:], span)
        return replace(rest, statements=(*call.statements, *rest.statements))
    if first.rule == "mode":
        return mode(first)
    if first.rule in HOW_MANY:
        return how_many(first)
    if first.rule == "rows":
        return rows(first)
    found = expression(first)
    return (
        nobody_as_set(found) if dotted(changed.node(0)).parts[-1] == "seen" else found
    )


def default(cst: CstNode) -> t.Item:
    """`default target: 150`."""
    name, value, margins = cst.nodes()
    found = expression(value)
    return t.SetDefault(dotted(name), found, notes(margins), span=cst.span)


def tune(cst: CstNode) -> t.Item:
    """`raise hand_limit by 1`, `lower hand_limit by 1`."""
    name, amount, margins = cst.nodes()
    sign: Literal[1, -1] = 1 if cst.rule == "raise_by" else -1
    found = expression(amount)
    return t.Tune(dotted(name), found, sign, notes(margins), span=cst.span)


def removes(cst: CstNode) -> list[t.Item]:
    """`remove a.b, c.d`: one node for each address."""
    names, margins = cst.nodes()
    found = notes(margins)
    return [t.Remove(dotted(name), found, span=cst.span) for name in names.nodes()]


def release_among(cst: CstNode) -> t.Item:
    """`release order among a, b, c`."""
    names, margins = cst.nodes()
    return t.Release(words(names), True, notes(margins), span=cst.span)


def release_pair(cst: CstNode) -> t.Item:
    """`release a then b`."""
    margins = notes(cst.node(2))
    return t.Release(words(cst), False, margins, span=cst.span)


def lift(cst: CstNode) -> t.Item:
    """`or place.match.partner "caption": C`."""
    condition, margins = long_expression(cst.node(2))
    name, said = dotted(cst.node(0)), caption(cst.option(1))
    return t.Lift(name, said, condition, margins, span=cst.span)


def extend_with(cst: CstNode) -> t.Item:
    """`extend Suit with stars, moons`, `extend Box with sevens(7)`.

    One name with plain names behind it is read as a place of tokens, `prison(p)`; that
    it is a member of an enumeration is known when all files are (`settled`).
    """
    margins = notes(cst.nodes()[-1])
    target, more = word(cst.leaf(0)), cst.parts[1:-1]
    if len(more) == 1 and isinstance(more[0], CstNode) and is_slot(more[0]):
        place = given_slot(more[0])
        return t.ExtendTokens(target, place, margins, span=cst.span)
    return t.ExtendMembers(target, members(more), margins, span=cst.span)


def extend_rows(cst: CstNode) -> t.Item:
    """`extend Card with rows "components/more.yaml"`."""
    name, file = word(cst.leaf(0)), quoted(cst.leaf(1))
    return t.ExtendRows(name, file, notes(cst.node(2)), span=cst.span)


def extend_fields(cst: CstNode) -> t.Item:
    """`extend Card` with fields beneath."""
    name, margins = word(cst.leaf(0)), notes(cst.node(1))
    return t.ExtendFields(name, fields(cst.nodes(2)), margins, span=cst.span)


def mute(cst: CstNode) -> t.Item:
    """`mute variant at clause`, in a bridge."""
    name, target = word(cst.leaf(0)), dotted(cst.node(1))
    return t.Mute(name, target, notes(cst.node(2)), span=cst.span)


def assertion(cst: CstNode) -> t.Item:
    """`assert "caption": C`."""
    condition, margins = long_expression(cst.node(1))
    return t.Assert(caption(cst.option(0)), condition, margins, span=cst.span)


EDITS: dict[str, Builder] = {
    "remove": removes,
    "change_line": change_line,
    "change": change,
    "recaption": recaption,
    "default": default,
    "raise_by": tune,
    "lower_by": tune,
    "release_among": release_among,
    "release_pair": release_pair,
    "or_else": lift,
    "extend_with": extend_with,
    "extend_rows": extend_rows,
    "extend_fields": extend_fields,
    "mute": mute,
    "assertion": assertion,
}


# ---- headers, items, and what holds items


@frozen
class Header:
    """The first line of a unit: `variant x for y "Caption" [margin]`."""

    kind: Literal["game", "variant", "bridge", "preset"]
    names: tuple[t.Word, ...]
    game: t.Word
    caption: t.Text | None
    notes: t.Notes
    span: Span


def header(cst: CstNode) -> Header:
    """Return the header of a unit."""
    kind = cast('Literal["game", "variant", "bridge", "preset"]', cst.rule)
    leaves = cst.leaves()
    game = word(leaves[-1])
    names = words(cst.node(0)) if kind == "bridge" else (word(leaves[0]),)
    said, margins = cst.option(len(cst.parts) - 2), cst.nodes()[-1]
    return Header(kind, names, game, caption(said), notes(margins), cst.span)


def items(cst: CstNode) -> list[t.Item]:
    """Return the nodes of one item; several where it names several things."""
    built = _BUILDERS[cst.rule](cst)
    return [built] if isinstance(built, t.Node) else list(built)


def _inside(csts: list[CstNode]) -> tuple[t.Item, ...]:
    return tuple(item for cst in csts for item in items(cst))


def _phase(cst: CstNode) -> t.Item:
    guard = cst.option(4)
    return t.Phase(
        dotted(cst.node(0)),
        caption(cst.option(1)),
        _for_whom(cst.option(2)),
        cst.option(3) is not None,
        None if guard is None else expression(guard.node(0)),
        _until(cst.option(5)),
        _inside(cst.nodes(7)),
        notes(cst.node(6)),
        span=cst.span,
    )


def _for_whom(cst: CstNode | None) -> t.ForWhom | None:
    if cst is None:
        return None
    name, source = word(cst.leaf(0)), expression(cst.node(1))
    return t.ForWhom(name, source, span=cst.span)


def _until(cst: CstNode | None) -> t.Until | None:
    if cst is None:
        return None
    condition, times = cst.nodes()
    return t.Until(expression(condition), expression(times), span=cst.span)


def _with_guard(cst: CstNode) -> t.Item:
    names, margins, *inside = cst.nodes()
    return t.WithGuard(words(names), _inside(inside), notes(margins), span=cst.span)


_BUILDERS: dict[str, Builder] = {
    **declarations.BUILDERS,
    **clauses.BUILDERS,
    **EDITS,
    "phase": _phase,
    "with_guard": _with_guard,
}


MOST_FAULTS = 20  # in one item
MOST_TRIED = 400_000  # letters that are read while fixes of one text are tried
Start: TypeAlias = Literal["header", "item"]


# ---- a whole text


@frozen
class Chunk:
    """One header or one item, to be read by the grammar.

    Attributes:
        text: its lines, ending with a line break.
        start: what it is.
        file: the name of the text.
        first: the line of the text that it begins with.
        starts: where each word of the whole text begins, as line and column.
        ends: where each of them ends.
    """

    text: str
    start: Start
    file: str
    first: int
    starts: Sequence[tuple[int, int]]
    ends: Sequence[tuple[int, int]]


Parse: TypeAlias = Callable[[Chunk], CstNode | ParseError]
Units: TypeAlias = tuple[t.Unit, ...]


def read_units(
    found: Scan, parse: Parse, afresh: Parse
) -> tuple[Units, tuple[Diagnostic, ...]]:
    """Return the units of a text and all its faults, in reading order.

    Args:
        found: the text, scanned.
        parse: reads the chunks of the text.
        afresh: reads chunks that are only tried, to find a fix.
    """
    reader = _UnitReader(found, parse, afresh)
    for lines in _outermost(found.lines):
        if len(reader.faults) >= most_faults():
            place = Span.at(found.source.name, lines[0].first)
            reader.faults.append(given_up(place))
            break
        reader.read(lines)
    reader.close()
    _blame_names(found, reader.faults)
    faults = in_reading_order([*found.faults, *reader.faults])
    return tuple(reader.units), tuple(faults)


def _blame_names(found: Scan, faults: list[Diagnostic]) -> None:
    """Let faults of lines that use a word of the language as a name go to its line.

    Whoever declares such a name is told there, once, and not wherever it is used.
    """
    declared = {
        line.tokens[1].text: line.tokens[1]
        for line in found.lines
        if line.word in NAMING and len(line.tokens) > 1
        if line.tokens[1].text in reserved()
    }
    for line in found.lines if declared and faults else ():
        names = {each.text for each in line.tokens[2:]} & declared.keys()
        lines = range(line.first, line.last + 1)
        here = [each for each in faults if each.span and each.span.line in lines]
        if names and here:
            faults[:] = [each for each in faults if each not in here]
            faults += [explain.keyword_as_name(declared[name], found) for name in names]


def _outermost(lines: Iterable[LogicalLine]) -> list[list[LogicalLine]]:
    """Return each outermost line with the lines beneath it."""
    groups: list[list[LogicalLine]] = []
    for line in lines:
        if line.level == 0:
            groups.append([])
        groups[-1].append(line)
    return groups


class _UnitReader:
    """Reads the outermost lines of a text, one after the other."""

    def __init__(self, found: Scan, parse: Parse, afresh: Parse) -> None:
        self.units: list[t.Unit] = []
        self.faults: list[Diagnostic] = []
        self._scan = found
        self._parse, self._afresh = parse, afresh
        tokens = [token for line in found.lines for token in line.tokens]
        self._starts = [(token.line, token.column) for token in tokens]
        self._ends = [(token.line, token.end) for token in tokens]
        self._header: Header | None = None
        self._items: list[t.Item] = []
        self._began = False
        self._letters = MOST_TRIED

    def read(self, lines: list[LogicalLine]) -> None:
        """Read one header or one item."""
        head = lines[0]
        if head.word in HEADERS:
            self._end_unit()
            cst = self._shape(lines, "header")
            self._header = None if cst is None else header(cst)
        else:
            lost = not self._began and not head.broken
            if lost:
                self.faults.append(explain.no_header(head, self._scan))
            if not lost or head.word in ITEMS:
                self._read_item(lines)
        self._began = True

    def _read_item(self, lines: list[LogicalLine]) -> None:
        cst = self._shape(lines, "item")
        if cst is not None and self._header is not None:
            self._items.extend(items(cst))

    def close(self) -> None:
        """Finish the last unit."""
        self._end_unit()
        if not self._scan.lines:
            self.faults.append(explain.nothing_here(self._scan.source.name))

    def _end_unit(self) -> None:
        head = self._header
        if head is not None:
            last = self._items[-1].span if self._items else head.span
            self.units.append(
                t.Unit(
                    head.kind,
                    head.names,
                    head.game,
                    head.caption,
                    tuple(self._items),
                    head.notes,
                    span=head.span.to(last),
                )
            )
        self._header, self._items = None, []

    def _shape(self, lines: list[LogicalLine], start: Start) -> CstNode | None:
        """Return what the grammar finds, or None once its faults are noted."""
        repair = Repair(self._scan.source, lines)
        broken = [line for line in lines if line.broken]
        for line in broken:
            self._explain_strays(line, repair, start)
            repair.take_out(line)
        whole = not broken
        for _ in range(MOST_FAULTS):
            if repair.empty:
                return None
            found = self._parse(self._chunk(repair.text(), repair.first, start))
            if isinstance(found, CstNode):
                return found if whole else None
            whole = False
            blamed = repair.blamed(found)
            if not repair.replaced(blamed):
                probes = partial(self._probe, repair, start)
                self.faults.append(
                    explain.explain(found, repair, blamed, self._scan, probes)
                )
            if found.kind == "nested":
                return None
            repair.take_out(blamed)
        return None

    def _explain_strays(self, line: LogicalLine, repair: Repair, start: Start) -> None:
        """Let the faults of a line's strange characters say what is right instead."""
        lines = range(line.first, line.last + 1)
        faults = self._scan.faults
        here = [each for each in faults if each.span and each.span.line in lines]
        if {each.code for each in here} != {"E004"}:
            return
        error = self._afresh(self._chunk(repair.text(), repair.first, start))
        if isinstance(error, ParseError) and error.line in lines:
            probes = partial(self._probe, repair, start)
            found = explain.stray(error, line, self._scan, probes)
            if found is not None:
                faults[:] = [*(each for each in faults if each not in here), found]

    def _probe(self, repair: Repair, start: Start, top: int, bottom: int) -> Probe:
        """Return what tries a text in place of the lines from `top` to `bottom`."""
        rows = repair.text().split("\n")
        before, after = rows[: top - repair.first], rows[bottom - repair.first + 1 :]

        def stops(text: str) -> ParseError | None:
            whole = "\n".join((*before, text, *after))
            if self._letters < len(whole):
                return ParseError("", "back", 1, 1)
            self._letters -= len(whole)
            found = self._afresh(self._chunk(whole, repair.first, start))
            if isinstance(found, CstNode):
                return None
            line, last = found.line - top + 1, text.count("\n") + 1
            behind = line > last and found.kind not in ("end", "back", "deeper")
            if behind and "DEEPER" not in found.accepts:
                return None
            return replace(found, line=line)

        return stops

    def _chunk(self, text: str, first: int, start: Start) -> Chunk:
        name = self._scan.source.name
        return Chunk(text, start, name, first, self._starts, self._ends)
