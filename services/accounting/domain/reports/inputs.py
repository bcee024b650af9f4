"""The inputs of reports: sums and records of days and tables, as read from the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from accounting.domain.reports.leaves import Leaf
from blackjack.rulebook.promotions import Terms


class TableDay(Struct, frozen=True):
    """The counted and reported money of a table on a gaming day."""

    day: str
    table: str
    sums: Mapping[Leaf, int]
    openers: int = 0
    closers: int = 0
    counts: int = 0
    """Boxes that were counted."""
    uncounted: int = 0
    """Boxes that were removed, and are not counted yet."""

    @property
    def is_closed(self) -> bool:
        """Whether every opening of the day has its closing."""
        return self.closers >= self.openers > 0

    @property
    def is_counted(self) -> bool:
        return self.counts > 0 and not self.uncounted


class WagerTotals(Struct, frozen=True):
    """The sums of one wager at a table on a day, by one rule set."""

    day: str
    table: str
    game: str
    rule_set: str
    wager: str
    rounds: int
    sums: Mapping[Leaf, int]
    placed: int = 0
    """The amount placed at the deal on judged wagers, which theory applies to."""
    judged_win: int = 0
    """Win as owed of the same wagers, without coupons."""
    squares: float = 0.0
    """Sum of placed squared, over all wagers."""
    crosses: float = 0.0
    """Sum over rounds of the amount placed, squared, minus the squares."""


class WagerExpectation(NamedTuple):
    """Per unit placed: the edge, the variance, the covariance with another seat of the round."""

    edge: float
    variance: float
    covariance: float


class RuleSetSummary(Struct, frozen=True):
    """The fields of a rule set that reports use, with its theory."""

    game: str
    title: str
    decks: int
    options: Mapping[str, int]
    theory: Mapping[str, WagerExpectation]


class PromotionSummary(Struct, frozen=True):
    promotion: str
    terms: Terms | None

    @property
    def title(self) -> str:
        return self.terms.name if self.terms is not None else "unknown"

    @property
    def short(self) -> str:
        """The first digits of the hash: several terms may have the same name."""
        return self.promotion[:12]

    @property
    def words(self) -> str:
        """The title, with the hash that distinguishes terms of the same name."""
        return f"{self.title} ({self.short})" if self.short else self.title


class PayoutError(Struct, frozen=True):
    """A wager that was not paid as owed in some version of its round."""

    day: str
    table: str
    round: str
    opening_seq: int
    at: int
    version: int
    seat: int
    hand: int
    wager: str
    tip: bool
    patron: str
    owed: int
    paid: int
    difference: int
    """The difference now: zero if a later version corrected it."""
    first: int
    """The difference as first reported."""
    dealer: str
    supervisor: str
    by_hand: bool
    """Whether a manual entry names the round."""


class UnobservedRound(Struct, frozen=True):
    """A round with unobserved payments or missing facts."""

    day: str
    table: str
    round: str
    opening_seq: int
    at: int
    status: str
    blind_gain: int
    """The most by which the tray may be over: unobserved winnings were not paid, and stakes of
    unjudged wagers were taken."""
    blind_lose: int
    """The most by which the tray may be short: unobserved stakes were not taken, and unjudged
    wagers were paid the maximum."""
    may_gain: int
    may_lose: int


class TrayFinding(Struct, frozen=True):
    """A finding about a tray; `effect` is its effect on the tray variance."""

    day: str
    table: str
    round: str
    seq: int
    at: int
    kind: str
    effect: int
    text: str


class Correction(Struct, frozen=True):
    """A settlement corrected on another gaming day than that of its round."""

    day: str
    """When the chips moved."""
    round_day: str
    table: str
    round: str
    opening_seq: int
    seq: int
    at: int
    cents: int
    """The amount that went to the patron."""


class ManualEntryLine(Struct, frozen=True):
    """A line of a manual entry, on a table's tray or box."""

    day: str
    table: str
    account: str
    cents: int
    author: str
    reason: str
    at: int
    event_id: str


