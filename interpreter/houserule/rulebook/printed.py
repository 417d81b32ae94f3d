"""Where a rule is printed, in words: the heading of its book and the sentence there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from houserule.manifest.citations import default_source
from houserule.resources import Phrases

if TYPE_CHECKING:
    from houserule.manifest.ruleset import LoadedRuleset

CITE = re.compile(
    r'(?:(?P<source>\w+) )?"(?P<heading>[^"]*)"'
    r'(?: "(?P<words>[^"]*)"| (?P<first>\d+)(?:\.\.(?P<last>\d+))?)?'
)


class Printed:
    """The margins of one ruleset, in the words of a language.

    A margin quotes some words of a sentence, or gives its number; a reader of a book
    gets the number, as far as the register of the source knows it.
    """

    def __init__(self, ruleset: LoadedRuleset, language: str) -> None:
        self._ruleset = ruleset
        self._words = Phrases("rulebook", language)
        self._first = default_source(ruleset.units)

    def places(self, cites: Iterable[str]) -> tuple[str, ...]:
        """Return margins as places of books, each once."""
        return tuple(dict.fromkeys(map(self._place, cites)))

    def _place(self, cite: str) -> str:
        found = CITE.fullmatch(cite)
        if found is None:
            return cite
        heading, words = found["heading"], found["words"]
        source = found["source"] or self._first
        numbers = found["first"] or self._number(source, heading, words)
        said = self._words.say("heading", heading=heading)
        if numbers:
            several = found["last"] if found["last"] != numbers else None
            number = f"{numbers}–{several}" if several else numbers
            said = self._words.say("sentence", heading=said, number=number)
        if source in (None, self._first):
            return said
        entry = self._ruleset.manifest.sources.get(source)
        return f"{entry.title}: {said}" if entry is not None else said

    def _number(self, source: str | None, heading: str, words: str | None) -> str:
        register = self._ruleset.registers.get(source or "")
        for each in register.headings if register and words else ():
            if each.heading == heading and words in each.cited:
                return str(each.cited[words])
        return ""
