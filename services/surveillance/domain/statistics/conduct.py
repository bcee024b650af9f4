"""What a dealer does: wrong payments and coupons, to be compared, and gifts to one patron.

For something that happens with a probability of at most p each time, a ticket that pays 1 / p
when it does is fair. For gifts such a p is a *baseline*, set before the rounds it is used for. Of
a gift there is one ticket more, without any baseline: if a dealer errs without regard to persons,
who of the table is overpaid is as likely as his share of its payments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from blackjack.outcomes import Payment, WagerOutcome
from surveillance.domain.statistics.evidence import StreamEvidence, StreamKind, Ticket

ALL_WAGERS: Final = "all"
"""The stream of what is not asked of one wager."""

SEEN: Final = (Payment.EXACT, Payment.WRONG, Payment.UNPAID)


class Baselines(Struct, frozen=True):
    """How often it happens at most where nothing is wrong."""

    overpaid: float = 0.001
    """Payments of more than is owed."""
    overpaid_largely: float = 0.0002
    """Payments of more than is owed by `large_cents` and more."""
    large_cents: int = 25_00


def errors(bets: Sequence[WagerOutcome]) -> tuple[int, int]:
    """Wrong payments of one round, and all that were seen."""
    seen = [bet for bet in bets if bet.payment in SEEN]
    return sum([bet.payment is not Payment.EXACT for bet in seen]), len(seen)


def coupons(bets: Sequence[WagerOutcome]) -> tuple[int, int]:
    """Bets of one round that came with a coupon, and all that one could come with."""
    return sum([bool(bet.coupon) for bet in bets]), len(bets)


def transfers(
    table: Sequence[WagerOutcome], own: Sequence[WagerOutcome], baselines: Baselines
) -> StreamEvidence | None:
    """A dealer's payments to one patron, and to the whole table, in one round."""
    paid = [bet for bet in own if bet.payment in SEEN]
    if not paid:
        return None
    often = _tickets(_overpaid(paid, 1), len(paid), baselines.overpaid)
    largely = _overpaid(paid, baselines.large_cents)
    return StreamEvidence(
        StreamKind.TRANSFERS,
        ALL_WAGERS,
        (often, _tickets(largely, len(paid), baselines.overpaid_largely), _chosen(table, paid)),
        observed=_overpaid(paid, 1),
        expected=len(paid) * baselines.overpaid,
    )


def _chosen(table: Sequence[WagerOutcome], own: Sequence[WagerOutcome]) -> tuple[Ticket, ...]:
    """Whom the overpayments of a round went to; nothing if there was none, or nobody else."""
    paid = [bet for bet in table if bet.payment in SEEN]
    gifts = _overpaid(paid, 1)
    if not gifts or len(own) == len(paid):
        return ()
    return (Ticket(_overpaid(own, 1) / gifts * len(paid) / len(own)),)


def _overpaid(bets: Sequence[WagerOutcome], cents: int) -> int:
    return sum([bet.difference_cents >= cents for bet in bets])


def _tickets(happened: int, of: int, baseline: float) -> tuple[Ticket, ...]:
    """One for each time it could have happened."""
    both = (Ticket(1.0 / baseline, happened), Ticket(0.0, of - happened))
    return tuple([each for each in both if each.times])
