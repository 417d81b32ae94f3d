"""Meanings of variants, bridges, presets, groups and rulings."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.compiler.choices.offers import offers_of, span
from houserule.compiler.items.items import Placed, items_of
from houserule.compiler.options.scales import shown
from houserule.compiler.tables.presets import preset_of
from houserule.language.manifest.ruleset_models import in_language
from houserule.language.syntax import tree
from houserule.rulebook.meanings.declared import unit_line
from houserule.rulebook.meanings.meaning_model import (
    Meaning,
    MeaningLine,
    MeaningSection,
)
from houserule.rulebook.meanings.table_in_words import TableInWords, caption_of, written


def explain_unit(view: TableInWords, unit: tree.Unit) -> Meaning:
    """Return the meaning of a variant, bridge or preset, with its relations."""
    say, sections = view.words.say, list[MeaningSection]()
    facts: list[str] = []
    offers = offers_of(view.ruleset, view.language)
    if unit.kind == "game":
        facts.append(in_language(view.ruleset.manifest.summary, view.language))
        number = span(*offers.players, view.language)
        facts.append(say("for players", number=number))
    elif unit.kind == "preset":
        # The selections, including those of presets that it extends.
        facts += (r for e in offers.presets if e.id == unit.id for r in e.remarks)
        preset, _ = preset_of(view.ruleset, unit.id)
        names = ", ".join(_titled(view, name) for name in sorted(preset.variants))
        facts.append(say("selects", names=names or say("base")))
        settings = preset.settings.items()
        facts += (f"{name} = {shown(value)}" for name, value in settings)
    else:
        if unit.kind == "bridge":
            names = ", ".join(_titled(view, word.text) for word in unit.names)
            facts.append(say("joins", names=names))
        facts += (a for e in offers.variants if e.id == unit.id for a in e.about())
        sections += _edits_of(view, unit)
    return Meaning(
        name=unit.id,
        kind=unit.kind,
        caption=view.title(unit.id),
        facts=tuple(facts),
        sections=tuple(sections),
        cites=view.cites(unit.notes),
        rulings=view.rulings(unit.notes),
        file=unit.span.file,
        line=unit.span.line,
        language=view.language,
    )


def _titled(view: TableInWords, unit: str) -> str:
    return view.words.say("named", name=unit, caption=view.title(unit))


def _edits_of(view: TableInWords, unit: tree.Unit) -> Iterator[MeaningSection]:
    """Yield the changes of a unit, then its additions, then its other remarks."""
    placed = items_of(unit)
    edits = [
        each
        for each in placed
        if isinstance(each.item, tree.LineEdit | tree.Order)
        and not isinstance(each.item, tree.Assert)
    ]
    yield from view.section("edits", (_edit(view, each) for each in edits))
    added = (
        MeaningLine(
            name=one.address,
            kind=one.kind,
            caption=view.caption(one.address, one.kind, caption_of(one.node)),
            text=_guarded(each, written(one.node)),
            **_margin(view, one.node),
        )
        for each in placed
        if each not in edits
        for one in each.clauses
        if one.kind not in {"member", "slot"} and not isinstance(one.node, tree.Remark)
    )
    yield from view.section("declares", added)
    notes = (e.item.caption.text for e in placed if isinstance(e.item, tree.Remark))
    lines = (MeaningLine(caption=view.note(words)) for words in notes)
    yield from view.section("notes", lines)
    bridges = (
        unit_line(view, each.id, "bridge")
        for each in view.ruleset.units_of("bridge")
        if unit.kind == "variant" and unit.id in each.id.split("+")
    )
    yield from view.section("bridges", bridges)
    presets = (
        unit_line(view, each.id, "preset")
        for each in view.ruleset.units_of("preset")
        if unit.id in preset_of(view.ruleset, each.id)[0].variants
    )
    yield from view.section("presets", presets)


def opening_note(view: TableInWords, unit: tree.Unit) -> str:
    """Return the note at the beginning of a unit, which describes it, or ''."""
    first = next(iter(unit.items), None)
    return view.note(first.caption.text) if isinstance(first, tree.Remark) else ""


def _edit(view: TableInWords, placed: Placed) -> MeaningLine:
    """Return an edit of a unit as a line, with the words before and after."""
    item = placed.item
    if isinstance(item, tree.Order | tree.Release):
        phrase = "in order" if isinstance(item, tree.Order) else "in any order"
        steps = (_before(view, word.text) or word.text for word in item.names)
        text = written(item)
        return MeaningLine(
            kind=text.partition(" ")[0],
            caption=view.words.say(phrase, names="; ".join(steps)),
            text=_guarded(placed, text),
            **_margin(view, item),
        )
    targets = tuple(dict.fromkeys(edit.target for edit in placed.edits))
    name = targets[0] if len(targets) == 1 else ""
    was, caption = _before(view, name) if name else "", caption_of(item)
    text = written(item)
    if isinstance(item, tree.Lift):
        name, was = item.target.text, ""
        text = f"or {name}: {text}"
    if caption:
        by = (placed.origin.unit,) if was else ()
        caption = view.ruleset.caption(name, caption, by, view.language) or caption
    else:
        caption, was = was, ""
    return MeaningLine(
        name=name,
        kind=text.partition(" ")[0],
        caption=caption,
        was=was,
        text=_guarded(placed, text),
        **_margin(view, item),
    )


def _margin(view: TableInWords, node: tree.Node) -> dict[str, tuple[str, ...]]:
    notes: tree.Notes = getattr(node, "notes", ())
    return {"cites": view.cites(notes), "rulings": view.rulings(notes)}


def _guarded(placed: Placed, text: str) -> str:
    """Return source text inside its `with`, if it has one."""
    more = sorted(placed.members - set(placed.origin.unit.split("+")))
    if not more:
        return text
    return "\n".join(
        [f"with {', '.join(more)}:", *(f"  {t}" for t in text.split("\n"))]
    )


def _before(view: TableInWords, address: str) -> str:
    """Return the caption of an address in the unit that declares it."""
    for declaration in view.family.meant_by(address):
        one = declaration.one
        return view.caption(address, one.kind, caption_of(one.node))
    return ""


# ---- groups, rulings and sources


def explain_group(view: TableInWords, name: str) -> Iterator[Meaning]:
    """Yield the meaning of a group of variants, if there is one of this name."""
    for group in offers_of(view.ruleset, view.language).groups:
        if group.id == name:
            yield Meaning(
                name=name, kind="group", facts=(group.about(),), language=view.language
            )


def explain_ruling(view: TableInWords, name: str) -> Iterator[Meaning]:
    """Yield the decision of a ruling and the clauses based on it, if there is one."""
    ruling = view.ruleset.rulings.get(name)
    if ruling is None:
        return
    facts = (
        (view.words.say("decides otherwise", name=ruling.option),)
        if ruling.option
        else ()
    )
    clauses = view.program.clauses.items()
    used = (view.short(a) for a, clause in clauses if name in clause.rulings)
    yield Meaning(
        name=name,
        kind="ruling",
        caption=in_language(ruling.says, view.language),
        facts=facts,
        sections=(*view.section("used", used),),
        file=ruling.span.file,
        line=ruling.span.line,
        language=view.language,
    )


def explain_source(view: TableInWords, name: str) -> Iterator[Meaning]:
    """Yield the source of this name, if any, with its number of citing clauses."""
    source = view.ruleset.manifest.sources.get(name)
    if source is None:
        return
    items = view.ruleset.base.items
    sources = [item for item in items if isinstance(item, tree.SourceText)]
    # A citation without a source refers to the first source of the game.
    first = bool(sources) and sources[0].name.text == name
    starts = (f'{name} "', '"') if first else (f'{name} "',)
    every = view.program.clauses.values()
    number = sum(any(c.startswith(starts) for c in each.cites) for each in every)
    spans = [each.span for each in sources if each.name.text == name]
    yield Meaning(
        name=name,
        kind="source",
        caption=source.title,
        facts=(view.words.say("cited by", number=number),),
        file=spans[0].file if spans else "",
        line=spans[0].line if spans else 0,
        language=view.language,
    )
