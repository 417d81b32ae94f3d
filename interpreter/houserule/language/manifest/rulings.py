"""Rulings: a ruleset's decisions where its rulebook is silent or inconsistent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import did_you_mean
from houserule.language.manifest.appendix import LoadedAppendix
from houserule.language.manifest.folder import Folder
from houserule.language.manifest.messages import E011
from houserule.language.manifest.ruleset import RulingText
from houserule.language.manifest.ruleset_models import (
    Manifest,
    RulingEntry,
    RulingsFile,
)
from houserule.language.manifest.yaml.document import Document

if TYPE_CHECKING:
    from houserule.language.syntax.tree import Unit


def load_rulings(
    folder: Folder,
    manifest: Manifest,
    units: tuple[Unit, ...] | None,
    appendices: Iterable[LoadedAppendix],
) -> dict[str, RulingText] | None:
    """Read `rulings.yaml`, if it exists, and the rulings of appendices.

    Errors are recorded in the folder.

    Args:
        manifest: gives the language of rulings without one.
        units: the rules files; if None, the references from and to rulings are not
            checked.

    Returns:
        The rulings, or `None` if the file or an appendix could not be read.
    """
    read = []
    if folder.has("rulings.yaml"):
        found = folder.read_model("rulings.yaml", RulingsFile)
        if found is None:
            return None
        read.append((found[0].rulings, found[1]))
    for each in appendices:
        if each.said is None:
            return None
        read.append((each.said.rulings, each.document))
    rulings: dict[str, RulingText] = {}
    for entries, document in read:
        if units is not None:
            folder.faults.extend(_check_rulings(document, entries, units))
        for name, entry in entries.items():
            span = document.key_span("rulings", name)
            if name in rulings:
                message = f"the ruling `{name}` already exists"
                first = Label(rulings[name].span, "here")
                folder.faults.append(fault(E011, message, span, others=(first,)))
            says, asks = (
                {manifest.languages[0]: each} if isinstance(each, str) else each or {}
                for each in (entry.says, entry.asks)
            )
            rulings.setdefault(
                name,
                RulingText(name, says, asks, entry.book, entry.opt or "", span),
            )
    return rulings


E037 = MessageCode("E037", "ruling with unknown option")
"""A ruling says that an option or variant decides otherwise, but none has that name.

**Why.** A rulebook omits the ruling if the variant is on or the option set otherwise.

**For example**

```text
rulings:
  tie_pays_nobody: {says: A tie pays nobody., opt: ties_pays}
```

**Fix.** Name an option or variant, or omit `opt:`.
"""

W037 = MessageCode("W037", "unused ruling")
"""No rule refers to a ruling.

**Why.** A ruling that no clause names is printed nowhere.

**For example**

```text
rulings:
  ties_share: {says: Ties share.}
```

**Fix.** Put `[ruling ties_share]` into the source note of the clause that implements
it.
"""


def _check_rulings(
    document: Document, rulings: Mapping[str, RulingEntry], units: tuple[Unit, ...]
) -> Iterator[Diagnostic]:
    from houserule.language.syntax import tree
    from houserule.language.syntax.tree.visitor import walk

    every = [node for unit in units for node in walk(unit)]
    choices = sorted(
        [node.name.text for node in every if isinstance(node, tree.Option)]
        + [unit.id for unit in units if unit.kind == "variant"]
    )
    used = {node.name for node in every if isinstance(node, tree.Ruling)}
    for name, entry in rulings.items():
        if entry.opt is not None and entry.opt not in choices:
            yield fault(
                E037,
                f"this ruling names `{entry.opt}`, which is neither option nor variant",
                document.span("rulings", name, "opt"),
                did_you_mean(entry.opt, choices),
            )
        if name not in used:
            yield fault(
                W037,
                f"No rule points to the ruling `{name}`.",
                document.key_span("rulings", name),
            )
