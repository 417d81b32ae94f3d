"""Right files made large: many, deep, long, or with a great number in them.

An input is known by a seed and a number; each kind comes in turn, in sizes by chance.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from tests.fuzz.mutate import Folder, games

STRIDE = 37  # so that a few in a row are of many kinds
MOST = 5_000_000  # letters of one input; a file may have fewer
MANY = (20, 50, 100, 200, 1_000, 5_000, 30_000, 100_000, 1_000_000)
GREAT = (*MANY, 10**7, 10**9, 2**31, 2**63, 10**30)
RULES, TEXTS, MANIFEST = "game/game.rules", "game/text/en.yaml", "game/ruleset.yaml"
SCENARIOS = "game/scenarios/pig.yaml"
RECORD = "game/playthroughs/a.jsonl"
TARGET = "20..200 step 10 normally 100"
THROW = '{"n": 1, "seat": "p1", "at": "deciding", "do": "throw"}\n'
IF = "does throw.many: if pot is 0: pot becomes 1"
ALL_DICE = "component C for each n: N\naction w(u part of C) during deciding\n"
HEAD = (
    '{"format": "houserule record", "version": 1, "game": "game", "table": {"players": '
    '2, "variants": [], "options": {"target": 100}}, "rules": "0", "seed": 1, '
    '"number": 0, "players": ["random", "random"]}\n'
)


@dataclass(frozen=True)
class Kind:
    """One way to be large: what stands in one file, for a size.

    Attributes:
        name: in a few words.
        text: what is added to the file, or instead of `old` in it.
        path: of the file; with `{}` there is a file for each number below the size.
        old: what goes; where it is `*`, the whole file.
        is_great: whether the size is only a number in a short text.
    """

    name: str
    text: Callable[[int], str]
    path: str = RULES
    old: str = ""
    is_great: bool = False


def lines(form: str) -> Callable[[int], str]:
    """Return what writes a line for each number; `{1}` is the one before."""
    return lambda n: "".join(f"{form.format(i, i - 1)}\n" for i in range(1, n + 1))


def row(
    before: str, form: str, between: str, after: str = "\n"
) -> Callable[[int], str]:
    """Return what writes one line, with a piece for each number."""
    return lambda n: (
        before + between.join(form.format(i) for i in range(1, n + 1)) + after
    )


def deep(before: str, left: str, middle: str, right: str) -> Callable[[int], str]:
    """Return what writes pieces within each other."""
    return lambda n: f"{before}{left * n}{middle}{right * n}\n"


def great(form: str) -> Callable[[int], str]:
    """Return what writes one number."""
    return lambda n: form.format(n) + "\n"


def steps_down(before: str, form: str, step: int, first: int) -> Callable[[int], str]:
    """Return what writes lines, each further in than the one before."""
    return lambda n: (
        before
        + "".join(
            f"{' ' * (first + step * min(i, 400))}{form.format(i)}\n" for i in range(n)
        )
    )


V = "value v: 0..9 = "
VARIANT = 'variant v{0} for pig "V{0}"\n'
NUMBERED = "type N = 1..{0}\n"
KINDS: tuple[Kind, ...] = (
    # many of a kind
    *(
        Kind(f"many: {form.split('{')[0]}", lines(form))
        for form in (
            "option o{0}: 0..9 normally 1",
            "option o{0}: yes or no normally no",
            "state s{0}: 0..9 starts as 0",
            "state s{0}(p: Player): 0..999 starts as 0",
            "value v{0}: 0..9 = pot",
            "type T{0} = a{0} | b{0}",
            "component C{0} for each x: 1..9",
            "dice D{0}: die{0} showing 1..6",
            "tokens t{0}: 5 in here{0}, there{0}",
            "zone z{0}: set of Die",
            "effect e{0}\n  does a: pot becomes 0",
            "action a{0} during deciding\n  does b: pot becomes 0",
            "action a{0}(p: Player, n: 0..9) during deciding\n  does b: pot becomes 0",
            "needs hold.n{0}: pot at least {0}",
            "does throw.d{0}: pot becomes 0",
            "phase p{0}\n  step s{0}: pot becomes 0",
            'warn w{0} "W": target is {0}',
            "layer score.l{0}",
            "add to pot called a{0}: 2",
            "unwise hold.u{0}: pot is 1",
            "# comment {0}",
            "value x: 0..9 = nobody{0}",
            "value v{0}: 0..9 = taget",
            "\tvalue v{0}",
            "\x1b ] {0}",
            "",
        )
    ),
    # each uses the one before
    Kind("row: values", lines("value v{0}: 0..9 = v{1}")),
    Kind("row: values twice", lines("value v{0}: 0..9 = v{1} + v{1}")),
    Kind("row: effects", lines("effect e{0}\n  does a: e{1}()")),
    Kind("row: types", lines("type T{0} = T{1}")),
    # long
    Kind("long: or", row(V, "{0}", " + ")),
    Kind("long: and", row("value v: yes or no = ", "pot is {0}", " and ")),
    Kind("long: set", row("value v: set of 0..9 = {", "{0}", ", ", "}\n")),
    Kind("long: words", row("type T = ", "w{0}", " | ")),
    Kind("long: names", row("variant ", "v{0}", ", ", " for pig\n")),
    Kind(
        "long: else",
        row(V + "1 if pot is 0", " else {0} if pot is {0}", "", " else 0\n"),
    ),
    Kind("long: statements", row("does throw.many: ", "pot becomes {0}", "; ")),
    Kind("long: elses", row(IF, " else if pot is {0}: pot becomes 2", "")),
    Kind("long: faces", row("dice Odd: odd showing ", "{0}", ", ")),
    Kind("long: name", lambda n: f"state {'n' * n}: 0..9 starts as 0\n"),
    Kind("long: wrong name", lambda n: f"value v: 0..9 = targ{'e' * n}t\n"),
    Kind("long: caption", lambda n: f'value v "{"c" * n}": 0..9 = 1\n'),
    Kind("long: number", lambda n: f"{V}{'9' * n}\n"),
    Kind("long: line of blanks", lambda n: f"value{' ' * n}v: 0..9 = 1\n"),
    Kind("long: margin", row(V + "1   [", "ruling traditional", ", ", "]\n")),
    # deep
    Kind("deep: brackets", deep(V, "(", "1", ")")),
    Kind("deep: open brackets", deep(V, "(", "1", "")),
    Kind("deep: not", deep("value v: yes or no = ", "not ", "yes", "")),
    Kind("deep: minus", deep(V, "-", "1", "")),
    Kind("deep: sums", deep(V, "sum of ", "1", " for p in players")),
    Kind(
        "deep: some", deep("value v: yes or no = ", "some p in players has ", "yes", "")
    ),
    Kind("deep: phases", steps_down("", "phase p{0}", 2, 0)),
    Kind("deep: loops", steps_down("does throw.l:\n", "for p{0} in players:", 2, 4)),
    Kind("deep: ifs", steps_down("does throw.l:\n", "if pot is 1:", 2, 4)),
    # great numbers
    *(
        Kind(f"great: {form.splitlines()[-1]}", great(form), is_great=True)
        for form in (
            "component Cell for each x: 1..{0}",
            "component Cell for each x: 1..{0}, y: 1..9",
            "component Cell for each x: 1..99, y: 1..99, z: 1..{0}",
            "dice Big: big showing 1..{0}",
            "option far: 0..{0} normally 1",
            "option far: 0..{0} step 7 normally 0",
            "state far: 0..{0} starts as 0",
            NUMBERED + "state far(n: N): 0..9 starts as 0",
            NUMBERED + "state far(n: N, m: N): 0..9 starts as 0",
            NUMBERED + "state far: set of N starts as {{}}",
            NUMBERED + 'warn w "W": some n in N has n is 0',
            NUMBERED + 'warn w "W": (count of a in N and b in N where a is b) is 3',
            NUMBERED + "assert target is 1 or some n in N has n mod 2 is 2",
            NUMBERED + "value v: set of N = those n in N where n mod 3 is 1",
            NUMBERED + "always some n in N has n is 0",
            NUMBERED + "action pick(n: N) during deciding\n  does a: pot becomes 0",
            NUMBERED
            + "action pick(n: N, m: N) during deciding\n  does a: pot becomes 0",
            NUMBERED + ALL_DICE + "  does a: pot becomes 0",
            "tokens heap: {0} in here, there",
            "does throw.l: repeat {0} times: pot becomes 0",
            "value v: 0..9 = {0} * {0} * {0} * {0} mod 9",
            "zone z: set of Die at most {0}",
        )
    ),
    Kind("great: players", great("players 2..{0}"), old="players 2..6", is_great=True),
    Kind(
        "great: only players", great("players {0}"), old="players 2..6", is_great=True
    ),
    Kind(
        "great: times",
        great("at most {0} times"),
        old="at most 1000 times",
        is_great=True,
    ),
    Kind(
        "great: target", great("20..{0} step 1 normally 100"), old=TARGET, is_great=True
    ),
    Kind(
        "great: die", great("die showing 1..{0}"), old="die showing 1..6", is_great=True
    ),
    # many files
    *(
        Kind(
            f"variants: {form.split(' ')[0]}",
            great(VARIANT + form),
            "game/variants/v{}.rules",
        )
        for form in (
            "needs hold.n{0}: pot at least 2",
            "raise target by 1",
            "default target: 50",
            "requires no_early_hold",
            "excludes no_early_hold",
            "does throw.d{0}: pot becomes 0",
            "remove hold.something",
            "change score.range\n  from 0..205\n  to 0..30{0}",
            "option o{0}: 0..9 normally 1",
            "extend score with plus l{0}, if any",
        )
    ),
    Kind("variants: in one file", lines(VARIANT)),
    Kind("presets", lines("preset p{0} for pig\nset target: 50")),
    Kind("texts", great("language: x{0}\ntitles: {{pig: P}}"), "game/text/x{}.yaml"),
    Kind(
        "scenario files",
        great("game: pig\nscenarios: [{{name: s{0}, do: [throw]}}]"),
        "game/scenarios/s{}.yaml",
    ),
    Kind("folders", lambda n: "game x\n", "game/" + "d/" * 200 + "{}.rules"),
    # YAML
    *(
        Kind(f"{path}: {name}", text, path, "*")
        for path in (TEXTS, MANIFEST, SCENARIOS, "table.yaml", "game/rulings.yaml")
        for name, text in (
            ("brackets", deep("a: ", "[", "1", "]")),
            ("open brackets", deep("a: ", "[", "1", "")),
            ("braces", deep("a: ", "{a: ", "1", "}")),
            ("keys", lines("key{0}: 1")),
            ("keys within", steps_down("", "k{0}:", 1, 0)),
            ("dashes", deep("a:\n  ", "- ", "1", "")),
            ("list", lines("- {0}")),
            ("long text", lambda n: f"a: {'word ' * (n // 5)}\n"),
            ("long key", lambda n: f"{'k' * n}: 1\n"),
            ("block", lambda n: "a: |\n" + "  line\n" * n),
            ("number", lambda n: f"players: {'9' * n}\n"),
        )
    ),
    Kind("scenarios", lines("  - {{name: s{0}, do: [throw]}}"), SCENARIOS),
    Kind(
        "choices",
        row("  - name: long\n    do: [", "{{throw: , rolls: [2]}}", ", ", "]\n"),
        SCENARIOS,
    ),
    Kind(
        "given",
        great("  - name: great\n    given: {{pot: {0}}}"),
        SCENARIOS,
        is_great=True,
    ),
    Kind(
        "boards",
        great("boards: [{{title: B, rows: [1, {0}], columns: [1, {0}], draw: []}}]"),
        MANIFEST,
        is_great=True,
    ),
    Kind(
        "languages",
        row("languages: [", "l{0}", ", ", "]\n"),
        MANIFEST,
        "languages: [en, de]",
    ),
    Kind("captions", row("captions: {", "throw.c{0}: x", ", ", "}\n"), TEXTS),
    Kind(
        "settings", row("game: game\nset: {", "o{0}: 1", ", ", "}\n"), "table.yaml", "*"
    ),
    Kind("with", row("game: game\nwith: [", "v{0}", ", ", "]\n"), "table.yaml", "*"),
    Kind("seats", great("game: game\nplayers: {0}"), "table.yaml", "*", is_great=True),
    # records
    Kind("record: choices", lambda n: HEAD + n * THROW, RECORD, "*"),
    Kind(
        "record: players",
        lambda n: HEAD.replace('"players": 2', f'"players": {n}'),
        RECORD,
        "*",
        is_great=True,
    ),
    Kind(
        "record: seed",
        lambda n: HEAD.replace('"seed": 1', f'"seed": {"9" * n}'),
        RECORD,
        "*",
    ),
    Kind(
        "record: variants",
        lambda n: HEAD.replace(
            '"variants": []', f'"variants": {json.dumps([str(i) for i in range(n)])}'
        ),
        RECORD,
        "*",
    ),
    Kind(
        "record: brackets",
        lambda n: HEAD + '{"n": 1, "do": ' + "[" * n + "\n",
        RECORD,
        "*",
    ),
    Kind(
        "record: rules",
        lambda n: HEAD.replace(
            '"seed"', '"own": {"files": {"a.rules": "' + "x" * n + '"}}, "seed"'
        ),
        RECORD,
        "*",
    ),
)


def large(seed: int, number: int, most: int = MANY[-1]) -> Folder:
    """Return one large input, with at most so many pieces."""
    luck = Random(f"large {seed} {number}")
    kind = KINDS[number * STRIDE % len(KINDS)]
    size = luck.choice(GREAT if kind.is_great else MANY) + luck.randrange(-1, 2)
    if not kind.is_great:
        size = min(size, most)
    while not kind.is_great and _letters(kind, size) > MOST:
        size //= 2
    pig = games()[0]
    files = dict(pig.files)
    for path, text in _texts(kind, size):
        files[path] = _joined(files.get(path, b""), kind.old, text)
    told = (f"{kind.name}, size {size}",)
    touched = tuple(path for path in files if files[path] is not pig.files.get(path))
    return Folder(pig.name, files, told, touched)


def _letters(kind: Kind, size: int) -> int:
    """Return about how much a size writes: by a hundredth of it, if it is large."""
    if "{}" in kind.path:
        return size * 10_000  # a file is no letter
    part = min(size, 1000)
    return len(kind.text(part)) * size // part


def _texts(kind: Kind, size: int) -> Iterable[tuple[str, str]]:
    if "{}" not in kind.path:
        return [(kind.path, kind.text(size))]
    return [(kind.path.format(i), kind.text(i)) for i in range(size)]


def _joined(content: bytes, old: str, text: str) -> bytes:
    if old == "*":
        return text.encode()
    if not old:
        return content + text.encode()
    assert old.encode() in content, old
    return content.replace(old.encode(), text.encode())
