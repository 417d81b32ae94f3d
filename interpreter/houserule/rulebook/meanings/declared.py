"""Details of a declaration or a clause: its clauses, its layers, its uses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from houserule.compiler.choices.offers import offers_of
from houserule.compiler.options.scales import shown
from houserule.compiler.tables.presets import preset_of
from houserule.engine.state.domains import plain
from houserule.ir import ComponentDef
from houserule.language.manifest.ruleset import LoadedRow
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import CONSTRUCTS
from houserule.language.syntax.write.expressions import print_expr, print_node
from houserule.rulebook.meanings.meaning_model import (
    Meaning,
    MeaningLine,
    MeaningSection,
)
from houserule.rulebook.meanings.table_in_words import (
    TableInWords,
    payload_text,
    written,
)

CLAUSE_ORDER = tuple(row.kind for row in CONSTRUCTS.values() if row.owners)


def explain_address(view: TableInWords, address: str) -> Meaning:
    """Return the meaning of an address of the table, with all details."""
    found = view.meaning(address)
    facts, sections = FACTS.get(found.kind), SECTIONS.get(found.kind)
    own = tuple(sections(view, address)) if sections else ()
    told = {line.name for section in own for line in section.lines}
    return found.model_copy(
        update={
            "facts": tuple(facts(view, address)) if facts else (),
            "sections": (*own, *_around(view, address, told)),
        }
    )


def explain_part(view: TableInWords, address: str) -> Meaning | None:
    """Return the meaning of a declaration's part, such as `slide.during`."""
    for declaration in view.family.declared.get(address, ()):
        entry = view.draft.entries.get(declaration.one.clause)
        payload = entry.parts.get(declaration.one.word) if entry else None
        if payload is None:
            continue
        text = payload_text(payload)
        whole = view.meaning(declaration.one.clause)
        own = {"name": address, "kind": "part", "caption": "", "text": text}
        fact = view.words.say("part of", name=_named(view, whole.name))
        return whole.model_copy(update={**own, "facts": (fact,)})
    return None


def _around(
    view: TableInWords, address: str, told: Collection[str]
) -> Iterator[MeaningSection]:
    """Yield an address's reactions, uses and removed clauses, without duplicates."""

    def untold(lines: Iterable[MeaningLine]) -> Iterator[MeaningLine]:
        return (line for line in lines if line.name not in told)

    kind = view.rules.clauses[address].kind
    lifts = (
        view.line(lift.address)
        for target, found in view.rules.lifts.items()
        if target == address or target.startswith(f"{address}.")
        for lift in found
    )
    yield from view.section("or", lifts)
    if kind == "value":
        needs = view.rules.outer_needs.get(address, ())
        own = (view.line(f"{address}.{each.name.text}") for each in needs)
        yield from view.section("needs", untold(own))
    yield from view.section("reactions", view.reactions(address))
    name = address.rpartition(".")[2]
    if kind == "field" or "." not in address:
        yield from view.section("used", untold(view.used(name, field=kind == "field")))
    yield from view.section("removed", view.removed(address))
    yield from view.section("elsewhere", untold(view.elsewhere(address)))


# ---- sections of each kind


