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
    Hole,
    HoleKind,
    SentenceCoverage,
    SourceCoverage,
)
from houserule.base.diagnostics.wording import counted
from houserule.base.resources import own_text

HEADS: Mapping[HoleKind, str] = {
    "unreached": "Rules of a book that no clause says",
    "unread": "Sentences of which the register does not say what they are",
    "unshown": "Examples of a book that no worked example gives",
    "suspect": "Sentences that differ in the book: clauses that name them are suspect",
    "doubtful": "Margins that name no single sentence of the book",
    "unkept": "Conditions that were never seen to hold, in examples or in random games",
    "unbroken": "Conditions that were never seen to refuse",
    "claimed": "Rules that only a remark names",
    "idle_ruling": "Rulings that no clause points to",
    "contrary_rulings": "Options on which several rulings decide",
    "uncited": "Clauses whose margin names nothing",
}
"""Kinds of gaps, the most serious first."""

PAGE = Path(__file__).parent / "page.html"


def lines_of(coverage: CoveredBooks, only: Iterable[HoleKind] = ()) -> Iterator[str]:
    """Yield a coverage as lines of text: each rulebook's figures, then the gaps.

    Args:
        coverage: the coverage.
        only: the kinds of gaps to list; empty lists all.
    """
    wanted = set(only) or set(HEADS)
    for source in coverage.sources:
        yield f"{source.name}: {source.title}"
        yield from (f"  {line}" for line in numbers_of(source))
    if not coverage.sources:
        yield f"{coverage.title} names no book."
    for kind, head in HEADS.items():
        holes = [hole for hole in coverage.holes if hole.kind == kind]
        if holes and kind in wanted:
            yield ""
            yield f"{head}: {len(holes)}"
            yield from (f"  {_hole(hole)}" for hole in holes)
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


def _hole(hole: Hole) -> str:
    says = f": {hole.says}" if hole.says else ""
    return f"{hole.name}{says}{f'  ({hole.place})' if hole.place else ''}"


# ---- the page


def page_of(coverage: Coverage) -> str:
    """Return a coverage as a self-contained HTML page.

    Readers can filter sentences by what they lack; clauses and examples are linked.
    """
    return Template(own_text(PAGE)).substitute(
        title=escape(coverage.title),
        numbers="".join(
            f"<li><b>{escape(source.title)}</b>: {escape(line)}</li>"
            for source in coverage.sources
            for line in numbers_of(source)
        ),
        holes="".join(_holes_part(coverage)),
        sentences="".join(_sentences_part(coverage)),
        clauses="".join(_clauses_part(coverage)),
        examples="".join(_examples_part(coverage)),
        conditions="".join(_conditions_part(coverage)),
    )


def _holes_part(coverage: Coverage) -> Iterator[str]:
    known = {clause.address for clause in coverage.clauses}
    for kind, head in HEADS.items():
        holes = [hole for hole in coverage.holes if hole.kind == kind]
        if not holes:
            continue
        rows = "".join(
            f"<li>{_link(hole.name, known)}"
            f"{f' <span>{escape(hole.says)}</span>' if hole.says else ''}"
            f"{f' <small>{escape(hole.place)}</small>' if hole.place else ''}</li>"
            for hole in holes
        )
        yield (
            f"<details><summary>{escape(head)} <b>{len(holes)}</b></summary>"
            f"<ul>{rows}</ul></details>"
        )


def _sentences_part(coverage: Coverage) -> Iterator[str]:
    known = {clause.address for clause in coverage.clauses}
    for source in coverage.sources:
        yield f"<h3>{escape(source.title)}</h3>"
        for heading in source.headings:
            rows = "".join(_sentence_row(each, known) for each in heading.sentences)
            yield f"<table><caption>{escape(heading.heading)}</caption>{rows}</table>"


def _sentence_row(sentence: SentenceCoverage, known: set[str]) -> str:
    state = state_of(sentence)
    says = f"<p>{escape(sentence.words)}</p>" if sentence.words else ""
    clauses = ", ".join(_link(each, known) for each in sentence.clauses)
    notes = "; ".join(map(escape, sentence.notes))
    examples = "; ".join(_to_example(each) for each in sentence.examples)
    return (
        f'<tr data-state="{state}"><th scope="row">{sentence.number}</th>'
        f"<td>{escape(sentence.status or 'not read')}</td><td>{says}{clauses}"
        f"{f'<p>{notes}</p>' if notes else ''}</td><td>{examples}</td></tr>"
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


def _clauses_part(coverage: Coverage) -> Iterator[str]:
    seen: set[str] = set()
    for clause in coverage.clauses:
        anchor = "" if clause.address in seen else f' id="{_anchor(clause.address)}"'
        seen.add(clause.address)
        margin = ", ".join((*clause.cites, *(f"ruling {r}" for r in clause.rulings)))
        examples = "; ".join(_to_example(each) for each in clause.examples)
        yield (
            f'<tr{anchor}><th scope="row">{escape(clause.address)}</th>'
            f"<td>{escape(clause.unit)}</td><td>{escape(margin)}</td>"
            f"<td>{examples}</td><td><small>{escape(clause.place)}</small></td></tr>"
        )


def _examples_part(coverage: Coverage) -> Iterator[str]:
    known = {clause.address for clause in coverage.clauses}
    for each in coverage.examples:
        covers = ", ".join(_link(address, known) for address in each.covers)
        yield (
            f'<tr id="{_anchor(each.name, "example")}"><th scope="row">'
            f"{escape(each.name)}</th><td>{covers}</td>"
            f"<td><small>{escape(each.place)}</small></td></tr>"
        )


def _to_example(name: str) -> str:
    return f'<a href="#{_anchor(name, "example")}">{escape(name)}</a>'


def _conditions_part(coverage: Coverage) -> Iterator[str]:
    known = {clause.address for clause in coverage.clauses}
    for each in coverage.conditions:
        kept, broken = ", ".join(each.kept), ", ".join(each.broken)
        yield (
            f'<tr><th scope="row">{_link(each.address, known)}</th>'
            f"<td>{kept or '<b>never</b>'}</td><td>{broken or '<b>never</b>'}</td></tr>"
        )


def _link(name: str, known: set[str]) -> str:
    if name not in known:
        return escape(name)
    return f'<a href="#{_anchor(name)}">{escape(name)}</a>'


def _anchor(name: str, kind: str = "clause") -> str:
    """Return the anchor of a clause or an example on the page."""
    return f"{kind}-" + re.sub(r"[^\w.-]", "-", name)
