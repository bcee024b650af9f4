"""The settings of the console."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from runtime.addresses import Address, AddressSetting
from runtime.database.connection import DatabaseSettings
from runtime.identity.credentials import IdentitySettings
from runtime.service import ServiceSettings


class Settings(ServiceSettings, IdentitySettings, DatabaseSettings):
    web_address: AddressSetting = Address("127.0.0.1", 8080)
    """Where the pages are served, over plain HTTP: loopback, or behind a proxy that speaks TLS."""
    web_origin: str | None = None
    """What people type, such as https://pit.example.com; unset: http and WEB_ADDRESS, which must
    then be on loopback. Forms are taken from pages of this origin only."""
    web_proxies: tuple[str, ...] = ()
    """Addresses of proxies whose word is taken for where a request came from."""
    people_signing_key: Path | None = None
    """The file with the private key that signs people's tokens; unset: that beside the local
    authority."""
    round_archive_address: AddressSetting
    """Where rounds are asked for."""
    accounting_address: AddressSetting
    """Where the books are asked for."""
    alert_desk_address: AddressSetting
    """Where alerts and cases are worked."""
    table_gateway_address: AddressSetting
    """Where what was set aside is judged anew."""
    session_idle_seconds_max: Annotated[int, Field(ge=60)] = 2 * 3600
    """How long somebody may do nothing before they must sign in again."""
    session_seconds_max: Annotated[int, Field(ge=60)] = 12 * 3600
    """How long a session lasts at most: a shift."""
    sign_in_failures_max: Annotated[int, Field(ge=1)] = 5
    """After so many wrong passwords for a name from one place, that place waits."""
    sign_in_failure_seconds: Annotated[int, Field(ge=1)] = 15 * 60
    """How long such a failure counts."""

    @model_validator(mode="after")
    def _origin_is_safe(self) -> Self:
        parts = urlsplit(self.origin)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("web_origin must be https://HOST, or http:// on loopback")
        if parts.path or parts.query or parts.fragment or parts.username:
            raise ValueError("web_origin is scheme, host and port, and nothing behind them")
        if parts.scheme == "http" and not is_loopback(parts.hostname):
            raise ValueError(
                "without TLS a password could be read on the way: web_origin must be https"
            )
        if self.people_signing_key is None and self.authority_folder is None:
            raise ValueError("people_signing_key or authority_folder must be set")
        return self

    @property
    def origin(self) -> str:
        return self.web_origin or f"http://{self.web_address}"

    @property
    def is_secure(self) -> bool:
        """Whether people come over TLS, so that cookies go no other way."""
        return self.origin.startswith("https:")


def is_loopback(host: str) -> bool:
    """
    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("pit.example.com")
    (True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
