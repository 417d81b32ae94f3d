"""Small programs that nobody thought of: both engines take them alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.support.compare import check, machine_of, numbers
from tests.support.rules_cases import program_of

from .thinking import think_through

RULES = """\
game t
players 3..3
type Small = -3..4
component Card for each nr: 1..5
  worth: -2..2 or none
state a: -20..20 starts as 2
state b: 0..9 or none starts as none
state c: yes or no starts as no
state s: set of Small starts as {0, 2}
state w: set of Small or none starts as none
state t(n: 0..3): 0..9 starts as 1
state p: Player or none starts as none
state u: 0..99 starts as 0
zone deck: pile of Card starts as Card
zone hand(q: Player): set of Card
value f(n: 0..5, m: Small): -99..99 =
  %s when %s
  n - m otherwise
value g(n: 0..3): set of Small = %s
value h(z: set of Small or none): set of Small or none =
  none when size((z else {})) is 2
  z otherwise
winners: those q in players where t(0) at least size(hand(q))
phase round until u at least 8, at most 12 times
  phase turn for me in players
    step go: must act once, if possible
    step after_it:
      u becomes min(99, u + 1)
%s
    order go then after_it
action take(k in %s, m in Small) during go
  needs fit: %s
  does it: a becomes max(-20, min(20, k + m))
action wait during go
  does it:
