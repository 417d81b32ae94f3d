"""Shared wording of messages about composition: units, verbs, suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Label, MessageCode
from houserule.base.diagnostics.wording import listed, with_article
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.language.syntax.tree.constructs import NOUNS

if TYPE_CHECKING:
    from houserule.compiler.merge.fault import Party
    from houserule.compiler.rules import Origin


E103 = MessageCode("E103", "edit does not fit target")
"""An edit is not possible for its target: a default for something that is not an
option, extending something closed. Or a line is `sealed` outside of the game.

**Why.** Each kind of clause has its own verbs, so that edits of several variants can be
combined.

**For example**

```rules
default draw.room: 5      # only an option has a default
```

**Fix.** Use the verb that fits, often `change … from … to …`.
"""


@frozen
class Speaker:
    """One of the conflicting units, and its place."""

    origin: Origin
    span: Span


VERBS = {
    "change": "changes",
    "caption": "changes the caption of",
    "default": "sets a default for",
    "raise": "raises or lowers",
    "remove": "removes",
    "lift": "makes an exception to",
    "extend": "extends",
    "add": "adds a clause to",
    "layer": "puts a layer into",
    "adjust": "contributes to",
    "hook": "hooks into",
    "watch": "watches",
    "order": "orders",
    "release": "releases",
    "mute": "mutes",
}

NO_ORDER = 'Neither file is "later": order never decides in this language. Choose one:'


# ---- wording


def titled(origin: Origin) -> str:
    """Return the title of a unit, in quotes; the base is "the base game"."""
    return f'"{origin.title}"' if origin.unit else "the base game"


def a(word: str) -> str:
    """Return a kind of clause as a noun with its article."""
    if word in NOUNS:
        return NOUNS[word]
    return with_article(word)


def all_on(parties: Iterable[Party]) -> str:
    """Return "When "A" and "B" are both on", for the units that can be switched."""
    titles = [f'"{p.title}"' for p in switched(parties)]
    if not titles:
        return "In the base game"
    if len(titles) == 1:
        return f"When {titles[0]} is on"
    word = "both" if len(titles) == 2 else "all"
    return f"When {listed(titles)} are {word} on"


def with_on(parties: Iterable[Party]) -> str:
    """Return "With "A" and "B" on", for the units that can be switched."""
    titles = [f'"{p.title}"' for p in switched(parties)]
    return f"With {listed(titles)} on" if titles else "In the base game"


def switched(parties: Iterable[Party]) -> list[Origin]:
    """Return the units except the base game, each once, by name."""
    origins = {p.origin.unit: p.origin for p in parties if p.origin.unit}
    return [origins[unit] for unit in sorted(origins)]


def labels_of(parties: Iterable[Party]) -> list[Label]:
    """Return a label for every party, by file and line."""
    spans = sorted({party.span for party in parties})
    return [Label(span) for span in spans]


def ways_to_settle(
    targets: Sequence[str],
    parties: Sequence[Party],
    game: str,
    muted: Party | None = None,
) -> list[str]:
    """Return a bridge and a relation, ready to paste; nothing for a single unit.

    Args:
        targets: the addresses at which a bridge mutes it: the disputed one, or more.
        muted: the unit that a bridge can mute; by default, any of them.
    """
    origins = switched(parties)
    if len(origins) < 2:
        return []
    members = sorted({name for each in origins for name in each.unit.split("+")})
    variants = [each.unit for each in origins if each.kind == "variant"]
    free = [muted.origin.unit] if muted and muted.origin.unit in variants else variants
    mutes = [f"mute {name} at {target}" for name in free for target in targets]
    if any(each.unit.split("+") == members for each in origins):
        return (
            [_block("Let that bridge mute what it replaces:", mutes)] if mutes else []
        )
    first, *_, last = members
    forbid = f"Forbid the pair: in the file of {first} add    excludes {last}"
    if not variants:
        return ["Let only one of the bridges speak of it.", forbid]
    if len(free) == len(origins):
        del mutes[: len(targets)]
        free = free[1:]
    winners = listed([each for each in variants if each not in free]) or "the bridge"
    both = "both" if len(members) == 2 else "all of them"
    lead = f"Let {winners} win at tables with {both} (a bridge, in a new file):"
    bridge = f"bridge {', '.join(members)} for {game} [ruling NAME]"
    return [_block(lead, [bridge, *mutes]), forbid]


def _block(lead: str, lines: Iterable[str]) -> str:
    return "\n".join([lead, *(f"  {line}" for line in lines)])
