"""Texts: words for names, and messages for events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.diagnostics.diagnostic import Diagnostic, MessageCode, fault
from houserule.base.diagnostics.wording import counted, did_you_mean, listed
from houserule.base.inflection import (
    BASE,
    CASES,
    GENDER,
    GENDERS,
    OF_KEY,
    PLACED,
    slots_of,
)
from houserule.base.source import Span
from houserule.language.manifest.appendix import LoadedAppendix
from houserule.language.manifest.folder import Folder
from houserule.language.manifest.messages import E032
from houserule.language.manifest.ruleset_models import (
    Forms,
    LanguageTexts,
    Manifest,
    Reading,
    TextFile,
)
from houserule.language.manifest.yaml.document import Document

if TYPE_CHECKING:
    from houserule.language.manifest.declared_names import Names

NUMBER = re.compile(r"n[1-9]\d*")  # `{n1}`: the first number in a rule
PlacedTexts: TypeAlias = tuple[LanguageTexts, Document]
SECTIONS = (
    "titles",
    "things",
    "members",
    "flow",
    "actions",
    "also",
    "choices",
    "questions",
    "answers",
    "messages",
    "names",
    "captions",
    "prose",
)

WITH_SLOTS = frozenset(
    {"members", "messages", "choices", "questions", "answers", "prose"}
)

WHAT = {
    "titles": "no game, variant, bridge, preset or option",
    "things": "nothing on the table",
    "members": "no component and no enumeration with fields",
    "flow": "no phase or step",
    "actions": "no action",
    "also": "no action",
    "choices": "no action, no step, and no clause that asks,",
    "questions": "no variable of a choice",
    "answers": "no variable of a choice",
    "messages": "no action, clause, step, effect, state, value or place",
    "names": "nothing on the table and no variable",
    "captions": "no clause",
    "prose": "no clause",
    "readings": "no quantity and no clause",
}


def load_texts(
    folder: Folder,
    manifest: Manifest,
    languages_at: Document,
    names: Names | None,
    appendices: Iterable[LoadedAppendix],
) -> dict[str, dict[str, str]]:
    """Read the texts of each language; record errors in the folder.

    Each language has a file, and appendices add to it. The first language needs no
    file: its captions are in the rules files.

    Args:
        languages_at: the manifest's text, for places.
        names: the names that texts may use; `None` accepts every name.
    """
    wordings: dict[str, list[PlacedTexts]] = {}
    for number, language in enumerate(manifest.languages):
        own = wordings.setdefault(language, [])
        file = f"text/{language}.yaml"
        if number == 0 and not folder.has(file):
            continue
        place = languages_at.span("languages", number)
        if not folder.has(file):
            folder.missing(file, place, language)
            continue
        read = folder.read_model(file, TextFile, place)
        if read is None:
            continue
        said, document = read[0].language, read[1]
        if said != language:
            message = f"this file is for `{language}`, but it says `{said}`"
            folder.faults.append(fault(E032, message, document.span("language")))
        own.append(read)
    for each in appendices:
        for language, wording in each.said.texts.items() if each.said else ():
            if language in wordings:
                document = each.document.inside("texts", language)
                wordings[language].append((wording, document))
                continue
            message = (
                f"this game has no words in `{language}`, only in {', '.join(wordings)}"
            )
            folder.faults.append(
                fault(E036, message, each.document.key_span("texts", language))
            )
    # All texts of one language; if a text is given twice, the first counts.
    joined: dict[str, dict[str, str]] = {}
    for language, placed in wordings.items():
        forms = sorted(
            {
                form
                for text, _ in placed
                for section in (text.things, text.members, text.titles, text.names)
                for words in section.values()
                if isinstance(words, Forms)
                for form in words.__pydantic_extra__
            }
        )
        for text, document in placed:
            known = joined.setdefault(language, {})
            if names is not None:
                folder.faults.extend(_unknown_keys(document, text, names, forms))
            for key, entry in _flat(text):
                if key in known:
                    section, _, name = key.rpartition("/")
                    name, _, _ = name.partition(":")
                    message = f"the game has words for `{name}` already"
                    path = *(section or "captions").split("/"), name
                    place = document.key_span(*path)
                    folder.faults.append(fault(E036, message, place))
                known.setdefault(key, entry)
    return joined


E036 = MessageCode("E036", "text for unknown name")
"""A text file has words for something that the game does not have.

**Why.** Such words would never be shown, and the intended name would have none.

**For example**

```text
actions:
  thow: Throw the die      # `throw`
```

In a sentence about a rule, `{n1}` is the first number in that rule. If the rule has
changed and has no such number now, change the sentence too.

