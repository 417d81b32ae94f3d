"""The rules of one table as a page: its clauses in words, and what changed them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.seat.moments import table_sentence
from houserule.seat.reasons.clauses import caption_of, house_rules_of, title_of
from houserule.web.templating import render

if TYPE_CHECKING:
    from houserule.ir import PhaseDef, Program
    from houserule.narrate.wording import Wording
    from houserule.seat.rules import TableRules

REST = frozenset({"value", "effect", "option", "always", "note", "winners", "drawn by"})


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One clause in words: where it is printed, and which house rules made it so."""

    address: str
    says: str
    cites: tuple[str, ...]
    changed_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleChapter:
    """A title with the clauses below it."""

    title: str
    lines: tuple[RuleLine, ...]


def rules_page(rules: TableRules, language: str, back: str) -> str:
    """Return the rules of a table in a language; `back` leads to where one was."""
    words = rules.wording(language)
    return render(
        "rules.html",
        language,
        title=table_sentence(rules, language),
        course=_lines(rules, words, _in_order(rules.program)),
        actions=[*_actions(rules, words)],
        rest=_lines(
            rules,
            words,
            [n for n, c in rules.program.clauses.items() if c.kind in REST],
        ),
        back=back,
    )


def _actions(rules: TableRules, words: Wording) -> Iterator[RuleChapter]:
    """Yield what may be done, in the order of the turn, each with its conditions."""
    program = rules.program
    place = {name: number for number, name in enumerate(_in_order(program))}
    in_order = sorted(
        program.actions.values(), key=lambda each: place.get(each.at, len(place))
    )
    for action in in_order:
        own = f"{action.name}."
        below = [each for each in program.clauses if each.startswith(own)]
        lines = (_line(each, rules, words) for each in below)
        title = words.action(action.name)
        yield RuleChapter(title, tuple(each for each in lines if each is not None))


def _in_order(program: Program) -> list[str]:
    """Return the phases and steps as they come, each phase before what is in it."""
    found: list[str] = []

    def go_into(phase: PhaseDef) -> None:
        for name in phase.items:
            found.append(name)
            if name in program.phases:
                go_into(program.phases[name])

    go_into(program.root)
    return found


def _lines(
    rules: TableRules, words: Wording, addresses: Iterable[str]
) -> tuple[RuleLine, ...]:
    known = (name for name in addresses if name in rules.program.clauses)
    found = (_line(name, rules, words) for name in known)
    return tuple(each for each in found if each is not None)


def _line(address: str, rules: TableRules, words: Wording) -> RuleLine | None:
    says = caption_of(address, words)
    if not says:
        return None
    clause = rules.program.clauses[address]
    changed = tuple(title_of(each, rules, words) for each in house_rules_of(clause))
    return RuleLine(address, says, tuple(clause.cites), changed)
