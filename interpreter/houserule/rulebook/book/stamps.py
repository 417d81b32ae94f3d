"""Stamps: the rules that the hand-written sentences of a game are true of.

A stamp is a hash of a clause as it is written, without captions and citations. If the
clause has changed since, the sentence is outdated.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256

from houserule.base.files import read_source
from houserule.compiler.items.index import family_of
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.rulebook.meanings.table_in_words import edited, written

STAMPS = "text/stamps.json"  # in the folder of a game
PROSE, CHANGED = "prose/", "changed_prose/"
LONG = 12  # characters of a hash


def rules_of(ruleset: LoadedRuleset) -> Mapping[str, str]:
    """Return the rules that each hand-written sentence is about, by its key.

    Of a sentence about a clause that a house rule changes, these are the clause and the
    changes.
    """
    family = family_of(ruleset)
    changes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for placed in family.placed:
        for edit in placed.edits:
            found = family.declared.get(edit.target, ())
            clause = found[0].one.clause if found else edit.target
            changes[placed.origin.unit, clause].append(edited(placed.item))
    rules = {}
    for key in sorted({key for texts in ruleset.texts.values() for key in texts}):
        if not key.startswith((PROSE, CHANGED)):
            continue
        *units, address = key.removeprefix(CHANGED).removeprefix(PROSE).split("/")
        lines = [written(each.one.node) for each in family.declared.get(address, ())]
        for unit in units:
            lines += changes[unit, address]
        rules[key] = "\n".join(dict.fromkeys(lines))
    return rules


def stamps_of(ruleset: LoadedRuleset) -> Mapping[str, str]:
    """Return the stamps of all sentences, as they are for the rules now."""
    return {
        key: sha256(text.encode()).hexdigest()[:LONG]
        for key, text in rules_of(ruleset).items()
    }


def as_file(ruleset: LoadedRuleset) -> str:
    return json.dumps(stamps_of(ruleset), indent=1) + "\n"


def outdated(ruleset: LoadedRuleset) -> Mapping[str, str]:
    """Return the sentences whose rules have changed, with the rules as they are now.

    A sentence without a stamp counts as true. Use `ruleset.derived(outdated)`.
    """
    path = ruleset.folder / STAMPS
    try:
        known = json.loads(read_source(path).text) if path.is_file() else {}
    except ValueError:  # a damaged file has no stamps
        return {}
    if not known or not isinstance(known, dict):
        return {}
    rules, now = rules_of(ruleset), stamps_of(ruleset)
    return {key: rules[key] for key in now if known.get(key, now[key]) != now[key]}
