"""Build the model of a diagram from the composed rules of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from houserule import ir
from houserule.base.algebra.graph import shortest_path, successors
from houserule.base.diagnostics.wording import sentence
from houserule.base.resources import Phrases
from houserule.compiler.compose.compose import drafted
from houserule.compiler.lower.declarations.clauses import cited
from houserule.compiler.merge.draft import Draft
from houserule.compiler.merge.order import closed
from houserule.compiler.rules import ClauseRecord, Rules
from houserule.ir import Program
from houserule.ir.types import Kind, Set, Whole
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.rulebook.diagram.diagram_model import (
    Diagram,
    DiagramAction,
    DiagramEdge,
    DiagramPhase,
    DiagramStep,
    DiagramUnit,
    Hands,
    Item,
    Removed,
    arranged,
    direct,
    in_order,
)
from houserule.rulebook.exact.exact_words import ExactWords


class Captions:
    """The words of composed rules in one language.

    If a translation is missing, the captions of the rules files are used. With `names`,
    the name in the rules follows each of them.
    """

    def __init__(
        self, ruleset: LoadedRuleset, rules: Rules, language: str, names: bool = False
    ) -> None:
        self._names = names
        self._texts = ruleset.texts.get(language, {})
        self._ruleset, self._language = ruleset, language
        self._rules = rules
        self._phrases = Phrases("diagram", language)

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a general phrase with its parts filled in."""
        return self._phrases.say(phrase, **parts)

    def title(self, name: str) -> str:
        """Return the title of the game, a variant or a bridge, '' if it has none."""
        return self._texts.get(f"titles/{name}", "")

    def title_of(self, section: str, name: str) -> str:
        """Return the name of a step, a phase (`flow`) or an action (`actions`)."""
        title = self._texts.get(f"{section}/{name}") or name.replace("_", " ")
        return self._with_name(sentence(title), name)

    def _with_name(self, words: str, name: str) -> str:
        return f"{words} [{name}]" if self._names else words

    def caption_of(self, address: str) -> str:
        """Return the caption of a step or phase, '' if it has none."""
        record = self._rules.clauses[address]
        return self._own_caption(record) or record.caption

    def caption_of_action(self, name: str) -> str:
        record = self._rules.clauses[name]
        title = self._texts.get(f"actions/{name}", "")
        words = self._own_caption(record) or title or record.caption
        return self._with_name(words, name) if words else self.title_of("actions", name)

    def _own_caption(self, record: ClauseRecord) -> str:
        """Return the caption in the language, '' if it is not translated."""
        units = (origin.unit for origin in record.changed_by)
        own, language = record.caption, self._language
        return self._ruleset.caption(record.address, own, units, language)

    def cites(self, record: ClauseRecord) -> tuple[str, ...]:
        """Return the sources of a clause."""
        cites = (note for note in record.notes if isinstance(note, tree.Cite))
        return tuple(cited(note) for note in cites)


# ---- from rules to the model

FLOW = ("phase", "step", "action")


def draw(
    ruleset: LoadedRuleset,
    rules: Rules,
    program: Program,
    language: str,
    phase: str | None = None,
    *,
    names: bool = False,
) -> Diagram:
    """Return the diagram of a table's rules.

    Args:
        rules: its composed rules, without errors.
        program: the same rules as the engines play them.
        language: of captions and titles; those of the rules if translations are
            missing.
        phase: draw only this phase and its contents.
        names: also print the names of phases, steps and actions.

    Raises:
        KeyError: there is no such phase.
    """
    draft, _ = drafted(ruleset, rules.table.variants)
    captions = Captions(ruleset, rules, language, names)
    texts, first = ruleset.texts.get(language, {}), ruleset.manifest.languages[0]
    exact = ExactWords(program, texts, language, first)
    builder = _Builder(rules, program, captions, exact, _changes(draft))
    units = [*ruleset.units_of("variant"), *ruleset.units_of("bridge")]
    on = [
        each for each in units if {n.text for n in each.names} <= rules.table.variants
    ]
    on.sort(key=lambda unit: (unit.kind == "bridge", unit.id))
    return Diagram(
        game=rules.game,
        title=captions.title(rules.game) or rules.title,
        players=rules.table.players,
        language=language,
        units=tuple(
            DiagramUnit(unit.id, unit.kind, captions.title(unit.id) or unit.title)
            for unit in on
        ),
        root=builder.root() if phase is None else builder.phase(phase),
        removed=tuple(
            Removed(
                address,
                entry.kind,
                captions.title_of(
                    "actions" if entry.kind == "action" else "flow", address
                ),
                tuple(by.unit for by in entry.changed_by),
            )
            for address, entry in sorted(draft.gone.items())
            if entry.kind in FLOW
        ),
    )


