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
    """Address of the pages, over plain HTTP: on loopback, or behind a proxy with TLS."""
    web_origin: str | None = None
    """Public origin, such as https://pit.example.com; unset: http and WEB_ADDRESS, which must
    then be on loopback. Forms of other origins are rejected."""
    web_proxies: tuple[str, ...] = ()
    """Addresses of trusted proxies, whose forwarded client address is used."""
    people_signing_key: Path | None = None
    """File of the private key that signs user tokens; unset: the key of the local authority."""
    round_archive_address: AddressSetting
    """Address of the round archive."""
    accounting_address: AddressSetting
    """Address of accounting."""
    alert_desk_address: AddressSetting
    """Address of the alert desk."""
    table_gateway_address: AddressSetting
    """Address of the table gateway, for retries of dead letters."""
    session_idle_seconds_max: Annotated[int, Field(ge=60)] = 2 * 3600
    """Seconds without use after which a session ends."""
    session_seconds_max: Annotated[int, Field(ge=60)] = 12 * 3600
    """Maximum length of a session: a shift."""
    sign_in_failures_max: Annotated[int, Field(ge=1)] = 5
    """Failed attempts for a name from one address before that address must wait."""
    sign_in_failure_seconds: Annotated[int, Field(ge=1)] = 15 * 60
    """Seconds for which a failed attempt counts."""

    @model_validator(mode="after")
    def _origin_is_safe(self) -> Self:
        parts = urlsplit(self.origin)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("web_origin must be https://HOST, or http:// on loopback")
        if parts.path or parts.query or parts.fragment or parts.username:
            raise ValueError("web_origin must be scheme, host and port only")
        if parts.scheme == "http" and not is_loopback(parts.hostname):
            raise ValueError(
                "web_origin must be https: without TLS passwords are sent in clear text"
            )
        if self.people_signing_key is None and self.authority_folder is None:
            raise ValueError("people_signing_key or authority_folder must be set")
        return self

    @property
    def origin(self) -> str:
        return self.web_origin or f"http://{self.web_address}"

    @property
    def is_secure(self) -> bool:
        """Whether browsers use TLS, so that cookies are restricted to it."""
        return self.origin.startswith("https:")


def is_loopback(host: str) -> bool:
    """Whether a host is the local machine.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("pit.example.com")
    (True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
