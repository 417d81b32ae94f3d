"""Explain syntax errors in the author's words.

If a fix works (`fixes`), the message describes it. Otherwise errors of position come
next (a line is too deep, a word cannot begin a line here), and finally the expected
input (`wanted`). Messages never name a terminal of the grammar.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import replace
from html import unescape
from itertools import accumulate, pairwise, takewhile
from typing import TypeAlias

from houserule.base.diagnostics.diagnostic import E004, Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import counted, listed, nearest
from houserule.base.source import Source, Span
from houserule.language.syntax.errors.fixes import (
    COMMENT,
    JOINED,
    MARGIN,
    VERBS,
    Correction,
    LineNames,
    Probe,
    error_behind,
    find_fix,
    joined,
)
from houserule.language.syntax.errors.repair import Repair
from houserule.language.syntax.errors.slips import SIGNS
from houserule.language.syntax.messages import E001, E002, E005, E006, E008
from houserule.language.syntax.read.cst import ParseError
from houserule.language.syntax.read.scan import LogicalLine, Scan, Token
from houserule.language.syntax.vocabulary import (
    CLAUSES,
    DECLARATIONS,
    EXAMPLES,
    HEADERS,
    HOLD_CLAUSES,
    HOLD_STATEMENTS,
    ITEMS,
    OPENINGS,
    STATEMENTS,
    STATEMENTS_ELSEWHERE,
    free_name,
    keywords,
    reserved,
    taken_keyword,
)

# Alternatives of the grammar that authors see as a single one.
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
        frozenset(
            [
                "NAME",
                "INT",
                "(",
                "{",
                "-",
                "yes",
                "no",
                "none",
                "top",
                "bottom",
                "total",
                "equal",
                "all",
                "sum",
                "highest",
                "lowest",
                "count",
                "the",
                "those",
                "some",
                "every",
                "not",
                "after",
            ]
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
    "IF_ANY": "`, if any`",
    "IF_POSSIBLE": "`, if possible`",
    "DEEPER": "lines beneath this one",
}
_MORE = frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "mod",
        "..",
        "but",
        "plus",
        "within",
        "is",
        "at",
        "more",
        "less",
        "and",
        "or",
        ".",
        "(",
    ]
)
_FAINT = frozenset((".", "(", "[", "BACK", "STOP", "STRING", "END"))
_MOST = 5
_GOING_ON = frozenset(
    [
        "and",
        "or",
        "+",
        "-",
        "*",
        "/",
        "mod",
        "is",
        "at",
        "more",
        "less",
        "but",
        "plus",
        "within",
        "then",
    ]
)
_SIGN = re.compile(
    "|".join(sorted(map(re.escape, SIGNS.keys() - {"="}), key=len)[::-1])
)
_VARIANT = (
    "A condition cannot ask for a variant. A line below `with NAME:` holds only with "
    "it; for the opposite, the line is part of the game, and the variant removes it."
)
_NO_LIMIT = (
    "Without a `limit` there is none: omit this line. A variant takes one away with "
    "`remove ACTION.LIMIT`."
)
_UNLIMITED = re.compile(
    r"^\s*(?:(?:there is )?no limit\b|"
    r'limit [\w.]+(?: "[^"]*")?: (?:none|no|unlimited)\b)'
)
_COLUMN = "Lines that belong to the same thing begin in the same column."
_PLACES = ("end", "back", "deeper")
_CASES = (
    "An expression has no `if`. Define a `value` with a line for each case: "
    "`E when C`, and last `E otherwise`."
)
_NUMBERS = (
    "A choice of numbers is a range, such as `3..5`. After `step 2` it has every other "
    "number."
)
_NAMES = (
    "A list of names needs a name of its own: `type Pace = slow | quick`, and then "
    "`Pace` here."
)

ADDED = ("needs", "does", "cost", "limit")
# The contents of a block, indented by two spaces.
BENEATH = {
    **dict.fromkeys(HOLD_CLAUSES, "its clauses, such as `does move: …`"),
    **dict.fromkeys(HOLD_STATEMENTS, "its statements, such as `roll Die`"),
    "extend": "its new fields, one a line",
    "with": "the lines that hold only then",
    "change": "`from …`, and then `to …`; or a new caption on this line",
}


def wanted(accepts: Iterable[str]) -> list[str]:
    """Return the expected input in words, the most helpful first."""
    left, found = {each for each in accepts if each[:1] != "_"}, []
    # Groups first: one member represents all of them.
    for sign, members, words in _GROUPS:
        if sign in left:
            found.append(words)
            left -= members
    # After a complete expression any operator could follow, so listing them does not
    # help.
    goes_on = "but" in left or "and" in left
    if goes_on:
        left -= _MORE
    if ":" in left:
        left -= {","}
    # The end of a line, and words that are possible almost everywhere, are listed only
    # if there is nothing better.
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
    """Return the place for a line that begins with this word."""
    if word in HEADERS:
        return "a header is not indented, and comes before its lines"
    if word == "else":
        return "`else` comes directly below an `if` or a `choose`, with the same indent"
    if word in STATEMENTS:
        return "statements go in `does`, in `cost`, or in a step"
    row = OPENINGS.get(word)
    if row is None or row.kind != "clause":
        return f"`{word}` is not indented, or is in a phase or under `with …:`"
    alone = ", or with the full address at the edge of the page" if row.alone else ""
    return f"`{word}` stands beneath {row.owners}{alone}"


# ---- errors of a file, and of a line

_FIRST_WORDS = (*HEADERS, *ITEMS, *STATEMENTS, "else")


E007 = MessageCode("E007", "missing header")
"""The file, or a part of it, has no header above it.

