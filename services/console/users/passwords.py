"""Passwords: argon2id hashes, verified in a time that does not reveal which users exist."""

from __future__ import annotations

import secrets
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

LENGTH_MIN: Final = 12
LENGTH_MAX: Final = 256
"""Longer passwords only make hashing slower."""
_SYLLABLES: Final = tuple(a + b for a in "bdfghjkmnprstvz" for b in "aeiou")
_HASHER: Final = PasswordHasher()  # argon2id, with the parameters of RFC 9106 for little memory
_DUMMY_HASH: Final = _HASHER.hash(secrets.token_urlsafe(24))


def hash_password(password: str) -> str:
    """Hash a password with argon2id."""
    return _HASHER.hash(password)


def verify_password(password: str, hashed: str | None) -> bool:
    """Whether the password matches the hash; without a hash it takes as long and is false."""
    try:
        _HASHER.verify(hashed or _DUMMY_HASH, password[:LENGTH_MAX])
    except (VerifyMismatchError, InvalidHashError):
        return False
    return hashed is not None


def generate_password() -> str:
    """Generate a password that can be read out over a telephone, of about 62 bits (75 to the 10th).

    >>> len(generate_password().replace("-", ""))
    20
    """
    words = ["".join(secrets.choice(_SYLLABLES) for _ in range(2)) for _ in range(5)]
    return "-".join(words)


def password_weakness(password: str, name: str) -> str:
    """The reason to reject a password; empty if it is acceptable.

    >>> password_weakness("short", "anna")
    'enter at least 12 characters'
    """
    if len(password) < LENGTH_MIN:
        return f"enter at least {LENGTH_MIN} characters"
    if len(password) > LENGTH_MAX:
        return f"enter at most {LENGTH_MAX} characters"
    if name in password.lower():
        return "leave out the user name"
    if len(set(password)) < LENGTH_MIN // 2:
        return "use more different characters"
    return ""
