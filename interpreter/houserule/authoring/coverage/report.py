"""Coverage reports for people: lines of text, and an HTML page for editors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from string import Template

from houserule.authoring.coverage.coverage_model import (
    Coverage,
    CoveredBooks,
    HoleKind,
    SentenceCoverage,
    SourceCoverage,
)
from houserule.base.diagnostics.wording import counted
from houserule.base.resources import own_text

HEADS: Mapping[HoleKind, str] = {
    "unreached": "Rules of a book that no clause cites",
    "unread": "Sentences of which the register does not say what they are",
    "unshown": "Examples of a book that no worked example gives",
    "suspect": "Sentences that differ in the book: clauses that name them are suspect",
    "doubtful": "Source notes that do not name a single sentence",
    "unkept": "Conditions that were never seen to hold, in examples or in random games",
    "unbroken": "Conditions that were never seen to refuse",
    "claimed": "Rules that only a remark names",
    "idle_ruling": "Rulings that no clause points to",
    "contrary_rulings": "Options on which several rulings decide",
    "uncited": "Clauses whose source note leads to no sentence",
}
"""Kinds of gaps, the most serious first."""

PAGE = Path(__file__).parent / "page.html"


def lines_of(coverage: CoveredBooks, only: Iterable[HoleKind] = ()) -> Iterator[str]:
    """Yield a coverage as lines of text: each rulebook's figures, then the gaps.

    Args:
        only: the kinds of gaps to list; empty lists all.
    """
    wanted = set(only) or set(HEADS)
    for source in coverage.sources:
        yield f"{source.name}: {source.title}"
        yield from (f"  {line}" for line in numbers_of(source))
    if not coverage.sources:
        yield f"{coverage.title} does not name a book."
    for kind, head in HEADS.items():
        holes = [hole for hole in coverage.holes if hole.kind == kind]
        if holes and kind in wanted:
            yield ""
            yield f"{head}: {len(holes)}"
            for hole in holes:
                says = f": {hole.says}" if hole.says else ""
                place = f"  ({hole.place})" if hole.place else ""
                yield f"  {hole.name}{says}{place}"
    if not any(hole.kind in wanted for hole in coverage.holes):
        yield ""
        yield "Nothing is missing."


def numbers_of(source: SourceCoverage) -> Iterator[str]:
    """Yield a rulebook's figures: a line for its rules, a line for its examples."""
    by_remark = f", {source.claimed} by a remark alone" if source.claimed else ""
    yield (
        f"{counted(source.rules, 'rule')}: {source.said} said by a clause{by_remark}; "
        f"{source.shown} shown by an example"
    )
    if source.examples:
        yield f"{counted(source.examples, 'example')}: {source.given} given"


# ---- the page


def page_of(coverage: Coverage) -> str:
    """Return a coverage as a self-contained HTML page.

    Readers can filter sentences by what they lack; clauses and examples are linked.
    """
    known = {clause.address for clause in coverage.clauses}

    def link(name: str) -> str:
        if name not in known:
            return escape(name)
        return f'<a href="#{_anchor(name)}">{escape(name)}</a>'

    def to_examples(names: Iterable[str]) -> str:
        return "; ".join(
            f'<a href="#{_anchor(name, "example")}">{escape(name)}</a>'
            for name in names
        )

    numbers, holes, sentences = [], [], []
    for source in coverage.sources:
        title = escape(source.title)
        for line in numbers_of(source):
            numbers.append(f"<li><b>{title}</b>: {escape(line)}</li>")
        sentences.append(f"<h3>{title}</h3>")
        for heading in source.headings:
            rows = []
            for each in heading.sentences:
                says = f"<p>{escape(each.words)}</p>" if each.words else ""
                notes = "; ".join(map(escape, each.notes))
                rows.append(
                    f'<tr data-state="{state_of(each)}"><th scope="row">{each.number}'
                    f"</th><td>{escape(each.status or 'not read')}</td>"
                    f"<td>{says}{', '.join(map(link, each.clauses))}"
                    f"{f'<p>{notes}</p>' if notes else ''}</td>"
                    f"<td>{to_examples(each.examples)}</td></tr>"
                )
            caption = f"<caption>{escape(heading.heading)}</caption>"
            sentences.append(f"<table>{caption}{''.join(rows)}</table>")
    for kind, head in HEADS.items():
        found = [hole for hole in coverage.holes if hole.kind == kind]
        if found:
            rows = [
                f"<li>{link(hole.name)}"
                f"{f' <span>{escape(hole.says)}</span>' if hole.says else ''}"
                f"{f' <small>{escape(hole.place)}</small>' if hole.place else ''}</li>"
                for hole in found
            ]
            holes.append(
                f"<details><summary>{escape(head)} <b>{len(found)}</b></summary>"
                f"<ul>{''.join(rows)}</ul></details>"
            )
    clauses, seen = [], set[str]()
    for clause in coverage.clauses:
        anchor = "" if clause.address in seen else f' id="{_anchor(clause.address)}"'
        seen.add(clause.address)
        margin = ", ".join((*clause.cites, *(f"ruling {r}" for r in clause.rulings)))
        clauses.append(
            f'<tr{anchor}><th scope="row">{escape(clause.address)}</th>'
            f"<td>{escape(clause.unit)}</td><td>{escape(margin)}</td>"
            f"<td>{to_examples(clause.examples)}</td>"
            f"<td><small>{escape(clause.place)}</small></td></tr>"
        )
    examples = (
        f'<tr id="{_anchor(each.name, "example")}"><th scope="row">'
        f"{escape(each.name)}</th><td>{', '.join(map(link, each.covers))}</td>"
        f"<td><small>{escape(each.place)}</small></td></tr>"
        for each in coverage.examples
    )
    never = "<b>never</b>"
    conditions = (
        f'<tr><th scope="row">{link(each.address)}</th>'
        f"<td>{', '.join(each.kept) or never}</td>"
        f"<td>{', '.join(each.broken) or never}</td></tr>"
        for each in coverage.conditions
    )
    return Template(own_text(PAGE)).substitute(
        title=escape(coverage.title),
        numbers="".join(numbers),
        holes="".join(holes),
        sentences="".join(sentences),
        clauses="".join(clauses),
        examples="".join(examples),
        conditions="".join(conditions),
    )


def state_of(sentence: SentenceCoverage) -> str:
    """Return what a sentence lacks, in a word; `whole` if nothing."""
    match sentence.status:
        case None:
            return "unread"
        case "rule" if not sentence.clauses:
            return "claimed" if sentence.notes else "unreached"
        case "rule" if not sentence.examples:
            return "unseen"
        case "example" if not sentence.given:
            return "unshown"
        case _:
            return "whole"


def _anchor(name: str, kind: str = "clause") -> str:
    """Return the anchor of a clause or an example on the page."""
    return f"{kind}-" + re.sub(r"[^\w.-]", "-", name)