**Fix.** Use the nearest name.
"""


def _flat(text: LanguageTexts) -> Iterator[tuple[str, str]]:
    for section in SECTIONS:
        entries: dict[str, str | Forms] = getattr(text, section)
        for key, words in entries.items():
            name = key if section == "captions" else f"{section}/{key}"
            if isinstance(words, str):
                yield name, words
                continue
            yield name, words.words
            for form, inflected in words.__pydantic_extra__.items():
                yield f"{name}:{form}", inflected
    for key, said in text.readings.items():
        for value, words in by_value(said).items():
            yield f"readings/{key}/{value}", words
    for unit, captions in text.changed.items():
        for key, words in captions.items():
            yield f"changed/{unit}/{key}", words
    for unit, sentences in text.changed_prose.items():
        for key, words in sentences.items():
            yield f"changed_prose/{unit}/{key}", words
    for note, words in text.notes.items():
        yield f"notes/{note}", words


def by_value(said: Reading) -> dict[str, str]:
    """Return the words of a reading by value."""
    return {"other": said} if isinstance(said, str) else said


def _unknown_keys(
    document: Document, text: LanguageTexts, names: Names, forms: list[str]
) -> Iterator[Diagnostic]:
    for section in SECTIONS:
        known = names.in_section(section)
        entries: dict[str, str | Forms] = getattr(text, section)
        for key, words in entries.items():
            named = section in ("things", "names") and any(
                pattern.fullmatch(key) for pattern in names.called
            )
            if key not in known and not named:
                yield fault(
                    E036,
                    f"{WHAT[section]} of this game is called `{key}`",
                    document.key_span(section, key),
                    did_you_mean(key, sorted(known)),
                )
            elif isinstance(words, Forms) and section == "members":
                for form, said in (
                    (BASE, words.words),
                    *words.__pydantic_extra__.items(),
                ):
                    place = document.span(section, key, form)
                    yield from _unknown_slots(
                        document, key, said, place, names.members[key], forms
                    )
            elif isinstance(words, Forms):
                yield from _unknown_grammar(document, section, key, words, names, forms)
            elif section in WITH_SLOTS:
                span = document.span(section, key)
                own = _slots_known(section, key, names)
                yield from _unknown_slots(document, key, words, span, own, forms)
    for key, reading in text.readings.items():
        slots = names.readings.get(key)
        if slots is None:
            place = document.key_span("readings", key)
            message = f"{WHAT['readings']} of this game is called `{key}`"
            yield fault(E036, message, place, did_you_mean(key, sorted(names.readings)))
            continue
        for value, said in by_value(reading).items():
            inner = () if isinstance(reading, str) else (value,)
            span = document.span("readings", key, *inner)
            yield from _unknown_slots(document, key, said, span, slots, forms)
    for section in ("changed", "changed_prose"):
        changes: dict[str, dict[str, str]] = getattr(text, section)
        for unit, sentences in changes.items():
            prose = section == "changed_prose"
            changed = names.prose_of(unit) if prose else names.changed.get(unit, ())
            clauses = sorted(changed)
            for key, said in sentences.items():
                if key not in clauses:
                    message = f"`{unit}` changes no clause called `{key}`"
                    place = document.key_span(section, unit, key)
                    yield fault(E036, message, place, did_you_mean(key, clauses))
                elif prose:
                    span = document.span(section, unit, key)
                    slots = names.put_in_prose(key)
                    yield from _unknown_slots(document, key, said, span, slots, [])
    for note in text.notes:
        if note not in names.notes:
            message = "no rules file has a note with these words"
            near = did_you_mean(note, sorted(names.notes))
            yield fault(E036, message, document.key_span("notes", note), near)


def _unknown_grammar(
    document: Document,
    section: str,
    key: str,
    words: Forms,
    names: Names,
    forms: list[str],
) -> Iterator[Diagnostic]:
    """Check the gender of a name, and the keys in its forms with a preposition."""
    for form, said in words.__pydantic_extra__.items():
        span = document.span(section, key, form)
        if form == GENDER and said not in GENDERS:
            message = f"`{said}` is not a gender"
            details = (f"There are {', '.join(GENDERS)}.",)
            yield fault(E036, message, span, details=details)
        elif form in PLACED or form.startswith(OF_KEY):
            known = names.readings.get(key, set()) - {"value", "things"}
            yield from _unknown_slots(document, key, said, span, known, forms)
            name = form.removeprefix(OF_KEY)
            if form not in PLACED and name not in known:
                message = f"`{key}` has no key `{name}` for the form `{form}`"
                near = did_you_mean(name, sorted(known))
                yield fault(E036, message, span, near)


def _slots_known(section: str, key: str, names: Names) -> set[str]:
    """Return the names that a text may use in braces."""
    match section:
        case "choices":
            return {"me"} | names.built.get(key, set())
        case "questions":
            return {"me"} | names.built[key.rpartition(".")[0]]
        case "prose":
            return names.put_in_prose(key)
        case "members":
            return names.members[key]
        case "answers":
            asking, _, variable = key.rpartition(".")
            return {"me", "count" if asking in names.shared else variable}
        case _:
            return names.known_in(key)


def _unknown_slots(
    document: Document,
    key: str,
    words: str,
    span: Span,
    known: set[str],
    forms: list[str],
) -> Iterator[Diagnostic]:
    """Check that a text uses only names that its subject binds, and known forms.

    A form is known if anything in the language has it.
    """
    try:
        slots = slots_of(words)
    except ValueError:
        message = f"the message of `{key}` has a brace without the other one"
        yield fault(E036, message, span)
        return
    for slot in slots:
        if slot.name not in known:
            names = listed(f"`{each}`" for each in sorted(known))
            message = f"`{key}` has no parameter `{slot.name}` to put into this message"
            if NUMBER.fullmatch(slot.name):
                many = sum(map(bool, map(NUMBER.fullmatch, known)))
                numbers = counted(many, "number") if many else "no number"
                message = f"the rule of `{key}` has {numbers}, so there is no "
                message += f"`{slot.name}`"
            yield fault(
                E036,
                message,
                document.place_in(span, rf"\{{({re.escape(slot.name)})\b"),
                did_you_mean(slot.name, sorted(known)),
                details=(f"It has {names}.",),
            )
        if slot.form and slot.form not in forms and slot.form not in CASES:
            yield fault(
                E036,
                f"no name in this file has a form `{slot.form}`",
                span,
                did_you_mean(slot.form, forms),
            )
