"""The course of play: set-up, the turn in a few lines, and step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from houserule import ir
from houserule.ir import PhaseDef
from houserule.ir.walk import beneath
from houserule.rulebook.book.book_model import (
    BookBlock,
    BookList,
    BookParagraph,
    BookSection,
    BookSentence,
)
from houserule.rulebook.book.chapters import Chapters, sentences_in
from houserule.rulebook.diagram.diagram_model import (
    Arrangement,
    Free,
    Series,
    Single,
    arranged,
    names_of,
)
from houserule.rulebook.meanings.table_in_words import under
from houserule.rulebook.nouns.speech import as_sentence

KINDS = ("cost", "needs", "limit", "asks", "does")
"""The kinds of clauses under an action, an effect or a reaction, in output order."""
SETUP, COURSE, GLANCE = "chapter-setup", "chapter-course", "chapter-glance"
BETWEEN = " · "  # actions in the box
LINES = 9  # of the box
HEAD = 50  # characters of a caption that is a run-in head
MODES = {"at most once of one", "at most once of many", "exactly once of many"} | {
    f"{ir.CLAIM} of one",
    f"{ir.CLAIM} of many",
}
"""The numbers of times and of actions of steps that the book states."""


def setup_of(chapters: Chapters, after: Sequence[BookBlock]) -> BookSection:
    """Return the set-up as a numbered list; `after` shows its result."""
    names = _setup(chapters)
    items: list[BookParagraph] = []
    for name in names:
        for entry in _entries(chapters, [name], chapters.program.root):
            for block in entry.blocks(chapters, SETUP):
                if isinstance(block, BookParagraph | BookList):
                    items += block.items if isinstance(block, BookList) else [block]
    title = chapters.say("setup")
    items = [each for each in map(partial(untitled, title), items) if each.sentences]
    items += scores_of(chapters)
    blocks: list[BookBlock] = []
    if items:
        blocks = [BookList(ordered=len(items) > 1, items=tuple(items))]
    return BookSection(key=SETUP, title=title, blocks=(*blocks, *after))


def untitled(title: str, paragraph: BookParagraph) -> BookParagraph:
    """Return a paragraph without the sentences that only repeat a title."""
    head = as_sentence(title).casefold()
    said = tuple(e for e in paragraph.sentences if e.text.casefold() != head)
    return paragraph.model_copy(update={"sentences": said})


def scores_of(chapters: Chapters) -> Iterator[BookParagraph]:
    """Yield first values: those that decide the game, and random ones."""
    program = chapters.program
    roots = [program.winners]
    roots += (p.until for p in program.phases.values() if p.until is not None)
    nodes = [*beneath(*roots)]
    called = [each.value for each in nodes if isinstance(each, ir.CallValue)]
    nodes += beneath(*(program.values[each].definition for each in called))
    read = {each.state for each in nodes if isinstance(each, ir.ReadCell)}
    for name, state in program.states.items():
        each_has = [getattr(key.type, "sort", "") for key in state.keys] == ["seat"]
        if state.life or name not in chapters.clauses or name in chapters.place:
            continue
        drawn = state.among is not None
        if drawn or (name in read and each_has):
            has_caption = bool(chapters.clauses[name].caption)
            if (drawn or has_caption) and chapters.is_label(name):
                found = chapters.defined(name, SETUP)
            else:
                found = chapters.paragraph([name], SETUP)
            if found is not None:
                yield found.model_copy(update={"lead": ""})


def _setup(chapters: Chapters) -> list[str]:
    """Return the outermost phases and steps before the main play.

    These are the first ones, as long as they have no decisions and run only once.
    """
    program, found = chapters.program, list[str]()
    names = chapters.items(program.root)
    for each in names_of(_order(program.root, names)) if names else ():
        phase = program.phases.get(each)
        if phase is not None and (
            phase.until or phase.source or _acted(chapters, phase)
        ):
            break
        if phase is None and program.steps[each].actions:
            break
        found.append(each)
    return found


def _acted(chapters: Chapters, phase: PhaseDef) -> bool:
    program = chapters.program
    return bool(phase.actions) or any(
        _acted(chapters, program.phases[each])
        if each in program.phases
        else bool(program.steps[each].actions)
        for each in chapters.items(phase)
    )


# ---- the turn


@dataclass
class _TurnPart:
    """A step of the turn, or a phase whose steps belong together.

    `before` are the phases around it that begin with it.
    """

    name: str
    before: list[str] = field(default_factory=list)

    def blocks(self, chapters: Chapters, key: str) -> list[BookBlock]:
        found = [
            said for each in self.before if (said := chapters.paragraph([each], key))
        ]
        return [*found, *_item(chapters, self.name, key)]


def course_of(chapters: Chapters) -> Iterator[BookSection]:
    """Yield the turn in a few lines, then step by step."""
    program = chapters.program
    done = _setup(chapters)
    phase, names = (
        program.root,
        [name for name in chapters.items(program.root) if name not in done],
    )
    around: list[str] = []
    title = ""
    while len(names) == 1 and names[0] in program.phases:
        phase = program.phases[names[0]]
        around.append(phase.name)
        if phase.source is not None and not phase.together:
            title = chapters.say("your turn")
        elif not title:
            title = _title(chapters, phase.name)
        names = [*chapters.items(phase)]
    entries = [*_entries(chapters, names, phase)]
    said = chapters.paragraph(around, COURSE)
    sections: list[BookSection] = []
    lines: list[BookParagraph] = []
    for entry in entries:
        name = entry.name
        blocks = entry.blocks(chapters, name)
        if blocks:
            number = str(len(sections) + 1) if len(entries) > 1 else ""
            section = BookSection(
                key=name,
                number=number,
                title=_title(chapters, name),
                blocks=tuple(blocks),
            )
            bodies = [
                untitled(section.title, each)
                if isinstance(each, BookParagraph) and len(entries) > 1
                else each
                for each in blocks
            ]
            bodies = [
                each
                for each in bodies
                if not isinstance(each, BookParagraph) or each.lead or each.sentences
            ]
            if not bodies:  # the title is all that the texts say
                plain = chapters.prose.exact.plain(name)
                if not plain:
                    chapters.formal.add(name)
                made = (
                    BookSentence(text=each, address=name, made=True)
                    for each in plain or chapters.prose.exact.clause(name)
                )
                bodies = [BookParagraph(sentences=tuple(made))]
            sections.append(section.model_copy(update={"blocks": tuple(bodies)}))
            # A step in the box: its first sentence, then its actions.
            sentences: list[BookSentence] = []
            actions: list[BookParagraph] = []
            for each in section.paragraphs():
                if each.address in chapters.program.actions:
                    actions.append(each)
                    if each.lead != section.title:  # else a list repeats the title
                        continue
                for first in each.sentences[:1]:
                    if sentences or first.address in entry.before:
                        continue
                    begun = program.phases.get(first.address)
                    if first.made and begun is not None and begun.together:
                        continue  # that all act at once; the action is what they do
                    text = sentences_in(first.text)[0]
                    sentences = [first.model_copy(update={"text": text, "address": ""})]
            repeats = [e.text for e in sentences] == [as_sentence(section.title)]
            if len(actions) > 1 or (actions and (repeats or not sentences)):
                named = BETWEEN.join(each.lead.rstrip(".") for each in actions)
                sentences = [BookSentence(text=named)]
            line = BookParagraph(
                lead=section.title, address=section.key, sentences=tuple(sentences)
            )
            lines.append(untitled(section.title, line))
    free = _order(phase, names) if names else None
    after: list[BookBlock] = [
        BookParagraph(sentences=(e,)) for e in _unordered(chapters, free)
    ]
    if len(sections) == 1:
        lines = [each.model_copy(update={"address": COURSE}) for each in lines]
    glance = BookSection(
        key=GLANCE,
        title=title or chapters.say("course"),
        look="box",
        blocks=(
            BookList(ordered=len(lines) > 1, items=tuple(lines[:LINES])),
            *([said] if said is not None else []),
        ),
    )
    yield glance
    whole = chapters.say("step by step", title=title or chapters.say("course"))
    if len(sections) == 1:
        after = [*sections[0].blocks, *after]
        for name in (entries[0].name, *chapters.within(entries[0].name)):
            chapters.place[name] = COURSE
        moved = sections[0].key
        for address, place in chapters.place.items():
            if place == moved:
                chapters.place[address] = COURSE
        sections = []
    yield BookSection(
        key=COURSE, title=whole, blocks=tuple(after), sections=tuple(sections)
    )


def _title(chapters: Chapters, name: str) -> str:
    own = chapters.wording.text("flow", name)
    return chapters.titled(name, own or "")


def _entries(
    chapters: Chapters, names: Sequence[str], phase: PhaseDef
) -> Iterator[_TurnPart]:
    """Yield the steps in order; of phases that only group phases, their items."""
    program = chapters.program
    for name in names_of(_order(phase, names)) if names else ():
        inner = program.phases.get(name)
        items = chapters.items(inner) if inner is not None else ()
        if (
            inner is None
            or inner.source
            or inner.until
            or inner.times
            or inner.actions
            or not any(each in program.phases for each in items)
        ):
            yield _TurnPart(name)
            continue
        before = [name]
        for entry in _entries(chapters, items, inner):
            entry.before = [*before, *entry.before]
            before = []
            yield entry


def _item(chapters: Chapters, name: str, key: str) -> list[BookBlock]:
    """Return a phase or a step with its actions."""
    program = chapters.program
    phase = program.phases.get(name)
    if phase is None:
        # A step; one with a single action is a paragraph with it.
        step = chapters.program.steps[name]
        own = [name, *chapters.within(name, "needs", "or")]
        said = chapters.paragraph(own, key)
        sentences = said.sentences if said is not None else ()
        plain = chapters.prose.written(name) is None
        if plain and step.actions:  # its caption only names what its actions do
            sentences = tuple(each for each in sentences if each.address != name)
        mode = f"{step.mode} of {'one' if len(step.actions) == 1 else 'many'}"
        if plain and mode in MODES:
            how = BookSentence(text=chapters.say(f"act {mode}"), address=name)
            sentences = (*sentences, how)
        marks = chapters.removed(name)
        blocks: list[BookBlock] = []
        named = sorted(
            (each for each in step.actions if each in chapters.clauses),
            key=lambda each: chapters.view.draft.entries[each].rank,
        )
        actions = [b for each in named for b in _action(chapters, each, key)]
        first = actions[0] if len(step.actions) == 1 and actions else None
        if isinstance(first, BookParagraph):
            head = as_sentence(first.lead).casefold()
            both = [
                each
                for each in (*sentences, *first.sentences)
                if each.text.casefold() != head
            ]
            update = {"sentences": tuple(both), "marks": first.marks}
            actions[0] = first.model_copy(update=update)
        elif sentences:
            lead = _title(chapters, name) if key != name and actions else ""
            blocks.append(BookParagraph(lead=lead, sentences=sentences, marks=marks))
        return [*blocks, *actions, *chapters.notes(key, after=[name])]
    said = chapters.paragraph([name], key)
    blocks = [said] if said is not None else []
    for state in chapters.within(name, "state"):
        chapters.place.setdefault(state, key)
    names = chapters.items(phase)
    order = _order(phase, names) if names else None
    blocks += (BookParagraph(sentences=(e,)) for e in _unordered(chapters, order))
    for each in names_of(order) if order is not None else ():
        blocks += _item(chapters, each, key)
    for action in filter(chapters.clauses.__contains__, phase.actions):
        blocks += _action(chapters, action, key)
    return [*blocks, *chapters.notes(key, after=[name, *names])]


def _action(chapters: Chapters, name: str, key: str) -> list[BookBlock]:
    """Return an action with its clauses, and the reactions to it."""
    lead = chapters.wording.text("actions", name) or chapters.prose.caption(name)
    lead = lead or chapters.clauses[name].caption
    if name in chapters.place:  # an action of several steps
        return [BookParagraph(lead=chapters.titled(name, lead), sentences=())]
    found = _with_clauses(chapters, name, key, chapters.titled(name, lead))
    prose = chapters.prose
    if found is not None and prose.written(name) is None:
        chosen = prose.exact.plain(name)  # the choice of a player
        if chosen is None and prose.marks(name):
            prose.unsaid.add(name)
        elif chosen is None and chapters.program.actions[name].params:
            # Readers must know the choice: the last sentence is about it.
            chapters.formal.add(name)
            chosen = prose.exact.clause(name)[-1:]
        made = " ".join(chosen or ())
        one = BookSentence(text=made, address=name, marks=prose.marks(name), made=True)
        own = {"sentences": (one, *found.sentences)} if made else {}
        found = found.model_copy(update=own)
    blocks: list[BookBlock] = [found] if found is not None else []
    usual = [
        prose.caption(each.address)
        for each in chapters.program.actions[name].advice
        if each.usual and prose.written(each.address) != ""
    ]
    if any(usual):
        hint = chapters.say("usual", what="; ".join(filter(None, usual)))
        blocks.append(BookParagraph(sentences=(BookSentence(text=hint),)))
    for each, reaction in chapters.program.reactions.items():
        if reaction.moment != "when" and under(reaction.event, name):
            said = _with_clauses(chapters, each, key, "")
            blocks += [said] if said is not None else []
    return [*blocks, *chapters.notes(key, after=[name])]


def _with_clauses(
    chapters: Chapters, name: str, key: str, lead: str
) -> BookParagraph | None:
    """Return an action, effect or reaction with its clauses as a paragraph."""
    own = [name] if chapters.prose.written(name) is not None or not lead else []
    chapters.place.setdefault(name, key)
    within, clauses = chapters.within(name), chapters.clauses
    # Kind by kind; exceptions directly after their conditions.
    for each in (e for kind in KINDS for e in within if clauses[e].kind == kind):
        lifts = (e for e in within if e.startswith(f"{each}."))
        own += [each, *(e for e in lifts if clauses[e].kind == "or")]
    for each in within:
        chapters.place.setdefault(each, key)
    found = chapters.paragraph(own, key, lead, name)
    if found is not None and found.sentences and found.sentences[-1].text.endswith(":"):
        chapters.prose.unsaid.add(name)  # nothing that follows has a sentence
        found = found.model_copy(update={"sentences": found.sentences[:-1]})
    return found


def happenings_of(chapters: Chapters) -> BookSection:
    """Return what happens without a choice: effects of several clauses, reactions."""
    clauses, view = chapters.clauses, chapters.view
    names = [
        address
        for address, clause in clauses.items()
        if clause.kind in {"effect", "reaction"}
        and address not in chapters.inlined
        and address not in chapters.place
    ]
    names.sort(key=lambda name: view.draft.entries[name].rank)
    key = "chapter-happenings"
    blocks: list[BookBlock] = []
    for name in names:
        caption = chapters.prose.caption(name)
        short = caption is not None and len(caption) <= HEAD
        lead = chapters.titled(name, caption or "") if short else ""
        said = _with_clauses(chapters, name, key, lead)
        if said is not None and said.sentences:
            blocks.append(said)
        blocks += chapters.notes(key, after=[name])
    return BookSection(key=key, title=chapters.say("happenings"), blocks=tuple(blocks))


# ---- order


def _order(phase: PhaseDef, names: Sequence[str]) -> Arrangement:
    """Return items of a phase as series and free parts."""
    before = frozenset(
        (first, name) for name in names for first in phase.before.get(name, ())
    )
    return arranged(names, before)


def _unordered(chapters: Chapters, order: Arrangement | None) -> Iterator[BookSentence]:
    """Yield the sentences about parts that may come in any order."""
    if isinstance(order, Series):
        for place, part in enumerate(order.parts):
            later = order.parts[place + 1 :]
            if isinstance(part, Free):
                yield from _free(chapters, part, later)
            else:
                yield from _unordered(chapters, part)
    elif isinstance(order, Free):
        yield from _free(chapters, order, ())


def _free(
    chapters: Chapters, free: Free, later: Sequence[Arrangement]
) -> Iterator[BookSentence]:
    """Yield which steps may be taken at any time, and which have an order.

    Phases and steps without actions run in a fixed order.
    """
    steps = chapters.program.steps
    opened = {e for e in names_of(free) if e in steps and steps[e].mode is not None}
    chains = [
        each
        for each in free.parts
        if not isinstance(each, Single) and opened & {*names_of(each)}
    ]
    singles = (
        name for e in free.parts if isinstance(e, Single) for name in names_of(e)
    )
    loose = [name for name in singles if name in opened]
    if len(chains) + len(loose) < 2:
        return
    for each in chains:
        titles = [_title(chapters, name) for name in names_of(each)]
        yield BookSentence(
            text=chapters.say("in order", names=str(chapters.wording.several(titles)))
        )
    if loose:
        names = str(chapters.wording.several([_title(chapters, n) for n in loose]))
        if not chains:
            yield BookSentence(text=chapters.say("any order", names=names))
        elif later:
            first = _title(chapters, names_of(later[0])[0])
            said = chapters.say("any time before", names=names, before=first)
            yield BookSentence(text=said)
        else:
            yield BookSentence(text=chapters.say("any time", names=names))
