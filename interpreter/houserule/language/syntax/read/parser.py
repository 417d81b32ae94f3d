"""Parse text to units. Only this module imports lark.

lark and everything needed for parsing are imported lazily: files that were parsed
before come from the cache of trees.
"""

from __future__ import annotations

import hashlib
import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from houserule.base.cache import DiskStore, read_file, understood, write_file
from houserule.base.diagnostics.diagnostic import Diagnostic, too_large
from houserule.base.limits import limit
from houserule.base.resources import data_root
from houserule.base.source import NOWHERE, UNRULED, Source, Span, parts_of
from houserule.language.syntax.read.cst import CstNode, Leaf, ParseError, Part
from houserule.language.syntax.tree import Unit
from houserule.language.syntax.vocabulary import grammar_key, grammar_text, reserved

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    from houserule.language.syntax.errors.search import ParseTable, Stack
    from houserule.language.syntax.read.units import Chunk

DEEPEST = 100
STARTS = ["start", "header", "item"]
TABLES = "tables-*.pickle"
PARSERS = DiskStore("parsers", made_by=("language/syntax/read/parser.py",), most=4)

Found: TypeAlias = tuple[tuple[Unit, ...], tuple[Diagnostic, ...]]

MADE_BY = ("language/syntax", "base/source.py", "base/frozen.py", "base/diagnostics")
TREES = DiskStore("trees", made_by=MADE_BY, most=3000)


def parse_unit_file(source: Source) -> tuple[tuple[Unit, ...], list[Diagnostic]]:
    """Return the units of a rules file, and every syntax error.

    Accepts any text. Items with errors are omitted; the others are returned. The
    appendix is ignored.
    """
    source, appendix = parts_of(source)
    written = (line.split("#")[0].strip() for line in source.lines)
    if appendix is not None and not any(written):
        from houserule.language.syntax.errors.explain import nothing_above

        return (), [nothing_above(source)]
    if len(source.text) > limit("composed"):
        message = f"This file has {len(source.text):,} characters of rules."
        return (), [too_large("composed", message, Span.at(source.name, 1))]

    key = TREES.key(grammar_key(), source.name, source.text)
    units, faults = _parsed(key, source)
    return units, list(faults)


@lru_cache(200)  # at each key, a page and an editor read all files of a game
def _parsed(key: str, source: Source) -> Found:
    found = TREES.load(key, _found)
    if found is None:
        found = parse_afresh(source)
        TREES.save(key, found)
    return found


def _found(kept: Found) -> Found:
    units, faults = kept
    assert all(isinstance(each, Unit) for each in units)
    assert all(isinstance(each, Diagnostic) for each in faults)
    return units, faults


def parse_afresh(source: Source) -> Found:
    """Return the units and errors of a text without using the cache."""
    from houserule.language.syntax.errors.explain import appendix_without_line
    from houserule.language.syntax.read.scan import scan
    from houserule.language.syntax.read.units import read_units

    source, _ = parts_of(source)
    lost = UNRULED.search(source.text)
    if lost is None:
        return read_units(scan(source), parse_chunk, before_line)
    rules = Source(source.name, source.text[: lost.start()])
    units, faults = read_units(scan(rules), parse_chunk, before_line)
    return units, (*faults, appendix_without_line(source, lost))


def parse_chunk(chunk: Chunk) -> CstNode | ParseError:
    """Parse one header or item; return its concrete syntax, or the error.

    Brackets and quotation marks must be closed, and indentation must return only to
    existing levels: `scan` guarantees this.
    """
    from lark.exceptions import UnexpectedInput

    try:
        tree = _lark().parse(chunk.text, start=chunk.start)
    except UnexpectedInput as error:
        above = chunk.first - 1
        from lark.exceptions import UnexpectedToken

        parser: Any = getattr(error, "interactive_parser", None)
        accepts = (
            frozenset(map(_author_word, parser.accepts())) if parser else frozenset()
        )
        if not isinstance(error, UnexpectedToken):
            return ParseError("", "sign", error.line + above, error.column, accepts)
        token = error.token
        usual = "word" if token.type.isalpha() and token[:1].isalpha() else "sign"
        kind = _KINDS.get(token.type, usual)
        text = "" if kind in ("end", "back", "deeper") else str(token)
        line, column = token.line or 1, token.column or 1
        return ParseError(text, kind, line + above, column, accepts)
    try:
        return _CstBuilder(chunk).node(tree, DEEPEST)
    except _CannotStand as error:
        return error.found


