"""What could stand somewhere, in the author's words, and a right line of each kind."""

from __future__ import annotations

from collections.abc import Iterable

from houserule.syntax.vocabulary import (
    CLAUSES,
    HEADERS,
    HOLD_CLAUSES,
    HOLD_STATEMENTS,
    ITEMS,
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

EXAMPLES = {
    "game": 'game pig "Pig"',
    "variant": 'variant late_hold for pig "Hold late"',
    "bridge": "bridge one_variant, another for pig",
    "preset": 'preset quick for pig "A quick game"',
    "players": "players 2..6",
    "source": 'source rules "The printed rules, second edition"',
    "requires": "requires another_variant",
    "implies": "implies another_variant",
    "excludes": "excludes another_variant",
    "exactly": "exactly one of edition: german, french",
    "at": "at most one of speed: blitz, slow_game",
    "suggests": "suggests another_variant",
    "sealed": "sealed throw.roll, target",
    "extends": "extends official",
    "with": "with another_variant:",
    "set": "set target: 150",
    "note": 'note "A true remark that needs no clause" ["Heading" 3]',
    "type": "type Suit = red | black",
    "component": "component Cell for each row: 1..5, column: 1..5",
    "dice": "dice Die: red, green showing 1..6",
    "tokens": "tokens chip(p: Player): 20 in supply(p), stake(p)",
    "zone": "zone hand(p: Player): set of Card at most 5 seen by p",
    "state": "state score(p: Player): 0..205 each round starts as 0",
    "value": "value rich(p: Player): yes or no = score(p) at least 100",
    "layer": "layer income.joined: plus before doubled",
    "adjust": "adjust income.doubled(c) as bonus: 2",
    "option": "option target: 20..200 step 10 normally 100",
    "always": "always no_debt: every p in players has score(p) at least 0",
    "warn": 'warn dead_ends "No way home from here": those n in 1..9 where lost(n)',
    "winners": "winners: those p in players with most score(p)",
    "effect": "effect lose_die(p: Player)",
    "phase": "phase round until over, at most 400 times",
    "step": "step deciding: exactly once",
    "order": "order dealing then playing then scoring",
    "action": "action take(r in Row, n in 1..7) at taking",
    "needs": 'needs something "Nothing to bank yet": pot at least 1',
    "unwise": 'unwise early "Too little to stop": pot less than 5',
    "cost": "cost die(d in tray): spend({d})",
    "limit": "limit offers: 3 each turn",
    "does": "does bank: score(me) gains pot",
    "asks": 'asks partner "Do you accept?": q',
    "uses": "uses up: sum of chips(p) for p in players",
    "when": "when leader changes from old to new as crowning",
    "before": "before lose_die.out as saving",
    "after": "after lose_die.out as mourning",
    "instead": "instead of lose_die(p) as mercy",
    "change": "change throw.bust from pot becomes 0 to pot becomes 1",
    "default": "default target: 150",
    "raise": "raise hand_limit by 1",
    "lower": "lower hand_limit by 1",
    "remove": "remove throw.bust",
    "release": "release order among drawing, playing",
    "lift": "lift place.match.joker: size(use) is 5",
    "extend": "extend Suit with green",
    "mute": "mute other_variant at draw.room",
    "assert": 'assert "Nobody starts ahead": every p in players has score(p) is 0',
    "move": "move 3 from deck to hand(p)",
    "roll": "roll Die",
    "shuffle": "shuffle deck",
    "let": "let n = size(hand(p))",
    "again": "again turn",
    "end": "end turn",
    "show": "show lot to partner",
    "must": "must choose c in hand(p) by p: move c to discard",
    "may": "may choose c in hand(p) by p: move c to discard",
    "random": "random p in players: first becomes p",
    "share": "share 5 over c in row as n: put(me, n, c)",
    "for": "for p in players: move 3 from deck to hand(p)",
    "if": "if die.face is 1: pot becomes 0",
    "else": "else: pot gains die.face",
    "the": "the one p in players with most score(p), none on a tie",
    "sum": "sum of score(p) for p in players",
    "count": "count of p in players where score(p) is 0",
    "some": "some p in players has score(p) is 0",
    "every": "every p in players has score(p) is 0",
}
EXAMPLES["change"] = "change hand_limit from 5 to 6"

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
    for sign, members, words in _GROUPS:
        if sign in left:
            found.append(words)
            left -= members
    goes_on = "but" in left or "and" in left
    if goes_on:
        left -= _MORE
    if ":" in left:
        left -= {","}
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
    if word in ("limit", "asks", "uses"):
        return f"`{word}` stands beneath an action, an effect or a reaction"
    if word in ("needs", "cost", "does"):
        return (
            f"`{word}` stands beneath an action, an effect or a reaction, or with the"
            " full address at the edge of the page"
        )
    if word == "unwise":
        return (
            "`unwise` stands beneath an action, or with the full address at the edge of"
            " the page"
        )
    return f"`{word}` stands at the edge of the page, in a phase, or beneath `with …:`"
