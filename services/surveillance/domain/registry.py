"""All detectors. To add one: its file, a line here, its kinds in `alerting.kinds` with a row in
`docs/alerts.md`."""

from __future__ import annotations

from typing import Any, Final

from surveillance.domain.detector import Detector
from surveillance.domain.detectors.stories import Stories

DETECTORS: Final[tuple[Detector[Any], ...]] = (Stories(),)
