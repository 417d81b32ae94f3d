"""Houserule: a rules language for tabletop games, and the tools around it.

    import houserule

    table = houserule.load("pig").table(players=3)
    game = table.start(seed=7)

is all that a program needs to import; `docs/python.md` shows the rest. What stands in
`__all__` is public, everything else in the package may change with any version.

Each public name is loaded when it is first used: importing the package loads nothing.
Behind them, in the order in which a text passes through: `syntax` and `manifest` read,
`compose` applies the variants of a table, `lower` makes an `ir` program of it, `engine`
and `compiled` play it. `prepare` runs them in that order. Around them stand `scenario`,
`record`, `bots`, `simulate`, `narrate`, `diagram`, this face (`api`) and the command
line in `cli`.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as of `typing`, of which to import it takes a while

if TYPE_CHECKING:
    from houserule.analysis.model import Analysis as Analysis
    from houserule.api.arguments import Playing as Playing
    from houserule.api.files import CheckReport as CheckReport
    from houserule.api.files import check as check
    from houserule.api.files import format_rules as format_rules
    from houserule.api.files import schema as schema
    from houserule.api.files import schemas as schemas
    from houserule.api.game import ChoiceMade as ChoiceMade
    from houserule.api.game import Game as Game
    from houserule.api.record import Record as Record
    from houserule.api.record import Replay as Replay
    from houserule.api.record import read_record as read_record
    from houserule.api.ruleset import Ruleset as Ruleset
    from houserule.api.ruleset import SampledTable as SampledTable
    from houserule.api.ruleset import TableArguments as TableArguments
    from houserule.api.ruleset import TestReport as TestReport
    from houserule.api.ruleset import installed as installed
    from houserule.api.ruleset import load as load
    from houserule.api.ruleset import open_table as open_table
    from houserule.api.ruleset import shipped as shipped
    from houserule.api.sitting import resume as resume
    from houserule.api.table import Table as Table
    from houserule.compiled.functions import Unsupported as Unsupported
    from houserule.compose.tables.offers import Offer as Offer
    from houserule.compose.tables.offers import Offers as Offers
    from houserule.compose.tables.offers import VariantGroup as VariantGroup
    from houserule.diagnostics.diagnostic import Diagnostic as Diagnostic
    from houserule.diagnostics.diagnostic import Severity as Severity
    from houserule.diagnostics.render import DiagnosticsError as DiagnosticsError
    from houserule.diagnostics.render import RecordError as RecordError
    from houserule.diagnostics.render import RulesetError as RulesetError
    from houserule.diagnostics.render import TableError as TableError
    from houserule.engine.choices import Act as Act
    from houserule.engine.choices import Answered as Answered
    from houserule.engine.choices import Done as Done
    from houserule.engine.choices import Outcome as Outcome
    from houserule.engine.choices import Picked as Picked
    from houserule.engine.choices import Refusal as Refusal
    from houserule.engine.choices import Refused as Refused
    from houserule.engine.choices import Shared as Shared
    from houserule.engine.options.options import Decision as Decision
    from houserule.engine.options.options import Options as Options
    from houserule.isolation import Isolated as Isolated
    from houserule.isolation import isolated as isolated
    from houserule.limits import limit as limit
    from houserule.limits import limited as limited
    from houserule.manifest.load import ShippedGame as ShippedGame
    from houserule.meanings.explain import NoNameError as NoNameError
    from houserule.meanings.model import Meaning as Meaning
    from houserule.meanings.model import MeaningLine as MeaningLine
    from houserule.meanings.model import MeaningSection as MeaningSection
    from houserule.meanings.model import PageMeaning as PageMeaning
    from houserule.meanings.names import GameNames as GameNames
    from houserule.meanings.names import NamedAddress as NamedAddress
    from houserule.meanings.names import NameGroup as NameGroup
    from houserule.meanings.pages import codes as codes
    from houserule.meanings.pages import explain as explain
    from houserule.record.records import Difference as Difference
    from houserule.rulebook.model import Book as Book
    from houserule.rulebook.model import BookSection as BookSection
    from houserule.rulebook.model import BookSentence as BookSentence
    from houserule.seat.sitting import Sitting as Sitting
    from houserule.seat.undoing import NotNow as NotNow
    from houserule.simulate.comparison import Comparison as Comparison
    from houserule.simulate.results import Finished as Finished
    from houserule.simulate.statistics.summary import Simulation as Simulation
    from houserule.state.faults import RuleFault as RuleFault

# The module of each public name. The imports above say the same to type checkers and
# editors; a test holds both together.
_MODULES = {
    "analysis.model": ("Analysis",),
    "api.arguments": ("Playing",),
    "api.files": ("CheckReport", "check", "format_rules", "schema", "schemas"),
    "api.game": ("ChoiceMade", "Game"),
    "api.record": ("Record", "Replay", "read_record"),
    "api.ruleset": (
        *("Ruleset", "SampledTable", "TableArguments", "TestReport"),
        *("installed", "load", "open_table", "shipped"),
    ),
    "api.sitting": ("resume",),
    "api.table": ("Table",),
    "compiled.functions": ("Unsupported",),
    "compose.tables.offers": ("Offer", "Offers", "VariantGroup"),
    "diagnostics.diagnostic": ("Diagnostic", "Severity"),
    "diagnostics.render": (
        *("DiagnosticsError", "RecordError", "RulesetError", "TableError"),
    ),
    "engine.choices": (
        *("Act", "Answered", "Done", "Outcome", "Picked", "Refusal", "Refused"),
        "Shared",
    ),
    "engine.options.options": ("Decision", "Options"),
    "isolation": ("Isolated", "isolated"),
    "limits": ("limit", "limited"),
    "manifest.load": ("ShippedGame",),
    "meanings.explain": ("NoNameError",),
    "meanings.model": ("Meaning", "MeaningLine", "MeaningSection", "PageMeaning"),
    "meanings.names": ("GameNames", "NameGroup", "NamedAddress"),
    "meanings.pages": ("codes", "explain"),
    "record.records": ("Difference",),
    "rulebook.model": ("Book", "BookSection", "BookSentence"),
    "seat.sitting": ("Sitting",),
    "seat.undoing": ("NotNow",),
    "simulate.comparison": ("Comparison",),
    "simulate.results": ("Finished",),
    "simulate.statistics.summary": ("Simulation",),
    "state.faults": ("RuleFault",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = ["__version__", *sorted(_HOMES)]

__version__ = "0.1.0"


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
