"""Texts: words for names, and sentences for what happens.

`Names` are the declared names of a ruleset: what its texts may speak of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.diagnostics.wording import did_you_mean
from houserule.inflected import slots_of
from houserule.manifest.folder import Folder
from houserule.manifest.model import (
    Forms,
    Manifest,
    Reading,
    TextFile,
)
from houserule.manifest.ruleset import LoadedRow
from houserule.manifest.yaml.document import Document
from houserule.source import Span
from houserule.syntax import tree
from houserule.syntax.tree.constructs import clause_address
from houserule.syntax.tree.visitor import names_bound, walk


@dataclass
class Names:
    """Names by the section of a text file that may give them words.

    `slots` holds, for each action, effect, reaction, state and value, the names that a
    message about it may use in braces, `places` the keys of each zone and place of
    tokens; `readings` the same for every quantity and every clause, for what it is now;
    `changed` the addresses that each unit changes; `notes` the words of all notes;
    `built`, for each action and each clause that asks for a choice or a share, the
    variables that a player decides there; `shared` the clauses that ask for a share.
    """

    titles: set[str] = field(default_factory=set)
    things: set[str] = field(default_factory=set)
    flow: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)
    captions: set[str] = field(default_factory=set)
    slots: dict[str, set[str]] = field(default_factory=dict)
    readings: dict[str, set[str]] = field(default_factory=dict)
    places: dict[str, set[str]] = field(default_factory=dict)
    changed: dict[str, set[str]] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)
    built: dict[str, set[str]] = field(default_factory=dict)
    shared: set[str] = field(default_factory=set)

    @property
    def choices(self) -> set[str]:
        """What is chosen: actions, clauses that ask, and to be done with steps."""
        return self.built.keys() | self.flow

    @property
    def questions(self) -> set[str]:
        """The variables of choices, each behind what is chosen."""
        return {
            f"{chosen}.{name}" for chosen, own in self.built.items() for name in own
        }

    @property
    def answered(self) -> dict[str, set[str]]:
        """The variables of clauses that ask, each with what is decided beside it."""
        return {
            f"{site}.{name}": {"me", *own}
            for site, own in self.built.items()
            if site not in self.actions
            for name in own
        }

    @property
    def messages(self) -> set[str]:
        """What can happen, and so may have a message."""
        moves = {f"{to}.{source}" for to in self.places for source in self.places}
        found = self.captions | self.flow | self.actions | self.slots.keys()
        return found | self.places.keys() | self.answered.keys() | moves

    def known_in(self, message: str) -> set[str]:
        """Return the names that a message may use in braces."""
        if message in self.answered:
            return self.answered[message]
        parts = message.split(".")
        if parts[0] not in self.places:
            return self.slots.get(parts[0], {"me"})
        keys = (self.places.get(part, set()) for part in parts)
        return {"things", "source", "to"}.union(*keys)

    def in_section(self, section: str) -> set[str]:
        """Return the names of a section."""
        found: set[str] = getattr(self, OF_THE_SAME.get(section, section))
        return found


def declared_names(units: Iterable[tree.Unit]) -> Names:
    """Return every name that these units declare, whichever of them are on."""
    names = Names()
    reactions: list[tree.Reaction] = []
    for unit in units:
        names.titles.add(unit.id)
        for address, node in addressed(unit):
            names.captions.add(address)
            _note_choices(address, node, names)
        for node in walk(unit):
            _note(node, unit, names)
            if isinstance(node, tree.Reaction):
                reactions.append(node)
    _let_hooks_know(reactions, names)
    for address in names.captions:
        own = names.slots.get(address.partition(".")[0], {"me"}) | COMPARED
        names.readings.setdefault(address, set(own))
    return names


def _note_choices(address: str, node: tree.Node, names: Names) -> None:
    """Note the variables of an action, or of what a clause asks for."""
    owner = address.partition(".")[0]
    match node:
        case tree.Action():
            names.built.setdefault(owner, set()).update(_slots(node))
        case tree.Cost():
            bound = {word.text for word in names_bound(node)}
            names.built.setdefault(owner, set()).update(bound)
        case _:
            pass
    if isinstance(node, tree.Action | tree.Effect | tree.Reaction | tree.Phase):
        return  # their clauses and steps come for themselves
    for each in walk(node):
        if isinstance(each, tree.Choose | tree.Share):
            asked = {word.text for word in names_bound(each.binder)}
            names.built.setdefault(address, set()).update(asked)
            if isinstance(each, tree.Share):
                names.shared.add(address)


def _let_hooks_know(reactions: list[tree.Reaction], names: Names) -> None:
    """Add the names of what a reaction hangs on, where it has no names of its own.

    What a value was and is stays with the reaction that names it. Some reactions hang
    on each other, so names are handed on until all have come everywhere.
    """
    changes = {
        each.name.text: {word.text for word in (each.old, each.new) if word}
        for each in reactions
    }
    hooks = [each for each in reactions if each.params is None]
    for _ in hooks:
        for hook in hooks:
            event = hook.event.text.partition(".")[0]
            own = (
                names.slots.get(event, set())
                - changes.get(event, {"old", "new"})
                - {"gain"}
            )
            names.slots[hook.name.text] |= own


def addressed(unit: tree.Unit) -> Iterator[tuple[str, tree.Node]]:
    """Yield every node that may bear a caption, with its address."""
    for node in walk(unit):
        match node:
            case tree.Action() | tree.Effect() | tree.Reaction():
                owner = node.name.text
                yield owner, node
                for clause in node.clauses:
                    yield clause_address(owner, clause), clause
            case tree.Phase(name=name) | tree.Step(name=name):
                yield name.parts[-1], node
            case tree.Lift(target=name):
                yield name.text, node
            case tree.Winners():
                yield "winners", node
            case _ if isinstance(node, tree.Clause):
                # others come with their owner
                if not isinstance(node, tree.UsesUp) and "." in node.name.text:
                    yield node.name.text, node
            case _ if hasattr(node, "caption") and hasattr(node, "name"):
                yield node.name.text, node
            case _:
                pass


def _note(node: tree.Node, unit: tree.Unit, names: Names) -> None:
    match node:
        case tree.Option(name=name):
            names.titles.add(name.text)
        case tree.Phase(name=name) | tree.Step(name=name):
            names.flow.add(name.parts[-1])
        case tree.Action() | tree.Effect() | tree.Reaction():
            names.slots.setdefault(node.name.text, {"me"}).update(_slots(node))
            if isinstance(node, tree.Action):
                names.actions.add(node.name.text)
        case tree.Change(target=target) | tree.Recaption(target=target):
            names.changed.setdefault(unit.id, set()).add(target.text)
        case tree.Remark(caption=words):
            names.notes.add(words.text)
        case tree.Assert(caption=tree.Text(text=text)):
            names.notes.add(text)
        case _:
            names.things.update(_things(node))
            for quantity, bound in _quantities(node):
                names.readings.setdefault(quantity, {"value"}).update(bound)
            if isinstance(node, tree.State | tree.Value):
                keys = {word.text for word in names_bound(node)}
                told = {"old", "new", "gain"}
                names.slots.setdefault(node.name.text, told).update(keys)
            if isinstance(node, tree.Zone):
                keys = {word.text for word in names_bound(node)}
                names.places.setdefault(node.name.text, set()).update(keys)
            if isinstance(node, tree.Slot):
                keys = {key.name.text for key in node.keys}
                names.places.setdefault(node.name.text, set()).update(keys)


def _slots(node: tree.Action | tree.Effect | tree.Reaction) -> set[str]:
    """Return the names that an owner binds: its parameters and those of its costs."""
    every = (node, *node.clauses)
    return {word.text for each in every for word in names_bound(each)}


def _things(node: tree.Node) -> Iterator[str]:
    """Yield the names of what lies on the table, or could be pointed at."""
    match node:
        case tree.TypeDecl(name=name, members=members):
            yield from (name.text, *(word.text for word in members))
        case tree.DiceDecl(name=name, members=members):
            yield from (name.text, *(word.text for word in members))
        case tree.ExtendMembers(names=members):
            yield from (word.text for word in members)
        case tree.Component(name=name, each=each, fields=fields):
            yield name.text
            parts = [word for param in each for word in names_bound(param)]
            yield from (f"{name.text}.{word.text}" for word in parts)
            yield from (f"{name.text}.{field.name.text}" for field in fields)
        case tree.ExtendFields(target=name, fields=fields):
            yield from (f"{name.text}.{each.name.text}" for each in fields)
        case tree.Tokens(name=name) | tree.Zone(name=name) | tree.State(name=name):
            yield name.text
        case tree.Value(name=name) | tree.Slot(name=name):
            yield name.text
        case _:
            pass


COMPARED = frozenset({"me", "left", "right"})
ITSELF = "it"


def _quantities(node: tree.Node) -> Iterator[tuple[str, set[str]]]:
    """Yield what can be read and has keys: its name, and the names of its keys.

    The thing that has a field, and the die that shows a face, is called `it`.
    """
    match node:
        case tree.DiceDecl(name=name):
            yield name.text, {ITSELF}
        case tree.Component(name=name, fields=fields):
            columns = [each.name.text for each in fields]
            columns += [word.text for word in names_bound(node)]
            yield from ((f"{name.text}.{column}", {ITSELF}) for column in columns)
        case tree.ExtendFields(target=name, fields=fields):
            yield from ((f"{name.text}.{each.name.text}", {ITSELF}) for each in fields)
        case tree.Slot(name=name, keys=keys):
            yield name.text, {each.name.text for each in keys}
        case tree.Zone(name=name):
            yield name.text, {"things", *(word.text for word in names_bound(node))}
        case tree.State(name=name) | tree.Value(name=name):
            yield name.text, {word.text for word in names_bound(node)}
        case _:
            pass


# ---- texts

OF_THE_SAME = {"also": "actions", "answers": "questions"}
"""Sections that speak of what another one speaks of."""
SECTIONS = (
    "titles",
    "things",
    "flow",
    "actions",
    "also",
    "choices",
    "questions",
    "answers",
    "messages",
    "captions",
)

WHAT = {
    "titles": "no game, variant, bridge, preset or option",
    "things": "nothing on the table",
    "flow": "no phase or step",
    "actions": "no action",
    "also": "no action",
    "choices": "no action, no step, and no clause that asks,",
    "questions": "no variable of a choice",
    "answers": "no variable of a choice",
    "messages": "no action, clause, step, effect, state, value or place",
    "captions": "no clause",
    "readings": "no quantity and no clause",
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
    for note, words in text.notes.items():
        yield f"notes/{note}", words


def by_value(said: Reading) -> dict[str, str]:
    """Return the words of a reading by the value that they are for."""
    return {"other": said} if isinstance(said, str) else said


def _other_language(document: Document, found: str, wanted: str) -> Diagnostic:
    message = f"this file is for `{wanted}`, but it says `{found}`"
    return fault("E032", message, document.span("language"))


def _unknown_keys(
    document: Document, text: TextFile, names: Names
) -> Iterator[Diagnostic]:
    forms = sorted(_forms(text))
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
            elif section in ("messages", "choices", "questions", "answers"):
                span = document.span(section, key)
                own = _slots_known(section, key, names)
                yield from _unknown_slots(key, words, span, own, forms)
    yield from _unknown_readings(document, text, names, forms)
    yield from _unknown_changes(document, text, names)
    for note in text.notes:
        if note not in names.notes:
            message = "no rules file has a note with these words"
            near = did_you_mean(note, sorted(names.notes))
            yield fault("E036", message, document.key_span("notes", note), near)


def _unknown_readings(
    document: Document, text: TextFile, names: Names, forms: list[str]
) -> Iterator[Diagnostic]:
    for key, said in text.readings.items():
        known = names.readings.get(key)
        if known is None:
            place = document.key_span("readings", key)
            message = f"{WHAT['readings']} of this game is called `{key}`"
            yield fault(
                "E036", message, place, did_you_mean(key, sorted(names.readings))
            )
            continue
        for value, words in by_value(said).items():
            inner = () if isinstance(said, str) else (value,)
            span = document.span("readings", key, *inner)
            yield from _unknown_slots(key, words, span, known, forms)


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


def _forms(text: TextFile) -> set[str]:
    """Return the names of the forms that anything in a text file has."""
    blocks = [*text.things.values(), *text.titles.values()]
    return {
        form
        for block in blocks
        if isinstance(block, Forms)
        for form in block.__pydantic_extra__
    }


def _slots_known(section: str, key: str, names: Names) -> set[str]:
    """Return the names that a text may use in braces."""
    match section:
        case "choices":
            return {"me"} | names.built.get(key, set())
        case "questions":
            return {"me"} | names.built[key.rpartition(".")[0]]
        case "answers":
            asking, _, variable = key.rpartition(".")
            return {"me", "count" if asking in names.shared else variable}
        case _:
            return names.known_in(key)


def _unknown_slots(
    key: str, words: str, span: Span, known: set[str], forms: list[str]
) -> Iterator[Diagnostic]:
    """Check that a text asks only for names that its subject binds, and for forms.

    A form is known if anything in the language has it.
    """
    try:
        slots = slots_of(words)
    except ValueError:
        message = f"the message of `{key}` has a brace without the other one"
        yield fault("E036", message, span)
        return
    for slot in slots:
        if slot.name not in known:
            yield fault(
                "E036",
                f"`{key}` has no parameter `{slot.name}` to put into this message",
                span,
                did_you_mean(slot.name, sorted(known)),
                details=(f"It has: {', '.join(sorted(known))}.",),
            )
        if slot.form and slot.form not in forms:
            yield fault(
                "E036",
                f"no name in this file has a form `{slot.form}`",
                span,
                did_you_mean(slot.form, forms),
            )
