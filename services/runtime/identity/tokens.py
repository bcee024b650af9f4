"""A person's rights: a signed token with the person, the roles and the expiry.

The parties that sign people in (the console, a command) hold the signing key; services hold only
the public one and check every call again. A token lives for minutes and is renewed often, so that
a right that was taken away is gone soon; one that claims to live longer is rejected, even if
the signature is right. The form is a JWT with EdDSA; no other algorithm is accepted, above all not
"none".
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from runtime.identity.errors import TokenRejected
from runtime.identity.files import folder_lock, read_private, write_private
from runtime.identity.names import TRUST_DOMAIN

LIFETIME_MAX = timedelta(minutes=15)
CLOCK_SKEW = timedelta(seconds=10)
PUBLIC_KEY = "people.pub"
PRIVATE_KEY = "people.key"
_ALGORITHM = "EdDSA"
_REQUIRED = ["sub", "roles", "iat", "exp", "iss", "aud", "jti"]


@dataclass(frozen=True, slots=True)
class SignedInPerson:
    """The person and the roles that a token names."""

    subject: str
    roles: frozenset[str]
    expires_at: datetime
    token_id: str = ""


class TokenIssuer:
    """Signs tokens. Only the party that has checked a password holds one."""

    def __init__(self, key: Ed25519PrivateKey, *, issuer: str) -> None:
        self._key = key
        self._issuer = issuer

    def issue(
        self,
        subject: str,
        roles: frozenset[str],
        *,
        now: datetime,
        lifetime: timedelta = LIFETIME_MAX,
    ) -> str:
        claims = {
            "sub": subject,
            "roles": sorted(roles),
            "iat": int(now.timestamp()),
            "exp": int((now + lifetime).timestamp()),
            "iss": self._issuer,
            "aud": TRUST_DOMAIN,
            "jti": uuid4().hex,
        }
        return jwt.encode(claims, self._key, algorithm=_ALGORITHM)


class TokenVerifier:
    """The person whom a token names; raises `TokenRejected` with the reason."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self._key = key

    def verify(self, token: str, *, now: datetime) -> SignedInPerson:
        claims = self._signed_claims(token)
        issued_at, expires_at = _moment(claims, "iat"), _moment(claims, "exp")
        roles = claims["roles"]
        if not isinstance(roles, list) or not all(isinstance(role, str) for role in roles):
            raise TokenRejected("the token's roles are not a list of words")
        if now >= expires_at + CLOCK_SKEW:
            raise TokenRejected(f"the token expired at {expires_at:%H:%M:%S} UTC: sign in again")
        if issued_at > now + CLOCK_SKEW:
            raise TokenRejected("the token comes from the future: compare the clocks")
        if expires_at - issued_at > LIFETIME_MAX:
            raise TokenRejected(f"the token lives longer than {LIFETIME_MAX}")
        return SignedInPerson(str(claims["sub"]), frozenset(roles), expires_at, str(claims["jti"]))

    def _signed_claims(self, token: str) -> dict[str, Any]:
        # Times are judged by the caller's clock, not by that of the library.
        options: Any = {"require": _REQUIRED, "verify_exp": False, "verify_iat": False}
        try:
            claims: dict[str, Any] = jwt.decode(
                token, self._key, algorithms=[_ALGORITHM], audience=TRUST_DOMAIN, options=options
            )
        except jwt.InvalidSignatureError:
            raise TokenRejected("the token is not signed by us") from None
        except jwt.InvalidTokenError as error:
            raise TokenRejected(f"the token is not one of ours: {error}") from None
        return claims


def open_token_issuer(authority_folder: Path, *, issuer: str) -> TokenIssuer:
    """The issuer whose key lies beside the authority's; the first caller makes it."""
    with folder_lock(authority_folder):
        path = authority_folder / PRIVATE_KEY
        if not path.exists():
            key = Ed25519PrivateKey.generate()
            write_private(authority_folder / PUBLIC_KEY, _public_pem(key))
            write_private(
                path, _private_pem(key)
            )  # last: its presence shows that all files are there
    return read_token_issuer(path, issuer=issuer)


def read_token_issuer(path: Path, *, issuer: str) -> TokenIssuer:
    """From the private key, a PEM file readable by its owner only."""
    loaded = serialization.load_pem_private_key(read_private(path), None)
    if not isinstance(loaded, Ed25519PrivateKey):
        raise TypeError(f"{path} is not an Ed25519 key")
    return TokenIssuer(loaded, issuer=issuer)


def read_token_verifier(path: Path) -> TokenVerifier:
    """From the public key, a PEM file."""
    loaded = serialization.load_pem_public_key(path.read_bytes())
    if not isinstance(loaded, Ed25519PublicKey):
        raise TypeError(f"{path} is not an Ed25519 public key")
    return TokenVerifier(loaded)


def _moment(claims: dict[str, Any], name: str) -> datetime:
    value = claims[name]
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**33:
        raise TokenRejected(f"the token's {name} is not a time")
    return datetime.fromtimestamp(value, UTC)


def _public_pem(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _private_pem(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
