"""The diagnostic data model, shared by every pass and renderer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum

from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.base.source import LINE_ENDS, NOWHERE, Span, written_out


class Severity(StrEnum):
    """The severity of a diagnostic: only errors make a ruleset unplayable.

    Example:
        >>> [each.value for each in houserule.Severity]
        ['error', 'warning', 'note']
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@frozen
class MessageCode:
    """The code of a message and its title, which is the banner.

    A code is declared beside the check that raises it. The text below the declaration
    is its page in `docs/diagnostics/`; `tools/write_diagnostics.py` writes it.

    - E00x: the syntax of rules files. E01x, E02x: names, types and meaning.
    - E03x: manifests, tables and texts. E04x: citations.
    - E07x: scenarios. E08x: records.
    - E1xx: failed edits. E2xx: conflicting clauses. E3xx: the chosen table.
    - E4xx: the product line. E5xx: termination. E6xx: visibility.
    - Wxxx: warnings. Nxxx: notes. Fxx: rule faults at run time.
    """

    name: str
    title: str


@frozen
class Label:
    """A place in the author's text and a short fact to print beneath it.

    `lead` is printed before the line, for example "base rule:".
    """

    span: Span
    text: str = ""
    lead: str = ""


@frozen
class Diagnostic:
    """One error in an author's text or in a chosen table.

    Attributes:
        code: stable code, such as `E201`; `houserule explain E201` explains it.
        title: the meaning of the code, in two to six words.
        message: what is wrong, in one or two sentences with the author's names.
        labels: the places, most important first.
        details: paragraphs after the places: why, and in which tables.
        fixes: suggestions, each ready to paste; numbered when there are several.

    Example:
        >>> try:
        ...     houserule.load("pig").table(players=9)
        ... except houserule.TableError as error:
        ...     (found,) = error.diagnostics
        >>> found.code, found.severity.value, len(found.fixes)
        ('E308', 'error', 1)
    """

    code: str
    title: str
    message: str
    labels: tuple[Label, ...] = ()
    details: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()

    @property
    def severity(self) -> Severity:
        """The severity, from the first letter of the code."""
        first = self.code[:1]
        if first in {"E", "F"}:
            return Severity.ERROR
        return Severity.WARNING if first == "W" else Severity.NOTE

    @property
    def span(self) -> Span | None:
        """The main position, if any."""
        return self.labels[0].span if self.labels else None

    def with_details(self, *more: str) -> Diagnostic:
        """Return this diagnostic with further paragraphs."""
        return replace(self, details=self.details + more)


def fault(
    code: MessageCode,
    message: str,
    span: Span | None = None,
    label: str = "",
    *,
    others: Iterable[Label] = (),
    details: Iterable[str] = (),
    fixes: Iterable[str] = (),
) -> Diagnostic:
    """Return a diagnostic with its main position at `span`, if any."""
    main = () if span is None or span == NOWHERE else (Label(span, label),)
    labels = (*main, *others)
    return Diagnostic(
        code.name, code.title, message, labels, tuple(details), tuple(fixes)
    )


E004 = MessageCode("E004", "illegal character")
r"""The text contains a character that the language does not use.

**Why.** Such characters often come from a word processor: curved quotes, long dashes,
`≥`. They look right and mean nothing here.

**For example**

```rules wrong
needs enough “Ten or more”: pot >= 10      # "Ten or more": pot at least 10
```

In YAML, the same characters are errors if they replace its own signs. Examples are a
no-break space in an indentation, after a colon or in a key, a long dash before an entry
of a list, and a full-width colon. In captions, comments and other texts you may use
them.

Text from a chat or an email often has more around it: code fences (` ``` `) and the
mark `>` before each line. Delete the fences and the marks.

Other characters are invisible: control characters, which can be commands to a terminal,
characters that change the direction of writing, spaces without a width, byte order
marks in the middle of a file. They are errors everywhere, even in captions, comments
and YAML texts, because the text would not be what a reader sees. The message identifies
them by number, as `\x1b` or `\u202e`. If the character is a line end of another
program, such as `\u2028`, put a plain line end in its place: without it, two lines
become one.

**Fix.** Write what the message suggests. Names use the letters a to z, digits and `_`.
"""


def unseen(character: str, span: Span, details: Iterable[str] = ()) -> Diagnostic:
    """Return E004 for an invisible character."""
    message = (
        f"Here is `{written_out(character)}`, an invisible character. It can "
        "make a text look different from what it is, or be a command to the terminal."
    )
    label = "delete it"
    if character in LINE_ENDS:
        message = f"Here is `{written_out(character)}`, a line end of other programs."
        label = "put a plain line end in its place"
    elif character == "\ufeff":
        message = f"Here is `{written_out(character)}`, a byte order mark: it belongs "
        message += "only at the beginning of a file."
    return fault(E004, message, span, label, details=details)


E050 = MessageCode("E050", "limit exceeded")
"""Something in the rules, or in a file next to them, is larger than its limit.

**Why.** One line can ask for a thousand million fields, and files come from strangers.
Houserule refuses anything beyond a limit before it computes anything, so that no file
can use up the whole machine. [The limits](../trust.md#limits) are far above every game
we know.

**For example**

```text
component Cell for each x: 1..1000, y: 1..1000, z: 1..1000
```

**Fix.** Usually a number has a digit too many. If you mean it and the machine is large
enough, raise the limit that the message names:
`houserule --limit members=50000 check my-game`, or in the environment:
`HOUSERULE_LIMITS=members=50000`.
"""


def too_large(
    name: str,
    message: str,
    span: Span | None = None,
    label: str = "",
    *,
    fixes: Iterable[str] = (),
) -> Diagnostic:
    """Return E050: something exceeds the limit with this name.

    `message` says what, and how large it is. How to raise the limit is added.
    """
    ways = (way_beyond(name),)
    return fault(E050, message, span, label, details=ways, fixes=fixes)


def way_beyond(name: str, number: int | None = None) -> str:
    """Return the sentence that explains a limit and how to raise it.

    `number` is the limit; by default, its current value.
    """
    now = limit(name) if number is None else number
    return (
        f"The limit `{name}` is {now:,}. If the machine can do more: "
        f"`houserule --limit {name}=NUMBER …`."
    )


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(each.severity is Severity.ERROR for each in diagnostics)


def by_name(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield diagnostics; merge those about one unknown name."""
    named: dict[str, list[Diagnostic]] = {}
    for each in found:
        if each.code == "E010":
            named.setdefault(each.message, []).append(each)
        else:
            yield each
    for first, *others in named.values():
        labels = [Label(each.span) for each in others if each.span]
        more = f"It is in {len(labels) + 1} places. If the name is right, it is "
        more += "misspelt where it is declared."
        yield replace(
            first,
            labels=(*first.labels, *labels),
            details=(*first.details, *([more] if labels else [])),
        )


def foremost(diagnostics: Iterable[Diagnostic]) -> tuple[list[Diagnostic], int]:
    """Return the diagnostics to print, in reading order, and the number omitted.

    The limit `messages` is the number to print. Unread parts (E040) come before other
    errors, and errors before warnings, so they are never omitted first.
    """
    every = in_reading_order(diagnostics)
    kept = sorted(
        every,
        key=lambda each: (each.code != "E040", each.severity is not Severity.ERROR),
    )
    printed = in_reading_order(kept[: limit("messages")])
    return printed, len(every) - len(printed)


def in_reading_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return each diagnostic once, by file, line, column, then code."""
    unique = dict.fromkeys(diagnostics)
    key = Span.at("\uffff")
    return sorted(unique, key=lambda each: (each.span or key, each.code, each.message))
