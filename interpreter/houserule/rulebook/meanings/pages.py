"""The documentation of message codes, words of the language, and topics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from math import log
from posixpath import normpath

from houserule.base.diagnostics.wording import nearest_few
from houserule.base.frozen import frozen
from houserule.base.resources import data_root, own_text
from houserule.language.syntax.vocabulary import keywords
from houserule.rulebook.meanings.meaning_model import PageMeaning

MESSAGES = "docs/diagnostics"
LANGUAGE = "docs/language/"
GLOSSARY = "docs/glossary.md"
BUILT_IN = "Built-in names"
NO_TOPICS = frozenset({"index", "README"})
NO_FOLDERS = frozenset({"diagnostics", "decisions"})
NO_CONSTRUCTS = ("semantics.md", "random.md")  # the other pages about the language
NO_SECTIONS = frozenset({"See also", "Messages"})  # lists of links
IDLE = frozenset(
    re.findall(
        r"\w+",
        "a an the of to for from in into on at by back do does how is are be can may "
        "my me per with i you it that this what which who when if and or only make "
        "mean n happens give choose play see so than there others",
    )
)
DIGITS = dict(
    zip("123456", ("one", "two", "three", "four", "five", "six"), strict=True)
)
INDEX = re.compile(r"^\| ([\w :,-]+) \| (\[.+) \|$", re.MULTILINE)  # terms and links
MOST = 3  # sections whose forms contain a word, if no section is about it

_HEADING = re.compile(r"(#{1,4}) (.+)")
_FENCE = re.compile(r"^```(\w+).*$", re.MULTILINE)
_FORM = re.compile(r"^```syntax.*?\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")
_ENDING = re.compile(
    r"((?<=\w\w([bdgmnprt]))\2(ed|ing)|(?<=\w{4})(ion|ing|ies|ed|es|y)|(?<=\w{3})s)$",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[(.+?)\]\((.+?)\)")
_LISTED = re.compile(r"^\| \[(\w+)\]\(\w+\.md\) \| (.+) \|$", re.MULTILINE)


def codes() -> dict[str, str]:
    """Return the title of every code of messages, by code.

    Example:
        >>> houserule.codes()["F08"]
        'division by zero'
    """
    return dict(_LISTED.findall(own_text(data_root() / MESSAGES / "index.md")))


def explain(name: str) -> PageMeaning:
    """Return the documentation of a code, a word of the language or a topic.

    Args:
        name: such as "E201" (`codes` lists them), "together" or "scenarios", in any
            case. A topic is a page, a heading of one, or a word of the glossary.

    Raises:
        LookupError: the pages do not explain it; the message suggests similar names.
        FileNotFoundError: the package was installed without its pages.

    Example:
        >>> print(str(houserule.explain("w301")).splitlines()[0])
        # W301: warning about this table
        >>> houserule.explain("together").places
        ('docs/language/flow.md#phase',)
    """
    found = pages_about(name)
    if not found:
        near = nearest_few(name, names_on_pages(), cutoff=0.25)
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        raise LookupError(f"There is no page about `{name}`.{hint}")
    return found[0]


def pages_about(name: str) -> tuple[PageMeaning, ...]:
    """Return everything about a name in the pages: as a code, a word, a topic."""
    asked, code = _plain(name), name.upper()
    found = [_word(asked), _topic(asked)]
    title, place = codes().get(code), f"{MESSAGES}/{code}.md"
    if title is not None:
        own = {"name": code, "title": title, "places": (place,)}
        page = _shown(own_text(data_root() / place))
        found.insert(0, PageMeaning(**own, kind="code", page=page))
    return tuple(each for each in found if each is not None)


def names_on_pages() -> list[str]:
    """Return everything that the pages explain."""
    topics = (_bare(each.heading) for each in _sections())
    return [
        *codes(),
        *sorted(keywords()),
        *_built_in(),
        *_pages(),
        *_glossary(),
        *topics,
    ]


def search(words: str, most: int = 8) -> list[tuple[str, str]]:
    """Find sections and messages about some words, the best first.

    Args:
        words: such as "extra turn". Endings do not count: each word matches the words
            that begin with its stem. Small numbers may be digits.
        most: how many to return.

    Returns:
        Titles with their places: first those that the subject index names. If
        nothing mentions all words, those that mention most of them, at least half.

    Example:
        >>> houserule.search("extra turn")[1]
        ('Give an extra turn', 'docs/i-want.md#give-an-extra-turn')
    """
    stems = [_ENDING.sub("", each) for each in _telling(words)]
    wanted = [
        re.compile(rf"\b(?:{each}|{DIGITS.get(each, each)})", re.I) for each in stems
    ]
    sections = _sections()
    rare: dict[re.Pattern[str], float] = {}  # a word of few sections says more
    for word in wanted:
        number = sum(bool(word.search(each.own)) for each in sections)
        rare[word] = log(1 + len(sections) / (1 + number)) ** 1.5
    found: dict[str, tuple[float, str]] = {}  # by place: how well it fits, the title

    def note(title: str, place: str, text: str, more: float) -> None:
        matched = [each for each in wanted if each.search(text)]
        if matched and 2 * len(matched) >= len(wanted):
            fits = sum(rare[each] for each in matched) + more
            found[place] = max(found.get(place, (fits, title)), (fits, title))

    def heads(title: str) -> float:
        return 2 * sum(rare[each] for each in wanted if each.search(title))

    for term, title, place in _index():
        known = sum(bool(word.search(term)) for word in wanted) >= len(_telling(term))
        exact = term == _plain(words)
        note(title, place, term, 1000 * exact + 3 * heads(term) * known)
    for each in sections:
        times = sum(len(word.findall(each.own)) for word in wanted)
        note(each.heading, each.place, each.own, heads(each.heading) + times / 100)
    for code, title in codes().items():
        note(title, f"{MESSAGES}/{code}.md", title, heads(title))
    best = sorted(found.items(), key=lambda each: each[1][0], reverse=True)
    return [(_bare(title), place) for place, (_, title) in best[:most]]


def indexed(name: str) -> list[tuple[str, str]]:
    """Return titles and places of a term in the subject index."""
    found = ((title, at) for term, title, at in _index() if term == _plain(name))
    return list(dict.fromkeys(found))


def _index() -> Iterator[tuple[str, str, str]]:
    """Yield the terms of the subject index, each with a title and its place."""
    for terms, links in INDEX.findall(_pages()["subject-index"]):
        for title, link in _LINK.findall(links):
            for term in terms.lower().split(", "):
                yield term, title, normpath(f"docs/{link}")


def _telling(words: str) -> list[str]:
    """Return the words of a search without articles and the like."""
    return [each for each in re.findall(r"\w+", words) if each.lower() not in IDLE]


# ---- sections of the pages


@frozen
class _Section:
    """A heading of a page with all text below it.

    Attributes:
        text: all of it, with deeper headings.
        own: up to the next heading.
    """

    page: str
    heading: str
    text: str
    own: str

    @property
    def place(self) -> str:
        """The page and the anchor of the heading."""
        kept = re.sub(r"[^\w\s-]", "", self.heading.lower())
        return f"{self.page}#{kept.replace(' ', '-')}"

    @property
    def about(self) -> set[str]:
        """The words of the language that the heading names."""
        return {name for code in _CODE.findall(self.heading) for name in code.split()}

    @property
    def forms(self) -> list[str]:
        return [row for form in _FORM.findall(self.own) for row in form.splitlines()]


@cache
def _files() -> Mapping[str, str]:
    """Return the path of every page that is a topic, by name."""
    root = data_root()
    files = (
        each.relative_to(root) for each in sorted((root / "docs").rglob("[!.]*.md"))
    )
    return {
        each.stem: each.as_posix()
        for each in files
        if each.stem not in NO_TOPICS and each.parent.name not in NO_FOLDERS
    }


@cache
def _pages() -> Mapping[str, str]:
    """Return the text of every page that is a topic, by name."""
    return {name: own_text(data_root() / path) for name, path in _files().items()}


@cache
def _sections() -> tuple[_Section, ...]:
    """Return the sections below the titles of all pages that are topics."""
    found = []
    for page, text in _pages().items():
        rows, fenced = text.splitlines(), False
        heads: list[tuple[int, int, str]] = []  # line number, level, words
        for number, row in enumerate(rows):
            fenced ^= row.startswith("```")
            if not fenced and (head := _HEADING.fullmatch(row)):
                heads.append((number, len(head[1]), head[2]))
        for place, (first, level, heading) in enumerate(heads):
            whole = level == 1 and not _files()[page].startswith(LANGUAGE)
            if whole or heading in NO_SECTIONS:
                continue
            after = heads[place + 1 :]
            ends = [row for row, other, _ in after if other <= level] + [len(rows)]
            own = [row for row, _, _ in after] + [len(rows)]
            texts = ("\n".join(rows[first : last[0]]).rstrip() for last in (ends, own))
            both = (f"{each}\n" for each in texts)
            found.append(_Section(_files()[page], heading, *both))
    return tuple(found)


# ---- words of the language


def _word(name: str) -> PageMeaning | None:
    """Return the reference of a word, or of words that belong together."""
    if not set(name.split()) <= keywords():
        return _built_in().get(name)
    of_reference = [
        each
        for each in _sections()
        if each.page.startswith(LANGUAGE) and not each.page.endswith(NO_CONSTRUCTS)
    ]
    word = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.])")
    whole = [each for each in of_reference if set(name.split()) <= each.about]
    in_forms = [each for each in of_reference if any(map(word.search, each.forms))]
    in_forms.sort(key=lambda each: not [*_paragraphs(each, word)])
    if not whole and not in_forms:
        return None
    parts = [(each, each.own) for each in whole]
    for each in in_forms[:MOST] if not parts else ():
        text, told = each.own, [*_paragraphs(each, word)]
        if told:  # the forms and the paragraphs that contain the word
            forms = "\n".join(row for row in each.forms if word.search(row))
            head = text.split("\n", 1)[0]
            text = "\n\n".join([head, f"```\n{forms}\n```", *told]) + "\n"
        parts.append((each, text))
    return PageMeaning(
        name=name,
        kind="word",
        title=", ".join(_bare(each.heading) for each, _ in parts),
        page="\n".join(_shown(text) for _, text in parts),
        places=tuple(each.place for each, _ in parts),
    )


def _paragraphs(section: _Section, word: re.Pattern[str]) -> Iterator[str]:
    for text in _FORM.sub("", section.own).split("\n\n")[1:]:
        quoted = _CODE.findall(text.replace("\n", " "))
        if not text.startswith("```") and any(map(word.search, quoted)):
            yield text.strip()


@cache
def _built_in() -> dict[str, PageMeaning]:
    """Return the built-in names of the language, from the table of the reference."""
    (section,) = (each for each in _sections() if each.heading == BUILT_IN)
    found = {}
    for first, *_, meaning in _rows(section):
        for code in _CODE.findall(first):
            name = code.partition("(")[0]
            page = f"## {BUILT_IN}\n\n{first}: {meaning}\n"
            found[name.lower()] = PageMeaning(
                name=name, kind="word", title=code, page=page, places=(section.place,)
            )
    return found


def _rows(section: _Section) -> Iterator[list[str]]:
    """Yield the rows of the tables directly below a heading, cell by cell."""
    for row in section.own.splitlines():
        if row.startswith("| "):
            yield [cell.strip() for cell in row.strip("|").split("|")]


# ---- topics


def _topic(name: str) -> PageMeaning | None:
    """Return the page of a name; else the sections with this heading."""
    page = name.replace(" ", "-")
    if page in _pages():
        text = _pages()[page]
        title = text.split("\n", 1)[0].lstrip("# ")
        return PageMeaning(
            name=page,
            kind="topic",
            title=title,
            page=_shown(text),
            places=(_files()[page],),
        )
    found = [each for each in _sections() if _plain(_bare(each.heading)) == name]
    if set(name.split()) <= keywords():  # words have sections of their own
        return None
    if not found:
        return _glossary().get(name)
    return PageMeaning(
        name=name,
        kind="topic",
        title=_bare(found[0].heading),
        page="\n".join(_shown(each.text) for each in found),
        places=tuple(each.place for each in found),
    )


@cache
def _glossary() -> dict[str, PageMeaning]:
    """Return the terms of the project, from the tables of the glossary."""
    found = {}
    for section in _sections():
        for first, *_, meaning in _rows(section) if section.page == GLOSSARY else ():
            for name in _plain(re.sub(r"\(.*?\)", "", first)).split(", "):
                page = f"## {section.heading}\n\n{first}: {meaning}\n"
                found[name] = PageMeaning(
                    name=name,
                    kind="topic",
                    title=first,
                    page=page,
                    places=(section.place,),
                )
    return found


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


def _bare(heading: str) -> str:
    return heading.replace("`", "")


def _shown(text: str) -> str:
    """Return a text without the notes to tests in its fences."""
    return _FENCE.sub(lambda fence: f"```{fence[1]}", text)
