"""What can be wrong with what is to be provided.

ProvisioningError
├── WrongAddress        an address of a service that is not for its role and database
├── NoPassword          an address of a service without the password its role is to have
└── TopicsDiffer        topics that are there, but not as they should be
"""

from __future__ import annotations


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


class TopicsDiffer(ProvisioningError):
    """For people to mend: the topics hold facts."""

    def __init__(self, differences: tuple[str, ...]) -> None:
        self.differences = differences
        super().__init__("; ".join(differences))
