"""Texts about a ruleset's house rules and options in one language, cached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property

from houserule.base.resources import Phrases
from houserule.compiler.choices.offers import Offer, Offers, offers_of
from houserule.compiler.prepare import TableChoice, prepare
from houserule.compiler.table_files.description import value_words
from houserule.compiler.tables.presets import preset_of
from houserule.compiler.tables.sample import sample_tables
from houserule.language.manifest.load import BESIDE
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.language.manifest.ruleset_models import in_language
from houserule.rulebook.meanings.meaning_model import Meaning
from houserule.rulebook.meanings.table_in_words import TableInWords
from houserule.rulebook.meanings.units import explain_unit, opening_note
from houserule.ui.configurator.menu_model import MenuChapter, MenuClause, MenuOpened

LONG = 100  # letters of a line about a house rule
TELLING = ("change", "release", "action", "needs", "default", "raise", "value")


@dataclass(frozen=True)
class HouseBook:
    """Titles and meanings of everything that a table can choose.

    Attributes:
        ruleset: the game.
        language: the language of all texts.
    """

    ruleset: LoadedRuleset
    language: str

    @cached_property
    def offers(self) -> Offers:
        """The choices, with titles in the language."""
        return offers_of(self.ruleset, self.language)

    @cached_property
    def words(self) -> Phrases:
        return Phrases("menu", self.language)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of variants and options by name."""
        every = (*self.offers.options, *self.offers.variants)
        return {each.id: each.title or _spoken(each.id) for each in every}

    @cached_property
    def beside(self) -> Mapping[str, tuple[str, ...]]:
        """The names of variants and presets in each file beside the game."""
        files = self.ruleset.files
        lies = {files[f"{BESIDE}{e.name}"].name: e.name for e in self.ruleset.beside}
        found: dict[str, tuple[str, ...]] = {name: () for name in lies.values()}
        for unit in self.ruleset.units:
            if unit.span.file in lies and unit.kind in {"variant", "preset"}:
                found[lies[unit.span.file]] += (unit.id,)
        return found

    def titled(self, names: Iterable[str]) -> str:
        """Return the titles of some house rules or options, as a list in words."""
        return self.listed(sorted(self.titles.get(n, n) for n in names))

    def listed(self, texts: Iterable[str]) -> str:
        """Return texts as a list in words: "a, b and c"."""
        *before, last = [*texts] or [""]
        if not before:
            return last
        return self.words.say("joined_and", before=", ".join(before), last=last)

    def value(self, value: Plain) -> str:
        """Return the value of an option in words."""
        if isinstance(value, list):
            every = [self.value(each) for each in value]
            return self.listed(every) if every else self.words.say("none of them")
        if isinstance(value, str) and value:
            said = self.ruleset.text("things", value, self.language)
            return said or _spoken(value)
        return value_words(value, self.language)

    # ---- house rules

    @cached_property
    def view(self) -> TableInWords | None:
        """The rules of any playable table; a unit has the same texts at all tables."""
        tables = (
            TableChoice(with_=tuple(sorted(each.variants)), players=each.players)
            for each in sample_tables(self.ruleset, pairs=False)
        )
        for choice in (TableChoice(), *list(tables)[:3]):
            found = prepare(self.ruleset, choice, for_play=True)
            if found.table is not None and found.program is not None:
                ruleset, lang = self.ruleset, self.language
                return TableInWords(ruleset, found.table, found.program, lang)
        return None

    @cached_property
    def meanings(self) -> Mapping[str, Meaning]:
        view = self.view
        units = self.ruleset.units_of("variant") if view else ()
        return {each.id: explain_unit(view, each) for each in units if view}

    @cached_property
    def openings(self) -> Mapping[str, str]:
        """The notes at the beginning of variants, by name."""
        view = self.view
        units = self.ruleset.units_of("variant") if view else ()
        said = {each.id: opening_note(view, each) for each in units if view}
        return {name: note for name, note in said.items() if note}

    def line(self, name: str) -> str:
        """Return a line about what a variant changes.

        It is the note at its beginning, else the ruleset's ruling on it, else the
        captions of its clauses. A ruling is on a doubt, and may not say what changes.
        """
        meaning = self.meanings.get(name)
        if meaning is None:
            return ""
        if name in self.openings:
            return self.openings[name]
        if meaning.rulings:
            return self.ruling_words(meaning.rulings[0])
        lines = (*meaning.lines("edits"), *meaning.lines("declares"))
        telling = sorted(
            (each for each in lines if each.caption and each.kind in TELLING),
            key=lambda each: TELLING.index(each.kind),
        )
        said = ""
        for caption in dict.fromkeys(each.caption for each in telling):
            longer = f"{said}; {caption}" if said else caption
            if said and len(longer) > LONG:
                break
            said = longer
        return said

    @staticmethod
    def ruling_words(ruling: str) -> str:
        """Return the words of a ruling, without its name."""
        name, _, words = ruling.partition(": ")
        return words or _spoken(name)

    def links(self, offer: Offer) -> tuple[str, ...]:
        """Return a variant's relations to others, by their titles."""
        named = tuple(
            replace(each, names=self._named(each.names), given=self._named(each.given))
            for each in offer.links
        )
        return replace(offer, links=named, groups=()).about()

    def _named(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.titles.get(name, name) for name in names)

    def preset_text(self, name: str) -> str:
        """Return what a preset switches on and sets, by titles."""
        preset, _ = preset_of(self.ruleset, name)
        parts = []
        if preset.variants:
            named = self.titled(preset.variants)
            parts.append(self.words.say("with names", names=named))
        parts += (
            f"{self.titles.get(key, key)}: {self.value(value)}"
            for key, value in sorted(preset.settings.items())
        )
        said = "; ".join(parts)
        return said[:1].upper() + said[1:]

    def opened(self, name: str) -> MenuOpened | None:
        """Return the details of a variant or option; None if it does not exist."""
        meaning = self.meanings.get(name)
        if meaning is not None:
            presets = tuple(each.caption for each in meaning.lines("presets"))
            chapters = tuple(self._chapters(meaning))
        elif name in self.titles and self.view is not None:
            used = [each for each in self.view.used(name) if each.caption]
            clauses = tuple(MenuClause(says=each.caption) for each in used)
            title = self.words.say("used in")
            presets = ()
            chapters = (MenuChapter(title=title, clauses=clauses),) if clauses else ()
        else:
            return None
        return MenuOpened(
            key=name, title=self.titles[name], chapters=chapters, presets=presets
        )

    def _chapters(self, meaning: Meaning) -> Iterable[MenuChapter]:
        titles = {
            "edits": "about edits",
            "declares": "about declares",
            "notes": "besides",
        }
        for about, title in titles.items():
            clauses = [
                MenuClause(
                    says=each.caption,
                    before=each.was if each.was != each.caption else "",
                    rule=each.text,
                    cites=each.cites,
                    rulings=tuple(map(self.ruling_words, each.rulings)),
                )
                for each in meaning.lines(about)
            ]
            # a component without a text is listed only if it changes something
            told = tuple(e for e in clauses if e.says or (e.rule and about == "edits"))
            if told:
                yield MenuChapter(title=self.words.say(title), clauses=told)

    @cached_property
    def summary(self) -> str:
        """The game's summary, in a sentence or two."""
        return in_language(self.ruleset.manifest.summary, self.language)


def _spoken(name: str) -> str:
    """Return a name without a translation, as readable as possible."""
    return name.replace("_", " ")


def house_book(ruleset: LoadedRuleset, language: str) -> HouseBook:
    """Return the texts about a ruleset's house rules in a language."""
    return ruleset.derived(_maker(language))


@cache
def _maker(language: str) -> Callable[[LoadedRuleset], HouseBook]:
    return lambda ruleset: HouseBook(ruleset, language)
