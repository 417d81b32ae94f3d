"""The entry: the command `houserule`, and `python -m houserule`.

All is imported within the `try`, so that an interruption ends the command in one way
from its first moment on.
"""

INTERRUPTED = 130  # as in `houserule.ui.cli`, which is not imported yet


def main() -> None:
    """Run the command with the arguments of the process, and end the process."""
    try:
        from houserule.ui.cli.main import main as command

        command()
    except KeyboardInterrupt:
        import os
        from contextlib import suppress

        with suppress(OSError):
            os.write(2, b"Interrupted.\n")
        os._exit(INTERRUPTED)  # what is half imported is not to be tidied up


if __name__ == "__main__":
    main()
