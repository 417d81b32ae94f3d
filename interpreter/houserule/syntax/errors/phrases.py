"""What could stand somewhere, and where a line belongs, in the author's words."""

from __future__ import annotations

from collections.abc import Iterable

from houserule.syntax.vocabulary import (
    CLAUSES,
    HEADERS,
    HOLD_CLAUSES,
    HOLD_STATEMENTS,
    ITEMS,
    OPENINGS,
    STATEMENTS,
)


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What the grammar lists one by one, and an author thinks of as one thing.
_GROUPS: tuple[tuple[str, frozenset[str], str], ...] = (
    ("state", frozenset((*ITEMS, "BACK", "STOP")), "another line of the game"),
    (
        "roll",
        frozenset((*STATEMENTS, "NAME", "BACK")),
        "a statement, such as `move`, `roll` or `score(me) gains 1`",
    ),
    ("does", frozenset(CLAUSES), "a clause"),
    (
        "total",
        _set(
            "NAME INT ( { - yes no none top bottom total equal all sum highest lowest"
            " count the those some every not"
        ),
        "a value",
    ),
)
_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotation marks",
    "END": "the end of the line",
    "LIMIT": "`, at most 400 times`",
    "TIE": "`, none on a tie`",
    "DEEPER": "lines beneath this one",
}
_MORE = _set("+ - * / mod .. but is at more less and or . (")
_FAINT = frozenset((".", "(", "[", "BACK", "STOP", "STRING", "END"))
_MOST = 5

# What stands beneath a line, two spaces deeper.
BENEATH = {
    **dict.fromkeys(HOLD_CLAUSES, "its clauses, such as `does move: …`"),
    **dict.fromkeys(HOLD_STATEMENTS, "its statements, such as `roll Die`"),
    "extend": "its new fields, one a line",
    "with": "the lines that hold only then",
    "change": "`from …`, and then `to …`; or a new caption on this line",
}


def wanted(accepts: Iterable[str]) -> list[str]:
    """Return what could stand here, in words; the most telling things first."""
    left, found = set(accepts), []
    # Groups first: one member stands for all of them.
    for sign, members, words in _GROUPS:
        if sign in left:
            found.append(words)
            left -= members
    # Behind a whole expression every operator could follow; that says nothing.
    goes_on = "but" in left or "and" in left
    if goes_on:
        left -= _MORE
    if ":" in left:
        left -= {","}
    # What ends a line, or is possible almost everywhere, is named only for want of
    # something better.
    caption = "STRING" in left and bool(left & {":", "END"})
    telling = sorted(left - _FAINT, key=lambda each: (each in _WORDS, each))
    found = [_words(each) for each in telling] + found
    if len(found) < 2 and "STRING" in left:
        found.append("a caption in quotation marks" if caption else _words("STRING"))
    if goes_on and len(found) < 2:
        found.append("the rest of the expression")
    if len(found) < 2 and "END" in left:
        found.append(_words("END"))
    if not found:
        found = [_words(each) for each in sorted(left - {"BACK", "STOP"})]
    return found[:_MOST]


def _words(each: str) -> str:
    return _WORDS.get(each, f"`{each}`")


def place_of(word: str) -> str:
    """Return where a line that begins with this word belongs."""
    if word in HEADERS:
        return "a header stands at the edge of the page, before what belongs to it"
    if word == "else":
        return "`else` stands right beneath an `if` or a `choose`, as deep as that"
    if word in STATEMENTS:
        return "statements stand in `does`, in `cost`, or in a step"
    row = OPENINGS.get(word)
    if row is None or row.kind != "clause":
        return (
            f"`{word}` stands at the edge of the page, in a phase, or beneath `with …:`"
        )
    alone = ", or with the full address at the edge of the page" if row.alone else ""
    return f"`{word}` stands beneath {row.owners}{alone}"
