"""The texts of messages about composition, each built in one place.

Functions take the smallest table with the problem and in how many tables it happens,
when somebody has computed them; `compose` alone looks at one table and has neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.diagnostics.suggest import nearest_few
from houserule.diagnostics.words import listed, sentence, with_article

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from houserule.compose.items.items import EditOf
    from houserule.compose.rules import Origin
    from houserule.manifest.ruleset import LoadedRow
    from houserule.source import Span


@dataclass(frozen=True, slots=True)
class Party:
    """One of the units that meet in a clash, and the place where it speaks."""

    origin: Origin
    span: Span


@dataclass(frozen=True, slots=True)
class Where:
    """In which tables a problem shows: the smallest one, and how many of how many."""

    smallest: frozenset[str]
    tables: int
    of: int

    def details(self) -> tuple[str, ...]:
        """Return the sentences that say so."""
        names = " + ".join(sorted(self.smallest)) or "the base game"
        said = f"Smallest table with this problem: {names}"
        return (f"{said}\nIt happens in {self.tables:,} of {self.of:,} valid tables.",)


VERBS = {
    "change": "changes",
    "caption": "changes the caption of",
    "default": "sets a default for",
    "raise": "raises or lowers",
    "remove": "removes",
    "lift": "lifts",
    "extend": "extends",
    "add": "adds a clause to",
    "layer": "puts a layer into",
    "adjust": "adjusts",
    "hook": "hooks into",
    "watch": "watches",
    "order": "orders",
    "release": "releases",
    "mute": "mutes",
}

NO_ORDER = 'Neither file is "later": order never decides in this language. Choose one:'


# ---- words


def titled(origin: Origin) -> str:
    """Return what people call a unit, in quotes; the base is "the base game"."""
    return f'"{origin.title}"' if origin.unit else "the base game"


NOUNS = {
    "needs": "a condition",
    "unwise": "a piece of advice",
    "warn": "a warning",
    "does": "an effect's clause",
    "asks": "a question",
    "tokens": "a family of tokens",
    "dice": "a family of dice",
    "winners": "the line of winners",
}


def a(word: str) -> str:
    """Return a kind of clause as a noun with its article."""
    return NOUNS.get(word) or with_article(word)


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
    """Return the units that are not the base game, each once, by name."""
    origins = {p.origin.unit: p.origin for p in parties if p.origin.unit}
    return [origins[unit] for unit in sorted(origins)]


def labels_of(parties: Iterable[Party], text: str = "") -> list[Label]:
    """Return a place for every party, by file and line."""
    spans = sorted({party.span for party in parties})
    return [Label(span, text) for span in spans]


def told_where(where: Where | None) -> tuple[str, ...]:
    """Return what is to be said of other tables; nothing if nobody has looked."""
    return where.details() if where else ()


# ---- E101, E102, E103


def nothing_to_change(
    origin: Origin,
    edit: EditOf,
    *,
    wanted: Mapping[str, str],
    candidates: Iterable[str],
    where: Where | None = None,
) -> Diagnostic:
    """Return E101: an edit that hits nothing.

    Args:
        origin: who edits.
        edit: the edit.
        wanted: the variants with which the clause would be there, and their titles.
        candidates: addresses that are somewhere in the family.
        where: in which tables, if known.
    """
    verb = VERBS[edit.verb]
    start = f"{sentence(titled(origin))} {verb} {edit.target},"
    if not edit.target:
        message = f"{sentence(titled(origin))} has a clause that stands alone."
    elif wanted:
        titles = listed(f'"{title}"' for title in wanted.values())
        are = "is" if len(wanted) == 1 else "are"
        message = f"{start} but that clause exists only while {titles} {are} on."
    else:
        message = f"{start} but there is no {_nothing(edit)}."
    details = (*told_where(where), "Did you mean one of these?")
    fixes = _ways_to_find(edit, wanted, candidates)
    return fault(
        "E101",
        message,
        edit.span,
        details=details if fixes else details[:-1],
        fixes=fixes,
    )


def _nothing(edit: EditOf) -> str:
    """Return what there is not: a clause, or something more definite."""
    if edit.verb in {"order", "release"}:
        return "step or phase of that name"
    return edit.target if edit.verb in {"add", "extend"} else "such clause"


def _ways_to_find(
    edit: EditOf, wanted: Mapping[str, str], candidates: Iterable[str]
) -> list[str]:
    fixes = []
    if wanted:
        names = ", ".join(wanted)
        words = {"add": "needs", "caption": "change", "hook": "after", "watch": "when"}
        verb = words.get(edit.verb, edit.verb)
        lead = "Only when it is there:        "
        inside = f"{' ' * len(lead)}  {verb} {edit.target} ..."
        fixes.append(f"{lead}with {names}:\n{inside}")
        fixes.append(f"It cannot be played without:  requires {names}")
    if not edit.target:
        fixes.append("Say whose clause it is, by its address: ACTION.NAME")
    own = f"{edit.target}."
    others = (each for each in candidates if not each.startswith(own))
    near = nearest_few(edit.target, others, most=2)
    if near:
        fixes.append(f"Another name:                 {', '.join(near)}   (closest)")
    return fixes


def out_of_date(
    origin: Origin,
    target: str,
    edited: Span,
    base: Label | None,
    *,
    expected: str = "",
    now: str = "",
    where: Where | None = None,
) -> Diagnostic:
    """Return E102: what stands after `from` is not what the clause says.

    `expected` and `now` are the author's words, or '' where they are long.
    """
    if expected and now:
        said = f"expects {target} to be {expected}, but it is now {now}."
    else:
        said = f"expects other words in {target} than stand there now."
    help_ = (
        "Nothing was applied. If the variant is now part of the base, delete this "
        'line; otherwise write the new starting value after "from".'
    )
    return fault(
        "E102",
        f"{sentence(titled(origin))} {said}",
        edited,
        others=[base] if base else [],
        details=(*told_where(where), help_),
    )


def does_not_fit(origin: Origin, edit: EditOf, reason: str) -> Diagnostic:
    """Return E103: an edit of a kind that its target does not know."""
    verb = VERBS[edit.verb]
    message = f"{sentence(titled(origin))} {verb} {edit.target}, but {reason}."
    return fault("E103", message, edit.span)


# ---- E201, E202, E205


def two_values(
    target: str,
    parties: Sequence[Party],
    game: str,
    *,
    base: Label | None = None,
    tuned: bool = False,
    captions: bool = False,
    where: Where | None = None,
) -> Diagnostic:
    """Return E201: two variants give one clause two values, or two captions.

    Args:
        target: the clause.
        parties: everyone who says what it is.
        game: the name of the game, for the bridge to paste.
        base: the place of the base rule.
        tuned: some raise or lower what others change.
        captions: they disagree on its caption only.
        where: in which tables, if known.
    """
    what = "change it, and raise or lower it" if tuned else "say different things"
    lost, value = f"what {target} is", "value"
    if captions:
        what, value = "give it different captions", "caption"
        lost = f"how to word {target}"
    if len(switched(parties)) < 2:
        message = f"{all_on(parties)}, {target} is given several {value}s."
    else:
        message = f"{all_on(parties)}, I cannot tell {lost}: they {what}."
    fixes = ways_to_settle(target, parties, game)
    same = f"If they do not really disagree, give them the same {value}."
    same = "" if tuned else same
    return Diagnostic(
        "E201",
        message,
        (*labels_of(parties), *([base] if base else [])),
        (*told_where(where), NO_ORDER),
        (*fixes, *([same] if same else [])),
    )


def ways_to_settle(target: str, parties: Sequence[Party], game: str) -> list[str]:
    """Return a bridge and a relation, ready to paste; nothing for a single unit."""
    origins = switched(parties)
    if len(origins) < 2:
        return []
    members = sorted({name for each in origins for name in each.unit.split("+")})
    variants = [each.unit for each in origins if each.kind == "variant"]
    muted = [f"mute {name} at {target}" for name in variants]
    if any(each.unit.split("+") == members for each in origins):
        return (
            [_block("Let that bridge mute what it replaces:", muted)] if muted else []
        )
    which = "in either file" if len(members) == 2 else "in one file"
    forbid = f"Forbid the pair: {which} add    excludes {members[-1]}"
    if not variants:
        return ["Let only one of the bridges speak of it.", forbid]
    if len(variants) == len(origins):
        del muted[0]
    both = "both" if len(members) == 2 else "all"
    lead = f"Say which one holds when {both} are on (a bridge, best with a citation):"
    bridge = f"bridge {', '.join(members)} for {game} [ruling NAME]"
    return [_block(lead, [bridge, *muted]), forbid]


def _block(lead: str, lines: Iterable[str]) -> str:
    return "\n".join([lead, *(f"  {line}" for line in lines)])


def changed_and_removed(
    target: str,
    removers: Sequence[Party],
    editor: Party,
    verb: str,
    game: str,
    *,
    removed: str = "",
    where: Where | None = None,
) -> Diagnostic:
    """Return E202: one removes what another edits.

    `removed` is the address that is removed, if it is not the target itself.
    """
    who = listed(titled(each.origin) for each in removers)
    gone = removed if removed and removed != target else "it"
    parties = [*removers, editor]
    what = f"{titled(editor.origin)} {VERBS[verb]} {target}, and {who} removes {gone}"
    return Diagnostic(
        "E202",
        f"{all_on(parties)}, {what}.",
        tuple(labels_of(parties)),
        (*told_where(where), NO_ORDER),
        tuple(ways_to_settle(target, [*removers, editor], game)),
    )


def one_name_two_things(
    name: str,
    kinds: Sequence[str],
    parties: Sequence[Party],
    *,
    where: Where | None = None,
) -> Diagnostic:
    """Return E205: one name, or one address, declared for two things."""
    units = {party.origin.unit for party in parties}
    if len(units) == 1:
        message = f"{sentence(titled(parties[0].origin))} declares {name} twice."
    else:
        ordered = sorted(parties, key=lambda each: each.origin.unit)
        who = listed(dict.fromkeys(titled(each.origin) for each in ordered))
        message = f"{sentence(who)} declare {name}, and do not mean the same."
    labels = zip(parties, kinds, strict=True)
    places = sorted({(party.span, kind) for party, kind in labels})
    fixes = ["Rename one of them."]
    if len(set(kinds)) == 1 and len(units) > 1:
        fixes.append("If they mean the same thing, declare it with the same words.")
    return Diagnostic(
        "E205",
        message,
        tuple(Label(span, text) for span, text in places),
        told_where(where),
        tuple(fixes),
    )


def one_row_twice(name: str, one: LoadedRow, other: LoadedRow) -> Diagnostic:
    """Return E205: two tables with a row of one id, and different cells."""
    message = f"Two tables have a row {name}, and the rows do not say the same."
    spans = sorted({one.span, other.span})
    return Diagnostic("E205", message, tuple(Label(span) for span in spans))
