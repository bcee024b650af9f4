"""Who is who in a stack: its authority, and a folder for each certificate.

`identity/authority` holds the key that signs; `identity/KIND/NAME` holds what NAME speaks with:
`service/settlement`, `operator/local`, `table/BJ-07`. Services renew their own while they run;
the others are renewed whenever the stack is started.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deploy.stack.errors import FolderRejected
from runtime.identity.credentials import Credentials
from runtime.identity.errors import KeyExposed, NotAName
from runtime.identity.names import Name
from runtime.identity.tokens import PUBLIC_KEY, open_token_issuer

OPERATOR = Name("operator", "local")
"""Whoever types commands on this machine."""
ISSUER = "local stack"
RENEWED = ("operator", "table")


class Identities:
    """The certificates of the stack in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "identity"
        self.authority = self.folder / "authority"
        self.people_key = self.authority / PUBLIC_KEY

    def of(self, name: Name) -> Path:
        """Where `name` finds its key and certificate."""
        return self.folder / name.kind / name.name

    def prepare(self) -> None:
        """Make the authority and the operator's certificate, and renew what is due."""
        try:
            self.folder.mkdir(0o700, exist_ok=True)
            open_token_issuer(self.authority, issuer=ISSUER)
            for name in {OPERATOR, *self._issued()}:
                Credentials(name, self.of(name), self.authority)
        except KeyExposed as error:
            raise FolderRejected(self.folder, str(error)) from error

    def environment_of_service(self, service: str) -> dict[str, str]:
        return {
            "AUTHORITY_FOLDER": str(self.authority),
            "IDENTITY_FOLDER": str(self.of(Name("service", service))),
            "PEOPLE_KEY": str(self.people_key),
        }

    def environment_of_operator(self) -> dict[str, str]:
        """For `pitctl` and grpcurl."""
        return {
            "AUTHORITY_FOLDER": str(self.authority),
            "IDENTITY_FOLDER": str(self.of(OPERATOR)),
        }

    def _issued(self) -> Iterator[Name]:
        for kind in RENEWED:
            for folder in (self.folder / kind).glob("*/"):
                try:
                    yield Name(kind, folder.name)
                except NotAName:  # somebody's own folder
                    continue
