"""Houserule: a rules language for tabletop games, and the tools around it.

    import houserule

    table = houserule.load("pig").table(players=3)
    game = table.start(seed=7)

is all that a program needs to import; `docs/python.md` shows the rest. The names in
`__all__` are public; everything else in the package may change with any version.

Each public name is loaded when it is first used: importing the package loads nothing.
The rooms of the package, from the ground up: `base`, `ir`, `language`, `engine`,
`compiler`, `play`, `rulebook`, `study`, `authoring`, `api` (the names below),
`environments` and `ui`. `docs/internals/architecture.md` has a picture of them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as of `typing`, of which to import it takes a while

if TYPE_CHECKING:
    from houserule.api.files import CheckReport as CheckReport
    from houserule.api.files import check as check
    from houserule.api.files import format_rules as format_rules
    from houserule.api.files import schema as schema
    from houserule.api.files import schemas as schemas
    from houserule.api.game import ChoiceMade as ChoiceMade
    from houserule.api.game import Game as Game
    from houserule.api.game import Record as Record
    from houserule.api.game import Replay as Replay
    from houserule.api.game import read_record as read_record
    from houserule.api.ruleset import Ruleset as Ruleset
    from houserule.api.ruleset import SampledTable as SampledTable
    from houserule.api.ruleset import TableArguments as TableArguments
    from houserule.api.ruleset import TestReport as TestReport
    from houserule.api.ruleset import installed as installed
    from houserule.api.ruleset import load as load
    from houserule.api.ruleset import open_table as open_table
    from houserule.api.ruleset import shipped as shipped
    from houserule.api.table import Playing as Playing
    from houserule.api.table import Table as Table
    from houserule.api.table import resume as resume
    from houserule.base.diagnostics.diagnostic import Diagnostic as Diagnostic
    from houserule.base.diagnostics.diagnostic import Severity as Severity
    from houserule.base.diagnostics.render import DiagnosticsError as DiagnosticsError
    from houserule.base.diagnostics.render import RecordError as RecordError
    from houserule.base.diagnostics.render import RulesetError as RulesetError
    from houserule.base.diagnostics.render import TableError as TableError
    from houserule.base.isolation import Isolated as Isolated
    from houserule.base.isolation import isolated as isolated
    from houserule.base.limits import limit as limit
    from houserule.base.limits import limited as limited
    from houserule.compiler.choices.offers import Offer as Offer
    from houserule.compiler.choices.offers import Offers as Offers
    from houserule.compiler.choices.offers import VariantGroup as VariantGroup
    from houserule.engine.compiled.functions import Unsupported as Unsupported
    from houserule.engine.reference.choices import Act as Act
    from houserule.engine.reference.choices import Answered as Answered
    from houserule.engine.reference.choices import Done as Done
    from houserule.engine.reference.choices import Outcome as Outcome
    from houserule.engine.reference.choices import Picked as Picked
    from houserule.engine.reference.choices import Refusal as Refusal
    from houserule.engine.reference.choices import Refused as Refused
    from houserule.engine.reference.choices import Shared as Shared
    from houserule.engine.reference.options.options import Decision as Decision
    from houserule.engine.reference.options.options import Options as Options
    from houserule.engine.state.faults import RuleFault as RuleFault
    from houserule.language.manifest.load import ShippedGame as ShippedGame
    from houserule.play.records.records import Difference as Difference
    from houserule.play.seat.session import Sitting as Sitting
    from houserule.play.seat.undoing import NotNow as NotNow
    from houserule.rulebook.book.book_model import Book as Book
    from houserule.rulebook.book.book_model import BookSection as BookSection
    from houserule.rulebook.book.book_model import BookSentence as BookSentence
    from houserule.rulebook.meanings.explain import NoNameError as NoNameError
    from houserule.rulebook.meanings.game_names import GameNames as GameNames
    from houserule.rulebook.meanings.game_names import NamedAddress as NamedAddress
    from houserule.rulebook.meanings.game_names import NameGroup as NameGroup
    from houserule.rulebook.meanings.meaning_model import Meaning as Meaning
    from houserule.rulebook.meanings.meaning_model import MeaningLine as MeaningLine
    from houserule.rulebook.meanings.meaning_model import (
        MeaningSection as MeaningSection,
    )
    from houserule.rulebook.meanings.meaning_model import PageMeaning as PageMeaning
    from houserule.rulebook.meanings.pages import codes as codes
    from houserule.rulebook.meanings.pages import explain as explain
    from houserule.rulebook.meanings.pages import search as search
    from houserule.study.analysis.analysis_model import Analysis as Analysis
    from houserule.study.simulate.comparison import Comparison as Comparison
    from houserule.study.simulate.results import Finished as Finished
    from houserule.study.simulate.statistics.summary import Simulation as Simulation

# The module of each public name. The imports above say the same to type checkers and
# editors; a test holds both together.
_MODULES = {
    "api.files": ("CheckReport", "check", "format_rules", "schema", "schemas"),
    "api.game": ("ChoiceMade", "Game", "Record", "Replay", "read_record"),
    "api.ruleset": (
        "Ruleset",
        "SampledTable",
        "TableArguments",
        "TestReport",
        "installed",
        "load",
        "open_table",
        "shipped",
    ),
    "api.table": ("Playing", "resume", "Table"),
    "base.diagnostics.diagnostic": ("Diagnostic", "Severity"),
    "base.diagnostics.render": (
        "DiagnosticsError",
        "RecordError",
        "RulesetError",
        "TableError",
    ),
    "base.isolation": ("Isolated", "isolated"),
    "base.limits": ("limit", "limited"),
    "compiler.choices.offers": ("Offer", "Offers", "VariantGroup"),
    "engine.compiled.functions": ("Unsupported",),
    "engine.reference.choices": (
        "Act",
        "Answered",
        "Done",
        "Outcome",
        "Picked",
        "Refusal",
        "Refused",
        "Shared",
    ),
    "engine.reference.options.options": ("Decision", "Options"),
    "engine.state.faults": ("RuleFault",),
    "language.manifest.load": ("ShippedGame",),
    "play.records.records": ("Difference",),
    "play.seat.session": ("Sitting",),
    "play.seat.undoing": ("NotNow",),
    "rulebook.book.book_model": ("Book", "BookSection", "BookSentence"),
    "rulebook.meanings.explain": ("NoNameError",),
    "rulebook.meanings.game_names": ("GameNames", "NameGroup", "NamedAddress"),
    "rulebook.meanings.meaning_model": (
        "Meaning",
        "MeaningLine",
        "MeaningSection",
        "PageMeaning",
    ),
    "rulebook.meanings.pages": ("codes", "explain", "search"),
    "study.analysis.analysis_model": ("Analysis",),
    "study.simulate.comparison": ("Comparison",),
    "study.simulate.results": ("Finished",),
    "study.simulate.statistics.summary": ("Simulation",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = ["__version__", *sorted(_HOMES)]

__version__ = "0.2.0"


if not TYPE_CHECKING:  # else no type checker would miss a name that is not there

    def __getattr__(name: str) -> object:
        """Load a public name when it is first used."""
        if name not in _HOMES:
            raise AttributeError(f"module 'houserule' has no attribute '{name}'")
        from importlib import import_module

        found = getattr(import_module(f"houserule.{_HOMES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return list(__all__)
