"""The days and the table of a report."""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import Struct


class ReportScope(Struct, frozen=True):
    from_day: date
    until_day: date
    table: str = ""

    @property
    def values(self) -> dict[str, Any]:
        return {"from_day": self.from_day, "until_day": self.until_day, "table": self.table}


OF_TABLE = "(%(table)s = '' OR {0}.table_id = %(table)s)"
"""SQL filter: all tables, or one."""
