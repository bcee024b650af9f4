"""The report for programs: one `SettlementRecord` a line, in protobuf's JSON form.

The bytes depend on the input alone: keys in the order of the contract, UTF-8 whatever
the locale.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

from pitctl.engine.table_set import Pit, Turn
from wire.errors import Unwritable
from wire.json_lines import record_to_json
from wire.settlement import Record


class Records:
    """Writes what comes forth, each event's findings and withdrawals before its rounds."""

    def __init__(
        self, file: BinaryIO, *, findings_only: bool, complain: Callable[[str], None]
    ) -> None:
        self._file = file
        self._findings_only = findings_only
        self._complain = complain
        """Told of a record that the contract cannot carry: a text may name any number."""

    def tell(self, turn: Turn) -> None:
        step = turn.step
        rounds = () if self._findings_only else step.rounds
        records: tuple[Record, ...] = (*step.findings, *step.withdrawals, *rounds)
        for record in records:
            try:
                line = record_to_json(record)
            except Unwritable as error:
                self._complain(str(error))
                continue
            self._file.write(line.encode() + b"\n")

    def flush(self) -> None:
        self._file.flush()

    def end(self, pit: Pit) -> None:
        """Nothing was held back."""
