"""Colours for rules in programs that use Pygments, such as Sphinx.

The words come from the grammar, as for editors (`tools/editor/write_highlighter.py`).
"""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, using, words
from pygments.lexers.data import YamlLexer
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
)

from houserule.language.syntax.vocabulary import (
    ABOUT,
    CLAUSES,
    DECLARATIONS,
    EDITS,
    HEADERS,
    STATEMENTS,
    keywords,
)

_OPENING = (*HEADERS, *ABOUT, *DECLARATIONS, *CLAUSES, *EDITS, *STATEMENTS)
_NAMED = r"((?:^|(?<=[:;]))[ ]*)(%s)\b([ ]+)([A-Za-z][\w.]*)(?=[ ]*[(:\"])"


class RulesLexer(RegexLexer):
    """Rules with their appendix."""

    name = "Houserule"
    aliases = ("rules", "houserule")
    filenames = ("*.rules",)
    url = ""
    tokens = {
        "root": [
            (r"(^---\n)((?:.*\n?)*)", bygroups(Punctuation, using(YamlLexer))),
            (r"#.*$", Comment.Single),
            (r'"[^"\n]*"', String),
            (r"\[[^\]\n]*\]", Comment.Special),
            (
                _NAMED % "|".join(sorted(_OPENING)),
                bygroups(Text, Keyword.Declaration, Text, Name.Entity),
            ),
            (words(("yes", "no", "none"), r"\b", r"\b"), Keyword.Constant),
            (words(sorted(keywords()), r"\b", r"\b"), Keyword),
            (r"\d+", Number),
            (r"[A-Z]\w*", Name.Class),
            (r"[a-z]\w*(?=\()", Name.Function),
            (r"\w+", Name),
            (r"[-+*/=]|\.\.", Operator),
            (r"[^\w\s]", Punctuation),
            (r"\s+", Text),
        ]
    }
