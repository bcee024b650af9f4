"""The report for programs: one `SettlementRecord` a line, in protobuf's JSON form.

The bytes depend on the input alone: keys in the order of the contract, UTF-8 whatever
the locale.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

from pitctl.engine.table_set import FoldedEvent, TableSet
from wire.errors import Unwritable
from wire.json_lines import record_to_json
from wire.settlement import Record


class RecordWriter:
    """Writes the records of each event: findings and withdrawals before rounds."""

    def __init__(
        self, file: BinaryIO, *, findings_only: bool, report_error: Callable[[str], None]
    ) -> None:
        self._file = file
        self._findings_only = findings_only
        self._report_error = report_error
        """Called for a record that the contract cannot carry: a text may name any number."""

    def write(self, folded: FoldedEvent) -> None:
        step = folded.step
        rounds = () if self._findings_only else step.rounds
        records: tuple[Record, ...] = (*step.findings, *step.withdrawals, *rounds)
        for record in records:
            try:
                line = record_to_json(record)
            except Unwritable as error:
                self._report_error(str(error))
                continue
            self._file.write(line.encode() + b"\n")

    def flush(self) -> None:
        self._file.flush()

    def end(self, tables: TableSet) -> None:
        """Every record is written already."""
