"""Rules without a sentence in the printed rulebook, by language."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.authoring.check.check import is_beside, said_by, untranslated
from houserule.authoring.check.checked import Checked
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    MessageCode,
    fault,
    has_errors,
)
from houserule.base.diagnostics.wording import listed, sentence
from houserule.base.source import Span
from houserule.compiler.items.index import family_of
from houserule.compiler.items.items import origin_of, placed_items
from houserule.compiler.merge.messages import titled
from houserule.compiler.prepare import TableChoice, prepare
from houserule.compiler.tables.sample import sample_tables
from houserule.ir.types import Kind, Set
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.rulebook.book.book_model import Book


IDENTIFIER = re.compile(r"[a-z]_[a-z]|[a-z]-\w", re.IGNORECASE)
CAPTIONED = ("actions/", "captions/", "titles/")
"""Sections of texts that a caption in the rules replaces."""


def add_wordless(one: Checked, folder: Path, rules: Sequence[Path]) -> None:
    """Report outdated and missing sentences of the book; skip a game with errors."""
    if has_errors(one.diagnostics):
        return
    ruleset, _ = load_ruleset(folder, rules_beside(rules))
    if ruleset is not None:
        one.add([*outdated_sentences(ruleset), *wordless(ruleset)])
        one.add(identifiers(ruleset))
        one.add(untranslated(ruleset, beside=True))


def wordless(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield W040 for each unit and language with missing sentences.

    It reads the rulebooks of the base game, each preset, each variant alone and the
    largest selection of variants; with rules beside the game, theirs alone.
    """
    for language in ruleset.manifest.languages:
        clauses: dict[str, dict[str, None]] = defaultdict(dict)
        names: dict[str, None] = {}
        for book in _books(ruleset, language):
            # A clause with a name that has no word needs the word first.
            named = [each.partition("/")[2].partition(":")[0] for each in book.missing]
            words = [f"“{each.replace('_', ' ')}”" for each in named]
            unsaid = [rule for rule in book.rules if rule.unsaid]
            later = {
                rule.address
                for rule in unsaid
                if any(each in " ".join(rule.exact) for each in words)
            }
            for rule in unsaid:
                if not any(each.startswith(rule.address) for each in later):
                    # of the unit that changed it last, or declared it
                    unit = rule.marks[-1].unit if rule.marks else ""
                    clauses[unit][rule.address] = None
            names |= dict.fromkeys(book.missing)
        # The entries that a book lacks, by the unit that declares their name.
        declared = {
            each.address: (placed.origin.unit or ruleset.base.id, each.node.span)
            for placed in reversed(placed_items(ruleset))
            for each in placed.declares
        }
        home = {address: unit for address, (unit, _) in declared.items()}
        nouns: dict[str, dict[str, None]] = defaultdict(dict)
        for entry in names:
            name = entry.partition("/")[2].partition(":")[0]
            while name not in home and "." in name:
                name = name.rpartition(".")[0]
            nouns[home.get(name, ruleset.base.id)][entry] = None
        for each in ruleset.units:
            own = is_beside(each, ruleset)
            texts = ruleset.texts.get(language, ())
            first = language == ruleset.manifest.languages[0]
            if own and not first and {*said_by(ruleset)[each.id]}.isdisjoint(texts):
                continue  # a group may play its own rules in one language
            where = f"in text/{language}.yaml"
            if own:
                where = f"in `texts: {language}:` below the rule's line `---`"
            addresses = clauses.get("" if each is ruleset.base else each.id)
            if addresses:
                yield fault(
                    W040,
                    f"{sentence(titled(origin_of(each)))} has no sentence in "
                    f"{language} for {listed(f'`{name}`' for name in addresses)}",
                    others=_places(addresses, declared, each),
                    fixes=(
                        "Give the clauses captions, or write their sentences under "
                        "`prose` (of what a house rule changes: `changed_prose`) "
                        f"{where}.",
                    ),
                    details=("A rulebook prints them in formal wording only.",),
                )
            lacking = [
                entry
                for entry in nouns[each.id]
                if not (own and entry.startswith(CAPTIONED))
            ]
            if lacking:
                shown = listed(f"`{entry}`" for entry in lacking)
                missing = (e.partition("/")[2].partition(":")[0] for e in lacking)
                yield fault(
                    W040,
                    f"in {language} a book has no word for {shown}",
                    others=_places(missing, declared, each),
                    fixes=(
                        f"Write them {where}, under the section before the slash; a "
                        "noun with its gender: `income: {is: Einkommen, gender: n}`.",
                    ),
                )


def _places(
    lacking: Iterable[str],
    declared: Mapping[str, tuple[str, Span]],
    unit: tree.Unit,
) -> list[Label]:
    """Return the places in a unit that declare what lacks words, else its name."""
    found = (declared[each] for each in lacking if each in declared)
    spans = dict.fromkeys(span for of, span in found if of == unit.id)
    return [Label(span) for span in spans or (unit.names[0].span,)]


