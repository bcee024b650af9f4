"""The number of a slip, and the series that it belongs to."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"\d{1,18}$", re.ASCII)


def series_of(slip: str) -> tuple[str, int | None]:
    """What a number has in front, and the number; None where there is none.

    >>> series_of("F-T004-12"), series_of("F")
    (('F-T004-', 12), ('F', None))
    """
    found = _NUMBER.search(slip)
    return (slip, None) if found is None else (slip[: found.start()], int(found.group()))
