"""The visitor reaches every node, and knows where a name is bound."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path

import pytest

from houserule.base.files import read_source
from houserule.base.source import Source
from houserule.language.syntax import tree as t
from houserule.language.syntax.read.parser import parse_afresh
from houserule.language.syntax.tree.visitor import (
    BINDINGS,
    Names,
    children,
    every_name_bound,
    in_scope,
    names_bound,
    parts,
    rebuild,
    walk,
)

GOOD = sorted((Path(__file__).parents[1] / "cases" / "syntax" / "good").glob("*.rules"))
CLASSES = [
    each
    for each in vars(t).values()
    if isinstance(each, type) and issubclass(each, t.Node) and is_dataclass(each)
]


def item(text: str) -> t.Item:
    units, faults = parse_afresh(Source("text", f"game g\n{text}\n"))
    assert not faults, faults
    return units[0].items[0]


def uses(node: t.Node, bound: Names = frozenset()) -> Iterator[str]:
    """Yield names that are used, with a star where they are bound."""
    if isinstance(node, t.Name | t.Call):
        yield f"{node.name}{'*' * (node.name in bound)}"
    if isinstance(node, t.Word):
        yield f"{node.text}{'*' * (node.text in bound)}"
    for _, child, inner in in_scope(node, bound):
        yield from uses(child, inner)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sum of x for x in S where x is y", "S x* x* y"),
        ("count of x in S and y in x", "S x*"),
        ("the one p in S with most p, none on a tie", "S p*"),
        ("the only p in p where p", "p p*"),
        ("those p 1..n of S", "S n"),
        ("those y reached from y by y where z", "y y* z"),
        ("some x in S has every z in x has z is q", "S x* z* q"),
    ],
)
def test_a_query_binds_for_what_stands_in_it(text: str, expected: str) -> None:
    found = item(f"value a: 0..9 = {text}")
    assert isinstance(found, t.Value)
    assert list(uses(found.definition)) == expected.split()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("let n = n; roll n", "n n*"),
        ("if n: let n = 1\n    roll n", "n n"),
        ("must choose n in n: roll n\n    else: roll n", "n n n*"),
        ("share n over m in n as n: roll m; roll n", "n n m* n*"),
        ("for n in S where n by most n: end n", "S n* n* n*"),
        ("random n in S: f", "S f"),
    ],
)
def test_a_statement_binds_for_its_body_and_let_for_the_lines_after(
    lines: str, expected: str
) -> None:
    found = item(f"effect e\n  does a:\n    {lines}")
    assert isinstance(found, t.Effect)
    (clause,) = found.clauses
    assert isinstance(clause, t.Does)
    assert list(uses(clause.body)) == expected.split()


def test_a_phase_and_a_reaction_bind_for_what_stands_beneath() -> None:
    phase = item("phase turn for me in me if me\n  step s: roll me")
    assert list(uses(phase)) == ["me", "turn", "me*", "s", "me*"]
    reaction = item("reaction r when v(k) changes from a to b\n  needs ok: k is b")
    assert [word.text for word in names_bound(reaction)] == ["k", "a", "b"]
    assert list(uses(reaction)) == ["v", "r", "ok", "k*", "b*"]


def test_every_name_bound_in_an_action() -> None:
    text = """\
action a(p, q in S; c: Card) during s
  cost k(d in U): let n = some x in S has x; roll n
  does m: for f in S: share 1 over g in S as h: end turn"""
    found = item(text.replace(";", ",", 1))
    assert [word.text for word in every_name_bound(found)] == list("pqcdnxfhg")


def hints(kind: type) -> dict[str, object]:
    return typing.get_type_hints(kind)


def mentioned(hint: object) -> set[object]:
    if isinstance(hint, types.GenericAlias | types.UnionType) or typing.get_args(hint):
        return set().union(*map(mentioned, typing.get_args(hint)))
    return {hint}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_whatever_holds_a_binder_has_a_row(kind: type[t.Node]) -> None:
    carriers = {t.Binder, t.Typed, t.ForWhom}
    holding = {name for name in parts(kind) if mentioned(hints(kind)[name]) & carriers}
    binding = BINDINGS.get(kind)
    named = set() if binding is None else set(binding.names)
    assert holding <= named
    if binding is not None:
        assert named | set(binding.outside) <= set(parts(kind))
        assert not named & set(binding.outside)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_every_node_is_reached_and_rebuilt(path: Path) -> None:
    units, _ = parse_afresh(read_source(path, path.name))
    for unit in units:
        for node in walk(unit):
            assert rebuild(node, lambda child: child) == node
            scoped = [child for _, child, _ in in_scope(node)]
            brought = [each for each in children(node) if each not in scoped]
            assert all(isinstance(each, t.Word) for each in brought)
        words = str(unit).count("Word(") + str(unit).count("ValuedMember(")
        assert words == sum(isinstance(node, t.Word) for node in walk(unit))
        renamed = rebuild(unit, _without_notes)
        assert not any(isinstance(node, t.Cite) for node in walk(renamed))


def _without_notes(node: t.Node) -> t.Node:
    if isinstance(node, t.Cite):
        return t.Ruling("r")
    return rebuild(node, _without_notes)
