"""Errors of identities.

IdentityError
├── NotAName            a text or certificate without a name of ours
├── Exposed             a secret that others on the machine may read
├── NoAuthority         a certificate is needed and no authority here can issue it
└── TokenRejected       a token that is not signed by us, not for us, expired, or too long-lived
"""

from __future__ import annotations

from pathlib import Path


class IdentityError(Exception):
    """The root of the tree."""


class NotAName(IdentityError, ValueError):
    """A text or a certificate without a name of ours."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(f"no name of ours: {found}")


class KeyExposed(IdentityError):
    """A secret lies where others on the machine may read it."""

    def __init__(self, path: Path, mode: int) -> None:
        self.path = path
        self.mode = mode
        super().__init__(f"{path} has mode {mode:04o}; others may read it: chmod go-rwx {path}")


class NoAuthority(IdentityError):
    """There is no usable certificate, and no authority to issue one."""

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder = folder
        self.reason = reason
        super().__init__(
            f"{folder}: {reason}, and AUTHORITY_FOLDER is not set: "
            "set it, or put tls.key, tls.crt and ca.crt there"
        )


class TokenRejected(IdentityError):
    """A token that gives no rights, and why."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)
