"""Every kind of alert: how urgent it is by itself, who decides it, what it means.

`docs/alerts.md` has a row for each, and a detector raises each; a test proves that the three
agree. The level of an alert is that of its most urgent evidence where findings have levels of
their own, and what people have set for its kind comes before both.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from alerting.alert import ADVANTAGE
from blackjack.findings import Level
from blackjack.money import FormattedAmount, Tone, format_cents, format_result

P1, P2, P3, P4 = Level


class DecidedBy(StrEnum):
    LOG = "log"
    """One table's log alone: settlement finds it, surveillance tells the story."""
    CROSS = "cross"
    """Several tables, days or offices together."""
    STATISTICS = "statistics"
    """Chance: with a bound on false alarms over unlimited time."""
    DESK = "desk"
    """The alert desk itself: how the services run, not what tables did."""


class Kind(NamedTuple):
    level: Level
    decided_by: DecidedBy
    words: str
    label: str = ""


_LOG, _CROSS, _STATISTICS, _DESK = DecidedBy

KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "payout.mismatch": Kind(P3, _LOG, "what was paid is not what was owed"),
        "bet.past_post": Kind(P1, _LOG, "a bet rose after bets were closed"),
        "bet.pinch": Kind(P1, _LOG, "a bet fell after bets were closed"),
        "bet.half_back_unequal": Kind(P2, _LOG, "Half Back wager and main wager differ"),
        "bet.no_main_wager": Kind(P2, _LOG, "a side bet beside no main wager"),
        "limit.breach": Kind(P2, _LOG, "a limit of the State, the filing or the house"),
        "limit.debit_sale": Kind(P2, _LOG, "debit sales over their limit at one table"),
        "cash.debit_no_patron": Kind(P2, _LOG, "a debit sale names no patron"),
        "approval.missing": Kind(P2, _LOG, "rules, decks or wagers that nobody approved"),
        "procedure.deal_order": Kind(P2, _LOG, "cards were not dealt in the game's order"),
        "procedure.settle_order": Kind(P3, _LOG, "wagers were not settled in the game's order"),
        "procedure.upcard": Kind(P2, _LOG, "the up card was replaced wrongly, or not at all"),
        "procedure.dealer_play": Kind(P2, _LOG, "the dealer played his own hand wrongly"),
        "procedure.peek_wrong": Kind(P1, _LOG, "the dealer announced what the cards do not say"),
        "procedure.player_action": Kind(P2, _LOG, "a decision that the rules forbid"),
        "procedure.cards_removed_early": Kind(P3, _LOG, "cards left before their bet was settled"),
        "procedure.ruling": Kind(P2, _LOG, "an irregularity with no ruling, or an unfit one"),
        "card.impossible": Kind(P1, _LOG, "more copies of a card than the shoe has decks"),
        "card.shoe_count": Kind(P1, _LOG, "the cards of a shoe are not whole decks"),
        "card.unshuffled": Kind(P1, _LOG, "cards come in a new deck's order"),
        "card.switched": Kind(P1, _LOG, "a card was shown as another than was dealt"),
        "card.shuffler_fault": Kind(P2, _LOG, "the shuffler reports a fault"),
        "coupon.terms": Kind(P2, _LOG, "a coupon was not used or paid by its terms"),
        "tray.variance": Kind(P3, _LOG, "the tray is not what facts account for"),
        "tray.changed": Kind(P1, _LOG, "the tray changed and nothing accounts for it"),
        "win.big": Kind(P2, _LOG, "a win over $3,000 is to be verified on camera"),
        "signers.missing_or_repeated": Kind(P2, _LOG, "a signature is missing or repeated"),
        "log.sequence_gap": Kind(P2, _LOG, "events of a table are missing"),
        "log.chain_broken": Kind(P2, _LOG, "the chain of hashes is broken"),
        "log.sequence_conflict": Kind(P2, _LOG, "two events claim one number"),
        "log.clock_skew": Kind(P2, _LOG, "a clock is off by more than 500 ms"),
        "log.low_confidence": Kind(P2, _LOG, "cards are read with too little confidence"),
        "log.out_of_reach": Kind(P3, _LOG, "a correction came too late to be judged"),
        "log.nonsense": Kind(P3, _LOG, "facts that make no sense where they stand"),
        "payout.repeated": Kind(P2, _CROSS, "a dealer pays wrongly at several tables"),
        "coupon.unknown": Kind(P1, _CROSS, "nobody issued the coupon"),
        "coupon.duplicate": Kind(P1, _CROSS, "a coupon came again, or was in two places"),
        "coupon.void": Kind(P2, _CROSS, "a coupon was used after it was declared void"),
        "coupon.other_patron": Kind(P2, _CROSS, "a coupon was issued to somebody else"),
        "coupon.over_limit": Kind(P2, _CROSS, "a patron used more coupons than a day allows"),
        "coupon.washing": Kind(P3, _CROSS, "a patron comes for the coupon and goes"),
        "patron.two_places": Kind(P2, _CROSS, "a patron was at two tables at once"),
        "patron.excluded": Kind(P1, _CROSS, "a patron played who may not"),
        "cash.reporting_line": Kind(P2, _CROSS, "cash near or over the reporting line"),
        "cash.no_patron": Kind(P1, _CROSS, "cash over the reporting line with no patron on record"),
        "cash.debit_limit": Kind(P2, _CROSS, "debit sales over their limit at several tables"),
        "slip.gap": Kind(P2, _CROSS, "a number of a series of slips is missing"),
        "slip.signers": Kind(P2, _CROSS, "a slip lacks a signature, or has one twice"),
        "box.variance": Kind(P3, _CROSS, "a box does not hold what was sold for cash"),
        "tray.shortage_pattern": Kind(P2, _CROSS, "a table or a dealer is short again and again"),
        "table.silent": Kind(P2, _CROSS, "an open table says nothing while others do"),
        "floor.silent": Kind(P2, _CROSS, "nothing is heard of any open table"),
        "log.refused": Kind(P2, _CROSS, "a table's events were refused"),
        "office.refused": Kind(P4, _CROSS, "what an office entered was refused"),
        "luck.beyond_chance": Kind(P3, _STATISTICS, "results that luck does not explain"),
        "dealer.dumping": Kind(P1, _STATISTICS, "a dealer gives to a patron, far from chance"),
        "dealer.error_rate": Kind(P4, _STATISTICS, "a dealer errs far more often than others"),
        "coupon.substitution": Kind(P2, _STATISTICS, "far more coupons come with a dealer"),
        "play.count": Kind(P3, _STATISTICS, "bets follow what is left in the shoe", ADVANTAGE),
        "play.hole_card": Kind(P2, _STATISTICS, "decisions know the hole card", ADVANTAGE),
        "surveillance.behind": Kind(P1, _DESK, "surveillance is behind: alerts may be late"),
    }
)
"""By code."""
MEASURED: Final = (
    "payout", "tray.", "box.", "shortage", "coupon.terms", "coupon.wrong_pay", "log.out_of_reach",
)  # fmt: skip
"""How kinds of findings, alerts and evidence begin whose amount is a gain or loss of the house."""


def format_amount(cents: int, kind: str) -> FormattedAmount:
    """Format the amount of a finding, an alert or evidence, stored positive where the house lost.

    Of a kind that measures a gain or a loss it is a result of the house. Of any other, such as
    cash near the reporting line, it has neither sign nor color.

    >>> format_amount(2500, "payout.overpaid").text, format_amount(2500, "cash.no_patron").text
    ('-$25.00', '$25.00')
    """
    if kind.startswith(MEASURED):
        return format_result(-cents)
    return FormattedAmount(format_cents(cents), Tone.EVEN)