**Why.** Every line belongs to a game, a variant, a bridge or a preset. The header names
it.

**For example**

```text
needs hold.enough: pot at least 10      # `variant no_early_hold for pig` comes first
```

**Fix.** Begin with `game NAME`, `variant NAME for GAME`, `bridge A, B for GAME` or
`preset NAME for GAME`.
"""


def no_header(line: LogicalLine, found: Scan) -> Diagnostic:
    """Return the error for a file that does not begin with a header (E007, E006)."""
    first = line.tokens[0]
    meant = nearest(first.text, HEADERS) if first.text not in ITEMS else None
    if meant and first.kind == "word":
        return _unknown(first, meant, found)
    return fault(
        E007,
        "A file begins with its header: which game, variant, bridge or preset it is.",
        found.span(first),
        "this comes before any header",
        details=_example("variant"),
    )


def nothing_here(file: str) -> Diagnostic:
    """Return the error for a file without any line (E007)."""
    return fault(
        E007,
        "There is nothing in this file; it begins with a header.",
        Span.at(file),
        details=_example("game" if file.endswith("game.rules") else "variant"),
    )


def nothing_above(rules: Source) -> Diagnostic:
    """Return the error for a file with nothing but an appendix (E007)."""
    return fault(
        E007,
        "There are no rules above the line `---`, which begins the appendix.",
        Span.at(rules.name, len(rules.lines)),
        "delete this line if rules are below it",
    )


def explain(
    error: ParseError, repair: Repair, line: LogicalLine, found: Scan, probes: Probes
) -> Diagnostic:
    """Return the error for the line where parsing stopped."""
    # The place of the error; at the end of a line, after its last word.
    left = _left(error, line)
    if error.kind in ("end", "back") and left:
        span = Span.at(found.source.name, left[-1].line, left[-1].end)
    else:
        here = [each for each in line.tokens if _stands(error, each)]
        width = max(1, len(here[0].text if here else error.text))
        span = Span.at(found.source.name, error.line, error.column, width)
    if error.kind in ("nested", "field", "call", "typed", "many"):
        kind = error.kind
        if kind == "field":
            message = "A field cannot be done. An effect is called by its plain name."
            return fault(E001, message, span, "a statement is expected")
        if kind == "call":
            message = (
                "This does nothing. If there are several lines, each is a statement."
            )
            return fault(E001, message, span, "a statement is expected")
        if kind == "typed":
            message = "A member's values are constants, in the order of the fields."
            return fault(E001, message, span, "there is no `:` here")
        if kind == "many":
            message = "How many are chosen is a number or an option: `1..2 of tray`."
            return fault(E001, message, span, "a number or a name is expected")
        return fault(
            E009,
            "This is nested too deeply for anyone to read.",
            span,
            "more than a hundred levels",
            details=("Name a part of it as a `value` or an `effect`.",),
        )
    if "DEEPER" in error.accepts and line.tokens[-1].text == ":":
        return _nothing_beneath(error, line, found)
    above = repair.above(line)
    if above is not None and above.word == "extend" and line.word in ADDED:
        # A clause inside `extend`, written as if inside its action.
        owner, clause = above.tokens[1].text, found.source.line(line.first).split()[1:]
        new = f"{line.word} {owner}.{' '.join(clause)}"
        if clause and probes(above.first, line.last)(new) is None:
            message = (
                f"A clause is added on a line of its own, with the name of {owner}."
            )
            return fault(E001, message, found.span(above.tokens[0]), fixes=(new,))
    fixed = _in_brackets(error, repair, line, found, probes)
    fixed = fixed or _fixed(error, line, found, probes)
    if fixed:
        return fixed
    if _UNLIMITED.match(found.source.line(line.first)):
        return fault(E001, _NO_LIMIT, span)
    if error.kind == "reserved":
        text = "\n".join(map(found.source.line, range(line.first, line.last + 1)))
        return _as_name(error, text, found)
    if error.kind == "deeper":
        if above is not None and above in repair.lines:  # it may only lack its colon
            last = above.tokens[-1]
            ends = ParseError("", "end", last.line, last.end, frozenset((":",)))
            if fixed := _fixed(ends, above, found, probes):
                return fixed
        if above is not None and above.word == line.word == "step":
            beside = takewhile(
                lambda each: each.level >= line.level,
                repair.lines[repair.lines.index(line) :],
            )
            for each in [*beside][1:]:  # they are right
                repair.take_out(each)
            return fault(
                E002,
                "This line begins in another column than the steps after it.",
                found.span(above.tokens[0]),
                f"{counted(line.indent - above.indent, 'space')} too few",
                details=(
                    "Lines that belong to the same thing begin in the same column.",
                ),
            )
        return _all_beneath(repair, line, found, probes) or _too_deep(
            line, above, found
        )
    if "DEEPER" in error.accepts:
        return _nothing_beneath(error, line, found)
    if _stands(error, line.tokens[0]):
        misplaced = _opens_nothing(error, line, repair, found)
    else:
        # A statement may have an invalid beginning or continuation.
        misplaced = None
        first = line.tokens[0]  # the word that begins the line, or the statement here
        for before, token in pairwise(left):
            if before.text in (":", ";"):
                first = token
        second = next((each for each in line.tokens if _stands(error, each)), None)
        if second is not None and left[-1:] == [first] and VERBS[0] in error.accepts:
            verb = second.text not in reserved() and nearest(second.text, VERBS)
            meant = STATEMENTS_ELSEWHERE.get(first.text)
            meant = meant or nearest(first.text, STATEMENTS)
            if first is line.tokens[0] and first.text in _FIRST_WORDS:
                misplaced = _wrong_place(first, repair.parent(line), found)
            elif verb:
                misplaced = _unknown(second, verb, found)
            elif meant:
                misplaced = _unknown(first, meant, found)
    return misplaced or _other(error, line, span)


# ---- fixes that work


_TO_PLAYERS = re.compile(r"\bmove [^;\n]* to (?:players|everyone|me|[pq])\b(?!\()")
_WITHOUT_NONE = re.compile(r"\{[^{}]*\bnone\b[^{}]*\}")
_CALL = re.compile(r"(?:^|\n|[:;]) *(\w+)(?:\([^\n;]*\))? *(?=;|\n|$)")


Probes: TypeAlias = Callable[[int, int], Probe]
"""Makes a probe that replaces the lines from one number to another."""


def _fixed(
    error: ParseError,
    line: LogicalLine,
    found: Scan,
    probes: Probes,
    code: MessageCode | None = None,
) -> Diagnostic | None:
    text = "\n".join(map(found.source.line, range(line.first, line.last + 1)))
    here = replace(error, line=error.line - line.first + 1)
    probe, tail = probes(line.first, line.last), ""
    for behind in (COMMENT, MARGIN):
        body = behind.sub("", text)
        if not error_behind(body, here):
            text, tail = body, text[len(body) :] + tail
    rows = (row.split(maxsplit=1) for row in found.source.text.split("\n"))
    declared = {
        name[0]: row[0]
        for row in rows
        if len(row) > 1
        and row[0] in DECLARATIONS
        and (name := re.match(r"\w+", row[1]))
    }
    no_calls = {
        name
        for name, word in declared.items()
        if word in ("state", "zone", "value", "action", "option", "phase", "step")
    } - {name for name in _CALL.findall(text)}

    def tried(body: str) -> ParseError | None:
        """Refuse what parses, but means nothing or something else.

        A statement is not just a name, players are no places, and a set has no `none`.
        """
        for wrong in (_TO_PLAYERS, _WITHOUT_NONE):
            if wrong.search(body) and not wrong.search(text):
                return here
        bare = line.word in ITEMS and line.word not in HOLD_STATEMENTS
        calls = set() if bare else {*_CALL.findall(body)}
        return here if no_calls & calls else probe(body + tail)

    here_only = range(line.first, line.last + 1)
    known = frozenset(
        token.text
        for each in found.lines
        for token in each.tokens
        if token.line not in here_only and token.kind == "word"
    )
    tries = Probe(tried, probe.before)
    above = [each for each in found.lines if each.first < line.first]
    around = accumulate(
        reversed(above),
        lambda kept, each: each if each.level < kept.level else kept,
        initial=line,
    )
    bound = {token.text for each in around if each is not line for token in each.tokens}
    unit = "".join([each.word for each in above if each.word in HEADERS][-1:])
    names = LineNames(declared, known - reserved(), frozenset(bound), unit)
    edits = find_fix(text, here, tries, names)
    if not edits:
        return None
    first, said, now = edits[0], [], text
    if (
        error.kind == "reserved"
        and not first.shown
        and text[first.start : first.end].strip() == error.text
        and first.text.strip() in keywords()
        and text[first.end :].startswith("(")
    ):
        # `at(p)` is meant as a name; another word of the language would not help.
        return _as_name(error, text, found, tail)
    for edit in edits:
        old, new = now[edit.start : edit.end].strip(), edit.text.strip()
        after, before = now[edit.end :].split(), now[: edit.start].rstrip()
        if edit.shown or "\n" in new or "\n" in old:
            change = ""
        elif old and new:
            change = f"Write `{new}` instead of `{old}`."
        elif old:
            change = f"Omit `{old}`."
        elif after and after[0][0] not in "[#":
            change = f"`{new}` is missing before `{after[0]}`."
        elif before.endswith('"'):
            change = f"`{new}` is missing after the quoted text."
        else:
            change = f"`{new}` is missing after `{before.split()[-1]}`."
        said += [edit.reason, change]
        now = edit.of(now)
    place, left = text[: first.start], text[first.start : first.end]
    skipped = len(left) - len(left.lstrip())
    row = place.count("\n") + left[:skipped].count("\n")
    column = len((place + left[:skipped]).rpartition("\n")[2]) + 1
    word = re.match(r"\w*", text[first.start :]) if not left else None
    width = max(1, len(word[0] if word else left.strip().partition("\n")[0]))
    span = Span.at(found.source.name, line.first + row, column, width)
    message = " ".join(filter(None, dict.fromkeys(said)))
    return fault(
        code or first.code or _code(text, first),
        message,
        span,
        fixes=(textwrap.dedent(now + tail),),
    )


def _code(text: str, edit: Correction) -> MessageCode:
    """Return E006 or E008 if the first word of a line is replaced, else E001."""
    before, word = text[: edit.start].rstrip(), text[edit.start : edit.end].split()
    begins = not before or (before[-1] in ":;" and edit.text.split()[:1] != word[:1])
    if (
        not edit.text
        or not word
        or not begins
        or word[0] in re.findall(r"\w+", edit.text)
    ):
        return E001
    if not before:
        return E008 if word[0] in OPENINGS else E006
    known = word[0] in STATEMENTS_ELSEWHERE or edit.text.strip() in STATEMENTS
    return E006 if known else E001


def _in_brackets(
    error: ParseError, repair: Repair, line: LogicalLine, found: Scan, probes: Probes
) -> Diagnostic | None:
    """Return the error for an expression that continues on the next line."""
    lines = repair.lines
    index = next((n for n, each in enumerate(lines) if each is line), None)
    if index is None:  # the repair begins after this line
        return None
    goes_on = line.word in _GOING_ON and _stands(error, line.tokens[0])
    signs = found.source.line(line.first).strip() if line.broken else ""
    if error.kind == "deeper" or goes_on or _SIGN.match(signs):
        first = index - 1
    elif (signs and _SIGN.fullmatch(signs.split()[-1])) or (
        error.kind in _PLACES
        and (
            line.tokens[-1].text in _BREAKS_OFF
            or any(each.word in _GOING_ON for each in lines[index + 1 : index + 2])
        )
    ):
        first = index
    else:
        return None
    last = index + (first == index)
    while last + 1 < len(lines) and lines[last + 1].word in _GOING_ON:
        last += 1
    if first < 0 or last >= len(lines):
        return None
    top, bottom = lines[first].first, lines[last].last
    texts = [found.source.line(each) for each in range(top, bottom + 1)]
    if signs:
        texts = [_SIGN.sub(lambda sign: SIGNS[sign[0]], text) for text in texts]
    probe = probes(top, bottom)
    for text in joined(texts):
        if probe(text) is None:
            for each in lines[index + 1 : last + 1]:  # no errors of their own
                repair.take_out(each)
            return fault(
                E004 if signs else E001,
                JOINED,
                found.span(lines[first + 1].tokens[0]),
                "brackets are missing around all of it",
                fixes=(textwrap.dedent(text),),
            )
    return None


def _all_beneath(
    repair: Repair, line: LogicalLine, found: Scan, probes: Probes
) -> Diagnostic | None:
    """Return the error for a statement beneath one that is on the clause's line."""
    above = repair.above(line)
    colons = [each for each in above.tokens if each.text == ":"] if above else []
    if above is None or not colons or above.first != above.last:
        return None
    below = repair.lines[repair.lines.index(line) :]
    here = list(takewhile(lambda each: each.level >= line.level, below))
    text, lead = found.source.line(above.first), " " * line.indent
    head, rest = text[: colons[0].column], text[colons[0].column :].strip()
    rows = range(line.first, here[-1].last + 1)
    now = "\n".join((head, lead + rest, *map(found.source.line, rows)))
    if not rest or probes(above.first, here[-1].last)(now) is not None:
        return None
    for each in here[1:]:
        repair.take_out(each)
    message = "Write several statements below the line, one on each line."
    return fault(
        E001, message, found.span(line.tokens[0]), fixes=(textwrap.dedent(now),)
    )


