"""Error patterns: slips that many authors make, each with its own sentence.

A pattern looks at what stands there, what could have stood there, and the word before.
The first that fits is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from houserule.syntax.errors.situation import (
    NOTHING,
    QUERIES,
    RELATIONS,
    Pattern,
    terms,
)
from houserule.syntax.vocabulary import BEFORE_OF, STATEMENTS

_STARTS_OF_QUERIES = QUERIES | terms("some every no")
_CHANGING = terms("change from to")
_JOINING = terms("and or not + - * is at least most than mod in but ( ,")


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


_OF = frozenset(BEFORE_OF)


def _changes() -> Iterator[Pattern]:
    """Yield the patterns of what a `change` cannot hold."""
    beneath = Pattern(
        "What a clause does is changed beneath: `from …` and `to …`, each on a line of "
        "its own.",
        "statements stand only beneath",
        accepts=terms("to"),
        words=terms("change"),
    )
    yield replace(beneath, before=frozenset(STATEMENTS))
    yield replace(beneath, found=terms("becomes gains loses"))
    yield replace(beneath, accepts=NOTHING, before=terms("if"))
    kind = Pattern(
        "A `change` of a parameter says its set or its range, or how many are chosen, "
        "without its name: `from tray to 1..2 of tray`.",
        "no name stands before this",
        words=_CHANGING,
    )
    yield replace(kind, accepts=terms("to"), found=terms("in any : up part"))


PATTERNS: tuple[Pattern, ...] = (
    # a keyword taken for a name
    Pattern(
        "After `{before}` comes `of`, unless something of your own is called so.",
        "`of` is wanted",
        before=_OF,
        kinds=terms("word number"),
        lacks=terms("of"),
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
    # what an edit can hold
    *_changes(),
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
        "Whether something is in a set is asked with `is in`.",
        "`is in` is wanted",
        accepts=terms("is"),
        found=terms("in"),
    ),
    Pattern(
        "A comparison is `at least` or `at most`.",
        "`at {found}` is wanted",
        accepts=terms("at"),
        found=terms("least most"),
    ),
    Pattern(
        "Things are compared with `is`; `=` stands only where something is defined.",
        "`is` is wanted",
        accepts=terms("is"),
        found=terms("="),
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
        "A limit says how often at most, and for how long it counts.",
        "`times each turn` is wanted, or another phase",
        accepts=terms("times"),
        words=terms("limit"),
    ),
    Pattern(
        "A reaction has a name, and says behind it when it happens: "
        "`reaction NAME after …`.",
        "`reaction NAME` is wanted before this line",
        accepts=terms("as"),
        words=terms("when before after instead"),
    ),
    Pattern(
        "A reaction has a name, and says behind it when it happens.",
        "`when …`, `before …`, `after …` or `instead of …` is wanted",
        accepts=terms("when before after instead"),
        words=terms("reaction"),
    ),
    Pattern(
        "A contribution has a name of its own: `called` and the name are missing.",
        "`called …` is wanted",
        accepts=terms("called"),
    ),
    Pattern(
        "A contribution that keeps a value in bounds says which: `at least` or "
        "`at most`.",
        "`at least …` or `at most …` is wanted",
        accepts=terms("at"),
        lacks=terms("is"),
        words=terms("keep"),
    ),
    Pattern(
        "A layer says that it may have no contributions.",
        "`, if any` is wanted, with the comma",
        accepts=terms("IF_ANY"),
        lacks=terms("mod"),
    ),
    Pattern(
        "An action says in which step or phase it is taken: `during` and its name.",
        "`during …` is wanted",
        accepts=terms("during by"),
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
        found=RELATIONS,
        nearest=QUERIES,
    ),
    Pattern(
        "Behind `where` a query always stands in brackets: `where ({before} … )`.",
        "brackets are wanted around the query",
        accepts=terms("and"),
        before=_STARTS_OF_QUERIES,
        second=terms("where"),
        kinds=terms("word"),
        marks="query",
    ),
    Pattern(
        "`{before}` begins a query, and here a query stands in brackets: "
        "`({before} … )`. It goes without only at the end of an expression.",
        "brackets are wanted around the query",
        accepts=terms("and"),
        before=_STARTS_OF_QUERIES,
        kinds=terms("word"),
    ),
    Pattern(
        "All keys of a `with` go the same way. For the other way round a minus stands "
        "before the key: `then -{found} …`.",
        "`-{found}` is wanted",
        before=terms("most least"),
        second=terms("then"),
        kinds=terms("word"),
        marks="before",
    ),
    Pattern(
        "This line ends too early. An expression goes on over several lines only "
        "inside brackets.",
        "brackets are wanted around it, or the rest of it",
        accepts=terms("NAME"),
        before=_JOINING,
        kinds=terms("end back"),
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
        found=RELATIONS,
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
        "Statements on one line have `;` between them.",
        "`;` is wanted",
        accepts=terms(";"),
        found=terms(","),
    ),
    Pattern(
        "Behind `{word}` stands the name of a step or a phase alone.",
        "`{found}` is wanted",
        before=terms("the"),
        words=terms("again end"),
        marks="before",
    ),
    Pattern(
        "What there is changes with `becomes`, `gains` or `loses`; `=` stands only "
        "where something is defined.",
        "`becomes` is wanted",
        accepts=terms("becomes"),
        found=terms("="),
    ),
    Pattern(
        "What there is changes with `becomes`, `gains` or `loses`; there are no signs "
        "for that.",
        "`gains` or `loses` is wanted",
        accepts=terms("becomes"),
        found=terms("+ -"),
    ),
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
        "A step is used `any number` of times, `at most once`, or one `must act once, "
        "if possible`.",
        "the rest of that is wanted",
        accepts=terms("once"),
    ),
    Pattern(
        "Nobody must do what cannot be done, and the step says so.",
        "`, if possible` is wanted, with the comma",
        accepts=terms("IF_POSSIBLE"),
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
        "`from …` and `to …` stand both on this line, or both beneath it, each on a "
        "line of its own.",
        "`to …` is wanted here",
        accepts=terms("to"),
        words=terms("change"),
        kinds=terms("end back"),
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
        "A margin names a ruling, or a heading in quotation marks.",
        "`ruling {before}` is wanted, or a heading",
        accepts=terms("STRING"),
        found=terms("]"),
        second=terms("["),
        marks="before",
    ),
    Pattern(
        "A margin names its heading in quotation marks.",
        "a text in quotation marks is wanted",
        accepts=terms("STRING"),
        lacks=terms(": END"),
        before=terms("["),
    ),
)
