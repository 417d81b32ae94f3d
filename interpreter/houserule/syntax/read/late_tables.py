"""The kept tables of the parser, of which only what a text meets is made.

There are two thousand states, each with a row of the table, and some hundred lexers for
them. lark makes all of them when it loads its tables, which takes longer than to read a
text. Here a row, and a lexer, is made when a text first comes to its state.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Mapping
from copy import copy
from typing import Any

from lark import Lark
from lark.lexer import BasicLexer
from lark.parsers.lalr_analysis import IntParseTable
from lark.parsers.lalr_parser import LALR_Parser


def load(raw: bytes, always: Collection[str]) -> Lark:
    """Return the parser that `Lark.save` wrote, with a contextual lexer.

    Args:
        raw: what it wrote. Reading it may run code.
        always: names of the terminals that are taken in every state.
    """
    kept = pickle.loads(raw)
    kept["data"]["options"]["_plugins"] = {"LALR_Parser": _LateParser}
    found: Any = Lark.load(kept)
    rows = found.parser.parser._parse_table.states
    found.parser.lexer.lexer.lexers = _Lexers(found.lexer_conf, rows, always)
    parser: Lark = found
    return parser


class _LateParser(LALR_Parser):
    """lark's parser with a table whose rows are made late."""

    @classmethod
    def deserialize(cls, data: Any, memo: Any, *others: Any) -> Any:  # noqa: ANN401  # as of lark
        """Return the parser whose table is `data`."""
        deserialize: Any = super().deserialize
        found = deserialize({**data, "states": {}}, memo, *others)
        found._parse_table.states = _TableRows(data, memo)
        return found


class _TableRows(dict[int, Mapping[str, object]]):
    """Rows of the table by state: what is done, by terminal or rule."""

    def __init__(self, table: Any, memo: Any) -> None:  # noqa: ANN401  # as of lark
        self._table, self._memo = table, memo

    def __missing__(self, state: int) -> Mapping[str, object]:
        only = {**self._table, "states": {state: self._table["states"][state]}}
        deserialize: Any = IntParseTable.deserialize
        row: Mapping[str, object] = deserialize(only, self._memo).states[state]
        return self.setdefault(state, row)


class _Lexers(dict[int, BasicLexer]):
    """Lexers by state; states that accept the same have one."""

    def __init__(self, conf: Any, rows: _TableRows, always: Collection[str]) -> None:  # noqa: ANN401
        self._conf, self._rows = conf, rows
        self._always = {*conf.ignore, *always}
        self._known: dict[frozenset[str], BasicLexer] = {}

    def __missing__(self, state: int) -> BasicLexer:
        accepted = frozenset(self._rows[state])
        if accepted not in self._known:
            conf, terminals = copy(self._conf), self._conf.terminals_by_name
            names = (accepted | self._always) & terminals.keys()
            conf.terminals = [terminals[name] for name in names]
            self._known[accepted] = BasicLexer(conf)
        return self.setdefault(state, self._known[accepted])
