"""The tree says what was written, and where."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import cast

import pytest

from houserule.base.files import read_source
from houserule.base.source import NOWHERE, Source, Span
from houserule.language.syntax import tree as t
from houserule.language.syntax.read.parser import parse_afresh
from houserule.language.syntax.write.expressions import print_expr
from houserule.language.syntax.write.statements import print_block, print_statement

GOOD = sorted((Path(__file__).parents[1] / "cases" / "syntax" / "good").glob("*.rules"))


def items(text: str) -> tuple[t.Item, ...]:
    units, faults = parse_afresh(Source("text", f"game g\n{text}\n"))
    assert not faults, faults
    return units[0].items


def expression(text: str) -> t.Expr:
    found = items(f"value a: 0..9 = {text}")[0]
    assert isinstance(found, t.Value)
    return found.definition


def block(text: str) -> t.Block:
    found = items(f"effect e\n  does a:\n{text}")[0]
    assert isinstance(found, t.Effect)
    return cast("t.Does", found.clauses[0]).body


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a.b.c", t.Dot(t.Dot(t.Name("a"), "b"), "c")),
        ("f(1, x).y", t.Dot(t.Apply("f", (t.Int(1), t.Name("x"))), "y")),
        ("f()", t.Apply("f", ())),
        ("-1 - 2", t.Arith("-", t.Negative(t.Int(1)), t.Int(2))),
        (
            "1 - 2 - 3",
            t.Arith("-", t.Arith("-", t.Int(1), t.Int(2)), t.Int(3)),
        ),
        (
            "a or b and not c",
            t.Logic(
                "or",
                t.Name("a"),
                t.Logic("and", t.Name("b"), t.Not(t.Name("c"))),
            ),
        ),
        ("total of use", t.Dice("total", t.Name("use"))),
        ("equal faces in use", t.Dice("equal", t.Name("use"))),
        ("all faces different in use", t.Dice("different", t.Name("use"))),
        ("top of deck", t.PileEnd("top", t.Name("deck"))),
        ("x is not in S", t.Member(t.Name("x"), t.Name("S"), True)),
        ("x is not y", t.Compare("is not", t.Name("x"), t.Name("y"))),
        ("(x else 0)", t.Default(t.Name("x"), t.Int(0))),
        ("{}", t.SetOf(())),
        ("S but x", t.SetArith("but", t.Name("S"), t.Name("x"))),
        ("S plus x", t.SetArith("plus", t.Name("S"), t.Name("x"))),
        ("S within x", t.SetArith("within", t.Name("S"), t.Name("x"))),
        ("1..n", t.RangeSet(t.Int(1), t.Name("n"))),
        ("7 / 2 rounded up", t.Divide(t.Int(7), t.Int(2), "up")),
    ],
)
def test_expressions(text: str, tree: t.Expr) -> None:
    assert expression(text) == tree
    assert print_expr(tree) == text


@pytest.mark.parametrize(
    "text",
    [
        "(a or b) and c",
        "not (a or b)",
        "a - (b - c)",
        "a * (b + c) mod 2",
        "(some x in S has x) and b",
        "a and some x in S has x or b",
        "(sum of x for x in S) at least 3",
        "those x in (those y in S where y is x) where x is in {a, (b else none)}",
        "(the one p in S with most a then b, none on a tie) is me",
        "-(a + b)",
        "(a is b) is c",
        "S but (T but x)",
        "total of (use but red)",
        "count of x in S where (some y in S has y is x)",
        "the one p in S where (no q in S has q) with least -a then b, none on a tie",
    ],
)
def test_only_the_needed_brackets_are_printed(text: str) -> None:
    assert print_expr(expression(text)) == text


def test_needless_brackets_go() -> None:
    assert print_expr(expression("((a) + ((b * c)))")) == "a + b * c"


@pytest.mark.parametrize(
    "text",
    [
        "move up to 3 from deck to hand(p)",
        "move all from markers(p, c) to supply(p)",
        "score(p) loses 3",
        "again turn",
        "pay(me, c)",
        "share 5 over c in row as n: put(me, n, c)",
        "for p in players by most score(p) then seat(p): roll Die; end turn",
        "must choose d in tray by p: roll {d}\nelse: roll red; again turn",
        "if a: roll red\nelse if b: roll green\nelse: roll blue",
        "may choose d in tray: roll {d}\nelse if b: roll green\nelse if c: roll red",
        "if a: roll red\n" + "\n".join(f"else if n is {i}: b" for i in range(2000)),
    ],
)
def test_statements_print_as_written(text: str) -> None:
    lines = "\n".join(f"    {line}" for line in text.split("\n"))
    found = block(lines)
    assert print_statement(found.statements[0]) == text
    assert print_block(found) == text


def test_an_if_alone_beneath_else_is_one_more_of_a_row() -> None:
    apart = block("    if a: x\n    else:\n      if b: y\n      else: z")
    assert apart == block("    if a: x\n    else if b: y\n    else: z")
    noted = block('    if a: x\n    else:  ["Page" 3]\n      if b: y')
    assert isinstance(only := noted.statements[0], t.If)
    assert not only.others


def test_zones_needs_and_removals_are_one_node_each() -> None:
    found = items("zone a, b: set of Die\nneeds x.y, z: c\nremove p.q, r")
    names = [cast("t.Zone | t.Needs", item).name.text for item in found[:4]]
    assert names == ["a", "b", "x.y", "z"]
    assert [cast("t.Remove", item).target.text for item in found[4:]] == ["p.q", "r"]


def test_margins_belong_to_what_their_line_opens() -> None:
    text = """\
    for p in S: if c: roll p        ["A" 1]
    roll red                        ["B" 2..3]
    for p in S:                     [x "C" "some words", ruling r]
      roll p"""
    found = block(text)
    first, _, last = found.statements
    assert isinstance(first, t.For)
    assert isinstance(last, t.For)
    assert first.body.notes == (t.Cite(None, "A", 1),)
    assert found.notes == (t.Cite(None, "B", 2, 3),)
    cite = t.Cite("x", "C", None, None, "some words")
    assert last.body.notes == (cite, t.Ruling("r"))


def test_units_know_their_address() -> None:
    text = 'bridge b, a for g\nnote "x"\n\npreset p for g\nwith a'
    units, _ = parse_afresh(Source("text", text))
    assert [unit.id for unit in units] == ["a+b", "p"]
    assert units[1].span == Span("text", 4, 1, 5, 7)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_every_node_stands_somewhere(path: Path) -> None:
    source = read_source(path)
    units, _ = parse_afresh(source)
    for node in nodes(units):
        span = node.span
        assert span is not NOWHERE
        assert (span.line, span.column) < (span.end_line, span.end_column)
        last = source.line(span.end_line)
        assert last[span.end_column - 2 : span.end_column - 1].strip(), node
        assert source.line(span.line)[span.column - 1 :].strip()
        if isinstance(node, t.Word) and span.line == span.end_line:
            written = last[span.column - 1 : span.end_column - 1]
            layer = re.sub(r" with .* ", ".", written)  # `extend income with plus more`
            assert node.text in (written.replace(" ", ""), layer)


def nodes(value: object) -> list[t.Node]:
    """Return every node in a value."""
    if isinstance(value, tuple):
        return [node for each in value for node in nodes(each)]
    if not is_dataclass(value) or isinstance(value, Span | type):
        return []
    own = [value] if isinstance(value, t.Node) else []
    inner = (getattr(value, each.name) for each in fields(value))
    return own + [node for each in inner for node in nodes(each)]
