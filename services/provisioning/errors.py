"""What can be wrong with what is to be provided.

ProvisioningError
├── WrongAddress        an address of a service that is not for its role and database
├── NoPassword          an address of a service without the password its role is to have
├── TopicsDiffer        topics that are there, but not as they should be
├── LogsLost            topics that stores have read and that are missing
└── StoresUnreadable    the database does not tell which topics were read
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class ProvisioningError(Exception):
    """The root of the tree."""


class WrongAddress(ProvisioningError):
    """A service would not get in with this address; the address itself is a secret."""

    def __init__(self, variable: str, *, what: str, expected: str, found: str) -> None:
        self.variable = variable
        self.what = what
        self.expected = expected
        self.found = found
        super().__init__(f"{variable}: its {what} is {found or 'missing'}, not {expected}")


class NoPassword(ProvisioningError):
    """A role without a password could not log in."""

    def __init__(self, variable: str) -> None:
        self.variable = variable
        super().__init__(f"{variable}: holds no password")


class LogsLost(ProvisioningError):
    """To create them again, empty, would hide the loss from whoever reads them."""

    def __init__(self, readers: Mapping[str, Sequence[str]]) -> None:
        self.readers = {topic: tuple(sorted(of)) for topic, of in sorted(readers.items())}
        missing = "; ".join(
            f"{topic} (read by {', '.join(of)})" for topic, of in self.readers.items()
        )
        options = " ".join(f"--accept-loss {topic}" for topic in self.readers)
        super().__init__(
            f"topics are missing that have been read: {missing}. Restore them from a backup of"
            " Kafka. If their loss is accepted instead: run the command `topics` with"
            f" {options}, which creates them empty; then each service that has read them refuses"
            " them and tells by which command it forgets what it made from them"
        )


class StoresUnreadable(ProvisioningError):
    """Without it a lost topic could be taken for one that was never there."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the database does not tell which topics were read: {reason}")


class TopicsDiffer(ProvisioningError):
    """For people to mend: the topics hold facts."""

    def __init__(self, differences: tuple[str, ...]) -> None:
        self.differences = differences
        super().__init__("; ".join(differences))