def stray(
    error: ParseError, repair: Repair, line: LogicalLine, found: Scan, probes: Probes
) -> Diagnostic | None:
    """Return the error for a symbol of other languages (E004) if replacing it helps."""
    text = "\n".join(map(found.source.line, range(line.first, line.last + 1)))
    plain = unescape(text)
    place = next((each for each in line.tokens if each.text[0] == "&"), None)
    if place and plain != text:
        plain = plain.replace("\xa0", " ")
        if probes(line.first, line.last)(plain) is None:
            message = "This line comes from the source of a web page."
            fixes = (textwrap.dedent(plain),)
            return fault(E004, message, found.span(place), fixes=fixes)
    here = line.first <= error.line <= line.last
    fixed = _fixed(error, line, found, probes, E004) if here else None
    return fixed or _in_brackets(error, repair, line, found, probes)


# ---- errors of position


E009 = MessageCode("E009", "nested too deeply")
"""Something is nested more than a hundred levels deep. A chain of `else if` counts as
one level.

**Why.** No reader can follow that, and it is nearly always an error of a program that
wrote the file.

**For example**

```text
value deep: 0..9 = ((((((((((…))))))))))
```

**Fix.** Name a part of it as a `value` or an `effect`.
"""


def _too_deep(line: LogicalLine, above: LogicalLine | None, found: Scan) -> Diagnostic:
    if above is not None and not above.level and above.word in CLAUSES:
        return fault(
            E002,
            "This line is not indented; the lines that belong to it are indented.",
            found.span(above.tokens[0]),
            "two spaces are missing before this",
            details=(_COLUMN,),
        )
    alone = above is None or above.word not in (*CLAUSES, *STATEMENTS, "else")
    if alone and line.word in (*CLAUSES, *STATEMENTS):
        return _wrong_place(line.tokens[0], above, found)
    beneath = f"a line that begins with `{above.word}`" if above else "the line above"
    return fault(
        E002,
        "This line is indented deeper than the one above it, but it cannot be "
        f"part of {beneath}.",
        found.span(line.tokens[0]),
        "too deep",
        details=(_COLUMN,),
    )


