"""The forms in which a diagram can be had, as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from houserule.diagram.mermaid import as_markdown, as_mermaid
from houserule.diagram.report import report
from houserule.diagram.svg import as_svg
from houserule.diagram.text import as_text

if TYPE_CHECKING:
    from houserule.diagram.model import Diagram

FORMS: Mapping[str, Callable[[Diagram, int], str]] = {
    "text": as_text,
    "svg": lambda diagram, _: as_svg(diagram),
    "mermaid": lambda diagram, _: as_mermaid(diagram),
    "markdown": lambda diagram, _: as_markdown(diagram),
    "json": lambda diagram, _: report(diagram).model_dump_json(indent=2),
}
"""By name: functions of a diagram and, for a text, of how many columns there are."""
