"""Writes the highlighter and the snippets for editors that read TextMate grammars.

    python tools/editor/write_highlighter.py

The words come from the grammar: each keyword has one scope; a word in none of these
lists is an ordinary one. `tests/syntax/test_highlighter.py` fails if the file is out of
date.
"""

from __future__ import annotations

import json
from pathlib import Path

# Inside: only a highlighter needs the list of keywords.
from houserule.language.syntax.vocabulary import (
    ABOUT,
    BEFORE_OF,
    CLAUSES,
    DECLARATIONS,
    EDITS,
    HEADERS,
    STATEMENTS,
    keywords,
)
from houserule.ui.editor.completion import filled_forms

TARGET = Path(__file__).with_name("houserule.tmLanguage.json")
SNIPPETS = Path(__file__).with_name("snippets.json")

_VALUES = ("yes", "no", "none")
_KINDS = (
    ("keyword.control.header.houserule", HEADERS),
    ("keyword.declaration.houserule", (*ABOUT, *DECLARATIONS, *CLAUSES)),
    ("keyword.edit.houserule", EDITS),
    ("keyword.control.statement.houserule", (*STATEMENTS, "else", "choose")),
)


def highlighter() -> str:
    """Return the highlighter as JSON text."""
    found = {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/"
        "tmlanguage.json",
        "name": "Houserule",
        "scopeName": "source.houserule",
        "fileTypes": ["rules"],
        "patterns": [{"include": f"#{name}"} for name in _rules()],
        "repository": _rules(),
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def snippets() -> str:
    """Return the forms of lines as snippets, as JSON text."""
    opening = {*HEADERS, *ABOUT, *DECLARATIONS, *CLAUSES, *EDITS, *STATEMENTS}
    found = {
        shown: {"prefix": word, "body": body}
        for word, every in sorted(filled_forms().items())
        for shown, body in every
        if word in opening
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _rules() -> dict[str, object]:
    return {
        "appendix": {
            "contentName": "meta.embedded.block.yaml",
            "begin": "^---\\s*$",
            "end": "(?!)",
            "beginCaptures": {"0": {"name": "punctuation.separator.houserule"}},
            "patterns": [{"include": "source.yaml"}],
        },
        "comment": _match("comment.line.number-sign.houserule", "#.*$"),
        "margin": {
            "name": "meta.margin.houserule",
            "begin": "\\[",
            "end": "\\]",
            "patterns": [
                _match("string.quoted.double.citation.houserule", '"[^"\\n]*"'),
                _match("keyword.other.ruling.houserule", _words(["ruling"])),
                _match("constant.numeric.houserule", "\\b[0-9]+\\b"),
            ],
        },
        "caption": _match("string.quoted.double.houserule", '"[^"\\n]*"'),
        "opener": {"patterns": [_opener(name, words) for name, words in _KINDS]},
        "field": _match(
            "variable.other.member.houserule", "(?<=\\.)[A-Za-z][A-Za-z0-9_]*"
        ),
        "value": _match("constant.language.houserule", _words(_VALUES)),
        "word": _match("keyword.other.houserule", _words(sorted(_ordinary()))),
        "before_of": _match(
            "keyword.other.houserule", _words(sorted(BEFORE_OF)) + "(?=\\s+of\\b)"
        ),
        "type": _match("entity.name.type.houserule", "\\b[A-Z][A-Za-z0-9_]*\\b"),
        "number": _match("constant.numeric.houserule", "\\b[0-9]+\\b"),
        "call": _match(
            "entity.name.function.houserule", "\\b[a-z][A-Za-z0-9_]*(?=\\()"
        ),
    }


def _opener(name: str, words: tuple[str, ...]) -> dict[str, object]:
    """Return the rule for opening words of a line or statement, and the name."""
    return {
        "match": f"(?:^\\s*|(?<=[:;])\\s*)({'|'.join(sorted(words))})\\b"
        '(?:\\s+([A-Za-z][A-Za-z0-9_.]*)(?=\\s*[(:"]))?',
        "captures": {
            "1": {"name": name},
            "2": {"name": "entity.name.houserule"},
        },
    }


def _ordinary() -> set[str]:
    return set(keywords()) - set(_VALUES) - set(BEFORE_OF) - {"ruling"}


def _words(words: list[str] | tuple[str, ...]) -> str:
    return f"\\b(?:{'|'.join(words)})\\b"


def _match(name: str, pattern: str) -> dict[str, object]:
    return {"name": name, "match": pattern}


if __name__ == "__main__":
    TARGET.write_text(highlighter(), encoding="utf-8")
    SNIPPETS.write_text(snippets(), encoding="utf-8")
