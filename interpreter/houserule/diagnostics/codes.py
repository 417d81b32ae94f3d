"""Every code of a message, with its title: the words in the banner.

Ranges: E00x how a rules file is written; E01x and E02x names, types and meaning;
E03x manifests, tables and texts; E040 what is not looked at; E04x citations;
E050 what is too large; E07x scenarios; E08x records; E1xx
edits that miss; E2xx clauses that clash; E3xx the chosen table; E4xx the family of all
tables; E5xx rules that may not end; E6xx what seats see; Wxxx warnings; Fxx faults of
the rules that only play finds. `docs/diagnostics/` has a page for each.
"""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    # how a rules file is written
    "E001": "syntax error",
    "E002": "out of line",
    "E003": "a bracket stays open",
    "E004": "a strange character",
    "E005": "reserved word",
    "E006": "an unknown word",
    "E007": "the header is missing",
    "E008": "in the wrong place",
    "E009": "nested too deeply",
    # names, types and meaning
    "E010": "no such name",
    "E011": "name already defined",
    "E012": "the wrong kind of name",
    "E013": "too many or too few",
    "E014": "another kind of value",
    "E015": "this may be none",
    "E016": "no such field",
    "E017": "nobody acts here",
    "E018": "not possible here",
    "E019": "circular definition",
    "E020": "an empty range",
    "E021": "never in range",
    "E022": "not yes or no",
    "E023": "divided by zero",
    "E024": "a row does not fit",
    "E025": "the game has a gap",
    "E026": "not around here",
    "E027": "not a key",
    "E028": "not known in time",
    "E029": "nothing is left",
    # manifests, tables, texts
    "E030": "this cannot be read",
    "E031": "an unknown key",
    "E032": "a wrong value",
    "E033": "something is missing",
    "E034": "a row without a footing",
    "E035": "no such file",
    "E036": "a text for nothing",
    "E037": "a ruling about nothing",
    "E038": "a layout without a ground",
    "E039": "a file of another game",
    # what check does not look at
    "E040": "not looked at",
    # citations
    "E041": "no such heading",
    "E042": "words that are not there",
    "E043": "no such sentence",
    "E044": "no such ruling",
    "E045": "no source is named",
    # ceilings
    "E050": "too large",
    # scenarios
    "E071": "no such name",
    "E072": "another kind of value",
    "E073": "a position that cannot be",
    "E074": "a move that does not fit",
    "E075": "nothing to judge",
    "E076": "an example without a table",
    # records
    "E080": "not a record",
    "E081": "not the same game",
    "E082": "a record of other rules",
    "E083": "a game that is played elsewhere",
    # edits that miss
    "E101": "nothing to change",
    "E102": "this edit is out of date",
    "E103": "an edit that does not fit",
    "E104": "only there at some tables",
    "E105": "a line in the wrong place",
    "E106": "a member does not fit",
    "E107": "no such row",
    "E108": "not to be renamed",
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
    "E210": "a bridge mutes a stranger",
    "E211": "state has no value yet",
    "E212": "not while all act",
    "E213": "not side by side",
    "E214": "a sealed clause",
    "E215": "phases in each other",
    "E216": "one thing, or several",
    # the chosen table
    "E301": "a variant is missing",
    "E302": "pick one",
    "E303": "no value is chosen",
    "E304": "not on the scale",
    "E305": "fixed by a variant",
    "E306": "nobody has ruled on it",
    "E307": "no such choice",
    "E308": "not for so many players",
    "E309": "presets in a circle",
    # the family of all tables
    "E401": "never possible",
    # rules that may not end
    "E501": "this might never stop",
    "E502": "an action without a price",
    "E503": "drawn at once or never",
    "E504": "nothing to compare by",
    # what seats see
    "E601": "a rule that shows too much",
    "E602": "not to be known beforehand",
    "E603": "not alike after all",
    # warnings
    "W012": "none is not asked for",
    "W035": "a file that nobody reads",
    "W036": "an editor is led astray",
    "W037": "a ruling that nobody uses",
    "W038": "nobody uses it",
    "W039": "not in every language",
    "W040": "no words for the book",
    "W041": "without a source",
    "W080": "a record that was cut short",
    "W210": "an exception to what changes",
    "W211": "the caption is left behind",
    "W301": "the rules warn of this table",
    "W402": "always on",
    "W403": "only sampled",
    "W404": "a bridge without work",
    "W405": "a bridge without a source",
    "W406": "a bridge over three",
    "W407": "nothing is different",
    "W408": "a preset without a choice",
    "W409": "a type of one",
    "W410": "escapes a condition",
    "W501": "it ends only at its bound",
    "W502": "this never holds",
    "W503": "no player ever decides",
    "W504": "every game stalls",
    # notes
    "N501": "range not proved",
    # faults of the rules in play
    "F01": "out of its range",
    "F02": "not where it is taken from",
    "F03": "there is none",
    "F04": "no room",
    "F05": "an invariant is broken",
    "F06": "nobody acts",
    "F07": "reactions without end",
    "F08": "divided by zero",
    "F09": "no such face",
    "F10": "not under way",
    "F11": "beyond a limit",
}


def title_of(code: str) -> str:
    """Return the title of a code.

    Raises:
        KeyError: no such code.
    """
    return TITLES[code]