def accepted_after(text: str, start: str) -> frozenset[str]:
    """Return the words and signs that may follow the beginning of a header or item.

    `NAME`, `INT` and `STRING` are any of their kind. Nothing may follow an error.
    """
    from lark.exceptions import UnexpectedInput

    # A word at the end makes the reader of lines end the blocks above it.
    parser = _lark().parse_interactive(f"{text}x\n", start=start)
    try:
        tokens = parser.lexer_thread.lex(parser.parser_state)  # type: ignore[no-untyped-call]
        for token in tokens:
            if (token.start_pos or 0) >= len(text) and token.type not in BLOCKS:
                break
            parser.feed_token(token)
    except UnexpectedInput as error:
        if (error.pos_in_stream or 0) < len(text):
            return frozenset()
    words = parser.accepts()  # type: ignore[no-untyped-call]
    return frozenset(map(_author_word, words))


# ---- tables


BLOCKS = frozenset(("_NL", "_INDENT", "_DEDENT"))


@cache
def _lark() -> Lark:
    """Return the parser, with shipped or cached tables if there are any."""
    import lark

    name = _tables_name(lark.__version__)
    shipped = data_root() / "grammar" / name
    key = PARSERS.key(name)
    for kept in (read_file(shipped, came_along=True), PARSERS.read(key)):
        found = understood(kept, lambda raw: lark.Lark.load(io.BytesIO(raw)))
        if found is not None:
            return found
    made = make_parser()
    PARSERS.write(key, _tables(made))
    return made


@cache
def table() -> ParseTable:
    """Return the parser's tables, with the words of each terminal."""
    from lark.lexer import PatternStr
    from lark.parsers.lalr_analysis import Shift

    from houserule.language.syntax.errors.search import ParseTable

    rows: Any = _lark().parser.parser._parse_table.states
    states = {
        state: {
            sign: arg if action is Shift else (arg.origin.name, len(arg.expansion))
            for sign, (action, arg) in row.items()
        }
        for state, row in rows.items()
    }
    spelling: dict[str, tuple[str, ...]] = dict.fromkeys(("NAME", "INT", "STRING"), ())
    for each in _lark().terminals:
        text = each.pattern.value
        if isinstance(each.pattern, PatternStr):
            spelling[each.name] = (text,)
        elif each.name not in spelling and re.match(r",?[a-z]|,\[", text):
            words = re.sub(r"\[ \\t\][*+]|\\b", " ", text.partition("(?=")[0])
            spelling[each.name] = tuple(re.findall(r",|[a-z]+", words))
    return ParseTable(states, spelling)


def before_line(chunk: Chunk, line: int) -> tuple[ParseTable, Stack] | None:
    """Return the tables, and the stack in front of a line, if the parser gets there."""
    from lark.exceptions import UnexpectedInput

    driven: Any = _lark().parse_interactive(chunk.text, start=chunk.start)
    state, first = driven.parser_state, line - chunk.first + 1
    try:
        for token in driven.lexer_thread.lex(state):
            if token.line >= first and token.type not in ("_NL", "_INDENT", "_DEDENT"):
                break
            state.feed_token(token)
    except UnexpectedInput as error:
        if error.line < first - 1:
            return None
    return table(), tuple(state.state_stack)


def write_tables(folder: Path) -> Path:
    """Make the parser's tables and store them in a folder, replacing older ones.

    The package build does this, so that the first use is fast.
    """
    import lark

    for old in folder.glob(TABLES):
        old.unlink()
    path = folder / _tables_name(lark.__version__)
    write_file(path, _tables(make_parser()))
    path.chmod(0o644)  # readable for all users of the package
    return path


def _tables_name(version: str) -> str:
    """Return the file name of the tables, which changes with everything they depend on.

    Tables contain objects of this module, so another version cannot use them.
    """
    key = hashlib.sha256(f"{grammar_key()} {version} {__name__}".encode())
    return TABLES.replace("*", key.hexdigest()[:24])


def _tables(parser: Lark) -> bytes:
    stream = io.BytesIO()
    parser.save(stream)
    return stream.getvalue()


def make_parser(strict: bool = False) -> Lark:
    """Make a parser from the grammar's text, which takes about a second.

    Args:
        strict: raise an exception for any conflict and any collision of terminals
            (needs the package interegular).
    """
    from lark import Lark

    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        postlex=Lines(),
        start=STARTS,
        propagate_positions=True,
        maybe_placeholders=True,
        strict=strict,
    )


