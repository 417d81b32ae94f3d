"""Every code of a message, with its title: the words in the banner.

Ranges: E00x how a rules file is written; E03x manifests, tables, texts; E04x–E06x
names, types and meaning; E07x scenarios; E08x records; E1xx edits that miss; E2xx
clauses that clash; E3xx the chosen table; E4xx the family of all tables; E5xx rules
that may not end; E6xx what seats see; Wxxx warnings; Fxx faults of the rules in play.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

TITLES: Mapping[str, str] = {
    # scenarios
    "E070": "an unknown word in a scenario",
    "E071": "no such name",
    "E072": "not a value of this kind",
    "E073": "a position that cannot be",
    "E074": "a move that does not fit",
    "E075": "nothing is checked",
    # records
    "E080": "not a record",
    "E081": "other rules than the record's",
    # edits that miss
    "E101": "nothing to change",
    "E102": "this edit is out of date",
    # clauses that clash
    "E201": "two variants, one rule",
    "E202": "changed and removed",
    "E203": "two clauses in each other's way",
    "E204": "the turn goes in a circle",
    "E205": "one name, two things",
    "E206": "a rule lost its footing",
    "E207": "two replacements at once",
    "E208": "nothing is released",
    "E209": "layers without an order",
    "E211": "read out of its time",
    # the chosen table
    "E301": "a variant is missing",
    "E302": "pick exactly one",
    "E303": "no value is chosen",
    "E304": "not on the scale",
    "E305": "fixed by a variant",
    "E306": "nobody has ruled on it",
    # the family
    "E401": "never possible",
    "W402": "always on",
    "W404": "a bridge without work",
    # termination
    "E501": "this might never stop",
    "E502": "an action without a price",
    # visibility
    "E601": "a rule that shows too much",
    # warnings
    "W210": "lifted and changed",
    "W211": "the caption is left behind",
}

_CODE = re.compile(r"[EWF]\d{2,3}")


def title_of(code: str) -> str:
    """Return the title of a code.

    Raises:
        KeyError: no such code.
    """
    return TITLES[code]


def page_of(code: str) -> str | None:
    """Return the page that explains a code, in Markdown; None if there is no such."""
    if not _CODE.fullmatch(code) or code not in TITLES:
        return None
    page = _pages() / f"{code}.md"
    return page.read_text("utf-8") if page.is_file() else None


def _pages() -> Path:
    from houserule.resources import data_root

    return data_root() / "docs" / "diagnostics"
