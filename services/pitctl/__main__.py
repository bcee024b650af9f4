"""The entry point: every import waits until it is needed, and Ctrl-C ends without a traceback."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130
"""The status that a shell reports for a program that SIGINT ended."""


def main() -> None:
    # gRPC reads it when it is imported; its own messages are for developers.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        from pitctl.cli import app

        app(prog_name="pitctl")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