class Lines:
    """Tells the grammar where indented blocks begin and end.

    lark uses only these two members; deriving from its class would import it.
    """

    always_accept = ("_NL",)
    _OPEN = frozenset(("LPAR", "LBRACE", "LSQB"))
    _CLOSE = frozenset(("RPAR", "RBRACE", "RSQB"))

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens with indentation tokens, except inside brackets."""
        levels, brackets, token = [0], 0, None
        for token in stream:
            if token.type == "_NL":
                if not brackets:
                    yield token
                    lead = token.rpartition("\n")[2].partition("#")[0]
                    indent = len(lead.expandtabs(2))
                    if indent > levels[-1]:
                        levels.append(indent)
                        yield type(token).new_borrow_pos("_INDENT", lead, token)
                    while indent < levels[-1]:
                        levels.pop()
                        yield type(token).new_borrow_pos("_DEDENT", lead, token)
                continue
            yield token
            brackets += (token.type in self._OPEN) - (token.type in self._CLOSE)
        while token is not None and len(levels) > 1:
            levels.pop()
            yield type(token).new_borrow_pos("_DEDENT", "", token)


# ---- from lark's trees to concrete syntax


class _CannotStand(Exception):
    """Valid for the grammar, but not allowed."""

    def __init__(self, kind: str, span: Span, text: str = "") -> None:
        super().__init__(kind)
        self.found = ParseError(text, kind, span.line, span.column)


FEW_PARTS = 3  # of `extend X with y`: the two names and the citation


_NAMED = frozenset(("name", "apply", "named_type", "word", "some_of", "slot"))


BUILT_IN = frozenset(("players",))  # reserved, but also the name of something


class _CstBuilder:
    """Builds the concrete syntax of one chunk, with places in the whole text."""

    def __init__(self, chunk: Chunk) -> None:
        self._file = chunk.file
        self._above = chunk.first - 1
        self._starts, self._ends = chunk.starts, chunk.ends
        self._near = Span.at(chunk.file, chunk.first)

    def node(self, tree: Tree[Token], depth: int) -> CstNode:
        """Return the node of a tree that is at most `depth` deep.

        Raises:
            _CannotStand: it is deeper, or calls something that is not an effect.
        """
        span = self._span(tree.meta)
        if not depth:
            raise _CannotStand("nested", self._near)
        self._near = self._near if span is NOWHERE else span
        parts: list[Part] = []
        children: list[Any] = tree.children  # lark's type omits None
        for child in children:
            if child is None:
                parts.append(None)
            elif isinstance(child, str):
                parts.append(Leaf(str(child), self._span(child)))
            else:
                parts.append(self.node(child, depth - 1))
        cst = CstNode(str(tree.data), tuple(parts), span)
        if cst.rule == "do" and cst.node(0).rule == "dot":
            raise _CannotStand("field", span)
        many = len(cst.parts) > FEW_PARTS
        if cst.rule == "members" or (cst.rule == "extend_with" and many):
            for given in cst.nodes():
                for each in given.nodes() if given.rule == "given" else ():
                    if each.rule == "typed_key":
                        raise _CannotStand("typed", each.span)
        if cst.rule in _NAMED:
            for leaf in cst.leaves()[:1]:
                if leaf.text in reserved() and leaf.text not in BUILT_IN:
                    raise _CannotStand("reserved", leaf.span, leaf.text)
        if cst.rule == "some_how":
            bounds = cst.node(0)
            for each in bounds.nodes() if bounds.rule == "range_set" else [bounds]:
                if each.rule not in {"int", "name"}:
                    raise _CannotStand("many", each.span)
        if cst.rule == "payload":
            from houserule.language.syntax.read.build import is_statement

            first, *rest = [each for each in cst.nodes() if each.rule != "notes"]
            calls = first.rule in ("stmt_line", "name", "apply")
            if rest and not (calls or is_statement(first)):
                raise _CannotStand("call", first.span)
        return cst

    def _span(self, place: Any) -> Span:  # noqa: ANN401  # lark's Meta or Token
        """Return a place without the line breaks and blank lines at its ends."""
        if getattr(place, "empty", False):
            return NOWHERE
        start = (place.line + self._above, place.column)
        end = (place.end_line + self._above, place.end_column)
        after, before = bisect_left(self._starts, start), bisect_right(self._ends, end)
        start = self._starts[after] if after < len(self._starts) else start
        end = self._ends[before - 1] if before else end
        return Span(self._file, *start, *max(end, start))


# ---- errors of the grammar


_KINDS = {
    "NAME": "word",
    "INT": "number",
    "STRING": "text",
    "_NL": "end",
    "$END": "back",
    "_DEDENT": "back",
    "_INDENT": "deeper",
    "_TIE": "sign",
    "_LIMIT": "sign",
    "_IF_ANY": "sign",
    "_IF_POSSIBLE": "sign",
}
_SPECIAL = {
    "_NL": "END",
    "$END": "STOP",
    "_DEDENT": "BACK",
    "_INDENT": "DEEPER",
    "_TIE": "TIE",
    "_LIMIT": "LIMIT",
    "_IF_ANY": "IF_ANY",
    "_IF_POSSIBLE": "IF_POSSIBLE",
}


def _author_word(terminal: str) -> str:
    """Return a terminal as written in rules, or a name for a variable one."""
    if terminal in _SPECIAL or terminal in ("NAME", "INT", "STRING"):
        return _SPECIAL.get(terminal, terminal)
    from lark.lexer import PatternStr

    pattern = _lark().get_terminal(terminal).pattern
    if isinstance(pattern, PatternStr):
        return pattern.value
    word, before_of, _ = pattern.value.partition("(?=")
    return word if before_of else terminal
