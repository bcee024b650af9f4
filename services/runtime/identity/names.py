"""A name is `spiffe://pitledger/<kind>/<name>`: the kind of speaker, and which one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from runtime.identity.errors import NotAName

TRUST_DOMAIN = "pitledger"
SERVICE = "service"
"""The one kind that the runtime itself knows: a service of ours, which others may call."""

_SCHEME = "spiffe://"
# As SPIFFE has it, so that any other reader of the certificate agrees.
_URI = re.compile(rf"{_SCHEME}{TRUST_DOMAIN}/([a-z][a-z0-9-]*)/([A-Za-z0-9._-]+)")


@dataclass(frozen=True, slots=True)
class Name:
    """Who holds a certificate.

    >>> Name("table", "BJ-07").uri
    'spiffe://pitledger/table/BJ-07'
    >>> Name.parse("spiffe://pitledger/service/settlement")
    Name(kind='service', name='settlement')
    """

    kind: str
    name: str

    def __post_init__(self) -> None:
        if _URI.fullmatch(self.uri) is None or set(self.name) <= {"."}:
            raise NotAName(self.uri)

    @classmethod
    def parse(cls, uri: str) -> Self:
        found = _URI.fullmatch(uri)
        if found is None:
            raise NotAName(uri)
        return cls(found[1], found[2])

    @classmethod
    def among(cls, alternative_names: Iterable[str]) -> Self:
        """The one name a certificate carries among its alternative names.

        Two would make it possible to act under another one: that is rejected, like none.
        """
        uris = [name for name in alternative_names if name.startswith(_SCHEME)]
        if len(uris) != 1:
            raise NotAName(", ".join(uris) or "a certificate without a name")
        return cls.parse(uris[0])

    @property
    def uri(self) -> str:
        return f"{_SCHEME}{TRUST_DOMAIN}/{self.kind}/{self.name}"

    @property
    def host(self) -> str:
        """The host name in the certificate: callers of a service verify it by this name.

        So a caller is sure which service answers, whatever address led there.

        >>> Name("service", "table_gateway").host
        'table-gateway.service.pitledger.internal'
        """
        label = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") or "-"
        return f"{label}.{self.kind}.{TRUST_DOMAIN}.internal"

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"
