"""Errors of provisioning.

ProvisioningError
├── WrongAddress        a database URL of a service has another role or database
├── NoPassword          a database URL of a service has no password
├── TopicsDiffer        topics exist with other settings than expected
├── LogsLost            topics that stores have read are missing
└── StoresUnreadable    the database does not return which topics were read
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class ProvisioningError(Exception):
    """The root of the tree."""


class WrongAddress(ProvisioningError):
    """A service could not connect with this URL; the URL itself is a secret."""

    def __init__(self, variable: str, *, what: str, expected: str, found: str) -> None:
        self.variable = variable
        self.what = what
        self.expected = expected
        self.found = found
        super().__init__(f"invalid {variable}: {what} is {found or 'missing'}, expected {expected}")


class NoPassword(ProvisioningError):
    """A role without a password cannot connect."""

    def __init__(self, variable: str) -> None:
        self.variable = variable
        super().__init__(f"invalid {variable}: it has no password")


class LogsLost(ProvisioningError):
    """To create them again, empty, would hide the loss from their readers."""

    def __init__(self, readers: Mapping[str, Sequence[str]]) -> None:
        self.readers = {topic: tuple(sorted(of)) for topic, of in sorted(readers.items())}
        missing = "; ".join(
            f"{topic} (read by {', '.join(of)})" for topic, of in self.readers.items()
        )
        options = " ".join(f"--accept-loss {topic}" for topic in self.readers)
        super().__init__(
            f"topics are missing that have been read: {missing}. Restore them from a backup of"
            " Kafka. To accept their loss instead, run the command `topics` with"
            f" {options}, which creates them empty; each service that has read them then rejects"
            " them and reports the command that rebuilds its data"
        )


class StoresUnreadable(ProvisioningError):
    """Without it a lost topic could be taken for one that was never there."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the topics that were read cannot be queried: {reason}")


class TopicsDiffer(ProvisioningError):
    """For people to fix: the topics hold facts."""

    def __init__(self, differences: tuple[str, ...]) -> None:
        self.differences = differences
        super().__init__("; ".join(differences))
