"""A service's own key and certificate: there at start, renewed before they expire.

With AUTHORITY_FOLDER the service lets the local authority issue and renew them; without, it
reads files that another tool has put into IDENTITY_FOLDER. Renewed files are taken up without a
restart, and links that are open stay open.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from runtime import logs
from runtime.identity.authority import CERTIFICATE_LIFETIME, open_authority
from runtime.identity.errors import NoAuthority
from runtime.identity.files import KeyPair, folder_lock, read_pair, write_pair
from runtime.identity.names import Name
from runtime.process import ServicePart, Stop
from runtime.settings import Settings

LOOK_SECONDS = 60.0  # how soon files renewed by another tool are loaded
_log = logs.logger(__name__)


class IdentitySettings(Settings):
    """Where a service finds who it is."""

    identity_folder: Path
    """The folder with this service's tls.key, tls.crt and ca.crt; readable by the owner only."""
    authority_folder: Path | None = None
    """The folder of the local authority, which then issues and renews what identity_folder
    holds; unset where another tool does."""


class Credentials:
    """The current key pair of `name`. Safe to use from any thread."""

    def __init__(self, name: Name, folder: Path, authority_folder: Path | None = None) -> None:
        self.name = name
        self._folder = folder
        self._authority_folder = authority_folder
        self._pair = self._ensure(datetime.now(UTC))

    @classmethod
    def of(cls, name: Name, settings: IdentitySettings) -> Credentials:
        return cls(name, settings.identity_folder, settings.authority_folder)

    @property
    def pair(self) -> KeyPair:
        return self._pair

    @property
    def expires_at(self) -> datetime:
        return _expiry(self._pair)

    def refresh(self, now: datetime) -> bool:
        """Renews when due and loads new files; true when the pair is another one."""
        found = self._ensure(now)
        if found == self._pair:
            return False
        self._pair = found
        return True

    def part(self) -> ServicePart:
        """Keeps the certificate fresh while the service runs."""
        return ServicePart("certificate", self._keep_fresh)

    def server(self) -> grpc.ServerCredentials:
        """For a server: the client must show a certificate, and renewals are taken up.

        gRPC calls this at every handshake. A configuration in answer replaces what handshakes under
        way still use, and many at once have crashed the process: it is given only when it is new.
        """
        given = self._pair

        def renewed() -> Any:  # None is allowed, though the stubs do not show it
            nonlocal given
            if self._pair is given:
                return None
            given = self._pair
            return _server_configuration(given)

        return grpc.dynamic_ssl_server_credentials(
            _server_configuration(given), renewed, require_client_authentication=True
        )

    def client(self) -> grpc.ChannelCredentials:
        pair = self._pair
        return grpc.ssl_channel_credentials(pair.authority, pair.key, pair.certificate)

    async def _keep_fresh(self, stop: Stop) -> None:
        while not await stop.wait(LOOK_SECONDS):
            try:
                renewed = self.refresh(datetime.now(UTC))
            except (OSError, ValueError, NoAuthority) as error:
                # Half-written files heal at the next look; an expired pair fails loudly by itself.
                _log.error("certificate not renewed", reason=str(error))
                continue
            if renewed:
                _log.info("certificate renewed", expires=self.expires_at.isoformat())

    def _ensure(self, now: datetime) -> KeyPair:
        if self._authority_folder is None:
            return self._read(now)
        authority = open_authority(self._authority_folder, now=now)
        with folder_lock(self._folder):
            pair = _read_whole(self._folder)
            if (
                pair is None
                or pair.authority != authority.certificate_pem
                or _name(pair) != self.name
                or is_due(pair, now)
            ):
                pair = authority.issue(self.name, now=now)
                write_pair(self._folder, pair)
            return pair

    def _read(self, now: datetime) -> KeyPair:
        try:
            pair = read_pair(self._folder)
        except FileNotFoundError as missing:
            raise NoAuthority(self._folder, f"{Path(missing.filename).name} is missing") from None
        _check_fit(pair)
        if _expiry(pair) <= now:
            raise NoAuthority(self._folder, f"the certificate expired at {_expiry(pair)}")
        if is_due(pair, now):
            _log.warning("certificate expires soon", expires=_expiry(pair).isoformat())
        return pair


def is_due(pair: KeyPair, now: datetime) -> bool:
    """A certificate is renewed when a third of its life is left."""
    certificate = x509.load_pem_x509_certificate(pair.certificate)
    life = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    return now >= certificate.not_valid_after_utc - max(life / 3, timedelta(0))


def issue_to(
    folder: Path,
    name: Name,
    authority_folder: Path,
    *,
    now: datetime,
    lifetime: timedelta = CERTIFICATE_LIFETIME,
) -> KeyPair:
    """Makes a key pair for a party without a service here, such as a device on the floor."""
    pair = open_authority(authority_folder, now=now).issue(name, now=now, lifetime=lifetime)
    write_pair(folder, pair)
    return pair


def _server_configuration(pair: KeyPair) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration(
        [(pair.key, pair.certificate)], root_certificates=pair.authority
    )


def _expiry(pair: KeyPair) -> datetime:
    return x509.load_pem_x509_certificate(pair.certificate).not_valid_after_utc


def _name(pair: KeyPair) -> Name:
    certificate = x509.load_pem_x509_certificate(pair.certificate)
    alternatives = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return Name.among(alternatives.value.get_values_for_type(x509.UniformResourceIdentifier))


def _read_whole(folder: Path) -> KeyPair | None:
    """The pair, or None when there is none yet or a crash has left half of one."""
    try:
        pair = read_pair(folder)
        _check_fit(pair)
    except (FileNotFoundError, ValueError):
        return None
    return pair


def _check_fit(pair: KeyPair) -> None:
    """Read between two writes, key and certificate are not of one pair."""
    key = serialization.load_pem_private_key(pair.key, None)
    certificate = x509.load_pem_x509_certificate(pair.certificate)
    if key.public_key() != certificate.public_key():
        raise ValueError("tls.key and tls.crt do not belong together")
