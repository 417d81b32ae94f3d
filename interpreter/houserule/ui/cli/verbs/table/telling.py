"""The report of `houserule table`: the table, its changes, its errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from houserule.base.resources import Phrases
from houserule.compiler.options.scales import shown
from houserule.compiler.table_files.description import (
    TableDescription,
    TableEntry,
    described,
    value_words,
)
from houserule.compiler.table_files.editing import KeptTable
from houserule.language.manifest.ruleset import Plain
from houserule.ui.cli.arguments import chosen_language, give_up
from houserule.ui.cli.output import aligned, say, say_json


def tell_table(
    table: KeptTable,
    lang: str | None,
    as_json: bool,
    *,
    before: KeptTable | None = None,
    new: bool = False,
) -> None:
    """Print the table, or what changed in it; errors end the verb."""
    language = chosen_language(lang, table.ruleset.manifest.languages)
    now, faults = described(table, language), table.with_fixes()
    words = _Words(language)
    if as_json:
        is_written = new or (before is not None and before.raw != table.raw)
        # A table as data for JSON
        preset, without = now.preset, now.without
        found = asdict(now)
        found["preset"] = preset and {"id": preset[0], "title": preset[1]}
        found["without"] = [{"id": name, "title": title} for name, title in without]
        for each in found["variants"]:
            del each["value"], each["normally"]
        found["faults"] = [
            {"code": each.code, "message": each.message, "fixes": list(each.fixes)}
            for each in faults
        ]
        say_json({"file": table.called, **found, "written": is_written})
    elif before is not None:
        was = described(before, language)
        for line in words.changes(was, now) or [words.say("no change")]:
            say(line)
    else:
        for line in words.whole(table.called, now):
            say(line)
    if faults:
        give_up(faults, {**table.ruleset.sources, **table.choice.sources})
    if not as_json:
        say(words.say("table can be"))


class _Words:
    """The report on a table in one language."""

    def __init__(self, language: str) -> None:
        self.say = Phrases("cli", language).say
        self.language = language

    def value(self, value: Plain) -> str:
        """Return the value of an option."""
        return value_words(value, self.language)

    def why(self, each: TableEntry, now: TableDescription) -> str:
        """Return why something is set; empty if the file sets it."""
        if each.reason == "file":
            return ""
        titles = {one.id: one.title for one in now.variants}
        titles |= {now.preset[0]: now.preset[1]} if now.preset else {}
        names = ", ".join(titles[name] for name in each.by)
        return self.say(f"table {each.reason}", names=names)

    def whole(self, file: str, now: TableDescription) -> Iterator[str]:
        """Yield the lines that describe the whole table."""
        yield self.say("table of", file=file, title=now.title)
        yield self.say("table players", number=now.players)
        if now.rules:
            yield self.say("table rules", names=", ".join(now.rules))
        if now.preset:
            yield self.say("table begins", name=now.preset[0], title=now.preset[1])
        on = [(each.id, each.title, self.why(each, now)) for each in now.variants]
        yield from _section(self.say("table on"), on)
        yield from _section(self.say("table without"), now.without)
        set_ = [each for each in now.options if each.differs]
        options = [(each.id, each.title, *self.setting(each, now)) for each in set_]
        yield from _section(self.say("table options"), options)
        if not (now.variants or set_):
            yield self.say("table of the base game")
        yield ""

    def setting(self, each: TableEntry, now: TableDescription) -> tuple[str, str]:
        """Return the value of an option, and its reason."""
        normally = self.value(each.normally)
        value = self.say("table value", value=self.value(each.value), normally=normally)
        return value, self.why(each, now)

    def changes(self, was: TableDescription, now: TableDescription) -> list[str]:
        """Return a sentence for each difference."""
        lines = []
        if was.rules != now.rules:
            lines.append(self.say("table rules", names=", ".join(now.rules) or "–"))
        if was.preset != now.preset:
            name, title = now.preset or ("–", "–")
            lines.append(self.say("table begins", name=name, title=title))
        on, off = ({each.id: each.title for each in a.variants} for a in (now, was))
        lines += [self.say("now on", title=on[n]) for n in on if n not in off]
        lines += [self.say("now off", title=off[n]) for n in off if n not in on]
        before = {each.id: each.value for each in was.options}
        lines += [
            self.say("option value", title=each.title, value=self.value(each.value))
            for each in now.options
            if shown(each.value) != shown(before.get(each.id, each.normally))
        ]
        if was.players != now.players:
            lines.append(self.say("table players", number=now.players))
        return lines


def _section(heading: str, rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    found = list(rows)
    if found:
        yield ""
        yield heading
        yield from aligned(found, left=range(len(found[0])), indent="  ")
