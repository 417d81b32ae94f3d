"""Any edits at all: composing never breaks, and never depends on order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rulesets import ruleset_from_folder, with_units

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.source import Span
from houserule.compiler.compose.compose import compose
from houserule.compiler.items.items import placed_items
from houserule.compiler.rules import ChosenTable
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree

RACE = ruleset_from_folder(Path(__file__).parents[1] / "cases" / "compose" / "race")
DECLARED = {
    one.address: one for placed in placed_items(RACE) for one in placed.declares
}
ADDRESSES = [*sorted(DECLARED), "nothing", "bet.nothing", ""]
NAMES = ["laying", "betting", "drawing", "swapping", "turn", "use", "insuring", "pot"]
ANY_NUMBER: tree.Mode = "any number"
OPTIONS = {"goal": 100, "hand_limit": 5, "open_hands": False}

words = st.sampled_from(ADDRESSES).map(tree.Word)
numbers = st.integers(1, 3)
payloads: st.SearchStrategy[tree.Payload] = st.one_of(
    numbers.map(tree.Int),
    st.just(tree.Bool(False)),
    st.sampled_from(NAMES).map(tree.Name),
    st.just(tree.Block((tree.End(tree.Word("turn")),))),
    st.just(ANY_NUMBER),
)
expressions: st.SearchStrategy[tree.Expr] = st.one_of(
    numbers.map(tree.Int), st.just(tree.Bool(True))
)
captions = st.sampled_from([None, tree.Text("Now"), tree.Text("Never")])
blocks = st.just(tree.Block((tree.End(tree.Word("turn")),)))
fresh = st.sampled_from(["a1", "a2", "joker", "discard", "score"]).map(tree.Word)
orders = st.lists(st.sampled_from(NAMES).map(tree.Word), min_size=2, max_size=4).map(
    tuple
)


@st.composite
def changes(draw: st.DrawFn) -> tree.Change:
    target = draw(words)
    one = DECLARED.get(target.text)
    now = one.payload if one and draw(st.booleans()) else None
    before = draw(payloads) if now is None else now
    return tree.Change(target, draw(captions), before, draw(payloads))


@st.composite
def under(draw: st.DrawFn) -> tree.Item:
    owner, name = draw(words), draw(fresh)
    address = tree.Word(f"{owner.text}.{name.text}" if owner.text else name.text)
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return tree.Needs(address, None, tree.Bool(True))
    if kind == 1:
        return tree.Does(address, None, draw(blocks))
    if kind == 2:
        return tree.Lift(address, None, tree.Bool(True))
    if kind == 3:
        return tree.Layer(address, "plus", draw(st.none() | fresh), None)
    if kind == 4:
        return tree.Limit(address, None, tree.Int(1), tree.Word("turn"))
    return tree.Step(address, None, "any number", None, None)


@st.composite
def reactions(draw: st.DrawFn) -> tree.Reaction:
    return tree.Reaction(
        draw(st.sampled_from(["when", "before", "after", "instead"])),
        draw(words),
        None,
        None,
        None,
        draw(fresh),
        None,
        (tree.Does(tree.Word("it"), None, draw(blocks)),),
    )


items: st.SearchStrategy[tree.Item] = st.one_of(
    changes(),
    under(),
    reactions(),
    st.builds(tree.Remove, words),
    st.builds(tree.Recaption, words, captions.filter(bool)),
    st.builds(tree.Sealed, words),
    st.builds(tree.SetDefault, words, expressions),
    st.builds(tree.Tune, words, numbers.map(tree.Int), st.sampled_from([1, -1])),
    st.builds(tree.Order, orders),
    st.builds(tree.Release, orders, st.just(True)),
    st.builds(tree.Mute, st.sampled_from(["v0", "v1", "strict"]).map(tree.Word), words),
    st.builds(tree.ExtendMembers, words, fresh.map(lambda word: (word,))),
    st.builds(tree.Adjust, words, st.just(()), fresh, st.none(), expressions),
    st.builds(
        lambda name, node: replace(node, name=name),
        fresh,
        st.sampled_from(
            [one.node for one in DECLARED.values() if one.kind in {"zone", "state"}]
        ),
    ),
)


def at_lines(found: list[tree.Item], file: str) -> tuple[tree.Item, ...]:
    """Give every item a place of its own."""
    return tuple(
        replace(item, span=Span.at(file, line)) for line, item in enumerate(found, 1)
    )


@st.composite
def units(draw: st.DrawFn) -> tuple[tree.Unit, ...]:
    found = []
    for names in (("v0",), ("v1",), ("v2",), ("v0", "v1")):
        inside = at_lines(draw(st.lists(items, max_size=4)), "+".join(names))
        file = Span.at("+".join(names), 1)
        found.append(
            tree.Unit(
                "bridge" if len(names) > 1 else "variant",
                tuple(tree.Word(name) for name in names),
                tree.Word("race"),
                None,
                inside,
                span=file,
            )
        )
    return tuple(found)


def outcome(ruleset: LoadedRuleset, on: frozenset[str]) -> tuple[str, list[Diagnostic]]:
    rules, found = compose(ruleset, ChosenTable("race", 3, on, OPTIONS))
    return rules.fingerprint if rules else "", found


@settings(max_examples=40)
@given(
    units(),
    st.sets(st.sampled_from(["v0", "v1", "v2", "strict", "insurance", "doubles"])),
    st.integers(0, 99),
)
def test_any_edits_compose_or_are_reported_in_any_order(
    more: tuple[tree.Unit, ...], on: set[str], seed: int
) -> None:
    every = [*RACE.units, *more]
    first = outcome(with_units(RACE, tuple(every)), frozenset(on))
    Random(seed).shuffle(every)
    assert outcome(with_units(RACE, tuple(every)), frozenset(on)) == first
