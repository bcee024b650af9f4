"""Why a command ends without its result; the text of each error names the problem and the fix."""

from __future__ import annotations


class CommandError(Exception):
    """Ends a command with exit status 2."""


class InvalidArgument(CommandError, ValueError):
    """An argument or a file with a value that cannot be used."""


class ServiceUnavailable(CommandError):
    """A service cannot be reached, or does not answer."""


class RequestRejected(Exception):
    """The service has answered, and rejected the request.

    `code` is its name for programs; empty where the service gave none.
    """

    def __init__(self, reason: str, code: str = "") -> None:
        super().__init__(reason)
        self.code = code
