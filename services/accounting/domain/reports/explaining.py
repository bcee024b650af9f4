"""What accounts for a difference: each amount once, and never more than the difference itself.

Causes are taken in order: first what says its amount to the cent (findings about the tray, chips
that moved for no settled wager, entries by hand, error slips), then what leaves room (payments
that nobody saw, rounds with facts missing), which accounts for what is left as far as it may have
moved that much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from accounting.domain.reports.figures import Figures
from blackjack.money import dollars


class Cause(Struct, frozen=True):
    """`effect` is what it does to the variance; a line for each fact that says so."""

    key: str
    effect: int
    lines: tuple[str, ...] = ()


class Explained(Struct, frozen=True):
    by_cause: dict[str, int]
    unexplained: int
    lines: tuple[str, ...]


def explain(variance: int, causes: Iterable[Cause]) -> Explained:
    """Each cause accounts for what is left, in its own direction and no further.

    >>> explain(-30000, [Cause("finding", -50000)]).by_cause
    {'finding': -30000}
    >>> explain(0, [Cause("finding", -50000)]).unexplained
    0
    """
    left = variance
    by_cause: dict[str, int] = {}
    lines: list[str] = []
    for cause in causes:
        if left * cause.effect <= 0:
            continue
        part = min(left, cause.effect, key=abs)
        by_cause[cause.key] = by_cause.get(cause.key, 0) + part
        left -= part
        lines += cause.lines
    return Explained(by_cause, left, tuple(lines))


FOUND = "found"
NO_WAGER = "no_wager"
BY_HAND = "by_hand"
ERROR_SLIP = "error_slip"
UNOBSERVED = "unobserved"
INCOMPLETE = "incomplete"


def tray_causes(figures: Figures, day: str, table: str) -> list[Cause]:
    """All that may account for the variance of a table's tray, in order."""
    findings = [each for each in figures.findings if (each.day, each.table) == (day, table)]
    tray = [each for each in findings if each.kind.startswith("tray.")]
    paid = [each for each in findings if not each.kind.startswith("tray.")]
    slips = [each for each in figures.error_slips if (each.day, each.table) == (day, table)]
    unseen = [each for each in figures.unseen if (each.day, each.table) == (day, table)]
    blind_lines = tuple(
        f"{table}, round {each.round}: nobody saw payments; up to {dollars(each.blind_gain)} more"
        f" and {dollars(each.blind_lose)} less may have moved"
        for each in unseen
        if each.blind_gain or each.blind_lose
    )
    gain, lose = sum(each.may_gain for each in unseen), sum(each.may_lose for each in unseen)
    open_lines = tuple(
        f"{table}, round {each.round}: facts are missing; up to {dollars(each.may_gain)} more and"
        f" {dollars(each.may_lose)} less may have moved"
        for each in unseen
        if each.may_gain or each.may_lose
    )
    return [
        *_stated(FOUND, [(each.effect, _finding(table, each.round, each.text)) for each in tray]),
        *_stated(
            NO_WAGER,
            [
                (each.effect, f"{table}, round {each.round}: {dollars(-each.effect)}, {each.text}")
                for each in paid
            ],
        ),
        *hand_causes(figures, day, table, "tray"),
        *_stated(
            ERROR_SLIP,
            [
                (
                    -each.difference,
                    f"{table}, error slip {each.slip}: {dollars(each.difference)}, {each.reason}",
                )
                for each in slips
            ],
        ),
        Cause(UNOBSERVED, sum(each.blind_gain for each in unseen), blind_lines),
        Cause(UNOBSERVED, -sum(each.blind_lose for each in unseen), blind_lines),
        Cause(INCOMPLETE, gain, open_lines),
        Cause(INCOMPLETE, -lose, open_lines),
    ]


def hand_causes(figures: Figures, day: str, table: str, account: str) -> list[Cause]:
    """Entries by hand on the account of a tray or a box."""
    return list(
        _stated(
            BY_HAND,
            [
                (
                    each.cents,
                    f"{table}, entry by hand of {each.author}: {dollars(each.cents)} on"
                    f" {account}/{table}, {each.reason}",
                )
                for each in figures.by_hand
                if (each.day, each.table, each.account) == (day, table, account)
            ],
        )
    )


def _stated(key: str, said: Sequence[tuple[int, str]]) -> Iterable[Cause]:
    """Amounts that were stated, added up."""
    if said:
        yield Cause(key, sum(cents for cents, _ in said), tuple(line for _, line in said))


def _finding(table: str, round_: str, words: str) -> str:
    at = f", round {round_}" if round_ else ""
    return f"{table}{at}: {words}"
