"""Content addresses: one canonical text for a definition, and its SHA-256.

Canonical means JSON with sorted keys, no blanks, no fractions: the same definition has
the same bytes in any process and any language, so that a hash names it for ever.
"""

from __future__ import annotations

import hashlib

import msgspec


def canonical(definition: object) -> bytes:
    """The one way to write a definition down."""
    return msgspec.json.encode(definition, order="sorted")


def address(definition: object) -> str:
    """The SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(definition)).hexdigest()
