"""Check citations: is the quoted text where the clause says?

E041 no such heading, E042 words that the register does not know or too many of them,
E043 no sentence of that number, E044 no such ruling, E045 no such source. W041 marks a
game or variant without any citation in a ruleset with sources. Coverage, not this
check, reports single clauses without a citation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import did_you_mean
from houserule.language.manifest.messages import E045
from houserule.language.manifest.ruleset_models import Heading, Register
from houserule.language.syntax.tree import Cite, Ruling, SourceText, Unit
from houserule.language.syntax.tree.visitor import walk

MOST_WORDS = 4

_MARKS = re.compile(r"[*#„“”\"«»]")


def default_source(units: Iterable[Unit]) -> str | None:
    """Return the source of citations that name none: the first of the base game."""
    for unit in units:
        if unit.kind == "game":
            named = (item for item in unit.items if isinstance(item, SourceText))
            return next((item.name.text for item in named), None)
    return None


def check_citations(
    units: tuple[Unit, ...],
    registers: Mapping[str, Register],
    sources: Iterable[str],
    rulings: Iterable[str] | None,
    beside: Collection[str] = (),
) -> Iterator[Diagnostic]:
    """Check every citation against registers and rulings.

    Args:
        registers: by source; without those that could not be read.
        sources: the names of all sources of the ruleset.
        rulings: the names of all rulings; `None` if they could not be read.
        beside: the files beside the game's folder, whose rules need no source.
    """
    known = list(sources)
    first = default_source(units)
    looked_up = set[str]()
    every = [
        (
            unit,
            sorted(
                (node for node in walk(unit) if isinstance(node, Cite | Ruling)),
                key=lambda each: each.span,
            ),
        )
        for unit in units
    ]
    homeless = [
        node
        for _, margins in every
        for node in margins
        if isinstance(node, Cite) and node.source is None and first is None
    ]
    for unit, margins in every:
        for node in margins:
            if isinstance(node, Cite):
                source = node.source or first
                if node.source is not None and source not in known:
                    yield fault(
                        E045,
                        f"there is no source called `{source}`",
                        node.span,
                        did_you_mean(node.source, known),
                        details=(
                            "Sources are listed in ruleset.yaml, under `sources:`.",
                        ),
                    )
                elif source is not None and source in registers:
                    yield from _check_place(node, registers[source])
            elif rulings is not None and node.name not in looked_up:
                looked_up.add(node.name)  # many clauses may cite one that is missing
                if node.name not in rulings:
                    column = node.span.end_column - len(node.name)
                    yield fault(
                        E044,
                        f"there is no ruling called `{node.name}`",
                        replace(node.span, column=column),
                        did_you_mean(node.name, list(rulings)),
                        fixes=(
                            f"add `{node.name}:` to the `rulings:` in rulings.yaml, "
                            "or below a line `---` at the end of this file",
                        ),
                    )
        own = unit.kind != "preset" and unit.span.file not in beside
        if known and not margins and own:
            yield fault(
                W041,
                f"nothing in this {unit.kind} has a source",
                unit.names[0].span,
                details=("Other rules of this game cite a source or a ruling.",),
                fixes=(
                    "For a rule of your own:  [ruling NAME]",
                    'For a rule in print:     ["Heading" "a few words"]',
                ),
            )
    if homeless:
        yield fault(
            E045,
            "this margin cites a source, but the game names none",
            min(each.span for each in homeless),
            fixes=('add a line such as  source book "Author, title, date"',),
        )


def find_heading(register: Register, cited: str) -> list[Heading]:
    """Return the headings that a citation may mean: exact matches, else beginnings."""
    every = register.headings
    same = [each for each in every if same_heading(cited, each.heading)]
    return same or [each for each in every if begins_heading(cited, each.heading)]


def plain(text: str) -> str:
    """Return a text without emphasis marks and with single spaces."""
    return " ".join(_MARKS.sub("", text).split())


def same_heading(cited: str, heading: str) -> bool:
    """Return whether two headings are equal up to capitals and a final colon."""
    return heading_key(cited) == heading_key(heading)


def begins_heading(cited: str, heading: str) -> bool:
    """Return whether the heading begins with the words of `cited`."""
    short, long = heading_key(cited), heading_key(heading)
    return long.startswith(short) and not long[len(short) :][:1].isalnum()


@lru_cache(maxsize=4096)
def heading_key(text: str) -> str:
    """Normalize a heading: no capitals, emphasis marks or final colon."""
    return plain(text).rstrip(":").casefold()


E044 = MessageCode("E044", "unknown ruling")
"""A source note names a ruling that is neither in `rulings.yaml` nor in an appendix.