class ErrorSlip(Struct, frozen=True):
    day: str
    table: str
    slip: str
    difference: int
    reason: str
    at: int
    event_id: str


class CouponSums(Struct, frozen=True):
    """Coupons of one promotion in a range of days; outstanding as of the end of the last day."""

    promotion: PromotionSummary
    sums: Mapping[Leaf, int]


class CouponProblem(Struct, frozen=True):
    day: str
    at: int
    promotion: str
    serial: str
    table: str
    round: str
    opening_seq: int
    words: str


class Redemption(Struct, frozen=True):
    """Coupons redeemed at tables that are equal in all that their cost depends on."""

    promotion: str
    rule_set: str
    wager: str
    placed: int
    coupons: int


class ExpectedCost(NamedTuple):
    """The exact expected cost of one of these redeemed coupons.

    None if it is unknown: their terms or rules are not known, or their terms do not allow the
    wager that they lay on.
    """

    redeemed: Redemption
    cents: float | None


class RuleSetRounds(Struct, frozen=True):
    """The number of rounds played by a rule set."""

    rule_set: str
    game: str
    rounds: int


class OutstandingCoupons(Struct, frozen=True):
    """Outstanding coupons by promotion and age band."""

    promotion: PromotionSummary
    band: str
    age_min: int
    age_max: int
    coupons: int
    face: int


class SlipRecord(Struct, frozen=True):
    """One half of a numbered slip, at the table or in the cage."""

    day: str
    side: str
    """"table" or "cage"."""
    kind: str
    table: str
    name: str
    cents: int
    signers: tuple[str, ...]
    at: int = 0
    seq: int = 0
    event_id: str = ""
    reason: str = ""
    first: int = 0
    last: int = 0
    """The explained numbers, if it is an explanation."""
    is_before: bool = False
    """Whether it is from before the days of the report."""


class PatronDay(Struct, frozen=True):
    """Cash of a patron on a day. `item` identifies a single transaction of $3,000 or more of an
    unknown patron."""

    day: str
    patron: str
    sums: Mapping[Leaf, int]
    item: str = ""


class LargeTransaction(Struct, frozen=True):
    day: str
    patron: str
    table: str
    what: str
    cents: int
    at: int = 0
    item: str = ""
    when: str = ""
    """The time as shown to people."""
    seat: int = 0
    note: str = ""


class DebitSale(Struct, frozen=True):
    """`is_in_range`: on a day of the report, not on one before it."""

    day: str
    patron: str
    table: str
    at: int
    cents: int
    is_in_range: bool


class AccountSums(Struct, frozen=True):
    account: str
    account_class: str
    debit: int
    credit: int


class ReportInputs(Struct, frozen=True):
    """The inputs of a report; those that it does not need stay empty."""

    tables: list[TableDay] = []
    month: list[TableDay] = []
    """Days of the same month before the days of the report."""
    play: list[WagerTotals] = []
    rules: Mapping[str, RuleSetSummary] = {}
    errors: list[PayoutError] = []
    unseen: list[UnobservedRound] = []
    findings: list[TrayFinding] = []
    corrections: list[Correction] = []
    by_hand: list[ManualEntryLine] = []
    error_slips: list[ErrorSlip] = []
    slips: list[SlipRecord] = []
    coupons: list[CouponSums] = []
    coupon_problems: list[CouponProblem] = []
    redemptions: list[Redemption] = []
    outstanding: list[OutstandingCoupons] = []
    promotions: Mapping[str, PromotionSummary] = {}
    played: list[RuleSetRounds] = []
    costs: Mapping[str, Sequence[ExpectedCost]] = {}
    """By promotion."""
    shares: Mapping[str, float | None] = {}
    """The exact expected cost of one outstanding coupon, by promotion."""
    patrons: list[PatronDay] = []
    large: list[LargeTransaction] = []
    debits: list[DebitSale] = []
    """By patron, in order of time."""
    accounts: list[AccountSums] = []
