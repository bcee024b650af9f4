"""Keys and certificates from the local authority, for services and for devices on the floor.

Beside its certificate a service gets `people.pub`, which verifies the tokens of people; the
console, where people sign in, gets `people.key` too, which signs them.

For installations without a cluster that issues them. A certificate with more than a third of its
life left stays, so the command may be run every day; services load new ones without a restart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from provisioning.config import CertificatesSettings
from runtime.identity.credentials import Credentials
from runtime.identity.files import private_folder, write_private
from runtime.identity.names import SERVICE, Name
from runtime.identity.tokens import PRIVATE_KEY, PUBLIC_KEY, open_token_issuer

CONSOLE = Name(SERVICE, "console")


@dataclass(frozen=True, slots=True)
class IssuedCertificate:
    """The holder, the folder and the expiry of a certificate."""

    name: Name
    folder: Path
    expires_at: datetime

    def __str__(self) -> str:
        return f"{self.name}: {self.folder}, until {self.expires_at:%Y-%m-%d}"


def parse_name(text: str) -> Name:
    """`service/settlement` or `table/BJ-07`, as names are printed.

    >>> parse_name("table/BJ-07").uri
    'spiffe://pitledger/table/BJ-07'
    """
    kind, _, name = text.partition("/")
    return Name(kind, name)


def issue(names: Iterable[Name], settings: CertificatesSettings) -> list[IssuedCertificate]:
    issued = []
    for name in names:
        kinds = private_folder(settings.identities_folder / name.kind)
        credentials = Credentials(name, kinds / name.name, settings.authority_folder)
        if name.kind == SERVICE:
            _hand_over_keys(name, kinds / name.name, settings.authority_folder)
        issued.append(IssuedCertificate(name, kinds / name.name, credentials.expires_at))
    return issued


def _hand_over_keys(name: Name, folder: Path, authority: Path) -> None:
    open_token_issuer(authority, issuer=CONSOLE.name)  # the first call creates the pair
    for key in (PUBLIC_KEY, PRIVATE_KEY) if name == CONSOLE else (PUBLIC_KEY,):
        content = (authority / key).read_bytes()
        if not (folder / key).exists() or (folder / key).read_bytes() != content:
            write_private(folder / key, content)
