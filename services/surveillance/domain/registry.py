"""All detectors. To add one: its file, a line here, its kinds in `alerting.kinds` with a row in
`docs/alerts.md`."""

from __future__ import annotations

from typing import Any, Final

from surveillance.domain.detector import Detector
from surveillance.domain.detectors.box_variance import BoxVariance
from surveillance.domain.detectors.coupon_limit import CouponLimit
from surveillance.domain.detectors.coupon_misuse import CouponMisuse
from surveillance.domain.detectors.debit_limit import DebitLimit
from surveillance.domain.detectors.excluded import ExcludedPatron
from surveillance.domain.detectors.finding_groups import FindingGroups
from surveillance.domain.detectors.peers import Peers
from surveillance.domain.detectors.rejections import RejectionDetector
from surveillance.domain.detectors.repeated_payouts import RepeatedPayouts
from surveillance.domain.detectors.reporting_line import ReportingLine
from surveillance.domain.detectors.shortages import Shortages
from surveillance.domain.detectors.silence import Silence
from surveillance.domain.detectors.slip_gaps import SlipGaps
from surveillance.domain.detectors.slip_signers import SlipSigners
from surveillance.domain.detectors.streams import Streams
from surveillance.domain.detectors.two_places import TwoPlaces
from surveillance.domain.detectors.unnamed_cash import UnnamedCashWatch
from surveillance.domain.detectors.washing import Washing

DETECTORS: Final[tuple[Detector[Any], ...]] = (
    FindingGroups(),
    RepeatedPayouts(),
    CouponMisuse(),
    CouponLimit(),
    Washing(),
    TwoPlaces(),
    ExcludedPatron(),
    ReportingLine(),
    UnnamedCashWatch(),
    DebitLimit(),
    SlipGaps(),
    SlipSigners(),
    BoxVariance(),
    Shortages(),
    Silence(),
    RejectionDetector(),
    Streams(),
    Peers(),
)
