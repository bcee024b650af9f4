"""JSON for programs: one value, indented, numbers to the last digit that is known."""

from __future__ import annotations

from typing import IO, Any, Final

import msgspec

PLACES: Final = 15
"""Decimals of every figure that is exact."""

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")


def write_json(file: IO[bytes], value: Any) -> None:
    """Write a value; exact decimals are numbers with all their places."""
    file.write(msgspec.json.format(_ENCODER.encode(value), indent=2) + b"\n")
