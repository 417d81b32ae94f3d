"""The texts of warnings: edits that are sound, but hardly what their author wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.merge.messages import labels_of, switched, titled, told_where
from houserule.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.diagnostics.words import listed, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.compose.items.items import EditOf
    from houserule.compose.merge.messages import Party, Where
    from houserule.compose.rules import Origin
    from houserule.syntax import tree


def caption_left_behind(origin: Origin, edit: EditOf, caption: tree.Text) -> Diagnostic:
    """Return W211: a change without a caption, of a clause that has one."""
    return fault(
        "W211",
        f"{sentence(titled(origin))} changes {edit.target}, which says "
        f'"{caption.text}", and gives it no new caption.',
        edit.span,
        others=[Label(caption.span, lead="the caption:")],
        details=["Players would read the old words over the new rule."],
        fixes=[f'change {edit.target} "..." from ... to ...'],
    )


def lifted_and_changed(
    target: str,
    lifts: Sequence[Party],
    changes: Sequence[Party],
    game: str,
    *,
    where: Where | None = None,
) -> Diagnostic:
    """Return W210: one lifts a condition that another changes."""
    parties = [*lifts, *changes]
    lifting = listed(titled(each.origin) for each in lifts)
    changing = listed(titled(each.origin) for each in changes)
    members = sorted({n for p in switched(parties) for n in p.unit.split("+")})
    bridge = f"bridge {', '.join(members)} for {game} [ruling NAME]"
    return Diagnostic(
        "W210",
        f"{sentence(lifting)} lifts {target}, and {changing} changes it: the exception "
        "then holds for the changed condition.",
        tuple(labels_of(parties)),
        (*told_where(where), "If that is what you mean, say so in a bridge:"),
        (f'{bridge}\nnote "..."',),
    )
