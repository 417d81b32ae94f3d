"""`python -m houserule`: the same as the command `houserule`."""

from __future__ import annotations

from houserule.cli.main import main

main()
