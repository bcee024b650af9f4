"""The report for programs: one `SettlementRecord` a line, in protobuf's JSON form.

The bytes depend on the input alone: keys in the order of the contract, UTF-8 whatever
the locale.
"""

from __future__ import annotations

from typing import BinaryIO

from pitctl.pit import Pit, Turn
from wire.jsonlines import record_to_json


class Records:
    """Writes what comes forth, each event's findings and withdrawals before its rounds."""

    def __init__(self, file: BinaryIO, *, findings_only: bool) -> None:
        self._file = file
        self._findings_only = findings_only

    def tell(self, turn: Turn) -> None:
        step = turn.step
        rounds = () if self._findings_only else step.rounds
        records = (*step.findings, *step.withdrawals, *rounds)
        if records:
            for record in records:
                self._file.write(record_to_json(record).encode() + b"\n")
            self._file.flush()

    def end(self, pit: Pit) -> None:
        """Nothing is held back."""
