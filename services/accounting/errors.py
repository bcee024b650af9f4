"""What accounting refuses.

NotPosted      a message of the log that is not booked, with a code and the reason
"""

from __future__ import annotations


class NotPosted(Exception):
    """A message that is not booked: `code` for programs, `reason` for people."""

    def __init__(self, code: str, reason: str, author: str = "") -> None:
        self.code = code
        self.reason = reason
        self.author = author
        super().__init__(reason)