def _nothing_beneath(error: ParseError, line: LogicalLine, found: Scan) -> Diagnostic:
    word, last = _opener(line.tokens).text, line.tokens[-1]
    span = Span.at(found.source.name, last.line, last.end)
    what = BENEATH.get(word, "what it says")
    only_beneath = word in (*HOLD_CLAUSES, "with", "extend", "change")
    if error.kind not in ("end", "back") or only_beneath:
        message = f"No line below this one can begin with `{word}`."
        label = f"expected two spaces deeper: {what}"
        return fault(E002, message, span, label, details=_example(word))
    label = f"expected here, or below it and two spaces deeper: {what}"
    message = "This line is not complete."
    return fault(E001, message, span, label, details=_example(word))


def _opens_nothing(
    error: ParseError, line: LogicalLine, repair: Repair, found: Scan
) -> Diagnostic | None:
    """Return the error for a line whose first word cannot begin a line here."""
    first, parent = line.tokens[0], repair.parent(line)
    if first.text[0] in ("[", '"'):
        what = "margin" if first.text == "[" else "caption"
        return fault(
            E001,
            f"A {what} goes at the end of its line, or on the next line.",
            found.span(first),
            "there is no line directly above",
        )
    if first.kind != "word":
        return None
    changing = parent is not None and parent.word == "change"
    if changing and first.text in ("from", "to"):
        message = "Below `change`, write `from …` first, and then `to …`."
        return fault(E008, message, found.span(first), "not in this order")
    beneath = first.text in CLAUSES and not OPENINGS[first.text].alone
    if first.text in ITEMS and parent is None and not beneath:
        message = f"A line that begins with `{first.text}` goes on in another way."
        return fault(E001, message, found.span(first), details=_example(first.text))
    if first.text in _FIRST_WORDS:
        return _wrong_place(first, parent, found)
    known = [each for each in error.accepts if each.isalpha() and each.islower()]
    return _unknown(first, nearest(first.text, known), found)


