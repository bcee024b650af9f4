"""The figures of days and tables, as they were fetched: what reports are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from accounting.domain.reports.leaves import Leaf
from blackjack.rulebook.promotions import Terms


class TableDay(Struct, frozen=True):
    """What was counted and reported of money at a table on a gaming day."""

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
    """What one wager brought at a table on a day, by one rule set."""

    day: str
    table: str
    game: str
    rule_set: str
    wager: str
    rounds: int
    sums: Mapping[Leaf, int]
    placed: int = 0
    """Of judged wagers, at the deal: what theory is about."""
    judged_win: int = 0
    """As owed, of the same wagers, coupons left aside."""
    squares: float = 0.0
    """Sum of placed squared, over all wagers."""
    crosses: float = 0.0
    """Sum, over rounds, of what was placed squared, less the squares."""


class WagerExpectation(NamedTuple):
    """Per unit placed: the edge, the variance, the covariance with another seat of the round."""

    edge: float
    variance: float
    covariance: float


class RuleSetSummary(Struct, frozen=True):
    """A rule set, as far as reports care."""

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
        """How its hash begins: terms of one name are several, each of them for ever."""
        return self.promotion[:12]

    @property
    def words(self) -> str:
        """Its title, set apart from others of the same name."""
        return f"{self.title} ({self.short})" if self.short else self.title


class PayoutError(Struct, frozen=True):
    """A wager that was, in some version of its round, not paid as owed."""

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
    """What stands now: nothing where a later version put it right."""
    first: int
    """As it was first said."""
    dealer: str
    supervisor: str
    by_hand: bool
    """Whether an entry by hand names the round."""


class UnobservedRound(Struct, frozen=True):
    """A round in which payments were not seen, or facts are missing."""

    day: str
    table: str
    round: str
    opening_seq: int
    at: int
    status: str
    blind_gain: int
    """What is in the tray too much, if winnings that nobody saw paid were not paid, and stakes that
    nobody can judge were taken."""
    blind_lose: int
    """What is in the tray too little, if stakes that nobody saw taken were not taken, and the most
    was paid on what nobody can judge."""
    may_gain: int
    may_lose: int


class TrayFinding(Struct, frozen=True):
    """What settlement found about a tray; `effect` is what it does to the tray's variance."""

    day: str
    table: str
    round: str
    seq: int
    at: int
    kind: str
    effect: int
    text: str


class Correction(Struct, frozen=True):
    """A settlement put right on another gaming day than that of its round."""

    day: str
    """When the chips moved."""
    round_day: str
    table: str
    round: str
    opening_seq: int
    seq: int
    at: int
    cents: int
    """What went to the player."""


class ManualEntryLine(Struct, frozen=True):
    """A line of an entry by hand, on a table's tray or box."""

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
    """Coupons of one promotion over the days asked; those outstanding as of the end of the last."""

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
    """So many coupons redeemed at a table, alike in all that their cost depends on."""

    promotion: str
    rule_set: str
    wager: str
    placed: int
    coupons: int


class ExpectedCost(NamedTuple):
    """What coupons that are alike, and were redeemed, cost on average: one of them, exactly.

    None where nobody can tell: their terms or rules are not known, or they lay where their terms
    do not allow them.
    """

    redeemed: Redemption
    cents: float | None


class RuleSetRounds(Struct, frozen=True):
    """How many rounds were played by a rule set."""

    rule_set: str
    game: str
    rounds: int


class OutstandingCoupons(Struct, frozen=True):
    """Coupons that are out, by promotion and the band of their age."""

    promotion: PromotionSummary
    band: str
    age_min: int
    age_max: int
    coupons: int
    face: int


class SlipRecord(Struct, frozen=True):
    """A numbered paper, at the table or in the cage."""

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
    """Of an explanation: the numbers that it explains."""
    is_before: bool = False
    """Whether it lies before the days asked for."""


class PatronDay(Struct, frozen=True):
    """`item` names the one transaction of a patron who is not known, from $3,000 on."""

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
    """The moment for people to read."""
    seat: int = 0
    note: str = ""


class DebitSale(Struct, frozen=True):
    """`is_asked`: of a day that was asked for, not of one before it."""

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
    """What was fetched for a report; what it does not need stays empty."""

    tables: list[TableDay] = []
    month: list[TableDay] = []
    """Days of the month before the days asked for."""
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
    """Of each promotion, the exact expected cost of one coupon that is out."""
    patrons: list[PatronDay] = []
    large: list[LargeTransaction] = []
    debits: list[DebitSale] = []
    """By patron, in the order of time."""
    accounts: list[AccountSums] = []
