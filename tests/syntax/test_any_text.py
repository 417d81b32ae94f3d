"""Whatever the text, there are units and messages, never a traceback."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.printed_units import print_units

from houserule.base.source import Source
from houserule.language.syntax import tree as t
from houserule.language.syntax.read.parser import parse_afresh
from houserule.language.syntax.vocabulary import keywords
from houserule.language.syntax.write.format import format_text

GOOD = Path(__file__).parents[1] / "cases" / "syntax" / "good"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(GOOD.glob("*.rules"))]
PIECES = re.compile(r'\s+|\w+|"[^"\n]*"|.')
WORDS = sorted({word for text in TEXTS for word in PIECES.findall(text)})
SIGNS = ["\t", "\r", "\x0b", "“", "é", "\u2028", "\0", "#", "\n", "\n\n", "  ", "["]

often = settings(
    max_examples=75,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@st.composite
def excerpts(draw: st.DrawFn) -> list[str]:
    """Draw some lines of a right text, beneath a header."""
    lines = draw(st.sampled_from(TEXTS)).split("\n")
    start = draw(st.integers(0, max(0, len(lines) - 12)))
    return ["game g", *lines[start : start + 12]]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Draw a right text with some words or lines dropped, put in or swapped."""
    lines = draw(excerpts())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.integers(0, 4)):
            case 0:
                lines[at] = ""
            case 1:
                other = draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            case 2:
                lines[at] = " " * draw(st.integers(0, 5)) + lines[at].lstrip()
            case change:
                pieces = PIECES.findall(lines[at]) or [""]
                place = draw(st.integers(0, len(pieces) - 1))
                word = draw(st.sampled_from(WORDS) | st.sampled_from(SIGNS))
                pieces[place] = "" if change == 3 else f"{pieces[place]} {word} "
                lines[at] = "".join(pieces)
    return "\n".join(lines)


@often
@given(st.text(max_size=200))
def test_any_text_at_all(text: str) -> None:
    check(text)


@often
@given(st.lists(st.sampled_from(WORDS) | st.sampled_from(SIGNS), max_size=40))
def test_any_heap_of_words(words: list[str]) -> None:
    check("game g\n" + " ".join(words))


@often
@given(damaged())
def test_any_damage_to_right_texts(text: str) -> None:
    check(text)


def check(text: str) -> None:
    """Read a text; if it is right, print it, format it and keep it."""
    source = Source("any", text)
    units, faults = parse_afresh(source)
    lines = text.count("\n") + 1
    for fault in faults:
        assert fault.code in {f"E00{number}" for number in range(1, 10)}
        assert fault.span is not None
        assert 1 <= fault.span.line <= lines
    assert pickle.loads(pickle.dumps((units, faults))) == (units, faults)
    if faults:
        return
    assert_reads_as(print_units(units), units)
    formatted, _ = format_text(source)
    assert_reads_as(formatted, units)
    assert format_text(Source("any", formatted))[0] == formatted


def assert_reads_as(text: str, units: tuple[t.Unit, ...]) -> None:
    """Demand that a text says the same as these units."""
    again, faults = parse_afresh(Source("again", text))
    assert not faults
    assert again == units


names = st.sampled_from(["a", "b", "score", "x1"]).filter(
    lambda name: name not in keywords()
)
atoms = (
    names.map(t.Name)
    | st.integers(0, 99).map(t.Int)
    | st.booleans().map(t.Bool)
    | st.just(t.NoneValue())
)


def larger(inner: st.SearchStrategy[t.Expr]) -> st.SearchStrategy[t.Expr]:
    """Return expressions made of smaller ones."""
    called = names.map(t.Name) | st.builds(
        t.Apply, names, st.lists(inner, max_size=2).map(tuple)
    )
    calls = called | st.builds(t.Dot, called, names)
    word = names.map(t.Word)
    some = st.lists(word, min_size=1, max_size=2).map(tuple)
    binder = st.builds(t.Binder, some, st.just("in"), inner) | st.builds(
        t.Binder,
        word.map(lambda each: (each,)),
        st.just("some"),
        inner,
        st.integers(0, 3),
        st.none() | word,
    )
    binders = st.lists(binder, min_size=1, max_size=2).map(tuple)
    best = st.builds(
        t.Best,
        st.sampled_from(["most", "least"]),
        st.lists(inner, min_size=1, max_size=2).map(tuple),
    )
    relation = st.sampled_from(["is", "is not", "at least", "less than"])
    maybe = st.none() | inner
    return st.one_of(
        calls,
        st.builds(t.Negative, inner),
        st.builds(t.Not, inner),
        st.builds(t.Arith, st.sampled_from(["+", "-", "*", "mod"]), inner, inner),
        st.builds(t.Divide, inner, inner, st.sampled_from(["up", "down"])),
        st.builds(t.RangeSet, inner, inner),
        st.builds(t.SetArith, st.sampled_from(["but", "plus", "within"]), inner, inner),
        st.builds(t.Compare, relation, inner, inner),
        st.builds(t.Member, inner, inner, st.booleans()),
        st.builds(t.Logic, st.sampled_from(["and", "or"]), inner, inner),
        st.builds(t.Default, inner, inner),
        st.builds(t.PileEnd, st.sampled_from(["top", "bottom"]), calls),
        st.builds(t.Dice, st.sampled_from(["total", "equal", "different"]), inner),
        st.builds(t.SetOf, st.lists(inner, max_size=2).map(tuple)),
        st.builds(t.Fold, st.sampled_from(["sum", "highest"]), inner, binders, maybe),
        st.builds(t.Count, binders, maybe),
        st.builds(t.TheOne, binder, maybe, best),
        st.builds(t.TheOnly, binder, maybe),
        st.builds(t.TheFirst, binder, maybe, st.none() | best),
        st.builds(t.Those, binder, maybe, st.none() | best),
        st.builds(t.Reached, word, inner, inner, maybe),
        st.builds(
            t.Quantified,
            st.sampled_from(["some", "every", "no"]),
            binders,
            maybe,
            inner,
        ),
    )


@often
@given(st.recursive(atoms, larger, max_leaves=12))
def test_any_expression_prints_and_reads_back(tree: t.Expr) -> None:
    unit = t.Unit(
        kind="game",
        names=(t.Word("g"),),
        game=t.Word("g"),
        caption=None,
        items=(
            t.Value(t.Word("v"), (), None, t.FlagType(), tree, ()),
            t.State(t.Word("s"), (), None, t.FlagType(), None, tree, None),
            t.Change(t.Word("c"), None, tree, tree),
            t.Winners(None, t.Rows((t.Row(tree, tree), t.Row(tree, None)))),
        ),
    )
    assert_reads_as(print_units((unit,)), (unit,))


def test_a_line_that_the_repair_above_removed_is_skipped() -> None:
    text = "a\nb:\n    é\n    é"
    _, found = parse_afresh(Source("a.rules", text))
    assert [each.span.line for each in found if each.span][-2:] == [3, 4]
