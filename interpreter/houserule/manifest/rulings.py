"""Rulings: what a ruleset decides where its rulebook is silent, or is at odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.diagnostics.wording import did_you_mean
from houserule.manifest.folder import Folder
from houserule.manifest.model import Manifest, RulingEntry, RulingsFile
from houserule.manifest.ruleset import RulingText
from houserule.manifest.yaml.document import Document
from houserule.source import Span
from houserule.syntax import tree
from houserule.syntax.tree.visitor import walk


def load_rulings(
    folder: Folder, manifest: Manifest, units: tuple[tree.Unit, ...], *, whole: bool
) -> dict[str, RulingText] | None:
    """Read `rulings.yaml`, if it is there; faults are noted in the folder.

    Args:
        folder: where the file is.
        manifest: says in which language a ruling without one is.
        units: the rules files.
        whole: whether these were read without fault; otherwise it is not checked what
            rulings speak of, and by whom they are used.

    Returns:
        The rulings, or `None` if the file could not be read.
    """
    if not folder.has("rulings.yaml"):
        return {}
    read = folder.read_model("rulings.yaml", RulingsFile)
    if read is None:
        return None
    file, document = read
    if whole:
        folder.faults.extend(_check_rulings(document, file, units))
    return {
        name: _ruling(name, entry, manifest, document.key_span("rulings", name))
        for name, entry in file.rulings.items()
    }


def _ruling(
    name: str, entry: RulingEntry, manifest: Manifest, span: Span
) -> RulingText:
    says = entry.says
    if isinstance(says, str):
        says = {manifest.languages[0]: says}
    return RulingText(name, says, entry.opt or "", span)


def _check_rulings(
    document: Document, file: RulingsFile, units: tuple[tree.Unit, ...]
) -> Iterator[Diagnostic]:
    choices = sorted(_choices(units))
    used = {
        node.name
        for unit in units
        for node in walk(unit)
        if isinstance(node, tree.Ruling)
    }
    for name, entry in file.rulings.items():
        if entry.opt is not None and entry.opt not in choices:
            yield fault(
                "E037",
                f"this ruling speaks of `{entry.opt}`, which is no option or variant",
                document.span("rulings", name, "opt"),
                did_you_mean(entry.opt, choices),
            )
        if name not in used:
            yield fault(
                "W037",
                f"No rule points to the ruling `{name}`.",
                document.key_span("rulings", name),
            )


def _choices(units: Iterable[tree.Unit]) -> Iterator[str]:
    """Yield the names of everything that a table may switch or set."""
    for unit in units:
        if unit.kind == "variant":
            yield unit.id
        yield from (
            node.name.text for node in walk(unit) if isinstance(node, tree.Option)
        )
