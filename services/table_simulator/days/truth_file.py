"""The ground truth as JSON lines: one planted fault a line, keys in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from table_simulator.domain.truth import Truth


class InvalidTruthFile(ValueError):
    """A line that is no planted fault."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")


def truth_lines(truths: Iterable[Truth]) -> bytes:
    return b"".join(msgspec.json.encode(truth) + b"\n" for truth in truths)


def read_truth(text: bytes) -> tuple[Truth, ...]:
    """Every planted fault of a file; `InvalidTruthFile` at the first line that is none."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(msgspec.json.decode(line, type=Truth))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InvalidTruthFile(number, str(error)) from None
    return tuple(found)
