"""Details of a declaration or a clause: its clauses, its layers, its uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houserule.compiler.choices.offers import offers_of
from houserule.compiler.options.scales import shown
from houserule.compiler.tables.presets import preset_of
from houserule.engine.state.domains import plain
from houserule.ir import ComponentDef
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
    under,
    written,
)

CLAUSE_ORDER = tuple(row.kind for row in CONSTRUCTS.values() if row.owners)


def explain_address(view: TableInWords, address: str) -> Meaning:
    """Return the meaning of an address of the table, with all details."""
    found = view.meaning(address)
    facts = tuple(_facts(view, address, found.kind))
    sections = [*_sections(view, address, found.kind)]
    told = {line.name for section in sections for line in section.lines}

    def untold(lines: Iterable[MeaningLine]) -> Iterator[MeaningLine]:
        return (line for line in lines if line.name not in told)

    lifts = (
        view.line(lift.address)
        for target, some in view.rules.lifts.items()
        if under(target, address)
        for lift in some
    )
    sections += view.section("or", lifts)
    if found.kind == "value":
        needs = view.rules.outer_needs.get(address, ())
        own = (view.line(f"{address}.{each.name.text}") for each in needs)
        sections += view.section("needs", untold(own))
    sections += view.section("reactions", view.reactions(address))
    name, field = address.rpartition(".")[2], found.kind == "field"
    if field or "." not in address:
        sections += view.section("used", untold(view.used(name, field=field)))
    sections += view.section("removed", view.removed(address))
    sections += view.section("elsewhere", untold(view.elsewhere(address)))
    return found.model_copy(update={"facts": facts, "sections": tuple(sections)})


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


def _sections(view: TableInWords, address: str, kind: str) -> Iterator[MeaningSection]:
    rules, section = view.rules, view.section
    inside = view.draft.inside.get(address, ())
    known = view.draft.entries
    entries = [known[each] for each in inside if each in known]
    if kind in ("action", "effect", "reaction", "step"):
        # The clauses by kind; for an action, also the conditions of its step, and of
        # the effects that it pays with.
        own = [each for each in inside if each in rules.clauses]
        own.sort(key=lambda each: view.draft.entries[each].rank)
        action = view.program.actions.get(address)
        more = [each.address for each in action.conditions] if action else []
        for of in CLAUSE_ORDER:
            here = [each for each in own if rules.clauses[each].kind == of]
            if of == "needs":
                here += [each for each in more if each not in here]
            yield from section(of, map(view.line, here))
    if kind == "phase":
        names = [name for name, step in rules.steps.items() if step.phase == address]
        names += [name for name, each in rules.phases.items() if each.phase == address]
        names.sort(key=lambda name: (view.draft.entries[name].rank, name))
        yield from section("inside", map(view.short, names))
    if kind in ("step", "phase"):
        at = (n for n, each in rules.actions.items() if each.at.text == address)
        yield from section("actions", map(view.short, at))
    lines: list[MeaningLine] = []
    if kind == "value" and address in view.program.values:
        for layer in view.program.values[address].layers:
            text = "" if layer.adjusts else view.words.say("no adjusts")
            lines.append(
                MeaningLine(name=layer.name, kind="layer", caption=layer.op, text=text)
            )
            for name, _ in layer.adjusts:
                amount = " / ".join(view.program.clauses[name].text.split("\n"))
                lines.append(view.line(name).model_copy(update={"text": amount}))
        yield from section("layers", lines)
    if kind in ("component", "type"):
        fields = (
            view.short(entry.address, print_node(entry.node.type))
            for entry in entries
            if isinstance(entry.node, tree.Field)
        )
        yield from section("fields", fields)
    if kind == "component" and (rows := rules.rows.get(address)):
        ids = ", ".join(row.id for row in rows)
        yield from section("rows", [MeaningLine(text=ids)])
    if kind in ("type", "dice", "tokens"):
        members = (
            MeaningLine(
                name=(name := entry.address.rpartition(".")[2]),
                kind=entry.kind,
                caption=view.thing(name),
                text=written(entry.node),
                origin=entry.origins[0].unit,
            )
            for entry in entries
            if entry.kind != "field"
        )
        yield from section("slots" if kind == "tokens" else "members", members)
    if kind == "option":
        for unit in view.ruleset.units_of("preset"):
            settings = preset_of(view.ruleset, unit.id)[0].settings
            if address in settings:
                text = shown(settings[address])
                lines.append(unit_line(view, unit.id, "preset", text))
        for placed in view.family.placed:
            for edit in placed.edits:
                match placed.item if edit.target == address else None:
                    case tree.SetDefault(value=value):
                        text = print_expr(value)
                    case tree.Tune(sign=sign, amount=number):
                        text = f"{'+' if sign == 1 else '-'}{print_expr(number)}"
                    case _:
                        continue
                origin = placed.origin
                lines.append(unit_line(view, origin.unit, origin.kind, text))
        yield from section("settings", lines)


def unit_line(view: TableInWords, unit: str, kind: str, text: str = "") -> MeaningLine:
    """Return a variant, bridge or preset as a line, with its title."""
    return MeaningLine(name=unit, kind=kind, caption=view.title(unit), text=text)


def _facts(view: TableInWords, address: str, kind: str) -> Iterator[str]:
    rules, say = view.rules, view.words.say
    if kind == "action":
        node = rules.actions[address]
        at = node.at.text
        # The innermost phase around it that sets the acting seat.
        around = (
            rules.phases[name].node
            for above in (at, *view.family.above(address))
            for name in (above, *view.family.above(above))
            if name in rules.phases
        )
        setting = (
            phase
            for phase in around
            if phase.together
            or (phase.for_whom is not None and phase.for_whom.name.text == "me")
        )
        if (phase := next(setting, None)) is not None:
            yield say("taken together" if phase.together else "taken in turn")
        step = rules.steps.get(at)
        often = f", {say(step.node.mode)}" if step and step.node.mode else ""
        yield say("at step" if step else "at phase", where=_named(view, at)) + often
    if kind in ("step", "phase"):
        placed = rules.steps.get(address) or rules.phases[address]
        if placed.phase:
            yield say("in phase", where=_named(view, placed.phase))
        after = sorted({each.before for each in rules.pairs if each.after == address})
        before = sorted({each.after for each in rules.pairs if each.before == address})
        if after:
            yield say("after", names=", ".join(after))
        if before:
            yield say("before", names=", ".join(before))
    if kind == "option":
        for option in offers_of(view.ruleset, view.language).options:
            if option.id == address:
                yield from option.remarks
        value = _in_words(view, view.table.options[address])
        yield say("at this table", value=value)
    if kind == "component" and (rows := rules.rows.get(address)):
        yield say("so many rows", number=len(rows))


def _named(view: TableInWords, name: str) -> str:
    caption = view.called(name)
    return view.words.say("named", name=name, caption=caption) if caption else name


# ---- members, cards and pieces


def explain_member(view: TableInWords, address: str) -> Meaning:
    """Return the meaning of a member of an enumeration, a die or a place of tokens."""
    entry = view.draft.entries[address]
    name = address.rpartition(".")[2]
    of = _named(view, entry.owner)
    component = view.program.components.get(entry.owner)
    has_fields = component is not None and not component.faces
    fields = _fields_of(view, component, name) if component and has_fields else ()
    return Meaning(
        name=name,
        kind=entry.kind,
        caption=view.thing(name),
        origin=entry.origins[0].unit,
        facts=(view.words.say("part of", name=of),),
        sections=(
            *view.section("fields", fields),
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
            facts = [view.words.say("card of", name=_named(view, kind))]
            origin = view.program.clauses[kind].origin if row is None else ""
            if row is not None:
                for placed in view.placed(here=True):  # who names the row's file
                    match placed.item:
                        case (
                            tree.Component(
                                name=tree.Word(text=of), rows=tree.Text(text=path)
                            )
                            | tree.ExtendRows(
                                target=tree.Word(text=of), rows=tree.Text(text=path)
                            )
                        ) if of == kind and row in view.ruleset.tables.get(path, ()):
                            origin = placed.origin.unit
                            break
                sources = view.ruleset.manifest.sources
                from_ = row.source
                source = sources[from_].title if from_ in sources else from_
                own = (view.thing(f"{kind}.{e}") or e for e in row.attested)
                phrase = "attested in part" if row.attested else "attested"
                phrase = phrase if row.status == "attested" else "reconstructed"
                said = view.words.say(phrase, source=source, fields=", ".join(own))
                facts += [said, row.note] if row.note else [said]
            asked = [(name, False), *((field, True) for field in component.fields)]
            uses: dict[str, MeaningLine] = {}
            for word, field in (*asked, (kind, False)):
                for line in view.used(word, field=field):
                    uses.setdefault(line.name, line)
            yield Meaning(
                name=name,
                kind="row",
                caption=view.thing(name),
                origin=origin,
                facts=tuple(facts),
                sections=(
                    *view.section("fields", _fields_of(view, component, name)),
                    *view.section("used", uses.values()),
                ),
                file=span.file,
                line=span.line,
                language=view.language,
            )


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
    for field, keyed in component.keyed.items():
        given = keyed.rows[number]
        listed = [plain(each, keyed.type, view.program.labels) for each in given]
        caption = view.thing(f"{component.kind.name}.{field}")
        text = _in_words(view, listed)
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
