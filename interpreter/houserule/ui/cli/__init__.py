"""The command `houserule`: one file per verb; other packages do the work.

Results go to standard output, messages and progress to standard error. The exit status
is 0 for success, 1 for findings or an illegal move, 2 for a usage error, 3 for a bug.
Nothing else in the package prints. `--help` loads no verb.
"""

from __future__ import annotations

# Exit statuses of verbs.
FINE, FINDINGS, WRONG_USAGE, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130
