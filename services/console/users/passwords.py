"""Passwords: kept as argon2id hashes, checked in a time that tells nothing about who exists."""

from __future__ import annotations

import secrets
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

LENGTH_MIN: Final = 12
LENGTH_MAX: Final = 256
"""Longer ones would only keep the hash busy."""
_SYLLABLES: Final = tuple(a + b for a in "bdfghjkmnprstvz" for b in "aeiou")
_HASHER: Final = PasswordHasher()  # argon2id, with the parameters of RFC 9106 for little memory
_NOBODYS: Final = _HASHER.hash(secrets.token_urlsafe(24))


def hash_password(password: str) -> str:
    return _HASHER.hash(password)


def verify_password(password: str, hashed: str | None) -> bool:
    """Whether it is the password behind the hash; None takes just as long, and is never right."""
    try:
        _HASHER.verify(hashed or _NOBODYS, password[:LENGTH_MAX])
    except (VerifyMismatchError, InvalidHashError):
        return False
    return hashed is not None


def generate_password() -> str:
    """A password that can be read out over a telephone: 75 to the tenth, about 62 bits.

    >>> len(generate_password().replace("-", ""))
    20
    """
    words = ["".join(secrets.choice(_SYLLABLES) for _ in range(2)) for _ in range(5)]
    return "-".join(words)


def password_weakness(password: str, name: str) -> str:
    """Why a password is not taken; empty where it is.

    >>> password_weakness("short", "anna")
    'it has 5 characters; 12 are needed'
    """
    if len(password) < LENGTH_MIN:
        return f"it has {len(password)} characters; {LENGTH_MIN} are needed"
    if len(password) > LENGTH_MAX:
        return f"it has more than {LENGTH_MAX} characters"
    if name in password.lower():
        return "it has the name in it"
    if len(set(password)) < LENGTH_MIN // 2:
        return "it repeats too few characters"
    return ""