def _unknown(token: Token, near: str | None, found: Scan) -> Diagnostic:
    label = f"did you mean `{near}`?" if near else "not known here"
    message = f"Nothing here begins with `{token.text}`."
    if near in VERBS:
        message = f"`{token.text}` is not a word of the language."
    details = _example(near or "")
    return fault(E006, message, found.span(token), label, details=details)


def _wrong_place(token: Token, parent: LogicalLine | None, found: Scan) -> Diagnostic:
    beneath = f"beneath `{parent.word}`" if parent is not None else "here"
    message = (
        f"A line that begins with `{token.text}` cannot stand {beneath}: "
        f"{place_of(token.text)}."
    )
    code = E007 if token.text in HEADERS else E008
    details = _example(token.text)
    return fault(code, message, found.span(token), "not here", details=details)


def appendix_without_line(source: Source, found: re.Match[str]) -> Diagnostic:
    """Return the error for an appendix that begins without the line above it (E008)."""
    line = source.text[: found.start()].count("\n") + 1
    first, *more = found[0].split("\n")
    message = "What belongs to the rules of a file goes below a line `---`."
    if more:
        return fault(
            E008, message, Span.at(source.name, line, 1, len(first)), "not this line"
        )
    place = Span.at(source.name, line, 1, first.index(":") + 1)
    return fault(E008, message, place, "that line is missing above")


