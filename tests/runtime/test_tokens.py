"""A token gives rights only if we signed it, for us, for a short while."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from runtime.identity.errors import TokenRefused
from runtime.identity.tokens import (
    LIFETIME_MAX,
    PUBLIC_KEY,
    TokenIssuer,
    TokenVerifier,
    open_token_issuer,
    read_token_verifier,
)

NOW = datetime(2026, 3, 1, 22, 41, tzinfo=UTC)
KEY = Ed25519PrivateKey.generate()
ISSUER = TokenIssuer(KEY, issuer="console")
VERIFIER = TokenVerifier(KEY.public_key())
AUDITOR = frozenset({"auditor"})


def claims(**changed: object) -> dict[str, object]:
    now = int(NOW.timestamp())
    return {
        "sub": "ada",
        "roles": ["auditor"],
        "iat": now,
        "exp": now + 60,
        "iss": "console",
        "aud": "pitledger",
        "jti": "1",
        **changed,
    }


def signed(payload: dict[str, object], key: Ed25519PrivateKey = KEY) -> str:
    return jwt.encode(payload, key, algorithm="EdDSA")


def test_a_token_says_who_in_which_roles_until_when() -> None:
    person = VERIFIER.verify(ISSUER.issue("ada", AUDITOR, now=NOW), now=NOW)
    assert person.subject == "ada"
    assert person.roles == AUDITOR
    assert person.expires_at == NOW + LIFETIME_MAX
    assert person.token_id


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("", "not one of ours"),
        ("a.b.c", "not one of ours"),
        (signed(claims(), Ed25519PrivateKey.generate()), "not signed by us"),
        (signed(claims(aud="elsewhere")), "not one of ours"),
        (signed({k: v for k, v in claims().items() if k != "sub"}), "not one of ours"),
        (signed({k: v for k, v in claims().items() if k != "exp"}), "not one of ours"),
        (signed(claims(exp=int(NOW.timestamp()) - 60)), "expired at 22:40:00 UTC"),
        (signed(claims(iat=int(NOW.timestamp()) + 3600)), "future"),
        (signed(claims(exp=int(NOW.timestamp()) + 86400)), "lives longer"),
        (signed(claims(roles="auditor")), "not a list of words"),
        (signed(claims(roles=[["auditor"]])), "not a list of words"),
        (signed(claims(iat="yesterday")), "iat is not a time"),
        (signed(claims(exp=2**62)), "exp is not a time"),
    ],
)
def test_what_is_wrong_with_a_token_is_said(token: str, reason: str) -> None:
    with pytest.raises(TokenRefused, match=reason):
        VERIFIER.verify(token, now=NOW)


def test_an_unsigned_token_is_refused_whatever_it_says() -> None:
    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    unsigned = f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims())}."
    with pytest.raises(TokenRefused, match="not one of ours"):
        VERIFIER.verify(unsigned, now=NOW)


def test_the_public_key_cannot_be_used_as_a_shared_secret() -> None:
    """The oldest trick: sign with HMAC, the key being what everybody may read."""
    public = KEY.public_key().public_bytes(
        serialization.Encoding.Raw, serialization.PublicFormat.Raw
    )
    forged = jwt.encode(claims(), public, algorithm="HS256")
    with pytest.raises(TokenRefused, match="not one of ours"):
        VERIFIER.verify(forged, now=NOW)


def test_a_clock_that_is_a_little_behind_does_not_matter() -> None:
    token = ISSUER.issue("ada", AUDITOR, now=NOW)
    VERIFIER.verify(token, now=NOW - timedelta(seconds=5))


def test_the_signing_key_is_made_once_and_services_read_the_public_one(tmp_path: Path) -> None:
    token = open_token_issuer(tmp_path / "keys", issuer="console").issue("ada", AUDITOR, now=NOW)
    open_token_issuer(tmp_path / "keys", issuer="console")
    person = read_token_verifier(tmp_path / "keys" / PUBLIC_KEY).verify(token, now=NOW)
    assert person.subject == "ada"
