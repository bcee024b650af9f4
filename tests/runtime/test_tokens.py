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

from runtime.identity.errors import TokenRejected
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


MOMENT = int(NOW.timestamp())


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"aud": "elsewhere"}, "not one of ours"),
        ({"sub": None}, "not one of ours"),
        ({"exp": None}, "not one of ours"),
        ({"exp": MOMENT - 60}, "expired at 22:40:00 UTC"),
        ({"iat": MOMENT + 3600}, "future"),
        ({"exp": MOMENT + 86400}, "lives longer"),
        ({"roles": "auditor"}, "not a list of words"),
        ({"roles": [["auditor"]]}, "not a list of words"),
        ({"iat": "yesterday"}, "iat is not a time"),
        ({"exp": 2**62}, "exp is not a time"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_token_is_said(changed: dict[str, object], reason: str) -> None:
    payload = {name: value for name, value in claims(**changed).items() if value is not None}
    with pytest.raises(TokenRejected, match=reason):
        VERIFIER.verify(signed(payload), now=NOW)


@pytest.mark.parametrize("token", ["", "a.b.c", "....", "é"])
def test_what_is_no_token_at_all_is_refused(token: str) -> None:
    with pytest.raises(TokenRejected, match="not one of ours"):
        VERIFIER.verify(token, now=NOW)


def test_a_token_that_somebody_else_signed_is_refused() -> None:
    forged = signed(claims(), Ed25519PrivateKey.generate())
    with pytest.raises(TokenRejected, match="not signed by us"):
        VERIFIER.verify(forged, now=NOW)


def test_an_unsigned_token_is_refused_whatever_it_says() -> None:
    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    unsigned = f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims())}."
    with pytest.raises(TokenRejected, match="not one of ours"):
        VERIFIER.verify(unsigned, now=NOW)


def test_the_public_key_cannot_be_used_as_a_shared_secret() -> None:
    """The oldest trick: sign with HMAC, the key being what everybody may read."""
    public = KEY.public_key().public_bytes(
        serialization.Encoding.Raw, serialization.PublicFormat.Raw
    )
    forged = jwt.encode(claims(), public, algorithm="HS256")
    with pytest.raises(TokenRejected, match="not one of ours"):
        VERIFIER.verify(forged, now=NOW)


def test_a_clock_that_is_a_little_behind_does_not_matter() -> None:
    token = ISSUER.issue("ada", AUDITOR, now=NOW)
    VERIFIER.verify(token, now=NOW - timedelta(seconds=5))


def test_the_signing_key_is_made_once_and_services_read_the_public_one(tmp_path: Path) -> None:
    token = open_token_issuer(tmp_path / "keys", issuer="console").issue("ada", AUDITOR, now=NOW)
    open_token_issuer(tmp_path / "keys", issuer="console")
    person = read_token_verifier(tmp_path / "keys" / PUBLIC_KEY).verify(token, now=NOW)
    assert person.subject == "ada"
