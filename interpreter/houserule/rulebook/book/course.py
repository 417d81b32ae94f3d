"""The course of play: set-up, phases and steps in order, and their actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houserule.ir import PhaseDef
from houserule.rulebook.book.book_model import (
    BookBlock,
    BookDrawing,
    BookList,
    BookParagraph,
    BookSection,
    BookSentence,
)
from houserule.rulebook.book.chapters import Chapters
from houserule.rulebook.diagram.diagram_model import (
    Arrangement,
    Free,
    Series,
    Single,
    arranged,
    names_of,
)
from houserule.rulebook.meanings.declared import CLAUSE_ORDER

MANY = "any number"  # a step's prose covers this mode
FIRST, LAST = "cost", "does"
KINDS = (FIRST, *(k for k in CLAUSE_ORDER if k not in {FIRST, LAST, "or"}), LAST)
"""The kinds of clauses under an action, an effect or a reaction, in output order."""


def course_of(chapters: Chapters, drawing: BookDrawing) -> Iterator[BookSection]:
    """Yield the set-up, the course of play, the actions, and other events."""
    program = chapters.program
    starting = [
        name for name in chapters.items(program.root) if _is_setup(chapters, name)
    ]
    later = [name for name in chapters.items(program.root) if name not in starting]
    setup = _Course(chapters, "chapter-setup")
    alone = starting[0] if len(starting) == 1 else ""
    if alone in program.phases:
        beginning = setup.phase(alone)
    else:
        beginning = setup.items_of(starting, program.root)
    yield BookSection(
        key="chapter-setup",
        number="",
        title=chapters.say("setup"),
        blocks=tuple(beginning),
        sections=tuple(setup.sections),
    )
    course = _Course(chapters, "chapter-course")
    blocks = [*course.items_of(later, program.root), drawing]
    yield BookSection(
        key="chapter-course",
        number="",
        title=chapters.say("course"),
        blocks=tuple(blocks),
        sections=tuple(course.sections),
    )
    yield _actions(chapters)
    yield _happenings(chapters)


def _is_setup(chapters: Chapters, name: str) -> bool:
    """Return whether an outermost phase or step comes before the main play.

    This applies to the first ones, as long as they have no decisions and run only once.
    """
    program = chapters.program
    for each in _told_order(program.root, chapters.items(program.root)):
        phase = program.phases.get(each)
        if phase is not None and (
            phase.until or phase.source or _acted(chapters, phase)
        ):
            return False
        if phase is None and program.steps[each].actions:
            return False
        if each == name:
            return True
    return False


def _acted(chapters: Chapters, phase: PhaseDef) -> bool:
    program = chapters.program
    return bool(phase.actions) or any(
        _acted(chapters, program.phases[each])
        if each in program.phases
        else bool(program.steps[each].actions)
        for each in chapters.items(phase)
    )


class _Course:
    """The phases and steps of a chapter; each phase is a section."""

    def __init__(self, chapters: Chapters, key: str) -> None:
        self._chapters, self._key = chapters, key
        self.sections: list[BookSection] = []

    def items_of(self, names: Sequence[str], phase: PhaseDef) -> list[BookBlock]:
        """Return phases and steps as a list in their order."""
        if not names:
            return []
        order = _order(phase, names)
        items = tuple(item for name in names_of(order) for item in self._item(name))
        ordered = isinstance(order, Single) or _in_turn(order)
        blocks: list[BookBlock] = [BookList(ordered=ordered, items=items)]
        if ordered and len(items) > 1:
            one_by_one = BookSentence(text=self._chapters.say("in order"))
            blocks.insert(0, BookParagraph(sentences=(one_by_one,)))
        for free in _free(order):
            said = BookSentence(text=self._apart(free))
            blocks.append(BookParagraph(sentences=(said,)))
        return blocks

    def _apart(self, free: Free) -> str:
        """Return the sentence that some parts may come in any order."""
        chapters = self._chapters
        parts = [self._part(each) for each in free.parts]
        if all(isinstance(each, Single) for each in free.parts):
            return chapters.say("any order", names=str(chapters.wording.several(parts)))
        return chapters.say("apart", parts="; ".join(parts))

    def _part(self, part: Arrangement) -> str:
        """Return the names in a part, in their order."""
        chapters = self._chapters
        names = str(chapters.wording.several([*map(self._title, names_of(part))]))
        if isinstance(part, Single):
            return names
        return chapters.say("in turn" if _in_turn(part) else "as drawn", names=names)

    def _title(self, name: str) -> str:
        return self._chapters.titled("", self._chapters.wording.flow(name))

    def _item(self, name: str) -> Iterator[BookParagraph]:
        """Yield the sentences of a step, or a phase with a link to its section."""
        chapters = self._chapters
        title, key = self._title(name), self._key
        phase = chapters.program.phases.get(name)
        if phase is None:
            yield from self._step(name, key, title)
            return
        only = chapters.items(phase)[0] if len(chapters.items(phase)) == 1 else ""
        if only in chapters.program.steps and not phase.actions:
            said = chapters.paragraph([name], key)
            for each in self._step(only, key, title):
                before = said.sentences if said else ()
                sentences = (*before, *each.sentences)
                yield each.model_copy(update={"sentences": sentences})
            for inner in chapters.within(name):
                chapters.place.setdefault(inner, key)
            return
        self.sections += self._sections(name)
        yield BookParagraph(lead=title, sentences=(), see=(name,))

    def _step(self, name: str, key: str, title: str) -> Iterator[BookParagraph]:
        """Yield a step as a paragraph; nothing if it has no sentences."""
        chapters, step = self._chapters, self._chapters.program.steps[name]
        own = [name, *chapters.within(name, "needs", "or")]
        found = chapters.paragraph(own, key)
        sentences = found.sentences if found else ()
        often = step.mode == MANY and chapters.prose.written(name) is not None
        if step.mode is not None and not often:
            text, marks = chapters.say(f"act {step.mode}"), chapters.prose.marks(name)
            how = BookSentence(text=text, address=name, marks=marks)
            sentences = (*sentences, how)
        see = (*step.actions, *(found.see if found else ()))
        if sentences or see:
            yield BookParagraph(lead=title, sentences=sentences, see=see)

    def phase(self, name: str) -> list[BookBlock]:
        """Return the sentences about a phase, and its phases and steps in order."""
        chapters, phase = self._chapters, self._chapters.program.phases[name]
        key = self._key
        chapters.place[name] = key
        said = chapters.paragraph([name], key)
        blocks: list[BookBlock] = [said] if said is not None else []
        for state in chapters.within(name, "state"):
            chapters.place.setdefault(state, key)
        blocks += self.items_of(chapters.items(phase), phase)
        if phase.actions:
            blocks.append(BookParagraph(sentences=(), see=phase.actions))
        blocks += chapters.notes(key, after=[name, *chapters.items(phase)])
        return blocks

    def _sections(self, name: str) -> list[BookSection]:
        """Return the section of a phase, followed by those of its inner phases."""
        inner = _Course(self._chapters, name)
        section = BookSection(
            key=name,
            number="",
            title=self._title(name),
            address=name,
            marks=self._chapters.prose.marks(name),
            blocks=tuple(inner.phase(name)),
        )
        return [section, *inner.sections]


def _order(phase: PhaseDef, names: Sequence[str]) -> Arrangement:
    """Return items of a phase as series and free parts."""
    before = frozenset(
        (first, name) for name in names for first in phase.before.get(name, ())
    )
    return arranged(names, before)


def _told_order(phase: PhaseDef, names: Sequence[str]) -> tuple[str, ...]:
    """Return items of a phase in output order."""
    return names_of(_order(phase, names)) if names else ()


def _free(order: Arrangement) -> Iterator[Free]:
    """Yield parts whose items may come in any order."""
    if isinstance(order, Free):
        yield order
    elif isinstance(order, Series):
        for part in order.parts:
            yield from _free(part)


def _in_turn(order: Arrangement) -> bool:
    """Return whether phases and steps form a plain sequence."""
    return isinstance(order, Series) and all(
        isinstance(part, Single) for part in order.parts
    )


# ---- actions


def _actions(chapters: Chapters) -> BookSection:
    """Return the chapter of the actions, in the order of the turn."""
    program = chapters.program
    place = {name: number for number, name in enumerate(_in_order(chapters))}
    names = sorted(
        program.actions, key=lambda n: place.get(program.actions[n].at, len(place))
    )
    sections = tuple(
        _with_clauses(chapters, name, chapters.wording.action(name))
        for name in names
        if name in program.clauses
    )
    return BookSection(
        key="chapter-actions",
        number="",
        title=chapters.say("actions"),
        sections=sections,
    )


def _in_order(chapters: Chapters) -> Iterator[str]:
    """Yield phases and steps in order, each phase before its items."""
    phases = chapters.program.phases

    def go_into(phase: PhaseDef) -> Iterator[str]:
        for name in _told_order(phase, chapters.items(phase)):
            yield name
            if name in phases:
                yield from go_into(phases[name])

    yield from go_into(chapters.program.root)


def _happenings(chapters: Chapters) -> BookSection:
    """Return the chapter of automatic consequences of actions and steps."""
    clauses, view = chapters.clauses, chapters.view
    names = [
        address
        for address, clause in clauses.items()
        if clause.kind in {"effect", "reaction"} and address not in chapters.inlined
    ]
    names.sort(key=lambda name: view.draft.entries[name].rank)
    sections = tuple(
        _with_clauses(chapters, name, chapters.prose.caption(name) or "")
        for name in names
    )
    return BookSection(
        key="chapter-happenings",
        number="",
        title=chapters.say("happenings"),
        sections=(*sections, chapters.besides()),
    )


def _with_clauses(chapters: Chapters, name: str, title: str) -> BookSection:
    """Return an action, effect or reaction with its clauses, kind by kind.

    If the texts have prose for the whole, it is one paragraph; otherwise a list.
    """
    own = chapters.within(name)
    prose = chapters.prose
    heading = chapters.titled(name, title)
    chapters.place[name] = name
    lead = chapters.told(name, name)
    if (
        prose.written(name) is None
        and lead
        and lead[0].text.rstrip(".").casefold() == heading.casefold()
    ):
        lead = ()
    if lead and all(prose.written(each) is not None for each in own):
        found = chapters.paragraph([*_in_kinds(chapters, own)], name)
        told, see = (found.sentences, found.see) if found else ((), ())
        removed = chapters.left_out([name])
        sentences = (*lead, *told, *removed)
        blocks: list[BookBlock] = [BookParagraph(sentences=sentences, see=see)]
    else:
        blocks = [BookParagraph(sentences=lead)] if lead else []
        blocks += _listed(chapters, name, own)
    blocks += chapters.notes(name, after=[name])
    return BookSection(
        key=name,
        number="",
        title=heading,
        address=name,
        marks=prose.marks(name),
        blocks=tuple(blocks),
    )


def _in_kinds(chapters: Chapters, own: Sequence[str]) -> Iterator[str]:
    """Yield clauses kind by kind; exceptions directly after their conditions."""
    for kind in KINDS:
        yield from _of_kind(chapters, own, kind)


def _of_kind(chapters: Chapters, own: Sequence[str], kind: str) -> Iterator[str]:
    clauses = chapters.clauses
    for address in own:
        if clauses[address].kind == kind:
            yield address
            yield from (
                each
                for each in own
                if clauses[each].kind == "or" and each.startswith(f"{address}.")
            )


def _listed(chapters: Chapters, name: str, own: Sequence[str]) -> list[BookBlock]:
    """Return clauses as a list, grouped by kind with a lead-in."""
    items = []
    for kind in KINDS:
        addresses = [*_of_kind(chapters, own, kind)]
        if not addresses:
            continue
        found = chapters.paragraph(addresses, name, chapters.say(kind))
        items += [found] if found is not None else []
    for each in own:
        chapters.place.setdefault(each, name)
    removed = chapters.left_out([name])
    if removed:
        items.append(BookParagraph(sentences=tuple(removed)))
    return [BookList(items=tuple(items))] if items else []