def _stands(error: ParseError, token: Token) -> bool:
    return (error.line, error.column) == (token.line, token.column)


def _as_name(error: ParseError, text: str, found: Scan, tail: str = "") -> Diagnostic:
    """Return the error for a reserved word where a name is read (E005)."""
    span = Span.at(found.source.name, error.line, error.column, len(error.text))
    renamed = re.sub(rf"\b{error.text}(?=\()", free_name(error.text), text)
    fixes = (renamed + tail,) if renamed != text else ()
    return fault(E005, taken_keyword(error.text), span, fixes=fixes)


def keyword_as_name(token: Token, found: Scan) -> Diagnostic:
    """Return the error for a declared name that is a reserved word (E005)."""
    fixes = (free_name(token.text),)
    return fault(E005, taken_keyword(token.text), found.span(token), fixes=fixes)


# ---- errors inside a line


_BREAKS_OFF = frozenset(
    [
        "and",
        "or",
        "not",
        "+",
        "-",
        "*",
        "/",
        "mod",
        "is",
        "at",
        "more",
        "less",
        "than",
        "in",
        "but",
        "plus",
    ]
)


def _opener(tokens: list[Token]) -> Token:
    """Return the word that begins the line, or the last statement in it."""
    found = tokens[0]
    for before, token in pairwise(tokens):
        if before.text in (":", ";") and token.text in STATEMENTS:
            found = token
    return found


