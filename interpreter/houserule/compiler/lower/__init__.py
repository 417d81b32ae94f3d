"""Lowering: resolve names and types; composed rules become a core program."""

from __future__ import annotations

from houserule.compiler.lower.program import check_rules as check_rules
