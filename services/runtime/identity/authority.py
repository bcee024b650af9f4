"""The local authority: made at first start, it signs who is who.

Its key never leaves its folder, and a service's own folder holds only what that service needs.
A cluster may use an issuer of its own instead: services read files, regardless of who made
them. Keys are P-256, which every TLS library takes; Ed25519 in certificates is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from runtime.identity.files import KeyPair, folder_lock, private_folder, read_private, write_private
from runtime.identity.names import SERVICE, Name

AUTHORITY_LIFETIME = timedelta(days=3650)
CERTIFICATE_LIFETIME = timedelta(days=30)
CLOCK_SKEW = timedelta(minutes=5)  # the other machine's clock may be behind

_OWN_NAME = "Pitledger authority"
_KEY_FILE = "authority.key"
_CERTIFICATE_FILE = "authority.crt"


@dataclass(frozen=True, slots=True, repr=False)
class Authority:
    """Who can issue certificates here."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def certificate_pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def issue(
        self,
        name: Name,
        *,
        now: datetime,
        lifetime: timedelta = CERTIFICATE_LIFETIME,
        hosts: tuple[str, ...] = (),
    ) -> KeyPair:
        """A new key with a certificate for `name`; only a service's is also good for serving."""
        key = ec.generate_private_key(ec.SECP256R1())
        usages = [ExtendedKeyUsageOID.CLIENT_AUTH]
        alternatives: list[x509.GeneralName] = [x509.UniformResourceIdentifier(name.uri)]
        if name.kind == SERVICE:
            usages.append(ExtendedKeyUsageOID.SERVER_AUTH)
            alternatives += [_host(host) for host in (name.host, *hosts)]
        certificate = (
            _builder(str(name), key.public_key(), now=now, lifetime=lifetime)
            .issuer_name(self.certificate.subject)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage(usages), critical=False)
            .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()),
                critical=False,
            )
            .sign(self.key, hashes.SHA256())
        )
        return KeyPair(
            key=_key_pem(key),
            certificate=certificate.public_bytes(serialization.Encoding.PEM),
            authority=self.certificate_pem,
        )


def open_authority(folder: Path, *, now: datetime | None = None) -> Authority:
    """The authority that lives in `folder`; the first caller makes it."""
    with folder_lock(private_folder(folder)):
        if not (folder / _KEY_FILE).exists():
            _make(folder, now or datetime.now(UTC))
        key = serialization.load_pem_private_key(read_private(folder / _KEY_FILE), None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError(f"{folder / _KEY_FILE} is not an elliptic-curve key")
        certificate = x509.load_pem_x509_certificate((folder / _CERTIFICATE_FILE).read_bytes())
    return Authority(key, certificate)


def _make(folder: Path, now: datetime) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _builder(
        "Pitledger authority", key.public_key(), now=now, lifetime=AUTHORITY_LIFETIME
    )
    certificate = (
        builder.issuer_name(_subject("Pitledger authority"))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    write_private(folder / _CERTIFICATE_FILE, certificate.public_bytes(serialization.Encoding.PEM))
    write_private(
        folder / _KEY_FILE, _key_pem(key)
    )  # last: its presence shows that all files are there


def _builder(
    subject: str, key: ec.EllipticCurvePublicKey, *, now: datetime, lifetime: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(_subject(subject))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now + lifetime)
    )


def _subject(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
