"""Error patterns: slips that many authors make, each with its own sentence.

A pattern looks at what stands there, what could have stood there, and the word before.
The first that fits is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

NOTHING: frozenset[str] = frozenset()


def terms(text: str) -> frozenset[str]:
    """Return the words and signs of a text with spaces between them."""
    return frozenset(text.split())


_RELATIONS = terms("is at more less")
_QUERIES = terms("sum highest lowest count the those")
_TELLING = _RELATIONS | _QUERIES


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known where the grammar could not go on.

    Attributes:
        word: the word that opens the line or the statement.
        before: the word before the place; empty at the start of a line.
        found: what stands there; empty at the end of the line.
        kind: what kind of thing that is (see `ParseError`).
        accepts: what could have stood there.
        left: all words of the line that stand before the place.
    """

    word: str
    before: str
    found: str
    kind: str
    accepts: frozenset[str]
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """One slip: how it is recognised, and its message.

    Attributes:
        message: the sentence; `{found}`, `{before}` and `{word}` are filled in.
        label: the short fact at the place.
        accepts: all of these could have stood there.
        lacks: none of these could.
        found: one of these stands there ("" is the end of the line).
        before: one of these stands before it.
        words: one of these opens the line.
        kinds: what stands there is one of these kinds of things.
        after: so is what stands before it.
        nearest: of relations and words that begin queries, the nearest before the
            place is one of these.
        example: the kind of line whose example helps, if not that of the line.
        code: the code of the fault.
    """

    message: str
    label: str
    accepts: frozenset[str] = NOTHING
    lacks: frozenset[str] = NOTHING
    found: frozenset[str] = NOTHING
    before: frozenset[str] = NOTHING
    words: frozenset[str] = NOTHING
    kinds: frozenset[str] = NOTHING
    after: frozenset[str] = NOTHING
    nearest: frozenset[str] = NOTHING
    example: str = ""
    code: str = "E001"

    def fits(self, here: Situation) -> bool:
        """Say whether this is what happened."""
        return (
            self.accepts <= here.accepts
            and not self.lacks & here.accepts
            and (not self.found or here.found in self.found)
            and (not self.before or here.before in self.before)
            and (not self.words or here.word in self.words)
            and (not self.kinds or here.kind in self.kinds)
            and (not self.after or _kind_of(here.before) in self.after)
            and (not self.nearest or _nearest(here.left) in self.nearest)
        )


def _kind_of(before: str) -> str:
    """Return whether this is a word, a number or a sign; '' at the start of a line."""
    if before[:1].isalnum():
        return "word" if before[0].isalpha() else "number"
    return "sign" if before else ""


def _nearest(left: Sequence[str]) -> str:
    """Return the last relation or word of a query among these words."""
    return next((word for word in reversed(left) if word in _TELLING), "")


def _lists_of_names() -> Iterator[Pattern]:
    """Yield the patterns of an enumeration that stands where its name belongs."""
    lines = {
        "option": "`option pace: Pace normally slow`",
        "state": "`state pace: Pace starts as slow`",
        "": "`Pace` where this stands",
    }
    word = terms("word")
    places = [
        Pattern("", "", accepts=terms(".. or"), lacks=terms("and"), found=terms("|")),
        Pattern("", "", accepts=terms("normally step"), found=terms(","), after=word),
        Pattern("", "", accepts=terms("starts each"), found=terms(","), after=word),
        Pattern("", "", accepts=terms("none"), before=terms("or"), kinds=word),
        Pattern("", "", accepts=terms("set part"), found=terms("{")),
    ]
    for opener, line in lines.items():
        for place in places:
            yield replace(
                place,
                message="A list of names wants a name of its own: "
                f"`type Pace = slow | quick`, then {line}.",
                label="the names of an enumeration stand behind its `type`",
                words=terms(opener),
                example="type",
            )


_OF = terms("total sum count highest lowest top bottom")