%s
"""
Integers = Callable[[int, int], int]

# Forms: N, F and S stand for a number, a flag and a set, n for a plain number; X is a
# variable over the first S; B stands for statements beneath.
NUMBERS = (
    "n", "(N + N)", "(N - N)", "(n * N)", "(N mod 3)", "(N / 2 rounded up)",
    "(N / -3 rounded down)", "abs(N)", "max(N, N)", "size(S)",
    "(first_of(S) else 1)", "(count of X in S where F)", "(sum of N for X in S)",
    "(highest of N for X in S)",
)  # fmt: skip
FLAGS = (
    "N less than N", "N is N", "N is in S", "S is S", "(not (F))", "((F) and (F))",
    "((F) or (F))", "(some X in S has F)", "(every X in S has F)",
)  # fmt: skip
SETS = (
    "(n..N)", "{n, N}", "(S but n)", "(S but S)", "(those X in S where F)",
    "(those X in S where F with most N)",
)  # fmt: skip
IN_PLAY = {
    "N": ("t(min(3, max(0, N)))", "f(n, N)", "(b else N)"),
    "F": ("(b is none)", "c", "(p is first_of(players))", "(h(w) is none)", "(w is S)"),
    "S": ("s", "g(min(3, max(0, N)))", "(w else S)", "(h(S) else S)"),
}
PLAIN = (
    "a becomes max(-20, min(20, N))", "b becomes max(0, min(9, N))", "b becomes none",
    "c becomes F", "c becomes not c", "t(2) gains abs(n)", "s becomes S",
    "w becomes S", "w becomes h(w)", "w becomes h(S)", "w becomes none",
    "p becomes first_of((those q in players but p))", "shuffle deck",
    "move up to 2 from deck to hand(me)", "move all from hand(me) to bottom of deck",
)  # fmt: skip
STEERING = (
    "if F:B", "for X in S:B", "for X in S where F by most N:B",
    "may choose X in S where F:B", "must choose X in S:B", "random X in S:B",
)  # fmt: skip


class Writer:
    """Fills forms, the deeper the plainer."""

    def __init__(self, draw: Integers, *, in_play: bool) -> None:
        self.draw, self.in_play = draw, in_play
        self.names: list[str] = []
        self.count = 0

    def pick(self, forms: Sequence[str]) -> str:
        return forms[self.draw(0, len(forms) - 1)]

    def fill(self, form: str, depth: int, indent: str = "") -> str:
        parts, source = re.split(r"\b([XNFSnB])\b", form), ""
        if "X" in parts:
            source = self.made("S", depth, indent)
            self.count += 1
            self.names.append(f"x{self.count}")
        found = []
        for part in parts:
            if part == "S" and source:
                part, source = source, ""
            elif part == "X":
                part = self.names[-1]
            elif len(part) == 1 and part in "NFSnB":
                part = self.made(part, depth, indent)
            found.append(part)
        if "X" in parts:
            self.names.pop()
        return "".join(found)

    def made(self, what: str, depth: int, indent: str = "") -> str:
        more = IN_PLAY.get(what, ()) if self.in_play else ()
        match what:
            case "N" if depth > 0:
                return self.fill(self.pick((*NUMBERS, *more)), depth - 1)
            case "F" if depth > 0:
                return self.fill(self.pick((*FLAGS, *more)), depth - 1)
            case "S" if depth > 0:
                return self.fill(self.pick((*SETS, *more)), depth - 1)
            case "B":
                return "\n" + self.statements(depth - 1, indent + "  ")
            case "F":
                return self.fill("n at least n", 0)
            case "S":
                return "s" if self.in_play and self.draw(0, 1) else "(-1..2)"
            case _:
                cells = ("a", "(b else 3)", "t(2)") if self.in_play else ()
                return self.pick((*self.names, *cells, "0", "1", "3", "(-2)"))

    def statements(self, depth: int, indent: str) -> str:
        forms = (*PLAIN, *STEERING) if depth > 0 else PLAIN
        return "\n".join(
            indent + self.fill(self.pick(forms), depth, indent)
            for _ in range(self.draw(1, 3))
        )


@st.composite
def rules(draw: Callable[[st.SearchStrategy[int]], int]) -> str:
    def integers(low: int, high: int) -> int:
        return draw(st.integers(low, high))

    pure, full = Writer(integers, in_play=False), Writer(integers, in_play=True)
    pure.names = ["n", "m"]
    first = pure.made("N", 2), pure.made("F", 2)
    pure.names = ["n", "x"]
    of_set = f"those x in Small where {pure.made('F', 2)}"
    loop = full.statements(2, " " * 6)
    domain = full.made("S", 1)
    full.names = ["k", "m"]
    needs = full.made("F", 2)
    full.names = []
    return RULES % (*first, of_set, loop, domain, needs, full.statements(2, " " * 4))


def same(text: str) -> None:
    try:
        program = program_of(text)
    except (AssertionError, ValueError):
        program = None
    assume(program is not None)
    assert program is not None
    machine = machine_of(program)
    for seed in range(3):
        check(program, machine, seed, numbers(seed, 40))


QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@given(rules())
@settings(max_examples=12, suppress_health_check=QUIET)
def test_generated_programs(text: str) -> None:
    same(text)


@pytest.mark.slow
@given(rules())
@settings(max_examples=2000, suppress_health_check=QUIET)
def test_many_generated_programs(text: str) -> None:
    same(text)


# ---- bots that think, where something is hidden

HIDING = {
    "none starts as none\nstate c": "none starts as none seen by nobody\nstate c",
    "none starts as none\nstate t": "none starts as none seen by nobody\nstate t",
    "state p: Player or none starts as none": (
        "state p: Player or none starts as none"
        " seen only by (those q in players where t(0) is 1)"
    ),
    "zone hand(q: Player): set of Card": (
        "zone hand(q: Player): set of Card showing worth seen only by q\n"
        "always fine: (b else 0) less than 7"
    ),
    "winners: those q in players where t(0) at least size(hand(q))": (
        "winners: those q in players with most size(hand(q)) then t(1)"
    ),
}
SEATINGS = (("greedy",), ("random", "greedy"))


def thinks_alike(text: str) -> None:
    for line, hidden in HIDING.items():
        assert line in text
        text = text.replace(line, hidden)
    try:
        program = program_of(text)
    except (AssertionError, ValueError):
        program = None
    assume(program is not None)
    assert program is not None
    machine = machine_of(program)
    for seed, names in enumerate(SEATINGS):
        think_through(program, machine, names, seed, 14)


@given(rules())
@settings(max_examples=8, suppress_health_check=QUIET)
def test_bots_think_alike(text: str) -> None:
    thinks_alike(text)


@pytest.mark.slow
@given(rules())
@settings(max_examples=1000, suppress_health_check=QUIET)
def test_bots_often_think_alike(text: str) -> None:
    thinks_alike(text)
