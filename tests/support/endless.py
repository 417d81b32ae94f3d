"""Games with a decision that takes minutes, each by another kind of work."""

from __future__ import annotations

from houserule.ir import Program

from .rules_cases import program_of

HEAD = "game t\nplayers 2..2\n"
TAIL = """
winners: players
phase turn for me in players
  step go: at most once
"""
# Each takes minutes at a decision of some game, by another kind of work.
ENDLESS = {
    "options with a test that reads all factors": (
        "state n: 0..9 starts as 0",
        "action a(a, b, c, d, e, f, g in 1..40) during go\n"
        "  needs odd: a * b + c * d + e * f + g + n is 9999\n  does it: n gains 1",
    ),
    "a count over many": (
        "state n: 0..9 starts as 0\nvalue v: yes or no ="
        " some a, b, c, d, e, f in 1..99 has a * b + c * d + e * f + n is 0",
        "action a during go\n  needs v: v\n  does it: n gains 1",
    ),
    "parts of many cards": (
        "component Card for each nr: 1..60\nstate n: 0..9 starts as 0",
        "action a(s any part of Card) during go\n"
        "  needs n: size(s) + n is 99\n  does it: n gains 1",
    ),
    "values that call one another": (
        "state n: 0..9 starts as 0\n"
        + "value v0(k: 0..3): 0..3 = (n + k) mod 4\n"
        + "".join(
            f"value v{i}(k: 0..3): 0..3 ="
            f" ((v{i - 1}((k + n) mod 4) + v{i - 1}((k + n + 1) mod 4))"
            f" + (v{i - 1}((k * n) mod 4) + v{i - 1}((k + 2) mod 4))) mod 4\n"
            for i in range(1, 19)
        ),
        "action a during go\n  needs v: v18(n mod 4) at least 4\n  does it: n gains 1",
    ),
    "effects that call one another": (
        "state n: 0..9 starts as 0\neffect e0\n  does it: n becomes (n + 1) mod 10\n"
        + "".join(
            f"effect e{i}\n  does it:\n    e{i - 1}\n    e{i - 1}\n"
            for i in range(1, 45)
        ),
        "action a during go\n  does it: e44",
    ),
    "loops in loops": (
        "state n: 0..9 starts as 0",
        "action a during go\n  does it:\n"
        + "".join(
            f"{'  ' * (i + 2)}for {name} in 1..99:\n" for i, name in enumerate("abcdef")
        )
        + f"{'  ' * 8}n becomes (a + b + c + d + e + f) mod 10",
    ),
}


def program(name: str) -> Program:
    before, after = ENDLESS[name]
    found = program_of(HEAD + before + TAIL + after)
    return found
