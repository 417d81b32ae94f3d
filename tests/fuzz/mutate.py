"""Right files made wrong: words and lines dropped, doubled, moved, taken from others.

A mutant is known by a seed and a number; the same two give the same mutant, as long as
the games that it is made of stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[^\W\d]\w*|\d+|\s+|.")
NAME = re.compile(r"[^\W\d]\w+")
NUMBER = re.compile(r"\d+")
SIGNS = (
    *('"', "'", ":", "#", "[", "]", "(", ")", "{", "}", ",", ".", "..", "-", "---"),
    *("\t", "\r", "\0", "\x1b[2J", "\ufeff", "\u2028", "\u202e", "é", "💥", "&a", "*a"),
    *("!!set", "? ", "| ", "> ", "%", "@", "`", "~", "null", "true", "1e9", "0x10"),
)
NUMBERS = ("0", "1", "2", "7", "63", "64", "65", "99", "255", "1000", "100000")
LARGE = ("99999999", "2147483648", "9223372036854775807", "9" * 40)
TOLD = {".rules", ".yaml", ".jsonl"}


@dataclass(frozen=True)
class Folder:
    """What a command is given: a game in the folder `game`, and files beside it.

    Attributes:
        name: where it comes from.
        files: by path.
        told: what was done to it.
        touched: the paths of the files that were changed, as they are now.
    """

    name: str
    files: Mapping[str, bytes]
    told: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()


@cache
def games() -> tuple[Folder, ...]:
    """Return the games that are right."""
    found = YAML(typ="safe").load(Path(__file__).with_name("games.yaml"))
    return tuple(map(_game, found))


def _game(data: dict) -> Folder:  # type: ignore[type-arg]
    folder, without = ROOT / data["of"], tuple(data.get("without", ()))
    files = {
        f"game/{name}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in TOLD
        if not (name := path.relative_to(folder).as_posix()).startswith(without)
    }
    if "own" in data:
        files["own.rules"] = (ROOT / data["own"]).read_bytes()
    if "table" in data:
        files["table.yaml"] = data["table"].encode()
    return Folder(folder.name, files)


@cache
def lines(suffix: str) -> tuple[str, ...]:
    """Return every line of shipped files of one kind, each once."""
    found: dict[str, None] = {}
    for path in sorted((ROOT / "rulesets").rglob(f"*{suffix}")):
        if "sources" not in path.parts:
            found.update(dict.fromkeys(path.read_text("utf-8").split("\n")))
    return tuple(found)


# ---- what is done to one text; `others` are lines of files of its kind


Change = Callable[[str, Random, tuple[str, ...]], str]


def _to_lines(change: Callable[[list[str], Random, tuple[str, ...]], None]) -> Change:
    """Return a change of a text from one of the list of its lines."""

    def changed(text: str, luck: Random, others: tuple[str, ...]) -> str:
        rows = text.split("\n")
        change(rows, luck, others)
        return "\n".join(rows)

    return changed


def _to_words(change: Callable[[list[str], Random, tuple[str, ...]], None]) -> Change:
    """Return a change of a text from one of the words of one of its lines."""

    def changed(text: str, luck: Random, others: tuple[str, ...]) -> str:
        rows = text.split("\n")
        at = luck.choice([at for at, row in enumerate(rows) if row.strip()] or [0])
        words = WORD.findall(rows[at]) or [""]
        change(words, luck, tuple(WORD.findall(luck.choice(others))) or ("x",))
        rows[at] = "".join(words)
        return "\n".join(rows)

    return changed


def _drop(parts: list[str], luck: Random, _: tuple[str, ...]) -> None:
    at = luck.randrange(len(parts))
    del parts[at : at + luck.choice((1, 1, 1, 2, 5))]


def _double(parts: list[str], luck: Random, _: tuple[str, ...]) -> None:
    at = luck.randrange(len(parts))
    parts[at:at] = parts[at : at + luck.choice((1, 1, 3))]


def _swap(parts: list[str], luck: Random, _: tuple[str, ...]) -> None:
    one, other = luck.randrange(len(parts)), luck.randrange(len(parts))
    parts[one], parts[other] = parts[other], parts[one]


def _take(parts: list[str], luck: Random, others: tuple[str, ...]) -> None:
    parts.insert(luck.randrange(len(parts) + 1), luck.choice(others))


def _replace(parts: list[str], luck: Random, others: tuple[str, ...]) -> None:
    parts[luck.randrange(len(parts))] = luck.choice(others)


def _sign(parts: list[str], luck: Random, _: tuple[str, ...]) -> None:
    parts.insert(luck.randrange(len(parts) + 1), luck.choice(SIGNS))


def _indent(rows: list[str], luck: Random, _: tuple[str, ...]) -> None:
    at, row = luck.randrange(len(rows)), ""
    row = rows[at].lstrip(" ")
    deep = max(0, len(rows[at]) - len(row) + luck.choice((-4, -2, -1, 1, 2, 4)))
    rows[at] = luck.choice((" " * deep, " " * deep, "\t")) + row


def _paste(rows: list[str], luck: Random, _: tuple[str, ...]) -> None:
    """Give some lines the signs that they have when copied from a web page."""
    at = luck.randrange(len(rows))
    signs = str.maketrans({"-": "\u2212", '"': "\u201d", " ": luck.choice(" \xa0")})
    upto = at + luck.randrange(1, 6)
    rows[at:upto] = [row.translate(signs) for row in rows[at:upto]]


def _number(text: str, luck: Random, _: tuple[str, ...]) -> str:
    def other(word: str) -> str:
        near = [str(int(word) + step) for step in (-1, 1, 10)] if len(word) < 9 else []
        return luck.choice((*near, *near, *NUMBERS, luck.choice(LARGE), f"-{word}"))

    return _at_one(NUMBER, text, luck, other)


def _misspell(text: str, luck: Random, _: tuple[str, ...]) -> str:
    def other(word: str) -> str:
        at = luck.randrange(len(word))
        return luck.choice(
            (
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word[:at] + luck.choice("aeintz_") + word[at + 1 :],
                word.capitalize(),
            )
        )

    return _at_one(NAME, text, luck, other)


def _rename(text: str, luck: Random, others: tuple[str, ...]) -> str:
    """Put another name for one name, at one place or at all."""
    names = sorted(set(NAME.findall(text)))
    if not names:
        return text
    far = NAME.findall(luck.choice(others)) or names
    new = luck.choice((luck.choice(names), luck.choice(names), luck.choice(far)))
    if luck.random() < 0.7:
        return _at_one(NAME, text, luck, lambda _: new)
    return re.sub(rf"\b{re.escape(luck.choice(names))}\b", new, text)


def _cut(text: str, luck: Random, _: tuple[str, ...]) -> str:
    at = luck.randrange(len(text) + 1)
    return luck.choice((text[:at], text[:at], text[at:], ""))


def _at_one(
    what: re.Pattern[str], text: str, luck: Random, other: Callable[[str], str]
) -> str:
    found = list(what.finditer(text))
    if not found:
        return text
    one = luck.choice(found)
    return text[: one.start()] + other(one.group()) + text[one.end() :]


CHANGES: tuple[tuple[str, int, Change], ...] = (  # each with how often it is done
    *((f"lines: {f.__name__[1:]}", 2, _to_lines(f)) for f in (_drop, _double, _swap)),
    *((f"lines: {f.__name__[1:]}", 2, _to_lines(f)) for f in (_take, _replace)),
    ("lines: indent", 1, _to_lines(_indent)),
    ("lines: paste", 1, _to_lines(_paste)),
    *((f"words: {f.__name__[1:]}", 2, _to_words(f)) for f in (_drop, _double, _swap)),
    *((f"words: {f.__name__[1:]}", 2, _to_words(f)) for f in (_take, _replace)),
    ("words: sign", 1, _to_words(_sign)),
    ("number", 6, _number),
    ("misspell", 3, _misspell),
    ("rename", 6, _rename),
    ("cut", 1, _cut),
)


def mutant(seed: int, number: int) -> Folder:
    """Return one mutant."""
    luck = Random(f"mutant {seed} {number}")
    game = luck.choice(games())
    files, told, touched = dict(game.files), [], set[str]()
    # The rules themselves are what there is most to say about.
    paths = [*files, *(2 * [each for each in files if each.endswith(".rules")])]
    for _ in range(luck.choice((1, 1, 1, 2, 3, 5))):
        path = luck.choice(paths)
        if luck.random() < 0.02:
            told.append(f"{path}: {_whole(files, path, luck)}")
        elif path in files:
            name, change = _drawn(luck)
            files[path] = _changed(files[path], path, change, luck)
            told.append(f"{path}: {name}")
        touched.add(path)
    return Folder(game.name, files, tuple(told), tuple(sorted(touched & files.keys())))


def _drawn(luck: Random) -> tuple[str, Change]:
    [(name, _, change)] = luck.choices(CHANGES, [weight for _, weight, _ in CHANGES])
    return name, change


def _changed(content: bytes, path: str, change: Change, luck: Random) -> bytes:
    if luck.random() < 0.03 and content:
        at = luck.randrange(len(content))
        return content[:at] + bytes([luck.randrange(256)]) + content[at + 1 :]
    text = content.decode("utf-8", "replace")
    return change(text, luck, lines(Path(path).suffix)).encode("utf-8")


def _whole(files: dict[str, bytes], path: str, luck: Random) -> str:
    """Do something to a whole file."""
    if luck.random() < 0.5:
        files.pop(path, None)
        return "gone"
    other = luck.choice(sorted(files))
    files[path] = files[other]
    return f"is {other}"