def _changes(draft: Draft) -> Mapping[str, tuple[str, ...]]:
    """Return the units that edit each phase, step and action, or a clause of it.

    Inserting a step is not an edit of the phase; nor is an order.
    """
    found: dict[str, dict[str, None]] = {}
    every = ((placed, edit) for placed in draft.placed for edit in placed.edits)
    for placed, edit in every:
        unit = placed.origin.unit
        puts_in = isinstance(placed.item, tree.Step | tree.Phase)
        if unit and not puts_in and edit.verb not in {"order", "release", "mute"}:
            found.setdefault(edit.target.partition(".")[0], {})[unit] = None
    return {name: tuple(units) for name, units in found.items()}


class _Builder:
    """Builds phases from the inside out."""

    def __init__(
        self,
        rules: Rules,
        program: Program,
        captions: Captions,
        exact: ExactWords,
        changes: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.rules, self._program = rules, program
        self.captions, self._exact = captions, exact
        self._changes = changes

    def root(self) -> DiagramPhase:
        """Return the game itself, as the outermost phase."""
        return self._whole("", "", (), Hands(), ())

    def phase(self, name: str) -> DiagramPhase:
        node, say = self._program.phases[name], self.captions.say
        caption, words = self.captions.caption_of(name), list[str]()
        match node.source:
            case None:
                pass
            case _ if node.together:
                words.append(say("together"))
            case ir.Const(type=Set(Kind(sort="seat"))):
                words.append(say("each player"))
            case ir.Seats(how=how):
                words.append(say(how))
            case _ if caption:
                pass
            case ir.Const(value=tuple(numbers), type=Set(Whole())):
                words.append(say("times", number=len(numbers)))
            case source:
                words.append(say("each in", set=self._exact.phrase(name, source)))
        words += self._guard(name, node.guard, caption)
        until = "" if node.until is None else self._condition(name, node.until, caption)
        if until and isinstance(node.times, ir.Const):
            times = str(node.times.value)
            words.append(say("until at most", condition=until, times=times))
        elif until:
            words.append(say("until", condition=until))
        return self._whole(name, caption, words, self._hands(name), self._cites(name))

    def _guard(self, name: str, guard: ir.Expr | None, caption: str) -> list[str]:
        """Return when a phase or step takes place, unless its caption does."""
        condition = "" if guard is None else self._condition(name, guard, caption)
        return [self.captions.say("if", condition=condition)] if condition else []

    def _condition(self, name: str, test: ir.Expr, caption: str) -> str:
        return self._exact.condition(name, test, captioned=bool(caption))

    def _whole(
        self,
        name: str,
        caption: str,
        conditions: Sequence[str],
        hands: Hands,
        cites: tuple[str, ...],
    ) -> DiagramPhase:
        rules = self.rules
        every = [n for n, step in rules.steps.items() if step.phase == name]
        every += [n for n, inner in rules.phases.items() if inner.phase == name]
        # Without steps whose last action a house rule removed.
        empty = [
            each
            for each in every
            if each in rules.steps
            and rules.steps[each].node.mode is not None
            and all(node.at.text != each for node in rules.actions.values())
        ]
        # The base as written, then what was added by name.
        clauses = {each: rules.clauses[each] for each in every if each not in empty}
        names = sorted(
            clauses,
            key=lambda each: (
                bool(clauses[each].origin.unit),
                0 if clauses[each].origin.unit else clauses[each].span.line,
                each,
            ),
        )
        items: list[Item] = [
            self._step(each) if each in rules.steps else self.phase(each)
            for each in names
        ]
        inside = frozenset(every)
        pairs = [p for p in self.rules.pairs if {p.before, p.after} <= inside]
        free = [p for p in self.rules.released if {p.before, p.after} <= {*names}]
        once = frozenset(
            edge
            for edge in closed((p.before, p.after) for p in pairs)
            if {*edge} <= {*names}
        )
        before = once - {(p.before, p.after) for p in free}
        # Direct edges with the units that declare them. An edge that no line declares
        # follows from several others, some of them since released or removed; it is
        # attributed to all of their units.
        said: dict[tuple[str, str], set[str]] = {}
        for pair in pairs:
            said.setdefault((pair.before, pair.after), set()).add(pair.origin.unit)
        edges = []
        for first, then in sorted(direct(before)):
            steps = pairwise(shortest_path(successors(said), first, then))
            units = {unit for s in steps if "" not in said[s] for unit in said[s]}
            edges.append(DiagramEdge(first, then, tuple(sorted(units))))
        order = tuple(edges)
        by: dict[tuple[str, str], set[str]] = {}
        for pair in free:
            by.setdefault((pair.before, pair.after), set()).add(pair.origin.unit)
        released = tuple(
            DiagramEdge(*edge, tuple(sorted(by[edge]))) for edge in sorted(by)
        )
        names = in_order(names, once)
        # The released edges that, with the order, imply all others.
        shown = {(edge.before, edge.after) for edge in order}
        former = direct(once)
        direct_first = sorted(released, key=lambda e: (e.before, e.after) not in former)
        drawn = []
        for edge in direct_first:
            if not shortest_path(successors(shown), edge.before, edge.after):
                shown.add((edge.before, edge.after))
                drawn.append(edge)
        places = {name: place for place, name in enumerate(names)}
        drawn.sort(key=lambda edge: (places[edge.before], places[edge.after]))
        return DiagramPhase(
            name=name,
            title=self.captions.title_of("flow", name),
            caption=caption,
            conditions=tuple(conditions),
            actions=self._actions(name),
            items=tuple(sorted(items, key=lambda item: names.index(item.name))),
            arrangement=arranged(names, before) if names else None,
            order=order,
            released=released,
            drawn=tuple(drawn),
            hands=hands,
            cites=cites,
        )

    def _step(self, name: str) -> DiagramStep:
        node, captions = self._program.steps[name], self.captions
        caption = captions.caption_of(name)
        return DiagramStep(
            name=name,
            title=captions.title_of("flow", name),
            caption=caption,
            mode=node.mode or "automatic",
            conditions=tuple(self._guard(name, node.guard, caption)),
            actions=self._actions(name),
            hands=self._hands(name),
            cites=self._cites(name),
        )

    def _actions(self, at: str) -> tuple[DiagramAction, ...]:
        found = []
        for name, node in self.rules.actions.items():
            if not at or node.at.text != at:
                continue
            action = DiagramAction(
                name=name,
                caption=self.captions.caption_of_action(name),
                hands=self._hands(name),
                cites=self._cites(name),
            )
            found.append(action)
        return tuple(found)

    def _hands(self, name: str) -> Hands:
        added = self.rules.clauses[name].origin.unit
        changed = (unit for unit in self._changes.get(name, ()) if unit != added)
        return Hands((added,) if added else (), tuple(changed))

    def _cites(self, name: str) -> tuple[str, ...]:
        return self.captions.cites(self.rules.clauses[name])