def _clauses(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    """Yield the clauses of an action, effect, reaction or step, by kind.

    For an action, includes the conditions of its step, and of the effects it pays with.
    """
    stands, inside = view.rules.clauses, view.draft.inside.get(address, ())
    own = [each for each in inside if each in stands]
    own.sort(key=lambda each: view.draft.entries[each].rank)
    action = view.program.actions.get(address)
    more = [each.address for each in action.conditions] if action else []
    for kind in CLAUSE_ORDER:
        here = [each for each in own if stands[each].kind == kind]
        if kind == "needs":
            here += [each for each in more if each not in here]
        yield from view.section(kind, map(view.line, here))


def _step(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    yield from _clauses(view, address)
    yield from _actions_at(view, address)


def _phase(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    rules = view.rules
    names = [name for name, step in rules.steps.items() if step.phase == address]
    names += [name for name, each in rules.phases.items() if each.phase == address]
    names.sort(key=lambda name: (view.draft.entries[name].rank, name))
    yield from view.section("inside", map(view.short, names))
    yield from _actions_at(view, address)


def _actions_at(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    found = (n for n, each in view.rules.actions.items() if each.at.text == address)
    yield from view.section("actions", map(view.short, found))


def _layers(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    """Yield the changes to a value after its definition, in order."""

    def lines() -> Iterator[MeaningLine]:
        value = view.program.values.get(address)
        for layer in value.layers if value else ():
            nothing = "" if layer.adjusts else view.words.say("no adjusts")
            yield MeaningLine(
                name=layer.name, kind="layer", caption=layer.op, text=nothing
            )
            for name, _ in layer.adjusts:
                line = view.line(name)
                amount = " / ".join(view.program.clauses[name].text.split("\n"))
                yield line.model_copy(update={"text": amount})

    yield from view.section("layers", lines())


def _fields(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    """Yield the fields of a component, then its rows."""
    yield from _columns(view, address)
    rows = view.rules.rows.get(address, ())
    ids = ", ".join(row.id for row in rows)
    yield from view.section("rows", [MeaningLine(text=ids)] if rows else [])


def _columns(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    """Yield the fields of a component or an enumeration."""
    fields = (
        view.short(each, print_node(node.type))
        for each in view.draft.inside.get(address, ())
        if isinstance(node := view.draft.entries[each].node, tree.Field)
    )
    yield from view.section("fields", fields)


def _enumeration(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    """Yield the fields of an enumeration, then its members."""
    yield from _columns(view, address)
    yield from _members(view, address)


def _members(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    """Yield the members of an enumeration or of dice, or the places of tokens."""
    about = "slots" if view.rules.clauses[address].kind == "tokens" else "members"
    every = (view.draft.entries[each] for each in view.draft.inside.get(address, ()))
    entries = (each for each in every if each.kind != "field")
    found = (
        MeaningLine(
            name=(name := entry.address.rpartition(".")[2]),
            kind=entry.kind,
            caption=view.thing(name),
            text=written(entry.node),
            origin=entry.origins[0].unit,
        )
        for entry in entries
    )
    yield from view.section(about, found)


def _settings(view: TableInWords, address: str) -> Iterator[MeaningSection]:
    """Yield the presets that set an option, and the variants that edit its default."""

    def lines() -> Iterator[MeaningLine]:
        for each in view.ruleset.units_of("preset"):
            settings = preset_of(view.ruleset, each.id)[0].settings
            if address in settings:
                yield unit_line(view, each.id, "preset", shown(settings[address]))
        for placed in view.family.placed:
            for edit in placed.edits:
                if edit.target == address and isinstance(
                    placed.item, tree.SetDefault | tree.Tune
                ):
                    unit, text = placed.origin.unit, _set_to(placed.item)
                    yield unit_line(view, unit, placed.origin.kind, text)

    yield from view.section("settings", lines())


def unit_line(view: TableInWords, unit: str, kind: str, text: str = "") -> MeaningLine:
    """Return a variant, bridge or preset as a line, with its title."""
    return MeaningLine(name=unit, kind=kind, caption=view.title(unit), text=text)


def _set_to(item: tree.SetDefault | tree.Tune) -> str:
    if isinstance(item, tree.SetDefault):
        return print_expr(item.value)
    return f"{'+' if item.sign == 1 else '-'}{print_expr(item.amount)}"


SECTIONS: Mapping[str, Callable[[TableInWords, str], Iterator[MeaningSection]]] = {
    "action": _clauses,
    "effect": _clauses,
    "reaction": _clauses,
    "step": _step,
    "phase": _phase,
    "value": _layers,
    "component": _fields,
    "type": _enumeration,
    "dice": _members,
    "tokens": _members,
    "option": _settings,
}


# ---- facts of each kind


def _of_action(view: TableInWords, address: str) -> Iterator[str]:
    """Yield who takes an action, and where."""
    say, node = view.words.say, view.rules.actions[address]
    if node.by is not None:
        who = view.called(f"{address}.by") or print_node(node.by)
        yield say("taken by", who=who)
    elif (phase := _acting(view, address)) is not None:
        yield say("taken together" if phase.together else "taken in turn")
    at = node.at.text
    step = view.rules.steps.get(at)
    mode = step.node.mode if step else None
    often = f", {say(mode)}" if mode else ""
    yield say("at step" if step else "at phase", where=_named(view, at)) + often


def _acting(view: TableInWords, address: str) -> tree.Phase | None:
    """Return the innermost phase around an action that sets the acting seat."""
    for above in (view.rules.actions[address].at.text, *view.family.above(address)):
        for name in (above, *view.family.above(above)):
            placed = view.rules.phases.get(name)
            if placed and (
                placed.node.together
                or (
                    placed.node.for_whom is not None
                    and placed.node.for_whom.name.text == "me"
                )
            ):
                return placed.node
    return None


def _of_flow(view: TableInWords, address: str) -> Iterator[str]:
    """Yield the phase of an item, its predecessors and successors."""
    rules, say = view.rules, view.words.say
    placed = rules.steps.get(address) or rules.phases[address]
    if placed.phase:
        yield say("in phase", where=_named(view, placed.phase))
    after = sorted({each.before for each in rules.pairs if each.after == address})
    before = sorted({each.after for each in rules.pairs if each.before == address})
    if after:
        yield say("after", names=", ".join(after))
    if before:
        yield say("before", names=", ".join(before))


def _of_option(view: TableInWords, address: str) -> Iterator[str]:
    """Yield the values of an option, and the table's choice."""
    options = offers_of(view.ruleset, view.language).options
    yield from (fact for each in options if each.id == address for fact in each.remarks)
    value = _in_words(view, view.table.options[address])
    yield view.words.say("at this table", value=value)


def _of_rows(view: TableInWords, address: str) -> Iterator[str]:
    rows = view.rules.rows.get(address, ())
    if rows:
        yield view.words.say("so many rows", number=len(rows))


def _named(view: TableInWords, name: str) -> str:
    caption = view.called(name)
    return view.words.say("named", name=name, caption=caption) if caption else name


FACTS: Mapping[str, Callable[[TableInWords, str], Iterator[str]]] = {
    "action": _of_action,
    "step": _of_flow,
    "phase": _of_flow,
    "option": _of_option,
    "component": _of_rows,
}


# ---- members, cards and pieces


def explain_member(view: TableInWords, address: str) -> Meaning:
    """Return the meaning of a member of an enumeration, a die or a place of tokens."""
    entry = view.draft.entries[address]
    name = address.rpartition(".")[2]
    of = _named(view, entry.owner)
    return Meaning(
        name=name,
        kind=entry.kind,
        caption=view.thing(name),
        origin=entry.origins[0].unit,
        facts=(view.words.say("part of", name=of),),
        sections=(
            *_fields_of_member(view, entry.owner, name),
            *view.section("used", view.used(name)),
        ),
        file=entry.span.file,
        line=entry.span.line,
        language=view.language,
    )


def explain_things(view: TableInWords, name: str) -> Iterator[Meaning]:
    """Yield the meaning of a thing of a component, such as a card, a tile or a cell."""
    for kind, component in view.program.components.items():
        if name in component.labels and f"{kind}.{name}" not in view.draft.entries:
            rows = view.rules.rows.get(kind, ())
            row = next((each for each in rows if each.id == name), None)
            span = row.span if row else view.program.clauses[kind].span
            yield Meaning(
                name=name,
                kind="row",
                caption=view.thing(name),
                origin=_brought_by(view, kind, row),
                facts=(
                    view.words.say("card of", name=_named(view, kind)),
                    *(_attested(view, kind, row) if row else ()),
                ),
                sections=(
                    *view.section("fields", _fields_of(view, component, name)),
                    *view.section("used", _uses_of(view, component, name)),
                ),
                file=span.file,
                line=span.line,
                language=view.language,
            )


def _fields_of_member(
    view: TableInWords, kind: str, name: str
) -> Iterator[MeaningSection]:
    """Yield the values of the fields of an enumeration's member."""
    component = view.program.components.get(kind)
    if component is not None and not component.faces:
        yield from view.section("fields", _fields_of(view, component, name))


def _attested(view: TableInWords, component: str, row: LoadedRow) -> Iterator[str]:
    """Yield the sources and notes of a row."""
    say = view.words.say
    sources = view.ruleset.manifest.sources
    source = sources[row.source].title if row.source in sources else row.source
    fields = (view.thing(f"{component}.{each}") or each for each in row.attested)
    if row.status != "attested":
        yield say("reconstructed")
    elif row.attested:
        yield say("attested in part", source=source, fields=", ".join(fields))
    else:
        yield say("attested", source=source)
    if row.note:
        yield row.note


def _fields_of(
    view: TableInWords, component: ComponentDef, name: str
) -> Iterator[MeaningLine]:
    """Yield the fields of a thing in the order of its component, in words."""
    number = component.labels.index(name)
    for field, (kind, values) in component.fields.items():
        value = plain(values[number], kind, view.program.labels)
        caption = view.thing(f"{component.kind.name}.{field}")
        text = _in_words(view, value)
        yield MeaningLine(name=field, kind="field", caption=caption, text=text)


def _in_words(view: TableInWords, value: object) -> str:
    """Return a plain value in the words of the language."""
    match value:
        case bool():
            return view.words.say("yes" if value else "no")
        case None | []:
            return view.words.say("none")
        case list():
            return ", ".join(_in_words(view, each) for each in value)
        case _:
            return view.thing(str(value)) or str(value)


def _uses_of(
    view: TableInWords, component: ComponentDef, name: str
) -> Iterator[MeaningLine]:
    """Yield the clauses that name a thing, read its fields or refer to its kind."""
    asked = [(name, False), *((field, True) for field in component.fields)]
    lines: dict[str, MeaningLine] = {}
    for word, field in (*asked, (component.kind.name, False)):
        for line in view.used(word, field=field):
            lines.setdefault(line.name, line)
    yield from lines.values()


def _brought_by(view: TableInWords, component: str, row: LoadedRow | None) -> str:
    """Return the unit that names the file of a row, or declares the kind."""
    if row is None:
        return view.program.clauses[component].origin
    for placed in view.placed(here=True):
        match placed.item:
            case tree.Component(name=tree.Word(text=name), rows=tree.Text(text=path)):
                pass
            case tree.ExtendRows(
                target=tree.Word(text=name), rows=tree.Text(text=path)
            ):
                pass
            case _:
                continue
        if name == component and row in view.ruleset.tables.get(path, ()):
            return placed.origin.unit
    return ""
