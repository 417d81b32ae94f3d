"""The texts of messages about the order of steps and of layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compose.merge.messages import Party, all_on, titled, with_on
from houserule.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.diagnostics.words import listed, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.compose.merge.messages import Where
    from houserule.compose.rules import Origin, Pair
    from houserule.syntax import tree


def turn_in_a_circle(
    lines: Sequence[Pair],
    single: Pair | None,
    knot: Sequence[str],
    where: Where | None = None,
) -> Diagnostic:
    """Return E204: steps that each wait for the next.

    Args:
        lines: pairs that lead around the circle, in order.
        single: one of them whose release opens the circle, if there is such a one.
        knot: all the steps that wait for one another.
        where: in which tables, if known.
    """
    parties = [Party(each.origin, each.span) for each in lines]
    width = max(len(f"{each.before} before {each.after}") for each in lines)
    said = "\n".join(
        f"  {f'{each.before} before {each.after}':{width}}    "
        f"{each.span.file}:{each.span.line}"
        for each in lines
    )
    all_of_them = f"release order among {', '.join(knot)}"
    one = f"release {single.before} then {single.after}" if single else all_of_them
    return Diagnostic(
        "E204",
        f"{with_on(parties)}, these steps each wait for the next:\n{said}",
        tuple(Label(each.span) for each in sorted(lines, key=lambda p: p.span)),
        (
            *(where.details() if where else ()),
            "Leave one of these lines out, or release it:",
        ),
        (one,),
    )


def releases_nothing(
    origin: Origin, release: tree.Release, where: Where | None = None
) -> Diagnostic:
    """Return E208: a release of steps that have no order."""
    names = [name.text for name in release.names]
    if release.among:
        said = f"{listed(names)}, but none of them waits for another"
    else:
        said = f"{names[0]} then {names[1]}, but {names[1]} does not wait"
    return fault(
        "E208",
        f"{sentence(titled(origin))} releases {said}.",
        release.names[0].span.to(release.names[-1].span),
        details=where.details() if where else (),
        fixes=["Leave the line out, or name the steps that wait."],
    )


def still_behind(
    origin: Origin, pair: Pair, between: Sequence[str], where: Where | None = None
) -> Diagnostic:
    """Return E208: a release that leaves one behind the other through a third."""
    through = listed(between)
    names = ", ".join([pair.before, *between, pair.after])
    return fault(
        "E208",
        f"{sentence(titled(origin))} releases {pair.before} then {pair.after}, but "
        f"{pair.after} still waits for {pair.before} through {through}.",
        pair.span,
        details=where.details() if where else (),
        fixes=[f"Release that too:  release order among {names}"],
    )


def not_side_by_side(origin: Origin, names: Sequence[tree.Word]) -> Diagnostic:
    """Return E213: an order of steps that stand in different phases."""
    said = listed(name.text for name in names)
    return fault(
        "E213",
        f"{sentence(titled(origin))} orders {said}, which do not stand in one phase.",
        names[0].span.to(names[-1].span),
        fixes=["Order the phases they stand in, or put them into one phase."],
    )


def layers_without_order(
    value: str, layers: Sequence[tuple[str, str, Party]], where: Where | None = None
) -> Diagnostic:
    """Return E209: two layers that do not commute, and no order between them.

    `layers` holds for each its name, its operation, and who declares it.
    """
    (one, op, first), (other, other_op, second) = layers
    return Diagnostic(
        "E209",
        f"{all_on([first, second])}, {value} has the layers {one} ({op}) and {other} "
        f"({other_op}), and nothing says which comes first.",
        tuple(Label(span) for span in sorted({first.span, second.span})),
        (*(where.details() if where else ()), "Say it where the layer is declared:"),
        (
            f"layer {value}.{other}: {other_op} after {one}",
            f"layer {value}.{other}: {other_op} before {one}",
        ),
    )


def layers_in_a_circle(
    value: str, names: Sequence[str], parties: Sequence[Party]
) -> Diagnostic:
    """Return E204: layers that each come before the next."""
    return Diagnostic(
        "E204",
        f"{all_on(parties)}, the layers {listed(names)} of {value} each come before "
        "the next.",
        tuple(Label(span) for span in sorted({party.span for party in parties})),
    )