def _books(ruleset: LoadedRuleset, language: str) -> Iterator[Book]:
    from houserule.play.seat.rules import TableRules
    from houserule.rulebook.book.build import book_of

    own = {each.id for each in ruleset.units if is_beside(each, ruleset)}
    samples = [*sample_tables(ruleset, pairs=False)]
    presets = [TableChoice(preset=each.id) for each in ruleset.units_of("preset")]
    if own:  # each of these rules with as few others as possible
        few = sorted(samples, key=lambda each: len(each.variants))
        with_own = (next((t for t in few if unit in t.variants), None) for unit in own)
        samples, presets = [each for each in with_own if each is not None], []
    tables = [
        *presets,
        *(
            TableChoice(with_=tuple(sorted(each.variants)), players=each.players)
            for each in samples
        ),
    ]
    for choice in tables:
        found = prepare(ruleset, choice, for_play=True)
        if found.table is not None and found.program is not None:
            rules = TableRules(ruleset, found.table, found.program)
            yield book_of(rules, language)


W040 = MessageCode("W040", "no words for the rulebook")
"""In one of the game's languages, a printed rulebook has no sentence for a clause, or
no word for a thing. `houserule check --texts` looks for this.

**Why.** [`houserule rulebook`](../commands.md#rulebook) prints a clause's
[prose](../rulesets.md#prose), or else its caption. Without either, it makes a sentence
from the expression, with the nouns of the text file. If a noun is missing, or if the
sentence would not read well, the clause is only in an annex, in formal wording.

**For example**

```text
does move: move 1 from markers(me, origin) to markers(me, target)
```

has no caption, and `prose` has nothing for `slide.move`.

**Fix.** Write a sentence under `prose` in the file of the language, or a caption next
to the clause; give nouns under `things`, with `gender` if the language has one.
"""


W043 = MessageCode("W043", "identifier shown to players")
"""Players see names of the rules, such as `four_of_a_kind` or `hearts-4`, because a
language of the game has no names for them. `houserule check --texts` looks for this.

**Why.** A card, a place or another value without a text has its name in the rules. A
name of one word reads well; one of several words does not.

**For example**

```text
type Suit = clubs | hearts
component Card for each suit: Suit, rank: 1..13
```

The cards are called `clubs-1`, `clubs-2` and so on.

**Fix.** Write names under `things` in the file of the language. A pattern under
`members`, such as `Card: "{rank} of {suit}"`, [names all
members](../rulesets.md#names-of-all-members).
"""


def identifiers(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield W043 for each kind and language whose names players see as identifiers.

    It reads the base game: what lies in zones, changes on the table, or is chosen.
    """
    from houserule.play.seat.layout import PositionPlans
    from houserule.play.seat.rules import TableRules

    found = prepare(ruleset, TableChoice(), for_play=True)
    program = found.program
    if found.table is None or program is None:
        return
    areas = ruleset.derived(PositionPlans).of(program).areas
    chosen = [param.type for act in program.actions.values() for param in act.params]
    inner = [each.member if isinstance(each, Set) else each for each in chosen]
    seen = {
        *(zone.member.name for zone in program.zones.values()),
        *(each.name for each in areas if each.shape in ("things", "dice")),
        *(each.name for each in inner if isinstance(each, Kind)),
    }
    rules = TableRules(ruleset, found.table, program)
    kinds = [kind for name, kind in program.kinds.items() if name in seen]
    for language in ruleset.manifest.languages:
        words = rules.wording(language)
        for kind in (each for each in kinds if each.sort != "seat"):
            raw = [
                name
                for item in range(kind.size)
                if words.own_words(kind.name, item) is None
                and words.owner(kind.name, item) is None
                and IDENTIFIER.search(name := str(words.thing(kind.name, item)))
            ]
            declared = family_of(ruleset).declared.get(kind.name)
            if raw and declared:
                many = f"{len(raw)} names such as" if len(raw) > 1 else "the name"
                yield fault(
                    W043,
                    f"in {language} players see {many} `{raw[0]}`, of {kind.name}",
                    declared[0].one.span,
                    fixes=(
                        f"Write each under `things` in text/{language}.yaml, or one "
                        "pattern for all under `members`.",
                    ),
                )


W042 = MessageCode("W042", "outdated sentence")
"""The rules have changed since a sentence for the rulebook was last compared with them.

**Why.** A hand-written sentence that contradicts the rules is worse than none.
`text/stamps.json` has a hash of the rules of each sentence. Rulebooks do not print an
outdated sentence: they print the caption, or a sentence made from the rule.
`houserule check --texts` looks for this.

**For example**

```text
prose:
  hold.something: The pot must not be empty.   # the rule now asks for ten points
```

**Fix.** The message shows the rule and its sentence in each language. If a sentence is
false, change it. Then run `houserule rulebook GAME --stamp`, which states that all
sentences are true. With `--proof` it prints each sentence and its rule.
"""


def outdated_sentences(ruleset: LoadedRuleset) -> Iterator[Diagnostic]:
    """Yield W042 for each sentence whose rules have changed."""
    from houserule.rulebook.book.stamps import outdated

    for key, rule in ruleset.derived(outdated).items():
        section, _, address = key.rpartition("/")
        yield fault(
            W042,
            f"the rule of `{address}` has changed since its sentence was checked",
            family_of(ruleset).declared[address][0].one.span,
            fixes=(
                f"Compare the sentence under `{section}` in text/*.yaml with the rule, "
                "then:  houserule rulebook GAME --stamp",
            ),
            details=(
                f"The rule is now:  {rule}",
                *(
                    f"The sentence in {language}:  {texts[key] or 'none'}"
                    for language, texts in ruleset.texts.items()
                    if key in texts
                ),
            ),
        )
