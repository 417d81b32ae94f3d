"""Failure reports of examples."""

from __future__ import annotations

from collections.abc import Mapping

from houserule.authoring.scenarios.run import Result
from houserule.base.diagnostics.render import Renderer, place, underline
from houserule.base.source import Source


def failure(result: Result, sources: Mapping[str, Source]) -> str:
    """Return why an example failed: its name, its table, and each failed line."""
    trial = result.trial
    texts = {**sources, trial.examples.source.name: trial.examples.source}
    renderer = Renderer(texts)
    head = f"{place(trial.span)}: {trial.scenario.name}\n  table: {trial.table}"
    parts = [head]
    for problem in result.problems:
        source = texts.get(problem.span.file)
        line = source.line(problem.span.line) if source else ""
        number = f"    {problem.span.line} | "
        under = " " * len(number) + underline(problem.span, line)
        parts.append(f"  {problem.message}\n{number}{line}\n{under}")
    parts += [renderer.all(result.faults)] if result.faults else []
    return "\n\n".join(parts)
