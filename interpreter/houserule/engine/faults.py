"""Faults of rules, under the name by which engines know them."""

from __future__ import annotations

from houserule.state.faults import FaultCode, RuleFault

__all__ = ["FaultCode", "RuleFault"]