PATTERNS: tuple[Pattern, ...] = (
    # a keyword taken for a name
    Pattern(
        "`{before}` is a word of the language and cannot be a name here; "
        "`of` must follow it.",
        "`of` is wanted",
        accepts=terms("of"),
        before=_OF,
        code="E005",
    ),
    Pattern(
        "`all` cannot be a name here: it begins `move all from … to …`.",
        "`from` is wanted",
        accepts=terms("from"),
        before=terms("all"),
        words=terms("move"),
        code="E005",
    ),
    Pattern(
        "`{before}` is a word of the language and cannot be a name here: it belongs "
        "to `equal faces in …` or `all faces different in …`.",
        "`faces` is wanted",
        accepts=terms("faces"),
        before=terms("equal all"),
        code="E005",
    ),
    Pattern(
        "`the` cannot be a name: it begins `the one … none on a tie` and `the only`.",
        "`one` or `only` is wanted",
        accepts=terms("one only"),
        code="E005",
        example="the",
    ),
    Pattern(
        "`needs players` says how many seats a variant wants, so no clause can be "
        "called `players`.",
        "a number is wanted, as in `needs players 4..6`",
        accepts=terms("INT"),
        before=terms("players"),
        words=terms("needs"),
        code="E005",
    ),
    # names where the name of their type belongs
    *_lists_of_names(),
    # what a line may not leave out
    Pattern(
        "A value says of which type it is, before the `=`.",
        "`: 0..99` is wanted before this, or another type",
        accepts=terms(":"),
        found=terms("="),
        words=terms("value"),
    ),
    Pattern(
        "An option says what holds if nobody chooses: `normally` is missing.",
        "`normally …` is wanted",
        accepts=terms("normally"),
    ),
    Pattern(
        "Everything has a first value: `starts as` is missing.",
        "`starts as …` is wanted",
        accepts=terms("starts"),
        words=terms("state"),
    ),
    Pattern(
        "`until` says how often at most, so that every game ends.",
        "`, at most 400 times` is wanted, with the comma",
        accepts=terms("LIMIT"),
        example="phase",
    ),
    Pattern(
        "`the one` says what happens on a tie.",
        "`, none on a tie` is wanted",
        accepts=terms("TIE"),
        example="the",
    ),
    Pattern(
        "A division says how it is rounded.",
        "`rounded up` or `rounded down` is wanted",
        accepts=terms("rounded"),
    ),
    Pattern(
        "A limit says for how long it counts.",
        "`each turn` is wanted, or another phase",
        accepts=terms("each"),
        words=terms("limit"),
    ),
    Pattern(
        "A reaction has a name: `as` and the name are missing.",
        "`as …` is wanted",
        accepts=terms("as"),
        words=terms("when before after instead"),
    ),
    Pattern(
        "An action says where in the flow it is taken: `at` and a step or a phase.",
        "`at …` is wanted",
        accepts=terms("at by"),
        words=terms("action"),
    ),
    Pattern(
        "A zone is a `set`, a `pile` or a `slot` of one component.",
        "`set of …`, `pile of …` or `slot of …` is wanted",
        accepts=terms("set pile slot"),
    ),
    Pattern(
        "The dice have names, or are made `for each` of something.",
        "`: red, green` is wanted, or `for each …`",
        accepts=terms(": for"),
        words=terms("dice"),
    ),
    Pattern(
        "The dice have names of their own; their faces come after `showing`.",
        "a name is wanted",
        accepts=terms("NAME"),
        words=terms("dice"),
    ),
    Pattern(
        "Tokens lie somewhere: `in` and their places are missing.",
        "`in …` is wanted",
        accepts=terms("in"),
        words=terms("tokens"),
    ),
    # expressions
    Pattern(
        "A query reaches to the end of the expression. To compare what it finds, set "
        "it in brackets: `(count of x in S) is 3`.",
        "brackets are wanted around the query",
        accepts=terms("and"),
        lacks=terms("is"),
        found=_RELATIONS,
        nearest=_QUERIES,
    ),
    Pattern(
        "`{before}` begins a query, and here a query stands in brackets: "
        "`({before} … )`. It goes without only at the end of an expression.",
        "brackets are wanted around the query",
        accepts=terms("and"),
        before=terms("some every no sum highest lowest count the those"),
        kinds=terms("word"),
    ),
    Pattern(
        "Cases end with the one that holds otherwise.",
        "a last line `… otherwise` is wanted beneath",
        accepts=terms("yes"),
        lacks=terms("some"),
        kinds=terms("back"),
    ),
    Pattern(
        "Two comparisons are joined with `and`: `a is b and b is c`.",
        "this would compare the result of a comparison",
        accepts=terms("and"),
        lacks=terms("is"),
        found=_RELATIONS,
    ),
    Pattern(
        "Things are compared with `is`; `=` stands only where something is defined.",
        "`is` is wanted",
        accepts=terms("is"),
        found=terms("="),
    ),
    Pattern(
        "A comparison is `at least` or `at most`.",
        "`least` or `most` is wanted",
        accepts=terms("least most"),
    ),
    Pattern(
        "`{before}` goes on with `than`.", "`than` is wanted", accepts=terms("than")
    ),
    Pattern(
        "`some`, `every` and `no` say what holds of the members: `has` is missing.",
        "`has …` is wanted",
        accepts=terms("has"),
        example="some",
    ),
    Pattern(
        "`sum of`, `highest of` and `lowest of` say over what: `for x in S`.",
        "`for … in …` is wanted",
        accepts=terms("for or"),
        lacks=terms("STRING is"),
        example="sum",
    ),
    Pattern(
        "No `if` stands inside an expression. Write one line for each case: "
        "`E when C`, and last `E otherwise`.",
        "cases stand on lines beneath",
        before=terms("if"),
        accepts=terms("is"),
    ),
    Pattern(
        "A parameter has a type, as in `p: Player`, or a set, as in `c in hand(me)`.",
        "`: …` or `in …` is wanted",
        accepts=terms("in part"),
        found=terms(") ,"),
    ),
    Pattern(
        "Between a parameter and its type stands a colon.",
        "`:` is wanted before the type",
        accepts=terms(".. of"),
        found=terms(") ,"),
    ),
    Pattern(
        "Items of a list have commas between them, and none at the end.",
        "a value is wanted after the comma",
        before=terms(","),
        found=terms(") }"),
    ),
    Pattern(
        "There is nothing to call here: brackets stand only after a plain name.",
        "a field takes no brackets",
        found=terms("("),
        accepts=terms("mod"),
    ),
    # statements and flow
    Pattern(
        "`else` begins a line of its own, beneath the `if`.",
        "put this on the next line",
        found=terms("else"),
    ),
    Pattern(
        "A step has a colon, then how often it is used, or what happens by itself.",
        "`:` is wanted",
        accepts=terms(":"),
        words=terms("step"),
    ),
    Pattern(
        "A step is used `any number` of times, `at most once` or `exactly once`.",
        "the rest of that is wanted",
        accepts=terms("once"),
    ),
    Pattern(
        "Steps and phases in order have `then` between them.",
        "`then` is wanted",
        accepts=terms("then"),
        lacks=terms("mod"),
        words=terms("order release"),
    ),
    Pattern(
        "The members of an enumeration have `|` between them.",
        "`|` is wanted",
        accepts=terms("|"),
        found=terms(","),
    ),
    Pattern(
        "A number of players is a range.",
        "`..` is wanted, as in `2..6` or `3..3`",
        accepts=terms(".."),
        words=terms("players needs"),
    ),
    Pattern(
        "`change` says both what was there and what comes: `from … to …`.",
        "`to …` is wanted",
        accepts=terms("to"),
        words=terms("change from"),
    ),
    Pattern(
        "`change` says first what was there: `from …`, then `to …`.",
        "`from …` is wanted",
        accepts=terms("from"),
        words=terms("change to"),
    ),
    Pattern(
        "A margin names its heading in quotation marks.",
        "a text in quotation marks is wanted",
        accepts=terms("STRING"),
        lacks=terms(": END"),
        before=terms("["),
    ),
)
