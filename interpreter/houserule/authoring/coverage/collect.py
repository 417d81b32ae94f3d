"""Compare a ruleset with its rulebooks: sentences, clauses, examples, gaps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Final, TypeAlias

from houserule.authoring.check.check import choice_of
from houserule.authoring.coverage.coverage_model import (
    ClauseCoverage,
    ConditionCoverage,
    Coverage,
    CoveredBooks,
    ExampleCoverage,
    HeadingCoverage,
    Hole,
    SentenceCoverage,
    SourceCoverage,
)
from houserule.authoring.coverage.margins import Margins, SentencePlace
from houserule.authoring.coverage.registers import (
    changed_sentences,
    doubtful,
    split_source,
)
from houserule.authoring.scenarios.files import Examples, trials
from houserule.authoring.scenarios.run import run_trial
from houserule.base.source import Span
from houserule.compiler.items.items import placed_items
from houserule.compiler.lower.declarations.clauses import cited
from houserule.compiler.prepare import Programs, TableChoice
from houserule.compiler.tables.sample import few_tables
from houserule.engine.reference.evaluate.expressions import Answers
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import in_language
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk
from houserule.play.positions.words import listed

CHOICES = 50  # per table; random games take most of the time
LUCK = 1  # the same games every time

Seen: TypeAlias = dict[str, set[bool]]
"""Results of conditions, by address."""


def seen_in_examples(every: Iterable[Examples], programs: Programs) -> Seen:
    """Return whether conditions hold in worked examples, by address."""
    found: Seen = {}
    for examples in every:
        for trial in trials(examples):
            program = programs.prepare(trial.choice).program
            if program is None:
                continue
            expected, _ = trial.expected()
            entries = listed(expected.get("refused"), ())
            refused = [address for address, _ in entries if isinstance(address, str)]
            for address in refused:
                found.setdefault(address, set()).add(False)
            made = list(_heads(trial.said("do")[0]))
            tried = list(_heads(trial.said("try")[0]))
            if refused or expected.get("legal") is False:
                made, tried = (made, []) if tried else (made[:-1], [])
            elif expected.get("legal") is not True:
                tried = []
            for head in (*made, *tried):
                action = program.actions.get(head)
                for condition in action.conditions if action else ():
                    found.setdefault(condition.address, set()).add(True)
            owners = {address.partition(".")[0] for address in trial.scenario.covers}
            reactions = (program.reactions.get(owner) for owner in owners)
            if any(each is not None and each.needs for each in reactions):
                run_trial(trial, programs, found)
    return found


def _heads(said: YamlData) -> Iterator[str]:
    """Yield the names in moves that may be actions."""
    for move, _ in listed(said, ()):
        if isinstance(move, str):
            yield move
        elif isinstance(move, dict):
            yield from map(str, move)


def seen_in_games(tables: Iterable[TableChoice], programs: Programs) -> Seen:
    """Return whether conditions hold in one random game per table, by address.

    Counting the options of each decision also evaluates the conditions of illegal
    moves. A game ends after `CHOICES` choices.
    """
    found: Answers = {}
    for choice in tables:
        program = programs.prepare(choice).program
        if program is None:
            continue
        luck = Random(LUCK)
        with suppress(RuleFault):  # `check` and `simulate` report rule faults
            game = ReferenceGame.start(program, LUCK, answers=found)
            for _ in range(CHOICES):
                if (decision := game.decision) is None:
                    break
                count = decision.options.count()
                game.choose(decision.options[luck.randrange(count)])
    return found


# ---- what is covered

KEYS: Final = ("examples", "games")
TABLES = 8  # at most this many get a random game


def coverage_of(
    ruleset: LoadedRuleset, texts: Mapping[str, str] | None = None
) -> Coverage:
    """Compare a ruleset with its rulebooks, its examples and random games.

    Args:
        ruleset: a ruleset without errors.
        texts: the full texts of rulebooks, by source. With them, the result quotes
            sentences, and the texts are checked against the registers.
    """
    texts = texts or {}
    margins, programs = Margins(ruleset), ruleset.derived(Programs)
    shown = _shown(margins)
    sources = _sources(margins, shown, texts, margins.registers)
    conditions = tuple(_conditions(ruleset, margins, programs))
    clauses = []
    for each in margins.everything:
        if each.remark:
            continue
        cites = (cited(note) for note in each.notes if isinstance(note, tree.Cite))
        rulings = (note.name for note in each.notes if isinstance(note, tree.Ruling))
        clauses.append(
            ClauseCoverage(
                address=each.address,
                unit=each.unit,
                place=place_of(each.span),
                cites=tuple(dict.fromkeys(cites)),
                rulings=tuple(dict.fromkeys(rulings)),
                examples=tuple(dict.fromkeys(shown.get(each.address, ()))),
            )
        )
    worked = []
    for examples in margins.examples:
        for number, one in enumerate(examples.form.scenarios if examples.form else ()):
            place = place_of(examples.document.span("scenarios", number, "name"))
            covers = tuple(one.covers)
            worked.append(ExampleCoverage(name=one.name, place=place, covers=covers))
    return Coverage(
        game=ruleset.id,
        title=_title(ruleset),
        sources=sources,
        clauses=tuple(clauses),
        examples=tuple(worked),
        conditions=conditions,
        holes=(
            *_of_books(margins, sources, texts),
            *_of_rules(ruleset, margins, conditions),
        ),
    )


def books_of(ruleset: LoadedRuleset, texts: Mapping[str, str]) -> CoveredBooks:
    """Compare a ruleset with rulebook texts, and the texts with their registers.

    Args:
        texts: the full texts of rulebooks, by the names of sources with registers.
    """
    margins = Margins(ruleset)
    sources = _sources(margins, _shown(margins), texts, texts)
    holes = tuple(_of_books(margins, sources, texts))
    title = _title(ruleset)
    return CoveredBooks(game=ruleset.id, title=title, sources=sources, holes=holes)


def _title(ruleset: LoadedRuleset) -> str:
    return in_language(ruleset.manifest.title, ruleset.manifest.languages[0])


def place_of(span: Span) -> str:
    """Return a place as "file:line"."""
    return f"{span.file}:{span.line}"


# ---- sentences


def _shown(margins: Margins) -> dict[str, list[str]]:
    """Return the examples that show a clause, by its address."""
    found: dict[str, list[str]] = defaultdict(list)
    for examples in margins.examples:
        for scenario in examples.form.scenarios if examples.form else ():
            for address in scenario.covers:
                found[address].append(scenario.name)
    return found


def _sources(
    margins: Margins,
    shown: Mapping[str, Sequence[str]],
    texts: Mapping[str, str],
    names: Iterable[str],
) -> tuple[SourceCoverage, ...]:
    # The clauses, remarks and examples that name each sentence.
    said: dict[SentencePlace, list[str]] = defaultdict(list)
    remarks: dict[SentencePlace, list[str]] = defaultdict(list)
    given: dict[SentencePlace, list[str]] = defaultdict(list)
    for each in margins.everything:
        for place in margins.named_by(each):
            (remarks if each.remark else said)[place].append(each.address)
    for example, cite in margins.of_examples():
        for place in margins.places(cite):
            given[place].append(example)
    sources = []
    for name in sorted(names):
        register, words = margins.registers[name], dict[tuple[str, int], str]()
        if name in texts:
            titles = [each.heading for each in register.headings]
            for part in split_source(texts[name], titles):
                for number, text in enumerate(part.sentences, 1):
                    words[part.heading, number] = text
        headings = []
        for heading in register.headings:
            sentences = []
            for number, sentence in enumerate(heading.sentences, 1):
                place = SentencePlace(name, heading.heading, number)
                clauses = tuple(dict.fromkeys(said.get(place, ())))
                own = tuple(dict.fromkeys(given.get(place, ())))
                covered = (example for at in clauses for example in shown.get(at, ()))
                sentences.append(
                    SentenceCoverage(
                        number=number,
                        status=sentence.status,
                        words=words.get((heading.heading, number), ""),
                        clauses=clauses,
                        notes=tuple(dict.fromkeys(remarks.get(place, ()))),
                        examples=tuple(dict.fromkeys((*own, *covered))),
                        given=own,
                    )
                )
            headings.append(
                HeadingCoverage(heading=heading.heading, sentences=tuple(sentences))
            )
        every = [each for heading in headings for each in heading.sentences]
        rules = [each for each in every if each.status == "rule"]
        examples = [each for each in every if each.status == "example"]
        sources.append(
            SourceCoverage(
                name=name,
                title=register.title,
                rules=len(rules),
                said=sum(bool(each.clauses) for each in rules),
                claimed=sum(bool(each.notes and not each.clauses) for each in rules),
                shown=sum(bool(each.examples) for each in rules),
                examples=len(examples),
                given=sum(bool(each.given) for each in examples),
                headings=tuple(headings),
            )
        )
    return tuple(sources)


# ---- conditions


def _conditions(
    ruleset: LoadedRuleset, margins: Margins, programs: Programs
) -> Iterator[ConditionCoverage]:
    """Yield every condition of all tables, with where it was seen to hold or fail."""
    tables = [choice_of(each) for each in few_tables(ruleset, TABLES)]
    seen = {
        "examples": seen_in_examples(margins.examples, programs),
        "games": seen_in_games(tables, programs),
    }
    told: set[str] = set()
    for placed in placed_items(ruleset):
        for clause in placed.clauses:
            if clause.kind != "needs" or clause.address in told:
                continue
            told.add(clause.address)
            answers = {
                key: found.get(clause.address, set()) for key, found in seen.items()
            }
            yield ConditionCoverage(
                address=clause.address,
                place=place_of(clause.span),
                kept=tuple(key for key in KEYS if True in answers[key]),
                broken=tuple(key for key in KEYS if False in answers[key]),
            )


# ---- what is missing


def _of_books(
    margins: Margins, sources: Sequence[SourceCoverage], texts: Mapping[str, str]
) -> Iterator[Hole]:
    """Yield what is missing of rulebooks, and what differs from their texts."""
    for source in sources:
        for heading in source.headings:
            for sentence in heading.sentences:
                name = f'{source.name} "{heading.heading}" {sentence.number}'
                match sentence.status:
                    case None:
                        yield Hole(kind="unread", name=name, says=sentence.words)
                    case "rule" if not sentence.clauses and sentence.notes:
                        says = ", ".join(sentence.notes)
                        yield Hole(kind="claimed", name=name, says=says)
                    case "rule" if not sentence.clauses:
                        yield Hole(kind="unreached", name=name, says=sentence.words)
                    case "example" if not sentence.given:
                        yield Hole(kind="unshown", name=name, says=sentence.words)
                    case _:
                        pass
    for name, text in texts.items():
        (source,) = (each for each in sources if each.name == name)
        said = {
            (heading.heading, each.number): (*each.clauses, *each.notes)
            for heading in source.headings
            for each in heading.sentences
        }
        for change in changed_sentences(margins.registers[name], text):
            clauses = ", ".join(said.get((change.heading, change.number or 0), ()))
            yield Hole(
                kind="suspect",
                name=f'{name} "{change.heading}" {change.number or change.now}',
                says=f"{change.says}{': ' if clauses else ''}{clauses}",
            )
        for doubt in doubtful(text, margins.cites(name)):
            yield Hole(
                kind="doubtful",
                name=cited(doubt.cite),
                place=place_of(doubt.cite.span),
                says=doubt.reason,
            )


def _of_rules(
    ruleset: LoadedRuleset, margins: Margins, conditions: Sequence[ConditionCoverage]
) -> Iterator[Hole]:
    # Citations in examples that no register has; `check` covers those in rules.
    for name, cite in margins.of_examples():
        if not [*margins.places(cite)]:
            place, says = place_of(cite.span), f'cited by "{name}"'
            yield Hole(kind="doubtful", name=cited(cite), place=place, says=says)
    told: set[tuple[str, str]] = set()
    for each in margins.everything if margins.registers else ():
        if not each.notes and (each.address, each.unit) not in told:
            told.add((each.address, each.unit))
            place = place_of(each.span)
            yield Hole(kind="uncited", name=each.address, place=place, says=each.unit)
    for condition in conditions:
        if not condition.kept:
            yield Hole(kind="unkept", name=condition.address, place=condition.place)
        if not condition.broken:
            yield Hole(kind="unbroken", name=condition.address, place=condition.place)
    # Rulings that nothing refers to, and options that two rulings decide.
    used = {
        note.name
        for unit in ruleset.units
        for note in walk(unit)
        if isinstance(note, tree.Ruling)
    }
    by_option: dict[str, list[str]] = defaultdict(list)
    for ruling in ruleset.rulings.values():
        if ruling.id not in used:
            yield Hole(kind="idle_ruling", name=ruling.id, place=place_of(ruling.span))
        if ruling.option:
            by_option[ruling.option].append(ruling.id)
    for option, names in sorted(by_option.items()):
        if len(names) > 1:
            place = place_of(ruleset.rulings[names[0]].span)
            says = ", ".join(names)
            yield Hole(kind="contrary_rulings", name=option, place=place, says=says)
