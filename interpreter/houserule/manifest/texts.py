"""Texts and rulings: words for names, and sentences for what a rulebook leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.diagnostics.wording import did_you_mean
from houserule.manifest.folder import Folder
from houserule.manifest.model import (
    SECTIONS,
    Manifest,
    RulingEntry,
    RulingsFile,
    TextFile,
)
from houserule.manifest.names import Names, addressed
from houserule.manifest.ruleset import LoadedRow, LoadedRuleset, RulingText
from houserule.manifest.yaml.document import Document
from houserule.source import Span
from houserule.syntax.tree import (
    Assert,
    Change,
    Option,
    Recaption,
    Remark,
    Ruling,
    Text,
    Unit,
)
from houserule.syntax.tree.visitor import walk

SLOT = re.compile(r"\{([^{}]*)\}")
WHAT = {
    "titles": "no game, variant, bridge, preset or option",
    "things": "nothing on the table",
    "flow": "no phase or step",
    "actions": "no action",
    "messages": "no action, clause, step, effect, state or value",
    "captions": "no clause",
}


def load_texts(
    folder: Folder,
    manifest: Manifest,
    languages_at: Document,
    names: Names | None,
    tables: Mapping[str, tuple[LoadedRow, ...]],
) -> dict[str, dict[str, str]]:
    """Read the text file of each language; faults are noted in the folder.

    The first language needs none: its captions stand in the rules files.

    Args:
        folder: where the files are.
        manifest: says which languages there are.
        languages_at: the manifest's text, for places.
        names: what may be spoken of; `None` lets every name pass.
        tables: their rows may be spoken of as well.
    """
    texts: dict[str, dict[str, str]] = {}
    if names is not None:
        names.things.update(row.id for table in tables.values() for row in table)
    for number, language in enumerate(manifest.languages):
        file = f"text/{language}.yaml"
        if number == 0 and not folder.has(file):
            continue
        place = languages_at.span("languages", number)
        found = _load_text(folder, file, language, place, names)
        if found is not None:
            texts[language] = found
    return texts


def _load_text(
    folder: Folder, file: str, language: str, place: Span, names: Names | None
) -> dict[str, str] | None:
    read = folder.read_model(file, TextFile, place)
    if read is None:
        return None
    text, document = read
    if text.language != language:
        folder.faults.append(_other_language(document, text.language, language))
    if names is not None:
        folder.faults.extend(_unknown_keys(document, text, names))
    return dict(_flat(text))


def _flat(text: TextFile) -> Iterator[tuple[str, str]]:
    for section in SECTIONS:
        entries: dict[str, str] = getattr(text, section)
        for key, words in entries.items():
            yield (key if section == "captions" else f"{section}/{key}"), words
    for unit, captions in text.changed.items():
        for key, words in captions.items():
            yield f"changed/{unit}/{key}", words
    for note, words in text.notes.items():
        yield f"notes/{note}", words


def _other_language(document: Document, found: str, wanted: str) -> Diagnostic:
    message = f"this file is for `{wanted}`, but it says `{found}`"
    return fault("E032", message, document.span("language"))


def _unknown_keys(
    document: Document, text: TextFile, names: Names
) -> Iterator[Diagnostic]:
    for section in SECTIONS:
        known = names.in_section(section)
        entries: dict[str, str] = getattr(text, section)
        for key, words in entries.items():
            if key not in known:
                yield fault(
                    "E036",
                    f"{WHAT[section]} of this game is called `{key}`",
                    document.key_span(section, key),
                    did_you_mean(key, sorted(known)),
                )
            elif section == "messages":
                span = document.span(section, key)
                yield from _unknown_slots(key, words, span, names)
    yield from _unknown_changes(document, text, names)
    for note in text.notes:
        if note not in names.notes:
            message = "no rules file has a note with these words"
            near = did_you_mean(note, sorted(names.notes))
            yield fault("E036", message, document.key_span("notes", note), near)


def _unknown_changes(
    document: Document, text: TextFile, names: Names
) -> Iterator[Diagnostic]:
    for unit, captions in text.changed.items():
        known = sorted(names.changed.get(unit, ()))
        for key in captions:
            if key not in known:
                message = f"`{unit}` changes no clause called `{key}`"
                place = document.key_span("changed", unit, key)
                yield fault("E036", message, place, did_you_mean(key, known))


def _unknown_slots(
    key: str, words: str, span: Span, names: Names
) -> Iterator[Diagnostic]:
    """Check that a message asks only for names that its subject binds."""
    known = names.slots.get(key.split(".")[0], {"me"})
    for slot in SLOT.findall(words):
        if slot not in known:
            yield fault(
                "E036",
                f"`{key}` has no parameter `{slot}` to put into this message",
                span,
                did_you_mean(slot, sorted(known)),
                details=(f"It has: {', '.join(sorted(known))}.",),
            )


def untranslated(ruleset: LoadedRuleset, language: str) -> list[str]:
    """Return the keys of the captions and notes for which a language has no words.

    Options may have theirs among the titles, phases and steps in the flow, actions
    among the actions.
    """
    texts = ruleset.texts.get(language, {})
    lacking = (
        keys[0]
        for unit in ruleset.units
        for keys in _caption_keys(unit)
        if not any(key in texts for key in keys)
    )
    return sorted(set(lacking))


def _caption_keys(unit: Unit) -> Iterator[tuple[str, ...]]:
    """Yield, for each caption of a unit, the keys that its translation may have."""
    if unit.caption is not None:
        yield (f"titles/{unit.id}",)
    for address, node in addressed(unit):
        if getattr(node, "caption", None) is not None:
            sections = ("titles", "flow", "actions")
            yield address, *(f"{section}/{address}" for section in sections)
    for node in walk(unit):
        match node:
            case Change(target=target, caption=Text()) | Recaption(target=target):
                yield (f"changed/{unit.id}/{target.text}",)
            case Remark(caption=Text(text=text)) | Assert(caption=Text(text=text)):
                yield (f"notes/{text}",)
            case _:
                pass


# ---- rulings


def load_rulings(
    folder: Folder, manifest: Manifest, units: tuple[Unit, ...], *, whole: bool
) -> dict[str, RulingText] | None:
    """Read `rulings.yaml`, if it is there; faults are noted in the folder.

    Args:
        folder: where the file is.
        manifest: says in which language a ruling without one is.
        units: the rules files.
        whole: whether these were read without fault; otherwise it is not checked what
            rulings speak of, and by whom they are used.

    Returns:
        The rulings, or `None` if the file could not be read.
    """
    if not folder.has("rulings.yaml"):
        return {}
    read = folder.read_model("rulings.yaml", RulingsFile)
    if read is None:
        return None
    file, document = read
    if whole:
        folder.faults.extend(_check_rulings(document, file, units))
    return {
        name: _ruling(name, entry, manifest, document.key_span("rulings", name))
        for name, entry in file.rulings.items()
    }


def _ruling(
    name: str, entry: RulingEntry, manifest: Manifest, span: Span
) -> RulingText:
    says = entry.says
    if isinstance(says, str):
        says = {manifest.languages[0]: says}
    return RulingText(name, says, entry.opt or "", span)


def _check_rulings(
    document: Document, file: RulingsFile, units: tuple[Unit, ...]
) -> Iterator[Diagnostic]:
    choices = sorted(_choices(units))
    used = {
        node.name for unit in units for node in walk(unit) if isinstance(node, Ruling)
    }
    for name, entry in file.rulings.items():
        if entry.opt is not None and entry.opt not in choices:
            yield fault(
                "E037",
                f"this ruling speaks of `{entry.opt}`, which is no option or variant",
                document.span("rulings", name, "opt"),
                did_you_mean(entry.opt, choices),
            )
        if name not in used:
            yield fault(
                "W037",
                f"No rule points to the ruling `{name}`.",
                document.key_span("rulings", name),
            )


def _choices(units: Iterable[Unit]) -> Iterator[str]:
    """Yield the names of everything that a table may switch or set."""
    for unit in units:
        if unit.kind == "variant":
            yield unit.id
        yield from (node.name.text for node in walk(unit) if isinstance(node, Option))
