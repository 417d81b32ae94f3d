"""The command `houserule`: one file a verb, over the packages that do the work.

In: arguments. Out: text on standard output, messages and progress on standard error,
and an exit status: 0 fine, 1 findings or a refused move, 2 wrong usage, 3 our fault.
Nothing else in the package prints. `--help` loads no verb.
"""

from __future__ import annotations

# How a verb ends: its exit status.
FINE, FINDINGS, WRONG_USAGE, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130