def _left(error: ParseError, line: LogicalLine) -> list[Token]:
    place = (error.line, error.column)
    return [token for token in line.tokens if (token.line, token.column) < place]


_ENDS_EXPRESSION = frozenset(("yes", "no", "none", "up", "down", "players"))


def _other(error: ParseError, line: LogicalLine, span: Span) -> Diagnostic:
    """Return the error for a line without a known fix: the expected input."""
    here = next((each for each in line.tokens if _stands(error, each)), None)
    accepts, shown = error.accepts, f"`{here.text if here else error.text}`"
    label = f"expected: {listed(wanted(accepts), 'or')}" if accepts else ""
    left = _left(error, line)
    after = [each.kind for each in line.tokens[len(left) + 1 :][:1]]
    words = {each.text for each in line.tokens}
    types = line.word in ("option", "state", "value") and "and" not in accepts
    opener = _opener(left or line.tokens).text
    words -= {line.word, opener}
    if "if" in words and words & {"then", "else"}:
        message = _CASES
    elif types and [left[-1].kind, *after] == ["number", "number"]:
        message = _NUMBERS
    elif types and error.text in ("|", ",", "{") and left[-1].kind != "number":
        message = _NAMES
    elif ":" in accepts and line.word in ("option", "state", "value"):
        message = f"`{line.word}` has a type after its name, such as `: 0..99`."
    elif error.kind in _PLACES:
        message = "This line ends too early."
    elif left and "mod" in accepts and left[-1].text in reserved() - _ENDS_EXPRESSION:
        word = left[-1]
        span = Span.at(span.file, word.line, word.column, len(word.text))
        label, message = "", f"`{word.text}` cannot be here."
        if word.text == "with" and left[-2].text in (":", "not", "and", "or"):
            message = _VARIANT
    elif "END" in accepts and "mod" in accepts:
        message = (
            f"The expression could end before {shown}, which does not continue it."
        )
    elif error.kind == "number" and "NAME" in accepts and "INT" not in accepts:
        message = "A name begins with a letter."
    elif error.kind == "text":
        message = "A quoted text cannot be here."
    else:
        message = f"{shown} cannot be here."
    return fault(E001, message, span, label, details=_example(opener))


def _example(word: str) -> tuple[str, ...]:
    line = EXAMPLES.get(word)
    return (f"For example:  {line}",) if line else ()
