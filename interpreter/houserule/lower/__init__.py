"""Names and types: composed rules become a program of the core, or diagnostics."""

from __future__ import annotations

from houserule.lower.program import check_rules as check_rules
