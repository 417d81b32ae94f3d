"""Every construct of the language is used by two shipped rulesets at least."""

from __future__ import annotations

from functools import cache

from tools.write_constructs import PAGE, constructs, used_names


@cache
def rulesets_by_construct() -> dict[str, frozenset[str]]:
    """Return for each construct of the reference the shipped rulesets that use it."""
    used = used_names()
    names = {name for _, name, _ in constructs(PAGE.read_text(encoding="utf-8"))}
    assert len(names) > 100
    assert len(used) > 5
    return {
        name: frozenset(ruleset for ruleset, each in used.items() if name in each)
        for name in names
    }


def used_by_fewer_than_two() -> set[str]:
    return {name for name, who in rulesets_by_construct().items() if len(who) < 2}


# New, and used by one ruleset so far, or by none. A start that is drawn elsewhere would
# change the luck of old records. What an action chooses several of is changed by a
# house rule of docs/examples, which needs no further one beside it in a game.
USED_ONCE = {
    *{"within", "at_random", "dot_default"},
    *{"part_how", "some_how", "any_part_how"},
}


def test_each_construct_is_used_by_two_rulesets() -> None:
    assert used_by_fewer_than_two() == USED_ONCE
