"""Where something listens or is reached: host and port, written `host:port`."""

from __future__ import annotations

from typing import Annotated, NamedTuple, Self

from pydantic import BeforeValidator, PlainSerializer


class Address(NamedTuple):
    """A host and a port. Port 0 means any free one, where something is to listen.

    >>> Address.parse("127.0.0.1:9464")
    Address(host='127.0.0.1', port=9464)
    >>> str(Address.parse("[::1]:50051"))
    '[::1]:50051'
    """

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Self:
        host, colon, port = text.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdecimal() or int(port) > 65535:
            raise ValueError("must be host:port, such as 127.0.0.1:9464")
        return cls(host, int(port))

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _address(value: object) -> object:
    return Address.parse(value) if isinstance(value, str) else value


AddressSetting = Annotated[Address, BeforeValidator(_address), PlainSerializer(str)]
"""An `Address` as the type of a setting."""