**Why.** A ruling is a sentence that states a decision where the rulebook is silent.

**For example**

```text
does share: score(p) gains 1      [ruling ties_share]
```

**Fix.** Add the ruling to `rulings.yaml`, or to the appendix of the file, below the
line `---`; or use the nearest name.
"""


def _check_place(cite: Cite, register: Register) -> Iterator[Diagnostic]:
    found = find_heading(register, cite.heading)
    if len(found) != 1:
        yield _bad_heading(cite, found, register)
        return
    if cite.words is not None:
        words = cite.words
        heading = found[0]
        if len(words.split()) > MOST_WORDS:
            yield fault(
                E042,
                f"a margin quotes at most four words, this one {len(words.split())}",
                cite.span,
            )
            return
        quoted = {plain(each).casefold(): each for each in heading.cited}
        if plain(words).casefold() not in quoted:
            yield fault(
                E042,
                f"the register knows no sentence under `{heading.heading}` that says "
                f"`{words}`",
                cite.span,
                did_you_mean(words, quoted.values()),
                details=(
                    "If the words are right, write the register anew from the book:",
                    "  houserule coverage GAME --source FILE --register",
                ),
            )
    elif cite.first is not None:
        first, last = cite.first, cite.first if cite.last is None else cite.last
        count = len(found[0].sentences)
        if not 1 <= first <= last <= count:
            shown = str(first) if cite.last is None else f"{first}..{last}"
            yield fault(
                E043,
                f"there is no sentence {shown} under `{found[0].heading}`",
                cite.span,
                f"it has {count}" if first <= last else "from the higher to the lower",
            )


E041 = MessageCode("E041", "unknown heading")
"""A source note cites a heading that the source does not have.

**Why.** Citations are checked against the register of the source.

**For example**

```text
needs room: size(hand(me)) at most 4      ["Player Turn" 3]
```

**Fix.** Use the heading as printed; its beginning is enough if it is unique.
"""


def _bad_heading(cite: Cite, found: list[Heading], register: Register) -> Diagnostic:
    headings = [each.heading for each in found or register.headings]
    if found:
        message = f"several headings of the source begin with `{cite.heading}`"
        details = ("They are: " + "; ".join(headings) + ".",)
        return fault(E041, message, cite.span, details=details)
    message = f"the source has no heading `{cite.heading}`"
    return fault(E041, message, cite.span, did_you_mean(cite.heading, headings))


E042 = MessageCode("E042", "quoted words not found")
"""The words quoted in a source note are in no sentence under that heading, or in
several.

**Why.** Quoted words make a citation readable, and must lead to exactly one sentence.

**For example**

```text
needs room: size(hand(me)) at most 4      ["Player Turns" "five cards at most"]
```

**Fix.** Quote up to four words as printed, enough to be unique.
"""


E043 = MessageCode("E043", "unknown sentence number")
"""The heading has no sentence with that number.

**Why.** Sentences are counted from 1 under each heading.

**For example**

```text
needs room: size(hand(me)) at most 4      ["Player Turns" 99]
```

**Fix.** Count again, or quote words of the sentence instead.
"""


W041 = MessageCode("W041", "no source given")
"""A variant in the game's folder, or the game, names no source anywhere.

**Why.** Readers want to tell the printed rule from a house rule. Rules of your own
beside the game need no source.

**For example**

```text
variant calm for pig "Calm"
```

**Fix.** For your own rule, name a ruling in a source note, `[ruling NAME]`; for one in
print, cite its heading and a few of its words.
"""
