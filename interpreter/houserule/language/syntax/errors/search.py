"""Search for the cheapest edits after which the grammar accepts a line.

The search follows the parser's own tables from the state in front of the line. At each
word it can read, omit, insert or replace; each of these has a cost. Parts of a line may
also change places. The caller tests the results, the cheapest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import count
from string import ascii_lowercase
from typing import TypeAlias

from houserule.base.diagnostics.wording import NUMBERS, VALUES_ELSEWHERE, nearest
from houserule.base.frozen import frozen
from houserule.language.syntax.errors.synonyms import FILLERS, SYNONYMS, THINGS
from houserule.language.syntax.vocabulary import (
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    CLAUSES,
    DECLARATIONS,
    EDITS,
    ITEMS,
    OPENINGS,
    STATEMENTS,
    keywords,
    reserved,
)

DEAREST = 3.7
MOST_STEPS = 3_000
LOOK = 40  # words in which a phrase lies
NEAR = 4  # words before the place where the grammar stops
FAR = 0.8  # the cost of an edit before them
REPEATED = 0.3  # the share of its cost that an edit has if it is made again
WORDS = re.compile(r'"[^"\n]*"|[A-Za-z]\w*|\d+|\.\.|[^\s\w]|\S')

Stack: TypeAlias = tuple[int, ...]


@frozen
class ParseTable:
    """The tables of the parser.

    Attributes:
        states: for each state and terminal, the state to shift to, or the rule to
            reduce by: its name and its length.
        spelling: the words of each terminal; NAME, INT and STRING have none.
    """

    states: Mapping[int, Mapping[str, int | tuple[str, int]]]
    spelling: Mapping[str, tuple[str, ...]]

    def after(self, stack: Stack, terminal: str) -> Stack | None:
        """Return the stack after a terminal, or None if it is not accepted."""
        while True:
            action = self.states[stack[-1]].get(terminal)
            if action is None:
                return None
            if isinstance(action, int):
                return (*stack, action)
            name, length = action
            stack = stack[: len(stack) - length]
            goto = self.states[stack[-1]].get(name)
            if not isinstance(goto, int):
                return None
            stack = (*stack, goto)


@frozen
class WordEdit:
    """A change of the words from `first` to `last`: `text` replaces them."""

    first: int
    last: int
    text: str


@frozen
class _State:
    """A place of the search.

    Attributes:
        at: the next word of the line.
        rest: the words that the last terminal still needs, after which the stack holds.
        ahead: words that replace earlier words of the line and are read next.
        due: the number of inserted words before the next one.
    """

    at: int
    stack: Stack
    rest: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()
    due: int = 0


def searched(
    words: list[str],
    table: ParseTable,
    stack: Stack,
    known: frozenset[str],
    keyed: frozenset[str] = frozenset(),
    dearest: float = DEAREST,
    steps: int = MOST_STEPS,
    editing: bool = True,
    reached: int = 0,
) -> Iterator[tuple[float, tuple[WordEdit, ...]]]:
    """Yield the cost and the edits of each way to make a line of words right."""
    phrases = [_phrases(words, at, known, keyed) for at in range(len(words))]
    omitting = [_omitting(words, at, known) for at in range(len(words))]
    turn = count()
    start = _State(0, stack)
    queue: list[tuple[float, int, _State, tuple[WordEdit, ...]]] = [
        (0.0, next(turn), start, ())
    ]
    best: dict[_State, float] = {start: 0.0}
    done = set[tuple[WordEdit, ...]]()
    options: dict[Stack, list[tuple[str, tuple[str, ...], Stack]]] = {}

    def push(
        cost: float,
        state: _State,
        edits: tuple[WordEdit, ...],
        left: tuple[str, ...] = (),
    ) -> None:
        """Queue a state; `left` are the words that its terminal still needs."""
        if left:
            state = replace(state, rest=left)
        if cost <= dearest and cost < best.get(state, dearest + 1):
            best[state] = cost
            heappush(queue, (cost, next(turn), state, edits))

    while queue and steps:
        steps -= 1
        cost, _, now, edits = heappop(queue)
        if best[now] < cost:
            continue
        at = now.at
        far = 0.0 if at > reached - NEAR else FAR
        if not editing:
            far = 9.0
        word = now.ahead[0] if now.ahead else words[at] if at < len(words) else ""
        if now.ahead:
            behind = _State(at, now.stack, ahead=now.ahead[1:])
        else:
            behind = _State(at + 1, now.stack)
        if now.rest:  # the stack is the one after the whole terminal
            first, left = now.rest[0], now.rest[1:]
            if word == first:
                push(cost, behind, edits, left)
            if not now.ahead:
                stay = _State(at, now.stack, due=now.due)
                push(cost + far + 0.7, stay, (*edits, WordEdit(at, at, first)), left)
        else:
            if now.stack not in options:
                options[now.stack] = [
                    (terminal, table.spelling[terminal], new)
                    for terminal in table.states[now.stack[-1]]
                    if terminal in table.spelling
                    and (new := table.after(now.stack, terminal)) is not None
                ]
            ends = not word and table.after(now.stack, "_NL") is not None
            if ends and edits not in done:
                done.add(edits)
                yield cost, edits
            naming = at in (1, 3) and words[0] in ITEMS
            firm = not now.ahead and now.due < 2
            for terminal, spelling, new in options[now.stack]:
                if word and not spelling and terminal in _kinds(word):
                    more = 0.0
                    if terminal == "NAME":
                        new_name = bool(now.ahead) and word not in words
                        more = _as_name(word, known, new_name, naming)
                        again = not now.ahead and word in words[:at]
                        if more == PERHAPS and (again or words[0] == "type"):
                            more = 0.0
                        if word == "nobody" and words[at - 1] == "by":
                            more = 0.0
                    push(cost + more, replace(behind, stack=new), edits)
                if not spelling:
                    continue
                text, left = spelling[0], spelling[1:]
                if word == text:
                    push(cost, replace(behind, stack=new), edits, left)
                elif word and firm and not now.due and (at or word not in PLACED):
                    edit = WordEdit(at, at + 1, text)
                    more = _replacing(word, text, known)
                    if more:
                        more *= _again(words, edit, edits)
                        state = replace(behind, stack=new)
                        push(cost + far + more, state, (*edits, edit), left)
                if firm:
                    more = _INSERT.get(text, 2.2) + now.due * 0.5
                    if word == "(" and at and words[at - 1].isidentifier():
                        more += 3
                    if not at and text in OPENINGS:
                        more = 9.0  # any line would become one of another kind
                    if text == "." and at == 2 and words[0] in (*EDITS, *CLAUSES):
                        more = 1.1
                    if text == "(" and (at != 2 or words[0] not in DECLARATIONS):
                        more += 1.5
                    state = _State(at, new, due=now.due + 1)
                    push(
                        cost + far + more, state, (*edits, WordEdit(at, at, text)), left
                    )
            if firm and not now.due:
                there = {
                    each[1][0] if each[1] else each[0] for each in options[now.stack]
                }
                for whole, more, of in WHOLE:
                    named = at == 1 and words[0] in (*CLAUSES, "always", "warn")
                    if (
                        whole[0] in there
                        and (named or whole[0] != "NAME")
                        and of in ("", *words)
                    ):
                        state = _State(at, now.stack, ahead=whole, due=1)
                        edit = WordEdit(at, at, " ".join(whole))
                        push(cost + far + more, state, (*edits, edit))
                if word[:1].isupper() and words[at - 1] in _TYPED and "NAME" in there:
                    name = "p" if word == "Player" else word.lower()
                    state = _State(at, now.stack, ahead=(name, ":"), due=1)
                    more = 1.2 * (
                        REPEATED if edits[-1:] and edits[-1].text == "," else 1
                    )
                    edit = WordEdit(at, at, f"{name}:")
                    push(cost + far + more, state, (*edits, edit))
        if now.ahead or not word or now.due:
            continue
        gone = replace(now, at=at + 1)
        push(cost + far + omitting[at], gone, (*edits, WordEdit(at, at + 1, "")))
        for length, text, more in phrases[at]:
            beside = far == FAR and at + length > reached - NEAR
            state = replace(now, at=at + length, ahead=tuple(WORDS.findall(text)))
            edit = WordEdit(at, at + length, text)
            more = (more + (0 if beside else far)) * _again(words, edit, edits)
            push(cost + more, state, (*edits, edit))


def _again(words: list[str], edit: WordEdit, before: tuple[WordEdit, ...]) -> float:
    """Return the share of its cost that an edit has if it repeats an earlier one."""
    old = words[edit.first : edit.last]
    alike = (each for each in before if each.text == edit.text)
    repeats = any(words[each.first : each.last] == old for each in alike)
    return REPEATED if repeats else 1.0


@cache
def _kinds(word: str) -> frozenset[str]:
    if word[:1].isdigit():
        return frozenset(("INT",))
    if word[:1] == '"':
        return frozenset(("STRING",))
    return frozenset(("NAME",)) if word[:1].isalpha() else frozenset()


# ---- costs

WHOLE = tuple(
    (tuple(WORDS.findall(text)), cost, of)
    for text, cost, of in (
        (", none on a tie", 0.8, ""),
        (", at most 400 times", 0.9, ""),
        (", if possible", 0.6, ""),
        (", if any", 1.4, ""),
        ("rounded down", 0.8, "/"),
        ("each turn", 1.0, "limit"),
        ("among players", 0.9, "random"),
        ("normally 1", 1.8, ""),
        ("starts as 0", 1.8, ""),
        ("to everyone", 2.0, "show"),
        ("during NAME", 2.0, ""),
        ("called NAME", 2.0, ""),
        ("NAME", 1.8, ""),
        ("otherwise", 2.0, ""),
    )
)
"""Parts that are inserted as a whole, their costs, and a word that must be there."""

PERHAPS = 0.3
_NAMES = frozenset(("p", "c", "i", "nobody", "Player", *BUILT_IN_FUNCTIONS))


def _as_name(word: str, known: frozenset[str], new: bool, naming: bool) -> float:
    """Return the cost of reading a word as a name."""
    if word in known or word in BUILT_IN_NAMES or word == "NAME":
        return 0.0
    if new:
        return 0.0 if word in _NAMES or word.title() in known else 9.0
    if (
        word in FILLERS
        or word in reserved()
        or (word in VALUES_ELSEWHERE and not naming)
    ):
        return 2.0
    return 1.2 if word in keywords() else PERHAPS


_INSERT = {
    **dict.fromkeys(OPENINGS, 3.0),
    **dict.fromkeys((":", ",", "in", "of", "to", "by", "as", "than", "at"), 1.2),
    **dict.fromkeys(("has", "times", "for", "from", "among", "each", "="), 1.4),
    **dict.fromkeys(("with", "most", "one", "those", "the"), 1.8),
    **dict.fromkeys(("not", "no", "none", "yes", "-", "+", "*", "/"), 5.0),
    **dict.fromkeys(("some", "every", "least", "loses", "gains", "becomes"), 4.0),
    **dict.fromkeys(("where", "is"), 2.4),
    **dict.fromkeys(("and", "or", ";"), 4.0),
    **dict.fromkeys("but plus within mod only".split(), 4.0),  # noqa: SIM905
    **dict.fromkeys((".", "|", "{", "}", "[", "]"), 3.0),
    **{"..": 4.0, "(": 1.8, ")": 0.8},
}


def _omitting(words: list[str], at: int, known: frozenset[str]) -> float:
    word = words[at]
    begins = not at or words[at - 1] in (":", ";")
    if begins and word in OPENINGS:
        return 5.0
    if at == 1 and word in OPENINGS and words[0] in {*OPENINGS} - {*STATEMENTS}:
        return 1.0
    if word in FILLERS:
        return 1.0
    if word in OPENINGS or word in ("most", "least", "not", "first", "last"):
        return 4.0
    if word[0] == '"':
        return 9.0
    if word[0].isdigit():
        return 6.0
    if not word[0].isalnum():
        if words[0] in ("type", "step") and word in "()[]{}":
            return 0.6
        return 1.2 if word in ",;:!" else 2.5 if word in "(){}[]" else 4.0
    if word in BUILT_IN_NAMES or (word in known and word not in THINGS):
        return 5.0
    if word.lower() in THINGS or word.lower().removesuffix("s") in THINGS:
        return 1.0 if at and words[at - 1].isdigit() else 1.6
    return 2.6 if word in keywords() else 3.5


def _replacing(word: str, other: str, known: frozenset[str]) -> float:
    """Return the cost of one word in place of another; 0 if they are not alike."""
    if other != "," and any({word, other} <= alike for alike in _ALIKE):
        return 1.5
    if word.isalpha() and other.isalpha() and word not in known:
        if word.lower() == other:
            return 0.5
        if word in keywords():
            return 0.0
        if len(word) > 2 and word.removesuffix("s") == other.removesuffix("s"):
            return 0.8
        alike = word[0].lower() == other[0] and min(len(word), len(other)) > 3
        if alike and nearest(word, (other,), 0.34):
            return 1.0
    return 0.0


_TYPED = ("(", ",", "each", "and")  # a parameter may follow
PLACED = ("from", "to")  # these may begin a line
_ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "in of from to into for on as over among per than during by",
        ": = ,",
        "( [",
        ") ]",
    )
)


# ---- words that mean others


@cache
def _by_first() -> Mapping[str, list[tuple[tuple[str, ...], str]]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for right, wrongs in SYNONYMS:
        for wrong in wrongs:
            words = tuple(WORDS.findall(wrong))
            found.setdefault(words[0], []).append((words, right))
            if right in ("at least", "at most", "more than", "less than"):
                found.setdefault("is", []).append((("is", *words), right))
    return found


def _phrases(
    words: list[str], at: int, known: frozenset[str], keyed: frozenset[str]
) -> list[tuple[int, str, float]]:
    """Return the phrases that begin at a word: length, meaning and cost."""
    before, after = words[at - 1] if at else "", tuple(words[at : at + LOOK])
    statement = before in ("", ":", ";")
    if before in (",", "then"):  # in place of a colon
        statement = "if" in words[:at]
    relation = not at and ":" not in words
    return _begins(after, before, words[0], statement, relation, known, keyed)


@lru_cache(1 << 14)  # a search tries variations of one line
def _begins(
    words: tuple[str, ...],
    before: str,
    first: str,
    statement: bool,
    relation: bool,
    known: frozenset[str],
    keyed: frozenset[str],
) -> list[tuple[int, str, float]]:
    """Return the phrases at the first of some words; `before` is empty in front of it.

    `first` is the first word of the line. `statement` tells whether a statement may
    begin here, `relation` that it is the first word of a line without a colon.
    """
    found = []
    word = words[0]
    for phrase, right in _by_first().get(word.lower(), ()):
        length = len(phrase)
        if tuple(each.lower() for each in words[:length]) != phrase:
            continue
        cost = 1.2 - 0.1 * min(length, 5)
        if statement and right in STATEMENTS:
            cost = 0.5
        if length == 1 and not before and word in OPENINGS:
            plain = relation and right not in (*CLAUSES, *DECLARATIONS)
            cost = 0.3 if plain else cost + 1.5
        if right == "..":
            cost = 4.0
        found.append((length, right, cost))
    if word.isdigit() and first not in ("raise", "lower"):
        for length in (1, 2, 3):
            high = words[length + 1 : length + 2]
            if (
                " ".join(words[1 : 1 + length]) in _TO
                and high
                and high[0].isdigit()
                and int(word) < int(high[0])
            ):
                found.append((length + 2, f"{word}..{high[0]}", 0.4))
    if word in NUMBERS[2:]:
        found.append((1, str(NUMBERS.index(word)), 0.8))
    if word == "my" and words[1:2] and words[1].isidentifier():
        found.append((2, f"{words[1]}(me)", 0.8))
    joined = "_".join((word, *(words[1:2] or " ")))
    called = words[2:3] == ("(",)
    if joined in known or (joined in BUILT_IN_FUNCTIONS and called):
        found.append((2, joined, 0.5))
    every = word in ("each", "every", "all", "any") and before == "for"
    thing, name = (*words[every : every + 2], "", "")[:2]
    new = name.isidentifier() and (len(name) < 3 or name not in known)
    new = new and name not in keywords() and before not in ("(", ",")
    for things in (thing.title(), f"{thing}s", thing) if new else ():
        if things in known or things in BUILT_IN_NAMES:
            found.append((2 + every, f"{name} in {things}", 0.5))
            break
    if word in ("the", "that") and first in ("winners", "bots"):
        found.append((1, "those", 0.8))
    applied = before.isidentifier() and before not in keywords()
    aside = words[1:2] in (("at",), ("if",), ("none",))
    if before == "." or (word == "(" and applied and not aside):  # rest of a name
        return found
    begin = " ".join(words)
    for place, pattern, right, cost in _REPHRASED:
        begins = statement or before in ("and", "then") if place == ":" else True
        if not begins or place not in ("", ":", first):
            continue
        match = pattern.match(begin)
        if match:
            length = len(WORDS.findall(match[0]))
            found.append((length, " ".join(match.expand(right).split()), cost))
    match = _OF.match(begin) or _HIS.match(begin)
    if match and (match["part"] in known or match["of"] in ("me", *ascii_lowercase)):
        length, part = len(WORDS.findall(match[0])), match["part"]
        of = match["of"]
        field = keyed and part not in keyed
        of = f"({of})" if field and " of " in of else of
        found.append((length, f"{of}.{part}" if field else f"{part}({of})", 0.8))
    return found


_TO = frozenset(dict(SYNONYMS)[".."])
_INSIDE = r"(?:[^()]|\( (?:[^()]|\( (?:[^()]|\( [^()]*\))*\))*\))*?"
_KEYS = rf"(?: \( {_INSIDE} ?\))?"
_CALL = (
    rf"(?!of\b|the\b|in\b)(?:\w+\b{_KEYS}|\( {_INSIDE} \))"
    rf"(?: \. \w+\b{_KEYS})*(?! [(.])"
)
_PARTS = {
    "CALL": rf"({_CALL})",
    "SUM": rf"({_CALL}(?: [-+*] {_CALL})*)",
    "EXPR": rf"({_INSIDE})",
    "STOP": r"(?= [:,;)]| and\b| or\b| if\b| until\b| together\b|$)",
    "HAVE": r"(?:with|who has|who have|that has|that have|has|having)",
    "MOST": r"(?:the )?(?:most|highest|greatest|biggest|largest|best)",
    "LEAST": r"(?:the )?(?:least|lowest|fewest|smallest|worst)",
    "SIZE": r"(?:number|count|size|amount|length)",
    "THING": r"(?:card|token|coin|piece|marker|tile|die)s?",
    "END": r"(?= ;|$)",
}
_OF = re.compile(
    rf"(?P<part>(?!(?:size|seat|sum|count|total|highest|lowest|top|bottom|set|pile|slot|part)\b)"
    rf"[a-z]\w*) of (?:the )?(?P<of>(?:(?:top|bottom) of )?{_PARTS['CALL']})"
    r"(?! in\b| for\b)"
)
_HIS = re.compile(rf"(?P<of>{_PARTS['CALL']}) ' s (?P<part>[a-z]\w*)")
_TURNED: tuple[tuple[str, str, float], ...] = (
    *(
        (r"(?:between|from|=) SUM (?:and|to|up to) SUM", rf"{before}\1..\2", cost)
        for before, cost in (("", 0.6), ("in ", 0.8), (": ", 0.8), ("showing ", 0.9))
    ),
    (r"is between CALL and CALL", r"is in \1..\2", 0.4),
    (r"CALL is neither CALL nor CALL", r"\1 is not \2 and \1 is not \3", 0.7),
    (
        r"CALL and CALL are (?:different|unequal|not (?:equal|alike|the same))",
        r"\1 is not \2",
        0.5,
    ),
    (r"CALL and CALL are (?:equal|alike|the same|identical)", r"\1 is \2", 0.5),
    (r"(?:twice|double) CALL", r"2 * \1", 0.6),
    (r"(?:thrice|triple) CALL", r"3 * \1", 0.6),
    (r"unless CALL(?= :|$| until\b)", r"if not \1", 0.4),
    (r"unless EXPR(?= :|$| until\b)", r"if not (\1)", 0.6),
    (r"mod \( EXPR , EXPR \)", r"\1 mod \2", 0.4),
    (
        r"(?:floor|int|trunc|rounddown|round_down) \( EXPR(?: , 0)? \)",
        r"\1 rounded down",
        0.4,
    ),
    (
        r"(?:ceil|ceiling|roundup|round_up) \( EXPR(?: , 0)? \)",
        r"\1 rounded up",
        0.4,
    ),
    (
        r"(?:countifs?|count|number) \( (\w+ in CALL) (?:,|if|where) EXPR \)",
        r"(count of \1 where \3)",
        0.4,
    ),
    (r"(min|max)(?:imum)? of CALL and CALL", r"\1(\2, \3)", 0.4),
    (r"the (?:smaller|lower|lesser) of CALL and CALL", r"min(\1, \2)", 0.4),
    (r"the (?:larger|higher|greater) of CALL and CALL", r"max(\1, \2)", 0.4),
    (r"\( EXPR after CALL \)", r"(after \2: \1)", 0.5),
    (r"(?:for each|for|of|per) (\w+ : \w+)(?= \"| :|$)", r"(\1)", 0.8),
    (r"(?:for|of|per) (p|who)(?= \"| :)", r"(\1: Player)", 0.5),
    (r"(\w+) : (\d+)(?= \||$)", r"\1(\2)", 0.9),
    (
        r"(?:there (?:is|are) )?no (?:more )?THING (?:(?:are|is|remain|left) )*in CALL",
        r"size(\1) is 0",
        0.5,
    ),
    *(
        (
            rf"{who} HAVE {best} (\w+)(?: \( \w \))?(?: , none on a tie)?STOP",
            f"{new} {way} \\1(p){tie}",
            cost,
        )
        for best, way in (("MOST", "with most"), ("LEAST", "with least"))
        for who, new, tie, cost in (
            (
                "winners (?:the )?(?:players?|whoever)",
                "those p in players",
                "",
                0.5,
            ),
            ("(?:the )?players", "those p in players", "", 0.6),
            (
                "(?:the player|whoever)",
                "the one p in players",
                ", none on a tie",
                0.6,
            ),
        )
    ),
    (r"EXPR for (?:every|all|each) (\w+ in CALL)STOP", r"every \2 has \1", 0.6),
    (r"(?:the )?(?:next )?player (?:after|following) CALL", r"next_player(\1)", 0.5),
    (r"(?:the )?(?:previous )?player before CALL", r"previous_player(\1)", 0.5),
    (r"more CALL than CALL", r"\1 more than \2", 0.5),
    (r"(?:less|fewer) CALL than CALL", r"\1 less than \2", 0.5),
    (
        r"CALL (?:has|have|contains|holds) (?:exactly )?(\w+) THING",
        r"size(\1) is \2",
        0.5,
    ),
    (r"starts as (yes|no)\b", r"yes or no starts as \1", 0.9),
    (r"normally (yes|no)\b", r"yes or no normally \1", 0.9),
    (r": CALL (?:is|are) (\w+)dEND", r"\2 \1", 0.3),
    (r": (?:the )?(\w+) (?:ends|is over|is finished|stops)END", r"end \1", 0.3),
    (r": add CALL (?:THING |points? )?to CALL", r"\2 gains \1", 0.7),
    (r": (?:subtract|deduct) CALL (?:THING |points? )?from CALL", r"\2 loses \1", 0.3),
    (r": (?:increase|raise) CALL (?:by|with)", r"\1 gains", 0.3),
    (r": (?:decrease|lower|reduce) CALL (?:by|with)", r"\1 loses", 0.3),
    (r": increment CALL", r"\1 gains 1", 0.3),
    (r": set CALL (?:to|:|: =|=)", r"\1 becomes", 0.3),
    (r": set (\w+) (?:to|:|: =|=)", r"let \1 =", 0.3),
    (
        r"players (?:starting|beginning) (?:with|from|at) (\w+)",
        r"clockwise(\1)",
        0.8,
    ),
    (r"players from (\w+)", r"clockwise(\1)", 0.8),
    (
        r"CALL (?:has|have|contains|holds) (at least|at most|more than|less than) "
        r"(\d+) \w+(?= and\b| or\b|$)",
        r"size(\1) \2 \3",
        0.8,
    ),
    (
        r"(?:the )?SIZE of (?:(?:all |the )?\w{3,} in )?(?:the )?CALL"
        r"(?= (?!in\b|for\b|where\b|\.)|$)",
        r"size(\1)",
        0.5,
    ),
    (r"the THING ([a-z]\b)(?! in\b)", r"\1", 0.8),
    (r"CALL (?:, )?(?:or else|\? \?) CALL", r"(\1 else \2)", 0.5),
    (r"CALL , or CALL if (?:there is )?none", r"(\1 else \2)", 0.5),
    (
        r"(?:, )?(?:for|of|per|in)? ?(?:each|every|all|a|per) [Pp]layers?\b",
        "(p: Player)",
        0.8,
    ),
    (
        r"(set|pile) of (?:up to|at most|max|maximum) (\w+) ([A-Z]\w*)",
        r"\1 of \3 at most \2",
        0.6,
    ),
    (
        r": add (\w+) to (\w+ \. \w+(?: \( [^()]* \))?)(?= \"| :)",
        r"add to \2 called \1",
        0.6,
    ),
    (r": (?:repeat |do |for )?CALL times", r"for i in 1..\1", 0.8),
    (r": (\w+ing|turn|round|deal) againEND", r"again \1", 0.2),
    (r": (gain|lose)s? (\d+|\w+) CALLEND", r"\3 \1s \2", 0.8),
    (r": (?:show|reveal) (everyone|[a-z]) (?!to\b)CALLEND", r"show \2 to \1", 0.8),
    (
        r": move (?:an? )?random ([a-z]) (?:in|from|of) CALL to CALL",
        r"random \1 in \2: move \1 to \3",
        0.8,
    ),
    (
        r": move (?:an? |1 )?random THING (?:in|from|of) CALL to CALL",
        r"random c in \1: move c to \2",
        0.8,
    ),
    (
        r": CALL (?:becomes|is|=) (?:an? )?random (\w+) in CALL",
        r"random \2 in \3: \1 becomes \2",
        0.8,
    ),
    (
        r": CALL (?:becomes|is|=) (?:an? )?random player",
        r"random p in players: \1 becomes p",
        0.8,
    ),
    (r"from \d+ by (?=\d)", "by ", 0.8),
    (r"(?:optional|maybe) (\w+(?: \.\. \w+)?)", r"\1 or none", 0.4),
    (r"\[ ([^]]* , [^]]*) \]", r"{\1}", 0.5),
    (r"by CALL and CALL(?= *$)", r"by {\1, \2}", 0.5),
    (r"neither CALL nor CALL", r"not \1 and not \2", 1.0),
    (r"half (?:of )?CALL(?= rounded)", r"\1 / 2", 0.6),
    (r"half (?:of )?CALL", r"\1 / 2 rounded down", 0.8),
    (
        r"(?!nobody|every|any)CALL (?:has|holds|contains|includes) "
        r"(\w+(?: \. \w+)?)(?= [;:)]| and\b| or\b|$)",
        r"\2 is in \1",
        0.6,
    ),
    (r": order (\w+) after (\w+)END", r"order \2 then \1", 0.6),
    (r": (\w+) (?:comes |goes |is )?after (\w+)$", r"order \2 then \1", 0.4),
    (r": (\w+) (?:comes |goes |is )?before (\w+)$", r"order \1 then \2", 0.4),
    (r"\( (at most CALL times|if any|if possible|none on a tie) \)", r", \1", 0.4),
    (r"\( (?:default|normally) (\w+) \)", r"normally \1", 0.4),
    (r", CALL times (?:maximum|max|at most|at the most)\b", r", at most \1 times", 0.4),
    (r"for (\w+) = CALL", r"for \1 in {\2}", 0.6),
    (r": (?:all |the )?[a-z]+s with the same", "those with the same", 0.5),
    (
        r", (?:is |and is )?(?:re)?set (?:back )?to (\w+) (?:each|every) (\w+)",
        r"each \2 starts as \1",
        0.4,
    ),
    (r"CALL (?:div|\/ \/) CALL", r"\1 / \2 rounded down", 0.4),
    (r"there is an? CALL(?= :| and\b| or\b|$)", r"\1 is not none", 0.5),
    (
        r": (?:each|every) player (\w+) (?:takes|draws|gets) (\w+) (?:THING )?from "
        r"EXPREND",
        r"for \1 in players: move \2 from \3",
        0.3,
    ),
    (
        r"(?:the )?number of (\w+ in CALL) (?:that|who|which) have EXPRSTOP",
        r"(count of \1 where \3)",
        0.5,
    ),
    (r"the THING (\w in EXPR) with", r"those \1 with", 0.5),
    (
        r": (?:lay|place|put) (\w+) face (?:up|down) (?:on|onto|in|into) CALLEND",
        r"move \1 to \2",
        0.3,
    ),
    (r": (?:start|begin) (?:again|over) (?:with|at|from) (\w+)END", r"again \1", 0.2),
    (
        r": if there is (?:an? |any )?CALL , (?:call it|as|named|let) (\w+)(?= :)",
        r"let \2 = \1, if any",
        0.4,
    ),
    (r"for (\w+) in CALL while EXPRSTOP", r"for \1 in \2 if \3", 0.3),
    (r", CALL (?:by default|normally|as default)", r"normally \1", 0.5),
    (r"for (?:all|every|each|any) (\w+) (?:of|from) CALL", r"for \1 in \2", 0.3),
    (r": ([a-z]+) (?:the )?THING (?:in|of) CALLEND", r"\1 \2", 0.3),
    (
        r": order(?: :)? first (\w+)(?: ,)? then (\w+)$",
        r"order \1 then \2",
        0.3,
    ),
    (r": (\d+) ([a-z]\w*)END", r"\2 loses \1", 0.6),
    (r"CALL is not (?:divisible by|a multiple of) CALL", r"\1 mod \2 is not 0", 0.4),
    (r"CALL is (?:divisible by|a multiple of) CALL", r"\1 mod \2 is 0", 0.4),
    (r"CALL is even\b", r"\1 mod 2 is 0", 0.5),
    (r"CALL is odd\b", r"\1 mod 2 is 1", 0.5),
    (
        r": ([a-z]|me) (?:gets?|receives?|gains|earns?|wins?) (\w+) (\w+)END",
        r"\3(\1) gains \2",
        0.3,
    ),
    (r": ([a-z]|me) (?:loses?|pays?) (\w+) (\w+)END", r"\3(\1) loses \2", 0.3),
    (
        r": (\w+) (?:chooses|picks|selects|has to choose) EXPR(?= :)",
        r"must choose \2 by \1",
        0.3,
    ),
    (
        r": (?:each|every) player (\w+) ([a-z]+)s EXPREND",
        r"for \1 in players: \2 \3",
        0.3,
    ),
    (
        r": (?:repeat|redo|back to|return to|(?:go )?(?:back )?to) (?:the )?"
        r"(?:step|phase) (\w+)END",
        r"again \1",
        0.2,
    ),
    (r": put (\d+) (?:in|into|on) CALLEND", r"\2 gains \1", 0.2),
    (r": now CALL is (?:in|on) CALL", r"move \1 to \2", 0.3),
    (r": now CALL is", r"\1 becomes", 0.3),
    (r": the (?:new )?(\w+) is(?: now)?", r"\1 becomes", 0.3),
    (r": CALL (?:if|when) EXPR$", r"if \2: \1", 1.2),
    (
        r": (?:move|deal|give|draw|pass) EXPR for (?:each|every) player (\w+)END",
        r"for \2 in players: move \1",
        0.4,
    ),
    (r": if EXPR (?:then|,) EXPR$", r"\2 when \1", 1.2),
    (r"players (?:where|with|that|who) EXPRSTOP", r"those p in players where \1", 0.7),
    (
        r"(?:both )?CALL and CALL are (not )?"
        r"((?!equal|alike|the\b|different|unequal|identical|not\b|in\b)\w+)",
        r"\1 is \3\4 and \2 is \3\4",
        0.5,
    ),
    (r"\{ (\w+ in EXPR) \| EXPR \}", r"those \1 where \3", 0.4),
    (r"\{ (\w+ in EXPR) \}", r"those \1", 0.4),
    (r"\[ \w+ for (\w+ in EXPR) (?:if|where) EXPR \]", r"those \1 where \3", 0.4),
    (r"CALL has (?:all )?equal faces", r"equal faces in \1", 0.4),
    (r"\( EXPR after CALL by (\w+) \)", r"(after \2 by \3: \1)", 0.4),
    (
        r"with (\w+) (?:is )?(?:on|active|enabled|chosen|in play|in use)(?= :)",
        r"with \1",
        0.2,
    ),
    (r"no (\w+ in EXPR) (?:is|are) EXPRSTOP", r"no \1 has \3", 0.9),
    (r"there is no CALL(?= :| and\b| or\b|$)", r"\1 is none", 0.5),
    (r"SUM (?:< =|≤) SUM (?:< =|≤) SUM", r"\2 is in \1..\3", 0.4),
    (
        r"(at most|at least|more than|less than) (\w+) (?:THING )?"
        r"(?:(?:are|is|left|remain|lie|still) )*in CALL",
        r"size(\3) \1 \2",
        0.9,
    ),
    (
        r"(?i:sum|total) \( EXPR for (\w+ in EXPR) \)",
        r"(sum of \1 for \2)",
        0.4,
    ),
    (r"(\w+) (?:sorted|ordered) by EXPR desc(?:ending)?", r"\1 with most \2", 0.4),
    (r"(\w+) (?:sorted|ordered) by EXPR asc(?:ending)?", r"\1 with least \2", 0.4),
    (r": face (?:- )?up (set|pile|slot) of (\w+)", r": \1 of \2 seen by everyone", 0.4),
    (r": face (?:- )?down (set|pile|slot) of (\w+)", r": \1 of \2 seen by nobody", 0.4),
    (r"(?:an? )?random Player$", "Player starts at random among players", 0.5),
    (r": for (\d+) players$", r"players \1..\1", 0.2),
    (
        r"= (\w+) (?:per|(?:in )?each|every) (\w+)(?= \[|$)",
        r"each \2 starts as \1",
        0.6,
    ),
    (r": reset CALL to", r"\1 becomes", 0.2),
    (r": change CALL from \d+ by (\d+)", r"raise \1 by \2", 0.3),
)
"""Phrases whose words also change places: pattern, meaning and cost.

A statement or a line begins with `: `, a line of the winners with `winners `.
"""
_PLACES = (": ", "winners ", "")
_REPHRASED = tuple(
    (
        place[:-1],
        re.compile(
            re.sub(
                "|".join(_PARTS),
                lambda part: _PARTS[part[0]],
                row.removeprefix(place),
            )
        ),
        new,
        cost,
    )
    for row, new, cost in _TURNED
    for place in _PLACES
    if row.startswith(place) and (place or not row.startswith(_PLACES[:-1]))
)
