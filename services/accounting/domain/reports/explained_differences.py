"""What accounts for a difference: each amount once, and never more than the difference itself.

Causes are taken in order: first what is certain (chips of a correction that moved on another day
than its round was played), then what says its amount to the cent (findings about the tray, chips
that moved for no settled wager, entries by hand, error slips), then what leaves room (payments
that nobody saw, rounds with facts missing), which accounts for what is left as far as it may have
moved that much. What is certain counts whole, also where something else hides it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from accounting.domain.reports.composition import Component, FactReference, ReportCell, total_of
from accounting.domain.reports.inputs import ReportInputs, TrayFinding, UnobservedRound
from blackjack.money import format_cents, format_result

OTHER_DAY: Final = "other_day"
FOUND: Final = "found"
NO_WAGER: Final = "no_wager"
BY_HAND: Final = "by_hand"
ERROR_SLIP: Final = "error_slip"
UNOBSERVED: Final = "unobserved"
INCOMPLETE: Final = "incomplete"
BEYOND: Final = "beyond the difference, not counted"


class Cause(Struct, frozen=True):
    """What it does to the variance is the sum of its parts: one for each fact that says so."""

    key: str
    parts: tuple[Component, ...]
    is_certain: bool = False

    @property
    def effect(self) -> int:
        return total_of(self.parts)


class Explanation(Struct, frozen=True):
    by_cause: dict[str, tuple[Component, ...]]
    """Parts that add up to what the cause accounts for."""
    unexplained: int

    @property
    def lines(self) -> list[str]:
        every = (part for parts in self.by_cause.values() for part in parts)
        return list(dict.fromkeys(part.words for part in every if part.fact is not None))


def explain(variance: int, causes: Iterable[Cause]) -> Explanation:
    """Each cause accounts for what is left, in its own direction and no further; one that is
    certain leaves what it does not account for.

    >>> found = Cause("finding", (Part("a finding", Cell(-50000)),))
    >>> [each.cell.value for each in explain(-30000, [found]).by_cause["finding"]]
    [-50000, 20000]
    >>> explain(0, [found]).unexplained
    0
    >>> explain(0, [Cause("correction", (Part("said", Cell(500)),), is_certain=True)]).unexplained
    -500
    """
    left = variance
    by_cause: dict[str, tuple[Component, ...]] = {}
    for cause in causes:
        if not cause.parts or (left * cause.effect <= 0 and not cause.is_certain):
            continue
        part = cause.effect if cause.is_certain else min(left, cause.effect, key=abs)
        beyond = part - cause.effect
        rest = (Component(BEYOND, ReportCell(beyond)),) if beyond else ()
        by_cause[cause.key] = (*by_cause.get(cause.key, ()), *cause.parts, *rest)
        left -= part
    return Explanation(by_cause, left)


def tray_causes(figures: ReportInputs, day: str, table: str) -> list[Cause]:
    """All that may account for the variance of a table's tray, in order."""
    findings = [each for each in figures.findings if (each.day, each.table) == (day, table)]
    unseen = [each for each in figures.unseen if (each.day, each.table) == (day, table)]
    return [
        Cause(OTHER_DAY, tuple(_corrected(figures, day, table)), is_certain=True),
        Cause(FOUND, tuple(_found(each) for each in findings if _is_of_tray(each))),
        Cause(NO_WAGER, tuple(_moved(each) for each in findings if not _is_of_tray(each))),
        hand_cause(figures, day, table, "tray"),
        Cause(ERROR_SLIP, tuple(_slips(figures, day, table))),
        Cause(
            UNOBSERVED, tuple(_blind(each, each.blind_gain) for each in unseen if each.blind_gain)
        ),
        Cause(
            UNOBSERVED, tuple(_blind(each, -each.blind_lose) for each in unseen if each.blind_lose)
        ),
        Cause(INCOMPLETE, tuple(_open(each, each.may_gain) for each in unseen if each.may_gain)),
        Cause(INCOMPLETE, tuple(_open(each, -each.may_lose) for each in unseen if each.may_lose)),
    ]


def hand_cause(figures: ReportInputs, day: str, table: str, account: str) -> Cause:
    """Entries by hand on the account of a tray or a box."""
    return Cause(
        BY_HAND,
        tuple(
            Component(
                f"{table}, entry by hand of {each.author}: {format_cents(each.cents)} on"
                f" {account}/{table}, {each.reason}",
                ReportCell(each.cents),
                fact=FactReference("entry_posted", day, each.at, table, event_id=each.event_id),
            )
            for each in figures.by_hand
            if (each.day, each.table, each.account) == (day, table, account)
        ),
    )


def _corrected(figures: ReportInputs, day: str, table: str) -> Iterable[Component]:
    """On the round's day the tray has what moved later; on the later day it lacks that."""
    for each in figures.corrections:
        if each.table != table or day not in (each.day, each.round_day):
            continue
        is_later = day == each.day
        when = f"of {each.round_day}" if is_later else f"moved on {each.day}"
        yield Component(
            f"{table}, round {each.round}: {format_result(-each.cents).text} of a correction"
            f" {when}",
            ReportCell(-each.cents if is_later else each.cents),
            fact=FactReference(
                "correction", each.day, each.at, table, each.round, each.opening_seq, each.seq
            ),
        )


def _is_of_tray(found: TrayFinding) -> bool:
    return found.kind.startswith("tray.")


def _found(found: TrayFinding) -> Component:
    at = f", round {found.round}" if found.round else ""
    return Component(
        f"{found.table}{at}: {found.text}", ReportCell(found.effect), fact=_fact(found)
    )


def _moved(found: TrayFinding) -> Component:
    return Component(
        f"{found.table}, round {found.round}: {format_result(found.effect).text}, {found.text}",
        ReportCell(found.effect),
        fact=_fact(found),
    )


def _fact(found: TrayFinding) -> FactReference:
    return FactReference(
        found.kind, found.day, found.at, found.table, found.round, opening_seq=0, seq=found.seq
    )


def _slips(figures: ReportInputs, day: str, table: str) -> Iterable[Component]:
    for each in figures.error_slips:
        if (each.day, each.table) == (day, table):
            yield Component(
                f"{table}, error slip {each.slip}: {format_cents(each.difference)}, {each.reason}",
                ReportCell(-each.difference),
                fact=FactReference(
                    "error_slip_written", day, each.at, table, event_id=each.event_id
                ),
            )


def _blind(unseen: UnobservedRound, effect: int) -> Component:
    return _room(unseen, effect, "nobody saw payments", unseen.blind_gain, unseen.blind_lose)


def _open(unseen: UnobservedRound, effect: int) -> Component:
    return _room(unseen, effect, "facts are missing", unseen.may_gain, unseen.may_lose)


def _room(unseen: UnobservedRound, effect: int, why: str, gain: int, lose: int) -> Component:
    return Component(
        f"{unseen.table}, round {unseen.round}: {why}; up to {format_cents(gain)} more and"
        f" {format_cents(lose)} less may have moved",
        ReportCell(effect),
        fact=FactReference(
            "round", unseen.day, unseen.at, unseen.table, unseen.round, unseen.opening_seq
        ),
    )
