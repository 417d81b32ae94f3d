"""Find fixes that make a wrong line parse, by trial.

Candidates come from the table of slips, and from the input that the grammar expected. A
candidate is accepted if the grammar then parses beyond the line. So every fix in a
message is tested and can be pasted.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, islice, product
from typing import TypeAlias

from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.diagnostics.wording import nearest
from houserule.base.frozen import frozen
from houserule.language.syntax.errors.search import (
    PERHAPS,
    WORDS,
    ParseTable,
    Stack,
    WordEdit,
    searched,
)
from houserule.language.syntax.errors.slips import slips
from houserule.language.syntax.messages import E006, E008
from houserule.language.syntax.read.cst import ParseError
from houserule.language.syntax.vocabulary import (
    BUILT_IN_NAMES,
    CLAUSES,
    DECLARATIONS,
    HOLD_STATEMENTS,
    OPENINGS,
    STATEMENTS,
    keywords,
    reserved,
)

MOST_TRIES = 400  # per line
DEEPEST = 3  # corrections per line
LONGEST_SLIP = 1_000  # letters beyond the error among which a slip is sought
LONGEST_SURE = 3  # letters of words too short to count as misspelt


@frozen
class Probe:
    """Tries replacements of some lines.

    Attributes:
        stops: parses the lines with a replacement; returns where the grammar stops, by
            line and column from 1, or None if it parses beyond them.
        before: returns the parser's tables, and its stack in front of the lines.
    """

    stops: Callable[[str], ParseError | None]
    before: Callable[[], tuple[ParseTable, Stack] | None]

    def __call__(self, text: str) -> ParseError | None:
        """Return where the grammar stops."""
        return self.stops(text)


@frozen
class Correction:
    """A replacement in a text: `text` replaces everything from `start` to `end`.

    Attributes:
        start: the index of its first letter.
        end: the index after its last letter.
        reason: the explanation, in a sentence.
        shown: whether the reason already includes the fix.
        guessed: whether it comes from the grammar, not from the table of slips.
        code: the error code; None to derive it.
    """

    start: int
    end: int
    text: str
    reason: str = ""
    shown: bool = False
    guessed: bool = False
    code: MessageCode | None = None

    def of(self, text: str) -> str:
        """Apply this change to a text."""
        return text[: self.start] + self.text + text[self.end :]


@frozen
class LineNames:
    """The names that a line can use.

    Attributes:
        declared: the word that each name of the file is declared with.
        known: all words of the other lines.
        bound: the words of the lines around this one.
        unit: the word that begins the header, such as `game`.
    """

    declared: Mapping[str, str]
    known: frozenset[str]
    bound: frozenset[str]
    unit: str

    def odd(self, text: str) -> float:
        """Return the cost of the names of a line that mean nothing, or two things.

        A name of one or two letters is a variable, which this line or one around it
        introduces. A type is no variable, `let` takes a new name, and `becomes` a
        state.
        """
        bare = _HIDDEN.sub("", text)
        new = {*_BINDS.findall(bare)}
        declares = {*bare.partition(":")[0].split()[1:2]}
        types = {name for name in new - declares if name[:1].isupper()}
        things = {each for each, by in self.declared.items() if by in DECLARATIONS}
        if (types | {*_LET.findall(bare)}) & things:
            return NEVER
        if {*_LIFETIMES.findall(bare)} & new:
            return NEVER
        odd = {*_SETS.findall(bare)} - new - self.bound - {*BUILT_IN_NAMES}
        if self.unit == "game" and "state" in self.declared.values():
            odd |= {*_BECOMES.findall(bare)} - things
        return _ODD * len(odd)


_ODD = 1.5
_SETS = re.compile(r"\bin ([a-z]{1,2})\b(?![(.])")
_LET = re.compile(r"\blet (\w+) =")
_BECOMES = re.compile(r"(?<![\w.])(\w+) becomes\b")
_LIFETIMES = re.compile(r"\beach (\w+) starts\b")
_BINDS = re.compile(
    r"(?<!: )(?<!in )(?<!of )\b([A-Za-z]\w*)"
    r"(?=(?:, \w+)*(?: in\b|:)| (?:any )?part of\b| reached\b| [\w.]+ of\b)"
)
_IN_PRESETS = ("extends", "with", "set", "note")


def find_fix(
    text: str, error: ParseError, probe: Probe, names: LineNames
) -> list[Correction]:
    """Return a sequence of changes that makes a text parse, or none."""
    declared, known = names.declared, names.known
    found = _search(text, error, probe, declared)
    place = probe.before()
    if place is not None and error.kind != "deeper":
        keyed = frozenset(
            name
            for name, word in declared.items()
            if word in ("value", "state", "zone")
        )
        read = partial(
            searched, table=place[0], stack=place[1], known=known, keyed=keyed
        )
        least = _cost(text, found, read, names)
        cost, edits = _by_grammar(text, error, probe, read, names)
        if cost < least:
            found, least = edits, cost
        bare = _ARTICLES.sub("", text)
        if least > HIGH and bare != text:
            edits = _search(bare, probe(bare) or error, probe, declared)
            if _ARTICLE + _cost(bare, edits, read, names) < least:
                return [Correction(0, len(text), bare, "", True), *edits]
        if least >= NEVER:
            found = []
        elif cost == least:
            return found
    first = next(_WORD.finditer(text), None)
    if (found and not found[0].guessed) or first is None:
        return found
    word, at = first[0], first.start()
    if not word.isidentifier() or word in OPENINGS or nearest(word, OPENINGS, 0.34):
        return found
    # If a single keyword can begin this line, it is missing.
    fits = [
        edit
        for keyword in (_IN_PRESETS if names.unit == "preset" else OPENINGS)
        for edit in [Correction(at, at, f"{keyword} ", BEGINS)]
        if probe(edit.of(text)) is None
    ]
    return fits if len(fits) == 1 else found


_ROW = 0.6  # the cost of a row of the table of slips
_GUESS = 2.2
_ARTICLE = 0.5  # of omitting all articles
HIGH = 2.0  # a cost at which one tries more
NEVER = 99.0
MOST_PROBES = 10
FARTHEST = 1.5  # beyond the cheapest edits
_ARTICLES = re.compile(r"\b(?:the|an?) (?=\w)(?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)")

Read: TypeAlias = Callable[..., Iterator[tuple[float, tuple[WordEdit, ...]]]]


def _cost(
    text: str,
    found: list[Correction],
    read: Read,
    names: LineNames,
) -> float:
    """Return the cost of corrections, with that of reading the result."""
    if not found:
        return NEVER
    for each in found:
        text = each.of(text)
    words = WORDS.findall(_COMMENTED.sub("", text.split("\n")[0]))
    reading = next((cost for cost, _ in read(words, editing=False)), 0)
    return (
        reading
        + names.odd(text)
        + sum(_GUESS if each.guessed else _ROW for each in found)
    )


def _by_grammar(
    text: str,
    error: ParseError,
    probe: Probe,
    read: Read,
    names: LineNames,
) -> tuple[float, list[Correction]]:
    """Return the cheapest edits that the grammar accepts, and their cost."""
    found = list[tuple[float, int, list[Correction], str]]()
    moves = [(_MOVING, move.of(text), [move]) for move in _moved(text)]
    for base, now, before in [(0.0, text, list[Correction]()), *moves]:
        spans = [each.span() for each in WORDS.finditer(_COMMENTED.sub("", now))]
        words = [now[start:end] for start, end in spans]
        least = min([NEVER, *(each[0] for each in found)])
        if base:
            unknown = {*filter(str.isidentifier, words)} - keywords() - names.known
            most = HIGH - 0.4 + PERHAPS * len(unknown)
            dearest = min(most, least + FARTHEST - base)
            read_only = islice(read(words, editing=False, steps=150), 1)
            some: Iterator[tuple[float, tuple[WordEdit, ...]]]
            some = chain(read_only, read(words, dearest=dearest, steps=150))
        else:
            at = _offset(text, error)
            some = read(words, reached=sum(end <= at for _, end in spans))
        for cost, edits in islice(some, MOST_PROBES):
            least = min(least, cost + base)
            if cost + base > least + FARTHEST:
                break
            corrections = [*before, *_corrections(now, spans, edits)]
            new = now
            for each in corrections[len(before) :]:
                new = each.of(new)
            found.append((cost + base + names.odd(new), len(found), corrections, new))
    for cost, _, corrections, new in sorted(found)[:MOST_PROBES]:
        if cost < NEVER and new != text and probe(new) is None:
            return cost, corrections
    return NEVER, []


_COMMENTED = re.compile(r"#[^\n\"]*$")
_TIGHT = (",", ":", ";", ")", "}", "]", ".")
_MOVING = 1.1


def _moved(text: str) -> Iterator[Correction]:
    """Yield moves of one part of a line in front of earlier ones, or of a caption."""
    words = [*WORDS.finditer(_COMMENTED.sub("", text))]
    depth, starts, bounds = 0, list[int](), list[int]()
    for number, word in enumerate(words):
        depth += (word[0] in "([{") - (word[0] in ")]}")
        if depth or word[0] in ")]}":
            continue
        if word[0][0] == '"':
            for place in bounds:
                if place < number:
                    yield _move(text, words, place, number, number + 1)
        bounds.append(number)
        if word[0] in _PART_WORDS and number:
            starts.append(number)
    for number, word in enumerate(words):
        if word[0][0] == '"':
            for place in [*bounds, len(words)]:
                if place > number + 1:
                    yield _move(text, words, number, number + 1, place)
    ends = [number for number in bounds if words[number][0] in (":", ";")]
    for start in starts:
        later = [n for n in (*starts, *ends, len(words)) if n > start]
        for stop in sorted(set(later))[:2]:
            for place in [n for n in starts if n < start][-3:]:
                yield _move(text, words, place, start, stop)


def _move(
    text: str, words: list[re.Match[str]], place: int, start: int, stop: int
) -> Correction:
    """Return the move of the words from `start` to `stop` in front of `place`."""
    first, last = words[place].start(), words[stop - 1].end()
    moved, part = (
        text[first : words[start - 1].end()],
        text[words[start].start() : last],
    )
    opener, other = (_SAID.get(words[n][0], words[n][0]) for n in (start, place))
    reason = f"`{opener} …` comes before `{other} …`."
    if part[0] == '"':
        reason = f"The caption comes before `{words[place][0]}`."
    elif moved[0] == '"':
        reason = f"The caption comes after `{words[stop - 1][0]}`."
    return Correction(first, last, f"{part} {moved}", reason, True)


_SAID = {"starts": "starts as", "seen": "seen by"}
_PART_WORDS = frozenset(
    [
        *("at", "showing", "starts", "seen", "each", "step", "normally", "for", "if"),
        *("until", "together", "where", "by", "during", "with", "from", "to", "in"),
        *("among", "as", "called"),
    ]
)


def _corrections(
    text: str, spans: list[tuple[int, int]], edits: tuple[WordEdit, ...]
) -> list[Correction]:
    joined: list[WordEdit] = []
    for edit in edits:
        if joined and joined[-1].last == edit.first:
            before = joined.pop()
            new = f"{before.text} {edit.text}".strip()
            edit = WordEdit(before.first, edit.last, new)
        joined.append(edit)
    found = list[Correction]()
    moved = 0
    for edit in joined:
        beyond = edit.first == len(spans)
        start = spans[-1][1] if beyond else spans[edit.first][0]
        end = spans[edit.last - 1][1] if edit.last > edit.first else start
        left, right = text[:start], text[end:]
        new = re.sub(r" ?(\.\.?|\() ?| (?=[,:;)])", r"\1", edit.text)
        new = re.sub(r"\b(not|if|or|and|is|in)\(", r"\1 (", new)
        bare, after = left.rstrip(" "), right.lstrip(" ")
        if not new:
            gap = "" if after[:1] in (*_TIGHT, "") or bare[-1:] in ("(", "") else " "
            lead = left if not bare or bare[-1:] == "\n" else bare + gap
        elif new[0] in _TIGHT or (
            new[0] == "("
            and bare[-1:] not in tuple("=:;,")
            and not {*bare.split()[-1:]} & reserved()
        ):
            lead = bare
        else:
            gap = "" if bare[-1:] in ("(", "", "\n", ".") else " "
            lead = left if not bare or bare[-1:] == "\n" else bare + gap
        if new and not new.endswith(("(", "..")):
            new += "" if after[:1] in (*_TIGHT, "", "(") else " "
        cut = len(text) - len(after)
        start = min(len(lead), start) if lead == text[: len(lead)] else len(bare)
        put = lead[start:] + new
        found.append(Correction(start + moved, cut + moved, put))
        moved += len(put) - (cut - start)
    return found


def _search(
    text: str, error: ParseError, probe: Probe, declared: Mapping[str, str]
) -> list[Correction]:
    tries = MOST_TRIES
    level: list[tuple[str, ParseError, list[Correction]]] = [(text, error, [])]
    for _ in range(DEEPEST):
        further = []
        for now, wrong, before in level:
            seen = {now}
            for edit in _candidates(now, wrong, declared):
                new = edit.of(now)
                # A guess may only be used alone: combined guesses make any line parse.
                if new in seen or (before and (edit.guessed or before[0].guessed)):
                    continue
                seen.add(new)
                if not tries:
                    return []
                tries -= 1
                stops = probe(new)
                if stops is None:
                    return [*before, edit]
                rest = len(new) - _offset(new, stops)
                if rest < len(now) - _offset(now, wrong):
                    further.append((rest, new, stops, [*before, edit]))
        level = [each[1:] for each in sorted(further, key=lambda each: each[0])[:4]]
    return []


BEGINS = "A line begins with its keyword."
COMMENT = re.compile(r"[ \t]*#[^\n\"]*$")
MARGIN = re.compile(r"[ \t]*\[(?:\"|ruling|\w+ \")[^\n]*\][ \t]*$")


def error_behind(text: str, error: ParseError) -> bool:
    """Return whether the grammar stops after the text."""
    return error.kind not in ("end", "back") and _offset(text, error) >= len(text)


def _offset(text: str, error: ParseError) -> int:
    """Return the index at which the grammar stops."""
    lines = text.split("\n")
    if error.line > len(lines):
        return len(text)
    start = sum(len(each) + 1 for each in lines[: error.line - 1])
    return min(start + error.column - 1, len(text))


# ---- candidates, the most likely first


def _candidates(
    text: str, error: ParseError, declared: Mapping[str, str]
) -> Iterator[Correction]:
    words = [each for each in _WORD.finditer(text) if each[0][0] != "#"]
    at = _offset(text, error)
    known = [each for each in error.accepts if each.isalpha()]
    for word in _near(words, at)[:1]:
        long = word[0].isalpha() and len(word[0]) > LONGEST_SURE
        words_alike = [each for each in known if len(each) > LONGEST_SURE]
        meant = long and nearest(word[0], filter(str.islower, words_alike), 0.34)
        if meant:
            code = E006 if meant in VERBS else None
            yield Correction(*word.span(), meant, code=code)
        if word[0].lower() in known:
            yield Correction(*word.span(), word[0].lower())
    for word in [each for each in words if each.start() <= at][:1]:
        meant = word[0] not in OPENINGS and nearest(word[0], OPENINGS, 0.2)
        if meant:
            yield Correction(*word.span(), meant)
    # Correct habits from English and other languages.
    blank = _HIDDEN.sub(lambda found: "~" * len(found[0]), text[: at + LONGEST_SLIP])
    # Without captions and the blank before each, the words on both sides meet.
    kept = [
        n for n in range(len(blank)) if blank[n : n + 2] != " ~" and blank[n] != "~"
    ]
    whole = [*range(len(blank))]
    views = [(blank, [*whole, len(blank)])]
    if len(kept) < len(blank):
        views.append(("".join(blank[n] for n in kept), [*kept, len(blank)]))
    for slip, (view, places) in product(slips(), views):
        group = "a" if "a" in slip.pattern.groupindex else 0
        edits: list[Correction] = []
        for found in slip.pattern.finditer(view):
            first, last = found.span(group)
            behind = places[last - 1] + 1 if last else 0
            start, end = (places[first], behind) if last > first else (behind, behind)
            if end - start != last - first:  # a caption is inside
                continue
            if start > at and not edits:
                break
            names = {k: v for k, v in found.groupdict().items() if k in OPENINGS}
            new_name = found.groupdict().get("new")
            if any(declared.get(name) != word for word, name in names.items()) or (
                new_name and (new_name in declared or "state" not in declared.values())
            ):
                continue
            new = "".join(
                _group(text, found, places, int(part[1])) if part[:1] == "\\" else part
                for part in re.split(r"(\\\d)", slip.instead)
            )
            new = new.replace("\n", "\n" + _lead(text, start))
            left, right = text[max(0, start - 1) : start], text[end : end + 1]
            new = " " * (new[:1].isalnum() and left in _CLOSES) + new
            new += " " * (new[-1:].isalnum() and right.isalnum())
            edits.append(Correction(start, end, new, slip.reason))
        yield from (edit for edit in edits if edit.start <= at)
        if len(edits) > DEEPEST:  # the same slip again and again
            changed = text
            for edit in reversed(edits):
                changed = edit.of(changed)
            last = len(changed) - (len(text) - edits[-1].end)
            new = changed[edits[0].start : last]
            yield Correction(edits[0].start, edits[-1].end, new, slip.reason)
    # Enclose a query in brackets: up to the place, or as far as possible.
    starts = [each.start() for each in words if each[0] in _QUERIES]
    ends = sorted({each.end() for each in words}, reverse=True)
    before = [end for end in ends if end <= at]
    for start in reversed([each for each in starts if each <= at]):
        for end in (*before[:1], *(each for each in ends if each > at)):
            if end > start:
                inside = text[start:end]
                yield Correction(start, end, f"({inside})", _QUERY, True)
    yield from _split(text, at)
    yield from _missing(text, words, at, error)
    # Replace an unexpected word by another one of the same kind.
    for word, others in zip(_near(words, at), (error.accepts, _PLACED), strict=False):
        if word[0] == "or" and words[0][0] in _ALL_OF:
            continue
        begins = not word.string[: word.start()].rpartition("\n")[2].strip()
        for alike in () if begins else _ALIKE:
            for other in sorted(alike & others) if word[0] in alike else ():
                start = word.start()
                if word[0] == ":" and other not in ":;,":
                    other = f" {other}"
                if other in ":;,":
                    start = len(word.string[:start].rstrip())
                if {word[0], other} != {"in", "of"} or word[0] == "of":
                    yield Correction(start, word.end(), other, guessed=True)


def _group(text: str, found: re.Match[str], places: list[int], number: int) -> str:
    """Return the part of the text that a group of a match covers."""
    first, last = found.span(number)
    return text[places[first] : places[last - 1] + 1] if last > first >= 0 else ""


_WORD = re.compile(r'"[^"\n]*"|#.*|\w+|\.\.|\S')


def _near(words: list[re.Match[str]], at: int) -> list[re.Match[str]]:
    """Return the word at which the grammar stopped, and the one before it."""
    there = [each for each in words if each.start() <= at]
    return there[:-3:-1]


_HIDDEN = re.compile(r'"[^"\n]*"|#.*')


_CLOSES = (*string.ascii_letters, *string.digits, ")", "]", "}")


def _lead(text: str, at: int) -> str:
    """Return the indentation of the line at this place."""
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" "))]


VERBS = ("becomes", "gains", "loses")
_QUERIES = frozenset(
    [
        "sum",
        "count",
        "highest",
        "lowest",
        "the",
        "those",
        "some",
        "every",
        "no",
        "after",
        "number",
    ]
)
_QUERY = "A query needs brackets here. Without them it reaches to the end of the line."


def _split(text: str, at: int) -> Iterator[Correction]:
    """Move a nested statement to a line of its own."""
    found = [each for each in _SPLITS.finditer(text) if each.start(1) <= at]
    if not found:
        return
    start = found[-1].start(1)
    reason = f"`{found[-1][1]}` begins a line of its own."
    top = text.rfind("\n", 0, start) + 1
    head, lead = text[top:start].rstrip(" ;"), _lead(text, start)
    if not head:
        return
    if found[-1][1] == "else":
        colon = max(head.rfind(f": {word} ") for word in ("if", "must", "may", "let"))
    else:
        colon = head.find(": ")
    rest = re.sub(r"^else(?= (?!if\b)\w)", "else:", text[start:])
    if colon < 0:
        yield Correction(top + len(head), len(text), f"\n{lead}{rest}", reason, True)
        return
    split = "; " if found[-1][1] != "else" else "\n"
    inside = (*head[colon + 2 :].split(split), rest)
    block = "".join(f"\n{lead}  {each}" for each in inside)
    yield Correction(top + colon + 1, len(text), block, reason, True)


_OPENERS = frozenset((*HOLD_STATEMENTS, "let")) - {"does", "cost", "step"}
_SPLITS = re.compile(rf"(?:; |\s(?=else\b))({'|'.join(sorted(_OPENERS | {'else'}))})\b")
# Mandatory parts of a line, by the first missing word.
_MISSING: tuple[tuple[str, str, str], ...] = (
    (":", ": ", ""),
    ("in", "in ", ""),
    ("has", " has ", ""),
    ("at", "at ", ""),
    ("most", "most ", ""),
    ("times", " times", ""),
    ("each", " each turn", "A limit says for how long it counts."),
    ("among", "among ", ""),
    ("from", "from ", ""),
    ("by", "by ", ""),
    ("the", "the ", ""),
    ("each", "each ", ""),
    ("with", "with ", ""),
    ("as", "as ", ""),
    ("than", "than ", ""),
    ("one", "one ", ""),
    ("only", "only ", ""),
    ("to", "to ", ""),
    ("TIE", ", none on a tie", "`the one` says what happens on a tie."),
    (
        "LIMIT",
        ", at most 400 times",
        "`until` says how often at most, so that every game ends.",
    ),
    (
        "IF_POSSIBLE",
        ", if possible",
        "Nobody must do what cannot be done, and the step says so.",
    ),
    ("IF_ANY", ", if any", "A layer says that it may have no contributions."),
    ("rounded", " rounded down", "A division says how it is rounded."),
    ("normally", " normally 1", "An option needs a default value."),
    ("starts", " starts as 0", "Everything has a first value."),
    ("during", " during NAME", "An action says in which step or phase it is taken."),
    (
        ":",
        ": at most once",
        "Write how often the step may be used, or what happens there.",
    ),
    ("otherwise", " otherwise", "End the cases with one for `otherwise`."),
    (",", ",", ""),
)
_LAST = frozenset(("normally", "starts", "during", "otherwise"))
_NAMED = {*CLAUSES, "step", "always"} - {"ends"}


def _missing(
    text: str, words: list[re.Match[str]], at: int, error: ParseError
) -> Iterator[Correction]:
    """Insert words that the grammar expected."""
    back = len(text[:at].rstrip())
    line = text[text.rfind("\n", 0, at) + 1 : back].split()
    named = len(line) == 2 and line[0] in _NAMED and line[1] in reserved()
    beside = {*text[at:].split()[:1], *text[:back].split()[-1:]}
    for sign, whole, reason in _MISSING:
        if (
            sign not in error.accepts
            or (sign == ":" and named)
            or (sign == "," and beside & reserved())
            or (sign == "in" and not text[at : at + 1].isalnum())
            or (sign in _LAST and text[at:].strip())
        ):
            continue
        tight = whole[0] in ":, "
        start = back if tight else at
        lead = " " if not tight and start and text[start - 1] not in " (\n" else ""
        end = at if whole == ": " else start
        yield Correction(start, end, lead + whole, reason, guessed=not reason)
    first = next(
        (each for each in words if each.start() > text.rfind("\n", 0, at)), None
    )
    if first is None:
        return
    inside = "does" in error.accepts and "phase" not in error.accepts
    if inside and first[0] in STATEMENTS:
        reason = "Statements belong in a clause."
        yield Correction(at, at, "does NAME: ", reason, code=E008)
    if first[0] in _NAMED:
        reason = f"After `{first[0]}` comes a name that you choose."
        end = first.end()
        rest = text[end:].lstrip(" ")
        yield Correction(end, end, " NAME", reason)
        for condition in (rest, rest.removeprefix("if ")):
            yield Correction(end, len(text) - len(condition), " NAME: ", reason)


_ALL_OF = ("requires", "implies", "suggests")  # a `,` means that all apply
_ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "in of from to into for on at as over among per than during",
        "where if when with has",
        "becomes gains loses",
        "and or then , | ;",
        ": = has then starts normally called to is",
    )
)


_PLACED = frozenset(("in", "of", "to", "from"))


# ---- continued lines


JOINED = "An expression goes on over several lines only inside brackets."


_EXPRESSION = r"[:=]\s+|^\s*|\b(?:if|until|when|from|to|becomes|gains|loses|by|among) "
_BEHIND = r"$|:(?= |$)| (?=(?:otherwise|when)\b)|(?=, (?:if any|at most)\b)"


def joined(lines: list[str]) -> Iterator[str]:
    """Yield several lines with brackets around an expression that spans all of them."""
    text = "\n".join(lines)
    body = MARGIN.sub("", COMMENT.sub("", text))
    last = body.rfind("\n") + 1
    starts = [found.end() for found in re.finditer(_EXPRESSION, lines[0])]
    ends = [last + found.start() for found in re.finditer(_BEHIND, body[last:])]
    for start, end in product(sorted(starts, reverse=True), sorted(ends, reverse=True)):
        yield f"{body[:start]}({body[start:end]}){body[end:]}{text[len(body) :]}"
