"""Clauses as people know them: caption, citation, and house rules that changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.ir import ClauseInfo
from houserule.language.manifest.ruleset_models import in_language
from houserule.play.narration.wording import Wording

if TYPE_CHECKING:
    from houserule.play.seat.reasons.reading_words import ReadingWords
    from houserule.play.seat.rules import TableRules


def caption_of(address: str, words: Wording) -> str:
    """Return a clause's caption at this table, '' if it has none."""
    said = words.caption(address) if address in words.program.clauses else address
    return "" if said == address else said


def house_rules_of(clause: ClauseInfo | None) -> tuple[str, ...]:
    """Return the names of the variants and bridges that made or changed a clause."""
    if clause is None:
        return ()
    return tuple(dict.fromkeys(u for u in (clause.origin, *clause.changed_by) if u))


def title_of(unit: str, rules: TableRules, words: Wording) -> str:
    """Return the title of a variant or bridge."""
    own = words.text("titles", unit)
    if own is not None:
        return own
    titles = {each.id: each.title for each in rules.ruleset.units}
    return titles.get(unit) or unit


def printed_of(
    clause: ClauseInfo | None, rules: TableRules, words: ReadingWords, language: str
) -> tuple[str, ...]:
    """Return a clause's citation, then the rulings that it depends on."""
    if clause is None:
        return ()
    found = [words.say("printed", cite=cite) for cite in clause.cites]
    for name in clause.rulings:
        ruling = rules.ruleset.rulings.get(name)
        if ruling is not None:
            found.append(words.say("ruling", says=in_language(ruling.says, language)))
    return tuple(found)
