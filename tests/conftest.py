"""What holds for all tests."""

from __future__ import annotations

import signal

# Where the tests run in the background, Ctrl-C is ignored, also by what they start; and
# some of them interrupt what they started.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
