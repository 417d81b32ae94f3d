"""Diagnostics as text: the form of every message."""

from __future__ import annotations

import json

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, fault, foremost
from houserule.base.diagnostics.render import (
    Renderer,
    ansi,
    one_line,
    tally,
)
from houserule.base.diagnostics.report import for_github, for_sarif, report
from houserule.base.diagnostics.wording import listed
from houserule.base.limits import limited
from houserule.base.source import Source, Span
from houserule.compiler.merge.changes import E201, W211
from houserule.compiler.options.options import E303
from houserule.language.manifest.kinds.kinds import W035
from houserule.language.syntax.messages import E001
from houserule.language.syntax.read.scan import E003

SOURCE = Source(
    "variants/fast.rules",
    "variant fast for game_x\n  change draw.usable from next_turn to at_once\n",
)
CLASH = Diagnostic(
    E201.name,
    E201.title,
    'When "Fast" and "Slow" are both on, I cannot tell when a drawn card may be '
    "played.",
    (
        Label(Span.at("variants/fast.rules", 2, 39, 7)),
        Label(Span.at("variants/slow.rules", 4, 3, 5), "next_turn", "base rule:"),
    ),
    ("Smallest table with this problem: fast + slow", "Choose one:"),
    (
        "Let fast win at tables with both:\n  bridge fast, slow for game_x",
        "Forbid the pair",
    ),
)
TEXT = """\
-- CONFLICTING VARIANTS -------------------------------------------------- E201

When "Fast" and "Slow" are both on, I cannot tell when a drawn card may be
played.

  variants/fast.rules:2
    2 |   change draw.usable from next_turn to at_once
                                               ^^^^^^^
  base rule: variants/slow.rules:4   next_turn

Smallest table with this problem: fast + slow

Choose one:

  1. Let fast win at tables with both:
       bridge fast, slow for game_x
  2. Forbid the pair"""


def test_a_message_has_banner_places_and_ways_out() -> None:
    # The excerpt of a column: eight columns of line number stand before it.
    source = Source(SOURCE.name, SOURCE.text)
    span = Span.at("variants/fast.rules", 2, 40, 7)
    moved = Diagnostic(
        CLASH.code,
        CLASH.title,
        CLASH.message,
        (Label(span), CLASH.labels[1]),
        CLASH.details,
        CLASH.fixes,
    )
    assert Renderer({source.name: source}).full(moved) == TEXT


def test_a_single_way_out_has_no_number() -> None:
    found = fault(E003, "This bracket is never closed.", fixes=["add `)`"])
    assert Renderer({}).full(found).endswith("One way out:\n\n  add `)`")


def test_colour_is_only_in_the_banner_and_the_places() -> None:
    text = Renderer({SOURCE.name: SOURCE}, ansi).full(CLASH)
    assert text.startswith("\x1b[31;1m-- CONFLICTING VARIANTS")
    assert "\x1b[2mvariants/fast.rules:2\x1b[0m" in text


def test_a_span_over_lines_is_underlined_to_the_end_of_the_first() -> None:
    span = Span(SOURCE.name, 1, 9, 2, 4)
    text = Renderer({SOURCE.name: SOURCE}).full(fault(E001, "Odd.", span, "here"))
    assert text.endswith(
        "    1 | variant fast for game_x\n" + " " * 16 + "^" * 15 + " here"
    )


def test_one_line_is_what_editors_read() -> None:
    found = fault(W211, "It says\nthe old rule.", Span.at("a.rules", 3, 5))
    assert one_line(found) == "a.rules:3:5: warning W211: It says the old rule."
    assert one_line(fault(E303, "Choose.")) == "error E303: Choose."


def test_a_tally_counts_by_weight() -> None:
    errors = [fault(E001, "a"), fault(E001, "b"), fault(W211, "c")]
    assert tally(errors) == "2 errors, 1 warning"
    assert tally([]) == "nothing to report"


def test_a_report_says_the_same_to_programs() -> None:
    found = report(CLASH)
    assert (found.code, found.severity) == ("E201", "error")
    assert found.title == "conflicting variants"
    assert [each.line for each in found.places] == [2, 4]
    assert found.places[1].lead == "base rule:"


def test_what_is_not_seen_is_written_out_and_carets_stand_beneath() -> None:
    source = Source("a\nb\x1b.rules", "pot \x1b[2J\u202e at \x07 least\n")
    found = fault(E001, "What is `\x9b`?", Span.at(source.name, 1, 11, 2), "\u2028")
    shown = Renderer({source.name: source}).full(found)
    assert shown.splitlines()[2:] == [
        "What is `\\x9b`?",
        "",
        r"  a\nb\x1b.rules:1",
        r"    1 | pot \x1b[2J\u202e at \x07 least",
        r"                          ^^ \u2028",
    ]
    assert one_line(found) == r"a\nb\x1b.rules:1:11: error E001: What is `\x9b`?"


def test_a_long_line_is_cut_around_the_place() -> None:
    source = Source("a.rules", "x" * 5000 + "pot" + "y" * 5000)
    found = fault(E001, "No.", Span.at("a.rules", 1, 5001, 3))
    *_, line, under = Renderer({"a.rules": source}).full(found).splitlines()
    assert len(line) < 300
    assert line[under.index("^") : under.rindex("^") + 1] == "pot"


def test_of_many_places_and_words_the_first_are_told() -> None:
    places = [Label(Span.at("a.rules", line)) for line in range(1, 2001)]
    found = fault(E001, f"{listed(map(str, range(2000)))}.", others=places)
    shown = Renderer({}).full(found)
    assert "48, 49 and 1,950 more." in shown
    assert shown.endswith("a.rules:20\n  and 1,980 places more")


def test_errors_are_printed_before_warnings_and_in_reading_order() -> None:
    codes = {1: W035, 2: E001, 3: W035, 4: E001}
    found = [fault(code, "", Span.at("a", line)) for line, code in codes.items()]
    with limited(messages=3):
        printed, more = foremost(found)
        assert Renderer({}).all(found).endswith("=NUMBER …`.")
    assert more == 1
    assert [each.span and each.span.line for each in printed] == [1, 2, 4]


def test_services_show_the_right_name_in_the_message() -> None:
    here = Span.at("a.rules", 1, 1, 4)
    found = fault(E001, "There is no `pott`.", here, "did you mean `pot`?")
    assert for_github(found).endswith("`pott`.%0Adid you mean `pot`?")
    assert "`pott`.\\n\\ndid you mean `pot`?" in json.dumps(for_sarif([found]))
