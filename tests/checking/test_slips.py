"""Slips of the hand in shipped files: told once, in place, with a fix that works."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from houserule.authoring.check.check import check_game, check_table
from houserule.authoring.check.checked import Checked
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.diagnostics.render import Renderer
from houserule.base.files import read_source
from houserule.base.resources import shipped_rulesets
from houserule.base.source import Span
from houserule.compiler.table_files.reading import read_table_file
from houserule.language.syntax.write.format import format_text

SLIPS = YAML(typ="safe").load(
    (Path(__file__).parents[1] / "cases" / "slips" / "shipped.yaml").read_text(
        encoding="utf-8"
    )
)
OFFERED = re.compile(r"`([^`]+)`|Did you mean ([^?]+)\?|Nearest: ([^.]+)\.")
LEAD = re.compile(r"^[^:]*: {2,}")
BETWEEN = re.compile(r", | or | {2,}")

Slip = dict[str, str]
LARGE = "guild_street/"  # its check takes ten times as long as those of the others


def slips() -> list[object]:
    """Return the slips as parameters of a test: two of each code, in small games.

    A code that a small game has needs no large one. What a message says of a line is
    tested with the lines of newcomers; here it must be the only one of a whole game.
    """
    found, codes = list[object](), Counter[str]()
    for slip in sorted(SLIPS, key=lambda slip: slip["file"].startswith(LARGE)):
        again = codes[slip["code"]] >= (1 if slip["file"].startswith(LARGE) else 2)
        codes[slip["code"]] += 1
        marks = (pytest.mark.slow,) if again else ()
        found.append(pytest.param(slip, id=slip["slip"], marks=marks))
    return found


@pytest.mark.parametrize("slip", slips())
def test_a_slip_is_reported_once_and_its_fix_works(slip: Slip, tmp_path: Path) -> None:
    game, _, inside = slip["file"].partition("/")
    folder = tmp_path / game
    shutil.copytree(shipped_rulesets()[game], folder)
    slipped = folder / inside
    right = slip.get("text") or slipped.read_text(encoding="utf-8")
    assert right.count(slip["for"]) == 1
    slipped.write_text(right.replace(slip["for"], slip["in"]), encoding="utf-8")

    one = check(folder, slipped, slip)
    shown = Renderer(one.sources).all(one.diagnostics)
    (found,) = one.diagnostics
    assert found.code == slip["code"], shown
    assert " ".join(slip["says"].split()) in " ".join(shown.split()), shown

    assert found.span is not None
    place = Path(found.span.file)
    assert place == tmp_path / slip.get("at", slip["file"])
    text = place.read_text(encoding="utf-8")
    marked = stretch(text, found.span)
    assert text[marked] == slip["marks"], shown
    if "line" in slip:
        assert text.split("\n")[found.span.line - 1].startswith(slip["line"]), shown
    else:
        first = right.index(slip["for"])
        assert first <= marked.start < marked.stop <= first + len(slip["in"]) + 1, shown
    if "fix" in slip:
        assert slip["fix"] in offered(found), shown
        after = fixed(place, text, marked, slip)
        place.write_text(after, encoding="utf-8")
        as_shipped = (place, after) == (slipped, right) and "text" not in slip
        assert as_shipped or not check(folder, slipped, slip).diagnostics


def check(folder: Path, slipped: Path, slip: Slip) -> Checked:
    """Check the game; or a table of it, where the slip is in a table file."""
    if "text" not in slip:
        return check_game(folder)
    choice, _, _ = read_table_file(slipped)
    assert choice is not None
    return check_table(folder, choice)


def fixed(place: Path, text: str, marked: slice, slip: Slip) -> str:
    """Return a text after what the message offers was done."""
    if slip["fix"] == "houserule fmt FILE":
        return format_text(read_source(place))[0]
    if "over" in slip:
        start = text.index(slip["over"])
        marked = slice(start, start + len(slip["over"]))
    return text[: marked.start] + slip.get("by", slip["fix"]) + text[marked.stop :]


def offered(found: Diagnostic) -> Iterator[str]:
    """Yield every text that a message offers, or names as right."""
    said = [found.message, *found.details, *(label.text for label in found.labels)]
    for groups in OFFERED.findall("\n".join(said)):
        yield groups[0]
        yield from BETWEEN.split("".join(groups[1:]))
    for fix in found.fixes:
        bare = LEAD.sub("", fix)
        yield from (bare, *BETWEEN.split(bare))


def stretch(text: str, span: Span) -> slice:
    """Return the part of a text that a span marks."""
    starts = list(accumulate((len(each) + 1 for each in text.split("\n")), initial=0))
    start = starts[span.line - 1] + span.column - 1
    return slice(start, starts[span.end_line - 1] + span.end_column - 1)
